import type { EntryRequirement, Event } from '@/api/events';
import { counted } from '@/shared/counted';

/** A condition of entry in words. */
export interface EntryLine {
  condition: EntryRequirement['condition'];
  text: string;
}

/** What an event asks of those who enter, in the order in which the server checks it; empty where any person may, and no bot. */
export function entryLines(event: Event, isForBot = false): EntryLine[] {
  const { minRating, maxRating, minGames, accountAgeDays, isListedOnly } = event;
  const lines: EntryLine[] = [];
  if (event.botsAllowed === true) lines.push({ condition: 'people', text: 'Bots may enter too' });
  else if (isForBot) lines.push({ condition: 'people', text: 'People only' });
  if (minRating !== undefined) lines.push({ condition: 'minRating', text: `A rating of ${minRating} or more` });
  if (maxRating !== undefined) lines.push({ condition: 'maxRating', text: `A rating up to ${maxRating}` });
  if (minGames !== undefined) {
    lines.push({ condition: 'minGames', text: `${counted(minGames, 'finished game')} or more` });
  }
  if (accountAgeDays !== undefined) {
    lines.push({ condition: 'accountAge', text: `An account that is ${counted(accountAgeDays, 'day')} old or older` });
  }
  if (isListedOnly === true) lines.push({ condition: 'allowList', text: "Only players on the organiser's list" });
  return lines;
}

/** How somebody stands to a condition. */
export function ownText({ condition, own = 0, isMet }: EntryRequirement): string {
  switch (condition) {
    case 'minRating':
    case 'maxRating':
      return `Yours is ${own}.`;
    case 'minGames':
      return `You have ${own}.`;
    case 'accountAge':
      return `Yours is ${counted(own, 'day')} old.`;
    case 'people':
      return isMet ? '' : 'You are a bot.';
    case 'allowList':
      return isMet ? 'You are on it.' : 'You are not on it.';
  }
}
