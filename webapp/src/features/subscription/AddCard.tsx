import { Button, Checkbox } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '@/api/base';
import {
  type PaymentMethod,
  useAddPaymentMethodMutation,
  useCreateSetupIntentMutation,
  usePaymentKeyQuery,
} from '@/api/subscription';
import { Failure } from '@/shared/ui/Failure';
import { cardName } from './cardName';
import classes from './Membership.module.css';
import type { PaymentForm } from './payment/form';
import { PaymentFields } from './payment/PaymentFields';
import { SetupFailure } from './SetupFailure';

const SETTING_UP = 'Setting up the form...';

interface AddCardProps {
  /** The payment method that it replaces. */
  replaces: PaymentMethod | undefined;
  /** There is already a default payment method. */
  hasDefault: boolean;
  onDone: (text: string) => void;
  onCancel: () => void;
}

/** Adds a payment method; nothing is charged. */
export function AddCard({ replaces, hasDefault, onDone, onCancel }: AddCardProps) {
  const { paymentKey, clientSecret, problem, retry } = useSetup();
  const [add] = useAddPaymentMethodMutation();
  const form = useRef<PaymentForm>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [isReady, setReady] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isDefault, setDefault] = useState(true);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => heading.current?.focus(), []);

  /** Returns the reason for a failure, or null. */
  const attempt = async (): Promise<string | null> => {
    const outcome = (await form.current?.confirm()) ?? { failure: SETTING_UP };
    if ('failure' in outcome) return outcome.failure;
    const place = replaces === undefined ? { makeDefault: isDefault } : { replaces: replaces.paymentMethodId };
    const { error } = await add({ setupIntentId: outcome.intentId, ...place });
    return error === undefined ? null : errorText(error, 'POST request failed');
  };
  const submit = async () => {
    setFailure(null);
    setBusy(true);
    const problem = await attempt();
    setBusy(false);
    setFailure(problem);
    if (problem === null) onDone(replaces === undefined ? 'Payment method added.' : 'Payment method replaced.');
  };

  return (
    <form
      className={classes.adding}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (isReady && !isBusy) void submit();
      }}
    >
      <h3 ref={heading} tabIndex={-1}>
        {replaces === undefined ? 'Add a payment method' : `Replace ${cardName(replaces)}`}
      </h3>
      <p className={classes.soft}>Nothing is charged now.</p>
      {problem !== undefined && <SetupFailure error={problem} onRetry={retry} />}
      {problem === undefined && (clientSecret === undefined || paymentKey === undefined) && (
        <p role="status">{SETTING_UP}</p>
      )}
      {clientSecret !== undefined && paymentKey !== undefined && (
        <PaymentFields
          ref={form}
          paymentKey={paymentKey}
          clientSecret={clientSecret}
          waiting={SETTING_UP}
          onReady={() => setReady(true)}
          onFailure={setFailure}
        />
      )}
      {replaces === undefined && hasDefault && (
        <Checkbox
          label="Use it for my plan from now on"
          checked={isDefault}
          onChange={(event) => setDefault(event.currentTarget.checked)}
        />
      )}
      <Failure text={failure} />
      <div className={classes.actions}>
        <Button type="submit" disabled={!isReady} loading={isBusy}>
          Save
        </Button>
        <Button variant="default" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** What the payment provider's form needs, requested once. */
function useSetup() {
  const { data: paymentKey, error: keyError, refetch } = usePaymentKeyQuery();
  const [create, { data: begun, error: beginError }] = useCreateSetupIntentMutation();
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void create();
  }, [create]);
  const retry = () => {
    if (keyError !== undefined) void refetch();
    if (beginError !== undefined) void create();
  };
  return { paymentKey, clientSecret: begun?.clientSecret, problem: beginError ?? keyError, retry };
}
