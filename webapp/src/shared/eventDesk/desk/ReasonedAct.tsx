import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { failureText } from '@/shared/account/failure';
import { Failure } from '@/shared/ui/Failure';
import dialog from '@/shared/ui/dialog.module.css';
import { toast } from '@/shared/ui/toast';
import { ReasonField } from '../ReasonField';

interface ActProps {
  /** What happens, and what the admin has to choose. */
  children: ReactNode;
  /** The button that does it. */
  confirm: string;
  /** It takes something from somebody. */
  isDanger?: boolean;
  /** All but the reason is chosen. */
  isReady?: boolean;
  send: (reason: string) => Promise<{ error?: unknown }>;
  /** Said when it was done. */
  done: string;
  /** Said when it failed and the server gave no reason. */
  failure: string;
  onClose: () => void;
}

interface ReasonedActProps extends ActProps {
  title: string;
  opened: boolean;
}

/** Asks for the reason of a director's act, and does it. */
export function ReasonedAct({ title, opened, ...act }: ReasonedActProps) {
  return (
    <Modal title={title} opened={opened} onClose={act.onClose} closeButtonProps={{ 'aria-label': 'Close' }}>
      {opened && <Act {...act} />}
    </Modal>
  );
}

function Act({ children, confirm, isDanger = false, isReady = true, send, done, failure, onClose }: ActProps) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    const { error: refused } = await send(reason.trim());
    setBusy(false);
    setError(refused);
    if (refused !== undefined) return;
    toast.success(done);
    onClose();
  };
  return (
    <form
      className={dialog.body}
      onSubmit={(submit) => {
        submit.preventDefault();
        void act();
      }}
    >
      {children}
      <ReasonField value={reason} onChange={setReason} />
      <Failure text={error === undefined ? null : failureText(error, failure)} />
      <div className={dialog.actions}>
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant={isDanger ? 'danger' : 'filled'}
          disabled={!isReady || reason.trim() === ''}
          loading={isBusy}
        >
          {confirm}
        </Button>
      </div>
    </form>
  );
}
