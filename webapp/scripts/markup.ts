import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type ResolvedConfig } from 'vite';

const SOURCE = 'src/app/prerender.tsx';

interface Renderer {
  renderPage: (path: string) => Promise<string>;
  renderHome: () => Promise<string>;
  renderSplash: () => { screen: string; game: string };
  pagePaths: () => string[];
}

/** The markup of the documents: the app's components, built for Node and rendered once. */
export async function markup(config: ResolvedConfig, paths: readonly string[]) {
  // Beside node_modules, where Node finds what the bundle imports.
  const out = await mkdtemp(join(config.root, 'node_modules/.prerender-'));
  try {
    await build({
      configFile: false,
      root: config.root,
      publicDir: false,
      logLevel: 'error',
      plugins: [react()],
      resolve: { alias: config.resolve.alias },
      // No request is made here; the data layer only needs a base URL.
      define: { 'window.location.origin': '"http://localhost"' },
      build: { ssr: SOURCE, outDir: out, target: config.build.target, minify: false },
    });
    const entry = pathToFileURL(join(out, 'prerender.js')).href;
    const { renderPage, renderHome, renderSplash, pagePaths } = (await import(entry)) as Renderer;
    const pages = new Map<string, string>();
    for (const path of paths) pages.set(path, checked(path, await renderPage(path)));
    return { pages, paths: pagePaths(), ...renderSplash(), home: checked('/app/home', await renderHome()) };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

function checked(path: string, html: string): string {
  if (!html.includes('<h1')) throw new Error(`${path} came out empty`);
  if (html.includes('<script')) throw new Error(`${path}: the content policy allows no inline script`);
  // The document already has a title.
  return html.replace(/<title>[^<]*<\/title>/, '');
}
