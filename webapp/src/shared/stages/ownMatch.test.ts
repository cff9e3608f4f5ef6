import { describe, expect, it } from 'vitest';
import type { StageRound } from '@/api/events';
import { BEGUN, bye, entrant, pairing, played, stageRound, standing } from '@/testing/stageRounds';
import { ownMatch, takesPart } from './ownMatch';

const [adam, bea, cleo, dan] = [entrant('Adam', 1), entrant('Bea', 2), entrant('Cleo', 3), entrant('Dan', 4)];

type Facts = Parameters<typeof ownMatch>[0];

const of = (rounds: StageRound[], over: Partial<Facts> = {}) =>
  ownMatch({
    format: 'swiss',
    rounds,
    expectedRounds: 3,
    isOver: false,
    standing: undefined,
    userId: adam.userId,
    ...over,
  });

describe('the match of a player', () => {
  it('is not there before the first round, nor once the event is over', () => {
    expect(of([])).toEqual({ kind: 'early' });
    expect(of([stageRound(1, [played(1, [adam, bea], [adam])], BEGUN)], { isOver: true })).toEqual({ kind: 'over' });
  });

  it.each([
    ['ahead', []],
    ['playing', [null]],
    ['between', [bea]],
  ] as const)('is %s with the games %j', (kind, winners) => {
    const match = pairing(1, [bea, adam], [...winners]);
    const round = stageRound(1, [match], BEGUN);
    expect(of([round])).toMatchObject({ kind, round, pairing: match, opponent: bea });
  });

  it('names the game that is played', () => {
    expect(of([stageRound(1, [pairing(4, [adam, bea], [adam, null])], BEGUN)])).toMatchObject({
      kind: 'playing',
      gameId: 'g4-2-adam-bea',
    });
  });

  it('that is decided waits for the others of the round', () => {
    const round = stageRound(1, [played(1, [adam, bea], [bea, bea]), pairing(2, [cleo, dan])], BEGUN);
    expect(of([round])).toEqual({ kind: 'decided', hasWon: false, others: 1, isLast: false });
    expect(of([round], { expectedRounds: 1 })).toMatchObject({ isLast: true });
  });

  it('is a bye, or none for whoever came late', () => {
    const round = stageRound(1, [pairing(1, [bea, cleo]), bye(2, adam)], BEGUN);
    expect(of([round])).toEqual({ kind: 'bye', others: 1, isLast: false });
    expect(of([round], { userId: dan.userId })).toEqual({ kind: 'unpaired', others: 1, isLast: false });
  });

  it('is over for whoever was withdrawn', () => {
    const lost = pairing(1, [adam, bea], [], { winnerUserId: bea.userId, reason: 'absent' });
    const facts = { standing: standing(adam, 2, 0, { withdrawn: true }) };
    expect(of([stageRound(1, [lost], BEGUN)], facts)).toMatchObject({ kind: 'withdrawn' });
    // A match that is still to be played comes first.
    expect(of([stageRound(1, [pairing(1, [adam, bea])], BEGUN)], facts)).toMatchObject({ kind: 'ahead' });
  });
});

describe('in a knockout', () => {
  const knockout = (rounds: StageRound[], userId = adam.userId) =>
    of(rounds, { format: 'knockout', expectedRounds: 2, userId });

  it('the winner learns whom they meet, or which match decides it', () => {
    const open = pairing(2, [bea, cleo], [null]);
    const semis = stageRound(1, [played(1, [adam, dan], [adam, adam]), open], BEGUN);
    const waiting = knockout([semis, stageRound(2, [pairing(1, [adam])])]);
    expect(waiting).toEqual({ kind: 'decided', hasWon: true, others: 1, isLast: false, next: open });
    expect(knockout([semis, stageRound(2, [pairing(1, [adam, cleo])])])).toMatchObject({ next: cleo });
  });

  it('the loser is out, unless they play for the third place', () => {
    const semis = stageRound(1, [played(1, [adam, dan], [dan, dan]), pairing(2, [bea, cleo])], BEGUN);
    expect(knockout([semis, stageRound(2, [pairing(1, [dan])])])).toMatchObject({ kind: 'out', others: 1 });
    expect(knockout([semis, stageRound(2, [pairing(1, [dan]), pairing(2, [adam])])])).toMatchObject({
      kind: 'decided',
      hasWon: false,
      next: { board: 2 },
    });
  });

  it('whoever lost in an earlier round is out', () => {
    const first = stageRound(1, [played(1, [adam, dan], [dan, dan]), played(2, [bea, cleo], [bea, bea])], BEGUN);
    const final = stageRound(2, [pairing(1, [dan, bea], [null])], BEGUN);
    expect(knockout([first, final])).toMatchObject({ kind: 'out', others: 1, isLast: true });
    expect(knockout([first, final], bea.userId)).toMatchObject({ kind: 'playing' });
  });
});

it('who has neither a match nor a row of the table does not take part', () => {
  const rounds = [stageRound(1, [pairing(1, [adam, bea])], BEGUN)];
  expect(takesPart(rounds, undefined, adam.userId)).toBe(true);
  expect(takesPart(rounds, undefined, cleo.userId)).toBe(false);
  expect(takesPart(rounds, standing(cleo, 3, 0), cleo.userId)).toBe(true);
});
