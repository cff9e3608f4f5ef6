import { Button } from '@mantine/core';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router';
import { askedToStay, selectIsAskedToStay, selectUser } from '@/shared/session/sessionSlice';
import { useSignOutNow } from '@/shared/session/useSignOut';
import { Dialog } from '@/shared/ui/Dialog';
import classes from './GuestLeaves.module.css';

/** A guest who signs out is told what is lost, and how to keep it. */
export function GuestLeaves() {
  const user = useSelector(selectUser);
  return user?.isTempUser ? <Question name={user.displayName || user.username} /> : null;
}

function Question({ name }: { name: string }) {
  const isAsked = useSelector(selectIsAskedToStay);
  const dispatch = useDispatch();
  const signOut = useSignOutNow();
  const [isLeaving, setLeaving] = useState(false);
  const stay = () => dispatch(askedToStay(false));
  const leave = async () => {
    setLeaving(true);
    await signOut();
    setLeaving(false);
    stay();
  };
  return (
    <Dialog title="Sign out as a guest?" opened={isAsked} onClose={stay} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={classes.body}>
        <p>
          Nobody can sign in to a guest again: the name <strong>{name}</strong>, your games and your results are lost
          when you sign out. An account keeps all of it.
        </p>
        <div className={classes.actions}>
          <Button variant="default" onClick={stay}>
            Stay
          </Button>
          <Button color="var(--error)" variant="outline" loading={isLeaving} onClick={() => void leave()}>
            Sign out
          </Button>
          <Button component={Link} to="/register" onClick={stay} data-autofocus>
            Create an account
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
