import { useEffect, useMemo, useReducer, useState } from 'react';
import type { EngineClient } from '@/engine';
import { cellText, type Game } from '@/shared/rules';
import { extent, playbackOf, playbackReducer, shownGame, type Speed } from './playback';
import { LABELS } from './reviewText';
import { useReplayKeys } from './useReplayKeys';
import { useReview, valueAfterEachMove } from './useReview';
import { useVariation } from './useVariation';

/** At speed 1. */
const MOVE_MS = 1_000;

export type Replay = ReturnType<typeof useReplay>;

/** State and actions of a replay: what is shown of it is in ReplayView.tsx. It begins with the last round. */
export function useReplay(rounds: readonly [Game, ...Game[]], createEngine: () => EngineClient) {
  const [engine] = useState(createEngine);
  useEffect(() => () => engine.dispose(), [engine]);

  const [playback, dispatch] = useReducer(playbackReducer, rounds.at(-1) ?? rounds[0], playbackOf);
  const [speed, setSpeed] = useState<Speed>(1);
  const { game, ply, line, isPlaying } = playback;
  const { length } = extent(playback);
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

  const last = shown.moves.at(-1);
  const lastMark = last && shown.board[last[0]]?.[last[1]];
  const lastText = last === undefined ? 'The empty board' : `${lastMark} played ${cellText(last)}`;
  const verdict = reviewed === undefined ? '' : `. ${LABELS[reviewed.label]}`;
  return {
    playback,
    dispatch,
    speed,
    setSpeed,
    shown,
    last,
    /** The last move on the board and its review, in words. */
    lastText: `${lastText}${verdict}`,
    review,
    reviewed,
    worth,
  };
}
