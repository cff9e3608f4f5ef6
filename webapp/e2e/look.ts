import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 800 };
/** Nobody's screen is narrower, hardly anybody's wider. */
const OUTER = [
  { width: 320, height: 568 },
  { width: 2560, height: 1440 },
];

export const THEMES = ['light', 'dark'] as const;

/** Answers when all of the page has taken on the colours. */
export async function wear(page: Page, theme: (typeof THEMES)[number]) {
  await page.evaluate(async (value) => {
    document.documentElement.setAttribute('data-mantine-color-scheme', value);
    await new Promise(requestAnimationFrame);
    const changing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    // One that is cancelled has an end as well.
    await Promise.allSettled(changing.map(({ finished }) => finished));
  }, theme);
}

/** Answers when the page looks as it does in that size. */
export async function resize(page: Page, size: { width: number; height: number }) {
  await page.setViewportSize(size);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** By how much what stood on the page moved by itself, and what it was. */
export interface Move {
  value: number;
  what: string[];
}

/** Notes what moves by itself on the pages that are opened from now on, and answers how to hear of it. */
export async function watchMoves(page: Page): Promise<() => Promise<Move[]>> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    const seen: Move[] = [];
    Object.assign(window, { moves: seen });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent) ?? '?');
        seen.push({ value, what: moved.map((each) => each.slice(0, 120)) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { moves: Move[] }).moves);
}

async function expectAccessible(page: Page, rules?: string[]) {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  );
}

async function expectNoSidewaysScroll(page: Page) {
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const message = `wider than ${String(page.viewportSize()?.width)} px`;
  // On a busy machine a page is laid out anew a moment after its window has changed.
  await expect.poll(excess, { message, timeout: 5_000 }).toBeLessThanOrEqual(0);
}

/** Every size and theme that people have: nothing for axe to find, nothing to scroll sideways. */
export async function look(page: Page) {
  for (const size of [PHONE, DESK]) {
    await resize(page, size);
    await expectNoSidewaysScroll(page);
    await wear(page, 'light');
    await expectAccessible(page);
    // A theme changes colours and nothing else.
    await wear(page, 'dark');
    await expectAccessible(page, ['color-contrast', 'link-in-text-block']);
  }
  for (const size of OUTER) {
    await resize(page, size);
    await expectNoSidewaysScroll(page);
  }
}
