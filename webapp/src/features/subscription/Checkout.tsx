import { Button } from '@mantine/core';
import type { FormEvent } from 'react';
import { type PaymentKey, type Plan, usePaymentKeyQuery } from '@/api/subscription';
import { priceText } from '@/shared/plan/price';
import { Failure } from '@/shared/ui/Failure';
import classes from './Membership.module.css';
import { PaymentFields } from './payment/PaymentFields';
import { SetupFailure } from './SetupFailure';
import { StepHeading } from './StepHeading';
import { type PaymentState, SETTING_UP, useClientSecret, usePayment } from './usePayment';

const LABELS = {
  open: 'SUBSCRIBE',
  busy: 'Subscribing...',
  complete: 'Subscription Complete',
  processing: 'Payment in Progress',
} as const satisfies Record<PaymentState, string>;

interface CheckoutProps {
  plan: Plan;
  onBack: () => void;
}

/** Step three: the payment form and its result. */
export function Checkout({ plan, onBack }: CheckoutProps) {
  const key = usePaymentKeyQuery();
  const secret = useClientSecret(plan.planId);
  const { clientSecret } = secret;
  const problem = secret.problem ?? (key.data === undefined ? key.error : undefined);
  const retry = () => {
    if (key.error !== undefined) void key.refetch();
    if (secret.problem !== undefined) secret.retry();
  };
  return (
    <section className={classes.part} aria-labelledby="step">
      <StepHeading back={{ label: 'Back to the plans', go: onBack }}>Almost There</StepHeading>
      <p className={classes.lead}>
        {plan.name}, {priceText(plan.price, plan.currency)}. It renews by itself until you cancel, which you can do
        anytime.
      </p>
      {problem !== undefined ? (
        <SetupFailure error={problem} onRetry={retry} />
      ) : clientSecret === undefined || key.data === undefined ? (
        <p role="status">{SETTING_UP}</p>
      ) : (
        <Payment plan={plan} clientSecret={clientSecret} paymentKey={key.data} />
      )}
    </section>
  );
}

interface PaymentProps {
  plan: Plan;
  clientSecret: string;
  paymentKey: PaymentKey;
}

function Payment({ plan: { planId }, clientSecret, paymentKey }: PaymentProps) {
  const { form, isReady, state, failure, setFailure, pay, ready } = usePayment(planId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && state === 'open') void pay();
  };
  return (
    <form className={classes.payment} onSubmit={submit} noValidate>
      <PaymentFields
        ref={form}
        paymentKey={paymentKey}
        clientSecret={clientSecret}
        waiting={SETTING_UP}
        onReady={ready}
        onFailure={setFailure}
      />
      <Failure text={failure} />
      <Button type="submit" size="lg" fullWidth disabled={!isReady || state !== 'open'} data-state={state}>
        {LABELS[state]}
      </Button>
      <p role="status" className={classes.welcome}>
        {state === 'complete' && 'Welcome to Pro! Home is next.'}
      </p>
    </form>
  );
}
