//! References by something other than the whole id: a prefix of it, a title, a username.

use std::{fmt, ops::RangeInclusive};

use uuid::Uuid;

use crate::command_error::{CommandError, FailureKind};

/// The shortest prefix of an id that is accepted. Lists show eight characters.
const SHORTEST: usize = 4;
/// Digits of an id.
const DIGITS: usize = 32;
/// Candidates listed when a name is ambiguous.
const MOST_NAMED: usize = 5;

/// A candidate for a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub id: String,
    /// Its title or name.
    pub name: String,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() { f.write_str(&self.id) } else { write!(f, "{} ({})", self.id, self.name) }
    }
}

/// Whether this can be a prefix of an id.
pub fn is_short_id(text: &str) -> bool {
    text.len() >= SHORTEST && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// The range of ids with this prefix; `None` if it is not one.
pub fn ids_beginning_with(text: &str) -> Option<RangeInclusive<Uuid>> {
    let digits: String = text.chars().filter(|char| *char != '-').collect();
    if !is_short_id(text) || digits.len() > DIGITS {
        return None;
    }
    let padded = |with: &str| Uuid::try_parse(&format!("{digits}{}", with.repeat(DIGITS - digits.len()))).ok();
    Some(padded("0")?..=padded("f")?)
}

/// Whether the reference matches this id or this name.
pub fn is_meant(wanted: &str, id: &str, name: &str) -> bool {
    name.to_lowercase() == wanted.to_lowercase()
        || (is_short_id(wanted) && id.len() >= wanted.len() && id[..wanted.len()].eq_ignore_ascii_case(wanted))
}

/// The one candidate that matches.
///
/// # Errors
/// No candidate matches, or more than one.
pub fn choose(what: &str, wanted: &str, all: impl IntoIterator<Item = Candidate>) -> Result<Candidate, CommandError> {
    let mut meant: Vec<Candidate> = vec![];
    for candidate in all {
        if candidate.id.eq_ignore_ascii_case(wanted) {
            return Ok(candidate);
        }
        if is_meant(wanted, &candidate.id, &candidate.name) && !meant.contains(&candidate) {
            meant.push(candidate);
        }
    }
    match meant.len() {
        0 => Err(CommandError::new(FailureKind::NotFound, format!("There is no {what} '{wanted}'."))),
        1 => Ok(meant.remove(0)),
        count => {
            let mut named: Vec<_> = meant.iter().take(MOST_NAMED).map(ToString::to_string).collect();
            if count > MOST_NAMED {
                named.push(format!("and {} more", count - MOST_NAMED));
            }
            Err(CommandError::new(
                FailureKind::Invalid,
                format!("'{wanted}' means {count} {what}s: {}.", named.join(", ")),
            ))
        }
    }
}

/// Resolves a reference to an id: a whole id, a prefix of one, or a name. `named` returns candidates by name, `found`
/// the ids with the prefix.
///
/// # Errors
/// Nothing matches, or more than one candidate; errors of the two calls.
pub async fn resolve<E: From<CommandError>>(
    what: &str,
    wanted: &str,
    named: impl AsyncFnOnce() -> Result<Vec<Candidate>, E>,
    found: impl AsyncFnOnce() -> Result<Vec<Uuid>, E>,
) -> Result<Uuid, E> {
    if let Ok(id) = wanted.parse() {
        return Ok(id);
    }
    let mut all = named().await?;
    if is_short_id(wanted) {
        let found: Vec<_> = found().await?.iter().map(Uuid::to_string).collect();
        let unnamed = found.into_iter().filter(|id| all.iter().all(|one| one.id != *id)).collect::<Vec<_>>();
        all.extend(unnamed.into_iter().map(|id| Candidate { id, name: String::new() }));
    }
    let chosen = choose(what, wanted, all)?;
    let broken = |_| CommandError::new(FailureKind::Broken, format!("The server calls a {what} '{}'.", chosen.id));
    Ok(chosen.id.parse().map_err(broken)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events() -> Vec<Candidate> {
        [
            ("0f5e7a4c-3d0b", "Friday cup"),
            ("0f5e9999-3d0b", "Beef"),
            ("beef0001-3d0b", "Sunday cup"),
            ("7", "Twice"),
            ("8", "Twice"),
        ]
        .map(|(id, name)| Candidate { id: id.to_owned(), name: name.to_owned() })
        .to_vec()
    }

    fn chosen(wanted: &str) -> Result<String, FailureKind> {
        choose("event", wanted, events()).map(|one| one.name).map_err(|refusal| refusal.kind)
    }

    #[test]
    fn an_unambiguous_prefix_or_name_is_accepted() {
        assert_eq!(chosen("0f5e7a4c-3d0b"), Ok("Friday cup".to_owned()));
        assert_eq!(chosen("0F5E7"), Ok("Friday cup".to_owned()));
        assert_eq!(chosen("sunday CUP"), Ok("Sunday cup".to_owned()));
        assert_eq!(chosen("0f5e"), Err(FailureKind::Invalid), "two begin so");
        assert_eq!(chosen("beef"), Err(FailureKind::Invalid), "a title and a beginning");
        assert_eq!(chosen("twice"), Err(FailureKind::Invalid));
        for none in ["0f5", "cup", "", "é"] {
            assert_eq!(chosen(none), Err(FailureKind::NotFound), "{none}");
        }
    }

    #[test]
    fn a_prefix_is_a_range_of_ids() {
        let id: Uuid = "0f5e7a4c-3d0b-4b7e-9a51-6c1d2e3f4a5b".parse().expect("an id");
        for (text, holds) in [("0f5e", true), ("0F5E7a4c-3d0", true), (&*id.to_string(), true), ("0f5f", false)] {
            assert_eq!(ids_beginning_with(text).expect("a range").contains(&id), holds, "{text}");
        }
        for none in ["0f5", "0f5g", "", "0f5e7a4c-3d0b-4b7e-9a51-6c1d2e3f4a5b0"] {
            assert_eq!(ids_beginning_with(none), None, "{none}");
        }
    }

    #[test]
    fn ambiguous_candidates_are_listed() {
        let text = choose("event", "0f5e", events()).expect_err("two").text;
        assert_eq!(text, "'0f5e' means 2 events: 0f5e7a4c-3d0b (Friday cup), 0f5e9999-3d0b (Beef).");
    }
}
