import { useState } from 'react';
import { type Series, useSeriesTableQuery } from '@/api/series';
import { counted } from '@/shared/counted';
import table from '@/shared/events/Leaderboard.module.css';
import { PersonLink } from '@/shared/people/PersonLink';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { Loaded } from '@/shared/ui/Loaded';
import { Pager } from '@/shared/ui/Pager';

const PAGE_SIZE = 20;

/** The points of a series' concluded events: docs/behaviour/series.md#table. */
export function SeriesTable({ series: { seriesId, points } }: { series: Series }) {
  const userId = useAppSelector(selectUser)?.userId;
  const [page, setPage] = useState(1);
  const answer = useSeriesTableQuery({ seriesId, page, limit: PAGE_SIZE }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded of={answer} loading="Loading the table..." failure="The table could not be loaded." keepsPage>
      {({ rows, countedEvents, pagination }) => (
        <>
          <p className={table.own}>
            Points for the places of an event: {points.join(', ')}. {counted(countedEvents, 'event')} so far.
          </p>
          {rows.length > 0 && (
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">
                    <abbr title="Place">#</abbr>
                  </th>
                  <th scope="col">Player</th>
                  <th scope="col">Points</th>
                  <th scope="col">Events</th>
                  <th scope="col">
                    <abbr title="First places">1st</abbr>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.userId} data-own={row.userId === userId}>
                    <td>{row.rank}</td>
                    <th scope="row">
                      <PersonLink person={row} />
                    </th>
                    <td>{row.points}</td>
                    <td>{row.events}</td>
                    <td>{row.firsts}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <Pager label="the table" pagination={pagination} onPage={setPage} />
        </>
      )}
    </Loaded>
  );
}
