import { memo } from 'react';
import { Link } from 'react-router';
import type { StagePairing, StagePlayer } from '@/api/events';
import { PersonLabel } from '../people/PersonLabel';
import { PersonLink } from '../people/PersonLink';
import { gameLink, isIn, liveGameOf, matchState, matchText, namesOf, scoreOf } from './match';
import classes from './PairingRow.module.css';

interface PairingRowProps {
  pairing: StagePairing;
  /** The viewer; null for a visitor. */
  userId: string | null;
  /** Shown from afar: nothing leads elsewhere. */
  isStill?: boolean;
}

/** A match of a round: its board, its players with seeds, the games won, and its games. */
export const PairingRow = memo(function PairingRow({ pairing, userId, isStill = false }: PairingRowProps) {
  const { board, players, bye } = pairing;
  const [first, second] = players;
  return (
    <li className={classes.row} data-state={matchState(pairing)} data-own={isIn(pairing, userId)}>
      <span className={classes.board}>
        <span className="visually-hidden">Board </span>
        {board}
      </span>
      <div className={classes.players}>
        <Side player={first} otherwise="To be decided" pairing={pairing} isStill={isStill} />
        <b className={classes.score}>{scoreOf(pairing) ?? '–'}</b>
        <Side player={second} otherwise={bye ? 'Bye' : 'To be decided'} pairing={pairing} isStill={isStill} />
      </div>
      <div className={classes.about}>
        <span className={classes.state}>{matchText(pairing)}</span>
        {!isStill && <Games pairing={pairing} userId={userId} />}
      </div>
    </li>
  );
});

interface SideProps extends Pick<PairingRowProps, 'pairing' | 'isStill'> {
  player: StagePlayer | undefined;
  otherwise: string;
}

function Side({ player, otherwise, pairing: { winnerUserId, reason }, isStill = false }: SideProps) {
  if (player === undefined) {
    return <span className={classes.nobody}>{reason === undefined || reason === 'bye' ? otherwise : 'Nobody'}</span>;
  }
  const result = reason === undefined ? undefined : winnerUserId === player.userId ? 'won' : 'lost';
  return (
    <span className={classes.side} data-result={result}>
      {isStill ? <PersonLabel person={player} size={36} /> : <PersonLink person={player} />}
      <small className={classes.seed}>{`(${player.seed})`}</small>
    </span>
  );
}

/** The replays of a match's games, and the way to the one that is played. */
function Games({ pairing, userId }: Omit<PairingRowProps, 'isStill'>) {
  const { games } = pairing;
  if (games.length === 0) return null;
  const live = liveGameOf(pairing);
  const isOwn = isIn(pairing, userId);
  const names = namesOf(pairing);
  return (
    <ul className={classes.games}>
      {games.map(({ gameId }, at) => {
        const isLive = gameId === live;
        const act = isLive ? (isOwn ? 'Return to your game' : 'Watch') : `Game ${at + 1}`;
        return (
          <li key={gameId}>
            <Link
              to={gameLink(gameId, isLive, isOwn)}
              aria-label={isLive ? `${act}: ${names}` : `Replay game ${at + 1}: ${names}`}
            >
              {act}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
