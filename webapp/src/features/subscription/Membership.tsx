import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'react-router';
import { errorText } from '@/api/base';
import { usePlansQuery, useSubscriptionQuery } from '@/api/subscription';
import { usePlanSummary } from '@/shared/plan/usePlanSummary';
import { selectUser, userChanged } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { BecomePro } from './BecomePro';
import { Benefits } from './Benefits';
import { Checkout } from './Checkout';
import classes from './Membership.module.css';
import { Processing } from './Processing';
import { PastRecords, Records } from './Records';
import { Subscribed } from './Subscribed';
import { usePurchase } from './usePurchase';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/** Polling interval while a payment is being processed. */
export const FOLLOW_MS = 20_000;

/** The subscription, or the steps to buy one. */
export default function Membership() {
  const user = useAppSelector(selectUser);
  const isGuest = user?.isTempUser ?? false;
  const plans = usePlansQuery(undefined, { skip: isGuest });
  const subscription = useSubscriptionQuery(undefined, { skip: isGuest, refetchOnMountOrArgChange: true });
  const isProcessing = subscription.data?.isProcessing ?? false;
  useSubscriptionQuery(undefined, { skip: !isProcessing, pollingInterval: FOLLOW_MS });
  // Remembered while the page is open, to notice that the payment failed.
  const [wasProcessing, setWasProcessing] = useState(false);
  if (isProcessing && !wasProcessing) setWasProcessing(true);
  const purchase = usePurchase(plans.data?.plans ?? []);
  useProKnown(subscription.data?.isSubScribe);

  if (isGuest) return <ForGuests />;
  if (plans.data === undefined || subscription.data === undefined) {
    const error = plans.error ?? subscription.error;
    const retry = () => {
      void plans.refetch();
      void subscription.refetch();
    };
    return error === undefined ? (
      <p role="status">Loading your plan...</p>
    ) : (
      <LoadFailure text={errorText(error, 'GET request failed')} onRetry={retry} />
    );
  }
  const { configured } = plans.data;
  if (subscription.data.isSubScribe) {
    // A failed renewal can be paid by hand, with any card.
    const isOwed = subscription.data.graceUntil !== undefined && subscription.data.planId === purchase.plan?.planId;
    return isOwed && purchase.plan !== undefined && configured ? (
      <Checkout plan={purchase.plan} onBack={() => purchase.go('step_one')} />
    ) : (
      <Subscribed
        subscription={subscription.data}
        plans={plans.data.plans}
        canPay={configured}
        onPay={(planId) => purchase.go('step_three', planId)}
      />
    );
  }
  if (!configured) return <NotSetUp />;
  if (isProcessing) {
    return (
      <div className={classes.part}>
        <Processing subscription={subscription.data} plans={plans.data.plans} />
        <Records />
      </div>
    );
  }
  return (
    <div className={classes.part}>
      {wasProcessing && (
        <p className={classes.warning} role="status">
          Your bank declined the payment. Nothing was charged, and you can try again.
        </p>
      )}
      <BecomePro purchase={purchase} plans={plans.data.plans} />
      {purchase.step === 'step_one' && <PastRecords />}
    </div>
  );
}

/** Updates the user's Pro state from the subscription, which may be newer than the sign-in. */
function useProKnown(isKnownPro: boolean | undefined): void {
  const isProUser = useAppSelector(selectUser)?.isProUser;
  const dispatch = useAppDispatch();
  // Only when the subscription loads; a purchase updates the user itself.
  const note = useEffectEvent((isPro: boolean) => {
    if (isPro !== isProUser) dispatch(userChanged({ isProUser: isPro }));
  });
  useEffect(() => {
    if (isKnownPro !== undefined) note(isKnownPro);
  }, [isKnownPro]);
}

function ForGuests() {
  return (
    <section className={classes.part} aria-labelledby="guests">
      <h2 id="guests">Create an account first</h2>
      <p>You need an account for Pro. It keeps everything you have as a guest.</p>
      <Benefits />
      <div className={classes.actions}>
        <Link to="/register" className={buttons.primary}>
          Create Account
        </Link>
      </div>
    </section>
  );
}

function NotSetUp() {
  const { freeEvents } = usePlanSummary();
  return (
    <section className={classes.part} aria-labelledby="not-set-up">
      <h2 id="not-set-up">Free plan</h2>
      <p>
        You play as much as you like, and join {freeEvents === undefined ? 'some' : `up to ${freeEvents}`} events every
        month.
      </p>
      <p className={classes.note}>
        Payments are not set up on this server, so Pro cannot be bought here. The operator can give it to you.
      </p>
    </section>
  );
}
