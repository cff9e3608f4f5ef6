//! Fetching a customer's state from Stripe, and storing it with all that follows from it, in one transaction.

use chrono::{DateTime, Utc};
use morpion_rules::UserId;
use morpion_store::{BillingAccount, LedgerEntry, Store};
use uuid::Uuid;

use super::{
    Billing, entitlement,
    error::BillingError,
    ledger,
    provider::{Invoice, Provider, ProviderError, Subscription},
};

/// A customer's state at Stripe.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    pub subscriptions: Vec<Subscription>,
    invoices: Vec<Invoice>,
}

/// What else is stored together with a refresh.
#[derive(Debug, Default)]
pub(super) struct BillingUpdate {
    pub entries: Vec<LedgerEntry>,
    /// The webhook's event that triggered it.
    pub webhook: Option<String>,
}

impl From<LedgerEntry> for BillingUpdate {
    fn from(entry: LedgerEntry) -> Self {
        Self { entries: vec![entry], webhook: None }
    }
}

impl Billing {
    /// Fetches from Stripe and stores the result. The account has to be locked.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`](crate::error::CommonError) when Stripe or the store is unavailable; nothing was stored then.
    pub(super) async fn refresh(
        &self,
        account: &mut BillingAccount,
        update: BillingUpdate,
    ) -> Result<Snapshot, BillingError> {
        self.refresh_by(self.provider()?, account, update).await
    }

    pub(super) async fn refresh_by(
        &self,
        provider: &Provider,
        account: &mut BillingAccount,
        update: BillingUpdate,
    ) -> Result<Snapshot, BillingError> {
        let now = self.now();
        let fetched = match &account.customer {
            Some(customer) => self.fetch(provider, customer, now).await,
            None => Ok(Snapshot::default()),
        };
        let snapshot = match fetched {
            // And all subscriptions with it.
            Err(error) if error.is_customer_gone() => {
                (account.customer, account.purchase) = (None, None);
                Snapshot::default()
            }
            fetched => fetched?,
        };
        self.follow_email(provider, account).await?;
        account.live = self.is_live;
        account.subscription = entitlement::select(&snapshot.subscriptions).map(entitlement::to_row);
        let BillingUpdate { mut entries, webhook } = update;
        entries.extend(ledger::payment_entries(&snapshot.subscriptions, &snapshot.invoices));
        entries.extend(snapshot.subscriptions.iter().filter_map(ledger::end_entry));
        self.save(account, &entries, webhook.as_deref()).await?;
        Ok(snapshot)
    }

    /// The email that Stripe has of somebody is that of the account.
    async fn follow_email(&self, provider: &Provider, account: &mut BillingAccount) -> Result<(), BillingError> {
        let Some(customer) = account.customer.clone() else { return Ok(()) };
        let Some(user) = self.store.user(account.user_id).await?.filter(|user| user.deleted_at.is_none()) else {
            return Ok(());
        };
        if user.email != account.email {
            let key = format!("email-{customer}-{}", account.version);
            match provider.set_email(&key, &customer, user.email.as_deref()).await {
                // An address that Stripe does not take is not asked for again.
                Ok(()) | Err(ProviderError::Refused(_)) => account.email = user.email,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Stores an account with the paid plan that follows from it, and sends the emails for new entries.
    pub(super) async fn save(
        &self,
        account: &mut BillingAccount,
        entries: &[LedgerEntry],
        webhook: Option<&str>,
    ) -> Result<(), BillingError> {
        self.save_in(&self.store, account, entries, webhook).await
    }

    /// As [`Billing::save`], with a handle of the store that is audited.
    pub(super) async fn save_in(
        &self,
        store: &Store,
        account: &mut BillingAccount,
        entries: &[LedgerEntry],
        webhook: Option<&str>,
    ) -> Result<(), BillingError> {
        let pro = entitlement::pro(account);
        let new = store.save_billing(account, pro, entries, webhook, self.now()).await?;
        account.version += 1;
        let recorded = entries.iter().filter(|entry| new.contains(&entry.fact));
        self.report(account.user_id, recorded);
        self.send_emails(account, &new, entries).await;
        Ok(())
    }

    /// Counts new entries, and warns the operator of those that need somebody.
    pub(super) fn report<'a>(&self, user: Uuid, recorded: impl Iterator<Item = &'a LedgerEntry>) {
        for entry in recorded {
            if let Some(outcome) = ledger::payment_outcome(entry) {
                self.metrics.payment(outcome);
            }
            if let Some(advice) = ledger::advice(entry) {
                tracing::warn!(%user, kind = entry.kind, detail = entry.detail, "{advice}");
            }
        }
    }

    async fn send_emails(&self, account: &BillingAccount, new: &[String], entries: &[LedgerEntry]) {
        let emails = entries.iter().filter(|entry| new.contains(&entry.fact));
        let emails: Vec<_> = emails.filter(|entry| ledger::sends_email(entry)).collect();
        if emails.is_empty() {
            return;
        }
        // A mail that cannot be sent does not undo what was stored.
        let user = match self.store.user(account.user_id).await {
            Ok(user) => user.filter(|user| user.deleted_at.is_none()),
            Err(error) => return tracing::warn!(%error, "mails about a payment were not sent"),
        };
        match self.store.notification_settings(account.user_id).await {
            Ok(settings) if !settings.mail.payment => return,
            // Rather one too many than none.
            _ => {}
        }
        let Some(user) = user else { return };
        for template in emails.iter().filter_map(|entry| ledger::email(entry, &user.username, account)) {
            self.mailer.notify(&user, &template);
        }
    }

    async fn fetch(&self, provider: &Provider, customer: &str, now: DateTime<Utc>) -> Result<Snapshot, ProviderError> {
        let mut subscriptions = subscriptions_with_payments(provider, customer).await?;
        if self.cancel_overdue(provider, &subscriptions, now).await? {
            subscriptions = subscriptions_with_payments(provider, customer).await?;
        }
        let invoices = provider.invoices(customer).await?;
        Ok(Snapshot { subscriptions, invoices })
    }

    /// Cancels what is overdue for longer than the grace period, so that nobody is charged for it later, and purchases
    /// whose payment failed while being processed.
    async fn cancel_overdue(
        &self,
        provider: &Provider,
        subscriptions: &[Subscription],
        now: DateTime<Utc>,
    ) -> Result<bool, ProviderError> {
        let owing = subscriptions.iter().filter(|subscription| entitlement::is_past_due(&subscription.status));
        let overdue = owing.filter(|subscription| {
            entitlement::pro_until(&entitlement::to_row(subscription)).is_some_and(|until| until <= now)
        });
        let failed = subscriptions.iter().filter(|subscription| purchase_has_failed(subscription));
        let mut has_ended = false;
        for subscription in overdue.chain(failed) {
            if let Some(invoice) = subscription
                .latest_invoice
                .as_ref()
                .filter(|invoice| purchase_has_failed(subscription) && invoice.is_open())
            {
                provider.void(&format!("void-{}", invoice.id), &invoice.id).await?;
            }
            provider.cancel_now(&format!("overdue-{}", subscription.id), &subscription.id).await?;
            has_ended = true;
        }
        Ok(has_ended)
    }

    /// Refreshes a user's account from Stripe, with the calls that are kept for that.
    ///
    /// # Errors
    /// As [`Billing::refresh`].
    pub async fn refresh_user(&self, user: UserId) -> Result<(), BillingError> {
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        self.refresh_by(&self.provider()?.for_upkeep(), &mut account, BillingUpdate::default()).await.map(drop)
    }
}

/// A customer's subscriptions, each with the status of the open payment.
async fn subscriptions_with_payments(provider: &Provider, customer: &str) -> Result<Vec<Subscription>, ProviderError> {
    let mut subscriptions = provider.subscriptions(customer).await?;
    for subscription in subscriptions.iter_mut().filter(|subscription| !entitlement::has_ended(&subscription.status)) {
        if let Some(intent) = subscription.open_payment() {
            subscription.payment = Some(provider.intent(intent).await?.status);
        }
    }
    Ok(subscriptions)
}

/// A purchase that is active at Stripe because its payment is being processed, and that will not be paid.
fn purchase_has_failed(subscription: &Subscription) -> bool {
    let is_lost = || match &subscription.latest_invoice {
        Some(invoice) if invoice.is_open() => subscription.payment.as_deref() == Some("requires_payment_method"),
        invoice => invoice.as_ref().is_some_and(|invoice| matches!(invoice.status.as_str(), "void" | "uncollectible")),
    };
    entitlement::is_running(&subscription.status) && subscription.is_unpaid_purchase() && is_lost()
}
