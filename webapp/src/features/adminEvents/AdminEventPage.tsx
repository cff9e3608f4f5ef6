import { Tabs } from '@mantine/core';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { mayRetry } from '@/api/base';
import { type Event, useEventQuery } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { LiveGames } from '@/shared/events/LiveGames';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { isMissing } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import classes from './AdminEventPage.module.css';
import { Announce } from './Announce';
import { Desk } from './desk/Desk';
import { EditEvent } from './EditEvent';
import { EventDetails } from './EventDetails';
import { Outcome } from './Outcome';
import { Participants } from './Participants';
import { Pipeline } from './Pipeline';
import { QuickActions } from './QuickActions';
import { Standings } from './Standings';
import { Statistics } from './Statistics';
import { useAdminEventUpdates } from './useAdminEventUpdates';
import { useSignUpsOf } from './useSignUpsOf';
import { Verification } from './Verification';

const BACK = { to: '/app/admin/events', label: 'Back to all events' };

/** Interval for reloading the number of unfinished games after the end, in milliseconds. */
const SETTLE_POLL_MS = 2_000;

/** One event, for admins. */
export default function AdminEventPage() {
  const { eventId = '' } = useParams();
  const [isSettling, setSettling] = useState(false);
  const {
    data: event,
    error,
    refetch,
  } = useEventQuery(eventId, {
    pollingInterval: isSettling ? SETTLE_POLL_MS : 0,
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
    refetchOnReconnect: true,
  });
  const isUnsettled = event?.eventState === 'ended' && !event.concluded;
  if (isUnsettled !== isSettling) setSettling(isUnsettled);
  useAdminEventUpdates(eventId);
  if (event !== undefined) return <EventScreen key={event.eventId} event={event} />;
  return (
    <>
      <PageHeading title="Event" back={BACK} />
      {error === undefined ? (
        <p role="status">Loading event...</p>
      ) : isMissing(error) ? (
        <p role="alert">Event not found.</p>
      ) : (
        <LoadFailure
          text={failureText(error, 'Failed to load event')}
          onRetry={mayRetry(error) ? () => void refetch() : undefined}
        />
      )}
    </>
  );
}

type Tab = 'details' | 'participants';

function EventScreen({ event }: { event: Event }) {
  const [params, setParams] = useSearchParams();
  const [isEditing, setEditing] = useState(false);
  const tab: Tab = params.get('tab') === 'participants' ? 'participants' : 'details';
  const showTab = (next: string | null) =>
    setParams(next === 'participants' ? { tab: 'participants' } : {}, { replace: true, preventScrollReset: true });
  const { eventId, eventState, title, signupCount, format } = event;
  const people = useSignUpsOf(eventId);
  const isPlayed = eventState === 'started' || eventState === 'ended';
  return (
    <>
      <PageHeading title={title} back={BACK} />
      <Pipeline state={eventState} />
      <Outcome event={event} />
      <Tabs value={tab} onChange={showTab}>
        <Tabs.List>
          <Tabs.Tab value="details">Event Details</Tabs.Tab>
          <Tabs.Tab value="participants">Participants ({signupCount})</Tabs.Tab>
        </Tabs.List>
        {/* Kept mounted, so that unsaved changes survive a look at the participants. */}
        <Tabs.Panel value="details" className={classes.panel} keepMounted>
          <div className={classes.columns}>
            <div className={classes.column}>
              {isPlayed && format !== 'arena' && <Desk event={event} people={people} />}
              {isEditing ? (
                <EditEvent event={event} onDone={() => setEditing(false)} />
              ) : (
                <EventDetails event={event} />
              )}
              {isPlayed && format === 'arena' && <Standings event={event} />}
              {eventState !== 'drafted' && eventState !== 'cancelled' && <Announce event={event} />}
            </div>
            <div className={classes.column}>
              <QuickActions event={event} isEditing={isEditing} onEdit={() => setEditing(true)} />
              <Statistics event={event} people={people} />
              {eventState === 'started' && <LiveGames eventId={eventId} />}
              {isPlayed && <Verification eventId={eventId} />}
            </div>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="participants" className={classes.panel}>
          {tab === 'participants' && <Participants event={event} people={people} />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
