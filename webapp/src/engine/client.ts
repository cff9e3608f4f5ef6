/**
 * The page's side: promises for the worker's tasks. A worker that fails, hangs or was terminated is replaced and its
 * tasks are repeated, and a move arrives in time in any case: docs/behaviour/play.md#practice.
 */

import type { Size } from './geometry.ts';
import type { ChosenMove, Level } from './levels.ts';
import type { Cell, Mark, Position } from './position.ts';
import type { FromWorker, Results, Task, ToWorker } from './protocol.ts';
import type { Puzzle } from './puzzleDay.ts';
import type { Review, ReviewedMove } from './review.ts';
import type { Solution } from './solver.ts';
import { fallbackMove, REFERENCE_AI } from './referenceAi.ts';

/** Part of the time-out reserved for messages and for a clock that is read only every few nodes. */
const MARGIN_MS = 250;
/** For each position of a review, and for each move of a line. Cold, the slowest positions take half of it. */
const STUDY_MS = 1000;
/** The hardest puzzle of a year takes less than a second on a desktop computer. */
const PUZZLE_MS = 15_000;
/** A worker silent for this long beyond its budget counts as terminated. A slow machine may need seconds to load it. */
const SILENCE_MS = 5000;
/**
 * A loaded, idle worker acknowledges at once; one that does not was terminated. Long enough for a busy machine, and
 * short enough to leave a new worker time for its move.
 */
const HEARING_MS = 800;
/** Attempts of a task, each with a new worker. */
const ATTEMPTS = 2;

/** The part of `Worker` that is used, so that a test can replace it. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** The worker could not be started, or did not respond. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
}

export type PlayedMove =
  | (ChosenMove & { readonly fallback: false })
  /** The engine failed or was too slow: a random cell near the centre, of unknown value. */
  | { readonly cell: Cell; readonly fallback: true };

export interface AskOptions {
  readonly signal?: AbortSignal;
}

export interface MoveOptions extends AskOptions {
  /** The same seed gives the same move. */
  readonly seed?: number;
}

export interface ReviewOptions extends AskOptions {
  readonly first?: Mark;
  /** Called with each move as it is reviewed. */
  readonly onProgress?: (move: ReviewedMove) => void;
}

interface Pending {
  readonly task: Task;
  readonly resolve: (result: Results[Task['kind']]) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((move: ReviewedMove) => void) | undefined;
  /** How long the worker may be silent while it works on the task. */
  readonly patienceMs: number;
  attempts: number;
  /** Fires when the worker was silent for too long. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class EngineClient {
  private readonly startWorker: () => WorkerLike;
  private readonly random: () => number;
  private readonly pending = new Map<number, Pending>();
  private worker: WorkerLike | null = null;
  private startedAt = 0;
  private isReady = false;
  private lastId = 0;

  constructor(startWorker: () => WorkerLike = browserWorker, random: () => number = Math.random) {
    this.startWorker = startWorker;
    this.random = random;
  }

  /**
   * The move of a level, always within the time-out (2,000 ms; 3,000 ms on 6x6). Rejects only when aborted, with the
   * signal's reason, or when the game is over.
   */
  async chooseMove(position: Position, level: Level, options: MoveOptions = {}): Promise<PlayedMove> {
    const timeoutMs = REFERENCE_AI.timeoutMs[position.size];
    const seed = options.seed ?? Math.floor(this.random() * 2 ** 31);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new EngineUnavailable('the engine is late')), timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, late.signal]) : late.signal;
    try {
      const budgetMs = timeoutMs - MARGIN_MS;
      const move = await this.ask({ kind: 'choose', position, level, budgetMs, seed }, budgetMs, { signal });
      return { ...move, fallback: false };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof EngineUnavailable)) throw error;
      // A worker that is still loading gets more time: a new one would have to start over.
      if (late.signal.aborted && performance.now() - this.startedAt >= SILENCE_MS) this.restart();
      return { cell: fallbackMove(position, this.random), fallback: true };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Exact value, best moves and distances. Rejects with EngineUnavailable, or with the signal's reason. */
  solve(position: Position, options: AskOptions = {}): Promise<Solution> {
    const budgetMs = REFERENCE_AI.timeoutMs[position.size] - MARGIN_MS;
    return this.ask({ kind: 'solve', position, budgetMs }, budgetMs, options);
  }

  /** Best play from a position to the end, to be shown on the board. Rejects as `solve` does. */
  line(position: Position, options: AskOptions = {}): Promise<readonly Cell[]> {
    return this.ask({ kind: 'line', position, budgetMs: STUDY_MS }, STUDY_MS * position.size ** 2, options);
  }

  /** A review of a game from the empty board, X first by default. Rejects as `solve` does. */
  review(size: Size, moves: readonly Cell[], options: ReviewOptions = {}): Promise<Review> {
    const task: Task = { kind: 'review', size, moves, first: options.first ?? 'X', budgetMs: STUDY_MS };
    return this.ask(task, STUDY_MS * size ** 2, options);
  }

  /** The puzzle of a day (`2026-11-23`). Rejects as `solve` does. */
  puzzle(day: string, options: AskOptions = {}): Promise<Puzzle> {
    return this.ask({ kind: 'puzzle', day }, PUZZLE_MS, options);
  }

  /** Lets the worker think ahead about a position, with the human to move, until the next task. */
  ponder(position: Position): void {
    try {
      this.running().postMessage({ kind: 'ponder', position });
    } catch {
      // Thinking ahead is optional: the next task reports that there is no worker.
    }
  }

  /** Terminates the worker; pending tasks are rejected. The client can be used again. */
  dispose(): void {
    this.stop();
    for (const id of [...this.pending.keys()])
      this.settle(id)?.reject(new EngineUnavailable('the engine was put away'));
  }

  private ask<T extends Task>(
    task: T,
    patienceMs: number,
    { signal, onProgress }: ReviewOptions,
  ): Promise<Results[T['kind']]> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const id = ++this.lastId;
      const cancel = (): void => {
        this.settle(id)?.reject(signal?.reason as Error);
        this.worker?.postMessage({ kind: 'cancel', id });
      };
      signal?.addEventListener('abort', cancel, { once: true });
      const done = (): void => signal?.removeEventListener('abort', cancel);
      this.pending.set(id, {
        task,
        resolve: (result) => {
          done();
          resolve(result as Results[T['kind']]);
        },
        reject: (error) => {
          done();
          reject(error);
        },
        onProgress,
        patienceMs: patienceMs + SILENCE_MS,
        attempts: 0,
        timer: undefined,
      });
      this.send(id);
    });
  }

  private send(id: number): void {
    const pending = this.pending.get(id);
    if (!pending) return;
    if (pending.attempts++ === ATTEMPTS) {
      this.settle(id)?.reject(new EngineUnavailable('the engine does not answer'));
      return;
    }
    this.wait(pending, this.isReady && this.pending.size === 1 ? HEARING_MS : pending.patienceMs);
    try {
      this.running().postMessage({ kind: 'task', id, task: pending.task });
    } catch (error) {
      this.settle(id)?.reject(new EngineUnavailable('the engine cannot be started', { cause: error }));
    }
  }

  private wait(pending: Pending, patienceMs = pending.patienceMs): void {
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => this.restart(), patienceMs);
  }

  /** Removes a task. */
  private settle(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    clearTimeout(pending?.timer);
    this.pending.delete(id);
    return pending;
  }

  private running(): WorkerLike {
    if (this.worker) return this.worker;
    const worker = this.startWorker();
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = () => {
      if (this.worker === worker) this.restart();
    };
    this.worker = worker;
    this.startedAt = performance.now();
    return worker;
  }

  private receive(message: FromWorker): void {
    this.isReady = true;
    if (message.kind === 'ready') return;
    if (message.kind === 'heard' || message.kind === 'progress') {
      const pending = this.pending.get(message.id);
      if (!pending) return;
      this.wait(pending);
      if (message.kind === 'progress') pending.onProgress?.(message.move);
      return;
    }
    const pending = this.settle(message.id);
    if (message.kind === 'result') pending?.resolve(message.result);
    else pending?.reject(new Error(message.message));
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
  }

  /** Sends all pending tasks to a new worker. */
  private restart(): void {
    this.stop();
    for (const id of [...this.pending.keys()]) this.send(id);
  }
}

function browserWorker(): WorkerLike {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'engine' });
}
