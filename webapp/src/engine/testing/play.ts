/** Ways to test the engine that the tests, the long proofs and the benchmark share. */

import type { Engine } from '../engine.ts';
import {
  type Cell,
  contentOf,
  emptyCells,
  emptyPosition,
  isOver,
  type Mark,
  play,
  type Position,
  winner,
} from '../position.ts';
import type { MeasuredLevel, MeasuredOpponent } from '../measured.ts';
import { pick, randomFrom } from '../random.ts';
import type { Solver } from '../solver.ts';
import { geometry, type Size } from '../geometry.ts';

export interface Tally {
  win: number;
  draw: number;
  loss: number;
}

export interface ExhaustivePlay extends Tally {
  /** Different positions reached, including ends. */
  positions: number;
  /** Moves requested from the engine. */
  moves: number;
}

/** The board row by row, 'X', 'O' and '.'. */
export function textOf(position: Position): string {
  return Array.from({ length: position.size ** 2 }, (_, cell) => contentOf(position, cell) ?? '.').join('');
}

/** Plays Perfect as `engineMark` against every line of the opponent, each position once. Counts ends for the engine. */
export function playEveryLine(engine: Engine, size: Size, engineMark: Mark): ExhaustivePlay {
  const result = { win: 0, draw: 0, loss: 0, positions: 0, moves: 0 };
  const seen = new Set<string>();
  const visit = (position: Position): void => {
    const text = textOf(position);
    if (seen.has(text)) return;
    seen.add(text);
    result.positions++;
    if (isOver(position)) {
      result[resultFor(position, engineMark)]++;
    } else if (position.turn === engineMark) {
      result.moves++;
      visit(play(position, engine.chooseMove(position, 'perfect', {}, 1).cell));
    } else {
      for (const cell of emptyCells(position)) visit(play(position, cell));
    }
  };
  visit(emptyPosition(size));
  return result;
}

export function resultFor(position: Position, mark: Mark): keyof Tally {
  const won = winner(position);
  if (won === null) return 'draw';
  return won === mark ? 'win' : 'loss';
}

export type Player = (position: Position) => Cell;

/** One game from the empty board, X first; `watch` sees each position before its move. */
export function playGame(size: Size, x: Player, o: Player, watch: (position: Position) => void = () => {}): Position {
  let position = emptyPosition(size);
  while (!isOver(position)) {
    watch(position);
    position = play(position, (position.turn === 'X' ? x : o)(position));
  }
  return position;
}

export function randomPlayer(random: () => number): Player {
  return (position) => pick(emptyCells(position), random);
}

/** Completes a line, or blocks one, or plays at random. */
export function greedyPlayer(random: () => number): Player {
  return (position) => {
    const cells = emptyCells(position);
    const wins = (turn: Mark): Cell[] => cells.filter((cell) => winner(play({ ...position, turn }, cell)) === turn);
    const own = wins(position.turn);
    const blocks = wins(position.turn === 'X' ? 'O' : 'X');
    return pick(own.length > 0 ? own : blocks.length > 0 ? blocks : cells, random);
  };
}

/** A position after `stones` random moves in which the game is not over; X first. */
export function randomPosition(size: Size, stones: number, random: () => number): Position {
  for (;;) {
    let position = emptyPosition(size);
    for (let i = 0; i < stones && !isOver(position); i++) position = play(position, pick(emptyCells(position), random));
    if (!isOver(position)) return position;
  }
}

/** How many of a number of games a level, moving second, loses; the same count each time. See `measured.ts`. */
export function countLosses(
  engine: Engine,
  size: Size,
  level: MeasuredLevel,
  opponent: MeasuredOpponent,
  games: number,
): number {
  const random = randomFrom(size);
  const seed = (): number => Math.floor(random() * 2 ** 31);
  const careful = greedyPlayer(random);
  const perfect: Player = (position) => engine.chooseMove(position, 'perfect', {}, seed()).cell;
  const measured: Player = (position) => engine.chooseMove(position, level, {}, seed()).cell;
  let losses = 0;
  for (let game = 0; game < games; game++) {
    const end = playGame(size, opponent === 'careful' ? careful : perfect, measured);
    if (resultFor(end, 'O') === 'loss') losses++;
  }
  return losses;
}

export interface PlayedProof {
  positions: number;
  /** Ends that are not the winner's. */
  failures: number;
  /** The ply, counted from the empty board, of the latest end. */
  longest: number;
}

/** Plays a side's fastest win from a position against every defence, each position once, and checks only the ends. */
export function proveByPlay(solver: Solver, from: Position, side: Mark): PlayedProof {
  const proof = { positions: 0, failures: 0, longest: 0 };
  const seen = new Set<string>();
  const visit = (position: Position): void => {
    const text = textOf(position);
    if (seen.has(text)) return;
    seen.add(text);
    proof.positions++;
    if (isOver(position)) {
      proof.longest = Math.max(proof.longest, position.size ** 2 - emptyCells(position).length);
      if (resultFor(position, side) !== 'win') proof.failures++;
      return;
    }
    if (position.turn !== side) {
      for (const cell of emptyCells(position)) visit(play(position, cell));
      return;
    }
    const cell = solver.bestMove(position, {});
    if (cell === null) proof.failures++;
    else visit(play(position, cell));
  };
  visit(from);
  return proof;
}

/**
 * Plays a side's best moves from the empty board against every line of the opponent, until the opponent has no line left
 * to win with, and uses only the rules. Symmetric positions count as one. Failures are losses.
 */
export function proveHoldByPlay(solver: Solver, side: Mark): Pick<PlayedProof, 'positions' | 'failures'> {
  const { lines, symmetries } = geometry(solver.size);
  const proof = { positions: 0, failures: 0 };
  const seen = new Set<string>();
  const visit = (position: Position): void => {
    const text = textOf(position);
    const hopeless = lines.every((line) => line.some((cell) => text[cell] === side));
    const standing = firstPicture(text, symmetries);
    if (hopeless || seen.has(standing)) return;
    seen.add(standing);
    proof.positions++;
    if (isOver(position)) {
      if (resultFor(position, side) === 'loss') proof.failures++;
    } else if (position.turn !== side) {
      for (const cell of emptyCells(position)) visit(play(position, cell));
    } else {
      const cell = solver.bestMove(position, {});
      if (cell === null) proof.failures++;
      else visit(play(position, cell));
    }
  };
  visit(emptyPosition(solver.size));
  return proof;
}

/** Of the eight symmetric images of a board, the alphabetically first. */
function firstPicture(text: string, symmetries: readonly Uint8Array[]): string {
  return symmetries
    .map((image) => Array.from(image, (cell) => text[cell]).join(''))
    .reduce((first, picture) => (picture < first ? picture : first));
}
