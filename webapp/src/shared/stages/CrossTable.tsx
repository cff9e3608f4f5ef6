import type { StagePairing, StagePlayer, StageRound } from '@/api/events';
import { PersonLabel } from '../people/PersonLabel';
import { nameOf } from '../people/personSummary';
import classes from './CrossTable.module.css';
import { matchState, matchText, playersOf } from './match';
import { Scrolled } from '@/shared/ui/Scrolled';

interface CrossTableProps {
  rounds: readonly StageRound[];
  /** User ids in the order of the table; those that are not named follow by seed. */
  order: readonly string[];
  /** The viewer; null for a visitor. */
  userId: string | null;
}

/** A round robin: everybody's results against everybody. */
export function CrossTable({ rounds, order, userId }: CrossTableProps) {
  const place = (player: StagePlayer) => {
    const at = order.indexOf(player.userId);
    return at < 0 ? order.length + player.seed : at;
  };
  const players = playersOf(rounds).toSorted((a, b) => place(a) - place(b));
  const met = matchesByPlayers(rounds);
  return (
    <>
      <Scrolled label="Cross table" className={classes.sheet}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Player</th>
              {players.map((player, at) => (
                <th key={player.userId} scope="col" title={nameOf(player)}>
                  <span aria-hidden="true">{at + 1}</span>
                  <span className="visually-hidden">{nameOf(player)}</span>
                </th>
              ))}
              <th scope="col">Won</th>
            </tr>
          </thead>
          <tbody>
            {players.map((player, at) => (
              <tr key={player.userId} data-own={player.userId === userId}>
                <th scope="row">
                  <span className={classes.player}>
                    <small aria-hidden="true">{at + 1}</small>
                    <PersonLabel person={player} size={24} />
                  </span>
                </th>
                {players.map((other) => (
                  <Cell key={other.userId} player={player} other={other} matches={met(player, other)} />
                ))}
                <td className={classes.sum}>{wonBy(player, rounds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      <p className={classes.legend}>1: won, 0: lost; + and −: won and lost without a game; •: being played.</p>
    </>
  );
}

interface CellProps {
  player: StagePlayer;
  other: StagePlayer;
  matches: readonly StagePairing[];
}

function Cell({ player, other, matches }: CellProps) {
  if (player.userId === other.userId) return <td className={classes.self} />;
  const results = matches.map((pairing) => ({ pairing, sign: signOf(pairing, player.userId) }));
  return (
    <td>
      {results.map(({ pairing, sign }, at) => (
        <span key={at} className={classes.result} data-sign={sign} title={matchText(pairing)}>
          <span aria-hidden="true">{sign}</span>
          <span className="visually-hidden">{`${SIGNS[sign]} `}</span>
        </span>
      ))}
    </td>
  );
}

const SIGNS = {
  '1': 'Won',
  '0': 'Lost',
  '+': 'Won without a game',
  '−': 'Lost without a game',
  '•': 'Being played',
  '·': 'Not played yet',
} as const;

type Sign = keyof typeof SIGNS;

function signOf(pairing: StagePairing, userId: string): Sign {
  const { winnerUserId, reason } = pairing;
  if (reason === undefined) return ['live', 'between'].includes(matchState(pairing)) ? '•' : '·';
  const hasWon = winnerUserId === userId;
  if (reason === 'played' || reason === 'ruling') return hasWon ? '1' : '0';
  return hasWon ? '+' : '−';
}

const keyOf = (one: string, other: string) => `${one} ${other}`;

/** The matches of any two players, in the order of their rounds. */
function matchesByPlayers(rounds: readonly StageRound[]) {
  const met = new Map<string, StagePairing[]>();
  for (const { pairings } of rounds) {
    for (const pairing of pairings) {
      const [first, second] = pairing.players;
      if (first === undefined || second === undefined) continue;
      for (const key of [keyOf(first.userId, second.userId), keyOf(second.userId, first.userId)]) {
        met.set(key, [...(met.get(key) ?? []), pairing]);
      }
    }
  }
  return (one: StagePlayer, other: StagePlayer) => met.get(keyOf(one.userId, other.userId)) ?? [];
}

/** Byes of a round robin give nothing. */
function wonBy({ userId }: StagePlayer, rounds: readonly StageRound[]): number {
  return rounds.flatMap(({ pairings }) => pairings).filter(({ winnerUserId, bye }) => winnerUserId === userId && !bye)
    .length;
}
