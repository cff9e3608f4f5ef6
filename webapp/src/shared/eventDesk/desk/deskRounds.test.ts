import { describe, expect, it } from 'vitest';
import type { StagePairing, StageRound } from '@/api/events';
import { aSignUp } from '../testing/anEvent';
import { aMatch, aRound } from '../testing/aRound';
import { deskText, inOrderOfNeed, progressText } from './deskRounds';

const playing = aRound(2, { state: 'playing', startsAt: '2027-01-02T10:30:00Z' });
const joined = [1, 2].map((number) => aSignUp(number, { status: 'active' }));

const decided: Partial<StagePairing> = { winnerUserId: 'u1', reason: 'played' };
const open: Partial<StagePairing> = { games: [{ gameId: 'g1', winnerUserId: 'u2' }, { gameId: 'g2' }] };

describe('the round of the desk', () => {
  it('has on top what holds it up', () => {
    const matches = [aMatch(1, decided), aMatch(2, open), aMatch(3), aMatch(4, decided), aMatch(5, open)];
    expect(inOrderOfNeed(matches).map(({ board }) => board)).toEqual([3, 2, 5, 1, 4]);
  });

  it.each([
    [{ pairings: [aMatch(1), aMatch(2), aMatch(3, decided)] }, '2 of 3 matches are still open.'],
    [{ pairings: [aMatch(1, decided), aMatch(2)] }, 'Only board 2 is holding up the round.'],
    [{ pairings: [aMatch(1, decided)] }, 'All of its matches are decided.'],
    [{ state: 'planned' }, /^Its games open at .+\.$/],
  ] as [Partial<StageRound>, string | RegExp][])('says how far it is: %j', (over, text) => {
    expect(progressText({ ...playing, ...over })).toMatch(text);
  });

  it('says that a later one is not paired', () => {
    expect(progressText(aRound(3))).toBe('It is not paired yet.');
  });
});

describe('a match', () => {
  it.each([
    [{}, 'Waits for its players'],
    [{ games: [{ gameId: 'g1', winnerUserId: 'u2' }] }, 'Waits for game 2'],
    [open, 'Game 2 is open'],
    [{ players: [] }, 'To be decided'],
    [decided, 'player1 won'],
    [
      { ...decided, games: ['u1', 'u2', 'u1'].map((winnerUserId, at) => ({ gameId: `g${at}`, winnerUserId })) },
      'player1 won · 2–1',
    ],
    [{ reason: 'absent' }, 'Nobody won · Decided by absence'],
    [{ bye: true, reason: 'bye', winnerUserId: 'u1' }, 'Bye: no opponent'],
  ] as [Partial<StagePairing>, string][])('%j is said as %s', (over, text) => {
    expect(deskText(aMatch(1, over), playing, joined)).toBe(text);
  });

  it('names who did not join', () => {
    const absent = [aSignUp(1, { status: 'active' }), aSignUp(2)];
    expect(deskText(aMatch(1), playing, absent)).toBe('Waits for player2, who did not join');
    expect(deskText(aMatch(1), { ...playing, state: 'planned' }, absent)).toBe('Not begun');
  });
});
