import { Button } from '@mantine/core';
import { useState } from 'react';
import { type ApiError, isProofDeclined } from '@/api/base';
import {
  type Passkey,
  type SecondFactor,
  useBeginPasskeyMutation,
  useFinishPasskeyMutation,
  useRemovePasskeyMutation,
  useRenamePasskeyMutation,
} from '@/api/secondFactor';
import { failureText } from '@/shared/account/failure';
import { PasskeyName } from '@/shared/account/PasskeyName';
import { hasPasskeys, makePasskey, NO_PASSKEYS_HERE } from '@/shared/account/passkeys';
import { Card } from '@/shared/ui/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Settings.module.css';
import { timeText } from './timeText';

interface PasskeysProps {
  factor: SecondFactor;
  /** Shows new recovery codes, which cannot be seen again. */
  onCodes: (codes: readonly string[]) => void;
}

/** The user's passkeys. */
export function Passkeys({ factor: { passkeys, passkeysAvailable }, onCodes }: PasskeysProps) {
  return (
    <Card title="Passkeys">
      <p>A passkey signs you in with your fingerprint, face or PIN, or with a security key, and needs no password.</p>
      {passkeys.length > 0 && (
        <ul className={classes.list}>
          {passkeys.map((passkey) => (
            <Row key={passkey.passkeyId} passkey={passkey} isLast={passkeys.length === 1} />
          ))}
        </ul>
      )}
      {!passkeysAvailable ? (
        <p className={classes.soft}>
          Passkeys need a server with a name. This one is reached by its IP address, so none can be added.
        </p>
      ) : hasPasskeys() ? (
        <AddPasskey onCodes={onCodes} />
      ) : (
        <p className={classes.soft}>{NO_PASSKEYS_HERE}</p>
      )}
    </Card>
  );
}

function AddPasskey({ onCodes }: Pick<PasskeysProps, 'onCodes'>) {
  const [begin] = useBeginPasskeyMutation();
  const [finish] = useFinishPasskeyMutation();
  const [isNaming, setNaming] = useState(false);
  const add = async (name: string) => {
    const begun = await begin();
    if (begun.data === undefined) return begun.error;
    const { credential, failure } = await makePasskey(begun.data.options);
    if (failure !== undefined) return { status: 422, message: failure } satisfies ApiError;
    const { data, error } = await finish({ name, credential });
    if (data === undefined) return error;
    setNaming(false);
    if (data.recoveryCodes === undefined) toast.success('Your passkey is added.');
    else onCodes(data.recoveryCodes);
    return undefined;
  };
  return isNaming ? (
    <PasskeyName name="" action="Add passkey" onName={add} onCancel={() => setNaming(false)} />
  ) : (
    <div className={classes.actions}>
      <Button onClick={() => setNaming(true)}>Add a passkey</Button>
    </div>
  );
}

function Row({ passkey, isLast }: { passkey: Passkey; isLast: boolean }) {
  const { passkeyId, name, createdAt, lastUsedAt } = passkey;
  const [rename] = useRenamePasskeyMutation();
  const [isRenaming, setRenaming] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const save = async (name: string) => {
    const { error } = await rename({ passkeyId, name });
    if (error === undefined) setRenaming(false);
    return error;
  };
  return (
    <li className={classes.block}>
      <div className={classes.row}>
        <div className={classes.what}>
          <strong>{name}</strong>
          <span>Added {timeText(createdAt)}</span>
          <span>{lastUsedAt === undefined ? 'Not used yet' : `Last used ${timeText(lastUsedAt)}`}</span>
        </div>
        {!isRenaming && (
          <div className={classes.actions}>
            <Button variant="default" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
              Rename
            </Button>
            <Button variant="danger" aria-label={`Remove ${name}`} onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </div>
        )}
      </div>
      {isRenaming && <PasskeyName name={name} action="Save name" onName={save} onCancel={() => setRenaming(false)} />}
      <RemovePasskey passkey={passkey} isLast={isLast} isAsking={isRemoving} onClose={() => setRemoving(false)} />
    </li>
  );
}

interface RemovePasskeyProps {
  passkey: Passkey;
  isLast: boolean;
  isAsking: boolean;
  onClose: () => void;
}

function RemovePasskey({ passkey: { passkeyId, name }, isLast, isAsking, onClose }: RemovePasskeyProps) {
  const [remove, { isLoading }] = useRemovePasskeyMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async () => {
    setFailure(null);
    const { error } = await remove({ passkeyId });
    if (error === undefined) toast.success('Your passkey is removed.');
    else if (!isProofDeclined(error)) setFailure(failureText(error, 'Request failed'));
  };
  return (
    <ConfirmDialog
      title={`Remove “${name}”?`}
      opened={isAsking}
      confirm="Remove passkey"
      keep="Keep it"
      isBusy={isLoading}
      onConfirm={() => void confirm()}
      onKeep={onClose}
    >
      <p>
        You can no longer sign in with it. Your device may still list it until you delete it there.
        {isLast && ' If you have no authenticator app either, your recovery codes are removed as well.'}
      </p>
      <Failure text={failure} />
    </ConfirmDialog>
  );
}
