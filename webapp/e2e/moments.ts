import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import { DESKTOP, PHONE, resize, setTheme, THEMES } from './pageChecks';

/** Where `make evening` wants its pictures. */
const FOLDER = process.env.MORPION_EVENING_PICTURES ?? '';

/**
 * Takes pictures of a moment: in `make evening` on a phone and on a desktop, in the light and the dark theme, about a second
 * in all; otherwise one with the test's results, as the page is.
 */
export async function takeMoment(info: TestInfo, page: Page, what: string): Promise<void> {
  const name = what.replaceAll(/[^\w]+/g, '-');
  if (FOLDER === '') {
    const path = info.outputPath(`${name}.png`);
    await page.screenshot({ path });
    info.attachments.push({ name: what, path, contentType: 'image/png' });
    return;
  }
  await mkdir(FOLDER, { recursive: true });
  const before = page.viewportSize() ?? PHONE;
  const theme = await page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
  for (const size of [PHONE, DESKTOP]) {
    await resize(page, size);
    for (const each of THEMES) {
      await setTheme(page, each);
      await page.screenshot({ path: join(FOLDER, `${name}-${size.width}-${each}.png`) });
    }
  }
  await setTheme(page, theme === 'dark' ? 'dark' : 'light');
  await resize(page, before);
}
