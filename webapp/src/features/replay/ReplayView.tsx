import { Button, SegmentedControl } from '@mantine/core';
import { useEffect, useMemo, useReducer, useState } from 'react';
import { Link } from 'react-router';
import { type EngineClient } from '@/engine';
import { Board, MarkDrawing, SoundSwitch } from '@/shared/board';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { cellText, type Game } from '@/shared/rules';
import { CloseIcon } from '@/shared/ui/icons';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import { Controls } from './Controls';
import { ShareIcon } from './icons';
import { Moves } from './Moves';
import { extent, playbackOf, playbackReducer, shownGame, type Speed } from './playback';
import type { GameRecord } from './record';
import classes from './ReplayView.module.css';
import { ShareDialog } from './ShareDialog';
import { useReplayKeys } from './useReplayKeys';
import { useReview, valueAfterEachMove } from './useReview';
import { useVariation } from './useVariation';
import { ValueGraph } from './ValueGraph';
import { Verdict } from './Verdict';
import { LABELS, SIGNS, summaryText, turningPoints } from './reviewText';

/** With more turning points the list of moves is clearer. */
const MOST_POINTS = 6;
/** At speed 1. */
export const MOVE_MS = 1_000;

interface ReplayViewProps {
  record: GameRecord;
  /** The last round by default. */
  rounds: readonly [Game, ...Game[]];
  back: { to: string; label: string };
  /** The public link, or how to create it. Null for users who may not share. */
  share: { link: string } | { make: () => Promise<string> } | null;
  createEngine: () => EngineClient;
}

/** A game move by move, with the review of each move. */
export function ReplayView({ record, rounds, back, share, createEngine }: ReplayViewProps) {
  const [engine] = useState(createEngine);
  useEffect(() => () => engine.dispose(), [engine]);

  const [playback, dispatch] = useReducer(playbackReducer, rounds.at(-1) ?? rounds[0], playbackOf);
  const [speed, setSpeed] = useState<Speed>(1);
  const [isSharing, setSharing] = useState(false);
  const { game, ply, line, isPlaying } = playback;
  const { at, length } = extent(playback);
  const shown = useMemo(() => shownGame(playback), [playback]);

  const review = useReview(engine, game);
  const worth = valueAfterEachMove(game, review.moves);
  const reviewed = line === null ? review.moves[ply - 1] : undefined;
  useVariation({
    engine,
    line,
    shown,
    onAnswer: (of, moves, value) => dispatch({ type: 'answered', line: of, moves, worth: value }),
  });

  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => dispatch({ type: 'ticked' }), MOVE_MS / speed);
    return () => clearInterval(timer);
  }, [isPlaying, speed]);
  useReplayKeys({
    onStep: (by) => dispatch({ type: 'stepped', by }),
    onSeek: (to) => dispatch({ type: 'sought', to: to === 'first' ? 0 : length }),
    onToggle: () => dispatch({ type: 'toggled' }),
    onEscape: () => dispatch({ type: 'lineClosed' }),
  });

  const { names, people } = record;
  const points = turningPoints(review.moves);
  const last = shown.moves.at(-1);
  const lastMark = last && shown.board[last[0]]?.[last[1]];
  const lastText = last === undefined ? 'The empty board' : `${lastMark} played ${cellText(last)}`;
  const verdict = reviewed === undefined ? '' : `. ${LABELS[reviewed.label]}`;

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

      <ul className={classes.players} aria-label="Players">
        {(['X', 'O'] as const).map((mark) => (
          <li key={mark} className={classes.player} data-won={record.winner === mark}>
            <span className={classes.mark} role="img" aria-label={`plays ${mark}`}>
              <MarkDrawing mark={mark} />
            </span>
            {people[mark] && <PersonAvatar person={people[mark]} size={28} />}
            <b>{names[mark]}</b>
          </li>
        ))}
      </ul>

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
          announcement={`${lastText}${verdict}`}
        />
      </div>

      <div className={classes.deck}>
        <ValueGraph
          worth={worth}
          ply={line === null ? ply : line.from}
          valueText={`${ply} of ${game.moves.length}: ${lastText}${verdict}`}
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

      <div className={classes.side}>
        <section className={classes.result} aria-label="Result">
          <h2>{record.title}</h2>
          <p>{[record.detail, record.endedAt === null ? '' : dateText(record.endedAt)].filter(Boolean).join(' ')}</p>
          {rounds.length > 1 && (
            <SegmentedControl
              aria-label="Round"
              value={String(rounds.indexOf(game))}
              onChange={(index) => {
                const chosen = rounds[Number(index)];
                if (chosen !== undefined) dispatch({ type: 'roundChosen', game: chosen });
              }}
              data={rounds.map((_, index) => ({ value: String(index), label: `Round ${index + 1}` }))}
            />
          )}
        </section>
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
        <section className={classes.summary} aria-label="Review">
          <p role="status">
            {review.hasFailed
              ? 'The engine cannot be had just now; the moves can be replayed all the same.'
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

      <ShareDialog opened={isSharing} onClose={() => setSharing(false)} record={record} shown={shown} share={share} />
    </main>
  );
}

function dateText(ms: number): string {
  return new Date(ms).toLocaleDateString(undefined, { dateStyle: 'long' });
}
