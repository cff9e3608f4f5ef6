import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import dialog from './dialog.module.css';
import classes from './ConfirmDialog.module.css';

interface ConfirmDialogProps {
  title: string;
  opened: boolean;
  /** What the user is about to do, and its consequences. */
  children: ReactNode;
  confirm: string;
  keep: string;
  onConfirm: () => void;
  /** Called when the user declines, also with Escape. */
  onKeep: () => void;
  isBusy?: boolean;
}

/** Asks before an action that cannot be undone; Enter declines. */
export function ConfirmDialog({
  title,
  opened,
  children,
  confirm,
  keep,
  onConfirm,
  onKeep,
  isBusy = false,
}: ConfirmDialogProps) {
  return (
    <Modal
      title={title}
      opened={opened}
      onClose={() => {
        if (!isBusy) onKeep();
      }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={dialog.body}>
        <div className={classes.text}>{children}</div>
        <div className={dialog.actions}>
          <Button variant="default" onClick={onKeep} disabled={isBusy} data-autofocus>
            {keep}
          </Button>
          <Button variant="danger" loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
