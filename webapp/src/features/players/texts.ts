/** Results, games and times in words. */

import type { HistoryFilter, PlayedGame, Results } from '@/api/players';
import { CLOCK_TEXTS } from '@/shared/quickMatch/wish';

let months: Intl.DateTimeFormat | undefined;
let days: Intl.DateTimeFormat | undefined;

/** For example `November 2026`. */
export function month(iso: string): string {
  months ??= new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });
  return months.format(new Date(iso));
}

/** For example `Nov 24, 2026`. */
export function day(iso: string): string {
  days ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
  return days.format(new Date(iso));
}

export const RESULT_TEXTS: Record<PlayedGame['result'], string> = { won: 'Won', lost: 'Lost', drawn: 'Drawn' };

export const KIND_TEXTS: Record<NonNullable<HistoryFilter['gameType']>, string> = {
  event: 'Event',
  quick: 'Quick match',
  invite: 'With a friend',
};

/** Board, kind and clock of a game. */
export function termsText({ boardSize, gameType, rated, clock }: PlayedGame): string {
  const kind = gameType === 'quick' ? (rated ? 'rated' : 'casual') : KIND_TEXTS[gameType].toLowerCase();
  return [`${boardSize}×${boardSize}`, kind, ...(clock === 'none' ? [] : [CLOCK_TEXTS[clock].label])].join(' · ');
}

export function total({ wins, losses, draws }: Results): number {
  return wins + losses + draws;
}

export function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`;
}

/** For example `3 won · 1 lost · 2 drawn`. */
export function resultsText({ wins, losses, draws }: Results): string {
  return [`${wins} won`, `${losses} lost`, ...(draws > 0 ? [`${draws} drawn`] : [])].join(' · ');
}
