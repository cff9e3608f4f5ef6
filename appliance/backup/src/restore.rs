//! Makes a data folder of a backup, as of any moment after its checkpoint.

use std::{
    fmt,
    fs::{self, DirBuilder, File},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::{
    error::{BackupError, Result, local},
    log::{self, Piece},
    manifest::{BackupId, FileEntry, MAX_SETTINGS, Manifest, SETTINGS},
    repository::Repository,
    target::sync_folder,
};

/// What was restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    pub id: BackupId,
    /// The data is as it was then, or a moment before.
    pub until: DateTime<Utc>,
    /// Where the restored log ends; none if nothing followed the checkpoint.
    pub log_end: Option<LogPosition>,
    pub files: usize,
    /// Of files and log.
    pub bytes: u64,
    /// Why what followed is not there, if something did.
    pub missing: Option<String>,
    /// Why the settings of the server are not there, although the backup has them.
    pub unreadable_settings: Option<String>,
    /// Commits that the clock dated after the moment are in it, since it was set back after them.
    pub has_later: bool,
}

/// A place in the database's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogPosition {
    pub segment: u64,
    /// Bytes of the segment that are before it.
    pub offset: u64,
}

impl fmt::Display for LogPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.segment, self.offset)
    }
}

/// Restores a backup into a new or empty folder: its checkpoint, and the log up to a moment (to its end, if none is
/// given). A part of the log that is missing or damaged ends it there, which [`Restored::missing`] says. Settings that are missing
/// or damaged are left out, as [`Restored::unreadable_settings`] says: the data is whole without them.
///
/// # Errors
/// [`BackupError::NotEmpty`], [`BackupError::TooEarly`], [`BackupError::Missing`], [`BackupError::Damaged`],
/// [`BackupError::Local`], [`BackupError::Target`].
pub fn restore(
    repository: &Repository,
    manifest: &Manifest,
    until: Option<DateTime<Utc>>,
    into: &Path,
) -> Result<Restored> {
    if until.is_some_and(|until| until < manifest.at) {
        return Err(BackupError::TooEarly { id: manifest.id.to_string(), begins: manifest.at.to_rfc3339() });
    }
    prepare(into)?;
    let (mut files, mut bytes, mut unreadable_settings) = (0, 0, None);
    for file in &manifest.files {
        match restore_file(repository, file, into) {
            Ok(()) => (files, bytes) = (files + 1, bytes + file.bytes),
            Err(error @ (BackupError::Missing { .. } | BackupError::Damaged { .. })) if file.path == SETTINGS => {
                unreadable_settings = Some(error.to_string());
            }
            Err(error) => return Err(error),
        }
    }
    let mut restored = Restored {
        id: manifest.id.clone(),
        until: manifest.at,
        log_end: None,
        files,
        bytes,
        missing: None,
        unreadable_settings,
        has_later: false,
    };
    let wal = into.join(&manifest.database).join("wal");
    make_folder(&wal)?;
    replay(repository, manifest, until, &wal, &mut restored)?;
    for number in log::numbers(&wal)? {
        let path = log::path(&wal, number);
        File::open(&path).and_then(|file| file.sync_all()).map_err(local(format!("the file {}", path.display())))?;
    }
    sync_folder(&wal).and_then(|()| sync_folder(into)).map_err(local(format!("the folder {}", into.display())))?;
    Ok(restored)
}

fn restore_file(repository: &Repository, file: &FileEntry, into: &Path) -> Result<()> {
    let path = into.join(&file.path);
    let about = |cause| local(format!("the file {}", path.display()))(cause);
    if file.path == SETTINGS {
        let damaged = |reason| BackupError::Damaged { name: SETTINGS.to_owned(), reason };
        let bytes = usize::try_from(file.bytes.min(MAX_SETTINGS)).unwrap_or_default();
        // As a whole or not at all.
        let mut text = vec![0; bytes];
        repository.read(file, &mut &mut text[..], |_| damaged("it is too large"))?;
        return create(&path)?.write_all(&text).map_err(about);
    }
    let mut to = BufWriter::new(create(&path)?);
    repository.read(file, &mut to, about)?;
    to.into_inner().map_err(|error| about(error.into_error()))?.sync_all().map_err(about)
}

/// Writes the log's segments.
fn replay(
    repository: &Repository,
    manifest: &Manifest,
    until: Option<DateTime<Utc>>,
    wal: &Path,
    restored: &mut Restored,
) -> Result<()> {
    let parts = repository.parts(&manifest.id)?;
    let end = match until {
        None => (parts, 0),
        Some(until) => end_at(repository, manifest, parts, until)?,
    };
    for number in 0..parts {
        let part = match repository.part(&manifest.id, number) {
            Ok(part) => part,
            Err(error @ (BackupError::Missing { .. } | BackupError::Damaged { .. })) => {
                restored.missing = Some(error.to_string());
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        for (index, piece) in part.pieces.into_iter().enumerate() {
            if (number, index) >= end {
                return Ok(());
            }
            let at = DateTime::from_timestamp_millis(piece.at).unwrap_or(restored.until);
            if piece.segment < manifest.first_segment {
                continue;
            }
            if !append(wal, &piece)? {
                restored.missing = Some(format!("a piece of the log before {}", at.to_rfc3339()));
                return Ok(());
            }
            let length = piece.bytes.len() as u64;
            restored.bytes += length;
            restored.log_end = Some(LogPosition { segment: piece.segment, offset: piece.offset + length });
            restored.until = at.max(manifest.at);
            restored.has_later |= until.is_some_and(|until| at > until);
        }
    }
    Ok(())
}

/// Where the log ends as of a moment: behind the last piece that was read before it. What is in front of that piece was
/// committed earlier, whatever the clock said.
fn end_at(repository: &Repository, manifest: &Manifest, parts: u64, until: DateTime<Utc>) -> Result<(u64, usize)> {
    for number in (0..parts).rev() {
        let part = match repository.part(&manifest.id, number) {
            // It ends the restore, if it is before the moment.
            Err(BackupError::Missing { .. } | BackupError::Damaged { .. }) => continue,
            part => part?,
        };
        if let Some(index) = part.pieces.iter().rposition(|piece| piece.at <= until.timestamp_millis()) {
            return Ok((number, index + 1));
        }
    }
    Ok((0, 0))
}

/// Writes a piece, which is not on disk then. False if something is missing before it.
fn append(wal: &Path, piece: &Piece) -> Result<bool> {
    let path = log::path(wal, piece.segment);
    let about = |cause| local(format!("the file {}", path.display()))(cause);
    let mut file = if piece.offset == 0 && !path.exists() {
        create(&path)?
    } else {
        match File::options().write(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            file => file.map_err(about)?,
        }
    };
    if file.seek(SeekFrom::End(0)).map_err(about)? != piece.offset {
        return Ok(false);
    }
    file.write_all(&piece.bytes).map_err(about)?;
    Ok(true)
}

/// Where a restore is made, in the folder that it is for.
pub const UNFINISHED: &str = "restore.partial";

/// The place for what is not whole yet, in a new or empty folder; [`move_up`] ends it.
///
/// # Errors
/// [`BackupError::NotEmpty`], [`BackupError::Local`].
pub fn begin(into: &Path) -> Result<PathBuf> {
    prepare(into)?;
    Ok(into.join(UNFINISHED))
}

/// Moves what is whole to its place. The database comes last: without it, nothing takes the folder for data.
///
/// # Errors
/// The disk refuses.
pub fn move_up(unfinished: &Path, into: &Path, database: &str) -> io::Result<()> {
    let mut names: Vec<_> = fs::read_dir(unfinished)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    names.sort_by_key(|name| name == database);
    for name in names {
        fs::rename(unfinished.join(&name), into.join(&name))?;
    }
    fs::remove_dir(unfinished)?;
    sync_folder(into)
}

fn prepare(into: &Path) -> Result<()> {
    make_folder(into)?;
    let mut entries = fs::read_dir(into).map_err(local(format!("the folder {}", into.display())))?;
    if entries.next().is_some() {
        return Err(BackupError::NotEmpty(into.to_owned()));
    }
    Ok(())
}

fn make_folder(folder: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(local(format!("the folder {}", folder.display())))
}

fn create(path: &Path) -> Result<File> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let file = File::options().write(true).create_new(true).mode(0o600).open(path);
    file.map_err(local(format!("the file {}", path.display())))
}
