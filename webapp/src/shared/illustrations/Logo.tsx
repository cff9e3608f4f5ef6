import classes from './strokes.module.css';
import { Cross, Drawing, Ring } from './Drawing';

/** The two marks, side by side. */
export function Logo({ className }: { className?: string | undefined }) {
  return (
    <Drawing width={72} height={36} className={className}>
      <g className={classes.bold}>
        <Cross x={2} y={2} size={32} />
        <Ring x={38} y={2} size={32} />
      </g>
    </Drawing>
  );
}
