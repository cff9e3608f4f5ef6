import type { Page } from '@playwright/test';
import { expect } from './fixtures';
import { DESKTOP, resize } from './pageChecks';

/** Phones that stand and lie, the desktop's window at 200 %, and where the cards stand above each other. */
const SIZES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 480, height: 900 },
  { width: 568, height: 320 },
  { width: DESKTOP.width / 2, height: DESKTOP.height / 2 },
  { width: 768, height: 1024 },
  DESKTOP,
];

/** What is cut off of the states and times at both seats. */
function cutTexts(page: Page): Promise<string[]> {
  return page.locator('[data-viewer]').evaluateAll((cards) =>
    cards.flatMap((card) => {
      const seat = card.getBoundingClientRect();
      const line = card.querySelector('small');
      const whole = line?.getBoundingClientRect() ?? seat;
      // What follows the first part is left out as a whole where it does not fit.
      const parts = [...(line?.children ?? [])].filter(
        (part, at) =>
          getComputedStyle(part).clipPath === 'none' &&
          (at === 0 || part.getBoundingClientRect().top < whole.bottom - 1),
      );
      const isWithin = (element: Element, { left, right }: DOMRect) => {
        const box = element.getBoundingClientRect();
        return box.left >= left - 1 && box.right <= right + 1;
      };
      const cut = [
        ...parts.filter((part) => {
          const isBelow = part.getBoundingClientRect().bottom > whole.bottom + 3;
          return isBelow || !isWithin(part, whole) || part.scrollWidth > part.clientWidth + 1;
        }),
        ...[line, ...card.querySelectorAll('[role=timer]')].filter(
          (text) =>
            text?.checkVisibility() && (!isWithin(text, seat) || text.getBoundingClientRect().bottom > seat.bottom),
        ),
      ];
      return cut.map((element) => element?.textContent ?? '');
    }),
  );
}

/** Texts at both seats that lie upon each other. */
function overlaps(page: Page): Promise<string[]> {
  return page.locator('[data-viewer]').evaluateAll((cards) =>
    cards.flatMap((card) => {
      const name = card.querySelector('b')?.getBoundingClientRect();
      const state = card.querySelector('small')?.getBoundingClientRect();
      const timer = card.querySelector('[role=timer]')?.getBoundingClientRect();
      const boxes = [name, state, timer].filter((box) => box !== undefined);
      const isOver = boxes.some((one, at) =>
        boxes
          .slice(at + 1)
          .some(
            (other) =>
              Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
              Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3,
          ),
      );
      return isOver ? [card.textContent] : [];
    }),
  );
}

/** Both seats of a game show their states and times in full, at every size and with text of twice its size. */
export async function expectWholeSeats(page: Page, shot: (name: string) => Promise<void>): Promise<void> {
  for (const size of SIZES) {
    await resize(page, size);
    for (const text of ['100%', '200%']) {
      await page.evaluate((share) => (document.documentElement.style.fontSize = share), text);
      const at = `${size.width} px, text at ${text}`;
      expect.soft(await cutTexts(page), at).toEqual([]);
      expect.soft(await overlaps(page), at).toEqual([]);
      await shot(`${size.width} ${text}`);
    }
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  }
}
