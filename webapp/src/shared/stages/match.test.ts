import { describe, expect, it } from 'vitest';
import { BEGUN, bye, entrant, pairing, played, stageRound } from '@/testing/stageRounds';
import {
  currentRound,
  gameLink,
  isUnderWay,
  liveGameOf,
  matchState,
  matchText,
  namesOf,
  ordinal,
  otherMatches,
  playersOf,
  pointsText,
  roundName,
  scoreOf,
  undecidedIn,
} from './match';

const [adam, bea, cleo, dan] = [entrant('Adam', 1), entrant('Bea', 2), entrant('Cleo', 3), entrant('Dan', 4)];

describe('a match', () => {
  it.each([
    ['of which one player is known', pairing(1, [adam]), 'open', 'To be decided', undefined],
    ['that has not begun', pairing(1, [adam, bea]), 'ahead', 'Not begun', undefined],
    ['in its first game', pairing(1, [adam, bea], [null]), 'live', 'Live', '0–0'],
    ['in its second game', pairing(1, [adam, bea], [bea, null]), 'live', 'Live', '0–1'],
    ['between two games', pairing(1, [adam, bea], [adam]), 'between', 'The next game is about to begin', '1–0'],
    ['that was played', played(1, [adam, bea], [adam, bea, bea]), 'decided', 'Bea won', '1–2'],
    ['without an opponent', bye(1, adam), 'bye', 'Bye: no opponent', undefined],
    [
      'to which one did not come',
      pairing(1, [adam, bea], [], { winnerUserId: bea.userId, reason: 'absent' }),
      'decided',
      'Bea won · Decided by absence',
      undefined,
    ],
    [
      'from which both have withdrawn',
      pairing(1, [adam, bea], [], { reason: 'withdrawn' }),
      'decided',
      'Nobody won · Decided by a withdrawal',
      undefined,
    ],
  ])('%s', (_name, match, state, text, score) => {
    expect(matchState(match)).toBe(state);
    expect(matchText(match)).toBe(text);
    expect(scoreOf(match)).toBe(score);
  });

  it('is named by its players', () => expect(namesOf(pairing(1, [adam, bea]))).toBe('Adam – Bea'));

  it('has a live game only while it is not decided', () => {
    expect(liveGameOf(pairing(2, [adam, bea], [adam, null]))).toBe('g2-2-adam-bea');
    expect(liveGameOf(pairing(2, [adam, bea], [adam]))).toBeUndefined();
    expect(liveGameOf(pairing(2, [adam, bea], [null], { reason: 'ruling' }))).toBeUndefined();
  });
});

describe('rounds', () => {
  const first = stageRound(1, [played(1, [adam, bea], [adam, adam]), pairing(2, [cleo, dan], [null])], BEGUN);
  const planned = stageRound(2, [pairing(1, [adam])]);

  it('the present one is the last that was paired', () => {
    expect(currentRound([first, planned])).toBe(first);
    expect(currentRound([planned])).toBeUndefined();
  });

  it('one is under way once a game of it was opened', () => {
    expect(isUnderWay(first)).toBe(true);
    expect(isUnderWay(stageRound(1, [pairing(1, [adam, bea]), bye(2, cleo)], BEGUN))).toBe(false);
  });

  it('undecided matches are counted, apart from one’s own', () => {
    expect(undecidedIn(first)).toBe(1);
    expect(undecidedIn(first, dan.userId)).toBe(0);
    expect(undecidedIn(undefined)).toBe(0);
    expect([1, 3].map(otherMatches)).toEqual(['1 other match', '3 other matches']);
  });

  it('players are those of all rounds, by seed, each once', () => {
    expect(playersOf([stageRound(1, [pairing(1, [dan, bea])]), first]).map(({ seed }) => seed)).toEqual([1, 2, 3, 4]);
  });

  it('of a knockout are named by how far they are from the final', () => {
    expect([1, 2, 3, 4, 5].map((round) => roundName('knockout', round, 5))).toEqual([
      'Round of 32',
      'Round of 16',
      'Quarter-finals',
      'Semi-finals',
      'Final',
    ]);
    expect(roundName('swiss', 3, 5)).toBe('Round 3');
  });
});

it('a game is watched while it is played, played by its players, and seen again afterwards', () => {
  expect(gameLink('g1', true, false)).toBe('/app/game/g1?watch=true');
  expect(gameLink('g1', true, true)).toBe('/app/game/g1');
  expect(gameLink('g1', false, true)).toBe('/app/game/g1/replay');
});

it('places and points have their words', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '112th',
  ]);
  expect([3, 2.5, 1.25].map(pointsText)).toEqual(['3', '2.5', '1.25']);
});
