import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const SOURCE = new URL('../src/shared/theme/applyStoredTheme.js', import.meta.url);
const NAME = 'theme.js';

/**
 * Puts the stored theme on the page before the first paint. The content policy forbids inline scripts, so the build
 * emits the few lines as a classic, hashed script that blocks the head; the dev server, which has no such policy,
 * puts them in as they are.
 */
export function themeScript(): Plugin {
  let building = false;
  return {
    name: 'morpion-theme-script',
    configResolved(config) {
      building = config.command === 'build';
    },
    buildStart() {
      if (building) this.emitFile({ type: 'asset', name: NAME, source: readFileSync(SOURCE, 'utf8') });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, path }) {
        // What is embedded goes by the browser's wish alone, and reads nothing that is stored.
        if (path.startsWith('/embed/')) return [];
        if (!building) return [{ tag: 'script', children: readFileSync(SOURCE, 'utf8'), injectTo: 'head-prepend' }];
        const asset = Object.values(bundle ?? {}).find((file) => file.type === 'asset' && file.names.includes(NAME));
        if (asset === undefined) throw new Error('the theme script was not emitted');
        return [{ tag: 'script', attrs: { src: `/${asset.fileName}` }, injectTo: 'head-prepend' }];
      },
    },
  };
}
