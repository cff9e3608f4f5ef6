//! Test cards and bank accounts, as Stripe documents them, and the results of paying with them.

use serde_json::{Value, json};

use super::stripe_state::Method;

/// A SEPA debit from it fails in the end; from `DE89370400440532013000` it arrives.
const FAILING_IBAN: &str = "DE62370400440532013001";

/// The bank's decision.
pub enum Verdict {
    Pays,
    /// It requires 3-D Secure.
    Asks,
    /// It is processing for days, then succeeds or fails.
    Waits,
    Refuses(Value),
}

impl Verdict {
    /// `is_present`: the customer is present and can be challenged.
    pub fn of(method: &Method, is_present: bool) -> Self {
        if method.refuses {
            return Self::Refuses(declined("generic_decline", "Your card was declined."));
        }
        if method.is_debit() {
            return Self::Waits;
        }
        match method.number.as_str() {
            "4000000000000002" => Self::Refuses(declined("generic_decline", "Your card was declined.")),
            "4000000000009995" => Self::Refuses(declined("insufficient_funds", "Your card has insufficient funds.")),
            "4000000000000069" => Self::Refuses(error("expired_card", "Your card has expired.")),
            // It requires a challenge for every payment.
            "4000002760003184" => Self::Asks,
            // It requires a challenge once.
            "4000002500003155" if is_present => Self::Asks,
            _ => Self::Pays,
        }
    }

    /// The final result of a debit.
    pub fn of_debit(method: &Method) -> Result<(), Value> {
        match method.refuses || method.number == FAILING_IBAN {
            true => Err(error("generic_decline", "The debit was refused by the bank.")),
            false => Ok(()),
        }
    }

    pub fn not_them() -> Value {
        error(
            "payment_intent_authentication_failure",
            "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
        )
    }

    pub fn not_there() -> Value {
        error("authentication_required", "Your card was declined. This transaction requires authentication.")
    }

    pub fn no_card() -> Value {
        error("resource_missing", "This customer has no attached payment source or default payment method.")
    }
}

fn error(code: &str, message: &str) -> Value {
    json!({ "type": "card_error", "code": code, "message": message })
}

fn declined(reason: &str, message: &str) -> Value {
    let mut error = error("card_declined", message);
    error["decline_code"] = json!(reason);
    error
}

/// The number behind a name such as `pm_card_visa`.
pub fn number_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "pm_card_visa" => "4242424242424242",
        "pm_card_mastercard" => "5555555555554444",
        "pm_card_chargeDeclined" => "4000000000000002",
        "pm_card_chargeDeclinedInsufficientFunds" => "4000000000009995",
        "pm_card_authenticationRequired" => "4000002760003184",
        _ => return None,
    })
}

/// The check digit is right (Luhn).
pub fn is_number(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(10)).collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| if place % 2 == 1 { (digit * 2) / 10 + (digit * 2) % 10 } else { *digit })
        .sum();
    (13..=19).contains(&digits.len()) && digits.len() == text.len() && sum.is_multiple_of(10)
}

pub fn brand(number: &str) -> &'static str {
    match number.as_bytes().first() {
        Some(b'4') => "visa",
        Some(b'5') => "mastercard",
        Some(b'3') => "amex",
        _ => "unknown",
    }
}
