//! Fields that several parts take: a line of text, a reason, an end. Each is checked once, by one rule, and refused in words
//! for people.

use chrono::{DateTime, Datelike, Utc};
use morpion_rules::text::{composed, is_visible};

/// Characters of a reason, of a report's text and of a note.
pub const MAX_TEXT: usize = 500;

/// The last year that RFC 3339, and so the API, can write.
const LAST_YEAR: i32 = 9_999;

/// The text as it is stored: trimmed and composed, of at most `max` characters that can be seen. It may be empty.
///
/// # Errors
/// What is wrong, for people.
pub fn line(text: &str, max: usize, what: &str) -> Result<String, String> {
    let text = composed(text);
    if text.chars().count() > max {
        return Err(format!("{what} can have at most {max} characters."));
    }
    if is_visible(&text) {
        Ok(text)
    } else {
        Err(format!("{what} has a character that cannot be seen. Please type it again."))
    }
}

/// Why somebody does what they may do to others: 1 to [`MAX_TEXT`] characters. It is kept in the audit trail, and those
/// concerned read it.
///
/// # Errors
/// What is wrong, for people.
pub fn reason(text: &str) -> Result<String, String> {
    let text = line(text, MAX_TEXT, "A reason")?;
    if text.is_empty() { Err(format!("A reason of 1 to {MAX_TEXT} characters is needed.")) } else { Ok(text) }
}

/// Until when something lasts that an operator imposes or gives; `None` for no end.
///
/// # Errors
/// What is wrong, for people.
pub fn end(until: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, String> {
    match until {
        Some(until) if until <= now => Err("The end must be in the future.".to_owned()),
        Some(until) if until.year() > LAST_YEAR => Err("The end must be before the year 10000.".to_owned()),
        until => Ok(until),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_says_something() {
        assert_eq!(reason(" Went home. ").as_deref(), Ok("Went home."));
        assert_eq!(reason(&"x".repeat(MAX_TEXT)).map(|text| text.len()), Ok(MAX_TEXT));
        for (text, why) in [
            ("", "A reason of 1 to 500 characters is needed."),
            (" \u{3000}", "A reason of 1 to 500 characters is needed."),
            ("\u{3164}", "A reason has a character that cannot be seen. Please type it again."),
            ("\u{2800}\u{2800}", "A reason has a character that cannot be seen. Please type it again."),
            ("a\u{202E}b", "A reason has a character that cannot be seen. Please type it again."),
            (&"x".repeat(MAX_TEXT + 1), "A reason can have at most 500 characters."),
        ] {
            assert_eq!(reason(text), Err(why.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn an_end_is_in_the_future_and_can_be_written() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        let now = at("2026-11-29T12:00:00Z");
        assert_eq!(end(None, now), Ok(None));
        for good in ["2026-11-29T12:00:01Z", "9999-12-31T23:59:59Z"] {
            assert_eq!(end(Some(at(good)), now), Ok(Some(at(good))));
        }
        for (bad, why) in [
            ("2026-11-29T12:00:00Z", "The end must be in the future."),
            ("+10000-01-01T00:00:00Z", "The end must be before the year 10000."),
        ] {
            assert_eq!(end(Some(at(bad)), now), Err(why.to_owned()));
        }
    }
}
