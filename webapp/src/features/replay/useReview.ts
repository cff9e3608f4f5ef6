import { useEffect, useState } from 'react';
import { type EngineClient, type ReviewedMove, worthForX } from '@/engine';
import { log } from '@/shared/log';
import type { Game } from '@/shared/rules';

export interface GameReview {
  /** The moves reviewed so far. */
  moves: readonly ReviewedMove[];
  isDone: boolean;
  /** The engine is not available; the game can still be replayed. */
  hasFailed: boolean;
}

const NOTHING: GameReview = { moves: [], isDone: false, hasFailed: false };

/** The review of a game, as the worker produces it. */
export function useReview(engine: EngineClient, game: Game): GameReview {
  const [found, setFound] = useState<{ game: Game; review: GameReview }>({ game, review: NOTHING });
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let moves: readonly ReviewedMove[] = [];
    const tell = (over: Partial<GameReview>) => {
      if (!signal.aborted) setFound({ game, review: { ...NOTHING, moves, ...over } });
    };
    const onProgress = (move: ReviewedMove) => {
      // A replaced worker starts again.
      moves = [...moves.slice(0, move.ply - 1), move];
      tell({});
    };
    const cells = game.moves.map(([row, col]) => row * game.size + col);
    engine.review(game.size, cells, { first: game.starter, signal, onProgress }).then(
      () => tell({ isDone: true }),
      (error: unknown) => {
        if (signal.aborted) return;
        log.warn('The review failed', error);
        tell({ hasFailed: true });
      },
    );
    return () => leaving.abort();
  }, [engine, game]);
  return found.game === game ? found.review : NOTHING;
}

/** For X before the first move and after each: 1 a win, 0 a draw, -1 a loss; null unproven, undefined if not known yet. */
export function valueAfterEachMove(
  { moves }: Game,
  review: readonly ReviewedMove[],
): readonly (number | null | undefined)[] {
  return Array.from({ length: moves.length + 1 }, (_, ply) => {
    const [last, next] = [review[ply - 1], review[ply]];
    const after = last && worthForX(last.mark, last.after);
    return after ?? (next && worthForX(next.mark, next.before)) ?? after;
  });
}
