import { describe, expect, it } from 'vitest';
import type { EventState, EventType } from '@/api/events';
import { type EventPanelState, eventPanelState } from './eventPanelState';

const winner = (userId: string) => ({ userId, username: userId, displayName: userId, level: 2, wins: 1 });

const STATES: EventState[] = ['drafted', 'published', 'started', 'ended', 'cancelled'];
const TYPES: EventType[] = ['open', 'closed'];
const OPEN = { eventType: 'open' } as const;

describe('the state', () => {
  it.each<[EventState, EventType, boolean, boolean, EventPanelState]>([
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
    const event = { eventState, eventType, winners: [], concluded: true };
    expect(eventPanelState(event, { userId: 'a', isSignedUp, isEliminated, isRemoved: false, isPlaying: false })).toBe(
      expected,
    );
  });

  it.each<[EventState, boolean, boolean, EventPanelState]>([
    ['started', false, true, 'playing'],
    ['ended', false, true, 'playing'],
    ['ended', false, false, 'deciding'],
    ['ended', true, false, 'ended'],
    ['ended', true, true, 'ended'],
    ['cancelled', true, true, 'cancelled'],
  ])('%s, concluded %s, in a game %s: %s', (eventState, concluded, isPlaying, expected) => {
    const decidedBy = '2026-01-01T12:01:00Z';
    const event = { ...OPEN, eventState, winners: [], concluded, decidedBy };
    expect(
      eventPanelState(event, { userId: 'a', isSignedUp: true, isEliminated: false, isRemoved: false, isPlaying }),
    ).toBe(expected);
  });

  it('of an event that is not concluded names no winner, even if winners are stored', () => {
    const event = { ...OPEN, eventState: 'ended', winners: [winner('a')], concluded: false } as const;
    const person = { userId: 'a', isSignedUp: true, isEliminated: false, isRemoved: false, isPlaying: false };
    expect(eventPanelState({ ...event, winners: [...event.winners] }, person)).toBe('checking');
  });

  it.each([
    ['a', 'won'],
    ['b', 'placed'],
    ['c', 'ended'],
    [null, 'ended'],
  ])('of an ended event, for %s: %s', (userId, expected) => {
    const winners = [winner('a'), winner('b')];
    const event = { ...OPEN, eventState: 'ended', winners, concluded: true } as const;
    expect(
      eventPanelState(event, { userId, isSignedUp: true, isEliminated: false, isRemoved: false, isPlaying: false }),
    ).toBe(expected);
  });

  it.each<EventState>(['published', 'started'])('of a removed player is ‘removed’ (%s)', (eventState) => {
    const event = { ...OPEN, eventState, winners: [], concluded: false };
    const person = { userId: 'a', isSignedUp: true, isEliminated: true, isRemoved: true, isPlaying: false };
    expect(eventPanelState(event, person)).toBe('removed');
  });

  it.each<[boolean, boolean, EventPanelState]>([
    [false, false, 'join'],
    [true, false, 'closed'],
    [true, true, 'join'],
  ])('of an open event whose pairings are fixed (%s), signed up %s: %s', (isFixed, isSignedUp, expected) => {
    const event = { ...OPEN, isFixed, eventState: 'started' as const, winners: [], concluded: false };
    const person = { userId: 'a', isSignedUp, isEliminated: false, isRemoved: false, isPlaying: false };
    expect(eventPanelState(event, person)).toBe(expected);
  });

  it('of who has no more matches offers nothing, but leads back to a game under way', () => {
    const event = {
      ...OPEN,
      format: 'knockout' as const,
      eventState: 'started' as const,
      winners: [],
      concluded: false,
    };
    const person = { userId: 'a', isSignedUp: true, isEliminated: false, isRemoved: false, isOut: true };
    expect(eventPanelState(event, { ...person, isPlaying: false })).toBe('out');
    expect(eventPanelState(event, { ...person, isPlaying: true })).toBe('playing');
    expect(eventPanelState(event, { ...person, isRemoved: true, isPlaying: false })).toBe('removed');
  });

  it('never lets an eliminated player join, or anybody unregister after the start', () => {
    for (const eventState of STATES) {
      for (const eventType of TYPES) {
        for (const isSignedUp of [true, false]) {
          for (const isEliminated of [true, false]) {
            const found = eventPanelState(
              { eventState, eventType, winners: [], concluded: true },
              { userId: 'a', isSignedUp, isEliminated, isRemoved: false, isPlaying: false },
            );
            if (found === 'join') expect([eventState, isEliminated]).toEqual(['started', false]);
            if (found === 'register' || found === 'unregister') expect(eventState).toBe('published');
          }
        }
      }
    }
  });
});
