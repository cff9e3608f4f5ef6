/**
 * `npm run bench:engine`: how fast the engine is and how it fares against others, on this machine. The packages it meets
 * are fetched into node_modules/.cache when they are not there; without a network those games are left out.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SIZES, type Size } from '../../src/engine/geometry.ts';
import { chooseMove } from '../../src/engine/levels.ts';
import { type Cell, emptyPosition, type Position } from '../../src/engine/position.ts';
import { randomFrom } from '../../src/engine/random.ts';
import { Solver } from '../../src/engine/solver.ts';
import { REFERENCE_AI, referenceMove } from '../../src/engine/referenceAi.ts';
import { playGame, type Player, randomPosition, resultFor, textOf } from '../../src/engine/testing/play.ts';

const GAMES = 1000;
const POSITIONS = 200;
/** The best packages for 3x3 that could be found; none was found that plays four in a row on 5x5 or 6x6. */
const PEERS = ['tic-tac-toe-minimax-engine@1.0.8', 'tic-tac-toe-ai-engine@1.0.9'];
const GOAL_P99_MS: Record<Size, number> = { 3: 300, 4: 300, 5: 300, 6: 1500 };
const GOAL_BYTES = 64 * 2 ** 20;

console.log(`${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}\n`);
speed();
timeToMove();
memory();
for (const size of SIZES) score(size, 'the reference AI', remembered(referenceMove), REFERENCE_AI.timeoutMs[size]);
for (const [name, player] of peers()) score(3, name, remembered(player), REFERENCE_AI.timeoutMs[3]);

function speed(): void {
  console.log('All moves of the empty board judged, from nothing, without the book');
  for (const size of SIZES) {
    const solver = new Solver(size, { useBook: false });
    const started = performance.now();
    const { value, nodes } = solver.solve(emptyPosition(size), {});
    const ms = performance.now() - started;
    console.log(`  ${size}x${size}: ${value}, ${nodes} nodes, ${ms.toFixed(0)} ms, ${perSecond(nodes, ms)} nodes/s`);
  }
}

function perSecond(count: number, ms: number): string {
  return Math.round((count / ms) * 1000).toLocaleString('en');
}

/** A position of its own for each move, and an engine that has seen no other: the slowest case. */
function timeToMove(): void {
  console.log('\nTime to move of Perfect, by stones on the board, ms (each from a fresh engine, loading apart)');
  for (const size of SIZES) {
    const all: number[] = [];
    const busy: number[] = [];
    const loads: number[] = [];
    const cells = size * size;
    for (const [phase, from, to] of [
      ['opening', 0, 4],
      ['early', 5, Math.floor(cells / 3)],
      ['middle', Math.floor(cells / 3) + 1, Math.floor((cells * 2) / 3)],
      ['end', Math.floor((cells * 2) / 3) + 1, cells - 1],
    ] as const) {
      if (to < from) continue;
      const random = randomFrom(size);
      const times: number[] = [];
      for (let i = 0; i < POSITIONS; i++) {
        const position = randomPosition(size, from + (i % (to - from + 1)), random);
        const loading = performance.now();
        const solver = new Solver(size);
        const started = performance.now();
        const busyBefore = processorMs();
        chooseMove(solver, position, 'perfect', { ms: REFERENCE_AI.timeoutMs[size] }, i);
        times.push(performance.now() - started);
        busy.push(processorMs() - busyBefore);
        loads.push(started - loading);
      }
      all.push(...times);
      console.log(`  ${size}x${size} ${phase.padEnd(8)} ${spread(times)}`);
    }
    const verdict = quantile(busy, 0.99) < GOAL_P99_MS[size] ? 'met' : 'MISSED';
    console.log(`  ${size}x${size} all      ${spread(all)}; loading ${spread(loads)}`);
    console.log(`  ${size}x${size} all, processor time ${spread(busy)}; goal p99 < ${GOAL_P99_MS[size]}: ${verdict}`);
  }
}

/** What the goal is measured by: it does not hang on what else the machine does. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function spread(times: readonly number[]): string {
  const [median, high, most] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1).padStart(6));
  return `p50 ${median}  p99 ${high}  max ${most}`;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** What earlier measurements left would be freed at any time in the next one. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

function memory(): void {
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const solvers = SIZES.map((size) => new Solver(size));
  const bytes = process.memoryUsage().arrayBuffers - before;
  const verdict = bytes < GOAL_BYTES ? 'met' : 'MISSED';
  console.log(`\nTables of all ${solvers.length} sizes: ${(bytes / 2 ** 20).toFixed(1)} MiB, goal < 64: ${verdict}`);
}

function score(size: Size, name: string, opponent: Player, budgetMs: number): void {
  const random = randomFrom(size);
  const solver = new Solver(size);
  const perfect: Player = (position) =>
    chooseMove(solver, position, 'perfect', { ms: budgetMs }, Math.floor(random() * 2 ** 31)).cell;
  for (const mark of ['X', 'O'] as const) {
    const tally = { win: 0, draw: 0, loss: 0 };
    for (let game = 0; game < GAMES / 2; game++) {
      const end = mark === 'X' ? playGame(size, perfect, opponent) : playGame(size, opponent, perfect);
      tally[resultFor(end, mark)]++;
    }
    console.log(
      `${mark === 'X' ? '\n' : ''}${size}x${size} Perfect ${mark === 'X' ? 'first ' : 'second'} against ${name}: ` +
        `won ${tally.win}, drawn ${tally.draw}, lost ${tally.loss}`,
    );
  }
}

/** A deterministic player asked only once for each position. */
function remembered(player: Player): Player {
  const known = new Map<string, Cell>();
  return (position) => {
    const key = textOf(position) + position.turn;
    const cell = known.get(key) ?? player(position);
    known.set(key, cell);
    return cell;
  };
}

function peers(): [name: string, player: Player][] {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/engine-peers/', import.meta.url));
  try {
    if (!existsSync(`${folder}node_modules`)) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}package.json`, '{ "private": true }\n');
      execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PEERS], { cwd: folder });
    }
  } catch (error) {
    console.log(`\nThe packages could not be fetched: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
  const require = createRequire(folder);
  return [
    ['tic-tac-toe-minimax-engine', minimaxEngine(require('tic-tac-toe-minimax-engine') as MinimaxEngineModule)],
    ['tic-tac-toe-ai-engine', aiEngine(require('tic-tac-toe-ai-engine') as AiEngineModule)],
  ];
}

interface MinimaxEngineModule {
  readonly default: new () => { makeNextMove(x: number, y: number): void; getBestMove(): { x: number; y: number } };
}

/** It knows games, not positions: the stones are played in alternation. */
function minimaxEngine({ default: TicTacToe }: MinimaxEngineModule): Player {
  return (position) => {
    const text = textOf(position);
    const cellsOf = (mark: string): Cell[] => [...text].flatMap((each, cell) => (each === mark ? [cell] : []));
    const [xs, os] = [cellsOf('X'), cellsOf('O')];
    const game = new TicTacToe();
    for (const cell of xs.flatMap((x, i) => [x, ...os.slice(i, i + 1)]))
      game.makeNextMove(Math.floor(cell / 3), cell % 3);
    const { x, y } = game.getBestMove();
    return x * 3 + y;
  };
}

interface AiEngineModule {
  readonly computeMove: (state: string[]) => { nextBestGameState: string[] };
}

function aiEngine({ computeMove }: AiEngineModule): Player {
  return (position: Position) => {
    const state = [...textOf(position)].map((mark) => (mark === '.' ? '' : mark));
    return computeMove(state).nextBestGameState.findIndex((mark, cell) => mark !== state[cell]);
  };
}
