//! Passwords: the rules for new ones, and Argon2id.

use std::{
    collections::HashSet,
    sync::{Arc, LazyLock},
};

use argon2::{
    Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version,
    password_hash::{SaltString, rand_core::OsRng},
};
use tokio::sync::Semaphore;

use crate::error::ApiError;

/// In characters; see `docs/behaviour/accounts.md#passwords`.
pub const MAX_LENGTH: usize = 256;

/// In characters.
pub const MIN_LENGTH: usize = 8;

/// Hashes waiting for their turn. A hash takes some 30 ms, so who comes later would wait for many seconds and is told
/// to try again instead.
const MAX_WAITING: usize = 128;

/// Hashes at once: each takes a core for its time and 19 MiB. Half the cores stay for everything else.
fn parallel_hashes() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores / 2).clamp(1, 8)
}

/// A new password that keeps the rules.
#[derive(Clone, PartialEq, Eq)]
pub struct NewPassword(String);

impl std::fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NewPassword(hidden)")
    }
}

impl NewPassword {
    /// # Errors
    /// The first rule that is broken, as a text for people.
    pub fn parse(text: &str) -> Result<Self, String> {
        let length = text.chars().count();
        let broken = if text.is_empty() {
            "Password cannot be empty"
        } else if length < MIN_LENGTH {
            "Password must be at least 8 characters."
        } else if length > MAX_LENGTH {
            "Password must be at most 256 characters."
        } else if !text.chars().any(char::is_uppercase) {
            "Password must contain at least one uppercase letter."
        } else if !text.chars().any(char::is_lowercase) {
            "Password must contain at least one lowercase letter."
        } else if !text.chars().any(char::is_numeric) {
            "Password must contain at least one digit."
        } else if !text.chars().any(is_special) {
            "Password must contain at least one special character."
        } else if is_common(text) {
            "Password is too common."
        } else {
            return Ok(Self(text.to_owned()));
        };
        Err(broken.to_owned())
    }
}

fn is_special(character: char) -> bool {
    !character.is_alphanumeric() && !character.is_whitespace()
}

/// One of the 3,000 commonest, also with other capitals and with special characters around it: without that nothing in
/// the list could pass the other rules anyway, and 'Password1!' would be fine.
fn is_common(text: &str) -> bool {
    static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("common-passwords.txt").lines().collect());
    let text = text.to_lowercase();
    COMMON.contains(text.as_str()) || COMMON.contains(text.trim_matches(|character: char| !character.is_alphanumeric()))
}

/// Hashes and checks passwords, a bounded number at once and away from the async threads.
#[derive(Debug)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    waiting: Semaphore,
    /// Nobody's password, which is checked for accounts that do not exist, so that they take as long as others.
    decoy: String,
}

impl Passwords {
    pub fn new() -> Self {
        let decoy = hash(SaltString::generate(&mut OsRng).as_str()).expect("the parameters are valid");
        Self { turns: Arc::new(Semaphore::new(parallel_hashes())), waiting: Semaphore::new(MAX_WAITING), decoy }
    }

    /// The hash to store, with its salt and parameters.
    ///
    /// # Errors
    /// 503 when too many wait for their turn.
    pub async fn hash(&self, password: NewPassword) -> Result<String, ApiError> {
        self.take_turn(move || hash(&password.0)).await?.map_err(ApiError::internal)
    }

    /// Whether this is the account's password; without a hash (no such account, or one without a password) it takes
    /// as long and answers false.
    ///
    /// # Errors
    /// 503 when too many wait for their turn.
    pub async fn verify(&self, password: &str, stored: Option<&str>) -> Result<bool, ApiError> {
        let exists = stored.is_some();
        let stored = stored.unwrap_or(&self.decoy).to_owned();
        // What is longer is nobody's password and is not worth more work than one.
        let fits = password.chars().count() <= MAX_LENGTH;
        let password: String = password.chars().take(MAX_LENGTH).collect();
        let matches = self.take_turn(move || matches(&password, &stored)).await?;
        Ok(matches && exists && fits)
    }

    async fn take_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let _place = self
            .waiting
            .try_acquire()
            .map_err(|_| ApiError::unavailable("Too many people are signing in right now. Please try again."))?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(ApiError::internal)?;
        let work = move || {
            // Held until the work is done, also when the caller has gone meanwhile.
            let _turn = turn;
            work()
        };
        tokio::task::spawn_blocking(work).await.map_err(ApiError::internal)
    }
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}

/// 19 MiB, 2 passes, 1 lane.
fn argon2() -> Argon2<'static> {
    let params = Params::new(19 * 1024, 2, 1, None).expect("the parameters are valid");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &str) -> Result<String, argon2::password_hash::Error> {
    let salt = SaltString::generate(&mut OsRng);
    Ok(argon2().hash_password(password.as_bytes(), &salt)?.to_string())
}

fn matches(password: &str, stored: &str) -> bool {
    // Verifies with the parameters that the hash names, so stronger ones can come later.
    PasswordHash::new(stored).is_ok_and(|stored| argon2().verify_password(password.as_bytes(), &stored).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn broken(text: &str) -> String {
        NewPassword::parse(text).unwrap_err()
    }

    #[test]
    fn the_rules_and_their_texts() {
        assert_eq!(broken(""), "Password cannot be empty");
        assert_eq!(broken("Aa1!aaa"), "Password must be at least 8 characters.");
        assert_eq!(broken("aa1!aaaa"), "Password must contain at least one uppercase letter.");
        assert_eq!(broken("AA1!AAAA"), "Password must contain at least one lowercase letter.");
        assert_eq!(broken("Aa!!aaaa"), "Password must contain at least one digit.");
        assert_eq!(broken("Aa11aaaa"), "Password must contain at least one special character.");
        assert!(NewPassword::parse("Aa1!aaaa").is_ok());
        assert!(NewPassword::parse("Ñandú—2026").is_ok(), "letters of every script count");
    }

    #[test]
    fn at_most_256_characters() {
        let longest = format!("Aa1!{}", "é".repeat(252));
        assert!(NewPassword::parse(&longest).is_ok());
        assert_eq!(broken(&format!("{longest}é")), "Password must be at most 256 characters.");
    }

    #[test]
    fn the_3_000_commonest_are_refused() {
        assert_eq!(include_str!("common-passwords.txt").lines().count(), 3_000);
        for common in ["123456", "PASSWORD1", "Passw0rd!", "!Trustno1."] {
            assert!(is_common(common), "{common}");
        }
        assert!(!is_common("Password1 and more!"));
        assert_eq!(broken("Password1!"), "Password is too common.");
    }

    #[test]
    fn the_stored_hash_names_its_parameters() {
        let stored = hash("Aa1!aaaa").unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, hash("Aa1!aaaa").unwrap(), "salted");
    }

    #[tokio::test]
    async fn only_the_right_password_of_an_existing_account_passes() {
        let passwords = Passwords::new();
        let stored = passwords.hash(NewPassword::parse("Aa1!aaaa").unwrap()).await.unwrap();
        assert!(passwords.verify("Aa1!aaaa", Some(&stored)).await.unwrap());
        assert!(!passwords.verify("Aa1!aaab", Some(&stored)).await.unwrap());
        assert!(!passwords.verify("Aa1!aaaa", None).await.unwrap());
        assert!(!passwords.verify("Aa1!aaaa", Some("damaged")).await.unwrap());
        assert!(!passwords.verify(&"x".repeat(60_000), Some(&stored)).await.unwrap());
    }

    #[tokio::test]
    async fn a_crowd_is_told_to_try_again() {
        let passwords = Passwords::new();
        let _all = passwords.waiting.acquire_many(MAX_WAITING as u32).await.unwrap();
        let fault = passwords.verify("Aa1!aaaa", None).await.unwrap_err();
        assert_eq!(fault.kind, ErrorKind::Unavailable);
    }
}
