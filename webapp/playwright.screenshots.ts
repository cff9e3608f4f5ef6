import { defineConfig } from '@playwright/test';
import config from './playwright.config.ts';

/** The same browser and server, and pictures in place of tests. */
export default defineConfig({
  ...config,
  testMatch: 'screenshots.ts',
  outputDir: 'screenshots',
  preserveOutput: 'always',
});
