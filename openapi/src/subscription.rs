//! The Pro plan (account and platform, sections 2 to 4 and 7). Prices are in the smallest unit.

use uuid::Uuid;

use crate::{Acknowledgement, Pagination, Timestamp, action::actions};

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
        pub plan_id: String,
    }

    pub struct CancelSubscription { pub plan_id: Option<String> }

    pub struct ResumeSubscription {}

    pub struct ChangePlan { pub plan_id: String }

    pub struct RemovePaymentMethod { pub payment_method_id: String }
}

answer! {
    pub struct Plan {
        pub plan_id: String,
        pub name: String,
        /// In cents.
        pub price: i64,
        pub currency: String,
        /// For example `27%`.
        pub savings: Option<String>,
        pub is_popular_choice: bool,
    }

    pub struct PlansAnswer {
        pub plans: Vec<Plan>,
        /// Payments are set up on this server.
        pub configured: bool,
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
    }

    pub struct SubscriptionAnswer { pub subscription: Subscription }

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
        pub brand: String,
        pub last4: String,
        pub expires: String,
        pub is_default: bool,
    }

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
    }
}
