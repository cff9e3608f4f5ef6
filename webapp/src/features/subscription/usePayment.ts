import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { errorText, isApiError } from '@/api/base';
import {
  type Subscription,
  subscriptionApi,
  useCreateSubscriptionItemMutation,
  useSubscribeMutation,
} from '@/api/subscription';
import { celebrate } from '@/shared/confetti';
import { selectUser, userChanged } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import type { PaymentForm } from './payment/form';

/** From 'Subscription Complete' to /app/home. */
export const REDIRECT_MS = 3_000;

export const SETTING_UP = 'Setting up payment...';

export type PaymentState = 'open' | 'busy' | 'complete' | 'processing';

interface ClientSecret {
  clientSecret: string | undefined;
  /** Why there is none. */
  problem: unknown;
  retry: () => void;
}

/** The client secret of the payment: a new one, or the one that the bank's redirect brings back. */
export function useClientSecret(planId: string): ClientSecret {
  const userId = useAppSelector(selectUser)?.userId;
  const [params] = useSearchParams();
  const brought = params.get('payment_intent_client_secret') ?? undefined;
  const [create, { data, error }] = useCreateSubscriptionItemMutation();
  const dispatch = useAppDispatch();
  const isAsked = useRef(brought !== undefined);
  const ask = useCallback(async () => {
    if (userId === undefined) return;
    const { error } = await create({ user: userId, planId });
    if (isDone(error)) dispatch(subscriptionApi.util.invalidateTags(['Subscription']));
  }, [create, dispatch, planId, userId]);
  useEffect(() => {
    if (isAsked.current || userId === undefined) return;
    isAsked.current = true;
    void ask();
  }, [ask, userId]);
  const problem = isDone(error) ? undefined : error;
  return { clientSecret: brought ?? data?.clientSecret, problem, retry: () => void ask() };
}

/** It was bought in another tab, paid with credit of an earlier plan, or the payment is being processed: the page shows that. */
const isDone = (error: unknown) =>
  isApiError(error) && (error.code === 'already-subscribed' || error.code === 'payment-processing');

/** Pays for a plan with what was entered in the payment form. */
export function usePayment(planId: string) {
  const user = useAppSelector(selectUser)?.userId;
  const dispatch = useAppDispatch();
  const [params] = useSearchParams();
  const form = useRef<PaymentForm>(null);
  const [isReady, setReady] = useState(false);
  const [state, setState] = useState<PaymentState>('open');
  const [failure, setFailure] = useState<string | null>(null);
  const [subscription, setSubscription] = useState<Subscription | null>(null);
  const [subscribe] = useSubscribeMutation();
  useRedirectHome(subscription);

  const pay = async () => {
    setFailure(null);
    setState('busy');
    const problem = await attempt();
    if (problem === null) return;
    setState('open');
    setFailure(problem);
  };

  /** Returns the reason for a failure, or null. */
  const attempt = async (): Promise<string | null> => {
    const outcome = (await form.current?.confirm()) ?? { failure: SETTING_UP };
    if ('failure' in outcome) return outcome.failure;
    const { intentId: paymentIntentId, paymentMethodId } = outcome;
    if (paymentMethodId === null) return 'Payment method not found';
    const report = { paymentIntentId, planId, isPaid: true, paymentMethodeId: paymentMethodId };
    const { data, error } = await subscribe(user === undefined ? report : { user, ...report });
    if (data === undefined) return errorText(error, 'POST request failed');
    if (data.paymentStatus === 'processing') {
      // The page shows it instead of this form.
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
    // After a bank's redirect the payment is made, so it is reported without a click.
    if (['succeeded', 'pending'].includes(params.get('redirect_status') ?? '')) void pay();
  };
  return { form, isReady, state, failure, setFailure, pay, ready };
}

/** Celebrates a purchase and goes home shortly after. */
function useRedirectHome(subscription: Subscription | null): void {
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
