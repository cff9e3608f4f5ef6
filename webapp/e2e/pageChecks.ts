import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type * as Axe from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };
/** The narrowest phones in use, and a wide desktop screen. */
const EXTREME_SIZES = [
  { width: 320, height: 568 },
  { width: 2560, height: 1440 },
];

export const THEMES = ['light', 'dark'] as const;

/** Sets the theme and waits until all colour transitions have ended. */
export async function setTheme(page: Page, theme: (typeof THEMES)[number]) {
  await page.evaluate(async (value) => {
    document.documentElement.setAttribute('data-mantine-color-scheme', value);
    const isChanging = ({ playState, effect }: Animation) =>
      playState === 'running' && effect?.getComputedTiming().endTime !== Infinity;
    // What inherits a colour may begin to change when its parent has ended.
    for (;;) {
      await new Promise(requestAnimationFrame);
      const changing = document.getAnimations().filter(isChanging);
      if (changing.length === 0) return;
      // A cancelled animation rejects.
      await Promise.allSettled(changing.map(({ finished }) => finished));
    }
  }, theme);
}

/** Resizes the window and waits until the page is laid out again. */
export async function resize(page: Page, size: { width: number; height: number }) {
  await page.setViewportSize(size);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** A layout shift as the browser scores it, and the elements that moved. */
export interface LayoutShift {
  value: number;
  what: string[];
}

/** Records layout shifts from the next page load on; the returned function reads them. */
export async function watchLayoutShifts(page: Page): Promise<() => Promise<LayoutShift[]>> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    const seen: LayoutShift[] = [];
    Object.assign(window, { layoutShifts: seen });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent) ?? '?');
        seen.push({ value, what: moved.map((each) => each.slice(0, 120)) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { layoutShifts: LayoutShift[] }).layoutShifts);
}

/** Axe is loaded into a document once, and runs in the page itself: no page has frames of another origin. */
async function loadAxe(page: Page) {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE);
  }
}

async function expectAccessible(page: Page, rules?: string[]) {
  await loadAxe(page);
  const found = await page.evaluate(async (values) => {
    const { axe } = window as unknown as { axe: typeof Axe };
    // The details of rules that pass are not collected.
    const runOnly = values === undefined ? {} : { runOnly: { type: 'rule' as const, values } };
    const { violations } = await axe.run(document, { resultTypes: ['violations'], ...runOnly });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }, rules);
  expect(found).toEqual([]);
}

async function expectNoSidewaysScroll(page: Page) {
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const message = `wider than ${String(page.viewportSize()?.width)} px`;
  // On a busy machine the new layout is ready a moment after the resize.
  await expect.poll(excess, { message, timeout: 5_000 }).toBeLessThanOrEqual(0);
}

/** In every size and theme axe finds no violations, and the page does not scroll sideways. */
export async function expectAccessibleEverywhere(page: Page) {
  for (const size of [PHONE, DESKTOP]) {
    await resize(page, size);
    await expectNoSidewaysScroll(page);
    await setTheme(page, 'light');
    await expectAccessible(page);
    // A theme changes only colours.
    await setTheme(page, 'dark');
    await expectAccessible(page, ['color-contrast', 'link-in-text-block']);
  }
  for (const size of EXTREME_SIZES) {
    await resize(page, size);
    await expectNoSidewaysScroll(page);
  }
}
