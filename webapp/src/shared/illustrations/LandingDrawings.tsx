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

/** A cup of the kind one wins: for tournaments. */
export function CupDrawing({ className }: Props) {
  return (
    <Drawing width={240} height={160} className={className}>
      <path className={classes.paper} d="M86 26c22-2 46-2 68 0 0 34-6 62-34 66-28-4-35-32-34-66Z" />
      <path d="M86 36c-14-2-25-1-26 9 0 15 13 26 31 26M154 36c14-2 25-1 26 9 0 15-13 26-31 26" />
      <path d="M120 92c-1 9 0 16 0 22M98 138c1-14 8-23 22-24 14 1 21 10 22 24-14 2-30 2-44 0Z" />
      <Cross x={98} y={42} size={20} />
      <Ring x={122} y={42} size={20} />
      <path
        className={classes.accent}
        d="M44 22c2 6 4 10 9 13M38 60c5-1 9-1 13 0M196 22c-2 6-4 10-9 13M202 60c-5-1-9-1-13 0M120 4c-1 4-1 7 0 11"
      />
      <path className={classes.soft} d="M60 140c40-3 80-2 120 0" />
    </Drawing>
  );
}

/** A phone with a game on it. */
export function PhoneDrawing({ className }: Props) {
  return (
    <Drawing width={240} height={220} className={className}>
      <g transform="rotate(5 120 110)">
        <path
          className={classes.paper}
          d="M76 18c30-3 60-3 90-1 5 1 8 4 8 9 2 56 2 112 0 168-1 5-3 8-8 9-30 2-60 2-90 0-5-1-8-4-9-9-2-56-2-111 0-167 1-5 4-8 9-9Z"
        />
        <path className={classes.soft} d="M108 30c8-1 16-1 24 0M112 190c6-1 11-1 17 0" />
        <path
          className={classes.grid}
          d="M107 66c-2 30-1 60 1 90M136 64c2 31 0 62 0 93M80 96c27-2 54-1 82-1M79 126c28 1 55-1 83 0"
        />
        <Cross x={82} y={70} size={20} />
        <Ring x={112} y={100} size={20} />
        <Cross x={142} y={70} size={20} />
        <Ring x={82} y={131} size={20} />
      </g>
      <path
        className={classes.accent}
        d="M30 60c8 2 13 5 19 10M24 92c8-1 14-1 21 0M212 150c-7-2-13-4-18-8M216 118c-8 1-13 1-20 0"
      />
    </Drawing>
  );
}
