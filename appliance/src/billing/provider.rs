//! Stripe, as far as we use it: `async-stripe` behind types of ours, so that nothing else here knows of either.
//!
//! Every write carries an idempotency key that the caller chose, and stored where a crash could come between.

use std::{collections::HashMap, convert::Infallible, time::Duration};

use anyhow::ensure;
use chrono::{DateTime, Utc};
use stripe::{Client, ClientBuilder, IdempotencyKey, RequestStrategy, StripeError, StripeRequest};
use stripe_billing::{
    invoice::{ListInvoice, VoidInvoiceInvoice},
    invoice_payment::{ListInvoicePayment, ListInvoicePaymentPayment, ListInvoicePaymentPaymentType},
    subscription::{
        CancelSubscription, CreateSubscription, CreateSubscriptionItems, CreateSubscriptionPaymentBehavior,
        CreateSubscriptionPaymentSettings, CreateSubscriptionPaymentSettingsSaveDefaultPaymentMethod, ListSubscription,
        ListSubscriptionStatus, UpdateSubscription, UpdateSubscriptionItems, UpdateSubscriptionPaymentBehavior,
        UpdateSubscriptionProrationBehavior,
    },
};
use stripe_core::{
    SetupIntentAllowedPaymentMethodTypes,
    customer::{
        CreateCustomer, RetrieveCustomer, RetrieveCustomerReturned, UpdateCustomer, UpdateCustomerInvoiceSettings,
    },
    payment_intent::RetrievePaymentIntent,
    setup_intent::{CreateSetupIntent, CreateSetupIntentUsage, RetrieveSetupIntent},
};
use stripe_payment::payment_method::{DetachPaymentMethod, ListPaymentMethod};
use stripe_product::{
    price::{CreatePrice, CreatePriceRecurring, CreatePriceRecurringInterval, ListPrice},
    product::{CreateProduct, RetrieveProduct},
};

use crate::{
    config::Billing as Settings,
    error::{ApiError, ErrorKind},
};

/// What our plans are prices of, at Stripe. Subscriptions to anything else in the same account are none of ours.
pub const PRODUCT: &str = "morpion_pro";

/// Under this name a price and a subscription carry the id of their plan.
pub const PLAN: &str = "morpion_plan";

/// Under this name a customer and a subscription carry the account.
const USER: &str = "morpion_user";

/// Stripe's word for a payment that was made and takes its time to arrive.
pub const PROCESSING: &str = "processing";

/// For one answer; Stripe's own libraries wait 80 seconds, which no person does.
const PATIENCE: Duration = Duration::from_secs(20);

/// Reads are tried so often.
const READ_TRIES: u32 = 3;

/// Of one customer's things; nobody has more.
const MOST: i64 = 100;

/// Why Stripe did not do something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The card was refused; the text is Stripe's, for the person who pays.
    #[error("{0}")]
    Card(String),
    /// Stripe understood and said no. What it said may name keys and people, so only its code is told on.
    #[error("the payment provider refused: {0}")]
    Refused(String),
    #[error("the payment provider knows nothing of the kind")]
    NotFound,
    /// Whether it was done is not known.
    #[error("the payment provider cannot be reached: {0}")]
    Unreachable(String),
}

impl From<StripeError> for ProviderError {
    fn from(error: StripeError) -> Self {
        match error {
            StripeError::Stripe(error, status) => {
                let code = error.code.as_ref().map_or_else(|| error.type_.as_str(), |code| code.as_str()).to_owned();
                match status {
                    402 => Self::Card(error.message.unwrap_or(code)),
                    404 => Self::NotFound,
                    409 | 429 | 500.. => Self::Unreachable(format!("it answers {status} {code}")),
                    _ => Self::Refused(format!("{status} {code} {}", error.param.unwrap_or_default())),
                }
            }
            StripeError::JSONDeserialize(text) => Self::Unreachable(text),
            StripeError::ClientError(text) | StripeError::ConfigError(text) => Self::Unreachable(text),
            StripeError::Timeout => Self::Unreachable("it did not answer in time".to_owned()),
        }
    }
}

impl From<ProviderError> for ApiError {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Card(message) => Self::new(ErrorKind::PlanRequired, "card-refused", message),
            ProviderError::Unreachable(cause) => {
                tracing::warn!(%cause, "the payment provider did not do what it was asked");
                Self::unavailable("The payment provider cannot be reached right now. Please try again in a moment.")
            }
            ProviderError::NotFound => Self::not_found("payment"),
            ProviderError::Refused(_) => Self::internal(error),
        }
    }
}

type Result<T, E = ProviderError> = std::result::Result<T, E>;

/// A price that can be subscribed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    pub id: String,
    pub lookup_key: String,
    pub amount: i64,
    pub currency: String,
    pub is_live: bool,
}

/// A subscription to our product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub id: String,
    pub item: String,
    /// Stripe's word.
    pub status: String,
    pub plan_id: Option<i64>,
    pub price_id: String,
    pub name: String,
    pub price: i64,
    pub currency: String,
    pub created: DateTime<Utc>,
    pub period_start: DateTime<Utc>,
    pub period_end: DateTime<Utc>,
    pub cancels: bool,
    pub ended_at: Option<DateTime<Utc>>,
    /// The card that it is paid with.
    pub payment_method: Option<String>,
    /// The price that it goes over to once the newest invoice is paid.
    pub pending_price: Option<String>,
    pub latest_invoice: Option<Invoice>,
    /// How the payment of that invoice stands, in Stripe's word; known only where it was asked for.
    pub payment: Option<String>,
}

impl Subscription {
    /// Its first payment has not arrived. What takes days to arrive, such as a SEPA debit, runs at Stripe all the same.
    pub fn is_unpaid_purchase(&self) -> bool {
        let is_first = |invoice: &&Invoice| invoice.reason == "subscription_create";
        self.latest_invoice.as_ref().filter(is_first).is_some_and(|invoice| !invoice.is_paid())
    }

    /// The payment of the newest invoice is on its way.
    pub fn is_processing(&self) -> bool {
        self.payment.as_deref() == Some(PROCESSING)
    }

    /// The payment of what is open.
    pub fn open_payment(&self) -> Option<&str> {
        let secret = self.latest_invoice.as_ref().filter(|invoice| invoice.is_open())?.client_secret.as_deref()?;
        secret.split_once("_secret_").map(|(intent, _)| intent)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    pub id: String,
    /// Stripe's word.
    pub status: String,
    /// Why there is one, in Stripe's word.
    pub reason: String,
    pub subscription: Option<String>,
    pub total: i64,
    pub amount_paid: i64,
    pub currency: String,
    pub created: DateTime<Utc>,
    pub paid_at: Option<DateTime<Utc>>,
    pub attempts: u64,
    pub url: Option<String>,
    /// With it a browser pays, as long as it is open.
    pub client_secret: Option<String>,
}

impl Invoice {
    pub fn is_paid(&self) -> bool {
        self.status == "paid"
    }

    pub fn is_open(&self) -> bool {
        self.status == "open"
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// Stripe's word.
    pub status: String,
    pub amount: i64,
    pub amount_received: i64,
    pub currency: String,
    pub customer: Option<String>,
    /// Why it failed last, in Stripe's words for the person who pays.
    pub error: Option<String>,
}

/// Something to pay with that somebody adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Stripe's word.
    pub status: String,
    pub customer: Option<String>,
    pub method: Option<String>,
}

/// A card, or what else somebody pays with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub id: String,
    /// Of what is no card its kind, in Stripe's word.
    pub brand: String,
    pub last4: Option<String>,
    /// Month and year.
    pub expires: Option<(i64, i64)>,
}

/// Speaks to Stripe. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Provider {
    client: Client,
    /// What can be paid with, in Stripe's words.
    methods: Vec<String>,
}

impl Provider {
    /// `None` where payments are not set up.
    ///
    /// # Errors
    /// The address cannot be used, or the system has no certificates to know Stripe by.
    pub fn new(settings: &Settings) -> anyhow::Result<Option<Self>> {
        if !settings.is_on() {
            return Ok(None);
        }
        // More than one is compiled in where the whole workspace is built; rustls wants to be told.
        rustls::crypto::ring::default_provider().install_default().ok();
        // The client would panic.
        let roots = rustls_native_certs::load_native_certs();
        ensure!(
            !roots.certs.is_empty(),
            "payments need the system's CA certificates: install the package ca-certificates"
        );
        let client = ClientBuilder::new(settings.secret_key.expose())
            .url(format!("{}/", settings.api_base))
            .app_info("Morpion", Some(env!("CARGO_PKG_VERSION").to_owned()), None)
            .request_strategy(RequestStrategy::Retry(READ_TRIES))
            .timeout(PATIENCE)
            .build()?;
        Ok(Some(Self { client, methods: settings.methods.clone() }))
    }

    /// The prices with these lookup keys.
    pub async fn prices(&self, lookup_keys: Vec<String>) -> Result<Vec<Price>> {
        let found = ListPrice::new().lookup_keys(lookup_keys).active(true).limit(MOST).send(&self.client).await?;
        let prices = found.data.into_iter().filter_map(|price| {
            Some(Price {
                id: price.id.to_string(),
                lookup_key: price.lookup_key?,
                amount: price.unit_amount?,
                currency: price.currency.to_string(),
                is_live: price.livemode,
            })
        });
        Ok(prices.collect())
    }

    /// Sees to it that there is a product that prices can belong to.
    pub async fn ensure_product(&self) -> Result<()> {
        let found = RetrieveProduct::new(PRODUCT.to_owned()).send(&self.client).await.map_err(ProviderError::from);
        match found {
            Err(ProviderError::NotFound) => {
                let product = CreateProduct::new("Morpion Pro").id(PRODUCT);
                product.customize().request_strategy(once("product-morpion_pro")).send(&self.client).await?;
                Ok(())
            }
            found => found.map(drop),
        }
    }

    /// Makes the price that a plan is sold at.
    pub async fn create_price(&self, plan: &crate::config::PlanConfig, lookup_key: &str) -> Result<()> {
        let (interval, count) = match plan.months {
            months if months % 12 == 0 => (CreatePriceRecurringInterval::Year, months / 12),
            months => (CreatePriceRecurringInterval::Month, months),
        };
        let mut recurring = CreatePriceRecurring::new(interval);
        recurring.interval_count = Some(count.into());
        let currency: stripe_types::Currency = plan.currency.parse().unwrap_or_default();
        CreatePrice::new(currency)
            .product(PRODUCT)
            .nickname(&plan.name)
            .unit_amount(plan.price)
            .recurring(recurring)
            .lookup_key(lookup_key)
            .metadata(tags([(PLAN, plan.id.to_string())]))
            .customize()
            .request_strategy(once(lookup_key))
            .send(&self.client)
            .await?;
        Ok(())
    }

    /// Makes a customer; answers its id.
    pub async fn create_customer(&self, key: &str, user: &str, email: Option<&str>) -> Result<String> {
        let mut customer = CreateCustomer::new().metadata(tags([(USER, user.to_owned())]));
        if let Some(email) = email {
            customer = customer.email(email);
        }
        Ok(customer.customize().request_strategy(once(key)).send(&self.client).await?.id.to_string())
    }

    /// Begins a subscription that waits for its first payment.
    pub async fn create_subscription(
        &self,
        key: &str,
        customer: &str,
        price_id: &str,
        (user, plan_id): (&str, i64),
    ) -> Result<Option<Subscription>> {
        let mut item = CreateSubscriptionItems::new();
        item.price = Some(price_id.to_owned());
        let mut payment = CreateSubscriptionPaymentSettings::new();
        payment.save_default_payment_method =
            Some(CreateSubscriptionPaymentSettingsSaveDefaultPaymentMethod::OnSubscription);
        payment.payment_method_types = Some(self.methods.iter().map(|method| known(method.parse())).collect());
        let made = CreateSubscription::new()
            .customer(customer)
            .items(vec![item])
            .payment_behavior(CreateSubscriptionPaymentBehavior::DefaultIncomplete)
            .payment_settings(payment)
            .metadata(tags([(USER, user.to_owned()), (PLAN, plan_id.to_string())]))
            .expand(vec!["latest_invoice.confirmation_secret".to_owned()])
            .customize()
            .request_strategy(once(key))
            .send(&self.client)
            .await?;
        Ok(subscription(made))
    }

    /// Everything that a customer ever subscribed to of ours.
    pub async fn subscriptions(&self, customer: &str) -> Result<Vec<Subscription>> {
        let found = ListSubscription::new()
            .customer(customer)
            .status(ListSubscriptionStatus::All)
            .limit(MOST)
            .expand(vec!["data.latest_invoice.confirmation_secret".to_owned()])
            .send(&self.client)
            .await?;
        Ok(found.data.into_iter().filter_map(subscription).collect())
    }

    /// Has a subscription end with the paid period, or not any more.
    pub async fn set_cancels(&self, key: &str, id: &str, cancels: bool) -> Result<()> {
        let update = UpdateSubscription::new(id.to_owned()).cancel_at_period_end(cancels);
        update.customize().request_strategy(once(key)).send(&self.client).await?;
        Ok(())
    }

    /// Goes over to another price at once. What was paid for the rest of the period counts; what is then still to be
    /// paid is paid now, or the change waits for that and nothing else changes.
    pub async fn change_price(&self, key: &str, id: &str, item: &str, price_id: &str) -> Result<Option<Subscription>> {
        let mut change = UpdateSubscriptionItems::new();
        change.id = Some(item.to_owned());
        change.price = Some(price_id.to_owned());
        // A pending change takes no metadata; the price says which plan it is.
        let told = UpdateSubscription::new(id.to_owned())
            .items(vec![change])
            .proration_behavior(UpdateSubscriptionProrationBehavior::AlwaysInvoice)
            .payment_behavior(UpdateSubscriptionPaymentBehavior::PendingIfIncomplete)
            .expand(vec!["latest_invoice.confirmation_secret".to_owned()])
            .customize()
            .request_strategy(once(key))
            .send(&self.client)
            .await?;
        Ok(subscription(told))
    }

    /// Ends a subscription now. One that has ended already stays as it is.
    pub async fn cancel_now(&self, key: &str, id: &str) -> Result<()> {
        let cancelled =
            CancelSubscription::new(id.to_owned()).customize().request_strategy(once(key)).send(&self.client);
        match cancelled.await.map_err(ProviderError::from) {
            Ok(_) | Err(ProviderError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Sees to it that an invoice is never paid. One that was paid already stays so, and is an error.
    pub async fn void(&self, key: &str, invoice: &str) -> Result<()> {
        let void = VoidInvoiceInvoice::new(invoice.to_owned());
        void.customize().request_strategy(once(key)).send(&self.client).await?;
        Ok(())
    }

    /// A customer's newest invoices for what is ours, the newest first.
    pub async fn invoices(&self, customer: &str) -> Result<Vec<Invoice>> {
        let found = ListInvoice::new().customer(customer).limit(MOST).send(&self.client).await?;
        Ok(found.data.into_iter().filter_map(invoice).collect())
    }

    pub async fn intent(&self, id: &str) -> Result<Intent> {
        let intent = RetrievePaymentIntent::new(id.to_owned()).send(&self.client).await?;
        Ok(Intent {
            status: intent.status.as_str().to_owned(),
            amount: intent.amount,
            amount_received: intent.amount_received,
            currency: intent.currency.to_string(),
            customer: intent.customer.map(|customer| customer.id().to_string()),
            error: intent.last_payment_error.and_then(|error| error.message),
        })
    }

    /// The invoice that a payment is for.
    pub async fn invoice_of_intent(&self, id: &str) -> Result<Option<String>> {
        let mut payment = ListInvoicePaymentPayment::new(ListInvoicePaymentPaymentType::PaymentIntent);
        payment.payment_intent = Some(id.to_owned());
        let found = ListInvoicePayment::new().payment(payment).limit(1).send(&self.client).await?;
        Ok(found.data.first().and_then(|payment| Some(payment.invoice.id().as_ref()?.to_string())))
    }

    /// Everything that a customer can pay with.
    pub async fn cards(&self, customer: &str) -> Result<Vec<Card>> {
        let found = ListPaymentMethod::new().customer(customer).limit(MOST).send(&self.client).await?;
        let cards = found.data.into_iter().map(|method| {
            let id = method.id.to_string();
            match method.card {
                Some(card) => {
                    let expires = Some((card.exp_month, card.exp_year));
                    Card { id, brand: card.brand, last4: Some(card.last4), expires }
                }
                None => {
                    let last4 = method.sepa_debit.and_then(|debit| debit.last4);
                    Card { id, brand: method.type_.as_str().to_owned(), last4, expires: None }
                }
            }
        });
        Ok(cards.collect())
    }

    /// Lets a browser add something to pay with; answers the secret that it needs for that.
    pub async fn create_setup_intent(&self, key: &str, customer: &str) -> Result<String> {
        let methods: Vec<SetupIntentAllowedPaymentMethodTypes> =
            self.methods.iter().map(|method| known(method.parse())).collect();
        let intent = CreateSetupIntent::new()
            .customer(customer)
            .allowed_payment_method_types(methods)
            .usage(CreateSetupIntentUsage::OffSession)
            .customize()
            .request_strategy(once(key))
            .send(&self.client)
            .await?;
        intent.client_secret.ok_or_else(|| ProviderError::Unreachable("a setup without a secret".to_owned()))
    }

    pub async fn setup_intent(&self, id: &str) -> Result<Setup> {
        let intent = RetrieveSetupIntent::new(id.to_owned()).send(&self.client).await?;
        Ok(Setup {
            status: intent.status.as_str().to_owned(),
            customer: intent.customer.map(|customer| customer.id().to_string()),
            method: intent.payment_method.map(|method| method.id().to_string()),
        })
    }

    /// What a customer's invoices are paid with, unless the subscription says otherwise.
    pub async fn default_card(&self, customer: &str) -> Result<Option<String>> {
        match RetrieveCustomer::new(customer.to_owned()).send(&self.client).await? {
            RetrieveCustomerReturned::Customer(told) => {
                let chosen = told.invoice_settings.and_then(|settings| settings.default_payment_method);
                Ok(chosen.map(|method| method.id().to_string()))
            }
            RetrieveCustomerReturned::DeletedCustomer(_) => Err(ProviderError::NotFound),
        }
    }

    /// Has a customer's invoices, and the subscriptions named, be paid with this from now on.
    pub async fn set_default_card(&self, key: &str, customer: &str, subscriptions: &[&str], card: &str) -> Result<()> {
        let mut settings = UpdateCustomerInvoiceSettings::new();
        settings.default_payment_method = Some(card.to_owned());
        let update = UpdateCustomer::new(customer.to_owned()).invoice_settings(settings);
        update.customize().request_strategy(once(key)).send(&self.client).await?;
        for id in subscriptions {
            let update = UpdateSubscription::new((*id).to_owned()).default_payment_method(card);
            update.customize().request_strategy(once(&format!("{key}-{id}"))).send(&self.client).await?;
        }
        Ok(())
    }

    pub async fn detach_card(&self, key: &str, id: &str) -> Result<()> {
        let detach = DetachPaymentMethod::new(id.to_owned());
        detach.customize().request_strategy(once(key)).send(&self.client).await?;
        Ok(())
    }
}

/// Every word is taken: Stripe says what it does not know.
fn known<T>(parsed: std::result::Result<T, Infallible>) -> T {
    parsed.unwrap_or_else(|never| match never {})
}

fn once(key: &str) -> RequestStrategy {
    // Keys are of our own making: short, and never empty.
    RequestStrategy::Idempotent(IdempotencyKey::new(key).expect("a key of 1 to 255 characters"))
}

fn tags<const N: usize>(pairs: [(&str, String); N]) -> HashMap<String, String> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn time(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default()
}

/// `None` for one to something else than our product.
fn subscription(told: stripe_billing::Subscription) -> Option<Subscription> {
    let item = told.items.data.into_iter().find(|item| item.price.product.id().as_str() == PRODUCT)?;
    let plan = item.price.metadata.get(PLAN).or_else(|| told.metadata.get(PLAN));
    Some(Subscription {
        id: told.id.to_string(),
        status: told.status.as_str().to_owned(),
        plan_id: plan.and_then(|plan| plan.parse().ok()),
        price_id: item.price.id.to_string(),
        name: item.price.nickname.unwrap_or_else(|| "Pro".to_owned()),
        price: item.price.unit_amount.unwrap_or(0),
        currency: item.price.currency.to_string(),
        created: time(told.created),
        period_start: time(item.current_period_start),
        period_end: time(item.current_period_end),
        cancels: told.cancel_at_period_end,
        ended_at: told.ended_at.map(time),
        payment_method: told.default_payment_method.map(|method| method.id().to_string()),
        payment: None,
        pending_price: told
            .pending_update
            .and_then(|update| update.subscription_items?.into_iter().next())
            .map(|item| item.price.id.to_string()),
        latest_invoice: told.latest_invoice.and_then(|latest| latest.into_object()).and_then(invoice),
        item: item.id.to_string(),
    })
}

/// `None` for one that was never stored, such as a preview.
fn invoice(told: stripe_billing::Invoice) -> Option<Invoice> {
    let subscription = told.parent.and_then(|parent| parent.subscription_details);
    Some(Invoice {
        id: told.id?.to_string(),
        status: told.status.map(|status| status.as_str().to_owned()).unwrap_or_default(),
        reason: told.billing_reason.map(|reason| reason.as_str().to_owned()).unwrap_or_default(),
        subscription: subscription.map(|details| details.subscription.id().to_string()),
        total: told.total,
        amount_paid: told.amount_paid,
        currency: told.currency.to_string(),
        created: time(told.created),
        paid_at: told.status_transitions.paid_at.map(time),
        attempts: told.attempt_count,
        url: told.hosted_invoice_url,
        client_secret: told.confirmation_secret.map(|secret| secret.client_secret),
    })
}
