import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type ResolvedConfig } from 'vite';

/** The document of what stands in pages of other sites. The server has it for everything below. */
const DOCUMENT = 'embed/index.html';

/** The paths of what can be embedded, as routes have them. */
export const EMBED_PATHS = ['/embed/replay/:shareToken', '/embed/event/:eventId'];

/**
 * Builds what is embedded by itself: with the chunks of the app it would load most of it. In development the document is
 * served as the server does.
 */
export function embeds(): Plugin {
  let config: ResolvedConfig;
  let isBuilt = false;
  return {
    name: 'morpion-embeds',
    configResolved(resolved) {
      config = resolved;
    },
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (/^\/embed\/(replay|event)\//.test(request.url ?? '')) request.url = `/${DOCUMENT}`;
        next();
      });
    },
    generateBundle() {
      isBuilt = true;
    },
    closeBundle: {
      sequential: true,
      order: 'post',
      async handler() {
        // A failed build is closed as well.
        if (!isBuilt) return;
        const { root, mode, resolve: resolving, build: settings } = config;
        await build({
          configFile: false,
          root,
          mode,
          publicDir: false,
          logLevel: 'warn',
          plugins: [react()],
          resolve: { alias: resolving.alias },
          build: {
            outDir: resolve(root, settings.outDir),
            emptyOutDir: false,
            target: settings.target,
            assetsInlineLimit: 0,
            modulePreload: { polyfill: false },
            rolldownOptions: { input: DOCUMENT },
          },
        });
      },
    },
  };
}
