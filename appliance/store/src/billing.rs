//! Payments: `billing`, one record per account, and the ledger, `billing_event`.
//!
//! The account's paid plan ([`User::pro`](crate::User)) follows from the record and is written in the same transaction,
//! as are the ledger's entries and the id of a handled webhook event.

use std::ops::Bound;

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, Value, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, last, row, rows};
use crate::user::{Pro, user_record};

pub(crate) const BILLING_AFTER: &str = "SELECT * FROM $range LIMIT $limit";
pub(crate) const FORGOTTEN_WEBHOOKS: &str = "SELECT VALUE id FROM webhook WHERE at <= $cutoff LIMIT $limit";

/// Stores `$entries` of which nothing is known yet, and `$webhook`; part of a transaction.
const RECORD: &str = "LET $marks = $entries.mark; \
    LET $known = (SELECT VALUE fact FROM $marks); \
    IF $webhook != NONE { UPSERT $webhook CONTENT { at: $now } RETURN NONE }; \
    FOR $entry IN $entries { \
        IF $entry.fact NOT IN $known { \
            LET $mark = $entry.mark; \
            LET $line = $entry.id; \
            CREATE $mark CONTENT { fact: $entry.fact } RETURN NONE; \
            CREATE $line CONTENT $entry.row RETURN NONE; }; };";

/// A user's data at the payment provider.
#[derive(Debug, Clone, PartialEq, SurrealValue)]
pub struct BillingAccount {
    #[surreal(rename = "uid")]
    pub user_id: Uuid,
    /// Whether customer and subscription are of the provider's live or test mode.
    pub live: bool,
    /// The provider's id of the customer.
    pub customer: Option<String>,
    /// The email that the provider has of the customer.
    pub email: Option<String>,
    pub subscription: Option<SubscriptionRow>,
    /// The latest purchase.
    pub purchase: Option<PurchaseRow>,
    pub grant: Option<GrantRow>,
    /// 0 for a new one.
    pub version: i64,
}

impl BillingAccount {
    pub fn new(user_id: Uuid) -> Self {
        Self {
            user_id,
            live: false,
            customer: None,
            email: None,
            subscription: None,
            purchase: None,
            grant: None,
            version: 0,
        }
    }
}

/// A subscription as it was last fetched from the provider.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct SubscriptionRow {
    /// The provider's id.
    pub id: String,
    /// The provider's id of the subscription item.
    pub item: String,
    /// The provider's status.
    pub status: String,
    pub plan_id: Option<i64>,
    pub price_id: String,
    pub name: String,
    /// In the smallest unit.
    pub price: i64,
    pub currency: String,
    /// The end of the last period that was paid.
    pub paid_until: Option<DateTime<Utc>>,
    /// It ends then and is not renewed.
    pub cancels: bool,
    pub ended_at: Option<DateTime<Utc>>,
    /// The provider's id of the invoice whose payment is being processed.
    pub processing: Option<String>,
}

/// A started purchase, stored before the provider is called.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct PurchaseRow {
    /// The idempotency key of the subscription.
    pub key: String,
    /// The idempotency key of the customer.
    pub customer_key: String,
    /// The email the customer is created with: the same key has to come with the same content.
    pub email: Option<String>,
    pub plan_id: i64,
    pub price_id: String,
    pub started_at: DateTime<Utc>,
    /// The provider's id of the resulting subscription, once known.
    pub subscription: Option<String>,
}

/// Pro granted by an operator.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct GrantRow {
    /// Absent: without an end.
    pub until: Option<DateTime<Utc>>,
    pub reason: String,
    /// As the audit trail names them.
    pub actor: String,
    pub at: DateTime<Utc>,
}

/// A new entry of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct LedgerEntry {
    /// Identifies it among all entries: it is written once.
    pub fact: String,
    pub kind: String,
    pub detail: String,
    pub at: DateTime<Utc>,
}

/// A stored entry of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct BillingEvent {
    #[surreal(rename = "bid")]
    pub id: Uuid,
    pub user_id: Uuid,
    pub kind: String,
    pub detail: String,
    pub at: DateTime<Utc>,
}

#[derive(SurrealValue)]
struct StoredEvent {
    #[surreal(flatten)]
    event: BillingEvent,
    newest_first: i64,
}

#[derive(SurrealValue)]
struct NewEvent {
    id: RecordId,
    mark: RecordId,
    fact: String,
    row: StoredEvent,
}

fn billing_record(user: Uuid) -> RecordId {
    RecordId::new("billing", DbUuid::from(user))
}

fn customer_record(customer: &str) -> RecordId {
    RecordId::new("customer", customer.to_owned())
}

fn webhook_record(event: &str) -> RecordId {
    RecordId::new("webhook", event.to_owned())
}

/// The accounts after one, in the order of their ids.
pub(crate) fn billing_range(after: Option<Uuid>) -> RecordId {
    let start = after.map_or(Bound::Unbounded, |user| Bound::Excluded(DbUuid::from(user).into()));
    RecordId::new("billing", RecordIdKeyRange { start, end: Bound::Unbounded })
}

/// Two statements: the newest `$most` entries of a user, and how many there are.
pub(crate) fn events_of_user_query(user: Uuid) -> String {
    format!(
        "SELECT * FROM billing_event WITH INDEX billing_event_user WHERE user_id = u'{user}' \
             ORDER BY newest_first LIMIT $most; \
         SELECT VALUE total FROM (SELECT count() AS total FROM billing_event WITH INDEX billing_event_user \
             WHERE user_id = u'{user}' GROUP ALL);"
    )
}

impl Store {
    /// A user's payment data, if there is any.
    pub async fn billing_account(&self, user: Uuid) -> Result<Option<BillingAccount>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: billing_record(user) }).await?;
        row(&mut response, 0)
    }

    /// The user with this customer at the provider.
    pub async fn user_of_customer(&self, customer: &str) -> Result<Option<Uuid>> {
        let query = "SELECT VALUE uid FROM ONLY $id";
        let mut response = self.read(query, vars! { id: customer_record(customer) }).await?;
        row(&mut response, 0)
    }

    /// Whether a webhook's event was handled.
    pub async fn knows_webhook(&self, event: &str) -> Result<bool> {
        let query = "RETURN record::exists($id)";
        let mut response = self.read(query, vars! { id: webhook_record(event) }).await?;
        Ok(row::<bool>(&mut response, 0)?.unwrap_or(false))
    }

    /// Stores an account with all that follows from it, in one transaction: the paid plan, the ledger's entries, and
    /// the id of a handled webhook event. Returns the facts among the entries that were new. Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::Changed`](crate::StoreError::Changed) unless the stored version is still the one in `account`; nothing was stored then.
    pub async fn save_billing(
        &self,
        account: &BillingAccount,
        pro: Option<Pro>,
        entries: &[LedgerEntry],
        webhook: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<Vec<String>> {
        let query = "BEGIN; \
            LET $before = (SELECT VALUE version FROM ONLY $id) ?? 0; \
            IF $before != $version { THROW 'morpion:billing-changed' }; \
            UPSERT $id CONTENT $account RETURN NONE; \
            IF $customer != NONE { UPSERT $customer CONTENT { uid: $uid } RETURN NONE }; \
            UPDATE $user SET pro = $pro WHERE deleted_at = NONE AND pro != $pro RETURN NONE;";
        let query = format!("{query} {RECORD} fn::audit($audit); RETURN $known; COMMIT;");
        let next = BillingAccount { version: account.version + 1, ..account.clone() };
        let variables = vars! {
            id: billing_record(account.user_id),
            uid: account.user_id,
            version: account.version,
            account: next,
            customer: account.customer.as_deref().map(customer_record),
            webhook: webhook.map(webhook_record),
            now: now,
            user: user_record(account.user_id),
            pro: pro,
            entries: entries.iter().map(|entry| new_event(account.user_id, entry)).collect::<Vec<_>>(),
        };
        let mut response = self.write(&query, variables).await?;
        Ok(new_facts(entries, &last::<String>(&mut response)?))
    }

    /// Stores entries of the ledger, and the id of a handled webhook event, for somebody without payment data: a deleted
    /// account. Returns the facts among them that were new.
    pub async fn save_billing_events(
        &self,
        user: Uuid,
        entries: &[LedgerEntry],
        webhook: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<Vec<String>> {
        let variables = vars! {
            webhook: webhook.map(webhook_record),
            now: now,
            entries: entries.iter().map(|entry| new_event(user, entry)).collect::<Vec<_>>(),
        };
        let mut response = self.write(&format!("BEGIN; {RECORD} RETURN $known; COMMIT;"), variables).await?;
        Ok(new_facts(entries, &last::<String>(&mut response)?))
    }

    /// Removes a user's payment data. The ledger stays, and whose customer it was: a payment may be disputed for months.
    pub async fn delete_billing(&self, user: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: billing_record(user) }).await.map(drop)
    }

    /// At most `limit` accounts after `after`, in the order of their ids.
    pub async fn billing_accounts(&self, after: Option<Uuid>, limit: usize) -> Result<Vec<BillingAccount>> {
        let variables = vars! { range: billing_range(after), limit: limit as i64 };
        let mut response = self.read(BILLING_AFTER, variables).await?;
        rows(&mut response, 0)
    }

    /// A page of accounts for operators, and how many there are.
    pub async fn billing_page(&self, offset: u64, limit: usize) -> Result<(Vec<BillingAccount>, u64)> {
        self.page_of("billing", offset, limit).await
    }

    /// The ledger, the newest first, and how many entries it has.
    pub async fn billing_events(&self, offset: u64, limit: usize) -> Result<(Vec<BillingEvent>, u64)> {
        self.page_of("billing_event", offset, limit).await
    }

    /// A page of a table in the order of its keys, and how many rows it has.
    async fn page_of<T: SurrealValue>(&self, table: &str, offset: u64, limit: usize) -> Result<(Vec<T>, u64)> {
        let query = format!(
            "SELECT * FROM {table} LIMIT $limit START $offset; \
             SELECT VALUE total FROM (SELECT count() AS total FROM {table} GROUP ALL)"
        );
        let mut response = self.read(&query, vars! { offset: offset as i64, limit: limit as i64 }).await?;
        let found = rows(&mut response, 0)?;
        Ok((found, row::<i64>(&mut response, 1)?.unwrap_or(0).max(0) as u64))
    }

    /// One user's entries of the ledger, the newest first, and how many there are.
    pub async fn billing_events_of(&self, user: Uuid, skip: usize, limit: usize) -> Result<(Vec<BillingEvent>, u64)> {
        let variables = vars! { most: (skip + limit) as i64 };
        let mut response = self.read(&events_of_user_query(user), variables).await?;
        let found: Vec<BillingEvent> = rows(&mut response, 0)?;
        let total = row::<i64>(&mut response, 1)?.unwrap_or(0).max(0) as u64;
        Ok((found.into_iter().skip(skip).collect(), total))
    }

    /// Removes the ids of webhook events handled until `cutoff`, at most `limit` of them.
    pub async fn purge_webhooks(&self, cutoff: DateTime<Utc>, limit: usize) -> Result<()> {
        let query = format!("DELETE ({FORGOTTEN_WEBHOOKS}) RETURN NONE");
        self.write(&query, vars! { cutoff: cutoff, limit: limit as i64 }).await.map(drop)
    }
}

fn new_facts(entries: &[LedgerEntry], known: &[String]) -> Vec<String> {
    entries.iter().map(|entry| entry.fact.clone()).filter(|fact| !known.contains(fact)).collect()
}

fn new_event(user_id: Uuid, entry: &LedgerEntry) -> NewEvent {
    let id = Uuid::now_v7();
    let event = BillingEvent { id, user_id, kind: entry.kind.clone(), detail: entry.detail.clone(), at: entry.at };
    NewEvent {
        id: RecordId::new("billing_event", DbUuid::from(Uuid::from_u128(!id.as_u128()))),
        mark: RecordId::new("billing_fact", entry.fact.clone()),
        fact: entry.fact.clone(),
        row: StoredEvent { event, newest_first: -Utc::now().timestamp_micros() },
    }
}
