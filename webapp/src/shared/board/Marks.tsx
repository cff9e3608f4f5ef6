import { type CSSProperties, useEffect, useState } from 'react';
import classes from './Board.module.css';
import { CELL, crossStrokes, ringStroke, strikeStroke } from './pen';
import { playMark, playStrike } from './sound';
import { STRIKE_AFTER_MS, STRIKE_MS, STROKE_GAP_MS, STROKE_MS } from './timing';

interface StrokeProps {
  d: string;
  /** Absent for a stroke that is not animated. */
  timing?: { delay: number; duration: number } | undefined;
}

/** One stroke, animated if it has a timing. Its length counts as 1. */
function Stroke({ d, timing }: StrokeProps) {
  if (timing === undefined) return <path d={d} />;
  const style = { '--delay': `${timing.delay}ms`, '--duration': `${timing.duration}ms` } as CSSProperties;
  return <path d={d} pathLength={1} className={classes.drawn} style={style} />;
}

interface PlacedMarkProps {
  mark: string;
  row: number;
  col: number;
  /** Whether it is played now, rather than on the board already. */
  isNew: boolean;
  isFaint?: boolean;
  /** Drawn without its sound. */
  isSilent?: boolean | undefined;
}

/** A mark in its cell. */
export function PlacedMark({ mark, row, col, isNew, isFaint = false, isSilent = false }: PlacedMarkProps) {
  // A drawn mark is not animated again by later renders.
  const [isDrawn] = useState(isNew);
  useEffect(() => {
    if (isDrawn && !isSilent) playMark(mark);
  }, [isDrawn, isSilent, mark]);
  return (
    <g
      className={mark === 'X' ? classes.x : classes.o}
      data-faint={isFaint}
      transform={`translate(${col * CELL} ${row * CELL})`}
    >
      <MarkStrokes mark={mark} row={row} col={col} isDrawn={isDrawn} />
    </g>
  );
}

/** A preview of a mark in a cell. */
export function HintedMark({ mark, row, col }: Omit<PlacedMarkProps, 'isNew' | 'isFaint' | 'isSilent'>) {
  return (
    <g
      className={`${classes.hint} ${mark === 'X' ? classes.x : classes.o}`}
      transform={`translate(${col * CELL} ${row * CELL})`}
    >
      <MarkStrokes mark={mark} row={row} col={col} isDrawn={false} />
    </g>
  );
}

function MarkStrokes({ mark, row, col, isDrawn }: { mark: string; row: number; col: number; isDrawn: boolean }) {
  if (mark !== 'X') {
    return <Stroke d={ringStroke(row, col)} timing={isDrawn ? { delay: 0, duration: STROKE_MS.O } : undefined} />;
  }
  return crossStrokes(row, col).map((d, turn) => (
    <Stroke
      key={d}
      d={d}
      timing={isDrawn ? { delay: turn * (STROKE_MS.X + STROKE_GAP_MS), duration: STROKE_MS.X } : undefined}
    />
  ));
}

interface MarkDrawingProps {
  mark: string;
  /** The cell whose variant of the mark is used. */
  row?: number;
  col?: number;
  className?: string | undefined;
}

/** The margin around a mark in its cell, in its units. */
const MARGIN = 14;

/** A mark as large as its container: beside a player's name, or as a preview. */
export function MarkDrawing({ mark, row = 0, col = 0, className }: MarkDrawingProps) {
  return (
    <svg
      viewBox={`${MARGIN} ${MARGIN} ${CELL - 2 * MARGIN} ${CELL - 2 * MARGIN}`}
      className={[classes.markDrawing, className].filter(Boolean).join(' ')}
      aria-hidden="true"
      focusable="false"
    >
      <g className={mark === 'X' ? classes.x : classes.o}>
        <MarkStrokes mark={mark} row={row} col={col} isDrawn={false} />
      </g>
    </svg>
  );
}

interface StrikeProps {
  line: readonly (readonly number[])[];
  /** Whose line it is. */
  mark: string;
  isNew: boolean;
  isSilent?: boolean | undefined;
}

/** The stroke through a complete line. */
export function Strike({ line, mark, isNew, isSilent = false }: StrikeProps) {
  const [isDrawn] = useState(isNew);
  useEffect(() => {
    if (isDrawn && !isSilent) playStrike();
  }, [isDrawn, isSilent]);
  return (
    <g className={`${classes.strike} ${mark === 'X' ? classes.x : classes.o}`}>
      <Stroke d={strikeStroke(line)} timing={isDrawn ? { delay: STRIKE_AFTER_MS, duration: STRIKE_MS } : undefined} />
    </g>
  );
}
