//! Errors of opening, and the translation of the engine's errors into SurrealDB's.

use surrealdb_kvs::Error;
use surrealkv::EncryptionError;

/// Why a folder did not open.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Another process, or another handle of this one, has it open.
    #[error("the folder is in use by another process")]
    InUse,
    /// The log is damaged, and complete records after the damage would have to be discarded.
    #[error("{reason}")]
    Incomplete {
        reason: String,
        /// The number of the damaged file of the log, where that is known.
        segment: Option<u64>,
    },
    /// A key is given for a database that is not encrypted.
    #[error("the database is not encrypted, but a key is given")]
    NotEncrypted,
    /// No key is given for an encrypted database.
    #[error("the database is encrypted, and no key is given")]
    KeyNeeded,
    /// The database was encrypted with another key.
    #[error("the database is encrypted with another key")]
    WrongKey,
    /// Other stored data cannot be read.
    #[error("{0}")]
    Damaged(String),
    /// The folder cannot be created, read or written.
    #[error("{0}")]
    Folder(String),
}

/// The engine's message when it refuses to discard complete records; `tests/damage.rs` checks it.
const REFUSES_LOSS: &str = "refused to prevent data loss";

impl From<surrealkv::Error> for OpenError {
    fn from(error: surrealkv::Error) -> Self {
        use surrealkv::Error as E;
        let text = error.to_string();
        match error {
            // The engine has no own variant for this one; `store_open.rs` tests the phrase.
            E::Other(_) if text.contains("already locked by another process") => Self::InUse,
            E::Other(_) if text.contains(REFUSES_LOSS) => {
                let segment = text.split_once("WAL segment ").and_then(|(_, rest)| rest.get(..20)?.parse().ok());
                Self::Incomplete { reason: without_advice(&text), segment }
            }
            E::WalCorruption { segment_id, .. } => Self::Incomplete { reason: text, segment: Some(segment_id as u64) },
            E::Encryption(EncryptionError::NotEncrypted) => Self::NotEncrypted,
            E::Encryption(EncryptionError::NotConfigured) => Self::KeyNeeded,
            E::Encryption(EncryptionError::WrongKey | EncryptionError::UnknownKeyId) => Self::WrongKey,
            E::Encryption(_)
            | E::CorruptedBlock(_)
            | E::CorruptedTableMetadata(_)
            | E::InvalidTableFormat
            | E::TableMetadataNotFound
            | E::TableNotFound(_)
            | E::BlockNotFound
            | E::InvalidBatchRecord
            | E::LoadManifestFail(_)
            | E::Corruption(_)
            | E::ManifestCorruption(_)
            | E::ManifestMissing(_)
            | E::RestoreInterrupted(_)
            | E::LegacyFormat(_)
            | E::MigrationFailed(_)
            | E::SSTable(_)
            | E::Wal(_) => Self::Damaged(text),
            _ => Self::Folder(text),
        }
    }
}

/// The engine's finding without its name and advice: its settings are not the operator's.
fn without_advice(text: &str) -> String {
    let found = text.strip_prefix("Other error: ").unwrap_or(text);
    found.split_once(". Automatic repair").map_or(found, |(found, _)| found).to_owned()
}

/// The engine's error as SurrealDB's, for everything but a failed commit.
pub(crate) fn translate(error: surrealkv::Error) -> Error {
    use surrealkv::Error as E;
    match error {
        // The second is a transaction older than the engine's memory of others: it took no effect either.
        E::TransactionWriteConflict | E::TransactionRetry => Error::TransactionConflict(error.to_string()),
        E::TransactionReadOnly => Error::TransactionReadonly,
        E::TransactionClosed => Error::TransactionFinished,
        E::TransactionWithoutSavepoint => Error::NoSavepoint,
        E::BatchTooLarge => Error::TransactionTooLarge,
        error => Error::Transaction(error.to_string()),
    }
}

/// Whether a commit failed because of its content, and not because of the disk.
pub(crate) fn is_refusal(error: &surrealkv::Error) -> bool {
    use surrealkv::Error as E;
    matches!(
        error,
        E::TransactionWriteConflict
            | E::TransactionRetry
            | E::TransactionReadOnly
            | E::TransactionWriteOnly
            | E::TransactionClosed
            | E::TransactionWithoutSavepoint
            | E::BatchTooLarge
            | E::EmptyKey
            | E::InvalidArgument(_)
    )
}

/// Why a checkpoint could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CheckpointError(pub String);
