import { lazy, Suspense } from 'react';
import type { Provider } from '@/api/account';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './AuthCard.module.css';

// Nothing of Google is asked for before the server says that it is configured.
const GoogleEntry = lazy(() => import('./GoogleEntry'));

interface ProviderEntryProps {
  provider: Provider;
  purpose: 'signIn' | 'signUp';
  /** An email form follows. */
  isFirst: boolean;
}

/** The configured provider's button: Google's own, or the way to another issuer. */
export function ProviderEntry({ provider, purpose, isFirst }: ProviderEntryProps) {
  return (
    <>
      {provider.isGoogle ? (
        <Suspense fallback={<div className={classes.google} />}>
          <GoogleEntry provider={provider} purpose={purpose} />
        </Suspense>
      ) : (
        <a href="/api/auth/oidc/start" className={buttons.primary}>
          {purpose === 'signIn' ? 'Sign in' : 'Sign up'} with {provider.name}
        </a>
      )}
      {isFirst && <p className={classes.or}>or by email</p>}
    </>
  );
}
