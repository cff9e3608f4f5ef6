import { Link } from 'react-router';
import { useRatingListQuery } from '@/api/ratings';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { RatingText } from '@/shared/people/RatingText';
import classes from './QuickMatchPage.module.css';
import { ifKnown } from '@/shared/ui/Loaded';

/** The user's own rating; nothing while it is loading, and for guests. */
export function OwnRating() {
  // A game may have changed it since the page was last open.
  const list = useRatingListQuery({ limit: 1 }, { refetchOnMountOrArgChange: true });
  // Moments after a game that was given up, and left.
  useRealtimeEvent('ratingChanged', () => void list.refetch());
  const own = ifKnown(list)?.own;
  if (own === undefined) return null;
  const { rating, rank } = own;
  return (
    <p className={classes.own}>
      {'You: '}
      <b>
        <RatingText rating={rating} />
      </b>
      <span className={classes.hint}>
        {rank === undefined ? 'Provisional: play a few more rated games to appear in the list.' : `Place ${rank}`}{' '}
        <Link to="/app/ratings">The rating list</Link>
      </span>
    </p>
  );
}
