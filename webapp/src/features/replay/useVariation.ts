import { useEffect, useEffectEvent } from 'react';
import { type EngineClient, positionFromCells, rowCol, worthForX } from '@/engine';
import type { Game, RowCol } from '@/shared/rules';
import type { Line } from '@/shared/replay/playback';

interface Trial {
  engine: EngineClient;
  line: Line | null;
  /** The position on the board. */
  shown: Game;
  onAnswer: (line: Line, moves: readonly RowCol[], worth: number | null) => void;
}

/** Computes best play after the user's own moves. */
export function useVariation({ engine, line, shown, onAnswer }: Trial): void {
  const answered = useEffectEvent(onAnswer);
  const asked = line?.kind === 'own' && line.worth === undefined ? line : null;
  const { turn, size, board } = shown;
  const cells = board.flat().join();
  useEffect(() => {
    if (asked === null || turn === null) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const position = positionFromCells(size, cells.split(','), turn);
    Promise.all([engine.solve(position, { signal }), engine.line(position, { signal })]).then(
      ([solution, line]) =>
        answered(
          asked,
          line.map((cell) => rowCol(size, cell)),
          worthForX(turn, solution),
        ),
      () => {
        if (!signal.aborted) answered(asked, [], null);
      },
    );
    return () => leaving.abort();
  }, [engine, asked, turn, size, cells]);
}
