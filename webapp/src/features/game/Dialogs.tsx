import { Button } from '@mantine/core';
import { PromptDialog } from '@/shared/ui/PromptDialog';

interface ConfirmLeaveProps {
  opened: boolean;
  onLeave: () => void;
  onStay: () => void;
}

export function ConfirmLeave({ opened, onLeave, onStay }: ConfirmLeaveProps) {
  return (
    <PromptDialog
      title="Leave this game?"
      opened={opened}
      onClose={onStay}
      actions={
        <>
          <Button variant="default" onClick={onLeave}>
            Leave
          </Button>
          <Button onClick={onStay} data-autofocus>
            Stay
          </Button>
        </>
      }
    >
      <p>The game goes on without you. You can come back to it from Home.</p>
    </PromptDialog>
  );
}

interface GameCancelledProps {
  /** The server's message; null unless the game was cancelled. */
  message: string | null;
  onOk: () => void;
}

export function GameCancelled({ message, onOk }: GameCancelledProps) {
  return (
    <PromptDialog
      title="Game Cancelled"
      opened={message !== null}
      onClose={onOk}
      actions={
        <Button onClick={onOk} data-autofocus>
          OK
        </Button>
      }
    >
      <p>{message}</p>
    </PromptDialog>
  );
}
