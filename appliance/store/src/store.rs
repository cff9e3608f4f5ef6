use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chrono::{DateTime, Utc};
use morpion_engine::{DataKey, Health, yield_point};
use parking_lot::Mutex;
use rand::Rng;
use surrealdb::IndexedResults;
use surrealdb::types::{AlreadyExistsError, Error as DbError, QueryError, SurrealValue, Value, Variables, vars};
use tokio::runtime::Handle;
use tokio::sync::{RwLock, Semaphore, watch};
use tokio_util::task::AbortOnDropHandle;
use uuid::Uuid;

use crate::audit::{ActsBy, AuditEntry, NewRow};
use crate::engine::{self, Engine, cannot_open_folder};
use crate::error::{StoreError, Unique};
use crate::moderation::{Blockers, KnownBlocks};
use crate::search::Names;
use crate::user::user_record;
use crate::{DatabaseUrl, Result, migrate};

/// Attempts of a conflicting write before [`StoreError::Conflict`]: with the pauses below about a second, far longer
/// than any of our writers holds on to a record.
const WRITE_ATTEMPTS: u32 = 24;

/// The longest pause between two attempts of a conflicting write.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// Refuses an act of a person whose credentials changed since, unless this very write was applied before.
const ACTS_BY_ACCOUNT: &str = "LET $by = (SELECT credential_version, deleted_at FROM ONLY $actor); \
    IF (SELECT VALUE aid FROM ONLY audit_head:chain) != $audit.aid AND \
        ($by = NONE OR $by.deleted_at != NONE OR $by.credential_version != $actor_version) \
        { THROW 'morpion:credentials-changed' };";

/// As [`ACTS_BY_ACCOUNT`], of an operator token.
const ACTS_BY_TOKEN: &str = "LET $by = (SELECT VALUE tid FROM operator_token WHERE tid = $actor); \
    IF (SELECT VALUE aid FROM ONLY audit_head:chain) != $audit.aid AND array::len($by) = 0 \
        { THROW 'morpion:credentials-changed' };";

/// How to open a store.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// Where backups before a migration are stored; `backups` beside the data folder when absent.
    pub backups: Option<PathBuf>,
    /// Open even if complete records of a damaged log have to be discarded.
    pub accept_data_loss: bool,
    /// Encrypts new data; existing data open only with the key they were made with, or without one.
    pub key: Option<DataKey>,
    /// Where queries run, each of which takes a core for milliseconds; in the caller's task when absent. The journal does
    /// without queries.
    pub queries: Option<Handle>,
    /// The storage engine of the folder if it is open already. It is not closed with the store.
    pub engine: Option<morpion_engine::Engine>,
}

/// The readings of the server's clocks, in milliseconds; the server knows what each is for.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct StoredClocks {
    /// The machine's.
    pub wall: i64,
    pub steady: i64,
    pub play: i64,
}

#[derive(Debug, SurrealValue)]
struct Heartbeat {
    at: DateTime<Utc>,
    clocks: Option<StoredClocks>,
}

/// An open database. Cheap to clone; all clones are one handle.
///
/// There is one per process: the storage engine locks its folder. Every write that returned `Ok` is on disk.
#[derive(Clone)]
pub struct Store {
    pub(crate) engine: Arc<Engine>,
    /// Live games that have a row.
    pub(crate) live_ids: Arc<Mutex<HashSet<Uuid>>>,
    /// No finished game is a row.
    pub(crate) all_are_adopted: Arc<AtomicBool>,
    /// Whom people block, as far as somebody asked.
    pub(crate) blocks: Arc<Mutex<KnownBlocks>>,
    /// Who blocks anybody.
    pub(crate) blockers: Arc<Blockers>,
    /// Held while rows of finished games become records, or are changed.
    pub(crate) adoption: Arc<tokio::sync::Mutex<()>>,
    /// Read while games that ended are counted and stored.
    pub(crate) ends: Arc<RwLock<()>>,
    /// One permit: whose turn it is to append to the audit trail.
    audit_turn: Arc<Semaphore>,
    /// What searches look through.
    pub(crate) names: Arc<Names>,
    /// Changes with every entry of the audit trail.
    audit_appended: Arc<watch::Sender<()>>,
    /// Changes when something may be to be told to a webhook.
    pub(crate) hook_news: Arc<watch::Sender<()>>,
    /// What the writes of this handle record in the audit trail.
    audit: Option<NewRow>,
    /// What they are refused without.
    by: Option<ActsBy>,
    /// Where the queries of this handle run.
    queries: Option<Handle>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the data at `url`, creating it if there is none, and migrates its schema (after a backup, if there is data
    /// already).
    ///
    /// # Errors
    ///
    /// [`StoreError::InUse`], [`StoreError::Folder`], [`StoreError::NotEncrypted`], [`StoreError::KeyNeeded`],
    /// [`StoreError::WrongKey`], [`StoreError::Newer`], [`StoreError::MigrationChanged`], [`StoreError::Migration`],
    /// [`StoreError::Backup`] and [`StoreError::Corrupt`].
    pub async fn open(url: &DatabaseUrl, options: OpenOptions) -> Result<Self> {
        let engine = migrate::open_current(url, &options).await?;
        let audit_turn = Arc::new(Semaphore::new(1));
        Ok(Self {
            engine: Arc::new(engine),
            live_ids: Arc::default(),
            all_are_adopted: Arc::default(),
            blocks: Arc::default(),
            blockers: Arc::default(),
            adoption: Arc::default(),
            ends: Arc::default(),
            audit_turn,
            names: Arc::default(),
            audit_appended: Arc::default(),
            hook_news: Arc::default(),
            audit: None,
            by: None,
            queries: options.queries,
        })
    }

    /// Opens the storage engine of a folder alone, creating it if need be; for [`OpenOptions::engine`].
    ///
    /// # Errors
    /// As [`Store::open`], but for those of migrations. [`StoreError::Migration`]: the data are of an earlier engine, and
    /// have to be opened as a whole once.
    pub async fn open_engine(folder: &Path, options: &OpenOptions) -> Result<morpion_engine::Engine> {
        if morpion_engine::is_before_migration(folder) {
            let reason = "the data are of an earlier storage engine; serve them once without [cluster]".to_owned();
            return Err(StoreError::Migration { number: 0, reason });
        }
        engine::open_folder(folder, options).await
    }

    /// Checks whether the data at `url`, if there are some, open with this key, or without one. Nothing is changed.
    ///
    /// # Errors
    /// [`StoreError::NotEncrypted`], [`StoreError::KeyNeeded`], [`StoreError::WrongKey`]; [`StoreError::Corrupt`],
    /// [`StoreError::Folder`].
    pub fn check_key(url: &DatabaseUrl, key: Option<&DataKey>) -> Result<()> {
        url.folder().map_or(Ok(()), |folder| engine::check_key(folder, key))
    }

    /// As [`Store::check_key`], for data of which only the file [`crate::MANIFEST`] is at hand.
    ///
    /// # Errors
    /// As [`Store::check_key`].
    pub fn check_manifest(manifest: &[u8], key: Option<&DataKey>) -> Result<()> {
        morpion_engine::check_manifest(manifest, key)
            .map_err(|error| cannot_open_folder(Path::new(crate::MANIFEST), error))
    }

    /// Opens a copy of the data, made in `scratch`: the data itself is neither changed nor migrated.
    ///
    /// # Errors
    /// [`StoreError::InUse`], and as [`Store::open`].
    pub async fn open_copy(folder: &Path, scratch: &Path, key: Option<DataKey>) -> Result<Self> {
        let copy = Self::copy(folder, scratch).await?;
        Self::open(&DatabaseUrl::Folder(copy), OpenOptions { key, ..OpenOptions::default() }).await
    }

    /// What opening the data would change: migrations by name, which were tried on a copy made in `scratch`.
    ///
    /// # Errors
    /// As [`Store::open_copy`].
    pub async fn try_upgrade(folder: &Path, scratch: &Path, key: Option<DataKey>) -> Result<Vec<String>> {
        let copy = Self::copy(folder, scratch).await?;
        migrate::try_on(&copy, &OpenOptions { key, ..OpenOptions::default() }).await
    }

    async fn copy(folder: &Path, scratch: &Path) -> Result<PathBuf> {
        if morpion_engine::is_in_use(folder) {
            return Err(StoreError::InUse { path: folder.to_owned() });
        }
        let copy = scratch.join("db");
        let (from, to) = (folder.to_owned(), copy.clone());
        tokio::task::spawn_blocking(move || morpion_engine::copy(&from, &to))
            .await
            .map_err(std::io::Error::other)
            .flatten()
            .map_err(|error| StoreError::Folder { path: copy.clone(), reason: error.to_string() })?;
        Ok(copy)
    }

    /// A handle for one write, which appends the entry to the audit trail in its own transaction: both are stored or
    /// neither is. Only functions that say so take part; others are refused. With [`AuditEntry::by`] the write is refused
    /// as [`StoreError::CredentialsChanged`] when whoever acts has no longer what they were admitted by.
    pub fn audited(&self, entry: AuditEntry) -> Self {
        Self { by: entry.by, audit: Some(entry.into()), ..self.clone() }
    }

    /// A handle whose queries run in the caller's task, for what falls behind elsewhere.
    pub fn urgent(&self) -> Self {
        Self { queries: None, ..self.clone() }
    }

    /// Flushes everything, stops the background work and releases the folder; returns when that is done.
    ///
    /// Calls on any clone fail with [`StoreError::Unavailable`] afterwards. Dropping a store instead leaves the data
    /// safe, since every commit was synced, but does not wait for the folder to become free.
    pub async fn close(&self) -> Result<()> {
        self.engine.close().await
    }

    /// Makes a copy of the tables in another folder of the same disk, as of this moment. What is committed from then on
    /// is in the log's segments that there are before this call, and later ones.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn checkpoint(&self, to: PathBuf) -> Result<()> {
        self.engine.checkpoint(to).await
    }

    /// The health of the storage engine: whether it accepts writes, and what it had to discard.
    pub fn health(&self) -> Health {
        self.engine.health()
    }

    /// Entries of the storage engine that queries stepped over since the start, for tests of growth; 0 in memory.
    pub fn entries_read(&self) -> u64 {
        self.engine.entries_read()
    }

    /// Writes one small record and waits until it is on disk: proves that the store works.
    pub async fn heartbeat(&self) -> Result<()> {
        self.write("UPSERT heartbeat:alive SET at = time::now() RETURN NONE", vars! {}).await.map(drop)
    }

    /// As [`Store::heartbeat`], with the server's clocks, from which a restart continues.
    pub async fn heartbeat_with(&self, clocks: &StoredClocks) -> Result<()> {
        let query = "UPSERT heartbeat:alive SET at = time::now(), clocks = $clocks RETURN NONE";
        self.write(query, vars! { clocks: clocks.clone() }).await.map(drop)
    }

    /// The clocks of the last heartbeat; `None` if there was none. Earlier versions stored only one.
    pub async fn stored_clocks(&self) -> Result<Option<StoredClocks>> {
        let mut response = self.read("SELECT at, clocks FROM heartbeat:alive", vars! {}).await?;
        let beat = rows::<Heartbeat>(&mut response, 0)?.pop();
        Ok(beat.map(|beat| {
            let at = beat.at.timestamp_millis();
            beat.clocks.unwrap_or(StoredClocks { wall: at, steady: at, play: at })
        }))
    }

    /// Runs a query that only reads.
    pub(crate) async fn read(&self, query: &str, variables: Variables) -> Result<IndexedResults> {
        self.run(query, variables).await
    }

    /// Runs a query that writes, retrying while it conflicts with another transaction.
    ///
    /// With several statements the caller adds `BEGIN` and `COMMIT`. The query has to be safe to repeat, even if it was
    /// applied and only its sync failed. Where it acts it may call `fn::audit($audit)`, which does nothing unless the
    /// handle is [`Store::audited`].
    pub(crate) async fn write(&self, query: &str, mut variables: Variables) -> Result<IndexedResults> {
        variables.insert("audit", self.audit.clone());
        if self.audit.is_none() {
            return self.retried_query(query, variables).await;
        }
        if !query.contains("fn::audit($audit)") {
            return Err(StoreError::Unavailable("a write without a place in the audit trail was to be in it".into()));
        }
        let Some(acting) = query.strip_prefix("BEGIN;") else {
            return Err(StoreError::Unavailable("a write that is no transaction was to be in the audit trail".into()));
        };
        let condition = match self.by {
            None => "",
            Some(ActsBy::Account(credentials)) => {
                variables.insert("actor", user_record(credentials.user_id));
                variables.insert("actor_version", credentials.version);
                ACTS_BY_ACCOUNT
            }
            Some(ActsBy::Token(id)) => {
                variables.insert("actor", id);
                ACTS_BY_TOKEN
            }
        };
        // All entries change the head of the chain. Writes that collide again and again would fail in the end.
        let _turn = self.audit_turn.acquire().await.map_err(|_| StoreError::Conflict)?;
        let outcome = self.retried_query(&format!("BEGIN; {condition} {acting}"), variables).await;
        self.audit_appended.send_replace(());
        outcome
    }

    /// Changes when the audit trail may have a new entry.
    pub fn audit_appended(&self) -> watch::Receiver<()> {
        self.audit_appended.subscribe()
    }

    async fn retried_query(&self, query: &str, variables: Variables) -> Result<IndexedResults> {
        self.retried(|| self.run(query, variables.clone())).await
    }

    async fn run(&self, query: &str, variables: Variables) -> Result<IndexedResults> {
        let (engine, query) = (Arc::clone(&self.engine), query.to_owned());
        self.behind(async move { run(&engine, &query, variables).await }).await
    }

    /// Does work where [`OpenOptions::queries`] says. It ends with its caller.
    pub(crate) async fn behind<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let Some(queries) = &self.queries else { return work.await };
        let ended = AbortOnDropHandle::new(queries.spawn(work)).await;
        ended.unwrap_or_else(|failure| Err(StoreError::Unavailable(failure.to_string())))
    }

    /// Repeats a write while it conflicts with another transaction.
    pub(crate) async fn retried<T, F>(&self, mut write: impl FnMut() -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let mut pause = Duration::from_millis(1);
        for _ in 1..WRITE_ATTEMPTS {
            match write().await {
                Err(StoreError::Conflict) => {}
                outcome => return outcome,
            }
            // Full jitter, so that colliding writers do not collide again.
            let share: f64 = rand::rng().random();
            tokio::time::sleep(pause.mul_f64(share)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        write().await
    }
}

pub(crate) async fn run(engine: &Engine, query: &str, variables: Variables) -> Result<IndexedResults> {
    tracing::trace!(query, "asking the database");
    let mut response = engine.db.query(query).bind(variables).await.map_err(translate)?;
    let errors = response.take_errors();
    if errors.is_empty() {
        return Ok(response);
    }
    // In a failed transaction every statement has an error, most of them 'not executed', and only the commit's names a
    // conflict. So: a conflict if there is one anywhere, otherwise the first statement that failed by itself.
    let mut errors: Vec<(usize, DbError)> = errors.into_iter().collect();
    errors.sort_by_key(|(statement, _)| *statement);
    let cause = errors
        .iter()
        .position(|(_, error)| is_conflict(error))
        .or_else(|| errors.iter().position(|(_, error)| error.query_details() != Some(&QueryError::NotExecuted)))
        .unwrap_or(0);
    Err(translate(errors.swap_remove(cause).1))
}

fn is_conflict(error: &DbError) -> bool {
    error.query_details() == Some(&QueryError::TransactionConflict)
}

/// Our own errors are thrown inside queries as `morpion:` and one of these words.
fn translate(error: DbError) -> StoreError {
    if is_conflict(&error) {
        return StoreError::Conflict;
    }
    if let Some(AlreadyExistsError::Record { id }) = error.already_exists_details() {
        return StoreError::Taken(match id.split(':').next() {
            Some("username") => Unique::Username,
            Some("email") => Unique::Email,
            Some("provider") => Unique::Provider,
            _ => Unique::Id,
        });
    }
    match error.message().rsplit_once("morpion:").map(|(_, word)| word) {
        Some("username-taken") => StoreError::Taken(Unique::Username),
        Some("email-taken") => StoreError::Taken(Unique::Email),
        Some("provider-taken") => StoreError::Taken(Unique::Provider),
        Some("token-name-taken") => StoreError::Taken(Unique::TokenName),
        Some("no-user") => StoreError::NotFound("user"),
        Some("no-setup-link") => StoreError::NotFound("setup link"),
        Some("no-session") => StoreError::NotFound("session"),
        Some("no-game") => StoreError::NotFound("game"),
        Some("no-event") => StoreError::NotFound("event"),
        Some("no-webhook") => StoreError::NotFound("webhook"),
        Some("no-delivery") => StoreError::NotFound("delivery"),
        Some("no-series") => StoreError::NotFound("series"),
        Some("series-changed") => StoreError::Changed("series"),
        Some("occurrence-made") => StoreError::Taken(Unique::Id),
        Some("no-signup") => StoreError::NotFound("sign-up"),
        Some("event-changed") => StoreError::Changed("event"),
        Some("ratings-changed") => StoreError::Changed("ratings"),
        Some("billing-changed") => StoreError::Changed("subscription"),
        Some("credentials-changed") => StoreError::CredentialsChanged,
        Some("plan-limit") => StoreError::LimitReached,
        Some("has-rating") => StoreError::HasRating,
        Some("not-verified") => StoreError::NotVerified,
        Some("is-admin") => StoreError::IsAdmin,
        Some("last-admin") => StoreError::LastAdmin,
        Some("too-soon") => StoreError::TooSoon,
        _ if error.is_serialization() => StoreError::Corrupt(error.message().to_owned()),
        _ => StoreError::Unavailable(error.message().to_owned()),
    }
}

/// The rows of one statement of a query.
pub(crate) fn rows<T: SurrealValue>(response: &mut IndexedResults, statement: usize) -> Result<Vec<T>> {
    let values: Vec<Value> = response.take(statement).map_err(damaged)?;
    let row = |value| {
        yield_point();
        T::from_value(value).map_err(damaged)
    };
    values.into_iter().map(row).collect()
}

/// The row of one statement, or the only value it returned.
pub(crate) fn row<T: SurrealValue>(response: &mut IndexedResults, statement: usize) -> Result<Option<T>> {
    response.take(statement).map_err(damaged)
}

/// The rows that the `RETURN` before a `COMMIT` answers.
pub(crate) fn last<T: SurrealValue>(response: &mut IndexedResults) -> Result<Vec<T>> {
    let statements = response.num_statements();
    // The COMMIT has an entry of its own, after the RETURN's.
    rows(response, statements.saturating_sub(2))
}

fn damaged(error: DbError) -> StoreError {
    StoreError::Corrupt(error.message().to_owned())
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Builder;

    use super::*;

    /// Waits until it holds, for ten seconds at most.
    async fn eventually(holds: impl Fn() -> bool) -> bool {
        let mut tries = 0..1_000;
        while !holds() && tries.next().is_some() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        holds()
    }

    #[test]
    fn queries_run_where_the_options_say_and_end_with_their_caller() {
        let queries = Builder::new_multi_thread().enable_all().worker_threads(1).build().unwrap();
        let options = OpenOptions { queries: Some(queries.handle().clone()), ..OpenOptions::default() };
        let metrics = queries.metrics();
        Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            let store = Store::open(&DatabaseUrl::Memory, options).await.unwrap();
            store.heartbeat().await.unwrap();
            let is_elsewhere = eventually(|| metrics.num_alive_tasks() == 1);
            tokio::select! {
                _ = store.read("SLEEP 1h", vars! {}) => panic!("it slept for an hour"),
                is_elsewhere = is_elsewhere => assert!(is_elsewhere, "it runs in the caller's task"),
            }
            assert!(eventually(|| metrics.num_alive_tasks() == 0).await, "a query goes on that nobody waits for");

            let urgent = store.urgent();
            let asked = urgent.read("SLEEP 1h", vars! {});
            assert!(tokio::time::timeout(Duration::from_millis(100), asked).await.is_err());
            assert_eq!(metrics.num_alive_tasks(), 0, "an urgent query runs elsewhere");
            store.close().await.unwrap();
        });
    }
}
