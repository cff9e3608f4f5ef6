import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import { Link } from 'react-router';
import type { User } from '@/api/account';
import type { Event } from '@/api/events';
import { AccountNeeded } from '@/shared/events/AccountNeeded';
import { Deciding, DECIDING } from '@/shared/events/Deciding';
import { gamePath } from '@/shared/events/postGameRedirect';
import { nameOf } from '@/shared/people/personSummary';
import { FreeEvents } from '@/shared/plan/FreeEvents';
import { isStageEvent } from '@/shared/stages/formats';
import { Failure } from '@/shared/ui/Failure';
import classes from './EventPanel.module.css';
import type { EventPanelState } from './eventPanelState';
import { CheckIn } from './CheckIn';
import { UpgradeDialog } from './UpgradeDialog';
import { useEventPanel } from './useEventPanel';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PromptDialog } from '@/shared/ui/PromptDialog';

const PushOffer = lazyPart(() => import('@/shared/push/PushOffer'));

interface EventPanelProps {
  event: Event;
  /** Null for a visitor. */
  user: User | null;
  /** They lost a knockout, or were withdrawn: what stands beside the panel says so. */
  isOut?: boolean;
}

/** Registers for or joins the event, or says why neither is possible. */
export function EventPanel({ event, user, isOut = false }: EventPanelProps) {
  const panel = useEventPanel(event, user, isOut);
  const {
    isLoading,
    state,
    hasCheckedIn,
    isLate,
    takenOut,
    action,
    ownGame,
    failure,
    retry,
    isUnknown,
    signIn,
    leaving,
    upgrade,
  } = panel;
  if (isLoading) return <p className={classes.text}>One moment…</p>;
  if (user?.isTempUser && (state === 'register' || state === 'join')) return <AccountNeeded />;
  // Whether the user is registered is not known: nothing is offered that may be wrong.
  if (isUnknown && failure !== null) return <LoadFailure text={failure} onRetry={retry} />;
  if (state === 'out') return null;
  const { title, text, button } = state === 'join' && isLate ? LATE : WORDS[state];
  return (
    <div className={classes.panel} data-state={state}>
      {title !== undefined && <h2>{title}</h2>}
      {takenOut !== undefined && (
        <p className={classes.text} role="status">
          {takenOut}
        </p>
      )}
      <p className={classes.text}>{typeof text === 'function' ? text(event) : text}</p>
      {(state === 'register' || state === 'unregister') && (
        <CheckIn
          event={event}
          userId={state === 'unregister' ? (user?.userId ?? null) : null}
          hasCheckedIn={hasCheckedIn}
        />
      )}
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
        <Button variant="default" onClick={signIn}>
          Registered? Sign in
        </Button>
      )}
      {(state === 'register' || state === 'join') && !event.isPrivate && <FreeEvents />}
      <Suspense fallback={null}>{state === 'unregister' && <PushOffer occasion="event" />}</Suspense>
      <Failure text={failure} />
      <LeaveDialog {...leaving} />
      <UpgradeDialog text={upgrade.text} onClose={upgrade.close} />
    </div>
  );
}

/** Before a private event is left: one needs its code to come back. */
function LeaveDialog({ isAsked, isBusy, stay, leave }: ReturnType<typeof useEventPanel>['leaving']) {
  return (
    <PromptDialog
      title="Leave this event?"
      opened={isAsked}
      onClose={stay}
      actions={
        <>
          <Button variant="default" onClick={stay} disabled={isBusy} data-autofocus>
            Stay
          </Button>
          <Button variant="danger" onClick={leave} loading={isBusy}>
            Leave
          </Button>
        </>
      }
    >
      <p>It is private: you need its join code to come back.</p>
    </PromptDialog>
  );
}

interface Words {
  title?: string;
  text: string | ((event: Event) => string);
  button?: string;
}

/** Of a live event, for somebody who signed up and did not check in. */
const LATE: Words = {
  title: 'You did not check in',
  text: (event) => (isStageEvent(event) ? 'You can still join, and play from the next round.' : 'You can still join.'),
  button: 'Join Tournament',
};

const WORDS: Record<Exclude<EventPanelState, 'out'>, Words> = {
  notReady: { text: 'This event is still being prepared.', button: 'Not Ready' },
  register: { text: 'Registration is open until the event starts.', button: 'Register Now' },
  unregister: {
    title: 'You are registered!',
    text: 'Come back when it starts. This page updates by itself.',
    button: 'Unregister',
  },
  join: {
    title: 'It is live!',
    text: (event) =>
      isStageEvent(event)
        ? 'Join to play: your games open by themselves.'
        : 'You will be paired with somebody near your level.',
    button: 'Join Tournament',
  },
  closed: { title: 'Tournament Closed', text: 'Only players who registered before it started can join.' },
  absent: { title: 'You did not check in', text: 'You are not paired, and this event takes no late entries.' },
  playing: {
    title: 'Your game is on!',
    text: ({ eventState }) =>
      eventState === 'ended' ? 'The event has ended, and your game still counts.' : 'Your opponent is at the board.',
  },
  eliminated: {
    title: "You've Been Eliminated",
    text: (event) =>
      isStageEvent(event)
        ? 'Well played! You can watch the others to the end.'
        : `${event.maxLosses === 1 ? 'One loss was' : `${event.maxLosses} losses were`} enough. Well played!`,
  },
  removed: { title: 'You are no longer in this event', text: 'The organisers removed you from this event.' },
  checking: {
    title: 'This event has ended',
    text: 'The organisers are checking the results. The winners will appear here.',
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
  cancelled: { title: 'Event Cancelled', text: 'The organisers cancelled it. There are no winners.' },
};
