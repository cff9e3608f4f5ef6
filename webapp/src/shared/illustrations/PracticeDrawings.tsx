import { Cross, Drawing, Ring } from './Drawing';
import classes from './strokes.module.css';

interface Props {
  className?: string | undefined;
}

/** Two people, one table, one device between them. */
export function LocalDrawing({ className }: Props) {
  return (
    <Drawing width={240} height={160} className={className}>
      <path className={classes.paper} d="M84 62c24-2 49-2 72 0 2 21 3 46 0 70-24 3-49 2-72 0-3-23-2-48 0-70Z" />
      <path
        className={classes.soft}
        d="M108 70c-1 19 0 37 1 54M132 69c1 19 0 38 0 55M91 86c19-1 39-1 58 0M90 109c20 1 39 0 59 0"
      />
      <Cross x={91} y={70} size={13} />
      <Ring x={114} y={90} size={14} />
      <Cross x={137} y={112} size={13} />
      <path d="M44 46c-10-1-17 7-16 16 1 10 9 15 18 14 9-2 14-10 12-19-2-7-8-11-16-11" />
      <path d="M22 140c0-24 6-44 24-46 13 0 20 9 31 17" />
      <path d="M198 46c10 0 17 8 15 17-1 9-9 14-18 12-8-2-13-9-11-18 2-7 8-11 16-10" />
      <path d="M219 140c1-25-7-45-25-46-12 0-20 9-30 17" />
      <path className={classes.soft} d="M10 142c72-3 148-2 220 0" />
      <path className={classes.accent} d="M112 30c2-8 14-8 16 0M104 22c6-14 26-14 32 0" />
    </Drawing>
  );
}

/** A small machine that has thought of everything. */
export function AiDrawing({ className }: Props) {
  return (
    <Drawing width={240} height={160} className={className}>
      <path className={classes.paper} d="M74 52c30-3 62-2 92 0 3 20 3 46 0 68-29 3-61 3-91 0-4-23-4-46-1-68Z" />
      <path d="M120 51c0-9 1-15 0-23" />
      <path className={classes.fill} d="M120 12c-6 0-9 4-9 8 1 5 5 8 9 7 6 0 9-4 8-8-1-5-4-7-8-7Z" />
      <Cross x={88} y={68} size={24} />
      <Ring x={128} y={68} size={24} />
      <path d="M98 106c14 5 29 5 44-1" />
      <path d="M74 74c-8 0-14 2-15 8-1 7 1 14 3 18 3 4 8 3 13 3M167 74c8 0 14 2 15 8 1 7-1 14-3 18-3 4-8 3-13 3" />
      <path d="M96 122c-1 8-2 14-5 20M144 122c1 8 2 14 5 20" />
      <path
        className={classes.soft}
        d="M36 142c56-3 112-2 168 0M30 40c6-2 10-2 15 0M26 56c9-3 14-2 20 1M210 40c-6-2-10-2-15 0M214 56c-9-3-14-2-20 1"
      />
    </Drawing>
  );
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
