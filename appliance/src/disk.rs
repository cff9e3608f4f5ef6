//! Watches the free space of the disks that the server writes to: `docs/behaviour/storage.md`.
//!
//! A disk that fills up is reported while there is room left, and nothing new is started on a nearly full one, so that
//! what is left is there for what was started. It recovers by itself.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use nix::sys::statvfs::statvfs;
use tokio::time::sleep;

use crate::{
    config::{Config, Storage},
    error::CommonError,
};

/// Between two readings of the free space: while there is plenty, and while there is little.
const CHECK_EVERY: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(1));

/// When whoever was refused may try again.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// How much is free, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiskLevel {
    Plenty,
    /// Below `storage.warn_free`.
    Low,
    /// Below `storage.stop_free`: nothing new is started.
    Stopped,
}

/// Limits of free space, in bytes.
#[derive(Debug, Clone, Copy)]
struct FreeSpace {
    warn_free: u64,
    stop_free: u64,
}

impl From<&Storage> for FreeSpace {
    fn from(settings: &Storage) -> Self {
        Self { warn_free: settings.warn_free, stop_free: settings.stop_free }
    }
}

/// The free space as last read. Clones share it.
#[derive(Debug, Clone)]
pub struct DiskGuard {
    limits: FreeSpace,
    /// The folders that are written to.
    folders: Arc<[PathBuf]>,
    /// Bytes of the fullest of their disks.
    free: Arc<AtomicU64>,
}

impl DiskGuard {
    /// Reads the free space once.
    pub fn new(config: &Config) -> Self {
        let folders = folders(config).into();
        let guard = Self { limits: (&config.storage).into(), folders, free: Arc::new(AtomicU64::new(u64::MAX)) };
        guard.read();
        guard
    }

    /// Reads the free space again and again; runs until it is dropped.
    pub async fn run(self) {
        loop {
            let before = self.level();
            sleep(if before == DiskLevel::Plenty { CHECK_EVERY.0 } else { CHECK_EVERY.1 }).await;
            let reading = self.clone();
            // A disk that hangs must not hold up a thread of the runtime.
            if tokio::task::spawn_blocking(move || reading.read()).await.is_err() {
                return;
            }
            match (before, self.level()) {
                (before, now) if before == now => {}
                (_, DiskLevel::Plenty) => tracing::info!(free = self.free(), "there is enough free disk space again"),
                (_, DiskLevel::Low) => tracing::warn!(free = self.free(), "the disk is getting full"),
                (_, DiskLevel::Stopped) => {
                    tracing::error!(
                        free = self.free(),
                        "the disk is nearly full: no new games, uploads or log records"
                    );
                }
            }
        }
    }

    fn read(&self) {
        match free(&self.folders) {
            Ok(free) => self.free.store(free, Ordering::Relaxed),
            Err(error) => tracing::warn!(%error, "the free disk space cannot be read"),
        }
    }

    /// Free bytes of the fullest disk; `u64::MAX` if they cannot be read.
    pub fn free(&self) -> u64 {
        self.free.load(Ordering::Relaxed)
    }

    pub fn level(&self) -> DiskLevel {
        level(self.free(), self.limits)
    }

    /// Whether another disk that has so much left would be reported, too.
    pub fn is_low(&self, free: u64) -> bool {
        level(free, self.limits) != DiskLevel::Plenty
    }

    /// Refuses to start anything new on a disk that is nearly full.
    ///
    /// # Errors
    /// [`CommonError::DiskFull`].
    pub fn check(&self) -> Result<(), CommonError> {
        match self.level() {
            DiskLevel::Stopped => Err(CommonError::DiskFull { retry_after: RETRY_AFTER }),
            DiskLevel::Low | DiskLevel::Plenty => Ok(()),
        }
    }

    /// A sentence for operators, if there is little left.
    pub fn notice(&self) -> Option<String> {
        notice(self.free(), self.limits)
    }
}

impl Default for DiskGuard {
    /// Watches nothing.
    fn default() -> Self {
        let limits = FreeSpace { warn_free: 0, stop_free: 0 };
        Self { limits, folders: Arc::new([]), free: Arc::new(AtomicU64::new(u64::MAX)) }
    }
}

/// What `morpion doctor` says of the disks; the error is a problem.
///
/// # Errors
/// When they cannot be read, or little is left.
pub fn report(config: &Config) -> anyhow::Result<String> {
    let free = free(&folders(config))?;
    match notice(free, (&config.storage).into()) {
        Some(notice) => anyhow::bail!(notice),
        None => Ok(format!("{} free", in_units(free))),
    }
}

/// Bytes that are free for this user on the disk of a folder.
///
/// # Errors
/// When they cannot be read.
pub fn free_at(folder: &Path) -> io::Result<u64> {
    free(&[folder.to_owned()])
}

fn folders(config: &Config) -> Vec<PathBuf> {
    [Some(config.data_dir.clone()), config.log_dir()].into_iter().flatten().collect()
}

/// Bytes that are free for this user on the fullest of the disks.
fn free(folders: &[PathBuf]) -> io::Result<u64> {
    let mut least = u64::MAX;
    for folder in folders {
        // Before the first start it is not there yet.
        let existing = folder.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
        let disk = statvfs(existing)?;
        #[allow(clippy::unnecessary_cast, reason = "the types differ between platforms")]
        let free = (disk.blocks_available() as u64).saturating_mul(disk.fragment_size() as u64);
        least = least.min(free);
    }
    Ok(least)
}

fn level(free: u64, limits: FreeSpace) -> DiskLevel {
    if free < limits.stop_free {
        DiskLevel::Stopped
    } else if free < limits.warn_free {
        DiskLevel::Low
    } else {
        DiskLevel::Plenty
    }
}

fn notice(free: u64, limits: FreeSpace) -> Option<String> {
    let left = in_units(free);
    match level(free, limits) {
        DiskLevel::Plenty => None,
        DiskLevel::Low => Some(format!(
            "The disk has {left} left. Below {} no new games, uploads and log records are accepted: free some space.",
            in_units(limits.stop_free)
        )),
        DiskLevel::Stopped => Some(format!(
            "The disk has only {left} left. New games, uploads and log records are refused until there are {}: free some \
             space. Games under way go on.",
            in_units(limits.stop_free)
        )),
    }
}

/// Bytes for people, rounded down.
pub fn in_units(bytes: u64) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match units.into_iter().find(|(_, size)| bytes >= *size) {
        #[allow(clippy::cast_precision_loss, reason = "one digit is shown")]
        Some((unit, size)) if unit == "GiB" => format!("{:.1} {unit}", (bytes * 10 / size) as f64 / 10.0),
        Some((unit, size)) => format!("{} {unit}", bytes / size),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: FreeSpace = FreeSpace { warn_free: 1 << 30, stop_free: 256 << 20 };

    #[test]
    fn the_levels_begin_at_their_limits() {
        for (free, expected) in [
            (u64::MAX, DiskLevel::Plenty),
            (1 << 30, DiskLevel::Plenty),
            ((1 << 30) - 1, DiskLevel::Low),
            (256 << 20, DiskLevel::Low),
            ((256 << 20) - 1, DiskLevel::Stopped),
            (0, DiskLevel::Stopped),
        ] {
            assert_eq!(level(free, LIMITS), expected, "{free}");
        }
    }

    #[test]
    fn the_notice_says_what_is_left_and_what_to_do() {
        assert_eq!(notice(5 << 30, LIMITS), None);
        let low = notice(600 << 20, LIMITS).unwrap();
        assert!(low.starts_with("The disk has 600 MiB left. Below 256 MiB no new games"), "{low}");
        let stopped = notice(1000, LIMITS).unwrap();
        assert!(
            stopped.starts_with("The disk has only 1000 bytes left.") && stopped.contains("until there are 256 MiB")
        );
        assert_eq!(in_units((3 << 30) + (1 << 29)), "3.5 GiB");
    }

    #[test]
    fn only_a_nearly_full_disk_refuses() {
        let guard = DiskGuard { limits: LIMITS, ..DiskGuard::default() };
        assert_eq!(guard.check(), Ok(()));
        guard.free.store(500 << 20, Ordering::Relaxed);
        assert_eq!((guard.check(), guard.level()), (Ok(()), DiskLevel::Low));
        guard.free.store(0, Ordering::Relaxed);
        assert_eq!(guard.check(), Err(CommonError::DiskFull { retry_after: RETRY_AFTER }));
    }

    #[test]
    fn a_folder_that_is_not_made_yet_counts_as_the_one_above() {
        let folder = tempfile::TempDir::new().unwrap();
        let (made, missing) = (folder.path().to_owned(), folder.path().join("a/b"));
        assert!(free(&[made]).unwrap() > 0 && free(&[missing]).unwrap() > 0);
    }
}
