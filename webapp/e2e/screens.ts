import type { Page, Request } from '@playwright/test';
import { Appliance } from './appliance';
import { call } from './calls';
import { newPerson, type Person, playInTurn, test as base } from './fixtures';

interface Ids {
  draft: string;
  upcoming: string;
  live: string;
  cancelled: string;
  /** A series with an event that takes sign-ups. */
  series: string;
  /** A private event that the admin hosts and Ada has entered. */
  hosted: string;
  /** A game under way between Ada and Bob. */
  game: string;
  /** Ada has invited somebody, who has not joined yet. */
  waiting: string;
  /** Usernames. */
  adaName: string;
  bobName: string;
  /** Ada won it. */
  finished: string;
  share: string;
}

/** A server with a user of each kind, and data for every screen. */
export interface SeededApp {
  url: string;
  visitor: Page;
  ada: Person;
  bob: Person;
  admin: Person;
  ids: Ids;
}

export type Viewer = 'visitor' | 'ada' | 'admin';

/** A screen, and who looks at it. */
export interface ScreenSpec {
  viewer: Viewer;
  /** The path as the router defines it. */
  route: string;
  path: string | ((ids: Ids) => string);
  heading: string | RegExp;
}

type Path = ScreenSpec['path'];
const visitor = (route: string, heading: ScreenSpec['heading'], path: Path = route): ScreenSpec => {
  return { viewer: 'visitor', route, path, heading };
};
const ada = (route: string, heading: ScreenSpec['heading'], path: Path = route): ScreenSpec => {
  return { viewer: 'ada', route, path, heading };
};
const admin = (route: string, heading: ScreenSpec['heading'], path: Path = route): ScreenSpec => {
  return { viewer: 'admin', route, path, heading };
};

/** Every route, some in several states; a test fails if one is missing. */
export const SCREENS: readonly ScreenSpec[] = [
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
  visitor('/new-password', 'This link no longer works', '/new-password#used'),
  visitor('/email-undo', 'Undo the email change', '/email-undo?token=used'),
  visitor('/app/events', 'Chalk Cup'),
  visitor('/app/events/view/:eventId', 'Open House', ({ live }) => `/app/events/view/${live}`),
  visitor('/app/series', 'Friday Night League'),
  visitor('/app/series/:seriesId', 'Next events', ({ series }) => `/app/series/${series}`),
  visitor('/join', 'Join a private event'),
  visitor('/app/watch', 'Sign in to watch'),
  visitor('/app/puzzle/:day?', 'Puzzle of the day', '/app/puzzle'),
  visitor('/app/puzzle/:day?', 'A past puzzle', '/app/puzzle/2026-01-01'),
  visitor('/replay/moves/:code', 'Only move', '/replay/moves/3X0184762'),
  visitor('/replay/:shareToken', 'Replay', ({ share }) => `/replay/${share}`),
  visitor('/screen/:eventId', 'Open House', ({ live }) => `/screen/${live}`),
  visitor('/screen/:eventId', 'Chalk Cup', ({ upcoming }) => `/screen/${upcoming}`),
  visitor('*', "We can't seem to find the page you're looking for", '/nowhere'),
  ada('/app/home', /^Welcome, /),
  ada('/app/accountSetup', 'Set up your account'),
  ada('/app/setting/:id?', 'Settings', '/app/setting'),
  ada('/app/setting/:id?', 'Edit Profile', '/app/setting/edit'),
  ada('/app/setting/:id?', 'Manage Subscription', '/app/setting/subscription'),
  ada('/app/setting/:id?', 'Security', '/app/setting/security'),
  ada('/app/setting/:id?', 'Preferences', '/app/setting/preferences'),
  ada('/app/setting/:id?', 'Notifications', '/app/setting/notifications'),
  ada('/app/setting/:id?', 'Blocked people', '/app/setting/blocked'),
  ada('/app/setting/:id?', 'Terms & Conditions', '/app/setting/termsCondition'),
  ada('/app/setting/:id?', 'Help', '/app/setting/help'),
  ada('/app/play', 'Quick match'),
  ada('/app/watch', 'Live now'),
  ada('/app/ratings', 'Rating list'),
  ada('/app/pro', 'Morpion Pro'),
  ada('/app/practice', 'Practice'),
  ada('/app/practice/open', 'Open a game'),
  ada('/app/practice/local', /Local/),
  ada('/app/practice/ai', /AI/),
  ada('/app/practice/remote', 'Invite Friend'),
  ada('/app/kyc', 'Welcome to KYC Verification'),
  ada('/app/events', 'Chalk Cup'),
  ada('/app/events/view/:eventId', 'Chalk Cup', ({ upcoming }) => `/app/events/view/${upcoming}`),
  ada('/app/events/view/:eventId', 'Open House', ({ live }) => `/app/events/view/${live}`),
  ada('/app/events/view/:eventId', 'Rooftop Blitz', ({ cancelled }) => `/app/events/view/${cancelled}`),
  ada('/app/events/view/:eventId', 'Kitchen Knockout', ({ hosted }) => `/app/events/view/${hosted}`),
  ada('/join', 'Join a private event', '/join#ABCD-EFGH-JKMN-PQRS'),
  ada('/app/host', 'Verify your email first'),
  admin('/app/host', 'What and when'),
  admin('/app/host/:eventId', 'Kitchen Knockout', ({ hosted }) => `/app/host/${hosted}`),
  ada('/app/game/event/:eventId', 'Open House', ({ live }) => `/app/game/event/${live}`),
  ada('/app/game/:gameId', 'Waiting for Opponent', ({ waiting }) => `/app/game/${waiting}`),
  ada('/app/game/:gameId', /[Yy]our turn$|'s turn$/, ({ game }) => `/app/game/${game}`),
  ada('/app/game/:gameId', /Won!$/, ({ finished }) => `/app/game/${finished}`),
  ada('/app/players/:username', 'You and them', ({ bobName }) => `/app/players/${bobName}`),
  ada('/app/players/:username', 'Last games', ({ adaName }) => `/app/players/${adaName}`),
  ada('/app/players/:username', 'No such player', '/app/players/nobody-of-this-name'),
  visitor('/app/players/:username', /^@player_/, ({ bobName }) => `/app/players/${bobName}`),
  ada('/app/players/:username/games', /^Games of /, ({ adaName }) => `/app/players/${adaName}/games`),
  ada('/app/players/:username/games', /^Games of /, ({ adaName }) => `/app/players/${adaName}/games?result=drawn`),
  ada('/app/game/:gameId/replay', 'Replay', ({ finished }) => `/app/game/${finished}/replay`),
  admin('/app/admin', 'Manage Events'),
  admin('/app/admin/events', 'Winter Championship'),
  admin('/app/admin/events/:eventId', 'Winter Championship', ({ draft }) => `/app/admin/events/${draft}`),
  admin('/app/admin/events/:eventId', 'Open House', ({ live }) => `/app/admin/events/${live}`),
  admin('/app/admin/events/:eventId', 'Open House', ({ live }) => `/app/admin/events/${live}?tab=participants`),
  admin('/app/admin/series', 'Manage Series'),
  admin('/app/admin/series/new', 'New Series'),
  admin('/app/admin/series/:seriesId', 'Friday Night League', ({ series }) => `/app/admin/series/${series}`),
  ada('/app/series/:seriesId', 'Table', ({ series }) => `/app/series/${series}`),
  admin('/app/admin/logs', 'Error Logs', '/app/admin/logs?live=1'),
  admin('/app/admin/logs', 'Error Logs'),
  admin('/app/admin/audit', 'Audit Trail'),
  admin('/app/admin/users', 'People'),
  admin('/app/admin/users', 'People', '/app/admin/users?filter=suspended'),
  admin('/app/admin/reports', 'Reports'),
  admin('/app/admin/reports', 'Reports', '/app/admin/reports?state=closed'),
  admin('/app/admin/engine-use', 'Engine Use'),
  admin('/app/admin/billing', 'Billing'),
  admin('/app/admin/games', 'Live Games'),
  admin('/app/admin/tokens', 'Operator Tokens'),
  admin('/app/admin/webhooks', 'Webhooks'),
  admin('/app/admin/server', 'Server'),
];

/** The title of a test of this screen. */
export function describeScreen({ viewer, route, path, heading }: ScreenSpec): string {
  const at =
    typeof path === 'string' ? path : `${route} (${String(heading)}${/\?.*/.exec(path({} as Ids))?.[0] ?? ''})`;
  return `${at}, seen by ${viewer}`;
}

export function pageOf(app: SeededApp, viewer: Viewer): Page {
  return viewer === 'visitor' ? app.visitor : app[viewer].page;
}

export async function openScreen(app: SeededApp, { viewer, path, heading }: ScreenSpec): Promise<Page> {
  const page = pageOf(app, viewer);
  const quiet = quietNetwork(page);
  await page.goto(typeof path === 'string' ? path : path(app.ids));
  await page.getByRole('heading', { name: heading }).first().waitFor();
  // A prerendered page loads the app at the first key press; what it shows then is part of the screen.
  await page.keyboard.press('Shift');
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('#root *') ?? {}).some((key) => key.startsWith('__react')),
  );
  await quiet();
  // A puzzle is created on the device.
  await page.getByText('Setting up the board…').waitFor({ state: 'hidden' });
  return page;
}

/** Without a request for this long, in milliseconds, a page is considered loaded. */
const QUIET_MS = 400;

/** Notes the requests of a page from now on. The function that it returns waits until none is under way. */
export function quietNetwork(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let last = Date.now();
  const begun = (request: Request) => {
    underWay.add(request);
    last = Date.now();
  };
  const ended = (request: Request) => {
    underWay.delete(request);
    last = Date.now();
  };
  page.on('request', begun).on('requestfinished', ended).on('requestfailed', ended);
  return async () => {
    while (underWay.size > 0 || Date.now() - last < QUIET_MS) await page.waitForTimeout(QUIET_MS / 4);
    page.off('request', begun).off('requestfinished', ended).off('requestfailed', ended);
  };
}

export const test = base.extend<object, { app: SeededApp }>({
  app: [
    async ({ browser }, use) => {
      const appliance = await Appliance.start({ MORPION_SITE__KYC_URL: 'https://kyc.example.org/' });
      const options = { baseURL: appliance.url, reducedMotion: 'reduce' as const };
      const [ada, bob, admin] = await Promise.all([1, 2, 3].map(() => newPerson(browser, options)));
      if (ada === undefined || bob === undefined || admin === undefined) throw new Error('three people');
      await appliance.command('admin', 'promote', admin.name);
      const visitor = await (await browser.newContext(options)).newPage();
      const ids = await seed(ada, bob, admin);
      const mallory = await newPerson(browser, options);
      await moderate(ids, [ada, bob, mallory], admin);
      await mallory.page.context().close();
      await use({ url: appliance.url, visitor, ada, bob, admin, ids });
      await Promise.all([visitor, ada.page, bob.page, admin.page].map((page) => page.context().close()));
      await appliance.remove();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

async function seed(ada: Person, bob: Person, { page: admin }: Person): Promise<Ids> {
  const event = async (title: string, details: object = {}) => {
    const times = { startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' };
    const payload = { title, ...times, ...details };
    const answer = await call<{ event: { eventId: string; joinCode?: string } }>(
      admin,
      'event',
      'create_event',
      payload,
    );
    return answer.event;
  };
  const publish = (eventId: string) => call(admin, 'event', 'update_event', { eventId, eventState: 'published' });

  const { eventId: draft } = await event('Winter Championship', { description: 'Still being planned.' });
  const { eventId: upcoming } = await event('Chalk Cup', {
    description: 'Open to everybody.',
    prize: 'A box of coloured chalk',
  });
  await publish(upcoming);
  const { eventId: live } = await event('Open House', { description: 'Join any time.' });
  await publish(live);
  await call(admin, 'event', 'start_event', { eventId: live });
  const { eventId: cancelled } = await event('Rooftop Blitz', { description: 'Called off: rain.' });
  await publish(cancelled);
  await call(admin, 'event', 'cancel_event', { eventId: cancelled });
  const { eventId: hosted, joinCode } = await event('Kitchen Knockout', { isPrivate: true, format: 'knockout' });
  await publish(hosted);
  await call(ada.page, 'eventSignUp', 'sign_up_by_code', { joinCode });
  for (const { page } of [ada, bob]) await call(page, 'event', 'join_event', { eventId: live });
  await call(bob.page, 'eventSignUp', 'sign_up', { eventId: upcoming });

  const { series } = await call<{ series: { seriesId: string } }>(admin, 'series', 'create_series', {
    name: 'Friday Night League',
    description: 'Every week at the same table.',
    template: { title: 'Friday Night', description: 'Come as you are.' },
    durationMinutes: 120,
    firstStart: '2026-01-02T19:00',
    timeZone: 'Europe/Berlin',
    rule: 'FREQ=WEEKLY;BYDAY=FR',
    daysAhead: 8,
  });

  const { finished, share, game } = await playSome(ada, bob);
  const invitation = { gameType: 'invite', boardSize: 5, players: [await accountOf(ada.page)] };
  const { game: open } = await call<{ game: { gameId: string } }>(ada.page, 'game', 'create_game', invitation);
  return {
    draft,
    upcoming,
    live,
    cancelled,
    series: series.seriesId,
    hosted,
    game,
    waiting: open.gameId,
    finished,
    share,
    adaName: ada.name,
    bobName: bob.name,
  };
}

/** A game that Ada won, and one that goes on. */
async function playSome(ada: Person, bob: Person): Promise<Pick<Ids, 'finished' | 'share' | 'game'>> {
  await ada.invite(bob);
  const finished = gameOf(ada.page);
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
  const { shareToken: share } = await call<{ shareToken: string }>(ada.page, 'game', 'share_game', {
    gameId: finished,
  });

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
  return { finished, share, game };
}

/** Suspends Mallory, and leaves open reports about Bob and a closed one about Ada. */
async function moderate({ finished }: Ids, [ada, bob, mallory]: [Person, Person, Person], admin: Person) {
  const [{ userId: adaId }, { userId: bobId }, { userId: malloryId }] = await Promise.all([
    accountOf(ada.page),
    accountOf(bob.page),
    accountOf(mallory.page),
  ]);
  const report = (from: Person, payload: object) => call(from.page, 'userprofile', 'report_user', payload);
  await report(bob, { userId: adaId, kind: 'behaviour', text: 'Gloats.' });
  const { origin } = new URL(admin.page.url());
  const found = await admin.page.request.get(`${origin}/api/backend/admin?action=list_reports&payload={}`);
  const { reports } = (await found.json()) as { reports: { reportId: string }[] };
  const closing = { reportId: reports[0]?.reportId, outcome: 'dismissed', note: 'A won game is a won game.' };
  await call(admin.page, 'admin', 'close_report', closing);
  await report(ada, { userId: bobId, kind: 'name', text: 'This is somebody else’s name.' });
  await report(mallory, { userId: bobId, kind: 'engine', gameId: finished });
  await call(admin.page, 'admin', 'suspend_user', {
    userId: malloryId,
    until: '2099-01-01T10:00:00Z',
    reason: 'Reports everybody for no reason, and goes on after a warning.',
  });
}

/** The user who is signed in in this browser, as an invitation names them. */
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
