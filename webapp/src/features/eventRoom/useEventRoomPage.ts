import { useEffect, useState } from 'react';
import { useBlocker, useNavigate, useSearchParams } from 'react-router';
import { useEventQuery, usePlayerForEventQuery } from '@/api/events';
import { eventPath, postGameRedirect } from '@/shared/events/postGameRedirect';
import { useEventUpdates } from '@/shared/events/useEventUpdates';
import { log } from '@/shared/log';
import { isStageEvent } from '@/shared/stages/formats';
import { useUnloadWarning } from '@/shared/ui/useUnloadWarning';
import { useEventRoom } from './useEventRoom';
import { ifKnown } from '@/shared/ui/Loaded';

/** On return to the room everything is loaded again. */
const FRESH = { refetchOnMountOrArgChange: true, refetchOnFocus: true, refetchOnReconnect: true } as const;

export type EventRoomPageState = ReturnType<typeof useEventRoomPage>;

/** State and actions of the event room's page: what is shown of it is in EventRoom.tsx. */
export function useEventRoomPage(eventId: string, userId: string) {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const event = useEventQuery(eventId, FRESH);
  const standing = usePlayerForEventQuery({ eventId, userId }, FRESH);
  useEventUpdates(eventId);
  const stage = event.data !== undefined && isStageEvent(event.data) ? event.data : null;
  const { room, enter, search, cancel } = useEventRoom(eventId, userId, stage !== null);
  const [isComingBack, setComingBack] = useState(query.get('fromGame') === 'true');
  const { phase, redirect, stillThere } = room;
  const player = ifKnown(standing)?.player ?? room.player;
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

  const isAsked = phase === 'ready' && stillThere !== null;
  const find = () => {
    setComingBack(false);
    search();
  };
  // The room of an event that is not open, or no longer open to the player, is the event's page. A player who has been
  // told so, or is about to be taken to a game, is redirected by the room itself.
  const isClosed =
    phase !== 'leaving' &&
    phase !== 'gameReady' &&
    event.data !== undefined &&
    !event.isFetching &&
    postGameRedirect({ eventId, event: event.data, isEliminated: standing.data?.isEliminated ?? false }).to === 'event';
  return {
    event,
    /** The event, if it is played in stage rounds. */
    stage,
    player,
    room,
    back,
    isClosed,
    isSearching,
    isNextMatch: phase === 'ready' && isComingBack && !isAsked,
    enter,
    find,
    cancelSearch,
    stay: () => setComingBack(false),
    goBack: () => void navigate(back),
    leaving: { isAsked: blocker.state === 'blocked', confirm: leave, cancel: () => blocker.reset?.() },
  };
}
