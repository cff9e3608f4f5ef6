import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { OPERATIONS } from '@/api/generatedActions';
import type { components } from '@/api/schema';
import { readNotation } from '@/shared/notation';
import { misfit, nameOf, operations } from './fit';
import { seat } from './mockGame';
import { ATTIC_CODE } from './seedHosted';
import { mockHandlers } from './handlers';
import { MOCK_PUSH_KEY } from './notifications';
import { choose } from './opponent';
import { DEMO, DEMO_ADMIN, MockServer } from './mockServer';

const ORIGIN = 'http://localhost:3000';
const NOBODY = '00000000-0000-4000-8000-0000000000ff';

// These tests play whole games, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const server = setupServer();
let mock: MockServer;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

beforeEach(() => {
  // Games of simulated players would keep the processor busy: tests that need them start them.
  openMockServer({ join: 5, move: 5, invite: 30, others: 60_000, turn: 2_000 });
});

type Pace = Required<NonNullable<ConstructorParameters<typeof MockServer>[0]>>['pace'];

function openMockServer(pace: Pace) {
  mock = new MockServer({ pace });
  server.resetHandlers();
  server.use(...mockHandlers(mock));
}

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

const login = (account: typeof DEMO | typeof DEMO_ADMIN = DEMO) =>
  call('POST', '/api/auth/login', { ...account, isGoogleAccount: false });

/** Operations whose answer is a file that is no JSON have their own tests. */
const FILES = [
  'getEventCalendar',
  'getSeriesCalendar',
  'getEventStandingsFile',
  'getEventResultsFile',
  'getEventSwissFile',
  'exportGames',
];

/** Operations that return JSON and have no actions. */
const plain = operations.filter(
  ({ operationId, ...operation }) => operation['x-actions'] === undefined && !FILES.includes(operationId),
);
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

/** A webhook with a delivery; returns its id. */
function theWebhook(): string {
  const webhook = {
    webhookId: NOBODY,
    url: 'https://club.example.org/morpion',
    kinds: ['event.started' as const],
    createdAt: '2026-01-01T00:00:00Z',
    waiting: 0,
  };
  const delivery = {
    messageId: NOBODY,
    kind: 'event.started',
    happenedAt: '2026-01-01T00:00:00Z',
    state: 'failed' as const,
    attempts: 12,
    payload: '{}',
  };
  mock.webhooks.all = [{ webhook, deliveries: [delivery] }];
  return NOBODY;
}

/** Games in every state, created through the API. */
async function someGames() {
  const { userId } = mock.user;
  const bob = mock.find(({ username }) => username === 'bob');
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
    mock.game(gameId).enter(bob.userId);
    mock.enter(mock.game(gameId), userId);
  }
  mock.forfeit(mock.game(over), userId);
  // Somebody else's, with an open seat.
  const open = mock.create(crypto.randomUUID(), [seat(bob)], 3);
  const events = someEvents();
  // A live event has a game of simulated players that can be watched.
  mock.events.playOthers();
  return { userId, bob, waiting, active, over, open, ...events };
}

const league = () => mock.series.all(false).at(-1)?.seriesId ?? NOBODY;

/** One that has made no event. */
const futureSeries = () =>
  mock.series.add({
    name: 'Later',
    description: '',
    template: { title: 'Later' },
    firstStart: '2040-01-06T20:00',
    timeZone: 'UTC',
    rule: 'FREQ=DAILY',
    durationMinutes: 60,
    points: [1],
    daysAhead: 1,
  }).seriesId;

/** One event of each state, and some that only admins can change. */
function someEvents() {
  const event = (title: string) => {
    const found = mock.events.all().find((each) => each.view().title === title);
    return found?.eventId ?? NOBODY;
  };
  const plan = { title: 'Draft', startTime: '2030-01-01T10:00:00Z', endTime: '2030-01-01T11:00:00Z' };
  const draft = mock.events.add(plan).eventId;
  const [published, live] = [event('New Year Ladder'), event('Lunch Break Blitz')];
  const [concluded, reopened] = [event('Autumn Open'), event('First Ink')];
  mock.events.event(reopened).reopen();
  const knockout = event('Town Hall Knockout');
  const second = mock.events.event(knockout).stage?.rounds()[1]?.pairings ?? [];
  const played = second.find(({ reason }) => reason === 'played')?.board ?? 0;
  // One whose next round is paired and waits.
  const paired = event('Paper Swiss');
  const { stage } = mock.events.event(paired);
  stage?.decideAll();
  stage?.pairNext(Date.now() + 1e6);
  // Players check in to it, and the user has signed up.
  const [startTime, endTime] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const asking = mock.events.add({ title: 'Punctual', checkInMinutes: 120, startTime, endTime } as never);
  asking.go('published');
  asking.signUp(seat(mock.find(({ email }) => email === DEMO.email)));
  return {
    draft,
    published,
    soon: event('Sunday Chalk Cup'),
    live,
    full: event('Midnight Masters'),
    concluded,
    reopened,
    knockout,
    played,
    paired,
    asking: asking.eventId,
    swiss: event('Lamplight Swiss'),
    // Ada sees it when she has the code.
    attic: mock.events.withCode(ATTIC_CODE)?.eventId ?? NOBODY,
  };
}

type Games = Awaited<ReturnType<typeof someGames>>;

/** The request of each operation that is mocked; the others return 501. */
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
  getSite: {},
  changePassword: { currentPassword: DEMO.password, newPassword: 'Paper-and-1nk' },
  listSessions: {},
  revokeAllSessions: { includeCurrent: false },
  playAsGuest: {},
  requestVerificationCode: { email: DEMO.email },
  requestEmailCode: {},
  checkPasswordLink: { token: 'used' },
  requestEmailChange: { newEmail: 'other@example.org', password: DEMO.password },
  getCalendarStatus: {},
  disconnectCalendar: {},
  deleteAccount: { password: DEMO.password },
  exportAccount: {},
  removeProfileImage: {},
  getSetup: {},
  updateProfile: { displayName: 'Ada L.' },
  searchUsers: {},
  logData: { level: 'error', message: 'boom', platform: 'web' },
  getUserSubscription: {},
  listPaymentMethods: {},
  getProofOptions: {},
  prove: { password: DEMO.password },
  getSecondFactor: {},
  beginTotp: {},
  getPasskeyOptions: {},
  beginPasskey: {},
  finishPasskey: { name: 'Laptop', credential: { id: 'c1' } },
  listPersonalTokens: {},
  createPersonalToken: { name: 'bot', scopes: ['play'] },
};

/** These refuse the requests of the table; tests of their screens and of the mock's parts make them succeed. */
const REFUSED: Record<string, number> = {
  setUp: 403,
  revokeSession: 404,
  deletePersonalToken: 404,
  validateVerificationCode: 422,
  updatePassword: 403,
  verifyEmail: 422,
  verifyEmailChange: 422,
  undoEmailChange: 404,
  usePasswordLink: 404,
  beginPasskeyByLink: 404,
  useLinkForPasskey: 404,
  uploadProfileImage: 400,
  getProfileImage: 404,
  cancelUserSubscription: 409,
  removePaymentMethod: 404,
  getSecondFactorOptions: 410,
  verifySecondFactor: 410,
  confirmTotp: 410,
  removeTotp: 409,
  renewRecoveryCodes: 409,
  loginWithPasskey: 422,
  renamePasskey: 404,
  removePasskey: 404,
};

/** The payload of each mocked action. */
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
  'game get_games_by_event': ({ live, bob }) => ({ eventId: live, userId: bob.userId, limit: 1 }),
  'game spectatable_games': ({ live }) => ({ eventId: live }),
  'game live_games': () => ({ page: 1, limit: 2 }),
  'event get_event_by_id': ({ live }) => ({ eventId: live }),
  'event list_events': () => ({ filter: { text: 'e' }, page: 1, limit: 2 }),
  'event verify_event': ({ live }) => ({ eventId: live }),
  'event get_rounds': ({ knockout }) => ({ eventId: knockout }),
  'event get_standings': ({ swiss, userId }) => ({ eventId: swiss, userId }),
  'event get_hosting': () => ({}),
  'event renew_join_code': ({ attic }) => ({ eventId: attic }),
  'event invite_player': ({ attic, bob }) => ({ eventId: attic, userId: bob.userId }),
  'event withdraw_invitation': ({ attic, bob }) => ({ eventId: attic, userId: bob.userId }),
  'event list_invitations': ({ attic }) => ({ eventId: attic }),
  'event create_event': () => ({
    title: ' Spring Cup ',
    eventType: 'closed',
    eventState: 'drafted',
    clock: '1+2',
    format: 'swiss',
    rounds: 5,
    boardSize: 4,
    matchGames: 1,
    maxRating: 1_800,
    allowList: ['bob'],
  }),
  'event update_event': ({ draft }) => ({ eventId: draft, prize: 'A pen', eventState: 'published' }),
  'event delete_event': ({ draft }) => ({ eventId: draft }),
  'event join_event': ({ live }) => ({ eventId: live }),
  'event start_event': ({ published }) => ({ eventId: published }),
  'event end_event': ({ live }) => ({ eventId: live }),
  'event cancel_event': ({ live }) => ({ eventId: live }),
  'event reopen_event': ({ concluded }) => ({ eventId: concluded, reason: 'To be corrected.' }),
  'event conclude_event': ({ reopened }) => ({ eventId: reopened }),
  'event duplicate_event': ({ concluded }) => ({ eventId: concluded }),
  'event announce': ({ live }) => ({ eventId: live, message: 'Five more minutes.' }),
  'event remove_participant': ({ bob, live }) => ({ eventId: live, userId: bob.userId, reason: 'Two accounts.' }),
  'event set_result': ({ knockout, userId }) => ({
    eventId: knockout,
    round: 2,
    board: 1,
    winnerUserId: userId,
    reason: 'The other one left.',
  }),
  'event check_in_player': ({ asking, userId }) => ({ eventId: asking, userId }),
  'event withdraw_player': ({ knockout, bob }) => ({ eventId: knockout, userId: bob.userId, reason: 'Had to go.' }),
  'event disqualify_player': ({ knockout, bob }) => ({ eventId: knockout, userId: bob.userId, reason: 'An engine.' }),
  'event replay_match': ({ knockout, played }) => ({ eventId: knockout, round: 2, board: played, reason: 'It froze.' }),
  'event start_round': ({ paired }) => ({ eventId: paired, round: 3 }),
  'event reinstate_player': ({ knockout, bob }) => ({ eventId: knockout, userId: bob.userId, reason: 'Is back.' }),
  'event extend_event': ({ live }) => ({ eventId: live, endTime: '2099-01-01T00:00:00Z' }),
  'event pause_event': ({ knockout }) => ({ eventId: knockout }),
  'event resume_event': ({ knockout }) => ({ eventId: knockout }),
  'series list_series': () => ({ limit: 1 }),
  'series get_series': () => ({ seriesId: league() }),
  'series get_series_table': () => ({ seriesId: league(), limit: 3 }),
  'series preview_series': () => ({
    firstStart: '2040-03-23T19:00',
    timeZone: 'Europe/Berlin',
    rule: 'FREQ=WEEKLY',
  }),
  'series create_series': () => ({
    name: ' Monthly ',
    template: { title: 'Monthly cup', format: 'knockout', allowList: ['bob'] },
    durationMinutes: 60,
    firstStart: '2040-01-06T20:00',
    timeZone: 'UTC',
    rule: 'FREQ=MONTHLY;BYDAY=1FR',
  }),
  'series update_series': () => ({ seriesId: league(), points: [3, 2, 1], template: { title: 'Late Friday' } }),
  'series end_series': () => ({ seriesId: league() }),
  'series delete_series': () => ({ seriesId: futureSeries() }),
  'eventSignUp list_signups_for_event': ({ live }) => ({ eventId: live, limit: 3 }),
  'eventSignUp list_signups_for_user': ({ userId }) => ({ userId }),
  'eventSignUp get_user_sign_up_status': ({ live, userId }) => ({ eventId: live, userId }),
  'eventSignUp get_signup_by_event_and_user': ({ live, userId }) => ({ eventId: live, userId }),
  'eventSignUp check_entry': ({ soon }) => ({ eventId: soon }),
  'eventSignUp check_in': ({ asking }) => ({ eventId: asking }),
  'eventSignUp sign_up': ({ soon }) => ({ eventId: soon }),
  'eventSignUp sign_up_by_code': () => ({ joinCode: ATTIC_CODE }),
  'eventSignUp list_own_invitations': () => ({}),
  'eventSignUp answer_invitation': ({ attic, userId }) => {
    mock.events
      .known(attic)
      ?.invitations.set(userId, { at: new Date().toISOString(), isDeclined: false, isWithdrawn: false });
    return { eventId: attic, accepted: true };
  },
  'eventSignUp remove_signup': ({ published }) => ({ eventId: published }),
  'player get_player': ({ userId }) => ({ userId }),
  'player getPlayersByEvent': ({ live }) => ({ eventId: live }),
  'player check_player_for_event': ({ live, userId }) => ({ eventId: live, userId }),
  'player get_leaderboard': ({ live }) => ({ eventId: live, page: 2, limit: 2 }),
  'player list_bots': ({ userId }) => {
    mock.change(userId, { isBot: true });
    return { limit: 1 };
  },
  'player get_rating_list': ({ userId, bob }) => {
    mock.ratings.set(userId, { value: 1_620, games: 30 });
    mock.ratings.set(bob.userId, { value: 1_710, games: 30 });
    return { limit: 1 };
  },
  'player get_profile': () => ({ username: 'bob' }),
  'player get_history': ({ userId }) => ({ userId, filter: { result: 'won' }, page: 1, limit: 3 }),
  'player get_head_to_head': ({ bob }) => ({ userId: bob.userId }),
  'player list_opponents': () => ({ limit: 3 }),
  'player create_player': ({ full, userId }) => ({ eventId: full, userId }),
  'player import_players': ({ full }) => ({ eventId: full, csv: 'bob\nnobody', preview: true }),
  'player update_player': ({ live, bob }) => ({ eventId: live, userId: bob.userId, updates: { level: 8 } }),
  'player set_event': ({ live, bob }) => ({ eventId: live, userId: bob.userId }),
  'player clear_event': ({ bob }) => ({ userId: bob.userId }),
  'player record_result': ({ bob }) => ({ userId: bob.userId, didWin: true }),
  'player join_event_room': ({ live }) => ({ eventId: live }),
  'player leave_event_room': ({ live }) => ({ eventId: live }),
  'userprofile get_user_by_id': ({ userId }) => ({ userId }),
  'userprofile find_user': () => ({ text: 'bob' }),
  'userprofile search_user': () => ({ text: 'bo' }),
  'userprofile search_user_profile': () => ({ text: 'ra', limit: 1 }),
  'userprofile create_profile': () => ({ displayName: 'Ada' }),
  'userprofile delete_user_profile': ({ userId }) => ({ userId, password: DEMO.password }),
  'userprofile become_bot': () => {
    mock.addUser('slate', 'slate@example.org', DEMO.password);
    mock.signIn('slate@example.org', DEMO.password);
    mock.update({ emailVerified: true });
    return { username: 'slate' };
  },
  'userprofile assign_random_display_name': ({ userId }) => ({ userId }),
  'userprofile report_user': ({ bob, over }) => ({ userId: bob.userId, kind: 'engine', text: 'Hm.', gameId: over }),
  'userprofile block_user': ({ bob }) => ({ userId: bob.userId }),
  'userprofile unblock_user': ({ bob }) => ({ userId: bob.userId }),
  'userprofile list_blocked': ({ userId, bob }) => {
    mock.moderation.block(userId, bob.userId);
    return {};
  },
  'userprofile get_notification_settings': () => ({}),
  'userprofile update_notification_settings': () => ({ mail: { event: true, payment: false } }),
  'userprofile subscribe_push': () => ({
    endpoint: 'https://push.example.org/abc',
    p256dh: MOCK_PUSH_KEY,
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }),
  'userprofile unsubscribe_push': () => ({ endpoint: 'https://push.example.org/abc' }),
  'userprofile show_push_example': () => ({}),
  'userprofile update_user_profile': ({ userId }) => ({ userId, firstName: 'Ada' }),
  'subscription get_subscription': () => ({}),
  'subscription get_stripekey': () => ({}),
  'subscription get_plans': () => ({}),
  'subscription list_invoices': ({ userId }) => {
    buyPro(userId);
    return { limit: 5 };
  },
  'subscription create_subscription_iten': ({ userId }) => ({ user: userId, planId: '3' }),
  'subscription subscribe': ({ userId }) => {
    const { id, payment_method: method } = pay(userId);
    return { paymentIntentId: id, planId: '1', isPaid: false, paymentMethodeId: method ?? '' };
  },
  'subscription cancel_subscription': ({ userId }) => {
    buyPro(userId);
    return { planId: '1' };
  },
  'subscription resume_subscription': ({ userId }) => {
    buyPro(userId);
    mock.billing.cancel(userId);
    return {};
  },
  'subscription change_plan': ({ userId }) => {
    buyPro(userId);
    return { planId: '3' };
  },
  'subscription finish_plan_change': ({ userId }) => {
    buyPro(userId);
    return { planId: '1' };
  },
  'subscription create_setup_intent': () => ({}),
  'subscription add_payment_method': ({ userId }) => {
    const { id } = mock.billing.confirmSetup(mock.billing.beginSetup(userId), '4242424242424242');
    return { setupIntentId: id, makeDefault: true };
  },
  'subscription set_default_payment_method': ({ userId }) => {
    buyPro(userId);
    return { paymentMethodId: mock.billing.cardsOf(userId)[0]?.paymentMethodId ?? '' };
  },
  'admin overview': () => ({}),
  'admin history': () => ({}),
  'admin list_audit': ({ bob }) => {
    mock.audit('set_admin', bob.userId, { isAdmin: true });
    return { limit: 1 };
  },
  'admin verify_ratings': () => ({}),
  'admin verify_audit': ({ bob }) => {
    mock.audit('set_admin', bob.userId, { isAdmin: true });
    return {};
  },
  'admin export_audit': () => ({ after: 0 }),
  'admin list_live_games': () => ({ limit: 2 }),
  'admin adjudicate_game': ({ active, userId }) => ({ gameId: active, winnerUserId: userId, reason: 'They agreed.' }),
  'admin delete_personal_tokens': ({ bob }) => ({ userId: bob.userId }),
  'admin revoke_session': ({ userId }) => ({ userId, sessionId: mock.accountState.sessions.at(-1)?.sessionId ?? '' }),
  'admin set_admin': ({ bob }) => ({ userId: bob.userId, isAdmin: true }),
  'admin create_admin': () => ({ email: 'eve@example.org', username: 'eve', password: 'Chalk-and-1nk' }),
  'admin promote_user': () => ({ account: 'bob' }),
  'admin demote_user': () => ({ account: 'bob' }),
  'admin reset_password': () => ({ account: 'bob', newPassword: 'Paper-and-1nk' }),
  'admin remove_second_factor': ({ bob }) => {
    mock.factors.of(bob.userId).totp = true;
    return { account: 'bob', reason: 'Lost the phone.' };
  },
  'admin create_password_link': () => ({ account: 'bob', reason: 'No mail.' }),
  'admin change_email': () => ({ account: 'bob', newEmail: 'robert@example.org', reason: 'Typed wrong.' }),
  'admin list_tokens': () => {
    mock.accountState.tokens.push({ tokenId: NOBODY, name: 'laptop', scope: 'all', createdAt: '2026-01-01T00:00:00Z' });
    return {};
  },
  'admin find_ids': ({ bob }) => ({ of: 'user', beginning: bob.userId.slice(0, 8) }),
  'admin create_token': () => ({ name: 'laptop', scope: 'read', expiresInDays: 30 }),
  'admin revoke_token': () => {
    mock.accountState.tokens.push({ tokenId: NOBODY, name: 'laptop', scope: 'all', createdAt: '2026-01-01T00:00:00Z' });
    return { tokenId: NOBODY };
  },
  'admin list_webhooks': () => {
    theWebhook();
    return {};
  },
  'admin list_deliveries': () => ({ webhookId: theWebhook() }),
  'admin create_webhook': () => ({ url: 'https://club.example.org/morpion', kinds: ['event.concluded'] }),
  'admin delete_webhook': () => ({ webhookId: theWebhook() }),
  'admin resend_delivery': () => ({ webhookId: theWebhook(), messageId: NOBODY }),
  'admin test_webhook': () => ({ webhookId: theWebhook() }),
  'admin list_backups': () => ({}),
  'admin cluster': () => ({}),
  'admin create_backup': () => ({}),
  'admin verify_backup': () => ({ backupId: 'latest' }),
  'admin list_suspended': () => ({ limit: 1 }),
  'admin list_reports': () => ({ state: 'closed', limit: 1 }),
  'admin quick_match_queue': () => ({ limit: 2 }),
  'admin list_engine_scores': () => ({ limit: 2 }),
  'admin get_engine_evidence': ({ bob }) => ({ userId: bob.userId }),
  'admin suspend_user': ({ bob }) => ({ userId: bob.userId, until: '2099-01-01T00:00:00Z', reason: 'Insults.' }),
  'admin lift_suspension': ({ bob }) => ({ userId: bob.userId }),
  'admin rename_user': ({ bob }) => ({ userId: bob.userId, username: 'robert', reason: 'An insult.' }),
  'admin remove_picture': ({ bob }) => ({ userId: bob.userId, reason: 'An insult.' }),
  'admin allow_hosting': ({ bob }) => ({ userId: bob.userId, allowed: true }),
  'admin delete_user': ({ bob }) => ({ userId: bob.userId, reason: 'An insult.' }),
  'admin close_report': () => ({
    reportId: mock.moderation.openReports[0]?.reportId ?? '',
    outcome: 'dismissed',
    note: 'Nothing wrong.',
  }),
  'logger getLogs': () => ({ filter: { level: 'info' }, page: 2, limit: 3, sortOrder: 'asc' }),
  'logger getLogsByLevel': () => ({ level: 'error', limit: 2 }),
  'logger getLogsByPlatform': () => ({ platform: 'web' }),
  'logger getLogsByUser': ({ bob }) => ({ userId: bob.userId }),
  'logger searchLogs': () => ({ query: 'STORE', filter: { level: 'error' } }),
  'logger getLogStats': () => ({}),
  'logger exportLogs': () => ({ filter: { level: 'warning' } }),
  'logger log': () => ({ level: 'error', message: 'boom', stack: 'Error: boom' }),
  'logger bulkLog': () => ({ messages: [{ level: 'warning', message: 'hm', requestId: NOBODY }] }),
  'logger clearLogs': () => ({}),
  'admin list_users': () => ({ text: 'example', limit: 2 }),
  'admin list_admins': () => ({ limit: 1 }),
  'admin list_sessions': ({ bob }) => ({ userId: bob.userId }),
  'admin list_personal_tokens': ({ bob }) => ({ userId: bob.userId }),
  'admin list_subscriptions': () => ({}),
  'admin list_billing_events': () => ({ page: 1, limit: 1 }),
  'admin grant_pro': ({ bob }) => ({ userId: bob.userId, reason: 'A friend.', until: '2030-01-01T00:00:00Z' }),
  'admin revoke_pro': ({ bob }) => {
    mock.billing.grant(bob.userId, 'A friend.');
    return { userId: bob.userId, reason: 'No friend any more.' };
  },
};

/** Pays for a month without calling `subscribe`. */
function pay(userId: string) {
  return mock.billing.confirm(mock.billing.begin(userId, '1'), '4242424242424242');
}

function buyPro(userId: string): void {
  mock.billing.subscribe(userId, pay(userId).id, '1');
}

/** Actions for admins only. */
const ADMINS_ONLY =
  /^series (preview|create|update|end|delete)_series$|^event (verify|create|update|delete|start|end|cancel|reopen|conclude|duplicate|extend|pause|resume)_event$|^event (announce|renew_join_code|invite_player|withdraw_invitation|list_invitations|remove_participant|set_result|replay_match|start_round|(withdraw|disqualify|reinstate|check_in)_player)$|^player (create_player|import_players|update_player|set_event|clear_event|record_result)$|^admin |^logger (get|search|export|clear)/;

/** Actions for visitors. */
const PUBLIC =
  /^series (list_series|get_series|get_series_table)$|^event (get_event_by_id|list_events|get_rounds|get_standings)$|^game (get_games_by_event|spectatable_games)$|^player (get_profile|get_history|get_leaderboard)$|^logger (log|bulkLog)$|^subscription get_plans$/;

/** This action always refuses, since the opponent is always there. */
const ALWAYS_REFUSED = /^game claim_win$/;

describe('an action at its own path', () => {
  it('is read and written as at the path of its resource', async () => {
    await login();
    const { gameId } = (
      await call('POST', '/api/backend/game/create_game', {
        players: [{ userId: mock.user.userId }],
        gameType: 'invite',
      })
    ).answer.game as { gameId: string };
    const query = new URLSearchParams({ payload: JSON.stringify({ gameId }) }).toString();
    const read = await call('GET', `/api/backend/game/get_game?${query}`);
    expect(read).toMatchObject({ status: 200, answer: { game: { gameId } } });
    expect(await call('GET', '/api/backend/game/no_such_action')).toMatchObject({ status: 400 });
  });
});

describe('operations', () => {
  it('are all in the table', () => {
    expect(Object.keys(OPERATIONS).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    expect(Object.keys(BODIES).filter((name) => !(name in OPERATIONS))).toEqual([]);
  });

  it.each(plain)('$operationId responds as in the contract', async ({ operationId, method, path, responses }) => {
    await login();
    const query = operationId === 'searchUsers' ? '?username=bob' : '';
    const { status, answer } = await call(method, path.replace(/\{\w+\}/g, NOBODY) + query, BODIES[operationId]);
    if (operationId in BODIES) {
      expect(status).toBe(200);
      const schema = Object.values(responses['200']?.content ?? {})[0]?.schema;
      // The export has no schema.
      if (operationId !== 'exportAccount') expect(misfit(nameOf({ $ref: schema?.$ref ?? '' }), answer)).toBeNull();
    } else {
      expect(status).toBe(REFUSED[operationId] ?? 501);
      expect(misfit('Failure', answer)).toBeNull();
    }
  });

  it('register refuses an email only once its owner confirmed it', async () => {
    const register = (username: string) =>
      call('POST', '/api/auth/register', { ...BODIES.register, username, email: DEMO.email });
    expect((await register('claimant')).status).toBe(200);
    mock.signIn(DEMO.email, DEMO.password);
    mock.update({ emailVerified: true });
    mock.signOut();
    const { status, answer } = await register('late');
    expect(status).toBe(409);
    expect(misfit('Failure', answer)).toBeNull();
  });

  it.each([
    ['login', '/api/auth/login', { email: DEMO.email, password: 'wrong', isGoogleAccount: false }, 401],
    ['register', '/api/auth/register', { ...BODIES.register, username: 'Ada' }, 409],
    ['refreshToken', '/api/auth/secure/token/refresh', {}, 401],
    ['changePassword', '/api/auth/password', { currentPassword: 'x', newPassword: 'y' }, 401],
    ['updateProfile', '/api/backend/profile/update', { displayName: 'Eve' }, 401],
  ])('%s refuses in the format of the contract', async (_name, path, body, expected) => {
    const { status, answer } = await call('POST', path, body);
    expect(status).toBe(expected);
    expect(misfit('Failure', answer)).toBeNull();
  });
});

describe('actions', () => {
  it('in the table all exist', () => {
    const names = actions.map(({ name }) => name);
    expect(Object.keys(PAYLOADS).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(actions)('$name responds as in the contract', async ({ name, path, method, action, ...schemas }) => {
    await login();
    const games = await someGames();
    if (ADMINS_ONLY.test(name)) await login(DEMO_ADMIN);
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

  it.each(actions.filter(({ name }) => ADMINS_ONLY.test(name)))(
    '$name refuses who is no admin, in the contract’s shape',
    async ({ name, path, method, action }) => {
      await login();
      const { status, answer } = await act(method, path, action, PAYLOADS[name]?.(await someGames()) ?? {});
      expect(status).toBe(403);
      expect(misfit('Failure', answer)).toBeNull();
    },
  );

  it.each(actions.filter(({ name }) => name in PAYLOADS && !PUBLIC.test(name)))(
    '$name refuses a visitor in the contract’s shape',
    async ({ name, path, method, action }) => {
      await login();
      const payload = PAYLOADS[name]?.(await someGames()) ?? {};
      mock.signOut();
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

type State = components['schemas']['GameState'];

interface Frame {
  event: string;
  id?: string;
  data: Record<string, unknown>;
}

/** A websocket that checks every frame in both directions against the contract. */
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
    /** Waits for the next frame of one of these events and skips the frames before it. */
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
  it('is played from the invitation to the end, and once more', async () => {
    await login();
    const { userId } = mock.user;
    const bob = mock.find(({ username }) => username === 'bob');
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

    // The mock opponent wins or draws against a player who takes the first free cell.
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

    socket.send('playAgain', { gameId });
    const { gameId: next, ...joined } = (await socket.next('gameJoined')).data as { gameId: string };
    expect(joined).toMatchObject({ previousGameId: gameId, message: 'Waiting for Opponent' });
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

  it('is refused, rejected and called off with the frames of the contract', async () => {
    await login();
    const { userId } = mock.user;
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
    expect((await socket.next('error')).data).toMatchObject({ errorCode: 'not-found', event: 'findMatch' });
    socket.send('spectateGame', { gameId: games.active });
    expect((await socket.next('gameJoined')).data).toMatchObject({ success: true });
    expect(await socket.next('ack')).toMatchObject({ id: 'spectateGame', data: { succeeded: true } });
    socket.send('leaveGameRoom', { gameId: games.active });
    expect(await socket.next('ack')).toMatchObject({ id: 'leaveGameRoom', data: { succeeded: true } });
    const [first] = mock.games(userId).filter(({ status }) => status === 'waiting');
    socket.send('cancelGame', { gameId: first?.gameId ?? '' });
    expect((await socket.next('gameCancelled')).data).toMatchObject({
      message: 'You cancelled the invitation.',
      reason: 'withdrawn',
      userId,
    });
    // A mock user invites after a moment.
    expect((await socket.next('gameInvitation')).data).toMatchObject({ from: { username: 'linus' } });
    expect(socket.misfits.filter((each) => each !== null)).toEqual([]);
    socket.close();
  });

  it('is offered again until the offer is accepted', async () => {
    openMockServer({ join: 10_000, move: 5, invite: 10_000, others: 10_000, turn: 2_000 });
    await login();
    const { userId } = mock.user;
    const { over } = await someGames();
    const offer = async () => {
      const { answer } = await act('POST', '/api/backend/game', 'play_again', { gameId: over });
      return (answer.game as { gameId: string }).gameId;
    };
    const state = async () => (await act('GET', '/api/backend/game', 'get_game', { gameId: over })).answer.game;
    const first = await offer();
    expect(await offer()).toBe(first);
    expect(await state()).toMatchObject({ nextGameId: first, nextGameBy: userId });
    await act('POST', '/api/backend/game', 'cancel_game', { gameId: first });
    expect(await state()).not.toHaveProperty('nextGameId');
    const { answer } = await act('POST', '/api/backend/game', 'play_again', { gameId: first });
    expect(answer).toMatchObject({ succeeded: false, errorCode: 'game-not-played' });
    expect(await offer()).not.toBe(first);
  });

  it('is only watched by a visitor', async () => {
    mock.signOut();
    const socket = await connect();
    socket.send('findMatch', { eventId: NOBODY });
    expect((await socket.next('error')).data).toMatchObject({ event: 'findMatch', errorCode: 'not-signed-in' });
  });
});

describe('an event', () => {
  const live = () => someEvents().live;
  const state = async (eventId: string) => {
    const { answer } = await act('GET', '/api/backend/event', 'get_event_by_id', { eventId });
    return (answer.event as { eventState: string } | undefined)?.eventState;
  };
  const manage = async (action: string, eventId: string) => {
    await login(DEMO_ADMIN);
    const { status, answer } = await act('POST', '/api/backend/event', action, { eventId });
    expect(answer.succeeded ? null : misfit('Failure', answer)).toBeNull();
    return status;
  };

  it('exists in every state, drafts only for admins', async () => {
    const states = () => new Set(mock.events.all().map((event) => event.state));
    expect(states()).toEqual(new Set(['published', 'started', 'ended', 'cancelled']));
    await login(DEMO_ADMIN);
    expect(states()).toContain('drafted');
  });

  it.each([
    [
      ['published', 'started'],
      ['published', 'started'],
    ],
    ['ended', ['ended']],
    ['cancelled', ['cancelled']],
    [undefined, ['published', 'started', 'ended']],
  ])('is listed by its state: %o', async (eventState, expected) => {
    const { answer } = await act('GET', '/api/backend/event', 'list_events', { filter: { eventState } });
    const states = (answer.events as { eventState: string }[]).map((event) => event.eventState);
    expect(new Set(states)).toEqual(new Set(expected));
  });

  it('changes only between allowed states', async () => {
    const { draft, published } = someEvents();
    expect(await manage('start_event', draft)).toBe(409);
    expect(await manage('end_event', published)).toBe(409);
    expect(await manage('start_event', published)).toBe(200);
    expect(await manage('delete_event', published)).toBe(409);
    expect(await manage('end_event', published)).toBe(200);
    expect(await manage('cancel_event', published)).toBe(409);
    expect(await state(published)).toBe('ended');
  });

  it.each([
    [{ startTime: undefined }, 'Start time is required to publish.'],
    [{ endTime: undefined }, 'End time is required to publish.'],
    [{ endTime: '2030-01-01T09:00:00Z' }, 'End time must be after start time.'],
  ])('is published only when it is complete: %o', async (gap, text) => {
    await login(DEMO_ADMIN);
    const plan = { title: 'Draft', startTime: '2030-01-01T10:00:00Z', endTime: '2030-01-01T11:00:00Z' };
    const { eventId } = mock.events.add({ ...plan, ...gap } as typeof plan);
    const payload = { eventId, eventState: 'published' };
    const { status, answer } = await act('POST', '/api/backend/event', 'update_event', payload);
    expect(status).toBe(422);
    expect(answer).toMatchObject({ errorMessage: text });
  });

  it('starts and ends by itself', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await login(DEMO_ADMIN);
    const now = Date.now();
    const at = (offset: number) => new Date(now + offset).toISOString();
    const event = mock.events.add({ title: 'Short', startTime: at(300), endTime: at(900) });
    event.go('published');
    expect(await state(event.eventId)).toBe('published');
    vi.setSystemTime(now + 350);
    expect(await state(event.eventId)).toBe('started');
    vi.setSystemTime(now + 950);
    expect(await state(event.eventId)).toBe('ended');
    vi.useRealTimers();
  });

  it('counts the free events per month', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await login();
    const { full } = someEvents();
    const join = () => act('POST', '/api/backend/event', 'join_event', { eventId: full });
    expect((await join()).status).toBe(402);
    const now = new Date();
    // The event does not end before.
    vi.spyOn(mock.events.event(full), 'endsAt', 'get').mockReturnValue(Infinity);
    vi.setSystemTime(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect((await join()).status).toBe(200);
    vi.useRealTimers();
  });

  it('requires Pro for a fourth one', async () => {
    await login();
    const { status, answer } = await act('POST', '/api/backend/event', 'join_event', { eventId: someEvents().full });
    expect(status).toBe(402);
    expect(answer).toMatchObject({ requiresUpgrade: true, errorMessage: "You've hit the free plan limit!" });
    expect(misfit('Failure', answer)).toBeNull();
  });

  it('finds an opponent, continues after drawn rounds, and counts the result', async () => {
    await login();
    const { userId } = mock.user;
    const eventId = live();
    const before = mock.events.event(eventId).participants.player(userId);
    const socket = await connect();
    socket.send('joinEventRoom', { eventId, userId });
    expect((await socket.next('eventJoined')).data).toMatchObject({ eventId, player: { userId } });
    socket.send('findMatch', { eventId, userId });
    await socket.next('matchmakingStarted');
    await socket.next('queueUpdate');
    socket.send('cancelMatchmaking', { eventId, userId });
    expect((await socket.next('matchmakingCancelled')).data).toMatchObject({ redirectInMs: 1_500 });
    socket.send('findMatch', { eventId, userId }, 'again');
    const { gameId } = (await socket.next('playerFound')).data as { gameId: string };

    // Joining the room again meanwhile redirects to the game.
    socket.send('joinEventRoom', { eventId, userId }, 'back');
    expect((await socket.next('redirectToGame')).data).toMatchObject({ gameId, redirectInMs: 1_500 });

    socket.send('joinGame', { gameId, userId });
    let game = (await socket.next('gameStarted')).data.gameState as State;
    expect(game).toMatchObject({ gameType: 'event', eventId });
    expect(game.turnDeadline).toBeGreaterThan(Date.now());
    const { boardSize } = game;
    // A player who plays like the mock opponent draws every round, and time decides after the fifth.
    let end: Frame | undefined;
    let draws = 0;
    while (end === undefined) {
      if (mock.game(gameId).turn?.userId === userId) {
        const place = choose(mock.game(gameId).position);
        if (place !== undefined) socket.send('makeMove', { gameId, userId, row: place[0], col: place[1] });
      }
      const frame = await socket.next('moveUpdate', 'gameDraw', 'gameEnd');
      if (frame.event === 'gameEnd') end = frame;
      if (frame.event === 'gameDraw') {
        draws += 1;
        game = frame.data.newGameState as State;
        expect(game).toMatchObject({ drawCount: draws, boardSize: Math.min(6, boardSize + Math.floor(draws / 2)) });
        expect(frame.data.message).toBe(`Round ${draws} ended in a draw. Starting new round...`);
      }
    }
    const hasWon = end.data.winnerUserId === userId;
    expect(end.data.tournamentResult).toMatchObject({ loser: { isEliminated: false } });
    while ((await socket.next('refreshLeaderboard')).data.eventId !== eventId);
    const after = mock.events.event(eventId).participants.player(userId);
    expect(after.wins + after.losses).toBe(before.wins + before.losses + 1);
    expect(after.level).toBe(before.level + (hasWon ? 1 : 0));

    socket.send('leaveEventRoom', { eventId, userId });
    expect(await socket.next('ack')).toBeDefined();
    expect(socket.misfits.filter((each) => each !== null)).toEqual([]);
    socket.close();
  });

  it('continues without the viewer, and can be watched', async () => {
    openMockServer({ join: 5, move: 5, invite: 30, others: 20, turn: 2_000 });
    await login();
    const eventId = live();
    const socket = await connect();
    expect((await socket.next('refreshLeaderboard')).data).toHaveProperty('eventId');
    mock.events.playOthers();
    const { answer } = await act('GET', '/api/backend/game', 'spectatable_games', { eventId });
    const [game] = answer.games as { gameId: string }[];
    socket.send('spectateGame', { gameId: game?.gameId ?? '' });
    await socket.next('gameJoined');
    expect(await socket.next('moveUpdate', 'gameEnd')).toMatchObject({ data: { gameId: game?.gameId } });
    expect(socket.misfits.filter((each) => each !== null)).toEqual([]);
    socket.close();
  });

  it('makes a player whose turn runs out lose the game', async () => {
    openMockServer({ join: 1, move: 1, invite: 10_000, others: 10_000, turn: -480 });
    await login();
    const { userId } = mock.user;
    const eventId = live();
    const socket = await connect();
    socket.send('findMatch', { eventId, userId });
    const { gameId } = (await socket.next('playerFound')).data as { gameId: string };
    socket.send('joinGame', { gameId, userId });
    expect((await socket.next('gameEnd')).data).toMatchObject({
      reason: 'timeout',
      forfeiter: userId,
      message: 'You ran out of time. Opponent wins!',
    });
    socket.close();
  });

  it('gives the last games 60 s, and then decides them', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await login(DEMO_ADMIN);
    const eventId = live();
    mock.events.playOthers();
    const view = async () => {
      const { answer } = await act('GET', '/api/backend/event', 'get_event_by_id', { eventId });
      return answer.event as components['schemas']['Event'];
    };
    await manage('end_event', eventId);
    const { decidedBy = '', endedAt = '', ...ended } = await view();
    expect(Date.parse(decidedBy) - Date.parse(endedAt)).toBe(60_000);
    expect(ended).toMatchObject({ eventState: 'ended', concluded: false, winners: [] });
    expect(await manage('conclude_event', eventId)).toBe(409);
    // Games that nobody has joined are void, and the others are decided by time.
    vi.setSystemTime(Date.parse(decidedBy));
    expect(await view()).toMatchObject({ concluded: true, gamesInPlay: 0 });
    expect((await view()).winners).not.toHaveLength(0);
    vi.useRealTimers();
  });

  it('ends its queue and its games when it is cancelled', async () => {
    await login();
    const eventId = live();
    const socket = await connect();
    socket.send('findMatch', { eventId });
    await socket.next('matchmakingStarted');
    await manage('cancel_event', eventId);
    expect((await socket.next('eventStateChanged')).data).toEqual({ eventId, eventState: 'cancelled' });
    expect((await socket.next('matchmakingCancelled')).data).toMatchObject({ message: 'Event Cancelled' });
    expect(mock.gamesOf(eventId).every((game) => game.isOver)).toBe(true);
    socket.close();
  });

  it('is exported as a calendar file', async () => {
    const response = await fetch(`${ORIGIN}/api/backend/events/${live()}/calendar.ics`);
    expect(response.headers.get('Content-Type')).toContain('text/calendar');
    expect(await response.text()).toMatch(/DTSTART:\d{8}T\d{6}Z\r\n.*\r\nSUMMARY:Lunch Break Blitz/);
  });

  it('is exported with a token where it is private', async () => {
    await login();
    const [event] = mock.events.hostedBy(mock.user.userId);
    const { answer } = await act('GET', '/api/backend/event', 'get_event_by_id', { eventId: event?.eventId });
    const token = (answer.event as components['schemas']['Event']).calendarToken ?? '';
    mock.signOut();
    const at = (query: string) => fetch(`${ORIGIN}/api/backend/events/${event?.eventId}/calendar.ics${query}`);
    expect((await at(`?token=${token}`)).status).toBe(200);
    for (const query of ['', '?token=', `?token=${token}0`]) expect((await at(query)).status).toBe(404);
  });

  it('is in the file of its series', async () => {
    const { eventId = '' } = mock.events.all().find(({ seriesId }) => seriesId === league()) ?? {};
    const response = await fetch(`${ORIGIN}/api/backend/events/series/${league()}/calendar.ics`);
    expect(response.headers.get('Content-Type')).toContain('text/calendar');
    expect(await response.text()).toContain(`UID:${eventId}@morpion`);
  });
});

describe('files', () => {
  const load = async (path: string) => {
    const response = await fetch(`${ORIGIN}/api/backend/${path}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('have the games of the user and of an event', async () => {
    await login();
    const { over } = await someGames();
    const own = await load('game/export_games');
    expect(own.headers.get('Content-Type')).toBe('application/x-ndjson');
    const games = own.text.trimEnd().split('\n');
    expect(games.map((line) => (JSON.parse(line) as { gameId: string }).gameId)).toContain(over);
    const notation = await load('game/export_games?format=notation');
    expect(notation.headers.get('Content-Disposition')).toBe('attachment; filename="morpion-games.txt"');
    expect(readNotation(notation.text.split('\n\n[')[0] ?? '')).toMatchObject({ tags: expect.any(Array) as unknown });
    expect(await load('game/export_games?page=2')).toMatchObject({ status: 400 });
    expect(await load(`game/export_games?eventId=${NOBODY}`)).toMatchObject({ status: 404 });
    expect((await load('game/export_games?since=2999-01-01T00:00:00Z')).text).toBe('');
  });

  it('have the tables of an event', async () => {
    await login();
    const event = (title: string) => mock.events.all().find((each) => each.view().title === title)?.eventId ?? '';
    const standings = await load(`events/${event('Lunch Break Blitz')}/standings.csv`);
    expect(standings.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(standings.text).toMatch(/^\ufeff?rank,username,name,level,wins,losses,out\r\n1,/);
    expect((await load(`events/${event('Paper Swiss')}/results.csv`)).text).toMatch(
      /\r\n1,1,[^,]+,[^,]+,[^,]+,played,/,
    );
    expect((await load(`events/${event('Paper Swiss')}/swiss.trf`)).text).toMatch(/^012 /);
    expect(await load(`events/${event('Lunch Break Blitz')}/swiss.trf`)).toMatchObject({ status: 409 });
  });
});

describe('the log', () => {
  const page = (payload: object) =>
    act('GET', '/api/backend/logger', 'getLogs', payload).then(
      ({ answer }) => answer.data as components['schemas']['LogsData'],
    );
  const ids = ({ logs }: components['schemas']['LogsData']) => logs.map(({ _id }) => _id);

  it('has records of every level, from the server and from pages', async () => {
    await login(DEMO_ADMIN);
    const { answer } = await act('GET', '/api/backend/logger', 'getLogStats', {});
    const { levelStats, services } = answer.data as components['schemas']['LogStats'];
    expect(Object.values(levelStats).every((count) => count > 3)).toBe(true);
    expect(services).toContain('store');
    for (const platform of ['web', 'server']) {
      expect((await page({ filter: { platform } })).pagination.totalCount).toBeGreaterThan(3);
    }
  });

  it('continues where a page ended, in either order', async () => {
    await login(DEMO_ADMIN);
    for (const sortOrder of ['asc', 'desc']) {
      const whole = await page({ limit: 20, sortOrder });
      const first = await page({ limit: 10, sortOrder });
      const rest = await page({ limit: 10, sortOrder, cursor: first.nextCursor });
      expect([...ids(first), ...ids(rest)]).toEqual(ids(whole));
      expect(ids(await page({ limit: 10, sortOrder, page: 2 }))).toEqual(ids(rest));
    }
  });

  it('sends matching records to followers, until they close', async () => {
    await login(DEMO_ADMIN);
    const socket = await connect();
    socket.send('subscribeLogs', { filter: { level: 'error' } });
    await socket.next('ack');
    await act('POST', '/api/backend/logger', 'log', { level: 'info', message: 'all is well' });
    await act('POST', '/api/backend/logger', 'log', { level: 'error', message: 'boom' });
    expect((await socket.next('logAppended')).data).toMatchObject({
      level: 'error',
      message: 'boom',
      service: 'webapp',
    });
    expect(socket.misfits.filter((each) => each !== null)).toEqual([]);
    socket.close();
  });

  it('can be followed by admins only', async () => {
    await login();
    const socket = await connect();
    socket.send('subscribeLogs', {});
    expect((await socket.next('ack')).data).toMatchObject({ succeeded: false, errorCode: 'forbidden' });
    socket.close();
  });

  it('is exported line by line and cleared, both recorded in the audit trail', async () => {
    await login(DEMO_ADMIN);
    const { totalCount } = (await page({})).pagination;
    const { answer } = await act('GET', '/api/backend/logger', 'exportLogs', {});
    const lines = String(answer.ndjson).trimEnd().split('\n');
    expect(lines).toHaveLength(totalCount);
    expect(misfit('LogEntry', JSON.parse(lines[0] ?? ''))).toBeNull();
    expect((await act('POST', '/api/backend/logger', 'clearLogs', {})).answer).toMatchObject({ cleared: totalCount });
    expect(await page({})).toMatchObject({ logs: [], pagination: { totalCount: 0 } });
    const audit = await act('GET', '/api/backend/admin', 'list_audit', {});
    expect(audit.answer.entries).toMatchObject([{ actor: 'grace', action: 'clear_logs' }]);
  });
});
