/**
 * The engine on the command line: one JSON object per line in, one per line out, in order. An invalid line gets
 * `{"error": …}`, and the next line is read as usual.
 */

import { StringDecoder } from 'node:string_decoder';
import { type Engine } from './engine.ts';
import { isSize, type Size } from './geometry.ts';
import { isLevel, type Level, LEVELS } from './levels.ts';
import { positionFromCells, type Position, rowCol } from './position.ts';
import { REFERENCE_AI } from './referenceAi.ts';

/** A request takes some 120 characters; a longer line gets an error and is discarded. */
const MAX_LINE = 4096;
/** A longer time is probably in the wrong unit. */
const MAX_BUDGET_MS = 600_000;

interface Question {
  readonly position: Position;
  readonly level: Level;
  readonly budgetMs: number;
  readonly seed: number;
}

/** Returns the response to one line. Never throws. */
export function answerLine(engine: Engine, line: string): object {
  try {
    const question = readQuestion(line);
    const { size } = question.position;
    const started = performance.now();
    const { cell, value, proven, best, nodes } = engine.chooseMove(
      question.position,
      question.level,
      { ms: question.budgetMs },
      question.seed,
    );
    return {
      move: rowCol(size, cell),
      value,
      proven,
      best: best.map((each) => rowCol(size, each)),
      nodes,
      ms: Math.round(performance.now() - started),
    };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** @throws Error saying what is wrong with the line. */
function readQuestion(line: string): Question {
  if (line.length > MAX_LINE) throw new Error(`a line has at most ${MAX_LINE} characters`);
  const input = parseObject(line);
  const { size, board, turn, level = 'perfect', seed = 0 } = input;
  if (!isSize(size)) throw new Error('size must be 3, 4, 5 or 6');
  if (typeof board !== 'string') throw new Error('board must be a string');
  if (turn !== 'X' && turn !== 'O') throw new Error("turn must be 'X' or 'O'");
  if (!isLevel(level)) throw new Error(`level must be one of ${LEVELS.join(', ')}`);
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed)) throw new Error('seed must be a whole number');
  const budgetMs = readBudget(input.budgetMs, size);
  // Split by UTF-16 units: anything but X, O and dots is refused anyway.
  return { position: positionFromCells(size, board.split(''), turn), level, budgetMs, seed };
}

function parseObject(line: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    throw new Error('not a JSON object');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error('not a JSON object');
  return parsed as Record<string, unknown>;
}

function readBudget(budgetMs: unknown, size: Size): number {
  if (budgetMs === undefined) return REFERENCE_AI.timeoutMs[size];
  if (typeof budgetMs !== 'number' || !(budgetMs >= 0 && budgetMs <= MAX_BUDGET_MS)) {
    throw new Error(`budgetMs must be a number from 0 to ${MAX_BUDGET_MS}`);
  }
  return budgetMs;
}

/** Splits a stream of bytes into lines without ever holding more of a line than is needed to see that it is too long. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let line = '';
  for await (const chunk of chunks) {
    const pieces = decoder.write(Buffer.from(chunk)).split('\n');
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) {
        yield line;
        line = '';
      }
      if (line.length <= MAX_LINE) line += piece.slice(0, MAX_LINE + 1);
    }
  }
  line += decoder.end();
  if (line !== '') yield line;
}
