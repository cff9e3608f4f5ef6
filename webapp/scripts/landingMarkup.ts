import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type ResolvedConfig } from 'vite';

const SOURCE = 'src/app/prerender.tsx';

/** The landing page as HTML: its own components, built for Node and rendered once. */
export async function landingMarkup(config: ResolvedConfig): Promise<string> {
  // Beside node_modules, where Node finds what the bundle imports.
  const out = await mkdtemp(join(config.root, 'node_modules/.prerender-'));
  try {
    await build({
      configFile: false,
      root: config.root,
      publicDir: false,
      logLevel: 'warn',
      plugins: [react()],
      resolve: { alias: config.resolve.alias },
      // Nothing is asked of a server here; the data layer only wants to know where it would be.
      define: { 'window.location.origin': '"http://localhost"', 'import.meta.env.PROD': 'true' },
      build: { ssr: SOURCE, outDir: out, target: config.build.target, minify: false },
    });
    const { renderLanding } = (await import(pathToFileURL(join(out, 'prerender.js')).href)) as {
      renderLanding: () => Promise<string>;
    };
    // The document has a title already.
    const markup = (await renderLanding()).replace(/<title>[^<]*<\/title>/, '');
    if (!markup.includes('<h1>')) throw new Error('the landing page came out empty');
    if (markup.includes('<script')) throw new Error('the content policy allows no inline script');
    return markup;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
