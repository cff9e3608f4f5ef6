/** What makes a puzzle right, checked without the solver that made it. */

import { emptyCells, isOver, play, type Position, positionFromCells, winner } from '../position.ts';
import type { Puzzle, PuzzleStep } from '../puzzleDay.ts';
import { referenceValue } from './reference.ts';
import { textOf } from './play.ts';

/** What is wrong with a puzzle, by the rules alone; empty if nothing is. */
export function faultsByPlay(puzzle: Puzzle): string[] {
  const position = positionFromCells(puzzle.size, [...puzzle.board], puzzle.turn);
  const faults: string[] = [];
  for (let plies = 1; plies < puzzle.plies; plies += 2) {
    if (winsWithin(position, plies)) faults.push(`it is won within ${plies} plies`);
  }
  if (puzzle.step.right.length !== 1) faults.push(`${puzzle.step.right.length} first moves are right`);
  return [...faults, ...stepFaults(position, puzzle.step, puzzle.plies)];
}

function stepFaults(position: Position, { right, wrong }: PuzzleStep, plies: number): string[] {
  const faults: string[] = [];
  const listed = [...right, ...wrong].map(({ cell }) => cell).sort((a, b) => a - b);
  if (listed.join() !== emptyCells(position).join()) faults.push('not every move is judged');
  for (const { cell } of wrong) {
    if (keepsWin(position, cell, plies)) faults.push(`${cell} is as fast, but called wrong`);
  }
  for (const { cell, then } of right) {
    if (!keepsWin(position, cell, plies)) faults.push(`${cell} is called right, but is not`);
    else if (then === null) faults.push(...(plies === 1 ? [] : ['the line ends early']));
    else faults.push(...stepFaults(play(play(position, cell), then.reply), then.step, plies - 2));
  }
  return faults;
}

/** Whether the side to move completes a line within so many plies, against every defence. */
function winsWithin(position: Position, plies: number): boolean {
  return emptyCells(position).some((cell) => keepsWin(position, cell, plies));
}

function keepsWin(position: Position, cell: number, plies: number): boolean {
  const next = play(position, cell);
  if (isOver(next)) return winner(next) === position.turn;
  if (plies === 1) return false;
  return emptyCells(next).every((reply) => {
    const after = play(next, reply);
    return !isOver(after) && winsWithin(after, plies - 2);
  });
}

/** Whether no other first move wins, however long it takes, by the second solver; null when that is beyond it. */
export function isUniqueByReference({ size, board, turn, step }: Puzzle, maxNodes: number): boolean | null {
  const position = positionFromCells(size, [...board], turn);
  let isKnown = true;
  for (const cell of emptyCells(position)) {
    const next = play(position, cell);
    if (isOver(next)) continue;
    const value = referenceValue(size, textOf(next), next.turn, { maxNodes, usePotential: true });
    if (value === 'unknown') isKnown = false;
    else if ((value === 'loss') !== (step.right[0]?.cell === cell)) return false;
  }
  return isKnown ? true : null;
}
