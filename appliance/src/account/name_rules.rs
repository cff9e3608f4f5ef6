//! Names that nobody may choose: reserved ones, which look like the operator's or the program's own, and offensive ones.
//! See `docs/behaviour/accounts.md#reserved-and-offensive-names`.

use std::{collections::HashSet, fs, path::Path};

use rustrict::{Censor, Type};
use unicode_security::confusable_detection::skeleton;

use crate::config::{Config, ConfigError};

/// The key that names the host's list.
const KEY: &str = "identity.reserved_names_file";

/// Bytes of the host's list.
const MAX_FILE: u64 = 1 << 20;

/// Names of who runs the server: reserved also with digits at the end, and as a word of a longer name.
const OFFICIAL: &[&str] = &[
    "admin",
    "admins",
    "administrator",
    "administrators",
    "moderator",
    "moderators",
    "morpion",
    "official",
    "staff",
    "support",
    "sysadmin",
    "webmaster",
];

/// Names of roles, and words of addresses and texts that would read as somebody's name.
const RESERVED: &[&str] = &[
    "abuse",
    "account",
    "accounts",
    "all",
    "anonymous",
    "api",
    "app",
    "auth",
    "billing",
    "bot",
    "cookies",
    "deleted",
    "deleted player",
    "event",
    "events",
    "everybody",
    "everyone",
    "game",
    "games",
    "guest",
    "guests",
    "help",
    "helpdesk",
    "home",
    "hostmaster",
    "info",
    "legal",
    "login",
    "logout",
    "logs",
    "me",
    "mod",
    "moderation",
    "mods",
    "news",
    "nobody",
    "none",
    "noreply",
    "null",
    "operator",
    "operators",
    "opponent",
    "owner",
    "players",
    "postmaster",
    "practice",
    "privacy",
    "register",
    "replay",
    "root",
    "search",
    "security",
    "server",
    "service",
    "setting",
    "settings",
    "setup",
    "signin",
    "signup",
    "status",
    "superuser",
    "sysop",
    "system",
    "team",
    "terms",
    "tournaments",
    "undefined",
    "user",
    "users",
    "visitor",
    "you",
];

/// What is too offensive for a name. What is only mildly so is often somebody's.
fn offensive() -> Type {
    let words = Type::PROFANE | Type::OFFENSIVE | Type::SEXUAL;
    (words & Type::MODERATE_OR_HIGHER) | (Type::MEAN & Type::SEVERE)
}

const RESERVED_NAME: &str = "This name is reserved. Please choose another.";

/// Shown to who may not choose an offensive name. It can be somebody's own: no list knows all names.
const OFFENSIVE: &str = "This name is not allowed. Please choose another. If it is your real name, an admin of this site can set it for you.";

/// Given and family names that the library takes for something else.
const INNOCENT: &[&str] = &[
    "adolf",
    "adolfo",
    "arsene",
    "bich",
    "coon",
    "cuming",
    "cumming",
    "cummings",
    "cuntz",
    "dick",
    "dikshit",
    "dong",
    "dyke",
    "fuchs",
    "fuk",
    "glasscock",
    "ho",
    "hooker",
    "hornyak",
    "kock",
    "kok",
    "kunt",
    "kuntz",
    "nazim",
    "nazir",
    "phuc",
    "semen",
    "shiitake",
    "spick",
    "titz",
    "ufuk",
];

/// Refused within longer words as well, where the library finds them.
const WITHIN: &[&str] = &["cunt", "fuck"];

/// A shorter part of a longer word is an accident: 'Fagan', 'Dickinson', 'Matsushita'.
const LONG_PART: usize = 5;

/// Stands for each letter of an offensive word; no name contains it.
const HIDDEN: char = '\u{1}';

/// Decides who may be called what.
#[derive(Debug)]
pub struct NameRules {
    official: HashSet<String>,
    reserved: HashSet<String>,
}

impl NameRules {
    /// With the host's list, if one is configured.
    ///
    /// # Errors
    /// The list cannot be read, or a line of it is no name.
    pub fn configured(config: &Config) -> Result<Self, ConfigError> {
        let mut rules = Self::default();
        if let Some(path) = config.reserved_names_file() {
            rules.add_file(&path)?;
        }
        Ok(rules)
    }

    fn add_file(&mut self, path: &Path) -> Result<(), ConfigError> {
        let wrong = |reason: String| ConfigError::file(KEY, path, &reason);
        let cannot = |error: std::io::Error| wrong(format!("cannot be read: {error}"));
        if fs::metadata(path).map_err(cannot)?.len() > MAX_FILE {
            return Err(wrong("is longer than 1 MiB".to_owned()));
        }
        let text = fs::read_to_string(path).map_err(cannot)?;
        for (index, line) in text.lines().enumerate() {
            let name = line.split('#').next().unwrap_or_default().trim();
            let folded = fold(name);
            if !name.is_empty() && folded.is_empty() {
                return Err(wrong(format!("has no letters or digits in line {}", index + 1)));
            }
            if !name.is_empty() {
                self.reserved.insert(folded);
            }
        }
        Ok(())
    }

    /// The name, unless it is reserved or offensive.
    ///
    /// # Errors
    /// Which of the two, for people.
    pub fn allow<T: AsRef<str>>(&self, name: T) -> Result<T, String> {
        self.allow_given(name).and_then(|name| self.allow_reserved(name))
    }

    /// The name that an admin gives to somebody, unless it is reserved: they know better than a list whether it is a name.
    ///
    /// # Errors
    /// It is reserved, for people.
    pub fn allow_given<T: AsRef<str>>(&self, name: T) -> Result<T, String> {
        if self.is_reserved(name.as_ref()) { Err(RESERVED_NAME.to_owned()) } else { Ok(name) }
    }

    /// As [`NameRules::allow`] for whom reserved names are meant.
    ///
    /// # Errors
    /// The name is offensive.
    pub fn allow_reserved<T: AsRef<str>>(&self, name: T) -> Result<T, String> {
        if is_offensive(name.as_ref()) {
            return Err(OFFENSIVE.to_owned());
        }
        Ok(name)
    }

    fn is_reserved(&self, name: &str) -> bool {
        let folded = fold(name);
        if self.reserved.contains(&folded) || self.official.contains(&folded) {
            return true;
        }
        let is_official = |word: &str| {
            let unnumbered = word.trim_end_matches(|character: char| !character.is_alphabetic());
            self.official.contains(&fold(word)) || self.official.contains(&fold(unnumbered))
        };
        is_official(name) || name.split_whitespace().any(is_official)
    }
}

impl Default for NameRules {
    /// Without a host's list.
    fn default() -> Self {
        let folded = |names: &[&str]| names.iter().map(|name| fold(name)).collect();
        Self { official: folded(OFFICIAL), reserved: folded(RESERVED) }
    }
}

/// The same for all names that look alike: without case, accents, separators and invisible characters, with one letter for
/// its look-alikes of other scripts (UTS #39) and for the digits and signs that stand for it.
fn fold(name: &str) -> String {
    // Twice: lower case can have look-alikes that upper case has not.
    let lower = skeleton(name).collect::<String>().to_lowercase();
    let latin: String = skeleton(&lower)
        .filter(|character| character.is_alphanumeric() || "@$€!|+".contains(*character))
        .map(|character| deunicode::deunicode_char(character).map_or_else(|| character.to_string(), str::to_lowercase))
        .collect();
    let letter = |character| match character {
        '0' => Some('o'),
        '1' | 'i' | '!' | '|' => Some('l'),
        '3' | '€' => Some('e'),
        '4' | '@' => Some('a'),
        '5' | '$' => Some('s'),
        '7' | '+' => Some('t'),
        '8' => Some('b'),
        _ => Some(character).filter(|character| character.is_alphanumeric()),
    };
    // Look-alikes of m are two letters.
    latin.chars().filter_map(letter).collect::<String>().replace("rn", "m")
}

/// Whether a word of the name is offensive, also one that is written letter by letter.
pub fn is_offensive(name: &str) -> bool {
    let mut letters = String::new();
    for word in name.split(|character: char| character.is_whitespace() || "_.-".contains(character)) {
        match word.chars().count() {
            0 => continue,
            1 | 2 => letters.push_str(word),
            _ if is_offensive_word(&std::mem::take(&mut letters)) => return true,
            _ => {}
        }
        if is_offensive_word(word) || humps(word).any(is_offensive_word) {
            return true;
        }
    }
    is_offensive_word(&letters)
}

/// The parts of a word that begin with an upper case letter.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = word
        .char_indices()
        .zip(word.chars().skip(1))
        .filter(|((_, before), after)| !before.is_uppercase() && after.is_uppercase())
        .map(|((index, before), _)| index + before.len_utf8())
        .collect();
    let ends: Vec<usize> = starts.iter().copied().chain([word.len()]).collect();
    std::iter::once(0).chain(starts).zip(ends).filter_map(|(start, end)| word.get(start..end))
}

fn is_offensive_word(word: &str) -> bool {
    // Digits at the end are numbers more often than letters.
    let word = word.trim_end_matches(|character: char| character.is_ascii_digit());
    if word.is_empty() || INNOCENT.contains(&word.to_lowercase().as_str()) {
        return false;
    }
    let (shown, found) = Censor::from_str(word)
        .with_censor_threshold(offensive())
        .with_censor_first_character_threshold(Type::ANY)
        .with_censor_replacement(HIDDEN)
        .censor_and_analyze();
    if found.isnt(offensive()) {
        return false;
    }
    let hidden = shown.chars().filter(|character| *character == HIDDEN).count();
    hidden == shown.chars().count() || hidden >= LONG_PART || {
        let folded = fold(word);
        WITHIN.iter().any(|part| folded.contains(part))
    }
}

#[cfg(test)]
mod tests;
