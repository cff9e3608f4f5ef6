import { describe, expect, it } from 'vitest';
import type { EndReason, EventState } from '@/api/events';
import { postGameRedirect } from './postGameRedirect';

const ROOM = '/app/game/event/e1';
const NEXT = `${ROOM}?fromGame=true`;
const PAGE = '/app/events/view/e1';

const STATES: EventState[] = ['drafted', 'published', 'started', 'ended', 'cancelled'];
const REASONS: EndReason[] = [
  'line',
  'forfeit',
  'timeout',
  'noShow',
  'disconnect',
  'time',
  'adjudicated',
  'void',
  'declined',
  'removed',
];

function path(eventState: EventState, over: Partial<Parameters<typeof postGameRedirect>[0]> = {}) {
  return postGameRedirect({ eventId: 'e1', event: { eventState }, isEliminated: false, ...over }).path;
}

const game = (reason: EndReason, hasWon: boolean, status = 'completed') => ({
  lastGame: { status, reason, hasWon },
});

describe('the redirect after a game', () => {
  it('leads to the event’s page when the event is not live, whatever the game and its result', () => {
    for (const eventState of STATES.filter((state) => state !== 'started')) {
      expect(path(eventState)).toBe(PAGE);
      for (const reason of REASONS) {
        for (const hasWon of [true, false]) expect(path(eventState, game(reason, hasWon))).toBe(PAGE);
      }
    }
  });

  it('leads an eliminated player to the event’s page', () => {
    expect(path('started', { isEliminated: true })).toBe(PAGE);
    expect(path('started', { isTakenOut: true, ...game('timeout', false) })).toBe(PAGE);
    expect(path('started', { isEliminated: true, ...game('line', false) })).toBe(PAGE);
  });

  it.each(REASONS)('leads the winner by %s to the next match', (reason) => {
    expect(path('started', game(reason, true))).toBe(NEXT);
  });

  it.each<[EndReason, string]>([
    ['line', NEXT],
    ['forfeit', NEXT],
    ['time', NEXT],
    ['adjudicated', NEXT],
    ['timeout', ROOM],
    ['noShow', ROOM],
    ['declined', ROOM],
    ['disconnect', ROOM],
  ])(
    'leads the loser by %s to %s: players who may be away are asked before they are paired again',
    (reason, target) => {
      expect(path('started', game(reason, false))).toBe(target);
    },
  );

  it('leads to the page after a cancelled game, and to the room without a game', () => {
    expect(path('started', game('void', false, 'cancelled'))).toBe(PAGE);
    expect(path('started')).toBe(ROOM);
  });
});
