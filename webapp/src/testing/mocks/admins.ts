import { visibleError } from '@/shared/visible';
/** Actions of admins and operators, except those for events, subscriptions, moderation and the log. */

import type { ActionRoutes } from './http';
import type { engineUse } from './engineUse';
import type { moderators } from './moderation';
import { paged } from './paging';
import { checkFields, Refusal, adminsOnly, conflict, invalid, notFound } from './refusal';
import { mustHaveReason } from './serverRules';
import type { MockServer } from './mockServer';
import { requireFactor, requireProof } from './secondFactor';
import type { webhooks } from './webhooks';

type Elsewhere =
  | 'list_users'
  | 'list_admins'
  | 'list_sessions'
  | 'list_subscriptions'
  | 'list_billing_events'
  | 'grant_pro'
  | 'revoke_pro'
  | keyof typeof engineUse
  | keyof typeof moderators
  | keyof typeof webhooks;

const STARTED_AT = new Date().toISOString();
const DAY = 86_400_000;

export const admins: Omit<ActionRoutes<'admin'>, Elsewhere> = {
  overview: (mock) => {
    const { events } = admin(mock);
    const games = events.all().flatMap(({ eventId }) => mock.gamesOf(eventId));
    return {
      version: '0.1.0',
      startedAt: STARTED_AT,
      serverTime: new Date().toISOString(),
      connections: 1,
      liveGames: games.filter(({ status }) => status === 'active').length,
      waitingGames: games.filter(({ status }) => status === 'waiting').length,
      moves: games.reduce((sum, { version }) => sum + version, 0),
      users: mock.everybody('').length,
      store: { ready: true, pending: 0 },
      mailConfigured: false,
      billingConfigured: true,
      openReports: mock.moderation.openReports.length,
      webhooks: mock.webhooks.all.length,
      failingWebhooks: 0,
      backup: mock.accountState.backup,
      warnings: ['No mail server is configured: mails are written to the outbox folder.'],
    };
  },
  history: (mock) => {
    admin(mock);
    return { intervalSeconds: 10, samples: [] };
  },
  list_audit: (mock, page) => {
    const { items, pagination } = paged(admin(mock).auditLog.toReversed(), page);
    return { entries: items, pagination };
  },
  // The mock hashes nothing.
  verify_audit: (mock) => {
    const { auditLog } = admin(mock);
    const [first, last] = [auditLog.at(0), auditLog.at(-1)];
    if (first === undefined || last === undefined) return { entries: 0, head: '' };
    return { entries: auditLog.length, head: last.auditId, from: first.at, until: last.at };
  },
  // The mock keeps no receipts.
  verify_ratings: (mock) => {
    admin(mock);
    return { agrees: true, games: 0, players: 0, differences: [] };
  },
  export_audit: (mock, { after = 0, since }) => {
    const entries = admin(mock).auditLog.filter(({ sequence }) => sequence > after);
    const wanted = entries.filter(({ at }) => since === undefined || at >= since);
    const next = entries.at(-1)?.sequence;
    return {
      ndjson: wanted.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
      ...(next === undefined ? {} : { next }),
    };
  },
  quick_match_queue: (mock, page) => {
    const { items, pagination } = paged(admin(mock).quickMatches.queue, page);
    return { players: items, playing: 0, pagination };
  },
  list_live_games: (mock, page) => {
    const { userId } = admin(mock).user;
    const { items, pagination } = paged(mock.liveGames(), page);
    const games = items.map((game) => ({ ...game.summary(userId), watchers: mock.watchers(game) }));
    return { games, pagination };
  },
  adjudicate_game: (mock, { gameId, winnerUserId, reason }) => {
    const game = admin(mock).game(gameId);
    if (game.isOver) throw conflict('game-over', 'The game is over.');
    const winner = winnerUserId === undefined ? undefined : game.seatOf(winnerUserId);
    const why = mustHaveReason(reason);
    mock.adjudicate(game, winner, why);
    mock.audit('adjudicate_game', gameId, { winnerUserId, reason: why });
    return { game: game.state() };
  },
  remove_second_factor: (mock, { account, reason }) => {
    const { userId } = toChange(proven(mock), account);
    mustHaveReason(reason);
    if (!mock.factors.isSet(userId)) throw conflict('no-second-factor', 'This account has no second factor.');
    mock.factors.remove(userId);
    mock.setSecondFactor(userId, false);
    mock.audit('remove_second_factor', userId, { reason });
    return {};
  },
  list_personal_tokens: (mock, { userId }) => {
    admin(mock);
    if (userId !== mock.user.userId) mock.auditRead('read_personal_tokens', userId);
    return { tokens: mock.personalTokens.get(userId) ?? [] };
  },
  delete_personal_tokens: (mock, { userId, tokenId }) => {
    proven(mock);
    const tokens = mock.personalTokens.get(userId) ?? [];
    const left = tokens.filter((each) => tokenId !== undefined && each.tokenId !== tokenId);
    if (tokenId !== undefined && left.length === tokens.length) throw notFound('Token');
    mock.personalTokens.set(userId, left);
    if (left.length < tokens.length) mock.audit('delete_personal_tokens', userId, { tokenId: tokenId ?? null });
    return { deleted: tokens.length - left.length };
  },
  revoke_session: (mock, { userId, sessionId }) => {
    const { accountState } = admin(mock);
    if (!accountState.sessions.some((each) => each.sessionId === sessionId)) throw notFound('Session');
    accountState.sessions = accountState.sessions.filter((each) => each.sessionId !== sessionId);
    mock.audit('revoke_session', userId, { sessionId });
    return {};
  },
  set_admin: (mock, { userId, isAdmin }) => {
    proven(mock);
    if (!isAdmin && mock.everybody('').filter((each) => each.isAdmin).length === 1) {
      throw conflict('last-admin', 'The last admin cannot be demoted.');
    }
    mock.audit('set_admin', userId, { isAdmin });
    return { user: mock.ratings.shown(mock.setAdmin(userId, isAdmin)) };
  },
  create_admin: (mock, { email, username, password }) => {
    proven(mock).addUser(username, email, password);
    return promote(mock, username, 'create_admin');
  },
  promote_user: (mock, { account }) => promote(proven(mock), account, 'promote_user'),
  demote_user: (mock, { account }) => {
    const { userId } = named(admin(mock), account);
    mock.audit('demote_user', account, {});
    return { user: mock.ratings.shown(mock.setAdmin(userId, false)) };
  },
  reset_password: (mock, { account, newPassword }) => {
    mock.resetPassword(toChange(proven(mock), account).userId, newPassword);
    mock.audit('reset_password', account, {});
    return {};
  },
  create_password_link: (mock, { account, reason, removeSecondFactor = false }) => {
    const { userId, username } = toChange(proven(mock), account);
    mustHaveReason(reason);
    const token = crypto.randomUUID().repeat(2);
    mock.accountState.passwordLink = { token, userId, endsFactors: removeSecondFactor };
    mock.audit('create_password_link', userId, { username, reason, removesSecondFactor: removeSecondFactor });
    return { path: `/new-password#${token}`, expiresAt: new Date(Date.now() + DAY).toISOString() };
  },
  change_email: (mock, { account, newEmail, reason }) => {
    const { userId, username, email } = toChange(proven(mock), account);
    mustHaveReason(reason);
    if (newEmail.toLowerCase() === email.toLowerCase())
      throw invalid('newEmail', "This is the account's email already.", 'same-email');
    const owner = mock.everybody('').find((each) => each.email.toLowerCase() === newEmail.toLowerCase());
    if (owner?.emailVerified === true) {
      const text = 'This email belongs to another account. Please use another.';
      throw new Refusal(409, 'email-taken', text, { newEmail: text });
    }
    mock.audit('change_email', userId, { username, reason });
    return { user: mock.ratings.shown(mock.change(userId, { email: newEmail, emailVerified: false })) };
  },
  list_tokens: (mock) => ({ tokens: admin(mock).accountState.tokens, warnings: [] }),
  // The mock is one server.
  cluster: (mock) => {
    admin(mock);
    return { enabled: false, nodes: [] };
  },
  list_backups: (mock) => ({ backups: admin(mock).accountState.backups, unreadable: [] }),
  find_ids: (mock, { of, beginning }) => {
    const wanted = beginning.toLowerCase();
    if (!/^[0-9a-f-]{4,36}$/.test(wanted)) throw invalid('beginning', 'An id begins with four or more of 0-9 and a-f.');
    const { events } = admin(mock);
    const ids = {
      event: () => events.all().map(({ eventId }) => eventId),
      game: () => events.all().flatMap(({ eventId }) => mock.gamesOf(eventId).map(({ gameId }) => gameId)),
      user: () => mock.everybody('').map(({ userId }) => userId),
    };
    return {
      ids: ids[of]()
        .filter((id) => id.startsWith(wanted))
        .slice(0, 10),
    };
  },
  create_token: (mock, { name, scope, expiresInDays = 90 }) => {
    const { tokens } = proven(mock).accountState;
    if (name.trim() === '') throw invalid('name', 'A token needs a name of 1 to 50 characters.');
    checkFields({ name: visibleError(name, 'The name') });
    if (tokens.some((each) => each.name.toLowerCase() === name.trim().toLowerCase()))
      throw conflict(
        'token-name-taken',
        'Another token has this name. Please choose another, or revoke that one first.',
      );
    const tokenId = crypto.randomUUID();
    const expiresAt = new Date(Date.now() + expiresInDays * DAY).toISOString();
    tokens.push({ tokenId, name: name.trim(), scope, createdAt: new Date().toISOString(), expiresAt });
    mock.audit('create_token', name, { scope });
    return { tokenId, token: `mock-${crypto.randomUUID()}`, expiresAt };
  },
  revoke_token: (mock, { tokenId }) => {
    const { accountState } = admin(mock);
    if (!accountState.tokens.some((each) => each.tokenId === tokenId)) throw notFound('Token');
    accountState.tokens = accountState.tokens.filter((each) => each.tokenId !== tokenId);
    mock.audit('revoke_token', tokenId, {});
    return {};
  },
  create_backup: (mock, { to }) => {
    if (to !== undefined)
      throw new Refusal(403, 'forbidden', 'Only `morpion backup create` on the server itself can choose a target.');
    const at = new Date().toISOString();
    const backupId = `${at.replaceAll(/[-:]|\.\d+/g, '')}-${crypto.randomUUID().slice(0, 4)}`;
    const last = { backupId, at, bytes: 4_194_304, newBytes: 65_536, version: 'mock' };
    const { accountState } = admin(mock);
    accountState.backup = { ...accountState.backup, last, logUntil: at };
    accountState.backups.push(last);
    mock.audit('create_backup', 'backup', {});
    return {};
  },
  // The mock's backups are done and good at once.
  verify_backup: (mock, { backupId }) => {
    const { accountState } = admin(mock);
    const found =
      backupId === 'latest'
        ? accountState.backups.at(-1)
        : accountState.backups.find((each) => each.backupId === backupId);
    const at = new Date().toISOString();
    accountState.backup.verification = {
      backupId: found?.backupId ?? backupId,
      startedAt: at,
      finishedAt: at,
      problems: [],
      ...(found === undefined && { failure: `there is no backup ${backupId} at /mnt/backups` }),
    };
    mock.audit('verify_backup', 'backup', { backupId });
    return {};
  },
};

/** By username, or by an email that its owner confirmed. */
function named(mock: MockServer, account: string) {
  const user = mock.everybody('').find(({ username, email }) => username === account || email === account);
  if (user === undefined) throw new Refusal(404, 'not-found', 'Account not found.');
  if (user.username !== account && !user.emailVerified) {
    throw conflict('unconfirmed-email', 'Nobody has confirmed this email. Please name the account by its username.');
  }
  return user;
}

/** As {@link named}, one whose way of signing in may be changed here. */
function toChange(mock: MockServer, account: string) {
  const user = named(mock, account);
  if (user.isTempUser) throw conflict('guest', 'A guest has nothing to sign in with.');
  if (user.isAdmin) {
    const text = 'What an admin signs in with can be changed only on the server itself, by `morpion admin`.';
    throw new Refusal(403, 'admin-by-shell', text);
  }
  return user;
}

function promote(mock: MockServer, account: string, action: string) {
  const { userId } = named(mock, account);
  mock.audit(action, account, {});
  return { user: mock.ratings.shown(mock.setAdmin(userId, true)) };
}

function admin(mock: MockServer): MockServer {
  if (!mock.user.isAdmin) throw adminsOnly();
  requireFactor(mock);
  return mock;
}

/** As `admin`, for what needs a proof. */
function proven(mock: MockServer): MockServer {
  requireProof(admin(mock));
  return mock;
}
