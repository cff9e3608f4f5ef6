//! Untrusted texts made safe for a terminal: characters that move the cursor, change colours, reverse or hide text are
//! escaped.

use std::borrow::Cow;

use morpion_rules::text::{flag, is_invisible};

/// Whether a terminal would interpret the character instead of showing it.
pub fn is_unsafe(char: char) -> bool {
    is_invisible(char)
}

/// A text for one line: such characters become `\n`, `\t`, `\u{1b}` and the like.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_invisible)
}

/// A text of several lines: line breaks and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |char| !matches!(char, '\n' | '\t') && is_invisible(char))
}

/// JSON, where such a character may be written as `\u202e` with the same meaning.
pub fn json(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        if is_invisible(char) {
            for unit in char.encode_utf16(&mut [0; 2]) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            safe.push(char);
        }
    }
    Cow::Owned(safe)
}

fn escaped(text: &str, is_unsafe: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let flag = flag(rest);
        let (shown, after) = rest.split_at(flag.unwrap_or(char.len_utf8()));
        if flag.is_none() && is_unsafe(char) {
            safe.extend(char.escape_default());
        } else {
            safe.push_str(shown);
        }
        rest = after;
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCOTLAND: &str = "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";

    #[test]
    fn characters_that_terminals_interpret_are_escaped() {
        for (text, shown) in [
            ("anna", "anna"),
            ("an\u{1b}[2Jna", "an\\u{1b}[2Jna"),
            ("c1 \u{9b}31m", "c1 \\u{9b}31m"),
            ("two\nlines\r", "two\\nlines\\r"),
            ("abc\u{202e}gpj.exe", "abc\\u{202e}gpj.exe"),
            ("日本 👩‍👧 é", "日本 👩‍👧 é"),
            (SCOTLAND, SCOTLAND),
            ("a\u{e0067}\u{e007f}", "a\\u{e0067}\\u{e007f}"),
        ] {
            assert_eq!(line(text), shown);
        }
        assert_eq!(lines("two\nlines\u{7}"), "two\nlines\\u{7}");
        assert!(matches!(line("anna"), Cow::Borrowed("anna")), "a harmless text is not copied");
    }

    #[test]
    fn escaped_json_has_the_same_value() {
        let text = "abc\u{202e}\u{9b}\u{e0041}日";
        let written = serde_json::to_string(text).expect("a text");
        let safe = json(&written);
        assert!(!safe.chars().any(is_invisible), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).expect("JSON"), text);
    }
}
