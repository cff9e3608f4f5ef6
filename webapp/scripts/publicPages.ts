import type { Plugin, ResolvedConfig, Rolldown } from 'vite';
import { PUBLIC_PAGES, type PublicPage } from '../src/shared/site/publicPages.ts';
import { landingMarkup } from './landingMarkup.ts';

/** The server puts its own address in place of it (appliance/src/http/assets.rs). */
const ORIGIN = '{{origin}}';
const PICTURE_TEXT = 'Two pencil marks, an X and an O, beside the name Morpion';

const LANDING = 'landing.html';
const START = 'src/start.ts';

/**
 * Gives every public page a document of its own, `tournaments.html` for /tournaments, with its title, its description,
 * the picture for link previews and the page's own chunks asked for at once. The landing page's stands complete, with
 * its content in it, and fetches the app when its visitor stirs; index.html stays that of all screens behind them.
 * Also writes robots.txt and sitemap.xml.
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
        const document = String(index.source);
        for (const [path, page] of Object.entries(PUBLIC_PAGES)) {
          const source = withHead(document, path, page, chunksOf(bundle, page.modules));
          if (path !== '/') {
            this.emitFile({ type: 'asset', fileName: `${path.slice(1)}.html`, source });
            continue;
          }
          const markup = await landingMarkup(config);
          this.emitFile({
            type: 'asset',
            fileName: LANDING,
            source: standing(source, markup, bundle, this.getFileName(start)),
          });
        }
        this.emitFile({ type: 'asset', fileName: 'robots.txt', source: robots() });
        this.emitFile({ type: 'asset', fileName: 'sitemap.xml', source: sitemap() });
      },
    },
  };
}

/**
 * A document with its content and its styles in it, so that nothing has to arrive before it is seen, and the app left
 * out until `script` fetches it.
 */
function standing(document: string, markup: string, bundle: Rolldown.OutputBundle, script: string): string {
  const styled = document.replaceAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/g, (_link, name: string) => {
    const style = bundle[name];
    if (style?.type !== 'asset') throw new Error(`${name} is no style sheet of the build`);
    return `<style>${String(style.source).trim()}</style>`;
  });
  const withoutApp = styled.replaceAll(/ *<(link rel="modulepreload"|script type="module")[^>]*>(<\/script>)?\n/g, '');
  const started = withoutApp.replace(
    '</head>',
    `  <script type="module" crossorigin src="/${script}"></script>\n  </head>`,
  );
  return replaced(started, /<div id="root"><\/div>/, `<div id="root">${markup}</div>`);
}

interface Files {
  scripts: Set<string>;
  styles: Set<string>;
}

/** What a page's modules import, all the way down. */
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

function withHead(document: string, path: string, page: PublicPage, { scripts, styles }: Files): string {
  const address = ORIGIN + (page.canonical ?? path);
  const preview = {
    'og:type': 'website',
    'og:site_name': 'Morpion',
    'og:title': page.title,
    'og:description': page.description,
    'og:url': address,
    'og:image': `${ORIGIN}/preview.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': PICTURE_TEXT,
  };
  const isNew = (name: string) => !document.includes(`/${name}"`);
  const tags = [
    `<link rel="canonical" href="${address}" />`,
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
