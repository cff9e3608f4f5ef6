import type { CSSProperties, ReactNode } from 'react';
import classes from './strokes.module.css';

interface DrawingProps {
  width: number;
  height: number;
  className?: string | undefined;
  children: ReactNode;
}

/** The SVG of every illustration: strokes in the text's colour, as wide as its container. */
export function Drawing({ width, height, className, children }: DrawingProps) {
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className={[classes.drawing, className].filter(Boolean).join(' ')}
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

/** The props of an animated stroke with its place in the order; without one it is static. */
export function drawn(turn: number | undefined) {
  if (turn === undefined) return {};
  return { className: classes.drawn, pathLength: 1, style: { '--at': turn } as CSSProperties };
}

interface MarkProps {
  /** Top left corner. */
  x: number;
  y: number;
  size: number;
  /** Its place in the order of strokes; absent for a mark that is not animated. */
  turn?: number;
}

/** An X as a pen draws it, in two strokes. */
export function Cross({ x, y, size, turn }: MarkProps) {
  return (
    <g className={classes.x} transform={`translate(${x} ${y}) scale(${size / 48})`}>
      <path d="M4 5.5c13.5 11.5 27 25 39 38" {...drawn(turn)} />
      <path d="M43.5 3.5C29 16.5 16 29.5 4.5 45" {...drawn(turn === undefined ? undefined : turn + 1)} />
    </g>
  );
}

/** An O in one stroke that overshoots where it began. */
export function Ring({ x, y, size, turn }: MarkProps) {
  return (
    <g className={classes.o} transform={`translate(${x} ${y}) scale(${size / 48})`}>
      <path d="M28 4C13 2 3 13 4 26c1 12 11 19 22 18 12-1 20-11 18-24C42 9 34 3 22 5" {...drawn(turn)} />
    </g>
  );
}
