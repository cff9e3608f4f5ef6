import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { mockHandlers } from './handlers';
import { HOSTED_PLAYERS, OPEN_PRIVATE, WRONG_CODES } from './hosting';
import { seat } from './mockGame';
import { DEMO, DEMO_ADMIN, MockServer } from './mockServer';
import { ATTIC_CODE } from './seedHosted';

const NEVER = 600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const PLAN = { title: 'Friday Four', startTime: inHours(24), endTime: inHours(25) };
const msw = setupServer();
let mock: MockServer;

interface Answer {
  status: number;
  errorCode?: string;
  fieldErrors?: Record<string, string>;
  event?: Record<string, unknown>;
  events?: Record<string, unknown>[];
  [field: string]: unknown;
}

async function write(resource: string, action: string, payload: object): Promise<Answer> {
  const response = await fetch(`http://localhost:3000/api/backend/${resource}`, {
    method: 'POST',
    body: JSON.stringify({ action, payload }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

async function read(resource: string, action: string, payload: object): Promise<Answer> {
  const query = new URLSearchParams({ action, payload: JSON.stringify(payload) });
  const response = await fetch(`http://localhost:3000/api/backend/${resource}?${query.toString()}`);
  return { status: response.status, ...((await response.json()) as object) };
}

const create = (over: object = {}) => write('event', 'create_event', { ...PLAN, ...over });
const enter = (joinCode: string) => write('eventSignUp', 'sign_up_by_code', { joinCode });
const show = (eventId: string) => read('event', 'get_event_by_id', { eventId });
const signIn = (username: string) => mock.signInAs(mock.find((each) => each.username === username).userId);

/** Ada's seeded event. */
const kitchen = () => mock.events.hostedBy(mock.find(({ username }) => username === 'ada').userId)[0]!;

beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  mock = new MockServer({
    pace: { join: NEVER, move: NEVER, invite: NEVER, others: NEVER, turn: NEVER, roundPause: 0 },
  });
  msw.use(...mockHandlers(mock));
  mock.signIn(DEMO.email, DEMO.password);
  mock.update({ emailVerified: true });
});
afterEach(() => msw.resetHandlers());
afterAll(() => msw.close());

describe('who may host', () => {
  it('is a member with a verified email, where members may', async () => {
    expect(await read('event', 'get_hosting', {})).toMatchObject({ open: 1, limit: 2, maxPlayers: HOSTED_PLAYERS });
    expect((await create()).status).toBe(200);

    mock.update({ emailVerified: false });
    expect(await read('event', 'get_hosting', {})).toMatchObject({ refusal: 'emailNotVerified' });
    expect(await create()).toMatchObject({ status: 403, errorCode: 'email-not-verified' });

    mock.update({ mayHost: true });
    expect(await read('event', 'get_hosting', {})).not.toHaveProperty('refusal');

    mock.update({ emailVerified: true });
    mock.membersMayHost = false;
    expect(await read('event', 'get_hosting', {})).toMatchObject({ refusal: 'off' });
    expect(await create()).toMatchObject({ status: 403, errorCode: 'hosting-off' });

    mock.signOut();
    mock.addGuest();
    expect(await read('event', 'get_hosting', {})).toMatchObject({ refusal: 'guest' });
    expect(await create()).toMatchObject({ status: 403, errorCode: 'guest' });
  });

  it('has two events open at once', async () => {
    const { event } = await create();
    expect(event).toMatchObject({ isPrivate: true, maxPlayers: HOSTED_PLAYERS, host: { username: 'ada' } });
    expect(await create()).toMatchObject({ status: 409, errorCode: 'too-many-hosted' });
    await write('event', 'delete_event', { eventId: event?.eventId });
    expect((await create()).status).toBe(200);
  });

  it('makes no public events', async () => {
    expect(await create({ isPrivate: false })).toMatchObject({ status: 403, errorCode: 'forbidden' });
  });
});

describe('what a host may write', () => {
  it.each([
    ['title', { title: 'Join t.me/club' }],
    ['title', { title: 'fuckers' }],
    ['description', { description: 'More on https://chalk.example' }],
    ['prize', { prize: 'A pen' }],
    ['ratedOnOneNetwork', { ratedOnOneNetwork: true }],
    ['maxPlayers', { maxPlayers: HOSTED_PLAYERS + 1 }],
    ['maxPlayers', { maxPlayers: 1 }],
  ])('is limited in %s: %j', async (field, over) => {
    const { status, fieldErrors } = await create(over);
    expect(status).toBe(422);
    expect(Object.keys(fieldErrors ?? {})).toEqual([field]);
    const changed = await write('event', 'update_event', { eventId: kitchen().eventId, ...over });
    expect(Object.keys(changed.fieldErrors ?? {})).toEqual([field]);
  });

  it.each([
    ['startTime', { startTime: inHours(43 * 24), endTime: inHours(43 * 24 + 1) }],
    ['endTime', { endTime: inHours(9 * 24) }],
  ])('is limited in %s: %j', async (field, over) => {
    const { status, fieldErrors } = await create(over);
    expect([status, Object.keys(fieldErrors ?? {})]).toEqual([422, [field]]);
    const { eventId } = kitchen();
    const changed = await write('event', 'update_event', { eventId, ...over });
    expect([changed.status, Object.keys(changed.fieldErrors ?? {})]).toEqual([422, [field]]);
    const extended = await write('event', 'extend_event', { eventId, endTime: inHours(9 * 24) });
    expect(extended).toMatchObject({ status: 422, fieldErrors: { endTime: 'A private event lasts at most 7 days.' } });
  });

  it('is not published when as many are open as there may be', async () => {
    const { event } = await create();
    const publish = () => write('event', 'update_event', { eventId: event?.eventId, eventState: 'published' });
    const open = vi.spyOn(mock.events, 'openPrivate').mockReturnValueOnce(OPEN_PRIVATE);
    expect(await publish()).toMatchObject({ status: 409, errorCode: 'private-events-full' });
    open.mockRestore();
    expect(await publish()).toMatchObject({ status: 200 });
  });

  it('has no links in announcements', async () => {
    const { eventId } = kitchen();
    const announce = (message: string) => write('event', 'announce', { eventId, message });
    expect(await announce('See www.chalk.example')).toMatchObject({ status: 422, fieldErrors: { message: /./ } });
    expect((await announce('Tea at 8 p.m., e.g. green. 3.5 pots')).status).toBe(200);
  });

  it('are the acts of a director, and no more', async () => {
    const { eventId } = kitchen();
    for (const action of ['start_event', 'pause_event', 'resume_event', 'renew_join_code', 'end_event']) {
      expect(await write('event', action, { eventId }), action).toMatchObject({ status: 200 });
    }
    expect((await read('event', 'verify_event', { eventId })).status).toBe(200);
    for (const [resource, action, payload] of [
      ['event', 'conclude_event', {}],
      ['event', 'reopen_event', { reason: 'Wrong.' }],
      ['event', 'duplicate_event', {}],
      ['player', 'create_player', { userId: mock.user.userId }],
      ['player', 'update_player', { userId: mock.user.userId, updates: { level: 9 } }],
      ['player', 'record_result', { userId: mock.user.userId, didWin: true }],
    ] as const) {
      expect(await write(resource, action, { eventId, ...payload }), action).toMatchObject({ status: 403 });
    }
  });
});

describe('a private event', () => {
  it('is there for its host, its players and admins alone', async () => {
    const { eventId, joinCode } = kitchen();
    const sees = async () => {
      const { event } = await show(eventId);
      const listed = async (filter: object) =>
        (await read('event', 'list_events', { filter })).events?.some((each) => each.eventId === eventId);
      // It is in no list but those of one's own events and of admins.
      expect(await listed({ text: 'Kitchen Table Cup' })).toBe(mock.viewer?.isAdmin === true);
      expect(await listed({ signedUp: true })).toBe(kitchen().participants.isIn(mock.viewer?.userId));
      return event === undefined ? 'nothing' : event.joinCode === joinCode ? 'all' : 'all but the code';
    };
    expect(await sees()).toBe('all');
    mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
    expect(await sees()).toBe('all');
    signIn('barbara');
    expect(await sees()).toBe('all but the code');
    expect(await write('event', 'cancel_event', { eventId })).toMatchObject({ status: 403 });
    signIn('bob');
    expect(await sees()).toBe('nothing');
    expect(await write('event', 'cancel_event', { eventId })).toMatchObject({ status: 403 });
    expect(await write('eventSignUp', 'sign_up', { eventId })).toMatchObject({ status: 404 });
    mock.signOut();
    expect(await sees()).toBe('nothing');
  });

  it('has games that only they can watch', async () => {
    const event = kitchen();
    mock.events.start(event);
    mock.events.playOthers();
    const { gameId } = mock.gamesOf(event.eventId)[0]!;
    expect((await read('game', 'get_game', { gameId })).status).toBe(200);
    signIn('bob');
    expect((await read('game', 'get_game', { gameId })).status).toBe(404);
    expect(mock.liveNow.games).toEqual([]);
  });

  it('is entered with its code, in any case, which its host renews', async () => {
    expect(await enter(ATTIC_CODE.toLowerCase().replaceAll('-', ' '))).toMatchObject({
      status: 200,
      signup: { eventId: mock.events.withCode(ATTIC_CODE)?.eventId },
    });
    signIn('bob');
    const { eventId } = mock.events.withCode(ATTIC_CODE)!;
    const { event } = await write('event', 'renew_join_code', { eventId });
    expect(event?.joinCode).toMatch(/^([A-Z\d]{4}-){3}[A-Z\d]{4}$/);
    signIn('barbara');
    expect(await enter(ATTIC_CODE)).toMatchObject({ status: 404, errorCode: 'join-code' });
    expect((await enter(String(event?.joinCode))).status).toBe(200);
  });

  it('answers a wrong code, a blocked person and an event that is over alike, and only so often', async () => {
    const { host, eventId } = mock.events.withCode(ATTIC_CODE)!;
    mock.moderation.block(host!.userId, mock.user.userId);
    const answers = [await enter(ATTIC_CODE), await enter(''), await enter('AAAA-AAAA-AAAA-AAAA')];
    mock.moderation.unblock(host!.userId, mock.user.userId);
    mock.events.cancel(mock.events.known(eventId)!);
    answers.push(await enter(ATTIC_CODE));
    for (const { status, errorCode } of answers) expect([status, errorCode]).toEqual([404, 'join-code']);
    for (let wrong = answers.length; wrong < WRONG_CODES; wrong += 1) await enter('');
    expect(await enter('')).toMatchObject({ status: 429 });
  });

  it('takes as many as were planned', async () => {
    const event = mock.events.withCode(ATTIC_CODE)!;
    mock.events.update(event, { maxPlayers: event.participants.count });
    expect(await enter(ATTIC_CODE)).toMatchObject({ status: 409, errorCode: 'event-full' });
  });

  it('is no event of the free plan', () => {
    const { user } = mock;
    const joined = mock.events.joinedBy(user.userId);
    const event = kitchen();
    event.go('started');
    event.join(seat(user));
    expect(mock.events.joinedBy(user.userId)).toBe(joined);
  });

  it('is cancelled when its host is suspended', () => {
    const event = kitchen();
    mock.suspend(mock.user.userId, { reason: 'Insults.', at: new Date().toISOString() });
    expect(event.state).toBe('cancelled');
  });
});
