import { Button } from '@mantine/core';
import { PromptDialog } from '../ui/PromptDialog';

interface ConfirmForfeitProps {
  opened: boolean;
  onForfeit: () => void;
  onCancel: () => void;
}

/** Asks before a game is forfeited. */
export function ConfirmForfeit({ opened, onForfeit, onCancel }: ConfirmForfeitProps) {
  return (
    <PromptDialog
      title="Confirm Forfeit"
      opened={opened}
      onClose={onCancel}
      actions={
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
    </PromptDialog>
  );
}
