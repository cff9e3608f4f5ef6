import { Button } from '@mantine/core';
import { Failure } from './Failure';
import classes from './LoadFailure.module.css';

interface LoadFailureProps {
  text: string;
  onRetry: () => void;
}

/** Says that something could not be loaded, with a retry button. */
export function LoadFailure({ text, onRetry }: LoadFailureProps) {
  return (
    <div className={classes.failure}>
      <Failure text={text} />
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
