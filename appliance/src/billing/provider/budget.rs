//! How many calls Stripe gets: fewer than it takes, and a part of them only for what has to be learned in any case.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use stripe::Client;

use super::ProviderError;

/// How long a call waits for its turn. A person has lost patience by then, and Stripe sends an event again.
const PATIENCE: Duration = Duration::from_secs(8);

/// Whose calls they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Somebody waits for the answer.
    Visit,
    /// Events of Stripe, reconciliation and deletion, which people must not be able to hold up.
    Upkeep,
}

/// The calls of a second, by the token bucket.
#[derive(Debug)]
struct Budget {
    all: DefaultDirectRateLimiter,
    /// Three quarters of it.
    visits: DefaultDirectRateLimiter,
}

/// The client, for as many calls as the budget allows. Clones share the budget.
#[derive(Debug, Clone)]
pub(super) struct PacedClient {
    client: Client,
    budget: Arc<Budget>,
    purpose: Purpose,
}

impl PacedClient {
    pub fn new(client: Client, calls_per_second: NonZeroU32) -> Self {
        let visits = NonZeroU32::new(calls_per_second.get() * 3 / 4).unwrap_or(NonZeroU32::MIN);
        let budget = Budget {
            all: RateLimiter::direct(Quota::per_second(calls_per_second)),
            visits: RateLimiter::direct(Quota::per_second(visits)),
        };
        Self { client, budget: Arc::new(budget), purpose: Purpose::Visit }
    }

    /// The same, with the part that is kept.
    pub fn for_upkeep(&self) -> Self {
        Self { purpose: Purpose::Upkeep, ..self.clone() }
    }

    /// The client for one call, once that call is within the budget.
    ///
    /// # Errors
    /// [`ProviderError::Unreachable`] after [`PATIENCE`]; nothing was called then.
    pub async fn turn(&self) -> Result<&Client, ProviderError> {
        let turn = async {
            if self.purpose == Purpose::Visit {
                self.budget.visits.until_ready().await;
            }
            self.budget.all.until_ready().await;
        };
        let taken = tokio::time::timeout(PATIENCE, turn).await;
        taken.map_err(|_| ProviderError::Unreachable("too many calls are made of it".to_owned()))?;
        Ok(&self.client)
    }
}
