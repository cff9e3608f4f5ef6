/** What a player looks for in quick match: docs/behaviour/quick-match.md. */

import type { components } from '@/api/schema';
import type { ClientEvents } from '@/realtime/protocol';
import { readStored, STORAGE_KEYS, writeStored } from '@/shared/storage';

export type Wish = ClientEvents['quickMatchJoin'];
export type TimeControl = components['schemas']['TimeControl'];

export const WISH_SIZES = ['any', 3, 4, 5, 6] as const;
export const TIME_CONTROLS = ['none', 'turn15', '1+2'] as const satisfies readonly TimeControl[];
export const WISH_CLOCKS = ['turn15', '1+2'] as const;

/** Time controls in words. */
export const CLOCK_TEXTS: Record<TimeControl, { label: string; detail: string }> = {
  none: { label: 'No clock', detail: 'No time limit' },
  turn15: { label: '15 s a turn', detail: 'The same for every turn' },
  '1+2': { label: '1 min + 2 s', detail: 'For all turns, and 2 s for each move' },
};

export function boardText(size: number | 'any'): string {
  return size === 'any' ? 'Any board' : `${size}×${size}`;
}

/** A wish in a few words. */
export function wishText({ boardSize, clock, rated }: Wish): string {
  return `${boardText(boardSize)} · ${CLOCK_TEXTS[clock].label} · ${rated ? 'rated' : 'casual'}`;
}

export const DEFAULT_WISH: Wish = { boardSize: 'any', clock: 'turn15', rated: true };

/** The last wish of this browser. */
export function readWish(): Wish {
  const { boardSize, clock, rated } = (readStored(STORAGE_KEYS.quickMatch) ?? {}) as Partial<
    Record<keyof Wish, unknown>
  >;
  return {
    boardSize: WISH_SIZES.find((each) => each === boardSize) ?? DEFAULT_WISH.boardSize,
    clock: WISH_CLOCKS.find((each) => each === clock) ?? DEFAULT_WISH.clock,
    rated: typeof rated === 'boolean' ? rated : DEFAULT_WISH.rated,
  };
}

export function rememberWish(wish: Wish): void {
  writeStored(STORAGE_KEYS.quickMatch, wish);
}
