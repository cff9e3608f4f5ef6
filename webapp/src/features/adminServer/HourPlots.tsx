import type { HistorySample } from '@/api/admin';
import { clockTime } from '@/shared/events/times';
import { CEILING, FLOOR, HEIGHT, Plot, WIDTH } from '@/shared/plots/Plot';
import plot from '@/shared/plots/Plot.module.css';
import classes from './ServerPage.module.css';
import { bytesText } from './serverFormat';

interface Figure {
  title: string;
  of: (sample: HistorySample) => number | undefined;
  text: (value: number) => string;
}

const plain = (value: number) => String(Math.round(value));

const FIGURES: Figure[] = [
  { title: 'Connections', of: ({ sockets }) => sockets, text: plain },
  { title: 'Moves a second', of: ({ movesPerSecond }) => movesPerSecond, text: (value) => value.toFixed(1) },
  { title: '99 % of moves stored within', of: ({ moveP99 }) => moveP99, text: (value) => `${plain(value)} ms` },
  { title: 'Processor, of one core', of: ({ cpuPercent }) => cpuPercent, text: (value) => `${plain(value)} %` },
  { title: 'Memory', of: ({ memory }) => memory, text: bytesText },
  { title: 'Free disk', of: ({ diskFree }) => diskFree, text: bytesText },
];

/** The last hour, one plot a figure. */
export function HourPlots({ samples }: { samples: HistorySample[] }) {
  if (samples.length < 2) return <p>The server has just started: there is nothing to draw yet.</p>;
  return (
    <div className={classes.plots}>
      {FIGURES.map((figure) => (
        <HourPlot key={figure.title} figure={figure} samples={samples} />
      ))}
    </div>
  );
}

function HourPlot({ figure: { title, of, text }, samples }: { figure: Figure; samples: HistorySample[] }) {
  const values = samples.map(of);
  const known = values.filter((value) => value !== undefined);
  const most = Math.max(...known, 0);
  const last = values.findLast((value) => value !== undefined);
  const x = (at: number) => (at / (samples.length - 1)) * WIDTH;
  const y = (value: number) => FLOOR - (most === 0 ? 0 : (value / most) * (FLOOR - CEILING - 4));
  const line = values
    .map((value, at) => {
      if (value === undefined) return '';
      const isFirst = values[at - 1] === undefined;
      return `${isFirst ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
  const words = last === undefined ? 'nothing in this hour' : `${text(last)} now, at most ${text(most)} in this hour`;
  return (
    <Plot label={`${title}: ${words}`} caption={`${title}: ${last === undefined ? '–' : text(last)}`}>
      <path className={plot.line} d={line} />
      {known.length > 0 && (
        <text className={plot.start} x={0} y={CEILING - 6}>
          {text(most)}
        </text>
      )}
      <text className={plot.start} x={0} y={HEIGHT - 5}>
        {clockTime(Date.parse(samples[0]?.at ?? ''))}
      </text>
      <text className={plot.end} x={WIDTH} y={HEIGHT - 5}>
        {clockTime(Date.parse(samples.at(-1)?.at ?? ''))}
      </text>
    </Plot>
  );
}
