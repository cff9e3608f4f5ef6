/** Suspensions, reports and blocks. */

import type { components } from '../../api/schema';
import { seen } from './accounts';
import type { ActionRoutes } from './http';
import type { MockServer } from './mockServer';
import { paged } from './paging';
import { adminsOnly, checkFields, conflict, notFound, tooMany } from './refusal';
import { refusedName } from './serverRules';

type Schemas = components['schemas'];
type Moderating =
  | 'suspend_user'
  | 'lift_suspension'
  | 'rename_user'
  | 'remove_picture'
  | 'delete_user'
  | 'close_report'
  | 'list_reports'
  | 'list_suspended';
type Meeting = 'report_user' | 'block_user' | 'unblock_user' | 'list_blocked';

const MAX_TEXT = 500;
const REPORTS_A_DAY = 10;

export const moderation: Pick<ActionRoutes<'admin'>, Moderating> = {
  suspend_user: (mock, { userId, until, reason }) => {
    const { username } = other(admin(mock), userId);
    const at = new Date().toISOString();
    const isPast = until !== undefined && until <= at;
    checkFields({ reason: reasonError(reason), until: isPast ? 'The end must be in the future.' : null });
    const suspension = { reason: reason.trim(), at, ...(until === undefined ? {} : { until }) };
    mock.audit('suspend_user', userId, { username, until, reason });
    return { user: mock.change(userId, { suspension, isAdmin: false }) };
  },
  lift_suspension: (mock, { userId }) => {
    const { username } = person(admin(mock), userId);
    mock.audit('lift_suspension', userId, { username });
    return { user: mock.readmit(userId) };
  },
  rename_user: (mock, { userId, username, displayName, reason }) => {
    const before = person(admin(mock), userId);
    checkFields({
      reason: reasonError(reason),
      username: refusedName(username ?? ''),
      displayName: refusedName(displayName ?? ''),
    });
    const isNeutral = username === undefined && displayName === undefined;
    const names = isNeutral
      ? { username: 'SwiftOtter4711', displayName: 'Swift Otter' }
      : { username: username ?? before.username, displayName: displayName ?? before.displayName };
    mock.audit('rename_user', userId, { username: before.username, newUsername: names.username, reason });
    return { user: mock.change(userId, names) };
  },
  remove_picture: (mock, { userId, reason }) => {
    const { username } = person(admin(mock), userId);
    checkFields({ reason: reasonError(reason) });
    mock.audit('remove_picture', userId, { username, reason });
    return { user: mock.change(userId, { profile: '' }) };
  },
  delete_user: (mock, { userId, reason }) => {
    const { username } = other(admin(mock), userId);
    checkFields({ reason: reasonError(reason) });
    mock.audit('delete_user', userId, { username, reason });
    mock.dismiss(userId);
    return {};
  },
  list_suspended: (mock, page) => {
    const suspended = admin(mock)
      .everybody('')
      .filter(({ suspension }) => suspension !== undefined);
    const { items, pagination } = paged(suspended, page);
    return { users: items, pagination };
  },
  list_reports: (mock, { state = 'open', ...page }) => {
    const { reports } = stateOf(admin(mock));
    const { items, pagination } = paged(reports.filter((report) => report.state === state).toReversed(), page);
    return { reports: items, pagination };
  },
  close_report: (mock, { reportId, outcome, note }) => {
    const report = stateOf(admin(mock)).reports.find((each) => each.reportId === reportId && each.state === 'open');
    if (report === undefined) throw notFound('report');
    const closing = {
      state: 'closed',
      outcome,
      closedBy: mock.user.username,
      closedAt: new Date().toISOString(),
    } as const;
    Object.assign(report, closing, note.trim() === '' ? {} : { note: note.trim() });
    mock.audit('close_report', reportId, { outcome, note });
    return { report };
  },
};

export const meeting: Pick<ActionRoutes<'userprofile'>, Meeting> = {
  report_user: (mock, { userId, kind, text = '', gameId }) => {
    report(mock, userId, kind, text, gameId);
    return {};
  },
  block_user: (mock, { userId }) => {
    stateOf(mock).blocked.add(other(mock, userId).userId);
    return {};
  },
  unblock_user: (mock, { userId }) => {
    void mock.user;
    stateOf(mock).blocked.delete(userId);
    return {};
  },
  list_blocked: (mock) => {
    void mock.user;
    const { blocked } = stateOf(mock);
    const users = mock.everybody('').filter(({ userId }) => blocked.has(userId));
    return { users: users.map((user) => ({ ...seen(user), blockedByMe: true })) };
  },
};

export function report(
  mock: MockServer,
  userId: string,
  kind: Schemas['ReportKind'],
  text: string,
  gameId?: string,
): void {
  const subject = other(mock, userId);
  checkFields({ text: text.length > MAX_TEXT ? `A report has at most ${MAX_TEXT} characters.` : null });
  const { reports } = stateOf(mock);
  if (reports.length >= REPORTS_A_DAY) throw tooMany(3_600);
  const { username, displayName } = subject;
  reports.push({
    reportId: crypto.randomUUID(),
    kind,
    text,
    reporter: seen(mock.member),
    subject: seen(subject),
    evidence: { username, displayName },
    at: new Date().toISOString(),
    state: 'open',
    sameSubjectOpen: 1 + reports.filter((each) => each.subject?.userId === userId).length,
    ...(gameId === undefined ? {} : { gameId }),
  });
}

interface State {
  reports: Schemas['Report'][];
  blocked: Set<string>;
}

const states = new WeakMap<MockServer, State>();

function stateOf(mock: MockServer): State {
  const state = states.get(mock) ?? { reports: [], blocked: new Set<string>() };
  states.set(mock, state);
  return state;
}

export const reportsOf = (mock: MockServer) => stateOf(mock).reports;

export const openReports = (mock: MockServer): number =>
  stateOf(mock).reports.filter(({ state }) => state === 'open').length;

function admin(mock: MockServer): MockServer {
  if (!mock.user.isAdmin) throw adminsOnly();
  return mock;
}

const person = (mock: MockServer, userId: string) => mock.find((each) => each.userId === userId);

function other(mock: MockServer, userId: string): Schemas['User'] {
  if (userId === mock.user.userId) throw conflict('yourself', 'You cannot do this to yourself.');
  return person(mock, userId);
}

function reasonError(reason: string): string | null {
  const { length } = reason.trim();
  return length === 0 || length > MAX_TEXT ? `A reason of 1 to ${MAX_TEXT} characters is needed.` : null;
}
