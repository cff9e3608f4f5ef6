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

use super::breached::BreachedPasswords;
use crate::{background, error::CommonError};

/// In characters; see `docs/behaviour/accounts.md#passwords`.
pub const MAX_LENGTH: usize = 256;

/// In characters.
pub const MIN_LENGTH: usize = 8;

/// Queued hashes. A hash takes some 30 ms, so further callers would wait for many seconds and are asked to try again.
const MAX_WAITING: usize = 128;

/// From this many on it is a flood: hashes get only what play leaves of the cores.
const FLOOD: usize = 4;

/// Concurrent hashes: each takes a core and 19 MiB. Half of the cores stay free for everything else.
fn parallel_hashes() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores / 2).clamp(1, 8)
}

const BREACHED: &str = "Password appeared in a data breach. Please choose another.";

/// A new password that satisfies the rules.
#[derive(Clone, PartialEq, Eq)]
pub struct NewPassword(String);

impl std::fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NewPassword(hidden)")
    }
}

impl NewPassword {
    /// The rules that need no file; [`Passwords::check_new`] checks all.
    ///
    /// # Errors
    /// The first rule that is violated, as a text for users.
    fn parse(text: &str) -> Result<Self, String> {
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
        } else if is_common(text) || is_of_the_context(text) {
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

/// What a password for Morpion is guessed with first: its names. See `docs/behaviour/accounts.md#passwords`.
const CONTEXT: [&str; 5] = ["morpion", "tictactoe", "tic-tac-toe", "noughtsandcrosses", "tic tac toe"];

/// One of the words of the context with nothing but digits and special characters around it.
fn is_of_the_context(text: &str) -> bool {
    let text = text.to_lowercase();
    CONTEXT.contains(&text.trim_matches(|character: char| !character.is_alphabetic()))
}

/// One of the 3,000 most common, and of the 3,000 most common that are long enough, ignoring case and special characters around it: otherwise nothing in the list could
/// pass the other rules, and 'Password1!' would be accepted.
fn is_common(text: &str) -> bool {
    static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("common-passwords.txt").lines().collect());
    let text = text.to_lowercase();
    COMMON.contains(text.as_str()) || COMMON.contains(text.trim_matches(|character: char| !character.is_alphanumeric()))
}

/// Hashes and verifies passwords, a bounded number at once and off the async threads.
#[derive(Debug)]
pub struct Passwords {
    permits: Arc<Semaphore>,
    waiting: Semaphore,
    /// The hash that is verified for accounts that do not exist, so that they take as long as others.
    dummy_hash: String,
    breached: Option<Arc<BreachedPasswords>>,
}

impl Passwords {
    pub fn new(breached: Option<BreachedPasswords>) -> Self {
        let dummy_hash = hash(SaltString::generate(&mut OsRng).as_str()).expect("the parameters are valid");
        Self {
            permits: Arc::new(Semaphore::new(parallel_hashes())),
            waiting: Semaphore::new(MAX_WAITING),
            dummy_hash,
            breached: breached.map(Arc::new),
        }
    }

    /// The password, or the rule that it violates, as a text for users.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`] when too many wait for their turn.
    pub async fn check_new(&self, text: &str) -> Result<Result<NewPassword, String>, CommonError> {
        let parsed = NewPassword::parse(text);
        let (Ok(password), Some(breached)) = (&parsed, &self.breached) else { return Ok(parsed) };
        let (password, breached) = (password.clone(), Arc::clone(breached));
        let is_breached = self.run_bounded(move || breached.contains(&password.0)).await?;
        Ok(if is_breached.map_err(CommonError::internal)? { Err(BREACHED.to_owned()) } else { parsed })
    }

    /// As [`Passwords::check_new`], for the field of a payload.
    ///
    /// # Errors
    /// Also [`CommonError::Invalid`] with the rule.
    pub async fn check_field(&self, field: &str, text: &str) -> Result<NewPassword, CommonError> {
        self.check_new(text).await?.map_err(|reason| CommonError::invalid(field, reason))
    }

    /// The hash to store, with its salt and parameters.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`] when too many wait for their turn.
    pub async fn hash(&self, password: NewPassword) -> Result<String, CommonError> {
        self.run_bounded(move || hash(&password.0)).await?.map_err(CommonError::internal)
    }

    /// Whether this is the account's password. Without a hash (no such account, or no password) it takes as long and
    /// returns false.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`] when too many wait for their turn.
    pub async fn verify(&self, password: &str, stored: Option<&str>) -> Result<bool, CommonError> {
        let exists = stored.is_some();
        let stored = stored.unwrap_or(&self.dummy_hash).to_owned();
        // A longer one cannot be a password and must not cost more work than one.
        let fits = password.chars().count() <= MAX_LENGTH;
        let password: String = password.chars().take(MAX_LENGTH).collect();
        let matches = self.run_bounded(move || matches(&password, &stored)).await?;
        Ok(matches && exists && fits)
    }

    async fn run_bounded<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, CommonError> {
        let _place = self
            .waiting
            .try_acquire()
            .map_err(|_| CommonError::unavailable("Too many people are signing in right now. Please try again."))?;
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(CommonError::internal)?;
        let waiting = MAX_WAITING - self.waiting.available_permits();
        background::spawn_with(permit, waiting >= FLOOD, work).await.map_err(CommonError::internal)
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
    // Uses the parameters named in the hash, so stronger ones can be introduced later.
    PasswordHash::new(stored).is_ok_and(|stored| argon2().verify_password(password.as_bytes(), &stored).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::breached::import::{ListFormat, import};

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
    fn the_3_000_commonest_of_8_characters_are_refused() {
        let all: HashSet<&str> = include_str!("common-passwords.txt").lines().collect();
        let long = all.iter().filter(|password| password.chars().count() >= MIN_LENGTH).count();
        assert_eq!((all.len(), long), (5_168, 3_000));
        for common in ["123456", "PASSWORD1", "Passw0rd!", "!Trustno1.", "Monique1!"] {
            assert!(is_common(common), "{common}");
        }
        assert!(!is_common("Password1 and more!"));
        assert_eq!(broken("Password1!"), "Password is too common.");
        for guessed in ["Morpion1!", "2026-Morpion!", "TicTacToe#1", "1:Tic-Tac-Toe"] {
            assert_eq!(broken(guessed), "Password is too common.", "{guessed}");
        }
        assert!(NewPassword::parse("Morpion evenings: 1 too many").is_ok());
    }

    #[test]
    fn the_stored_hash_names_its_parameters() {
        let stored = hash("Aa1!aaaa").unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, hash("Aa1!aaaa").unwrap(), "salted");
    }

    #[tokio::test]
    async fn only_the_right_password_of_an_existing_account_passes() {
        let passwords = Passwords::new(None);
        let stored = passwords.hash(NewPassword::parse("Aa1!aaaa").unwrap()).await.unwrap();
        assert!(passwords.verify("Aa1!aaaa", Some(&stored)).await.unwrap());
        assert!(!passwords.verify("Aa1!aaab", Some(&stored)).await.unwrap());
        assert!(!passwords.verify("Aa1!aaaa", None).await.unwrap());
        assert!(!passwords.verify("Aa1!aaaa", Some("damaged")).await.unwrap());
        assert!(!passwords.verify(&"x".repeat(60_000), Some(&stored)).await.unwrap());
    }

    #[tokio::test]
    async fn a_flood_gets_what_play_leaves() {
        let passwords = Passwords::new(None);
        let thread = || std::thread::current().name().unwrap().to_owned();
        assert_eq!(passwords.run_bounded(thread).await.unwrap(), "background");
        let _many = passwords.waiting.acquire_many(FLOOD as u32).await.unwrap();
        assert_eq!(passwords.run_bounded(thread).await.unwrap(), "idle");
    }

    #[tokio::test]
    async fn a_crowd_is_told_to_try_again() {
        let passwords = Passwords::new(None);
        let _all = passwords.waiting.acquire_many(MAX_WAITING as u32).await.unwrap();
        let error = passwords.verify("Aa1!aaaa", None).await.unwrap_err();
        assert!(matches!(error, CommonError::Unavailable(_)), "{error:?}");
    }

    #[tokio::test]
    async fn a_breached_password_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hashes");
        import(&b"Br3ached!word\n"[..], ListFormat::Passwords, &path, |_| {}).unwrap();
        let passwords = Passwords::new(Some(BreachedPasswords::open(&path).unwrap()));
        let checked = async |text| passwords.check_new(text).await.unwrap().map(drop);
        assert_eq!(checked("Br3ached!word").await, Err(BREACHED.to_owned()));
        assert_eq!(checked("Br3ached!wore").await, Ok(()));
        assert_eq!(checked("short").await, Err("Password must be at least 8 characters.".to_owned()));
        assert!(Passwords::new(None).check_new("Br3ached!word").await.unwrap().is_ok());

        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(16).unwrap();
        let unchecked = passwords.check_new("Br3ached!wore").await;
        assert_eq!(unchecked, Err(CommonError::Internal), "what cannot be checked is not taken");
    }
}
