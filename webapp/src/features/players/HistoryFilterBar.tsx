import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { usernameIn } from '@/shared/people/personSummary';
import classes from './HistoryFilterBar.module.css';
import { type HistoryFilters, isFiltered } from './historyFilters';
import { KIND_TEXTS, RESULT_TEXTS } from './texts';

interface HistoryFilterBarProps {
  filters: HistoryFilters;
  setFilters: (change: Partial<HistoryFilters>) => void;
  opponentError: string | null;
}

const options = (any: string, texts: Record<string, string>) => [
  { value: '', label: any },
  ...Object.entries(texts).map(([value, label]) => ({ value, label })),
];

const KINDS = options('All games', KIND_TEXTS);
const RESULTS = options('Any result', RESULT_TEXTS);
const BOARDS = options('Any board', { 3: '3×3', 4: '4×4', 5: '5×5', 6: '6×6' });
const RATED = options('Rated or not', { yes: 'Rated', no: 'Not rated' });

/** The filters of a history; all of them combine. */
export function HistoryFilterBar({ filters, setFilters, opponentError }: HistoryFilterBarProps) {
  const { type, result, board, rated, opponent } = filters;
  return (
    <div role="search" aria-label="Games" className={classes.bar}>
      <NativeSelect
        aria-label="Kind of game"
        value={type}
        data={KINDS}
        onChange={(event) => setFilters({ type: event.currentTarget.value as HistoryFilters['type'] })}
      />
      <NativeSelect
        aria-label="Result"
        value={result}
        data={RESULTS}
        onChange={(event) => setFilters({ result: event.currentTarget.value as HistoryFilters['result'] })}
      />
      <NativeSelect
        aria-label="Board"
        value={board}
        data={BOARDS}
        onChange={(event) => setFilters({ board: event.currentTarget.value as HistoryFilters['board'] })}
      />
      <NativeSelect
        aria-label="Rated"
        value={rated}
        data={RATED}
        onChange={(event) => setFilters({ rated: event.currentTarget.value as HistoryFilters['rated'] })}
      />
      {/* Remounted when the opponent changed otherwise. */}
      <Opponent
        key={opponent}
        opponent={opponent}
        error={opponentError}
        onChoose={(name) => setFilters({ opponent: name })}
      />
      {isFiltered(filters) && (
        <Button
          variant="default"
          className={classes.clear ?? ''}
          onClick={() => setFilters({ type: '', result: '', board: '', rated: '', opponent: '' })}
        >
          All games
        </Button>
      )}
    </div>
  );
}

interface OpponentProps {
  opponent: string;
  error: string | null;
  onChoose: (username: string) => void;
}

/** A username, looked up on Enter or when the field is left. */
function Opponent({ opponent, error, onChoose }: OpponentProps) {
  const [text, setText] = useState(opponent);
  const hint = useId();
  const choose = () => {
    const name = usernameIn(text);
    if (name !== opponent) onChoose(name);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    choose();
  };
  return (
    <form onSubmit={submit} className={classes.opponent}>
      <TextInput
        aria-label="Opponent’s username"
        aria-describedby={hint}
        placeholder="Any opponent"
        autoComplete="off"
        maxLength={40}
        value={text}
        error={error}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={choose}
      />
      <span id={hint} className="visually-hidden">
        Press Enter to filter
      </span>
    </form>
  );
}
