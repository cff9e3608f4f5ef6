import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNow } from '@/shared/events/countdown';
import classes from './EventRoom.module.css';
import { NEXT_MATCH_SECONDS } from './eventRoom';

interface NextMatchProps {
  onContinue: () => void;
  onCancel: () => void;
}

/** After a game the next search starts automatically, unless it is cancelled. */
export function NextMatch({ onContinue, onCancel }: NextMatchProps) {
  const [end] = useState(() => Date.now() + NEXT_MATCH_SECONDS * 1_000);
  const seconds = Math.max(0, Math.ceil((end - useNow()) / 1_000));
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) onContinue();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- must run once, even if the callbacks change
  }, [isOver]);
  return (
    <>
      <h2>Next match</h2>
      <p className={classes.count} role="timer" aria-label={`Next match in ${seconds} seconds`}>
        {seconds}
      </p>
      <div className={classes.actions}>
        <Button onClick={onContinue}>Continue</Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}
