//! The folder: opening the tree in it, and reporting what was discarded.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use scopeguard::defer;
use surrealkv::{CipherPreference, CompactRangeOptions, CompressionType, Tree, TreeBuilder, WalRecoveryMode};
use tracing::{info, warn};

use crate::{DiscardedData, OpenError, Options, tasks};

/// Present in a folder while the engine migrates it.
pub(crate) const MIGRATING: &str = "MIGRATING";

/// Where the engine moves the files that a migration replaced.
const REPLACED: &str = "_surrealkv_v0_backup";

/// The folder of tables in a database's.
const TABLES: &str = "sstables";

/// If more segments are missing at the beginning of the log, that is damage and no flush under load.
const MAX_REMOVED: u64 = 16;

/// How blocks of tables are compressed, from level 0 on; the last holds for all further levels. What is written and merged
/// often costs little processor time, what stays takes little room: in a small database level 2 is larger than by Zstd,
/// but never by more than some 100 MiB. Each block says how it was compressed, so that tables of earlier versions are read
/// as they are.
const COMPRESSION: [CompressionType; 4] = [
    CompressionType::SnappyCompression,
    CompressionType::SnappyCompression,
    CompressionType::SnappyCompression,
    CompressionType::ZstdCompression,
];

/// What level 1 may hold. Every merge of level 0 writes all of it again.
const LEVEL_BYTES: u64 = 128 << 20;

/// How many times as much each further level may hold. For a byte that goes down to it about as many are written again,
/// since keys of players are random.
const LEVEL_FACTOR: f64 = 5.0;

/// The size of tables from level 1 on. Smaller than the level, so that not all of it goes to the next level at once.
const TABLE_BYTES: u64 = 32 << 20;

/// Tables of level 0 that are merged at once. Every merge writes all of level 1 again, so fewer and larger ones write less;
/// but a read of what is not there asks the filter of each table.
const MERGED_AT_ONCE: usize = 16;

/// Tables of level 0 at which writes wait. One merge is done at a time, and while one of deep levels goes on, for some half
/// a minute, play at full speed makes a table every four seconds.
const MOST_UNMERGED: usize = 32;

/// Free space needed before a failed log is reopened: what opening writes, and some commits.
const PROBE_BYTES: usize = 256 << 10;

/// Whether opening this folder will migrate it, and nothing was changed so far: the moment to back it up.
pub fn is_before_migration(folder: &Path) -> bool {
    surrealkv_compat_v1::is_lsmv1_dir(folder) && !folder.join(MIGRATING).exists()
}

/// Prevents every process from opening the folder while the file is held.
pub fn lock(folder: &Path) -> Result<File, OpenError> {
    let file = File::options().write(true).create(true).truncate(false).open(folder.join("LOCK")).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// Whether a process has the folder open. Nothing is changed.
pub fn is_in_use(folder: &Path) -> bool {
    let Ok(file) = File::open(folder.join("LOCK")) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Copies a folder that nobody has open, and returns once the copy is on disk.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else if entry.file_name() != "LOCK" {
            fs::copy(entry.path(), &target)?;
            File::open(&target)?.sync_all()?;
        }
    }
    File::open(to)?.sync_all()
}

/// As [`copy`], with links to the tables, which never change: on the same disk they cost no space.
pub fn copy_with_links(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_name() == TABLES {
            link_tables(&entry.path(), &target)?;
        } else if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else if entry.file_name() != "LOCK" {
            fs::copy(entry.path(), &target)?;
            File::open(&target)?.sync_all()?;
        }
    }
    File::open(to)?.sync_all()
}

fn link_tables(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for table in fs::read_dir(from)? {
        let table = table?;
        fs::hard_link(table.path(), to.join(table.file_name()))?;
    }
    File::open(to)?.sync_all()
}

/// The copies of damaged logs that were kept when this folder was opened, by any process.
pub fn quarantined_logs(folder: &Path) -> Vec<PathBuf> {
    let names = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    let contains = |path: &Path, part: &str| path.file_name().is_some_and(|name| name.to_string_lossy().contains(part));
    let mut kept = names(&folder.join("wal"));
    kept.retain(|path| contains(path, ".wal.corrupt"));
    let mut beside = folder.parent().map(names).unwrap_or_default();
    let damaged = damaged_name(folder);
    beside.retain(|path| contains(path, &damaged));
    kept.append(&mut beside);
    kept.sort();
    kept
}

fn damaged_name(folder: &Path) -> String {
    format!("{}-damaged-", folder.file_name().unwrap_or_default().to_string_lossy())
}

/// Opens the folder for the first time in this process.
pub(crate) async fn open(options: Options) -> Result<(Tree, DiscardedData), OpenError> {
    blocking(move || {
        let folder = &options.folder;
        let migrates = surrealkv_compat_v1::is_lsmv1_dir(folder) || folder.join(MIGRATING).exists();
        // A migration silently discards what follows damage, so that is checked before it starts.
        let checked = if is_before_migration(folder) { check_old_log(folder) } else { Ok(()) };
        let opened = checked.and_then(|()| build(&options, WalRecoveryMode::TolerateTornTail));
        let ((tree, discarded), accepted) = match opened {
            Err(OpenError::Incomplete { reason, segment }) if options.accept_data_loss => {
                warn!(%reason, "complete records are discarded, as accepted");
                copy_log_aside(folder).map_err(unusable)?;
                drop_later_segments(folder, segment).map_err(unusable)?;
                (build(&options, WalRecoveryMode::SalvageValidPrefix)?, true)
            }
            opened => (opened?, false),
        };
        if migrates {
            info!(folder = %folder.display(), "data migrated to the current storage engine");
            // All of it is in the backup made before.
            if let Err(failure) = fs::remove_dir_all(folder.join(REPLACED)) {
                warn!(%failure, "the files that the migration replaced could not be removed");
            }
        }
        Ok((tree, DiscardedData { accepted, ..discarded }))
    })
    .await
}

/// Checks whether the log of the previous engine is intact. It does not show what follows damage, so only an unfinished
/// record at the very end is harmless.
pub fn check_old_log(folder: &Path) -> Result<(), OpenError> {
    let unreadable = |error: surrealkv_compat_v1::Error| OpenError::Damaged(error.to_string());
    let layout = surrealkv_compat_v1::Layout::new(folder);
    let manifest = fs::read(layout.manifest_path()).map_err(unusable)?;
    let needed = surrealkv_compat_v1::read_manifest(&manifest).map_err(unreadable)?.log_number;
    for segment in surrealkv_compat_v1::wal_segments(&layout.wal_dir()).map_err(unreadable)? {
        let damage = surrealkv_compat_v1::read_wal_segment(&segment.path).map_err(unreadable)?.damage;
        if let Some(damage) = damage.filter(|_| segment.id >= needed) {
            let reason = format!("{} is damaged: {damage}", segment.path.display());
            return Err(OpenError::Incomplete { reason, segment: Some(segment.id) });
        }
    }
    Ok(())
}

/// Opens the folder after a failure, and flushes its log to tables: after a failed sync the kernel may return from
/// memory what is not on disk.
pub(crate) async fn open_again(options: Options) -> Result<(Tree, DiscardedData), OpenError> {
    blocking(move || {
        if options.key.is_some() {
            write_log_again(&options.folder.join("wal")).map_err(unusable)?;
        }
        let (tree, discarded) = build(&options, WalRecoveryMode::TolerateTornTail)?;
        let flush = CompactRangeOptions { flush_memtable: true, target_level: Some(0), rewrite_bottommost: false };
        if let Err(error) = tree.compact_range(None, None, &flush) {
            tree.abandon();
            return Err(error.into());
        }
        Ok((tree, discarded))
    })
    .await
}

/// Writes the closed log to new files. A segment of an encrypted log begins with a header, and no flush to tables makes
/// up for one that is in memory only: without it nothing behind it can be read.
fn write_log_again(wal: &Path) -> io::Result<()> {
    let unfinished = wal.with_file_name(".wal-segment");
    for entry in fs::read_dir(wal)? {
        let path = entry?.path();
        if number(&path).is_some() {
            fs::copy(&path, &unfinished)?;
            File::open(&unfinished)?.sync_all()?;
            fs::rename(&unfinished, &path)?;
        }
    }
    File::open(wal)?.sync_all()
}

/// Proves that the disk accepts writes and syncs.
pub(crate) async fn probe(options: Options) -> Result<(), String> {
    let probe = move || {
        let path = options.folder.join(".probe");
        defer! {
            fs::remove_file(&path).ok();
        }
        let mut file = File::create(&path).map_err(unusable)?;
        file.write_all(&vec![0; PROBE_BYTES]).and_then(|()| file.sync_all()).map_err(unusable)
    };
    blocking(probe).await.map_err(|error| error.to_string())
}

fn build(options: &Options, mode: WalRecoveryMode) -> Result<(Tree, DiscardedData), OpenError> {
    let started = match start(options, mode) {
        Err(OpenError::Damaged(_)) if options.key.is_some() && add_removed_segments(options)? => start(options, mode),
        started => started,
    };
    let (tree, torn_bytes) = match started {
        // surrealkv 1.2 refuses a torn end of an encrypted log in this mode. Only damage that nothing readable follows
        // gets here: any other of such a log is refused in every mode, and not as incomplete.
        Err(OpenError::Incomplete { reason, segment }) if options.key.is_some() => {
            let torn_bytes = bytes_after(&reason, &options.folder, segment);
            (start(options, WalRecoveryMode::SalvageValidPrefix)?, torn_bytes)
        }
        started => (started?, 0),
    };
    let discarded = discarded(&tree, torn_bytes);
    Ok((tree, discarded))
}

/// Adds the segments that are missing at the beginning of an encrypted log, empty. False if none is.
///
/// A flush of surrealkv 1.2 removes the segments that are in tables, and where a commit was under way meanwhile, the
/// manifest still names them. Only an encrypted log is then refused. A tree without a log begins with the segment that
/// the manifest names, so that a copy of the folder makes them.
fn add_removed_segments(options: &Options) -> Result<bool, OpenError> {
    let wal = options.folder.join("wal");
    let Some(first) = segments(&wal).map_err(unusable)?.into_iter().min() else { return Ok(false) };
    let copy = Options { folder: options.folder.join(".segments"), ..options.clone() };
    let remove = || fs::remove_dir_all(&copy.folder).ok();
    remove();
    defer! {
        remove();
    }
    copy_without_log(&options.folder, &copy.folder).map_err(unusable)?;
    let mut added = vec![];
    loop {
        // A damaged folder does not open without its log either; what is wrong with it is known.
        let Ok(tree) = start(&copy, WalRecoveryMode::AbsoluteConsistency) else { return Ok(false) };
        tree.abandon();
        let made = segments(&copy.folder.join("wal")).map_err(unusable)?.into_iter().max().unwrap_or(first);
        if made >= first {
            break;
        }
        if first - made > MAX_REMOVED {
            return Ok(false);
        }
        added.push(made);
    }
    for number in &added {
        match fs::hard_link(segment(&copy.folder.join("wal"), *number), segment(&wal, *number)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(unusable(error)),
            _ => {}
        }
    }
    if !added.is_empty() {
        File::open(&wal).and_then(|folder| folder.sync_all()).map_err(unusable)?;
        warn!(segments = ?added, "segments at the beginning of the log are missing; they count as flushed to tables");
    }
    Ok(!added.is_empty())
}

/// Copies a folder that nobody has open, with links to its tables, which never change.
fn copy_without_log(from: &Path, to: &Path) -> io::Result<()> {
    copy(&from.join("manifest"), &to.join("manifest"))?;
    link_tables(&from.join(TABLES), &to.join(TABLES))
}

/// The numbers of the log's segments.
fn segments(wal: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = vec![];
    for entry in fs::read_dir(wal)? {
        numbers.extend(number(&entry?.path()));
    }
    Ok(numbers)
}

fn segment(wal: &Path, number: u64) -> PathBuf {
    wal.join(format!("{number:020}.wal"))
}

/// The number of a segment; none for other files.
fn number(path: &Path) -> Option<u64> {
    if path.extension()? != "wal" {
        return None;
    }
    path.file_stem()?.to_str()?.parse().ok()
}

/// How much of a segment is behind the offset that a refusal names.
fn bytes_after(reason: &str, folder: &Path, segment: Option<u64>) -> u64 {
    let path = self::segment(&folder.join("wal"), segment.unwrap_or_default());
    let length = fs::metadata(path).map_or(0, |file| file.len());
    let offset = reason.split_once("at offset ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
    length.saturating_sub(offset.unwrap_or(0))
}

fn start(options: &Options, mode: WalRecoveryMode) -> Result<Tree, OpenError> {
    let mut settings = surrealkv::Options::new()
        .with_path(options.folder.clone())
        .with_max_memtable_size(options.memtable_bytes)
        .with_block_cache_capacity(options.block_cache_bytes)
        .with_compression_per_level(COMPRESSION.to_vec())
        .with_target_file_size(TABLE_BYTES)
        // A file of the value log is deleted only when no table refers to it: a single old game would keep every
        // journal record written beside it on disk.
        .with_enable_vlog(false)
        .with_wal_recovery_mode(mode);
    settings.max_bytes_for_level = LEVEL_BYTES;
    settings.level_multiplier = LEVEL_FACTOR;
    settings.level0_max_files = MERGED_AT_ONCE;
    settings.l0_stall_threshold = MOST_UNMERGED;
    let settings = match &options.key {
        Some(key) => settings.with_encryption(key.manager(), CipherPreference::Auto),
        None => settings,
    };
    let tree = TreeBuilder::with_options(settings).build()?;
    // surrealkv lets the group list the log, whatever the umask.
    #[cfg(unix)]
    fs::set_permissions(options.folder.join("wal"), std::os::unix::fs::PermissionsExt::from_mode(0o700))
        .map_err(unusable)?;
    Ok(tree)
}

fn discarded(tree: &Tree, torn_bytes: u64) -> DiscardedData {
    let report = tree.recovery_report();
    let discarded =
        DiscardedData { bytes: report.bytes_trimmed + torn_bytes, records: report.records_dropped, accepted: false };
    if !discarded.is_nothing() {
        let DiscardedData { bytes, records, .. } = discarded;
        warn!(bytes, records, kept = ?report.quarantined_files, "a part of the log was discarded; a copy of the original log is kept");
    }
    discarded
}

/// Copies the log aside, to `<folder>-damaged-<seconds>`.
fn copy_log_aside(folder: &Path) -> io::Result<()> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    copy(&folder.join("wal"), &folder.with_file_name(format!("{}{seconds}", damaged_name(folder))))
}

/// Removes the log files after the damaged one: the data has to be as it was at one moment, without gaps.
fn drop_later_segments(folder: &Path, damaged: Option<u64>) -> io::Result<()> {
    let Some(damaged) = damaged else { return Ok(()) };
    for entry in fs::read_dir(folder.join("wal"))? {
        let path = entry?.path();
        if number(&path) > Some(damaged) {
            fs::remove_file(path)?;
        }
    }
    File::open(folder.join("wal"))?.sync_all()
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, OpenError> + Send + 'static,
) -> Result<T, OpenError> {
    tasks::handle().spawn_blocking(work).await.map_err(|failure| OpenError::Folder(failure.to_string()))?
}

pub(crate) fn unusable(error: io::Error) -> OpenError {
    OpenError::Folder(error.to_string())
}
