/** Sample private events: one that `demo` hosts, and one to be entered with its code. */

import type { MockEvents } from './mockEvents';
import type { Seat } from './mockGame';

const HOUR = 3_600_000;

/** Of the event that `demo` has not entered yet. */
export const ATTIC_CODE = 'ATTC-BMTZ-2345-WXYZ';

export function seedHosted(events: MockEvents, demo: Seat, others: Seat[]): void {
  const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
  const [bob, ...rest] = others;
  const kitchen = events.add(
    {
      title: 'Kitchen Table Cup',
      description: 'For everybody from the third floor. Tea is on me.',
      format: 'knockout',
      startTime: at(26),
      endTime: at(27),
      maxPlayers: 16,
    },
    demo,
  );
  const attic = events.add(
    {
      title: 'Attic Swiss',
      description: 'Mind the beams.',
      format: 'swiss',
      startTime: at(3),
      endTime: at(5),
      maxPlayers: 64,
    },
    bob,
  );
  attic.renewJoinCode(ATTIC_CODE);
  for (const [event, seats] of [
    [kitchen, [demo, ...rest.slice(0, 3)]],
    [attic, rest.slice(2, 5)],
  ] as const) {
    event.go('published');
    for (const each of seats) event.signUp(each);
  }
}
