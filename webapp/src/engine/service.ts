/**
 * The worker's side of the protocol, apart from the worker itself, so that a test can run it without one. Long tasks and
 * thinking ahead run in short steps, between which the next message is received.
 */

import { Engine } from './engine.ts';
import { emptyCells, isOver, play, type Position } from './position.ts';
import type { FromWorker, Results, Task, ToWorker } from './protocol.ts';
import { makePuzzle } from './puzzle.ts';

/** A step of thinking ahead, which is the longest that a new task waits. */
const PONDER_STEP_MS = 20;
/** Thinking ahead ends after this much work on one position, to save the battery. */
const PONDER_MS = 15_000;

export interface Surroundings {
  readonly send: (message: FromWorker) => void;
  /** Runs something after the waiting messages. */
  readonly later: (step: () => void) => void;
  readonly now: () => number;
}

export class EngineService {
  private readonly engine = new Engine();
  private readonly surroundings: Surroundings;
  /** Reviews under way: the only tasks long enough to be worth cancelling. */
  private readonly reviews = new Set<number>();
  /** Incremented with each message, so that thinking ahead notices that it must stop. */
  private heard = 0;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
  }

  receive(message: ToWorker): void {
    this.heard++;
    if (message.kind === 'task') this.surroundings.send({ kind: 'heard', id: message.id });
    if (message.kind === 'ponder') this.ponder(message.position);
    else if (message.kind === 'cancel') this.reviews.delete(message.id);
    else if (message.task.kind === 'review') this.review(message.id, message.task);
    else this.answer(message.id, message.task);
  }

  private answer(id: number, task: Exclude<Task, { kind: 'review' }>): void {
    this.guard(id, () => this.finish(id, this.perform(task)));
  }

  private perform(task: Exclude<Task, { kind: 'review' }>): Results[typeof task.kind] {
    if (task.kind === 'puzzle') return makePuzzle(task.day);
    const budget = { ms: task.budgetMs, now: this.surroundings.now };
    switch (task.kind) {
      case 'solve':
        return this.engine.solve(task.position, budget);
      case 'choose':
        return this.engine.chooseMove(task.position, task.level, budget, task.seed);
      case 'line':
        return this.engine.line(task.position, budget);
    }
  }

  private review(id: number, task: Extract<Task, { kind: 'review' }>): void {
    const budget = { ms: task.budgetMs, now: this.surroundings.now };
    const steps = this.engine.reviewMoves(task.size, task.moves, task.first, budget);
    this.reviews.add(id);
    const step = (): void => {
      if (!this.reviews.has(id)) return;
      this.guard(id, () => {
        const next = steps.next();
        if (next.done) return this.finish(id, next.value);
        this.surroundings.send({ kind: 'progress', id, move: next.value });
        this.surroundings.later(step);
      });
    };
    step();
  }

  private finish(id: number, result: Results[Task['kind']]): void {
    this.reviews.delete(id);
    this.surroundings.send({ kind: 'result', id, result });
  }

  private guard(id: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.reviews.delete(id);
      const message = error instanceof Error ? error.message : String(error);
      this.surroundings.send({ kind: 'error', id, message });
    }
  }

  /** Proves the values of the positions after each move of the human, and after the replies to them. */
  private ponder(position: Position): void {
    if (isOver(position)) return;
    const { later, now } = this.surroundings;
    const asked = this.heard;
    const ahead = [position, ...emptyCells(position).map((cell) => play(position, cell))].filter(
      (each) => !isOver(each),
    );
    const end = now() + PONDER_MS;
    const step = (): void => {
      const next = ahead.shift();
      if (this.heard !== asked || next === undefined || now() >= end) return;
      const { proven, moves } = this.engine.solve(next, { ms: PONDER_STEP_MS, now });
      if (!proven || moves.some((move) => !move.proven)) ahead.push(next);
      later(step);
    };
    later(step);
  }
}
