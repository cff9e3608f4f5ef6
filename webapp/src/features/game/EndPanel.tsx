import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Outcome } from './liveGame';
import classes from './GamePage.module.css';

interface EndPanelProps {
  gameId: string;
  outcome: Outcome;
  /** Null where there is no rematch: in events and for those who only watched. */
  onPlayAgain: (() => void) | null;
  isPreparing: boolean;
  /** The opponent has asked for the next game already. */
  rematchOf: string | null;
  /** Where the page goes by itself in a moment. */
  leadsTo: string | null;
  /** The event it was played in. */
  eventId: string | null;
}

export function EndPanel(props: EndPanelProps) {
  const { gameId, outcome, onPlayAgain, isPreparing, rematchOf, leadsTo, eventId } = props;
  return (
    <>
      <h2 className={classes.outcome} data-kind={outcome.kind}>
        {outcome.title}
      </h2>
      <p>{rematchOf === null ? outcome.detail : `${rematchOf} wants to play again!`}</p>
      {leadsTo !== null && <p>{leadsTo.includes('fromGame') ? 'On to the next match…' : 'Back to the event…'}</p>}
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
