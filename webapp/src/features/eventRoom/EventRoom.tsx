import { ActionIcon, Button } from '@mantine/core';
import { Navigate } from 'react-router';
import { errorText, isApiError } from '@/api/base';
import { callSound } from '@/shared/board/sound';
import { SoundSwitch } from '@/shared/board/SoundSwitch';
import { Announcements } from '@/shared/events/Announcements';
import { Logo } from '@/shared/illustrations';
import { NextMatchOf } from '@/shared/stages/NextMatchOf';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { BackIcon } from '@/shared/ui/icons';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import classes from './EventRoom.module.css';
import { type EventRoom as Room, INIT_FAILED } from './eventRoom';
import { NextMatch } from './NextMatch';
import { RoomFailure } from './RoomFailure';
import { RoomStatus, StillThere } from './RoomStatus';
import { StageStanding } from './StageStanding';
import { Standing } from './Standing';
import { type EventRoomPageState, useEventRoomPage } from './useEventRoomPage';

/** The waiting room of an event: docs/behaviour/webapp.md#event-room. */
export function EventRoom({ eventId, userId }: { eventId: string; userId: string }) {
  const page = useEventRoomPage(eventId, userId);
  const { event, stage, player, room, back, isClosed, enter, goBack, leaving } = page;
  const { phase, stillThere } = room;
  if (event.error !== undefined && event.data === undefined) {
    const isGone = isApiError(event.error) && event.error.status === 404;
    if (isGone) return <RoomFailure text="Event not found." />;
    return <RoomFailure text={errorText(event.error, INIT_FAILED)} back={back} onRetry={() => void event.refetch()} />;
  }
  if (isClosed) return <Navigate to={back} replace />;
  if (phase === 'error') return <RoomFailure text={room.error ?? ''} back={back} onRetry={enter} />;

  const asked = phase === 'ready' && stage === null ? stillThere : null;
  const title = phase === 'ready' && stage !== null ? 'Your match' : TITLES[phase];
  return (
    <main className={classes.page}>
      <title>{`${asked === null ? title : 'Still there?'} · Morpion`}</title>
      <div className={classes.top}>
        <ActionIcon onClick={goBack} aria-label="Back to the event">
          <BackIcon />
        </ActionIcon>
        <h1>{event.data?.title ?? 'Event'}</h1>
        <span className={classes.switches}>
          <SoundSwitch setting={callSound} label="Sound when you are paired" />
          <ThemeSwitch />
        </span>
      </div>
      <div className={classes.columns}>
        {stage !== null && phase === 'ready' ? (
          <NextMatchOf event={stage} userId={userId} className={classes.room} />
        ) : (
          <Matchmaking page={page} asked={asked} />
        )}
        {event.data !== undefined && player !== null && (
          <div className={classes.aside}>
            {stage === null ? (
              <Standing event={event.data} player={player} />
            ) : (
              <StageStanding event={stage} userId={userId} />
            )}
            <Announcements event={event.data} />
          </div>
        )}
      </div>
      <ConfirmDialog
        title="Leave matchmaking?"
        opened={leaving.isAsked}
        confirm="Leave"
        keep="Stay"
        onConfirm={leaving.confirm}
        onKeep={leaving.cancel}
      >
        You lose your place in the queue. You can come back as long as the event is live.
      </ConfirmDialog>
    </main>
  );
}

interface MatchmakingProps {
  page: EventRoomPageState;
  /** The question 'Still there?', if it is asked. */
  asked: Room['stillThere'];
}

/** What the room is doing, and the buttons to search for an opponent. */
function Matchmaking({ page, asked }: MatchmakingProps) {
  const { event, stage, room, isSearching, isNextMatch, find, cancelSearch, stay } = page;
  const { notice } = room;
  // How the event is played decides what the room offers.
  const phase = room.phase === 'ready' && event.data === undefined ? 'connecting' : room.phase;
  return (
    <section className={classes.room} aria-live="polite">
      <Logo className={`${classes.logo ?? ''} ${isSearching || phase === 'connecting' ? (classes.busy ?? '') : ''}`} />
      {isNextMatch && phase === 'ready' ? (
        <NextMatch onContinue={find} onCancel={stay} />
      ) : asked === null ? (
        <RoomStatus room={room} phase={phase} isStage={stage !== null} clock={event.data?.clock} />
      ) : (
        <StillThere asked={asked} />
      )}
      {phase === 'ready' && !isNextMatch && (
        <Button size="lg" onClick={find}>
          Find Match
        </Button>
      )}
      {isSearching && (
        <Button variant="default" onClick={cancelSearch}>
          Cancel
        </Button>
      )}
      {notice !== null && (
        <p role="status" className={classes.notice}>
          {notice}
        </p>
      )}
    </section>
  );
}

const TITLES: Record<Room['phase'], string> = {
  connecting: 'Connecting',
  ready: 'Ready',
  searching: 'Looking for an opponent',
  gameReady: 'Opponent found',
  leaving: 'Back to the event',
  error: 'Event room',
};
