import type { Page } from '@playwright/test';

/** An element that received the focus. */
interface FocusStop {
  name: string;
  /** It looks different from how it looks without the focus. */
  hasFocusStyle: boolean;
  /** The element that hides it, if there is one. */
  coveredBy: string | null;
}

interface TabOrder {
  /** All focusable elements, in document order. */
  expected: string[];
  /** The elements that the Tab key reached. */
  stops: FocusStop[];
  /** The focus left the last of them: it is no trap. */
  hasEnd: boolean;
}

declare global {
  interface Window {
    focusedStop: () => Promise<FocusStop | null>;
    lastStop: Element | null;
  }
}

/** Tab also stops at each part of a field for a date and a time: at most so often. */
const PARTS = 8;

/** Presses Tab until the end of the page. */
export async function tabThrough(page: Page): Promise<TabOrder> {
  await page.bringToFront();
  const expected = await page.evaluate(collectTabStops);
  const stops: FocusStop[] = [];
  for (let step = 0; stops.length < expected.length && step < expected.length + PARTS; step += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(isNextPart)) continue;
    const stop = await page.evaluate(() => window.focusedStop());
    if (stop === null) break;
    stops.push(stop);
  }
  const last = await page.evaluateHandle(() => document.activeElement);
  await page.keyboard.press('Tab');
  const hasEnd = await page.evaluate((element) => document.activeElement !== element, last);
  return { expected, stops, hasEnd };
}

/** Runs in the page: whether Tab went on within a field for a date and a time. */
function isNextPart(): boolean {
  const before = window.lastStop;
  window.lastStop = document.activeElement;
  return before === window.lastStop && before?.matches('input[type="datetime-local"]') === true;
}

/** Runs in the page: moves the focus to its top and returns the names of all elements that Tab has to reach. */
function collectTabStops(): string[] {
  const nameOf = (element: Element) => {
    const text = element.getAttribute('aria-label') ?? (element.textContent || element.id);
    return `${element.tagName.toLowerCase()} ${text.slice(0, 50)}`;
  };
  const styleOf = (element: Element) =>
    [element, element.closest('label'), element.parentElement, element.nextElementSibling]
      .filter((part) => part !== null)
      .map((part) => {
        const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(part);
        // A link that covers a whole card shows its outline on its pseudo-element.
        return [outline, boxShadow, borderColor, backgroundColor, getComputedStyle(part, '::after').outline].join();
      })
      .join(';');
  const isTabbable = (element: HTMLElement) => {
    if (element.tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]')) return false;
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
    // Tab stops once in a group of radio buttons: at the checked one.
    const named = document.querySelectorAll<HTMLInputElement>(`input[name="${CSS.escape(element.name)}"]`);
    const group = [...named].filter(({ type }) => type === 'radio');
    return element === (group.find(({ checked }) => checked) ?? group[0]);
  };
  const coveringElement = (element: HTMLElement) => {
    // An input that its label draws has no size of its own.
    const drawn = element.offsetWidth > 1 ? element : (element.closest('label') ?? element);
    const { left, top, width, height } = drawn.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (hit === null) return `the edge, at ${left},${top}`;
    const isClear = drawn.contains(hit) || hit.contains(drawn) || hit.closest('label')?.control === element;
    return isClear ? null : nameOf(hit);
  };

  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const all = [...document.querySelectorAll<HTMLElement>(focusable)].filter(isTabbable);
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  window.scrollTo(0, 0);
  const before = new Map(all.map((element) => [element, styleOf(element)]));
  window.focusedStop = async () => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const inspect = () => ({
      hasFocusStyle: styleOf(element) !== before.get(element),
      coveredBy: coveringElement(element),
    });
    let { hasFocusStyle, coveredBy } = inspect();
    // Even without animations a style change takes a frame, and several on a busy machine.
    for (let frame = 0; frame < 30 && (!hasFocusStyle || coveredBy !== null); frame += 1) {
      await new Promise(requestAnimationFrame);
      ({ hasFocusStyle, coveredBy } = inspect());
    }
    return { name: nameOf(element), hasFocusStyle, coveredBy };
  };
  return all.map(nameOf);
}
