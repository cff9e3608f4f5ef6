import type { Page } from '@playwright/test';
import { Appliance } from './appliance';
import { call } from './calls';
import { newPerson, type Person, playInTurn, test as base } from './fixtures';

interface Ids {
  draft: string;
  next: string;
  live: string;
  called: string;
  /** Ada and Bob are in it. */
  game: string;
  /** Ada invited, nobody came yet. */
  waiting: string;
  /** Ada won it. */
  over: string;
  share: string;
}

/** A server with somebody of each kind, and something on every screen. */
export interface House {
  url: string;
  visitor: Page;
  ada: Person;
  bob: Person;
  admin: Person;
  ids: Ids;
}

export type Who = 'visitor' | 'ada' | 'admin';

/** A screen as somebody sees it. */
export interface Place {
  who: Who;
  /** As the router has it. */
  route: string;
  path: string | ((ids: Ids) => string);
  heading: string | RegExp;
}

type Path = Place['path'];
const visitor = (route: string, heading: Place['heading'], path: Path = route): Place => {
  return { who: 'visitor', route, path, heading };
};
const ada = (route: string, heading: Place['heading'], path: Path = route): Place => {
  return { who: 'ada', route, path, heading };
};
const admin = (route: string, heading: Place['heading'], path: Path = route): Place => {
  return { who: 'admin', route, path, heading };
};

/** Every route, some of them in more than one state; a test sees to it that none is missing. */
export const PLACES: readonly Place[] = [
  visitor('/', 'Game Modes'),
  visitor('/app', 'Game Modes'),
  visitor('/hello', 'Game Modes'),
  visitor('/tournaments', 'Tournaments'),
  visitor('/legal', 'Legal Information'),
  visitor('/terms', 'Terms & Conditions'),
  visitor('/termsconditon', 'Terms & Conditions'),
  visitor('/privacy-policy', 'Privacy Policy'),
  visitor('/privacy', 'Privacy Policy'),
  visitor('/cookies', 'Cookies Policy'),
  visitor('/login', 'Welcome back'),
  visitor('/register', 'Create Account'),
  visitor('/setup', 'This link no longer works', '/setup?token=used'),
  visitor('/changepassword', /password/i),
  visitor('/email-undo', 'Take your email back', '/email-undo?token=used'),
  visitor('/app/events', 'Chalk Cup'),
  visitor('/app/events/view/:eventId', 'Open House', ({ live }) => `/app/events/view/${live}`),
  visitor('/replay/moves/:notation', 'Only move', '/replay/moves/3X0184762'),
  visitor('/replay/:shareToken', 'Replay', ({ share }) => `/replay/${share}`),
  visitor('*', "We can't seem to find the page you're looking for", '/nowhere'),
  ada('/app/home', /^Welcome, /),
  ada('/app/accountSetup', 'Set up your account'),
  ada('/app/setting/:id?', 'Settings', '/app/setting'),
  ada('/app/setting/:id?', 'Edit Profile', '/app/setting/edit'),
  ada('/app/setting/:id?', 'Manage Subscription', '/app/setting/subscription'),
  ada('/app/setting/:id?', 'Security', '/app/setting/security'),
  ada('/app/setting/:id?', 'Preferences', '/app/setting/preferences'),
  ada('/app/setting/:id?', 'Terms & Conditions', '/app/setting/termsCondition'),
  ada('/app/setting/:id?', 'Help', '/app/setting/help'),
  ada('/app/pro', 'Morpion Pro'),
  ada('/app/practice', 'Practice'),
  ada('/app/practice/local', /Local/),
  ada('/app/practice/ai', /AI/),
  ada('/app/practice/remote', 'Invite Friend'),
  ada('/app/kyc', 'Welcome to KYC Verification'),
  ada('/app/events', 'Chalk Cup'),
  ada('/app/events/view/:eventId', 'Chalk Cup', ({ next }) => `/app/events/view/${next}`),
  ada('/app/events/view/:eventId', 'Open House', ({ live }) => `/app/events/view/${live}`),
  ada('/app/events/view/:eventId', 'Rooftop Blitz', ({ called }) => `/app/events/view/${called}`),
  ada('/app/game/event/:eventId', 'Open House', ({ live }) => `/app/game/event/${live}`),
  ada('/app/game/:gameId', 'Waiting for Opponent', ({ waiting }) => `/app/game/${waiting}`),
  ada('/app/game/:gameId', /[Yy]our turn$|'s turn$/, ({ game }) => `/app/game/${game}`),
  ada('/app/game/:gameId', /Won!$/, ({ over }) => `/app/game/${over}`),
  ada('/app/game/:gameId/replay', 'Replay', ({ over }) => `/app/game/${over}/replay`),
  admin('/app/admin', 'Manage Events'),
  admin('/app/admin/events', 'Winter Championship'),
  admin('/app/admin/events/:eventId', 'Winter Championship', ({ draft }) => `/app/admin/events/${draft}`),
  admin('/app/admin/events/:eventId', 'Open House', ({ live }) => `/app/admin/events/${live}`),
  admin('/app/admin/events/:eventId', 'Open House', ({ live }) => `/app/admin/events/${live}?tab=participants`),
  admin('/app/admin/logs', 'Error Logs', '/app/admin/logs?live=1'),
  admin('/app/admin/logs', 'Error Logs'),
  admin('/app/admin/audit', 'Audit Trail'),
  admin('/app/admin/users', 'People'),
  admin('/app/admin/billing', 'Billing'),
];

/** What a test about it is called. */
export function nameOf({ who, route, path, heading }: Place): string {
  const at =
    typeof path === 'string' ? path : `${route} (${String(heading)}${/\?.*/.exec(path({} as Ids))?.[0] ?? ''})`;
  return `${at}, seen by ${who}`;
}

export function pageOf(house: House, who: Who): Page {
  return who === 'visitor' ? house.visitor : house[who].page;
}

export async function goTo(house: House, { who, path, heading }: Place): Promise<Page> {
  const page = pageOf(house, who);
  await page.goto(typeof path === 'string' ? path : path(house.ids));
  await page.getByRole('heading', { name: heading }).first().waitFor();
  // A page that stands already fetches the app with the first key, and what it shows then belongs to it.
  await page.keyboard.press('Shift');
  await quiet(page);
  return page;
}

/** Long enough without a request, in milliseconds, to say that a page has all it wants. */
const QUIET_MS = 400;

async function quiet(page: Page): Promise<void> {
  let last = Date.now();
  const note = () => {
    last = Date.now();
  };
  page.on('request', note).on('requestfinished', note);
  while (Date.now() - last < QUIET_MS) await page.waitForTimeout(QUIET_MS / 4);
  page.off('request', note).off('requestfinished', note);
}

export const test = base.extend<object, { house: House }>({
  house: [
    async ({ browser }, use) => {
      const appliance = await Appliance.start({ MORPION_SITE__KYC_URL: 'https://kyc.example.org/' });
      const options = { baseURL: appliance.url, reducedMotion: 'reduce' as const };
      const [ada, bob, admin] = await Promise.all([1, 2, 3].map(() => newPerson(browser, options)));
      if (ada === undefined || bob === undefined || admin === undefined) throw new Error('three people');
      await appliance.command('admin', 'promote', admin.name);
      const visitor = await (await browser.newContext(options)).newPage();
      const ids = await furnish(ada, bob, admin);
      await use({ url: appliance.url, visitor, ada, bob, admin, ids });
      await Promise.all([visitor, ada.page, bob.page, admin.page].map((page) => page.context().close()));
      await appliance.remove();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

async function furnish(ada: Person, bob: Person, { page: admin }: Person): Promise<Ids> {
  const event = async (title: string, details: object = {}) => {
    const times = { startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' };
    const payload = { title, ...times, ...details };
    const answer = await call<{ event: { eventId: string } }>(admin, 'event', 'create_event', payload);
    return answer.event.eventId;
  };
  const publish = (eventId: string) => call(admin, 'event', 'update_event', { eventId, eventState: 'published' });

  const draft = await event('Winter Championship', { description: 'Still being planned.' });
  const next = await event('Chalk Cup', { description: 'Open to everybody.', prize: 'A box of coloured chalk' });
  await publish(next);
  const live = await event('Open House', { description: 'Join any time.' });
  await publish(live);
  await call(admin, 'event', 'start_event', { eventId: live });
  const called = await event('Rooftop Blitz', { description: 'Called off: rain.' });
  await publish(called);
  await call(admin, 'event', 'cancel_event', { eventId: called });
  for (const { page } of [ada, bob]) await call(page, 'event', 'join_event', { eventId: live });
  await call(bob.page, 'eventSignUp', 'sign_up', { eventId: next });

  await ada.invite(bob);
  const over = gameOf(ada.page);
  await bob.accept(ada);
  await playInTurn(
    [ada, bob],
    [
      [2, 2],
      [1, 2],
      [1, 1],
      [3, 3],
      [2, 1],
      [2, 3],
      [3, 1],
    ],
  );
  await ada.sees('You Won!');
  const { shareToken: share } = await call<{ shareToken: string }>(ada.page, 'game', 'share_game', { gameId: over });

  await bob.page.goto('/app/home');
  await ada.invite(bob, 4);
  const game = gameOf(ada.page);
  await bob.accept(ada);
  await playInTurn(
    [ada, bob],
    [
      [2, 2],
      [3, 3],
      [2, 3],
      [3, 2],
    ],
  );
  const invitation = { gameType: 'invite', boardSize: 5, players: [await accountOf(ada.page)] };
  const { game: open } = await call<{ game: { gameId: string } }>(ada.page, 'game', 'create_game', invitation);
  return { draft, next, live, called, game, waiting: open.gameId, over, share };
}

/** Whose browser it is, as an invitation names them. */
export function accountOf(page: Page): Promise<{ userId: string; username: string }> {
  return page.evaluate(() => {
    const { userId, username } = JSON.parse(localStorage.getItem('morpion_last_user') ?? '{}') as Record<
      string,
      string
    >;
    return { userId: userId ?? '', username: username ?? '' };
  });
}

function gameOf(page: Page): string {
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}
