import { Link } from 'react-router';
import { useEventQuery } from '@/api/events';
import { hostDeskPath } from '@/shared/events/host';
import { InvitePlayers } from '@/shared/events/InvitePlayers';
import { eventPath } from '@/shared/events/postGameRedirect';
import { dateTime } from '@/shared/events/times';
import { TicketDrawing } from '@/shared/illustrations';
import buttons from '@/shared/ui/buttons.module.css';
import { Loaded } from '@/shared/ui/Loaded';
import classes from './HostPage.module.css';

/** The event is there: the link to it, and where to go on. */
export function Made({ eventId }: { eventId: string }) {
  const answer = useEventQuery(eventId);
  return (
    <Loaded of={answer} loading="One moment…" failure="Failed to load event">
      {(event) => (
        <>
          <div className={classes.ready}>
            <TicketDrawing />
            <h2>{event.title} is ready</h2>
            <p>
              {event.startTime !== undefined && `It starts ${dateTime(event.startTime)}. `}
              Send the link to everybody who should play.
            </p>
          </div>
          <InvitePlayers event={event}>
            <Link to={hostDeskPath(eventId)} className={buttons.button}>
              Open your desk
            </Link>
            <Link to={eventPath(eventId)} className={buttons.button}>
              See the event
            </Link>
          </InvitePlayers>
        </>
      )}
    </Loaded>
  );
}
