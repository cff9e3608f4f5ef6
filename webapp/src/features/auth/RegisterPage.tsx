import { Link } from 'react-router';
import { localRegistration, useRegisterMutation } from '@/api/account';
import { REGISTRATION } from '@/shared/account/registration';
import { selectUser } from '@/shared/session/sessionSlice';
import { useRealtimePaused } from '@/shared/session/useRealtimePaused';
import { useLoginChecked } from '@/shared/session/useLoginChecked';
import { providersOf, useProviders } from '@/shared/session/useProviders';
import { AccountForm } from './AccountForm';
import { AuthCard } from './AuthCard';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './AuthCard.module.css';
import { GuestButton } from './GuestButton';
import { OfferedProvider, ProviderButtons } from './ProviderButton';
import { useFinishSignIn } from './useFinishSignIn';
import { useAppSelector } from '@/shared/storeHooks';

export default function RegisterPage() {
  const { providers, isWaiting, isError } = useProviders();
  const isKnown = providers !== undefined || isError;
  const guest = useAppSelector(selectUser);
  const isLocal = providers?.registration ?? true;
  return (
    <AuthCard title="Create Account" subtitle="Sign up to get started" isWaiting={isWaiting}>
      {guest !== null && (
        <p className={classes.small}>
          You play as <strong>{guest.displayName || guest.username}</strong>. Your name, your games and the people you
          played with stay yours.
        </p>
      )}
      {!isKnown && <OfferedProvider purpose="signUp" isFirst={isLocal} />}
      <ProviderButtons providers={providers} purpose="signUp" isFirst={isLocal} />
      {isLocal && <RegisterForm isKnown={isKnown} />}
      {!isLocal && isKnown && providersOf(providers).length === 0 && (
        <p>This server is not accepting new accounts right now.</p>
      )}
      <p className={classes.small}>
        By signing up you confirm that you are at least 13 years old and, if you are under 18, that a parent or guardian
        consents. You accept the <Link to="/terms">Terms &amp; Conditions</Link>.
      </p>
      <GuestButton />
      <p className={classes.switch}>
        Already have an account?{' '}
        <Link to="/login" className={textLink.link}>
          Sign In
        </Link>
      </p>
    </AuthCard>
  );
}

function RegisterForm({ isKnown }: { isKnown: boolean }) {
  const entered = useFinishSignIn();
  const paused = useRealtimePaused();
  const loginChecked = useLoginChecked();
  const [register, { isLoading }] = useRegisterMutation(REGISTRATION);
  return (
    <AccountForm
      action="Sign Up"
      offer={isKnown ? undefined : 'registration'}
      isLoading={isLoading}
      otherwise="Registration failed"
      onSubmit={async (registration) => {
        await loginChecked();
        const { data, error } = await paused(() => register(localRegistration(registration)));
        if (data?.isLogIn) entered(data.user, 'signUp');
        return data?.isLogIn ? undefined : (error ?? null);
      }}
    />
  );
}
