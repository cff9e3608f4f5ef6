import { ActionIcon, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useBlocker, useNavigate, useSearchParams } from 'react-router';
import { errorText, isApiError } from '@/api/base';
import { useEventQuery } from '@/api/events';
import { roughly, useNow } from '@/shared/events/countdown';
import { Logo } from '@/shared/illustrations';
import { log } from '@/shared/log';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { BackIcon } from '@/shared/ui/icons';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import { useClosingWarning } from '@/shared/ui/useClosingWarning';
import classes from './EventRoom.module.css';
import { type EventRoom as Room, HIGH_LEVEL, INIT_FAILED } from './eventRoom';
import { NextMatch } from './NextMatch';
import { RoomFailure } from './RoomFailure';
import { useEventRoom } from './useEventRoom';

/** Waiting for an opponent, and what one is told meanwhile (events and gameplay, section 2: event game room). */
export function EventRoom({ eventId, userId }: { eventId: string; userId: string }) {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const event = useEventQuery(eventId);
  const { room, enter, search, cancel } = useEventRoom(eventId, userId);
  const [isComingBack, setComingBack] = useState(query.get('fromGame') === 'true');
  const { phase, player, leadsTo } = room;
  const back = `/app/events/view/${eventId}`;
  const isSearching = phase === 'searching';
  const blocker = useBlocker(isSearching);

  useEffect(() => {
    if (leadsTo === null) return;
    const timer = setTimeout(() => void navigate(leadsTo.path, { replace: true }), leadsTo.afterMs);
    return () => clearTimeout(timer);
  }, [leadsTo, navigate]);

  // A found game opens, whatever was asked meanwhile.
  useEffect(() => {
    if (!isSearching && blocker.state === 'blocked') blocker.reset();
  }, [isSearching, blocker]);

  useClosingWarning(isSearching);

  const leave = () => {
    cancel().catch((error: unknown) => log.warn('Failed to cancel matchmaking', error));
    blocker.proceed?.();
  };
  const cancelSearch = () => {
    cancel().catch((error: unknown) => {
      log.warn('Failed to cancel matchmaking', error);
      void navigate(back);
    });
  };

  if (event.error !== undefined && event.data === undefined) {
    const isGone = isApiError(event.error) && event.error.status === 404;
    const text = isGone ? 'Event not found.' : errorText(event.error, INIT_FAILED);
    return <RoomFailure text={text} back={back} onRetry={() => void event.refetch()} />;
  }
  if (phase === 'error') return <RoomFailure text={room.error ?? ''} back={back} onRetry={enter} />;

  const isNextMatch = phase === 'ready' && isComingBack;
  return (
    <main className={classes.page}>
      <title>{`${TITLES[phase]} · Morpion`}</title>
      <div className={classes.top}>
        <ActionIcon onClick={() => void navigate(back)} aria-label="Back to the event">
          <BackIcon />
        </ActionIcon>
        <h1>{event.data?.title ?? 'Event'}</h1>
        <ThemeSwitch />
      </div>
      <section className={classes.room} aria-live="polite">
        <Logo
          className={`${classes.logo ?? ''} ${isSearching || phase === 'connecting' ? (classes.busy ?? '') : ''}`}
        />
        {isNextMatch ? (
          <NextMatch
            onContinue={() => {
              setComingBack(false);
              search();
            }}
            onCancel={() => setComingBack(false)}
          />
        ) : (
          <Situation room={room} />
        )}
        {phase === 'ready' && !isNextMatch && (
          <Button size="lg" onClick={search}>
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
        {player !== null && (
          <>
            <dl className={classes.standing}>
              <Figure name="Level" value={player.level} />
              <Figure name="Wins" value={player.wins} />
              <Figure name="Losses" value={player.losses} />
            </dl>
            {player.level >= HIGH_LEVEL && (
              <p className={classes.warning}>
                You have reached level {player.level}: few are that far, so finding opponents may take longer.
              </p>
            )}
          </>
        )}
      </section>
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

function Situation({ room }: { room: Room }) {
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
          <h2>{room.opponent === null ? 'Your game goes on' : `You play ${room.opponent.username}`}</h2>
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

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
