/** Somebody suspended, and reports, for mock mode and for tests. */

import type { components } from '@/api/schema';
import { seen } from './accounts';
import type { MockServer } from './mockServer';
import { reportsOf } from './moderation';

type Schemas = components['schemas'];

/** Adds Mallory, who is suspended, a closed report about her and three open ones about others. */
export function seedModeration(mock: MockServer): void {
  mock.addUser('mallory', 'mallory@example.org', crypto.randomUUID());
  const { userId } = mock.find(({ username }) => username === 'mallory');
  mock.change(userId, { suspension: { reason: 'Insults in a name.', at: new Date().toISOString() } });
  const harassing = 'Sends invitations all night, and leaves when one accepts.';
  reportsOf(mock).push(
    {
      ...aReport(mock, 'edsger', 'mallory', 'behaviour', harassing),
      state: 'closed',
      outcome: 'upheld',
      note: 'Suspended.',
      closedBy: 'grace',
      closedAt: new Date().toISOString(),
    },
    aReport(mock, 'hedy', 'linus', 'name', 'This is somebody else’s name.'),
    aReport(mock, 'barbara', 'linus', 'picture'),
    aReport(mock, 'margaret', 'bob', 'engine', 'Every move takes exactly two seconds, and none is ever wrong.'),
  );
}

/** An open report of one person about another, by their usernames. */
function aReport(
  mock: MockServer,
  by: string,
  about: string,
  kind: Schemas['ReportKind'],
  text = '',
): Schemas['Report'] {
  const named = (name: string) => seen(mock.find(({ username }) => username === name));
  const subject = named(about);
  return {
    reportId: crypto.randomUUID(),
    kind,
    text,
    reporter: named(by),
    subject,
    evidence: { username: subject.username, displayName: subject.displayName },
    at: new Date().toISOString(),
    state: 'open',
    sameSubjectOpen: 1,
  };
}
