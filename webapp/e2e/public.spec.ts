import type { Locator, Page } from '@playwright/test';
import { PUBLIC_PAGES } from '../src/shared/site/publicPages.ts';
import { expect, test } from './fixtures';
import { DESKTOP, PHONE, resize, watchLayoutShifts } from './pageChecks';

/** The landing page's scripts, compressed, in bytes. */
const LANDING_SCRIPTS = 120 * 1024;

/** The component library's base chunk (vite.config.ts). */
const LIBRARY = '/assets/ui-';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  for (const [path, { title, description, canonical = path }] of Object.entries(PUBLIC_PAGES)) {
    test(`${path} has its content, title and description`, async ({ page, request, baseURL }) => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page).toHaveTitle(title);
      const told = (selector: string, name = 'content') => page.locator(selector).getAttribute(name);
      expect(await told('meta[name="description"]')).toBe(description);
      expect(await told('link[rel="canonical"]', 'href')).toBe(baseURL + canonical);
      expect(await told('meta[property="og:title"]')).toBe(title);
      expect(await told('meta[property="og:url"]')).toBe(baseURL + canonical);
      const picture = await request.get((await told('meta[property="og:image"]')) ?? '');
      expect(picture.headers()['content-type']).toBe('image/png');
    });
  }
});

test('a document is taken over at an address with more than its path', async ({ page }) => {
  // React throws at a mismatch, which fails the test (fixtures.ts).
  for (const address of [
    '/login',
    '/login?error=provider-denied',
    '/login?error=suspended',
    '/login?step=second-factor',
    '/register?from=elsewhere',
    '/tournaments?from=elsewhere',
    '/login/',
    '/terms#top',
  ]) {
    await page.goto(address);
    await page.keyboard.press('Tab');
    await page.waitForFunction(() =>
      Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer')),
    );
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  }
});

test('robots.txt disallows the API, and the sitemap lists the public pages', async ({ request, baseURL }) => {
  const robots = await (await request.get('/robots.txt')).text();
  expect(robots).toContain('Disallow: /api/');
  expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
  const sitemap = await (await request.get('/sitemap.xml')).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
  const own = Object.entries(PUBLIC_PAGES).filter(([, { canonical }]) => canonical === undefined);
  expect(listed).toEqual(own.map(([path]) => baseURL + path));
});

test('the app can be installed', async ({ page, request }) => {
  await page.goto('/');
  const address = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = (await (await request.get(address ?? '')).json()) as {
    start_url: string;
    display: string;
    icons: { src: string; type: string; sizes: string; purpose: string }[];
  };
  expect(manifest).toMatchObject({ start_url: '/app', display: 'standalone' });
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
    expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
  );
  for (const { src, type } of manifest.icons) {
    expect((await request.get(src)).headers()['content-type']).toContain(type);
  }
});

test('no public page sends a request to another host', async ({ page, baseURL }) => {
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  for (const path of Object.keys(PUBLIC_PAGES)) {
    await page.goto(path);
    await page.mouse.move(200, 200, { steps: 2 });
    await page.waitForLoadState('networkidle');
  }
  expect([...asked]).toEqual([baseURL]);
});

test('the landing page needs few scripts, and never loads the component library', async ({ page }) => {
  const scripts = new Map<string, number>();
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    const measured = request.sizes().then(({ responseBodySize }) => scripts.set(request.url(), responseBodySize));
    // The last responses may arrive after the page was closed.
    measured.catch(() => undefined);
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Game Modes' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const total = [...scripts.values()].reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan(LANDING_SCRIPTS);
  // The app is loaded when the visitor moves the mouse.
  await page.mouse.move(100, 100, { steps: 2 });
  await expect.poll(() => [...scripts.keys()].some((url) => url.includes('/main-'))).toBe(true);
  expect([...scripts.keys()].filter((url) => url.includes(LIBRARY))).toEqual([]);
});

test('no public text page loads the component library, and all have the paper background, whatever the previous page', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto('/');
  const expected = await paper();
  for (const path of ['/tournaments', '/legal', '/terms', '/privacy-policy', '/cookies']) {
    await page.goto(path);
    await page.mouse.move(200, 200, { steps: 2 });
    await page.waitForLoadState('networkidle');
    expect(await paper()).toBe(expected);
  }
  expect(asked.filter((url) => url.includes(LIBRARY))).toEqual([]);
  await page.getByRole('link', { name: 'Login' }).first().click();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(asked.some((url) => url.includes(LIBRARY))).toBe(true);
  await page.getByRole('link', { name: 'Tournaments' }).click();
  await page.getByRole('heading', { name: 'Tournaments' }).waitFor();
  expect(await paper()).toBe(expected);
});

test('nothing shifts when the app takes over a public page', async ({ page }) => {
  await page.setViewportSize(PHONE);
  const moves = await watchLayoutShifts(page);
  for (const path of Object.keys(PUBLIC_PAGES)) {
    await page.goto(path);
    await page.mouse.move(200, 200, { steps: 2 });
    await page.waitForLoadState('networkidle');
    expect(await moves(), path).toEqual([]);
  }
});

test('a page with events further down does not load the app until they are visible', async ({ page }) => {
  await page.setViewportSize(PHONE);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/tournaments');
  await page.waitForLoadState('networkidle');
  // Its styles are in the document.
  expect(asked.filter((path) => path.includes('/main-') || path.endsWith('.css'))).toEqual([]);
  await page.getByRole('heading', { name: 'Coming up' }).evaluate((heading) => heading.scrollIntoView());
  await expect.poll(() => asked).toContain('/api/backend/event');
});

test('a click on the landing page before the app is loaded is not lost', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('switch', { name: 'Dark theme' }).dispatchEvent('pointerdown');
  await page.getByRole('switch', { name: 'Dark theme' }).dispatchEvent('click');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByRole('switch', { name: 'Dark theme' })).toBeChecked();
});

test('a chosen theme is applied before the app is loaded, and after', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.addInitScript(() => localStorage.setItem('morpion_theme', 'dark'));
  await page.goto('/');
  await expect(page.getByRole('switch', { name: 'Dark theme' })).toBeChecked();
  await page.mouse.move(100, 100, { steps: 2 });
  await page.getByRole('switch', { name: 'Dark theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  expect(errors).toEqual([]);
});

test('the header is 80 px high with its links, and 70 px without them up to 768 px', async ({ page }) => {
  await page.goto('/legal');
  const header = page.getByRole('banner');
  const height = async () => (await header.boundingBox())?.height;
  for (const [width, expected, isWide] of [
    [DESKTOP.width, 80, true],
    [769, 80, true],
    [768, 70, false],
    [PHONE.width, 70, false],
  ] as const) {
    await resize(page, { width, height: 800 });
    expect(await height()).toBe(expected);
    for (const name of ['Tournaments', 'Login']) {
      await expect(header.getByRole('link', { name })).toBeVisible({ visible: isWide });
    }
    await expect(header.getByRole('link', { name: 'Sign Up' })).toBeVisible();
  }
});

test('the public pages can be navigated by keyboard', async ({ page }) => {
  await page.goto('/tournaments');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Join a tournament' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Create Account' })).toBeVisible();
});

test('practice works without a network, alone and against the AI', async ({ ada: { page }, appliance }) => {
  await page.goto('/app/practice');
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await appliance.kill();
  try {
    await page.goto('/app/practice/local');
    await page.getByRole('gridcell', { name: /^Row 1, column 1,/ }).click();
    await expect(page.getByRole('gridcell', { name: /^Row 1, column 1, X/ })).toBeVisible();
    await page.goto('/app/practice/ai');
    await page.getByRole('gridcell', { name: /^Row 2, column 2,/ }).click();
    await expect(page.getByRole('gridcell', { name: /, O$/ })).toHaveCount(1);
    await page.goto('/');
    await expect(page).toHaveURL(/\/app\/home$/);
  } finally {
    await appliance.run();
  }
});

test('what was scrolled before the app was loaded stays', async ({ browser, appliance }) => {
  const context = await browser.newContext({ baseURL: appliance.url, viewport: { width: 390, height: 400 } });
  const page = await context.newPage();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/LoginPage-*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/login', { waitUntil: 'commit' });
  const forgot = page.getByRole('link', { name: 'Forgot your password?' });
  await forgot.evaluate((link) => link.scrollIntoView({ block: 'start' }));
  const scrolled = await page.evaluate(() => window.scrollY);
  expect(scrolled).toBeGreaterThan(0);
  release();
  // What React has taken over has its properties.
  await expect.poll(() => forgot.evaluate((link) => Object.keys(link).length)).toBeGreaterThan(0);
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
  await context.close();
});

/** Opens the page with its scripts held back, as on a slow network, until `release`. */
async function openSlowly(page: Page, address: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/{Login,Register}Page-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(address, { waitUntil: 'commit' });
  return () => release();
}

/** Has typed the address, half of it before the app took over. */
async function typeEarly(page: Page, label: string, release: () => void, takenOver: Locator): Promise<void> {
  const field = page.getByLabel(label);
  await field.click();
  await page.keyboard.type('ada@exa');
  release();
  await expect(takenOver).toBeVisible();
  await expect(field).toHaveValue('ada@exa');
  await expect(field).toBeFocused();
  await page.keyboard.type('mple.org');
  await expect(field).toHaveValue('ada@example.org');
}

test.describe('what was typed before the app was loaded stays', () => {
  // A worker of the page before would answer from its store.
  test.use({ serviceWorkers: 'block' });

  test('where the address says why a sign-in failed', async ({ page }) => {
    const release = await openSlowly(page, '/login?error=provider-denied');
    await typeEarly(page, 'Email or username', release, page.getByText('You did not allow the sign-in'));
  });

  test('where the address has a query that the page does not know, or a slash at its end', async ({ page }) => {
    for (const address of ['/register?from=elsewhere', '/register/']) {
      const release = await openSlowly(page, address);
      // Only the app knows that the server lets guests in, and that they can get an account by it.
      const isTakenOver = page.locator('form:not([data-offer])');
      await typeEarly(page, 'Email', release, isTakenOver);
    }
  });

  test('where the second step is no longer asked for', async ({ page }) => {
    const release = await openSlowly(page, '/login?step=second-factor');
    await typeEarly(page, 'Email or username', release, page.getByText('This sign-in took too long'));
  });

  test('while the page says something else first', async ({ page }) => {
    const release = await openSlowly(page, '/login?error=suspended');
    await page.getByLabel('Email or username').click();
    await page.keyboard.type('ada@example.org');
    release();
    await expect(page.getByRole('heading', { name: 'Account suspended' })).toBeFocused();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await expect(page.getByLabel('Email or username')).toHaveValue('ada@example.org');
  });

  test('in a tab that is in the middle of a recovery', async ({ page }) => {
    await page.addInitScript(() => {
      sessionStorage.setItem('morpion_recovery', JSON.stringify({ name: 'code', email: 'a@b.c', at: Date.now() }));
    });
    const release = await openSlowly(page, '/login');
    await typeEarly(page, 'Email or username', release, page.locator('form:not([data-offer])'));
  });
});
