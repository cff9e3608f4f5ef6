//! Which records are shown.

use morpion_openapi::logger::LogLevel;
use regex::{Regex, RegexBuilder};

use super::record::Record;
use crate::time;

/// A compiled search takes at most this much memory, in bytes: a typed one needs a few kilobytes.
const SEARCH_BYTES: usize = 1024 * 1024;

/// The levels, the worst first.
pub const LEVELS: [LogLevel; 4] = [LogLevel::Error, LogLevel::Warning, LogLevel::Info, LogLevel::Debug];

fn rank(level: LogLevel) -> usize {
    LEVELS.iter().position(|other| *other == level).unwrap_or(LEVELS.len())
}

/// Which moments are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Window {
    #[default]
    All,
    /// The last so many milliseconds.
    Last(i64),
    /// Between two moments, Unix milliseconds.
    Between(i64, i64),
}

impl Window {
    /// The windows of the menu, and what they are called.
    pub const MENU: [(Self, &'static str); 5] = [
        (Self::All, "all that is remembered"),
        (Self::Last(5 * 60_000), "the last 5 minutes"),
        (Self::Last(15 * 60_000), "the last 15 minutes"),
        (Self::Last(3_600_000), "the last hour"),
        (Self::Last(86_400_000), "the last 24 hours"),
    ];

    /// Reads `15m`, or one or two times: `20:00 21:30`.
    ///
    /// # Errors
    /// How windows are written.
    pub fn parse(typed: &str, now: i64) -> Result<Self, String> {
        let typed = typed.trim();
        if typed.is_empty() || typed == "all" {
            return Ok(Self::All);
        }
        if let Some(duration) = time::duration(typed) {
            return Ok(Self::Last(duration.num_milliseconds()));
        }
        let words: Vec<_> = typed.split_whitespace().collect();
        // A time is one word or two: every split is tried.
        for at in 1..=words.len() {
            let (begin, end) = (words[..at].join(" "), words[at..].join(" "));
            let begin = time::parse(&begin, now);
            let end = if end.is_empty() { Ok(i64::MAX) } else { time::parse(&end, now).map(|end| end.as_millis()) };
            if let (Ok(begin), Ok(end)) = (begin, end) {
                return Ok(Self::Between(begin.as_millis(), end));
            }
        }
        Err("A window is 15m, or 20:00 21:30, or 2026-11-21 20:00 2026-11-21 21:30 (UTC).".to_owned())
    }

    /// The earliest moment that is shown.
    pub fn begin(self, server_now: i64) -> i64 {
        match self {
            Self::All => i64::MIN,
            Self::Last(millis) => server_now - millis,
            Self::Between(begin, _) => begin,
        }
    }

    fn end(self) -> i64 {
        if let Self::Between(_, end) = self { end } else { i64::MAX }
    }
}

/// A search by regular expression. Without capitals in it, capitals do not matter.
#[derive(Debug, Clone)]
pub struct Search {
    regex: Regex,
    /// Shows what does not match.
    pub is_inverse: bool,
}

impl Search {
    /// Reads what was typed: a regular expression, after a `!` for the inverse. Nothing typed is no
    /// search.
    ///
    /// # Errors
    /// What is wrong with the expression, in a line.
    pub fn parse(typed: &str) -> Result<Option<Self>, String> {
        let (pattern, is_inverse) = typed.strip_prefix('!').map_or((typed, false), |rest| (rest, true));
        if pattern.is_empty() {
            return Ok(None);
        }
        let regex = RegexBuilder::new(pattern)
            .case_insensitive(!pattern.chars().any(char::is_uppercase))
            .size_limit(SEARCH_BYTES)
            .build()
            .map_err(|error| match error {
                regex::Error::CompiledTooBig(_) => "this expression is too large".to_owned(),
                error => {
                    let text = error.to_string();
                    let reason = text.lines().last().unwrap_or_default();
                    reason.trim_start_matches("error: ").to_owned()
                }
            })?;
        Ok(Some(Self { regex, is_inverse }))
    }

    fn fits(&self, record: &Record) -> bool {
        record.texts().any(|text| self.regex.is_match(text)) != self.is_inverse
    }

    /// Where it matches in a text, in bytes; an inverse search marks nothing.
    pub fn matches<'a>(&'a self, text: &'a str) -> impl Iterator<Item = std::ops::Range<usize>> + 'a {
        let matches = (!self.is_inverse).then(|| self.regex.find_iter(text));
        matches.into_iter().flatten().map(|found| found.range()).filter(|range| !range.is_empty())
    }
}

#[derive(Debug, Clone)]
pub struct Filter {
    /// The mildest level shown.
    pub level: LogLevel,
    pub service: Option<String>,
    pub window: Window,
    pub search: Option<Search>,
}

impl Default for Filter {
    fn default() -> Self {
        Self { level: LogLevel::Debug, service: None, window: Window::All, search: None }
    }
}

impl Filter {
    pub fn fits(&self, record: &Record, server_now: i64) -> bool {
        rank(record.level) <= rank(self.level)
            && self.service.as_ref().is_none_or(|service| **service == *record.service)
            && record.at >= self.window.begin(server_now)
            && record.at <= self.window.end()
            && self.search.as_ref().is_none_or(|search| search.fits(record))
    }

    pub fn is_default(&self) -> bool {
        self.level == LogLevel::Debug && self.service.is_none() && self.window == Window::All && self.search.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(level: LogLevel, at: i64, message: &str) -> Record {
        Record {
            id: "1".into(),
            level,
            at,
            service: "play".into(),
            platform: "server".into(),
            message: message.into(),
            details: None,
        }
    }

    fn searched(typed: &str) -> Filter {
        Filter { search: Search::parse(typed).expect("an expression"), ..Filter::default() }
    }

    #[test]
    fn a_level_includes_more_severe_ones() {
        let filter = Filter { level: LogLevel::Warning, ..Filter::default() };
        let shown = LEVELS.map(|level| filter.fits(&record(level, 0, ""), 0));
        assert_eq!(shown, [true, true, false, false]);
    }

    #[test]
    fn windows_and_services_narrow_it() {
        let last = Filter { window: Window::Last(1_000), ..Filter::default() };
        assert!(last.fits(&record(LogLevel::Info, 9_000, ""), 10_000));
        assert!(!last.fits(&record(LogLevel::Info, 8_999, ""), 10_000));
        let between = Filter { window: Window::Between(5, 7), ..Filter::default() };
        assert_eq!([4, 5, 7, 8].map(|at| between.fits(&record(LogLevel::Info, at, ""), 0)), [false, true, true, false]);
        let service = Filter { service: Some("store".to_owned()), ..Filter::default() };
        assert!(!service.fits(&record(LogLevel::Info, 0, ""), 0));
    }

    #[test]
    fn a_search_is_a_regular_expression_and_can_be_inverted() {
        let slow = record(LogLevel::Info, 0, "commit took 512 ms");
        for (typed, fits) in [
            ("took [0-9]{3} ms", true),
            ("TOOK", false),
            ("took", true),
            ("!took", false),
            ("!nothing", true),
            ("play", true),
            ("", true),
            ("!", true),
        ] {
            assert_eq!(searched(typed).fits(&slow, 0), fits, "{typed}");
        }
        assert!(Search::parse("took (").expect_err("it is not closed").contains("unclosed"));
        assert!(Search::parse("(x{1000}){1000}").is_err(), "an expression of unbounded size is refused");
    }

    #[test]
    fn matches_are_marked() {
        let search = Search::parse("o").expect("an expression").expect("a search");
        assert_eq!(search.matches("foo").collect::<Vec<_>>(), [1..2, 2..3]);
        let nothing = Search::parse("x*").expect("an expression").expect("a search");
        assert_eq!(nothing.matches("abc").count(), 0);
        let inverse = Search::parse("!o").expect("an expression").expect("a search");
        assert_eq!(inverse.matches("foo").count(), 0);
    }
}
