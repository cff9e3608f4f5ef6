/** What stands in pages of other sites: an event and a game there, who reads for whom, and that nothing else may be framed. */

import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page, Request } from '@playwright/test';
import { call } from './calls';
import { expect, type Person, playOut, test as base } from './fixtures';

const EXAMPLE = readFileSync(new URL('../../examples/embed.html', import.meta.url), 'utf8');
/** The paths of all pages, as the build tells them to the server. */
const PAGES = readFileSync(new URL('../dist/pages.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

const NAVIGATION = { accept: 'text/html,application/xhtml+xml' };

// A browser says in its console that it does not frame something, which is what is tested.
const test = base.extend({
  // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
  soundPages: async ({}, use) => use(),
});

/** A site with one page. */
async function site(html: string): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html);
  }).listen(0);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

interface Shown {
  event: string;
  hidden: string;
  token: string;
}

/** An event that goes on, a private one, and a game that ada won and shared. */
async function seeded(ada: Person, bob: Person): Promise<Shown> {
  await playOut(ada, bob);
  const gameId = /\/app\/game\/([^/?]+)/.exec(ada.page.url())?.[1] ?? '';
  const { shareToken } = await call<{ shareToken: string }>(ada.page, 'game', 'share_game', { gameId });
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const made = async (title: string, isPrivate: boolean) => {
    const wish = { title, startTime: at(1), endTime: at(3), ...(isPrivate ? { isPrivate } : {}) };
    const { event } = await call<{ event: { eventId: string } }>(ada.page, 'event', 'create_event', wish);
    await call(ada.page, 'event', 'update_event', { eventId: event.eventId, eventState: 'published' });
    return event.eventId;
  };
  const [event, hidden] = [await made('Friday <b>Night</b>', false), await made('Secret', true)];
  await call(ada.page, 'event', 'start_event', { eventId: event });
  return { event, hidden, token: shareToken };
}

function frameAt(page: Page, path: string): Frame {
  const found = page.frames().find((frame) => new URL(frame.url()).pathname.startsWith(path));
  if (found === undefined) throw new Error(`no frame shows ${path}`);
  return found;
}

test('an event and a game stand in pages of other sites, as visitors see them', async ({ two, appliance, browser }) => {
  const [ada, bob] = two;
  await ada.promote(appliance);
  const { event, hidden, token } = await seeded(ada, bob);
  const html = EXAMPLE.replaceAll('https://play.example.org', appliance.url)
    .replace('/EVENT', `/${event}`)
    .replace('/TOKEN', `/${token}`);
  expect(html).not.toContain('play.example.org');
  const { server, port } = await site(html);
  // Of another site; and of the same one, where the browser sends cookies with the documents, to somebody who is signed in.
  const stranger = await (await browser.newContext()).newPage();
  for (const [page, host] of [
    [stranger, 'localhost'],
    [ada.page, '127.0.0.1'],
  ] as const) {
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await page.goto(`http://${host}:${port}/`);
    const [shown, played] = [page.frameLocator('iframe').first(), page.frameLocator('iframe').last()];
    await expect(shown.getByRole('heading', { name: 'Friday <b>Night</b>' })).toBeVisible();
    await expect(shown.getByText('Live')).toBeVisible();
    await expect(played.getByRole('grid', { name: 'The game' })).toBeVisible();
    await played.getByRole('button', { name: 'Back' }).click();
    await expect(played.getByRole('gridcell', { name: /, X$/ })).toHaveCount(0);
    await played.getByRole('button', { name: 'Next' }).click();
    await expect(played.getByRole('gridcell', { name: /, X$/ })).toHaveCount(1);
    const ours = requests.filter((request) => request.url().startsWith(appliance.url));
    const calls = ours.filter((request) => request.url().includes('/api/'));
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const request of calls) expect((await request.allHeaders()).cookie).toBeUndefined();
    expect(ours.every((request) => request.method() === 'GET')).toBe(true);
    if (host === '127.0.0.1') {
      const document = ours.find((request) => request.url().includes('/embed/event/'));
      expect((await document?.allHeaders())?.cookie, 'the browser sends it here').toContain('morpion_session');
    }
    const frame = frameAt(page, '/embed/event/');
    const stored = await frame.evaluate(() => [document.cookie.includes('morpion_session'), localStorage.length]);
    expect(stored[0]).toBe(false);
    const link = shown.getByRole('link', { name: 'Open on Morpion' });
    await expect(link).toHaveAttribute('rel', 'noopener');
    const opened = page.waitForEvent('popup');
    await link.click();
    const popup = await opened;
    await expect(popup).toHaveURL(`${appliance.url}/app/events/view/${event}`);
    expect(await popup.evaluate(() => window.opener === null)).toBe(true);
    await popup.close();
  }
  // Their host is signed in, and what is embedded does not know.
  const own = await ada.page.context().newPage();
  await own.goto(`${appliance.url}/embed/event/${hidden}`);
  await expect(own.getByRole('heading', { name: 'No such event' })).toBeVisible();
  await stranger.context().close();
  server.close();
});

test('light or dark goes by the browser, whatever was chosen in the app', async ({ two, appliance }) => {
  const [ada, bob] = two;
  await ada.promote(appliance);
  const { event } = await seeded(ada, bob);
  await ada.page.evaluate(() => localStorage.setItem('morpion_theme', 'light'));
  const ground = () => ada.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const seen = new Set<string>();
  for (const colorScheme of ['light', 'dark'] as const) {
    await ada.page.emulateMedia({ colorScheme });
    await ada.page.goto(`/embed/event/${event}`);
    await ada.sees('Friday <b>Night</b>');
    seen.add(await ground());
  }
  expect(seen.size).toBe(2);
});

test('no other page may be framed', async ({ two, appliance, browser, request }) => {
  const [ada, bob] = two;
  await ada.promote(appliance);
  const { event, token } = await seeded(ada, bob);
  const filled = PAGES.map((path) =>
    path
      .replace(':shareToken', token)
      .replace(/:eventId\??/, event)
      .replace(/:[a-zA-Z]+\??/, 'x'),
  );
  const others = ['/nowhere', '/embed', '/embed/index.html', '/embed/other/x', '/api/docs', '/api/openapi.json'];
  const files = ['/robots.txt', '/favicon.svg', '/healthz', '/oembed', '/api/backend/event?action=list_events'];
  let framed = 0;
  for (const path of [...filled, ...others, ...files]) {
    const policy = (await request.get(path, { headers: NAVIGATION })).headers()['content-security-policy'] ?? '';
    const mayBe = policy.includes('frame-ancestors *');
    expect(mayBe, path).toBe(/^\/embed\/(replay|event)\//.test(path));
    if (mayBe) framed += 1;
    else expect(policy, path).toContain("frame-ancestors 'none'");
  }
  expect(framed).toBe(2);
  expect(filled.length).toBeGreaterThan(40);

  // And the browser heeds it.
  const paths = ['/', '/login', `/replay/${token}`, `/app/events/view/${event}`, `/screen/${event}`, '/api/docs'];
  const frames = paths.map((path) => `<iframe src="${appliance.url}${path}"></iframe>`).join('');
  const { server, port } = await site(`<!doctype html>${frames}<iframe src="${appliance.url}/embed/event/${event}">`);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://localhost:${port}/`);
  await expect(page.frameLocator('iframe').last().getByRole('heading', { name: 'Friday <b>Night</b>' })).toBeVisible();
  const origins = await Promise.all(page.frames().map((frame) => frame.evaluate(() => window.origin)));
  expect(origins.filter((origin) => origin === appliance.url)).toHaveLength(1);
  await page.context().close();
  server.close();
});
