import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { StageRound } from '@/api/events';
import type { StageFormat } from './formats';
import { currentRound, roundName } from './match';
import { PairingRow } from './PairingRow';
import classes from './RoundPairings.module.css';
import { RoundState } from './RoundState';
import { useFirst } from './useFirst';

interface RoundPairingsProps {
  format: StageFormat;
  rounds: readonly StageRound[];
  expectedRounds: number;
  isPaused: boolean;
  /** The viewer; null for a visitor. */
  userId: string | null;
}

/** The matches of one round, the present one until another is chosen. */
export function RoundPairings({ format, rounds, expectedRounds, isPaused, userId }: RoundPairingsProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const present = currentRound(rounds) ?? rounds[0];
  const round = rounds.find(({ round }) => round === chosen) ?? present;
  if (round === undefined) return null;
  const name = (number: number) => {
    const text = roundName(format, number, expectedRounds);
    return format === 'knockout' ? text : `${text} of ${Math.max(number, expectedRounds)}`;
  };
  return (
    <div className={classes.round}>
      <div className={classes.head}>
        <NativeSelect
          label="Round"
          value={round.round}
          onChange={({ currentTarget: { value } }) => setChosen(Number(value))}
          data={rounds.map(({ round: number }) => ({ value: String(number), label: name(number) }))}
        />
        <RoundState round={round} isPaused={isPaused} />
      </div>
      <PairingList key={round.round} label={name(round.round)} round={round} userId={userId} />
    </div>
  );
}

interface PairingListProps extends Pick<RoundPairingsProps, 'userId'> {
  label: string;
  round: StageRound;
}

function PairingList({ label, round: { pairings }, userId }: PairingListProps) {
  const { shown, showAll } = useFirst(pairings);
  if (pairings.length === 0) return <p className={classes.none}>Not paired yet.</p>;
  return (
    <>
      <ol aria-label={`Matches of ${label}`}>
        {shown.map((pairing) => (
          <PairingRow key={pairing.board} pairing={pairing} userId={userId} />
        ))}
      </ol>
      {showAll && (
        <Button variant="default" onClick={showAll}>
          {`Show all ${pairings.length.toLocaleString()} matches`}
        </Button>
      )}
    </>
  );
}
