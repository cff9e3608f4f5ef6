// `make screenshots`: every route on a phone and on a desk, by day and by night, side by side in one picture each, to
// be looked at. Not among the tests: nothing but an eye can say whether a page is handsome.
import type { Page } from '@playwright/test';
import { goTo, nameOf, pageOf, PLACES, test } from './house';
import { DESK, PHONE, THEMES, wear } from './look';

/** Of a longer page the rest is more of the same, in CSS pixels. */
const LONGEST = 2_000;

async function shot(page: Page, width: number): Promise<string> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(height, LONGEST) };
  return (await page.screenshot({ fullPage: true, clip, type: 'jpeg', quality: 85 })).toString('base64');
}

for (const [number, place] of PLACES.entries()) {
  test(nameOf(place), async ({ house, page: sheet }, info) => {
    await pageOf(house, place.who).setViewportSize(PHONE);
    const page = await goTo(house, place);
    const shots: string[] = [];
    for (const size of [PHONE, DESK]) {
      await page.setViewportSize(size);
      for (const theme of THEMES) {
        await wear(page, theme);
        const picture = await shot(page, size.width);
        shots.push(`<img width="${size === PHONE ? 273 : 640}" src="data:image/jpeg;base64,${picture}">`);
      }
    }
    await sheet.setViewportSize({ width: 1860, height: 400 });
    await sheet.setContent(
      `<body style="margin:0;display:flex;gap:8px;align-items:start;background:#888">${shots.join('')}`,
    );
    const name = `${String(number).padStart(2, '0')}-${nameOf(place).replaceAll(/[^\w]+/g, '-')}.png`;
    await sheet.screenshot({ fullPage: true, path: `${info.project.outputDir}/${name}` });
  });
}
