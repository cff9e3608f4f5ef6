import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { baseCellPx, Board, type BoardProps } from './Board';
import { crossStrokes, ringStroke, ruledLines, strikeStroke } from './pen';
import { STRIKE_AFTER_MS, STROKE_GAP_MS, STROKE_MS } from './timing';

const EMPTY = [
  ['', '', ''],
  ['', '', ''],
  ['', '', ''],
];
const STARTED = [
  ['', 'X', ''],
  ['', 'O', ''],
  ['', '', ''],
];

function board(props: Partial<BoardProps> = {}) {
  return <Board size={3} cells={EMPTY} label="Board of 3 by 3" turn="X" {...props} />;
}

function cell(row: number, col: number): HTMLElement {
  return screen.getByRole('gridcell', { name: new RegExp(`^Row ${row}, column ${col}, `) });
}

function strokes(container: HTMLElement, d: string): SVGPathElement | null {
  return container.querySelector<SVGPathElement>(`svg > g path[d="${d}"]`);
}

describe('a hint', () => {
  it.each([
    ['X', crossStrokes(1, 2)],
    ['O', [ringStroke(1, 2)]],
  ] as const)('is a dashed %s in its cell', (turn, expected) => {
    const { container } = render(board({ turn, hint: { row: 1, col: 2 } }));
    const [hint, ...others] = container.querySelectorAll('svg > g[transform="translate(200 100)"]');
    expect(others).toEqual([]);
    expect(hint?.getAttribute('class')).toContain('hint');
    expect([...(hint?.querySelectorAll('path') ?? [])].map((path) => path.getAttribute('d'))).toEqual(expected);
  });
});

describe('for screen readers', () => {
  it('the board is a grid of rows of named cells', () => {
    render(board({ cells: STARTED }));
    const rows = within(screen.getByRole('grid', { name: 'Board of 3 by 3' })).getAllByRole('row');
    expect(rows).toHaveLength(3);
    const names = rows.map((row) =>
      within(row)
        .getAllByRole('gridcell')
        .map((each) => each.getAttribute('aria-label')),
    );
    expect(names[0]).toEqual(['Row 1, column 1, empty', 'Row 1, column 2, X', 'Row 1, column 3, empty']);
    expect(names[1]?.[1]).toBe('Row 2, column 2, O');
  });

  it('moves are announced in one permanent region', () => {
    const { rerender } = render(board({ announcement: '' }));
    const region = screen.getByRole('status');
    rerender(board({ announcement: 'X played row 1, column 1.' }));
    expect(region).toHaveTextContent('X played row 1, column 1.');
  });
});

describe('playing', () => {
  it('plays empty cells by click, and no others', async () => {
    const onPlay = vi.fn();
    const user = userEvent.setup();
    render(board({ cells: STARTED, onPlay }));
    await user.click(cell(1, 2));
    expect(cell(1, 2)).toHaveAttribute('aria-disabled', 'true');
    expect(onPlay).not.toHaveBeenCalled();
    await user.click(cell(3, 1));
    expect(onPlay.mock.calls).toEqual([[2, 0]]);
  });

  it('plays nothing while disabled, but can be walked', async () => {
    const onPlay = vi.fn();
    const user = userEvent.setup();
    render(board({ disabled: true, onPlay }));
    await user.tab();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(cell(2, 1)).toHaveFocus();
    await user.click(cell(1, 1));
    expect(onPlay).not.toHaveBeenCalled();
  });

  it('is one stop of the Tab key, and the arrows, Home and End lead through it', async () => {
    const onPlay = vi.fn();
    const user = userEvent.setup();
    render(board({ onPlay }));
    await user.tab();
    expect(cell(1, 1)).toHaveFocus();
    await user.keyboard('{ArrowRight}{ArrowDown}');
    expect(cell(2, 2)).toHaveFocus();
    expect(screen.getAllByRole('gridcell').filter((each) => each.tabIndex === 0)).toEqual([cell(2, 2)]);
    await user.keyboard('{End}');
    expect(cell(2, 3)).toHaveFocus();
    await user.keyboard('{ArrowRight}{ArrowUp}{ArrowUp}{Home}');
    expect(cell(1, 1)).toHaveFocus();
    await user.keyboard('{Control>}{End}{/Control}');
    expect(cell(3, 3)).toHaveFocus();
    await user.keyboard('{Enter}{ArrowLeft} ');
    expect(onPlay.mock.calls).toEqual([
      [2, 2],
      [2, 1],
    ]);
    await user.tab();
    expect(document.body).toHaveFocus();
  });

  it('keeps its place in the Tab order when the board shrinks', () => {
    const big = Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => ''));
    const { rerender } = render(board({ size: 6, cells: big }));
    fireEvent.focus(cell(6, 6));
    rerender(board());
    expect(cell(3, 3)).toHaveProperty('tabIndex', 0);
  });
});

describe('drawing', () => {
  it('animates new marks, not those already there', () => {
    const { container, rerender } = render(board({ cells: STARTED }));
    const found = strokes(container, ringStroke(1, 1));
    expect(found).not.toBeNull();
    expect(container.querySelector('[pathLength]')).toBeNull();
    rerender(board({ cells: [...STARTED.slice(0, 2), ['X', '', '']] }));
    expect(strokes(container, ringStroke(1, 1))).toBe(found);
    const played = crossStrokes(2, 0).map((d) => strokes(container, d));
    expect(played.map((path) => path?.getAttribute('pathLength'))).toEqual(['1', '1']);
    expect(played[1]).toHaveStyle({ '--delay': `${STROKE_MS.X + STROKE_GAP_MS}ms` });
  });

  it('takes 180 to 260 ms for a mark, and strikes the line through after it', () => {
    const cross = 2 * STROKE_MS.X + STROKE_GAP_MS;
    for (const mark of [cross, STROKE_MS.O]) {
      expect(mark).toBeGreaterThanOrEqual(180);
      expect(mark).toBeLessThanOrEqual(260);
      expect(mark).toBeLessThan(STRIKE_AFTER_MS);
    }
  });

  it('draws a mark the same in the same cell, and differently in others', () => {
    expect(ringStroke(1, 2)).toBe(ringStroke(1, 2));
    expect(new Set([ringStroke(1, 1), ringStroke(1, 2), ringStroke(2, 1), ringStroke(2, 2)]).size).toBe(4);
    expect(crossStrokes(0, 0)).not.toEqual(crossStrokes(0, 1));
  });

  it('strikes the line through in one stroke', () => {
    const line = [
      [0, 0],
      [1, 1],
      [2, 2],
    ];
    const cells = [
      ['O', '', 'X'],
      ['', 'O', 'X'],
      ['', '', 'O'],
    ];
    const { container } = render(board({ cells, winningLine: line }));
    expect(strokes(container, strikeStroke(line))).not.toBeNull();
  });

  it.each([3, 4, 5, 6])('rules %i × %i with lines between the cells only', (size) => {
    expect(ruledLines(size)).toHaveLength(2 * (size - 1));
  });

  it('gives a cell 80 px up to 4 × 4 and 60 px beyond', () => {
    expect([3, 4, 5, 6].map(baseCellPx)).toEqual([80, 80, 60, 60]);
    const { container } = render(board());
    expect(container.firstElementChild).toHaveStyle({ '--base': '240px' });
  });
});

describe('the mark under the pointer', () => {
  it('is shown only on cells that can be played', () => {
    const { rerender } = render(board({ cells: STARTED }));
    expect(cell(1, 1).querySelector('svg')).not.toBeNull();
    expect(cell(1, 2).querySelector('svg')).toBeNull();
    rerender(board({ cells: STARTED, disabled: true }));
    expect(cell(1, 1).querySelector('svg')).toBeNull();
  });
});
