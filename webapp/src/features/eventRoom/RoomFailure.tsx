import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { TornDrawing } from '@/shared/illustrations';
import classes from './EventRoom.module.css';

interface RoomFailureProps {
  text: string;
  /** The event's page; absent where there is no event. */
  back?: string;
  /** Absent where trying again cannot help. */
  onRetry?: () => void;
}

/** There is no way into the room. */
export function RoomFailure({ text, back, onRetry }: RoomFailureProps) {
  return (
    <main className={classes.failed}>
      <title>Event room · Morpion</title>
      <TornDrawing className={classes.drawing} />
      <h1 role="alert">{text}</h1>
      <div className={classes.actions}>
        {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
        <Button component={Link} to={back ?? '/app/events'} variant="default">
          {back === undefined ? 'All events' : 'Back to the event'}
        </Button>
      </div>
    </main>
  );
}
