import { Button } from '@mantine/core';
import { Question } from '@/shared/ui/Question';

interface ConfirmLeaveProps {
  opened: boolean;
  onLeave: () => void;
  onStay: () => void;
}

export function ConfirmLeave({ opened, onLeave, onStay }: ConfirmLeaveProps) {
  return (
    <Question
      title="Leave this game?"
      opened={opened}
      onClose={onStay}
      answers={
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
    <Question
      title="Game Cancelled"
      opened={message !== null}
      onClose={onOk}
      answers={
        <Button onClick={onOk} data-autofocus>
          OK
        </Button>
      }
    >
      <p>{message}</p>
    </Question>
  );
}
