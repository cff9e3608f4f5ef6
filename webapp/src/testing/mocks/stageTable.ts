/** The table of a Swiss or a round robin, with its tie-breaks: docs/behaviour/formats.md#tie-breaks. */

import type { components } from '@/api/schema';

type Schemas = components['schemas'];
type Player = Schemas['StagePlayer'];
type Term = Schemas['TieBreakTerm'];

/** A round of a player that is over for them. */
export interface Way {
  round: number;
  /** Undefined where there was no game. */
  opponent: Player | undefined;
  won: boolean;
  /** The player was not there. */
  isOwnChoice: boolean;
}

interface Keyed {
  player: Player;
  /** More is better, the first first. */
  key: number[];
}

/** The best first; players with the same key share a rank, in the order of their seeds. */
export function inOrder<Row extends Keyed>(rows: Row[]): (Row & { rank: number })[] {
  const compare = (a: Keyed, b: Keyed) =>
    a.key.map((value, at) => (b.key[at] ?? 0) - value).find((difference) => difference !== 0) ?? 0;
  return rows
    .toSorted((a, b) => compare(a, b) || a.player.seed - b.player.seed)
    .map((row, _at, sorted) => ({ ...row, rank: sorted.findIndex((each) => compare(each, row) === 0) + 1 }));
}

const total = (terms: Term[]) => terms.reduce((sum, { value, cut }) => sum + (cut ? 0 : value), 0);

export function withTieBreaks(
  people: Player[],
  waysOf: (userId: string) => Way[],
  pointsOf: (userId: string) => number,
): Omit<Schemas['StageStanding'], 'withdrawn' | 'disqualified'>[] {
  const rows = people.map((player) => {
    const [ways, points] = [waysOf(player.userId), pointsOf(player.userId)];
    const term = (tieBreak: Term['tieBreak'], { round, opponent }: Way, value: number): Term => ({
      tieBreak,
      round,
      ...(opponent === undefined ? {} : { opponent }),
      value,
      cut: false,
    });
    const worth = ({ opponent }: Way) => (opponent === undefined ? points : pointsOf(opponent.userId));
    const lowest = ways.toSorted((a, b) => Number(b.isOwnChoice) - Number(a.isOwnChoice) || worth(a) - worth(b))[0];
    const terms = {
      buchholzCut1: ways.map((way) => ({ ...term('buchholzCut1', way, worth(way)), cut: way === lowest })),
      buchholz: ways.map((way) => term('buchholz', way, worth(way))),
      sonnebornBerger: ways.map((way) => term('sonnebornBerger', way, way.won ? worth(way) : 0)),
      wins: ways.filter(({ won, opponent }) => won && opponent !== undefined).map((way) => term('wins', way, 1)),
    };
    return { player, ways, points, term, terms, key: [points, ...Object.values(terms).map(total)] };
  });
  const between = rows.map((row) => {
    const isLevel = (userId: string) =>
      rows.some(({ player, key }) => player.userId === userId && key.every((value, at) => value === row.key[at]));
    const headToHead = row.ways
      .filter(({ opponent }) => opponent !== undefined && isLevel(opponent.userId))
      .map((way) => row.term('headToHead', way, Number(way.won)));
    return { ...row, terms: { ...row.terms, headToHead }, key: [...row.key, total(headToHead)] };
  });
  return inOrder(between).map(({ player, rank, points, terms }) => ({
    ...player,
    rank,
    points,
    tieBreaks: {
      buchholzCut1: total(terms.buchholzCut1),
      buchholz: total(terms.buchholz),
      sonnebornBerger: total(terms.sonnebornBerger),
      wins: total(terms.wins),
      headToHead: total(terms.headToHead),
    },
    terms: Object.values(terms).flat(),
  }));
}
