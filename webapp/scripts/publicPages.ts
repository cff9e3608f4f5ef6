import type { Plugin, Rolldown } from 'vite';
import { PUBLIC_PAGES, type PublicPage } from '../src/shared/site/publicPages.ts';

/** The server puts its own address in place of it (appliance/src/http/assets.rs). */
const ORIGIN = '{{origin}}';
const PICTURE_TEXT = 'Two pencil marks, an X and an O, beside the name Morpion';

/**
 * Gives every public page a document of its own, `tournaments.html` for /tournaments, with its title, its description,
 * the picture for link previews and the page's own chunk asked for at once; index.html is the landing page's and
 * that of all screens behind it. Also writes robots.txt and sitemap.xml.
 */
export function publicPages(): Plugin {
  return {
    name: 'morpion-public-pages',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const index = bundle['index.html'];
        if (index?.type !== 'asset') throw new Error('the build made no index.html');
        const document = String(index.source);
        for (const [path, page] of Object.entries<PublicPage>(PUBLIC_PAGES)) {
          const source = withHead(document, path, page, chunksOf(bundle, page.module));
          if (path === '/') index.source = source;
          else this.emitFile({ type: 'asset', fileName: `${path.slice(1)}.html`, source });
        }
        this.emitFile({ type: 'asset', fileName: 'robots.txt', source: robots() });
        this.emitFile({ type: 'asset', fileName: 'sitemap.xml', source: sitemap() });
      },
    },
  };
}

interface Files {
  scripts: Set<string>;
  styles: Set<string>;
}

/** What a page's module imports, all the way down. */
function chunksOf(bundle: Rolldown.OutputBundle, module: string): Files {
  const files: Files = { scripts: new Set(), styles: new Set() };
  const add = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || files.scripts.has(name)) return;
    files.scripts.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.styles.add(style);
    chunk.imports.forEach(add);
  };
  const own = Object.values(bundle).find((file) => file.type === 'chunk' && isModule(file.facadeModuleId, module));
  if (own === undefined) throw new Error(`${module} has no chunk of its own`);
  add(own.fileName);
  return files;
}

function isModule(id: string | null, module: string): boolean {
  return id?.endsWith(`/src/${module}`) ?? false;
}

function withHead(document: string, path: string, page: PublicPage, { scripts, styles }: Files): string {
  // Every screen that has no document of its own gets index.html: it must not claim to be the landing page.
  const address = path === '/' ? [] : [`<link rel="canonical" href="${ORIGIN}${page.canonical ?? path}" />`];
  const preview = {
    'og:type': 'website',
    'og:site_name': 'Morpion',
    'og:title': page.title,
    'og:description': page.description,
    ...(path === '/' ? {} : { 'og:url': ORIGIN + (page.canonical ?? path) }),
    'og:image': `${ORIGIN}/preview.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': PICTURE_TEXT,
  };
  const isNew = (name: string) => !document.includes(`/${name}"`);
  const tags = [
    ...address,
    ...Object.entries(preview).map(([name, text]) => `<meta property="${name}" content="${escaped(text)}" />`),
    '<meta name="twitter:card" content="summary_large_image" />',
    ...[...styles].filter(isNew).map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
    ...[...scripts].filter(isNew).map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
  ];
  return replaced(
    replaced(document, /<title>[^<]*<\/title>/, `<title>${escaped(page.title)}</title>`),
    /<meta\s+name="description"[^>]*>/,
    `<meta name="description" content="${escaped(page.description)}" />`,
  ).replace('</head>', `${tags.map((tag) => `  ${tag}\n`).join('  ')}  </head>`);
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
    'Disallow: /app/',
    'Disallow: /api/',
    '',
    `Sitemap: ${ORIGIN}/sitemap.xml`,
    '',
  ].join('\n');
}

function sitemap(): string {
  const paths = Object.entries<PublicPage>(PUBLIC_PAGES).filter(([, page]) => page.canonical === undefined);
  const urls = paths.map(([path]) => `  <url><loc>${ORIGIN}${path}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}
