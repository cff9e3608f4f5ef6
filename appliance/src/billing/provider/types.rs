//! What Stripe returns, as far as we use it, and how its errors become ours.

use chrono::{DateTime, Utc};
use stripe::{ApiErrorsType, StripeError};

/// Stripe's status of a payment that was made and takes time to arrive.
pub const PROCESSING: &str = "processing";

/// Why a call to Stripe failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The card was refused; the text is Stripe's, for the user.
    #[error("{0}")]
    Card(String),
    /// Stripe refused the request. Its text may contain keys and names, so only its code is passed on.
    #[error("the payment provider refused: {0}")]
    Refused(String),
    /// What is missing, as Stripe names the parameter: `customer`, `price`, or `id` and the like for the object itself.
    #[error("the payment provider does not know the {0}")]
    NotFound(String),
    /// It is unknown whether the request was executed.
    #[error("the payment provider cannot be reached: {0}")]
    Unreachable(String),
}

impl ProviderError {
    /// The customer was deleted at Stripe, with all that was theirs.
    pub fn is_customer_gone(&self) -> bool {
        matches!(self, Self::NotFound(what) if what == "customer")
    }
}

/// For payments that fail for a reason that is not the card's; only the texts of card errors are for users.
const NOT_PAID: &str = "The payment was not accepted. Please try another payment method.";

/// By type and code: the status alone does not say what a failure is. An unknown customer is a 404 where it is asked for
/// and a 400 where it is a parameter.
impl From<StripeError> for ProviderError {
    fn from(error: StripeError) -> Self {
        match error {
            StripeError::Stripe(error, status) => {
                let code = error.code.as_ref().map_or_else(|| error.type_.as_str(), |code| code.as_str()).to_owned();
                let param = error.param.unwrap_or_default();
                match (error.type_, code.as_str(), status) {
                    (ApiErrorsType::CardError, ..) => Self::Card(error.message.unwrap_or(code)),
                    (_, "resource_missing", _) => Self::NotFound(param),
                    (ApiErrorsType::ApiError, ..)
                    | (_, "rate_limit" | "lock_timeout" | "idempotency_key_in_use", _)
                    | (.., 409 | 424 | 429 | 500..) => Self::Unreachable(format!("it answers {status} {code}")),
                    (.., 402) => Self::Card(NOT_PAID.to_owned()),
                    _ => Self::Refused(format!("{status} {code} {param}")),
                }
            }
            StripeError::JSONDeserialize(text) => Self::Unreachable(text),
            StripeError::ClientError(text) | StripeError::ConfigError(text) => Self::Unreachable(text),
            StripeError::Timeout => Self::Unreachable("it did not answer in time".to_owned()),
        }
    }
}

/// A price.
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
    /// The payment method.
    pub payment_method: Option<String>,
    /// The price that it changes to once the newest invoice is paid.
    pub pending_price: Option<String>,
    pub latest_invoice: Option<Invoice>,
    /// Stripe's status of that invoice's payment; only known where it was fetched.
    pub payment: Option<String>,
}

impl Subscription {
    /// Its first payment has not arrived. With methods that take days, such as a SEPA debit, the subscription is active
    /// at Stripe anyway.
    pub fn is_unpaid_purchase(&self) -> bool {
        let is_first = |invoice: &&Invoice| invoice.reason == "subscription_create";
        self.latest_invoice.as_ref().filter(is_first).is_some_and(|invoice| !invoice.is_paid())
    }

    /// The payment of the newest invoice is being processed.
    pub fn is_processing(&self) -> bool {
        self.payment.as_deref() == Some(PROCESSING)
    }

    /// The secret with which a browser pays the newest invoice, as long as that is open.
    pub fn payment_secret(&self) -> Option<String> {
        self.latest_invoice.as_ref().filter(|invoice| invoice.is_open())?.client_secret.clone()
    }

    /// The id of the payment intent of the newest invoice, as long as that is open.
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
    /// Stripe's billing reason.
    pub reason: String,
    pub subscription: Option<String>,
    pub total: i64,
    pub amount_paid: i64,
    pub currency: String,
    pub created: DateTime<Utc>,
    pub paid_at: Option<DateTime<Utc>>,
    pub attempts: u64,
    pub url: Option<String>,
    /// With it a browser pays, as long as the invoice is open.
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
    /// The last error, in Stripe's words for the user.
    pub error: Option<String>,
}

/// A payment method that is being added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Stripe's word.
    pub status: String,
    pub customer: Option<String>,
    pub method: Option<String>,
}

/// A card or another payment method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub id: String,
    /// For other payment methods their type, in Stripe's term.
    pub brand: String,
    pub last4: Option<String>,
    /// Month and year.
    pub expires: Option<(i64, i64)>,
}
