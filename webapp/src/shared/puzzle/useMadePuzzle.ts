import { useEffect, useState } from 'react';
import { EngineClient, type Puzzle } from '@/engine';
import { log } from '@/shared/log';

export type MakeEngine = () => EngineClient;

export type Made = { puzzle: Puzzle } | 'making' | 'failed';

export const browserEngine: MakeEngine = () => new EngineClient();

/** The most puzzles kept in memory: of Home, of the page, and of a look back. */
const KEPT = 8;
const kept = new WeakMap<MakeEngine, Map<string, Puzzle>>();

function keptBy(engine: MakeEngine): Map<string, Puzzle> {
  const puzzles = kept.get(engine) ?? new Map<string, Puzzle>();
  kept.set(engine, puzzles);
  return puzzles;
}

/**
 * Makes the puzzle of a day in the engine's worker, `afterMs` from now; none for the day null. `again` repeats it after a
 * failure.
 */
export function useMadePuzzle(
  day: string | null,
  { createEngine = browserEngine, afterMs = 0 }: { createEngine?: MakeEngine | undefined; afterMs?: number } = {},
): { made: Made; again: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<{ key: string; made: Made } | null>(null);
  const key = `${day} ${attempt}`;
  useEffect(() => {
    if (day === null || keptBy(createEngine).has(day)) return;
    const stop = new AbortController();
    let engine: EngineClient | undefined;
    const make = async () => {
      engine = createEngine();
      try {
        const puzzle = await engine.puzzle(day, { signal: stop.signal });
        keep(keptBy(createEngine), puzzle);
        setResult({ key, made: { puzzle } });
      } catch (error) {
        if (stop.signal.aborted) return;
        log.warn(`The puzzle of ${day} could not be made`, error);
        setResult({ key, made: 'failed' });
      } finally {
        // Its tables are large, and the puzzle needs them no more.
        engine.dispose();
      }
    };
    const start = setTimeout(() => void make(), afterMs);
    return () => {
      clearTimeout(start);
      stop.abort();
      engine?.dispose();
    };
  }, [day, key, createEngine, afterMs]);
  const found = day === null ? undefined : keptBy(createEngine).get(day);
  const made = found !== undefined ? { puzzle: found } : result?.key === key ? result.made : 'making';
  return { made, again: () => setAttempt(attempt + 1) };
}

function keep(puzzles: Map<string, Puzzle>, puzzle: Puzzle): void {
  puzzles.set(puzzle.day, puzzle);
  const [oldest] = puzzles.keys();
  if (puzzles.size > KEPT && oldest !== undefined) puzzles.delete(oldest);
}
