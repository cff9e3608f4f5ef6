import type { ChangeEvent } from 'react';
import classes from './ValueGraph.module.css';

interface ValueGraphProps {
  /** For X before the first move and after each: 1 a win, 0 a draw, -1 a loss; null unproven, undefined if not known yet. */
  worth: readonly (number | null | undefined)[];
  /** Number of moves on the board. */
  ply: number;
  /** The position in words. */
  valueText: string;
  onSeek: (ply: number) => void;
}

const HEIGHT = 40;
const LEVEL = { top: 6, middle: 20, bottom: 34 };

function level(worth: number): number {
  return worth > 0 ? LEVEL.top : worth < 0 ? LEVEL.bottom : LEVEL.middle;
}

/** The value after each move, a win for X above and for O below; dragging moves through the game. */
export function ValueGraph({ worth, ply, valueText, onSeek }: ValueGraphProps) {
  const last = worth.length - 1;
  const seek = (event: ChangeEvent<HTMLInputElement>) => onSeek(Number(event.target.value));
  return (
    <div className={classes.graph}>
      <div className={classes.scale} aria-hidden="true">
        <b data-mark="X">X</b>
        <span>=</span>
        <b data-mark="O">O</b>
      </div>
      <div className={classes.plot}>
        <svg
          viewBox={`-0.5 0 ${worth.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          className={classes.sheet}
          aria-hidden="true"
          focusable="false"
        >
          {worth.map(
            (each, at) =>
              each !== null &&
              each !== undefined &&
              each !== 0 && (
                <rect
                  key={at}
                  className={classes.side}
                  data-mark={each > 0 ? 'X' : 'O'}
                  x={at - 0.5}
                  width={1}
                  y={Math.min(level(each), LEVEL.middle)}
                  height={LEVEL.middle - LEVEL.top}
                />
              ),
          )}
          <path className={classes.middle} d={`M-0.5 ${LEVEL.middle}H${last + 0.5}`} />
          {worth.map(
            (each, at) =>
              each === null && <path key={at} className={classes.unproven} d={`M${at} ${LEVEL.top}V${LEVEL.bottom}`} />,
          )}
          <path className={classes.value} d={steps(worth)} />
          <path className={classes.now} d={`M${ply} 1V${HEIGHT - 1}`} />
        </svg>
        <input
          type="range"
          min={0}
          max={last}
          value={ply}
          onChange={seek}
          className={classes.slider}
          aria-label="Move"
          aria-valuetext={valueText}
        />
      </div>
    </div>
  );
}

/** The path through the known values, with gaps where one is unknown. */
function steps(worth: ValueGraphProps['worth']): string {
  let path = '';
  let isDrawing = false;
  worth.forEach((each, at) => {
    if (each === null || each === undefined) {
      isDrawing = false;
      return;
    }
    path += `${isDrawing ? 'L' : 'M'}${at - 0.5} ${level(each)}H${at + 0.5}`;
    isDrawing = true;
  });
  return path;
}
