import { describe, expect, it } from 'vitest';
import type { EventState, EventType } from '@/api/events';
import { type Situation, situationOf } from './situation';

const winner = (userId: string) => ({ userId, username: userId, level: 2, wins: 1 });

const STATES: EventState[] = ['drafted', 'published', 'started', 'ended', 'cancelled'];
const TYPES: EventType[] = ['open', 'closed'];

describe('the situation', () => {
  it.each<[EventState, EventType, boolean, boolean, Situation]>([
    ['drafted', 'open', false, false, 'notReady'],
    ['published', 'open', false, false, 'register'],
    ['published', 'closed', false, false, 'register'],
    ['published', 'closed', true, false, 'unregister'],
    ['started', 'open', false, false, 'join'],
    ['started', 'closed', true, false, 'join'],
    ['started', 'closed', false, false, 'closed'],
    ['started', 'open', true, true, 'eliminated'],
    ['ended', 'open', true, true, 'ended'],
    ['cancelled', 'open', true, false, 'cancelled'],
  ])('%s, %s, signed up %s, eliminated %s: %s', (eventState, eventType, isSignedUp, isEliminated, expected) => {
    const event = { eventState, eventType, winners: [] };
    expect(situationOf(event, { userId: 'a', isSignedUp, isEliminated })).toBe(expected);
  });

  it.each([
    ['a', 'won'],
    ['b', 'placed'],
    ['c', 'ended'],
    [null, 'ended'],
  ])('of an ended event, for %s: %s', (userId, expected) => {
    const event = { eventState: 'ended', eventType: 'open', winners: [winner('a'), winner('b')] } as const;
    expect(
      situationOf({ ...event, winners: [...event.winners] }, { userId, isSignedUp: true, isEliminated: false }),
    ).toBe(expected);
  });

  it('is never a way in for who is out, nor a way out of what has started', () => {
    for (const eventState of STATES) {
      for (const eventType of TYPES) {
        for (const isSignedUp of [true, false]) {
          for (const isEliminated of [true, false]) {
            const found = situationOf(
              { eventState, eventType, winners: [] },
              { userId: 'a', isSignedUp, isEliminated },
            );
            if (found === 'join') expect([eventState, isEliminated]).toEqual(['started', false]);
            if (found === 'register' || found === 'unregister') expect(eventState).toBe('published');
          }
        }
      }
    }
  });
});
