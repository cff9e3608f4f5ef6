import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EngineClient, type Position, REFERENCE_AI } from '@/engine';
import AiPracticePage from './AiPracticePage';
import { LEVEL_KEY } from './levels';
import { inlineWorker } from '@/testing/inlineWorker';
import { renderPage } from './testing/renderPage';

const cells = () => screen.getAllByRole('gridcell');
const contents = () => cells().map((cell) => cell.dataset.content);
const title = () => screen.getByRole('heading', { level: 2 });
const playCell = (number: number) => fireEvent.click(cells()[number]!);

function withEngine() {
  return renderPage(<AiPracticePage createEngine={() => new EngineClient(inlineWorker)} />);
}

/** An engine that plays the given cells, one after the other. */
function withScript(...script: number[]) {
  const asked: Position[] = [];
  const engine = {
    chooseMove: (position: Position) => {
      asked.push(position);
      return Promise.resolve({ cell: script.shift(), fallback: false });
    },
    ponder: () => undefined,
    dispose: () => undefined,
  };
  renderPage(<AiPracticePage createEngine={() => engine as unknown as EngineClient} />);
  return asked;
}

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

describe('the course of a game', () => {
  beforeEach(() => vi.useFakeTimers());
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  it('gives the human X and the first move, and moves 500 ms after its turn begins', async () => {
    expect(REFERENCE_AI.moveDelayMs).toBe(500);
    withScript(4);
    expect(title()).toHaveTextContent('Your Turn');
    playCell(0);
    expect(contents()[0]).toBe('X');
    expect(title()).toHaveTextContent('AI is thinking...');
    playCell(1);
    await pass(499);
    expect(contents()).toEqual(['X', '', '', '', '', '', '', '', '']);
    await pass(1);
    expect(contents()[4]).toBe('O');
    expect(title()).toHaveTextContent('Your Turn');
  });

  it("shows 'You Won!' and 'Congratulations! You beat the AI!'", async () => {
    withScript(3, 4);
    for (const cell of [0, 1, 2]) {
      playCell(cell);
      await pass(500);
    }
    expect(title()).toHaveTextContent('You Won!');
    expect(screen.getByText('Congratulations! You beat the AI!')).toBeVisible();
    const why = screen.getByRole('link', { name: 'See why' });
    expect(why).toHaveAttribute('href', '/replay/moves/3X03142?ai=perfect');
  });

  it("shows 'AI Won!' and 'The AI is unbeatable! Try again!'", async () => {
    withScript(3, 4, 5);
    for (const cell of [0, 1, 8]) {
      playCell(cell);
      await pass(500);
    }
    expect(title()).toHaveTextContent('AI Won!');
    expect(screen.getByText('The AI is unbeatable! Try again!')).toBeVisible();
  });

  it("shows It's a Draw! when the board is full", async () => {
    withScript(1, 4, 5, 6);
    for (const cell of [0, 2, 3, 7, 8]) {
      playCell(cell);
      await pass(500);
    }
    expect(title()).toHaveTextContent("It's a Draw!");
    expect(screen.getByText('You held the AI. One more?')).toBeVisible();
  });

  it('takes back the human’s move and the reply, or only the move while the AI thinks', async () => {
    withScript(4, 3, 3);
    const undo = screen.getByRole('button', { name: 'Undo' });
    expect(undo).toBeDisabled();
    playCell(0);
    await pass(500);
    playCell(1);
    await pass(200);
    fireEvent.click(undo);
    await pass(1000);
    expect(contents()).toEqual(['X', '', '', '', 'O', '', '', '', '']);
    fireEvent.click(undo);
    expect(contents().join('')).toBe('');
  });

  it('plays near the centre when the engine fails', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const engine = {
      chooseMove: () => Promise.reject(new Error('a bug')),
      ponder: () => undefined,
      dispose: () => undefined,
    };
    renderPage(<AiPracticePage createEngine={() => engine as unknown as EngineClient} />);
    playCell(0);
    await pass(500);
    expect(contents()[4]).toBe('O');
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  it('discards a move that arrives after a reset', async () => {
    withScript(4);
    playCell(0);
    await pass(300);
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }));
    await pass(1000);
    expect(contents().join('')).toBe('');
  });
});

describe('with the real engine', { timeout: 20_000 }, () => {
  it('never loses at Perfect to a player who takes the first free cell', async () => {
    withEngine();
    for (let move = 0; move < 5 && title().textContent === 'Your Turn'; move++) {
      playCell(contents().indexOf(''));
      await waitFor(() => expect(title()).not.toHaveTextContent('AI is thinking...'), { timeout: 3000 });
    }
    expect(['AI Won!', "It's a Draw!"]).toContain(title().textContent);
  });

  it('keeps to the time-outs of 2,000 and 3,000 ms, and falls back to a cell near the centre when the engine is gone', async () => {
    expect(REFERENCE_AI.timeoutMs).toEqual({ 3: 2000, 4: 2000, 5: 2000, 6: 3000 });
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const noWorker = () => {
      throw new Error('no workers here');
    };
    renderPage(<AiPracticePage createEngine={() => new EngineClient(noWorker)} />);
    playCell(0);
    await waitFor(() => expect(contents()[4]).toBe('O'), { timeout: 3000 });
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  it('gives a hint with its value', async () => {
    sessionStorage.setItem(
      'morpion_practice_ai',
      JSON.stringify({
        size: 3,
        starter: 'X',
        moves: [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ],
        won: { X: 0, O: 0 },
      }),
    );
    withEngine();
    fireEvent.click(screen.getByRole('button', { name: 'Hint' }));
    expect(await screen.findByText('Row 1, column 3 wins.')).toBeVisible();
    playCell(2);
    expect(title()).toHaveTextContent('You Won!');
    expect(screen.queryByText('Row 1, column 3 wins.')).toBeNull();
  });
});

describe('settings', () => {
  it('offers every level and starter, stores the level, and warns on 6×6', async () => {
    const user = userEvent.setup();
    const asked = withScript(14);
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    const dialog = await screen.findByRole('dialog');
    const labels = within(dialog)
      .getAllByRole('radio')
      .map((radio) => radio.closest('label')?.textContent);
    expect(labels.slice(4)).toEqual(['Easy', 'Medium', 'Hard', 'Perfect', 'Sparring partner', 'You', 'The AI']);
    expect(within(dialog).getByRole('radio', { name: 'Perfect' })).toBeChecked();
    expect(within(dialog).getByRole('radio', { name: 'You' })).toBeChecked();

    await user.click(within(dialog).getByRole('radio', { name: /^6x6/ }));
    expect(dialog).toHaveTextContent('On 6×6 whoever starts can force a win. That is you: find it!');
    await user.click(within(dialog).getByRole('radio', { name: 'Easy' }));
    await user.click(within(dialog).getByRole('radio', { name: 'The AI' }));
    await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
    expect(screen.getByText('Easy AI')).toBeVisible();
    expect(localStorage.getItem(LEVEL_KEY)).toBe('"easy"');
    await waitFor(() => expect(contents()[14]).toBe('O'), { timeout: 2000 });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ size: 6, turn: 'O' });
    expect(title()).toHaveTextContent('Your Turn');
  });
});
