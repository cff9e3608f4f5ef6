import { type CSSProperties, type KeyboardEvent, useState } from 'react';
import classes from './Board.module.css';
import { HintedMark, MarkDrawing, PlacedMark, Strike } from './Marks';
import { CELL, ruledLines, ruledWidth, washOutline } from './pen';

export interface BoardCell {
  row: number;
  col: number;
}

export interface BoardProps {
  /** Cells a side, 3 to 6. */
  size: number;
  /** Row by row, 'X', 'O' or '' for an empty cell. A new array for a new position. */
  cells: readonly (readonly string[])[];
  /** The name of the board, for screen readers. */
  label: string;
  /** The cells of the complete line as row and column, or null. */
  winningLine?: readonly (readonly number[])[] | null;
  lastMove?: Readonly<BoardCell> | null;
  /** The cell of a mark that the server has not confirmed for a while: faint, and named so. */
  unconfirmed?: Readonly<BoardCell> | null;
  /** A cell to highlight, with a dashed mark of the player to move. */
  hint?: Readonly<BoardCell> | null;
  /** The mark that a click would place: shown faintly under the pointer. */
  turn?: string | null;
  /** No move is possible now; the cells can still be read by keyboard. */
  disabled?: boolean;
  /** Called for empty cells only, and never while disabled. */
  onPlay?: (row: number, col: number) => void;
  /** Announced to screen readers when it changes. */
  announcement?: string;
}

/** The minimum size of a cell in pixels; the board grows with its container. */
export function baseCellPx(size: number): number {
  return size <= 4 ? 80 : 60;
}

/** The minimum size of a board in pixels. */
export function boardPx(size: number): number {
  return size * baseCellPx(size);
}

export function cellLabel(row: number, col: number, content: string): string {
  return `Row ${row + 1}, column ${col + 1}, ${content || 'empty'}`;
}

function isAt(cell: BoardProps['unconfirmed'], row: number, col: number): boolean {
  return cell?.row === row && cell.col === col;
}

/** A board drawn by hand. It fills the width of its container. */
export function Board({
  size,
  cells,
  label,
  winningLine = null,
  lastMove = null,
  unconfirmed = null,
  hint = null,
  turn = null,
  disabled = false,
  onPlay,
  announcement,
}: BoardProps) {
  const style = { '--size': size, '--base': `${boardPx(size)}px` } as CSSProperties;
  return (
    <div className={classes.board} style={style} data-disabled={disabled} data-turn={turn}>
      <Sheet
        size={size}
        cells={cells}
        winningLine={winningLine}
        lastMove={lastMove}
        unconfirmed={unconfirmed}
        hint={hint}
        turn={turn}
      />
      <Cells
        size={size}
        cells={cells}
        label={label}
        unconfirmed={unconfirmed}
        turn={turn}
        disabled={disabled}
        onPlay={onPlay}
      />
      {announcement !== undefined && (
        <p role="status" className="visually-hidden">
          {announcement}
        </p>
      )}
    </div>
  );
}

type Shown<K extends keyof BoardProps> = Required<Pick<BoardProps, K>>;

type SheetProps = Shown<'size' | 'cells' | 'winningLine' | 'lastMove' | 'hint' | 'turn'> & {
  unconfirmed?: BoardProps['unconfirmed'];
  isSilent?: boolean;
};

/** The drawing. */
export function Sheet({ size, cells, winningLine, lastMove, unconfirmed, hint, turn, isSilent }: SheetProps) {
  const [found] = useState(cells);
  // Marks that were on the board at the first render are not animated.
  const isLive = cells !== found;
  const [firstRow = -1, firstCol = -1] = winningLine?.[0] ?? [];
  const winner = cells[firstRow]?.[firstCol];
  return (
    <svg viewBox={`0 0 ${size * CELL} ${size * CELL}`} className={classes.sheet} aria-hidden="true" focusable="false">
      {lastMove && <path className={classes.last} d={washOutline(lastMove.row, lastMove.col)} />}
      <g className={classes.ruled} strokeWidth={ruledWidth(size)}>
        {ruledLines(size).map((d) => (
          <path key={d} d={d} />
        ))}
      </g>
      {hint && turn !== null && <HintedMark mark={turn} row={hint.row} col={hint.col} />}
      {cells.map((contents, row) =>
        contents.map(
          (mark, col) =>
            mark !== '' && (
              <PlacedMark
                key={`${row} ${col} ${mark}`}
                mark={mark}
                row={row}
                col={col}
                isNew={isLive}
                isFaint={isAt(unconfirmed, row, col)}
                isSilent={isSilent}
              />
            ),
        ),
      )}
      {winningLine && winner && <Strike line={winningLine} mark={winner} isNew={isLive} isSilent={isSilent} />}
    </svg>
  );
}

type CellsProps = Shown<'size' | 'cells' | 'label' | 'unconfirmed' | 'turn' | 'disabled'> & {
  onPlay: BoardProps['onPlay'];
};

/** The cells as buttons over the drawing; the Tab key reaches one of them, the arrow keys the others. */
function Cells({ size, cells, label, unconfirmed, turn, disabled, onPlay }: CellsProps) {
  const [reached, setReached] = useState<BoardCell>({ row: 0, col: 0 });
  const tabStop = { row: Math.min(reached.row, size - 1), col: Math.min(reached.col, size - 1) };

  const play = (row: number, col: number, content: string) => {
    if (!disabled && content === '') onPlay?.(row, col);
  };

  const steer = (event: KeyboardEvent<HTMLButtonElement>, from: BoardCell) => {
    const to = reachedFrom(from, event, size);
    if (to === null) return;
    event.preventDefault();
    event.currentTarget
      .closest('[role=grid]')
      ?.querySelector<HTMLElement>(`[data-row="${to.row}"][data-col="${to.col}"]`)
      ?.focus();
  };

  return (
    <div role="grid" aria-label={label} className={classes.cells}>
      {cells.map((contents, row) => (
        <div key={row} role="row" className={classes.row}>
          {contents.map((content, col) => (
            <button
              key={col}
              type="button"
              role="gridcell"
              className={classes.cell}
              data-row={row}
              data-col={col}
              data-content={content}
              tabIndex={row === tabStop.row && col === tabStop.col ? 0 : -1}
              aria-label={cellLabel(row, col, content) + (isAt(unconfirmed, row, col) ? ', sending' : '')}
              aria-disabled={disabled || content !== ''}
              onFocus={() => setReached({ row, col })}
              onKeyDown={(event) => steer(event, { row, col })}
              onClick={() => play(row, col, content)}
            >
              {content === '' && turn !== null && !disabled && (
                <MarkDrawing mark={turn} row={row} col={col} className={classes.ghost} />
              )}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The cell a key moves to: arrows by a cell, Home and End in the row, with Ctrl in the board; null for other keys. */
function reachedFrom({ row, col }: BoardCell, { key, ctrlKey }: KeyboardEvent, size: number): BoardCell | null {
  const last = size - 1;
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(row - 1, 0), col };
    case 'ArrowDown':
      return { row: Math.min(row + 1, last), col };
    case 'ArrowLeft':
      return { row, col: Math.max(col - 1, 0) };
    case 'ArrowRight':
      return { row, col: Math.min(col + 1, last) };
    case 'Home':
      return { row: ctrlKey ? 0 : row, col: 0 };
    case 'End':
      return { row: ctrlKey ? last : row, col: last };
    default:
      return null;
  }
}
