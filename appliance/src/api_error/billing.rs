//! Errors of payments as their callers get them.

use super::{ApiError, ErrorKind};
use crate::billing::error::BillingError;

impl From<BillingError> for ApiError {
    fn from(error: BillingError) -> Self {
        use ErrorKind::{Conflict, Forbidden, Malformed, PlanRequired};
        let (kind, code) = match error {
            BillingError::Common(error) => return error.into(),
            BillingError::PaymentsOff => (Conflict, "payments-off"),
            BillingError::EmailNotVerified => (Forbidden, "email-not-verified"),
            BillingError::PlanNotForSale => (Conflict, "plan-not-for-sale"),
            BillingError::AlreadySubscribed | BillingError::PaidByCredit => (Conflict, "already-subscribed"),
            BillingError::PaymentProcessing => (Conflict, "payment-processing"),
            BillingError::PaymentForNothing | BillingError::NoSubscription => (Conflict, "no-subscription"),
            BillingError::NotPaid => (PlanRequired, "not-paid"),
            BillingError::CardRefused(_) => (PlanRequired, "card-refused"),
            BillingError::CancelledAlready => (Conflict, "cancelled-already"),
            BillingError::NotCancelled => (Conflict, "not-cancelled"),
            BillingError::SamePlan => (Conflict, "same-plan"),
            BillingError::PaymentOwed => (Conflict, "payment-owed"),
            BillingError::PlanChanged => (Conflict, "plan-changed"),
            BillingError::PlanNotChanged => (PlanRequired, "plan-not-changed"),
            BillingError::TooManyCards => (Conflict, "too-many-cards"),
            BillingError::CardProcessing => (Conflict, "card-processing"),
            BillingError::CardNotAdded => (PlanRequired, "not-added"),
            BillingError::OnlyCard | BillingError::DefaultCard => (Conflict, "card-in-use"),
            BillingError::GuestWithPro => (Conflict, "guest"),
            BillingError::NotGranted => (Conflict, "not-granted"),
            BillingError::BadSignature => (Malformed, "bad-signature"),
        };
        Self::new(kind, code, error.to_string())
    }
}
