import { Suspense } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import type { Provider } from '@/api/account';
import { selectIntendedUrl, urlIntended } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './AuthCard.module.css';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

// Google's code is loaded only if the server is configured for it.
const GoogleButton = lazyPart(() => import('./GoogleButton'));

interface ProviderButtonProps {
  provider: Provider;
  purpose: 'signIn' | 'signUp';
  /** An email form follows below. */
  isFirst: boolean;
  /** The guest's games are taken over. */
  keepGuestGames?: boolean;
}

/** The button of the configured provider: Google's own, or a link to another issuer. */
export function ProviderButton({ provider, purpose, isFirst, keepGuestGames = false }: ProviderButtonProps) {
  const dispatch = useAppDispatch();
  const intended = useAppSelector(selectIntendedUrl);
  const comeBack = () => {
    // The browser leaves the page; a new user sets up the account after the return.
    if (purpose === 'signUp' && intended === null) dispatch(urlIntended('/app/accountSetup'));
  };
  return (
    <>
      {provider.isGoogle ? (
        <Suspense fallback={<div className={classes.google} />}>
          <GoogleButton provider={provider} purpose={purpose} keepGuestGames={keepGuestGames} />
        </Suspense>
      ) : (
        <a
          href={`/api/auth/oidc/start${keepGuestGames ? '?keepGuestGames=true' : ''}`}
          className={buttons.primary}
          onClick={comeBack}
        >
          {purpose === 'signIn' ? 'Sign in' : 'Sign up'} with {provider.name}
        </a>
      )}
      {isFirst && <p className={classes.or}>or by email</p>}
    </>
  );
}
