/** What a score of engine use says, in words: docs/behaviour/engine-use.md. */

import type { components } from '@/api/schema';

type EngineScore = components['schemas']['EngineScore'];

/** Critical positions without which a score says nothing; as in the rules. */
export const MIN_POSITIONS = 40;

/** Beyond this the model is not that exact. */
const RAREST = 1_000_000;

export const LEVELS: Record<EngineScore['level'], string> = {
  'too-few': 'Too few positions',
  usual: 'Usual',
  unusual: 'Unusual',
};

/** How rare it is to find as many: 'one in 2,300'. */
export function rarity(chance: number): string {
  const one = chance > 0 ? Math.round(1 / chance) : Infinity;
  if (one >= RAREST) return 'fewer than one in a million';
  if (one <= 1) return 'nearly all';
  const step = 10 ** Math.max(0, Math.floor(Math.log10(one)) - 1);
  return `one in ${(Math.round(one / step) * step).toLocaleString('en')}`;
}

/** What the score of an account comes to. */
export function summary({ level, chance, critical }: EngineScore): string {
  if (level === 'too-few') {
    const { seen } = critical;
    const had = seen === 1 ? '1 critical position' : `${seen} critical positions`;
    return `${had} so far: with fewer than ${MIN_POSITIONS} a score says nothing.`;
  }
  return `Of players with this rating, ${rarity(chance)} find${chance > 0.7 || chance < 1 / RAREST ? '' : 's'} as many.`;
}

/** '0.8 s', '12 s'. */
export function secondsText(ms: number): string {
  return ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}

export function percentText(share: number): string {
  return `${Math.round(share * 100)} %`;
}
