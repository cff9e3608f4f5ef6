import { useState } from 'react';
import { useHostingQuery, useListEventsQuery } from '@/api/events';
import { DeskContext, HOSTS_DESK } from '@/shared/eventDesk/deskOf';
import { useEventListUpdates } from '@/shared/events/useEventUpdates';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { HostedEvents } from './HostedEvents';
import classes from './HostPage.module.css';
import { HostWizard } from './HostWizard';
import { Refused, TooMany } from './Refused';

/** The most of one's own events shown. */
const SHOWN = 24;
const FRESH = { refetchOnMountOrArgChange: true, refetchOnReconnect: true, refetchOnFocus: true };

/** Hosts a private event, and lists those that the user hosts. */
export default function HostPage() {
  const hosting = useHostingQuery(undefined, FRESH);
  const hosted = useListEventsQuery({ filter: { hosted: true }, limit: SHOWN }, FRESH);
  const isAdmin = useAppSelector(selectUser)?.isAdmin ?? false;
  // The event that was just made takes a place itself.
  const [isBegun, setBegun] = useState(false);
  useEventListUpdates();
  return (
    <DeskContext value={HOSTS_DESK}>
      <PageHeading title="Host an event" back={{ to: '/app/events', label: 'Back to events' }}>
        A private tournament for your friends, your class or your club
      </PageHeading>
      <div className={classes.parts}>
        <Loaded of={hosting} loading="One moment…" failure="It could not be checked whether you may host an event.">
          {({ refusal, open, limit }) => {
            if (refusal !== undefined) return <Refused refusal={refusal} />;
            // Admins have no such limit.
            if (open >= limit && !isBegun && !isAdmin) return <TooMany limit={limit} />;
            return <HostWizard onBegun={() => setBegun(true)} />;
          }}
        </Loaded>
        <Loaded of={hosted} loading="Loading your events..." failure="Your events could not be loaded.">
          {({ events }) => (events.length === 0 ? null : <HostedEvents events={events} />)}
        </Loaded>
      </div>
    </DeskContext>
  );
}
