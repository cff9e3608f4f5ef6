//! Stripe, as far as we use it: `async-stripe` behind our own types, so that no other module depends on either.
//!
//! Every write carries an idempotency key that the caller chose, and stored where a crash could come between.

mod budget;
mod convert;
mod types;

use std::{collections::HashMap, convert::Infallible, time::Duration};

use anyhow::ensure;
use stripe::{ClientBuilder, IdempotencyKey, RequestStrategy, StripeRequest};
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
        CreateCustomer, DeleteCustomer, RetrieveCustomer, RetrieveCustomerReturned, UpdateCustomer,
        UpdateCustomerInvoiceSettings,
    },
    payment_intent::RetrievePaymentIntent,
    setup_intent::{CreateSetupIntent, CreateSetupIntentUsage, RetrieveSetupIntent},
};
use stripe_payment::payment_method::{DetachPaymentMethod, ListPaymentMethod};
use stripe_product::{
    price::{CreatePrice, CreatePriceRecurring, CreatePriceRecurringInterval, ListPrice},
    product::{CreateProduct, RetrieveProduct},
};

use crate::config::Billing as Settings;
use budget::PacedClient;
use convert::{invoice, subscription};
pub use types::{Card, Intent, Invoice, PROCESSING, Price, ProviderError, Setup, Subscription};

/// Our product at Stripe. Subscriptions to other products of the same Stripe account are ignored.
pub const PRODUCT: &str = "morpion_pro";

/// The metadata of a price and a subscription with the id of their plan.
pub const PLAN: &str = "morpion_plan";

/// The metadata of a customer and a subscription with the user's id.
const USER: &str = "morpion_user";

/// For one response; Stripe's own libraries wait 80 seconds, which no user does.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Attempts of a read.
const READ_TRIES: u32 = 3;

/// Objects per list; no customer has more.
const PAGE_LIMIT: i64 = 100;

type Result<T, E = ProviderError> = std::result::Result<T, E>;

/// The client of Stripe. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Provider {
    client: PacedClient,
    /// Types of payment methods, in Stripe's terms.
    methods: Vec<String>,
}

impl Provider {
    /// `None` where payments are not set up.
    ///
    /// # Errors
    /// The URL cannot be used, or the system has no root certificates.
    pub fn new(settings: &Settings) -> anyhow::Result<Option<Self>> {
        if !settings.is_on() {
            return Ok(None);
        }
        // More than one is compiled in when the whole workspace is built; rustls needs to know which.
        rustls::crypto::ring::default_provider().install_default().ok();
        // Otherwise the client would panic.
        let roots = rustls_native_certs::load_native_certs();
        ensure!(
            !roots.certs.is_empty(),
            "payments need the system's CA certificates: install the package ca-certificates"
        );
        let client = ClientBuilder::new(settings.secret_key.expose())
            .url(format!("{}/", settings.api_base))
            .app_info("Morpion", Some(env!("CARGO_PKG_VERSION").to_owned()), None)
            .request_strategy(RequestStrategy::Retry(READ_TRIES))
            .timeout(TIMEOUT)
            .build()?;
        let client = PacedClient::new(client, settings.calls_per_second);
        Ok(Some(Self { client, methods: settings.methods.clone() }))
    }

    /// The same for what people must not be able to hold up: it may use the whole budget of calls.
    pub fn for_upkeep(&self) -> Self {
        Self { client: self.client.for_upkeep(), methods: self.methods.clone() }
    }

    /// The prices with these lookup keys.
    pub async fn prices(&self, lookup_keys: Vec<String>) -> Result<Vec<Price>> {
        let found = ListPrice::new()
            .lookup_keys(lookup_keys)
            .active(true)
            .limit(PAGE_LIMIT)
            .send(self.client.turn().await?)
            .await?;
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

    /// Creates the product that prices belong to, if there is none.
    pub async fn ensure_product(&self) -> Result<()> {
        let found =
            RetrieveProduct::new(PRODUCT.to_owned()).send(self.client.turn().await?).await.map_err(ProviderError::from);
        match found {
            Err(ProviderError::NotFound(_)) => {
                let product = CreateProduct::new("Morpion Pro").id(PRODUCT);
                product
                    .customize()
                    .request_strategy(idempotent("product-morpion_pro"))
                    .send(self.client.turn().await?)
                    .await?;
                Ok(())
            }
            found => found.map(drop),
        }
    }

    /// Creates the price of a plan.
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
            .request_strategy(idempotent(lookup_key))
            .send(self.client.turn().await?)
            .await?;
        Ok(())
    }

    /// Creates a customer; returns its id.
    pub async fn create_customer(&self, key: &str, user: &str, email: Option<&str>) -> Result<String> {
        let mut customer = CreateCustomer::new().metadata(tags([(USER, user.to_owned())]));
        if let Some(email) = email {
            customer = customer.email(email);
        }
        Ok(customer.customize().request_strategy(idempotent(key)).send(self.client.turn().await?).await?.id.to_string())
    }

    /// Gives a customer another email, or none.
    pub async fn set_email(&self, key: &str, customer: &str, email: Option<&str>) -> Result<()> {
        let update = UpdateCustomer::new(customer.to_owned()).email(email.unwrap_or_default());
        update.customize().request_strategy(idempotent(key)).send(self.client.turn().await?).await?;
        Ok(())
    }

    /// Deletes a customer with their email and payment methods, which also ends their subscriptions.
    pub async fn delete_customer(&self, customer: &str) -> Result<()> {
        let delete = DeleteCustomer::new(customer.to_owned());
        match delete.send(self.client.turn().await?).await.map_err(ProviderError::from) {
            Ok(_) | Err(ProviderError::NotFound(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Creates a subscription that waits for its first payment.
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
            .request_strategy(idempotent(key))
            .send(self.client.turn().await?)
            .await?;
        Ok(subscription(made))
    }

    /// All subscriptions a customer ever had to our product.
    pub async fn subscriptions(&self, customer: &str) -> Result<Vec<Subscription>> {
        let found = ListSubscription::new()
            .customer(customer)
            .status(ListSubscriptionStatus::All)
            .limit(PAGE_LIMIT)
            .expand(vec!["data.latest_invoice.confirmation_secret".to_owned()])
            .send(self.client.turn().await?)
            .await?;
        Ok(found.data.into_iter().filter_map(subscription).collect())
    }

    /// Makes a subscription end with the paid period, or continue.
    pub async fn set_cancels(&self, key: &str, id: &str, cancels: bool) -> Result<()> {
        let update = UpdateSubscription::new(id.to_owned()).cancel_at_period_end(cancels);
        update.customize().request_strategy(idempotent(key)).send(self.client.turn().await?).await?;
        Ok(())
    }

    /// Changes the price at once. The rest of the paid period is credited; the change waits until the difference is
    /// paid.
    pub async fn change_price(&self, key: &str, id: &str, item: &str, price_id: &str) -> Result<Option<Subscription>> {
        let mut change = UpdateSubscriptionItems::new();
        change.id = Some(item.to_owned());
        change.price = Some(price_id.to_owned());
        // A pending change accepts no metadata; the price identifies the plan.
        let updated = UpdateSubscription::new(id.to_owned())
            .items(vec![change])
            .proration_behavior(UpdateSubscriptionProrationBehavior::AlwaysInvoice)
            .payment_behavior(UpdateSubscriptionPaymentBehavior::PendingIfIncomplete)
            .expand(vec!["latest_invoice.confirmation_secret".to_owned()])
            .customize()
            .request_strategy(idempotent(key))
            .send(self.client.turn().await?)
            .await?;
        Ok(subscription(updated))
    }

    /// Ends a subscription now. One that has already ended stays as it is.
    pub async fn cancel_now(&self, key: &str, id: &str) -> Result<()> {
        let cancelled = CancelSubscription::new(id.to_owned())
            .customize()
            .request_strategy(idempotent(key))
            .send(self.client.turn().await?);
        match cancelled.await.map_err(ProviderError::from) {
            Ok(_) | Err(ProviderError::NotFound(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Voids an invoice, so that it is never paid. One that was already paid is an error.
    pub async fn void(&self, key: &str, invoice: &str) -> Result<()> {
        let void = VoidInvoiceInvoice::new(invoice.to_owned());
        void.customize().request_strategy(idempotent(key)).send(self.client.turn().await?).await?;
        Ok(())
    }

    /// A customer's newest invoices for our product, the newest first.
    pub async fn invoices(&self, customer: &str) -> Result<Vec<Invoice>> {
        let found = ListInvoice::new().customer(customer).limit(PAGE_LIMIT).send(self.client.turn().await?).await?;
        Ok(found.data.into_iter().filter_map(invoice).collect())
    }

    pub async fn intent(&self, id: &str) -> Result<Intent> {
        let intent = RetrievePaymentIntent::new(id.to_owned()).send(self.client.turn().await?).await?;
        Ok(Intent {
            status: intent.status.as_str().to_owned(),
            amount: intent.amount,
            amount_received: intent.amount_received,
            currency: intent.currency.to_string(),
            customer: intent.customer.map(|customer| customer.id().to_string()),
            error: intent.last_payment_error.and_then(|error| error.message),
        })
    }

    /// The invoice of a payment.
    pub async fn invoice_of_intent(&self, id: &str) -> Result<Option<String>> {
        let mut payment = ListInvoicePaymentPayment::new(ListInvoicePaymentPaymentType::PaymentIntent);
        payment.payment_intent = Some(id.to_owned());
        let found = ListInvoicePayment::new().payment(payment).limit(1).send(self.client.turn().await?).await?;
        Ok(found.data.first().and_then(|payment| Some(payment.invoice.id().as_ref()?.to_string())))
    }

    /// All payment methods of a customer.
    pub async fn cards(&self, customer: &str) -> Result<Vec<Card>> {
        let found =
            ListPaymentMethod::new().customer(customer).limit(PAGE_LIMIT).send(self.client.turn().await?).await?;
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

    /// Lets a browser add a payment method; returns the secret that it needs.
    pub async fn create_setup_intent(&self, key: &str, customer: &str) -> Result<String> {
        let methods: Vec<SetupIntentAllowedPaymentMethodTypes> =
            self.methods.iter().map(|method| known(method.parse())).collect();
        let intent = CreateSetupIntent::new()
            .customer(customer)
            .allowed_payment_method_types(methods)
            .usage(CreateSetupIntentUsage::OffSession)
            .customize()
            .request_strategy(idempotent(key))
            .send(self.client.turn().await?)
            .await?;
        intent.client_secret.ok_or_else(|| ProviderError::Unreachable("a setup without a secret".to_owned()))
    }

    pub async fn setup_intent(&self, id: &str) -> Result<Setup> {
        let intent = RetrieveSetupIntent::new(id.to_owned()).send(self.client.turn().await?).await?;
        Ok(Setup {
            status: intent.status.as_str().to_owned(),
            customer: intent.customer.map(|customer| customer.id().to_string()),
            method: intent.payment_method.map(|method| method.id().to_string()),
        })
    }

    /// The default payment method of a customer, unless the subscription has its own.
    pub async fn default_card(&self, customer: &str) -> Result<Option<String>> {
        match RetrieveCustomer::new(customer.to_owned()).send(self.client.turn().await?).await? {
            RetrieveCustomerReturned::Customer(customer) => {
                let chosen = customer.invoice_settings.and_then(|settings| settings.default_payment_method);
                Ok(chosen.map(|method| method.id().to_string()))
            }
            RetrieveCustomerReturned::DeletedCustomer(_) => Err(ProviderError::NotFound("customer".to_owned())),
        }
    }

    /// Makes this the payment method of a customer's invoices and of these subscriptions.
    pub async fn set_default_card(&self, key: &str, customer: &str, subscriptions: &[&str], card: &str) -> Result<()> {
        let mut settings = UpdateCustomerInvoiceSettings::new();
        settings.default_payment_method = Some(card.to_owned());
        let update = UpdateCustomer::new(customer.to_owned()).invoice_settings(settings);
        update.customize().request_strategy(idempotent(key)).send(self.client.turn().await?).await?;
        for id in subscriptions {
            let update = UpdateSubscription::new((*id).to_owned()).default_payment_method(card);
            update
                .customize()
                .request_strategy(idempotent(&format!("{key}-{id}")))
                .send(self.client.turn().await?)
                .await?;
        }
        Ok(())
    }

    pub async fn detach_card(&self, key: &str, id: &str) -> Result<()> {
        let detach = DetachPaymentMethod::new(id.to_owned());
        detach.customize().request_strategy(idempotent(key)).send(self.client.turn().await?).await?;
        Ok(())
    }
}

/// Every value is accepted here: Stripe refuses those it does not know.
fn known<T>(parsed: std::result::Result<T, Infallible>) -> T {
    parsed.unwrap_or_else(|never| match never {})
}

fn idempotent(key: &str) -> RequestStrategy {
    // Keys are made here: short, and never empty.
    RequestStrategy::Idempotent(IdempotencyKey::new(key).expect("a key of 1 to 255 characters"))
}

fn tags<const N: usize>(pairs: [(&str, String); N]) -> HashMap<String, String> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
