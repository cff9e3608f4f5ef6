import type { ClientEvents } from '../../src/realtime/protocol.ts';
import { type Answer, type Client, PASSWORD } from './client.ts';

/**
 * Behaviour that developers who work against the mocks rely on; runs against the mock and against the real server. Its
 * users are created by the scenario itself, except `grace`, the admin of both.
 */
export interface Scenario {
  name: string;
  /** What an opponent of the scenario's user does; by default `comes`. */
  opponent?: 'comes' | 'moves' | 'stays away' | 'is not found';
  /** Later pairings are random too: the comparison is repeated until they are as in the mock. */
  drawsAgain?: boolean;
  run: (client: Client, stage: Stage) => Promise<void>;
}

/** Steps that differ between the mock and the real server. */
export interface Stage {
  /** When it returns, a user of this name looks for an opponent in the event. */
  opponent: (username: string, eventId: string) => Promise<void>;
  /** The opponent leaves the event's room. */
  leave: (eventId: string) => void;
  /** Acts as the admin while the scenario's user stays connected. */
  asAdmin: (act: (admin: Client) => Promise<unknown>) => Promise<void>;
}

const PLAN = { startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' };
/** The same in every run of a scenario, as soon as members plan. */
const inHours = (hours: number) => new Date(LOADED + hours * 3_600_000).toISOString().replace(/\.\d+/, '');
const LOADED = Date.now();
const NOBODY = '00000000-0000-4000-8000-0000000000ff';
const ADMIN = 'grace';
/** Moves of X that beat an opponent who plays like the mock's. */
const WINNING = [
  [0, 0],
  [1, 2],
  [2, 1],
  [2, 2],
  [2, 0],
] as const;
/** X and the starter are random on the server: attempts until the scenario's user is both. */
const MOST_DRAWS = 40;

const idOf = ({ event }: Answer) => (event as { eventId: string }).eventId;

async function draft(client: Client, plan: object = {}): Promise<string> {
  return idOf(await client.write('event', 'create_event', { title: 'Scenario Cup', ...PLAN, ...plan }));
}

async function published(client: Client, plan: object = {}): Promise<string> {
  const eventId = await draft(client, plan);
  await client.write('event', 'update_event', { eventId, eventState: 'published' });
  return eventId;
}

async function live(client: Client, plan: object = {}): Promise<string> {
  const eventId = await published(client, plan);
  await client.write('event', 'start_event', { eventId });
  return eventId;
}

async function ended(client: Client, plan: object = {}): Promise<string> {
  const eventId = await live(client, plan);
  await client.write('event', 'end_event', { eventId });
  await concluded(client, eventId);
  return eventId;
}

async function cancelled(client: Client, plan: object = {}): Promise<string> {
  const eventId = await published(client, plan);
  await client.write('event', 'cancel_event', { eventId });
  return eventId;
}

/** The winners are stored a moment after the last game. */
async function concluded(client: Client, eventId: string): Promise<void> {
  const ask = () => client.read('event', 'get_event_by_id', { eventId });
  await client.until(ask, ({ event }) => (event as { concluded: boolean }).concluded);
}

/** The server lists a finished game once its row is stored, a moment later. */
async function listed(client: Client, eventId: string): Promise<void> {
  const ask = () => client.read('game', 'get_games_by_event', { eventId });
  await client.until(ask, ({ pagination }) => (pagination as { totalCount: number }).totalCount > 0);
}

/** Every call that a user can make for an event from its page. */
async function tryAll(client: Client, eventId: string, userId: string): Promise<void> {
  await client.read('event', 'get_event_by_id', { eventId });
  await client.read('eventSignUp', 'get_user_sign_up_status', { eventId, userId });
  await client.read('eventSignUp', 'get_signup_by_event_and_user', { eventId, userId });
  await client.read('player', 'check_player_for_event', { eventId, userId });
  await client.read('player', 'get_player', { eventId, userId });
  await client.write('eventSignUp', 'sign_up', { eventId, userId });
  await client.write('event', 'join_event', { eventId, userId });
  await client.write('player', 'join_event_room', { eventId, userId });
  await client.write('eventSignUp', 'remove_signup', { eventId, userId });
  await client.write('player', 'leave_event_room', { eventId, userId });
  await client.read('player', 'get_leaderboard', { eventId });
  await client.read('game', 'get_games_by_event', { eventId });
  await client.read('game', 'spectatable_games', { eventId });
}

/** A new account with Pro, so that it can join any number of events. */
async function pro(client: Client, username: string): Promise<string> {
  return client.quietly(async () => {
    const userId = await client.register(username);
    await client.signIn(ADMIN);
    await client.write('admin', 'grant_pro', { userId, reason: 'Plays a part.' });
    return userId;
  });
}

interface Pair {
  eventId: string;
  gameId: string;
  userId: string;
  otherId: string;
}

/** Looks for an opponent in an event whose room the client has joined; then the opponent joins. */
async function found(client: Client, stage: Stage, eventId: string): Promise<string> {
  client.send('findMatch', { eventId });
  await client.frame('matchmakingStarted');
  await stage.opponent(client.someone('other'), eventId);
  const { gameId } = await client.frame('playerFound');
  return gameId;
}

/** The opponent stops looking for opponents. */
async function leftAlone(client: Client, stage: Stage, eventId: string): Promise<void> {
  stage.leave(eventId);
  const ask = () => client.write('player', 'join_event_room', { eventId });
  await client.until(ask, ({ queueSize }) => queueSize === 0);
}

async function enterRoom(client: Client, eventId: string): Promise<void> {
  client.send('joinEventRoom', { eventId });
  await client.frame('eventJoined');
}

/** Two users who were paired in a live event, `player` and `other`; the client is the first, and X. */
function paired(client: Client, stage: Stage): Promise<Pair> {
  return drawn(client, stage, async ({ gameId, userId }) => {
    const { game } = await client.quietly(() => client.read('game', 'get_game', { gameId }));
    return (game as { initiatorUserId: string }).initiatorUserId === userId;
  });
}

/** As `paired`, and both have joined the game, where the client moves first; in an event of this plan. */
function atBoard(
  client: Client,
  stage: Stage,
  how: 'joinGame' | 'spectateGame' = 'joinGame',
  plan: object = {},
): Promise<Pair> {
  const isSo = async (pair: Pair) => {
    await othersHere(client, pair);
    client.send(how, { gameId: pair.gameId });
    const { gameState } = await client.frame('gameStarted');
    return gameState.initiatorUserId === pair.userId && gameState.currentTurn === pair.userId;
  };
  return drawn(client, stage, isSo, plan);
}

/** Pairs them in new events until X and the starter are as needed; only the last event is compared. */
async function drawn(
  client: Client,
  stage: Stage,
  isSo: (pair: Pair) => Promise<boolean>,
  plan: object = {},
): Promise<Pair> {
  const [player, other] = [client.someone('player'), client.someone('other')];
  const [otherId, userId] = [await pro(client, other), await pro(client, player)];
  for (let draws = 0; draws < MOST_DRAWS; draws += 1) {
    const before = client.exchanges.length;
    await client.signIn(ADMIN);
    const eventId = await live(client, plan);
    await client.signIn(player);
    await client.write('event', 'join_event', { eventId });
    await client.connect();
    await enterRoom(client, eventId);
    const pair = { eventId, gameId: await found(client, stage, eventId), userId, otherId };
    if (await isSo(pair)) return pair;
    await client.signIn(ADMIN);
    await client.write('event', 'cancel_event', { eventId });
    client.exchanges.length = before;
  }
  throw new Error(`the lots did not fall as they should ${MOST_DRAWS} times`);
}

/** Waits until the opponent has joined, which takes the servers different times. */
async function othersHere(client: Client, { gameId, otherId }: Pair): Promise<void> {
  const ask = () => client.read('game', 'get_game', { gameId });
  await client.until(ask, ({ game }) =>
    (game as { players: { userId: string; connected: boolean }[] }).players.some(
      (each) => each.userId === otherId && each.connected,
    ),
  );
}

/** Plays a move and waits for its response. */
async function move(client: Client, gameId: string, [row, col]: readonly [number, number]): Promise<void> {
  client.send('makeMove', { gameId, row, col });
  await client.frame('moveUpdate');
}

async function invite(client: Client, userId: string, otherId: string): Promise<string> {
  const payload = { players: [{ userId }, { userId: otherId }], gameType: 'invite' };
  const { game } = await client.write('game', 'create_game', payload);
  return (game as { gameId: string }).gameId;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'every state of an event, as a visitor sees it',
    run: async (client) => {
      await client.signIn(ADMIN);
      const states = [
        await draft(client),
        await published(client),
        await live(client),
        await ended(client),
        await cancelled(client),
      ];
      await client.signOut();
      for (const eventId of [...states, NOBODY, 'no-id']) {
        await client.read('event', 'get_event_by_id', { eventId });
        await client.write('event', 'join_event', { eventId });
        await client.write('eventSignUp', 'sign_up', { eventId });
        await client.read('player', 'get_leaderboard', { eventId });
        await client.read('game', 'spectatable_games', { eventId });
      }
    },
  },
  {
    name: 'an event that is edited, moved and cancelled, as those who signed up hear of it',
    run: async (client, stage) => {
      const [player, other] = [client.someone('player'), client.someone('other')];
      const otherId = await pro(client, other);
      await pro(client, player);
      await client.signIn(ADMIN);
      const eventId = await published(client);
      await client.signIn(player);
      await client.write('eventSignUp', 'sign_up', { eventId });
      await client.read('event', 'list_events', { filter: { signedUp: true } });
      await client.connect();
      await stage.asAdmin(async (admin) => {
        await admin.write('event', 'update_event', { eventId, description: 'Bring cake.', ratedOnOneNetwork: true });
        await admin.read('event', 'verify_event', { eventId });
      });
      await client.frame('eventStateChanged');
      const times = { startTime: '2031-05-01T18:00:00Z', endTime: '2031-05-01T20:00:00Z' };
      await stage.asAdmin((admin) => admin.write('event', 'update_event', { eventId, ...times }));
      await client.frame('eventNews');
      await stage.asAdmin((admin) => admin.write('player', 'create_player', { eventId, userId: otherId }));
      await stage.asAdmin((admin) => admin.write('event', 'cancel_event', { eventId }));
      const news = await client.frame('eventNews');
      client.note('the news', news.news);
      await client.read('event', 'list_events', { filter: { signedUp: true } });
      await client.signOut();
      await client.read('event', 'list_events', { filter: { signedUp: true } });
    },
  },
  {
    name: 'a visitor, who watches and does nothing else',
    opponent: 'moves',
    run: async (client, stage) => {
      const { eventId, gameId } = await atBoard(client, stage);
      await client.signOut();
      await client.connect();
      client.send('authenticate', {} as never);
      await client.frame('authenticated');
      client.send('spectateGame', { gameId });
      // The player who signed out is absent on the server alone, which is a version of the game as well.
      client.note('joined', withoutPresence(await client.quietly(() => client.frame('gameJoined'))));
      client.send('makeMove', { gameId, row: 0, col: 0 });
      client.note('rejected', withoutPresence(await client.quietly(() => client.frame('moveRejected'))));
      for (const [event, data] of [
        ['joinEventRoom', { eventId }],
        ['watchLive', {}],
        ['react', { gameId, reaction: 'wow' }],
      ] as const) {
        client.send(event, data as never);
        await client.frame('error');
      }
      client.note('get_game', withoutPresence(await client.quietly(() => client.read('game', 'get_game', { gameId }))));
      await client.read('game', 'get_games_by_event', { eventId });
      await client.read('player', 'get_leaderboard', { eventId });
    },
  },
  ...(['open', 'closed'] as const).map((eventType) => ({
    name: `who is admitted to an event (${eventType}) in each state: a stranger, somebody registered, an admin`,
    run: async (client: Client) => {
      const [stranger, member] = [client.someone('stranger'), client.someone('member')];
      const [strangerId, memberId] = [await pro(client, stranger), await pro(client, member)];
      for (const until of ['draft', 'published', 'live', 'ended', 'cancelled'] as const) {
        await client.signIn(ADMIN);
        const eventId = await draft(client, { eventType });
        if (until !== 'draft') {
          await client.write('event', 'update_event', { eventId, eventState: 'published' });
          await client.signIn(member);
          await client.write('eventSignUp', 'sign_up', { eventId });
          await client.signIn(ADMIN);
        }
        if (until === 'live' || until === 'ended') await client.write('event', 'start_event', { eventId });
        if (until === 'ended') await client.write('event', 'end_event', { eventId });
        if (until === 'ended') await concluded(client, eventId);
        if (until === 'cancelled') await client.write('event', 'cancel_event', { eventId });
        await client.signIn(stranger);
        await tryAll(client, eventId, strangerId);
        await client.connect();
        client.send('joinEventRoom', { eventId });
        if (eventType === 'open' && until === 'live') {
          await client.frame('eventJoined');
        } else {
          await client.frame('error');
          client.send('findMatch', { eventId });
          await client.frame('error');
        }
        await client.signIn(member);
        await tryAll(client, eventId, memberId);
        await client.signIn(ADMIN);
        await tryAll(client, eventId, memberId);
        await client.read('eventSignUp', 'list_signups_for_event', { eventId });
      }
    },
  })),
  {
    name: 'what an admin may do with an event in each state',
    run: async (client) => {
      await client.signIn(ADMIN);
      for (const make of [draft, published, live, ended, cancelled]) {
        for (const [action, payload] of [
          ['update_event', { title: ' New title ' }],
          ['update_event', { eventState: 'published' }],
          ['update_event', { eventState: 'started' }],
          ['start_event', {}],
          ['end_event', {}],
          ['cancel_event', {}],
          ['delete_event', {}],
          ['conclude_event', {}],
          ['reopen_event', { reason: 'A result was wrong.' }],
          ['duplicate_event', {}],
          ['announce', { message: ' Tea is served. ' }],
        ] as const) {
          const eventId = await make(client);
          await client.write('event', action, { eventId, ...payload });
          if (action === 'end_event' && make === live) await concluded(client, eventId);
          // A second time it is refused.
          await client.write('event', action, { eventId, ...payload });
        }
      }
    },
  },
  {
    name: 'what is wrong with a plan',
    run: async (client) => {
      await client.signIn(ADMIN);
      for (const plan of [
        { title: '   ' },
        { title: 'x'.repeat(200) },
        { title: 'Plan', description: 'x'.repeat(5_000) },
        { title: 'Plan', prize: 'x'.repeat(201) },
        { title: 'Plan', eventState: 'published' },
        { title: ' Plan ', description: ' Text ', prize: ' Cake ', maxLosses: 1, eventType: 'closed' },
        { title: 'Plan', prize: '  ' },
        { title: 'Plan', startTime: '2099-01-01T10:00:00.000Z', endTime: '2099-01-01T12:00:00.500Z' },
        { title: 'Plan', startTime: '2099-01-01T10:00:00Z', endTime: '+010000-01-01T00:00:00Z' },
        { title: 'Plan', startTime: '+010000-01-01T00:00:00Z', endTime: '+010000-01-01T01:00:00Z' },
        { title: 'Plan', description: 'one\r\ntwo\rthree' },
      ]) {
        await client.write('event', 'create_event', plan);
      }
      for (const plan of [
        {},
        { startTime: PLAN.startTime },
        { endTime: PLAN.endTime },
        { startTime: PLAN.endTime, endTime: PLAN.startTime },
        { startTime: '2020-01-01T10:00:00Z', endTime: '2020-01-01T11:00:00Z' },
      ]) {
        const eventId = idOf(await client.write('event', 'create_event', { title: 'Plan', ...plan }));
        await client.write('event', 'update_event', { eventId, eventState: 'published' });
        await client.write('event', 'update_event', { eventId, title: ' ', eventState: 'published' });
      }
      const eventId = await published(client);
      await client.write('event', 'update_event', { eventId, endTime: '2020-01-01T11:00:00Z' });
      await client.write('event', 'update_event', { eventId, title: '' });
      await client.write('event', 'announce', { eventId, message: ' ' });
      await client.write('event', 'announce', { eventId, message: 'x'.repeat(281) });
    },
  },
  {
    name: 'the fields of events in rounds',
    run: async (client) => {
      await client.signIn(ADMIN);
      for (const plan of [
        { format: 'arena', rounds: 5, matchGames: 1, thirdPlace: true, doubleRounds: true },
        { format: 'knockout' },
        {
          format: 'knockout',
          thirdPlace: true,
          doubleRounds: true,
          boardSize: 6,
          matchGames: 1,
          rounds: 5,
          maxLosses: 2,
        },
        { format: 'swiss' },
        { format: 'swiss', rounds: 0 },
        { format: 'swiss', rounds: 32, boardSize: 4 },
        { format: 'swiss', rounds: 33 },
        { format: 'roundRobin', doubleRounds: true },
        { format: 'roundRobin', boardSize: 2 },
        { format: 'roundRobin', boardSize: 7 },
        { format: 'knockout', boardSize: 'byLevel' },
        { format: 'knockout', clock: '1+2' },
        { boardSize: 'byLevel', clock: 'turn15' },
        { format: 'knockout', matchGames: 0 },
        { format: 'knockout', matchGames: 3 },
      ]) {
        await client.write('event', 'create_event', { title: 'Plan', ...plan });
      }
      const eventId = await published(client, { format: 'swiss', rounds: 7 });
      for (const change of [
        { rounds: 9 },
        { rounds: 40 },
        { rounds: 0 },
        { boardSize: 5, matchGames: 1 },
        { boardSize: 9 },
        { boardSize: 'byLevel' },
        { clock: '1+2' },
        { clock: 'turn15' },
        { clock: '1+2' },
        { matchGames: 9 },
        { format: 'knockout' },
        { thirdPlace: true },
        { format: 'roundRobin' },
        { format: 'arena' },
        { boardSize: 'byLevel' },
        { format: 'roundRobin', doubleRounds: true },
      ]) {
        await client.write('event', 'update_event', { eventId, ...change });
      }
      await client.write('event', 'duplicate_event', { eventId });
      await client.read('event', 'get_event_by_id', { eventId });
    },
  },
  {
    name: 'an event in rounds, and one that is none, before the start: who sees what, and what a director may do',
    run: async (client) => {
      const player = client.someone('seeded');
      const userId = await pro(client, player);
      const reason = 'It was seen.';
      const actsOn = async (eventId: string) => {
        for (const [action, payload] of [
          ['set_result', { round: 1, board: 1, winnerUserId: userId, reason }],
          ['set_result', { round: 1, board: 1, reason: ' ' }],
          ['withdraw_player', { userId, reason }],
          ['withdraw_player', { userId, reason: '' }],
          ['disqualify_player', { userId, reason }],
          ['disqualify_player', { userId, reason: ' ' }],
          ['reinstate_player', { userId, reason }],
          ['start_round', { round: 1 }],
          ['replay_match', { round: 1, board: 1, reason }],
          ['replay_match', { round: 1, board: 1, reason: '' }],
          ['pause_event', {}],
          ['resume_event', {}],
          ['extend_event', { endTime: '2099-01-01T12:00:00Z' }],
          ['extend_event', { endTime: PLAN.startTime }],
          ['extend_event', { endTime: '2020-01-01T12:00:00Z' }],
        ] as const) {
          await client.write('event', action, { eventId, ...payload });
        }
      };
      const readsOf = async (eventId: string) => {
        await client.read('event', 'get_rounds', { eventId });
        await client.read('event', 'get_rounds', { eventId, userId });
        await client.read('event', 'get_standings', { eventId });
        await client.read('event', 'get_standings', { eventId, userId });
      };
      await client.signIn(ADMIN);
      const events = [await draft(client, { format: 'knockout' }), await live(client), await cancelled(client)];
      for (const format of ['knockout', 'swiss', 'roundRobin']) events.push(await published(client, { format }));
      for (const eventId of [...events, NOBODY, 'no-id']) {
        await readsOf(eventId);
        await actsOn(eventId);
      }
      await client.signIn(player);
      for (const eventId of events.slice(3)) {
        await client.write('eventSignUp', 'sign_up', { eventId });
        await actsOn(eventId);
        await client.write('event', 'join_event', { eventId });
      }
      await client.connect();
      for (const eventId of events.filter((_, at) => at === 0 || at > 2)) {
        client.send('findMatch', { eventId });
        await client.frame('error');
      }
      await client.signOut();
      for (const eventId of events) await readsOf(eventId);
    },
  },
  {
    name: 'a knockout that a director runs: rounds that start, matches that are played again, a player who is disqualified',
    run: async (client) => {
      const names = ['seed1', 'seed2', 'seed3', 'seed4'].map((name) => client.someone(name));
      const ids: string[] = [];
      for (const name of names) ids.push(await pro(client, name));
      const reason = 'It was seen.';
      await client.signIn(ADMIN);
      const eventId = await published(client, { format: 'knockout', matchGames: 1 });
      for (const username of names) await client.write('player', 'create_player', { eventId, username });
      const act = (action: string, payload: object = {}) => client.write('event', action, { eventId, ...payload });
      const paired = async (number: number) => {
        const ask = () => client.read('event', 'get_rounds', { eventId });
        type Rounds = { startsAt?: string }[];
        await client.until(ask, ({ rounds }) => (rounds as Rounds)[number - 1]?.startsAt !== undefined);
      };
      const first = { round: 1, board: 1 };
      await act('start_event');
      await paired(1);
      await act('start_round', { round: 2 });
      await act('pause_event');
      await act('start_round', { round: 1 });
      await act('resume_event');
      await act('start_round', { round: 1 });
      await act('start_round', { round: 1 });
      await act('replay_match', { ...first, reason });
      await act('set_result', { ...first, winnerUserId: ids[3], reason });
      await act('replay_match', { ...first, gameId: NOBODY, reason });
      await act('replay_match', { ...first, reason });
      await act('replay_match', { ...first, reason });
      await act('withdraw_player', { userId: ids[3], reason });
      await act('replay_match', { ...first, reason });
      await act('set_result', { ...first, winnerUserId: ids[0], reason });
      await act('replay_match', { ...first, reason });
      await act('disqualify_player', { userId: ids[2], reason });
      await paired(2);
      await act('disqualify_player', { userId: ids[2], reason });
      await act('withdraw_player', { userId: ids[2], reason });
      await act('disqualify_player', { userId: NOBODY, reason });
      await act('replay_match', { ...first, reason });
      await client.read('event', 'get_standings', { eventId });
      await client.signIn(names[2] ?? '');
      await client.read('event', 'get_standings', { eventId, userId: ids[2] });
      await client.signIn(names[0] ?? '');
      await client.read('event', 'get_standings', { eventId, userId: ids[2] });
      await act('start_round', { round: 2 });
      await client.signIn(ADMIN);
      await act('reinstate_player', { userId: ids[2], reason });
      await client.read('event', 'get_standings', { eventId });
      await client.read('event', 'verify_event', { eventId });
      await act('cancel_event');
      await act('start_round', { round: 2 });
    },
  },
  {
    name: 'a private event: who sees it, how it is entered, and what somebody who hosts none is refused',
    run: async (client) => {
      const name = client.someone('outsider');
      const userId = await client.register(name);
      await client.read('event', 'get_hosting');
      await client.write('event', 'create_event', { title: 'Mine', ...PLAN });
      await client.write('event', 'create_event', { title: 'Mine', ...PLAN, isPrivate: false });

      await client.signIn(ADMIN);
      await client.write('event', 'create_event', { title: 'Mine', ...PLAN, maxPlayers: 1 });
      const made = await client.write('event', 'create_event', {
        title: client.someone('Attic'),
        ...PLAN,
        isPrivate: true,
        maxPlayers: 2,
      });
      const eventId = idOf(made);
      const codeOf = ({ event }: Answer) => (event as { joinCode: string }).joinCode;
      const code = codeOf(made);
      const enter = (joinCode: string) => client.write('eventSignUp', 'sign_up_by_code', { joinCode });
      const acts = async () => {
        for (const action of ['update_event', 'renew_join_code', 'start_event', 'cancel_event', 'delete_event']) {
          await client.write('event', action, { eventId });
        }
      };
      // Nobody enters a draft.
      await client.signIn(name);
      await enter(code);
      await client.signIn(ADMIN);
      await client.write('event', 'update_event', { eventId, eventState: 'published' });
      await client.write('event', 'renew_join_code', { eventId: await published(client) });

      const invitation = { eventId, username: name };
      await client.write('event', 'invite_player', { eventId, username: client.someone('nobody') });
      for (const action of ['invite_player', 'invite_player', 'withdraw_invitation', 'invite_player']) {
        await client.write('event', action, action === 'withdraw_invitation' ? { eventId, userId } : invitation);
        await client.read('event', 'list_invitations', { eventId });
      }

      await client.signIn(name);
      await client.read('eventSignUp', 'list_own_invitations');
      await client.write('event', 'invite_player', invitation);
      await client.write('eventSignUp', 'answer_invitation', { eventId, accepted: false });
      await client.write('eventSignUp', 'answer_invitation', { eventId, accepted: true });
      await client.read('eventSignUp', 'list_own_invitations');
      await tryAll(client, eventId, userId);
      await acts();
      for (const wrong of ['', 'x', 'AAAA-AAAA-AAAA-AAAA', `${code}A`]) await enter(wrong);
      await enter(code.toLowerCase().replaceAll('-', ' '));
      await enter(code);
      await client.read('event', 'list_events', { filter: { text: client.someone('Attic') } });
      await client.read('event', 'list_events', { filter: { hosted: true } });
      await client.read('event', 'list_events', { filter: { signedUp: true } });
      await acts();
      // At the end it withdraws.
      await tryAll(client, eventId, userId);
      await client.read('event', 'get_event_by_id', { eventId });

      await client.signIn(ADMIN);
      const renewed = codeOf(await client.write('event', 'renew_join_code', { eventId }));
      await client.signIn(name);
      await enter(code);
      await enter(renewed);
      await client.signOut();
      await enter(renewed);
      await tryAll(client, eventId, userId);
      await client.read('event', 'get_hosting');
      await client.quietly(() => client.post('/api/auth/guest'));
      await client.read('event', 'get_hosting');
      await client.write('event', 'create_event', { title: 'Mine', ...PLAN });
      await enter(renewed);
    },
  },
  {
    name: 'conditions of entry: what is told of them, and who is refused',
    run: async (client) => {
      const [player, other] = [client.someone('entrant'), client.someone('listed')];
      const userId = await client.register(player);
      const otherId = await client.quietly(() => client.register(other));
      await client.signIn(ADMIN);
      const title = client.someone('Picky');
      const eventId = await published(client, { title, maxRating: 1_400, minGames: 2 });
      const change = (fields: object) => client.write('event', 'update_event', { eventId, ...fields });
      const enter = async () => {
        await client.read('event', 'get_event_by_id', { eventId });
        await client.read('eventSignUp', 'check_entry', { eventId });
        await client.write('eventSignUp', 'sign_up', { eventId });
        await client.write('event', 'join_event', { eventId });
      };
      for (const wrong of [
        { minRating: 99 },
        { maxRating: 4_001 },
        { minRating: 1_401 },
        { minGames: 100_001 },
        { accountAgeDays: 3_651 },
        { allowList: [player, 'nobody-here', ' no name '] },
        { allowList: Array.from({ length: 1_001 }, (_, number) => `player${number}`) },
      ]) {
        await change(wrong);
      }
      for (const conditions of [
        {},
        { maxRating: 0 },
        { minGames: 0, minRating: 1_501 },
        { minRating: 0, accountAgeDays: 1 },
        { accountAgeDays: 0, allowList: [otherId] },
      ]) {
        await change(conditions);
        await client.signIn(player);
        await enter();
        await client.signIn(ADMIN);
      }
      await client.read('event', 'list_events', { filter: { text: title } });
      const copy = await client.write('event', 'duplicate_event', { eventId });
      await client.write('event', 'update_event', { eventId: idOf(copy), allowList: [] });
      await client.signIn(other);
      await enter();
      await client.signIn(ADMIN);
      await client.write('event', 'start_event', { eventId });
      await client.signIn(player);
      await enter();
      await client.write('player', 'join_event_room', { eventId });
      await client.signIn(ADMIN);
      await client.write('player', 'create_player', { eventId, userId });
      await client.signIn(player);
      await enter();
      await client.signOut();
      await client.read('eventSignUp', 'check_entry', { eventId });
      await client.quietly(() => client.post('/api/auth/guest'));
      await client.read('eventSignUp', 'check_entry', { eventId });
    },
  },
  {
    name: 'fixed times of the rounds of an event',
    run: async (client) => {
      await client.signIn(ADMIN);
      const plan = { title: client.someone('Two days'), startTime: inHours(1), endTime: inHours(30) };
      const create = (fields: object) => client.write('event', 'create_event', { ...plan, ...fields });
      const times = (...hours: number[]) => ({ roundTimes: hours.map(inHours) });
      for (const wrong of [[3, 2], [2, 2], [1], [30], [2, 3, 4]]) {
        await create({ format: 'swiss', rounds: 3, ...times(...wrong) });
      }
      await create({ format: 'knockout', ...times(2, 3, 4, 5, 6, 7, 8, 9, 10, 11) });
      await create(times(3, 2));
      const eventId = await published(client, { ...plan, format: 'knockout', matchGames: 1, ...times(2, 25) });
      const change = (fields: object) => client.write('event', 'update_event', { eventId, ...fields });
      await change({ startTime: inHours(2) });
      await change({ endTime: inHours(25) });
      await change(times(3, 26));
      await client.write('event', 'duplicate_event', { eventId });
      const names = ['fixed1', 'fixed2', 'fixed3', 'fixed4'].map((name) => client.someone(name));
      for (const name of names) await pro(client, name);
      await client.signIn(ADMIN);
      for (const username of names) await client.write('player', 'create_player', { eventId, username });
      await client.write('event', 'start_event', { eventId });
      const paired = async (number: number) => {
        const ask = () => client.read('event', 'get_rounds', { eventId });
        type Rounds = { startsAt?: string }[];
        await client.until(ask, ({ rounds }) => (rounds as Rounds)[number - 1]?.startsAt !== undefined);
      };
      await paired(1);
      const extend = (endTime: string) => client.write('event', 'extend_event', { eventId, endTime });
      for (const hours of [26, 27]) await extend(inHours(hours));
      await client.write('event', 'cancel_event', { eventId });
    },
  },
  {
    name: 'the check-in of an event',
    run: async (client) => {
      const [player, other] = [client.someone('early'), client.someone('late')];
      const userId = await client.register(player);
      const otherId = await client.quietly(() => client.register(other));
      await client.signIn(ADMIN);
      const title = client.someone('Punctual');
      const plan = { title, format: 'swiss', rounds: 2, checkInMinutes: 30 };
      const eventId = await published(client, { ...plan, startTime: inHours(1), endTime: inHours(3) });
      const change = (fields: object) => client.write('event', 'update_event', { eventId, ...fields });
      const checkIn = (checkedIn?: boolean) => client.write('eventSignUp', 'check_in', { eventId, checkedIn });
      const letIn = (who: string, checkedIn?: boolean) =>
        client.write('event', 'check_in_player', { eventId, userId: who, checkedIn });
      const status = (who: string) => client.read('eventSignUp', 'get_user_sign_up_status', { eventId, userId: who });
      await change({ checkInMinutes: 121 });
      await letIn(userId);
      for (const name of [player, other]) {
        await client.signIn(name);
        await client.write('eventSignUp', 'sign_up', { eventId });
        await checkIn();
      }
      await client.signIn(ADMIN);
      await change({ startTime: inHours(0.25) });
      await client.write('event', 'start_event', { eventId });
      await client.signIn(player);
      for (const isHere of [undefined, true, false, true]) await checkIn(isHere);
      await status(userId);
      await letIn(otherId);
      await client.signIn(ADMIN);
      for (const isHere of [true, true, false]) await letIn(otherId, isHere);
      await change({ title: `${title}!` });
      await client.read('eventSignUp', 'get_signup_by_event_and_user', { eventId, userId: otherId });
      await client.read('event', 'verify_event', { eventId });
      await change({ checkInMinutes: 0 });
      await letIn(otherId);
      await change({ checkInMinutes: 60 });
      await letIn(userId);
      await client.write('event', 'duplicate_event', { eventId });
      await client.write('event', 'start_event', { eventId });
      await letIn(userId);
      await letIn(userId, false);
      await client.signIn(other);
      await status(otherId);
      await checkIn();
      await client.write('event', 'join_event', { eventId });
      await status(otherId);
      await client.signOut();
      await checkIn();
    },
  },
  {
    name: 'when a private event of a member may be',
    run: async (client) => {
      const name = client.someone('planner');
      const userId = await client.register(name);
      await client.signIn(ADMIN);
      await client.write('admin', 'allow_hosting', { userId, allowed: true });
      const far = { startTime: inHours(43 * 24), endTime: inHours(43 * 24 + 1) };
      const long = { startTime: inHours(24), endTime: inHours(9 * 24) };
      await client.write('event', 'create_event', { title: 'Far', ...far, isPrivate: true });
      await client.signIn(name);
      await client.read('event', 'get_hosting');
      for (const times of [far, long]) await client.write('event', 'create_event', { title: 'Mine', ...times });
      const soon = { startTime: inHours(24), endTime: inHours(26) };
      const eventId = idOf(await client.write('event', 'create_event', { title: 'Mine', ...soon }));
      for (const eventState of [undefined, 'published'] as const) {
        for (const times of [far, long]) {
          await client.write('event', 'update_event', { eventId, eventState, ...times });
          await client.write('event', 'extend_event', { eventId, endTime: long.endTime });
        }
      }
      await client.write('event', 'update_event', { eventId, eventState: 'published', endTime: inHours(27) });
      await client.write('event', 'update_event', { eventId, startTime: far.startTime });
      await client.write('event', 'extend_event', { eventId, endTime: long.endTime });
      await client.write('event', 'extend_event', { eventId, endTime: inHours(28) });
      await client.write('event', 'cancel_event', { eventId });
    },
  },
  {
    name: 'what the list of events shows, to whom',
    run: async (client) => {
      const title = client.someone('Listed');
      await client.signIn(ADMIN);
      for (const make of [draft, published, live, ended, cancelled]) await make(client, { title });
      await published(client, { title, startTime: '2098-01-01T10:00:00Z' });
      const visit = async () => {
        for (const eventState of [undefined, 'drafted', ['published', 'started'], ['ended', 'cancelled']]) {
          await client.read('event', 'list_events', { filter: { text: title, eventState } });
        }
        await client.read('event', 'list_events', { filter: { text: title, eventType: 'closed' } });
        await client.read('event', 'list_events', { filter: { text: title }, page: 2, limit: 2 });
        await client.read('event', 'list_events', { filter: { text: title }, page: 0, limit: 1_000 });
      };
      await visit();
      await client.signOut();
      await visit();
    },
  },
  {
    name: 'the free plan',
    run: async (client) => {
      const player = client.someone('free');
      const userId = await client.register(player);
      await client.read('subscription', 'get_subscription');
      await client.signIn(ADMIN);
      const events = [await live(client), await live(client), await live(client), await live(client)];
      const registered = await published(client);
      await client.signIn(player);
      // Only joining counts, not registering.
      await client.write('eventSignUp', 'sign_up', { eventId: registered });
      for (const eventId of events) await client.write('event', 'join_event', { eventId });
      await client.write('player', 'join_event_room', { eventId: events[3] });
      // An event that was joined before does not count again.
      await client.write('event', 'join_event', { eventId: events[0] });
      await client.read('subscription', 'get_subscription');
      await client.get('/api/backend/api/v1/user/subscription');
      await client.connect();
      client.send('joinEventRoom', { eventId: events[3] ?? '' });
      await client.frame('error');
      client.send('findMatch', { eventId: events[3] ?? '' });
      await client.frame('error');
      await client.signIn(ADMIN);
      await client.write('admin', 'grant_pro', { userId, reason: 'A gift.' });
      await client.signIn(player);
      await client.write('event', 'join_event', { eventId: events[3] });
      await client.read('subscription', 'get_subscription');
      await client.signIn(ADMIN);
      await client.write('admin', 'revoke_pro', { userId, reason: 'No gift.' });
      await client.write('admin', 'revoke_pro', { userId, reason: 'No gift.' });
      await client.signIn(player);
      await client.read('subscription', 'get_subscription');
      await client.write('event', 'join_event', { eventId: events[3] });
    },
  },
  {
    name: 'an admin names a server that is told of what happens',
    run: async (client) => {
      const wish = { url: ' https://club.example.org/morpion?key=1 ', kinds: ['report.opened', 'event.started'] };
      await client.write('admin', 'create_webhook', wish);
      await client.read('admin', 'list_webhooks');
      await client.register(client.someone('curious'));
      await client.write('admin', 'create_webhook', wish);
      await client.read('admin', 'list_webhooks');
      await client.read('admin', 'list_deliveries', { webhookId: NOBODY });
      await client.signOut();
      await client.signIn(ADMIN);
      for (const url of ['', 'club', 'http://club.example.org/', 'https://club/', 'https://a:b@club.example.org/']) {
        await client.write('admin', 'create_webhook', { url, kinds: ['event.started'] });
      }
      await client.write('admin', 'create_webhook', { url: 'https://club.example.org/#part', kinds: [] });
      const { webhook } = await client.write('admin', 'create_webhook', wish);
      const { webhookId } = webhook as { webhookId: string };
      await client.read('admin', 'list_webhooks');
      await client.read('admin', 'list_deliveries', { webhookId });
      await client.read('admin', 'list_deliveries', { webhookId: NOBODY });
      await client.write('admin', 'test_webhook', { webhookId: NOBODY });
      await client.write('admin', 'resend_delivery', { webhookId: NOBODY, messageId: NOBODY });
      await client.write('admin', 'resend_delivery', { webhookId, messageId: NOBODY });
      await client.write('admin', 'delete_webhook', { webhookId });
      await client.write('admin', 'delete_webhook', { webhookId });
      await client.read('admin', 'list_webhooks');
    },
  },
  {
    name: "an admin makes somebody a one-time link, and changes an email; not an admin's",
    run: async (client) => {
      const [player, other] = [client.someone('forgetful'), client.someone('mailed')];
      await client.quietly(() => client.register(player));
      await client.quietly(() => client.register(other));
      await client.signIn(ADMIN);
      const wish = { account: player, reason: 'No mail here.' };
      const make = () =>
        client
          .quietly(() => client.write('admin', 'create_password_link', wish))
          .then(({ path }) => {
            return String(path).replace('/new-password#', '');
          });
      const [replaced, token] = [await make(), await make()];
      for (const refused of [
        { ...wish, account: ADMIN },
        { ...wish, account: client.someone('nobody') },
        { ...wish, reason: ' ' },
      ]) {
        await client.write('admin', 'create_password_link', refused);
      }
      await client.write('admin', 'remove_second_factor', wish);
      await client.write('admin', 'remove_second_factor', { ...wish, account: ADMIN });
      await client.write('admin', 'reset_password', { account: ADMIN, newPassword: PASSWORD });
      const change = { account: other, reason: 'Typed wrong.' };
      await client.write('admin', 'change_email', { ...change, newEmail: `${other}@example.org` });
      await client.write('admin', 'change_email', { ...change, newEmail: `${other}@example.net` });
      await client.write('admin', 'change_email', { ...change, account: ADMIN, newEmail: `${other}@example.net` });
      await client.signOut();
      await client.write('admin', 'create_password_link', wish);
      for (const each of [replaced, 'x', token]) await client.post('/api/auth/password-link', { token: each });
      for (const each of ['x', token]) await client.post('/api/auth/password-link/passkey/begin', { token: each });
      await client.post('/api/auth/password-link/passkey/use', { token: 'x', name: 'Phone', credential: {} });
      for (const newPassword of ['weak', PASSWORD, PASSWORD]) {
        await client.post('/api/auth/password-link/use', { token, newPassword });
      }
      await client.signIn(player);
    },
  },
  {
    name: 'a guest is no entrant',
    run: async (client) => {
      await client.signIn(ADMIN);
      const [open, coming] = [await live(client), await published(client)];
      await client.signOut();
      await client.quietly(() => client.post('/api/auth/guest'));
      await client.write('event', 'join_event', { eventId: open });
      await client.write('eventSignUp', 'sign_up', { eventId: coming });
      await client.write('player', 'join_event_room', { eventId: open });
      await client.write('subscription', 'cancel_subscription');
      await client.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: PASSWORD });
      await client.connect();
      client.send('joinEventRoom', { eventId: open });
      await client.frame('error');
    },
  },
  {
    name: 'somebody in a game is led back to it as its player',
    run: async (client, stage) => {
      const pair = await paired(client, stage);
      const { eventId, gameId, userId } = pair;
      await othersHere(client, pair);
      client.send('joinEventRoom', { eventId, userId });
      await client.frame('redirectToGame');
      client.send('findMatch', { eventId, userId });
      await client.frame('redirectToGame');
      await client.write('player', 'join_event_room', { eventId });
      await client.read('game', 'spectatable_games', { eventId });
      await client.read('game', 'get_games_by_event', { eventId, userId });
      await client.read('game', 'get_games_by_user', { userId, status: ['waiting', 'active'] });
      await client.read('game', 'get_game', { gameId });
      await client.write('game', 'end_game', { gameId });
    },
  },
  {
    name: 'who watches their own game plays it; an admin watches, and no more',
    run: async (client, stage) => {
      const { eventId, gameId, userId } = await atBoard(client, stage, 'spectateGame');
      client.send('react', { gameId, reaction: 'wow' });
      await client.frame('reaction');
      for (const game of [gameId, NOBODY]) {
        client.send('react', { gameId: game, reaction: 'oops' });
        await client.frame('error');
      }
      await client.read('game', 'spectatable_games', { eventId });
      await stage.asAdmin(async (admin) => {
        const status = ['waiting', 'active'];
        client.note('to watch', await admin.read('game', 'spectatable_games', { eventId }));
        client.note('theirs', await admin.read('game', 'get_games_by_user', { userId, status }));
        await admin.connect();
        admin.send('spectateGame', { gameId });
        client.note('watched', await admin.frame('gameJoined'));
        admin.send('joinGame', { gameId });
        client.note('joined', await admin.frame('gameJoined'));
        admin.send('makeMove', { gameId, row: 0, col: 0 });
        client.note('moved', await admin.frame('moveRejected'));
        admin.send('react', { gameId, reaction: 'wow' });
        client.note('reacted', await admin.frame('error'));
        admin.send('forfeitGame', { gameId });
        client.note('forfeited', await admin.frame('gameError'));
        admin.disconnect();
      });
    },
  },
  {
    name: 'a game of an event, to its end',
    opponent: 'moves',
    run: async (client, stage) => {
      const { eventId, gameId, userId, otherId } = await atBoard(client, stage);
      client.send('makeMove', { gameId, row: 5, col: 0 });
      await client.frame('moveRejected');
      client.send('makeMove', { gameId, row: 0, col: 0, version: 99 });
      await client.frame('moveRejected');
      for (const [at, place] of WINNING.entries()) {
        await move(client, gameId, place);
        if (at < WINNING.length - 1) await client.frame('moveUpdate');
        if (at === 0) {
          client.send('makeMove', { gameId, row: 0, col: 0 });
          await client.frame('moveRejected');
          await client.read('game', 'get_game', { gameId });
        }
      }
      await client.frame('gameEnd');
      client.send('makeMove', { gameId, row: 0, col: 1 });
      await client.frame('moveRejected');
      await client.read('game', 'get_game', { gameId });
      await client.read('game', 'get_replay', { gameId });
      await client.write('game', 'play_again', { gameId });
      await client.write('game', 'cancel_game', { gameId });
      await client.write('game', 'claim_win', { gameId });
      const { shareToken } = await client.write('game', 'share_game', { gameId });
      await client.read('game', 'get_replay', { shareToken });
      await client.read('game', 'get_replay', { shareToken: 'nothing' });
      await listed(client, eventId);
      await client.read('game', 'spectatable_games', { eventId });
      await client.read('game', 'get_games_by_event', { eventId });
      await client.read('player', 'get_leaderboard', { eventId });
      await client.read('player', 'get_player', { userId });
      await client.read('player', 'get_player', { userId: otherId, eventId });
      await client.signIn(ADMIN);
      await client.read('event', 'verify_event', { eventId });
    },
  },
  {
    name: 'a game that is under way when its event ends has 60 s',
    opponent: 'moves',
    run: async (client, stage) => {
      const { eventId, gameId, userId } = await atBoard(client, stage);
      const [first, ...moves] = WINNING;
      await move(client, gameId, first);
      await client.frame('moveUpdate');
      // The player stays connected, so another client acts as the admin.
      await stage.asAdmin(async (admin) => {
        const { event } = await admin.write('event', 'end_event', { eventId });
        const { decidedBy, endedAt } = event as { decidedBy: string; endedAt: string };
        client.note('the grace in seconds', Math.round((Date.parse(decidedBy) - Date.parse(endedAt)) / 1_000));
        client.note('the end', event);
        client.note('concluded too early', await admin.write('event', 'conclude_event', { eventId }));
      });
      await client.frame('eventStateChanged');
      await client.read('event', 'get_event_by_id', { eventId });
      await client.write('event', 'join_event', { eventId });
      await client.write('player', 'join_event_room', { eventId });
      client.send('joinEventRoom', { eventId });
      await client.frame('error');
      // A player is redirected to the game even then.
      client.send('findMatch', { eventId });
      await client.frame('redirectToGame');
      await client.read('game', 'spectatable_games', { eventId });
      await client.read('player', 'check_player_for_event', { eventId, userId });
      for (const place of moves) {
        await move(client, gameId, place);
        if (place !== moves.at(-1)) await client.frame('moveUpdate');
      }
      await client.frame('gameEnd');
      await client.frame('eventConcluded');
      await client.read('event', 'get_event_by_id', { eventId });
      await client.read('player', 'get_leaderboard', { eventId });
    },
  },
  {
    name: 'a game that nobody came to when its event ended is void',
    opponent: 'stays away',
    run: async (client, stage) => {
      const { eventId, gameId } = await paired(client, stage);
      await stage.asAdmin(async (admin) => {
        client.note('the end', await admin.write('event', 'end_event', { eventId }));
        client.note('void', await admin.write('admin', 'adjudicate_game', { gameId, reason: 'Nobody came.' }));
        client.note('void again', await admin.write('admin', 'adjudicate_game', { gameId, reason: 'Nobody came.' }));
      });
      await client.frame('gameEnd');
      await client.frame('eventConcluded');
      await client.read('event', 'get_event_by_id', { eventId });
      await client.read('game', 'get_game', { gameId });
      await client.read('game', 'get_replay', { gameId });
    },
  },
  {
    name: 'an event that is cancelled while people wait and play',
    run: async (client, stage) => {
      const { eventId, gameId, userId } = await atBoard(client, stage);
      await stage.asAdmin((admin) => admin.write('event', 'cancel_event', { eventId }));
      await client.frame('gameEnd');
      await listed(client, eventId);
      await client.read('event', 'get_event_by_id', { eventId });
      await client.read('game', 'get_game', { gameId });
      await tryAll(client, eventId, userId);
      await client.signIn(ADMIN);
      const other = await live(client);
      await client.signIn(client.someone('player'));
      await client.connect();
      client.send('findMatch', { eventId: other });
      await client.frame('eventJoined');
      await client.frame('matchmakingStarted');
      client.send('cancelMatchmaking', { eventId: other });
      await client.frame('matchmakingCancelled');
      // Somebody who is not in the queue receives the same.
      client.send('cancelMatchmaking', { eventId: other });
      await client.frame('matchmakingCancelled');
      client.send('findMatch', { eventId: other });
      await client.frame('matchmakingStarted');
      await stage.asAdmin((admin) => admin.write('event', 'cancel_event', { eventId: other }));
      await client.frame('matchmakingCancelled');
    },
  },
  {
    name: 'who waits in two events waits in the latter, and hears of an end',
    run: async (client, stage) => {
      const player = client.someone('waiting');
      await pro(client, player);
      await client.signIn(ADMIN);
      const [first, second] = [await live(client), await live(client)];
      await client.signIn(player);
      await client.connect();
      await enterRoom(client, first);
      client.send('findMatch', { eventId: first });
      await client.frame('matchmakingStarted');
      client.send('findMatch', { eventId: second });
      await client.frame('matchmakingCancelled');
      await client.frame('matchmakingStarted');
      // Back in the room, the player is still in the queue.
      client.send('joinEventRoom', { eventId: second });
      await client.frame('eventJoined');
      await client.frame('matchmakingStarted');
      await stage.asAdmin((admin) => admin.write('event', 'end_event', { eventId: second }));
      await client.frame('matchmakingCancelled');
    },
  },
  {
    name: 'declining an event game is not to come: Still there?, and the second time out of the room',
    drawsAgain: true,
    run: async (client, stage) => {
      const pair = await paired(client, stage);
      const { eventId, gameId, userId } = pair;
      await othersHere(client, pair);
      await client.write('game', 'cancel_game', { gameId });
      await client.frame('gameEnd');
      await client.frame('stillThere');
      await client.read('game', 'get_game', { gameId });
      await client.read('player', 'check_player_for_event', { eventId, userId });
      await client.write('game', 'cancel_game', { gameId });
      await leftAlone(client, stage, eventId);
      await enterRoom(client, eventId);
      await client.write('player', 'join_event_room', { eventId });
      const next = await found(client, stage, eventId);
      await othersHere(client, { ...pair, gameId: next });
      client.send('cancelGame', { gameId: next, userId });
      await client.frame('stillThere');
      await client.frame('removedFromRoom');
      // After a return the count starts again.
      await leftAlone(client, stage, eventId);
      await enterRoom(client, eventId);
      const last = await found(client, stage, eventId);
      await othersHere(client, { ...pair, gameId: last });
      client.send('cancelGame', { gameId: last });
      await client.frame('gameEnd');
      // An eliminated player is not asked.
      await client.read('player', 'check_player_for_event', { eventId, userId });
      client.send('joinEventRoom', { eventId });
      await client.frame('error');
      await client.write('event', 'join_event', { eventId });
      await client.read('player', 'get_leaderboard', { eventId });
    },
  },
  {
    name: 'an opponent who does not come within 20 s has lost',
    opponent: 'stays away',
    run: async (client, stage) => {
      const { eventId, gameId, userId } = await paired(client, stage);
      client.send('joinGame', { gameId, userId });
      await client.frame('gameJoined');
      await client.frame('gameEnd');
      await client.read('game', 'get_game', { gameId });
      await client.read('player', 'get_leaderboard', { eventId });
    },
  },
  {
    name: 'what an admin corrects in an event, and what players see of it',
    run: async (client) => {
      const [first, second, third] = ['first', 'second', 'third'].map((name) => client.someone(name));
      const ids: string[] = [];
      for (const name of [first, second, third]) ids.push(await pro(client, name ?? ''));
      const [userId = '', otherId = '', outsider = ''] = ids;
      await client.signIn(ADMIN);
      const eventId = await published(client, { maxLosses: 2 });
      await client.write('player', 'create_player', { eventId, userId });
      await client.write('player', 'create_player', { eventId, userId });
      await client.write('player', 'create_player', { eventId, userId: otherId });
      await client.write('player', 'create_player', { eventId, userId: NOBODY });
      await client.write('player', 'create_player', { eventId });
      await client.write('player', 'create_player', { eventId, username: ' ' });
      await client.write('player', 'create_player', { eventId, username: 'nobody-of-that-name' });
      await client.write('event', 'start_event', { eventId });
      await client.write('player', 'record_result', { eventId, userId, didWin: true, reason: ' At the table. ' });
      await client.write('player', 'record_result', { eventId, userId: otherId, didWin: false });
      await client.write('player', 'record_result', { eventId, userId: outsider, didWin: false });
      await client.write('player', 'update_player', { eventId, userId, updates: { level: 0 } });
      await client.write('player', 'update_player', { eventId, userId, updates: { level: 4, wins: 3 } });
      await client.write('player', 'update_player', { eventId, userId, updates: { losses: 1 }, reason: ' ' });
      await client.write('player', 'update_player', { eventId, userId: otherId, updates: { isEliminated: true } });
      await client.write('player', 'set_event', { eventId, userId });
      await client.write('player', 'set_event', { eventId, userId: outsider });
      await client.write('player', 'clear_event', { userId });
      await client.read('player', 'get_player', { userId });
      await client.write('event', 'remove_participant', { eventId, userId, reason: ' ' });
      await client.write('event', 'remove_participant', { eventId, userId, reason: 'Played with an engine.' });
      await client.write('event', 'remove_participant', { eventId, userId, reason: 'Played with an engine.' });
      await client.read('event', 'verify_event', { eventId });
      await client.read('player', 'get_leaderboard', { eventId });
      await client.signIn(first ?? '');
      await client.write('event', 'join_event', { eventId });
      await client.read('player', 'check_player_for_event', { eventId, userId });
      await client.signIn(second ?? '');
      await client.write('event', 'join_event', { eventId });
      await client.signIn(ADMIN);
      await client.write('player', 'update_player', { eventId, userId: otherId, updates: { isEliminated: false } });
      await client.write('player', 'record_result', { eventId, userId: otherId, didWin: true });
      await client.write('event', 'end_event', { eventId });
      await concluded(client, eventId);
      await client.read('event', 'get_event_by_id', { eventId });
      await client.write('player', 'record_result', { eventId, userId: otherId, didWin: true });
      await client.write('player', 'create_player', { eventId, userId: outsider });
      await client.write('event', 'reopen_event', { eventId, reason: '' });
      await client.write('event', 'reopen_event', { eventId, reason: 'A result was wrong.' });
      await client.write('player', 'record_result', { eventId, userId: otherId, didWin: true });
      await client.write('event', 'conclude_event', { eventId });
    },
  },
  {
    name: 'a game of an event with a clock',
    opponent: 'moves',
    run: async (client, stage) => {
      const { eventId, gameId } = await atBoard(client, stage, 'joinGame', { clock: '1+2', boardSize: 'byLevel' });
      await client.read('event', 'get_event_by_id', { eventId });
      await client.read('game', 'get_game', { gameId });
      await move(client, gameId, [0, 0]);
      await client.frame('moveUpdate');
      client.send('forfeitGame', { gameId });
      await client.frame('gameEnd');
      await stage.asAdmin(async (admin) => {
        client.note(
          'refused once it has started',
          await admin.write('event', 'update_event', { eventId, clock: 'turn15' }),
        );
      });
    },
  },
  {
    name: 'a player’s page, games and head to head, and who sees them',
    run: async (client, stage) => {
      const { eventId, gameId, userId, otherId } = await atBoard(client, stage);
      client.send('forfeitGame', { gameId });
      await client.frame('gameEnd');
      const [player, other, visitor] = ['player', 'other', 'visitor'].map((name) => client.someone(name));
      // A game is in the histories a moment after its end.
      const ask = () => client.read('player', 'get_history', { userId });
      await client.until(ask, ({ pagination }) => (pagination as { totalCount: number }).totalCount > 0);
      await client.read('player', 'get_profile', { username: player });
      await client.read('player', 'get_profile', { userId: otherId });
      await client.read('player', 'get_profile', {});
      await client.read('player', 'get_profile', { username: player, userId });
      await client.read('player', 'get_profile', { username: 'nobody_at_all' });
      await client.read('player', 'get_profile', { userId: NOBODY });
      for (const filter of [
        {},
        { result: 'lost' },
        { result: 'won' },
        { gameType: 'event', boardSize: 3 },
        { boardSize: 7 },
      ]) {
        await client.read('player', 'get_history', { userId, filter });
      }
      await client.read('player', 'get_history', { userId, filter: { opponentId: otherId, rated: true } });
      await client.read('player', 'get_history', { userId, page: 9, limit: 2 });
      await client.read('player', 'get_history', { userId: NOBODY });
      await client.read('player', 'get_head_to_head', { userId: otherId });
      await client.read('player', 'get_head_to_head', { userId: NOBODY });
      await client.read('player', 'list_opponents');
      await client.write('userprofile', 'update_user_profile', { userId, profileVisibility: 'nobody' });
      await client.signIn(other ?? '');
      await client.read('player', 'get_profile', { username: player });
      await client.read('player', 'get_history', { userId });
      await client.read('player', 'get_history', { userId, filter: { opponentId: otherId } });
      await client.write('userprofile', 'block_user', { userId });
      await client.read('player', 'get_profile', { username: player });
      await client.read('player', 'list_opponents', { limit: 1 });
      await client.signOut();
      await client.read('player', 'get_profile', { username: player });
      await client.read('player', 'get_history', { userId });
      await client.read('player', 'get_head_to_head', { userId });
      await client.read('player', 'list_opponents');
      await client.register(visitor ?? '');
      await client.read('player', 'get_profile', { username: other });
      await client.read('player', 'get_head_to_head', { userId: otherId });
      await client.read('event', 'get_event_by_id', { eventId });
    },
  },
  {
    name: 'what an admin sees of engine use before a game was compared',
    run: async (client) => {
      const userId = await client.register(client.someone('player'));
      await client.signIn(ADMIN);
      for (const page of [{}, { page: 2, limit: 1 }, { page: 0, limit: 1_000 }]) {
        await client.read('admin', 'list_engine_scores', page);
      }
      await client.read('admin', 'get_engine_evidence', { userId });
      await client.read('admin', 'get_engine_evidence', { userId: NOBODY });
    },
  },
  {
    name: 'who waits in quick match, as an admin sees it',
    opponent: 'is not found',
    run: async (client, stage) => {
      await client.register(client.someone('seeker'));
      await client.connect();
      const look = async (payload: object = {}) => {
        await stage.asAdmin(async (admin) =>
          client.note('queue', await admin.read('admin', 'quick_match_queue', payload)),
        );
      };
      const seek = async (wish: ClientEvents['quickMatchJoin']) => {
        client.send('quickMatchJoin', wish);
        // How many play elsewhere is not the same everywhere.
        await client.quietly(() => client.frame('quickMatchStatus'));
        await look();
      };
      await look();
      await seek({ boardSize: 4, clock: '1+2', rated: false });
      // Another wish takes the place of the first.
      await seek({ boardSize: 'any', clock: 'turn15', rated: true });
      await look({ page: 2, limit: 1 });
      client.send('quickMatchLeave', {});
      await client.frame('quickMatchEnded');
      await look();
    },
  },
  {
    name: 'an invitation that is withdrawn, one that is declined, and their refusals',
    run: async (client) => {
      const [inviter, invited, stranger] = [
        client.someone('inviter'),
        client.someone('invited'),
        client.someone('stranger'),
      ];
      const strangerId = await client.register(stranger);
      const invitedId = await client.register(invited);
      const userId = await client.register(inviter);
      const gameId = await invite(client, userId, invitedId);
      for (const action of ['play_again', 'share_game', 'claim_win', 'end_game']) {
        await client.write('game', action, { gameId });
      }
      await client.write('game', 'make_move', { gameId, row: 0, col: 0 });
      await client.write('game', 'make_move', { gameId, row: 9, col: 0 });
      await client.write('game', 'claim_seat', { gameId, inviteToken: strangerId });
      await client.read('game', 'get_game', { gameId });
      await client.read('game', 'get_replay', { gameId });
      await client.read('game', 'get_replay', {});
      await client.signIn(stranger);
      for (const action of ['cancel_game', 'end_game', 'play_again', 'claim_win', 'share_game']) {
        await client.write('game', action, { gameId });
      }
      await client.write('game', 'make_move', { gameId, row: 0, col: 0 });
      await client.read('game', 'get_game', { gameId });
      await client.read('game', 'get_replay', { gameId });
      await client.write('game', 'cancel_game', { gameId, userId });
      await client.connect();
      client.send('spectateGame', { gameId });
      await client.frame('gameError');
      client.send('joinGame', { gameId });
      await client.frame('gameJoined');
      client.send('playAgain', { gameId });
      await client.frame('error');
      await client.signIn(inviter);
      await client.write('game', 'cancel_game', { gameId });
      await client.write('game', 'cancel_game', { gameId });
      await client.write('game', 'play_again', { gameId });
      await client.write('game', 'share_game', { gameId });
      await client.read('game', 'get_replay', { gameId });
      await client.read('game', 'get_games_by_user', { userId });
      await client.read('game', 'get_games_by_user', { userId, status: ['waiting', 'active'] });
      await client.read('game', 'get_games_by_user', { userId: strangerId });
      const another = await invite(client, userId, invitedId);
      await client.signIn(invited);
      await client.read('game', 'get_games_by_user', { userId: invitedId });
      await client.connect();
      client.send('cancelGame', { gameId: another });
      await client.frame('gameCancelled');
      await client.read('game', 'get_game', { gameId: another });
    },
  },
  {
    name: 'a seat that is open, and who may take it',
    run: async (client) => {
      const [host, taker, late] = [client.someone('host'), client.someone('taker'), client.someone('late')];
      for (const name of [late, taker]) await client.register(name);
      const userId = await client.register(host);
      const { game } = await client.write('game', 'create_game', {
        players: [{ userId }],
        gameType: 'invite',
        boardSize: 4,
      });
      const { gameId, inviteToken } = game as { gameId: string; inviteToken: string };
      await client.read('game', 'get_game', { gameId });
      await client.write('game', 'claim_seat', { gameId, inviteToken });
      await client.write('game', 'claim_seat', { gameId: NOBODY, inviteToken });
      await client.signIn(taker);
      await client.write('game', 'claim_seat', { gameId, inviteToken: 'wrong' });
      await client.write('game', 'claim_seat', { gameId, inviteToken });
      await client.write('game', 'claim_seat', { gameId, inviteToken });
      await client.signIn(late);
      await client.write('game', 'claim_seat', { gameId, inviteToken });
      await client.signOut();
      await client.write('game', 'claim_seat', { gameId, inviteToken });
    },
  },
  {
    name: 'too many invitations in a minute',
    run: async (client) => {
      const invitedId = await client.register(client.someone('invited'));
      const userId = await client.register(client.someone('eager'));
      let made = 0;
      const again = () =>
        client.write('game', 'create_game', { players: [{ userId }, { userId: invitedId }], gameType: 'invite' });
      await client.quietly(async () => {
        while (made < 60 && (await again()).succeeded) made += 1;
      });
      // One more is allowed every three seconds.
      client.note('the twenty of the minute came first', made >= 20 && made < 30);
      await again();
      await client.write('game', 'create_game', { players: [{ userId }, { userId }], gameType: 'invite' });
    },
  },
  {
    name: 'games that cannot be made',
    run: async (client) => {
      const [maker, other] = [client.someone('maker'), client.someone('other')];
      const otherId = await client.register(other);
      const userId = await client.register(maker);
      const players = [{ userId }, { userId: otherId }];
      for (const payload of [
        { players: [{ userId }, { userId }], gameType: 'invite' },
        { players: [], gameType: 'invite' },
        { players: [{ userId: otherId }], gameType: 'invite' },
        { players: [...players, { userId: NOBODY }], gameType: 'invite' },
        { players: [{ userId }, { userId: NOBODY }], gameType: 'invite' },
        { players, gameType: 'invite', boardSize: 7 },
        { players, gameType: 'invite', initiatorUserId: otherId },
        { players, gameType: 'event' },
        { players, gameType: 'invite', level: 2 },
        { players, gameType: 'invite', gameId: NOBODY, eventId: 'remote-x' },
        { players, gameType: 'invite', gameId: '00000000-0000-0000-0000-000000000000' },
        // Only the server gives ids of version 8.
        { players, gameType: 'invite', gameId: '6b1f0c52-3c1e-8a4d-9d0e-5f2a7c9b1e34' },
      ]) {
        await client.write('game', 'create_game', payload);
      }
      const gameId = await invite(client, userId, otherId);
      await client.write('game', 'create_game', { players, gameType: 'invite', gameId });
      for (const action of ['end_game', 'cancel_game', 'play_again', 'claim_win', 'share_game']) {
        await client.write('game', action, { gameId: NOBODY });
      }
      await client.read('game', 'get_game', { gameId: NOBODY });
      await client.read('game', 'get_replay', { gameId: NOBODY });
      await client.read('game', 'get_games_by_event', { eventId: NOBODY });
      await client.read('game', 'get_games_by_event', { eventId: `remote-${gameId}` });
      await client.write('game', 'make_move', { gameId: NOBODY, row: 0, col: 0 });
      await client.write('game', 'make_move', { gameId, userId: otherId, row: 0, col: 0 });
      // The rest of the text, a list of all actions, is known only to the server.
      const unknown = [
        await client.quietly(() => client.write('game', 'fly')),
        await client.quietly(() => client.read('event', 'fly')),
      ];
      for (const { errorCode, succeeded } of unknown) client.note('no such action', { errorCode, succeeded });
    },
  },
  {
    name: 'a series, from its dates to its end',
    run: async (client) => {
      await client.signIn(ADMIN);
      const when = { firstStart: '2040-03-23T19:00', timeZone: 'Europe/Berlin', rule: 'FREQ=WEEKLY;BYDAY=FR' };
      // Over the change to summer time; monthly; and to an end.
      await client.read('series', 'preview_series', when);
      await client.read('series', 'preview_series', { ...when, rule: 'rrule:freq=monthly;byday=-1fr;count=3' });
      await client.read('series', 'preview_series', { ...when, rule: 'FREQ=DAILY;INTERVAL=3;UNTIL=20400402' });
      for (const wrong of [
        { rule: 'FREQ=HOURLY' },
        { rule: 'FREQ=DAILY;BYHOUR=1' },
        { rule: 'FREQ=DAILY EXDATE' },
        { timeZone: 'Mars/Olympus' },
        { firstStart: 'soon' },
      ]) {
        await client.read('series', 'preview_series', { ...when, ...wrong });
      }
      const plan = {
        name: ' Scenario League ',
        description: 'Every week.\r\nCome.',
        template: { title: 'League night', format: 'swiss', rounds: 3, minRating: 1_200 },
        durationMinutes: 90,
        ...when,
      };
      for (const wrong of [
        { name: ' ' },
        { durationMinutes: 0 },
        { daysAhead: 91 },
        { points: [] },
        { points: [1, 2] },
        { points: [0] },
        { template: { title: '' } },
      ]) {
        await client.write('series', 'create_series', { ...plan, ...wrong });
      }
      const made = await client.write('series', 'create_series', plan);
      const { seriesId } = made.series as { seriesId: string };
      await client.read('series', 'get_series', { seriesId });
      await client.read('series', 'get_series_table', { seriesId });
      await client.write('series', 'update_series', {
        seriesId,
        points: [3, 2, 1],
        template: { title: 'Late league' },
      });
      await client.write('series', 'end_series', { seriesId });
      await client.write('series', 'end_series', { seriesId });
      await client.write('series', 'update_series', { seriesId, name: 'Again' });
      await client.write('series', 'delete_series', { seriesId });
      await client.read('series', 'get_series', { seriesId });
      await client.read('series', 'get_series_table', { seriesId: NOBODY });
    },
  },
  {
    name: 'what an ordinary person and a visitor are refused',
    run: async (client) => {
      const userId = await client.register(client.someone('person'));
      await client.signIn(ADMIN);
      const eventId = await live(client);
      const admins: [resource: string, action: string, payload: object][] = [
        ['event', 'create_event', { title: 'Mine' }],
        ['event', 'update_event', { eventId, title: 'Mine' }],
        ['event', 'start_event', { eventId }],
        ['event', 'end_event', { eventId }],
        ['event', 'cancel_event', { eventId }],
        ['event', 'delete_event', { eventId }],
        ['event', 'conclude_event', { eventId }],
        ['event', 'duplicate_event', { eventId }],
        ['event', 'announce', { eventId, message: 'Hear, hear' }],
        ['event', 'remove_participant', { eventId, userId, reason: 'Because.' }],
        ['series', 'end_series', { seriesId: eventId }],
        ['player', 'create_player', { eventId, userId }],
        ['player', 'update_player', { eventId, userId, updates: { level: 9 } }],
        ['player', 'record_result', { eventId, userId, didWin: true }],
        ['player', 'set_event', { eventId, userId }],
        ['player', 'clear_event', { userId }],
        ['admin', 'grant_pro', { userId, reason: 'Because.' }],
        ['admin', 'revoke_pro', { userId, reason: 'Because.' }],
        ['admin', 'set_admin', { userId, isAdmin: true }],
        ['admin', 'adjudicate_game', { gameId: eventId, reason: 'Because.' }],
        ['logger', 'clearLogs', {}],
      ];
      const reads: [resource: string, action: string, payload: object][] = [
        ['logger', 'getLogs', {}],
        ['logger', 'getLogStats', {}],
        ['admin', 'list_users', {}],
        ['admin', 'list_admins', {}],
        ['admin', 'overview', {}],
        ['admin', 'list_engine_scores', {}],
        ['admin', 'get_engine_evidence', { userId }],
        ['admin', 'quick_match_queue', {}],
        ['event', 'verify_event', { eventId }],
        ['eventSignUp', 'list_signups_for_user', { userId }],
        ['eventSignUp', 'get_user_sign_up_status', { eventId, userId }],
        ['player', 'check_player_for_event', { eventId, userId }],
        ['game', 'get_games_by_user', { userId }],
        ['game', 'get_game', { gameId: eventId }],
        ['player', 'get_player', { userId }],
        ['player', 'get_leaderboard', { eventId }],
        ['eventSignUp', 'list_signups_for_event', { eventId }],
        ['userprofile', 'search_user', { text: client.someone('pers') }],
        ['userprofile', 'search_user_profile', { text: client.someone('pers'), userId }],
        ['userprofile', 'search_user_profile', { userId }],
        ['userprofile', 'search_user_profile', { userId: NOBODY }],
        ['userprofile', 'search_user', { text: ' p ' }],
        ['userprofile', 'find_user', { text: client.someone('PERSON') }],
        ['userprofile', 'find_user', { text: '?' }],
        ['userprofile', 'get_user_by_id', { userId }],
        ['userprofile', 'get_user_by_id', { userId: NOBODY }],
        ['subscription', 'get_subscription', {}],
      ];
      const own: [resource: string, action: string, payload: object][] = [
        ['eventSignUp', 'sign_up', { eventId, userId }],
        ['eventSignUp', 'remove_signup', { eventId, userId }],
        ['event', 'join_event', { eventId, userId }],
        ['player', 'join_event_room', { eventId, userId }],
        ['player', 'leave_event_room', { eventId, userId }],
        ['game', 'create_game', { players: [{ userId }], gameType: 'invite', initiatorUserId: userId }],
        ['userprofile', 'update_user_profile', { userId, displayName: 'Somebody' }],
        ['userprofile', 'assign_random_display_name', { userId }],
      ];
      const tryThem = async () => {
        for (const call of [...admins, ...own]) await client.write(...call);
        for (const call of reads) await client.read(...call);
      };
      const name = client.someone('another');
      await client.register(name);
      await tryThem();
      await client.connect();
      client.send('subscribeLogs', {});
      await client.frame('error');
      client.send('subscribeLiveGames', {});
      await client.frame('error');
      client.send('watchPresence', { eventId });
      await client.frame('error');
      client.send('joinGame', { gameId: NOBODY });
      await client.frame('gameJoined');
      client.send('spectateGame', { gameId: NOBODY });
      await client.frame('gameError');
      client.send('makeMove', { gameId: NOBODY, row: 0, col: 0 });
      await client.frame('moveRejected');
      client.send('joinEventRoom', { eventId: NOBODY });
      await client.frame('error');
      client.send('findMatch', { eventId, userId });
      await client.frame('error');
      await client.signOut();
      await tryThem();
    },
  },
  {
    name: 'accounts that cannot be made, and sign-ins that fail',
    run: async (client) => {
      const name = client.someone('taken');
      await client.register(name);
      await client.signOut();
      const identity = { firstName: 'A', lastName: 'B', accountType: 'local', isGoogleAccount: false };
      const email = `${client.someone('new')}@example.org`;
      const username = client.someone('new');
      for (const body of [
        { ...identity, username: name.toUpperCase(), email, password: PASSWORD },
        { ...identity, username: 'no', email: 'no mail', password: 'short' },
        { ...identity, username: 'x'.repeat(21), email, password: PASSWORD },
        { ...identity, username, email: 'a@b', password: PASSWORD },
        { ...identity, username, email, password: '' },
        { ...identity, username, email, password: 'aa1!aaaa' },
        { ...identity, username, email, password: 'AA1!AAAA' },
        { ...identity, username, email, password: 'Aa!!aaaa' },
        { ...identity, username, email, password: 'Aa11aaaa' },
        { ...identity, username, email, password: PASSWORD, firstName: 'x'.repeat(51) },
      ]) {
        await client.post('/api/auth/register', body);
      }
      for (const [who, password] of [
        [name, 'Wrong-1-wrong'],
        [client.someone('unknown'), PASSWORD],
      ]) {
        await client.post('/api/auth/login', { email: `${who}@example.org`, password, isGoogleAccount: false });
      }
      await client.get('/api/auth/check-login');
      await client.post('/api/auth/secure/token/refresh');
      await client.get('/api/auth/sessions');
      await client.post('/api/auth/sessions/revoke', { sessionId: NOBODY });
      await client.post('/api/auth/email/verify', { code: 123_456 });
      await client.post('/api/backend/profile/update', { displayName: 'Nobody' });
      await client.post('/api/backend/delete/account', { password: PASSWORD });
    },
  },
  {
    name: 'what somebody may change about their account',
    run: async (client) => {
      const [name, other] = [client.someone('owner'), client.someone('other')];
      await client.register(other);
      const userId = await client.register(name);
      for (const body of [
        { displayName: ' Ada L. ' },
        { displayName: ' ' },
        { displayName: 'x'.repeat(41), firstName: 'y'.repeat(51) },
        { username: '?' },
        { username: other.toUpperCase() },
        { email: 'other@example.org', isAdmin: true },
        { userId: NOBODY, displayName: 'Nobody' },
        { username: client.someone('renamed') },
      ]) {
        await client.post('/api/backend/profile/update', body);
      }
      const again = await client.post('/api/backend/profile/update', { username: client.someone('again') });
      client.note('the code', again.errorCode);
      await client.read('userprofile', 'find_user', { text: name });
      await client.post('/api/auth/password', { currentPassword: 'wrong', newPassword: 'Paper-and-1nk' });
      await client.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: 'short' });
      await client.post('/api/auth/email/verify', { code: 123_456 });
      await client.post('/api/auth/sessions/revoke', { sessionId: NOBODY });
      await client.post('/api/backend/delete/account', { password: 'wrong' });
      await client.post('/api/backend/delete/account', {});
      await client.post('/api/backend/delete/account', { password: PASSWORD });
      await client.get('/api/auth/check-login');
      await client.signIn(other);
      await client.read('userprofile', 'get_user_by_id', { userId });
      await client.read('userprofile', 'find_user', { text: name });
    },
  },
  {
    name: 'an account that becomes a bot',
    run: async (client) => {
      const other = client.someone('maker');
      await client.register(other);
      const name = client.someone('robot');
      const userId = await client.register(name);
      const become = (username: string) => client.write('userprofile', 'become_bot', { username });
      await client.read('player', 'list_bots');
      await become(other);
      await become(name);
      await client.signIn(ADMIN);
      await client.write('admin', 'allow_hosting', { userId, allowed: true });
      const people = await published(client, { title: 'People' });
      const all = await published(client, { title: 'All', botsAllowed: true });
      await client.signIn(name);
      await client.write('eventSignUp', 'sign_up', { eventId: people });
      await become(name);
      await client.write('eventSignUp', 'remove_signup', { eventId: people, userId });
      await become(` ${name.toUpperCase()} `);
      await become(name);
      await client.read('userprofile', 'get_user_by_id', { userId });
      for (const eventId of [people, all]) {
        await client.read('eventSignUp', 'check_entry', { eventId });
        await client.write('eventSignUp', 'sign_up', { eventId });
      }
      await client.signIn(other);
      await client.read('player', 'list_bots');
      await client.read('player', 'get_profile', { userId });
      await client.read('userprofile', 'find_user', { text: name });
      await client.read('eventSignUp', 'check_entry', { eventId: people });
      await client.signIn(ADMIN);
      await client.write('player', 'create_player', { eventId: people, userId });
      await client.write('event', 'update_event', { eventId: all, botsAllowed: false });
      await client.read('event', 'get_event_by_id', { eventId: all });
      await client.read('eventSignUp', 'list_signups_for_event', { eventId: all });
      await client.signOut();
      await client.quietly(() => client.post('/api/auth/guest'));
      await become('guest');
    },
  },
  {
    name: 'programs that act for somebody',
    run: async (client) => {
      const wish = { name: ' My bot ', scopes: ['play', 'read', 'play'] };
      await client.get('/api/auth/tokens');
      await client.post('/api/auth/tokens', wish);
      await client.register(client.someone('botmaster'));
      await client.get('/api/auth/tokens');
      for (const body of [
        { name: '', scopes: [] },
        { name: 'x'.repeat(41), scopes: ['read'], expiresInDays: 0 },
        { name: '\u200b', scopes: ['event'], expiresInDays: 366 },
        wish,
        { name: 'Other bot', scopes: ['event'], expiresInDays: 365 },
      ]) {
        await client.post('/api/auth/tokens', body);
      }
      const { tokens } = await client.get('/api/auth/tokens');
      const [{ tokenId } = { tokenId: NOBODY }] = tokens as { tokenId: string }[];
      await client.post('/api/auth/tokens/delete', { tokenId: NOBODY });
      await client.post('/api/auth/tokens/delete', { tokenId });
      await client.post('/api/auth/tokens/delete', { tokenId });
      await client.get('/api/auth/tokens');
      await client.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: 'Paper-and-1nk' });
      await client.get('/api/auth/tokens');
      await client.read('userprofile', 'get_user_by_id');
    },
  },
  {
    name: 'what somebody is told of while the page is closed',
    run: async (client) => {
      await client.read('userprofile', 'get_notification_settings');
      await client.register(client.someone('notified'));
      await client.read('userprofile', 'get_notification_settings');
      const push = { invitation: true, answer: false, turn: true, paired: true, event: true };
      await client.write('userprofile', 'update_notification_settings', { push });
      await client.write('userprofile', 'update_notification_settings', { mail: { event: true, payment: false } });
      const keys = {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      };
      for (const endpoint of [
        'push',
        'http://push.example.org/x',
        'https://127.0.0.1/x',
        'https://push.example.org:22/x',
        'https://ada@push.example.org/x',
        `https://push.example.org/${'x'.repeat(1_024)}`,
      ]) {
        await client.write('userprofile', 'subscribe_push', { endpoint, ...keys });
      }
      const endpoint = 'https://push.example.org/x';
      await client.write('userprofile', 'subscribe_push', { endpoint, ...keys, auth: 'AAAA' });
      await client.write('userprofile', 'subscribe_push', { endpoint: '', p256dh: '', auth: '' });
      await client.write('userprofile', 'unsubscribe_push', {});
      await client.write('userprofile', 'unsubscribe_push', { endpoint });
      await client.write('userprofile', 'show_push_example', {});
      await client.read('userprofile', 'get_notification_settings');
    },
  },
];

/** An answer without who is connected, and without the version that counts that. */
function withoutPresence(answer: object): unknown {
  const presence = ['connected', 'absentUntil', 'version'];
  return JSON.parse(JSON.stringify(answer, (key, value: unknown) => (presence.includes(key) ? undefined : value)));
}
