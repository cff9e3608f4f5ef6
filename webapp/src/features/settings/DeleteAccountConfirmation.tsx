import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useDeleteAccountMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { useRealtime } from '@/realtime/RealtimeContext';
import { clearRecentPeople } from '@/shared/recentPeople';
import { signedOut } from '@/shared/session/sessionSlice';
import { storeSignOut, rememberUser } from '@/shared/session/storedSession';
import { Failure } from '@/shared/ui/Failure';
import { useReturnFocus } from '@/shared/ui/useReturnFocus';
import classes from './Settings.module.css';
import { useAccount } from './useAccount';
import { useAppDispatch } from '@/shared/storeHooks';

/** The texts if the server gives no reason and if it cannot be reached. */
const DELETION_FAILED = 'Failed to delete account. Please try again.';
const DELETION_OFFLINE = 'Network error. Please check your connection and try again.';

/** The text that must be typed to confirm. */
const CONFIRMATION = 'DELETE';

/** Confirms and deletes the account, then says so. */
export function DeleteAccountConfirmation({ onClose }: { onClose: () => void }) {
  useReturnFocus();
  const { isLoading, isSuccess, failure, submit, leave } = useAccountDeletion();
  const [typed, setTyped] = useState('');
  if (isSuccess) return <AccountDeleted onLeave={leave} />;
  return (
    <Modal
      opened
      onClose={() => {
        if (!isLoading) onClose();
      }}
      title="Delete Account"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>
          This cannot be undone. Your profile, your picture, your email and your sessions go; games under way are
          forfeited and a subscription is cancelled. Results of games you played stay, under &lsquo;Deleted
          player&rsquo;.
        </p>
        <TextInput
          label={`Type ${CONFIRMATION} to confirm`}
          value={typed}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Failure text={failure} />
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose} disabled={isLoading}>
            Cancel
          </Button>
          <Button
            type="submit"
            color="var(--error)"
            variant="outline"
            disabled={typed.trim() !== CONFIRMATION}
            loading={isLoading}
          >
            Delete Account
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function AccountDeleted({ onLeave }: { onLeave: () => void }) {
  return (
    <Modal opened onClose={onLeave} title="Account deleted" withCloseButton={false}>
      <div className={classes.form}>
        <p>Your account has been deleted. Thank you for every game.</p>
        <Button onClick={onLeave} data-autofocus>
          Leave
        </Button>
      </div>
    </Modal>
  );
}

/** Deletes the account, here and in the account's other tabs. */
function useAccountDeletion() {
  const { userId } = useAccount();
  const dispatch = useAppDispatch();
  const connection = useRealtime();
  const [deleteAccount, { isLoading, isSuccess, error }] = useDeleteAccountMutation();
  const submit = async () => {
    // The server closes the account's sockets, which is expected in every tab.
    storeSignOut('leaving');
    connection.close();
    const { error } = await deleteAccount({});
    if (error === undefined) {
      // Also if the tab is closed without another click.
      rememberUser(null);
      clearRecentPeople();
      storeSignOut('left');
    } else {
      storeSignOut(null);
      connection.connect(userId);
    }
  };
  return {
    isLoading,
    isSuccess,
    failure: error === undefined ? null : failureOf(error),
    submit,
    leave: () => dispatch(signedOut({ hasSignedOut: true })),
  };
}

function failureOf(error: unknown): string {
  if (!isApiError(error)) return DELETION_FAILED;
  return error.status === 0 ? DELETION_OFFLINE : (error.message ?? DELETION_FAILED);
}
