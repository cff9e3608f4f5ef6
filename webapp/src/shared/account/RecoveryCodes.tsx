import { Button, Checkbox, CopyButton, Modal } from '@mantine/core';
import { useState } from 'react';
import { saveFile } from '@/shared/saveFile';
import dialog from '@/shared/ui/dialog.module.css';
import { useReturnFocus } from '@/shared/ui/useReturnFocus';
import { useUnloadWarning } from '@/shared/ui/useUnloadWarning';
import classes from './RecoveryCodes.module.css';

/** Shows new recovery codes. They cannot be seen again, so the dialog closes only once they are saved. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  useReturnFocus();
  useUnloadWarning(true);
  const [isSaved, setSaved] = useState(false);
  const text = codes.join('\n');
  return (
    <Modal
      opened
      onClose={onDone}
      title="Save your recovery codes"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <div className={dialog.body}>
        <p>
          If you lose your phone or your passkey, each of these codes signs you in once. Keep them somewhere you can
          reach without this device. They are not shown again.
        </p>
        <ol className={classes.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div className={classes.save}>
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button variant="default" data-autofocus onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={() => saveFile('morpion-recovery-codes.txt', `${text}\n`, 'text/plain')}>
            Download
          </Button>
        </div>
        <Checkbox
          label="I have saved these codes"
          checked={isSaved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
        />
        <div className={dialog.actions}>
          <Button disabled={!isSaved} onClick={onDone}>
            Done
          </Button>
        </div>
      </div>
    </Modal>
  );
}
