import { describe, expect, it } from 'vitest';
import type { EndReason, EventState } from '@/api/events';
import { postGameRedirect } from './postGameRedirect';

const ROOM = '/app/game/event/e1';
const NEXT = `${ROOM}?fromGame=true`;
const PAGE = '/app/events/view/e1';

const STATES: EventState[] = ['drafted', 'published', 'started', 'ended', 'cancelled'];
const REASONS: EndReason[] = ['line', 'forfeit', 'timeout', 'noShow', 'disconnect', 'time', 'adjudicated', 'void'];

function path(eventState: EventState, over: Partial<Parameters<typeof postGameRedirect>[0]> = {}) {
  return postGameRedirect({ eventId: 'e1', event: { eventState }, isEliminated: false, ...over }).path;
}

const game = (reason: EndReason, hasWon: boolean, status = 'completed') => ({
  lastGame: { status, reason, hasWon },
});

describe('the way on', () => {
  it('of an event that is not open is its page, whatever was played and however', () => {
    for (const eventState of STATES.filter((state) => state !== 'started')) {
      expect(path(eventState)).toBe(PAGE);
      for (const reason of REASONS) {
        for (const hasWon of [true, false]) expect(path(eventState, game(reason, hasWon))).toBe(PAGE);
      }
    }
  });

  it('of who is eliminated is the page', () => {
    expect(path('started', { isEliminated: true })).toBe(PAGE);
    expect(path('started', { isTakenOut: true, ...game('timeout', false) })).toBe(PAGE);
    expect(path('started', { isEliminated: true, ...game('line', false) })).toBe(PAGE);
  });

  it.each(REASONS)('of who won by %s is the next match', (reason) => {
    expect(path('started', game(reason, true))).toBe(NEXT);
  });

  it.each<[EndReason, string]>([
    ['line', NEXT],
    ['forfeit', NEXT],
    ['time', NEXT],
    ['adjudicated', NEXT],
    ['timeout', ROOM],
    ['noShow', ROOM],
    ['disconnect', ROOM],
  ])('of who lost by %s is %s: whoever may be away is not paired again unasked', (reason, target) => {
    expect(path('started', game(reason, false))).toBe(target);
  });

  it('of a game that was called off is the page, and without a game the room', () => {
    expect(path('started', game('void', false, 'cancelled'))).toBe(PAGE);
    expect(path('started')).toBe(ROOM);
  });
});
