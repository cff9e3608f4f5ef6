import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { SecondFactor } from '@/api/secondFactor';
import { RecoveryCodes } from '@/shared/account/RecoveryCodes';
import { failureText } from '@/shared/account/failure';
import { userChanged } from '@/shared/session/sessionSlice';
import { useAppDispatch } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Passkeys } from './Passkeys';
import classes from './Settings.module.css';
import { TwoStep } from './TwoStep';
import { useAccount } from './useAccount';

interface SecondFactorCardsProps {
  factor: SecondFactor | undefined;
  /** Why it could not be loaded. */
  error: unknown;
  onRetry: () => void;
}

/** The user's second factor: authenticator app, recovery codes and passkeys. */
export function SecondFactorCards({ factor, error, onRetry }: SecondFactorCardsProps) {
  const user = useAccount();
  const dispatch = useAppDispatch();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const isOn = factor !== undefined && (factor.totp || factor.passkeys.length > 0);
  const isNews = factor !== undefined && user.secondFactor !== isOn;
  useEffect(() => {
    if (isNews) dispatch(userChanged({ secondFactor: isOn }));
  }, [isNews, isOn, dispatch]);

  if (factor === undefined) return <LoadFailure text={failureText(error, 'Request failed')} onRetry={onRetry} />;
  return (
    <>
      {isOn && <WayBack />}
      <TwoStep factor={factor} onCodes={setCodes} />
      <Passkeys factor={factor} onCodes={setCodes} />
      {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
    </>
  );
}

/** Leads back to the page that a second factor was needed for. */
function WayBack() {
  const { state } = useLocation() as { state: { from?: unknown } | null };
  const from = state?.from;
  if (typeof from !== 'string') return null;
  return (
    <div className={classes.wayBack} role="status">
      <p>Two-step verification is on. You can continue where you left off.</p>
      <Link to={from} className={buttons.primary}>
        Go back
      </Link>
    </div>
  );
}
