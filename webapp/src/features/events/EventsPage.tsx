import { SegmentedControl } from '@mantine/core';
import { useEffect } from 'react';
import { AccountNeeded } from '@/shared/events/AccountNeeded';
import { Link, useSearchParams } from 'react-router';
import { type EventState, useListEventsQuery } from '@/api/events';
import { useEventListUpdates } from '@/shared/events/useEventUpdates';
import { useOwnGames } from '@/shared/events/useOwnGames';
import { selectUser } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import { EmptyList } from '@/shared/ui/EmptyList';
import { ifKnown, Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { EventCard } from './EventCard';
import { OtherWays } from './OtherWays';
import { OwnEvents } from './OwnEvents';
import { OwnInvitations } from './OwnInvitations';
import classes from './EventsPage.module.css';
import { useAppSelector } from '@/shared/storeHooks';

/** Polling interval for visitors, who have no realtime connection, and for missed updates. */
const POLL_MS = 30_000;
/** Cards per page: whole rows of two and three columns. */
const PAGE = 24;

/** The most of one's own events shown: somebody who signed up for more finds the others in the list. */
const OWN = 12;

/** The tabs of the list, kept in the URL, so that Back, reloading and a shared link preserve the choice. */
const TIMES = {
  now: { label: 'Live and upcoming', states: ['published', 'started'] },
  past: { label: 'Past', states: ['ended'] },
} satisfies Record<string, { label: string; states: EventState[] }>;

type Time = keyof typeof TIMES;

/** Upcoming, live and past events. */
export default function EventsPage() {
  const [params, setParams] = useSearchParams();
  const time: Time = params.get('when') === 'past' ? 'past' : 'now';
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const show = (next: { time: Time; page: number }) =>
    setParams({
      ...(next.time === 'now' ? {} : { when: next.time }),
      ...(next.page === 1 ? {} : { page: String(next.page) }),
    });

  const answer = useListEventsQuery(
    { filter: { eventState: TIMES[time].states }, page, limit: PAGE },
    {
      refetchOnMountOrArgChange: true,
      refetchOnReconnect: true,
      refetchOnFocus: true,
      pollingInterval: POLL_MS,
      skipPollingIfUnfocused: true,
    },
  );
  const isGuest = useAppSelector(selectUser)?.isTempUser ?? false;
  const { own, mine } = useOwnEvents(time);
  useEventListUpdates();
  const { games } = useOwnGames();
  // The list may have fewer pages now than when the link was made.
  const isBeyond = page > 1 && answer.data?.events.length === 0;
  useEffect(() => {
    if (isBeyond) show({ time, page: 1 });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each page beyond the last
  }, [isBeyond]);

  return (
    <>
      <PageHeading title="Events">Join exciting Tic-Tac-Toe tournaments and competitions</PageHeading>
      {isGuest && (
        <div className={classes.guest}>
          <AccountNeeded />
        </div>
      )}
      <OwnInvitations />
      <Top time={time} onTime={(next) => show({ time: next, page: 1 })} />
      {own.error !== undefined && answer.data !== undefined && (
        <Loaded of={own} loading="Loading your events..." failure="Your events could not be loaded.">
          {() => null}
        </Loaded>
      )}
      {mine.length > 0 && <OwnEvents events={mine} games={games} />}
      <Loaded of={answer} loading="Loading events..." failure="The events could not be loaded." keepsPage>
        {({ events: all, pagination }) => {
          const events = all.filter(({ eventId }) => mine.every((each) => each.eventId !== eventId));
          return (
            <>
              {events.length > 0 && (
                <ul className={classes.grid}>
                  {events.map((event) => (
                    // A card is animated when its event goes live.
                    <li
                      key={`${event.eventId} ${event.eventState}`}
                      className={classes.item}
                      data-state={event.eventState}
                    >
                      <EventCard event={event} ownGame={games.find(({ eventId }) => eventId === event.eventId)} />
                    </li>
                  ))}
                </ul>
              )}
              <Pager label="events" pagination={pagination} onPage={(next) => show({ time, page: next })} />
              {all.length === 0 && !isBeyond && <NoEvents time={time} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Top({ time, onTime }: { time: Time; onTime: (time: Time) => void }) {
  return (
    <div className={classes.top}>
      <SegmentedControl
        aria-label="Which events"
        value={time}
        onChange={(next) => onTime(next as Time)}
        data={Object.entries(TIMES).map(([value, { label }]) => ({ value, label }))}
      />
      <OtherWays />
    </div>
  );
}

/** The open events that the user is signed up for. */
function useOwnEvents(time: Time) {
  const user = useAppSelector(selectUser);
  const own = useListEventsQuery(
    { filter: { signedUp: true }, limit: OWN },
    {
      skip: user === null || user.isTempUser || time === 'past',
      refetchOnMountOrArgChange: true,
      refetchOnReconnect: true,
      refetchOnFocus: true,
    },
  );
  return { own, mine: time === 'now' ? (ifKnown(own)?.events ?? []) : [] };
}

function NoEvents({ time }: { time: Time }) {
  return (
    <EmptyList className={classes.empty}>
      {time === 'past' ? (
        <h2>No event has ended yet</h2>
      ) : (
        <>
          <h2>No Events Available</h2>
          <p>Check back later for upcoming tournaments!</p>
          <Link to="/app/practice" className={buttons.primary}>
            Practice While You Wait
          </Link>
        </>
      )}
    </EmptyList>
  );
}
