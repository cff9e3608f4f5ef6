import { useEffect, useReducer } from 'react';
import {
  type BoardSize,
  type Game,
  gameAfter,
  isBoardSize,
  type Mark,
  newGame,
  type RowCol,
  play,
  takenBack,
} from '@/shared/rules';

/** A practice game and the wins before it. */
export interface Practice {
  game: Game;
  /** Games won with these settings, without the current one. */
  won: Record<Mark, number>;
}

export type PracticeEvent =
  | { type: 'played'; place: RowCol }
  | { type: 'tookBack'; moves: number }
  /** Starts a new game with the same settings. */
  | { type: 'reset' }
  /** Starts a new game with other settings. */
  | { type: 'changed'; size: BoardSize; starter: Mark };

export function practiceReducer(practice: Practice, event: PracticeEvent): Practice {
  const { game } = practice;
  switch (event.type) {
    case 'played': {
      const next = play(game, event.place);
      // The board offers legal moves only; a late response changes nothing.
      return typeof next === 'string' ? practice : { ...practice, game: next };
    }
    case 'tookBack':
      return { ...practice, game: takenBack(game, event.moves) };
    case 'reset':
      return { game: newGame(game.size, game.starter), won: winsByMark(practice) };
    case 'changed':
      return fresh(event.size, event.starter);
  }
}

/** Wins by mark, including the current game. */
export function winsByMark({ game, won }: Practice): Record<Mark, number> {
  return game.winner === null ? won : { ...won, [game.winner]: won[game.winner] + 1 };
}

function fresh(size: BoardSize, starter: Mark): Practice {
  return { game: newGame(size, starter), won: { X: 0, O: 0 } };
}

/** A practice game that survives a reload of its tab, stored under `key`. By default X starts on 3×3. */
export function usePractice(key: string) {
  const [practice, dispatch] = useReducer(practiceReducer, key, restored);
  useEffect(() => {
    const { game, won } = practice;
    try {
      sessionStorage.setItem(key, JSON.stringify({ size: game.size, starter: game.starter, moves: game.moves, won }));
    } catch {
      // A reload then starts a new game.
    }
  }, [key, practice]);
  return [practice, dispatch] as const;
}

/** The stored game, if valid; storage may hold anything. */
function restored(key: string): Practice {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '') as Record<string, unknown>;
    const { size, starter, moves, won } = kept;
    if (isBoardSize(size) && (starter === 'X' || starter === 'O') && Array.isArray(moves) && isScore(won)) {
      const game = gameAfter(size, starter, moves as RowCol[]);
      if (typeof game !== 'string') return { game, won: { X: won.X, O: won.O } };
    }
  } catch {
    // Nothing was stored, or it is unreadable.
  }
  return fresh(3, 'X');
}

function isScore(value: unknown): value is Record<Mark, number> {
  if (typeof value !== 'object' || value === null || !('X' in value) || !('O' in value)) return false;
  return [value.X, value.O].every((wins) => Number.isInteger(wins) && (wins as number) >= 0);
}
