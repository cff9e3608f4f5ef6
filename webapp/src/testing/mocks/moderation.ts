/** Suspensions, reports and blocks: docs/behaviour/moderation.md. */

import type { components } from '@/api/schema';
import { DISPLAY_NAME_MAX, usernameError } from '@/shared/account/rules';
import { composed, visibleError } from '@/shared/visible';
import type { ActionRoutes } from './http';
import { randomName, type User } from './mockAccounts';
import { seat } from './mockGame';
import type { MockServer } from './mockServer';
import { paged } from './paging';
import { adminsOnly, checkFields, conflict, notFound, tooMany } from './refusal';
import { requireProof } from './secondFactor';
import { endError, lineError, reasonError, reservedName } from './serverRules';

type Schemas = components['schemas'];
type Kind = Schemas['ReportKind'];

const REPORTS_A_DAY = 10;
const MAX_BLOCKS = 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** A report as it is kept. */
type Kept = Omit<Schemas['Report'], 'reporter' | 'subject' | 'suspension' | 'sameSubjectOpen'> & {
  reporterId: string;
  subjectId: string;
};

interface NewReport {
  kind: Kind;
  text: string;
  gameId?: string;
}

/** Who reported whom, and who blocks whom. */
export class Moderation {
  reports: Kept[] = [];
  /** By user: whom they block, the latest first. */
  readonly #blocks = new Map<string, string[]>();

  blockedBy(userId: string): string[] {
    return this.#blocks.get(userId) ?? [];
  }

  block(userId: string, otherId: string): void {
    const others = this.blockedBy(userId).filter((each) => each !== otherId);
    if (others.length >= MAX_BLOCKS) {
      throw conflict('too-many-blocks', 'You have already blocked 1,000 people. Please unblock one first.');
    }
    this.#blocks.set(userId, [otherId, ...others]);
  }

  unblock(userId: string, otherId: string): void {
    this.#blocks.set(
      userId,
      this.blockedBy(userId).filter((each) => each !== otherId),
    );
  }

  /** A further report about the same person for the same reason replaces an open one. */
  report(reporter: User, subject: User, { kind, text, gameId }: NewReport): void {
    const isSame = (each: Kept) =>
      each.state === 'open' &&
      each.kind === kind &&
      each.reporterId === reporter.userId &&
      each.subjectId === subject.userId;
    const others = this.reports.filter((each) => !isSame(each));
    const isRecent = ({ reporterId, at }: Kept) =>
      reporterId === reporter.userId && Date.parse(at) > Date.now() - DAY_MS;
    if (others.filter(isRecent).length >= REPORTS_A_DAY) throw tooMany(3_600);
    const { username, displayName, profileUrl } = subject;
    const picture = profileUrl === undefined ? {} : { picture: profileUrl };
    this.reports = [
      ...others,
      {
        reportId: crypto.randomUUID(),
        kind,
        text,
        reporterId: reporter.userId,
        subjectId: subject.userId,
        ...(gameId === undefined ? {} : { gameId }),
        evidence: { username, displayName, ...picture },
        at: new Date().toISOString(),
        state: 'open',
      },
    ];
  }

  get openReports(): Kept[] {
    return this.reports.filter(({ state }) => state === 'open');
  }
}

type AdminAction =
  | 'list_suspended'
  | 'list_reports'
  | 'suspend_user'
  | 'lift_suspension'
  | 'rename_user'
  | 'remove_picture'
  | 'allow_hosting'
  | 'delete_user'
  | 'close_report';

export const moderators: Pick<ActionRoutes<'admin'>, AdminAction> = {
  list_suspended: (mock, page) => {
    const { items, pagination } = paged(admin(mock).suspended, page);
    return { users: items.map((user) => mock.ratings.shown(user)), pagination };
  },
  list_reports: (mock, { state = 'open', ...page }) => {
    const { reports } = admin(mock).moderation;
    const { items, pagination } = paged(reports.filter((each) => each.state === state).toReversed(), page);
    return { reports: items.map((each) => shown(mock, each)), pagination };
  },
  suspend_user: (mock, { userId, until, reason }) => {
    checkFields({ reason: reasonError(reason), until: endError(until) });
    const { username } = other(proven(mock), userId);
    const end = until === undefined ? {} : { until };
    mock.audit('suspend_user', userId, { username, ...end, reason: reason.trim() });
    return {
      user: mock.ratings.shown(mock.suspend(userId, { ...end, reason: reason.trim(), at: new Date().toISOString() })),
    };
  },
  lift_suspension: (mock, { userId }) => {
    const { username } = userOf(admin(mock), userId);
    mock.audit('lift_suspension', userId, { username });
    return { user: mock.ratings.shown(mock.change(userId, { suspension: undefined })) };
  },
  rename_user: (mock, { userId, username, displayName, reason }) => {
    const before = userOf(admin(mock), userId);
    const neutral = randomName();
    const isNeutral = username === undefined && displayName === undefined;
    const names = isNeutral
      ? { username: neutral.replaceAll(' ', '').toLowerCase(), displayName: neutral }
      : {
          username: username?.trim() ?? before.username,
          displayName: (displayName === undefined ? undefined : composed(displayName)) ?? before.displayName,
        };
    checkFields({
      reason: reasonError(reason),
      username: usernameError(names.username) ?? reservedName(username ?? ''),
      displayName: displayNameError(names.displayName) ?? reservedName(displayName ?? ''),
    });
    mock.checkUsername(names.username, userId);
    mock.audit('rename_user', userId, { username: before.username, newUsername: names.username, reason });
    return { user: mock.ratings.shown(mock.change(userId, names)) };
  },
  remove_picture: (mock, { userId, reason }) => {
    checkFields({ reason: reasonError(reason) });
    const { username } = userOf(admin(mock), userId);
    mock.accountState.pictures.delete(userId);
    mock.audit('remove_picture', userId, { username, reason: reason.trim() });
    return { user: mock.ratings.shown(mock.change(userId, { profile: '', profileUrl: undefined })) };
  },
  allow_hosting: (mock, { userId, allowed }) => {
    const { username } = userOf(admin(mock), userId);
    mock.audit('allow_hosting', userId, { username, allowed });
    return { user: mock.ratings.shown(mock.change(userId, { mayHost: allowed ? true : undefined })) };
  },
  delete_user: (mock, { userId, reason }) => {
    checkFields({ reason: reasonError(reason) });
    const { username } = other(proven(mock), userId);
    mock.audit('delete_user', userId, { username, reason: reason.trim() });
    mock.removeUser(userId);
    return {};
  },
  close_report: (mock, { reportId, outcome, note }) => {
    checkFields({ note: lineError('A note', note) });
    const report = admin(mock).moderation.openReports.find((each) => each.reportId === reportId);
    if (report === undefined) throw notFound('Report');
    mock.audit('close_report', reportId, { outcome, note: note.trim() });
    const noted = note.trim() === '' ? {} : { note: note.trim() };
    const closed = { closedBy: mock.user.username, closedAt: new Date().toISOString() };
    Object.assign(report, { state: 'closed', outcome, ...noted, ...closed });
    return { report: shown(mock, report) };
  },
};

type PlayerAction = 'report_user' | 'block_user' | 'unblock_user' | 'list_blocked';

export const reporters: Pick<ActionRoutes<'userprofile'>, PlayerAction> = {
  report_user: (mock, { userId, kind, text = '', gameId }) => {
    const reporter = mock.member;
    checkFields({ text: lineError('A report', text) });
    const subject = other(mock, userId);
    mock.moderation.report(reporter, subject, {
      kind,
      text: text.trim(),
      ...(gameId === undefined ? {} : { gameId }),
    });
    return {};
  },
  block_user: (mock, { userId }) => {
    const own = mock.user.userId;
    mock.moderation.block(own, other(mock, userId).userId);
    return {};
  },
  unblock_user: (mock, { userId }) => {
    mock.moderation.unblock(mock.user.userId, userId);
    return {};
  },
  list_blocked: (mock) => {
    const users = mock.moderation.blockedBy(mock.user.userId).map((userId) => existing(mock, userId));
    return { users: users.filter((each) => each !== undefined).map((user) => ({ ...user, blockedByMe: true })) };
  },
};

/** Reports of each kind, open and closed, for mock mode. */
export function seedReports(mock: MockServer): void {
  const named = (name: string) => mock.find(({ username }) => username === name);
  const report = (by: string, about: string, kind: Kind, text = '') =>
    mock.moderation.report(named(by), named(about), { kind, text });
  report('edsger', 'mallory', 'behaviour', 'Sends invitations all night, and leaves when one accepts.');
  const [closed] = mock.moderation.reports;
  const end = { outcome: 'upheld', note: 'Suspended.', closedBy: 'grace', closedAt: new Date().toISOString() } as const;
  Object.assign(closed ?? {}, { state: 'closed', ...end });
  report('hedy', 'linus', 'name', 'This is somebody else’s name.');
  report('barbara', 'linus', 'picture');
  report('margaret', 'bob', 'engine', 'Every move takes exactly two seconds, and none is ever wrong.');
}

function shown(mock: MockServer, { reporterId, subjectId, ...report }: Kept): Schemas['Report'] {
  const [reporter, subject] = [existing(mock, reporterId), existing(mock, subjectId)];
  const suspension = mock.everybody('').find(({ userId }) => userId === subjectId)?.suspension;
  return {
    ...report,
    ...(reporter === undefined ? {} : { reporter }),
    ...(subject === undefined ? {} : { subject }),
    ...(suspension === undefined ? {} : { suspension }),
    sameSubjectOpen: mock.moderation.openReports.filter((each) => each.subjectId === subjectId).length,
  };
}

/** The account as others see it, unless it is deleted. */
function existing(mock: MockServer, wanted: string): Schemas['UserProfile'] | undefined {
  return mock
    .everybody('')
    .filter(({ userId }) => userId === wanted)
    .map(seen)[0];
}

/** A user as others see them. */
export function seen({ profile, isProUser, isTempUser, ...user }: User): Schemas['UserProfile'] {
  return { ...seat(user), profile, isProUser, isTempUser };
}

export function displayNameError(name: string): string | null {
  if (name === '') return 'Display name cannot be empty.';
  return [...name].length > DISPLAY_NAME_MAX
    ? `Display name can have at most ${DISPLAY_NAME_MAX} characters.`
    : visibleError(name, 'Display name');
}

function userOf(mock: MockServer, wanted: string): User {
  return mock.find(({ userId }) => userId === wanted);
}

/** An account that is not the caller's. */
function other(mock: MockServer, userId: string): User {
  if (userId === mock.user.userId) throw conflict('yourself', 'You cannot do this to yourself.');
  return userOf(mock, userId);
}

function admin(mock: MockServer): MockServer {
  if (!mock.user.isAdmin) throw adminsOnly();
  return mock;
}

/** As `admin`, for what needs a proof. */
function proven(mock: MockServer): MockServer {
  requireProof(admin(mock));
  return mock;
}
