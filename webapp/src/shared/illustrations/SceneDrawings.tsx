import { Cross, Drawing, Ring } from './Drawing';
import classes from './strokes.module.css';

interface Props {
  className?: string | undefined;
}

/** An empty grid and a pencil at rest: nothing here yet. */
export function EmptyDrawing({ className }: Props) {
  return (
    <Drawing width={200} height={130} className={className}>
      <path
        className={classes.soft}
        d="M76 18c-2 30-1 60 1 92M122 16c2 31-1 62 0 94M40 46c40-2 81-1 120-1M38 82c41 1 82-2 123 0"
      />
      <g transform="translate(94 96) rotate(-14)">
        <path className={classes.fill} d="M0-6 64-7v14L0 7Z" />
        <path d="M0-7-15 0 0 7M0-7c21-1 43-1 64 0 1 5 1 9 0 14-21 1-43 1-64 0-1-5-1-9 0-14ZM64-7c4 0 8 0 11 1 2 4 2 8 0 12-3 1-7 1-11 1" />
      </g>
    </Drawing>
  );
}

/** A board that lost its way: the last O rolls off the sheet. */
export function LostDrawing({ className }: Props) {
  return (
    <Drawing width={320} height={200} className={className}>
      <path d="M70 34c-2 38-1 76 1 116M116 32c2 39-1 78 0 118M26 70c40-2 82-1 134-1M24 112c42 1 84-2 138 0" />
      <Cross x={30} y={32} size={30} />
      <Cross x={78} y={76} size={30} />
      <Ring x={122} y={32} size={30} />
      <path
        className={classes.soft}
        strokeDasharray="3 10"
        d="M140 132c22 6 26 38 52 38 20-1 22-24 44-24 18 0 22 18 34 18"
      />
      <Ring x={262} y={140} size={44} />
      <path className={classes.soft} d="M206 188c36-2 72-2 106 0" />
      <path
        className={classes.accent}
        d="M226 58c-2-16 12-26 26-22 15 5 16 22 4 30-8 6-13 9-12 20M245 100c0 1 0 1 1 2"
      />
    </Drawing>
  );
}

/** A page that was torn in two. */
export function TornDrawing({ className }: Props) {
  return (
    <Drawing width={320} height={200} className={className}>
      <path
        className={classes.paper}
        d="M70 30c30-2 58-2 86 0l-14 26 16 22-18 24 14 24-12 40c-24 2-48 2-72 0-3-44-3-92 0-136Z"
      />
      <path
        className={classes.paper}
        d="M186 38c24-2 44-1 66 0 3 44 2 90-1 134-24 2-46 2-70-1l12-38-14-24 18-24-16-22Z"
      />
      <Cross x={86} y={72} size={42} />
      <Ring x={200} y={84} size={42} />
    </Drawing>
  );
}

/** A ticket that is torn off at the door. */
export function TicketDrawing({ className }: Props) {
  return (
    <Drawing width={240} height={120} className={className}>
      <path
        className={classes.paper}
        d="M26 28c62-2 124-2 188 0 1 8 0 14 0 20-9 0-14 5-14 12 0 8 6 12 14 12 0 8 0 15-1 22-62 2-124 2-187 0-1-7-1-14 0-22 8-1 13-5 13-12 0-8-5-12-13-12-1-7-1-13 0-20Z"
      />
      <path className={classes.soft} strokeDasharray="2 9" d="M160 32c1 19 1 38 0 58" />
      <Cross x={62} y={46} size={28} />
      <Ring x={106} y={46} size={28} />
      <path className={classes.accent} d="M176 50c5 0 9-1 14 0M175 61c5 1 10 0 15 0M176 72c4 0 9 1 13 0" />
    </Drawing>
  );
}
