import { SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type Series, useListSeriesQuery } from '@/api/series';
import { seriesPath } from '@/shared/series/paths';
import { dateIn, scheduleText } from '@/shared/series/schedule';
import buttons from '@/shared/ui/buttons.module.css';
import { EmptyList } from '@/shared/ui/EmptyList';
import { Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import card from './EventCard.module.css';
import classes from './EventsPage.module.css';
import { Fact } from './FormatFacts';

const PAGE = 24;
const BACK = { to: '/app/events', label: 'Back to events' };

/** All series of events. */
export default function SeriesListPage() {
  const [params, setParams] = useSearchParams();
  const isEnded = params.get('when') === 'ended';
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const show = (ended: boolean, next = 1) =>
    setParams({ ...(ended ? { when: 'ended' } : {}), ...(next === 1 ? {} : { page: String(next) }) });
  const answer = useListSeriesQuery({ ended: isEnded, page, limit: PAGE }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <PageHeading title="Series" back={BACK}>
        Events that repeat, with one table for all of them
      </PageHeading>
      <div className={classes.top}>
        <SegmentedControl
          aria-label="Which series"
          value={isEnded ? 'ended' : 'running'}
          onChange={(which) => show(which === 'ended')}
          data={[
            { value: 'running', label: 'Running' },
            { value: 'ended', label: 'Ended' },
          ]}
        />
      </div>
      <Loaded of={answer} loading="Loading series..." failure="The series could not be loaded." keepsPage>
        {({ series, pagination }) => (
          <>
            {series.length === 0 ? (
              <EmptyList className={classes.empty}>
                <h2>{isEnded ? 'No series has ended yet' : 'No series are running'}</h2>
              </EmptyList>
            ) : (
              <ul className={classes.grid}>
                {series.map((each) => (
                  <li key={each.seriesId} className={classes.item}>
                    <SeriesCard series={each} />
                  </li>
                ))}
              </ul>
            )}
            <Pager label="series" pagination={pagination} onPage={(next) => show(isEnded, next)} />
          </>
        )}
      </Loaded>
    </>
  );
}

function SeriesCard({ series }: { series: Series }) {
  const id = useId();
  const { seriesId, name, description, nextDates, timeZone } = series;
  const [next] = nextDates;
  return (
    <article className={card.card} aria-labelledby={id}>
      <div className={card.head}>
        <h2 id={id}>{name}</h2>
      </div>
      {description !== '' && <p className={card.description}>{description}</p>}
      <dl className={card.facts}>
        <Fact name="When" value={scheduleText(series)} />
        {next !== undefined && <Fact name="Next" value={dateIn(timeZone, next.startsAt)} />}
      </dl>
      <Link to={seriesPath(seriesId)} className={buttons.button} aria-describedby={id}>
        View Series
      </Link>
    </article>
  );
}
