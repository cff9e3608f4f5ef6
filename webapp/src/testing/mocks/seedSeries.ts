/** A sample series: two of its events are over, and the next ones take sign-ups. */

import type { MockEvents } from './mockEvents';
import type { Seat } from './mockGame';
import type { MockSeries } from './series';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Fridays, counted from the next one that is not today; below zero those that have passed. */
function friday(number: number): string {
  const today = new Date();
  const days = ((4 - today.getUTCDay() + 7) % 7) + 1;
  return new Date(today.getTime() + (days + 7 * number) * DAY_MS).toISOString().slice(0, 10);
}

export function seedSeries(events: MockEvents, series: MockSeries, players: Seat[]): void {
  const kept = series.add({
    name: 'Friday Night League',
    description: 'Every week at the same table. The best of the season gets the golden pencil.',
    template: { title: 'Friday Night', description: 'Three losses, and you keep the score.', maxLosses: 3 },
    firstStart: `${friday(-3)}T19:00`,
    timeZone: 'Europe/Berlin',
    rule: 'FREQ=WEEKLY;BYDAY=FR',
    durationMinutes: 120,
    points: [10, 7, 5, 3, 2, 1],
    daysAhead: 21,
  });
  for (const number of [-3, -2]) {
    const start = Date.parse(`${friday(number)}T18:00:00Z`);
    const event = events.add({
      title: 'Friday Night',
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + 2 * HOUR_MS).toISOString(),
    });
    event.seriesId = kept.seriesId;
    // The server would refuse to publish an event in the past.
    event.state = 'published';
    const seats = number === -2 ? players.toReversed() : players;
    for (const each of seats) event.signUp(each);
    event.go('started');
    for (const each of seats) event.join(each);
    seats.slice(1).forEach((loser, at) => {
      const winner = seats[at];
      if (winner !== undefined) event.participants.record(winner, loser);
    });
    event.go('ended');
    event.conclude();
    kept.made.set(friday(number), event);
  }
}
