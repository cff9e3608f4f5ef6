import { expect, it } from 'vitest';
import { gameAfter } from '@/shared/rules';
import { pictureSvg, svgAddress } from './picture';

const colours = { paper: '#fff', ink: '#000', inkSoft: '#555', x: '#c00', o: '#00c', accent: '#ea1' };
const game = gameAfter(3, 'X', [
  [0, 0],
  [1, 1],
  [0, 1],
  [2, 2],
  [0, 2],
]);
if (typeof game === 'string') throw new Error(game);

const picture = { game, names: { X: 'ada <3', O: 'bob & co' }, title: 'ada <3 Won!', detail: '3×3, 5 moves' };

it('draws every mark, the grid, the winning line and the texts', () => {
  const svg = new DOMParser().parseFromString(pictureSvg(picture, colours, null), 'image/svg+xml');
  expect(svg.querySelector('parsererror')).toBeNull();
  expect([svg.documentElement.getAttribute('width'), svg.documentElement.getAttribute('height')]).toEqual([
    '1200',
    '630',
  ]);
  expect([...svg.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual([
    'ada <3',
    'bob & co',
    'ada <3 Won!',
    '3×3, 5 moves',
    'Morpion',
  ]);
  // Two strokes for each X and one for the line, apart from the X beside the player's name.
  expect(svg.querySelectorAll('path[stroke="#c00"]')).toHaveLength(3 * 2 + 1 + 2);
  expect(svg.querySelectorAll('path[stroke="#00c"]')).toHaveLength(2 + 1);
  expect(svg.querySelectorAll('path[stroke="#000"]')).toHaveLength(4);
});

it('contains its font, so that it loads nothing', () => {
  const svg = pictureSvg(picture, colours, 'data:font/woff2;base64,AAAA');
  expect(svg).toContain('src:url(data:font/woff2;base64,AAAA)');
  expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/);
  expect(svgAddress(svg)).toMatch(/^data:image\/svg\+xml/);
});

it('writes long names smaller', () => {
  const sizeOf = (name: string) => {
    const svg = pictureSvg({ ...picture, names: { X: name, O: 'bob' } }, colours, null);
    return Number(/font-size="([\d.]+)"/.exec(svg)?.[1]);
  };
  expect(sizeOf('ada')).toBe(44);
  expect(sizeOf('a'.repeat(40))).toBeLessThan(25);
});
