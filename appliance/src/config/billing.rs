//! The section `[billing]`: keys that belong together, and the plans for sale.

use std::num::NonZeroU32;

use serde::{Deserialize, Deserializer, de::Error as _};
use url::Url;

use super::Secret;

/// Stripe's own URL.
const STRIPE: &str = "https://api.stripe.com";

/// The number of plans that fit on the screen.
const MAX_PLANS: usize = 12;

/// Types of payment methods, in Stripe's terms: those that can be stored and charged again without the owner, and whose
/// first payment needs no days before it starts.
const METHODS: [&str; 4] = ["card", "link", "paypal", "sepa_debit"];

/// Stripe bills at most every three years.
const MAX_MONTHS: u32 = 36;

/// Stripe takes no more in one payment.
const MAX_PRICE: i64 = 99_999_999;

/// Payments; off without keys.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Billing {
    /// `sk_…` or, with fewer rights, `rk_…`; empty where payments are not set up.
    #[serde(deserialize_with = "secret_key")]
    pub secret_key: Secret,
    /// `pk_…`, of the same mode as the secret one.
    #[serde(deserialize_with = "publishable_key")]
    pub publishable_key: String,
    /// `whsec_…`.
    #[serde(deserialize_with = "webhook_secret")]
    pub webhook_secret: Secret,
    /// Without a trailing slash.
    #[serde(deserialize_with = "api_base")]
    pub api_base: String,
    /// What can be paid with, in Stripe's words.
    #[serde(deserialize_with = "methods")]
    pub methods: Vec<String>,
    /// Only accounts with a verified email may enter a card.
    pub require_verified_email: bool,
    /// Calls of the payment provider in a second.
    pub calls_per_second: NonZeroU32,
    /// In the order in which they are shown.
    #[serde(deserialize_with = "plans")]
    pub plans: Vec<PlanConfig>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlanConfig {
    pub id: i64,
    pub name: String,
    /// In the smallest unit of the currency.
    pub price: i64,
    /// Three lower-case letters.
    pub currency: String,
    /// Of one paid period.
    pub months: u32,
    /// Shown as `Save X`; empty shows nothing.
    #[serde(default)]
    pub savings: String,
    #[serde(default)]
    pub popular: bool,
}

impl Billing {
    /// Whether payments are set up.
    pub fn is_on(&self) -> bool {
        !self.secret_key.expose().is_empty()
    }

    /// Whether payments are real: the keys are live ones, not test ones.
    pub fn is_live(&self) -> bool {
        mode(self.secret_key.expose()) == Some("live")
    }

    /// Whether Stripe itself is called, not a stand-in.
    pub fn is_stripe(&self) -> bool {
        self.api_base == STRIPE
    }

    /// Whether the keys go together.
    fn check_together(&self) -> Result<(), String> {
        let keys = [self.secret_key.expose(), self.publishable_key.as_str(), self.webhook_secret.expose()];
        let given = keys.iter().filter(|key| !key.is_empty()).count();
        if given != 0 && given != keys.len() {
            return Err("secret_key, publishable_key and webhook_secret go together; give all three or none".to_owned());
        }
        if mode(keys[0]) != mode(keys[1]) {
            return Err("one key is for live payments and the other for tests; take both from the same mode".to_owned());
        }
        let foreign = self.plans.iter().find(|plan| plan.currency != "eur");
        if let Some(plan) = foreign.filter(|_| self.methods.iter().any(|method| method == "sepa_debit")) {
            let PlanConfig { id, currency, .. } = plan;
            return Err(format!("methods: sepa_debit takes nothing but eur, and plan {id} is sold in {currency}"));
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Billing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The derived one, which looks at each key by itself.
        let billing = Self::deserialize(deserializer)?;
        billing.check_together().map_err(D::Error::custom)?;
        Ok(billing)
    }
}

/// `live` or `test`, as the key says.
fn mode(key: &str) -> Option<&str> {
    key.split('_').nth(1).filter(|mode| matches!(*mode, "live" | "test"))
}

/// A key of one of these kinds, in one of the two modes, or empty. The value is not shown: it may be a secret.
fn is_key(text: &str, kinds: &[&str]) -> bool {
    let of_a_kind = kinds.iter().any(|kind| text.starts_with(&format!("{kind}_")));
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    text.is_empty() || (of_a_kind && is_plain && mode(text).is_some() && text.len() <= 255)
}

fn secret_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
    let secret = Secret::deserialize(deserializer)?;
    if !is_key(secret.expose(), &["sk", "rk"]) {
        return Err(D::Error::custom(
            "it is not a Stripe secret key; those begin with sk_live_, sk_test_, rk_live_ or rk_test_",
        ));
    }
    Ok(secret)
}

fn publishable_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let key = String::deserialize(deserializer)?;
    if !is_key(&key, &["pk"]) {
        return Err(D::Error::custom(
            "it is not a Stripe publishable key, which browsers receive; those begin with pk_live_ or pk_test_",
        ));
    }
    Ok(key)
}

fn webhook_secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
    let secret = Secret::deserialize(deserializer)?;
    if !secret.expose().is_empty() && !secret.expose().starts_with("whsec_") {
        return Err(D::Error::custom("it is not a webhook signing secret; those begin with whsec_"));
    }
    Ok(secret)
}

/// The secret key is sent there, so it has to be HTTPS, except on this machine.
fn api_base<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_local = |url: &Url| matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match Url::parse(&text).ok().filter(|url| url.has_host() && url.path() == "/" && url.query().is_none()) {
        Some(url) if url.scheme() == "https" || (url.scheme() == "http" && is_local(&url)) => {
            Ok(url.origin().ascii_serialization())
        }
        _ => Err(D::Error::custom(format!("'{text}' cannot be used; write {STRIPE}"))),
    }
}

fn methods<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let methods = Vec::<String>::deserialize(deserializer)?;
    let known = METHODS.join(", ");
    if methods.is_empty() {
        return Err(D::Error::custom(format!("at least one is needed; choose from {known}")));
    }
    for (at, method) in methods.iter().enumerate() {
        if !METHODS.contains(&method.as_str()) {
            return Err(D::Error::custom(format!("'{method}' is not known here; choose from {known}")));
        }
        if methods[..at].contains(method) {
            return Err(D::Error::custom(format!("'{method}' is listed twice")));
        }
    }
    Ok(methods)
}

fn plans<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PlanConfig>, D::Error> {
    let plans = Vec::<PlanConfig>::deserialize(deserializer)?;
    if plans.is_empty() || plans.len() > MAX_PLANS {
        return Err(D::Error::custom(format!("there are 1 to {MAX_PLANS} plans")));
    }
    for (at, plan) in plans.iter().enumerate() {
        check_plan(plan).map_err(|reason| D::Error::custom(format!("plan {}: {reason}", plan.id)))?;
        if plans[..at].iter().any(|other| other.id == plan.id) {
            return Err(D::Error::custom(format!("two plans have the id {}", plan.id)));
        }
    }
    Ok(plans)
}

fn check_plan(plan: &PlanConfig) -> Result<(), String> {
    let is_line = |text: &str| text.chars().count() <= 40 && !text.chars().any(char::is_control);
    if plan.id < 1 {
        return Err("its id is a whole number from 1 on".to_owned());
    }
    if plan.name.trim().is_empty() || !is_line(&plan.name) || !is_line(&plan.savings) {
        return Err("name and savings are one line of up to 40 characters".to_owned());
    }
    if !(1..=MAX_PRICE).contains(&plan.price) {
        return Err(format!("its price is 1 to {MAX_PRICE} of the currency's smallest unit, so 399 is $3.99"));
    }
    if !(1..=MAX_MONTHS).contains(&plan.months) {
        return Err(format!("it is paid every 1 to {MAX_MONTHS} months"));
    }
    if plan.currency.len() != 3 || !plan.currency.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Err(format!("'{}' is not a currency; write three lower-case letters, such as usd", plan.currency));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, ConfigSources};

    fn with(settings: &[(&str, &str)]) -> Result<Config, String> {
        let environment = settings.iter().map(|(key, value)| (format!("MORPION_BILLING__{key}"), (*value).to_owned()));
        let sources = ConfigSources { environment: environment.collect(), ..ConfigSources::default() };
        sources.load().map(|loaded| loaded.config).map_err(|error| error.to_string())
    }

    fn keys(secret: &str, publishable: &str) -> Result<Config, String> {
        with(&[("SECRET_KEY", secret), ("PUBLISHABLE_KEY", publishable), ("WEBHOOK_SECRET", "whsec_1")])
    }

    #[test]
    fn the_default_plans_match_the_documentation() {
        let Billing { plans, .. } = Config::default().billing;
        let shown: Vec<_> = plans
            .iter()
            .map(|plan| (plan.id, plan.name.as_str(), plan.price, plan.savings.as_str(), plan.popular))
            .collect();
        assert_eq!(
            shown,
            [(1, "Monthly", 399, "", false), (2, "6 Months", 1800, "25%", false), (3, "Yearly", 3500, "27%", true)]
        );
        assert_eq!(plans.iter().map(|plan| plan.months).collect::<Vec<_>>(), [1, 6, 12]);
    }

    #[test]
    fn keys_must_have_the_right_kind_and_the_same_mode() {
        assert!(!Config::default().billing.is_on());
        let config = keys("sk_test_abc", "pk_test_abc").unwrap().billing;
        assert!(config.is_on() && !config.is_live() && config.is_stripe());
        assert!(keys("rk_live_abc", "pk_live_abc").unwrap().billing.is_live());
        assert!(keys("sk_live_abc", "pk_test_abc").unwrap_err().contains("the same mode"));
        for wrong in ["pk_test_abc", "sk_abc", "hunter2", "sk_test_a b", "sk_test_a\r\nX: y"] {
            let error = keys(wrong, "pk_test_abc").unwrap_err();
            assert!(error.contains("billing.secret_key") && !error.contains(wrong), "{error}");
        }
        for secret in ["sk_test_abc", "rk_test_abc", "whsec_abc", "x"] {
            let error = keys("sk_test_abc", secret).unwrap_err();
            assert!(error.contains("billing.publishable_key") && !error.contains(&format!("'{secret}'")), "{error}");
        }
        assert!(with(&[("SECRET_KEY", "sk_test_abc")]).unwrap_err().contains("all three or none"));
        assert!(with(&[("WEBHOOK_SECRET", "abc")]).unwrap_err().contains("whsec_"));
    }

    #[test]
    fn keys_are_never_shown() {
        let settings =
            [("SECRET_KEY", "sk_test_hid"), ("PUBLISHABLE_KEY", "pk_test_told"), ("WEBHOOK_SECRET", "whsec_hid")];
        let environment = settings.iter().map(|(key, value)| (format!("MORPION_BILLING__{key}"), (*value).to_owned()));
        let loaded = ConfigSources { environment: environment.collect(), ..ConfigSources::default() }.load().unwrap();
        let shown = format!("{:?} {:?}", loaded.config, loaded.settings);
        assert!(shown.contains("pk_test_told") && !shown.contains("_hid"), "{shown}");
    }

    #[test]
    fn the_secret_key_is_only_sent_over_https_or_loopback() {
        assert_eq!(
            with(&[("API_BASE", "http://127.0.0.1:12111/")]).unwrap().billing.api_base,
            "http://127.0.0.1:12111"
        );
        for wrong in ["http://stripe.example", "https://x.example/v1", "ftp://127.0.0.1", "127.0.0.1:1", ""] {
            assert!(with(&[("API_BASE", wrong)]).unwrap_err().contains("https://api.stripe.com"), "{wrong}");
        }
    }

    #[test]
    fn only_cards_are_accepted_unless_configured_otherwise() {
        assert_eq!(Config::default().billing.methods, ["card"]);
        assert_eq!(with(&[("METHODS", "card,link")]).unwrap().billing.methods, ["card", "link"]);
        for (wrong, says) in [
            ("Card", "'Card' is not known here; choose from card, link, paypal, sepa_debit"),
            ("card,klarna", "'klarna' is not known here"),
            ("card; drop", "'card; drop' is not known here"),
            ("card,card", "'card' is listed twice"),
            ("card,sepa_debit", "sepa_debit takes nothing but eur, and plan 1 is sold in usd"),
        ] {
            let error = with(&[("METHODS", wrong)]).unwrap_err();
            assert!(error.contains("billing") && error.contains("methods") && error.contains(says), "{wrong}: {error}");
        }
    }

    #[test]
    fn unsellable_plans_are_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let refusal = |change: (&str, &str)| {
            let plan = "[[billing.plans]]\nid = 1\nname = \"A\"\nprice = 399\ncurrency = \"usd\"\nmonths = 1\n";
            std::fs::write(file.path(), plan.replace(change.0, change.1)).unwrap();
            ConfigSources { file: Some(file.path().to_owned()), ..ConfigSources::default() }
                .load()
                .map(drop)
                .map_err(|e| e.to_string())
        };
        assert_eq!(refusal(("", "")), Ok(()));
        for (from, to, says) in [
            ("399", "0", "399 is $3.99"),
            ("399", "3.99", "invalid type"),
            ("usd", "USD", "three lower-case letters"),
            ("months = 1", "months = 40", "1 to 36 months"),
            ("id = 1", "id = 0", "from 1 on"),
            ("\"A\"", "\"\"", "one line"),
            ("months", "month", "unknown field"),
        ] {
            let error = refusal((from, to)).unwrap_err();
            assert!(error.contains(says) && error.contains("billing.plans"), "{error}");
        }
    }
}
