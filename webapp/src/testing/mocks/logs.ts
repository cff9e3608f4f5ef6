/** The actions of the log. */

import type { ActionRoutes, Routes } from './http';
import { adminsOnly, invalid } from './refusal';
import type { World } from './world';

/** Records of one bulk message. */
const MOST_AT_ONCE = 50;

export const logger: ActionRoutes<'logger'> = {
  getLogs: (world, payload) => book(world).page(payload),
  getLogsByLevel: (world, { level, ...page }) => book(world).page({ filter: { level }, ...page }),
  getLogsByPlatform: (world, { platform, ...page }) => book(world).page({ filter: { platform }, ...page }),
  getLogsByUser: (world, { userId, ...page }) => book(world).page({ filter: { userId }, ...page }),
  searchLogs: (world, { query, filter, ...page }) => book(world).page({ filter: { ...filter, text: query }, ...page }),
  getLogStats: (world) => ({ data: book(world).stats() }),
  exportLogs: (world, { filter = {} }) => ({
    ndjson: book(world)
      .all(filter)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  }),
  log: (world, message) => {
    world.logs.note(message, world.viewer?.userId);
    return {};
  },
  bulkLog: (world, { messages }) => {
    if (messages.length > MOST_AT_ONCE) throw invalid('messages', `At most ${MOST_AT_ONCE} messages at once.`);
    for (const message of messages) world.logs.note(message, world.viewer?.userId);
    return {};
  },
  clearLogs: (world, { before }) => {
    const cleared = book(world).clear(before);
    world.audit('clear_logs', 'logs', { before, cleared });
    return { cleared };
  },
};

export const logData: Pick<Routes, 'logData'> = {
  logData: ({ world, body }) => {
    world.logs.note(body, world.viewer?.userId);
    return {};
  },
};

/** The log, for admins alone. */
function book(world: World) {
  if (!world.user.isAdmin) throw adminsOnly();
  return world.logs;
}
