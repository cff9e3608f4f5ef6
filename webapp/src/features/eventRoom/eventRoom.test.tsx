import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event, EventState } from '@/api/events';
import { ACK_TIMEOUT_MS } from '@/realtime/connection';
import { FakeSocket } from '@/testing/FakeSocket';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, failure, server, signedInAsAda, someEvent, wholePage } from '@/testing/server';
import {
  BACK_TO_EVENT_MS,
  CONNECT_FAILED,
  CONNECTION_ERROR,
  HIGH_LEVEL,
  INIT_FAILED,
  JOIN_ROOM_FAILED,
  NEXT_MATCH_SECONDS,
  MISSING_USER_OR_EVENT,
  NOTICE_MS,
  OPPONENT_DISCONNECTED,
  PLAYER_FOUND_MS,
  REDIRECT_MS,
} from './eventRoom';

const eventId = 'e1';
const me = { eventId, userId: ada.userId };

function player(over: object = {}) {
  const standing = { level: 3, wins: 2, losses: 1, isEliminated: false };
  return { userId: ada.userId, username: 'ada', displayName: 'ada', eventId, ...standing, ...over };
}

let event: Event;
let isEliminated: boolean;
/** The standing according to the server, apart from what was sent to the room. */
let standing: object;

beforeEach(() => {
  event = someEvent();
  isEliminated = false;
  standing = {};
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const calls = [
    actions('event', {
      get_event_by_id: () => answer({ event: event as never }),
      list_events: () => answer({ events: [], pagination: wholePage }),
    }),
    actions('eventSignUp', { get_user_sign_up_status: () => answer({ isSignedUp: true }) }),
    actions('player', { check_player_for_event: () => answer({ isEliminated, ...standing }) }),
    actions('game', {
      get_games_by_user: () => answer({ games: [] }),
      spectatable_games: () => answer({ games: [], pagination: wholePage }),
    }),
  ];
  server.use(...signedInAsAda, ...calls.flatMap(({ handlers }) => handlers));
});

/** The last frame of that kind that the page sent on its current socket. */
const sent = (event: string) => FakeSocket.last.sent.findLast((frame) => frame.event === event);

async function acknowledge(event: string, refusal?: { errorMessage?: string; errorCode: string }) {
  await waitFor(() => expect(sent(event)?.id).toBeDefined());
  act(() => FakeSocket.last.receive('ack', { succeeded: refusal === undefined, ...refusal }, sent(event)?.id));
}

function receive(event: string, data: object) {
  act(() => FakeSocket.last.receive(event, { eventId, ...data }));
}

async function connect() {
  expect(await screen.findByText('Connecting to Game Server...')).toBeInTheDocument();
  FakeSocket.last.open();
  await waitFor(() => expect(sent('joinEventRoom')).toBeDefined());
}

async function enter(over: object = {}, query = '') {
  const app = renderApp(`/app/game/event/${eventId}${query}`);
  await connect();
  expect(await screen.findByRole('heading', { name: 'Connecting' })).toBeInTheDocument();
  receive('eventJoined', { player: player(over), queueSize: 0 });
  await acknowledge('joinEventRoom');
  return app;
}

const queue = (over: object = {}) => ({ queueSize: 1, playing: 0, waitedMs: 0, ...over });

async function search(over: object = {}) {
  const app = await enter(over);
  await app.user.click(await screen.findByRole('button', { name: 'Find Match' }));
  expect(sent('findMatch')?.data).toEqual(me);
  receive('matchmakingStarted', queue());
  await acknowledge('findMatch');
  expect(await screen.findByRole('heading', { name: 'Looking for an opponent…' })).toBeInTheDocument();
  return app;
}

const found = { gameId: 'g1', opponent: { ...bob, level: 4 }, redirectInMs: 50 };

describe('the times', () => {
  it('are the documented ones', () => {
    expect([PLAYER_FOUND_MS, BACK_TO_EVENT_MS, REDIRECT_MS, NOTICE_MS]).toEqual([2_000, 1_500, 1_500, 5_000]);
    expect(NEXT_MATCH_SECONDS).toBe(7);
    expect(HIGH_LEVEL).toBe(8);
  });
});

describe('the event room', () => {
  it('is joined with the user’s id, shows the standing, and is left with the page', async () => {
    const { user, at } = await enter();
    expect(sent('joinEventRoom')?.data).toEqual(me);
    expect(await screen.findByRole('heading', { name: 'Ready when you are' })).toBeInTheDocument();
    expect(screen.getByText('Level').nextSibling).toHaveTextContent('3');
    await user.click(screen.getByRole('button', { name: 'Back to the event' }));
    await waitFor(() => expect(at()).toBe('/app/events/view/e1'));
    await waitFor(() => expect(sent('leaveEventRoom')?.data).toEqual(me));
  });

  it('says how much time players have', async () => {
    event = someEvent({ clock: '1+2' });
    await enter();
    expect(await screen.findByText(/You have 1 minute for all turns of a game/)).toBeInTheDocument();
  });

  it('has no navigation', async () => {
    await enter();
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  });

  it('shows why the player has to wait', async () => {
    await search();
    receive('queueUpdate', queue({ playing: 4, waitedMs: 12_000, reason: 'All other players are in a game.' }));
    expect(await screen.findByText('All other players are in a game.')).toBeInTheDocument();
    expect(screen.getByText('0 others waiting, 4 playing · 12 s')).toBeInTheDocument();
    receive('queueUpdate', queue({ queueSize: 2, reason: 'Only your last opponent is waiting.' }));
    expect(await screen.findByText('Only your last opponent is waiting.')).toBeInTheDocument();
    expect(screen.getByText(/^1 other waiting, 0 playing/)).toBeInTheDocument();
  });

  it('counts down to the end of an event in which nobody else can play, unless somebody joins', async () => {
    await search();
    receive('queueUpdate', queue({ reason: 'Nobody else is waiting yet.', endsAt: Date.now() + 299_500 }));
    expect(await screen.findByText(/The event ends in (5:00|4:5\d) unless somebody joins/)).toBeInTheDocument();
    receive('queueUpdate', queue({ queueSize: 2, reason: 'Nobody near your level is waiting.' }));
    expect(await screen.findByText('Nobody near your level is waiting.')).toBeInTheDocument();
    expect(screen.queryByText(/The event ends/)).not.toBeInTheDocument();
  });

  it('opens the game when an opponent is found', async () => {
    const { at } = await search();
    receive('playerFound', found);
    expect(await screen.findByRole('heading', { name: 'You play bob' })).toBeInTheDocument();
    await waitFor(() => expect(at()).toBe('/app/game/g1'));
  });

  it('returns to the search when the opponent disconnects, with a notice for 5 s', async () => {
    await search();
    receive('playerFound', { ...found, redirectInMs: 60_000 });
    await screen.findByRole('heading', { name: 'You play bob' });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    act(() => FakeSocket.last.receive('opponentDisconnected', { gameId: 'g1', userId: bob.userId, countdown: 30 }));
    expect(screen.getByRole('heading', { name: 'Looking for an opponent…' })).toBeInTheDocument();
    expect(screen.getByText(OPPONENT_DISCONNECTED)).toBeInTheDocument();
    const asked = FakeSocket.last.sent.filter(({ event }) => event === 'findMatch').length;
    await acknowledge('joinEventRoom');
    await vi.waitFor(() =>
      expect(FakeSocket.last.sent.filter(({ event }) => event === 'findMatch')).toHaveLength(asked + 1),
    );
    await act(() => vi.advanceTimersByTimeAsync(NOTICE_MS - 1_000));
    expect(screen.getByText(OPPONENT_DISCONNECTED)).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1_100));
    expect(screen.queryByText(OPPONENT_DISCONNECTED)).not.toBeInTheDocument();
    vi.useRealTimers();
  });

  it('returns to the event when the search is cancelled', async () => {
    const { user, at } = await search();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(sent('cancelMatchmaking')?.data).toEqual(me);
    receive('matchmakingCancelled', { message: 'Matchmaking cancelled.', redirectInMs: 50 });
    expect(await screen.findByText('Matchmaking cancelled.')).toBeInTheDocument();
    await waitFor(() => expect(at()).toBe('/app/events/view/e1'));
  });

  it('opens a game that is still running', async () => {
    const { at } = await enter();
    act(() => FakeSocket.last.receive('redirectToGame', { gameId: 'g9', redirectInMs: 50 }));
    expect(await screen.findByRole('heading', { name: 'Your game goes on' })).toBeInTheDocument();
    await waitFor(() => expect(at()).toBe('/app/game/g9'));
  });

  it.each([
    ['ended', 'The event has ended.'],
    ['cancelled', 'The event was cancelled.'],
  ])('returns to the event when it is %s', async (eventState, text) => {
    useFakeTimers();
    const { at } = await enter();
    receive('eventStateChanged', { eventState });
    expect(await screen.findByText(text)).toBeInTheDocument();
    await passTime(REDIRECT_MS);
    await waitFor(() => expect(at()).toBe('/app/events/view/e1'));
  });

  it('asks before leaving the search', async () => {
    const { user, at } = await search();
    await user.click(screen.getByRole('button', { name: 'Back to the event' }));
    const dialog = await screen.findByRole('dialog', { name: 'Leave matchmaking?' });
    await user.click(within(dialog).getByRole('button', { name: 'Stay' }));
    expect(at()).toBe('/app/game/event/e1');
    expect(sent('cancelMatchmaking')).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Back to the event' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(at()).toBe('/app/events/view/e1'));
    expect(sent('cancelMatchmaking')?.data).toEqual(me);
  });

  it('warns before the tab is closed during the search, and only then', async () => {
    const { user } = await enter();
    const closing = () => fireEvent(window, new Event('beforeunload', { cancelable: true }));
    expect(closing()).toBe(true);
    await user.click(await screen.findByRole('button', { name: 'Find Match' }));
    receive('matchmakingStarted', queue());
    await screen.findByRole('heading', { name: 'Looking for an opponent…' });
    expect(closing()).toBe(false);
  });

  it.each([
    [7, false],
    [8, true],
    [12, true],
  ])('warns at level %i: %s', async (level, isWarned) => {
    await enter({ level });
    await screen.findByRole('heading', { name: 'Ready when you are' });
    expect(screen.queryAllByText(/finding opponents may take longer/)).toHaveLength(isWarned ? 1 : 0);
  });

  it('resumes a search that was started before, also in another tab', async () => {
    await enter();
    receive('matchmakingStarted', queue({ waitedMs: 61_000 }));
    expect(await screen.findByRole('heading', { name: 'Looking for an opponent…' })).toBeInTheDocument();
    receive('queueUpdate', queue({ waitedMs: 62_000, reason: 'Nobody else is waiting yet.' }));
    expect(await screen.findByText('Nobody else is waiting yet.')).toBeInTheDocument();
    expect(screen.getByText(/· 1 min$/)).toBeInTheDocument();
  });

  it('continues the search after a reconnection', async () => {
    await search();
    FakeSocket.last.close();
    expect(await screen.findByRole('heading', { name: 'Connecting' })).toBeInTheDocument();
    await waitFor(() => expect(FakeSocket.all).toHaveLength(2), { timeout: 3_000 });
    FakeSocket.last.open();
    await waitFor(() => expect(sent('joinEventRoom')).toBeDefined());
    receive('eventJoined', { player: player(), queueSize: 1 });
    await acknowledge('joinEventRoom');
    await waitFor(() => expect(sent('findMatch')?.data).toEqual(me));
  });
});

describe('the room of an event that is not open', () => {
  it.each<[EventState, string]>([
    ['published', 'You are registered!'],
    ['ended', 'This event has ended'],
    ['cancelled', 'Event Cancelled'],
  ])('(%s) shows the page of the event', async (eventState, text) => {
    event = someEvent({ eventState });
    const { at } = renderApp('/app/game/event/e1?fromGame=true');
    await connect();
    await waitFor(() => expect(at()).toBe('/app/events/view/e1'));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  });

  it('shows the page of the event to an eliminated player', async () => {
    isEliminated = true;
    const { at } = renderApp('/app/game/event/e1?fromGame=true');
    await connect();
    await waitFor(() => expect(at()).toBe('/app/events/view/e1'));
  });

  it('changes to the page of the event when the frame of the end was missed', async () => {
    const { at } = await enter();
    event = someEvent({ eventState: 'ended' });
    act(() => void window.dispatchEvent(new Event('focus')));
    await waitFor(() => expect(at()).toBe('/app/events/view/e1'));
  });
});

describe('a player who was away', () => {
  const asked = () => screen.findByRole('heading', { name: 'Still there?' });
  const absence = { eventId: 'e1', reason: 'timeout', strikes: 1, maxStrikes: 2 };

  it('is asked, and can search again with one press', async () => {
    const app = renderApp('/app/game/event/e1?fromGame=true');
    await connect();
    receive('eventJoined', { player: player(), queueSize: 0, stillThere: true, absence });
    await acknowledge('joinEventRoom');
    expect(await asked()).toBeInTheDocument();
    // No search starts by itself.
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
    expect(sent('findMatch')).toBeUndefined();
    await app.user.click(screen.getByRole('button', { name: 'Find Match' }));
    expect(sent('findMatch')?.data).toEqual(me);
    receive('matchmakingStarted', queue());
    expect(await screen.findByRole('heading', { name: 'Looking for an opponent…' })).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Still there?' })).not.toBeInTheDocument();
  });

  it('on the page of the game hears the same in the room, which missed the frame', async () => {
    renderApp('/app/game/event/e1');
    await connect();
    receive('eventJoined', { player: player(), queueSize: 0, stillThere: true, absence });
    await asked();
    expect(screen.getByText(/because your time ran out\..*you will be removed from the room\.$/)).toBeInTheDocument();
  });

  it('and was taken out is not warned: the count starts again', async () => {
    renderApp('/app/game/event/e1');
    await connect();
    receive('eventJoined', { player: player(), queueSize: 0, stillThere: true, absence: { ...absence, strikes: 2 } });
    await asked();
    expect(screen.getByText(/because your time ran out\./)).not.toHaveTextContent('be removed');
  });

  it.each([
    ['noShow', 'You lost the last game because you did not join it.'],
    ['timeout', 'You lost the last game because your time ran out.'],
  ])('sees the reason: %s, and what comes next', async (reason, text) => {
    await enter();
    receive('stillThere', { reason, strikes: 1, maxStrikes: 2 });
    await asked();
    expect(screen.getByText(new RegExp(`^${text}.*you will be removed from the room\\.$`))).toBeInTheDocument();
  });

  it('twice is removed from the room, is told on the event’s page, and may return', async () => {
    const { at, user } = await search();
    // The page reads it, and does not depend on the frame.
    standing = { takenOut: 'You missed two games in a row.' };
    receive('removedFromRoom', { message: 'You missed two games in a row.' });
    await waitFor(() => expect(at()).toBe('/app/events/view/e1'));
    expect(await screen.findByText('You missed two games in a row.')).toBeInTheDocument();
    server.use(
      ...actions('event', {
        get_event_by_id: () => answer({ event: event as never }),
        join_event: () => answer({ requiresUpgrade: false }),
      }).handlers,
    );
    await user.click(await screen.findByRole('button', { name: 'Join Tournament' }));
    await waitFor(() => expect(at()).toBe('/app/game/event/e1'));
  });
});

describe('the player’s own standing', () => {
  it('has rank, level and losses, the meaning of a level, and the end of the event', async () => {
    event = someEvent({ endTime: new Date(Date.now() + 65_000).toISOString() });
    standing = { player: player({ rank: 4, level: 5, losses: 2 }) };
    await enter();
    await waitFor(() => expect(screen.getByText('Place').nextSibling).toHaveTextContent('4'));
    expect(screen.getByText('Losses').nextSibling).toHaveTextContent('2 of 3');
    expect(screen.getByText(/On level 5 you play on 5×5/)).toHaveTextContent('The next loss ends the event for you.');
    expect(screen.getByText(/^Ends in 1:0\d$/)).toBeInTheDocument();
  });

  it('shows when the event runs past its planned end', async () => {
    event = someEvent({ endTime: new Date(Date.now() - 61_000).toISOString() });
    standing = { player: player({ rank: 4, level: 5, losses: 2 }) };
    await enter();
    expect(await screen.findByText('The planned end has passed.')).toBeInTheDocument();
  });
});

describe('being paired', () => {
  it('alerts by the title of a hidden tab, by sound and by vibration', async () => {
    const vibrate = vi.fn();
    Object.defineProperty(navigator, 'vibrate', { value: vibrate, configurable: true });
    const started = vi.fn();
    class Node {
      gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
      connect<T>(next: T): T {
        return next;
      }
      start = started;
      stop() {}
    }
    vi.stubGlobal('OscillatorNode', Node);
    vi.stubGlobal('GainNode', Node);
    vi.stubGlobal(
      'AudioContext',
      class {
        currentTime = 0;
        destination = {};
        resume = () => Promise.resolve();
      },
    );
    const { at } = await search();
    expect(screen.getByRole('switch', { name: 'Sound when you are paired' })).toBeChecked();
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    receive('playerFound', { ...found, redirectInMs: 60_000 });
    expect(document.title).toBe('(1) You play bob! – Morpion');
    expect(vibrate).toHaveBeenCalledOnce();
    expect(started).toHaveBeenCalled();
    vi.mocked(Object.getOwnPropertyDescriptor(document, 'visibilityState')!.get!).mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(document.title).toBe('Opponent found · Morpion');
    expect(at()).toBe('/app/game/event/e1');
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    Reflect.deleteProperty(navigator, 'vibrate');
  });
});

describe('after a game', () => {
  it('the next match starts after 7 s', async () => {
    useFakeTimers();
    await enter({}, '?fromGame=true');
    expect(await screen.findByRole('timer')).toHaveTextContent('7');
    expect(screen.queryByRole('button', { name: 'Find Match' })).not.toBeInTheDocument();
    expect(sent('findMatch')).toBeUndefined();
    await passTime(2_000);
    await waitFor(() => expect(screen.getByRole('timer')).toHaveTextContent('5'));
    await passTime(5_000);
    await waitFor(() => expect(sent('findMatch')?.data).toEqual(me));
    expect(FakeSocket.last.sent.filter(({ event }) => event === 'findMatch')).toHaveLength(1);
  });

  it('the next match starts at once on Continue', async () => {
    const { user } = await enter({}, '?fromGame=true');
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    expect(sent('findMatch')?.data).toEqual(me);
  });

  it('the next match waits on Cancel', async () => {
    const { user } = await enter({}, '?fromGame=true');
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('button', { name: 'Find Match' })).toBeInTheDocument();
    expect(sent('findMatch')).toBeUndefined();
  });
});

describe('a failure', () => {
  it('to load the event is shown', async () => {
    server.use(...actions('event', { get_event_by_id: () => failure(500) }).handlers);
    renderApp('/app/game/event/e1');
    await connect();
    expect(await screen.findByText(INIT_FAILED)).toBeInTheDocument();
    expect(INIT_FAILED).toBe('Failed to initialize game room');
  });

  it('to find the event is shown, with a link to the others', async () => {
    server.use(...actions('event', { get_event_by_id: () => failure(404) }).handlers);
    renderApp('/app/game/event/e1');
    await connect();
    expect(await screen.findByText('Event not found.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'All events' })).toHaveAttribute('href', '/app/events');
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  });

  it.each([
    ['event-ended', 'This event has ended.', false],
    ['event-cancelled', 'Event Cancelled', false],
    ['tournament-closed', 'Tournament Closed', false],
    ['email-not-verified', 'Please verify your email first.', true],
  ])('to be admitted (%s) redirects to the event', async (errorCode, errorMessage, isTold) => {
    const { at } = renderApp('/app/game/event/e1');
    await connect();
    await acknowledge('joinEventRoom', { errorMessage, errorCode });
    await waitFor(() => expect(at()).toBe('/app/events/view/e1'));
    // The room has the same heading, and may still be there for a moment.
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Chalk Cup' })).toBeInTheDocument());
    if (isTold) expect(await screen.findByText(errorMessage)).toBeInTheDocument();
    else expect(screen.queryByText(errorMessage, { selector: '[role="status"]' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  });

  it('of the server to admit the player is shown', async () => {
    expect(JOIN_ROOM_FAILED).toBe('Failed to join event room');
    renderApp('/app/game/event/e1');
    await connect();
    await acknowledge('joinEventRoom', { errorMessage: '', errorCode: 'unavailable' });
    expect(await screen.findByRole('alert')).toHaveTextContent(JOIN_ROOM_FAILED);
    expect(screen.getByRole('link', { name: 'Back to the event' })).toHaveAttribute('href', '/app/events/view/e1');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });

  it('to get a response is shown, and can be retried', async () => {
    expect(CONNECT_FAILED).toBe('Failed to connect to matchmaking service');
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderApp('/app/game/event/e1');
    await connect();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    vi.useRealTimers();
    expect(await screen.findByRole('alert')).toHaveTextContent(CONNECT_FAILED);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(FakeSocket.last.sent.filter(({ event }) => event === 'joinEventRoom')).toHaveLength(2));
    receive('eventJoined', { player: player(), queueSize: 0 });
    expect(await screen.findByRole('heading', { name: 'Ready when you are' })).toBeInTheDocument();
  });

  it('to get a response to a search repeats the request until the search is cancelled', async () => {
    const searches = () => FakeSocket.last.sent.filter(({ event }) => event === 'findMatch');
    await enter();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.click(await screen.findByRole('button', { name: 'Find Match' }));
    expect(searches()).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(ACK_TIMEOUT_MS));
    expect(searches()).toHaveLength(2);
    receive('matchmakingStarted', queue());
    expect(await screen.findByRole('heading', { name: 'Looking for an opponent…' })).toBeInTheDocument();
    receive('matchmakingCancelled', { message: 'The event has ended.', redirectInMs: 60_000 });
    await act(() => vi.advanceTimersByTimeAsync(ACK_TIMEOUT_MS + 1_000));
    expect(searches()).toHaveLength(2);
    vi.useRealTimers();
  });

  it.each([
    [
      'with words',
      { errorMessage: 'Too many players are waiting.', errorCode: 'full' },
      'Too many players are waiting.',
    ],
    ['without', { errorMessage: '', errorCode: 'refused' }, 'Connection error'],
  ])('to search, %s, is shown in the room', async (_name, refusal, text) => {
    expect(CONNECTION_ERROR).toBe('Connection error');
    const { user } = await enter();
    await user.click(await screen.findByRole('button', { name: 'Find Match' }));
    await acknowledge('findMatch', refusal);
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Find Match' })).toBeInTheDocument();
  });

  it('without a user or an event has a message', () => {
    expect(MISSING_USER_OR_EVENT).toBe('User not authenticated or event ID missing');
  });
});
