use std::fmt;
use std::path::PathBuf;

/// Why the store refused or failed. The text is one line and says what the operator can do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// `database.url` cannot be used.
    #[error("database.url '{address}' cannot be used: {reason}; write surrealkv://PATH or mem://")]
    Address { address: String, reason: String },
    /// Another process (or another handle of this one) has the folder open.
    #[error("the data folder {} is in use by another process; stop the other morpion or choose another folder with --data-dir", .path.display())]
    InUse { path: PathBuf },
    /// The folder cannot be created, read or written.
    #[error("the data folder {} cannot be used: {reason}; make it a folder this user may read and write, or choose another with --data-dir", .path.display())]
    Folder { path: PathBuf, reason: String },
    /// A key is configured, and the database was made without one.
    #[error(
        "the database is not encrypted, but storage.encryption_key is set; remove the key, or move the data into a new folder with `morpion export` and `morpion import`"
    )]
    NotEncrypted,
    /// No key is configured for an encrypted database.
    #[error("the database is encrypted; set storage.encryption_key_file to the file with its key")]
    KeyNeeded,
    /// Another key is configured than the database was encrypted with.
    #[error(
        "storage.encryption_key is not the key that the database was encrypted with; find that one, without which nobody can read the data"
    )]
    WrongKey,
    /// The data was written by a newer version of the program.
    #[error(
        "the data is of version {found} and this morpion knows only {known}; install the newer morpion again or restore a backup made before the upgrade"
    )]
    Newer { found: String, known: String },
    /// A migration that was applied differs from the one in this program.
    #[error(
        "migration {number} was changed after it was applied; install the morpion that wrote this data, or restore a backup"
    )]
    MigrationChanged { number: u32 },
    /// A migration failed; the data is as it was before it.
    #[error("migration {number} failed and was rolled back: {reason}; report this and keep using the previous morpion")]
    Migration { number: u32, reason: String },
    /// The copy of the data that precedes a migration could not be made.
    #[error("no backup could be written to {}: {reason}; free some space or make the folder writable, then start again", .path.display())]
    Backup { path: PathBuf, reason: String },
    /// The log is damaged, and complete records behind the damage would have to be left out.
    #[error("the data folder {} has a damaged log: {reason}; restore a backup, or start with --accept-data-loss to go on without what is behind the damage (the log as it is will be kept beside the folder)", .path.display())]
    Incomplete { path: PathBuf, reason: String },
    /// What is stored cannot be read as what it should be.
    #[error("stored data is damaged: {0}; stop morpion and restore the latest backup")]
    Corrupt(String),
    /// A value that must be unique is taken already.
    #[error("that {0} is taken; choose another")]
    Taken(Unique),
    /// The record asked for does not exist.
    #[error("no such {0}; look the id up again")]
    NotFound(&'static str),
    /// The record is not any more what the change was made from.
    #[error("the {0} was changed by somebody else; look at it again")]
    Changed(&'static str),
    /// The account's credentials are not any more those that allowed the act.
    #[error("the account's credentials were changed meanwhile; try again")]
    CredentialsChanged,
    /// As many of what is asked for as the plan allows are there already.
    #[error("the plan's limit is reached; wait for the next month or upgrade")]
    LimitReached,
    /// The account has played a rated game.
    #[error("the account has a rating; use one without a rated game")]
    HasRating,
    /// The account has neither a verified email nor an admin's word.
    #[error("the account's email is not verified; verify it first")]
    NotVerified,
    /// There would be no admin left.
    #[error("this is the last admin; make somebody else an admin first")]
    LastAdmin,
    /// It would take the rights of an admin.
    #[error("this is an admin; take the rights first")]
    IsAdmin,
    /// It was changed a short while ago.
    #[error("it was changed a short while ago; wait until it may be changed again")]
    TooSoon,
    /// Somebody else changed the same records at the same time, again and again.
    #[error("the same records are being changed by others; try again")]
    Conflict,
    /// The store cannot answer: disk full, disk error, or closed.
    #[error("the store cannot answer: {0}; check the disk of the data folder and the log")]
    Unavailable(String),
}

/// Which unique value [`StoreError::Taken`] speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unique {
    /// A username, compared case-insensitively.
    Username,
    /// A verified email, compared case-insensitively.
    Email,
    /// An identity at a provider: issuer and subject.
    Provider,
    /// The name of an operator token, compared case-insensitively.
    TokenName,
    /// A record id that the caller chose.
    Id,
}

impl fmt::Display for Unique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Username => "username",
            Self::Email => "email",
            Self::Provider => "provider account",
            Self::TokenName => "name",
            Self::Id => "id",
        })
    }
}
