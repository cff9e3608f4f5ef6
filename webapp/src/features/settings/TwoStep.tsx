import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  type SecondFactor,
  useBeginTotpMutation,
  useRemoveTotpMutation,
  useRenewRecoveryCodesMutation,
} from '@/api/secondFactor';
import { isProofDeclined } from '@/api/base';
import { failureText } from '@/shared/account/failure';
import { Card } from '@/shared/ui/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import { type Setup, SetUpApp } from './SetUpApp';
import classes from './Settings.module.css';

/** With fewer recovery codes left than this, the user is warned. */
const FEW_CODES = 3;

interface TwoStepProps {
  factor: SecondFactor;
  /** Shows new recovery codes, which cannot be seen again. */
  onCodes: (codes: readonly string[]) => void;
}

/** The authenticator app and the recovery codes. */
export function TwoStep({ factor, onCodes }: TwoStepProps) {
  const isOn = factor.totp || factor.passkeys.length > 0;
  return (
    <Card title="Two-step verification">
      {!isOn && (
        <p>
          With an authenticator app or a passkey, nobody can sign in with your password alone.
          {factor.required && ' This server requires one of them for your account.'}
        </p>
      )}
      <ul className={classes.list}>
        <App isSet={factor.totp} onCodes={onCodes} />
        {isOn && <Codes left={factor.recoveryCodesLeft} onCodes={onCodes} />}
      </ul>
    </Card>
  );
}

function App({ isSet, onCodes }: { isSet: boolean; onCodes: TwoStepProps['onCodes'] }) {
  const [begin, { isLoading }] = useBeginTotpMutation();
  const [setup, setSetup] = useState<Setup | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const start = async () => {
    setFailure(null);
    const { data, error } = await begin();
    if (data !== undefined) setSetup(data);
    else setFailure(isProofDeclined(error) ? null : failureText(error, 'Request failed'));
  };
  return (
    <li className={classes.block}>
      <div className={classes.row}>
        <div className={classes.what}>
          <strong>
            Authenticator app
            {isSet && <span className={classes.badge}>On</span>}
          </strong>
          <span>An app on your phone shows a new code every 30 seconds.</span>
        </div>
        {isSet ? (
          <Button variant="danger" onClick={() => setRemoving(true)}>
            Remove app
          </Button>
        ) : (
          setup === null && (
            <Button loading={isLoading} onClick={() => void start()}>
              Set up an app
            </Button>
          )
        )}
      </div>
      <Failure text={failure} />
      {!isSet && setup !== null && (
        <SetUpApp
          setup={setup}
          onCancel={() => setSetup(null)}
          onDone={(codes) => {
            setSetup(null);
            if (codes === undefined) toast.success('Your authenticator app is set up.');
            else onCodes(codes);
          }}
        />
      )}
      <RemoveApp isAsking={isRemoving} onClose={() => setRemoving(false)} />
    </li>
  );
}

function RemoveApp({ isAsking, onClose }: { isAsking: boolean; onClose: () => void }) {
  const [remove, { isLoading }] = useRemoveTotpMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async () => {
    setFailure(null);
    const { error } = await remove();
    if (error === undefined) {
      onClose();
      toast.success('Your authenticator app is removed.');
    } else if (!isProofDeclined(error)) {
      setFailure(failureText(error, 'Request failed'));
    }
  };
  return (
    <ConfirmDialog
      title="Remove the authenticator app?"
      opened={isAsking}
      confirm="Remove app"
      keep="Keep it"
      isBusy={isLoading}
      onConfirm={() => void confirm()}
      onKeep={onClose}
    >
      <p>
        Its codes will no longer work here. Without a passkey, your password alone is enough to sign in, and your
        recovery codes are removed as well.
      </p>
      <Failure text={failure} />
    </ConfirmDialog>
  );
}

function Codes({ left, onCodes }: { left: number; onCodes: TwoStepProps['onCodes'] }) {
  const [renew, { isLoading }] = useRenewRecoveryCodesMutation();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async () => {
    setFailure(null);
    const { data, error } = await renew();
    if (data === undefined) {
      if (!isProofDeclined(error)) setFailure(failureText(error, 'Request failed'));
      return;
    }
    setAsking(false);
    onCodes(data.recoveryCodes);
  };
  return (
    <li className={classes.block}>
      <div className={classes.row}>
        <div className={classes.what}>
          <strong>Recovery codes</strong>
          <span>{left} of 10 left. Each one signs you in once if you lose your phone or passkey.</span>
        </div>
        <Button variant="default" onClick={() => setAsking(true)}>
          New recovery codes
        </Button>
      </div>
      {left < FEW_CODES && (
        <p className={classes.warning}>
          {left === 0 ? 'You have no recovery codes left.' : `You have only ${left} left.`} Make new ones, so that you
          are not locked out.
        </p>
      )}
      <ConfirmDialog
        title="Make new recovery codes?"
        opened={isAsking}
        confirm="Make new codes"
        keep="Keep the old ones"
        isBusy={isLoading}
        onConfirm={() => void confirm()}
        onKeep={() => setAsking(false)}
      >
        <p>You get ten new codes. The old ones stop working.</p>
        <Failure text={failure} />
      </ConfirmDialog>
    </li>
  );
}
