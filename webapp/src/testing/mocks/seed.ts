/** Sample events in every state. */

import type { MockEvents } from './mockEvents';
import type { Seat } from './mockGame';
import type { MockEvent } from './mockEvent';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `demo` is the user of most sessions: a player in one event, eliminated in another, winner of a third. */
export function seedEvents(events: MockEvents, demo: Seat, others: Seat[]): void {
  const now = Date.now();
  const at = (offset: number) => new Date(now + offset).toISOString();

  events.add({ title: 'Winter Gambit', description: 'Not thought through to the end yet.' });

  const soon = events.add({
    title: 'Sunday Chalk Cup',
    description: 'Bring your own chalk. Everybody is welcome, whoever is out after three losses claps for the others.',
    prize: 'A box of coloured chalk',
    startTime: at(2 * MINUTE),
    endTime: at(2 * HOUR),
  });
  const nextWeek = events.add({
    title: 'New Year Ladder',
    description: 'Climb from 3×3 to 6×6. Nobody is eliminated.',
    startTime: at(6 * DAY),
    endTime: at(6 * DAY + 3 * HOUR),
    maxLosses: 0,
  });
  const calledOff = events.add({
    title: 'Rooftop Open',
    description: 'The weather has other plans.',
    startTime: at(DAY),
    endTime: at(DAY + HOUR),
  });

  const blitz = events.add({
    title: 'Lunch Break Blitz',
    description: 'An hour of quick games between two sandwiches.',
    prize: 'Lunch for two',
    startTime: at(-20 * MINUTE),
    endTime: at(40 * MINUTE),
    maxLosses: 12,
  });
  const knockout = events.add({
    title: 'Members’ Knockout',
    description: 'One loss and you are out. For those who registered.',
    eventType: 'closed',
    startTime: at(-30 * MINUTE),
    endTime: at(90 * MINUTE),
    maxLosses: 1,
  });
  const marathon = events.add({
    title: 'Marathon of Rounds',
    description: 'Long, longer, six by six.',
    startTime: at(-2 * HOUR),
    endTime: at(3 * HOUR),
  });
  const masters = events.add({
    title: 'Midnight Masters',
    description: 'Open to whoever is still awake.',
    startTime: at(-10 * MINUTE),
    endTime: at(5 * HOUR),
  });

  const autumn = events.add({
    title: 'Autumn Open',
    description: 'Leaves fell, lines were drawn.',
    prize: 'The golden pencil',
    startTime: at(-9 * DAY),
    endTime: at(-9 * DAY + 2 * HOUR),
  });
  const first = events.add({
    title: 'First Ink',
    description: 'Where it all began.',
    startTime: at(-30 * DAY),
    endTime: at(-30 * DAY + HOUR),
  });

  for (const event of [soon, nextWeek, calledOff, blitz, knockout, marathon, masters, autumn, first]) {
    // Some have times in the past, which the server would refuse to publish.
    event.state = 'published';
    for (const other of others) event.signUp(other);
  }
  for (const event of [nextWeek, blitz, marathon, autumn]) event.signUp(demo);
  for (const event of [blitz, knockout, marathon, masters, autumn, first]) {
    event.go('started');
    for (const each of event.participants.seats) event.join(each);
    playSome(event, others);
  }

  const [rival = demo, friend = demo] = others;
  for (let game = 0; game < 3; game += 1) {
    blitz.participants.record(demo, rival);
    marathon.participants.record(rival, demo);
    for (let round = 0; round < 2; round += 1) autumn.participants.record(demo, rival);
    first.participants.record(friend, rival);
  }
  for (const event of [autumn, first]) {
    event.go('ended');
    event.conclude();
  }
  calledOff.go('cancelled');
}

/** Adds some results of earlier games. */
function playSome(event: MockEvent, others: Seat[]): void {
  for (const [at, winner] of others.entries()) {
    const loser = others[(at + 1) % others.length];
    if (
      loser === undefined ||
      event.participants.isEliminated(loser.userId) ||
      event.participants.isEliminated(winner.userId)
    )
      continue;
    for (let wins = 0; wins < 1 + (at % 2); wins += 1) {
      if (!event.participants.isEliminated(loser.userId)) event.participants.record(winner, loser);
    }
  }
}
