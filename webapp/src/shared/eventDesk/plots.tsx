import { ruledBar } from '@/shared/board/pen';
import { dateTime } from '@/shared/events/times';
import { CEILING, FLOOR, HEIGHT, Plot, WIDTH } from '@/shared/plots/Plot';
import classes from '@/shared/plots/Plot.module.css';
import type { Growth, LevelCount } from './statistics';

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
    <Plot
      label={`Players by level. ${told.join('; ')}.`}
      caption={
        <>
          Players by level: <span className={classes.keyIn}>in</span>,{' '}
          <span className={classes.keyOut}>eliminated</span>
        </>
      }
    >
      {levels.map(({ level, playing, eliminated }, index) => {
        const x = index * step + (step - width) / 2;
        const total = playing + eliminated;
        const bar = (to: number, count: number, seed: number) =>
          count > 0 && ruledBar(x, FLOOR - height(to), width, height(count), index * 2 + seed);
        const [inside, outside] = [bar(playing, playing, 0), bar(total, eliminated, 1)];
        return (
          <g key={level}>
            {inside && <path className={classes.in} d={inside} />}
            {outside && <path className={classes.out} d={outside} />}
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
    </Plot>
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
    <Plot
      label={`Registrations: from the first on ${from} to ${last.count} on ${to}.`}
      caption="Registrations over time"
    >
      <path className={classes.area} d={`M0 ${FLOOR}${steps}V${FLOOR}Z`} />
      <path className={classes.line} d={`M0 ${FLOOR}${steps}`} />
      <text className={`${classes.number} ${classes.end}`} x={WIDTH} y={CEILING - 6}>
        {last.count}
      </text>
      <text className={classes.start} x={0} y={HEIGHT - 5}>
        {day(first.at)}
      </text>
      <text className={classes.end} x={WIDTH} y={HEIGHT - 5}>
        {day(last.at)}
      </text>
    </Plot>
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
