//! Redacts secrets in texts that others wrote: a client's log may contain anything that was on its page.
//!
//! Our own code logs no secrets in the first place; this is the second safeguard.

use std::{borrow::Cow, ops::Range, sync::LazyLock};

use aho_corasick::AhoCorasick;
use regex::{Captures, Regex};

const REDACTED: &str = "[hidden]";

/// `password=…`, `"token": "…"`, `Cookie: …` and the like, in JSON, queries, headers and prose.
static NAMED_SECRET: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?ix)
        (?P<name>
            \b[\w-]*(?: passw(?:or)?d | passphrase | secret | token | api[_-]?key | credential | authorization | cookie
            | session | verification[_-]?code | \bcode | \bpin | \botp | cvc | cvv | card[_-]?number )[\w-]*
        )
        (?P<between> \\?["']? \s* [:=] \s* )
        (?P<value>
            (?P<quoted> "(?:[^"\\]|\\.)*" ) | (?P<escaped> \\"[^"\\]*\\" ) | '[^']*'
            | (?:bearer|basic)\s+[^\s,;&"'}]+ | [^\s,;&"'}\]]+
        )"#,
    )
    .expect("a pattern of ours")
});

/// Secrets recognised by their form: bearer tokens, JSON web tokens, keys of the payment provider, URLs with a
/// password.
static SHAPED_SECRET: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        \b(?i:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}
        | \beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*
        | \b(?:sk|rk|whsec|pi|seti)_[A-Za-z0-9_]{8,}
        | ://[^\s/:@]+:[^\s/@]+@",
    )
    .expect("a pattern of ours")
});

/// 13 to 19 digits that start like those of cards, in one piece or, with the same separator throughout, in groups of four
/// or as 4-6-5 and 4-6-4: a card if it stands alone and the check digit is right.
static CARD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        [2-6][0-9]{12,18}
        | [2-6][0-9]{3} (?: \x20[0-9]{4} ){2,3} \x20[0-9]{1,4} | [2-6][0-9]{3} (?: -[0-9]{4} ){2,3} -[0-9]{1,4}
        | 3[0-9]{3} (?: \x20[0-9]{6}\x20[0-9]{4,5} | -[0-9]{6}-[0-9]{4,5} )",
    )
    .expect("a pattern of ours")
});

/// Without one of these the patterns find nothing; most records have none, and are scanned once.
static HINTS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let hints = [
        "passw",
        "passphrase",
        "secret",
        "token",
        "key",
        "credential",
        "authorization",
        "cookie",
        "session",
        "code",
        "pin",
        "otp",
        "cvc",
        "cvv",
        "card",
        "bearer",
        "basic",
        "eyj",
        "sk_",
        "rk_",
        "whsec_",
        "pi_",
        "seti_",
        "://",
    ];
    AhoCorasick::builder().ascii_case_insensitive(true).build(hints).expect("few and short words")
});

/// The fewest digits of a card.
const CARD_DIGITS: usize = 13;

/// Names that look like a secret's but are not: the viewer filters by them.
const HARMLESS: [&str; 5] = ["session_id", "sessionid", "error_code", "errorcode", "status_code"];

/// The text without secrets.
pub fn redact(text: &str) -> Cow<'_, str> {
    // With Unicode case folding some letters of other alphabets equal ASCII letters.
    let is_plain = text.is_ascii() && !HINTS.is_match(text);
    if is_plain && text.bytes().filter(u8::is_ascii_digit).count() < CARD_DIGITS {
        return Cow::Borrowed(text);
    }
    let named = NAMED_SECRET.replace_all(text, |found: &Captures| {
        let name = &found["name"];
        if HARMLESS.contains(&name.to_ascii_lowercase().as_str()) {
            found[0].to_owned()
        } else {
            let quote = match (found.name("quoted"), found.name("escaped")) {
                (Some(_), _) => "\"",
                (_, Some(_)) => "\\\"",
                _ => "",
            };
            format!("{name}{}{quote}{REDACTED}{quote}", &found["between"])
        }
    });
    let shaped = map(named, |text| SHAPED_SECRET.replace_all(text, REDACTED));
    map(shaped, |text| {
        CARD.replace_all(text, |found: &Captures| {
            let at = found.get(0).expect("the whole match").range();
            let is_hidden = stands_alone(text, &at) && is_card(&found[0]);
            if is_hidden { REDACTED.to_owned() } else { found[0].to_owned() }
        })
    })
}

fn map<'a>(text: Cow<'a, str>, change: impl for<'b> Fn(&'b str) -> Cow<'b, str>) -> Cow<'a, str> {
    match change(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(changed) => Cow::Owned(changed),
    }
}

/// Whether digits are not part of something longer: a word, an id, the fraction of a number.
fn stands_alone(text: &str, at: &Range<usize>) -> bool {
    let joins = |near: Option<char>, beyond: Option<char>| match near {
        Some('.' | '-') => beyond.is_some_and(|beyond| beyond.is_ascii_digit()),
        near => near.is_some_and(|near| near.is_alphanumeric() || near == '_'),
    };
    let (mut before, mut after) = (text[..at.start].chars().rev(), text[at.end..].chars());
    !joins(before.next(), before.next()) && !joins(after.next(), after.next())
}

/// The check digit of card numbers (Luhn).
fn is_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(10)).collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| match digit * (1 + at as u32 % 2) {
            doubled if doubled > 9 => doubled - 9,
            single => single,
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_wherever_they_stand() {
        for (text, secret) in [
            (r#"{"email":"a@b.c","password":"Hunter2!x"}"#, "Hunter2"),
            (r#"{\"newPassword\":\"Hunter2!x\"}"#, "Hunter2"),
            ("password=Hunter2!x&next=1", "Hunter2"),
            ("the code: 482913 was refused", "482913"),
            ("Cookie: morpion_session=abcdefghijklmnop", "abcdefghijklmnop"),
            ("authorization: Bearer abcdefghijklmnop", "abcdefghijklmnop"),
            ("sent Bearer abcdefghijklmnop to it", "abcdefghijklmnop"),
            ("X-XSRF-TOKEN: q1w2e3r4t5", "q1w2e3r4t5"),
            ("id eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln there", "c2ln"),
            ("sk_live_51H8abcDEF is the key", "51H8abcDEF"),
            ("card 4242 4242 4242 4242 was declined", "4242 4242"),
            ("card 4242424242424242 was declined", "4242424242424242"),
            ("4242424242424242", "4242424242424242"),
            ("card-4242424242424242", "4242424242424242"),
            ("it was 4242424242424242.", "4242424242424242"),
            (r#"{"number":"4242-4242-4242-4242","cvx":1}"#, "4242-4242"),
            ("378282246310005, 3782 822463 10005", "3782"),
            ("cards 4242424242424242 4000056655665556", "4000056655665556"),
            ("smtp://me:Hunter2@mail.example.org", "Hunter2"),
            ("https://x.example/cb?code=9a8b7c&state=1", "9a8b7c"),
        ] {
            let cleaned = redact(text);
            assert!(!cleaned.contains(secret), "{text} became {cleaned}");
            assert!(cleaned.contains(REDACTED), "{text} became {cleaned}");
        }
    }

    #[test]
    fn what_is_no_secret_stays() {
        for text in [
            "move rejected: It is not your turn.",
            r#"{"errorCode":"not-your-turn","gameId":"0b3f4a1e-9d1c-4a55-8b7e-0c9d5a3f1e22"}"#,
            "answered status=200 latency_ms=1.25",
            "order 1234567890123 of 2026-11-21",
            // Digits that are no card's: of a fraction, or part of something longer.
            "latency_ms=20.4242424242424242",
            "4242424242424242.5 ms",
            "4242424242424242e3",
            "id_4242424242424242",
            "4242424242424242-0b3f",
            "42424242424242424242424242",
            "from 2026-11-21 10:00 42424242 4242",
            "session_id=0b3f4a1e-9d1c-4a55-8b7e-0c9d5a3f1e22",
        ] {
            assert_eq!(redact(text), text);
        }
    }

    #[test]
    fn json_stays_json() {
        let cleaned = redact(r#"{"password":"a\"b","x":1}"#).into_owned();
        assert!(serde_json::from_str::<serde_json::Value>(&cleaned).is_ok(), "{cleaned}");
        assert!(!cleaned.contains(r#"a\"b"#), "{cleaned}");
    }
}
