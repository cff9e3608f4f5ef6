import { Button } from '@mantine/core';
import { useState } from 'react';
import { nameOf } from '../people/personSummary';
import type { Met } from '../people/reportSlice';
import type { TimeControl } from '../quickMatch/wish';
import { Dialog } from '../ui/Dialog';
import dialog from '../ui/dialog.module.css';
import { Failure } from '../ui/Failure';
import { GameTerms } from './GameTerms';
import { DEFAULT_BOARD_SIZE, useInvite } from './useInvite';

interface ChallengeDialogProps {
  /** Null while the dialog is closed. */
  person: Met | null;
  onClose: () => void;
}

/** Invites a person to a game with a board and a clock, and opens it. */
export function ChallengeDialog({ person, onClose }: ChallengeDialogProps) {
  const [boardSize, setBoardSize] = useState<number>(DEFAULT_BOARD_SIZE);
  const [clock, setClock] = useState<TimeControl>('none');
  const [failure, setFailure] = useState<string | null>(null);
  const { invite, isCreating } = useInvite();

  const close = () => {
    setFailure(null);
    onClose();
  };
  const challenge = async (opponent: Met) => {
    setFailure(null);
    setFailure(await invite({ opponent, boardSize, clock }));
  };

  return (
    <Dialog
      title={person === null ? '' : `Challenge ${nameOf(person)}`}
      opened={person !== null}
      onClose={close}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {person !== null && (
        <div className={dialog.body}>
          <GameTerms boardSize={boardSize} onBoardSize={setBoardSize} clock={clock} onClock={setClock} />
          <Failure text={failure} />
          <div className={dialog.actions}>
            <Button variant="default" onClick={close} disabled={isCreating}>
              Not now
            </Button>
            <Button loading={isCreating} onClick={() => void challenge(person)}>
              Send the challenge
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
