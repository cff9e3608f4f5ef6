//! Asking Stripe how somebody stands, and keeping that with all that follows from it, in one transaction.

use chrono::{DateTime, Utc};
use morpion_rules::UserId;
use morpion_store::{BillingAccount, LedgerEntry};

use super::{
    Billing, ledger,
    provider::{Invoice, Provider, ProviderError, Subscription},
    standing,
};
use crate::error::ApiError;

/// What Stripe knows of a customer.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    pub subscriptions: Vec<Subscription>,
    invoices: Vec<Invoice>,
}

/// Where news come from, and what else is to be kept with them.
#[derive(Debug, Default)]
pub(super) struct News {
    pub entries: Vec<LedgerEntry>,
    /// The webhook's event that told.
    pub webhook: Option<String>,
}

impl From<LedgerEntry> for News {
    fn from(entry: LedgerEntry) -> Self {
        Self { entries: vec![entry], webhook: None }
    }
}

impl Billing {
    /// Asks Stripe, and keeps what it says. In the person's turn only.
    ///
    /// # Errors
    /// 503 when Stripe or the store does not answer; nothing was kept then.
    pub(super) async fn refresh(&self, account: &mut BillingAccount, news: News) -> Result<Snapshot, ApiError> {
        let provider = self.provider()?;
        let now = self.now();
        let told = match &account.customer {
            Some(customer) => self.ask(provider, customer, now).await,
            None => Ok(Snapshot::default()),
        };
        let snapshot = match told {
            // Somebody deleted the customer there, and with it all that was subscribed to.
            Err(ProviderError::NotFound) => {
                (account.customer, account.purchase) = (None, None);
                Snapshot::default()
            }
            told => told?,
        };
        account.live = self.is_live;
        account.subscription = standing::choose(&snapshot.subscriptions).map(standing::row);
        let News { mut entries, webhook } = news;
        entries.extend(ledger::of_payments(&snapshot.subscriptions, &snapshot.invoices));
        entries.extend(snapshot.subscriptions.iter().filter_map(ledger::of_end));
        self.save(account, &entries, webhook.as_deref()).await?;
        Ok(snapshot)
    }

    /// Stores an account as it is now, with the paid plan that follows, and sends the mails that go with what is new.
    pub(super) async fn save(
        &self,
        account: &mut BillingAccount,
        entries: &[LedgerEntry],
        webhook: Option<&str>,
    ) -> Result<(), ApiError> {
        let pro = standing::pro(account);
        let new = self.store.save_billing(account, pro, entries, webhook, self.now()).await?;
        account.version += 1;
        self.mail(account, &new, entries).await;
        Ok(())
    }

    async fn mail(&self, account: &BillingAccount, new: &[String], entries: &[LedgerEntry]) {
        let letters = entries.iter().filter(|entry| new.contains(&entry.fact));
        let letters: Vec<_> = letters.filter(|entry| ledger::has_letter(entry)).collect();
        if letters.is_empty() {
            return;
        }
        // What is stored is stored; a mail that cannot be sent does not undo it.
        let user = match self.store.user(account.user_id).await {
            Ok(user) => user.filter(|user| user.deleted_at.is_none()),
            Err(error) => return tracing::warn!(%error, "mails about a payment were not sent"),
        };
        let Some((username, email)) = user.and_then(|user| Some((user.username, user.email?))) else { return };
        for letter in letters.iter().filter_map(|entry| ledger::letter(entry, &username, account)) {
            self.mailer.post(&email, &letter);
        }
    }

    async fn ask(&self, provider: &Provider, customer: &str, now: DateTime<Utc>) -> Result<Snapshot, ProviderError> {
        let mut subscriptions = with_payments(provider, customer).await?;
        if self.end_overdue(provider, &subscriptions, now).await? {
            subscriptions = with_payments(provider, customer).await?;
        }
        let invoices = provider.invoices(customer).await?;
        Ok(Snapshot { subscriptions, invoices })
    }

    /// What was owed for longer than the time of grace ends, so that nobody is charged for it later; so does a purchase
    /// whose payment was on its way and failed.
    async fn end_overdue(
        &self,
        provider: &Provider,
        subscriptions: &[Subscription],
        now: DateTime<Utc>,
    ) -> Result<bool, ProviderError> {
        let owing = subscriptions.iter().filter(|told| standing::is_owing(&told.status));
        let overdue = owing.filter(|told| standing::pro_until(&standing::row(told)).is_some_and(|until| until <= now));
        let failed = subscriptions.iter().filter(|told| has_failed(told));
        let mut has_ended = false;
        for told in overdue.chain(failed) {
            if let Some(invoice) = told.latest_invoice.as_ref().filter(|invoice| has_failed(told) && invoice.is_open())
            {
                provider.void(&format!("void-{}", invoice.id), &invoice.id).await?;
            }
            provider.cancel_now(&format!("overdue-{}", told.id), &told.id).await?;
            has_ended = true;
        }
        Ok(has_ended)
    }

    /// Asks Stripe how somebody stands.
    ///
    /// # Errors
    /// As [`Billing::refresh`].
    pub(super) async fn look(&self, user: UserId, news: News) -> Result<(), ApiError> {
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        self.refresh(&mut account, news).await.map(drop)
    }
}

/// A customer's subscriptions, each with how the payment of what is open stands.
async fn with_payments(provider: &Provider, customer: &str) -> Result<Vec<Subscription>, ProviderError> {
    let mut subscriptions = provider.subscriptions(customer).await?;
    for told in subscriptions.iter_mut().filter(|told| !standing::is_over(&told.status)) {
        if let Some(intent) = told.open_payment() {
            told.payment = Some(provider.intent(intent).await?.status);
        }
    }
    Ok(subscriptions)
}

/// A purchase that runs at Stripe, as it does while its payment is on its way, and is not going to be paid.
fn has_failed(told: &Subscription) -> bool {
    let is_lost = || match &told.latest_invoice {
        Some(invoice) if invoice.is_open() => told.payment.as_deref() == Some("requires_payment_method"),
        invoice => invoice.as_ref().is_some_and(|invoice| matches!(invoice.status.as_str(), "void" | "uncollectible")),
    };
    standing::is_running(&told.status) && told.is_unpaid_purchase() && is_lost()
}
