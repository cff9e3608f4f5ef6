import type { ReactNode } from 'react';
import { ruledLine } from '@/shared/board/pen';
import classes from './Plot.module.css';

/** The size of the plots in SVG units; they scale to their container. */
export const WIDTH = 320;
export const HEIGHT = 150;
/** Space for the labels below and the number above the highest point. */
export const FLOOR = HEIGHT - 22;
export const CEILING = 18;

interface PlotProps {
  /** What it shows, in words. */
  label: string;
  caption: ReactNode;
  children: ReactNode;
}

/** The frame of a plot: a floor ruled by hand, and a caption. */
export function Plot({ label, caption, children }: PlotProps) {
  return (
    <figure className={classes.figure}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {children}
        <path className={classes.floor} d={ruledLine([0, FLOOR], [WIDTH, FLOOR], 5)} />
      </svg>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
