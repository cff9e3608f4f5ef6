import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { localLogin, type Providers, useLoginMutation } from '@/api/account';
import { passwordSetFor } from '@/shared/account/passwordSet';
import { PasswordField } from '@/shared/account/PasswordField';
import { ownNameError, ownPasswordError } from '@/shared/account/rules';
import { type TypedEarly, useTypedEarly } from '@/shared/account/useTypedEarly';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { type Ended, selectEnded, selectHasSignedOut, selectUser } from '@/shared/session/sessionSlice';
import { useRealtimePaused } from '@/shared/session/useRealtimePaused';
import { useLoginChecked } from '@/shared/session/useLoginChecked';
import { leaveFor, mayLeadToProvider } from '@/shared/session/ledToProvider';
import { providersOf, startOf, useProviders } from '@/shared/session/useProviders';
import { Failure } from '@/shared/ui/Failure';
import { AuthCard } from './AuthCard';
import { focusHeading } from '@/shared/ui/focusHeading';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './AuthCard.module.css';
import { KeepGuestGames } from './KeepGuestGames';
import { useGuestGames } from '@/shared/session/useGuestGames';
import { GuestButton } from './GuestButton';
import { OfferedProvider, ProviderButtons } from './ProviderButton';
import { providerFailure } from './providerFailure';
import { PasskeySignIn } from './PasskeySignIn';
import { SecondFactorStep } from './SecondFactorStep';
import { Suspended } from './Suspended';
import { useFinishSignIn } from './useFinishSignIn';
import { SECOND_STEP, useRefusedSignIn } from './useRefusedSignIn';
import { useHydrated } from '@/shared/useHydrated';
import { SUSPENDED } from '@/shared/session/suspendedPage';
import { useAppSelector } from '@/shared/storeHooks';

/** Whatever ended it: whoever signs in to a suspended account is told why and until when. */
const ENDED: Record<Ended, string> = {
  account: 'Your session has ended. Please sign in again.',
  guest: 'Your session as a guest has ended. Guests are removed after 30 days without a visit.',
};

/** What the form of the document had, where something else is shown first. */
type Early = TypedEarly<{ email: string; password: string }>;

/**
 * /login; `?step=second-factor` is the second step of a sign-in, also of one with a provider. The document has the first
 * step at every address: it is taken over with what was typed there, and then gives way.
 */
export default function LoginPage() {
  const [params] = useSearchParams();
  const isHydrated = useHydrated();
  const [early, setEarly] = useState<Early>();
  const other = otherThanForm(params);
  useEarlyFocus(early, isHydrated && other !== null ? 'other' : 'form');
  if (isHydrated && other !== null) return other;
  return (
    <FirstStep
      failed={isHydrated ? params.get('error') : null}
      mayLeadOn={isHydrated && !params.has('error') && !params.has('local')}
      early={early}
      onEarly={isHydrated || other === null ? undefined : setEarly}
    />
  );
}

function otherThanForm(query: URLSearchParams) {
  if (query.get('error') === SUSPENDED) return <Suspended />;
  return query.get('step') === SECOND_STEP ? <SecondFactorStep /> : null;
}

/** Whoever was typing in the form finds the focus there, or on what is shown instead. */
function useEarlyFocus(early: Early | undefined, shown: 'form' | 'other'): void {
  const name = early?.focused ?? null;
  useEffect(() => {
    if (name === null || document.activeElement !== document.body) return;
    if (shown === 'form') document.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
    const heading = document.querySelector('h1');
    if (shown === 'other' && heading !== null) focusHeading(heading);
  }, [name, shown]);
}

interface FirstStepProps {
  /** The code of a sign-in that failed elsewhere and returned here. */
  failed: string | null;
  /** Where a provider is the only way in, the page leads on to it. */
  mayLeadOn: boolean;
  early: Early | undefined;
  onEarly: ((early: Early) => void) | undefined;
}

function FirstStep({ failed, mayLeadOn, early, onEarly }: FirstStepProps) {
  const { providers, isWaiting, isError } = useProviders();
  const isKnown = providers !== undefined || isError;
  const isLocal = providers?.local ?? true;
  const guestGames = useGuestGames();
  const [isWanted, setWanted] = useState(true);
  const keepGuestGames = guestGames > 0 && isWanted;
  const ended = useAppSelector(selectEnded);
  const passwordSet = passwordSetFor(useLocation().state);
  const recovered = useHydrated() ? passwordSet : null;
  useLeadToProvider(providers, mayLeadOn && ended === null);
  return (
    <AuthCard title="Welcome back" subtitle="Sign in to your account" isWaiting={isWaiting}>
      <Failure text={providerFailure(failed) ?? (ended === null ? null : ENDED[ended])} />
      {recovered !== null && (
        <p role="status" className={classes.small}>
          Your password has been changed. Please sign in with it.
        </p>
      )}
      {guestGames > 0 && <KeepGuestGames games={guestGames} isWanted={isWanted} onWant={setWanted} />}
      {!isKnown && <OfferedProvider purpose="signIn" isFirst={isLocal} />}
      <ProviderButtons providers={providers} purpose="signIn" isFirst={isLocal} keepGuestGames={keepGuestGames} />
      {isLocal && (
        <LoginForm
          isKnown={isKnown}
          keepGuestGames={keepGuestGames}
          email={recovered ?? ''}
          early={early}
          onEarly={onEarly}
        />
      )}
      {providers?.passkeys && <PasskeySignIn keepGuestGames={keepGuestGames} />}
      <GuestButton />
      <p className={classes.switch}>
        Don&apos;t have an account?{' '}
        <Link to="/register" className={textLink.link}>
          Sign up
        </Link>
      </p>
    </AuthCard>
  );
}

/**
 * Leads on to the only provider, if the operator wants that. Not after a sign-out, a session that ended or a sign-in that failed,
 * nor a guest, who has to choose; so nobody is sent back and forth.
 */
function useLeadToProvider(providers: Providers | undefined, mayLeadOn: boolean): void {
  const isVisitor = useAppSelector(selectUser) === null;
  const hasSignedOut = useAppSelector(selectHasSignedOut);
  const isWanted = mayLeadOn && isVisitor && !hasSignedOut && providers?.redirectToProvider === true;
  const to = isWanted ? startOf(providersOf(providers)[0]) : null;
  useEffect(() => {
    if (to !== null && mayLeadToProvider()) leaveFor(to);
  }, [to]);
}

interface LoginFormProps extends Pick<FirstStepProps, 'early' | 'onEarly'> {
  isKnown: boolean;
  keepGuestGames: boolean;
  email: string;
}

function LoginForm({ isKnown, keepGuestGames, email, early, onEarly }: LoginFormProps) {
  const entered = useFinishSignIn();
  const leadsOn = useRefusedSignIn();
  const paused = useRealtimePaused();
  const [login, { isLoading }] = useLoginMutation();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: early?.values ?? { email, password: '' },
    validate: { email: ownNameError, password: ownPasswordError },
  });

  const box = useTypedEarly(form, onEarly);
  useEffect(() => {
    if (email !== '' && form.getValues().email === '') form.setFieldValue('email', email);
    // When it is known, not when the form is another object.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [email]);
  const loginChecked = useLoginChecked();
  const send = async ({ email: name, password }: { email: string; password: string }) => {
    await loginChecked();
    const { data, error } = await paused(() =>
      login(localLogin({ email: name.trim(), password, ...(keepGuestGames ? { keepGuestGames } : {}) })),
    );
    if (leadsOn(error)) return undefined;
    if (!data?.isLogIn) return error ?? null;
    entered(data.user, 'signIn');
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { otherwise: 'Login failed' });

  return (
    <form
      ref={box}
      method="post"
      className={classes.form}
      data-offer={isKnown ? undefined : 'local'}
      onSubmit={submit}
      noValidate
    >
      <TextInput
        label="Email or username"
        name="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        required
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <PasswordField label="Password" name="password" key={form.key('password')} {...form.getInputProps('password')} />
      <Failure text={failure} />
      <Button type="submit" loading={isLoading} fullWidth>
        Sign in
      </Button>
      <p className={classes.switch}>
        <Link to="/changepassword" className={textLink.link}>
          Forgot your password?
        </Link>
      </p>
    </form>
  );
}
