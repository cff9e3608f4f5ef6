import type { Reporter } from 'vitest/node';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { componentStyles } from './scripts/componentStyles.ts';
import { embeds } from './scripts/embeds.ts';
import { mockWorker } from './scripts/mockWorker.ts';
import { offline } from './scripts/offline.ts';
import { publicPages } from './scripts/publicPages.ts';
import { themeScript } from './scripts/themeScript.ts';

/** Where `make test` wants to find what each test took. */
const JUNIT_FILE = process.env.JUNIT_FILE ?? '';

const APPLIANCE = process.env.MORPION_DEV_SERVER ?? 'http://127.0.0.1:8080';

/** They need Node's own requests, websockets and file system. */
const CONTRACT_TESTS = ['src/api/generated.test.ts', 'src/testing/mocks/**/*.test.ts'];

/** They need the browser's document, storage or events, or a stylesheet. To set that up takes longer than most others. */
const BROWSER_TESTS = [
  'src/**/*.test.tsx',
  'src/api/base.test.ts',
  'src/api/failures.test.ts',
  'src/features/practice/levels.test.ts',
  'src/features/replay/picture.test.ts',
  'src/realtime/connection.test.ts',
  'src/shared/reporter.test.ts',
  'src/shared/recentPeople.test.ts',
  'src/shared/theme/tokens.test.ts',
];

/** Prints the tests that passed only at a second try. */
const flakyTests: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky === true)
      console.log(` FAIL  ${test.module.relativeModuleId} > ${test.fullName} (at the first try)`);
  },
};

const EVERYWHERE =
  /node_modules\/(react|react-dom|scheduler|react-router|@reduxjs|redux|redux-thunk|react-redux|immer|reselect|use-sync-external-store)\//;

/** Small modules that pages share, without the component library. */
const COMMON = [
  /\/src\/shared\/ui\/(icons|Card|ConnectionBanner|PageHeading)\.tsx?$/,
  /\/src\/shared\/events\/(comeWithin|countdown|times|useEventUpdates)\.ts$/,
  /\/src\/shared\/(recentPeople|session\/useSignOut|people\/Avatar)\.tsx?$/,
  /\/src\/shared\/people\/RecentPeople\.module\.css$/,
  /\/src\/api\/(events|game|people)\.ts$/,
];

/** The base of the component library, and what nearly every page behind the sign-in uses. */
const UI = [
  /@mantine\/core\/esm\/components\/(Button|ActionIcon)\//,
  /\/src\/app\/layouts\/UiProvider\.tsx$/,
  /\/src\/shared\/(ui\/toast|people\/RecentPeople|invite\/useInvite)\.tsx?$/,
  /\/src\/shared\/ui\/textLink\.module\.css$/,
];

/**
 * Chunks of modules with their imports: a page loads a handful of files, where one for each shared module would be
 * eighty. A module goes to the first group that matches.
 */
const GROUPS = [
  // Stays cached across our own releases.
  { name: 'vendor', test: EVERYWHERE },
  // What a static page needs before it loads the app.
  {
    name: 'stored',
    test: /vite\/preload-helper|\/src\/shared\/(storage|log|newerVersion|session\/storedSession|site\/installPrompt)\.ts$/,
  },
  {
    name: 'app',
    test: /\/src\/(app\/(App|routes)\.tsx|app\/store\.ts|shared\/(reporter|storeHooks)\.ts|realtime\/.*)$/,
  },
  { name: 'common', test: (id: string) => COMMON.some((part) => part.test(id)) },
  { name: 'ui', test: (id: string) => UI.some((part) => part.test(id)) },
].map((group, index, { length }) => ({ ...group, priority: length - index }));

export default defineConfig(({ mode }) => ({
  plugins: [react(), componentStyles(), themeScript(), mockWorker(), publicPages(), offline(), embeds()],
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    target: 'es2023',
    // The content security policy allows no data: scripts, and fonts and pictures are better cached as files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Drawings are imported from one index, but a page loads only those it shows.
      treeshake: {
        moduleSideEffects: (id) => (/\/src\/shared\/illustrations\/.*\.tsx?$/.test(id) ? false : undefined),
      },
      output: { codeSplitting: { groups: GROUPS } },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    // In mock mode the service worker handles all requests.
    ...(mode === 'mock' ? {} : { proxy: { '/api': { target: APPLIANCE, ws: true } } }),
  },
  preview: { host: '127.0.0.1', port: 4173, proxy: { '/api': { target: APPLIANCE, ws: true } } },
  test: {
    // By default one core is left to other programs, which on two cores means one worker.
    maxWorkers: '100%',
    // As for the browser tests: a machine that is busy with something else may fail one; `make test` lists it.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', flakyTests, ...(JUNIT_FILE === '' ? [] : ['junit'])],
    outputFile: { junit: JUNIT_FILE },
    projects: [
      { extends: true, test: { name: 'engine', environment: 'node', include: ['src/engine/**/*.test.ts'] } },
      { extends: true, test: { name: 'contract', environment: 'node', include: CONTRACT_TESTS } },
      {
        extends: true,
        test: {
          name: 'logic',
          environment: 'node',
          include: ['src/**/*.test.ts', 'scripts/lint/*.test.ts'],
          exclude: ['src/engine/**', ...CONTRACT_TESTS, ...BROWSER_TESTS],
        },
      },
      {
        extends: true,
        test: {
          name: 'app',
          environment: 'jsdom',
          include: BROWSER_TESTS,
          setupFiles: ['src/testing/setup.ts'],
          testTimeout: 40_000,
          // jsdom does not need stylesheets; only the test of the colours reads one.
          css: { include: [/tokens\.css/] },
        },
      },
    ],
  },
}));
