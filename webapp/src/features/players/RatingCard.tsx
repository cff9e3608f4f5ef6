import { Link } from 'react-router';
import type { PlayerProfile } from '@/api/players';
import { RatingText } from '@/shared/people/RatingText';
import { CurvePlot } from '@/shared/plots/CurvePlot';
import { Card } from '@/shared/ui/Card';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './PlayerPage.module.css';
import { count } from './texts';

/** A player's rating and how it came about. */
export function RatingCard({
  player: { rating, ratingCurve, isBot },
  isOwn,
}: {
  player: PlayerProfile;
  isOwn: boolean;
}) {
  if (rating === undefined) return null;
  const values = ratingCurve.map(({ value }) => value);
  return (
    <Card title="Rating">
      <p className={classes.figure}>
        <b>
          <RatingText rating={rating} />
        </b>
        <span>
          {rating.games === 0
            ? 'before the first rated game'
            : `after ${count(rating.games, 'rated game', 'rated games')}`}
        </span>
      </p>
      {rating.provisional && rating.games > 0 && (
        <p className={classes.soft}>Provisional: plus or minus {2 * rating.deviation}.</p>
      )}
      {ratingCurve.length > 1 ? (
        <CurvePlot
          points={ratingCurve}
          label={`Rating over the last ${ratingCurve.length} rated games: from ${values[0]} to ${values.at(-1)}, between ${Math.min(...values)} and ${Math.max(...values)}.`}
          caption={`After each of the last ${ratingCurve.length} rated games`}
        />
      ) : (
        <p className={classes.soft}>
          {isOwn
            ? 'Play two rated games to see your rating curve here.'
            : 'The curve appears after the second rated game.'}
        </p>
      )}
      <Link to={isBot === true ? '/app/ratings?list=bots' : '/app/ratings'} className={textLink.link}>
        {isBot === true ? 'The list of bots' : 'The rating list'}
      </Link>
    </Card>
  );
}
