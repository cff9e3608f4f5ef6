import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Way } from '@/shared/events/wayOn';
import type { Outcome } from './liveGame';
import classes from './GamePage.module.css';

const WORDS: Record<Way['to'], string> = {
  next: 'On to the next match…',
  room: 'Back to the event room…',
  event: 'Back to the event…',
};

interface EndPanelProps {
  gameId: string;
  outcome: Outcome;
  /** Null where there is no rematch: in events and for those who only watched. */
  onPlayAgain: (() => void) | null;
  isPreparing: boolean;
  /** The opponent has asked for the next game already. */
  rematchOf: string | null;
  /** Where the page goes by itself in a moment. */
  wayOn: Way | null;
  /** The event it was played in. */
  eventId: string | null;
}

export function EndPanel(props: EndPanelProps) {
  const { gameId, outcome, onPlayAgain, isPreparing, rematchOf, wayOn, eventId } = props;
  return (
    <>
      <h2 className={classes.outcome} data-kind={outcome.kind}>
        {outcome.title}
      </h2>
      <p>{rematchOf === null ? outcome.detail : `${rematchOf} wants to play again!`}</p>
      {wayOn !== null && <p>{WORDS[wayOn.to]}</p>}
      <div className={classes.actions}>
        {onPlayAgain !== null && (
          <Button loading={isPreparing} onClick={onPlayAgain}>
            Play Again
          </Button>
        )}
        <Button variant="default" component={Link} to={`/app/game/${gameId}/replay`}>
          See why
        </Button>
        {onPlayAgain !== null && (
          <Button variant="default" component={Link} to="/app/practice">
            Back to practice
          </Button>
        )}
        {eventId !== null && (
          <Button variant="default" component={Link} to={`/app/events/view/${eventId}`}>
            Back to the event
          </Button>
        )}
      </div>
    </>
  );
}
