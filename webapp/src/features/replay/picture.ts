/** A picture of a position for sharing: an SVG with the board's strokes, converted to PNG. */

import displayFont from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import { CELL, crossStrokes, ringStroke, ruledLines, ruledWidth, strikeStroke } from '@/shared/board/pen';
import type { Game, Mark } from '@/shared/rules';

/** The common size of link previews. */
export const PICTURE_WIDTH = 1200;
export const PICTURE_HEIGHT = 630;

const BOARD = 470;
const LEFT = 80;
const TOP = (PICTURE_HEIGHT - BOARD) / 2;
const TEXT_LEFT = LEFT + BOARD + 70;
const TEXT_WIDTH = PICTURE_WIDTH - TEXT_LEFT - 50;
/** Average width of a character of the display font, relative to its size. */
const CHARACTER = 0.56;

export type Colours = Record<'paper' | 'ink' | 'inkSoft' | 'x' | 'o' | 'accent', string>;

export interface Picture {
  game: Game;
  names: Readonly<Record<Mark, string>>;
  title: string;
  /** Below the title. */
  detail: string;
}

/** The current colours of the page. */
export function pageColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    paper: token('--paper'),
    ink: token('--ink'),
    inkSoft: token('--ink-soft'),
    x: token('--x'),
    o: token('--o'),
    accent: token('--accent'),
  };
}

/** `font` is the display font as a data URL; without it a system font is used. */
export function pictureSvg({ game, names, title, detail }: Picture, colours: Colours, font: string | null): string {
  const { size, board, winningLine, winner } = game;
  const scale = BOARD / (size * CELL);
  const colourOf = (mark: string) => (mark === 'X' ? colours.x : colours.o);
  const stroke = (d: string, colour: string, width: number) =>
    `<path d="${d}" stroke="${colour}" stroke-width="${width}"/>`;
  const markAt = (mark: string, row: number, col: number) =>
    (mark === 'X' ? crossStrokes(row, col) : [ringStroke(row, col)]).map((d) => stroke(d, colourOf(mark), 7)).join('');
  const marks = board.flatMap((cells, row) =>
    cells.map((mark, col) =>
      mark === '' ? '' : `<g transform="translate(${col * CELL} ${row * CELL})">${markAt(mark, row, col)}</g>`,
    ),
  );
  const player = (mark: Mark, y: number) =>
    `<g transform="translate(${TEXT_LEFT - 8} ${y - 44}) scale(.56)">${markAt(mark, 0, 0)}</g>` +
    textLine(names[mark], TEXT_LEFT + 64, y, 44, colours.ink, TEXT_WIDTH - 64);
  const face = font === null ? '' : `@font-face{font-family:Display;font-weight:200 800;src:url(${font})}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}"`,
    ` viewBox="0 0 ${PICTURE_WIDTH} ${PICTURE_HEIGHT}">`,
    `<style>${face}text{font-family:Display,system-ui,sans-serif;font-weight:700}</style>`,
    `<rect width="100%" height="100%" fill="${colours.paper}"/>`,
    `<g transform="translate(${LEFT} ${TOP}) scale(${scale})" fill="none" stroke-linecap="round" stroke-linejoin="round">`,
    `<g opacity=".75">${ruledLines(size)
      .map((d) => stroke(d, colours.ink, ruledWidth(size)))
      .join('')}</g>`,
    ...marks,
    winningLine === null || winner === null ? '' : stroke(strikeStroke(winningLine), colourOf(winner), 6.5),
    '</g>',
    '<g fill="none" stroke-linecap="round" stroke-linejoin="round">',
    player('X', 190),
    player('O', 262),
    '</g>',
    `<path d="M${TEXT_LEFT} 305c90-3 180 2 270-1" stroke="${colours.accent}" stroke-width="8" stroke-linecap="round" fill="none"/>`,
    textLine(title, TEXT_LEFT, 392, 62, colours.ink, TEXT_WIDTH),
    textLine(detail, TEXT_LEFT, 444, 34, colours.inkSoft, TEXT_WIDTH),
    textLine('Morpion', TEXT_LEFT, 548, 34, colours.inkSoft, TEXT_WIDTH),
    '</svg>',
  ].join('');
}

/** One line of text, as large as fits. */
function textLine(text: string, x: number, y: number, size: number, colour: string, width: number): string {
  const fitting = Math.min(size, width / (Math.max([...text].length, 1) * CHARACTER));
  return `<text x="${x}" y="${y}" font-size="${fitting.toFixed(1)}" fill="${colour}" stroke="none">${escaped(text)}</text>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** The display font as a data URL, because an SVG image cannot load files. Null if it cannot be loaded. */
export async function pictureFont(): Promise<string | null> {
  try {
    const answer = await fetch(displayFont);
    if (!answer.ok) return null;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return `data:font/woff2;base64,${btoa(text)}`;
  } catch {
    return null;
  }
}

export function svgAddress(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** @throws Error when the browser cannot draw it. */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image(PICTURE_WIDTH, PICTURE_HEIGHT);
  image.src = svgAddress(svg);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = PICTURE_WIDTH;
  canvas.height = PICTURE_HEIGHT;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the picture could not be drawn')) : resolve(blob)));
  });
}
