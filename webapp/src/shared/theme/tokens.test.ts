import { describe, expect, it } from 'vitest';
import css from './tokens.css?raw';

const [, light = '', dark = ''] = css.split(/:root(?:\[[^\]]+\])? \{/);

function color(block: string, name: string): string {
  const value = new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(block)?.[1];
  if (value === undefined) throw new Error(`--${name} is not a colour`);
  return value;
}

/** WCAG 2.2 relative luminance. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((p, q) => p - q);
  return (high + 0.05) / (low + 0.05);
}

const surfaces = ['paper', 'paper-raised', 'paper-sunken'];

describe.each([
  ['ink on paper', light],
  ['chalk on a board', dark],
])('the colours of %s', (_name, block) => {
  it.each(
    ['ink', 'ink-soft', 'x', 'o', 'success', 'error', 'warning'].flatMap((text) => surfaces.map((on) => [text, on])),
  )('%s is readable on %s', (text, on) => {
    expect(contrast(color(block, text), color(block, on))).toBeGreaterThanOrEqual(4.5);
  });

  it('is readable on the accent', () => {
    expect(contrast(color(block, 'on-accent'), color(block, 'accent'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(color(block, 'on-accent'), color(block, 'accent-hover'))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['outline', 'focus'].flatMap((edge) => surfaces.map((on) => [edge, on])))(
    '%s is visible on %s',
    (edge, on) => {
      expect(contrast(color(block, edge), color(block, on))).toBeGreaterThanOrEqual(3);
    },
  );
});
