//! A folder.

use std::{
    fmt,
    fs::{self, DirBuilder, File},
    io::{self, BufWriter, Write},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, TempPath};

use super::{Lock, Place};
use crate::error::{BackupError, Result};

#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Lock for File {
    fn is_held(&self) -> bool {
        true
    }
}

impl Folder {
    pub(super) fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    fn refuse(&self, cause: io::Error) -> BackupError {
        BackupError::Target { place: self.to_string(), cause }
    }

    /// The path of a file, with the folders above it.
    fn prepare(&self, name: &str) -> Result<PathBuf> {
        let path = self.0.join(name);
        let folder = path.parent().unwrap_or(&self.0);
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|cause| self.refuse(cause))?;
        Ok(path)
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl Place for Folder {
    fn put(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
        let refuse = |cause: io::Error| self.refuse(cause);
        let path = self.prepare(name)?;
        let folder = path.parent().unwrap_or(&self.0);
        // The same name at each attempt: what a killed process left is replaced.
        let part = folder.join(format!(".{}.part", path.file_name().unwrap_or_default().to_string_lossy()));
        let file = File::create(&part).map_err(refuse)?;
        let mut file = BufWriter::new(NamedTempFile::from_parts(file, TempPath::try_from_path(part).map_err(refuse)?));
        write(&mut file)?;
        let file = file.into_inner().map_err(|error| refuse(error.into_error()))?;
        file.as_file().sync_all().map_err(refuse)?;
        file.persist(&path).map_err(|error| refuse(error.error))?;
        sync_folder(folder).map_err(refuse)
    }

    fn open(&self, name: &str) -> Result<File> {
        File::open(self.0.join(name)).map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => BackupError::Missing { name: name.to_owned() },
            _ => self.refuse(cause),
        })
    }

    fn has(&self, name: &str) -> Result<bool> {
        self.0.join(name).try_exists().map_err(|cause| self.refuse(cause))
    }

    fn list(&self, folder: &str) -> Result<Vec<String>> {
        let entries = match fs::read_dir(self.0.join(folder)) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(vec![]);
            }
            Err(error) => return Err(self.refuse(error)),
        };
        let mut names = vec![];
        for entry in entries {
            let name = entry.map_err(|cause| self.refuse(cause))?.file_name().to_string_lossy().into_owned();
            // Locks, and files that are being written.
            if !name.starts_with('.') {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn remove(&self, name: &str) -> Result<()> {
        let path = self.0.join(name);
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.refuse(error)),
            _ => Ok(()),
        }
    }

    fn lock(&self, name: &str) -> Result<Box<dyn Lock>> {
        let path = self.prepare(name)?;
        let opened = File::options().write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(|cause| self.refuse(cause))?;
        match file.try_lock() {
            Ok(()) => Ok(Box::new(file)),
            Err(fs::TryLockError::WouldBlock) => Err(BackupError::Busy),
            Err(fs::TryLockError::Error(error)) => Err(self.refuse(error)),
        }
    }
}

/// Makes new names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
