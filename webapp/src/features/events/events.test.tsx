import { act as acting, screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event, EventState } from '@/api/events';
import type { Game } from '@/realtime/protocol';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { renderApp } from '@/testing/renderApp';
import {
  actions,
  ada,
  answer,
  bob,
  failure,
  gameWithBob,
  server,
  signedInAsAda,
  someEvent,
  visitor,
  wholePage,
} from '@/testing/server';

let event: Event;
/** The open events that Ada is signed up for. */
let mine: Event[];
let isSignedUp: boolean;
let isEliminated: boolean;
/** Who has signed up: the first of them. */
let comers: object[];
/** Ada's games under way. */
let own: Game[];
let events: ReturnType<typeof actions>;
let signUps: ReturnType<typeof actions>;
let players: ReturnType<typeof actions>;
let games: ReturnType<typeof actions>;
let standings: ReturnType<typeof player>[];

function player(username: string, rank: number, over: object = {}) {
  const userId = username === 'ada' ? ada.userId : `u-${username}`;
  return {
    userId,
    username,
    displayName: username,
    eventId: 'e1',
    level: 5 - rank,
    wins: 4 - rank,
    losses: 0,
    isEliminated: false,
    rank,
    ...over,
  };
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  event = someEvent();
  mine = [];
  isSignedUp = false;
  comers = ['ada', 'bob'].map((name) => ({ ...player(name, 1), status: 'registered' }));
  isEliminated = false;
  own = [];
  standings = [player('bob', 1), player('ada', 2)];
  events = actions('event', {
    get_event_by_id: () => answer({ event: event as never }),
    list_events: ({ filter }) =>
      answer({
        events: ((filter as { signedUp?: boolean }).signedUp === true ? mine : [event]) as never,
        pagination: wholePage,
      }),
    join_event: () => answer({ requiresUpgrade: false }),
  });
  signUps = actions('eventSignUp', {
    get_user_sign_up_status: () => answer({ isSignedUp }),
    list_signups_for_event: () =>
      answer({ signups: comers as never, pagination: { ...wholePage, totalCount: comers.length + 12 } }),
    sign_up: () => {
      isSignedUp = true;
      return answer({});
    },
    remove_signup: () => {
      isSignedUp = false;
      return answer({});
    },
  });
  players = actions('player', {
    check_player_for_event: () => answer({ isEliminated, player: player('ada', 2) }),
    get_leaderboard: () => answer({ players: standings as never, pagination: { ...wholePage, totalCount: 2 } }),
  });
  games = actions('game', {
    get_games_by_user: () => answer({ games: own as never }),
    spectatable_games: () => answer({ games: [], pagination: wholePage }),
    get_games_by_event: () => answer({ games: [], pagination: wholePage }),
  });
  const all = [events, signUps, players, games].flatMap(({ handlers }) => handlers);
  server.use(...signedInAsAda, ...all);
});

describe('who can enter', () => {
  const conditions = { minGames: 20, maxRating: 1_400, isListedOnly: true };

  it('is said with the figures of the user, and again when the server refuses', async () => {
    event = someEvent({ ...conditions, eventState: 'published' });
    const refusal = 'This event is for ratings up to 1400. Yours is 1512.';
    const entry = actions('eventSignUp', {
      get_user_sign_up_status: () => answer({ isSignedUp }),
      list_signups_for_event: () => answer({ signups: [], pagination: wholePage }),
      check_entry: () =>
        answer({
          conditions: [
            { condition: 'maxRating', wanted: 1_400, own: 1_512, isMet: false, refusal },
            { condition: 'minGames', wanted: 20, own: 31, isMet: true },
            { condition: 'allowList', isMet: true },
          ],
        }),
      sign_up: () => failure(403, { errorCode: 'entry-max-rating', errorMessage: refusal }),
    });
    server.use(...entry.handlers);
    const { user, container } = renderApp('/app/events/view/e1');
    const box = within(await screen.findByRole('region', { name: 'Who can enter' }));
    await box.findByText('Yours is 1512.');
    expect(box.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'A rating up to 1400Yours is 1512.',
      '20 finished games or moreYou have 31.',
      "Only players on the organiser's listYou are on it.",
    ]);
    await expectAccessible(container);
    await user.click(await screen.findByRole('button', { name: 'Register Now' }));
    expect(await screen.findByText(refusal)).toBeInTheDocument();
  });

  it('asks nothing more of who is in', async () => {
    event = someEvent({ ...conditions, eventState: 'published' });
    isSignedUp = true;
    renderApp('/app/events/view/e1');
    await screen.findByRole('button', { name: 'Unregister' });
    expect(await screen.findByText('A rating up to 1400')).toBeInTheDocument();
    expect(signUps.calls.filter(({ action }) => action === 'check_entry')).toEqual([]);
  });

  it('is said to visitors, and not at all where anybody may', async () => {
    server.use(...visitor);
    event = someEvent({ ...conditions, eventState: 'published' });
    const { unmount } = renderApp('/app/events/view/e1');
    const box = within(await screen.findByRole('region', { name: 'Who can enter' }));
    expect(box.getByText('20 finished games or more')).toBeInTheDocument();
    expect(box.queryByText(/^You/)).not.toBeInTheDocument();
    expect(signUps.calls.filter(({ action }) => action === 'check_entry')).toEqual([]);
    unmount();
    event = someEvent({ eventState: 'published' });
    renderApp('/app/events/view/e1');
    await screen.findByRole('heading', { name: 'About' });
    expect(screen.queryByText('Who can enter')).not.toBeInTheDocument();
  });
});

describe('the list', () => {
  async function openList() {
    const app = renderApp('/app/events');
    expect(await screen.findByRole('heading', { name: 'Events', level: 1 })).toBeInTheDocument();
    return app;
  }

  it('has a heading, and requests published and started events', async () => {
    await openList();
    expect(screen.getByText('Join exciting Tic-Tac-Toe tournaments and competitions')).toBeInTheDocument();
    await screen.findByRole('article', { name: 'Chalk Cup' });
    expect(events.calls.map(({ payload }) => payload.filter)).toContainEqual({ eventState: ['published', 'started'] });
  });

  it('shows first what one is signed up for, and each event once', async () => {
    mine = [someEvent({ eventId: 'mine', title: 'Own Cup', eventState: 'published' })];
    await openList();
    await screen.findByRole('article', { name: 'Chalk Cup' });
    const own = within(await screen.findByRole('region', { name: 'Your events' }));
    const card = within(await own.findByRole('article', { name: 'Own Cup' }));
    expect(card.getByText('Signed up')).toBeInTheDocument();
    expect(card.getByRole('link', { name: 'View Details' })).toHaveAttribute('href', '/app/events/view/mine');
    mine = [event];
    acting(() => FakeSocket.last.receive('eventNews', { eventId: 'e1', title: 'Chalk Cup', news: 'added' }));
    await waitFor(() => expect(own.getByRole('article', { name: 'Chalk Cup' })).toBeInTheDocument());
    expect(screen.getAllByRole('article')).toHaveLength(1);
  });

  it('shows Loading events... while it loads', async () => {
    server.use(
      http.get('*/api/backend/event', async () => {
        await delay('infinite');
      }),
    );
    await openList();
    expect(screen.getByText('Loading events...')).toBeInTheDocument();
  });

  it('shows when there are no events', async () => {
    server.use(...actions('event', { list_events: () => answer({ events: [], pagination: wholePage }) }).handlers);
    await openList();
    expect(await screen.findByText('No Events Available')).toBeInTheDocument();
    expect(screen.getByText('Check back later for upcoming tournaments!')).toBeInTheDocument();
    const link = screen.getByRole('link', { name: 'Practice While You Wait' });
    expect(link).toHaveAttribute('href', '/app/practice');
  });

  it('says that loading failed, and tries again', async () => {
    let fails = true;
    server.use(
      ...actions('event', {
        list_events: () => (fails ? failure(500) : answer({ events: [event], pagination: wholePage })),
      }).handlers,
    );
    const { user } = await openList();
    expect(await screen.findByText('The events could not be loaded.')).toBeInTheDocument();
    expect(screen.queryByText('No Events Available')).not.toBeInTheDocument();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('article', { name: 'Chalk Cup' })).toBeInTheDocument();
    expect(screen.queryByText('The events could not be loaded.')).not.toBeInTheDocument();
  });

  it.each<[EventState, string, string]>([
    ['published', 'Register', 'Register Now'],
    ['started', 'Live', 'Join Event'],
    ['ended', 'ended', 'View Details'],
    ['drafted', 'drafted', 'View Details'],
  ])('shows a %s event with the badge %s and the button %s', async (eventState, badge, button) => {
    event = someEvent({ eventState });
    await openList();
    const card = within(await screen.findByRole('article', { name: 'Chalk Cup' }));
    expect(card.getByText(badge)).toBeInTheDocument();
    expect(card.getByRole('link', { name: button })).toHaveAttribute('href', '/app/events/view/e1');
  });

  it('shows a cancelled event without a link to it', async () => {
    event = someEvent({ eventState: 'cancelled' });
    await openList();
    const card = within(await screen.findByRole('article', { name: 'Chalk Cup' }));
    expect(card.getByText('Cancelled')).toBeInTheDocument();
    expect(card.getByRole('button', { name: 'Event Cancelled' })).toBeDisabled();
    expect(card.queryByRole('link')).not.toBeInTheDocument();
  });

  it('shows start, end and prize where they are set', async () => {
    await openList();
    const card = within(await screen.findByRole('article', { name: 'Chalk Cup' }));
    for (const term of ['Starts', 'Ends', 'Prize']) expect(card.getByText(term)).toBeInTheDocument();
    expect(card.getByText('A box of chalk')).toBeInTheDocument();
  });

  it('omits an end and a prize that are not set', async () => {
    const { endTime, prize, ...bare } = someEvent();
    event = bare;
    await openList();
    const card = within(await screen.findByRole('article', { name: 'Chalk Cup' }));
    expect(card.queryByText('Ends')).not.toBeInTheDocument();
    expect(card.queryByText('Prize')).not.toBeInTheDocument();
  });

  it('shows an event as live when the server announces it', async () => {
    event = someEvent({ eventState: 'published' });
    await openList();
    await screen.findByText('Register');
    FakeSocket.last.open();
    event = someEvent();
    FakeSocket.last.receive('eventStateChanged', { eventId: 'e1', eventState: 'started' });
    expect(await screen.findByText('Live')).toBeInTheDocument();
  });

  it('has pages, and a tab for past events', async () => {
    const pagination = { currentPage: 1, limit: 24, totalCount: 30, hasPrevPage: false, hasNextPage: true };
    const winners = [{ ...bob, level: 2, wins: 1 }];
    events = actions('event', {
      list_events: ({ filter, page }) => {
        const isPast = (filter as { eventState: string[] }).eventState.includes('ended');
        const title = `${isPast ? 'Past' : 'Next'} ${String(page)}`;
        return answer({
          events: [someEvent({ title, ...(isPast ? { eventState: 'ended', winners } : {}) })] as never,
          pagination: { ...pagination, currentPage: page as number, hasPrevPage: page === 2, hasNextPage: page === 1 },
        });
      },
    });
    server.use(...events.handlers);
    const { user, router } = await openList();
    await screen.findByRole('article', { name: 'Next 1' });
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByRole('article', { name: 'Next 2' });
    expect(router.state.location.search).toBe('?page=2');
    await user.click(screen.getByRole('radio', { name: 'Past' }));
    const card = within(await screen.findByRole('article', { name: 'Past 1' }));
    expect(card.getByText('bob')).toBeInTheDocument();
    expect(router.state.location.search).toBe('?when=past');
  });

  it('links to the user’s own game in a live event', async () => {
    own = [gameWithBob({ gameId: 'g7', gameType: 'event', eventId: 'e1' })];
    await openList();
    const card = within(await screen.findByRole('article', { name: 'Chalk Cup' }));
    expect(await card.findByRole('link', { name: 'Return to your game' })).toHaveAttribute('href', '/app/game/g7');
  });

  it('is shown to visitors', async () => {
    server.use(...visitor);
    await openList();
    expect(await screen.findByRole('article', { name: 'Chalk Cup' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    expect(screen.queryByRole('link', { name: 'Home' })).not.toBeInTheDocument();
  });
});

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

async function openEvent() {
  const app = renderApp('/app/events/view/e1');
  expect(await screen.findByRole('heading', { name: 'Chalk Cup', level: 1 })).toBeInTheDocument();
  return app;
}

const panel = () => within(screen.getByRole('region', { name: 'Taking part' }));
const act = (name: string) => panel().findByRole('button', { name });

describe('the panel', () => {
  it('of a published event registers', async () => {
    event = someEvent({ eventState: 'published' });
    const { user } = await openEvent();
    await user.click(await act('Register Now'));
    expect(await act('Unregister')).toBeInTheDocument();
    expect(signUps.calls).toContainEqual({ action: 'sign_up', payload: { eventId: 'e1', userId: ada.userId } });
  });

  it('of a published event unregisters a registered user', async () => {
    event = someEvent({ eventState: 'published' });
    isSignedUp = true;
    const { user } = await openEvent();
    await user.click(await act('Unregister'));
    expect(await act('Register Now')).toBeInTheDocument();
    expect(signUps.calls).toContainEqual({ action: 'remove_signup', payload: { eventId: 'e1', userId: ada.userId } });
  });

  it.each([
    ['open', false],
    ['open', true],
    ['closed', true],
  ] as const)('of a started %s event, registered %s, joins', async (eventType, registered) => {
    event = someEvent({ eventType });
    isSignedUp = registered;
    const { user, at } = await openEvent();
    await user.click(await act('Join Tournament'));
    await waitFor(() => expect(at()).toBe('/app/game/event/e1'));
    expect(events.calls).toContainEqual({
      action: 'join_event',
      payload: { eventId: 'e1', userId: ada.userId, username: 'ada' },
    });
  });

  it('of a started closed event admits only registered users', async () => {
    event = someEvent({ eventType: 'closed' });
    await openEvent();
    expect(await panel().findByRole('heading', { name: 'Tournament Closed' })).toBeInTheDocument();
    expect(panel().queryByRole('button', { name: 'Join Tournament' })).not.toBeInTheDocument();
  });

  it('of a draft shows that it is not ready', async () => {
    event = someEvent({ eventState: 'drafted' });
    await openEvent();
    expect(await act('Not Ready')).toBeDisabled();
  });

  it('shows that the user is eliminated', async () => {
    isSignedUp = true;
    isEliminated = true;
    await openEvent();
    expect(await panel().findByRole('heading', { name: "You've Been Eliminated" })).toBeInTheDocument();
    expect(panel().queryByRole('button', { name: 'Join Tournament' })).not.toBeInTheDocument();
  });

  it('of a cancelled event shows that, and no winners', async () => {
    event = someEvent({ eventState: 'cancelled' });
    await openEvent();
    expect(await panel().findByRole('heading', { name: 'Event Cancelled' })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Winners' })).not.toBeInTheDocument();
  });

  const bobFirst = { ...bob, level: 4, wins: 3 };
  const adaToo = { userId: ada.userId, username: 'ada', displayName: 'ada', level: 2, wins: 1 };

  it.each([
    ['has a special message for the winner', [adaToo, bobFirst], 'You won!'],
    ['greets who is among the winners', [bobFirst, adaToo], 'You are among the winners!'],
    ['says that it is over', [bobFirst], 'This event has ended'],
  ])('of an ended event %s', async (_name, winners, title) => {
    event = someEvent({ eventState: 'ended', winners });
    isSignedUp = true;
    await openEvent();
    expect(await panel().findByRole('heading', { name: title })).toBeInTheDocument();
    const list = within(screen.getByRole('region', { name: 'Winners' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual(
      winners.map(({ username, level, wins }) => `${username}Level ${level}, ${wins} ${wins === 1 ? 'win' : 'wins'}`),
    );
  });

  it.each([
    ['sign_up', 'published', false, 'Register Now', {}, 'Registration failed'],
    ['sign_up', 'published', false, 'Register Now', { errorMessage: 'Too late.' }, 'Too late.'],
    ['remove_signup', 'published', true, 'Unregister', {}, 'Failed to unregister'],
    ['join_event', 'started', true, 'Join Tournament', {}, 'Failed to join event'],
  ] as const)('shows when %s fails (%s, %s)', async (action, eventState, registered, button, body, text) => {
    event = someEvent({ eventState });
    isSignedUp = registered;
    const resource = action === 'join_event' ? 'event' : 'eventSignUp';
    const { user } = await openEvent();
    const pressed = await act(button);
    server.use(http.post(`*/api/backend/${resource}`, () => failure(409, body)));
    await user.click(pressed);
    expect(await panel().findByText(text)).toBeInTheDocument();
  });

  it.each([
    ['published', 'Register Now', 'eventSignUp', 'Registration failed. Please try again.'],
    ['started', 'Join Tournament', 'event', 'Failed to join event. Please try again.'],
  ] as const)('of a %s event shows when the server cannot be reached', async (eventState, button, resource, text) => {
    event = someEvent({ eventState });
    const { user } = await openEvent();
    const pressed = await act(button);
    server.use(http.post(`*/api/backend/${resource}`, () => HttpResponse.error()));
    await user.click(pressed);
    expect(await panel().findByText(text)).toBeInTheDocument();
  });

  it.each([
    ['Failed to fetch sign-ups', () => failure(500)],
    ['An error occurred while fetching sign-ups', () => HttpResponse.error()],
  ])('shows %s', async (text, respond) => {
    server.use(http.get('*/api/backend/eventSignUp', respond));
    await openEvent();
    expect(await panel().findByText(text)).toBeInTheDocument();
  });

  it.each([
    ['published', 'open', 'Register Now'],
    ['started', 'open', 'Join Tournament'],
    ['started', 'closed', 'Registered? Sign in'],
  ] as const)('of a %s %s event sends visitors to the sign-in, and back', async (eventState, eventType, button) => {
    server.use(...visitor);
    event = someEvent({ eventState, eventType });
    const { user, at, store } = await openEvent();
    await user.click(await act(button));
    await waitFor(() => expect(at()).toBe('/login'));
    expect(store.getState().session.intendedUrl).toBe('/app/events/view/e1');
  });
});

describe('the free plan', () => {
  const plans = (told: object) =>
    actions('subscription', {
      get_plans: () => answer({ plans: [], benefits: [], freeEventsPerMonth: 2, ...told }),
      get_subscription: () =>
        answer({
          subscription: { isSubScribe: false, isGranted: false },
          freeEventsUsed: 2,
          freeEventsLimit: 2,
          freeEventsResetAt: '2026-12-01T00:00:00Z',
        }),
    }).handlers;
  it('shows how much of it is used before it is used up', async () => {
    server.use(
      ...actions('subscription', {
        get_subscription: () =>
          answer({
            subscription: { isSubScribe: false, isGranted: false },
            freeEventsUsed: 1,
            freeEventsLimit: 3,
            freeEventsResetAt: '2026-12-01T00:00:00Z',
          }),
      }).handlers,
    );
    await openEvent();
    expect(await panel().findByText('1 of 3 free events used this month.')).toBeInTheDocument();
  });

  const limited = [
    ['a refusal', () => failure(402, { requiresUpgrade: true, errorMessage: "You've hit the free plan limit!" })],
    ['an answer', () => answer({ requiresUpgrade: true })],
  ] as const;

  it.each(limited)('opens the upgrade dialog on %s that requires it', async (_name, respond) => {
    server.use(...plans({ configured: true, fromPrice: { price: 450, currency: 'eur', months: 1 } }));
    const { user, at } = await openEvent();
    const join = await act('Join Tournament');
    expect(await screen.findByText('2 of 2 free events used, again on 1 December.')).toBeInTheDocument();
    server.use(http.post('*/api/backend/event', respond));
    await user.click(join);
    const dialog = await screen.findByRole('dialog', { name: "You've hit the free plan limit!" });
    expect(await within(dialog).findByText(/join 2 events each month.*from €4\.50\/month/)).toBeInTheDocument();
    expect(within(dialog).getByRole('link', { name: 'Upgrade to Pro' })).toHaveAttribute('href', '/app/pro');
    await user.click(within(dialog).getByRole('button', { name: 'Not now' }));
    expect(at()).toBe('/app/events/view/e1');
  });

  it('offers no purchase where payments are off', async () => {
    server.use(...plans({ configured: false }));
    const { user } = await openEvent();
    const join = await act('Join Tournament');
    server.use(http.post('*/api/backend/event', limited[0][1]));
    await user.click(join);
    const dialog = within(await screen.findByRole('dialog', { name: "You've hit the free plan limit!" }));
    expect(await dialog.findByText(/the operator of this server can give it to you/)).toBeInTheDocument();
    expect(dialog.queryByRole('link')).toBeNull();
  });

  it.each(limited)('shows Pro users no upgrade dialog on %s', async (_name, respond) => {
    server.use(http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isProUser: true } })));
    const { user } = await openEvent();
    const join = await act('Join Tournament');
    server.use(http.post('*/api/backend/event', respond));
    await user.click(join);
    expect(await panel().findByRole('alert')).not.toBeEmptyDOMElement();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('an event', () => {
  it('that does not exist shows a message', async () => {
    server.use(...actions('event', { get_event_by_id: () => failure(404) }).handlers);
    renderApp('/app/events/view/e1');
    expect(await screen.findByText('Event not found.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to events' })).toHaveAttribute('href', '/app/events');
  });

  it('that cannot be loaded shows a message and can be retried', async () => {
    server.use(http.get('*/api/backend/event', () => failure(500), { once: true }));
    const { user } = renderApp('/app/events/view/e1');
    expect(await screen.findByText('Failed to load event')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Chalk Cup' })).toBeInTheDocument();
  });

  it.each<[EventState, string]>([
    ['drafted', 'Draft'],
    ['published', 'Published'],
    ['started', 'Live'],
    ['ended', 'Ended'],
    ['cancelled', 'Cancelled'],
  ])('that is %s has the badge %s', async (eventState, label) => {
    event = someEvent({ eventState });
    await openEvent();
    expect(screen.getByText(label)).toBeInTheDocument();
  });

  it('shows its schedule, prize and rules', async () => {
    event = someEvent({ maxLosses: 1, eventType: 'closed' });
    await openEvent();
    const about = within(screen.getByRole('region', { name: 'About' }));
    for (const text of ['Starts', 'Ends', 'Time zone', 'A box of chalk', '1 loss', 'registered players', '2']) {
      expect(about.getByText(text)).toBeInTheDocument();
    }
  });

  it('counts down to its start and changes to live by itself', async () => {
    useFakeTimers();
    event = someEvent({ eventState: 'published', startTime: new Date(Date.now() + 2_500).toISOString() });
    isSignedUp = true;
    await openEvent();
    expect(screen.getByRole('timer')).toHaveAccessibleName(/Starts in 0 days, 0 hours, 0 minutes, [123] seconds/);
    expect(await act('Unregister')).toBeInTheDocument();
    await passTime(2_500);
    expect(await screen.findByText('Starting…')).toBeInTheDocument();
    event = someEvent();
    await passTime(2_000);
    expect(await act('Join Tournament')).toBeInTheDocument();
  });

  it.each([
    ['published', 'startTime', 'Starting…', 'The planned start has passed.'],
    ['started', 'endTime', 'Ending…', 'The planned end has passed.'],
  ] as const)(
    'that is %s past its %s is soon no more said to be about to change',
    async (eventState, time, at, later) => {
      useFakeTimers();
      event = someEvent({ eventState, [time]: ago(58_000) });
      await openEvent();
      expect(await panel().findByText(at)).toBeInTheDocument();
      await passTime(2_000);
      expect(await panel().findByText(later)).toBeInTheDocument();
    },
  );

  it.each([
    ['just now', 10_000, true],
    ['long ago', 61_000, false],
  ])('that should have ended %s is requested every 2 s: %s ms, %s', async (_when, ms, isOften) => {
    useFakeTimers();
    event = someEvent({ endTime: ago(ms) });
    await openEvent();
    const times = () => events.calls.filter(({ action }) => action === 'get_event_by_id').length;
    await passTime(2_500);
    expect(times() > 1).toBe(isOften);
  });

  it('shows only that the opponent will be near the player’s level', async () => {
    await openEvent();
    await act('Join Tournament');
    expect(panel().getByText('You will be paired with somebody near your level.')).toBeInTheDocument();
  });

  it('changes to live at once when the server announces it', async () => {
    event = someEvent({ eventState: 'published', startTime: new Date(Date.now() + 3_600_000).toISOString() });
    await openEvent();
    await act('Register Now');
    expect(screen.queryByRole('tab', { name: 'Leaderboard' })).not.toBeInTheDocument();
    FakeSocket.last.open();
    event = someEvent();
    FakeSocket.last.receive('eventStateChanged', { eventId: 'e1', eventState: 'started' });
    expect(await act('Join Tournament')).toBeInTheDocument();
    expect(screen.getByRole('tab', { name: 'Leaderboard' })).toBeInTheDocument();
  });

  it('can be added to a calendar and shared', async () => {
    const { user } = await openEvent();
    expect(screen.getByRole('link', { name: 'Add to calendar' })).toHaveAttribute(
      'href',
      '/api/backend/events/e1/calendar.ics',
    );
    await user.click(screen.getByRole('button', { name: 'Share' }));
    expect(await screen.findByRole('button', { name: 'Link copied' })).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/app/events/view/e1`);
  });

  it('links to the user’s own game, and never to watching it', async () => {
    own = [gameWithBob({ gameId: 'g7', gameType: 'event', eventId: 'e1' })];
    const live = actions('game', {
      get_games_by_user: () => answer({ games: own as never }),
      spectatable_games: () => answer({ games: own as never, pagination: wholePage }),
    });
    server.use(...live.handlers);
    await openEvent();
    const href = '/app/game/g7';
    expect(await panel().findByRole('link', { name: 'Return to your game' })).toHaveAttribute('href', href);
    expect(panel().queryByRole('button', { name: 'Join Tournament' })).not.toBeInTheDocument();
    const list = within(screen.getByRole('region', { name: 'Live games' }));
    expect(await list.findByRole('link', { name: 'Return to your game' })).toHaveAttribute('href', href);
    expect(list.queryByText('Watch')).not.toBeInTheDocument();
  });

  it('is being decided for a while after its end, and then shows the winners without a reload', async () => {
    const decidedBy = new Date(Date.now() + 48_000).toISOString();
    event = someEvent({ eventState: 'ended', concluded: false, gamesInPlay: 2, decidedBy });
    isSignedUp = true;
    await openEvent();
    expect(await panel().findByText('The last games are being decided.')).toBeInTheDocument();
    expect(panel().getByText(/^2 games are still being played, winners in at most 4[78] s\.$/)).toBeInTheDocument();
    expect(screen.queryByText('Nobody won it.')).not.toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Winners' })).not.toBeInTheDocument();
    FakeSocket.last.open();
    const winners = [{ userId: ada.userId, username: 'ada', displayName: 'ada', level: 2, wins: 1 }];
    event = someEvent({ eventState: 'ended', winners });
    FakeSocket.last.receive('eventConcluded', { eventId: 'e1', winners });
    expect(await panel().findByRole('heading', { name: 'You won!' })).toBeInTheDocument();
    expect(within(screen.getByRole('region', { name: 'Winners' })).getByText('ada')).toBeInTheDocument();
  });

  it('shows the winners also when no frame arrived, even in a hidden tab', async () => {
    useFakeTimers();
    event = someEvent({ eventState: 'ended', concluded: false, decidedBy: ago(5_000) });
    await openEvent();
    expect(await panel().findByText('Winners in a moment.')).toBeInTheDocument();
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    event = someEvent({ eventState: 'ended', winners: [{ ...bob, level: 2, wins: 1 }] });
    await passTime(2_000);
    expect(await panel().findByText('The winner is bob.')).toBeInTheDocument();
    vi.restoreAllMocks();
  });

  it('that is open for corrections shows that', async () => {
    event = someEvent({ eventState: 'ended', concluded: false });
    await openEvent();
    expect(await panel().findByText(/^The organisers are checking the results\./)).toBeInTheDocument();
    expect(panel().queryByText(/winner.* in/i)).not.toBeInTheDocument();
  });

  it('shows that nobody won only when that is final', async () => {
    event = someEvent({ eventState: 'ended' });
    await openEvent();
    expect(await panel().findByText('Nobody won it.')).toBeInTheDocument();
  });

  it('shows when it actually started and ended', async () => {
    const times = { startedAt: '2026-01-01T10:00:05Z', endedAt: '2026-01-01T11:00:00Z' };
    event = someEvent({ eventState: 'ended', ...times });
    await openEvent();
    const about = within(screen.getByRole('region', { name: 'About' }));
    expect(about.getByText('Started').nextSibling).not.toHaveTextContent('planned');
    expect(about.getByText('Ended').nextSibling).toHaveTextContent(/planned for/);
  });

  it('counts down to its end while it is live', async () => {
    event = someEvent({ endTime: new Date(Date.now() + 61_000).toISOString() });
    await openEvent();
    expect(screen.getByRole('timer')).toHaveAccessibleName(/^Ends in 0 days, 0 hours, 1 minutes/);
  });

  it('shows its announcements, the latest first, and a notice for a new one', async () => {
    const first = { message: 'Welcome!', at: '2026-01-01T10:00:00Z' };
    event = someEvent({ announcements: [first] });
    await openEvent();
    expect(await screen.findByText('Welcome!')).toBeInTheDocument();
    FakeSocket.last.open();
    const second = { message: 'Five more minutes.', at: '2026-01-01T11:00:00Z' };
    event = someEvent({ announcements: [first, second] });
    FakeSocket.last.receive('eventAnnouncement', { eventId: 'e1', title: 'Chalk Cup', ...second });
    const list = within(screen.getByRole('region', { name: 'Announcements' }));
    await list.findByText('Five more minutes.');
    expect(list.getAllByRole('listitem').map((item) => item.firstChild?.textContent)).toEqual([
      'Five more minutes.',
      'Welcome!',
    ]);
    // Once in the list, once as a notice.
    await waitFor(() => expect(screen.getAllByText('Five more minutes.')).toHaveLength(2));
  });

  it('lists other players’ games, which can be watched', async () => {
    const players = [bob, { userId: 'c', username: 'carl', displayName: 'carl' }];
    const game = gameWithBob({ gameId: 'g7', players, gameType: 'event', eventId: 'e1', boardSize: 4, drawCount: 1 });
    server.use(
      ...actions('game', { spectatable_games: () => answer({ games: [game] as never, pagination: wholePage }) })
        .handlers,
    );
    await openEvent();
    const live = within(screen.getByRole('region', { name: 'Live games' }));
    expect(await live.findByRole('link', { name: 'Watch bob – carl' })).toHaveAttribute(
      'href',
      '/app/game/g7?watch=true',
    );
    expect(live.getByText('4×4 · level 1 · round 2')).toBeInTheDocument();
  });
});

describe('the leaderboard', () => {
  async function openLeaderboard() {
    const app = await openEvent();
    await app.user.click(screen.getByRole('tab', { name: 'Leaderboard' }));
    return app;
  }
  const names = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getByRole('button').textContent);

  it.each<[EventState, boolean]>([
    ['published', false],
    ['started', true],
    ['ended', true],
    ['cancelled', false],
  ])('of a %s event is shown: %s', async (eventState, isThere) => {
    event = someEvent({ eventState });
    await openEvent();
    expect(screen.getByRole('tab', { name: 'Event Info' })).toBeInTheDocument();
    expect(screen.queryAllByRole('tab', { name: 'Leaderboard' })).toHaveLength(isThere ? 1 : 0);
  });

  it('keeps the server’s order, and marks the user and eliminated players', async () => {
    standings = [player('bob', 1), player('ada', 2), player('carl', 3, { isEliminated: true })];
    await openLeaderboard();
    await screen.findByRole('table');
    expect(names()).toEqual(['bob', 'ada', 'carl']);
    const [, , own, out] = screen.getAllByRole('row');
    expect(within(own!).getByText('You')).toBeInTheDocument();
    expect(within(out!).getByText('Eliminated')).toBeInTheDocument();
    expect(screen.getByText(/Your place/)).toHaveTextContent('Your place: 2 of 2');
  });

  it('is updated when the server announces a change', async () => {
    await openLeaderboard();
    await screen.findByRole('table');
    FakeSocket.last.open();
    standings = [player('ada', 1), player('bob', 2)];
    FakeSocket.last.receive('refreshLeaderboard', { eventId: 'other' });
    FakeSocket.last.receive('refreshLeaderboard', { eventId: 'e1' });
    await waitFor(() => expect(names()).toEqual(['ada', 'bob']));
  });

  it.each([
    ['Failed to fetch leaderboard', () => failure(500)],
    ['Failed to load leaderboard', () => HttpResponse.error()],
    ['Not now.', () => failure(503, { errorMessage: 'Not now.' })],
  ])('shows a failure: %s', async (text, respond) => {
    server.use(http.get('*/api/backend/player', respond));
    await openLeaderboard();
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it('stands beside who comes: the first by name, the others by number', async () => {
    event = someEvent({ eventState: 'published' });
    await openEvent();
    const who = within(await screen.findByRole('region', { name: 'Who comes' }));
    expect((await who.findAllByRole('link')).map((link) => link.getAttribute('href'))).toEqual([
      '/app/players/ada',
      '/app/players/bob',
    ]);
    expect(who.getByText('and 12 more')).toBeInTheDocument();
  });

  it('is for visitors too, who are connected to see it change', async () => {
    server.use(...visitor);
    await openLeaderboard();
    expect(await screen.findByRole('button', { name: 'Games of bob' })).toBeInTheDocument();
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ event: 'authenticate', data: {} }]);
    standings = [player('cleo', 1)];
    acting(() => FakeSocket.last.receive('refreshLeaderboard', { eventId: 'e1' }));
    expect(await screen.findByRole('button', { name: 'Games of cleo' })).toBeInTheDocument();
  });

  it('links each number to the games behind it', async () => {
    const over = { gameType: 'event', eventId: 'e1', status: 'completed' } as const;
    const receipts = [
      gameWithBob({ ...over, gameId: 'g1', winnerUserId: ada.userId, reason: 'line' }),
      gameWithBob({ ...over, gameId: 'g2', winnerUserId: bob.userId, reason: 'timeout', drawCount: 2, boardSize: 4 }),
      gameWithBob({ ...over, gameId: 'g3', status: 'cancelled', reason: 'void' }),
      gameWithBob({ ...over, gameId: 'g4', status: 'active' }),
    ];
    const record = actions('game', {
      spectatable_games: () => answer({ games: [], pagination: wholePage }),
      get_games_by_event: () => answer({ games: receipts as never, pagination: wholePage }),
    });
    server.use(...record.handlers);
    const { user } = await openLeaderboard();
    await user.click(await screen.findByRole('button', { name: 'Games of ada' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Games of ada' }));
    const items = await dialog.findAllByRole('listitem');
    expect(items.map((item) => within(item).getAllByText(/./)[0]!.textContent)).toEqual([
      expect.stringContaining('Won against bob'),
      expect.stringContaining('Lost against bob'),
      expect.stringContaining('Void against bob'),
      expect.stringContaining('Playing against bob'),
    ]);
    expect(items[1]).toHaveTextContent('on time · 4×4 · 3 rounds');
    const linkOf = (at: number, name: RegExp) => within(items[at]!).queryByRole('link', { name });
    expect(linkOf(0, /^Replay the game/)).toHaveAttribute('href', '/app/game/g1/replay');
    expect(linkOf(2, /the game against/)).not.toBeInTheDocument();
    expect(linkOf(3, /^Return to the game/)).toHaveAttribute('href', '/app/game/g4');
    expect(linkOf(0, /^bob$/)).toHaveAttribute('href', '/app/players/bob');
    expect(record.calls).toContainEqual({
      action: 'get_games_by_event',
      payload: { eventId: 'e1', userId: ada.userId, page: 1, limit: 20 },
    });
  });
});
