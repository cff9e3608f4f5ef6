import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';

const SOURCE = new URL('../src/offline/worker.ts', import.meta.url).pathname;
/** The files needed to open any screen offline, without pictures for link previews and files for crawlers. */
const KEPT = /^(index\.html|favicon\.svg|manifest\.webmanifest|icons\/.*|assets\/.*)$/;
/** Font subsets for other alphabets are loaded when a name needs them. */
const NOT_KEPT = /-(cyrillic|vietnamese|latin-ext|math|symbols)\S*\.woff2$/;

/** Builds the service worker last, with the list of files that make the app work offline. */
export function offline(): Plugin {
  let config: ResolvedConfig;
  const names = new Set<string>();
  return {
    name: 'morpion-offline',
    apply: 'build',
    enforce: 'post',
    configResolved(resolved) {
      config = resolved;
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const name of Object.keys(bundle)) names.add(name);
      },
    },
    closeBundle: {
      sequential: true,
      order: 'post',
      async handler() {
        // A failed build is closed as well.
        if (names.size === 0) return;
        const out = resolve(config.root, config.build.outDir);
        const kept = [...names, 'favicon.svg', 'manifest.webmanifest'].filter(
          (name) => KEPT.test(name) && !NOT_KEPT.test(name),
        );
        const files = kept.sort().map((name) => ({ url: `/${name}`, revision: revision(out, name) }));
        await build({
          configFile: false,
          root: config.root,
          publicDir: false,
          logLevel: 'warn',
          define: { 'process.env.NODE_ENV': '"production"', __FILES__: JSON.stringify(files) },
          build: {
            outDir: out,
            emptyOutDir: false,
            target: config.build.target,
            rolldownOptions: { input: SOURCE, output: { format: 'iife', entryFileNames: 'service-worker.js' } },
          },
        });
      },
    },
  };
}

/** Null for files with a hash in their name. */
function revision(out: string, name: string): string | null {
  if (name.startsWith('assets/')) return null;
  return createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex')
    .slice(0, 16);
}
