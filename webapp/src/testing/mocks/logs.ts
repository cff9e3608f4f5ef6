/** The actions of the log. */

import type { ActionRoutes, Routes } from './http';
import { adminsOnly, invalid } from './refusal';
import type { MockServer } from './mockServer';

/** Records of one bulk message. */
const MOST_AT_ONCE = 50;

export const logger: ActionRoutes<'logger'> = {
  getLogs: (mock, payload) => book(mock).page(payload),
  getLogsByLevel: (mock, { level, ...page }) => book(mock).page({ filter: { level }, ...page }),
  getLogsByPlatform: (mock, { platform, ...page }) => book(mock).page({ filter: { platform }, ...page }),
  getLogsByUser: (mock, { userId, ...page }) => book(mock).page({ filter: { userId }, ...page }),
  searchLogs: (mock, { query, filter, ...page }) => book(mock).page({ filter: { ...filter, text: query }, ...page }),
  getLogStats: (mock) => ({ data: book(mock).stats() }),
  exportLogs: (mock, { filter = {} }) => ({
    ndjson: book(mock)
      .all(filter)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  }),
  log: (mock, message) => {
    mock.logs.note(message, mock.viewer?.userId);
    return {};
  },
  bulkLog: (mock, { messages }) => {
    if (messages.length > MOST_AT_ONCE) throw invalid('messages', `At most ${MOST_AT_ONCE} messages at once.`);
    for (const message of messages) mock.logs.note(message, mock.viewer?.userId);
    return {};
  },
  clearLogs: (mock, { before }) => {
    mock.audit('clear_logs', 'logs', { before });
    return { cleared: book(mock).clear(before) };
  },
};

export const logData: Pick<Routes, 'logData'> = {
  logData: ({ mock, body }) => {
    mock.logs.note(body, mock.viewer?.userId);
    return {};
  },
};

/** The log, for admins only. */
function book(mock: MockServer) {
  if (!mock.user.isAdmin) throw adminsOnly();
  return mock.logs;
}
