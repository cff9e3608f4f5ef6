import type { LogLevel, LogStats } from '@/api/logs';
import { type LevelFilter, LEVEL_LABELS, LevelMark, LEVELS } from './levels';
import { count, percent } from './logFormat';
import { Sparkline } from './Sparkline';
import classes from './StatCards.module.css';

interface StatCardsProps {
  /** Absent while they are loaded. */
  stats: LogStats | undefined;
  level: LevelFilter;
  onLevel: (level: LevelFilter) => void;
}

/** Number of records by level, and the last day as a sparkline. A level's card filters by that level. */
export function StatCards({ stats, level, onLevel }: StatCardsProps) {
  const hourly = (each: LogLevel) => stats?.hourly[each] ?? [];
  const hours = LEVELS.map(hourly);
  const all = hourly('error').map((_, hour) => hours.reduce((sum, values) => sum + (values[hour] ?? 0), 0));
  const rates = all.map((total, hour) => (total === 0 ? 0 : (hourly('error')[hour] ?? 0) / total));
  const { last24Hours, errorRate } = stats?.recentActivity ?? {};
  return (
    <ul className={classes.cards} aria-label="Log statistics">
      {LEVELS.map((each) => (
        <li key={each}>
          <button
            type="button"
            className={classes.card}
            aria-pressed={level === each}
            onClick={() => onLevel(level === each ? '' : each)}
          >
            <span className={classes.name}>
              <LevelMark level={each} />
              {LEVEL_LABELS[each].many}
            </span>
            <Figure value={stats === undefined ? undefined : count(stats.levelStats[each] ?? 0)} />
            <Sparkline values={hourly(each)} kind={each} />
          </button>
        </li>
      ))}
      <li className={classes.card}>
        <span className={classes.name}>Last 24 hours</span>
        <Figure value={last24Hours === undefined ? undefined : count(last24Hours)} />
        <Sparkline values={all} kind="all" />
      </li>
      <li className={classes.card}>
        <span className={classes.name}>Error rate</span>
        <Figure value={errorRate === undefined ? undefined : percent(errorRate)} />
        <Sparkline values={rates} kind="error" />
      </li>
    </ul>
  );
}

function Figure({ value }: { value: string | undefined }) {
  return <span className={classes.figure}>{value ?? '–'}</span>;
}
