import { Link } from 'react-router';
import { LiveGameCard } from '@/shared/live/LiveGameCard';
import { useLiveNowRead } from '@/shared/live/useLiveNow';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { Loaded } from '@/shared/ui/Loaded';
import classes from './LiveNow.module.css';

/** The two best rated games to watch, while they are played. */
export function LiveNow() {
  const live = useLiveNowRead(2);
  const list = live.data;
  return (
    <Card title="Live now">
      <Loaded of={live} loading="Looking for games…" failure="The games could not be loaded." className={classes.none}>
        {({ games }) =>
          games.length === 0 ? (
            <p className={classes.none}>Nobody is playing a rated game right now.</p>
          ) : (
            <ul className={classes.games}>
              {games.map((game) => (
                <li key={game.game.gameId}>
                  <LiveGameCard live={game} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {list?.games.length === 0 ? (
        <Link to="/app/play" className={buttons.button}>
          Be the first: quick match
        </Link>
      ) : (
        <Link to="/app/watch" className={buttons.button}>
          {list !== undefined && list.total > 2 ? `See all ${list.total} games` : 'See all games'}
        </Link>
      )}
    </Card>
  );
}
