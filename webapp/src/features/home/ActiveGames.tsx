import { Link } from 'react-router';
import { useGamesByUserQuery } from '@/api/game';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { EmptyDrawing } from '@/shared/illustrations';
import { selectUser } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { Loaded } from '@/shared/ui/Loaded';
import { ActiveGame } from './ActiveGame';
import { ACTIVE, inOrder } from './activeGames';
import classes from './ActiveGames.module.css';
import { useAppSelector } from '@/shared/storeHooks';

/** How often it is asked whether an opponent has moved, in milliseconds. */
export const LOOK_EVERY_MS = 15_000;

/** Waiting and running games, kept up to date by realtime frames. */
export function ActiveGames() {
  const userId = useAppSelector(selectUser)?.userId ?? '';
  const answer = useGamesByUserQuery(
    { userId, status: ACTIVE },
    { skip: userId === '', refetchOnMountOrArgChange: true, refetchOnReconnect: true },
  );

  // Moves of a game reach only the pages that have it open.
  useGamesByUserQuery(
    { userId, status: ACTIVE },
    {
      skip: !(answer.data?.games ?? []).some(({ status, yourTurn }) => status === 'active' && !yourTurn),
      pollingInterval: LOOK_EVERY_MS,
      skipPollingIfUnfocused: true,
    },
  );

  const refresh = () => void answer.refetch();
  useRealtimeEvent('gameInvitation', refresh);
  useRealtimeEvent('gameEnd', refresh);
  useRealtimeEvent('gameDraw', refresh);
  useRealtimeEvent('gameCancelled', refresh);
  // Events during a lost connection were missed.
  useRealtimeEvent('authenticated', refresh);

  return (
    <Card title="Active Games">
      <Loaded
        of={answer}
        loading={<NoGames words="Looking for your games…" />}
        failure="Your games could not be loaded."
      >
        {({ games }) =>
          games.length > 0 ? (
            <ul className={classes.games}>
              {inOrder(games, userId).map((game) => (
                <ActiveGame key={game.gameId} game={game} userId={userId} />
              ))}
            </ul>
          ) : (
            <NoGames words="No game under way." />
          )
        }
      </Loaded>
    </Card>
  );
}

/** Of one size, so that nothing below moves when the answer comes. */
function NoGames({ words }: { words: string }) {
  return (
    <div className={classes.empty}>
      <EmptyDrawing className={classes.drawing} />
      <p key={words} role="status">
        {words}
      </p>
      <Link to="/app/practice" className={buttons.button}>
        Start a game
      </Link>
    </div>
  );
}
