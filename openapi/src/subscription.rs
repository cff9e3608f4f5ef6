//! The Pro plan: `docs/behaviour/payments.md`. Prices are in the smallest unit.

use uuid::Uuid;

use crate::{Acknowledgement, Pagination, Timestamp, action::actions};

/// A plan's id is text; a number is accepted too.
fn plan_id<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    optional_plan_id(deserializer)?.ok_or_else(|| serde::de::Error::custom("a plan's id is text or a number"))
}

fn optional_plan_id<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(untagged, expecting = "a plan's id is text or a number")]
    enum PlanId {
        Text(String),
        Number(i64),
    }
    let id = <Option<PlanId> as serde::Deserialize>::deserialize(deserializer)?;
    Ok(id.map(|id| match id {
        PlanId::Text(text) => text,
        PlanId::Number(number) => number.to_string(),
    }))
}

words! {
    /// What became of a payment.
    pub enum PaymentStatus {
        Succeeded = "succeeded",
        /// It was made and takes days to arrive; nothing is to be done.
        Processing = "processing",
        /// The bank asks whether it is really them (3-D Secure): a browser goes on with the secret.
        RequiresAction = "requiresAction",
    }
}

request! {
    pub struct GetSubscription {}

    pub struct GetStripekey {}

    pub struct GetPlans {}

    pub struct ListInvoices {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// Reports a payment; the server asks the provider whether it is true.
    pub struct Subscribe {
        /// The caller, if given.
        pub user: Option<Uuid>,
        pub payment_intent_id: String,
        /// A number is taken too.
        #[serde(deserialize_with = "plan_id")]
        pub plan_id: String,
        /// Not believed.
        pub is_paid: bool,
        #[serde(rename = "paymentMethodeId")]
        #[oai(rename = "paymentMethodeId")]
        pub payment_method_id: String,
    }

    /// Begins a purchase.
    pub struct CreateSubscriptionItem {
        /// The caller, if given.
        pub user: Option<Uuid>,
        /// A number is taken too.
        #[serde(deserialize_with = "plan_id")]
        pub plan_id: String,
    }

    pub struct CancelSubscription {
        /// A number is taken too.
        #[serde(default, deserialize_with = "optional_plan_id")]
        pub plan_id: Option<String>,
    }

    pub struct ResumeSubscription {}

    pub struct ChangePlan {
        /// A number is taken too.
        #[serde(deserialize_with = "plan_id")]
        pub plan_id: String,
    }

    /// Reports that a browser went on with the payment of a change, whatever came of it; the server asks the provider. A
    /// change that was not paid is given up.
    pub struct FinishPlanChange {
        /// A number is taken too.
        #[serde(deserialize_with = "plan_id")]
        pub plan_id: String,
    }

    pub struct RemovePaymentMethod { pub payment_method_id: String }

    /// Begins to add something to pay with; a browser goes on with the secret.
    pub struct CreateSetupIntent {}

    /// Reports what a browser added; the server asks the provider whether it is true.
    pub struct AddPaymentMethod {
        pub setup_intent_id: String,
        /// The plan is paid with it from now on. The first one is the default in any case.
        pub make_default: Option<bool>,
        /// One that it takes the place of, as the default too, and that is not kept any more.
        pub replaces: Option<String>,
    }

    /// The plan is paid with it from now on.
    pub struct SetDefaultPaymentMethod { pub payment_method_id: String }
}

answer! {
    pub struct Plan {
        pub plan_id: String,
        pub name: String,
        /// In cents.
        pub price: i64,
        pub currency: String,
        /// Of one paid period.
        pub months: u32,
        /// For example `27%`.
        pub savings: Option<String>,
        pub is_popular_choice: bool,
    }

    /// The lowest price there is.
    pub struct FromPrice {
        /// In cents.
        pub price: i64,
        pub currency: String,
        /// Of one paid period.
        pub months: u32,
    }

    /// For visitors too. Where payments are not set up nothing should lead to a purchase.
    pub struct PlansAnswer {
        pub plans: Vec<Plan>,
        /// Payments are set up on this server.
        pub configured: bool,
        /// Absent where payments are not set up.
        pub from_price: Option<FromPrice>,
        /// What Pro gives, a line each, as the operator promises it.
        pub benefits: Vec<String>,
        /// Events that a free account may join in a calendar month (UTC).
        pub free_events_per_month: u32,
    }

    pub struct Subscription {
        #[serde(rename = "isSubScribe")]
        #[oai(rename = "isSubScribe")]
        pub is_subscribed: bool,
        pub plan_id: Option<String>,
        pub name: Option<String>,
        /// In cents.
        pub price: Option<i64>,
        pub next_payment_date: Option<Timestamp>,
        /// It ends then and is not renewed.
        pub ends_at: Option<Timestamp>,
        /// A payment failed; Pro lasts until then.
        pub grace_until: Option<Timestamp>,
        /// Granted by an operator.
        pub is_granted: bool,
        /// A payment was made and has not arrived yet; Pro begins, or goes on, when it has. Absent otherwise.
        pub is_processing: Option<bool>,
    }

    pub struct SubscriptionAnswer {
        pub subscription: Subscription,
        /// Answers `subscribe`, `change_plan` and `finish_plan_change`: what became of the payment.
        pub payment_status: Option<PaymentStatus>,
        /// With it a browser confirms the payment that a change of the plan waits for.
        pub client_secret: Option<String>,
        /// Events joined this month, of those that the free plan allows; absent with Pro, which has no limit.
        pub free_events_used: Option<u32>,
        pub free_events_limit: Option<u32>,
        /// When the count begins anew.
        pub free_events_reset_at: Option<Timestamp>,
    }

    pub struct StripeKeyAnswer {
        /// Only ever a publishable key (`pk_…`).
        #[serde(rename = "PUBLISHABLE_SECRET_KEY")]
        #[oai(rename = "PUBLISHABLE_SECRET_KEY")]
        pub publishable_key: String,
        /// Where the payment form is to call instead of Stripe, without a trailing slash: a stand-in for developing
        /// and testing, which Stripe's own form cannot talk to. Absent with Stripe itself.
        pub api_base: Option<String>,
    }

    /// With a failed renewal of the same plan, the secret pays what is owed.
    pub struct CreateSubscriptionItemAnswer { pub client_secret: String }

    pub struct Invoice {
        pub invoice_id: String,
        pub amount: i64,
        pub currency: String,
        pub status: String,
        pub created_at: Timestamp,
        pub url: Option<String>,
    }

    pub struct InvoicesAnswer {
        pub invoices: Vec<Invoice>,
        pub pagination: Pagination,
    }

    pub struct PaymentMethod {
        pub payment_method_id: String,
        /// Of what is no card its kind, such as `sepa_debit`.
        pub brand: String,
        pub last4: Option<String>,
        pub expires: Option<String>,
        pub is_default: bool,
    }

    pub struct SetupIntentAnswer { pub client_secret: String }

    pub struct PaymentMethodsAnswer { pub payment_methods: Vec<PaymentMethod> }
}

actions! {
    resource "subscription";
    /// Reads of `subscription`.
    reads SubscriptionRead {
        "get_subscription": GetSubscription => SubscriptionAnswer;
        "get_stripekey": GetStripekey => StripeKeyAnswer;
        "get_plans": GetPlans => PlansAnswer;
        "list_invoices": ListInvoices => InvoicesAnswer;
    }
    /// Writes of `subscription`.
    writes SubscriptionWrite {
        "subscribe": Subscribe => SubscriptionAnswer;
        "create_subscription_iten": CreateSubscriptionItem => CreateSubscriptionItemAnswer;
        "cancel_subscription": CancelSubscription => Acknowledgement;
        "resume_subscription": ResumeSubscription => SubscriptionAnswer;
        "change_plan": ChangePlan => SubscriptionAnswer;
        "finish_plan_change": FinishPlanChange => SubscriptionAnswer;
        "create_setup_intent": CreateSetupIntent => SetupIntentAnswer;
        "add_payment_method": AddPaymentMethod => PaymentMethodsAnswer;
        "set_default_payment_method": SetDefaultPaymentMethod => PaymentMethodsAnswer;
    }
}
