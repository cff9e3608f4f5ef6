import type { Event } from '@/api/events';
import { useNow } from './countdown';

export const DECIDING = 'The last games are being decided.';

/** Between an event's end and its winners: the games left and the remaining time. */
export function Deciding({ event: { gamesInPlay, decidedBy } }: { event: Event }) {
  const now = useNow();
  const seconds = decidedBy === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(decidedBy) - now) / 1_000));
  const winners = seconds > 0 ? `winners in at most ${seconds} s` : 'winners in a moment';
  return <>{gamesInPlay === 0 ? capitalized(winners) : `${stillPlayed(gamesInPlay)}, ${winners}`}.</>;
}

export function stillPlayed(games: number): string {
  return games === 1 ? '1 game is still being played' : `${games} games are still being played`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
