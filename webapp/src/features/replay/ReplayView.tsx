import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { type EngineClient } from '@/engine';
import { Board, MarkDrawing, SoundSwitch } from '@/shared/board';
import { BotBadge } from '@/shared/people/BotBadge';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { PersonMenu } from '@/shared/people/PersonMenu';
import type { Game } from '@/shared/rules';
import { CloseIcon } from '@/shared/ui/icons';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import { Controls } from './Controls';
import { ShareIcon } from './icons';
import { Moves } from './Moves';
import { extent } from '@/shared/replay/playback';
import type { GameRecord } from '@/shared/replay/record';
import classes from './ReplayView.module.css';
import { ShareDialog } from './ShareDialog';
import { type Replay, useReplay } from './useReplay';
import { ValueGraph } from './ValueGraph';
import { Verdict } from './Verdict';
import { LABELS, SIGNS, summaryText, turningPoints } from './reviewText';

/** With more turning points the list of moves is clearer. */
const MOST_POINTS = 6;

interface ReplayViewProps {
  record: GameRecord;
  rounds: readonly [Game, ...Game[]];
  back: { to: string; label: string };
  /** The public link, or how to create it. Null for users who may not share. */
  share: { link: string } | { make: () => Promise<string> } | null;
  createEngine: () => EngineClient;
}

/** A game move by move, with the review of each move. */
export function ReplayView({ record, rounds, back, share, createEngine }: ReplayViewProps) {
  const replay = useReplay(rounds, createEngine);
  const { playback, dispatch, move, shown, last, lastText, review, reviewed, worth } = replay;
  const { game, ply, line } = playback;
  const [isSharing, setSharing] = useState(false);
  const { names } = record;
  return (
    <main className={classes.page}>
      <title>{`${names.X} and ${names.O} · Morpion`}</title>
      <header className={classes.top}>
        <Link to={back.to} className={classes.close} aria-label={back.label}>
          <CloseIcon />
        </Link>
        <h1>Replay</h1>
        <span className={classes.switches}>
          <SoundSwitch />
          <ThemeSwitch />
        </span>
      </header>
      <Players record={record} />
      <div className={classes.board} data-line={line !== null}>
        <Board
          key={rounds.indexOf(game)}
          size={game.size}
          cells={shown.board}
          label={`Board of ${game.size} by ${game.size}`}
          winningLine={shown.winningLine}
          lastMove={last === undefined ? null : { row: last[0], col: last[1] }}
          turn={shown.turn}
          disabled={shown.turn === null}
          onPlay={(row, col) => dispatch({ type: 'tried', place: [row, col] })}
          announcement={lastText}
        />
      </div>
      <Deck replay={replay} />
      <div className={classes.side}>
        <Result record={record} rounds={rounds} replay={replay} />
        <Verdict
          playback={playback}
          shown={shown}
          names={names}
          reviewed={reviewed}
          openingWorth={worth[0]}
          hasFailed={review.hasFailed}
          onLine={(opened) => dispatch({ type: 'lineOpened', line: opened })}
          onBack={() => dispatch({ type: 'lineClosed' })}
        />
        <Summary record={record} replay={replay} />
        <Moves
          game={game}
          review={review.moves}
          ply={line === null ? ply : null}
          onChoose={(to) => dispatch({ type: 'wentTo', ply: to })}
        />
        <Button leftSection={<ShareIcon />} onClick={() => setSharing(true)}>
          Share
        </Button>
      </div>
      <ShareDialog
        opened={isSharing}
        onClose={() => setSharing(false)}
        record={record}
        move={move}
        shown={shown}
        share={share}
      />
    </main>
  );
}

function Players({ record: { gameId, names, people, winner } }: { record: GameRecord }) {
  return (
    <ul className={classes.players} aria-label="Players">
      {(['X', 'O'] as const).map((mark) => (
        <li key={mark} className={classes.player} data-won={winner === mark}>
          <span className={classes.mark} role="img" aria-label={`plays ${mark}`}>
            <MarkDrawing mark={mark} />
          </span>
          {people[mark] && <PersonAvatar person={people[mark]} size={28} />}
          <b title={names[mark]}>{names[mark]}</b>
          {people[mark] && <BotBadge person={people[mark]} />}
          {people[mark] && <PersonMenu person={people[mark]} gameId={gameId ?? undefined} covers />}
        </li>
      ))}
    </ul>
  );
}

/** The values of the moves, and the controls of the playback. */
function Deck({ replay: { playback, dispatch, speed, setSpeed, lastText, worth } }: { replay: Replay }) {
  const { game, ply, line, isPlaying } = playback;
  const { at, length } = extent(playback);
  return (
    <div className={classes.deck}>
      <ValueGraph
        worth={worth}
        ply={line === null ? ply : line.from}
        valueText={`${ply} of ${game.moves.length}: ${lastText}`}
        onSeek={(to) => dispatch({ type: 'wentTo', ply: to })}
      />
      <Controls
        at={at}
        length={length}
        isPlaying={isPlaying}
        speed={speed}
        onSeek={(to) => dispatch({ type: 'sought', to })}
        onStep={(by) => dispatch({ type: 'stepped', by })}
        onToggle={() => dispatch({ type: 'toggled' })}
        onSpeed={setSpeed}
      />
    </div>
  );
}

interface ResultProps extends Pick<ReplayViewProps, 'record' | 'rounds'> {
  replay: Replay;
}

function Result({ record, rounds, replay: { playback, dispatch } }: ResultProps) {
  return (
    <section className={classes.result} aria-label="Result">
      <h2>{record.title}</h2>
      <p>{[record.detail, record.endedAt === null ? '' : dateText(record.endedAt)].filter(Boolean).join(' ')}</p>
      {rounds.length > 1 && (
        <SegmentedControl
          aria-label="Round"
          value={String(rounds.indexOf(playback.game))}
          onChange={(index) => {
            const chosen = rounds[Number(index)];
            if (chosen !== undefined) dispatch({ type: 'roundChosen', game: chosen });
          }}
          data={rounds.map((_, index) => ({ value: String(index), label: `Round ${index + 1}` }))}
        />
      )}
    </section>
  );
}

function Summary({ record: { names }, replay: { review, dispatch } }: { record: GameRecord; replay: Replay }) {
  const points = turningPoints(review.moves);
  return (
    <section className={classes.summary} aria-label="Review">
      <p role="status">
        {review.hasFailed
          ? 'The engine is not available right now. You can still replay the moves.'
          : summaryText(review.moves, review.isDone, names)}
      </p>
      {points.length > 0 && points.length <= MOST_POINTS && (
        <div className={classes.points}>
          {points.map((move) => (
            <Button
              key={move.ply}
              variant="default"
              aria-label={`Move ${move.ply}: ${LABELS[move.label]}`}
              onClick={() => dispatch({ type: 'wentTo', ply: move.ply })}
            >
              {`Move ${move.ply} ${SIGNS[move.label]}`}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

function dateText(ms: number): string {
  return new Date(ms).toLocaleDateString(undefined, { dateStyle: 'long' });
}
