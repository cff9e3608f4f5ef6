import type { Exchange } from './client.ts';

/** Tags of a game's notation that differ: where it was played, and when to the second. */
const NOTED = /\[(Site|Time) "[^"]*"\]/g;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** The longest duration of a scenario. */
const SCENARIO_MS = 15 * 60_000;
/** Random values whose form differs between the servers. */
const SECRETS = new Set([
  'requestId',
  'socketId',
  'inviteToken',
  'shareToken',
  'pushKey',
  'joinCode',
  'calendarToken',
  'token',
  'secret',
]);
/** Fields with durations. */
const DURATIONS = new Set(['waitedMs', 'timeUsedMs', 'timesUsedMs', 'timeLeftMs', 'timesLeftMs']);

/** Fields with dates some days from now. */
const DATES = new Set(['usernameChangeableAt', 'expiresAt']);

const isNow = (ms: number) => Math.abs(ms - Date.now()) < SCENARIO_MS;

/** The exchanges with ids numbered in order of appearance, and without the times and secrets of this run. */
export function comparable(exchanges: readonly Exchange[]): unknown[] {
  const ids = new Map<string, string>();
  const numbered = (id: string) => {
    const name = ids.get(id) ?? `<id ${ids.size + 1}>`;
    ids.set(id, name);
    return name;
  };
  const plain = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((each) => plain(each, key));
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, each]) => [name, plain(each, name)]),
      );
    }
    if (typeof value === 'number') {
      if (DURATIONS.has(key) && value >= 0) return '<duration>';
      return isNow(value) ? '<now>' : value;
    }
    if (typeof value !== 'string') return value;
    if (SECRETS.has(key)) return '<secret>';
    if (DATES.has(key)) return value.slice(0, 10);
    if (TIME.test(value) && isNow(Date.parse(value))) return '<now>';
    return value.replace(UUID, numbered).replace(NOTED, '[$1 "<noted>"]');
  };
  return exchanges.map((exchange) => plain(exchange));
}

/** The differences between the mock's and the server's responses, one line for each. */
export function differences(mock: readonly Exchange[], server: readonly Exchange[]): string[] {
  const [mine, theirs] = [comparable(mock), comparable(server)];
  const found: string[] = [];
  const compare = (where: string, a: unknown, b: unknown) => {
    const [left, right] = [a, b].map((value) => (value !== null && typeof value === 'object' ? value : undefined));
    if (left === undefined || right === undefined || Array.isArray(left) !== Array.isArray(right)) {
      const told = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
      if (told(a) !== told(b)) found.push(`${where}: mock ${told(a)}, server ${told(b)}`);
      return;
    }
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      compare(`${where}.${key}`, left[key as keyof typeof left], right[key as keyof typeof right]);
    }
  };
  for (let at = 0; at < Math.max(mine.length, theirs.length); at += 1) {
    compare(`${at} ${(server[at] ?? mock[at])?.what ?? ''}`, mine[at], theirs[at]);
  }
  return found;
}
