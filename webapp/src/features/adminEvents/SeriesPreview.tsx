import { useDebouncedValue } from '@mantine/hooks';
import { type SeriesDate, usePreviewSeriesQuery } from '@/api/series';
import { formFailure } from '@/shared/eventDesk/formFailure';
import { dateIn } from '@/shared/series/schedule';
import { DEBOUNCE_MS } from '@/shared/ui/useDebouncedText';
import classes from './SeriesForm.module.css';

interface SeriesPreviewProps {
  firstStart: string;
  timeZone: string;
  rule: string;
}

/** The next dates by what the form has, from the server, which decides them. */
export function SeriesPreview({ firstStart, timeZone, rule }: SeriesPreviewProps) {
  const [asked] = useDebouncedValue(JSON.stringify({ firstStart, timeZone, rule }), DEBOUNCE_MS);
  const isReady = firstStart !== '' && rule !== '';
  const { currentData, error, isFetching } = usePreviewSeriesQuery(JSON.parse(asked) as SeriesPreviewProps, {
    skip: !isReady,
  });
  return (
    <section className={classes.preview} aria-live="polite">
      <h3>Next dates</h3>
      {!isReady ? (
        <p className={classes.hint}>Pick the first start to see them.</p>
      ) : currentData !== undefined ? (
        <Dates dates={currentData.dates} timeZone={timeZone} />
      ) : error !== undefined && !isFetching ? (
        <p role="alert">{formFailure(error, 'The dates could not be loaded.')}</p>
      ) : (
        <p className={classes.hint}>Loading dates...</p>
      )}
    </section>
  );
}

function Dates({ dates, timeZone }: { dates: SeriesDate[]; timeZone: string }) {
  if (dates.length === 0) return <p>All dates of this rule have passed.</p>;
  return (
    <ol className={classes.dates}>
      {dates.map(({ date, startsAt }) => (
        <li key={date}>
          <time dateTime={startsAt}>{dateIn(timeZone, startsAt)}</time>
        </li>
      ))}
    </ol>
  );
}
