import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '@/shared/ui/Dialog';
import classes from './Dialogs.module.css';

interface ConfirmForfeitProps {
  opened: boolean;
  onForfeit: () => void;
  onCancel: () => void;
}

export function ConfirmForfeit({ opened, onForfeit, onCancel }: ConfirmForfeitProps) {
  return (
    <Question title="Confirm Forfeit" opened={opened} onClose={onCancel}>
      <p>Are you sure you want to forfeit this game? This action cannot be undone.</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button onClick={onForfeit}>Forfeit</Button>
      </div>
    </Question>
  );
}

interface ConfirmLeaveProps {
  opened: boolean;
  onLeave: () => void;
  onStay: () => void;
}

export function ConfirmLeave({ opened, onLeave, onStay }: ConfirmLeaveProps) {
  return (
    <Question title="Leave this game?" opened={opened} onClose={onStay}>
      <p>The game goes on without you. You can come back to it from Home.</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={onLeave}>
          Leave
        </Button>
        <Button onClick={onStay} data-autofocus>
          Stay
        </Button>
      </div>
    </Question>
  );
}

interface GameCancelledProps {
  /** The server's words; null while the game stands. */
  message: string | null;
  onOk: () => void;
}

export function GameCancelled({ message, onOk }: GameCancelledProps) {
  return (
    <Question title="Game Cancelled" opened={message !== null} onClose={onOk}>
      <p>{message}</p>
      <div className={classes.actions}>
        <Button onClick={onOk} data-autofocus>
          OK
        </Button>
      </div>
    </Question>
  );
}

interface QuestionProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

function Question({ title, opened, onClose, children }: QuestionProps) {
  return (
    <Dialog title={title} opened={opened} onClose={onClose} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={classes.body}>{children}</div>
    </Dialog>
  );
}
