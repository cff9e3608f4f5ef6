import { ActionIcon, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Navigate, useBlocker, useNavigate, useSearchParams } from 'react-router';
import { errorText, isApiError } from '@/api/base';
import { useEventQuery, usePlayerForEventQuery } from '@/api/events';
import { callSound } from '@/shared/board/sound';
import { SoundSwitch } from '@/shared/board/SoundSwitch';
import { Announcements } from '@/shared/events/Announcements';
import { roughly, useNow } from '@/shared/events/countdown';
import { useEventUpdates } from '@/shared/events/useEventUpdates';
import { eventPath, postGameRedirect } from '@/shared/events/postGameRedirect';
import { Logo } from '@/shared/illustrations';
import { log } from '@/shared/log';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { BackIcon } from '@/shared/ui/icons';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import { useUnloadWarning } from '@/shared/ui/useUnloadWarning';
import classes from './EventRoom.module.css';
import { type EventRoom as Room, INIT_FAILED, type StillThere as Asked } from './eventRoom';
import { NextMatch } from './NextMatch';
import { RoomFailure } from './RoomFailure';
import { Standing } from './Standing';
import { useEventRoom } from './useEventRoom';

/** Whoever comes back to the room sees what is so now, not what was. */
const FRESH = { refetchOnMountOrArgChange: true, refetchOnFocus: true, refetchOnReconnect: true } as const;

/** Waiting for an opponent, and what one is told meanwhile: docs/behaviour/webapp.md#event-room. */
export function EventRoom({ eventId, userId }: { eventId: string; userId: string }) {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const event = useEventQuery(eventId, FRESH);
  const standing = usePlayerForEventQuery({ eventId, userId }, FRESH);
  useEventUpdates(eventId);
  const { room, enter, search, cancel } = useEventRoom(eventId, userId);
  const [isComingBack, setComingBack] = useState(query.get('fromGame') === 'true');
  const { phase, redirect, stillThere } = room;
  const player = standing.data?.player ?? room.player;
  const back = eventPath(eventId);
  const isSearching = phase === 'searching';
  const blocker = useBlocker(isSearching);

  useEffect(() => {
    if (redirect === null) return;
    const { path, afterMs, notice } = redirect;
    const go = () => void navigate(path, { replace: true, state: notice === undefined ? null : { notice } });
    const timer = setTimeout(go, afterMs);
    return () => clearTimeout(timer);
  }, [redirect, navigate]);

  // A found game opens, whatever was asked meanwhile.
  useEffect(() => {
    if (!isSearching && blocker.state === 'blocked') blocker.reset();
  }, [isSearching, blocker]);

  useUnloadWarning(isSearching);

  const leave = () => {
    cancel().catch((error: unknown) => log.note('Failed to cancel matchmaking', error));
    blocker.proceed?.();
  };
  const cancelSearch = () => {
    cancel().catch((error: unknown) => {
      log.note('Failed to cancel matchmaking', error);
      void navigate(back);
    });
  };

  if (event.error !== undefined && event.data === undefined) {
    const isGone = isApiError(event.error) && event.error.status === 404;
    if (isGone) return <RoomFailure text="Event not found." />;
    return <RoomFailure text={errorText(event.error, INIT_FAILED)} back={back} onRetry={() => void event.refetch()} />;
  }
  // The room of an event that is not open, or no longer open to them, is the event's page. Whoever is told so, or is on the
  // way to a game, goes in their own time.
  if (phase !== 'leaving' && phase !== 'gameReady' && event.data !== undefined && !event.isFetching) {
    const isEliminated = standing.data?.isEliminated ?? false;
    if (postGameRedirect({ eventId, event: event.data, isEliminated }).to === 'event')
      return <Navigate to={back} replace />;
  }
  if (phase === 'error') return <RoomFailure text={room.error ?? ''} back={back} onRetry={enter} />;

  const isAsked = phase === 'ready' && stillThere !== null;
  const isNextMatch = phase === 'ready' && isComingBack && !isAsked;
  const find = () => {
    setComingBack(false);
    search();
  };
  return (
    <main className={classes.page}>
      <title>{`${isAsked ? 'Still there?' : TITLES[phase]} · Morpion`}</title>
      <div className={classes.top}>
        <ActionIcon onClick={() => void navigate(back)} aria-label="Back to the event">
          <BackIcon />
        </ActionIcon>
        <h1>{event.data?.title ?? 'Event'}</h1>
        <span className={classes.switches}>
          <SoundSwitch setting={callSound} label="Sound when you are paired" />
          <ThemeSwitch />
        </span>
      </div>
      <div className={classes.columns}>
        <section className={classes.room} aria-live="polite">
          <Logo
            className={`${classes.logo ?? ''} ${isSearching || phase === 'connecting' ? (classes.busy ?? '') : ''}`}
          />
          {isNextMatch ? (
            <NextMatch onContinue={find} onCancel={() => setComingBack(false)} />
          ) : isAsked ? (
            <StillThere asked={stillThere} />
          ) : (
            <RoomStatus room={room} />
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
          {room.notice !== null && (
            <p role="status" className={classes.notice}>
              {room.notice}
            </p>
          )}
        </section>
        {event.data !== undefined && player !== null && (
          <div className={classes.aside}>
            <Standing event={event.data} player={player} />
            <Announcements event={event.data} />
          </div>
        )}
      </div>
      <ConfirmDialog
        title="Leave matchmaking?"
        opened={blocker.state === 'blocked'}
        confirm="Leave"
        keep="Stay"
        onConfirm={leave}
        onKeep={() => blocker.reset?.()}
      >
        You lose your place in the queue. You can come back as long as the event is live.
      </ConfirmDialog>
    </main>
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

function RoomStatus({ room }: { room: Room }) {
  switch (room.phase) {
    case 'ready':
      return (
        <>
          <h2>Ready when you are</h2>
          <p>You will meet somebody near your level. A turn takes 15 seconds at most.</p>
        </>
      );
    case 'searching':
      return <Search room={room} />;
    case 'gameReady':
      return (
        <>
          {room.opponent !== null && <PersonAvatar person={room.opponent} size={56} />}
          <h2>{room.opponent === null ? 'Your game goes on' : `You play ${nameOf(room.opponent)}`}</h2>
          <p>
            {room.opponent === null
              ? 'Taking you back to it…'
              : `Level ${room.opponent.level}. The board is being set up…`}
          </p>
        </>
      );
    case 'leaving':
      return <h2>Back to the event…</h2>;
    default:
      return (
        <>
          <h2>Connecting</h2>
          <p>Entering the event room…</p>
        </>
      );
  }
}

const ABSENCES: Record<NonNullable<Asked['reason']>, string> = {
  noShow: 'You lost the last game because you were not there in time.',
  timeout: 'You lost the last game because your time ran out.',
};

/** Nobody is paired who may have gone. */
function StillThere({ asked: { reason, strikes, maxStrikes } }: { asked: Asked }) {
  const isLastTime = strikes !== undefined && maxStrikes !== undefined && strikes + 1 >= maxStrikes;
  return (
    <>
      <h2>Still there?</h2>
      <p className={classes.about}>
        {reason === undefined ? 'You lost the last game because you were away.' : ABSENCES[reason]} We look for an
        opponent as soon as you say so.
        {isLastTime && ' One more such loss in a row takes you out of the room.'}
      </p>
    </>
  );
}

/** Nobody waits without being told why. */
function Search({ room: { queue, searchingSince } }: { room: Room }) {
  const now = useNow();
  const others = Math.max(0, (queue?.queueSize ?? 1) - 1);
  return (
    <>
      <h2>Looking for an opponent…</h2>
      {queue?.reason !== undefined && <p className={classes.reason}>{queue.reason}</p>}
      <p>
        {`${others} ${others === 1 ? 'other' : 'others'} waiting, ${queue?.playing ?? 0} playing`}
        {searchingSince !== null && ` · ${roughly(now - searchingSince)}`}
      </p>
    </>
  );
}
