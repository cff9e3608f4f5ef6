// `make screenshots`: every route on a phone and on a desktop, in the light and the dark theme, side by side in one
// picture each, to be reviewed by eye. It is not one of the tests.
import type { Page } from '@playwright/test';
import { openScreen, describeScreen, pageOf, SCREENS, test } from './screens';
import { DESKTOP, PHONE, THEMES, setTheme } from './pageChecks';

/** Longer pages are cut at this height, in CSS pixels. */
const LONGEST = 2_000;

async function shot(page: Page, width: number): Promise<string> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(height, LONGEST) };
  return (await page.screenshot({ fullPage: true, clip, type: 'jpeg', quality: 85 })).toString('base64');
}

for (const [number, screen] of SCREENS.entries()) {
  test(describeScreen(screen), async ({ app, page: sheet }, info) => {
    await pageOf(app, screen.viewer).setViewportSize(PHONE);
    const page = await openScreen(app, screen);
    const shots: string[] = [];
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      for (const theme of THEMES) {
        await setTheme(page, theme);
        const picture = await shot(page, size.width);
        shots.push(`<img width="${size === PHONE ? 273 : 640}" src="data:image/jpeg;base64,${picture}">`);
      }
    }
    await sheet.setViewportSize({ width: 1860, height: 400 });
    await sheet.setContent(
      `<body style="margin:0;display:flex;gap:8px;align-items:start;background:#888">${shots.join('')}`,
    );
    const name = `${String(number).padStart(2, '0')}-${describeScreen(screen).replaceAll(/[^\w]+/g, '-')}.png`;
    await sheet.screenshot({ fullPage: true, path: `${info.project.outputDir}/${name}` });
  });
}
