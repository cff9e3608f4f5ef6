//! What can go wrong with payments.

use morpion_store::StoreError;

use super::{cards::MAX_CARDS, provider::ProviderError};
use crate::error::CommonError;

/// Why a call about payments failed. The texts are for users.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BillingError {
    #[error("Payments are not set up on this server.")]
    PaymentsOff,
    #[error("Please verify your email first.")]
    EmailNotVerified,
    /// Stripe has no price of it.
    #[error("This plan cannot be bought right now.")]
    PlanNotForSale,
    #[error("You have a subscription already. You can change its plan.")]
    AlreadySubscribed,
    /// The purchase needed no payment.
    #[error("It was paid with the rest of an earlier plan. You now have Pro.")]
    PaidByCredit,
    /// A payment that is being processed must not be made a second time.
    #[error("Your payment is being processed. As soon as it has arrived you can go on.")]
    PaymentProcessing,
    #[error("This payment does not belong to anything here.")]
    PaymentForNothing,
    #[error("This payment has not been made.")]
    NotPaid,
    /// The text is Stripe's.
    #[error("{0}")]
    CardRefused(String),
    #[error("You have no subscription.")]
    NoSubscription,
    #[error("Your subscription is cancelled already.")]
    CancelledAlready,
    #[error("Your subscription is not cancelled.")]
    NotCancelled,
    #[error("This is your plan already.")]
    SamePlan,
    #[error("Your last renewal was not paid. Please pay it first.")]
    PaymentOwed,
    /// In another tab.
    #[error("Your plan was changed a moment ago. Please look at it again.")]
    PlanChanged,
    #[error("The payment was not confirmed. Your plan stays as it was, and nothing was charged.")]
    PlanNotChanged,
    #[error("You already have {MAX_CARDS} payment methods. Remove one first.")]
    TooManyCards,
    #[error("Your bank is still checking this. Please try again in a moment.")]
    CardProcessing,
    #[error("The payment method was not added. Please try again.")]
    CardNotAdded,
    #[error(
        "Your plan needs a payment method, and this is the only one. Add another one first, replace it, or cancel the \
         plan."
    )]
    OnlyCard,
    #[error("Your plan is paid with this payment method. Make another one the default first, or cancel the plan.")]
    DefaultCard,
    #[error("A guest cannot have Pro.")]
    GuestWithPro,
    #[error("Nothing was granted to this account. A subscription is cancelled by whoever pays for it.")]
    NotGranted,
    /// Stripe did not sign the event.
    #[error("Invalid signature.")]
    BadSignature,
    #[error(transparent)]
    Common(#[from] CommonError),
}

impl From<StoreError> for BillingError {
    fn from(error: StoreError) -> Self {
        CommonError::from(error).into()
    }
}

impl From<ProviderError> for BillingError {
    fn from(error: ProviderError) -> Self {
        let common = match error {
            ProviderError::Card(message) => return Self::CardRefused(message),
            ProviderError::Unreachable(cause) => {
                tracing::warn!(%cause, "a call to the payment provider failed");
                CommonError::unavailable(
                    "The payment provider cannot be reached right now. Please try again in a moment.",
                )
            }
            ProviderError::NotFound(_) => CommonError::NotFound("payment"),
            ProviderError::Refused(_) => CommonError::internal(error),
        };
        common.into()
    }
}
