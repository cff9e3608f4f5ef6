import type { GameState } from '@/realtime/protocol';
import { RatingText } from '@/shared/people/RatingText';
import classes from './GamePage.module.css';

/** Both share it in an event: the server does not rate games that somebody may have played with themselves. */
const UNRATED_EVENT = 'Not rated: you and your opponent share a network address or a device.';

/** What a game did to the user's rating, or why it did nothing. Empty until the server has told. */
export function RatingResult({ state, userId }: { state: GameState; userId: string }) {
  if (!state.players.some((player) => player.userId === userId)) return null;
  const change = state.ratingChanges?.find((player) => player.userId === userId);
  if (change !== undefined) {
    return (
      <p className={classes.rated} role="status">
        {'Your rating: '}
        <RatingText
          rating={{ value: change.after, provisional: change.provisional }}
          change={change.after - change.before}
        />
      </p>
    );
  }
  if (state.gameType === 'event' && state.rated === false) return <p className={classes.unrated}>{UNRATED_EVENT}</p>;
  return null;
}
