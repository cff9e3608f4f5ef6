import classes from './Sparkline.module.css';

/** The sheet, in its own units; it is as wide as its container. */
const WIDTH = 96;
const HEIGHT = 28;
/** Of a bar's place: how much it takes. */
const FILL = 0.72;
/** One of many should be seen, too. */
const LOWEST = 2;

interface SparklineProps {
  /** One a bar, the oldest first. */
  values: number[];
  /** In whose colour. */
  kind: 'error' | 'warning' | 'info' | 'debug' | 'all';
}

/** A day in small bars. It only accompanies numbers. */
export function Sparkline({ values, kind }: SparklineProps) {
  const most = Math.max(...values, 0);
  const step = WIDTH / Math.max(1, values.length);
  const height = (value: number) => (value === 0 ? 0 : LOWEST + (value / most) * (HEIGHT - 2 - LOWEST));
  return (
    <svg
      className={classes.spark}
      data-kind={kind}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {values.map((value, at) => (
        <rect
          key={at}
          x={at * step + (step * (1 - FILL)) / 2}
          y={HEIGHT - 1 - height(value)}
          width={step * FILL}
          height={height(value)}
        />
      ))}
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
    </svg>
  );
}
