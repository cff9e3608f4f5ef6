import { memo } from 'react';
import { Link } from 'react-router';
import { PersonLabel } from '../people/PersonLabel';
import type { BracketMatchShape, BracketSeat } from './bracketShape';
import { seatsOf } from './bracketShape';
import classes from './BracketMatch.module.css';
import { reasonText } from './formats';
import { gameLink, gamesWonBy, isIn, liveGameOf, matchState, namesOf } from './match';

interface BracketMatchProps {
  shape: BracketMatchShape;
  /** The viewer. */
  userId: string | null;
  /** The player who is followed. */
  followed: string | null;
  /** Shown from afar: nothing leads elsewhere. */
  isStill?: boolean;
}

/** A match of a bracket: both seats with the games won, and the way to its game. */
export const BracketMatch = memo(
  function BracketMatch({ shape, userId, followed, isStill = false }: BracketMatchProps) {
    const { pairing } = shape;
    const state = matchState(pairing);
    return (
      <div
        className={classes.match}
        data-state={state}
        data-own={isIn(pairing, userId)}
        data-followed={isIn(pairing, followed)}
      >
        <ul className={classes.seats}>
          {seatsOf(shape).map((seat, at) => (
            <Seat key={seat.player?.userId ?? at} seat={seat} shape={shape} />
          ))}
        </ul>
        <p className={classes.about}>
          <span>{`Board ${pairing.board}`}</span>
          <About shape={shape} userId={userId} isStill={isStill} />
        </p>
      </div>
    );
  },
  // The shape is made anew with every answer; what it is made of is not.
  (before, after) =>
    before.shape.pairing === after.shape.pairing &&
    before.shape.isForThird === after.shape.isForThird &&
    before.shape.feeders.every((feeder, at) => feeder === after.shape.feeders[at]) &&
    before.userId === after.userId &&
    before.followed === after.followed &&
    before.isStill === after.isStill,
);

function Seat({ seat: { player, awaited = '' }, shape: { pairing } }: { seat: BracketSeat; shape: BracketMatchShape }) {
  if (player === undefined) return <li className={classes.awaited}>{awaited}</li>;
  const { winnerUserId, reason, games } = pairing;
  const hasWon = winnerUserId === player.userId;
  return (
    <li data-result={reason === undefined ? undefined : hasWon ? 'won' : 'lost'}>
      <small className={classes.seed} title={`Seed ${player.seed}`}>
        {player.seed}
      </small>
      <PersonLabel person={player} size={24} />
      {hasWon && <span className="visually-hidden">, winner</span>}
      {games.length > 0 && <b className={classes.won}>{gamesWonBy(pairing, player.userId)}</b>}
    </li>
  );
}

/** How far the match is. The link to its game covers the whole of it. */
function About({
  shape: { pairing },
  userId,
  isStill,
}: Required<Pick<BracketMatchProps, 'shape' | 'userId' | 'isStill'>>) {
  const state = matchState(pairing);
  const { reason, games } = pairing;
  const live = liveGameOf(pairing);
  const last = games.at(-1);
  const words = {
    open: '',
    ahead: '',
    live: 'Live',
    between: 'Next game soon',
    decided: reason === undefined || reason === 'played' ? '' : reasonText(reason),
    bye: '',
  }[state];
  const gameId = live ?? (state === 'decided' ? last?.gameId : undefined);
  const isOwn = isIn(pairing, userId);
  const act = live === undefined ? 'Replay' : isOwn ? 'Return to your game' : 'Watch';
  return (
    <>
      {words !== '' && <span className={classes.state}>{words}</span>}
      {gameId !== undefined && !isStill && (
        <Link
          to={gameLink(gameId, live !== undefined, isOwn)}
          className={classes.link}
          aria-label={`${act}: ${namesOf(pairing)}`}
        >
          {act}
        </Link>
      )}
    </>
  );
}
