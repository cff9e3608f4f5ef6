import { Cross, Drawing, drawn, Ring } from './Drawing';
import classes from './strokes.module.css';

/** A sheet torn off a pad, a game on it won along the diagonal, and the pencil that won it. */
export function HeroDrawing({ className }: { className?: string | undefined }) {
  return (
    <Drawing width={440} height={420} className={className}>
      <g transform="rotate(-4 210 214)">
        <path
          className={classes.paper}
          d="M48 44c95-5 213-6 312-1 3 92 5 219-1 318-37 3-62-1-97 3-37 4-71-3-106 1-38 4-72-1-109-1-5-95-3-224 1-320Z"
        />
        <g className={classes.soft}>
          {[94, 146, 198, 250, 302].map((x) => (
            <path key={x} d={`M${x} 34c-8 1-9 18-1 19 7 0 8-14 1-15`} />
          ))}
        </g>
        <g className={classes.grid}>
          <path d="M162 92c-3 73-1 144 2 222" {...drawn(0)} />
          <path d="M246 88c3 72-1 152 0 226" {...drawn(1)} />
          <path d="M84 160c79-4 162-2 240-1" {...drawn(2)} />
          <path d="M82 244c76 2 158-3 244 0" {...drawn(3)} />
        </g>
        <Cross x={98} y={98} size={46} turn={4} />
        <Ring x={264} y={98} size={46} turn={6} />
        <Cross x={182} y={180} size={46} turn={7} />
        <Ring x={98} y={180} size={46} turn={9} />
        <Cross x={264} y={262} size={46} turn={10} />
        <g className={classes.strike}>
          <path d="M80 82c80 78 164 160 254 246" {...drawn(13)} />
        </g>
      </g>
      <g transform="translate(336 352) rotate(-52)">
        <path className={classes.fill} d="M-6-12 96-13c2 8 2 17 0 25L-6 13Z" />
        <path d="M-7-12-34 0l27 13M96-13c7-1 15-1 21 1 3 7 3 15 0 22-6 2-14 3-21 2M-7-12c34-2 68-1 103-1 2 8 2 17 0 25-35 2-69 0-103 1" />
        <path className={classes.soft} d="M-4 0C28-1 61 0 94-1M-27-4l1 8" />
      </g>
    </Drawing>
  );
}
