import type { Event, Signup } from '@/api/events';

/** A draft with all it needs, or what the test makes of it. */
export function anEvent(over: Partial<Event> = {}): Event {
  const eventId = over.eventId ?? 'e1';
  return {
    _id: eventId,
    eventId,
    title: 'Chalk Cup',
    description: 'Bring your own chalk.',
    prize: 'A box of chalk',
    eventType: 'open',
    eventState: 'drafted',
    startTime: '2027-01-02T10:00:00Z',
    endTime: '2027-01-02T12:00:00Z',
    maxLosses: 3,
    ratedOnOneNetwork: false,
    isPrivate: false,
    format: 'arena',
    boardSize: 'byLevel',
    clock: 'turn15',
    createdAt: '2026-11-01T00:00:00Z',
    updatedAt: '2026-11-01T00:00:00Z',
    winners: [],
    signupCount: 0,
    participantCount: 0,
    concluded: over.eventState === 'ended' || over.eventState === 'cancelled',
    gamesInPlay: 0,
    announcements: [],
    ...over,
  };
}

/** The participant with that number, in the event of `anEvent`. */
export function aSignUp(number: number, over: Partial<Signup> = {}): Signup {
  return {
    _id: `s${number}`,
    signupId: `s${number}`,
    userId: `u${number}`,
    eventId: 'e1',
    username: `player${number}`,
    displayName: `player${number}`,
    email: `player${number}@example.org`,
    createdAt: new Date(Date.UTC(2026, 10, 1, 0, number)).toISOString(),
    status: 'registered',
    level: 1,
    wins: 0,
    losses: 0,
    ...over,
  };
}
