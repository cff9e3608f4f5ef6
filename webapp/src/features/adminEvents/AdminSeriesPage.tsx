import { Link } from 'react-router';
import { type Series, useListSeriesQuery } from '@/api/series';
import { counted } from '@/shared/counted';
import { ADMIN_SERIES_PATH, seriesDeskPath } from '@/shared/series/paths';
import { dateIn, scheduleText } from '@/shared/series/schedule';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { EmptyList } from '@/shared/ui/EmptyList';
import { ifKnown, Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './AdminSeriesPage.module.css';

/** As many as can run; of those that were ended the latest. */
const SHOWN = 100;

/** All series, for admins. */
export default function AdminSeriesPage() {
  const running = useListSeriesQuery({ limit: SHOWN }, { refetchOnMountOrArgChange: true });
  const ended = ifKnown(useListSeriesQuery({ ended: true, limit: SHOWN }, { refetchOnMountOrArgChange: true }));
  return (
    <>
      <div className={classes.top}>
        <PageHeading title="Manage Series">Events on a schedule.</PageHeading>
        <Link to={`${ADMIN_SERIES_PATH}/new`} className={buttons.primary}>
          New Series
        </Link>
      </div>
      <div className={classes.parts}>
        <Loaded of={running} loading="Loading series..." failure="Failed to load series">
          {({ series }) =>
            series.length === 0 ? (
              <EmptyList>
                <p role="status">No series are running. Create the first one.</p>
              </EmptyList>
            ) : (
              <SeriesList label="Running series" series={series} />
            )
          }
        </Loaded>
        {ended !== undefined && ended.series.length > 0 && (
          <Card title="Ended">
            <SeriesList label="Ended series" series={ended.series} />
          </Card>
        )}
      </div>
    </>
  );
}

function SeriesList({ label, series }: { label: string; series: Series[] }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {series.map((each) => (
        <SeriesRow key={each.seriesId} series={each} />
      ))}
    </ul>
  );
}

function SeriesRow({ series }: { series: Series }) {
  const { seriesId, name, nextDates, timeZone, daysAhead } = series;
  const [next] = nextDates;
  return (
    <li className={classes.row}>
      <Link to={seriesDeskPath(seriesId)} className={textLink.link}>
        {name}
      </Link>
      <span>{scheduleText(series)}</span>
      {next !== undefined && (
        <span className={classes.next}>
          Next: {dateIn(timeZone, next.startsAt)}. Events are created {counted(daysAhead, 'day')} ahead.
        </span>
      )}
    </li>
  );
}
