//! The contents of a backup's files: in chunks that are checked, and encrypted if there is a passphrase.
//!
//! A file is the magic number, the kind, a random salt, and chunks of at most 1 MiB, each after its length, of which
//! the highest bit marks the last one. Sealed chunks are AES-256-GCM with a key for this file alone (HMAC-SHA256 of the
//! salt under the passphrase's key), numbered nonces and the file's name as associated data, so that neither chunks nor
//! files can be exchanged. Plain chunks are followed by a SHA-256 of the same.

use std::{
    fmt,
    io::{self, Read, Write},
};

use aes_gcm::{
    Aes256Gcm, KeyInit,
    aead::{Aead, Payload},
};
use argon2::{Algorithm, Argon2, Params, Version};
use hmac::{Hmac, Mac};
use rand::RngCore;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{BackupError, Result};

const MAGIC: &[u8; 4] = b"MPB1";
const PLAIN: u8 = 0;
const SEALED: u8 = 1;

/// Bytes of a chunk before it is sealed.
const CHUNK: usize = 1 << 20;

/// What sealing adds to a chunk.
const OVERHEAD: usize = 32;

/// Marks the last chunk, in its length.
const LAST: u32 = 1 << 31;

type KeyedHash = Hmac<Sha256>;

/// How the key of a target's passphrase is derived; kept beside the backups, which are useless without the passphrase.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyFile {
    format: u32,
    /// Always `argon2id`.
    derivation: String,
    salt: String,
    memory_kib: u32,
    passes: u32,
    lanes: u32,
    /// Says whether a passphrase is the right one.
    check: String,
}

/// Seals and opens files. Without a key they are only checked.
#[derive(Clone)]
pub struct Seal {
    key: Option<[u8; 32]>,
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seal").field("encrypts", &self.key.is_some()).finish()
    }
}

impl Seal {
    /// Checks only.
    pub fn plain() -> Self {
        Self { key: None }
    }

    /// A new key for a passphrase.
    pub fn create(passphrase: &str) -> (Self, KeyFile) {
        let mut salt = [0; 16];
        rand::rng().fill_bytes(&mut salt);
        let mut file = KeyFile {
            format: 1,
            derivation: "argon2id".to_owned(),
            salt: hex(&salt),
            memory_kib: 64 << 10,
            passes: 3,
            lanes: 1,
            check: String::new(),
        };
        let key = file.derive(passphrase).expect("the parameters are right");
        file.check = check(&key);
        (Self { key: Some(key) }, file)
    }

    /// The key of a passphrase.
    ///
    /// # Errors
    /// [`BackupError::WrongPassphrase`], [`BackupError::Damaged`].
    pub fn open(passphrase: &str, file: &KeyFile) -> Result<Self> {
        let key = file.derive(passphrase)?;
        if check(&key) != file.check {
            return Err(BackupError::WrongPassphrase);
        }
        Ok(Self { key: Some(key) })
    }

    pub fn encrypts(&self) -> bool {
        self.key.is_some()
    }

    /// A checksum that only whoever has the key can make.
    pub fn sign(&self, text: &[u8]) -> String {
        match &self.key {
            Some(key) => hex(&keyed(key, text)),
            None => hex(&Sha256::digest(text)),
        }
    }

    /// Writes all of `from` as the file of this name; returns the number of its bytes and their SHA-256.
    ///
    /// # Errors
    /// What reading and writing say.
    pub fn write(&self, name: &str, from: &mut dyn Read, to: &mut dyn Write) -> io::Result<(u64, String)> {
        let mut salt = [0; 16];
        rand::rng().fill_bytes(&mut salt);
        to.write_all(MAGIC)?;
        to.write_all(&[if self.encrypts() { SEALED } else { PLAIN }])?;
        to.write_all(&salt)?;
        let (cipher, data) = (self.cipher(&salt), associated(name, &salt));
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        let mut chunk = read_chunk(from)?;
        for number in 0.. {
            let next = if chunk.len() == CHUNK { read_chunk(from)? } else { vec![] };
            let is_last = next.is_empty();
            hash.update(&chunk);
            bytes += chunk.len() as u64;
            let sealed = seal_chunk(cipher.as_ref(), &data, number, is_last, &chunk);
            let length = u32::try_from(sealed.len()).expect("a chunk is small");
            to.write_all(&(if is_last { length | LAST } else { length }).to_le_bytes())?;
            to.write_all(&sealed)?;
            if is_last {
                break;
            }
            chunk = next;
        }
        Ok((bytes, hex(&hash.finalize())))
    }

    /// Reads the file of this name and writes what was sealed; returns the number of its bytes and their SHA-256.
    ///
    /// # Errors
    /// [`BackupError::Damaged`], [`BackupError::PassphraseNeeded`], and what `refuse` makes of a failed write.
    pub fn read(
        &self,
        name: &str,
        from: &mut dyn Read,
        to: &mut dyn Write,
        refuse: impl Fn(io::Error) -> BackupError,
    ) -> Result<(u64, String)> {
        let damaged = |reason| BackupError::Damaged { name: name.to_owned(), reason };
        let short = |_| damaged("it is cut off");
        let (mut magic, mut kind, mut salt) = ([0; 4], [0], [0; 16]);
        from.read_exact(&mut magic).map_err(short)?;
        from.read_exact(&mut kind).map_err(short)?;
        from.read_exact(&mut salt).map_err(short)?;
        match (&magic == MAGIC, kind[0], self.encrypts()) {
            (true, PLAIN, false) | (true, SEALED, true) => {}
            (true, SEALED, false) => return Err(BackupError::PassphraseNeeded),
            (true, PLAIN, true) => return Err(damaged("it is not encrypted")),
            _ => return Err(damaged("it is no file of a backup")),
        }
        let (cipher, data) = (self.cipher(&salt), associated(name, &salt));
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        for number in 0.. {
            let mut length = [0; 4];
            from.read_exact(&mut length).map_err(short)?;
            let length = u32::from_le_bytes(length);
            let (is_last, length) = (length & LAST != 0, (length & !LAST) as usize);
            if length > CHUNK + OVERHEAD {
                return Err(damaged("a length in it is wrong"));
            }
            let mut sealed = vec![0; length];
            from.read_exact(&mut sealed).map_err(short)?;
            let chunk = open_chunk(cipher.as_ref(), &data, number, is_last, &sealed)
                .ok_or_else(|| damaged("a checksum in it is wrong"))?;
            hash.update(&chunk);
            bytes += chunk.len() as u64;
            to.write_all(&chunk).map_err(&refuse)?;
            if is_last {
                break;
            }
        }
        match from.read(&mut [0]) {
            Ok(0) => Ok((bytes, hex(&hash.finalize()))),
            _ => Err(damaged("something follows its end")),
        }
    }

    fn cipher(&self, salt: &[u8; 16]) -> Option<Aes256Gcm> {
        let key = self.key.as_ref()?;
        Some(Aes256Gcm::new_from_slice(&keyed(key, salt)).expect("the key has 32 bytes"))
    }
}

impl KeyFile {
    fn derive(&self, passphrase: &str) -> Result<[u8; 32]> {
        let damaged = |reason| BackupError::Damaged { name: "key.json".to_owned(), reason };
        if self.format != 1 || self.derivation != "argon2id" {
            return Err(BackupError::Newer { name: "key.json".to_owned(), found: self.format, known: 1 });
        }
        // What a stranger wrote must not take all memory.
        if self.memory_kib > 1 << 20 || self.passes > 16 || self.lanes > 16 {
            return Err(damaged("its costs are too high"));
        }
        let parameters = Params::new(self.memory_kib, self.passes, self.lanes, Some(32))
            .map_err(|_| damaged("its costs are wrong"))?;
        let salt = unhex(&self.salt).ok_or_else(|| damaged("its salt is wrong"))?;
        let mut key = [0; 32];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
            .hash_password_into(passphrase.as_bytes(), &salt, &mut key)
            .map_err(|_| damaged("its salt is wrong"))?;
        Ok(key)
    }
}

fn check(key: &[u8; 32]) -> String {
    hex(&keyed(key, b"morpion backup key"))
}

fn keyed(key: &[u8; 32], text: &[u8]) -> [u8; 32] {
    let mut hash = <KeyedHash as Mac>::new_from_slice(key).expect("any length is right");
    hash.update(text);
    hash.finalize().into_bytes().into()
}

/// Up to a whole chunk; shorter only at the end.
fn read_chunk(from: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut chunk = Vec::new();
    from.take(CHUNK as u64).read_to_end(&mut chunk)?;
    Ok(chunk)
}

/// What every chunk is bound to: its file's name and salt.
fn associated(name: &str, salt: &[u8; 16]) -> Vec<u8> {
    [name.as_bytes(), salt].concat()
}

fn nonce(number: u64, is_last: bool) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[0] = u8::from(is_last);
    nonce[4..].copy_from_slice(&number.to_be_bytes());
    nonce
}

fn seal_chunk(cipher: Option<&Aes256Gcm>, data: &[u8], number: u64, is_last: bool, chunk: &[u8]) -> Vec<u8> {
    match cipher {
        Some(cipher) => cipher
            .encrypt(&nonce(number, is_last).into(), Payload { msg: chunk, aad: data })
            .expect("a chunk is not too long"),
        None => [chunk, &plain_check(data, number, is_last, chunk)].concat(),
    }
}

fn open_chunk(cipher: Option<&Aes256Gcm>, data: &[u8], number: u64, is_last: bool, sealed: &[u8]) -> Option<Vec<u8>> {
    match cipher {
        Some(cipher) => cipher.decrypt(&nonce(number, is_last).into(), Payload { msg: sealed, aad: data }).ok(),
        None => {
            let (chunk, found) = sealed.split_at_checked(sealed.len().checked_sub(32)?)?;
            (plain_check(data, number, is_last, chunk) == found).then(|| chunk.to_vec())
        }
    }
}

fn plain_check(data: &[u8], number: u64, is_last: bool, chunk: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(data).chain_update(nonce(number, is_last)).chain_update(chunk).finalize().into()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(byte).collect())?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sealed(seal: &Seal, name: &str, text: &[u8]) -> Vec<u8> {
        let mut file = vec![];
        seal.write(name, &mut &text[..], &mut file).unwrap();
        file
    }

    fn opened(seal: &Seal, name: &str, file: &[u8]) -> Result<Vec<u8>> {
        let mut text = vec![];
        seal.read(name, &mut &file[..], &mut text, |error| unreachable!("{error}"))?;
        Ok(text)
    }

    fn with_key() -> Seal {
        Seal { key: Some([7; 32]) }
    }

    #[test]
    fn files_of_every_length_come_back() {
        for seal in [Seal::plain(), with_key()] {
            for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
                let text: Vec<u8> = (0..length).map(|at| at as u8).collect();
                assert_eq!(opened(&seal, "a", &sealed(&seal, "a", &text)).unwrap(), text, "{length}");
            }
        }
    }

    #[test]
    fn a_passphrase_is_checked_and_needed() {
        let (seal, file) = Seal::create("horse");
        let text = sealed(&seal, "a", b"secret words");
        assert!(!text.windows(6).any(|part| part == b"secret"));
        assert_eq!(opened(&Seal::open("horse", &file).unwrap(), "a", &text).unwrap(), b"secret words");
        assert!(matches!(Seal::open("cow", &file), Err(BackupError::WrongPassphrase)));
        assert!(matches!(opened(&Seal::plain(), "a", &text), Err(BackupError::PassphraseNeeded)));
        let plain = sealed(&Seal::plain(), "a", b"planted");
        assert!(matches!(opened(&seal, "a", &plain), Err(BackupError::Damaged { .. })));
        let costly = KeyFile { memory_kib: u32::MAX, ..file };
        assert!(matches!(Seal::open("horse", &costly), Err(BackupError::Damaged { .. })));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn every_flipped_bit_every_cut_and_every_exchange_is_found(
            encrypts: bool, text: Vec<u8>, at: prop::sample::Index, bit in 0..8u8,
        ) {
            let seal = if encrypts { with_key() } else { Seal::plain() };
            let file = sealed(&seal, "a", &text);
            let mut flipped = file.clone();
            let place = at.index(file.len());
            flipped[place] ^= 1 << bit;
            prop_assert!(opened(&seal, "a", &flipped).is_err());
            prop_assert!(opened(&seal, "a", &file[..place]).is_err());
            prop_assert!(opened(&seal, "b", &file).is_err());
            prop_assert!(opened(&seal, "a", &[&file[..], b"x"].concat()).is_err());
        }
    }
}
