/**
 * `npm run prove`: the long proofs, a sample of each of which is in the tests. Prints what it counted, what could not be
 * proven included, and fails on the first thing that is not as it should be. Some ten minutes on one core.
 */

import { Board } from '../../src/engine/board.ts';
import { bookValues, eachBookPosition } from '../../src/engine/book.ts';
import { Engine } from '../../src/engine/engine.ts';
import { geometry, type Size } from '../../src/engine/geometry.ts';
import { LEVELS } from '../../src/engine/levels.ts';
import { emptyPosition, type Mark, play, positionAfter, positionFromCells } from '../../src/engine/position.ts';
import { makePuzzle } from '../../src/engine/puzzle.ts';
import { randomFrom } from '../../src/engine/random.ts';
import { negated, Solver } from '../../src/engine/solver.ts';
import {
  greedyPlayer,
  playEveryLine,
  playGame,
  type Player,
  proveByPlay,
  proveHoldByPlay,
  randomPlayer,
  randomPosition,
  resultFor,
  textOf,
} from '../../src/engine/testing/play.ts';
import { faultsByPlay, isUniqueByReference } from '../../src/engine/testing/puzzle.ts';
import { referenceValue } from '../../src/engine/testing/reference.ts';

const GAMES = 2500;
const POSITIONS = 600;
const MOVE_MS = 3000;
const BOOK_SAMPLE = 4000;
/** Days from 1 January 2026 on, and the second solver's nodes for each move of a puzzle. */
const PUZZLES = 366;
const PUZZLE_NODES = 2000;

const engine = new Engine();

function demand(condition: boolean, what: string): void {
  if (!condition) throw new Error(`NOT PROVEN: ${what}`);
}

function section(title: string, body: () => void): void {
  const started = performance.now();
  console.log(`\n${title}`);
  body();
  console.log(`  (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

section('Empty boards, from nothing', () => {
  for (const [size, expected] of [
    [3, 'draw'],
    [4, 'draw'],
    [5, 'draw'],
    [6, 'win'],
  ] as const) {
    const { value, proven, nodes } = new Solver(size, { useBook: false }).solve(emptyPosition(size), {});
    console.log(`  ${size}x${size}: ${value} for whoever starts, all moves judged in ${nodes} nodes`);
    demand(proven && value === expected, `${size}x${size} is a ${expected}`);
  }
  for (const [size, usePotential] of [
    [3, false],
    [4, false],
    [6, true],
  ] as const) {
    const value = referenceValue(size, '.'.repeat(size * size), 'X', { maxNodes: 1_500_000, usePotential });
    console.log(`  ${size}x${size} by the second solver${usePotential ? '' : ', rules alone'}: ${value}`);
    demand(value === (size === 6 ? 'win' : 'draw'), `the second solver agrees on ${size}x${size}`);
  }
});

section('5x5: neither side can win, played out against every line, by the rules alone', () => {
  for (const side of ['O', 'X'] as const) {
    const { positions, failures } = proveHoldByPlay(new Solver(5), side);
    console.log(`  ${side} holds in ${positions} positions`);
    demand(failures === 0, `${side} holds 5x5`);
  }
});

section('6x6: every opening, from nothing', () => {
  const solver = new Solver(6, { useBook: false });
  const values = Array.from({ length: 36 }, (_, cell) => solver.value(positionAfter(6, [cell]), {}));
  for (let row = 0; row < 6; row++) {
    console.log(
      `  ${values
        .slice(row * 6, row * 6 + 6)
        .map(({ value }) => negated(value).padEnd(5))
        .join('')}`,
    );
  }
  values.forEach(({ value, proven }, cell) => {
    const inner = [Math.floor(cell / 6), cell % 6].every((at) => at > 0 && at < 5);
    demand(proven && value === (inner ? 'loss' : 'win'), `opening ${cell}`);
  });
});

section('6x6: openings by the second solver', () => {
  for (const [opening, expected] of [
    [0, 'win'],
    [8, 'loss'],
    [14, 'loss'],
  ] as const) {
    const board = textOf(positionAfter(6, [opening]));
    const value = referenceValue(6, board, 'O', { maxNodes: 500_000, usePotential: true });
    console.log(`  opening ${opening}: ${value} for O`);
    demand(value === expected, `the second solver agrees on opening ${opening}`);
  }
  console.log('  the other two kinds of edge cell are beyond it: see the next section');
});

section('6x6: the winner plays it out against every defence, by the rules alone', () => {
  for (const [opening, winner] of [
    [14, 'X'],
    [8, 'X'],
    [7, 'X'],
    [0, 'O'],
    [1, 'O'],
    [2, 'O'],
  ] as const) {
    const { positions, failures, longest } = proveByPlay(new Solver(6), positionAfter(6, [opening]), winner);
    console.log(`  opening ${opening}: ${winner} wins ${positions} positions, none later than ply ${longest}`);
    demand(failures === 0, `${winner} wins after ${opening}`);
  }
});

section('Every line of the opponent against Perfect', () => {
  for (const size of [3, 4] as const) {
    for (const mark of ['O', 'X'] as const) {
      const { win, draw, loss, positions } = playEveryLine(engine, size, mark);
      console.log(`  ${size}x${size} as ${mark}: ${positions} positions, ends won ${win}, drawn ${draw}, lost ${loss}`);
      demand(loss === 0, `Perfect never loses ${size}x${size} as ${mark}`);
    }
  }
});

section('5x5: the answer to every first move holds the draw, from nothing', () => {
  const solver = new Solver(5, { useBook: false });
  for (let first = 0; first < 25; first++) {
    const position = positionAfter(5, [first]);
    const answered = play(position, engine.chooseMove(position, 'perfect', {}, first).cell);
    const { value, proven } = solver.value(answered, {});
    demand(proven && value === 'draw', `5x5 is held after ${first}`);
  }
  console.log('  25 of 25 held');
});

section(`Games against everybody: ${GAMES} on 5x5, ${GAMES / 5} on 6x6`, () => {
  games(5, GAMES, ['O', 'X']);
  games(6, GAMES / 5, ['X']);
});

function games(size: Size, count: number, marks: readonly Mark[]): void {
  const random = randomFrom(size);
  const seed = (): number => Math.floor(random() * 2 ** 31);
  const perfect: Player = (position) => engine.chooseMove(position, 'perfect', {}, seed()).cell;
  const opponents: Record<string, Player> = { random: randomPlayer(random), careful: greedyPlayer(random) };
  for (const level of LEVELS) {
    opponents[level] = (position) => engine.chooseMove(position, level, {}, seed()).cell;
  }
  const share = Math.ceil(count / Object.keys(opponents).length / marks.length);
  for (const [name, opponent] of Object.entries(opponents)) {
    const tally = { win: 0, draw: 0, loss: 0 };
    for (const mark of marks) {
      for (let game = 0; game < share; game++) {
        const end = mark === 'X' ? playGame(size, perfect, opponent) : playGame(size, opponent, perfect);
        tally[resultFor(end, mark)]++;
      }
    }
    console.log(`  ${size}x${size} against ${name}: won ${tally.win}, drawn ${tally.draw}, lost ${tally.loss}`);
    demand(tally.loss === 0, `no loss on ${size}x${size} against ${name}`);
    demand(size < 6 || tally.draw === 0, `every 6x6 game started is won against ${name}`);
  }
}

section(`${POSITIONS} random 6x6 positions of every phase against the second solver`, () => {
  const random = randomFrom(2026);
  const phases = new Map<
    string,
    { asked: number; agreed: number; unproven: number; unchecked: number; slowest: number }
  >();
  for (let i = 0; i < POSITIONS; i++) {
    const stones = i % 30;
    const position = randomPosition(6, stones, random);
    const name = `${Math.floor(stones / 5) * 5}-${Math.floor(stones / 5) * 5 + 4} stones`;
    const phase = phases.get(name) ?? { asked: 0, agreed: 0, unproven: 0, unchecked: 0, slowest: 0 };
    phases.set(name, phase);
    phase.asked++;
    // A fresh engine, so that nothing is known from another position.
    const fresh = new Engine();
    const started = processorMs();
    const { cell, value, proven } = fresh.chooseMove(position, 'perfect', { ms: MOVE_MS, now: processorMs }, i);
    const ms = processorMs() - started;
    phase.slowest = Math.max(phase.slowest, ms);
    demand(ms <= MOVE_MS + 200, `the move in ${textOf(position)} takes ${ms.toFixed(0)} ms`);
    if (!proven) {
      phase.unproven++;
      continue;
    }
    const options = { maxNodes: 40_000, usePotential: true };
    const truth = referenceValue(6, textOf(position), position.turn, options);
    const next = play(position, cell);
    const after = endValue(next) ?? referenceValue(6, textOf(next), next.turn, options);
    if (truth === 'unknown' || after === 'unknown') {
      phase.unchecked++;
      continue;
    }
    demand(value === truth, `${textOf(position)} is a ${truth}`);
    demand(negated(after) === truth, `the move ${cell} in ${textOf(position)} keeps a ${truth}`);
    phase.agreed++;
  }
  for (const [name, { asked, agreed, unproven, unchecked, slowest }] of phases) {
    console.log(
      `  ${name.padEnd(13)} ${asked} asked, ${agreed} value and move confirmed, ${unchecked} beyond the second solver, ` +
        `${unproven} unproven by the first, slowest ${slowest.toFixed(0)} ms`,
    );
  }
});

/** Processor time, so that the verdict does not hang on what else the machine does. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function endValue(position: ReturnType<typeof play>): 'draw' | 'loss' | null {
  const result = resultFor(position, position.turn);
  if (result === 'loss') return 'loss';
  return textOf(position).includes('.') ? null : 'draw';
}

section('The book, proven again from nothing', () => {
  for (const size of [5, 6] as const) {
    const values = bookValues(size);
    const solver = new Solver(size, { useBook: false });
    const every = size === 5 ? 1 : Math.floor(values.length / BOOK_SAMPLE);
    let checked = 0;
    eachBookPosition(new Board(geometry(size)), ({ stones, toMove, index }) => {
      if (index % every !== 0) return;
      const cells = Array.from({ length: size * size }, (_, cell) =>
        stones[0].includes(cell) ? 'X' : stones[1].includes(cell) ? 'O' : '',
      );
      const { value, proven } = solver.value(positionFromCells(size, cells, toMove === 0 ? 'X' : 'O'), {});
      demand(proven && value === values[index], `entry ${index} of the ${size}x${size} book`);
      checked++;
    });
    console.log(`  ${size}x${size}: ${checked} entries confirmed`);
  }
});

section(`The puzzles of ${PUZZLES} days`, () => {
  const count = { unique: 0, unchecked: 0 };
  const boards = new Set<string>();
  let slowest = 0;
  for (let at = 0; at < PUZZLES; at++) {
    const day = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);
    const started = processorMs();
    const puzzle = makePuzzle(day);
    slowest = Math.max(slowest, processorMs() - started);
    boards.add(puzzle.turn + puzzle.board);
    demand(faultsByPlay(puzzle).length === 0, `the puzzle of ${day}: ${faultsByPlay(puzzle).join(', ')}`);
    const isUnique = isUniqueByReference(puzzle, PUZZLE_NODES);
    demand(isUnique !== false, `the puzzle of ${day} has one solution`);
    count[isUnique === null ? 'unchecked' : 'unique']++;
  }
  console.log(
    `  ${boards.size} different ones; each is won in its plies by one first move, by the rules alone; that no other move wins later is confirmed for ` +
      `${count.unique}, beyond the second solver for ${count.unchecked}; slowest ${slowest.toFixed(0)} ms`,
  );
});

console.log('\nAll proven.');
