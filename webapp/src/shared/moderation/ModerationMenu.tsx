import { ActionIcon, Menu, Modal } from '@mantine/core';
import { useRef, useState } from 'react';
import { useLiftSuspensionMutation } from '@/api/admin';
import { isProofDeclined } from '@/api/base';
import { failureText } from '../account/failure';
import { nameOf } from '../people/personSummary';
import { selectUser } from '../session/sessionSlice';
import { useAppSelector } from '../storeHooks';
import { MoreIcon } from '../ui/icons';
import { toast } from '../ui/toast';
import { DeleteForm } from './DeleteForm';
import { RemovePictureForm } from './RemovePictureForm';
import { RenameForm } from './RenameForm';
import { SuspendForm } from './SuspendForm';
import type { Subject } from './subject';

const FORMS = {
  suspend: { title: (name: string) => `Suspend ${name}`, Form: SuspendForm },
  rename: { title: (name: string) => `Rename ${name}`, Form: RenameForm },
  removePicture: { title: (name: string) => `Remove the picture of ${name}`, Form: RemovePictureForm },
  delete: { title: (name: string) => `Delete the account of ${name}`, Form: DeleteForm },
};

/** What an admin can do to a person. */
export function ModerationMenu({ subject }: { subject: Subject }) {
  const { userId, suspension, profileUrl = '' } = subject;
  const name = nameOf(subject);
  const isSelf = useAppSelector(selectUser)?.userId === userId;
  const [asked, setAsked] = useState<keyof typeof FORMS>('suspend');
  const [isOpen, setOpen] = useState(false);
  const [lift] = useLiftSuspensionMutation();
  const button = useRef<HTMLButtonElement>(null);
  const liftSuspension = async () => {
    const { error } = await lift({ userId });
    if (error === undefined) toast.success(`${name} may sign in again.`);
    else if (!isProofDeclined(error)) toast.error(failureText(error, 'Failed to lift the suspension'));
  };
  const ask = (action: keyof typeof FORMS) => {
    setAsked(action);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    // What was focused before was an item of the menu, which is gone.
    button.current?.focus();
  };
  const { title, Form } = FORMS[asked];
  return (
    <>
      <Menu position="bottom-end" hideDetached={false} withInitialFocusPlaceholder={false} returnFocus>
        <Menu.Target>
          <ActionIcon ref={button} aria-label={`Actions for ${name}`}>
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isSelf && (
            <Menu.Item onClick={() => ask('suspend')}>
              {suspension === undefined ? 'Suspend…' : 'Change suspension…'}
            </Menu.Item>
          )}
          {suspension !== undefined && <Menu.Item onClick={() => void liftSuspension()}>Lift suspension</Menu.Item>}
          <Menu.Item onClick={() => ask('rename')}>Rename…</Menu.Item>
          {profileUrl !== '' && <Menu.Item onClick={() => ask('removePicture')}>Remove picture…</Menu.Item>}
          {!isSelf && (
            <Menu.Item color="var(--error)" onClick={() => ask('delete')}>
              Delete…
            </Menu.Item>
          )}
          {isSelf && <Menu.Label>You cannot suspend or delete yourself.</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
      <Modal
        title={title(name)}
        opened={isOpen}
        onClose={close}
        returnFocus={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Form subject={subject} onDone={close} />
      </Modal>
    </>
  );
}
