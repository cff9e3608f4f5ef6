import type { Event } from '@/api/events';

/** What an event asks of, or says to, whoever looks at it (events and gameplay, section 2: player event page). */
export type Situation =
  'notReady' | 'register' | 'unregister' | 'join' | 'closed' | 'eliminated' | 'won' | 'placed' | 'ended' | 'cancelled';

interface Person {
  userId: string | null;
  isSignedUp: boolean;
  isEliminated: boolean;
}

export function situationOf(
  { eventState, eventType, winners }: Pick<Event, 'eventState' | 'eventType' | 'winners'>,
  { userId, isSignedUp, isEliminated }: Person,
): Situation {
  switch (eventState) {
    case 'drafted':
      return 'notReady';
    case 'published':
      return isSignedUp ? 'unregister' : 'register';
    case 'started':
      if (isEliminated) return 'eliminated';
      return isSignedUp || eventType === 'open' ? 'join' : 'closed';
    case 'ended': {
      const place = winners.findIndex((winner) => winner.userId === userId);
      if (place === 0) return 'won';
      return place > 0 ? 'placed' : 'ended';
    }
    case 'cancelled':
      return 'cancelled';
  }
}
