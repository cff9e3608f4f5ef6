//! Text that fits: shortened names, durations.

use std::borrow::Cow;

use morpion_shell::escape;
use ratatui::text::{Line, Span};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use uuid::Uuid;

/// The text in at most `width` columns, with `ellipsis` (one column) where it was cut. Control
/// characters are escaped.
pub fn fit(text: &str, width: usize, ellipsis: &str) -> String {
    let clean = escape::line(text);
    if clean.width() <= width {
        return clean.into_owned();
    }
    let mut shown = String::new();
    let mut used = ellipsis.width();
    if used > width {
        return shown;
    }
    for char in clean.chars() {
        used += char.width().unwrap_or(0);
        if used > width {
            break;
        }
        shown.push(char);
    }
    shown + ellipsis
}

/// A text in lines of so many columns, broken between words where that is possible, else within one.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let text = &escape::line(text);
    let mut lines = vec![];
    let indent: String = text.chars().take_while(|char| *char == ' ').collect();
    let mut line = indent;
    for word in text.split_whitespace() {
        let taken = line.width();
        if taken > 0 && taken + 1 + word.width() > width && !line.trim().is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        if !line.trim().is_empty() {
            line.push(' ');
        }
        let mut used = line.width();
        for char in word.chars() {
            let columns = char.width().unwrap_or(0);
            if used + columns > width && !line.trim().is_empty() {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(char);
            used += columns;
        }
    }
    lines.push(line);
    lines
}

/// A text in lines of so many columns, broken wherever that is, with its tabs as spaces.
pub fn split(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut line, mut used) = (vec![], String::new(), 0);
    for char in text.chars() {
        let shown = match char {
            '\t' => " ".repeat(TAB - used % TAB),
            char => escape::line(char.encode_utf8(&mut [0; 4])).into_owned(),
        };
        if used + shown.width() > width && used > 0 {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        line.push_str(&shown);
        used += shown.width();
    }
    lines.push(line);
    lines
}

/// Columns between the stops of a tab.
const TAB: usize = 8;

/// The first visible row, with the selected one in the middle where possible.
pub fn first_shown(chosen: usize, count: usize, rows: usize) -> usize {
    chosen.saturating_sub(rows / 2).min(count.saturating_sub(rows))
}

/// The short form of an id: enough to tell games apart and to find one in a log.
pub fn short_id(id: Uuid) -> String {
    id.simple().to_string()[..8].to_owned()
}

/// The columns that a line needs, with control characters escaped.
pub fn width(line: &Line) -> usize {
    line.spans.iter().map(|span| escape::line(&span.content).width()).sum()
}

/// The line with control characters escaped.
pub fn escaped(mut line: Line<'_>) -> Line<'_> {
    for span in &mut line.spans {
        if let Cow::Owned(safe) = escape::line(&span.content) {
            span.content = safe.into();
        }
    }
    line
}

/// A line in at most `width` columns; its spans keep their styles.
pub fn fit_line(line: Line<'static>, width: usize, ellipsis: &str) -> Line<'static> {
    let mut room = width;
    let is_cut = self::width(&line) > width;
    let mut spans = vec![];
    for span in line.spans {
        let whole = escape::line(&span.content).width();
        // Where the line is cut, the span that reaches the end shows it.
        let is_last = is_cut && whole >= room;
        let text = if is_last && whole == room {
            fit(&format!("{}  ", span.content), room, ellipsis)
        } else {
            fit(&span.content, room, ellipsis)
        };
        room -= text.width();
        spans.push(Span::styled(text, span.style));
        if is_last {
            break;
        }
    }
    Line { spans, ..line }
}

/// How so much room is shared by those who need so much: evenly, but what one does not need is the others'.
pub fn shares(room: usize, needed: &[usize]) -> Vec<usize> {
    let mut shares = vec![0; needed.len()];
    let mut order: Vec<_> = (0..needed.len()).collect();
    order.sort_by_key(|at| needed[*at]);
    let mut left = room;
    for (done, at) in order.into_iter().enumerate() {
        shares[at] = needed[at].min(left / (needed.len() - done));
        left -= shares[at];
    }
    shares
}

/// `1 event`, `3 events`, `1 204 entries`, `4 matches`.
pub fn count(of: u64, noun: &str) -> String {
    let noun = match (of, noun.strip_suffix('y')) {
        (1, _) => noun.to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        (_, None) if noun.ends_with("ch") || noun.ends_with('s') => format!("{noun}es"),
        (_, None) => format!("{noun}s"),
    };
    format!("{} {noun}", number(of))
}

/// A span of time at a glance: `12 s`, `4 min`, `3 h`, `2 d`.
pub fn age(millis: i64) -> String {
    let seconds = millis.max(0) / 1_000;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// A number that is easy to read: `1 204`.
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// The time until a moment, or since it: `in 3:20`, `in 2 d`, `4 min ago`.
pub fn until(millis: i64) -> String {
    match millis {
        ..0 => format!("{} ago", age(-millis)),
        0..3_600_000 => format!("in {}", clock(millis)),
        _ => format!("in {}", age(millis)),
    }
}

/// A clock: `0:07`, `12:45`, `1:02:03`.
pub fn clock(millis: i64) -> String {
    let seconds = millis.max(0) / 1_000;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// A cell's name: columns are letters from the left, rows are numbers from the top.
pub fn cell(row: u8, col: u8) -> String {
    format!("{}{}", column(col), u16::from(row) + 1)
}

/// A column's letter.
pub fn column(col: u8) -> char {
    char::from(b'a' + col.min(25))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut() {
        assert_eq!(fit("anna", 4, "…"), "anna");
        assert_eq!(fit("annabelle", 4, "…"), "ann…");
        assert_eq!(fit("日本語", 5, "…"), "日本…");
        assert_eq!(fit("an\u{1b}[2Jna", 20, "…"), "an\\u{1b}[2Jna");
        assert_eq!(fit("anna", 0, "…"), "");
    }

    #[test]
    fn lines_of_several_spans_are_cut() {
        let line = || Line::from(vec![Span::raw("anna"), Span::raw("  -  "), Span::raw("ben")]);
        let cut = |width| fit_line(line(), width, "…").to_string();
        assert_eq!([12, 11, 9, 4, 2, 0].map(cut), ["anna  -  ben", "anna  -  b…", "anna  - …", "ann…", "a…", ""]);
    }

    #[test]
    fn long_words_are_broken() {
        assert_eq!(wrapped("one two", 5), ["one", "two"]);
        assert_eq!(wrapped("a reallylong word", 6), ["a", "really", "long", "word"]);
        assert_eq!(wrapped("日本語", 4), ["日本", "語"]);
        assert_eq!(wrapped("wide", 0), ["w", "i", "d", "e"]);
    }

    #[test]
    fn room_is_shared_by_need() {
        assert_eq!(shares(20, &[5, 5]), [5, 5]);
        assert_eq!(shares(20, &[30, 5]), [15, 5]);
        assert_eq!(shares(21, &[30, 40]), [10, 11]);
        assert_eq!(shares(0, &[3, 4]), [0, 0]);
        assert!(shares(9, &[]).is_empty());
    }

    #[test]
    fn counts_have_singular_and_plural() {
        assert_eq!([0, 1, 2_000].map(|of| count(of, "account")), ["0 accounts", "1 account", "2 000 accounts"]);
        assert_eq!([1, 2].map(|of| count(of, "entry")), ["1 entry", "2 entries"]);
        assert_eq!([1, 2].map(|of| count(of, "match")), ["1 match", "2 matches"]);
        assert_eq!([1, 2].map(|of| count(of, "loss")), ["1 loss", "2 losses"]);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1_204, 1_000_000].map(number), ["0", "999", "1 204", "1 000 000"]);
        assert_eq!([200_000, 7_200_000, -60_000].map(until), ["in 3:20", "in 2 h", "1 min ago"]);
    }

    #[test]
    fn times_are_short() {
        assert_eq!([0, 59_999, 60_000, 7_200_000, 172_800_000].map(age), ["0 s", "59 s", "1 min", "2 h", "2 d"]);
        assert_eq!([-5, 7_000, 765_000, 3_723_000].map(clock), ["0:00", "0:07", "12:45", "1:02:03"]);
        assert_eq!((cell(0, 0), cell(5, 2)), ("a1".to_owned(), "c6".to_owned()));
    }
}
