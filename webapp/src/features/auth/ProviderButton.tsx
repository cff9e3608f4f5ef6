import { Suspense, useId } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import type { Provider, Providers } from '@/api/account';
import { selectIntendedUrl, urlIntended } from '@/shared/session/sessionSlice';
import { offeredProvider } from '@/shared/session/offered';
import { providersOf, startOf } from '@/shared/session/useProviders';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './AuthCard.module.css';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

// Google's code is loaded only if the server is configured for it.
const GoogleButton = lazyPart(() => import('./GoogleButton'));

type Purpose = 'signIn' | 'signUp';

/** What the document shows of the provider until the server has answered. */
export function OfferedProvider({ purpose, isFirst }: { purpose: Purpose; isFirst: boolean }) {
  const or = isFirst && <p className={classes.or}>or by email</p>;
  return (
    <>
      <div className={classes.offered} data-offer="oidc">
        <a href={startOf()} className={buttons.primary}>
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

interface ProviderButtonsProps {
  providers: Providers | undefined;
  purpose: Purpose;
  /** An email form follows below. */
  isFirst: boolean;
  /** The guest's games are taken over. */
  keepGuestGames?: boolean;
}

/** The buttons of the configured providers. */
export function ProviderButtons({ providers, purpose, isFirst, keepGuestGames = false }: ProviderButtonsProps) {
  const all = providersOf(providers);
  if (all.length === 0) return null;
  return (
    <>
      {all.map((provider) => (
        <ProviderButton key={provider.id ?? ''} provider={provider} purpose={purpose} keepGuestGames={keepGuestGames} />
      ))}
      {isFirst && <p className={classes.or}>or by email</p>}
    </>
  );
}

interface ProviderButtonProps {
  provider: Provider;
  purpose: Purpose;
  keepGuestGames: boolean;
}

/** The button of a provider: Google's own, or a link to another issuer. */
function ProviderButton({ provider, purpose, keepGuestGames }: ProviderButtonProps) {
  const dispatch = useAppDispatch();
  const intended = useAppSelector(selectIntendedUrl);
  const note = useId();
  const comeBack = () => {
    // The browser leaves the page; a new user sets up the account after the return.
    if (purpose === 'signUp' && intended === null) dispatch(urlIntended('/app/accountSetup'));
  };
  if (provider.isGoogle) {
    return (
      <Suspense fallback={<div className={classes.google} />}>
        <GoogleButton provider={provider} purpose={purpose} keepGuestGames={keepGuestGames} />
      </Suspense>
    );
  }
  return (
    <div className={classes.provider}>
      <a
        href={`${startOf(provider)}${keepGuestGames ? '?keepGuestGames=true' : ''}`}
        className={buttons.primary}
        onClick={comeBack}
        aria-describedby={provider.isAway ? note : undefined}
      >
        {providerText(purpose, provider.name)}
      </a>
      {provider.isAway && (
        <p id={note} className={classes.small}>
          {provider.name} could not be reached. Press the button to try again.
        </p>
      )}
    </div>
  );
}
