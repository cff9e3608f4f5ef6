// Renders the pictures that cannot be SVG: the icons of the installed app, favicon.ico, and the one for link previews.
// `npm run pictures` writes them into public/; they are committed, so that a build needs no browser.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { chromium, type Page } from '@playwright/test';

const PUBLIC = new URL('../public/', import.meta.url);
const FONTS = new URL('../node_modules/@fontsource-variable/', import.meta.url);
const PAPER = '#fbf7ef';

const ICON = await readFile(new URL('favicon.svg', PUBLIC), 'utf8');

/** The icon on a full sheet: a phone may cut a circle out of its middle four fifths. */
function onSheet(share: number): string {
  return `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${PAPER}">
    <div style="width:${share * 100}vw">${ICON}</div>`;
}

async function font(file: string): Promise<string> {
  return `data:font/woff2;base64,${(await readFile(new URL(file, FONTS))).toString('base64')}`;
}

/** 1200 × 630, as link previews want it: a sheet of squared paper, a game won on it, and the name. */
async function preview(): Promise<string> {
  const display = await font('bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2');
  const text = await font('figtree/files/figtree-latin-wght-normal.woff2');
  return `<style>
    @font-face { font-family: Display; src: url(${display}); font-weight: 200 800 }
    @font-face { font-family: Text; src: url(${text}); font-weight: 300 900 }
    body { margin: 0; width: 1200px; height: 630px; position: relative; color: #22252b; background-color: ${PAPER};
      background-image: linear-gradient(to right, #e9e0cd 1px, transparent 1px),
        linear-gradient(to bottom, #e9e0cd 1px, transparent 1px);
      background-size: 42px 42px; background-position: 0 -1px }
    div { position: absolute; left: 84px; top: 168px; width: 560px; background: ${PAPER} }
    h1 { margin: 0; font: 800 132px/1 Display; letter-spacing: -0.035em }
    p { margin: 26px 0 0; font: 500 40px/1.3 Text; color: #595e69 }
    svg { position: absolute; left: 690px; top: 66px; width: 450px; overflow: visible }
  </style>
  <div><h1>Morpion</h1><p>Tic-Tac-Toe with friends<br>and in tournaments</p></div>
  <svg viewBox="0 0 300 330" fill="none" stroke="#22252b" stroke-width="5" stroke-linecap="round">
    <g transform="rotate(-4 150 165)">
      <path d="M104 24c-3 92-1 184 3 282M196 20c4 92-1 190 0 288M14 112c92-5 186-2 276-1M12 214c90 3 184-4 280 0" />
      <g stroke="#c23329" stroke-width="9">
        <path d="M32 142c14 12 28 26 42 42M76 138c-16 16-30 30-42 48" />
        <path d="M130 140c14 12 28 26 42 42M174 136c-16 16-30 30-42 48" />
        <path d="M226 138c14 12 28 26 42 42M270 134c-16 16-30 30-42 48" />
        <path stroke-width="12" d="M4 166c98-7 194-5 294-10" />
      </g>
      <g stroke="#1f5fa8" stroke-width="9">
        <path d="M252 38c-18-2-30 10-29 25 1 14 13 23 27 22 15-1 25-13 23-28-2-13-12-21-27-18" />
        <path d="M52 240c-18-2-30 10-29 25 1 14 13 23 27 22 15-1 25-13 23-28-2-13-12-21-27-18" />
      </g>
    </g>
  </svg>`;
}

async function draw(page: Page, width: number, height: number, html: string): Promise<Buffer> {
  await page.setViewportSize({ width, height });
  await page.setContent(html);
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ omitBackground: true });
}

/** An .ico holding one picture in PNG, as every browser since Windows Vista reads it. */
function ico(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const page = await browser.newPage();
  const write = (name: string, content: Buffer) => writeFile(new URL(name, PUBLIC), content);
  const plain = `<body style="margin:0">${ICON}`;
  await mkdir(new URL('icons/', PUBLIC), { recursive: true });
  await write('icons/icon-192.png', await draw(page, 192, 192, plain));
  await write('icons/icon-512.png', await draw(page, 512, 512, plain));
  await write('icons/maskable-512.png', await draw(page, 512, 512, onSheet(0.95)));
  await write('icons/apple-touch-icon.png', await draw(page, 180, 180, onSheet(1.05)));
  await write('favicon.ico', ico(await draw(page, 32, 32, plain), 32));
  await write('preview.png', await draw(page, 1200, 630, await preview()));
} finally {
  await browser.close();
}
