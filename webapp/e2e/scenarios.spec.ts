import { setupServer } from 'msw/node';
import { seat } from '../src/testing/mocks/mockGame.ts';
import { mockHandlers } from '../src/testing/mocks/handlers.ts';
import { choose } from '../src/testing/mocks/opponent.ts';
import { DEMO_ADMIN, MockServer } from '../src/testing/mocks/mockServer.ts';
import { type BoardSize, type Mark, newGame } from '../src/shared/rules/index.ts';
import { Appliance } from './appliance';
import { expect, test as base } from './fixtures';
import { Client, PASSWORD } from './scenarios/client.ts';
import { differences } from './scenarios/compare.ts';
import { SCENARIOS, type Scenario, type Stage } from './scenarios/scenarios.ts';

// The mocks follow the server: the same scenarios run against both, and their responses are compared word for word.

const MOCK = 'http://localhost:3000';
const NEVER = 600_000;
/** Attempts for a scenario with random pairings, half of which are as in the mock: a real difference appears in each. */
const ATTEMPTS = 10;
const [ADMIN = ''] = DEMO_ADMIN.email.split('@');

const test = base.extend<object, { appliance: Appliance }>({
  appliance: [
    // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
    async ({}, use) => {
      const many = '10000';
      const appliance = await Appliance.start({
        MORPION_LIMITS__REGISTRATIONS_PER_HOUR: many,
        MORPION_LIMITS__GUESTS_PER_HOUR: many,
        MORPION_LIMITS__SIGN_INS_PER_MINUTE: many,
        MORPION_LIMITS__SOCKETS_PER_MINUTE: many,
        // The default.
        MORPION_LIMITS__INVITES_PER_MINUTE: '20',
      });
      const admin = new Client(appliance.url);
      await admin.get('/api/auth/check-login');
      const userId = await admin.register(ADMIN, { firstName: '', lastName: '' });
      await appliance.command('admin', 'promote', ADMIN);
      await admin.write('admin', 'grant_pro', { userId, reason: 'Keeps this server running.' });
      await use(appliance);
      await appliance.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test('differences are reported, except ids and the current time', () => {
  const told = (answer: object, status = 200) => [{ what: 'event get', status, answer }];
  const at = new Date().toISOString();
  const known = { eventId: crypto.randomUUID(), at, names: ['ada'] };
  expect(differences(told(known), told({ ...known, eventId: crypto.randomUUID() }))).toEqual([]);
  expect(differences(told({ ...known, at: '2020-01-01T00:00:00Z', names: [], more: null }), told(known, 409))).toEqual([
    '0 event get.answer.at: mock "2020-01-01T00:00:00Z", server "<now>"',
    '0 event get.answer.more: mock null, server nothing',
    '0 event get.answer.names.0: mock nothing, server "ada"',
    '0 event get.status: mock 200, server 409',
  ]);
  expect(differences([], told(known))).toHaveLength(1);
});

for (const [at, scenario] of SCENARIOS.entries()) {
  test(`mock and server agree: ${scenario.name}`, async ({ appliance }) => {
    test.setTimeout(180_000);
    let found: string[] = [];
    for (let attempt = 0; attempt < (scenario.drawsAgain ? ATTEMPTS : 1); attempt += 1) {
      const suffix = attempt === 0 ? `_${at}` : `_${at}_${attempt}`;
      const [real, mock] = [new Client(appliance.url, suffix), new Client(MOCK, suffix)];
      await runAtServer(scenario, real);
      await runAtMock(scenario, mock);
      found = differences(mock.exchanges, real.exchanges);
      if (found.length === 0) break;
    }
    expect(found).toEqual([]);
  });
}

async function runAtServer({ run, opponent = 'comes' }: Scenario, client: Client): Promise<void> {
  const others: Client[] = [];
  const someone = async (username: string) => {
    const other = new Client(client.origin);
    others.push(other);
    await other.get('/api/auth/check-login');
    await other.signIn(username);
    return other;
  };
  const stage: Stage = {
    opponent: async (username, eventId) => {
      for (const each of others) each.disconnect();
      const other = await someone(username);
      await other.connect();
      await other.write('event', 'join_event', { eventId });
      if (opponent !== 'stays away') await playAlong(other, opponent === 'moves');
      other.send('findMatch', { eventId });
    },
    leave: (eventId) => others.at(-1)?.send('leaveEventRoom', { eventId }),
    asAdmin: async (act) => {
      await act(await someone(ADMIN));
    },
  };
  try {
    await client.get('/api/auth/check-login');
    await run(client, stage);
  } finally {
    for (const each of [client, ...others]) each.disconnect();
  }
}

async function runAtMock({ run, opponent = 'comes' }: Scenario, client: Client): Promise<void> {
  const mock = new MockServer({
    // As the clients of this file do.
    sharesAddress: true,
    pace: {
      join: opponent === 'stays away' ? NEVER : 5,
      move: opponent === 'moves' ? 5 : NEVER,
      search: opponent === 'is not found' ? NEVER : 5,
      // On the server it is 20 s; the mock need not be waited for as long.
      ...(opponent === 'stays away' ? { noShow: 2_000 } : {}),
      invite: NEVER,
      others: NEVER,
      turn: 15_000,
    },
  });
  // On the server no game was compared yet.
  mock.engineEvidence.clear();
  // The server is reached by its IP address.
  mock.factors.hasName = false;
  const stage: Stage = {
    // The mock plays everybody except the signed-in user.
    opponent: (username, eventId) => {
      mock.events.event(eventId).join(seat(mock.find((each) => each.username === username)));
      return Promise.resolve();
    },
    leave: () => undefined,
    asAdmin: async (act) => {
      const { email } = mock.user;
      mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
      await act(new Client(MOCK));
      mock.signIn(email, PASSWORD);
    },
  };
  const mocks = setupServer(...mockHandlers(mock));
  mocks.listen({ onUnhandledRequest: 'error' });
  try {
    await client.get('/api/auth/check-login');
    await run(client, stage);
  } finally {
    client.disconnect();
    mocks.close();
  }
}

/** Joins every game it is paired for, and moves like the mock's opponents unless it must not move. */
async function playAlong(other: Client, doesMove: boolean): Promise<void> {
  const { userId } = await other.whoAmI();
  const move = (gameId: string, board: string[][], mark: Mark) => {
    const size = board.length as BoardSize;
    const place = choose({ ...newGame(size, mark), board: board as Mark[][] });
    if (place !== undefined) other.send('makeMove', { gameId, row: place[0], col: place[1] });
  };
  const marks = new Map<string, Mark>();
  other.listen('playerFound', ({ gameId }) => other.send('joinGame', { gameId }));
  if (!doesMove) return;
  other.listen('gameStarted', ({ gameId, gameState: { players, board, currentTurn } }) => {
    const mark = players.find((each) => each.userId === userId)?.symbol ?? 'O';
    marks.set(gameId, mark);
    if (currentTurn === userId) move(gameId, board, mark);
  });
  other.listen('moveUpdate', ({ gameId, board, nextTurn }) => {
    if (nextTurn === userId) move(gameId, board, marks.get(gameId) ?? 'O');
  });
}
