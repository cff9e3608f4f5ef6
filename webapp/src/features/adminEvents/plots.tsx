import { dateTime } from '@/shared/events/times';
import classes from './plots.module.css';
import type { Growth, LevelCount } from './statistics';

/** The size of the plots in SVG units; they scale to their container. */
const WIDTH = 320;
const HEIGHT = 150;
/** Space for the labels below and the number above the highest bar. */
const FLOOR = HEIGHT - 22;
const CEILING = 18;

/** Players per level; eliminated ones are outlined on top of those still in the event. */
export function LevelPlot({ levels }: { levels: LevelCount[] }) {
  const most = Math.max(1, ...levels.map(({ playing, eliminated }) => playing + eliminated));
  const step = WIDTH / levels.length;
  const width = Math.min(36, step * 0.7);
  const height = (count: number) => (count / most) * (FLOOR - CEILING);
  // With more levels the labels would overlap.
  const every = Math.ceil(levels.length / 12);
  const told = levels.map(({ level, playing, eliminated }) => `level ${level}: ${playing} in, ${eliminated} out`);
  return (
    <figure className={classes.figure}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Players by level. ${told.join('; ')}.`}>
        {levels.map(({ level, playing, eliminated }, index) => {
          const x = index * step + (step - width) / 2;
          const total = playing + eliminated;
          return (
            <g key={level}>
              <rect className={classes.in} x={x} y={FLOOR - height(playing)} width={width} height={height(playing)} />
              <rect className={classes.out} x={x} y={FLOOR - height(total)} width={width} height={height(eliminated)} />
              {index % every === 0 && (
                <>
                  {total > 0 && (
                    <text className={classes.number} x={x + width / 2} y={FLOOR - height(total) - 5}>
                      {total}
                    </text>
                  )}
                  <text x={x + width / 2} y={HEIGHT - 5}>
                    {level}
                  </text>
                </>
              )}
            </g>
          );
        })}
        <path className={classes.floor} d={`M0 ${FLOOR}H${WIDTH}`} />
      </svg>
      <figcaption>
        Players by level: <span className={classes.keyIn}>in</span>, <span className={classes.keyOut}>eliminated</span>
      </figcaption>
    </figure>
  );
}

/** Registrations closer together than this, in milliseconds, count as one point in time: there is no growth to draw. */
const MIN_SPAN = 60_000;

/** Registrations over time, as a step plot. */
export function GrowthPlot({ growth }: { growth: Growth[] }) {
  const first = growth[0];
  const last = growth.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < MIN_SPAN) return null;
  const x = (at: number) => (((at - first.at) / (last.at - first.at)) * WIDTH).toFixed(1);
  const y = (count: number) => (FLOOR - (count / last.count) * (FLOOR - CEILING)).toFixed(1);
  const steps = growth.map(({ at, count }) => `H${x(at)}V${y(count)}`).join('');
  const from = dateTime(new Date(first.at).toISOString());
  const to = dateTime(new Date(last.at).toISOString());
  return (
    <figure className={classes.figure}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Registrations: from the first on ${from} to ${last.count} on ${to}.`}
      >
        <path className={classes.area} d={`M0 ${FLOOR}${steps}V${FLOOR}Z`} />
        <path className={classes.line} d={`M0 ${FLOOR}${steps}`} />
        <path className={classes.floor} d={`M0 ${FLOOR}H${WIDTH}`} />
        <text className={`${classes.number} ${classes.end}`} x={WIDTH} y={CEILING - 6}>
          {last.count}
        </text>
        <text className={classes.start} x={0} y={HEIGHT - 5}>
          {day(first.at)}
        </text>
        <text className={classes.end} x={WIDTH} y={HEIGHT - 5}>
          {day(last.at)}
        </text>
      </svg>
      <figcaption>Registrations over time</figcaption>
    </figure>
  );
}

function day(at: number): string {
  return new Intl.DateTimeFormat(undefined, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);
}
