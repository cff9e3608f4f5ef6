import { existsSync } from 'node:fs';
import { defineConfig, devices } from '@playwright/test';

/** Chromium without windows. */
const SHELL = '/usr/bin/chromium-headless-shell';
const CHROMIUM = process.env.CHROMIUM || (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');

/** Where `make test` wants to find what each test took. */
const JUNIT_FILE = process.env.JUNIT_FILE ?? '';

/** Debian's Chromium, driven as it is; switched off is what would phone out or need a display. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: 'e2e',
  // Each has an appliance of its own, whose limits on registrations count addresses.
  workers: 2,
  timeout: 60_000,
  // A machine that is busy with something else may fail one; it is told as flaky.
  retries: process.env.CI ? 1 : 0,
  // The server under test may be an unoptimised one on a busy machine.
  expect: { timeout: 15_000, toPass: { timeout: 30_000 } },
  reporter: [
    [process.env.CI ? 'line' : 'list'],
    ...(JUNIT_FILE === '' ? [] : [['junit', { outputFile: JUNIT_FILE }] as const]),
  ],
  use: {
    ...devices['Desktop Chrome'],
    // Recording costs a third of the time.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_ARGS },
  },
});
