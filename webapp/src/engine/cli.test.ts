import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answerLine, linesOf } from './cli.ts';
import { Engine } from './engine.ts';

const engine = new Engine();
const ask = (question: unknown): Record<string, unknown> =>
  answerLine(engine, typeof question === 'string' ? question : JSON.stringify(question)) as Record<string, unknown>;

const good = { size: 3, board: 'XX.OO....', turn: 'X', level: 'perfect', budgetMs: 500 };

describe('a question', () => {
  it('gets a complete response', () => {
    const answer = ask(good);
    expect(Object.keys(answer)).toEqual(['move', 'value', 'proven', 'best', 'nodes', 'ms']);
    expect(answer).toMatchObject({ move: [0, 2], value: 'win', proven: true, best: [[0, 2]] });
    expect(answer.nodes).toBeGreaterThanOrEqual(0);
    expect(answer.ms).toBeLessThan(500);
  });

  it('may omit level and budget, and name any level', () => {
    expect(ask({ size: 4, board: '.'.repeat(16), turn: 'O' })).toMatchObject({ value: 'draw', proven: true });
    for (const level of ['easy', 'medium', 'hard', 'perfect', 'spec']) {
      expect(ask({ ...good, board: 'X...O....', level, seed: 5 })).toMatchObject({ value: 'draw', proven: true });
    }
  });

  it('gets a move even with a budget of zero', () => {
    expect(ask({ size: 6, board: 'X.....'.padEnd(36, '.'), turn: 'O', budgetMs: 0 }).move).toHaveLength(2);
  });

  it.each([
    ['no JSON', '{', 'not a JSON object'],
    ['nothing', '', 'not a JSON object'],
    ['an array', [], 'not a JSON object'],
    ['null', null, 'not a JSON object'],
    ['a number', 5, 'not a JSON object'],
    ['no size', { ...good, size: undefined }, 'size must be'],
    ['a size too large', { ...good, size: 7 }, 'size must be'],
    ['a size that is text', { ...good, size: '3' }, 'size must be'],
    ['a board that is no text', { ...good, board: ['X'] }, 'board must be a string'],
    ['a short board', { ...good, board: 'XX.OO...' }, 'must have 9 cells'],
    ['a long board', { ...good, board: 'XX.OO.....' }, 'must have 9 cells'],
    ['other characters', { ...good, board: 'XX.OO...x' }, 'a cell is'],
    ['characters outside the plane', { ...good, board: 'XX.OO..\u{1F600}' }, 'a cell is'],
    ['impossible counts', { ...good, board: 'XXXX.....' }, 'no game reaches'],
    ['the wrong turn', { ...good, board: 'XX.O.....' }, "not X's turn"],
    ['no turn', { ...good, turn: undefined }, 'turn must be'],
    ['a turn of its own', { ...good, turn: 'x' }, 'turn must be'],
    ['a game that is over', { ...good, board: 'XXXOO....', turn: 'O' }, 'the game is over'],
    ['a full board', { ...good, board: 'XOXXOOOXX', turn: 'O' }, 'the game is over'],
    ['an unknown level', { ...good, level: 'godlike' }, 'level must be one of'],
    ['a negative budget', { ...good, budgetMs: -1 }, 'budgetMs must be'],
    ['an endless budget', { ...good, budgetMs: 1e300 }, 'budgetMs must be'],
    ['a budget that is text', { ...good, budgetMs: '2000' }, 'budgetMs must be'],
    ['a budget of null', { ...good, budgetMs: null }, 'budgetMs must be'],
    ['a seed that is no whole number', { ...good, seed: 0.5 }, 'seed must be'],
    ['a polluted prototype', '{"__proto__":{"size":3,"board":".........","turn":"X"}}', 'size must be'],
    ['a line too long', JSON.stringify({ ...good, comment: 'x'.repeat(5000) }), 'at most 4096 characters'],
    ['nesting without end', '['.repeat(4000), 'not a JSON object'],
  ])('with %s is refused', (_, question, message) => {
    const answer = ask(question);
    expect(Object.keys(answer)).toEqual(['error']);
    expect(answer.error).toContain(message);
  });
});

describe('lines', () => {
  const read = async (chunks: readonly (string | Uint8Array)[]): Promise<string[]> => {
    const lines: string[] = [];
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    };
    for await (const line of linesOf(bytes())) lines.push(line);
    return lines;
  };

  it('are assembled from chunks, including a last line without a line break', async () => {
    expect(await read(['a', 'b\nc', '\n\nd'])).toEqual(['ab', 'c', '', 'd']);
    expect(await read([new Uint8Array([0xc3]), new Uint8Array([0xa9, 0x0a])])).toEqual(['é']);
  });

  it('are not buffered beyond the length limit', async () => {
    const [line, next] = await read([...Array.from({ length: 1000 }, () => 'x'.repeat(65_536)), '\nnext\n']);
    expect(line!.length).toBeLessThan(10_000);
    expect(ask(line!)).toEqual({ error: 'a line has at most 4096 characters' });
    expect(next).toBe('next');
  });
});

it('the program responds to each line in order and continues after an invalid one', async () => {
  const program = fileURLToPath(new URL('../../scripts/engine/cli.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end(`nonsense\n${JSON.stringify(good)}\n\n${'y'.repeat(1e6)}\n${JSON.stringify(good)}`);
  expect(await code).toBe(0);
  const answers = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answers.map((answer) => answer.move ?? 'error')).toEqual(['error', [0, 2], 'error', 'error', [0, 2]]);
}, 30_000);
