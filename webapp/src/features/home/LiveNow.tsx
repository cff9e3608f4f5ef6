import { Link } from 'react-router';
import { LiveGameCard } from '@/shared/live/LiveGameCard';
import { useLiveNow } from '@/shared/live/useLiveNow';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import classes from './LiveNow.module.css';

/** The two best rated games to watch, while they are played. */
export function LiveNow() {
  const list = useLiveNow(2);
  return (
    <Card title="Live now">
      {list === null || list.games.length === 0 ? (
        <p className={classes.none}>{list === null ? 'Looking for games…' : 'Nobody plays a rated game right now.'}</p>
      ) : (
        <ul className={classes.games}>
          {list.games.map((live) => (
            <li key={live.game.gameId}>
              <LiveGameCard live={live} />
            </li>
          ))}
        </ul>
      )}
      {list !== null && list.games.length === 0 ? (
        <Link to="/app/play" className={buttons.button}>
          Be the first: quick match
        </Link>
      ) : (
        <Link to="/app/watch" className={buttons.button}>
          {list !== null && list.total > 2 ? `See all ${list.total} games` : 'See all games'}
        </Link>
      )}
    </Card>
  );
}
