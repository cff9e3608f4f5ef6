import { Suspense } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import type { Provider } from '@/api/account';
import { selectIntendedUrl, urlIntended } from '@/shared/session/sessionSlice';
import { offeredProvider } from '@/shared/session/offered';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './AuthCard.module.css';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

// Google's code is loaded only if the server is configured for it.
const GoogleButton = lazyPart(() => import('./GoogleButton'));

type Purpose = 'signIn' | 'signUp';

const START = '/api/auth/oidc/start';

/** What the document shows of the provider until the server has answered. */
export function OfferedProvider({ purpose, isFirst }: { purpose: Purpose; isFirst: boolean }) {
  const or = isFirst && <p className={classes.or}>or by email</p>;
  return (
    <>
      <div className={classes.offered} data-offer="oidc">
        <a href={START} className={buttons.primary}>
          {providerText(purpose, offeredProvider())}
        </a>
        {or}
      </div>
      <div className={classes.offered} data-offer="google">
        <div className={classes.google} />
        {or}
      </div>
    </>
  );
}

function providerText(purpose: Purpose, name: string): string {
  return `${purpose === 'signIn' ? 'Sign in' : 'Sign up'} with ${name}`;
}

interface ProviderButtonProps {
  provider: Provider;
  purpose: Purpose;
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
          href={`${START}${keepGuestGames ? '?keepGuestGames=true' : ''}`}
          className={buttons.primary}
          onClick={comeBack}
        >
          {providerText(purpose, provider.name)}
        </a>
      )}
      {isFirst && <p className={classes.or}>or by email</p>}
    </>
  );
}
