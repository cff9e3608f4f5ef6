/** What admins and operators do beside events, subscriptions and the log. */

import type { ActionRoutes } from './http';
import { paged } from './paging';
import { adminsOnly, conflict, invalid, notFound } from './refusal';
import type { World } from './world';

type Elsewhere =
  'list_users' | 'list_sessions' | 'list_subscriptions' | 'list_billing_events' | 'grant_pro' | 'revoke_pro';

const STARTED_AT = new Date().toISOString();
const DAY = 86_400_000;

export const admins: Omit<ActionRoutes<'admin'>, Elsewhere> = {
  overview: (world) => {
    const { arena } = admin(world);
    const games = arena.all().flatMap(({ eventId }) => world.gamesOf(eventId));
    return {
      version: '0.1.0',
      startedAt: STARTED_AT,
      serverTime: new Date().toISOString(),
      connections: 1,
      liveGames: games.filter(({ status }) => status === 'active').length,
      waitingGames: games.filter(({ status }) => status === 'waiting').length,
      moves: games.reduce((sum, { version }) => sum + version, 0),
      users: world.everybody('').length,
      store: { ready: true, pending: 0 },
      mailConfigured: false,
      billingConfigured: true,
      warnings: ['No mail server is configured: mails are written to the outbox folder.'],
    };
  },
  list_audit: (world, page) => {
    const { items, pagination } = paged(admin(world).trail.toReversed(), page);
    return { entries: items, pagination };
  },
  list_live_games: (world, page) => {
    const { userId } = admin(world).user;
    const { items, pagination } = paged(world.liveGames(), page);
    return { games: items.map((game) => game.entry(userId)), pagination };
  },
  adjudicate_game: (world, { gameId, winnerUserId, reason }) => {
    const game = admin(world).game(gameId);
    if (game.isOver) throw conflict('game-over', 'The game is over.');
    const winner = winnerUserId === undefined ? undefined : game.seatOf(winnerUserId);
    world.adjudicate(game, winner);
    world.audit('adjudicate_game', gameId, { winnerUserId, reason });
    return { game: game.state() };
  },
  revoke_session: (world, { userId, sessionId }) => {
    const { upkeep } = admin(world);
    if (!upkeep.sessions.some((each) => each.sessionId === sessionId)) throw notFound('Session');
    upkeep.sessions = upkeep.sessions.filter((each) => each.sessionId !== sessionId);
    world.audit('revoke_session', userId, { sessionId });
    return {};
  },
  set_admin: (world, { userId, isAdmin }) => {
    admin(world);
    if (!isAdmin && world.everybody('').filter((each) => each.isAdmin).length === 1) {
      throw conflict('last-admin', 'The last admin cannot be demoted.');
    }
    world.audit('set_admin', userId, { isAdmin });
    return { user: world.setAdmin(userId, isAdmin) };
  },
  create_admin: (world, { email, username, password }) => {
    admin(world).addUser(username, email, password);
    return promote(world, username, 'create_admin');
  },
  promote_user: (world, { account }) => promote(admin(world), account, 'promote_user'),
  demote_user: (world, { account }) => {
    const { userId } = named(admin(world), account);
    world.audit('demote_user', account, {});
    return { user: world.setAdmin(userId, false) };
  },
  reset_password: (world, { account, newPassword }) => {
    world.setPassword(named(admin(world), account).email, newPassword);
    world.audit('reset_password', account, {});
    return {};
  },
  list_tokens: (world) => ({ tokens: admin(world).upkeep.tokens }),
  find_ids: (world, { of, beginning }) => {
    const wanted = beginning.toLowerCase();
    if (!/^[0-9a-f-]{4,36}$/.test(wanted)) throw invalid('beginning', 'An id begins with four or more of 0-9 and a-f.');
    const { arena } = admin(world);
    const ids = {
      event: () => arena.all().map(({ eventId }) => eventId),
      game: () => arena.all().flatMap(({ eventId }) => world.gamesOf(eventId).map(({ gameId }) => gameId)),
      user: () => world.everybody('').map(({ userId }) => userId),
    };
    return {
      ids: ids[of]()
        .filter((id) => id.startsWith(wanted))
        .slice(0, 10),
    };
  },
  create_token: (world, { name, expiresInDays }) => {
    const { tokens } = admin(world).upkeep;
    if (name.trim() === '') throw invalid('name', 'A token needs a name.');
    const tokenId = crypto.randomUUID();
    const end =
      expiresInDays === undefined ? {} : { expiresAt: new Date(Date.now() + expiresInDays * DAY).toISOString() };
    tokens.push({ tokenId, name, createdAt: new Date().toISOString(), ...end });
    world.audit('create_token', name, {});
    return { tokenId, token: `mock-${crypto.randomUUID()}` };
  },
  revoke_token: (world, { tokenId }) => {
    const { upkeep } = admin(world);
    if (!upkeep.tokens.some((each) => each.tokenId === tokenId)) throw notFound('Token');
    upkeep.tokens = upkeep.tokens.filter((each) => each.tokenId !== tokenId);
    world.audit('revoke_token', tokenId, {});
    return {};
  },
};

/** By username or email. */
function named(world: World, account: string) {
  return world.find(({ username, email }) => username === account || email === account);
}

function promote(world: World, account: string, action: string) {
  const { userId } = named(world, account);
  world.audit(action, account, {});
  return { user: world.setAdmin(userId, true) };
}

function admin(world: World): World {
  if (!world.user.isAdmin) throw adminsOnly();
  return world;
}
