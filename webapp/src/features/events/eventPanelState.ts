import type { Event } from '@/api/events';

/** What an event's page offers or says to its viewer: docs/behaviour/webapp.md#event-pages. */
export type EventPanelState =
  | 'notReady'
  | 'register'
  | 'unregister'
  | 'join'
  | 'closed'
  | 'absent'
  | 'playing'
  | 'eliminated'
  | 'removed'
  | 'out'
  | 'deciding'
  | 'checking'
  | 'won'
  | 'placed'
  | 'ended'
  | 'cancelled';

interface Person {
  userId: string | null;
  isSignedUp: boolean;
  isEliminated: boolean;
  /** An admin removed them. */
  isRemoved: boolean;
  /** They were asked to check in, and did not. */
  isLate?: boolean;
  /** They have no more matches in an event in stage rounds. */
  isOut?: boolean;
  /** They are in a running game of the event. */
  isPlaying: boolean;
}

type Facts = Pick<Event, 'eventState' | 'eventType' | 'concluded' | 'decidedBy' | 'winners'> & {
  /** Who meets whom is fixed: nobody can come any more. */
  isFixed?: boolean;
};

export function eventPanelState(
  { eventState, eventType, isFixed = false, concluded, decidedBy, winners }: Facts,
  { userId, isSignedUp, isEliminated, isRemoved, isLate = false, isOut = false, isPlaying }: Person,
): EventPanelState {
  switch (eventState) {
    case 'drafted':
      return 'notReady';
    case 'published':
      if (isRemoved) return 'removed';
      return isSignedUp ? 'unregister' : 'register';
    case 'started':
      if (isPlaying) return 'playing';
      if (isRemoved) return 'removed';
      if (isOut) return 'out';
      if (isEliminated) return 'eliminated';
      if (eventType === 'open' && !isFixed) return 'join';
      if (isLate) return 'absent';
      return isSignedUp ? 'join' : 'closed';
    case 'ended': {
      if (!concluded && isPlaying) return 'playing';
      // Without a deadline the admins have reopened the event.
      if (!concluded) return decidedBy === undefined ? 'checking' : 'deciding';
      const place = winners.findIndex((winner) => winner.userId === userId);
      if (place === 0) return 'won';
      return place > 0 ? 'placed' : 'ended';
    }
    case 'cancelled':
      return 'cancelled';
  }
}
