import { describe, expect, it } from 'vitest';
import { moderators, reporters } from './moderation';
import { accounts, profiles } from './accounts';
import { games } from './games';
import { seat } from './mockGame';
import { DEMO, DEMO_ADMIN, DEMO_SUSPENDED, MockServer } from './mockServer';
import { Refusal } from './refusal';

const idOf = (mock: MockServer, name: string) => mock.find(({ username }) => username === name).userId;

function asAdmin() {
  const mock = new MockServer();
  mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
  return mock;
}

function asAda() {
  const mock = new MockServer();
  mock.signIn(DEMO.email, DEMO.password);
  return mock;
}

/** The code and text of the refusal. */
function refusal(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return [error.status, error.code, error.message];
  }
  return null;
}

const login = (mock: MockServer, account: { email: string; password: string }) =>
  accounts.login({
    mock,
    body: { ...account, isGoogleAccount: false },
    query: new URLSearchParams(),
    params: {},
  });

describe('a suspension', () => {
  it('refuses the sign-in with its reason, until it is over', () => {
    const mock = asAdmin();
    const text = 'This account is suspended. Reason: Insults in a name.';
    expect(refusal(() => login(mock, DEMO_SUSPENDED))).toEqual([403, 'suspended', text]);
    const userId = idOf(mock, 'mallory');
    const until = '2099-01-31T12:00:00Z';
    expect(moderators.suspend_user(mock, { userId, until, reason: 'Again.' }).user.suspension).toMatchObject({ until });
    const dated = 'This account is suspended until 31 January 2099 at 12:00 (UTC). Reason: Again.';
    expect(refusal(() => login(mock, DEMO_SUSPENDED))).toEqual([403, 'suspended', dated]);
    mock.change(userId, { suspension: { until: '2020-01-01T00:00:00Z', reason: 'Long ago.', at: until } });
    // One that is over is still listed, but not in force.
    const { users } = moderators.list_suspended(mock, {});
    expect(users.map(({ username, suspension }) => [username, suspension])).toEqual([['mallory', undefined]]);
    expect(login(mock, DEMO_SUSPENDED)).toMatchObject({ isLogIn: true });
  });

  it('is lifted', () => {
    const mock = asAdmin();
    moderators.lift_suspension(mock, { userId: idOf(mock, 'mallory') });
    expect(login(mock, DEMO_SUSPENDED)).toMatchObject({ isLogIn: true });
  });

  it.each([
    ['', undefined, 'A reason of 1 to 500 characters is needed.'],
    ['x'.repeat(501), undefined, 'A reason can have at most 500 characters.'],
    ['\u3164', undefined, 'A reason has a character that cannot be seen. Please type it again.'],
    ['Insults.', '2020-01-01T00:00:00Z', 'The end must be in the future.'],
    ['Insults.', '+010000-01-01T00:00:00Z', 'The end must be before the year 10000.'],
  ])('needs a reason and a future end: %s %s', (reason, until, text) => {
    const mock = asAdmin();
    const payload = { userId: idOf(mock, 'bob'), reason, ...(until === undefined ? {} : { until }) };
    expect(refusal(() => moderators.suspend_user(mock, payload))).toEqual([422, 'invalid', text]);
  });

  it.each(['suspend_user', 'delete_user'] as const)('%s cannot be done to oneself', (action) => {
    const mock = asAdmin();
    const payload = { userId: mock.user.userId, reason: 'Bye.' };
    expect(refusal(() => moderators[action](mock, payload))?.[1]).toBe('yourself');
  });
});

describe('an admin', () => {
  it('gives other names, neutral ones without any', () => {
    const mock = asAdmin();
    const userId = idOf(mock, 'bob');
    const named = { userId, username: 'robert', displayName: 'Robert', reason: 'An insult.' };
    expect(moderators.rename_user(mock, named).user).toMatchObject({ username: 'robert', displayName: 'Robert' });
    const { user } = moderators.rename_user(mock, { userId, reason: 'Still one.' });
    expect([user.username, user.displayName]).not.toContain('robert');
    const taken = { userId, username: 'Ada', reason: 'An insult.' };
    expect(refusal(() => moderators.rename_user(mock, taken))?.[1]).toBe('username-taken');
  });

  it('closes a report once', () => {
    const mock = asAdmin();
    const [first] = moderators.list_reports(mock, {}).reports;
    const close = { reportId: first?.reportId ?? '', outcome: 'upheld', note: ' Renamed. ' } as const;
    const { report } = moderators.close_report(mock, close);
    expect(report).toMatchObject({ state: 'closed', outcome: 'upheld', note: 'Renamed.', closedBy: 'grace' });
    expect(refusal(() => moderators.close_report(mock, close))).toEqual([404, 'not-found', 'Report not found.']);
  });

  it('sees a report about an account that is gone', () => {
    const mock = asAdmin();
    moderators.delete_user(mock, { userId: idOf(mock, 'bob'), reason: 'An insult.' });
    const { reports } = moderators.list_reports(mock, {});
    const report = reports.find(({ evidence }) => evidence.username === 'bob');
    expect(report).toMatchObject({ reporter: { username: 'margaret' } });
    expect(report).not.toHaveProperty('subject');
  });
});

describe('a player', () => {
  it('reports somebody for the same reason once at a time, and ten times a day', () => {
    const mock = asAda();
    const before = mock.moderation.openReports.length;
    const report = (name: string, kind: 'name' | 'engine') =>
      reporters.report_user(mock, { userId: idOf(mock, name), kind });
    report('hedy', 'name');
    report('hedy', 'name');
    expect(mock.moderation.openReports).toHaveLength(before + 1);
    for (const name of ['bob', 'barbara', 'edsger', 'margaret', 'linus', 'grace', 'mallory']) report(name, 'engine');
    report('bob', 'name');
    report('linus', 'name');
    expect(refusal(() => report('grace', 'name'))?.[0]).toBe(429);
  });

  it('gets no invitations of somebody whom they block', () => {
    const mock = asAda();
    const bob = mock.find(({ username }) => username === 'bob');
    mock.create(crypto.randomUUID(), [seat(bob), seat(mock.user)], 3);
    const waiting = () => games.get_games_by_user(mock, { userId: mock.user.userId, status: ['waiting'] }).games;
    expect(waiting()).toHaveLength(1);
    reporters.block_user(mock, { userId: bob.userId });
    expect(waiting()).toHaveLength(0);
    expect(reporters.list_blocked(mock, {}).users).toMatchObject([{ username: 'bob', blockedByMe: true }]);
    expect(profiles.get_user_by_id(mock, { userId: bob.userId }).user).toMatchObject({ blockedByMe: true });
    reporters.unblock_user(mock, { userId: bob.userId });
    expect(waiting()).toHaveLength(1);
  });
});
