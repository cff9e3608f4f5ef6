import { Button, Tabs } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { errorText, mayRetry } from '@/api/base';
import { type Event, eventsApi } from '@/api/events';
import { OVERDUE_MS, useNow } from '@/shared/events/countdown';
import { EventBadge, PrivateBadge } from '@/shared/events/EventBadge';
import { JOIN_PATH } from '@/shared/events/joinCode';
import { Leaderboard } from '@/shared/events/Leaderboard';
import { useEventUpdates } from '@/shared/events/useEventUpdates';
import { LostDrawing } from '@/shared/illustrations';
import { selectUser } from '@/shared/session/sessionSlice';
import { isStageEvent } from '@/shared/stages/formats';
import { StageView } from '@/shared/stages/StageView';
import { useVisit } from '@/shared/session/useVisit';
import buttons from '@/shared/ui/buttons.module.css';
import { isMissing } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import textLink from '@/shared/ui/textLink.module.css';
import { EventInfo } from './EventInfo';
import { HostedBy } from './HostedBy';
import { PartOfSeries } from './PartOfSeries';
import classes from './EventPage.module.css';
import { useAppSelector } from '@/shared/storeHooks';

const { endpoints } = eventsApi;

/** For visitors, whom the server may have no room for, in milliseconds. */
const POLL_MS = 20_000;
/** While a change is due: the start or end after the countdown, the winners after the last games. */
const IMPATIENT_POLL_MS = 2_000;
/** When the due time is long past and an admin has to act. */
const PATIENT_POLL_MS = 30_000;

const BACK = { to: '/app/events', label: 'Back to events' };

/** An event as players see it: docs/behaviour/webapp.md#event-pages. */
export default function EventPage() {
  const { eventId = '' } = useParams();
  const isVisitor = useAppSelector(selectUser) === null;
  const { data: event, error, isLoading, isUninitialized } = endpoints.event.useQueryState(eventId);
  const late = lateness(event, useNow());
  const isDue = late >= 0 && late < OVERDUE_MS;
  const { refetch } = endpoints.event.useQuerySubscription(eventId, {
    refetchOnMountOrArgChange: true,
    refetchOnReconnect: true,
    refetchOnFocus: true,
    // Also while the tab is hidden.
    skipPollingIfUnfocused: !isDue,
    pollingInterval: isDue ? IMPATIENT_POLL_MS : late > 0 ? PATIENT_POLL_MS : isVisitor ? POLL_MS : 0,
  });
  const notice = useNotice();
  useEventUpdates(eventId);
  useVisit();

  if (isLoading || isUninitialized) return <p role="status">Loading event...</p>;
  if (event === undefined) return <NoEvent error={error} onRetry={() => void refetch()} />;
  const isStage = isStageEvent(event);
  const hasStarted = event.eventState === 'started' || event.eventState === 'ended';
  // What was played before an event was cancelled stays.
  const isRanked = hasStarted || (isStage && event.eventState === 'cancelled' && event.startedAt !== undefined);
  return (
    <article className={classes.page}>
      <PageHeading title={event.title} back={BACK} />
      <div className={classes.state}>
        <EventBadge state={event.eventState} />
        {event.isPrivate && <PrivateBadge />}
        {event.host !== undefined && <HostedBy host={event.host} />}
        {event.seriesId !== undefined && <PartOfSeries seriesId={event.seriesId} />}
      </div>
      <Tabs key={eventId} defaultValue="info" keepMounted={false}>
        <Tabs.List className={classes.tabs ?? ''}>
          <Tabs.Tab value="info">Event Info</Tabs.Tab>
          {isRanked && <Tabs.Tab value="leaderboard">{isStage ? 'Matches' : 'Leaderboard'}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="info">
          <EventInfo event={event} notice={notice} />
        </Tabs.Panel>
        {isRanked && (
          <Tabs.Panel value="leaderboard">
            {isStage ? <StageView event={event} /> : <Leaderboard event={event} />}
          </Tabs.Panel>
        )}
      </Tabs>
    </article>
  );
}

/** How long the next state or result has been due, in milliseconds; negative before. */
function lateness(event: Event | undefined, now: number): number {
  const since = (time: string | undefined) => (time === undefined ? -1 : now - Date.parse(time));
  switch (event?.eventState) {
    case 'published':
      return since(event.startTime);
    case 'started':
      return since(event.endTime);
    case 'ended':
      if (event.concluded) return -1;
      // The last games may end at any time; without a deadline the admins conclude the event.
      return event.decidedBy === undefined ? OVERDUE_MS : Math.max(0, since(event.decidedBy));
    default:
      return -1;
  }
}

/** The notice passed by the room's redirect; it is shown once. */
function useNotice(): string | null {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const told = (state as { notice?: string } | null)?.notice ?? null;
  const [notice, setNotice] = useState(told);
  if (told !== null && told !== notice) setNotice(told);
  useEffect(() => {
    if (told !== null) void navigate(pathname, { replace: true, state: null });
  }, [told, pathname, navigate]);
  return notice;
}

function NoEvent({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <>
      <PageHeading title="Event" />
      <div className={classes.missing}>
        <LostDrawing />
        <p role="alert">{isMissing(error) ? 'Event not found.' : errorText(error, 'Failed to load event')}</p>
        {mayRetry(error) ? (
          <Button onClick={onRetry}>Try again</Button>
        ) : (
          <>
            <Link to={BACK.to} className={buttons.primary}>
              {BACK.label}
            </Link>
            {/* It may be a private one. */}
            <Link to={JOIN_PATH} className={textLink.link}>
              Have a join code?
            </Link>
          </>
        )}
      </div>
    </>
  );
}
