import { useCallback, useEffect, useMemo, useReducer } from 'react';
import { Board } from '@/shared/board/Board';
import { extent, playbackAfter, playbackReducer, shownGame } from '@/shared/replay/playback';
import { type GameRecord, recordOf } from '@/shared/replay/record';
import { cellText, type Game } from '@/shared/rules';
import { ask } from './ask';
import classes from './embed.module.css';
import { Frame, Nothing } from './Frame';
import { useAsked } from './useAsked';

const MOVE_MS = 1_000;

const NEVER = () => null;

/** A finished game that was shared, to be played through. It begins at `move`, counted through its rounds; at its end if null. */
export function EmbedReplay({ shareToken, move }: { shareToken: string; move: string | null }) {
  const request = useCallback(() => ask('game', 'get_replay', { shareToken }), [shareToken]);
  const asked = useAsked(request, NEVER);
  const record = useMemo(() => (typeof asked === 'object' ? recordOf(asked.data) : null), [asked]);
  if (typeof asked !== 'object') return <Nothing asked={asked} what="game" />;
  const [first, ...more] = record?.rounds ?? [];
  if (record === null || first === undefined) return <Nothing asked="notShown" what="game" />;
  return <Replay record={record} rounds={[first, ...more]} move={move} to={`/replay/${shareToken}`} />;
}

interface ReplayProps {
  record: GameRecord;
  rounds: readonly [Game, ...Game[]];
  move: string | null;
  to: string;
}

function Replay({ record, rounds, move, to }: ReplayProps) {
  const [playback, dispatch] = useReducer(playbackReducer, null, () => playbackAfter(rounds, move));
  const { game, isPlaying } = playback;
  const { at, length } = extent(playback);
  const shown = useMemo(() => shownGame(playback), [playback]);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => dispatch({ type: 'ticked' }), MOVE_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  const last = shown.moves.at(-1);
  const lastText =
    last === undefined ? 'The empty board' : `${shown.board[last[0]]?.[last[1]]} played ${cellText(last)}`;
  return (
    <Frame
      title={record.title}
      detail={
        <>
          <span className={classes.x}>X</span> {record.names.X} · <span className={classes.o}>O</span> {record.names.O}
        </>
      }
      to={to}
    >
      <div className={classes.board}>
        <Board
          size={shown.size}
          cells={shown.board}
          label="The game"
          winningLine={shown.winningLine}
          lastMove={last === undefined ? null : { row: last[0], col: last[1] }}
          disabled
          announcement={`${lastText}, move ${at} of ${length}`}
        />
      </div>
      {rounds.length > 1 && (
        <div className={classes.rounds} role="group" aria-label="Rounds">
          {rounds.map((round, number) => (
            <button
              key={number}
              type="button"
              aria-pressed={round === game}
              onClick={() => dispatch({ type: 'roundChosen', game: round })}
            >
              Round {number + 1}
            </button>
          ))}
        </div>
      )}
      <div className={classes.controls}>
        <button type="button" disabled={at === 0} onClick={() => dispatch({ type: 'stepped', by: -1 })}>
          Back
        </button>
        <button type="button" onClick={() => dispatch({ type: 'toggled' })}>
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <button type="button" disabled={at === length} onClick={() => dispatch({ type: 'stepped', by: 1 })}>
          Next
        </button>
        <input
          type="range"
          aria-label="Move"
          min={0}
          max={length}
          value={at}
          onChange={({ target }) => dispatch({ type: 'sought', to: Number(target.value) })}
        />
      </div>
    </Frame>
  );
}
