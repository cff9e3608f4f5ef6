import { Button } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '@/api/base';
import {
  type PaymentKey,
  type Plan,
  type PlanChange,
  useChangePlanMutation,
  useFinishPlanChangeMutation,
  useLazyPaymentKeyQuery,
} from '@/api/subscription';
import { Card } from '@/shared/ui/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Membership.module.css';
import { Authentication } from './payment/Authentication';
import { priceText } from '@/shared/plan/price';

interface ChangePlanProps {
  /** The current plan; undefined if it is no longer sold. */
  planId: string | undefined;
  plans: readonly Plan[];
}

/** A plan change that waits for a bank challenge. */
interface Waiting {
  plan: Plan;
  clientSecret: string;
  paymentKey: PaymentKey;
}

/** The other plans, with a button to change to each. */
export function ChangePlan({ planId, plans }: ChangePlanProps) {
  const [chosen, setChosen] = useState<Plan | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { change, isChanging, isUnderWay, waiting, answered, failure } = usePlanChange();
  const others = plans.filter((plan) => plan.planId !== planId);
  if (others.length === 0) return null;

  const confirm = (plan: Plan) => change(plan, () => setAsking(false));
  return (
    <Card title="Change plan">
      <ul className={classes.rows} aria-label="Other plans">
        {others.map((plan) => (
          <li key={plan.planId} className={classes.row}>
            <p className={classes.what}>
              <strong>
                {priceText(plan.price, plan.currency)}/{plan.name}
              </strong>
              {plan.savings && <span className={classes.savings}>Save {plan.savings}</span>}
            </p>
            <Button
              variant="default"
              aria-label={`Change to ${plan.name}`}
              disabled={isUnderWay}
              onClick={() => {
                setChosen(plan);
                setAsking(true);
              }}
            >
              Change
            </Button>
          </li>
        ))}
      </ul>
      {waiting !== null && (
        <Authentication
          paymentKey={waiting.paymentKey}
          clientSecret={waiting.clientSecret}
          onAnswered={(problem) => void answered(waiting.plan, problem)}
        />
      )}
      <Failure text={failure} />
      <ConfirmDialog
        title={`Change to ${chosen?.name ?? ''}`}
        opened={isAsking}
        confirm="Change Plan"
        keep="Keep Plan"
        isBusy={isChanging}
        onConfirm={() => chosen !== null && void confirm(chosen)}
        onKeep={() => setAsking(false)}
      >
        <p>
          The new plan begins now. The unused part of your current plan is deducted from the price, and the difference
          is charged to your card. Your bank may ask you to confirm the payment.
        </p>
      </ConfirmDialog>
    </Card>
  );
}

/** A change to another plan, with the bank challenge that it may need. */
function usePlanChange() {
  const [change, { isLoading: isChanging }] = useChangePlanMutation();
  const [finish, finishing] = useFinishPlanChangeMutation();
  const [loadKey] = useLazyPaymentKeyQuery();
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const go = async (plan: Plan, onAnswer: () => void) => {
    setFailure(null);
    const { data, error } = await change(plan.planId);
    onAnswer();
    if (data === undefined) setFailure(errorText(error, 'POST request failed'));
    else if (data.clientSecret === undefined) tell(plan, data);
    else await ask(plan, data.clientSecret);
  };
  const tell = (plan: Plan, { paymentStatus }: PlanChange) =>
    toast.success(
      paymentStatus === 'processing'
        ? `Your payment is being processed… Your plan changes to ${plan.name} when it is complete.`
        : `Your plan is ${plan.name} now.`,
    );
  const ask = async (plan: Plan, clientSecret: string) => {
    const { data: paymentKey, error } = await loadKey(undefined, true);
    if (paymentKey === undefined) setFailure(errorText(error, 'GET request failed'));
    else setWaiting({ plan, clientSecret, paymentKey });
  };
  /** Whatever the challenge's result, the server knows the outcome. */
  const answered = async (plan: Plan, problem: string | null) => {
    setWaiting(null);
    const { data, error } = await finish(plan.planId);
    if (data !== undefined) tell(plan, data);
    else setFailure([problem, errorText(error, 'POST request failed')].filter(Boolean).join(' '));
  };
  return { change: go, isChanging, isUnderWay: waiting !== null || finishing.isLoading, waiting, answered, failure };
}
