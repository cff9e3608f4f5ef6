/** The whole server as MSW handlers. */

import type { Actions } from '@/api/generatedActions';
import { accounts, profiles } from './accounts';
import { admins } from './admins';
import { calendar, eventFiles, events, players, signups } from './events';
import { gameFiles, games } from './games';
import { httpHandlers, resource, type Routes } from './http';
import { logData, logger } from './logs';
import { engineUse } from './engineUse';
import { moderators, reporters } from './moderation';
import { notifications } from './notifications';
import { payments, people, standIn, subscriptions } from './payments';
import { playerPages } from './playerPages';
import { personalTokens } from './programs';
import { series, seriesCalendar } from './series';
import { realtimeHandler } from './realtime';
import { notBuilt } from './refusal';
import { accountSettings } from './accountSettings';
import { secondFactor } from './secondFactor';
import { webhooks } from './webhooks';
import type { MockServer } from './mockServer';

const resources = {
  admin: resource<'admin'>({ ...admins, ...people, ...moderators, ...engineUse, ...webhooks }),
  event: resource<'event'>(events),
  eventSignUp: resource<'eventSignUp'>(signups),
  game: resource<'game'>(games),
  logger: resource<'logger'>(logger),
  series: resource<'series'>(series),
  player: resource<'player'>({ ...players, ...playerPages }),
  subscription: resource<'subscription'>(subscriptions),
  userprofile: resource<'userprofile'>({ ...profiles, ...reporters, ...notifications }),
} satisfies Partial<Record<keyof Actions, unknown>>;

const routes: Routes = {
  ...accounts,
  ...calendar,
  ...eventFiles,
  ...gameFiles,
  ...seriesCalendar,
  ...logData,
  ...payments,
  ...accountSettings,
  ...secondFactor,
  ...personalTokens,
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
  readSeries: resources.series.read,
  writeSeries: resources.series.write,
  readPlayer: resources.player.read,
  writePlayer: resources.player.write,
  readSubscription: resources.subscription.read,
  writeSubscription: resources.subscription.write,
  readLogger: resources.logger.read,
  writeLogger: resources.logger.write,
  getCalendarAuthUrl: notBuilt,
  calendarCallback: notBuilt,
  startOidc: notBuilt,
  oidcCallback: notBuilt,
  startOidcWith: notBuilt,
  oidcCallbackFrom: notBuilt,
  stripeWebhook: notBuilt,
};

export function mockHandlers(mock: MockServer) {
  return [...standIn(mock), ...httpHandlers(mock, routes), realtimeHandler(mock)];
}
