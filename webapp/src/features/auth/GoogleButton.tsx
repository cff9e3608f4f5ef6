import { GoogleLogin, GoogleOAuthProvider } from '@react-oauth/google';
import { useState } from 'react';
import {
  googleLogin,
  googleRegistration,
  type Provider,
  useGetProvidersQuery,
  useLoginMutation,
  useRegisterMutation,
} from '@/api/account';
import { failureText, NETWORK_ERROR } from '@/shared/account/failure';
import { REGISTRATION } from '@/shared/account/registration';
import { useRealtimePaused } from '@/shared/session/useRealtimePaused';
import { selectThemeMode } from '@/shared/theme/themeSlice';
import { Failure } from '@/shared/ui/Failure';
import classes from './AuthCard.module.css';
import { identityOf } from './identity';
import { useFinishSignIn } from './useFinishSignIn';
import { useRefusedSignIn } from './useRefusedSignIn';
import { useAppSelector } from '@/shared/storeHooks';

interface GoogleButtonProps {
  provider: Provider;
  purpose: 'signIn' | 'signUp';
  keepGuestGames: boolean;
}

/** Google's button; its script is loaded from Google, and only here. */
export default function GoogleButton({ provider, purpose, keepGuestGames }: GoogleButtonProps) {
  const mode = useAppSelector(selectThemeMode);
  const entered = useFinishSignIn();
  const leadsOn = useRefusedSignIn();
  const { refetch } = useGetProvidersQuery();
  const paused = useRealtimePaused();
  const [login] = useLoginMutation();
  const [register] = useRegisterMutation(REGISTRATION);
  const [failure, setFailure] = useState<string | null>(null);
  const otherwise = purpose === 'signIn' ? 'Login failed' : 'Registration failed';

  const enter = async (credential: string | undefined) => {
    setFailure(null);
    const identity = credential === undefined ? null : identityOf(credential);
    if (identity === null) {
      setFailure(otherwise);
      return;
    }
    const { data, error } = await paused(() =>
      purpose === 'signIn'
        ? login(googleLogin({ ...identity, ...(keepGuestGames ? { keepGuestGames } : {}) }))
        : register(googleRegistration(identity)),
    );
    if (data?.isLogIn) {
      // A new user may choose a username.
      entered(data.user, data.isNew ? 'signUp' : purpose);
      return;
    }
    if (leadsOn(error)) return;
    setFailure(failureText(error, otherwise));
    // The nonce has been used up.
    void refetch();
  };

  return (
    <GoogleOAuthProvider clientId={provider.clientId} onScriptLoadError={() => setFailure(NETWORK_ERROR)}>
      <div className={classes.google}>
        <GoogleLogin
          // A new nonce requires a new button.
          key={provider.nonce}
          nonce={provider.nonce}
          text={purpose === 'signIn' ? 'signin_with' : 'signup_with'}
          theme={mode === 'dark' ? 'filled_black' : 'outline'}
          size="large"
          onSuccess={({ credential }) => void enter(credential)}
          onError={() => setFailure(otherwise)}
        />
      </div>
      <Failure text={failure} />
    </GoogleOAuthProvider>
  );
}
