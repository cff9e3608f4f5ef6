//! What a backup consists of.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    error::{BackupError, Result},
    seal::Seal,
};

/// The version of the format, of manifests and everything they name.
pub const FORMAT: u32 = 2;

/// The file of a backup with the settings of its server. No key has such a name.
pub const SETTINGS: &str = ".settings.toml";

/// Bytes of [`SETTINGS`]; a configuration has some KiB.
pub const MAX_SETTINGS: u64 = 1 << 20;

/// Names a backup by the second in which it was made: `20261123T084501Z-3fa9`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BackupId(String);

impl BackupId {
    pub fn new(at: DateTime<Utc>) -> Self {
        Self(format!("{}{}", Self::prefix(at), &Uuid::new_v4().simple().to_string()[..4]))
    }

    /// What the ids of this second begin with. Earlier ids sort before it.
    pub(crate) fn prefix(at: DateTime<Utc>) -> String {
        at.format("%Y%m%dT%H%M%SZ-").to_string()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// None for what cannot be one: it becomes a part of paths.
    pub fn parse(text: &str) -> Option<Self> {
        let is_word =
            |text: &str| (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let (at, random) = text.split_once('-')?;
        (is_word(at) && is_word(random)).then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for BackupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A file of the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// In the data folder, with `/` between its parts.
    pub path: String,
    pub bytes: u64,
    pub sha256: String,
    /// When it was changed, in nanoseconds since 1970: an unchanged file is not read again.
    pub modified: u64,
}

/// A backup: the files of the database and the keys at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub format: u32,
    /// Counts the backups of a server from 1 on, in the order of their making. Format 1 has none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub number: u64,
    pub id: BackupId,
    /// When its checkpoint was complete.
    pub at: DateTime<Utc>,
    /// The Morpion that made it.
    pub version: String,
    /// The machine it was made on.
    pub host: String,
    /// The folder of the database in the data folder.
    pub database: String,
    pub files: Vec<FileEntry>,
    /// Log segments from this one on belong to it.
    pub first_segment: u64,
    /// Bytes that no earlier backup had stored.
    pub stored_bytes: u64,
    /// A checksum of the rest; with a passphrase only its owner can make it.
    #[serde(default)]
    pub signature: String,
}

impl Manifest {
    /// The first segment of a backup whose log is not stored.
    pub const NO_LOG: u64 = u64::MAX;

    pub fn has_log(&self) -> bool {
        self.first_segment != Self::NO_LOG
    }

    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    #[must_use]
    pub fn signed(mut self, seal: &Seal) -> Self {
        self.signature = seal.sign(&self.unsigned());
        self
    }

    /// # Errors
    /// [`BackupError::Newer`], [`BackupError::Damaged`].
    pub fn parse(name: &str, text: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let damaged = |reason| BackupError::Damaged { name: name.to_owned(), reason };
        let Version { format } = serde_json::from_slice(text).map_err(|_| damaged("it is no manifest"))?;
        if format > FORMAT {
            return Err(BackupError::Newer { name: name.to_owned(), found: format, known: FORMAT });
        }
        let manifest: Self = serde_json::from_slice(text).map_err(|_| damaged("it is no manifest"))?;
        let has_safe_paths =
            manifest.files.iter().map(|file| &file.path).chain([&manifest.database]).all(|path| {
                path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']))
            });
        let has_safe_hashes = manifest.files.iter().all(|file| is_hash(&file.sha256));
        if BackupId::parse(manifest.id.as_str()).is_none() || !has_safe_paths || !has_safe_hashes {
            return Err(damaged("a name in it is wrong"));
        }
        Ok(manifest)
    }

    /// The number in a manifest that may be of a newer format.
    pub(crate) fn number_in(text: &[u8]) -> Option<u64> {
        #[derive(Deserialize)]
        struct Numbered {
            number: u64,
        }
        serde_json::from_slice::<Numbered>(text).ok().map(|numbered| numbered.number)
    }

    /// # Errors
    /// [`BackupError::Damaged`] for one that somebody else made or changed.
    pub fn check_signature(&self, name: &str, seal: &Seal) -> Result<()> {
        if seal.sign(&self.unsigned()) == self.signature {
            return Ok(());
        }
        Err(BackupError::Damaged { name: name.to_owned(), reason: "its signature is wrong" })
    }

    fn unsigned(&self) -> Vec<u8> {
        serde_json::to_vec(&Self { signature: String::new(), ..self.clone() }).expect("a manifest is plain data")
    }
}

/// A field that format 1 does not have must not change its checksum.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let at = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        Manifest {
            format: FORMAT,
            number: 1,
            id: BackupId::new(at),
            at,
            version: "0.1.0".to_owned(),
            host: "here".to_owned(),
            database: "db".to_owned(),
            files: vec![FileEntry { path: "db/a".to_owned(), bytes: 3, sha256: "ab".repeat(32), modified: 0 }],
            first_segment: 7,
            stored_bytes: 3,
            signature: String::new(),
        }
    }

    fn parsed(manifest: &Manifest) -> Result<Manifest> {
        Manifest::parse("m", &serde_json::to_vec(manifest).unwrap())
    }

    #[test]
    fn ids_name_the_second_and_are_safe_in_paths() {
        let id = manifest().id;
        assert!(id.as_str().starts_with("20270115T080000Z-"), "{id}");
        assert_eq!(BackupId::parse(id.as_str()), Some(id));
        for text in ["", "a", "a-", "../x-y", "a-b/c", "a b-c"] {
            assert_eq!(BackupId::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_a_stranger_wrote_leads_nowhere_else() {
        let whole = manifest();
        assert_eq!(parsed(&whole).unwrap(), whole);
        for path in ["/etc/passwd", "../x", "db/../../x", "db//x", "", "db/\\x"] {
            let mut planted = manifest();
            planted.files[0].path = path.to_owned();
            assert!(matches!(parsed(&planted), Err(BackupError::Damaged { .. })), "{path}");
        }
        let mut planted = manifest();
        planted.files[0].sha256 = "../../../secret".to_owned();
        assert!(matches!(parsed(&planted), Err(BackupError::Damaged { .. })));
        assert!(matches!(
            parsed(&Manifest { format: FORMAT + 1, ..manifest() }),
            Err(BackupError::Newer { found: 3, known: 2, .. })
        ));
        assert!(matches!(Manifest::parse("m", b"{}"), Err(BackupError::Damaged { .. })));
    }

    #[test]
    fn a_changed_manifest_is_found() {
        for seal in [Seal::plain(), Seal::create("horse").0] {
            let signed = manifest().signed(&seal);
            signed.check_signature("m", &seal).unwrap();
            let changed = Manifest { first_segment: 8, ..signed };
            assert!(changed.check_signature("m", &seal).is_err());
        }
        let forged = manifest().signed(&Seal::plain());
        assert!(forged.check_signature("m", &Seal::create("horse").0).is_err(), "without the passphrase");
    }
}
