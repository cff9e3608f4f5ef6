/** The whole server as MSW handlers. */

import type { Actions } from '@/api/generatedActions';
import { accounts, profiles } from './accounts';
import { calendar, events, players, signups } from './events';
import { games } from './games';
import { type ActionRoutes, httpHandlers, resource, type Routes } from './http';
import { payments, people, standIn, subscriptions } from './payments';
import { realtimeHandler } from './realtime';
import { adminsOnly, notBuilt, notSignedIn } from './refusal';
import { upkeep } from './upkeep';
import type { World } from './world';

/** Admins' business that the mocks do not go into. */
const adminOnly = ({ viewer }: World): never => {
  if (viewer?.isAdmin) notBuilt();
  throw viewer === undefined ? notSignedIn() : adminsOnly();
};

const admin: ActionRoutes<'admin'> = {
  overview: adminOnly,
  ...people,
  list_audit: adminOnly,
  list_live_games: adminOnly,
  list_tokens: adminOnly,
  revoke_session: adminOnly,
  set_admin: adminOnly,
  adjudicate_game: adminOnly,
  create_admin: adminOnly,
  promote_user: adminOnly,
  demote_user: adminOnly,
  reset_password: adminOnly,
  create_token: adminOnly,
  revoke_token: adminOnly,
};

const resources = {
  admin: resource<'admin'>(admin),
  event: resource<'event'>(events),
  eventSignUp: resource<'eventSignUp'>(signups),
  game: resource<'game'>(games),
  player: resource<'player'>(players),
  subscription: resource<'subscription'>(subscriptions),
  userprofile: resource<'userprofile'>(profiles),
} satisfies Partial<Record<keyof Actions, unknown>>;

const routes: Routes = {
  ...accounts,
  ...calendar,
  ...payments,
  ...upkeep,
  readAdmin: resources.admin.read,
  writeAdmin: resources.admin.write,
  readGame: resources.game.read,
  writeGame: resources.game.write,
  readUserProfile: resources.userprofile.read,
  writeUserProfile: resources.userprofile.write,
  readEvent: resources.event.read,
  writeEvent: resources.event.write,
  readEventSignUp: resources.eventSignUp.read,
  writeEventSignUp: resources.eventSignUp.write,
  readPlayer: resources.player.read,
  writePlayer: resources.player.write,
  readSubscription: resources.subscription.read,
  writeSubscription: resources.subscription.write,
  readLogger: notBuilt,
  writeLogger: notBuilt,
  getCalendarAuthUrl: notBuilt,
  calendarCallback: notBuilt,
  startOidc: notBuilt,
  oidcCallback: notBuilt,
  logData: notBuilt,
  stripeWebhook: notBuilt,
};

export function mockHandlers(world: World) {
  return [...standIn(world), ...httpHandlers(world, routes), realtimeHandler(world)];
}
