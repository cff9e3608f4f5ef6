import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import LocalPracticePage from './LocalPracticePage';
import { renderPage } from './testing/renderPage';

beforeEach(() => sessionStorage.clear());

function open() {
  const view = renderPage(<LocalPracticePage />);
  return { ...view, user: userEvent.setup() };
}

const cells = () => screen.getAllByRole('gridcell');
const title = () => screen.getByRole('heading', { level: 2 });

/** Plays cells by number, in reading order. */
async function play(user: ReturnType<typeof userEvent.setup>, ...numbers: number[]) {
  for (const number of numbers) await user.click(cells()[number]!);
}

describe('local practice', () => {
  it('links back to /app/practice', () => {
    open();
    expect(screen.getByRole('link', { name: 'Back to practice' })).toHaveAttribute('href', '/app/practice');
  });

  it('lets X start and both alternate, to a win', async () => {
    const { user } = open();
    expect(title()).toHaveTextContent("X's Turn");
    await play(user, 0);
    expect(title()).toHaveTextContent("O's Turn");
    await play(user, 3, 1, 4, 2);
    expect(cells().map((cell) => cell.dataset.content)).toEqual(['X', 'X', 'X', 'O', 'O', '', '', '', '']);
    expect(title()).toHaveTextContent('X Won!');
    expect(screen.getByRole('status')).toHaveTextContent('X played row 1, column 3. X Won!');
    expect(screen.getByRole('img', { name: '1 win' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See why' })).toHaveAttribute('href', '/replay/moves/3X03142');
    await play(user, 5);
    expect(cells()[5]).toHaveAttribute('data-content', '');
  });

  it("shows It's a Draw! when the board is full", async () => {
    const { user } = open();
    await play(user, 0, 1, 2, 4, 3, 5, 7, 6, 8);
    expect(title()).toHaveTextContent("It's a Draw!");
  });

  it('takes a move back, the winning one too', async () => {
    const { user } = open();
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDisabled();
    await play(user, 0, 3, 1, 4, 2);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(title()).toHaveTextContent("X's Turn");
    expect(cells()[2]).toHaveAttribute('data-content', '');
    expect(screen.queryByRole('img', { name: '1 win' })).toBeNull();
  });

  it('resets the board and keeps the score', async () => {
    const { user } = open();
    await play(user, 0, 3, 1, 4, 2);
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(cells().every((cell) => cell.dataset.content === '')).toBe(true);
    expect(title()).toHaveTextContent("X's Turn");
    expect(screen.getByRole('img', { name: '1 win' })).toBeInTheDocument();
  });

  it('offers 3x3 (Classic), 4x4, 5x5 and 6x6; Apply changes the size and resets, Cancel does not', async () => {
    const { user } = open();
    await play(user, 0);
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    let dialog = await screen.findByRole('dialog');
    const sizes = within(dialog).getAllByRole('radio');
    expect(sizes.map((size) => size.closest('label')?.textContent)).toEqual([
      '3x3 (Classic)3 in a row',
      '4x44 in a row',
      '5x54 in a row',
      '6x64 in a row',
    ]);
    await user.click(within(dialog).getByRole('radio', { name: /^6x6/ }));
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(cells()).toHaveLength(9);
    expect(cells()[0]).toHaveAttribute('data-content', 'X');

    await user.click(screen.getByRole('button', { name: 'Settings' }));
    dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByRole('radio', { name: /^3x3/ })).toBeChecked();
    await user.click(within(dialog).getByRole('radio', { name: /^4x4/ }));
    await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
    expect(cells()).toHaveLength(16);
    expect(cells().every((cell) => cell.dataset.content === '')).toBe(true);
    await play(user, 0, 4, 1, 5, 2);
    expect(title()).toHaveTextContent("O's Turn");
    await play(user, 6, 3);
    expect(title()).toHaveTextContent('X Won!');
  });

  it('continues after a reload of the tab', async () => {
    const { user, unmount } = open();
    await play(user, 4, 0);
    unmount();
    open();
    expect(cells()[4]).toHaveAttribute('data-content', 'X');
    expect(title()).toHaveTextContent("X's Turn");
  });

  it.each([
    'nonsense',
    '{"size":7,"starter":"X","moves":[],"won":{"X":0,"O":0}}',
    '{"size":3,"starter":"X","moves":[[9,9]],"won":{"X":0,"O":0}}',
  ])('starts over when the tab had stored %s', (kept) => {
    sessionStorage.setItem('morpion_practice_local', kept);
    open();
    expect(cells()).toHaveLength(9);
    expect(title()).toHaveTextContent("X's Turn");
  });
});
