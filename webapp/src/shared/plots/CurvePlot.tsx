import { CEILING, FLOOR, HEIGHT, Plot, WIDTH } from './Plot';
import classes from './Plot.module.css';

interface CurvePlotProps {
  /** In the order of time; at least two. */
  points: readonly { at: string; value: number }[];
  /** What it shows, in words. */
  label: string;
  caption: string;
}

/** The least difference between floor and ceiling: a few points more or less are no cliff. */
const MIN_SPAN = 60;
/** Room on the left for the values. */
const LEFT = 40;

/** A value after each of a number of steps; the highest and the lowest are written beside it. */
export function CurvePlot({ points, label, caption }: CurvePlotProps) {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const slack = Math.max(0, MIN_SPAN - (high - low)) / 2;
  const x = (at: number) => LEFT + (at / Math.max(1, points.length - 1)) * (WIDTH - LEFT - 6);
  const y = (value: number) => {
    const part = (value - (low - slack)) / (high - low + 2 * slack);
    return FLOOR - 8 - part * (FLOOR - 8 - CEILING);
  };
  const line = values.map((value, at) => `${at === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const last = points.at(-1);
  if (last === undefined) return null;
  return (
    <Plot label={label} caption={caption}>
      <path className={classes.area} d={`${line}V${FLOOR}H${LEFT}Z`} />
      <path className={classes.line} d={line} />
      <circle className={classes.dot} cx={x(points.length - 1)} cy={y(last.value)} r={4.5} />
      <text className={classes.start} x={0} y={y(high) + 4}>
        {high}
      </text>
      {y(low) - y(high) > 16 && (
        <text className={classes.start} x={0} y={y(low) + 4}>
          {low}
        </text>
      )}
      <text className={classes.start} x={LEFT} y={HEIGHT - 5}>
        {day(points[0]?.at ?? last.at)}
      </text>
      <text className={classes.end} x={WIDTH} y={HEIGHT - 5}>
        {day(last.at)}
      </text>
    </Plot>
  );
}

function day(at: string): string {
  return new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' }).format(new Date(at));
}
