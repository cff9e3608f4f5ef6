import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { TornDrawing } from '@/shared/illustrations';
import classes from './EventRoom.module.css';

interface RoomFailureProps {
  text: string;
  /** The path of the event's page; absent without an event. */
  back?: string;
  /** Absent if a retry cannot help. */
  onRetry?: () => void;
}

/** Shown if the room cannot be entered. */
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
