import { useEffect, useEffectEvent } from 'react';
import { type EngineClient, type Level, positionFromCells, rowCol, SPEC_AI } from '@/engine';
import { log } from '@/shared/log';
import type { Game, Place } from '@/shared/rules';

export const HUMAN = 'X';
export const AI = 'O';

interface Options {
  engine: EngineClient;
  game: Game;
  level: Level;
  onMove: (place: Place) => void;
}

/**
 * Plays O: 500 ms after its turn begins, or when it is ready, and within the spec's time-outs (events and gameplay, section
 * 9). A turn that is taken back, or a page that is left, ends its thinking.
 */
export function useOpponent({ engine, game, level, onMove }: Options): void {
  const moved = useEffectEvent(onMove);
  useEffect(() => {
    if (game.turn === HUMAN) engine.ponder(positionOf(game));
    if (game.turn !== AI) return;
    const turn = new AbortController();
    const chosen = engine.chooseMove(positionOf(game), level, { signal: turn.signal });
    // What fails while the pause lasts is looked at after it.
    chosen.catch(() => undefined);
    const pause = setTimeout(() => {
      chosen.then(
        (move) => {
          if (turn.signal.aborted) return;
          if (move.fallback) log.warn('The AI was late or failed', `${game.size}, ${level}`);
          moved(rowCol(game.size, move.cell));
        },
        (error: unknown) => {
          if (!turn.signal.aborted) throw error;
        },
      );
    }, SPEC_AI.moveDelayMs);
    return () => {
      clearTimeout(pause);
      turn.abort();
    };
  }, [engine, game, level]);
}

/** The game as the engine sees it. It must not be over. */
export function positionOf({ size, board, turn }: Game) {
  return positionFromCells(size, board.flat(), turn ?? HUMAN);
}
