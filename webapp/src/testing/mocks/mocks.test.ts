import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS } from '@/api/generatedActions';
import { misfit, nameOf, operations } from './fit';
import { mockHandlers } from './handlers';
import { DEMO, World } from './world';

const ORIGIN = 'http://localhost:3000';
const NOBODY = '00000000-0000-4000-8000-0000000000ff';

const server = setupServer();
let world: World;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

beforeEach(() => {
  world = new World({ pace: { come: 5, move: 5, invite: 30 } });
  server.use(...mockHandlers(world));
});

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${ORIGIN}${path}`, {
    method,
    ...(method === 'GET' ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
  });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

function act(method: string, path: string, action: string, payload: object) {
  const query = new URLSearchParams({ action, payload: JSON.stringify(payload) }).toString();
  return method === 'GET' ? call(method, `${path}?${query}`) : call(method, path, { action, payload });
}

const login = () => call('POST', '/api/auth/login', { ...DEMO, isGoogleAccount: false });

const plain = operations.filter((operation) => operation['x-actions'] === undefined);
const actions = operations.flatMap(({ path, method, ...operation }) =>
  (operation['x-actions'] ?? []).map(({ action, payload, answer }) => ({
    name: `${path.split('/').at(-1) ?? ''} ${action}`,
    path,
    method,
    action,
    payload: nameOf(payload),
    answer: nameOf(answer),
  })),
);

/** Games in every state, made through the API. */
async function someGames() {
  const { userId } = world.user;
  const bob = world.find(({ username }) => username === 'bob');
  const create = (players: object[]) =>
    act('POST', '/api/backend/game', 'create_game', { players, gameType: 'invite' }).then(
      ({ answer }) => (answer.game as { gameId: string }).gameId,
    );
  const [waiting, active, over] = [
    await create([{ userId }, { userId: bob.userId }]),
    await create([{ userId }, { userId: bob.userId }]),
    await create([{ userId }, { userId: bob.userId }]),
  ];
  for (const gameId of [active, over]) {
    world.game(gameId).enter(bob.userId);
    world.enter(world.game(gameId), userId);
  }
  world.forfeit(world.game(over), userId);
  // Somebody else's, with an open seat.
  const open = world.create(crypto.randomUUID(), [{ userId: bob.userId, username: bob.username }], 3);
  return { userId, bob, waiting, active, over, open };
}

type Games = Awaited<ReturnType<typeof someGames>>;

/** What is asked of each operation that answers; the others answer 501. */
const BODIES: Record<string, object> = {
  checkLogin: {},
  login: { ...DEMO, isGoogleAccount: false },
  register: {
    username: 'eve',
    email: 'eve@example.org',
    password: 'Chalk-and-1nk',
    firstName: 'Eve',
    lastName: 'E',
    accountType: 'local',
    isGoogleAccount: false,
  },
  logout: {},
  refreshToken: {},
  getProviders: {},
  changePassword: { currentPassword: DEMO.password, newPassword: 'Paper-and-1nk' },
  listSessions: {},
  revokeSession: { sessionId: '00000000-0000-4000-8000-000000000001' },
  getSetup: {},
  updateProfile: { displayName: 'Ada L.' },
  searchUsers: {},
};

/** What is asked of each action that answers. */
const PAYLOADS: Record<string, (games: Games) => object> = {
  'game get_game': ({ active }) => ({ gameId: active }),
  'game get_games_by_user': ({ userId }) => ({ userId, status: ['waiting', 'active', 'completed'], limit: 2 }),
  'game get_replay': ({ over }) => ({ gameId: over }),
  'game create_game': ({ userId }) => ({ players: [{ userId }], gameType: 'invite', boardSize: 6 }),
  'game make_move': ({ active }) => ({ gameId: active, row: 0, col: 0 }),
  'game end_game': ({ active }) => ({ gameId: active }),
  'game cancel_game': ({ waiting }) => ({ gameId: waiting }),
  'game claim_seat': ({ open }) => ({ gameId: open.gameId, inviteToken: open.inviteToken }),
  'game play_again': ({ over }) => ({ gameId: over }),
  'game share_game': ({ over }) => ({ gameId: over }),
  'userprofile get_user_by_id': ({ userId }) => ({ userId }),
  'userprofile find_user': () => ({ text: 'bob' }),
  'userprofile search_user': () => ({ text: 'bo' }),
  'userprofile search_user_profile': () => ({ text: 'ra', limit: 1 }),
  'userprofile create_profile': () => ({ displayName: 'Ada' }),
  'userprofile update_user_profile': ({ userId }) => ({ userId, firstName: 'Ada' }),
};

/** These refuse whatever is asked, as the server does here: nobody is an admin, and the opponent is always there. */
const ALWAYS_REFUSED = /^admin |^game claim_win$/;

describe('operations', () => {
  it('are all there', () => {
    expect(Object.keys(OPERATIONS).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    expect(Object.keys(BODIES).filter((name) => !(name in OPERATIONS))).toEqual([]);
  });

  it.each(plain)('$operationId answers as the contract says', async ({ operationId, method, path, responses }) => {
    await login();
    const query = operationId === 'searchUsers' ? '?username=bob' : '';
    const { status, answer } = await call(method, path.replace(/\{\w+\}/g, NOBODY) + query, BODIES[operationId]);
    if (operationId in BODIES) {
      expect(status).toBe(200);
      const schema = Object.values(responses['200']?.content ?? {})[0]?.schema.$ref ?? '';
      expect(misfit(nameOf({ $ref: schema }), answer)).toBeNull();
    } else {
      expect(status).toBe(operationId === 'setUp' ? 403 : 501);
      expect(misfit('Failure', answer)).toBeNull();
    }
  });

  it.each([
    ['login', '/api/auth/login', { email: DEMO.email, password: 'wrong', isGoogleAccount: false }, 401],
    ['register', '/api/auth/register', { ...BODIES.register, username: 'Ada' }, 409],
    ['register', '/api/auth/register', { ...BODIES.register, email: DEMO.email }, 409],
    ['refreshToken', '/api/auth/secure/token/refresh', {}, 401],
    ['changePassword', '/api/auth/password', { currentPassword: 'x', newPassword: 'y' }, 401],
    ['updateProfile', '/api/backend/profile/update', { displayName: 'Eve' }, 401],
  ])('%s refuses in the contract’s shape', async (_name, path, body, expected) => {
    const { status, answer } = await call('POST', path, body);
    expect(status).toBe(expected);
    expect(misfit('Failure', answer)).toBeNull();
  });
});

describe('actions', () => {
  it('that are asked here exist', () => {
    const names = actions.map(({ name }) => name);
    expect(Object.keys(PAYLOADS).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(actions)('$name answers as the contract says', async ({ name, path, method, action, ...schemas }) => {
    await login();
    const games = await someGames();
    const payload = PAYLOADS[name]?.(games);
    const { status, answer } = await act(method, path, action, payload ?? { gameId: games.active });
    if (payload === undefined) {
      expect(String(status)).toMatch(ALWAYS_REFUSED.test(name) ? /^40[39]$/ : /^501$/);
      expect(misfit('Failure', answer)).toBeNull();
    } else {
      expect(misfit(schemas.payload, payload)).toBeNull();
      expect(answer).toMatchObject({ succeeded: true });
      expect(misfit(schemas.answer, answer)).toBeNull();
    }
  });

  it.each(actions.filter(({ name }) => name in PAYLOADS))(
    '$name refuses a visitor in the contract’s shape',
    async ({ name, path, method, action }) => {
      await login();
      const payload = PAYLOADS[name]?.(await someGames()) ?? {};
      world.signOut();
      const { status, answer } = await act(method, path, action, payload);
      expect(status).toBe(401);
      expect(misfit('Failure', answer)).toBeNull();
    },
  );

  it('refuses an action that does not exist', async () => {
    const { status, answer } = await act('GET', '/api/backend/game', 'constructor', {});
    expect(status).toBe(400);
    expect(misfit('Failure', answer)).toBeNull();
  });
});

interface Frame {
  event: string;
  id?: string;
  data: Record<string, unknown>;
}

/** A websocket whose every frame, either way, has to fit the contract. */
async function connect() {
  const socket = new WebSocket('ws://localhost:3000/api/backend/realtime');
  const frames: Frame[] = [];
  const misfits: (string | null)[] = [];
  let wake = () => {};
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as Frame;
    misfits.push(misfit('ServerFrame', frame));
    frames.push(frame);
    wake();
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  let seen = 0;
  return {
    misfits,
    close: () => socket.close(),
    send(event: string, data: object, id: string = event) {
      misfits.push(misfit('ClientFrame', { event, data, id }));
      socket.send(JSON.stringify({ event, data, id }));
    },
    /** The next frame of one of these kinds; those before it are passed over. */
    async next(...events: string[]): Promise<Frame> {
      for (;;) {
        while (seen < frames.length) {
          const frame = frames[seen++];
          if (frame !== undefined && events.includes(frame.event)) return frame;
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

describe('a game', () => {
  it('is played from the invitation to the end, and again', async () => {
    await login();
    const { userId } = world.user;
    const bob = world.find(({ username }) => username === 'bob');
    const socket = await connect();
    socket.send('authenticate', { userId });
    expect((await socket.next('authenticated')).data).toMatchObject({ userId });

    const { answer } = await act('POST', '/api/backend/game', 'create_game', {
      players: [{ userId }, { userId: bob.userId }],
      gameType: 'invite',
      boardSize: 3,
    });
    const { gameId } = answer.game as { gameId: string };
    socket.send('joinGame', { gameId, userId });
    expect((await socket.next('gameJoined')).data).toMatchObject({ success: true, message: 'Waiting for Opponent' });
    let board = ((await socket.next('gameStarted')).data.gameState as { board: string[][] }).board;

    // The mock opponent keeps whoever plays the first free cell from winning, or wins.
    let end: Frame | undefined;
    while (end === undefined) {
      const cell = board.flat().indexOf('');
      socket.send('makeMove', { gameId, userId, row: Math.floor(cell / 3), col: cell % 3 });
      for (let moves = 0; moves < 2 && end === undefined; moves += 1) {
        const { data } = await socket.next('moveUpdate');
        board = data.board as string[][];
        if (data.gameStatus === 'completed') end = await socket.next('gameEnd', 'gameDraw');
      }
    }
    expect(end.data).toMatchObject({ gameId });
    const after = await act('GET', '/api/backend/game', 'get_game', { gameId });
    expect(after.answer.game).toMatchObject({ status: 'completed', board });

    const again = await act('POST', '/api/backend/game', 'play_again', { gameId });
    const next = (again.answer.game as { gameId: string }).gameId;
    socket.send('joinGame', { gameId: next, userId }, 'again');
    await socket.next('gameStarted');
    // The starter has changed: the opponent moves first.
    expect((await socket.next('moveUpdate')).data).toMatchObject({ userId: bob.userId, symbol: 'O' });
    socket.send('forfeitGame', { gameId: next, userId });
    expect((await socket.next('gameEnd')).data).toMatchObject({
      forfeiter: userId,
      message: 'You forfeited. Opponent wins!',
    });
    expect(socket.misfits.filter((each) => each !== null)).toEqual([]);
    socket.close();
  });

  it('is refused, rejected and called off in the contract’s frames', async () => {
    await login();
    const { userId } = world.user;
    const games = await someGames();
    const socket = await connect();
    socket.send('makeMove', { gameId: games.active, row: 9, col: 0 });
    expect((await socket.next('ack')).data).toMatchObject({ succeeded: false, errorCode: 'off-board' });
    expect((await socket.next('moveRejected')).data).toMatchObject({ errorCode: 'off-board', row: 9 });
    socket.send('joinGame', { gameId: NOBODY, userId });
    expect((await socket.next('gameJoined')).data).toMatchObject({ success: false, error: 'Game not found.' });
    socket.send('cancelGame', { gameId: games.active });
    expect((await socket.next('gameError')).data).toMatchObject({ error: 'The game has already started.' });
    socket.send('findMatch', { eventId: NOBODY });
    expect((await socket.next('error')).data).toMatchObject({ errorCode: 'not-built-yet', event: 'findMatch' });
    socket.send('spectateGame', { gameId: games.active });
    expect((await socket.next('gameJoined')).data).toMatchObject({ success: true });
    expect(await socket.next('ack')).toMatchObject({ id: 'spectateGame', data: { succeeded: true } });
    socket.send('leaveGameRoom', { gameId: games.active });
    expect(await socket.next('ack')).toMatchObject({ id: 'leaveGameRoom', data: { succeeded: true } });
    const [first] = world.games(userId).filter(({ status }) => status === 'waiting');
    socket.send('cancelGame', { gameId: first?.gameId ?? '' });
    expect((await socket.next('gameCancelled')).data).toMatchObject({ message: 'ada cancelled the game.' });
    // Sooner or later somebody invites.
    expect((await socket.next('gameInvitation')).data).toMatchObject({ from: { username: 'linus' } });
    expect(socket.misfits.filter((each) => each !== null)).toEqual([]);
    socket.close();
  });

  it('has no channel for a visitor', async () => {
    const socket = new WebSocket('ws://localhost:3000/api/backend/realtime');
    await new Promise((resolve) => socket.addEventListener('close', resolve));
    expect(socket.readyState).toBe(WebSocket.CLOSED);
  });
});
