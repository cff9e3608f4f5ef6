import { useEffect, useEffectEvent, useMemo, useReducer, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { EngineClient } from '@/engine';
import { cellText, type Game } from '@/shared/rules';
import { moveIn, withMove } from './moveAddress';
import { extent, moveOf, playbackAfter, playbackReducer, shownGame, type Speed } from '@/shared/replay/playback';
import { LABELS } from './reviewText';
import { useReplayKeys } from './useReplayKeys';
import { useReview, valueAfterEachMove } from './useReview';
import { useVariation } from './useVariation';

/** At speed 1. */
const MOVE_MS = 1_000;

/** How long a move is looked at before the address names it: browsers limit how often it changes. */
const SETTLED_MS = 400;

export type Replay = ReturnType<typeof useReplay>;

/** State and actions of a replay: what is shown of it is in ReplayView.tsx. It begins at the move that the address names. */
export function useReplay(rounds: readonly [Game, ...Game[]], createEngine: () => EngineClient) {
  const [engine] = useState(createEngine);
  useEffect(() => () => engine.dispose(), [engine]);

  const [params, setParams] = useSearchParams();
  const [playback, dispatch] = useReducer(playbackReducer, null, () => playbackAfter(rounds, moveIn(params)));
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
  const move = moveOf(rounds, playback);
  const nameMove = useEffectEvent(() => {
    const named = withMove(params, move);
    if (named.toString() !== params.toString()) setParams(named, { replace: true, preventScrollReset: true });
  });
  useEffect(() => {
    if (isPlaying) return;
    const timer = setTimeout(nameMove, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, move]);
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
    /** How an address names the position; null at the end. */
    move,
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
