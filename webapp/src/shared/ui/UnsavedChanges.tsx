import { ConfirmDialog } from './ConfirmDialog';
import { useUnsavedChanges } from './useUnsavedChanges';

/** Asks before a page is left whose form has changes that are not saved. */
export function UnsavedChanges({ when, children }: { when: boolean; children: string }) {
  const { isAsking, leave, stay } = useUnsavedChanges(when);
  return (
    <ConfirmDialog
      title="Discard changes?"
      opened={isAsking}
      confirm="Discard Changes"
      keep="Keep Editing"
      onConfirm={leave}
      onKeep={stay}
    >
      <p>{children}</p>
    </ConfirmDialog>
  );
}
