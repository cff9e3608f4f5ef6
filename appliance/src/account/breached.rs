//! Passwords that appeared in data breaches, in a file of hashes that `morpion passwords import` makes. See
//! `docs/hosting/breached-passwords.md`.
//!
//! The file is a header and the first 8 bytes of each SHA-1, sorted. It is searched on disk, so it takes no memory. With
//! the 10⁹ hashes that are published, another password is taken for one of them with a probability of 5·10⁻¹¹.

pub mod import;

use std::{fs::File, io, os::unix::fs::FileExt, path::Path};

use sha1::{Digest, Sha1};

use crate::config::{Config, ConfigError};

/// The key that names the file.
const KEY: &str = "identity.local.breached_passwords";

/// What the file begins with, its version at the end; the number of hashes follows.
pub const MAGIC: [u8; 8] = *b"MORPWND1";

/// Bytes before the hashes.
pub const HEADER: u64 = 16;

/// Bytes of a hash.
const WIDTH: u64 = 8;

/// An open file of hashes.
#[derive(Debug)]
pub struct BreachedPasswords {
    file: File,
    count: u64,
}

impl BreachedPasswords {
    /// The configured file, if there is one.
    ///
    /// # Errors
    /// As [`BreachedPasswords::open`].
    pub fn configured(config: &Config) -> Result<Option<Self>, ConfigError> {
        config.breached_passwords().map(|path| Self::open(&path)).transpose()
    }

    /// # Errors
    /// The file cannot be read, or is not one that was imported.
    pub fn open(path: &Path) -> Result<Self, ConfigError> {
        let wrong = |reason: &str| ConfigError::file(KEY, path, reason);
        let file = File::open(path).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
        let length = file.metadata().map_err(|error| wrong(&format!("cannot be read: {error}")))?.len();
        let (mut magic, mut count) = ([0; MAGIC.len()], [0; 8]);
        let header = file.read_exact_at(&mut magic, 0).and_then(|()| file.read_exact_at(&mut count, 8));
        let count = u64::from_be_bytes(count);
        let expected = count.checked_mul(WIDTH).and_then(|bytes| bytes.checked_add(HEADER));
        if header.is_err() || magic != MAGIC || expected != Some(length) {
            return Err(wrong("is damaged or not a file of hashes; make it with `morpion passwords import`"));
        }
        Ok(Self { file, count })
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether this password is among them. Reads the file some 30 times.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn contains(&self, password: &str) -> io::Result<bool> {
        let wanted = hash(password.as_bytes());
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let mut found = [0; WIDTH as usize];
            self.file.read_exact_at(&mut found, HEADER + middle * WIDTH)?;
            match u64::from_be_bytes(found).cmp(&wanted) {
                std::cmp::Ordering::Equal => return Ok(true),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(false)
    }
}

/// What is kept of a password's SHA-1.
pub fn hash(password: &[u8]) -> u64 {
    let digest = Sha1::digest(password);
    digest.iter().take(WIDTH as usize).fold(0, |hash, byte| hash << 8 | u64::from(*byte))
}
