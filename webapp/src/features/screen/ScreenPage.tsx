import { Link, useParams } from 'react-router';
import { useEventQuery } from '@/api/events';
import { useEventUpdates } from '@/shared/events/useEventUpdates';
import { LostDrawing } from '@/shared/illustrations';
import { useVisit } from '@/shared/session/useVisit';
import { isStageEvent } from '@/shared/stages/formats';
import buttons from '@/shared/ui/buttons.module.css';
import { ConnectionBanner } from '@/shared/ui/ConnectionBanner';
import { Loaded } from '@/shared/ui/Loaded';
import { ScreenAhead } from './ScreenAhead';
import { ScreenArena } from './ScreenArena';
import classes from './ScreenPage.module.css';
import { ScreenStage } from './ScreenStage';

/** For what the page missed: nobody is there who could load it again. */
const POLL_MS = 10_000;

/** An event on the projector of a hall, without anything to press: docs/behaviour/webapp.md#big-screen. */
export default function ScreenPage() {
  const { eventId = '' } = useParams();
  const answer = useEventQuery(eventId, {
    refetchOnMountOrArgChange: true,
    refetchOnReconnect: true,
    refetchOnFocus: true,
    pollingInterval: POLL_MS,
  });
  useEventUpdates(eventId);
  useVisit();
  return (
    <main className={classes.screen}>
      <meta name="robots" content="noindex" />
      <ConnectionBanner />
      <Loaded of={answer} loading={<Loading />} failure="Failed to load event" missing={<Missing />}>
        {(event) => {
          const hasStarted = event.eventState === 'started' || event.eventState === 'ended';
          return (
            <>
              <title>{`${event.title} · Morpion`}</title>
              {!hasStarted ? (
                <ScreenAhead event={event} />
              ) : isStageEvent(event) ? (
                <ScreenStage event={event} />
              ) : (
                <ScreenArena event={event} />
              )}
            </>
          );
        }}
      </Loaded>
    </main>
  );
}

function Loading() {
  return (
    <>
      <title>Event · Morpion</title>
      <h1 className="visually-hidden">Event</h1>
      <p role="status">Loading event...</p>
    </>
  );
}

function Missing() {
  return (
    <div className={classes.missing}>
      <title>Event · Morpion</title>
      <LostDrawing />
      <h1>Event not found.</h1>
      <Link to="/app/events" className={buttons.primary}>
        See all events
      </Link>
    </div>
  );
}
