import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Appliance } from './appliance';
import { ownHeaders } from './calls';
import { expect, newPerson, type Person, test as base } from './fixtures';
import { expectAccessibleEverywhere } from './pageChecks';

/** A separate server that logs every call and accepts any number of log records from pages. */
const test = base.extend<object, { appliance: Appliance }>({
  appliance: [
    // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
    async ({}, use) => {
      const appliance = await Appliance.start({
        MORPION_LOG__LEVEL: 'info',
        MORPION_LIMITS__CLIENT_LOGS_PER_MINUTE: '10000',
      });
      await use(appliance);
      await appliance.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test.use({ actionTimeout: 20_000, contextOptions: { reducedMotion: 'reduce' } });
test.describe.configure({ timeout: 300_000 });

const cards = (page: Page) => page.getByRole('list', { name: 'Logs', exact: true }).getByRole('listitem');
const rows = (page: Page) => page.getByRole('region', { name: 'Newest logs' }).locator('[data-record]');
const detail = (page: Page) => page.getByRole('dialog', { name: 'Log record' });
const state = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });

async function adminOf(browser: Parameters<typeof newPerson>[0], appliance: Appliance): Promise<Person> {
  const admin = await newPerson(browser, { baseURL: appliance.url });
  await admin.promote(appliance);
  return admin;
}

async function openLogs({ page }: Person, search = '?level=all') {
  await page.goto(`/app/admin/logs${search}`);
  await expect(page.getByRole('heading', { name: 'Error Logs' })).toBeVisible();
}

/** Raises an error in the page, for its reporter. */
const fail = ({ page }: Person, message: string) =>
  page.evaluate((text) => {
    window.dispatchEvent(new ErrorEvent('error', { message: text, error: new Error(text) }));
  }, message);

/** Sends a log record without the page's reporter, which would not send such texts. */
async function report({ page }: Person, message: object) {
  const origin = new URL(page.url()).origin;
  const response = await page.request.post(`${origin}/api/backend/logger`, {
    headers: await ownHeaders(page, origin),
    data: { action: 'bulkLog', payload: { messages: [message] } },
  });
  expect(response.status()).toBe(200);
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

test('an error that a user saw is found by the id on their screen', async ({ browser, appliance }) => {
  const admin = await adminOf(browser, appliance);
  const ada = await newPerson(browser, { baseURL: appliance.url });

  let requestId = '';
  await test.step('Ada sees an error with the id of the request', async () => {
    await ada.page.route(/\/api\/backend\/event\?action=get_event_by_id/, async (route) => {
      // The server responds, and the response is lost.
      const answer = await route.fetch();
      requestId = answer.headers()['x-request-id'] ?? '';
      const body = { succeeded: false, errorCode: 'internal', errorMessage: 'Something went wrong.', requestId };
      await route.fulfill({ status: 500, json: body });
    });
    // Within the app: a newly loaded document fetches again once its realtime connection is open.
    await ada.page.evaluate(() => {
      history.pushState(null, '', '/app/events/view/11111111-1111-4111-8111-111111111111');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await expect(ada.page.getByText(/^Something went wrong\. \(Request [\da-f-]{36}\)$/)).toBeVisible();
    await expect(ada.page.getByText(requestId)).toBeVisible();
  });

  const { page } = admin;
  await test.step('an admin pastes it into the search', async () => {
    await openLogs(admin);
    await expect(async () => {
      await page.getByRole('searchbox', { name: 'Search logs' }).fill(`(Request ${requestId})`);
      await expect(page).toHaveURL(`/app/admin/logs?request=${requestId}&order=asc`, { timeout: 3_000 });
    }).toPass();
    // The page's record comes a little later than the server's.
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(cards(page)).toHaveCount(2, { timeout: 1_000 });
    }).toPass();
    await expect(cards(page).nth(0)).toContainText(/http.*answered.*status=404/s);
    await expect(cards(page).nth(1)).toContainText(/webapp.*web.*GET \/api\/backend\/event: 500/s);
  });

  await test.step('the record links to all records of its request, session and user', async () => {
    await page.getByRole('button', { name: 'GET /api/backend/event: 500' }).click();
    const record = detail(page);
    await expect(record.getByText(requestId)).toBeVisible();
    await expect(record.getByText(ada.name)).toBeVisible();
    await expect(record.getByText('/app/events/view/11111111-1111-4111-8111-111111111111')).toBeVisible();
    await expectAccessibleEverywhere(page);
    await record.getByRole('link', { name: 'Everything of this session' }).click();
    await expect(page).toHaveURL(/\?session=[^&]+$/);
    await expect(cards(page).filter({ hasText: 'GET /api/backend/event: 500' }).first()).toBeVisible();
    await page.goBack();
    await detail(page).getByRole('link', { name: 'Everything of this user' }).click();
    await expect(page.getByRole('combobox', { name: 'User' })).toHaveValue(ada.name);
    await expect(cards(page).first()).toBeVisible();
    await page.goBack();
    await detail(page).getByRole('link', { name: 'Everything of this request' }).click();
    await expect(cards(page)).toHaveCount(2);
  });

  await test.step('filters are in the URL, are restored from it, and are undone by Back', async () => {
    await openLogs(admin);
    await page.getByRole('combobox', { name: 'Service' }).selectOption('webapp');
    await page.getByRole('combobox', { name: 'Level' }).selectOption('Error');
    await page.getByRole('searchbox', { name: 'Search logs' }).fill('api/BACKEND');
    await expect(page).toHaveURL('/app/admin/logs?q=api%2FBACKEND&level=error&service=webapp');
    await expect(cards(page).first().locator('mark')).toHaveText('api/backend');
    await page.reload();
    await expect(page.getByRole('searchbox', { name: 'Search logs' })).toHaveValue('api/BACKEND');
    await expect(cards(page).first()).toContainText('webapp');
    await page.goBack();
    await page.goBack();
    await expect(page).toHaveURL('/app/admin/logs?service=webapp');
    await expect(page.getByRole('combobox', { name: 'Level' })).toHaveValue('');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(cards(page)).toHaveCount(10);
    await expectAccessibleEverywhere(page);
  });

  await test.step('keys move through the list', async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Search logs' })).toBeFocused();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(detail(page).getByText('2 of the 10 in the list')).toBeVisible();
    await page.keyboard.press('k');
    await expect(detail(page).getByText('1 of the 10 in the list')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(detail(page)).toBeHidden();
  });

  await test.step('matching records are saved line by line', async () => {
    await page.getByRole('combobox', { name: 'Service' }).selectOption('webapp');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^morpion-logs-.*\.ndjson$/);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
    const services = lines.map((line) => (JSON.parse(line) as { service: string }).service);
    expect(new Set(services)).toEqual(new Set(['webapp']));
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });

  await test.step('the live log shows records as they are written, also after a restart of the server', async () => {
    await page.getByRole('combobox', { name: 'Service' }).selectOption('webapp');
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await expect(state(page, 'Live')).toBeVisible();
    await fail(ada, 'the pen broke');
    await expect(rows(page).first()).toContainText('the pen broke');
    await expectAccessibleEverywhere(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    await fail(ada, 'the chalk broke');
    await page.getByRole('button', { name: '1 new record' }).click();
    await expect(rows(page).first()).toContainText('the chalk broke');
    await appliance.kill();
    await expect(state(page, 'Reconnecting…')).toBeVisible();
    await appliance.run();
    await expect(state(page, 'Live')).toBeVisible({ timeout: 60_000 });
    await fail(ada, 'the sponge broke');
    await expect(rows(page).first()).toContainText('the sponge broke');
    const ids = await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('data-record')));
    expect(new Set(ids).size).toBe(ids.length);
    await page.getByRole('button', { name: 'Live', exact: true }).click();
  });

  await test.step('it is cleared after a confirmation with the number of records', async () => {
    await page.getByRole('button', { name: 'Clear All' }).click();
    const asking = page.getByRole('dialog', { name: 'Clear All Logs' });
    await expect(asking.getByText(/^\d+ records$/)).toBeVisible();
    await asking.getByRole('button', { name: 'Keep Logs' }).click();
    await expect(asking).toBeHidden();
    await expect(cards(page).first()).toBeVisible();
    await page.getByRole('button', { name: 'Clear All' }).click();
    await asking.getByRole('button', { name: 'Clear All' }).click();
    await expect(page.getByText(/^\d+ records cleared\.$/)).toBeVisible();
    await expect(page.getByText('No error logs found')).toBeVisible();
    await expectAccessibleEverywhere(page);
    await page.goto('/app/admin/audit');
    await expect(page.getByRole('row', { name: /Clear logs/ })).toBeVisible();
  });
});

/** Secrets that must not be in a log, and records in which a page might send them. */
const SECRETS: [secret: string, message: object][] = [
  ['Hunter2-and-more', { level: 'error', message: 'sign-in with {"password":"Hunter2-and-more"} failed' }],
  ['482913', { level: 'warning', message: 'the code: 482913 was refused' }],
  [
    'tok3n-of-a-session',
    { level: 'error', message: 'odd cookie', context: 'Cookie: morpion_session=tok3n-of-a-session' },
  ],
  ['4242 4242 4242 4242', { level: 'error', message: 'card 4242 4242 4242 4242 was declined' }],
  ['c2VjcmV0LWJlYXJlcg', { level: 'info', message: 'odd call', stack: 'sent Bearer c2VjcmV0LWJlYXJlcg to it' }],
];

test('a secret in a report of a page is stored nowhere', async ({ browser, appliance }) => {
  const admin = await adminOf(browser, appliance);
  for (const [, message] of SECRETS) await report(admin, message);
  const { page } = admin;
  await openLogs(admin, '?service=webapp');
  await expect(cards(page).filter({ hasText: 'the code: [hidden] was refused' })).toBeVisible();
  for (const [secret] of SECRETS) await expect(page.locator('body')).not.toContainText(secret);
  for (const name of ['odd cookie', 'odd call']) {
    await page.getByRole('button', { name }).click();
    await expect(
      detail(page)
        .getByText(/\[hidden\]/)
        .first(),
    ).toBeVisible();
    for (const [secret] of SECRETS) await expect(detail(page)).not.toContainText(secret);
    await page.keyboard.press('Escape');
  }
  for (const [secret] of SECRETS) {
    await page.getByRole('searchbox', { name: 'Search logs' }).fill(secret);
    await expect(page.getByText('No error logs found')).toBeVisible();
  }
  const exported = await page.request.get('/api/backend/logger?action=exportLogs&payload={}');
  const text = await exported.text();
  expect(text).toContain('[hidden]');
  for (const [secret] of SECRETS) expect(text).not.toContain(secret);

  // Everything is on disk once the server has ended.
  await appliance.kill();
  const files = await filesOf(appliance.dataDir);
  expect(files.some((file) => /logs.*\.(json|log)/.test(file))).toBe(true);
  for (const file of files) {
    const bytes = await readFile(file);
    for (const [secret] of SECRETS) expect(bytes.includes(secret), `${secret} in ${file}`).toBe(false);
  }
  await appliance.run();
});

test('a flood of 1,000 records a second does not overload the page', async ({ browser, appliance }) => {
  const admin = await adminOf(browser, appliance);
  const { page } = admin;
  await page.addInitScript(pour);
  await openLogs(admin, '?live=1');
  await expect(rows(page).first()).toContainText('drop ');

  // The page's own processor time, independent of the machine's load, is less than half a second per second.
  const measured = await page.context().newCDPSession(page);
  await measured.send('Performance.enable', { timeDomain: 'threadTicks' });
  const look = async () => {
    const { metrics } = await measured.send('Performance.getMetrics');
    const worked = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
    return { worked, drops: await page.evaluate(() => window.drops) };
  };
  const before = await look();
  await page.waitForTimeout(3_000);
  const after = await look();
  const seconds = (after.drops - before.drops) / 1_000;
  expect(seconds).toBeGreaterThan(1);
  expect((after.worked - before.worked) / seconds).toBeLessThan(0.5);
  expect(await rows(page).count()).toBeLessThan(60);

  // Paused, it does not move and shows how many records are waiting.
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(state(page, 'Paused')).toBeVisible({ timeout: 2_000 });
  const still = await rows(page).first().textContent();
  await expect(page.getByRole('button', { name: /^[\d,]+\+? new records$/ })).toBeVisible();
  expect(await rows(page).first().textContent()).toBe(still);

  await expect.poll(() => page.evaluate(() => window.drops)).toBeGreaterThan(3_000);
  const told = await page.evaluate(() => {
    window.isPouring = false;
    return window.drops;
  });
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(rows(page).first()).toContainText(`drop ${told - 1} `);
  await expect(page.getByText('The newest 2,000 are kept here; the whole log is in the pages.')).toBeVisible();
});

declare global {
  interface Window {
    /** Records sent so far. */
    drops: number;
    isPouring: boolean;
  }
}

/** Runs in the page: once it follows the log, it receives a thousand records a second until `isPouring` is false. */
function pour(): void {
  window.drops = 0;
  window.isPouring = true;
  const record = (number: number) => {
    const id = `${1_000 + Math.floor(number / 1024)}-${number % 1024}`;
    return {
      _id: id,
      logId: id,
      level: number % 50 === 0 ? 'error' : 'info',
      platform: 'server',
      service: 'play',
      message: `drop ${number}`,
      context: `game=${id} latency_ms=0.4`,
      timestamp: new Date().toISOString(),
    };
  };
  const Real = window.WebSocket;
  window.WebSocket = class extends Real {
    #isFollowing = false;

    override send(text: string) {
      super.send(text);
      if (this.#isFollowing || !text.includes('"subscribeLogs"')) return;
      this.#isFollowing = true;
      // The server's acknowledgement comes first.
      const begun = performance.now() + 1_000;
      const tell = () => {
        if (!window.isPouring) return;
        for (const due = performance.now() - begun; window.drops < due; window.drops += 1) {
          const data = JSON.stringify({ event: 'logAppended', data: record(window.drops) });
          this.dispatchEvent(new MessageEvent('message', { data }));
        }
        setTimeout(tell, 5);
      };
      tell();
    }
  };
}
