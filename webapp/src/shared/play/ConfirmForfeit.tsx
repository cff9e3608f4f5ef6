import { Button } from '@mantine/core';
import { Question } from '../ui/Question';

interface ConfirmForfeitProps {
  opened: boolean;
  onForfeit: () => void;
  onCancel: () => void;
}

/** Asks before a game is given up. */
export function ConfirmForfeit({ opened, onForfeit, onCancel }: ConfirmForfeitProps) {
  return (
    <Question
      title="Confirm Forfeit"
      opened={opened}
      onClose={onCancel}
      answers={
        <>
          <Button variant="default" onClick={onCancel} data-autofocus>
            Cancel
          </Button>
          <Button variant="danger" onClick={onForfeit}>
            Forfeit
          </Button>
        </>
      }
    >
      <p>Are you sure you want to forfeit this game? This action cannot be undone.</p>
    </Question>
  );
}
