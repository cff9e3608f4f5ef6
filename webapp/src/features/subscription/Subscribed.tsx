import { Button } from '@mantine/core';
import { useState } from 'react';
import { isProofDeclined } from '@/api/base';
import {
  type Plan,
  type Subscription,
  useCancelSubscriptionMutation,
  useResumeSubscriptionMutation,
} from '@/api/subscription';
import { failureText } from '@/shared/account/failure';
import { selectUser } from '@/shared/session/sessionSlice';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import { ChangePlan } from './ChangePlan';
import classes from './Membership.module.css';
import { page } from './page';
import { PastRecords, Records } from './Records';
import { day } from './times';
import { useAppSelector } from '@/shared/storeHooks';
import { PlanPrice } from './PlanPrice';

interface SubscribedProps {
  subscription: Subscription;
  plans: readonly Plan[];
  /** Payments are set up on this server. */
  canPay: boolean;
  /** Pays an overdue plan. */
  onPay: (planId: string) => void;
}

/** The subscription of a member, with its actions. */
export function Subscribed({ subscription, plans, canPay, onPay }: SubscribedProps) {
  const username = useAppSelector(selectUser)?.username || 'Champion';
  const { isGranted, planId, name } = subscription;
  // A grant has no plan; a plan that is no longer sold has no id, but a name.
  const isPaid = name !== undefined;
  return (
    <div className={classes.part}>
      <section className={classes.member} aria-labelledby="member">
        <span className={classes.popular}>Pro member</span>
        <h2 id="member">Hello {username}!</h2>
        {isPaid ? (
          <PlanPrice subscription={subscription} plans={plans} />
        ) : (
          <p>Pro was given to you by the operator of this server.</p>
        )}
        <Until subscription={subscription} isPaid={isPaid} />
        {isPaid && canPay && <Actions subscription={subscription} onPay={onPay} />}
        {isPaid && !canPay && <p className={classes.note}>Payments are not set up on this server at the moment.</p>}
        {isPaid && isGranted && (
          <p className={classes.soft}>Pro was also given to you by the operator of this server.</p>
        )}
      </section>
      {isPaid && canPay && isChangeable(subscription) && <ChangePlan planId={planId} plans={plans} />}
      {canPay && (isPaid ? <Records /> : <PastRecords />)}
    </div>
  );
}

/** Not cancelled, not overdue, and no payment being processed. */
function isChangeable({ endsAt, graceUntil, isProcessing }: Subscription): boolean {
  return endsAt === undefined && graceUntil === undefined && !isProcessing;
}

function Until({ subscription, isPaid }: { subscription: Subscription; isPaid: boolean }) {
  const { nextPaymentDate, endsAt, graceUntil, isProcessing } = subscription;
  if (isProcessing) {
    return <p className={classes.note}>Your payment is being processed… Your plan continues meanwhile.</p>;
  }
  if (graceUntil !== undefined) {
    return (
      <p className={classes.warning}>
        Your last payment failed. Pro lasts until {day(graceUntil)}; pay before then to keep it.
      </p>
    );
  }
  if (endsAt !== undefined) {
    return (
      <p>{isPaid ? `Your plan is cancelled: Pro lasts until ${day(endsAt)}.` : `It lasts until ${day(endsAt)}.`}</p>
    );
  }
  return nextPaymentDate === undefined ? null : <p>Your plan renews on {day(nextPaymentDate)}.</p>;
}

interface ActionsProps {
  subscription: Subscription;
  onPay: (planId: string) => void;
}

function Actions({ subscription: { planId, endsAt, graceUntil, nextPaymentDate }, onPay }: ActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [cancel, cancelling] = useCancelSubscriptionMutation();
  const [resume, resuming] = useResumeSubscriptionMutation();

  const end = async () => {
    setFailure(null);
    const { error } = await cancel(planId === undefined ? {} : { planId });
    setAsking(false);
    if (error === undefined) page.reload();
    else if (!isProofDeclined(error)) setFailure(`Your plan continues. ${failureText(error, 'POST request failed')}`);
  };
  const goOn = async () => {
    setFailure(null);
    const { error } = await resume();
    if (error === undefined) toast.success('Your plan continues.');
    else setFailure(failureText(error, 'POST request failed'));
  };

  if (endsAt !== undefined) {
    return (
      <>
        <div className={classes.actions}>
          <Button loading={resuming.isLoading} onClick={() => void goOn()}>
            Resume Plan
          </Button>
        </div>
        <Failure text={failure} />
      </>
    );
  }
  return (
    <>
      <div className={classes.actions}>
        {graceUntil !== undefined && planId !== undefined && <Button onClick={() => onPay(planId)}>Pay Now</Button>}
        <Button variant="default" onClick={() => setAsking(true)}>
          Cancel Plan
        </Button>
        <ConfirmDialog
          title="Cancel Plan"
          opened={isAsking}
          confirm="Cancel Plan"
          keep="Keep Plan"
          isBusy={cancelling.isLoading}
          onConfirm={() => void end()}
          onKeep={() => setAsking(false)}
        >
          {nextPaymentDate === undefined ? (
            <p>The current period is not paid, so Pro ends now, and nothing more is charged.</p>
          ) : (
            <>
              <p>You keep Pro until {day(nextPaymentDate)}, and nothing more is charged.</p>
              <p>Until then you can resume it.</p>
            </>
          )}
        </ConfirmDialog>
      </div>
      <Failure text={failure} />
    </>
  );
}
