import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const PATH = '/mockServiceWorker.js';

/** Serves MSW's worker script from its package, in mock mode only, so that the repository has no copy of it. */
export function mockWorker(): Plugin {
  return {
    name: 'morpion-mock-worker',
    apply: (_config, { command, mode }) => command === 'serve' && mode === 'mock',
    configureServer(server) {
      const script = readFileSync(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8');
      server.middlewares.use(PATH, (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(script);
      });
    },
  };
}
