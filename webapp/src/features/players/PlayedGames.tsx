import { Link } from 'react-router';
import type { PlayedGame } from '@/api/players';
import { gamePath } from '@/shared/events/postGameRedirect';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { NameLink } from '@/shared/people/PersonLink';
import { nameOf } from '@/shared/people/personSummary';
import { shortReason } from '@/shared/play/endReason';
import classes from './PlayedGames.module.css';
import { day, RESULT_TEXTS, termsText } from './texts';

interface PlayedGamesProps {
  games: PlayedGame[];
  label: string;
  /** Whether the opponent differs from game to game. */
  withOpponent?: boolean;
}

/** Finished games with their results, each with its replay. */
export function PlayedGames({ games, label, withOpponent = true }: PlayedGamesProps) {
  return (
    <ul className={classes.games} aria-label={label}>
      {games.map((game) => (
        <li key={game.gameId} data-result={game.result}>
          {withOpponent && <PersonAvatar person={game.opponent} size={36} />}
          <span className={classes.about}>
            <strong>
              <span className={classes.result}>{RESULT_TEXTS[game.result]}</span>
              {withOpponent && (
                <>
                  {' against '}
                  <NameLink person={game.opponent} />
                </>
              )}
              {shortReason(game) !== '' && <span className={classes.reason}>{` ${shortReason(game)}`}</span>}
            </strong>
            <small>{`${termsText(game)} · ${day(game.endedAt)}`}</small>
          </span>
          <Link
            to={`${gamePath(game.gameId)}/replay`}
            className={classes.replay}
            aria-label={`Replay the game against ${nameOf(game.opponent)} of ${day(game.endedAt)}`}
          >
            Replay
          </Link>
        </li>
      ))}
    </ul>
  );
}
