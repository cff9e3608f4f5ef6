import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { Event } from '@/api/events';
import { type Series, useSeriesQuery } from '@/api/series';
import { useEventListUpdates } from '@/shared/events/useEventUpdates';
import { useOwnGames } from '@/shared/events/useOwnGames';
import { NoSeries } from '@/shared/series/NoSeries';
import { calendarAddress, SERIES_LIST_PATH, seriesDeskPath } from '@/shared/series/paths';
import { dateIn, scheduleText } from '@/shared/series/schedule';
import { selectUser } from '@/shared/session/sessionSlice';
import { useVisit } from '@/shared/session/useVisit';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { CopyField } from '@/shared/ui/CopyField';
import { CalendarIcon } from '@/shared/ui/icons';
import { Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import textLink from '@/shared/ui/textLink.module.css';
import { EventCard } from './EventCard';
import classes from './SeriesPage.module.css';
import { SeriesTable } from './SeriesTable';

const BACK = { to: SERIES_LIST_PATH, label: 'Back to all series' };
/** For visitors, who have no realtime connection, and for missed updates. */
const POLL_MS = 60_000;
/** Past events that are shown before somebody asks for all. */
const FEW = 3;

/** A series of events: what comes, what was, and the table over all: docs/behaviour/series.md. */
export default function SeriesPage() {
  const { seriesId = '' } = useParams();
  const answer = useSeriesQuery(seriesId, {
    refetchOnMountOrArgChange: true,
    refetchOnReconnect: true,
    refetchOnFocus: true,
    pollingInterval: POLL_MS,
    skipPollingIfUnfocused: true,
  });
  useEventListUpdates();
  useVisit();
  return (
    <Loaded
      of={answer}
      loading="Loading series..."
      failure="The series could not be loaded."
      missing={<Missing />}
      keepsPage
    >
      {({ series, upcoming, past }) => (
        <article className={classes.page}>
          <PageHeading title={series.name} back={BACK}>
            {series.endedAt === undefined ? scheduleText(series) : 'This series has ended.'}
          </PageHeading>
          <div className={classes.columns}>
            <div className={classes.column}>
              {series.description !== '' && <p className={classes.description}>{series.description}</p>}
              <Upcoming series={series} events={upcoming} />
              <Card title="Table">
                <SeriesTable series={series} />
              </Card>
              {past.length > 0 && <Past events={past} />}
            </div>
            <div className={classes.column}>
              <Subscribe series={series} />
              <NextDates series={series} />
            </div>
          </div>
        </article>
      )}
    </Loaded>
  );
}

function Upcoming({ series, events }: { series: Series; events: Event[] }) {
  const { games } = useOwnGames();
  return (
    <section aria-labelledby="upcoming">
      <h2 id="upcoming">Next events</h2>
      {events.length === 0 ? (
        <p>{series.endedAt === undefined ? 'The next event is not open yet.' : 'No more events are planned.'}</p>
      ) : (
        <ul className={classes.grid}>
          {events.map((event) => (
            <li key={event.eventId}>
              <EventCard event={event} ownGame={games.find(({ eventId }) => eventId === event.eventId)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Past({ events }: { events: Event[] }) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <section aria-labelledby="past">
      <h2 id="past">Past events</h2>
      <ul className={classes.grid}>
        {(showsAll ? events : events.slice(0, FEW)).map((event) => (
          <li key={event.eventId}>
            <EventCard event={event} ownGame={undefined} />
          </li>
        ))}
      </ul>
      {!showsAll && events.length > FEW && (
        <button type="button" className={buttons.button} onClick={() => setShowsAll(true)}>
          Show the last {events.length}
        </button>
      )}
    </section>
  );
}

function Subscribe({ series: { seriesId } }: { series: Series }) {
  const isAdmin = useAppSelector(selectUser)?.isAdmin ?? false;
  const address = calendarAddress(seriesId);
  return (
    <Card title="In your calendar">
      <div className={classes.subscribe}>
        <p>Subscribe, and your calendar follows: new events appear, and those that are moved or cancelled change.</p>
        <a className={buttons.primary} href={address.replace(/^https?:/, 'webcal:')}>
          <CalendarIcon />
          Subscribe
        </a>
        <CopyField label="Address for other calendars" value={address} copy="Copy address" isSecond />
        {isAdmin && (
          <Link to={seriesDeskPath(seriesId)} className={textLink.link}>
            Edit this series
          </Link>
        )}
      </div>
    </Card>
  );
}

function NextDates({ series: { nextDates, timeZone } }: { series: Series }) {
  if (nextDates.length === 0) return null;
  return (
    <Card title="Next dates">
      <ul className={classes.dates}>
        {nextDates.map(({ date, startsAt }) => (
          <li key={date}>
            <time dateTime={startsAt}>{dateIn(timeZone, startsAt)}</time>
          </li>
        ))}
      </ul>
      <p className={classes.zone}>In the time of {timeZone}.</p>
    </Card>
  );
}

function Missing() {
  return (
    <NoSeries back={BACK}>
      <Link to={SERIES_LIST_PATH} className={buttons.primary}>
        See all series
      </Link>
    </NoSeries>
  );
}
