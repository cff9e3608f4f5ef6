import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { mockWorker } from './scripts/mockWorker.ts';
import { offline } from './scripts/offline.ts';
import { publicPages } from './scripts/publicPages.ts';
import { themeScript } from './scripts/themeScript.ts';

const APPLIANCE = process.env.MORPION_DEV_SERVER ?? 'http://127.0.0.1:8080';

/** They need Node as it is: its own requests and websockets, and the file system. */
const CONTRACT_TESTS = ['src/api/generated.test.ts', 'src/testing/mocks/**/*.test.ts'];

const EVERYWHERE =
  /node_modules\/(react|react-dom|scheduler|react-router|@reduxjs|redux|redux-thunk|react-redux|immer|reselect|use-sync-external-store)\//;

export default defineConfig(({ mode }) => ({
  plugins: [react(), themeScript(), mockWorker(), publicPages(), offline()],
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    target: 'es2023',
    // The content policy allows no data: scripts, and fonts and pictures are better cached by their own name.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // A drawing that a page does not show is not loaded with it, though all are imported from one place.
      treeshake: { moduleSideEffects: (id) => !id.includes('/src/shared/illustrations/') || id.endsWith('.css') },
      // What every page needs, in one file: it compresses better and outlives our own changes in caches.
      output: { codeSplitting: { groups: [{ name: 'vendor', test: EVERYWHERE }] } },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    // In mock mode the service worker answers everything.
    ...(mode === 'mock' ? {} : { proxy: { '/api': { target: APPLIANCE, ws: true } } }),
  },
  preview: { host: '127.0.0.1', port: 4173, proxy: { '/api': { target: APPLIANCE, ws: true } } },
  test: {
    projects: [
      { extends: true, test: { name: 'engine', environment: 'node', include: ['src/engine/**/*.test.ts'] } },
      { extends: true, test: { name: 'contract', environment: 'node', include: CONTRACT_TESTS } },
      {
        extends: true,
        test: {
          name: 'app',
          environment: 'jsdom',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: ['src/engine/**', ...CONTRACT_TESTS],
          setupFiles: ['src/testing/setup.ts'],
          testTimeout: 20_000,
          // Stylesheets say nothing to jsdom; only the test that measures the colours reads one.
          css: { include: [/tokens\.css/] },
        },
      },
    ],
  },
}));
