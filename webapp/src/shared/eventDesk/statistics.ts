import type { Signup } from '@/api/events';

export interface LevelCount {
  level: number;
  /** Still in the event. */
  playing: number;
  eliminated: number;
}

/** Players per level, from 1 to the highest reached, including empty levels. */
export function countByLevel(signUps: Pick<Signup, 'level' | 'status'>[]): LevelCount[] {
  const highest = signUps.reduce((top, { level }) => Math.max(top, level), 0);
  const counts = Array.from({ length: highest }, (_, index) => ({ level: index + 1, playing: 0, eliminated: 0 }));
  for (const { level, status } of signUps) {
    const count = counts[level - 1];
    if (count !== undefined) count[status === 'eliminated' ? 'eliminated' : 'playing'] += 1;
  }
  return counts;
}

export interface Growth {
  /** Unix milliseconds. */
  at: number;
  /** Registrations up to that time. */
  count: number;
}

/** More points cannot be told apart in a plot of that width. */
const MAX_POINTS = 120;

/** One point for each registration, thinned to what a plot can show; first and last are always kept. */
export function growthOf(signUps: Pick<Signup, 'createdAt'>[]): Growth[] {
  const times = signUps.map(({ createdAt }) => Date.parse(createdAt)).sort((a, b) => a - b);
  const step = Math.max(1, Math.ceil(times.length / MAX_POINTS));
  return times
    .map((at, index) => ({ at, count: index + 1 }))
    .filter(({ count }) => count === 1 || count === times.length || count % step === 0);
}
