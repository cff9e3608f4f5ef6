import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EngineClient, type Puzzle } from '@/engine';
import { makePuzzle } from '@/engine/puzzle';
import { STORAGE_KEYS } from '@/shared/storage';
import { inlineWorker } from '@/testing/inlineWorker';
import PuzzlePage from './PuzzlePage';
import { REPLY_MS } from './usePuzzle';

// A Monday: two moves on 4x4.
const TODAY = '2026-11-23';
const puzzle: Puzzle = makePuzzle(TODAY);

function open(path = '/app/puzzle', createEngine = () => new EngineClient(inlineWorker)) {
  const page = <PuzzlePage createEngine={createEngine} />;
  const router = createMemoryRouter([{ path: '/app/puzzle/:day?', element: page }], { initialEntries: [path] });
  render(
    <MantineProvider env="test">
      <Notifications />
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  return { at: () => router.state.location.pathname };
}

const status = () => screen.getByRole('region', { name: 'Status' });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const playCell = (cell: number) => fireEvent.click(screen.getAllByRole('gridcell')[cell]!);
const contents = () =>
  screen
    .getAllByRole('gridcell')
    .map((cell) => cell.dataset.content || '.')
    .join('');
const stored = () => JSON.parse(localStorage.getItem(STORAGE_KEYS.puzzles) ?? 'null') as unknown;

async function solve() {
  const [first] = puzzle.step.right;
  playCell(first!.cell);
  await pass(REPLY_MS);
  playCell(first!.then!.step.right[0]!.cell);
  await pass(0);
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23, 12) });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the puzzle of the day', () => {
  it('is made in the worker, with an empty board meanwhile', async () => {
    open();
    expect(status()).toHaveTextContent('Setting up the board…');
    expect(contents()).toBe('.'.repeat(16));
    await pass(50);
    expect(contents()).toBe(puzzle.board);
    expect(status()).toHaveTextContent('to move: win in 2');
    expect(screen.getByText('Monday, November 23 · No. 327')).toBeVisible();
  });

  it('is solved with the right moves, which is noted and can be shared', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue(undefined);
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { clipboard: { writeText } }));
    open();
    await pass(50);
    await solve();
    expect(status()).toHaveTextContent('Solved!On the first try, without a hint.');
    expect(stored()).toEqual({ [TODAY]: { misses: 0, hints: 0, solvedOn: TODAY } });
    expect(screen.getByRole('img', { name: '1 day' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'November 23, today, solved on its day' })).toBeVisible();
    press('Share');
    await pass(0);
    expect(writeText.mock.lastCall?.[0]).toContain('Morpion puzzle #327 · 4×4, win in 2\n✓ · no hints\nhttp');
    vi.unstubAllGlobals();
    press('Once more');
    expect(contents()).toBe(puzzle.board);
  });

  it('says what a wrong move leads to, takes it back, and counts it with the hints', async () => {
    open();
    await pass(50);
    playCell(puzzle.step.wrong.find(({ leadsTo }) => leadsTo === 'draw')!.cell);
    expect(status()).toHaveTextContent('Not that oneAfter that, they can hold a draw.');
    press('Take it back');
    expect(contents()).toBe(puzzle.board);
    press('Hint');
    expect(status()).toHaveTextContent('Look for a move that opens two ways to win at once.');
    press('Show the move');
    expect(screen.getByRole('button', { name: 'Show the move' })).toBeDisabled();
    await solve();
    expect(status()).toHaveTextContent('Solved!With 1 wrong move and 2 hints.');
    expect(stored()).toEqual({ [TODAY]: { misses: 1, hints: 2, solvedOn: TODAY } });
  });

  it('stays when midnight UTC comes, with the next one a press away', async () => {
    open();
    await pass(50);
    await pass(12 * 3_600_000 + 100);
    expect(contents()).toBe(puzzle.board);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('A past puzzle');
    fireEvent.click(screen.getByRole('link', { name: 'Today’s puzzle' }));
    expect(screen.getByText('Tuesday, November 24 · No. 328')).toBeVisible();
    await pass(50);
    expect(contents()).toBe(makePuzzle('2026-11-24').board);
  });

  it('is offered again when it could not be made', async () => {
    let isBroken = true;
    open('/app/puzzle', () => {
      if (!isBroken) return new EngineClient(inlineWorker);
      return new EngineClient(() => {
        throw new Error('no workers here');
      });
    });
    await pass(0);
    expect(status()).toHaveTextContent('No puzzle this time');
    isBroken = false;
    press('Try again');
    await pass(50);
    expect(contents()).toBe(puzzle.board);
  });
});

describe('past puzzles', () => {
  it('are linked in the calendar, and count as solved but not for the streak', async () => {
    const { at } = open();
    const month = within(screen.getByRole('table'));
    expect(month.queryByRole('link', { name: /November 24/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'Later month' })).toBeDisabled();
    press('Earlier month');
    fireEvent.click(screen.getByRole('link', { name: 'October 5, not solved' }));
    await pass(50);
    expect(at()).toBe('/app/puzzle/2026-10-05');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('A past puzzle');
    const past = makePuzzle('2026-10-05');
    playCell(past.step.right[0]!.cell);
    await pass(REPLY_MS);
    playCell(past.step.right[0]!.then!.step.right[0]!.cell);
    expect(stored()).toEqual({ '2026-10-05': { misses: 0, hints: 0, solvedOn: TODAY } });
    expect(screen.getByText('none yet')).toBeVisible();
    expect(screen.getByRole('link', { name: 'October 5, solved later' })).toBeVisible();
  });

  it('end with the first', () => {
    open('/app/puzzle/2026-01-01');
    expect(screen.getByRole('button', { name: 'Earlier month' })).toBeDisabled();
  });

  it.each(['2026-11-24', '2025-12-31', '2026-02-30', '%3Cscript%3E', 'tomorrow'])(
    'leave %s out: the address leads to today',
    async (day) => {
      const { at } = open(`/app/puzzle/${day}`);
      await pass(50);
      expect(at()).toBe('/app/puzzle');
      expect(contents()).toBe(puzzle.board);
    },
  );
});

it.each([
  '{',
  'null',
  '[]',
  '"x"',
  '{"2026-11-23":7}',
  '{"2026-11-23":{"misses":"<b>","hints":-1,"solvedOn":"x"}}',
  '{"__proto__":1}',
])('is not disturbed by %s in the storage', async (text) => {
  localStorage.setItem(STORAGE_KEYS.puzzles, text);
  open();
  await pass(50);
  expect(screen.getByText('none yet')).toBeVisible();
  await solve();
  expect(stored()).toEqual({ [TODAY]: { misses: 0, hints: 0, solvedOn: TODAY } });
});

it('works without a storage', async () => {
  for (const method of ['getItem', 'setItem'] as const)
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
  open();
  await pass(50);
  await solve();
  expect(status()).toHaveTextContent('Solved!');
});
