//! The plans for sale, and their prices at Stripe.
//!
//! A price cannot be changed there, so it is found by a key that contains all its properties; another price has another
//! key, and existing subscribers keep paying the old one.

use std::{collections::HashMap, fmt};

use parking_lot::RwLock;

use super::{
    error::BillingError,
    provider::{Price, Provider, ProviderError},
};
use crate::{
    config::{Billing as Settings, PlanConfig},
    error::CommonError,
};

/// The plans, and the prices found for them.
#[derive(Debug)]
pub struct Plans {
    plans: Vec<PlanConfig>,
    /// By the plan's id; at most one for each plan.
    prices: RwLock<HashMap<i64, String>>,
}

impl Plans {
    pub fn new(settings: &Settings) -> Self {
        Self { plans: settings.plans.clone(), prices: RwLock::default() }
    }

    pub fn all(&self) -> &[PlanConfig] {
        &self.plans
    }

    /// The plan with this id.
    ///
    /// # Errors
    /// [`CommonError::Invalid`].
    pub fn find(&self, plan_id: &str) -> Result<&PlanConfig, BillingError> {
        let plan = self.plans.iter().find(|plan| plan.id.to_string() == plan_id);
        plan.ok_or_else(|| CommonError::invalid("planId", "There is no such plan.").into())
    }

    /// Stripe's price of a plan.
    ///
    /// # Errors
    /// [`BillingError::PlanNotForSale`] when Stripe has none; [`CommonError::Unavailable`].
    pub async fn price_of(&self, plan: &PlanConfig, provider: &Provider) -> Result<String, BillingError> {
        let known = || self.prices.read().get(&plan.id).cloned();
        if let Some(price) = known() {
            return Ok(price);
        }
        self.find_prices(provider).await?;
        known().ok_or(BillingError::PlanNotForSale)
    }

    /// Matches the plans with Stripe's prices; returns the plans without one.
    ///
    /// # Errors
    /// Stripe does not answer.
    pub async fn find_prices(&self, provider: &Provider) -> Result<Vec<String>, ProviderError> {
        let found = provider.prices(self.plans.iter().map(lookup_key).collect()).await?;
        let mut missing = Vec::new();
        let mut prices = HashMap::new();
        for plan in &self.plans {
            match matching(plan, &found) {
                Some(price) => drop(prices.insert(plan.id, price.id.clone())),
                None => missing.push(plan.name.clone()),
            }
        }
        *self.prices.write() = prices;
        Ok(missing)
    }
}

/// Contains everything about a price that cannot be changed.
fn lookup_key(plan: &PlanConfig) -> String {
    format!("morpion_{}_{}_{}_{}m", plan.id, plan.price, plan.currency, plan.months)
}

fn matching<'a>(plan: &PlanConfig, prices: &'a [Price]) -> Option<&'a Price> {
    let key = lookup_key(plan);
    let fits = |price: &&Price| {
        price.lookup_key == key && price.amount == plan.price && price.currency.eq_ignore_ascii_case(&plan.currency)
    };
    prices.iter().find(fits)
}

/// A plan and its price at Stripe.
#[derive(Debug, PartialEq, Eq, serde::Serialize)]
pub struct PlanPrice {
    plan: PlanConfig,
    /// Stripe's id of its price.
    pub price: Option<String>,
}

impl fmt::Display for PlanPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlanConfig { id, name, price, currency, months, .. } = &self.plan;
        let found = self.price.as_deref().unwrap_or("MISSING");
        write!(f, "plan {id:<3} {name:<12} {price:>6} {currency} every {months:>2} months  {found}")
    }
}

/// Compares the plans with Stripe's prices.
///
/// # Errors
/// Stripe is unreachable, or the keys belong to its other mode.
pub async fn check(provider: &Provider, settings: &Settings) -> anyhow::Result<Vec<PlanPrice>> {
    let found = provider.prices(settings.plans.iter().map(lookup_key).collect()).await?;
    if found.iter().any(|price| price.is_live != settings.is_live()) {
        anyhow::bail!("the provider answers with prices of its other mode; take all keys from one mode");
    }
    let matches = settings
        .plans
        .iter()
        .map(|plan| PlanPrice { plan: plan.clone(), price: matching(plan, &found).map(|price| price.id.clone()) });
    Ok(matches.collect())
}

/// Creates the missing prices. Idempotent.
///
/// # Errors
/// As [`check`], and what Stripe refuses.
pub async fn sync(provider: &Provider, settings: &Settings) -> anyhow::Result<Vec<PlanPrice>> {
    let before = check(provider, settings).await?;
    let missing: Vec<_> = before.iter().filter(|found| found.price.is_none()).collect();
    if missing.is_empty() {
        return Ok(before);
    }
    provider.ensure_product().await?;
    for found in missing {
        provider.create_price(&found.plan, &lookup_key(&found.plan)).await?;
    }
    check(provider, settings).await
}
