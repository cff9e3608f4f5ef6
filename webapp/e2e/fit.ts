import type { Page } from '@playwright/test';

/* eslint-disable max-lines-per-function -- all of it runs in the page, which sees nothing of this file */

/** What does not fit on the screen, in words; empty if all does. */
export function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK = 1.5;
    /** Bars that do not scroll may take this part of the height. */
    const BARS = 0.25;
    const found = new Set<string>();
    const name = (element: Element) => {
      const text = (element.getAttribute('aria-label') ?? element.textContent).trim().replaceAll(/\s+/g, ' ');
      const classes = element.getAttribute('class')?.split(' ')[0] ?? '';
      return `${element.tagName.toLowerCase()}.${classes} '${text.slice(0, 40)}'`;
    };
    const ancestors = (element: Element): Element[] => {
      const all: Element[] = [];
      for (let at: Element | null = element; at !== null; at = at.parentElement) all.push(at);
      return all;
    };
    const isHiddenVisually = (element: Element) =>
      ancestors(element).some((each) => {
        const { clipPath, opacity } = getComputedStyle(each);
        const { width, height } = each.getBoundingClientRect();
        return (clipPath !== 'none' && width <= 2 && height <= 2) || opacity === '0' || each.matches('[inert]');
      });
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !isHiddenVisually(element);
    const layerOf = (element: Element) =>
      ancestors(element).find((each) => ['fixed', 'sticky'].includes(getComputedStyle(each).position));
    const scrollerOf = (element: Element) =>
      ancestors(element)
        .slice(1)
        .find((each) => !['BODY', 'HTML'].includes(each.tagName) && getComputedStyle(each).overflowX !== 'visible');
    const seen = [...document.body.querySelectorAll('*')].filter(isSeen);

    // Beyond the edges.
    for (const element of seen) {
      const { left, right, width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0 || scrollerOf(element) !== undefined || element.closest('svg') !== null) continue;
      if (left < -SLACK || right > innerWidth + SLACK) found.add(`beyond the edge: ${name(element)}`);
    }

    // Cut off, or out of its box.
    const hasText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
    for (const element of seen.filter(hasText)) {
      const { overflowX, overflowY, display } = getComputedStyle(element);
      const isCut = element.scrollWidth > element.clientWidth + SLACK && !['auto', 'scroll'].includes(overflowX);
      const isCutBelow = overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 4;
      if (display.startsWith('inline') || element.clientWidth === 0 || element.closest('[title]') !== null) continue;
      if (isCut || isCutBelow) found.add(`cut off: ${name(element)}`);
    }

    // One upon the other.
    const overlap = (a: DOMRect, b: DOMRect, slack: number) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
    const isWithin = (a: DOMRect, b: DOMRect) =>
      a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
    const compare = (boxes: { of: Element; rects: DOMRect[] }[], slack: number, kind: string) => {
      const layers = new Map(boxes.map((box) => [box, [layerOf(box.of), scrollerOf(box.of)]]));
      boxes.forEach((one, at) => {
        for (const other of boxes.slice(at + 1)) {
          if (one.of.contains(other.of) || other.of.contains(one.of)) continue;
          if (layers.get(one)?.some((each, which) => each !== layers.get(other)?.[which])) continue;
          const touching = one.rects.some((a) =>
            other.rects.some((b) => {
              // A button inside a field.
              const isInField =
                [one.of, other.of].some((each) => each.matches('input')) && (isWithin(a, b) || isWithin(b, a));
              return overlap(a, b, slack) && !isInField;
            }),
          );
          if (touching) found.add(`${kind}: ${name(one.of)} and ${name(other.of)}`);
        }
      });
    };
    const CONTROLS = 'a[href], button, input, select, textarea, [role="button"], [role="tab"], [role="switch"]';
    compare(
      seen.filter((each) => each.matches(CONTROLS)).map((of) => ({ of, rects: [...of.getClientRects()] })),
      2,
      'controls overlap',
    );
    const textRects = (element: Element) =>
      [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '')
        .flatMap((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          const rects = [...range.getClientRects()];
          if (getComputedStyle(element).overflowX === 'visible') return rects;
          // What is cut off lies upon nothing; whether it may be is asked above.
          const { right } = element.getBoundingClientRect();
          return rects.map(({ x, y, width, height }) => new DOMRect(x, y, Math.min(width, right - x), height));
        });
    compare(
      seen
        .filter((each) => (hasText(each) && each.closest('svg') === null) || each.matches('img, [role="img"]'))
        .map((of) => ({ of, rects: hasText(of) ? textRects(of) : [of.getBoundingClientRect()] })),
      4,
      'texts overlap',
    );

    // Bars that stay.
    const bars = seen.filter((each) => {
      const { position } = getComputedStyle(each);
      const { width, height } = each.getBoundingClientRect();
      return ['fixed', 'sticky'].includes(position) && width > innerWidth * 0.6 && height < innerHeight;
    });
    const heights = bars
      .filter(
        (bar) =>
          !bars.some(
            (other) =>
              other !== bar &&
              other.contains(bar) &&
              isWithin(bar.getBoundingClientRect(), other.getBoundingClientRect()),
          ),
      )
      .reduce((sum, bar) => sum + bar.getBoundingClientRect().height, 0);
    if (heights > innerHeight * BARS)
      found.add(`fixed bars of ${Math.round(heights)} px: ${bars.map(name).join(', ')}`);

    // What looks like a link.
    for (const element of seen.filter(hasText)) {
      const underlined = ancestors(element).find((each) =>
        getComputedStyle(each).textDecorationLine.includes('underline'),
      );
      if (
        underlined !== undefined &&
        underlined.closest(CONTROLS) === null &&
        underlined.querySelector(CONTROLS) === null &&
        !underlined.matches('abbr')
      )
        found.add(`underlined, but no link: ${name(element)}`);
    }
    return [...found];
  });
}
