import { Cross, Drawing, Ring } from './Drawing';
import classes from './strokes.module.css';

interface Props {
  className?: string | undefined;
}

/** A move that flies to somebody far away, folded from paper. */
export function RemoteDrawing({ className }: Props) {
  return (
    <Drawing width={240} height={160} className={className}>
      <path className={classes.paper} d="M92 92 196 30l-34 84-27-14Z" />
      <path d="M92 92 196 30l-61 70 2 30 14-22" />
      <path
        className={classes.accent}
        strokeDasharray="2 11"
        d="M88 100c-22 14-40 40-66 30-20-9-6-36 14-26 14 8 10 28-6 40"
      />
      <Cross x={22} y={30} size={34} />
      <Ring x={188} y={108} size={34} />
      <path className={classes.soft} d="M70 40c8-10 22-10 28-2 10-5 20 2 19 11M196 84c4-5 11-5 14-1 5-2 11 1 10 6" />
    </Drawing>
  );
}
