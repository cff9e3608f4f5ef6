/** What an event takes, by format: measured by the simulation of docs/behaviour/formats.md#what-an-evening-takes. */

import type { EventFormat } from '@/api/events';

const EVENINGS: Record<EventFormat, string> = {
  arena: 'It takes as long as you set, and players may come and go.',
  knockout: '8 players play 3 rounds in about 13 minutes, 32 play 5 in about 23.',
  swiss: '8 players play 4 rounds in about 18 minutes, 32 play 6 in about 32.',
  roundRobin: 'For at most 16 players: 6 play 5 rounds in about 22 minutes, 10 play 9 in about 42.',
};

/** With matches of two games. */
export function eveningOf(format: EventFormat): string {
  return EVENINGS[format];
}

/** How long an event of this format is planned for at first, in minutes: what it takes with 64 players, or as many as may play, and some room. */
export function suggestedMinutes({ format, doubleRounds }: { format: EventFormat; doubleRounds: boolean }): number {
  switch (format) {
    case 'arena':
    case 'knockout':
      return 60;
    case 'swiss':
      return 90;
    case 'roundRobin':
      return doubleRounds ? 180 : 120;
  }
}
