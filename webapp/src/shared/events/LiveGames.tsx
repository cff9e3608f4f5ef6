import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useSpectatableGamesQuery } from '@/api/events';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import type { Game } from '@/realtime/protocol';
import { selectUser } from '@/shared/session/sessionSlice';
import { Card } from '@/shared/ui/Card';
import { Loaded } from '@/shared/ui/Loaded';
import { EyeIcon } from '@/shared/ui/icons';
import classes from './LiveGames.module.css';
import { gamePath } from './postGameRedirect';
import { useAppSelector } from '@/shared/storeHooks';

/** Spectators are not told of new games, so they are polled, in milliseconds. */
const POLL_MS = 8_000;
/** The most games shown. */
const SHOWN = 8;

interface LiveGamesProps {
  eventId: string;
  /** Whether games of the event have levels: those of an arena do. */
  hasLevels?: boolean;
}

/** The running games of the event to watch; the user's own can be resumed. */
export function LiveGames({ eventId, hasLevels = true }: LiveGamesProps) {
  const answer = useSpectatableGamesQuery(eventId, {
    pollingInterval: POLL_MS,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: true,
  });
  const userId = useAppSelector(selectUser)?.userId;
  const isOwn = ({ players }: Game) => players.some((player) => player.userId === userId);
  return (
    <Card title="Live games">
      <Loaded
        of={answer}
        loading="Looking for games…"
        failure="The games could not be loaded."
        className={classes.none}
      >
        {({ games }) =>
          games.length === 0 ? (
            <p className={classes.none}>Nobody is playing right now.</p>
          ) : (
            <>
              <ul className={classes.games}>
                {/* The user's own game comes first. */}
                {games
                  .toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
                  .slice(0, SHOWN)
                  .map((game) => {
                    const { gameId, players, boardSize, drawCount, level } = game;
                    const names = players.map(nameOf).join(' – ');
                    return (
                      <li key={gameId}>
                        <span className={classes.about}>
                          <strong className={classes.players}>
                            {players.map((player) => (
                              <PersonLabel key={player.userId} person={player} />
                            ))}
                          </strong>
                          <small>
                            {[
                              `${boardSize}×${boardSize}`,
                              ...(hasLevels ? [`level ${level}`] : []),
                              ...(drawCount > 0 ? [`round ${drawCount + 1}`] : []),
                            ].join(' · ')}
                          </small>
                        </span>
                        {isOwn(game) ? (
                          <Button component={Link} to={gamePath(gameId)}>
                            Return to your game
                          </Button>
                        ) : (
                          <Button
                            component={Link}
                            to={`${gamePath(gameId)}?watch=true`}
                            variant="default"
                            leftSection={<EyeIcon />}
                            aria-label={`Watch ${names}`}
                          >
                            Watch
                          </Button>
                        )}
                      </li>
                    );
                  })}
              </ul>
              {games.length > SHOWN && <p className={classes.none}>{`and ${games.length - SHOWN} more`}</p>}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
