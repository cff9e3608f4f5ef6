import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useBlockUserMutation, useUnblockUserMutation } from '@/api/people';
import { failureText } from '../account/failure';
import { randomId } from '../randomId';
import { toast } from '../ui/toast';
import { nameOf } from './personSummary';
import type { Met } from './reportSlice';
import classes from './useBlocking.module.css';

/** How long a block, or its end, can be taken back on the spot. */
const UNDO_MS = 10_000;

/** Blocks and unblocks people at once; a notice says so and takes it back. */
export function useBlocking() {
  const [block] = useBlockUserMutation();
  const [unblock] = useUnblockUserMutation();

  const set = useCallback(
    async function set(person: Met, isBlocked: boolean, canUndo = true): Promise<void> {
      const { error } = await (isBlocked ? block : unblock)(person.userId);
      if (error !== undefined) {
        toast.error(failureText(error, 'Request failed'));
        return;
      }
      const text = isBlocked
        ? `${nameOf(person)} is blocked. Their invitations no longer reach you.`
        : `${nameOf(person)} is no longer blocked.`;
      if (canUndo) showUndo(text, () => void set(person, !isBlocked, false));
      else toast.success(text);
    },
    [block, unblock],
  );
  return { block: (person: Met) => set(person, true), unblock: (person: Met) => set(person, false) };
}

function showUndo(text: string, undo: () => void): void {
  const id = randomId();
  const takeBack = () => {
    notifications.hide(id);
    undo();
  };
  notifications.show({
    id,
    message: (
      <div className={classes.done}>
        <p>{text}</p>
        <Button variant="default" onClick={takeBack}>
          Undo
        </Button>
      </div>
    ),
    color: 'var(--success)',
    autoClose: UNDO_MS,
    role: 'status',
  });
}
