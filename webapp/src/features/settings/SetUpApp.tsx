import { Button, CopyButton } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useConfirmTotpMutation } from '@/api/secondFactor';
import { totpError, TotpInput } from '@/shared/account/ProofForm';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { Failure } from '@/shared/ui/Failure';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './SecondFactor.module.css';
import settings from './Settings.module.css';

export interface Setup {
  secret: string;
  /** `otpauth://totp/…` */
  uri: string;
  qrCode: string;
}

interface SetUpAppProps {
  setup: Setup;
  onCancel: () => void;
  /** `codes` are the recovery codes that come with the account's first factor. */
  onDone: (codes: readonly string[] | undefined) => void;
}

/** Sets an authenticator app up: the app scans a picture or is told a secret, and its first code confirms it. */
export function SetUpApp({ setup, onCancel, onDone }: SetUpAppProps) {
  const [confirm] = useConfirmTotpMutation();
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: totpError } });
  const send = async ({ code }: { code: string }) => {
    const { data, error } = await confirm({ code: code.replaceAll(/\s/g, '') });
    if (data === undefined) return error;
    onDone(data.recoveryCodes);
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'instead' });

  return (
    <form className={classes.setUp} onSubmit={submit} noValidate>
      <img className={classes.qrCode} src={setup.qrCode} alt="QR code with the secret below" />
      <div className={settings.form}>
        <p>
          1. Scan the picture with your authenticator app,{' '}
          <a href={setup.uri} className={textLink.link}>
            open the app on this device
          </a>
          , or type this secret into it:
        </p>
        <div className={classes.secret}>
          <code aria-label="Secret">{setup.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          <CopyButton value={setup.secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy secret'}
              </Button>
            )}
          </CopyButton>
        </div>
        <p>2. Enter the code that the app shows:</p>
        <TotpInput key={form.key('code')} {...form.getInputProps('code')} />
        <Failure text={failure} />
        <div className={settings.actions}>
          <Button type="submit" loading={form.submitting}>
            Turn on
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
    </form>
  );
}
