// `npm run first-game -- URL`: somebody opens a new server's page, registers, and plays a move that the AI answers.
import { chromium } from '@playwright/test';

const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('Which server? npm run first-game -- URL');

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
try {
  const page = await browser.newPage({ baseURL: url });
  // The service may be starting still.
  for (let tries = 0; !(await page.goto('/').catch(() => null))?.ok(); tries++) {
    if (tries === 100) throw new Error(`${url} does not answer`);
    await page.waitForTimeout(200);
  }
  await page.getByRole('link', { name: 'Sign Up' }).first().click();
  await page.getByLabel('Username').fill('first');
  await page.getByLabel('Email').fill('first@example.org');
  await page.getByLabel(/^Password/).fill('Chalk-and-1nk');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.getByRole('link', { name: 'Later' }).click();
  await page.getByRole('heading', { name: 'Welcome, first!' }).waitFor();
  await page.goto('/app/practice/ai');
  await page.getByRole('gridcell', { name: /^Row 2, column 2,/ }).click();
  await page.getByRole('gridcell', { name: /, O$/ }).waitFor();
} finally {
  await browser.close();
}
