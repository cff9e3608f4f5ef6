import { api, read, request, type RequestBody, type ResponseBody, write } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Plan = Schemas['Plan'];
export type Subscription = Schemas['Subscription'];
export type Invoice = Schemas['Invoice'];
export type PaymentMethod = Schemas['PaymentMethod'];
export type PlanChange = Schemas['SubscriptionAnswer'];

/** The key for payments, and the base URL of the payment API if it is not the provider's. */
export interface PaymentKey {
  publishableKey: string;
  /** The URL of the stand-in that replaces the provider. */
  apiBase: string | undefined;
}

/** The Pro plan: prices, subscription and payments. */
export const subscriptionApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPaymentMethods: build.query<ResponseBody<'listPaymentMethods'>, void>({
      query: () => request('listPaymentMethods'),
      providesTags: ['Payments'],
    }),
    removePaymentMethod: build.mutation<ResponseBody<'removePaymentMethod'>, RequestBody<'removePaymentMethod'>>({
      query: (body) => request('removePaymentMethod', body),
      invalidatesTags: ['Payments'],
    }),
    plans: build.query<Schemas['PlansAnswer'], void>({
      query: () => read('subscription', 'get_plans', {}),
    }),
    subscription: build.query<Subscription, void>({
      query: () => read('subscription', 'get_subscription', {}),
      transformResponse: ({ subscription }: Schemas['SubscriptionAnswer']) => subscription,
      providesTags: ['Subscription'],
    }),
    freeEvents: build.query<Omit<Schemas['SubscriptionAnswer'], 'subscription'>, void>({
      query: () => read('subscription', 'get_subscription', {}),
      providesTags: ['Subscription'],
    }),
    paymentKey: build.query<PaymentKey, void>({
      query: () => read('subscription', 'get_stripekey', {}),
      transformResponse: ({ PUBLISHABLE_SECRET_KEY: publishableKey, apiBase }: Schemas['StripeKeyAnswer']) => ({
        publishableKey,
        apiBase,
      }),
    }),
    invoices: build.query<Schemas['InvoicesAnswer'], Schemas['ListInvoices']>({
      query: (payload) => read('subscription', 'list_invoices', payload),
      providesTags: ['Payments'],
    }),
    /** Starts a purchase, or returns the open one. */
    createSubscriptionItem: build.mutation<Schemas['CreateSubscriptionItemAnswer'], Schemas['CreateSubscriptionItem']>({
      query: (payload) => write('subscription', 'create_subscription_iten', payload),
    }),
    /** Reports a payment. Other screens update after the checkout has closed. */
    subscribe: build.mutation<Schemas['SubscriptionAnswer'], Schemas['Subscribe']>({
      query: (payload) => write('subscription', 'subscribe', payload),
    }),
    cancelSubscription: build.mutation<Schemas['Acknowledgement'], Schemas['CancelSubscription']>({
      query: (payload) => write('subscription', 'cancel_subscription', payload),
    }),
    resumeSubscription: build.mutation<Schemas['SubscriptionAnswer'], void>({
      query: () => write('subscription', 'resume_subscription', {}),
      invalidatesTags: ['Subscription'],
    }),
    changePlan: build.mutation<Schemas['SubscriptionAnswer'], string>({
      query: (planId) => write('subscription', 'change_plan', { planId }),
      invalidatesTags: ['Subscription', 'Payments'],
    }),
    /** Reports that the bank challenge of a plan change is finished. */
    finishPlanChange: build.mutation<Schemas['SubscriptionAnswer'], string>({
      query: (planId) => write('subscription', 'finish_plan_change', { planId }),
      invalidatesTags: ['Subscription', 'Payments'],
    }),
    /** Starts to add a payment method. */
    createSetupIntent: build.mutation<Schemas['SetupIntentAnswer'], void>({
      query: () => write('subscription', 'create_setup_intent', {}),
    }),
    /** Reports the payment method that was added. */
    addPaymentMethod: build.mutation<Schemas['PaymentMethodsAnswer'], Schemas['AddPaymentMethod']>({
      query: (payload) => write('subscription', 'add_payment_method', payload),
      invalidatesTags: ['Payments'],
    }),
    setDefaultPaymentMethod: build.mutation<Schemas['PaymentMethodsAnswer'], string>({
      query: (paymentMethodId) => write('subscription', 'set_default_payment_method', { paymentMethodId }),
      invalidatesTags: ['Payments'],
    }),
  }),
});

export const {
  usePlansQuery,
  useSubscriptionQuery,
  useFreeEventsQuery,
  usePaymentKeyQuery,
  useLazyPaymentKeyQuery,
  useInvoicesQuery,
  useListPaymentMethodsQuery,
  useRemovePaymentMethodMutation,
  useCreateSubscriptionItemMutation,
  useSubscribeMutation,
  useCancelSubscriptionMutation,
  useResumeSubscriptionMutation,
  useChangePlanMutation,
  useFinishPlanChangeMutation,
  useCreateSetupIntentMutation,
  useAddPaymentMethodMutation,
  useSetDefaultPaymentMethodMutation,
} = subscriptionApi;
