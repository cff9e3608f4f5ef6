import { useEffect, useEffectEvent } from 'react';
import { type Cell, type EngineClient, type Level, positionFromCells, rowCol, REFERENCE_AI } from '@/engine';
import { fallbackMove } from '@/engine/referenceAi';
import { log } from '@/shared/log';
import type { Game, RowCol } from '@/shared/rules';

export const HUMAN = 'X';
export const AI = 'O';

interface Options {
  engine: EngineClient;
  game: Game;
  level: Level;
  onMove: (place: RowCol) => void;
}

/**
 * Plays O: 500 ms after its turn begins, or when it is ready, and within the time-outs of
 * docs/behaviour/play.md#practice. Taking back a turn or leaving the page aborts the search.
 */
export function useOpponent({ engine, game, level, onMove }: Options): void {
  const moved = useEffectEvent(onMove);
  useEffect(() => {
    if (game.turn === HUMAN) engine.ponder(positionOf(game));
    if (game.turn !== AI) return;
    const turn = new AbortController();
    const position = positionOf(game);
    const chosen = engine.chooseMove(position, level, { signal: turn.signal });
    // A failure during the pause is handled after it.
    chosen.catch(() => undefined);
    const pause = setTimeout(() => {
      const answer = (cell: Cell, failure: unknown) => {
        if (turn.signal.aborted) return;
        if (failure !== null) log.warn(`The AI failed on ${game.size}×${game.size} at level ${level}`, failure);
        moved(rowCol(game.size, cell));
      };
      chosen.then(
        (move) => answer(move.cell, move.fallback ? 'late, or without a worker' : null),
        // The client replaces a worker that is late or gone; here the engine itself failed.
        (error: unknown) => answer(fallbackMove(position, Math.random), error),
      );
    }, REFERENCE_AI.moveDelayMs);
    return () => {
      clearTimeout(pause);
      turn.abort();
    };
  }, [engine, game, level]);
}

/** The game as the engine's position. It must not be over. */
export function positionOf({ size, board, turn }: Game) {
  return positionFromCells(size, board.flat(), turn ?? HUMAN);
}
