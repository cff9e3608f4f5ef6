import classes from './Sparkline.module.css';

/** The size in SVG units; it scales to its container. */
const WIDTH = 96;
const HEIGHT = 28;
/** The share of a bar's slot that it fills. */
const FILL = 0.72;
/** A single record must still be visible. */
const LOWEST = 2;

interface SparklineProps {
  /** One value per bar, oldest first. */
  values: number[];
  /** The level whose colour is used. */
  kind: 'error' | 'warning' | 'info' | 'debug' | 'all';
}

/** A day as small bars; decoration beside the numbers. */
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
