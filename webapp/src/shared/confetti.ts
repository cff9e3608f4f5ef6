import type { Shape } from 'canvas-confetti';

/** The duration of the animation. */
export const CONFETTI_MS = 5_000;
const BURST_MS = 350;

/** Confetti in the light theme, chalk dust in the dark one; nothing with reduced motion. */
export async function celebrate(): Promise<void> {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  // A result is shown without it, too.
  const confetti = await import('canvas-confetti').then(({ default: loaded }) => loaded).catch(() => null);
  if (confetti === null) return;
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  Object.assign(canvas.style, {
    position: 'fixed',
    inset: '0',
    width: '100%',
    height: '100%',
    pointerEvents: 'none',
    zIndex: '500',
  });
  document.body.append(canvas);
  // The content security policy allows no workers from blobs.
  const throwScraps = confetti.create(canvas, { resize: true, useWorker: false });

  const style = getComputedStyle(document.documentElement);
  const colors = ['--x', '--o', '--accent', '--ink'].map((name) => style.getPropertyValue(name).trim());
  const isChalk = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark';
  const shapes: Shape[] = isChalk ? ['circle'] : ['square'];
  const endAt = Date.now() + CONFETTI_MS;
  const burst = () => {
    for (const [x, angle] of [
      [0, 60],
      [1, 120],
    ] as const) {
      void throwScraps({
        particleCount: isChalk ? 16 : 10,
        origin: { x, y: 0.75 },
        angle,
        spread: 60,
        startVelocity: 50,
        scalar: isChalk ? 0.45 : 1.1,
        ticks: 160,
        colors,
        shapes,
      });
    }
    if (Date.now() < endAt - 1_500) setTimeout(burst, BURST_MS);
  };
  burst();
  setTimeout(() => {
    throwScraps.reset();
    canvas.remove();
  }, CONFETTI_MS);
}
