//! The key that a database is encrypted with, and whether it fits: `docs/behaviour/storage.md#encryption`.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::{fmt, fs, io};

use surrealkv::tde::{self, EncryptionContext, Zeroizing};
use surrealkv::{KeyManager, SoftwareKeyManager};

use crate::OpenError;
use crate::folder::{MIGRATING, unusable};

/// Where the manifest of a database is in its folder. It begins with whether the database is encrypted, and the rest
/// opens only with the right key.
pub const MANIFEST: &str = "manifest/00000000000000000000.manifest";

/// 256 bits that everything in a database is encrypted with. Never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct DataKey(Zeroizing<[u8; 32]>);

/// The text is no key. It is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not a key of 64 hexadecimal digits; make one with `openssl rand -hex 32`")]
pub struct NotAKey;

impl FromStr for DataKey {
    type Err = NotAKey;

    /// 64 hexadecimal digits; white space around them is ignored.
    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let digits = text.trim().as_bytes();
        let mut key = Zeroizing::new([0; 32]);
        if digits.len() != 2 * key.len() {
            return Err(NotAKey);
        }
        let value = |digit: u8| char::from(digit).to_digit(16).ok_or(NotAKey);
        for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = (value(pair[0])? << 4 | value(pair[1])?) as u8;
        }
        Ok(Self(key))
    }
}

impl fmt::Debug for DataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DataKey(hidden)")
    }
}

impl DataKey {
    pub(crate) fn manager(&self) -> Arc<dyn KeyManager> {
        Arc::new(SoftwareKeyManager::new(*self.0))
    }
}

/// Whether there is an encrypted database in the folder.
pub fn is_encrypted(folder: &Path) -> bool {
    tde::describe_manifest_file(folder.join(MANIFEST)).is_ok_and(|found| found.encrypted)
}

/// Checks whether the database in the folder, if there is one, opens with this key, or without one. Nothing is changed.
///
/// # Errors
/// [`OpenError::NotEncrypted`], [`OpenError::KeyNeeded`], [`OpenError::WrongKey`]; [`OpenError::Damaged`],
/// [`OpenError::Folder`].
pub fn check_key(folder: &Path, key: Option<&DataKey>) -> Result<(), OpenError> {
    if key.is_some() && folder.join(MIGRATING).exists() {
        return Err(OpenError::NotEncrypted);
    }
    match fs::read(folder.join(MANIFEST)) {
        Ok(manifest) => check_manifest(&manifest, key),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unusable(error)),
    }
}

/// As [`check_key`], with the content of the file [`MANIFEST`].
///
/// # Errors
/// As [`check_key`].
pub fn check_manifest(manifest: &[u8], key: Option<&DataKey>) -> Result<(), OpenError> {
    let found = tde::describe_manifest(manifest)?;
    match (found.db_id.zip(found.suite), key) {
        (None, None) => Ok(()),
        // That it is damaged is found when it is opened.
        (None, Some(_)) if tde::is_cut_inside_manifest_magic(manifest) => Ok(()),
        (None, Some(_)) => Err(OpenError::NotEncrypted),
        (Some(_), None) => Err(OpenError::KeyNeeded),
        (Some((id, suite)), Some(key)) => {
            tde::open_manifest(&EncryptionContext::new(key.manager(), id, suite), manifest)?;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_64_digits_and_never_shown() {
        let text = "00ff".repeat(16);
        let key: DataKey = format!("{text}\n").parse().unwrap();
        assert_eq!(key.0[..4], [0, 0xff, 0, 0xff]);
        assert_eq!(text.to_uppercase().parse(), Ok(key.clone()));
        assert_eq!(format!("{key:?}"), "DataKey(hidden)");
        for wrong in ["", "00ff", &text[1..], &format!("{text}0"), &text.replace("ff", "+f"), &"é".repeat(32)] {
            assert_eq!(wrong.parse::<DataKey>(), Err(NotAKey), "{wrong}");
        }
    }
}
