//! The thread that makes backups: follows the log ten times a second, stores it every `backup.log_every`, and makes a backup
//! at the start, when one is due, and when the log was cut.
//!
//! The target may be slow, so that what is stored there is stored in threads of its own; the log is followed meanwhile.

use std::{
    path::Path,
    sync::{Arc, OnceLock, atomic::Ordering, mpsc},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use chrono::DateTime;
use morpion_backup::{
    BackupError, BackupId, Manifest, Repository,
    log::{LogFollower, LogPart, Piece},
    remove_folder,
    repository::{Listing, Unreadable},
    tail,
};
use tokio::{runtime::Handle, sync::oneshot};

use super::{Request, Shared, repository};
use crate::disk::{DiskLevel, free_at};

type Result<T, E = BackupError> = std::result::Result<T, E>;

/// How exactly a moment can be restored. Segments of the log come and go in minutes.
const FOLLOW_EVERY: Duration = Duration::from_millis(100);

/// What cannot even be followed is not logged ten times a second.
const FAILURE_PAUSE: Duration = Duration::from_secs(1);

/// Bytes of the log in memory, while the target is slow.
const MAX_PENDING: u64 = 64 << 20;

/// After a failure: at first, and at most.
const RETRY_AFTER: (Duration, Duration) = (Duration::from_secs(15), Duration::from_secs(600));

pub(super) struct Worker {
    shared: Arc<Shared>,
    requests: mpsc::Receiver<Request>,
    runtime: Handle,
    repository: Option<Repository>,
    follower: Option<LogFollower>,
    /// What was read of the log, and is not stored.
    pending: LogPart,
    current: Option<Current>,
    storing: Option<Storing>,
    creating: Option<Creating>,
    /// The backup that failed last, when it may stand all the same, and the first segment of its log.
    doubtful: Option<(BackupId, u64)>,
    /// A new backup is due.
    is_wanted: bool,
    /// Nothing is tried before.
    retry: (Instant, Duration),
    /// When the current backup was begun, and when its log was stored last.
    created: Instant,
    stored: Instant,
    /// How often the database had opened its log again.
    reopened: u64,
}

/// The backup whose log is stored.
struct Current {
    id: BackupId,
    /// Parts of its log.
    parts: u64,
    /// The segment of the last stored piece: it shows where a tail goes on.
    last_segment: Option<u64>,
}

/// A part of the log on its way.
struct Storing {
    part: Arc<LogPart>,
    /// Bytes that are left at the place then, if that is known.
    thread: JoinHandle<Result<Option<u64>>>,
}

/// A backup on its way.
struct Creating {
    id: BackupId,
    first_segment: u64,
    /// Whether others may see it: decided once, by its thread just before that happens or by a stop that comes first.
    may_stand: Arc<OnceLock<bool>>,
    /// What was committed before it was put into the log of the backup before, or is on its way there.
    is_preceded: bool,
    thread: JoinHandle<Result<Manifest>>,
}

impl Worker {
    /// Inside a runtime.
    pub(super) fn new(shared: Arc<Shared>, requests: mpsc::Receiver<Request>) -> Self {
        let now = Instant::now();
        Self {
            reopened: shared.store.health().reopened,
            shared,
            requests,
            runtime: Handle::current(),
            repository: None,
            follower: None,
            pending: LogPart::default(),
            current: None,
            storing: None,
            creating: None,
            doubtful: None,
            is_wanted: true,
            retry: (now, RETRY_AFTER.0),
            created: now,
            stored: now,
        }
    }

    pub(super) fn run(mut self) {
        let _inside = self.runtime.clone().enter();
        loop {
            let pause = match self.step() {
                Ok(()) => FOLLOW_EVERY,
                Err(error) => {
                    self.fail(&error);
                    FAILURE_PAUSE
                }
            };
            match self.requests.recv_timeout(pause) {
                Ok(Request::Create) => {
                    self.is_wanted = true;
                    self.retry.0 = Instant::now();
                }
                Ok(Request::Stop(done)) => return self.stop(done),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn step(&mut self) -> Result<()> {
        match self.do_what_is_due() {
            // Whatever cuts the log again before there is a backup is told.
            Err(BackupError::Gap) if self.current.is_some() => {
                tracing::warn!("the log of the backups was cut; a new backup begins");
                self.abandon();
                Ok(())
            }
            Err(BackupError::Gap) => {
                self.abandon();
                Err(BackupError::Gap)
            }
            done => done,
        }
    }

    fn do_what_is_due(&mut self) -> Result<()> {
        self.follow()?;
        self.finish_storing()?;
        self.finish_creating()?;
        if Instant::now() < self.retry.0 {
            return self.release_if_full();
        }
        if self.stored.elapsed() >= self.shared.settings.log_every {
            self.store();
        }
        self.is_wanted |= self.created.elapsed() >= self.shared.settings.every;
        if self.is_wanted && self.creating.is_none() && self.shared.disk.level() != DiskLevel::Stopped {
            self.create()?;
            self.is_wanted = false;
        }
        self.release()
    }

    /// Gives up the links that nothing needs any longer.
    fn release(&mut self) -> Result<()> {
        let storing = self.storing.iter().flat_map(|storing| &storing.part.pieces);
        let unstored = storing.chain(&self.pending.pieces).map(|piece| piece.segment).min();
        let stored = self.current.as_ref().and_then(|current| current.last_segment);
        let created = self.creating.as_ref().map(|creating| creating.first_segment);
        let doubtful = self.doubtful.as_ref().map(|(_, first_segment)| *first_segment);
        let hold = [unstored, stored, created, doubtful].into_iter().flatten().min();
        self.follower.as_mut().map_or(Ok(()), |follower| follower.release(hold))
    }

    /// Reads what was appended to the log.
    fn follow(&mut self) -> Result<()> {
        let reopened = self.shared.store.health().reopened;
        if std::mem::replace(&mut self.reopened, reopened) != reopened {
            // What was read may have been cut off.
            return Err(BackupError::Gap);
        }
        let Some(follower) = &mut self.follower else { return Ok(()) };
        let pending: u64 = self.pending.pieces.iter().map(|piece| piece.bytes.len() as u64).sum();
        if self.current.is_some() && pending < MAX_PENDING {
            self.pending.pieces.extend(follower.read(self.shared.clock.wall().timestamp_millis())?);
            Ok(())
        } else {
            follower.follow()
        }
    }

    /// Begins to store what was read of the log.
    fn store(&mut self) {
        let (None, Some(current), Some(repository)) = (&self.storing, &self.current, &self.repository) else { return };
        self.stored = Instant::now();
        if self.pending.pieces.is_empty() {
            return;
        }
        let part = Arc::new(std::mem::take(&mut self.pending));
        let (repository, id, number) = (repository.clone(), current.id.clone(), current.parts);
        let thread = {
            let part = Arc::clone(&part);
            let to = self.shared.settings.to.clone();
            self.spawn(move || {
                repository.append(&id, number, &part)?;
                // Unknown for a bucket.
                Ok(free_at(Path::new(&to)).ok().filter(|_| !to.contains("://")))
            })
        };
        self.storing = Some(Storing { part, thread });
    }

    fn finish_storing(&mut self) -> Result<()> {
        let Some(Storing { part, thread }) = self.storing.take_if(|storing| storing.thread.is_finished()) else {
            return Ok(());
        };
        let free = match join(thread) {
            Ok(free) => free,
            Err(error) => {
                // The same part again, with what follows.
                let later = std::mem::take(&mut self.pending.pieces);
                self.pending.pieces = part.pieces.iter().cloned().chain(later).collect();
                self.creating.iter_mut().for_each(|creating| creating.is_preceded = false);
                return Err(error);
            }
        };
        self.retry.1 = RETRY_AFTER.0;
        if let Some(current) = &mut self.current {
            current.parts += 1;
            current.last_segment = part.pieces.last().map(|piece| piece.segment);
        }
        // A part of the log is no backup: one that failed is still to be made.
        let is_whole = !self.is_wanted && self.creating.is_none();
        let mut state = self.shared.state.lock();
        state.log_until = part.pieces.last().and_then(|piece: &Piece| DateTime::from_timestamp_millis(piece.at));
        if is_whole {
            state.failure = None;
            self.shared.is_told.store(false, Ordering::Relaxed);
        }
        state.free = free;
        Ok(())
    }

    /// Begins a backup.
    fn create(&mut self) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        let folder = &shared.folder;
        if self.repository.is_none() {
            let opened = repository(&shared.settings, &shared.settings.to, &folder.server_name()?)?;
            // The target may be slow, so that the state is not locked meanwhile.
            let listing = opened.list()?;
            if folder.made()?.is_none() {
                folder.add_made(listing.ids())?;
            }
            let own = folder.made()?.unwrap_or_default();
            let Listing { mut manifests, unreadable } = listing;
            for Unreadable { id, cause, .. } in &unreadable {
                tracing::warn!(%id, error = %cause, "a backup cannot be read");
            }
            shared.state.lock().unreadable = unreadable.into_iter().map(|unreadable| unreadable.id).collect();
            add_tail(&opened, manifests.iter().filter(|manifest| own.contains(&manifest.id)), &folder.tail())?;
            if let Some(last) = manifests.pop() {
                shared.metrics.backup_found(last.at);
                shared.state.lock().last = Some(last);
            }
            self.repository = Some(opened);
        }
        let Some(repository) = self.repository.clone() else { return Ok(()) };
        shared.begin();
        if self.follower.is_none() {
            self.follower = Some(LogFollower::start(folder.log(), folder.links())?);
        }
        let Some(follower) = &mut self.follower else { return Ok(()) };
        let first_segment = follower.first()?;
        let checkpoint = folder.checkpoint(&shared.store, "checkpoint", &self.runtime)?;
        let (at, keep) = (shared.clock.wall(), shared.settings.keep);
        let id = BackupId::new(at);
        folder.add_made([&id])?;
        self.created = Instant::now();
        let may_stand = Arc::new(OnceLock::new());
        let thread = {
            let (shared, id, may_stand) = (Arc::clone(&shared), id.clone(), Arc::clone(&may_stand));
            self.spawn(move || {
                // First, because what is removed makes room.
                let pruned = repository.prune(keep, at)?;
                shared.state.lock().unreadable = pruned.unreadable;
                let own = shared.folder.made()?;
                let settings = shared.stored_settings(&repository);
                let source = checkpoint.source(settings.as_deref(), first_segment, id, own.as_ref());
                repository.create(&source, at, || *may_stand.get_or_init(|| true))
            })
        };
        self.creating = Some(Creating { id, first_segment, may_stand, is_preceded: false, thread });
        Ok(())
    }

    fn finish_creating(&mut self) -> Result<()> {
        // A part that is on its way belongs to the backup before.
        if self.storing.is_some() {
            return Ok(());
        }
        let Some(creating) = self.creating.as_mut().filter(|creating| creating.thread.is_finished()) else {
            return Ok(());
        };
        // Moments just before the new backup are restored from the one before.
        if !creating.is_preceded && self.current.is_some() && !self.pending.pieces.is_empty() {
            if Instant::now() >= self.retry.0 {
                creating.is_preceded = true;
                self.store();
            }
            return Ok(());
        }
        self.creating.take().map_or(Ok(()), |creating| self.join_created(creating))
    }

    /// Waits for a backup. Its log is followed from now on.
    fn join_created(&mut self, creating: Creating) -> Result<()> {
        let Creating { id, first_segment, may_stand, thread, .. } = creating;
        let manifest = match join(thread) {
            Err(BackupError::NameTaken) => return self.rename(),
            Err(error) => {
                self.doubtful = may_stand.get().is_some_and(|stands| *stands).then_some((id, first_segment));
                self.is_wanted = true;
                return Err(error);
            }
            Ok(manifest) => manifest,
        };
        self.adopt(manifest, first_segment)
    }

    /// Goes on with the log of a backup that was made.
    fn adopt(&mut self, manifest: Manifest, first_segment: u64) -> Result<()> {
        self.doubtful = None;
        // Otherwise the log was cut meanwhile, and the next backup is due already.
        if let Some(follower) = &mut self.follower {
            follower.restart(first_segment)?;
            self.current = Some(Current { id: manifest.id.clone(), parts: 0, last_segment: None });
        }
        self.pending = LogPart::default();
        self.retry.1 = RETRY_AFTER.0;
        let at = manifest.at;
        self.shared.end(Ok((manifest, Some(at))));
        Ok(())
    }

    /// Begins anew under another name, since another server makes backups under this one: its data folder is a copy.
    fn rename(&mut self) -> Result<()> {
        self.is_wanted = true;
        let name = self.shared.folder.take_new_name()?;
        tracing::warn!(
            name,
            "another server makes backups under the name of this one, as a copied data folder does; this one has a new name"
        );
        self.repository = None;
        self.abandon();
        Ok(())
    }

    /// Nothing is tried for a while, then everything again.
    fn fail(&mut self, error: &BackupError) {
        let (at, wait) = &mut self.retry;
        *at = Instant::now() + *wait;
        *wait = (*wait * 2).min(RETRY_AFTER.1);
        tracing::error!(%error, "backups fail");
        self.shared.metrics.backup_finished(self.shared.clock.wall(), false);
        if self.creating.is_none() {
            self.shared.state.lock().running_since = None;
        }
        self.shared.fail(error);
    }

    /// Gives up the log that could not be stored, before it fills the disk.
    fn release_if_full(&mut self) -> Result<()> {
        if self.shared.disk.level() == DiskLevel::Stopped && self.creating.is_none() {
            self.abandon();
            return Ok(());
        }
        self.release()
    }

    /// The log of the current backup ends here; only a new one is complete.
    fn abandon(&mut self) {
        if let Some(mut follower) = self.follower.take()
            && let Err(error) = follower.restart(u64::MAX)
        {
            tracing::warn!(%error, "links to the log are left until the next backup");
        }
        self.pending = LogPart::default();
        (self.current, self.doubtful) = (None, None);
        self.is_wanted = true;
    }

    /// Stores the end of the log, also that of a backup that others may see already: it would be the latest, and lack the end.
    fn stop(mut self, done: oneshot::Sender<()>) {
        // Decided first, so that none appears later.
        let creating = self.creating.take().filter(|creating| *creating.may_stand.get_or_init(|| false));
        if let Some(Storing { part, thread }) = self.storing.take() {
            if join(thread).is_ok() {
                self.current.iter_mut().for_each(|current| current.parts += 1);
            } else {
                self.pending.pieces.splice(..0, part.pieces.iter().cloned());
            }
        }
        self.store_end();
        let standing = match creating {
            Some(creating) => Some(self.join_created(creating)),
            None => self.find_doubtful(),
        };
        match standing {
            Some(Ok(())) => self.store_end(),
            Some(Err(error)) => tracing::error!(%error, "the backup that was being made failed"),
            None => {}
        }
        let _ = done.send(());
    }

    /// Goes on with the backup of which it was not known whether it stands, if it does.
    fn find_doubtful(&mut self) -> Option<Result<()>> {
        let (id, first_segment) = self.doubtful.take()?;
        match self.repository.as_ref()?.get(&id) {
            Err(BackupError::Unknown { .. }) => None,
            found => Some(found.and_then(|manifest| self.adopt(manifest, first_segment))),
        }
    }

    /// Stores what is left of the log of the current backup, if there is one.
    fn store_end(&mut self) {
        if let Err(error) = self.store_rest() {
            tracing::error!(%error, "the end of the log is not backed up");
        }
    }

    fn store_rest(&mut self) -> Result<()> {
        loop {
            // As much as one reading takes.
            self.follow()?;
            let (Some(current), Some(repository)) = (&mut self.current, &self.repository) else { return Ok(()) };
            if self.pending.pieces.is_empty() {
                return Ok(());
            }
            repository.append(&current.id, current.parts, &self.pending)?;
            current.parts += 1;
            self.pending = LogPart::default();
        }
    }

    fn spawn<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> JoinHandle<Result<T>> {
        let runtime = self.runtime.clone();
        thread::spawn(move || {
            let _inside = runtime.enter();
            work()
        })
    }
}

/// Adds what a process that was killed had not stored to the backup it continues.
///
/// # Errors
/// [`BackupError::Target`]: it is tried again. Whatever else is wrong with it stays so.
fn add_tail<'a>(
    repository: &Repository,
    mut own: impl DoubleEndedIterator<Item = &'a Manifest>,
    tail: &Path,
) -> Result<()> {
    let continued = own.rfind(|manifest| manifest.has_log());
    match continued.map_or(Ok(0), |manifest| tail::append(repository, manifest, tail)) {
        Ok(0) => {}
        Ok(bytes) => tracing::info!(bytes, "what was committed before the last stop was added to its backup"),
        Err(error @ BackupError::Target { .. }) => return Err(error),
        Err(error) => tracing::warn!(%error, "what was committed before the last stop is missing in its backup"),
    }
    remove_folder(tail)
}

fn join<T>(thread: JoinHandle<Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|_| {
        let cause = std::io::Error::other("the work on it ended; the log of the program says why");
        Err(BackupError::Local { what: "the backup".to_owned(), cause })
    })
}
