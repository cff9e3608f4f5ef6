import type { Page } from '@playwright/test';

/** A place where the focus rests. */
interface Stop {
  name: string;
  /** It looks other than without the focus. */
  isSeen: boolean;
  /** What lies over it, where it cannot be seen for that. */
  under: string | null;
}

interface Walk {
  /** All that can have the focus, in the order of the page. */
  wanted: string[];
  /** Where the Tab key led. */
  stops: Stop[];
  /** The focus went on past the last of them. */
  hasEnd: boolean;
}

declare global {
  interface Window {
    focusedStop: () => Promise<Stop | null>;
  }
}

/** Goes through the page as somebody without a mouse does. */
export async function walk(page: Page): Promise<Walk> {
  await page.bringToFront();
  const wanted = await page.evaluate(prepare);
  const stops: Stop[] = [];
  for (let step = 0; step < wanted.length; step += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => window.focusedStop());
    if (stop === null) break;
    stops.push(stop);
  }
  const last = await page.evaluateHandle(() => document.activeElement);
  await page.keyboard.press('Tab');
  const hasEnd = await page.evaluate((element) => document.activeElement !== element, last);
  return { wanted, stops, hasEnd };
}

/** In the page: puts the focus at its top, and answers the names of what can be reached from there. */
function prepare(): string[] {
  const nameOf = (element: Element) => {
    const text = element.getAttribute('aria-label') ?? (element.textContent || element.id);
    return `${element.tagName.toLowerCase()} ${text.slice(0, 50)}`;
  };
  const looksOf = (element: Element) =>
    [element, element.closest('label'), element.parentElement, element.nextElementSibling]
      .filter((part) => part !== null)
      .map((part) => {
        const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(part);
        // A link that is a whole card shows it on what it lays over the card.
        return [outline, boxShadow, borderColor, backgroundColor, getComputedStyle(part, '::after').outline].join();
      })
      .join(';');
  const isReached = (element: HTMLElement) => {
    if (element.tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]')) return false;
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
    // Of a group of radio buttons the chosen one stands for all.
    const named = document.querySelectorAll<HTMLInputElement>(`input[name="${CSS.escape(element.name)}"]`);
    const group = [...named].filter(({ type }) => type === 'radio');
    return element === (group.find(({ checked }) => checked) ?? group[0]);
  };
  const under = (element: HTMLElement) => {
    // What is drawn by its label has no size of its own.
    const drawn = element.offsetWidth > 1 ? element : (element.closest('label') ?? element);
    const { left, top, width, height } = drawn.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (hit === null) return `the edge, at ${left},${top}`;
    const isClear = drawn.contains(hit) || hit.contains(drawn) || hit.closest('label')?.control === element;
    return isClear ? null : nameOf(hit);
  };

  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const all = [...document.querySelectorAll<HTMLElement>(focusable)].filter(isReached);
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  window.scrollTo(0, 0);
  const before = new Map(all.map((element) => [element, looksOf(element)]));
  window.focusedStop = async () => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const look = () => ({ isSeen: looksOf(element) !== before.get(element), under: under(element) });
    let { isSeen, under: over } = look();
    // Even without motion a change of style takes a frame, and on a busy machine some.
    for (let frame = 0; frame < 30 && (!isSeen || over !== null); frame += 1) {
      await new Promise(requestAnimationFrame);
      ({ isSeen, under: over } = look());
    }
    return { name: nameOf(element), isSeen, under: over };
  };
  return all.map(nameOf);
}
