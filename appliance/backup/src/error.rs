//! What can go wrong with backups. Each text says what to do.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("'{0}' is not a place for backups; write the path of a folder")]
    Location(String),
    #[error("{place} cannot be used: {cause}; check that it is there, writable, and not full")]
    Target { place: String, cause: io::Error },
    #[error("{what} cannot be read or written here: {cause}")]
    Local { what: String, cause: io::Error },
    #[error("there is no backup at {0}")]
    None(String),
    #[error("there is no backup {id} at {place}; `morpion backup list` shows those that are there")]
    Unknown { id: String, place: String },
    #[error("{name} of the backup is missing; choose another backup")]
    Missing { name: String },
    #[error("{name} of the backup is damaged ({reason}); choose another backup")]
    Damaged { name: String, reason: &'static str },
    #[error("the backups are encrypted; give the passphrase (backup.passphrase_file or --passphrase-file)")]
    PassphraseNeeded,
    #[error("the passphrase does not fit these backups; find the one they were made with")]
    WrongPassphrase,
    #[error(
        "the backups there are not encrypted, but a passphrase is set; use another place, or remove the passphrase"
    )]
    NotEncrypted,
    #[error(
        "{name} of the backup has the format {found}, and this morpion knows only {known}; install the newer morpion, or \
         choose another backup"
    )]
    Newer { name: String, found: u32, known: u32 },
    #[error("{} is not empty; a backup is restored into a new or empty folder, never over data", .0.display())]
    NotEmpty(PathBuf),
    #[error("backup {id} begins at {begins}, after the moment that is wanted; choose an earlier backup")]
    TooEarly { id: String, begins: String },
    #[error("a segment of the database's log was gone before it could be followed")]
    Gap,
    #[error("another server makes backups under the same name")]
    NameTaken,
    #[error("somebody else changes these backups right now; try again when they are done")]
    Busy,
    #[error("the server stopped before the backup was complete")]
    Withdrawn,
}

pub type Result<T, E = BackupError> = std::result::Result<T, E>;

/// Removes a folder, if it is there.
///
/// # Errors
/// [`BackupError::Local`].
pub fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(local(format!("the folder {}", folder.display()))(error))
        }
        _ => Ok(()),
    }
}

/// Names what a local file operation was about.
pub(crate) fn local(what: impl Into<String>) -> impl FnOnce(io::Error) -> BackupError {
    let what = what.into();
    |cause| BackupError::Local { what, cause }
}
