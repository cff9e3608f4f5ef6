import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useSpectatableGamesQuery } from '@/api/events';
import { Face } from '@/shared/people/Face';
import { nameOf } from '@/shared/people/somebody';
import { Card } from '@/shared/ui/Card';
import { EyeIcon } from '@/shared/ui/icons';
import classes from './LiveGames.module.css';

/** Games begin without a word to those who only look on; asked for this often, in milliseconds. */
const POLL_MS = 8_000;
/** More than anybody reads. */
const SHOWN = 8;

/** Others' games of the event, to be watched. */
export function LiveGames({ eventId }: { eventId: string }) {
  const { data } = useSpectatableGamesQuery(eventId, {
    pollingInterval: POLL_MS,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: true,
  });
  const games = data?.games ?? [];
  return (
    <Card title="Live games">
      {games.length === 0 ? (
        <p className={classes.none}>Nobody is playing right now.</p>
      ) : (
        <ul className={classes.games}>
          {games.slice(0, SHOWN).map(({ gameId, players, boardSize, drawCount, level }) => {
            const names = players.map(nameOf).join(' – ');
            return (
              <li key={gameId}>
                <span className={classes.about}>
                  <strong className={classes.players}>
                    {players.map((player) => (
                      <Face key={player.userId} person={player} />
                    ))}
                  </strong>
                  <small>
                    {`${boardSize}×${boardSize} · level ${level}${drawCount > 0 ? ` · round ${drawCount + 1}` : ''}`}
                  </small>
                </span>
                <Button
                  component={Link}
                  to={`/app/game/${gameId}?watch=true`}
                  variant="default"
                  leftSection={<EyeIcon />}
                  aria-label={`Watch ${names}`}
                >
                  Watch
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {games.length > SHOWN && <p className={classes.none}>{`and ${games.length - SHOWN} more`}</p>}
    </Card>
  );
}
