import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Proof, ProofMethod } from '@/api/secondFactor';
import { Failure } from '../ui/Failure';
import { failureText } from './failure';
import { getPasskey } from './passkeys';
import classes from './ProofForm.module.css';
import { ownPasswordError } from './rules';
import { useFormSubmit } from './useFormSubmit';

type TypedMethod = 'password' | 'totp' | 'recovery-code';

const SWITCH_TO: Record<ProofMethod, string> = {
  password: 'Use your password',
  totp: 'Use your authenticator app',
  passkey: 'Use a passkey',
  'recovery-code': 'Use a recovery code',
  provider: 'Sign in again',
};

interface ProofFormProps {
  /** In the order in which they are offered. */
  methods: readonly ProofMethod[];
  /** The text of the button that sends what was typed. */
  action: string;
  /** Sends the proof and returns the error, if any. */
  prove: (proof: Proof) => Promise<unknown>;
  /** Options for a passkey, whose challenge was not used yet; undefined if there are none. */
  freshOptions: () => Promise<unknown>;
  /** What the method `provider` shows. */
  provider?: ReactNode;
  /** A button beside the one that sends. */
  cancel?: ReactNode;
}

/** Asks for one proof that it is the owner, by the first method; the others are a click away. */
export function ProofForm({ methods, action, prove, freshOptions, provider, cancel }: ProofFormProps) {
  const [chosen, setChosen] = useState<ProofMethod | null>(null);
  const method = chosen ?? methods[0];
  return (
    <div className={classes.proof}>
      {method === undefined && <p>Nothing is set up that could confirm it. Please sign out, then sign in again.</p>}
      {method === 'passkey' && <PasskeyProof prove={prove} freshOptions={freshOptions} cancel={cancel} />}
      {method === 'provider' && provider}
      {(method === 'password' || method === 'totp' || method === 'recovery-code') && (
        <TypedProof key={method} method={method} action={action} prove={prove} cancel={cancel} />
      )}
      {methods.length > 1 && (
        <div className={classes.others}>
          {methods
            .filter((each) => each !== method)
            .map((each) => (
              <button key={each} type="button" className={classes.other} onClick={() => setChosen(each)}>
                {SWITCH_TO[each]}
              </button>
            ))}
        </div>
      )}
    </div>
  );
}

const EMPTY = { password: '', totp: '', recoveryCode: '' };

const RULES: Record<TypedMethod, Partial<Record<keyof typeof EMPTY, (typed: string) => string | null>>> = {
  password: { password: ownPasswordError },
  totp: { totp: totpError },
  'recovery-code': { recoveryCode: (code) => (code.trim() === '' ? 'Please enter a recovery code.' : null) },
};

/** Checks a code of an authenticator app, which some show with a blank in the middle. */
export function totpError(code: string): string | null {
  return /^\d{6}$/.test(code.replaceAll(/\s/g, '')) ? null : 'The code has 6 digits.';
}

function proofOf(method: TypedMethod, { password, totp, recoveryCode }: typeof EMPTY): Proof {
  if (method === 'password') return { password };
  return method === 'totp' ? { totp: totp.replaceAll(/\s/g, '') } : { recoveryCode: recoveryCode.trim() };
}

interface TypedProofProps extends Pick<ProofFormProps, 'action' | 'prove' | 'cancel'> {
  method: TypedMethod;
}

function TypedProof({ method, action, prove, cancel }: TypedProofProps) {
  const place = useRef<HTMLFormElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  const form = useForm({ mode: 'uncontrolled', initialValues: EMPTY, validate: RULES[method] });
  const { submit, failure } = useFormSubmit(form, (values) => prove(proofOf(method, values)), {
    fieldErrors: 'instead',
  });
  const field = (name: keyof typeof EMPTY) => ({
    required: true,
    'data-autofocus': true,
    ...form.getInputProps(name),
  });
  return (
    <form ref={place} className={classes.proof} onSubmit={submit} noValidate>
      {method === 'password' && (
        <PasswordInput label="Your password" autoComplete="current-password" {...field('password')} />
      )}
      {method === 'totp' && <TotpInput {...field('totp')} />}
      {method === 'recovery-code' && (
        <TextInput
          label="Recovery code"
          description="One of those you saved when you set this up. Each works once."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...field('recoveryCode')}
        />
      )}
      <Failure text={failure} />
      <Buttons cancel={cancel}>
        <Button type="submit" loading={form.submitting} fullWidth={cancel === undefined}>
          {action}
        </Button>
      </Buttons>
    </form>
  );
}

/** A code of an authenticator app. */
export function TotpInput(props: React.ComponentProps<typeof TextInput>) {
  return (
    <TextInput
      label="Code from your authenticator app"
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder="000000"
      maxLength={7}
      required
      {...props}
    />
  );
}

function PasskeyProof({ prove, freshOptions, cancel }: Pick<ProofFormProps, 'prove' | 'freshOptions' | 'cancel'>) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const use = async () => {
    setBusy(true);
    setFailure(null);
    const asked = await getPasskey(await freshOptions());
    const error = asked.failure === undefined ? await prove({ passkey: asked.credential }) : undefined;
    setBusy(false);
    setFailure(asked.failure ?? (error === undefined ? null : failureText(error, 'Request failed')));
  };
  return (
    <>
      <p>Your browser asks for your passkey.</p>
      <Failure text={failure} />
      <Buttons cancel={cancel}>
        <Button loading={isBusy} fullWidth={cancel === undefined} data-autofocus onClick={() => void use()}>
          Use a passkey
        </Button>
      </Buttons>
    </>
  );
}

function Buttons({ cancel, children }: { cancel: ReactNode; children: ReactNode }) {
  return cancel === undefined ? (
    children
  ) : (
    <div className={classes.actions}>
      {cancel}
      {children}
    </div>
  );
}
