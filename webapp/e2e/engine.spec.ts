import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { Engine } from '../src/engine/engine.ts';
import { positionFromCells, rowCol } from '../src/engine/position.ts';
import { expect, type Person, playInTurn, test } from './fixtures';

// Whole games against the AI, which takes half a second for each move.
test.describe.configure({ timeout: 150_000 });

const engine = new Engine();

type Size = 3 | 4 | 5 | 6;

interface Setting {
  size: Size;
  level: string;
}

async function setUp(page: Page, { size, level }: Setting) {
  await page.goto('/app/practice/ai');
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  // The radio buttons are drawn as cards, which receive the click.
  await dialog.locator('label', { has: page.getByRole('radio', { name: new RegExp(`^${size}x${size}`) }) }).click();
  await dialog.locator('label', { has: page.getByRole('radio', { name: level }) }).click();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('gridcell')).toHaveCount(size * size);
}

const statusPanel = (page: Page) => page.getByRole('region', { name: 'Status' });
const status = (page: Page) => statusPanel(page).getByRole('heading');

function contents(page: Page): Promise<string[]> {
  return page.getByRole('gridcell').evaluateAll((cells) => cells.map((cell) => cell.dataset.content ?? ''));
}

/** Plays X with the engine's best moves until the game is over, and returns the result. */
async function playOut(page: Page, size: Size): Promise<string> {
  for (;;) {
    await expect(status(page)).not.toHaveText('AI is thinking...');
    const title = await status(page).innerText();
    if (title !== 'Your Turn') return title;
    const position = positionFromCells(size, await contents(page), 'X');
    const { cell } = engine.chooseMove(position, 'perfect', { ms: 2000 }, 1);
    await playAt(page, size, cell);
  }
}

async function playAt(page: Page, size: Size, cell: number) {
  const [row, col] = rowCol(size, cell);
  const place = page.getByRole('gridcell', { name: new RegExp(`^Row ${row + 1}, column ${col + 1},`) });
  await place.click();
  await expect(place).toHaveAccessibleName(/, X$/);
}

test('Easy can be beaten', async ({ ada }) => {
  const { page } = ada;
  await setUp(page, { size: 3, level: 'Easy' });
  // Against perfect play it loses 39 of 40 games.
  for (let game = 0; game < 4; game++) {
    if ((await playOut(page, 3)) === 'You Won!') break;
    await page.getByRole('button', { name: 'Reset' }).click();
  }
  await expect(status(page)).toHaveText('You Won!');
  await expect(statusPanel(page)).toContainText('Congratulations! You beat the AI!');
});

test('Perfect can be held to a draw, and the review finds no mistakes', async ({ ada }) => {
  const { page } = ada;
  await setUp(page, { size: 3, level: 'Perfect' });
  expect(await playOut(page, 3)).toBe("It's a Draw!");
  await page.getByRole('link', { name: 'See why' }).click();
  await expect(page.getByText('No mistakes were found.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to practice' }).click();
  await expect(status(page)).toHaveText("It's a Draw!");
});

test('Perfect wins 6×6 after an opening on the edge', async ({ ada }) => {
  const { page } = ada;
  await setUp(page, { size: 6, level: 'Perfect' });
  await expect(statusPanel(page)).toContainText('On 6×6 whoever starts can force a win. That is you: find it!');
  await playAt(page, 6, 0);
  expect(await playOut(page, 6)).toBe('AI Won!');
});

test('a finished live game is reviewed, and its link works without signing in', async ({ two, browser, baseURL }) => {
  const [ada, bob] = two;
  await ada.invite(bob);
  await bob.accept(ada);
  // X plays a corner, O makes a mistake on the edge, X wins.
  await playInTurn(
    [ada, bob],
    [
      [1, 1],
      [1, 2],
      [3, 1],
      [2, 1],
      [3, 3],
      [2, 2],
      [3, 2],
    ],
  );
  await ada.sees('You Won!');
  await ada.page.getByRole('link', { name: 'See why' }).click();
  await expect(ada.page).toHaveURL(/\/app\/game\/[^/]+\/replay$/);
  await ada.sees(`${ada.name} Won!`);
  await expect(ada.page.getByText(`Mistakes: ${bob.name} once.`)).toBeVisible();

  await ada.page.getByRole('button', { name: 'Move 2: Threw the draw' }).click();
  const verdict = ada.page.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading')).toHaveText('Threw the draw');
  await verdict.getByRole('button', { name: 'See why' }).click();
  await expect(verdict.getByText(new RegExp(`^${ada.name} wins on move`))).toBeVisible();
  await verdict.getByRole('button', { name: 'Back to the game' }).click();
  await expect(ada.page).toHaveURL(/\/replay\?move=2$/);

  await ada.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await ada.page.getByRole('button', { name: 'Share' }).click();
  await ada.page.getByRole('button', { name: 'Copy link' }).click();
  const link = await ada.page.getByLabel('Link to this game').inputValue();
  expect(link).toMatch(/\?move=2$/);
  await expectPicture(ada.page);

  await bob.page.goto('/app/home');
  await bob.page.getByRole('link', { name: `Replay the game with ${ada.name}` }).click();
  await bob.sees(`${ada.name} Won!`);

  await watchAsVisitor(browser, baseURL, link, two);
});

/** The downloaded picture is a PNG of 1200×630 pixels. */
async function expectPicture(page: Page) {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download picture' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('morpion.png');
  const png = await readFile(await download.path());
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  // A blank picture would be far smaller.
  expect(png.length).toBeGreaterThan(10_000);
}

async function watchAsVisitor(
  browser: Browser,
  baseURL: string | undefined,
  link: string,
  [ada, bob]: [Person, Person],
) {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const page = await context.newPage();
  await page.goto(link);
  await expect(page.getByText(bob.name, { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: `${ada.name} Won!` })).toBeVisible();
  await expect(page.getByText(`Mistakes: ${bob.name} once.`)).toBeVisible();
  await page.keyboard.press('Home');
  await expect(page.getByText('With best play 3×3 is a draw.')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  expect(await contents(page)).toEqual(['X', '', '', '', '', '', '', '', '']);
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('Space');
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('4×');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Next move' })).toBeDisabled();
  expect(await contents(page)).toEqual(['X', 'O', '', 'O', 'O', '', 'X', 'X', 'X']);
  await context.close();
}

/** A 6×6 game of thirty moves, which takes the engine some seconds to analyse. */
const LONG_GAME = '/replay/moves/6X470yhnz9id2l53xs1w8vkbp6ruqgta';
/** The longest allowed task, in milliseconds. */
const FRAME_MS = 50;

test('the page is never blocked while the engine thinks', async ({ page, browser }) => {
  await page.goto('/replay/moves/3X4');
  await expect(page.getByText('No mistakes were found.')).toBeVisible();
  await page.goto(LONG_GAME);
  await expect(page.getByText(/^Looked at \d+ so far…/)).toBeVisible();
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  await expect(page.getByText(/^(Mistakes:|No (proven )?mistakes)/)).toBeVisible({ timeout: 45_000 });
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const tasks = mainThreadTasks(trace.traceEvents);
  expect(tasks.length).toBeGreaterThan(20);
  expect(Math.max(...tasks)).toBeLessThan(FRAME_MS);
});

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Processor time in microseconds, independent of the machine's load. */
  tdur?: number;
  args?: { name?: string };
}

/** Milliseconds of processor time of each task on the main thread of the page. */
function mainThreadTasks(events: TraceEvent[]): number[] {
  const main = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && main.has(`${pid} ${tid}`))
    .flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]));
}

test('a game continues when the browser terminates the worker, and without a network', async ({ ada }) => {
  const { page } = ada;
  await page.addInitScript(() => {
    const workers: Worker[] = [];
    const Plain = window.Worker;
    window.Worker = class extends Plain {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        workers.push(this);
      }
    };
    Object.assign(window, { endWorkers: () => workers.splice(0).forEach((worker) => worker.terminate()) });
  });
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('The AI failed')) warnings.push(message.text());
  });
  await setUp(page, { size: 5, level: 'Perfect' });
  await playAt(page, 5, 12);
  await expect(status(page)).toHaveText('Your Turn');

  await page.evaluate(() => (window as unknown as { endWorkers: () => void }).endWorkers());
  await playAt(page, 5, 0);
  await expect(status(page)).toHaveText('Your Turn');

  // From here on the service worker serves the app without a network.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.context().setOffline(true);
  await page.evaluate(() => (window as unknown as { endWorkers: () => void }).endWorkers());
  expect(await playOut(page, 5)).not.toBe('You Won!');
  await page.getByRole('link', { name: 'See why' }).click();
  await expect(page.getByText(/^(Mistakes:|No (proven )?mistakes)/)).toBeVisible();
  await page.context().setOffline(false);
  expect(warnings).toEqual([]);
});
