import { Tabs } from '@mantine/core';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { mayRetry } from '@/api/base';
import { type Event, useEventQuery } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { isHostOf } from '@/shared/events/host';
import { InvitePlayers } from '@/shared/events/InvitePlayers';
import { LiveGames } from '@/shared/events/LiveGames';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { isMissing } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { AddPlayer } from './AddPlayer';
import { Announce } from './Announce';
import { Desk } from './desk/Desk';
import { DeskContext, type DeskOf, useDeskOf } from './deskOf';
import { EditEvent } from './EditEvent';
import classes from './EventDesk.module.css';
import { EventDetails } from './EventDetails';
import { Files } from './Files';
import { ImportPlayers } from './ImportPlayers';
import { Outcome } from './Outcome';
import { Participants } from './Participants';
import { Pipeline } from './Pipeline';
import { PresenceContext, usePresences } from './presence';
import { QuickActions } from './QuickActions';
import { Standings } from './Standings';
import { Statistics } from './Statistics';
import { useDeskUpdates } from './useDeskUpdates';
import { useSignUpsOf } from './useSignUpsOf';
import { Verification } from './Verification';

/** Interval for reloading the number of unfinished games after the end, in milliseconds. */
const SETTLE_POLL_MS = 2_000;

/** One event, for whoever runs it: the page's address names it. */
export function EventDesk({ of }: { of: DeskOf }) {
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
  useDeskUpdates(eventId, of);
  const user = useAppSelector(selectUser);
  // Its players see a private event, too, and do not run it.
  if (event !== undefined && (!of.isHost || isHostOf(event, user))) {
    return (
      <DeskContext value={of}>
        <EventScreen key={event.eventId} event={event} />
      </DeskContext>
    );
  }
  return (
    <>
      <PageHeading title="Event" back={of.list} />
      {error === undefined && event === undefined ? (
        <p role="status">Loading event...</p>
      ) : event !== undefined || isMissing(error) ? (
        <p role="alert">{of.isHost ? 'You host no such event.' : 'Event not found.'}</p>
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
  const { isHost, list } = useDeskOf();
  const [params, setParams] = useSearchParams();
  const [isEditing, setEditing] = useState(false);
  const tab: Tab = params.get('tab') === 'participants' ? 'participants' : 'details';
  const showTab = (next: string | null) =>
    setParams(next === 'participants' ? { tab: 'participants' } : {}, { replace: true, preventScrollReset: true });
  const { eventId, eventState, title, signupCount, format } = event;
  const people = useSignUpsOf(eventId);
  const presences = usePresences(event);
  const isPlayed = eventState === 'started' || eventState === 'ended';
  return (
    <PresenceContext value={presences}>
      <PageHeading title={title} back={list} />
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
              <InvitePlayers event={event} />
              <Statistics event={event} people={people} />
              {eventState === 'started' && <LiveGames eventId={eventId} />}
              {isPlayed && <Files event={event} />}
              {isPlayed && <Verification eventId={eventId} />}
            </div>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="participants" className={classes.panel}>
          {tab === 'participants' && (
            <>
              {!isHost && <AddPlayer event={event} onAdded={people.refetch} />}
              {!isHost && <ImportPlayers event={event} onAdded={people.refetch} />}
              <Participants event={event} people={people} />
            </>
          )}
        </Tabs.Panel>
      </Tabs>
    </PresenceContext>
  );
}
