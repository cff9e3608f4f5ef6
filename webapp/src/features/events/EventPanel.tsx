import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { User } from '@/api/account';
import { errorText, isApiError } from '@/api/base';
import {
  type Event,
  useJoinEventMutation,
  usePlayerForEventQuery,
  useRemoveSignUpMutation,
  useSignUpMutation,
  useSignUpStatusQuery,
} from '@/api/events';
import { AccountNeeded } from '@/shared/events/AccountNeeded';
import { Deciding, DECIDING } from '@/shared/events/Deciding';
import { useOwnGameIn } from '@/shared/events/useOwnGames';
import { gamePath, roomPath } from '@/shared/events/postGameRedirect';
import { nameOf } from '@/shared/people/personSummary';
import { FreeEvents } from '@/shared/plan/FreeEvents';
import { urlIntended } from '@/shared/session/sessionSlice';
import { Failure } from '@/shared/ui/Failure';
import classes from './EventPanel.module.css';
import { type EventPanelState, eventPanelState } from './eventPanelState';
import { FREE_PLAN_LIMIT, UpgradeDialog } from './UpgradeDialog';
import { useAppDispatch } from '@/shared/storeHooks';

interface EventPanelProps {
  event: Event;
  /** Null for a visitor. */
  user: User | null;
}

/** Registers for or joins the event, or says why neither is possible. */
export function EventPanel({ event, user }: EventPanelProps) {
  const { eventId } = event;
  const userId = user?.userId ?? '';
  const status = useSignUpStatusQuery({ eventId, userId }, { skip: user === null });
  const isAhead = event.eventState === 'published' || event.eventState === 'started';
  const player = usePlayerForEventQuery({ eventId, userId }, { skip: user === null || !isAhead });
  const ownGame = useOwnGameIn(eventId);
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
  const unregister = acting(async () => {
    const { error } = await removeSignUp({ eventId, userId });
    if (error !== undefined) setFailure(failed(error, 'Failed to unregister'));
  });
  const join = acting(async ({ username, isProUser }) => {
    const { data, error } = await joinEvent({ eventId, userId, username });
    const isLimited = data?.requiresUpgrade === true || (isApiError(error) && error.requiresUpgrade === true);
    if (isLimited && !isProUser) setUpgrade(errorText(error, FREE_PLAN_LIMIT));
    else if (data !== undefined && !isLimited) await navigate(roomPath(eventId));
    else setFailure(failed(error, 'Failed to join event', 'Failed to join event. Please try again.'));
  });

  if (user !== null && status.isLoading) return <p className={classes.text}>One moment…</p>;
  const state = eventPanelState(event, {
    userId: user?.userId ?? null,
    isSignedUp: status.data?.isSignedUp ?? false,
    isEliminated: player.data?.isEliminated ?? false,
    isRemoved: player.data?.player?.isRemoved ?? false,
    isPlaying: ownGame !== undefined,
  });
  if (user?.isTempUser && (state === 'register' || state === 'join')) return <AccountNeeded />;
  const actions: Partial<Record<EventPanelState, { act: () => void; isBusy: boolean }>> = {
    register: { act: register, isBusy: signingUp.isLoading },
    unregister: { act: unregister, isBusy: removing.isLoading },
    join: { act: join, isBusy: joining.isLoading },
  };
  const action = actions[state];
  const { title, text, button } = WORDS[state];
  const problem =
    status.error === undefined
      ? failure
      : failed(status.error, 'Failed to fetch sign-ups', 'An error occurred while fetching sign-ups');
  return (
    <div className={classes.panel} data-state={state}>
      {title !== undefined && <h2>{title}</h2>}
      <p className={classes.text}>{typeof text === 'function' ? text(event) : text}</p>
      {state === 'deciding' && (
        <p className={classes.pending} role="status">
          <Deciding event={event} />
        </p>
      )}
      {ownGame !== undefined && state === 'playing' && (
        <Button size="md" component={Link} to={gamePath(ownGame.gameId)}>
          Return to your game
        </Button>
      )}
      {button !== undefined && (
        <Button
          size="md"
          variant={state === 'unregister' ? 'default' : 'filled'}
          disabled={action === undefined}
          loading={action?.isBusy ?? false}
          onClick={action?.act}
        >
          {button}
        </Button>
      )}
      {state === 'closed' && user === null && (
        <Button variant="default" onClick={acting(() => Promise.resolve())}>
          Registered? Sign in
        </Button>
      )}
      {(state === 'register' || state === 'join') && <FreeEvents />}
      <Failure text={problem} />
      <UpgradeDialog text={upgrade} onClose={() => setUpgrade(null)} />
    </div>
  );
}

interface Words {
  title?: string;
  text: string | ((event: Event) => string);
  button?: string;
}

const WORDS: Record<EventPanelState, Words> = {
  notReady: { text: 'This event is still being prepared.', button: 'Not Ready' },
  register: { text: 'Registration is open until the event starts.', button: 'Register Now' },
  unregister: {
    title: 'You are registered!',
    text: 'Come back when it starts: this page goes live by itself.',
    button: 'Unregister',
  },
  join: { title: 'It is live!', text: 'You will meet somebody near your level.', button: 'Join Tournament' },
  closed: { title: 'Tournament Closed', text: 'Only players who registered before it started can join.' },
  playing: {
    title: 'Your game is on!',
    text: ({ eventState }) =>
      eventState === 'ended' ? 'The event has ended, and your game still counts.' : 'Your opponent is at the board.',
  },
  eliminated: {
    title: "You've Been Eliminated",
    text: ({ maxLosses }) => `${maxLosses === 1 ? 'One loss was' : `${maxLosses} losses were`} enough. Well played!`,
  },
  removed: { title: 'You are no longer in this event', text: 'The organisers have removed you from it.' },
  checking: {
    title: 'This event has ended',
    text: 'The organisers are checking the results. The winners follow here.',
  },
  deciding: { title: 'This event has ended', text: DECIDING },
  won: { title: 'You won!', text: ({ title }) => `Congratulations! You are the winner of ${title}.` },
  placed: {
    title: 'You are among the winners!',
    text: ({ title }) => `Congratulations! You made it to the top of ${title}.`,
  },
  ended: {
    title: 'This event has ended',
    text: ({ winners: [first] }) => (first === undefined ? 'Nobody won it.' : `The winner is ${nameOf(first)}.`),
  },
  cancelled: { title: 'Event Cancelled', text: 'It does not take place. There are no winners.' },
};

/** The server's message, or a default for a refusal or an unreachable server. */
function failed(error: unknown, refused: string, unreachable = refused): string {
  return errorText(error, isApiError(error) && error.status !== 0 ? refused : unreachable);
}
