import { Cross, Drawing, Ring } from './Drawing';
import classes from './strokes.module.css';

interface Props {
  className?: string | undefined;
}

/** Two who stand on the same step. */
export function PairDrawing({ className }: Props) {
  return (
    <Drawing width={240} height={160} className={className}>
      <path
        className={classes.soft}
        d="M14 142c36-2 60-2 62-2 1-12 0-22 1-33 30-2 58-1 88 0 0 11 1 22 1 33 20 0 42 1 62 2"
      />
      <Cross x={84} y={58} size={32} />
      <Ring x={126} y={58} size={32} />
      <path d="M92 108c-1-5-1-10 0-14M112 108c0-5 1-9 1-13M134 108c-1-5-1-9 0-13M152 108c0-5 1-9 1-13" />
      <path className={classes.accent} d="M104 38c10-9 23-9 33-1M96 26c15-12 34-12 49 0" />
    </Drawing>
  );
}

/** A watch with a quarter of its turn gone: fifteen seconds. */
export function ClockDrawing({ className }: Props) {
  return (
    <Drawing width={240} height={160} className={className}>
      <path
        className={classes.paper}
        d="M122 38c-31-2-54 20-55 50-1 30 22 54 52 55 31 1 55-22 56-52 1-29-21-52-50-53"
      />
      <path className={classes.fill} d="M121 90c0-16 0-27 1-40 22 1 38 17 39 39-13 1-27 1-40 1Z" />
      <path d="M121 90c0-14 0-27 1-41M121 90c13 0 26-1 40-1" />
      <path d="M112 24c7-1 13-1 20 0M122 25c0 4 0 8-1 12M164 42c4-4 7-6 11-9" />
      <path
        className={classes.soft}
        d="M121 130c0 3 0 5-1 8M72 90c3 0 5 0 8 1M86 54c2 2 4 4 5 6M87 126c2-2 3-4 5-5M156 126c-2-2-4-4-5-6"
      />
    </Drawing>
  );
}

/** Boards that grow, step by step. */
export function LadderDrawing({ className }: Props) {
  return (
    <Drawing width={240} height={160} className={className}>
      <path className={classes.soft} d="M12 144c72-3 144-2 216 0" />
      <path d="M34 96c-1 16 0 30 0 44M48 95c1 16 0 30 0 45M19 110c15-1 30-1 45 0M19 125c15 1 30 0 45 0" />
      <path d="M92 78c-1 21 0 41 1 62M107 77c1 22 0 42 0 63M122 78c0 21-1 41 0 62M77 93c20-1 40-1 61 0M77 109c20 1 40 0 61-1M77 124c20 0 40 1 61 0" />
      <path d="M165 52c-1 30 0 59 1 88M179 51c1 30 0 60 0 89M193 52c0 29-1 59 0 88M207 51c0 30 1 60 0 89M150 66c24-1 48-1 73 0M150 81c25 1 49 0 73-1M150 96c24 0 48 1 73 0M150 111c25-1 49 0 73 0M150 126c24 1 48 0 73-1" />
      <Cross x={36} y={112} size={11} />
      <Ring x={110} y={96} size={11} />
      <Cross x={181} y={98} size={11} />
      <path className={classes.accent} d="M26 76c28-30 70-52 124-56M136 12c5 3 10 5 15 8-4 4-8 8-11 13" />
    </Drawing>
  );
}

/** A paper with a seal on it: who you are, confirmed. */
export function SealDrawing({ className }: Props) {
  return (
    <Drawing width={240} height={160} className={className}>
      <path className={classes.paper} d="M42 30c52-3 104-3 156 0 2 34 2 66 0 98-52 3-104 3-156 0-2-33-2-66 0-98Z" />
      <path d="M78 56c-9-1-15 6-14 14 1 8 8 12 15 11 8-1 12-8 11-15-1-6-6-10-12-10M54 110c1-14 9-24 24-25 15 0 23 10 25 24" />
      <path className={classes.soft} d="M118 54c20-1 40-1 60 0M118 70c14-1 28 0 42 0" />
      <path className={classes.fill} d="M164 92c-11-1-19 7-18 17 0 10 8 17 18 16 10 0 17-8 16-17 0-9-7-16-16-16Z" />
      <path d="M154 109c3 3 5 5 7 8 5-7 9-12 14-17" />
      <path className={classes.x} d="M156 124c-2 8-3 15-5 22 5-2 9-3 13-4 4 2 7 3 12 5-2-8-4-15-5-22" />
    </Drawing>
  );
}
