//! Backups of a running server: `docs/behaviour/backups.md`.
//!
//! A thread of its own follows the database's log and stores it every few seconds, and makes a new backup when one is
//! due. Nothing in play waits for it.

mod source;
mod verification;
mod worker;

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Duration,
};

use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use morpion_backup::{
    BackupError, BackupId, Manifest, Repository, Target, remove_folder, repository::Listing, target::BucketOptions,
};
use morpion_store::{DataKey, MANIFEST, Store, StoreError};
use parking_lot::Mutex;
use tokio::{
    sync::{Semaphore, oneshot},
    time::timeout,
};

use crate::{
    background,
    clock::Clock,
    config::{self, Config, EffectiveSettings},
    disk::{DiskGuard, in_units},
    metrics::Metrics,
    webhooks::message,
};
use source::DataFolder;
use worker::Worker;

pub use verification::Verification;

pub use source::{MAX_KEY, is_key, keep_tail, keys, server_name};

/// The end of the log is waited for this long when the server stops.
const LAST_PART: Duration = Duration::from_secs(3);

/// Stands for the id of the latest backup.
pub const LATEST: &str = "latest";

/// A listing of the backups is waited for this long.
const LISTING: Duration = Duration::from_secs(15);

/// How late a backup may be, compared with `backup.every`.
const OVERDUE_AFTER: i32 = 2;

/// How far the stored log may be behind before operators are told, at least.
const BEHIND_AFTER: Duration = Duration::from_secs(120);

/// How the backups of this server are. Clones share it.
#[derive(Debug, Clone)]
pub struct Backups {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    store: Store,
    settings: config::Backup,
    /// What the server was started with.
    effective: EffectiveSettings,
    is_drill: bool,
    folder: DataFolder,
    clock: Clock,
    disk: DiskGuard,
    metrics: Metrics,
    state: Mutex<BackupState>,
    /// Webhooks were told that backups fail; until one is made.
    is_told: Arc<AtomicBool>,
    worker: Mutex<Option<Running>>,
    /// One listing at a time, so that those of a place that hangs do not pile up.
    listing: Arc<Semaphore>,
    is_stopping: AtomicBool,
}

/// The threads of backups that are made by themselves.
#[derive(Debug)]
struct Running {
    requests: mpsc::Sender<Request>,
    /// Arguments of another process with the same configuration.
    arguments: Vec<OsString>,
    /// Closed at the end of the last check of a backup.
    verifying: Option<oneshot::Receiver<()>>,
}

/// What the worker is asked for.
#[derive(Debug)]
enum Request {
    Create,
    Stop(oneshot::Sender<()>),
}

/// How backups went, since the start.
#[derive(Debug, Clone, Default)]
pub struct BackupState {
    /// Backups are made by themselves.
    pub is_scheduled: bool,
    /// When the one that is being made was begun.
    pub running_since: Option<DateTime<Utc>>,
    /// The latest, of an earlier start too.
    pub last: Option<Manifest>,
    /// What was committed until then is stored.
    pub log_until: Option<DateTime<Utc>>,
    pub failure: Option<BackupFailure>,
    /// Bytes left at the place, if it is a folder, when something was stored last.
    pub free: Option<u64>,
    /// Backups that cannot be read.
    pub unreadable: Vec<BackupId>,
    /// The last check of a backup.
    pub verification: Option<Verification>,
}

/// Why backups are not listed or verified.
#[derive(Debug)]
pub enum BackupRefusal {
    /// No backups are made by themselves.
    NoPlace,
    /// A backup is being verified.
    Verifying,
    /// The place does not answer.
    Hangs,
    Failed(BackupError),
}

/// Why backups fail.
#[derive(Debug, Clone)]
pub struct BackupFailure {
    pub since: DateTime<Utc>,
    /// May contain paths.
    pub cause: String,
}

impl Backups {
    pub fn new(config: &Config, store: Store, clock: Clock, disk: DiskGuard, metrics: Metrics) -> Self {
        let shared = Shared {
            store,
            settings: config.backup.clone(),
            effective: config.effective.clone(),
            is_drill: config.is_drill,
            folder: DataFolder::of(config),
            clock,
            disk,
            metrics,
            state: Mutex::default(),
            is_told: Arc::default(),
            worker: Mutex::new(None),
            listing: Arc::new(Semaphore::new(1)),
            is_stopping: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Makes backups from now on, if `backup.to` is set and the data is on disk; until [`Backups::stop`]. With the
    /// arguments another process has the same configuration.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(&self, arguments: Vec<OsString>) -> std::io::Result<()> {
        if self.shared.folder.database().is_none() {
            return Ok(());
        }
        if let Err(error) = remove_folder(&self.shared.folder.verification()) {
            tracing::warn!(%error, "what a check of a backup left is not removed");
        }
        if self.shared.settings.to.is_empty() {
            return Ok(());
        }
        let (requests, received) = mpsc::channel();
        let worker = Worker::new(Arc::clone(&self.shared), received);
        std::thread::Builder::new().name("backups".to_owned()).spawn(move || {
            background::lower_priority();
            worker.run();
        })?;
        self.shared.state.lock().is_scheduled = true;
        *self.shared.worker.lock() = Some(Running { requests, arguments, verifying: None });
        Ok(())
    }

    /// Stores the end of the log, and ends the check of a backup; to be called when the store is closed.
    pub async fn stop(&self) {
        let Some(Running { requests, verifying, .. }) = self.shared.worker.lock().take() else { return };
        self.shared.is_stopping.store(true, Ordering::Relaxed);
        let (done, stopped) = oneshot::channel();
        let storing = async {
            if requests.send(Request::Stop(done)).is_ok() && timeout(LAST_PART, stopped).await.is_err() {
                tracing::warn!("the end of the log could not be backed up in time");
            }
        };
        let verifying = async {
            if let Some(end) = verifying {
                let _ = timeout(LAST_PART, end).await;
            }
        };
        tokio::join!(storing, verifying);
    }

    /// The backups of this server at its place.
    ///
    /// # Errors
    /// [`BackupRefusal`], but not [`BackupRefusal::Verifying`].
    pub async fn list(&self) -> Result<Listing, BackupRefusal> {
        if self.shared.worker.lock().is_none() {
            return Err(BackupRefusal::NoPlace);
        }
        let shared = Arc::clone(&self.shared);
        let list = async move {
            let permit = Arc::clone(&shared.listing).acquire_owned().await.ok()?;
            let list = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                let Some(name) = shared.folder.known_server_name() else { return Ok(Listing::default()) };
                Repository::list_of(&target(&shared.settings, &shared.settings.to)?, &name)
            });
            list.await.ok()
        };
        let listed = timeout(LISTING, list).await.ok().flatten().ok_or(BackupRefusal::Hangs)?;
        listed.map_err(BackupRefusal::Failed)
    }

    /// Begins the check of a backup, of the latest if none is given. [`BackupState::verification`] says how it goes.
    ///
    /// # Errors
    /// [`BackupRefusal::NoPlace`], [`BackupRefusal::Verifying`], [`BackupRefusal::Failed`] without another thread.
    pub fn verify(&self, id: Option<BackupId>) -> Result<(), BackupRefusal> {
        let mut worker = self.shared.worker.lock();
        let Some(running) = &mut *worker else { return Err(BackupRefusal::NoPlace) };
        {
            let mut state = self.shared.state.lock();
            if state.verification.as_ref().is_some_and(Verification::is_under_way) {
                return Err(BackupRefusal::Verifying);
            }
            state.verification = Some(Verification {
                id: id.clone(),
                started_at: self.shared.clock.wall(),
                finished_at: None,
                problems: vec![],
                failure: None,
            });
        }
        match verification::start(Arc::clone(&self.shared), running.arguments.clone(), id) {
            Ok(end) => running.verifying = Some(end),
            Err(cause) => {
                self.shared.state.lock().verification = None;
                let what = "the check of a backup".to_owned();
                return Err(BackupRefusal::Failed(BackupError::Local { what, cause }));
            }
        }
        Ok(())
    }

    /// Begins a backup, to another target if one is given. [`BackupState::running_since`] says when it is done; one that
    /// is being made already is as good.
    ///
    /// # Errors
    /// [`BackupError::Location`] if no target is given or set, or it is none; [`BackupError::Local`] in memory and in a drill.
    pub fn create(&self, to: Option<&str>) -> Result<(), BackupError> {
        let shared = &self.shared;
        let to = to.unwrap_or(&shared.settings.to);
        if !Target::is_location(to) {
            return Err(BackupError::Location(to.to_owned()));
        }
        if shared.is_drill {
            let cause = std::io::Error::other("nothing leaves this machine");
            return Err(BackupError::Local { what: "a backup of a drill".to_owned(), cause });
        }
        if shared.folder.database().is_none() {
            let cause = std::io::Error::other("it is in memory only");
            return Err(BackupError::Local { what: "the database".to_owned(), cause });
        }
        let worker = shared.worker.lock();
        let begins = shared.begin();
        // Whoever asked wants to know how this one goes.
        shared.state.lock().failure = None;
        if let Some(running) = worker.as_ref().filter(|_| to == shared.settings.to) {
            let _ = running.requests.send(Request::Create);
        } else if begins {
            let (shared, to) = (Arc::clone(shared), to.to_owned());
            let runtime = tokio::runtime::Handle::current();
            tokio::task::spawn_blocking(move || {
                let made = source::create_once(&shared, &to, &runtime);
                shared.end(made.map(|manifest| (manifest, None)));
            });
        }
        Ok(())
    }

    pub fn state(&self) -> BackupState {
        self.shared.state.lock().clone()
    }

    /// Where backups are made to; empty if nowhere.
    pub fn place(&self) -> &str {
        &self.shared.settings.to
    }

    /// A sentence for operators if something is wrong. It contains no paths.
    pub fn notice(&self) -> Option<String> {
        let state = self.state();
        notice(&state, &self.shared.settings, self.shared.clock.wall())
            .or_else(|| notice_of_place(&state, |free| self.shared.disk.is_low(free)))
    }
}

impl Shared {
    /// What a backup there has of the settings of this server.
    fn stored_settings(&self, repository: &Repository) -> Option<Vec<u8>> {
        let encoded = self.effective.stored(repository.encrypts()).encode();
        encoded.map_err(|error| tracing::error!(%error, "the settings are not in the backup")).ok()
    }

    /// False if one is being made already.
    fn begin(&self) -> bool {
        let mut state = self.state.lock();
        let begins = state.running_since.is_none();
        state.running_since.get_or_insert(self.clock.wall());
        begins
    }

    fn end(&self, made: Result<(Manifest, Option<DateTime<Utc>>), BackupError>) {
        match &made {
            Ok((manifest, _)) => tracing::info!(
                id = %manifest.id, bytes = manifest.bytes(), new_bytes = manifest.stored_bytes, "backup made"
            ),
            Err(error) => tracing::error!(%error, "a backup failed"),
        }
        let at = made.as_ref().map_or_else(|_| self.clock.wall(), |(manifest, _)| manifest.at);
        self.metrics.backup_finished(at, made.is_ok());
        self.state.lock().running_since = None;
        match made {
            Ok((manifest, log_until)) => {
                self.is_told.store(false, Ordering::Relaxed);
                let mut state = self.state.lock();
                state.last = Some(manifest);
                state.log_until = log_until.or(state.log_until);
                state.failure = None;
            }
            Err(error) => self.fail(&error),
        }
    }

    /// Notes a failure; inside a runtime. Webhooks are told of the first since the last success, or of a later one if that could
    /// not be stored.
    fn fail(&self, error: &BackupError) {
        let since = self.state.lock().fail(error, self.clock.wall());
        if !self.is_told.swap(true, Ordering::Relaxed) {
            let (store, is_told) = (self.store.clone(), Arc::clone(&self.is_told));
            tokio::spawn(async move {
                if let Err(error) = store.tell_hooks(&message::of_backup_failure(since)).await {
                    is_told.store(false, Ordering::Relaxed);
                    tracing::warn!(%error, "webhooks could not be notified that backups fail");
                }
            });
        }
    }
}

impl BackupState {
    /// Returns since when they fail.
    fn fail(&mut self, error: &BackupError, now: DateTime<Utc>) -> DateTime<Utc> {
        let since = self.failure.as_ref().map_or(now, |failure| failure.since);
        self.failure = Some(BackupFailure { since, cause: error.to_string() });
        since
    }
}

fn notice(state: &BackupState, settings: &config::Backup, now: DateTime<Utc>) -> Option<String> {
    let time = |at: DateTime<Utc>| at.format("%F %T UTC");
    let last = || match &state.last {
        Some(last) => format!("The latest is of {}.", time(last.at)),
        None => "There is none yet.".to_owned(),
    };
    if let Some(failure) = &state.failure {
        return Some(format!(
            "Backups have failed since {}. {} `morpion backup status` says why.",
            time(failure.since),
            last()
        ));
    }
    if !state.is_scheduled {
        return None;
    }
    let late =
        |at: DateTime<Utc>, allowed: Duration| TimeDelta::from_std(allowed).is_ok_and(|allowed| now - at > allowed);
    let overdue = settings.every.saturating_mul(OVERDUE_AFTER.unsigned_abs());
    if state.last.as_ref().is_some_and(|last| late(last.at, overdue)) {
        return Some(format!("A backup is overdue. {}", last()));
    }
    let behind = settings.log_every.saturating_mul(3).max(BEHIND_AFTER);
    let until = state.log_until.filter(|until| late(*until, behind))?;
    Some(format!("Commits since {} are not backed up yet.", time(until)))
}

/// What may be wrong where the backups are, while they are made.
fn notice_of_place(state: &BackupState, is_low: impl Fn(u64) -> bool) -> Option<String> {
    if let Some(free) = state.free.filter(|free| is_low(*free)) {
        return Some(format!("The disk of the backups has {} left: free some space there.", in_units(free)));
    }
    if let Some(id) = state.unreadable.first() {
        return Some(format!(
            "Backup {id} cannot be read: `morpion backup verify {id}` says why. Until its manifest is repaired or removed, no \
             files of old backups are removed."
        ));
    }
    let verified = state.verification.as_ref().filter(|verification| !verification.problems.is_empty())?;
    Some(format!("Backup {} is damaged: `morpion backup status` says how.", verified.id_or_latest()))
}

/// The backups of a server at a target, with the settings of the configuration.
///
/// # Errors
/// As [`Target::at`] and [`Repository::open`].
pub fn repository(settings: &config::Backup, to: &str, server: &str) -> Result<Repository, BackupError> {
    let passphrase = settings.passphrase.expose();
    Repository::open(&target(settings, to)?, server, (!passphrase.is_empty()).then_some(passphrase))
}

/// A target, with the settings of the configuration.
///
/// # Errors
/// As [`Target::at`].
pub fn target(settings: &config::Backup, to: &str) -> Result<Target, BackupError> {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let options = BucketOptions {
        endpoint: given(&settings.s3_endpoint),
        region: given(&settings.s3_region),
        access_key: given(&settings.s3_access_key),
        secret_key: given(settings.s3_secret_key.expose()),
    };
    Target::at(to, &options)
}

/// Checks that the database opens with the key of the configuration, or without one, and that the key is not in the data
/// folder: beside the data it protects nothing, and every backup and export would have it. Nothing is changed.
///
/// # Errors
/// As [`Store::check_key`]; or where the key is; or the data folder cannot be read.
pub fn check_key(config: &Config) -> anyhow::Result<()> {
    let key = config.storage.encryption_key.as_ref();
    Store::check_key(&config.database_url(), key)?;
    let Some(key) = key.filter(|_| config.data_dir.is_dir()) else { return Ok(()) };
    for path in keys(&config.data_dir)?.into_values() {
        if std::fs::read_to_string(&path).is_ok_and(|text| text.parse().as_ref() == Ok(key)) {
            anyhow::bail!(
                "{} has the key of the database, which would be in every backup; move it out of the data folder",
                path.display()
            );
        }
    }
    Ok(())
}

/// The key that the database of a backup opens with: that of the configuration, or none if it is not encrypted.
///
/// # Errors
/// The key is missing or another one, or the backup cannot be read.
pub fn key_of(
    repository: &Repository,
    manifest: &Manifest,
    settings: &config::Storage,
) -> anyhow::Result<Option<DataKey>> {
    let path = format!("{}/{MANIFEST}", manifest.database);
    let Some(file) = manifest.files.iter().find(|file| file.path == path) else { return Ok(None) };
    let mut text = vec![];
    repository.read(file, &mut text, |cause| BackupError::Local { what: path.clone(), cause })?;
    let key = settings.encryption_key.clone();
    match Store::check_manifest(&text, key.as_ref()) {
        Err(StoreError::NotEncrypted) => Ok(None),
        checked => {
            checked.with_context(|| format!("backup {}", manifest.id))?;
            Ok(key)
        }
    }
}

/// What backups are made of, for restores and checks.
pub const DATABASE: &str = "db";

/// The path of the database in a folder that a backup was restored into.
pub fn restored_database(folder: &std::path::Path) -> PathBuf {
    folder.join(DATABASE)
}

/// The backup to restore: the one with this id, or the latest that begins before a moment, as the clock said then.
///
/// # Errors
/// [`BackupError::Unknown`], [`BackupError::None`], [`BackupError::TooEarly`], and as [`Repository::get`].
pub fn choose(
    repository: &Repository,
    id: Option<&BackupId>,
    at: Option<DateTime<Utc>>,
) -> Result<Manifest, BackupError> {
    if let Some(id) = id {
        return repository.get(id);
    }
    let all = repository.list()?;
    let manifests = &all.manifests;
    // Of the future there is nothing later than what was made last.
    let at = at.filter(|at| manifests.iter().any(|manifest| manifest.at > *at));
    let suitable = match at {
        None => manifests.last(),
        // One that was made while the clock was behind has later moments as well.
        Some(at) => manifests.iter().filter(|manifest| manifest.at <= at).max_by_key(|manifest| manifest.at),
    };
    let (suitable, first) = (suitable.cloned(), manifests.first().cloned());
    // An older one instead would lose what came after it, and nobody would know.
    if let Some(unreadable) = all.unreadable_between(suitable.as_ref(), at) {
        return Err(unreadable.cause);
    }
    match (suitable, first) {
        (Some(manifest), _) => repository.get(&manifest.id),
        (None, Some(first)) => Err(BackupError::TooEarly { id: first.id.to_string(), begins: first.at.to_rfc3339() }),
        (None, None) => Err(BackupError::None(repository.place())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn manifest(text: &str) -> Manifest {
        Manifest {
            format: 1,
            number: 0,
            id: BackupId::new(at(text)),
            at: at(text),
            version: String::new(),
            host: String::new(),
            database: DATABASE.to_owned(),
            files: vec![],
            first_segment: 0,
            stored_bytes: 0,
            signature: String::new(),
        }
    }

    #[test]
    fn what_is_wrong_is_told_without_paths() {
        let settings = Config::default().backup;
        let now = at("2026-11-23T12:00:00Z");
        let fine = BackupState {
            is_scheduled: true,
            last: Some(manifest("2026-11-23T02:00:00Z")),
            log_until: Some(at("2026-11-23T11:59:50Z")),
            ..BackupState::default()
        };
        assert_eq!(notice(&fine, &settings, now), None);
        assert_eq!(notice(&BackupState::default(), &settings, now), None, "backups that nobody wants are not late");
        let overdue = BackupState { last: Some(manifest("2026-11-20T02:00:00Z")), ..fine.clone() };
        let text = notice(&overdue, &settings, now).unwrap();
        assert_eq!(text, "A backup is overdue. The latest is of 2026-11-20 02:00:00 UTC.");
        let behind = BackupState { log_until: Some(at("2026-11-23T11:50:00Z")), ..fine.clone() };
        let text = notice(&behind, &settings, now).unwrap();
        assert_eq!(text, "Commits since 2026-11-23 11:50:00 UTC are not backed up yet.");
        let mut failing = fine;
        failing.fail(&BackupError::None("/mnt/secret".to_owned()), now);
        failing.fail(&BackupError::None("/mnt/secret".to_owned()), at("2026-11-23T13:00:00Z"));
        let text = notice(&failing, &settings, now).unwrap();
        assert!(text.starts_with("Backups have failed since 2026-11-23 12:00:00 UTC. The latest is of"), "{text}");
        assert!(!text.contains("/mnt"), "{text}");
        let full = BackupState { free: Some(5 << 20), ..BackupState::default() };
        let text = notice_of_place(&full, |free| free < 1 << 30).unwrap();
        assert_eq!(text, "The disk of the backups has 5 MiB left: free some space there.");
        assert_eq!(notice_of_place(&full, |free| free < 1 << 20), None);
        let damaged = BackupState { unreadable: vec![BackupId::new(now)], ..full };
        let text = notice_of_place(&damaged, |_| false).unwrap();
        assert!(text.contains("cannot be read") && text.contains("morpion backup verify 20261123T120000Z-"), "{text}");
    }
}
