import type { Event } from '@/api/events';
import { Deciding, DECIDING } from '@/shared/events/Deciding';
import { useDeskOf } from './deskOf';
import classes from './Outcome.module.css';

/** What is still undecided between an event's end and its winners. */
export function Outcome({ event }: { event: Event }) {
  const { isHost } = useDeskOf();
  if (event.eventState !== 'ended' || event.concluded) return null;
  return (
    <p className={classes.outcome} role="status">
      {event.decidedBy === undefined ? (
        isHost ? (
          'The admins are checking the results. The winners will appear here.'
        ) : (
          'Open for corrections: conclude the event when the standings are right. Until then it has no winners.'
        )
      ) : (
        <>
          {DECIDING} <Deciding event={event} />
        </>
      )}
    </p>
  );
}
