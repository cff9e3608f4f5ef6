import { act, cleanup, waitFor } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '@/api/base';
import { mockHandlers } from '@/testing/mocks/handlers';
import { DEMO, DEMO_ADMIN, MockServer } from '@/testing/mocks/mockServer';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';

/**
 * What cannot be read is never shown as empty, nor as if it would come. Every page is opened while none of its reads is
 * answered, and while they fail: with 503, which stands for every failure (api/failures.test.ts has the others).
 */

type Viewer = 'visitor' | 'player' | 'admin';

const IDLE = { join: 1e6, move: 1e6, invite: 1e6, others: 1e6, turn: 1e6, noShow: 1e6 };
const ID = '10000000-0000-4000-8000-000000000001';

/** The pages that have something to read at once. What comes by the socket is in game.test.tsx and watch.test.tsx. */
const PAGES: [viewer: Viewer, path: string][] = [
  ['visitor', '/app/events'],
  ['visitor', `/app/events/view/${ID}`],
  ['visitor', `/screen/${ID}`],
  ['visitor', '/app/series'],
  ['visitor', `/app/series/${ID}`],
  ['visitor', `/replay/shared`],
  ['visitor', '/new-password#link'],
  ['player', '/app/home'],
  ['player', '/app/ratings'],
  ['player', '/app/players/bob'],
  ['player', '/app/players/bob/games'],
  ['player', '/app/ratings?list=bots'],
  ['player', '/app/pro'],
  ['player', '/app/host'],
  ['player', `/app/host/${ID}`],
  ['player', '/app/setting/subscription'],
  ['player', '/app/setting/security'],
  ['player', '/app/setting/notifications'],
  ['player', '/app/setting/blocked'],
  ['admin', '/app/admin/events'],
  ['admin', `/app/admin/events/${ID}`],
  ['admin', '/app/admin/series'],
  ['admin', `/app/admin/series/${ID}`],
  ['admin', '/app/admin/logs'],
  ['admin', '/app/admin/audit'],
  ['admin', '/app/admin/users'],
  ['admin', '/app/admin/reports'],
  ['admin', '/app/admin/engine-use'],
  ['admin', '/app/admin/billing'],
  ['admin', '/app/admin/games'],
  ['admin', '/app/admin/tokens'],
  ['admin', '/app/admin/webhooks'],
  ['admin', '/app/admin/server'],
];

/** A path, or one of an event with this title; without a title, of the first series. */
type Page = string | { of: string; event?: string; tab?: string };

/** Pages of which the first read is answered (its action), and those that follow from it are not. */
const FURTHER: [viewer: Viewer, path: Page, answered: RegExp][] = [
  ['player', { of: '/app/events/view/', event: 'Lunch Break Blitz' }, /get_event_by_id/],
  ['player', { of: '/app/events/view/', event: 'Sunday Chalk Cup' }, /get_event_by_id/],
  ['player', { of: '/app/events/view/', event: 'Sunday Swiss' }, /get_event_by_id/],
  ['player', { of: '/app/events/view/', event: 'Paper Swiss' }, /get_event_by_id/],
  ['visitor', { of: '/screen/', event: 'Lunch Break Blitz' }, /get_event_by_id/],
  ['visitor', { of: '/app/series/' }, /action=get_series&/],
  ['admin', { of: '/app/admin/events/', event: 'Lunch Break Blitz' }, /get_event_by_id/],
  ['admin', { of: '/app/admin/events/', event: 'Lunch Break Blitz', tab: '?tab=participants' }, /get_event_by_id/],
  ['player', '/app/players/bob', /get_profile/],
  ['player', '/app/players/bob/games', /get_profile/],
  ['admin', '/app/setting/subscription', /get_(plans|subscription)/],
  ['admin', '/app/admin/server', /overview/],
];

/** A text of a page that says that there is nothing. */
const EMPTY = /^(No|Nobody|None|Nothing)\b/;
/** It says nothing of what could not be read. */
const TRUE = 'No mail server is configured: mails are written to the outbox folder.';

/** Opens a page whose reads, but for who is signed in, are answered so. */
function open(viewer: Viewer, page: Page, answer: () => Promise<Response>, answered = /^$/) {
  const asked: string[] = [];
  const mock = new MockServer({ pace: IDLE });
  const { email, password } = viewer === 'admin' ? DEMO_ADMIN : DEMO;
  if (viewer !== 'visitor') mock.signIn(email, password);
  server.use(
    http.all('*/api/*', ({ request }) => {
      if (/check-login|refresh|backend.site|logger$/.test(request.url) || answered.test(request.url)) return undefined;
      asked.push(request.url);
      return answer();
    }),
    ...mockHandlers(mock),
  );
  const event = mock.events.all().find(({ details }) => typeof page !== 'string' && details.title === page.event);
  const id = event?.eventId ?? mock.series.all(false)[0]?.seriesId;
  const path = typeof page === 'string' ? page : `${page.of}${id ?? ''}${page.tab ?? ''}`;
  return { ...renderApp(path), asked };
}

/** What the page says: of what loads, of what failed, and of what is not there. */
function said({ container }: { container: HTMLElement }) {
  const texts = (selector: string) =>
    [...container.querySelectorAll(selector)]
      .map(({ textContent }) => textContent.trim())
      .filter((text) => text !== '');
  return {
    all: container.textContent,
    failed: texts('[role="alert"]'),
    empty: texts('p, h2, h3, td, li').filter((text) => EMPTY.test(text) && text !== TRUE),
  };
}

/** With 503. */
const refuse = () => Promise.resolve(HttpResponse.json({ succeeded: false }, { status: 503 }));

/** The reads that the pages have made. */
const walked = new Set<string>();

async function saysThatItFailed(app: ReturnType<typeof open>) {
  await waitFor(() => expect(said(app).failed).not.toEqual([]));
  // Some parts appear with the failure, and ask once more; none asks again and again.
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(said(app)).toMatchObject({ empty: [] });
  for (const url of app.asked) expect(app.asked.filter((other) => other === url).length).toBeLessThan(4);
  for (const read of Object.values(app.store.getState().api.queries)) walked.add(read?.endpointName ?? '');
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

describe.each(PAGES)('for a %s the page %s', (viewer, path) => {
  it('says that it loads, and then that it failed, and never that there is nothing', async () => {
    const waiting = open(viewer, path, () => delay('infinite').then(() => HttpResponse.error()));
    await waitFor(() => expect(said(waiting).all).toMatch(/(Loading|Looking for|Checking|One moment).*(…|\.\.\.)/));
    expect(said(waiting)).toMatchObject({ failed: [], empty: [] });
    waiting.store.dispatch(api.util.resetApiState());
    cleanup();

    await saysThatItFailed(open(viewer, path, refuse));
  });
});

describe.each(FURTHER)('for a %s the page %j with %s alone', (viewer, page, answered) => {
  it('says what failed, and never that there is nothing', async () => {
    await saysThatItFailed(open(viewer, page, refuse, answered));
  });
});

const PRESSED = 'Is asked for by a press, and answered like an act.';
const OPENED = 'Belongs to a part that somebody opens: the test of that part.';

/** Reads that no page makes when it is opened. */
const ELSEWHERE: Record<string, string> = {
  exportAccount: PRESSED,
  exportAudit: PRESSED,
  getCalendarAuthUrl: PRESSED,
  getProofOptions: PRESSED,
  getSecondFactorOptions: PRESSED,
  paymentKey: PRESSED,
  verifyAudit: PRESSED,
  verifyEvent: PRESSED,
  engineEvidence: OPENED,
  person: OPENED,
  searchPeople: OPENED,
  sessionsOf: OPENED,
  subscriptions: OPENED,
  listDeliveries: OPENED,
  listSuspended: OPENED,
  personalTokensOf: OPENED,
  invitations: OPENED,
  entry: 'Only where an event has conditions, under the event.',
  freeEvents: 'Adds a number where it is known.',
  ownInvitations: 'Adds invitations where they are known.',
  previewSeries: 'Is asked for while a schedule is written.',
  game: 'Adds an offer to play again that was made meanwhile.',
  getCalendarStatus: 'Only where a calendar is configured.',
  getSetup: 'Only with the link of the first start.',
  liveGames: 'Comes by the socket; watch.test.tsx.',
};

it('every read of the web app is walked, or a reason says why not', () => {
  const reads = Object.entries(api.endpoints as unknown as Record<string, { useQuery?: unknown }>)
    .filter(([, { useQuery }]) => useQuery !== undefined)
    .map(([name]) => name);
  expect(reads.filter((name) => !walked.has(name)).toSorted()).toEqual(Object.keys(ELSEWHERE).toSorted());
});
