import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { GameState } from '@/realtime/protocol';
import { STORAGE_KEYS } from '@/shared/storage';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, gameWithBob, server, signedInAsAda } from '@/testing/server';
// Loaded with the test, not while it waits.
import './PageAlerts';

/** The notifications of the system that were made. */
let shown: FakeNotification[] = [];
class FakeNotification {
  static permission: NotificationPermission = 'granted';
  static requestPermission = vi.fn(() => Promise.resolve(FakeNotification.permission));
  onclick: (() => void) | null = null;
  isClosed = false;
  readonly title: string;
  readonly options: NotificationOptions;
  constructor(title: string, options: NotificationOptions) {
    this.title = title;
    this.options = options;
    shown.push(this);
  }
  close() {
    this.isClosed = true;
  }
}

let visibility: DocumentVisibilityState;
const started = vi.fn();

function turnPage(to: DocumentVisibilityState) {
  visibility = to;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

const receive = (event: string, data: unknown) => act(() => FakeSocket.last.receive(event, data));
const store = (settings: unknown) => localStorage.setItem(STORAGE_KEYS.alerts, JSON.stringify(settings));

const board = [
  ['', '', ''],
  ['', 'O', ''],
  ['', '', ''],
];
const move = {
  gameId: 'g1',
  userId: bob.userId,
  symbol: 'O',
  row: 1,
  col: 1,
  board,
  nextTurn: ada.userId,
  isDraw: false,
  gameStatus: 'active',
  version: 2,
  serverTime: 1,
};
const invitation = { game: gameWithBob({ initiatorUserId: bob.userId, boardSize: 4 }), from: bob };
const seat = { connected: true, timeUsedMs: 0 };
const gameState: GameState = {
  gameId: 'g1',
  board,
  players: [
    { userId: ada.userId, username: 'ada', displayName: 'ada', symbol: 'X', ...seat },
    { ...bob, symbol: 'O', ...seat },
  ],
  currentTurn: ada.userId,
  isDraw: false,
  boardSize: 3,
  drawCount: 0,
  status: 'active',
  gameType: 'invite',
  clock: 'none',
  eventId: 'remote-g1',
  level: 1,
  initiatorUserId: ada.userId,
  notify: true,
  version: 4,
  serverTime: 1,
  moves: [],
  createdAt: '2026-01-01T00:00:00Z',
};

async function openApp() {
  const app = renderApp('/app/practice');
  await screen.findByRole('heading', { name: 'Practice' });
  await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
  FakeSocket.last.open();
  turnPage('hidden');
  return app;
}

beforeEach(() => {
  shown = [];
  started.mockClear();
  FakeNotification.permission = 'granted';
  visibility = 'visible';
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  vi.stubGlobal('Notification', FakeNotification);
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
  const { handlers } = actions('game', {
    get_games_by_user: () => answer({ games: [], pagination: { hasNextPage: false } }),
    get_game: () => answer({}),
  });
  server.use(
    ...signedInAsAda,
    ...handlers,
    http.get('*/api/auth/providers', () => answer({ local: true, registration: true, guests: true, mail: true })),
  );
  vi.spyOn(window, 'focus').mockImplementation(() => undefined);
});
afterEach(() => {
  // What was told is forgotten with the page.
  turnPage('visible');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a hidden page', () => {
  it.each<[string, string, unknown]>([
    ['your turn', 'Your turn', ['moveUpdate', move]],
    ['an invitation', 'bob invites you', ['gameInvitation', invitation]],
    [
      'a declined invitation',
      'bob declined the invitation.',
      [
        'gameCancelled',
        {
          gameId: 'g1',
          reason: 'declined',
          success: true,
          userId: bob.userId,
          message: 'bob declined the invitation.',
        },
      ],
    ],
    ['an accepted invitation', 'bob plays', ['gameStarted', { gameId: 'g1', gameState }]],
    [
      'a pairing',
      'You play bob!',
      [
        'playerFound',
        { eventId: 'e1', gameId: 'g1', opponent: { ...bob, level: 1 }, redirectInMs: 2000, yourSymbol: 'X' },
      ],
    ],
    ['a turn after a lost connection', 'Your turn', ['gameJoined', { gameId: 'g1', success: true, gameState }]],
  ])('tells of %s in its title', async (_what, title, frame) => {
    await openApp();
    const [event, data] = frame as [string, unknown];
    receive(event, data);
    expect(document.title).toBe(`(1) ${title} – Morpion`);
    // Neither sound nor notification was switched on; the call to a game is.
    expect(shown).toEqual([]);
    expect(started).toHaveBeenCalledTimes(event === 'playerFound' ? 6 : 0);
    turnPage('visible');
    expect(document.title).toBe('Practice · Morpion');
  });

  it('counts, forgets what is over, and repeats nothing', async () => {
    store({ system: true, sound: true });
    await openApp();
    receive('moveUpdate', move);
    receive('moveUpdate', move);
    receive('gameInvitation', { ...invitation, game: { ...invitation.game, gameId: 'g2' } });
    expect(document.title).toBe('(2) bob invites you – Morpion');
    expect(shown.map(({ title, options }) => [title, options.body, options.tag])).toEqual([
      ['Your turn', 'They played row 2, column 2.', 'g1'],
      ['bob invites you', 'A game on 4×4.', 'g2'],
    ]);
    expect(started).toHaveBeenCalledTimes(4);
    receive('gameCancelled', { gameId: 'g2', reason: 'withdrawn', success: true, userId: bob.userId, message: '' });
    expect(document.title).toBe('(1) Your turn – Morpion');
    expect(shown.map(({ isClosed }) => isClosed)).toEqual([false, true]);
    // Played in another tab.
    receive('moveUpdate', { ...move, userId: ada.userId, nextTurn: bob.userId, version: 3 });
    expect(document.title).toBe('Practice · Morpion');
  });

  it('tells of an event that starts, on pages that are hidden and on others', async () => {
    store({ system: true });
    await openApp();
    receive('eventReminder', { eventId: 'e1', title: 'Chalk Cup', minutes: 10 });
    expect(document.title).toBe('(1) Chalk Cup – Morpion');
    expect(shown.map(({ title, options }) => [title, options.body])).toEqual([
      ['Chalk Cup', 'It starts in 10 minutes.'],
    ]);
    receive('eventReminder', { eventId: 'e1', title: 'Chalk Cup', minutes: 30, checkIn: true });
    expect(await screen.findByText('Check in now. It starts in 30 minutes.')).toBeInTheDocument();
    receive('eventReminder', { eventId: 'e1', title: 'Chalk Cup', minutes: 0 });
    expect(await screen.findByText('It has started. Come and play!')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Open' })).toBeInTheDocument();
  });

  it.each([
    ['cancelled', /^It was cancelled: An engine was open\.$/],
    ['moved', /^Its time has changed\. It starts on May 1, 2031.* It ends on May 1, 2031/],
    ['added', /^An organiser has signed you up\. It starts on May 1, 2031/],
    ['removed', /^An organiser has taken you out\.$/],
    ['withdrawn', /^The director has withdrawn you: An engine was open\.$/],
    ['disqualified', /^The director has disqualified you: An engine was open\.$/],
    ['reinstated', /^You play again from the next round on\. The director's reason: An engine was open\.$/],
  ])('says what became of an event: %s', async (news, text) => {
    store({ system: true });
    await openApp();
    const times = { startTime: '2031-05-01T12:00:00Z', endTime: '2031-05-01T13:00:00Z' };
    receive('eventNews', { eventId: 'e1', title: 'Chalk Cup', news, reason: 'An engine was open.', ...times });
    expect(shown.map(({ title, options }) => [title, options.body])).toEqual([
      ['Chalk Cup', expect.stringMatching(text)],
    ]);
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it('opens the game when the notification is pressed', async () => {
    store({ system: true });
    const { at } = await openApp();
    receive('moveUpdate', move);
    act(() => shown[0]?.onclick?.());
    await waitFor(() => expect(at()).toBe('/app/game/g1'));
    expect(shown[0]?.isClosed).toBe(true);
  });

  it('shows it through the service worker where pages may not, which sends the page to the game', async () => {
    vi.stubGlobal(
      'Notification',
      Object.assign(
        function () {
          throw new TypeError('Illegal constructor');
        },
        { permission: 'granted' },
      ),
    );
    const close = vi.fn();
    const worker = {
      showNotification: vi.fn(() => Promise.resolve()),
      getNotifications: vi.fn(() => Promise.resolve([{ close }])),
    };
    const workers = Object.assign(new EventTarget(), { getRegistration: () => Promise.resolve(worker) });
    Object.defineProperty(navigator, 'serviceWorker', { value: workers, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
    store({ system: true });
    const { at } = await openApp();
    receive('moveUpdate', move);
    await waitFor(() =>
      expect(worker.showNotification).toHaveBeenCalledWith(
        'Your turn',
        expect.objectContaining({ tag: 'g1', data: { to: '/app/game/g1' } }),
      ),
    );
    receive('gameCancelled', { gameId: 'g1', reason: 'withdrawn', success: true, userId: bob.userId, message: '' });
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
    const pressed = (to: string) =>
      act(() => void workers.dispatchEvent(new MessageEvent('message', { data: { type: 'OPENED', to } })));
    pressed('//example.org/app/game/g1');
    expect(at()).toBe('/app/practice');
    pressed('/app/game/g1');
    await waitFor(() => expect(at()).toBe('/app/game/g1'));
  });

  it.each([
    ['a kind that is switched off', { turn: false, system: true, sound: true }],
    ['channels that are switched off', { title: false }],
  ])('is silent about %s', async (_what, settings) => {
    store(settings);
    await openApp();
    receive('moveUpdate', move);
    expect([document.title, shown.length, started.mock.calls.length]).toEqual(['Practice · Morpion', 0, 0]);
  });

  it.each(['denied', 'default'] as const)(
    'shows no notification with the permission %s, and does not ask',
    async (permission) => {
      FakeNotification.permission = permission;
      store({ system: true });
      await openApp();
      receive('moveUpdate', move);
      expect(shown).toEqual([]);
      expect(FakeNotification.requestPermission).not.toHaveBeenCalled();
    },
  );

  it.each([['[]'], ['{"title":"no","sound":1,"turn":null}'], ['{"__proto__":{"title":false}}'], ['{'], ['7']])(
    'takes the defaults for %s in the storage',
    async (text) => {
      localStorage.setItem(STORAGE_KEYS.alerts, text);
      await openApp();
      receive('moveUpdate', move);
      expect([document.title, shown.length, started.mock.calls.length]).toEqual(['(1) Your turn – Morpion', 0, 0]);
    },
  );
});

it('a page that is looked at is left alone', async () => {
  store({ system: true, sound: true });
  await openApp();
  turnPage('visible');
  receive('moveUpdate', move);
  expect([document.title, shown.length, started.mock.calls.length]).toEqual(['Practice · Morpion', 0, 0]);
});

it('a pairing is forgotten when its time is over', async () => {
  await openApp();
  vi.useFakeTimers();
  receive('playerFound', {
    eventId: 'e1',
    gameId: 'g9',
    opponent: { ...bob, level: 1 },
    redirectInMs: 2000,
    yourSymbol: 'X',
  });
  expect(document.title).toBe('(1) You play bob! – Morpion');
  act(() => void vi.advanceTimersByTime(20_000));
  expect(document.title).toBe('Practice · Morpion');
  vi.useRealTimers();
});

describe('the settings', () => {
  const name = 'As a notification';

  it.each([
    ['granted', true],
    ['denied', false],
  ] as const)('ask for the permission on a press only; %s', async (permission, isOn) => {
    FakeNotification.permission = 'default';
    FakeNotification.requestPermission.mockImplementationOnce(() => {
      FakeNotification.permission = permission;
      return Promise.resolve(permission);
    });
    const { user } = renderApp('/app/setting/notifications');
    const toggle = await screen.findByRole('switch', { name });
    expect(FakeNotification.requestPermission).not.toHaveBeenCalled();
    await user.click(toggle);
    expect(FakeNotification.requestPermission).toHaveBeenCalledOnce();
    await waitFor(() => expect((toggle as HTMLInputElement).checked).toBe(isOn));
    expect(JSON.parse(localStorage.getItem(STORAGE_KEYS.alerts) ?? '')).toMatchObject({ system: isOn, title: true });
    if (!isOn) expect(screen.getByText(/Your browser blocks them/)).toBeVisible();
    FakeNotification.requestPermission.mockClear();
  });

  it('say where a browser has none', async () => {
    vi.stubGlobal('Notification', undefined);
    renderApp('/app/setting/notifications');
    expect(await screen.findByRole('switch', { name })).toBeDisabled();
    expect(screen.getByText('This browser does not support them.')).toBeVisible();
  });

  it('switch each kind, and let the sound be heard', async () => {
    const { user } = renderApp('/app/setting/notifications');
    await user.click(await screen.findByRole('checkbox', { name: 'It is my turn: on the page' }));
    await user.click(screen.getByRole('switch', { name: 'With a sound' }));
    expect(JSON.parse(localStorage.getItem(STORAGE_KEYS.alerts) ?? '')).toMatchObject({ turn: false, sound: true });
    expect(started).toHaveBeenCalledTimes(2);
  });
});
