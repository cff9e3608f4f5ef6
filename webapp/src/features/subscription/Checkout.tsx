import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { errorText, isApiError } from '@/api/base';
import {
  type PaymentKey,
  type Plan,
  type Subscription,
  subscriptionApi,
  useCreateSubscriptionItemMutation,
  usePaymentKeyQuery,
  useSubscribeMutation,
} from '@/api/subscription';
import { celebrate } from '@/shared/confetti';
import { log } from '@/shared/log';
import { selectUser, userChanged } from '@/shared/session/sessionSlice';
import { Failure } from '@/shared/ui/Failure';
import classes from './Membership.module.css';
import type { PaymentForm } from './payment/form';
import { PaymentFields } from './payment/PaymentFields';
import { priceText } from '@/shared/plan/price';
import { StepHeading } from './StepHeading';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/** From 'Subscription Complete' to /app/home. */
export const REDIRECT_MS = 3_000;

const SETTING_UP = 'Setting up payment...';
const LABELS = {
  open: 'SUBSCRIBE',
  busy: 'Subscribing...',
  complete: 'Subscription Complete',
  processing: 'Payment in Progress',
} as const;

interface CheckoutProps {
  plan: Plan;
  onBack: () => void;
}

/** Step three: the card, and what comes after it. */
export function Checkout({ plan, onBack }: CheckoutProps) {
  const { data: paymentKey } = usePaymentKeyQuery();
  const clientSecret = useClientSecret(plan.planId);
  return (
    <section className={classes.part} aria-labelledby="step">
      <StepHeading back={{ label: 'Back to the plans', go: onBack }}>Almost There</StepHeading>
      <p className={classes.lead}>
        {plan.name}, {priceText(plan.price, plan.currency)}. It renews by itself until you cancel, which you can do
        anytime.
      </p>
      {clientSecret === undefined || paymentKey === undefined ? (
        <p role="status">{SETTING_UP}</p>
      ) : (
        <Payment plan={plan} clientSecret={clientSecret} paymentKey={paymentKey} />
      )}
    </section>
  );
}

/** Of the payment to make: a new one, or the one with which somebody comes back from their bank. */
function useClientSecret(planId: string): string | undefined {
  const userId = useAppSelector(selectUser)?.userId;
  const [params] = useSearchParams();
  const brought = params.get('payment_intent_client_secret') ?? undefined;
  const [create, { data }] = useCreateSubscriptionItemMutation();
  const dispatch = useAppDispatch();
  const isAsked = useRef(brought !== undefined);
  useEffect(() => {
    if (isAsked.current || userId === undefined) return;
    isAsked.current = true;
    const ask = async () => {
      const { error } = await create({ user: userId, planId });
      // Nothing else is told: the form goes on being set up.
      if (error !== undefined) log.note('The payment could not be set up', error);
      // It was bought in another tab, what was left of an earlier plan paid for it, or the payment is on its way.
      if (isApiError(error) && (error.code === 'already-subscribed' || error.code === 'payment-processing')) {
        dispatch(subscriptionApi.util.invalidateTags(['Subscription']));
      }
    };
    void ask();
  }, [create, dispatch, planId, userId]);
  return brought ?? data?.clientSecret;
}

interface PaymentProps {
  plan: Plan;
  clientSecret: string;
  paymentKey: PaymentKey;
}

function Payment({ plan: { planId }, clientSecret, paymentKey }: PaymentProps) {
  const user = useAppSelector(selectUser)?.userId;
  const dispatch = useAppDispatch();
  const [params] = useSearchParams();
  const form = useRef<PaymentForm>(null);
  const [isReady, setReady] = useState(false);
  const [state, setState] = useState<keyof typeof LABELS>('open');
  const [failure, setFailure] = useState<string | null>(null);
  const [subscription, setSubscription] = useState<Subscription | null>(null);
  const [subscribe] = useSubscribeMutation();
  useWayHome(subscription);

  const pay = async () => {
    setFailure(null);
    setState('busy');
    const problem = await attempt();
    if (problem === null) return;
    setState('open');
    setFailure(problem);
  };

  /** What keeps it from succeeding; null if nothing does. */
  const attempt = async (): Promise<string | null> => {
    const outcome = (await form.current?.confirm()) ?? { failure: SETTING_UP };
    if ('failure' in outcome) return outcome.failure;
    const { intentId: paymentIntentId, paymentMethodId } = outcome;
    if (paymentMethodId === null) return 'Payment method not found';
    const report = { paymentIntentId, planId, isPaid: true, paymentMethodeId: paymentMethodId };
    const { data, error } = await subscribe(user === undefined ? report : { user, ...report });
    if (data === undefined) return errorText(error, 'POST request failed');
    if (data.paymentStatus === 'processing') {
      // The page says so in the place of this form.
      setState('processing');
      dispatch(subscriptionApi.util.invalidateTags(['Subscription', 'Payments']));
      return null;
    }
    setState('complete');
    setSubscription(data.subscription);
    dispatch(userChanged({ isProUser: true }));
    return null;
  };

  const ready = () => {
    setReady(true);
    // Whoever their bank sent back has paid there, and has nothing more to press.
    if (['succeeded', 'pending'].includes(params.get('redirect_status') ?? '')) void pay();
  };
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

/** Once it is bought: confetti, and home after a moment. */
function useWayHome(subscription: Subscription | null): void {
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (subscription === null) return;
    void celebrate();
    const timer = setTimeout(() => void navigate('/app/home'), REDIRECT_MS);
    return () => {
      clearTimeout(timer);
      dispatch(
        subscriptionApi.util.upsertQueryEntries([
          { endpointName: 'subscription', arg: undefined, value: subscription },
        ]),
      );
    };
  }, [subscription, navigate, dispatch]);
}
