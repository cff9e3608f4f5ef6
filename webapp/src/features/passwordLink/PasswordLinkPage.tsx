import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import {
  useBeginPasskeyByLinkMutation,
  usePasswordLinkOwnerQuery,
  useUseLinkForPasskeyMutation,
  useUsePasswordLinkMutation,
} from '@/api/account';
import { type ApiError, isApiError } from '@/api/base';
import { NewPasswordFields, newPasswordRules } from '@/shared/account/NewPasswordFields';
import { PasskeyName } from '@/shared/account/PasskeyName';
import { hasPasskeys, makePasskey } from '@/shared/account/passkeys';
import type { PasswordSet } from '@/shared/account/passwordSet';
import { RecoveryCodes } from '@/shared/account/RecoveryCodes';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { selectUser, signedOut } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import { Failure } from '@/shared/ui/Failure';
import formCard from '@/shared/ui/formCard.module.css';
import { isMissing, Loaded } from '@/shared/ui/Loaded';
import textLink from '@/shared/ui/textLink.module.css';
import { toast } from '@/shared/ui/toast';
import classes from './PasswordLinkPage.module.css';

const TITLE = 'Set a new password';
const PASSKEY_TITLE = 'Make a passkey';

/**
 * /new-password#…: an administrator's one-time link, for a new password or a passkey. Opening it does nothing: mail
 * scanners open every link.
 */
export default function PasswordLinkPage() {
  // Kept, so that the page stays what it is when the address changes.
  const { hash } = useLocation();
  const [token] = useState(() => hash.slice(1));
  const link = usePasswordLinkOwnerQuery(token);
  return (
    <section className={formCard.card}>
      <Loaded of={link} loading="Checking the link…" failure="Request failed">
        {({ username, takesPasskey }) =>
          username === undefined ? (
            <Over />
          ) : (
            <Choice token={token} username={username} takesPasskey={takesPasskey && hasPasskeys()} />
          )
        }
      </Loaded>
    </section>
  );
}

interface OpenLink {
  token: string;
  username: string;
}

interface StepProps extends OpenLink {
  /** The link turned out to be over. */
  onOver: () => void;
}

function Choice({ takesPasskey, ...link }: OpenLink & { takesPasskey: boolean }) {
  const [step, setStep] = useState<'password' | 'passkey' | 'over'>('password');
  const onOver = () => setStep('over');
  if (step === 'over') return <Over />;
  if (step === 'passkey') return <PasskeyStep {...link} onOver={onOver} onPassword={() => setStep('password')} />;
  return (
    <>
      <PasswordForm {...link} onOver={onOver} />
      {takesPasskey && (
        <Button variant="default" fullWidth onClick={() => setStep('passkey')}>
          Make a passkey instead
        </Button>
      )}
    </>
  );
}

/** All sessions of the account have ended, perhaps this browser's. */
function useSignedOutIfOwn(username: string): () => void {
  const isOwn = useAppSelector(selectUser)?.username === username;
  const dispatch = useAppDispatch();
  return () => {
    if (isOwn) dispatch(signedOut({ hasSignedOut: false }));
  };
}

/** Returns the error, after telling if the link is over. */
function overOr(error: unknown, onOver: () => void): unknown {
  if (isApiError(error) && isMissing(error)) onOver();
  return error;
}

function Heading({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className={classes.heading}>
      <title>{`${title} · Morpion`}</title>
      <h1>{title}</h1>
      {children}
    </div>
  );
}

function PasswordForm({ token, username, onOver }: StepProps) {
  const [use, { isLoading }] = useUsePasswordLinkMutation();
  const signOutIfOwn = useSignedOutIfOwn(username);
  const navigate = useNavigate();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { newPassword: '', retyped: '' },
    validate: newPasswordRules,
  });
  const { submit, failure } = useFormSubmit(form, async ({ newPassword }) => {
    const { error } = await use({ token, newPassword });
    if (error !== undefined) return overOr(error, onOver);
    signOutIfOwn();
    await navigate('/login', { replace: true, state: { passwordSetFor: username } satisfies PasswordSet });
    return undefined;
  });
  return (
    <>
      <Heading title={TITLE}>
        <p>
          For the account <strong>{username}</strong>. Every device has to sign in again with it.
        </p>
      </Heading>
      <form className={classes.form} onSubmit={submit} noValidate>
        {/* Tells password managers whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <NewPasswordFields form={form} />
        <Failure text={failure} />
        <Button type="submit" loading={isLoading} fullWidth>
          Set password
        </Button>
      </form>
    </>
  );
}

function PasskeyStep({ token, username, onOver, onPassword }: StepProps & { onPassword: () => void }) {
  const [begin] = useBeginPasskeyByLinkMutation();
  const [finish] = useUseLinkForPasskeyMutation();
  const [codes, setCodes] = useState<readonly string[]>();
  const signOutIfOwn = useSignedOutIfOwn(username);
  const navigate = useNavigate();
  const make = async (name: string) => {
    const begun = await begin({ token });
    if (begun.data === undefined) return overOr(begun.error, onOver);
    const { credential, failure } = await makePasskey(begun.data.options);
    if (failure !== undefined) return { status: 422, message: failure } satisfies ApiError;
    const { data, error } = await finish({ token, name, credential });
    if (data === undefined) return overOr(error, onOver);
    setCodes(data.recoveryCodes ?? []);
    return undefined;
  };
  const leave = () => {
    signOutIfOwn();
    toast.success('Your passkey is added. Sign in with it now.');
    void navigate('/login', { replace: true });
  };
  return (
    <>
      <Heading title={PASSKEY_TITLE}>
        <p>
          For the account <strong>{username}</strong>. You sign in with your fingerprint, face or PIN, or with a
          security key. The account has no password any more, and every device has to sign in again.
        </p>
      </Heading>
      <PasskeyName name="" action="Make passkey" onName={make} onCancel={onPassword} />
      {codes !== undefined && <RecoveryCodes codes={codes} onDone={leave} />}
    </>
  );
}

function Over() {
  return (
    <Heading title="This link no longer works">
      <p>A link works once, within 24 hours, and only until the account&apos;s password is changed some other way.</p>
      <p>Ask the administrator for a new one, if you still need it.</p>
      <Link to="/login" className={textLink.link}>
        Sign in
      </Link>
    </Heading>
  );
}
