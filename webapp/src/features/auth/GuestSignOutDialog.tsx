import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { confirmingSignOut, selectIsConfirmingSignOut, selectUser } from '@/shared/session/sessionSlice';
import { useSignOutNow } from '@/shared/session/useSignOut';
import { Dialog } from '@/shared/ui/Dialog';
import dialog from '@/shared/ui/dialog.module.css';
import classes from './GuestSignOutDialog.module.css';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/** Asks a guest before signing out, because a guest's data is lost then. */
export function GuestSignOutDialog() {
  const user = useAppSelector(selectUser);
  return user?.isTempUser ? <SignOutDialog name={user.displayName || user.username} /> : null;
}

function SignOutDialog({ name }: { name: string }) {
  const isAsked = useAppSelector(selectIsConfirmingSignOut);
  const dispatch = useAppDispatch();
  const signOut = useSignOutNow();
  const [isSigningOut, setSigningOut] = useState(false);
  const stay = () => dispatch(confirmingSignOut(false));
  const leave = async () => {
    setSigningOut(true);
    await signOut();
    setSigningOut(false);
    stay();
  };
  return (
    <Dialog title="Sign out as a guest?" opened={isAsked} onClose={stay} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={classes.body}>
        <p>
          You cannot sign back in as this guest: the name <strong>{name}</strong>, your games and your results are lost
          when you sign out. Create an account to keep them.
        </p>
        <div className={dialog.actions}>
          <Button variant="default" onClick={stay}>
            Stay
          </Button>
          <Button color="var(--error)" variant="outline" loading={isSigningOut} onClick={() => void leave()}>
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
