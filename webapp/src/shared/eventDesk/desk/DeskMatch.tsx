import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Event, Signup, StagePairing, StageRound } from '@/api/events';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { gameLink, isDecided, liveGameOf } from '@/shared/stages/match';
import classes from './Desk.module.css';
import { deskText } from './deskRounds';

interface DeskMatchProps {
  event: Event;
  round: StageRound;
  pairing: StagePairing;
  signUps: readonly Signup[];
  /** The director wants to decide it. */
  onAsk: () => void;
  /** The director wants it to be played again; absent where it cannot be. */
  onReplay?: (() => void) | undefined;
}

/** A match with its state, and what the director can do about it. */
export function DeskMatch({ event, round, pairing, signUps, onAsk, onReplay }: DeskMatchProps) {
  const { board, players, winnerUserId, bye } = pairing;
  const game = liveGameOf(pairing);
  const isOpen = round.state !== 'planned' && !isDecided(pairing);
  const mayDecide = !event.concluded && round.startsAt !== undefined && players.length === 2 && !bye;
  const about = `round ${round.round}, board ${board}`;
  return (
    <li className={classes.match} data-open={isOpen || undefined}>
      <span className={classes.board}>Board {board}</span>
      <div className={classes.players}>
        {players.map((player) => (
          <span key={player.userId} data-winner={player.userId === winnerUserId || undefined}>
            <PersonLabel person={player} />
          </span>
        ))}
      </div>
      <span className={classes.state}>{deskText(pairing, round, signUps)}</span>
      <div className={classes.acts}>
        {game !== undefined && (
          <Button variant="default" component={Link} to={gameLink(game, true, false)} aria-label={`Watch ${about}`}>
            Watch
          </Button>
        )}
        {onReplay !== undefined && (
          <Button variant="default" onClick={onReplay} aria-label={`Replay ${about}`}>
            Replay…
          </Button>
        )}
        {mayDecide && (
          <Button
            variant="default"
            onClick={onAsk}
            aria-label={`${isDecided(pairing) ? 'Correct' : 'Set'} the result of ${about}`}
          >
            {isDecided(pairing) ? 'Correct…' : 'Set Result…'}
          </Button>
        )}
      </div>
    </li>
  );
}
