import { Button, Modal } from '@mantine/core';
import dialog from '@/shared/ui/dialog.module.css';
import classes from './StandInForm.module.css';

interface BankChallengeDialogProps {
  opened: boolean;
  onAnswer: (isThem: boolean) => void;
}

/** The bank challenge of the stand-in's cards. */
export function BankChallengeDialog({ opened, onAnswer }: BankChallengeDialogProps) {
  return (
    <Modal
      title="Is it you?"
      opened={opened}
      onClose={() => onAnswer(false)}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={classes.form}>
        <p>Here the bank of the card’s holder asks whether this payment is theirs (3-D Secure).</p>
        <div className={dialog.actions}>
          <Button variant="default" onClick={() => onAnswer(false)}>
            Fail
          </Button>
          <Button onClick={() => onAnswer(true)} data-autofocus>
            Complete authentication
          </Button>
        </div>
      </div>
    </Modal>
  );
}
