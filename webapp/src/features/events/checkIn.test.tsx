import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '@/api/events';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, answer, failure, server, signedInAsAda, someEvent, wholePage } from '@/testing/server';

const MINUTE = 60_000;

let event: Event;
let status: { isSignedUp: boolean; checkedIn?: boolean };
let signUps: ReturnType<typeof actions>;

/** An event that asks players to check in half an hour before its start, so many minutes from now. */
const startsIn = (minutes: number, over: Partial<Event> = {}) =>
  someEvent({
    eventState: 'published',
    startTime: new Date(Date.now() + minutes * MINUTE).toISOString(),
    endTime: new Date(Date.now() + (minutes + 90) * MINUTE).toISOString(),
    checkInMinutes: 30,
    checkedInCount: 3,
    signupCount: 8,
    ...over,
  });

beforeEach(() => {
  event = startsIn(20);
  status = { isSignedUp: true, checkedIn: false };
  const events = actions('event', {
    get_event_by_id: () => answer({ event: event as never }),
    list_events: () => answer({ events: [event] as never, pagination: wholePage }),
  });
  signUps = actions('eventSignUp', {
    get_user_sign_up_status: () => answer(status),
    list_signups_for_event: () => answer({ signups: [], pagination: wholePage }),
    check_in: ({ checkedIn }) => {
      status = { isSignedUp: true, checkedIn: checkedIn as boolean };
      event = { ...event, checkedInCount: checkedIn === true ? 4 : 3 };
      return answer({});
    },
  });
  const others = [
    actions('player', { check_player_for_event: () => answer({ isEliminated: false }) }),
    actions('game', {
      get_games_by_user: () => answer({ games: [] }),
      spectatable_games: () => answer({ games: [], pagination: wholePage }),
    }),
  ];
  server.use(...signedInAsAda, ...[events, signUps, ...others].flatMap(({ handlers }) => handlers));
});

async function open() {
  const app = renderApp('/app/events/view/e1');
  expect(await screen.findByRole('heading', { name: 'Chalk Cup', level: 1 })).toBeInTheDocument();
  return app;
}

const box = async () => within(await screen.findByRole('region', { name: 'Check-in' }));

describe('the check-in of an event', () => {
  it('is a press, can be taken back, and says how many are here', async () => {
    const { user, container } = await open();
    const checkIn = await box();
    expect(checkIn.getByRole('status')).toHaveTextContent('3 of 8 are here');
    await expectAccessible(container);
    await user.click(checkIn.getByRole('button', { name: 'Check in' }));
    expect(await checkIn.findByText('You are checked in.')).toBeInTheDocument();
    expect(await checkIn.findByText('4 of 8 are here')).toBeInTheDocument();
    await user.click(checkIn.getByRole('button', { name: 'Undo check-in' }));
    expect(await checkIn.findByRole('button', { name: 'Check in' })).toBeInTheDocument();
    expect(signUps.calls.filter(({ action }) => action === 'check_in').map(({ payload }) => payload.checkedIn)).toEqual(
      [true, false],
    );
  });

  it('is counted anew while others check in', async () => {
    await open();
    const checkIn = await box();
    event = { ...event, checkedInCount: 5 };
    FakeSocket.last.receive('refreshLeaderboard', { eventId: 'e1' });
    expect(await checkIn.findByText('5 of 8 are here')).toBeInTheDocument();
  });

  it('says when it opens, and shows what the server refuses', async () => {
    event = startsIn(90);
    const { unmount } = await open();
    expect((await box()).getByText(/^Check-in opens at/)).toHaveTextContent('30 minutes before the start');
    expect(screen.queryByRole('button', { name: 'Check in' })).not.toBeInTheDocument();
    unmount();
    event = startsIn(20);
    const refusing = actions('eventSignUp', {
      get_user_sign_up_status: () => answer(status),
      list_signups_for_event: () => answer({ signups: [], pagination: wholePage }),
      check_in: () =>
        failure(409, { errorCode: 'check-in-closed', errorMessage: 'Check-in closed when the event started.' }),
    });
    server.use(...refusing.handlers);
    const { user } = await open();
    await user.click((await box()).getByRole('button', { name: 'Check in' }));
    expect(await screen.findByText('Check-in closed when the event started.')).toBeInTheDocument();
  });

  it('tells who is not signed up that registering is enough', async () => {
    status = { isSignedUp: false };
    await open();
    const checkIn = await box();
    expect(checkIn.getByText(/If you register now, you are checked in too/)).toBeInTheDocument();
    expect(checkIn.queryByRole('button')).not.toBeInTheDocument();
  });

  it.each([
    ['open', 'You can still join.'],
    ['closed', 'You are not paired, and this event takes no late entries.'],
  ] as const)('that was missed is told in an event that is %s', async (eventType, text) => {
    event = startsIn(-5, {
      eventState: 'started',
      eventType,
      startedAt: new Date(Date.now() - 5 * MINUTE).toISOString(),
    });
    await open();
    expect(await screen.findByRole('heading', { name: 'You did not check in' })).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Check-in' })).not.toBeInTheDocument();
  });
});
