import type { Signup } from '@/api/events';

export interface LevelCount {
  level: number;
  /** Still in the event. */
  playing: number;
  eliminated: number;
}

/** How many people stand on each level, from 1 to the highest reached; levels that nobody is on are there, too. */
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
  /** Registered by then. */
  count: number;
}

/** More points than this nobody can tell apart in a plot of that width. */
const MAX_POINTS = 120;

/** How registrations grew: one point for each, thinned to what a plot can show; the first and the last always stand. */
export function growthOf(signUps: Pick<Signup, 'createdAt'>[]): Growth[] {
  const times = signUps.map(({ createdAt }) => Date.parse(createdAt)).sort((a, b) => a - b);
  const step = Math.max(1, Math.ceil(times.length / MAX_POINTS));
  return times
    .map((at, index) => ({ at, count: index + 1 }))
    .filter(({ count }) => count === 1 || count === times.length || count % step === 0);
}
