import type { Plugin, ResolvedConfig, Rolldown } from 'vite';
import { PUBLIC_PAGES, type PublicPage } from '../src/shared/site/publicPages.ts';
import { EMBED_PATHS } from './embeds.ts';
import { markup } from './markup.ts';

/** The server replaces it with its own address (appliance/src/http/assets.rs). */
const ORIGIN = '{{origin}}';
/** What the host offers, and the name of its identity provider: src/shared/session/offered.ts. */
const OFFERS = '<html lang="en" data-offers="{{offers}}" data-provider="{{provider}}">';
const PICTURE_TEXT = 'Two pencil marks, an X and an O, beside the name Morpion';

const START = 'src/start.ts';
/** A longer style sheet is better cached than sent with every document. */
const LONGEST_INLINE_STYLE = 16_384;

/** The app's first request, preloaded while the app loads. */
const CHECK_LOGIN = '<link rel="preload" as="fetch" crossorigin href="/api/auth/check-login">';

/**
 * Screens that are often opened directly: the content of their documents until the app has loaded, and their modules,
 * which are preloaded.
 */
const AHEAD = {
  'app/home.html': { shows: 'home', modules: ['app/layouts/AppLayout.tsx', 'features/home/HomePage.tsx'] },
  'app/practice.html': {
    shows: 'screen',
    modules: ['app/layouts/AppLayout.tsx', 'features/practice/PracticeHubPage.tsx'],
  },
  'app/game/index.html': { shows: 'game', modules: ['app/layouts/GameLayout.tsx', 'features/game/GamePage.tsx'] },
} as const;

/**
 * Writes a complete document for every public page, `tournaments.html` for /tournaments: title, description, picture for
 * link previews, content and styles; the app replaces it once loaded (src/start.ts). The other screens share
 * index.html, or have a document that preloads their chunks.
 * Also writes pages.txt, by which the server knows the paths of pages, robots.txt and sitemap.xml.
 */
export function publicPages(): Plugin {
  let config: ResolvedConfig;
  let start: string;
  return {
    name: 'morpion-public-pages',
    apply: 'build',
    enforce: 'post',
    configResolved(resolved) {
      config = resolved;
    },
    buildStart() {
      start = this.emitFile({ type: 'chunk', id: START, name: 'start' });
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const index = bundle['index.html'];
        if (index?.type !== 'asset') throw new Error('the build made no index.html');
        const document = replaced(String(index.source), /<html lang="en">/, OFFERS);
        const { pages, paths, ...shown } = await markup(config, Object.keys(PUBLIC_PAGES));
        const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
        for (const [path, page] of Object.entries(PUBLIC_PAGES)) {
          const { styles } = without(document, chunksOf(bundle, page.modules));
          const headed = withHead(withTags(document, styleLinks(styles)), path, page);
          const started = withScript(withStyles(headed, bundle), this.getFileName(start));
          const name = path === '/' ? 'landing' : path.slice(1);
          emit(`${name}.html`, withContent(started, pages.get(path) ?? '', standing(path, page)));
        }
        const screen = withTags(withLowPriority(withStyles(document, bundle)), [CHECK_LOGIN]);
        for (const [name, { shows, modules }] of Object.entries(AHEAD)) {
          const { scripts, styles } = without(document, chunksOf(bundle, modules));
          const isInline = (style: string) => isShort(styleOf(bundle, style));
          const styled = withStyles(withTags(screen, styleLinks(styles.filter(isInline))), bundle);
          const asking = withLast(
            withTags(styled, preloads(scripts)),
            styleLinks(styles.filter((style) => !isInline(style))),
          );
          emit(name, withContent(asking, shown[shows]));
        }
        index.source = withContent(screen, shown.screen);
        emit('pages.txt', `${[...paths, ...EMBED_PATHS].join('\n')}\n`);
        emit('robots.txt', robots());
        emit('sitemap.xml', sitemap());
      },
    },
  };
}

/** Tells src/start.ts which document it is in, and src/main.tsx for which address it was made. */
function standing(path: string, { forVisitors }: PublicPage): string {
  return ` data-standing="${path}"${forVisitors ? ' data-visitors' : ''}`;
}

function withContent(document: string, content: string, attributes = ''): string {
  return replaced(document, /<div id="root"><\/div>/, `<div id="root"${attributes}>${content}</div>`);
}

/** Short style sheets are inlined, so that the first paint does not wait for them. */
function withStyles(document: string, bundle: Rolldown.OutputBundle): string {
  return document.replaceAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/g, (link, name: string) => {
    const css = styleOf(bundle, name);
    // The link, which loads nothing, tells the app that the styles are there: loaded again, they would override later ones.
    // Browsers that look ahead for what to load do not heed `disabled`.
    return isShort(css) ? `<style>${css}</style>${link.replace('>', ' disabled media="not all">')}` : link;
  });
}

function styleOf(bundle: Rolldown.OutputBundle, name: string): string {
  const style = bundle[name];
  if (style?.type !== 'asset') throw new Error(`${name} is no style sheet of the build`);
  return String(style.source).trim();
}

function isShort(css: string): boolean {
  return css.length <= LONGEST_INLINE_STYLE;
}

/** The document's content is shown first; the app loads after its styles and fonts. */
function withLowPriority(document: string): string {
  return document.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"');
}

/** Leaves the app out until `script` loads it. */
function withScript(document: string, script: string): string {
  return document
    .replaceAll(/ *<(link rel="modulepreload"|script type="module")[^>]*>(<\/script>)?\n/g, '')
    .replace('</head>', `  <script type="module" crossorigin src="/${script}"></script>\n  </head>`);
}

interface Files {
  scripts: Set<string>;
  styles: Set<string>;
}

/** All transitive imports of a page's modules. */
function chunksOf(bundle: Rolldown.OutputBundle, modules: readonly string[]): Files {
  const files: Files = { scripts: new Set(), styles: new Set() };
  const add = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || files.scripts.has(name)) return;
    files.scripts.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.styles.add(style);
    chunk.imports.forEach(add);
  };
  for (const module of modules) {
    const own = Object.values(bundle).find((file) => file.type === 'chunk' && isModule(file.facadeModuleId, module));
    if (own === undefined) throw new Error(`${module} has no chunk of its own`);
    add(own.fileName);
  }
  return files;
}

function isModule(id: string | null, module: string): boolean {
  return id?.endsWith(`/src/${module}`) ?? false;
}

/** Files that the document does not load already. */
function without(document: string, { scripts, styles }: Files): { scripts: string[]; styles: string[] } {
  const isNew = (name: string) => !document.includes(`/${name}"`);
  return { scripts: [...scripts].filter(isNew), styles: [...styles].filter(isNew) };
}

function styleLinks(styles: string[]): string[] {
  return styles.map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`);
}

function preloads(scripts: string[]): string[] {
  return scripts.map((name) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${name}">`);
}

function withHead(document: string, path: string, { title, description, canonical }: PublicPage): string {
  const address = ORIGIN + (canonical ?? path);
  const preview = {
    'og:type': 'website',
    'og:site_name': 'Morpion',
    'og:title': title,
    'og:description': description,
    'og:url': address,
    'og:image': `${ORIGIN}/preview.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': PICTURE_TEXT,
  };
  const titled = replaced(
    replaced(document, /<title>[^<]*<\/title>/, `<title>${escaped(title)}</title>`),
    /<meta\s+name="description"[^>]*>/,
    `<meta name="description" content="${escaped(description)}" />`,
  );
  return withTags(titled, [
    `<link rel="canonical" href="${address}" />`,
    ...Object.entries(preview).map(([name, text]) => `<meta property="${name}" content="${escaped(text)}" />`),
    '<meta name="twitter:card" content="summary_large_image" />',
  ]);
}

function withTags(document: string, tags: string[]): string {
  return replaced(document, /<\/head>/, `${tags.map((tag) => `  ${tag}\n`).join('  ')}  </head>`);
}

/** Loaded after the splash is shown; the app waits for them. */
function withLast(document: string, tags: string[]): string {
  return replaced(document, /<\/body>/, `${tags.map((tag) => `  ${tag}\n`).join('  ')}  </body>`);
}

function replaced(document: string, pattern: RegExp, text: string): string {
  if (!pattern.test(document)) throw new Error(`index.html has no ${pattern.source}`);
  return document.replace(pattern, () => text);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function robots(): string {
  return [
    'User-agent: *',
    'Allow: /app/events',
    'Allow: /app/puzzle',
    'Disallow: /app/',
    'Disallow: /api/',
    '',
    `Sitemap: ${ORIGIN}/sitemap.xml`,
    '',
  ].join('\n');
}

function sitemap(): string {
  const paths = Object.entries(PUBLIC_PAGES).filter(([, page]) => page.canonical === undefined);
  const urls = paths.map(([path]) => `  <url><loc>${ORIGIN}${path}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}
