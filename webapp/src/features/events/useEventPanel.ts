import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { User } from '@/api/account';
import { errorText, isApiError, mayRetry } from '@/api/base';
import {
  type Event,
  useJoinEventMutation,
  usePlayerForEventQuery,
  useRemoveSignUpMutation,
  useSignUpMutation,
  useSignUpStatusQuery,
} from '@/api/events';
import { hasAskedToCheckIn } from '@/shared/events/checkIn';
import { isHostOf } from '@/shared/events/host';
import { useOwnGameIn } from '@/shared/events/useOwnGames';
import { roomPath } from '@/shared/events/postGameRedirect';
import { useIsFixed } from '@/shared/stages/useIsFixed';
import { urlIntended } from '@/shared/session/sessionSlice';
import { useAppDispatch } from '@/shared/storeHooks';
import { type EventPanelState, eventPanelState } from './eventPanelState';
import { FREE_PLAN_LIMIT } from './UpgradeDialog';

/** What the server knows of the user in the event; nothing of a visitor. */
function usePart(event: Event, user: User | null) {
  const { eventId, eventState } = event;
  const userId = user?.userId ?? '';
  const isAhead = eventState === 'published' || eventState === 'started';
  const status = useSignUpStatusQuery({ eventId, userId }, { skip: user === null });
  const player = usePlayerForEventQuery(
    { eventId, userId },
    { skip: user === null || !isAhead, refetchOnMountOrArgChange: true },
  );
  const hasCheckedIn = status.data?.checkedIn ?? false;
  /** They signed up, were asked to check in, and did not. */
  const isLate = status.data?.isSignedUp === true && hasAskedToCheckIn(event) && !hasCheckedIn;
  return { status, player, hasCheckedIn, isLate };
}

type Person = Parameters<typeof eventPanelState>[1];

/** The user as the panel's state depends on them. */
function personOf(
  user: User | null,
  { status, player, isLate }: ReturnType<typeof usePart>,
  others: Pick<Person, 'isOut' | 'isPlaying'>,
): Person {
  return {
    userId: user?.userId ?? null,
    isSignedUp: status.data?.isSignedUp ?? false,
    isEliminated: player.data?.isEliminated ?? false,
    isRemoved: player.data?.player?.isRemoved ?? false,
    isLate,
    ...others,
  };
}

/** State and actions of an event's panel: what is shown of it is in EventPanel.tsx. The user is null for a visitor. */
export function useEventPanel(event: Event, user: User | null, isOut: boolean) {
  const { eventId } = event;
  const userId = user?.userId ?? '';
  const part = usePart(event, user);
  const { status, player, hasCheckedIn, isLate } = part;
  const ownGame = useOwnGameIn(eventId);
  const isFixed = useIsFixed(event);
  const read = status.error === undefined ? player : status; // The one of the two that failed.
  const [failure, setFailure] = useState<string | null>(null);
  const [upgrade, setUpgrade] = useState<string | null>(null);
  const [signUp, signingUp] = useSignUpMutation();
  const [removeSignUp, removing] = useRemoveSignUpMutation();
  const [joinEvent, joining] = useJoinEventMutation();
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();

  /** Runs the action for signed-in users; sends visitors to the sign-in and back. */
  const acting = (act: (user: User) => Promise<void>) => () => {
    setFailure(null);
    if (user !== null) {
      void act(user);
      return;
    }
    dispatch(urlIntended(pathname));
    void navigate('/login');
  };
  const register = acting(async () => {
    const { error } = await signUp({ eventId, userId });
    if (error !== undefined) setFailure(failed(error, 'Registration failed', 'Registration failed. Please try again.'));
  });
  const [isLeaving, setLeaving] = useState(false);
  const unregister = acting(async (self) => {
    const { error } = await removeSignUp({ eventId, userId });
    setLeaving(false);
    if (error !== undefined) setFailure(failed(error, 'Failed to unregister'));
    else if (isLostBy(event, self)) await navigate('/app/events');
  });
  const join = acting(async ({ username, isProUser }) => {
    const { data, error } = await joinEvent({ eventId, userId, username });
    const isLimited = data?.requiresUpgrade === true || (isApiError(error) && error.requiresUpgrade === true);
    if (isLimited && !isProUser) setUpgrade(errorText(error, FREE_PLAN_LIMIT));
    else if (data !== undefined && !isLimited) await navigate(roomPath(eventId));
    else setFailure(failed(error, 'Failed to join event', 'Failed to join event. Please try again.'));
  });

  const actions: Partial<Record<EventPanelState, { act: () => void; isBusy: boolean }>> = {
    register: { act: register, isBusy: signingUp.isLoading },
    unregister: { act: event.isPrivate ? () => setLeaving(true) : unregister, isBusy: removing.isLoading },
    join: { act: join, isBusy: joining.isLoading },
  };
  const person = personOf(user, part, { isOut, isPlaying: ownGame !== undefined });
  const state = eventPanelState({ ...event, isFixed }, person);
  return {
    isLoading: user !== null && (status.isLoading || player.isLoading),
    state,
    hasCheckedIn,
    isLate,
    /** Why the user was taken out of the room, until they come back. */
    takenOut: state === 'join' ? player.data?.takenOut : undefined,
    action: actions[state],
    ownGame,
    failure:
      read.error === undefined
        ? failure
        : failed(read.error, 'Failed to fetch sign-ups', 'An error occurred while fetching sign-ups'),
    /** Reads again what the panel needs to know; absent where that cannot help. */
    retry: mayRetry(read.error) ? () => void read.refetch() : undefined,
    /** What may be done is not known. */
    isUnknown: read.error !== undefined && read.data === undefined,
    signIn: acting(() => Promise.resolve()),
    /** Before a private event is left: one needs its code to come back. */
    leaving: { isAsked: isLeaving, leave: unregister, stay: () => setLeaving(false), isBusy: removing.isLoading },
    upgrade: { text: upgrade, close: () => setUpgrade(null) },
  };
}

/** Whoever leaves a private event that they do not run does not see it any more. */
function isLostBy(event: Event, user: User): boolean {
  return event.isPrivate && !user.isAdmin && !isHostOf(event, user);
}

/** The server's message, or a default for a refusal or an unreachable server. */
function failed(error: unknown, refused: string, unreachable = refused): string {
  return errorText(error, isApiError(error) && error.status !== 0 ? refused : unreachable);
}
