import { act, cleanup, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import contract from '../../../openapi/openapi.json';
import type { ServerEvent } from '@/realtime/protocol';
import { FakeSocket } from '@/testing/FakeSocket';
import type { MockEvent } from '@/testing/mocks/mockEvent';
import { type MockGame, seat } from '@/testing/mocks/mockGame';
import { DEMO, MockServer } from '@/testing/mocks/mockServer';
import { mockHandlers } from '@/testing/mocks/handlers';
import { openMockSocket } from '@/testing/mocks/realtime';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';

/**
 * What a page shows must not depend on a frame that it may have missed. Every frame of the contract is walked: a page that
 * was open when it came, one that is opened later, and one whose connection was lost meanwhile show the same. Or a reason
 * stands here why there is nothing to compare.
 */

interface World {
  mock: MockServer;
  event: MockEvent;
  game: MockGame;
}

interface Walk {
  path: (world: World) => string;
  /** What the page was opened after. */
  before?: (world: World) => void;
  /** What sends the frame. */
  change: (world: World) => void;
  /** Where the page leads to a moment later. */
  leadsTo?: string;
}

const IDLE = { join: 1e6, move: 1e6, invite: 1e6, others: 1e6, turn: 1e6, noShow: 1e6 };

const me = ({ mock }: World) => seat(mock.user);
const other = ({ mock }: World) => seat(mock.others[0] ?? mock.user);
const eventPage = ({ event }: World) => `/app/events/view/${event.eventId}`;
const room = ({ event }: World) => `/app/game/event/${event.eventId}`;
const gamePage = ({ game }: World) => `/app/game/${game.gameId}`;
const home = () => '/app/home';

const live = ({ mock, event }: World) => {
  event.state = 'published';
  event.signUp(seat(mock.user));
  event.go('started');
  event.join(seat(mock.user));
};
const signedUp = ({ mock, event }: World) => {
  event.state = 'published';
  event.signUp(seat(mock.user));
};
const underWay = (world: World) => {
  const { mock, game } = world;
  for (const each of [me(world), other(world)]) mock.enter(game, each.userId);
};
const plays = (world: World, cells: readonly (readonly [number, number])[]) => {
  const { mock, game } = world;
  for (const [row, col] of cells) mock.move(game, game.turn?.userId ?? '', row, col);
};
const WON = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
  [0, 2],
] as const;
const DRAWN = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 1],
  [1, 0],
  [1, 2],
  [2, 1],
  [2, 0],
  [2, 2],
] as const;

const WALKS: Record<Exclude<ServerEvent, 'ack'>, Walk | string> = {
  authenticated: 'Has pages read again what they may have missed.',
  gameJoined: 'Is the state itself.',
  gameStarted: { path: gamePage, change: underWay },
  moveUpdate: { path: gamePage, before: underWay, change: (world) => plays(world, WON.slice(0, 1)) },
  gameEnd: { path: gamePage, before: underWay, change: (world) => plays(world, WON) },
  gameDraw: { path: gamePage, before: underWay, change: (world) => plays(world, DRAWN) },
  gameCancelled: { path: home, change: (world) => world.mock.cancel(world.game, other(world)) },
  gameInvitation: {
    path: home,
    change: (world) => {
      const { mock } = world;
      const game = mock.create(crypto.randomUUID(), [other(world), me(world)], 5);
      mock.rooms.send('gameInvitation', { game: game.summary(me(world).userId), from: other(world) });
    },
  },
  gameError: 'Answers a frame of this page.',
  moveRejected: 'Answers a frame of this page.',
  error: 'Answers a frame of this page.',
  opponentDisconnected: 'The state has `absentUntil`, which liveGame.test.ts compares.',
  opponentReconnected: 'The state has no `absentUntil`, which liveGame.test.ts compares.',
  reaction: 'Is shown for seconds and kept nowhere.',
  rematchOffer: 'The state has `nextGameId` and `nextGameBy`, which game.test.tsx compares.',
  'check-everone-login-activity': 'Has the session asked about.',
  eventJoined: 'Answers a frame of this page.',
  matchmakingStarted: 'Comes again with every entry into the room.',
  queueUpdate: 'Comes again every second.',
  matchmakingCancelled: 'Entering the room again shows whether one waits; the event over, its page.',
  playerFound: 'Entering the room again leads to the game, by `redirectToGame`.',
  redirectToGame: 'Answers a frame of this page.',
  stillThere: 'Entering the room again says so, by `eventJoined`, which eventRoom.test.tsx compares.',
  removedFromRoom: {
    path: room,
    leadsTo: '/app/events/view/',
    before: live,
    change: (world) => {
      world.event.correct(me(world).userId, { isRemoved: true }, { by: 'admin', what: 'removal' });
      world.mock.events.showOut(world.event, me(world).userId);
    },
  },
  quickMatchStatus: 'Comes again every second.',
  quickMatchEnded: 'A lost connection ends the search as well, and the page says so.',
  ratingChanged: 'The state of a finished game has its changes of ratings, which ratingResult.test.tsx compares.',
  refreshLeaderboard: 'Has no content: pages read standings again, as after every connection.',
  roundPaired: 'Has no content: pages read the rounds again, as after every connection.',
  roundEnded: 'Has no content: pages read the rounds again, as after every connection.',
  standingsChanged: 'Has no content: pages read rounds and table again, as after every connection.',
  eventStateChanged: { path: eventPage, before: signedUp, change: ({ mock, event }) => mock.events.start(event) },
  eventAnnouncement: {
    path: eventPage,
    before: signedUp,
    change: ({ mock, event }) => mock.events.announce(event, 'Tea is ready.'),
  },
  eventReminder: 'Is a notice: the page of the event counts down to its start.',
  eventNews: { path: eventPage, before: signedUp, change: ({ mock, event }) => mock.events.cancel(event) },
  eventConcluded: {
    path: eventPage,
    before: live,
    change: ({ mock, event }) => mock.events.end(event),
  },
  serverDraining: 'Says when to connect again.',
  logAppended: 'The log follows from its sequence, which liveLog.test.ts compares.',
  liveGamesChanged: 'Is for the console.',
  liveNow: 'Is the whole list with every connection, which liveNow.test.ts compares.',
  presenceChanged: 'A connection that follows an event is told everything anew.',
  watchersChanged: 'The number comes with `gameJoined`, which reactions.test.tsx compares.',
};

function makeWorld(): World {
  const mock = new MockServer({ pace: IDLE });
  mock.signIn(DEMO.email, DEMO.password);
  const at = (minutes: number) => new Date(Date.parse('2031-05-01T18:00:00Z') + minutes * 60_000).toISOString();
  const event = mock.events.add({ title: 'Walked Cup', startTime: at(0), endTime: at(120) });
  const seats = [seat(mock.user), seat(mock.others[0] ?? mock.user)];
  const game = mock.create(crypto.randomUUID(), seats, 3);
  return { mock, event, game };
}

/** Opens the app; the mock answers its calls and frames. */
function open(world: World, path: string) {
  server.use(...mockHandlers(world.mock));
  const app = renderApp(path);
  let mockSocket: ReturnType<typeof openMockSocket> | undefined;
  const heard: string[] = [];
  const connect = async () => {
    await waitFor(() => expect(FakeSocket.all.at(-1)?.readyState).toBe(WebSocket.CONNECTING));
    const socket = FakeSocket.last;
    mockSocket = openMockSocket(world.mock, (text) => {
      heard.push((JSON.parse(text) as { event: string }).event);
      queueMicrotask(() => act(() => socket.receiveText(text)));
    });
    const { receive } = mockSocket;
    socket.send = (text: string) => receive(text);
    act(() => socket.open());
  };
  const lose = () => {
    mockSocket?.close();
    act(() => FakeSocket.last.close());
  };
  return { ...app, heard, connect, lose };
}

/** Where the page is and what its main part says, without numbers that time changes. */
function shown({ at, container }: ReturnType<typeof open>): string {
  const main = container.querySelector('main') ?? container;
  const words = [
    ...main.querySelectorAll('h1, h2, h3, p, dt, dd, li, button, td, th, [role="gridcell"], [role="status"]'),
  ];
  const texts = words.map((element) => `${element.getAttribute('aria-label') ?? ''} ${element.textContent}`.trim());
  const all = `${at()}\n${[...new Set(texts)].join('\n')}`;
  return all.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID').replaceAll(/\d+/g, '#');
}

async function settled(app: ReturnType<typeof open>, leadsTo = ''): Promise<string> {
  let last = '';
  await waitFor(
    async () => {
      const before = shown(app);
      await act(() => new Promise((resolve) => setTimeout(resolve, 120)));
      last = shown(app);
      expect(app.at()).toContain(leadsTo);
      expect(last).toBe(before);
      expect(last).not.toMatch(/Loading|Connecting|Looking for/);
    },
    { timeout: 20_000, interval: 20 },
  );
  return last;
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

it('every frame of the contract is walked, or a reason says why not', () => {
  const frames = contract.components.schemas.ServerFrame.oneOf.map(({ properties }) => properties.event.enum[0]);
  expect(Object.keys(WALKS).concat('ack').toSorted()).toEqual(frames.toSorted());
});

describe('a page that missed a frame shows what one shows that got it', () => {
  const walked = Object.entries(WALKS).filter((entry): entry is [ServerEvent, Walk] => typeof entry[1] !== 'string');
  it.each(walked)(
    '%s',
    async (frame, { path, before, change, leadsTo }) => {
      const seenIn = makeWorld();
      before?.(seenIn);
      const seen = open(seenIn, path(seenIn));
      await seen.connect();
      const first = await settled(seen);
      act(() => change(seenIn));
      await waitFor(() => expect(seen.heard).toContain(frame));
      const withFrame = await settled(seen, leadsTo);
      expect(withFrame, 'the frame changes nothing that is shown').not.toBe(first);
      cleanup();

      const missedIn = makeWorld();
      before?.(missedIn);
      change(missedIn);
      const missed = open(missedIn, path(missedIn));
      await missed.connect();
      expect(await settled(missed, leadsTo), 'opened later').toBe(withFrame);
      cleanup();

      const lostIn = makeWorld();
      before?.(lostIn);
      const lost = open(lostIn, path(lostIn));
      await lost.connect();
      await settled(lost);
      lost.lose();
      change(lostIn);
      await lost.connect();
      expect(await settled(lost, leadsTo), 'connected again').toBe(withFrame);
    },
    60_000,
  );
});
