import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { DeleteAccountConfirmation } from './DeleteAccountConfirmation';
import classes from './Settings.module.css';

export function DangerZone() {
  const id = useId();
  const [isAsking, setAsking] = useState(false);
  return (
    <section className={classes.danger} aria-labelledby={id}>
      <h2 id={id}>Danger Zone</h2>
      <p>Deleting your account removes everything that belongs to it. This cannot be undone.</p>
      <div className={classes.actions}>
        <Button color="var(--error)" variant="outline" onClick={() => setAsking(true)}>
          Delete Account
        </Button>
      </div>
      {isAsking && <DeleteAccountConfirmation onClose={() => setAsking(false)} />}
    </section>
  );
}
