//! What a process that was killed had committed, and not stored: its last `log_every`.
//!
//! Its links to the log are still there. An opening goes on with the newest segment under another name, so that they are
//! kept as they are before it, and added to the backup they continue after it.

use std::{
    fs::{self, DirBuilder, File},
    io::{self, Read, Seek, SeekFrom},
    os::unix::fs::DirBuilderExt,
    path::Path,
    time::UNIX_EPOCH,
};

use crate::{
    error::{Result, local, remove_folder},
    log::{self, LogPart, Piece},
    manifest::Manifest,
    repository::Repository,
};

/// Bytes of a part: as many as [`log::LogFollower`] reads at once.
const PART: u64 = log::READ_AT_ONCE;

/// Keeps what the last process had followed in a folder, and the segments of the log that it began and had not linked yet,
/// instead of what was kept before. To be called before the database is opened. The newest segment is copied, since the
/// opening changes it.
///
/// # Errors
/// [`crate::BackupError::Local`].
pub fn keep(links: &Path, log: &Path, tail: &Path) -> Result<()> {
    remove_folder(tail)?;
    let linked = if links.is_dir() { log::numbers(links)? } else { vec![] };
    let Some(&last) = linked.last() else { return Ok(()) };
    let begun = if log.is_dir() { log::numbers(log)? } else { vec![] };
    let begun = begun.into_iter().filter(|number| *number > last).zip(last + 1..);
    let begun = begun.take_while(|(number, next)| number == next).map(|(number, _)| (number, log));
    let all: Vec<_> = linked.into_iter().map(|number| (number, links)).chain(begun).collect();
    let newest = all.last().map(|(number, _)| *number);
    let about = |number: u64| local(format!("the log {}", log::path(tail, number).display()));
    DirBuilder::new().recursive(true).mode(0o700).create(tail).map_err(about(last))?;
    for (number, folder) in all {
        let (from, to) = (log::path(folder, number), log::path(tail, number));
        let kept = if Some(number) == newest { copy(&from, &to) } else { fs::hard_link(&from, &to) };
        kept.map_err(about(number))?;
    }
    Ok(())
}

/// A copy with the time of the last change.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let modified = fs::metadata(from)?.modified()?;
    fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_modified(modified)
}

/// Adds what was kept to the log of a backup, if it continues it. Returns how many bytes that were. When each of them was
/// committed is not known any longer: they count as of the last change of their segment.
///
/// # Errors
/// [`crate::BackupError::Target`], [`crate::BackupError::Damaged`], [`crate::BackupError::Missing`],
/// [`crate::BackupError::Local`].
pub fn append(repository: &Repository, manifest: &Manifest, tail: &Path) -> Result<u64> {
    let mut parts = repository.parts(&manifest.id)?;
    let (first, mut offset) = match last_piece(repository, manifest, parts)? {
        Some(piece) if is_in(tail, &piece)? => (piece.segment, piece.offset + piece.bytes.len() as u64),
        Some(_) => return Ok(0),
        None => (manifest.first_segment, 0),
    };
    let mut added = 0;
    let numbers = if tail.is_dir() { log::numbers(tail)? } else { vec![] };
    if !numbers.contains(&first) {
        return Ok(0);
    }
    // There are gaps where the database had written nothing when it was opened.
    for segment in numbers.into_iter().filter(|number| *number >= first) {
        let Some(mut file) = open(tail, segment)? else { break };
        let about = || local(format!("the log {}", log::path(tail, segment).display()));
        let modified = file.metadata().and_then(|metadata| metadata.modified()).map_err(about())?;
        let modified = modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let at = i64::try_from(modified).unwrap_or(0);
        file.seek(SeekFrom::Start(offset)).map_err(about())?;
        loop {
            let mut bytes = vec![];
            let length = file.by_ref().take(PART).read_to_end(&mut bytes).map_err(about())? as u64;
            if length == 0 {
                break;
            }
            let piece = Piece { at, segment, offset, bytes };
            repository.append(&manifest.id, parts, &LogPart { pieces: vec![piece] })?;
            (parts, offset, added) = (parts + 1, offset + length, added + length);
        }
        offset = 0;
    }
    Ok(added)
}

/// The last piece of a backup's log.
fn last_piece(repository: &Repository, manifest: &Manifest, parts: u64) -> Result<Option<Piece>> {
    for number in (0..parts).rev() {
        if let Some(piece) = repository.part(&manifest.id, number)?.pieces.pop() {
            return Ok(Some(piece));
        }
    }
    Ok(None)
}

/// Whether a piece is at its place, so that what follows there continues it.
fn is_in(tail: &Path, piece: &Piece) -> Result<bool> {
    let Some(mut file) = open(tail, piece.segment)? else { return Ok(false) };
    let about = || local(format!("the log {}", log::path(tail, piece.segment).display()));
    let mut bytes = vec![];
    file.seek(SeekFrom::Start(piece.offset)).map_err(about())?;
    file.take(piece.bytes.len() as u64).read_to_end(&mut bytes).map_err(about())?;
    Ok(bytes == piece.bytes)
}

fn open(tail: &Path, segment: u64) -> Result<Option<File>> {
    let path = log::path(tail, segment);
    match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        file => file.map(Some).map_err(local(format!("the log {}", path.display()))),
    }
}
