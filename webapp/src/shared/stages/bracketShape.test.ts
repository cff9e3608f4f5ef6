import { describe, expect, it } from 'vitest';
import { BEGUN, bye, entrant, pairing, played, stageRound } from '@/testing/stageRounds';
import { bracketShape, seatsOf } from './bracketShape';

const [adam, bea, cleo, dan] = [entrant('Adam', 1), entrant('Bea', 2), entrant('Cleo', 3), entrant('Dan', 4)];

const seatTexts = (shape: ReturnType<typeof bracketShape>) =>
  shape.rounds.map(({ matches }) =>
    matches.map((match) => seatsOf(match).map(({ player, awaited }) => player?.displayName ?? awaited)),
  );

describe('a bracket', () => {
  it('has all rounds to the final, also those that are not planned yet', () => {
    const first = stageRound(1, [pairing(1, [adam, dan]), pairing(2, [bea, cleo])], BEGUN);
    expect(seatTexts(bracketShape([first], 2))).toEqual([
      [
        ['Adam', 'Dan'],
        ['Bea', 'Cleo'],
      ],
      [['Winner of board 1', 'Winner of board 2']],
    ]);
  });

  it('seats whoever is known on the side from which they come', () => {
    const first = stageRound(1, [pairing(1, [adam, dan]), played(2, [bea, cleo], [cleo, cleo])], BEGUN);
    const final = stageRound(2, [pairing(1, [cleo])]);
    expect(seatTexts(bracketShape([first, final], 2))[1]).toEqual([['Winner of board 1', 'Cleo']]);
  });

  it('shows byes, and nobody where both have withdrawn', () => {
    const neither = pairing(2, [bea, cleo], [], { reason: 'withdrawn' });
    const first = stageRound(1, [bye(1, adam), neither], BEGUN);
    const final = stageRound(2, [bye(1, adam)], BEGUN);
    expect(seatTexts(bracketShape([first, final], 2))).toEqual([
      [
        ['Adam', 'Bye'],
        ['Bea', 'Cleo'],
      ],
      [['Adam', 'Bye']],
    ]);
    expect(seatTexts(bracketShape([first, stageRound(2, [pairing(1, [adam])])], 2))[1]).toEqual([['Adam', 'Nobody']]);
  });

  it('has the match for the third place apart, for those who lost the semi-finals', () => {
    const semis = stageRound(1, [played(1, [adam, dan], [adam, adam]), pairing(2, [bea, cleo], [null])], BEGUN);
    const last = stageRound(2, [pairing(1, [adam]), pairing(2, [dan])]);
    const shape = bracketShape([semis, last], 2);
    expect(seatTexts(shape)[1]).toEqual([['Adam', 'Winner of board 2']]);
    expect(seatsOf(shape.third!)).toEqual([{ player: dan }, { awaited: 'Loser of board 2' }]);
  });

  it('can begin at a later round, and is empty before the first', () => {
    const first = stageRound(1, [pairing(1, [adam, dan]), pairing(2, [bea, cleo])], BEGUN);
    expect(bracketShape([first], 2, 2).rounds.map(({ round: { round } }) => round)).toEqual([2]);
    expect(bracketShape([], 0)).toEqual({ rounds: [], third: undefined });
  });
});
