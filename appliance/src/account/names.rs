//! Names and emails of accounts: each text is validated once and has a type from then on. See
//! `docs/behaviour/accounts.md#names-and-emails`.

use std::fmt;

use crate::{fields, mail};

/// Declares a validated text.
macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// 3 to 20 of `A-Z a-z 0-9 _ . -`, unique without regard to case.
    Username
}
name! {
    /// 1 to 40 characters, all of which can be seen.
    DisplayName
}
name! {
    /// A first or a last name: at most 50 characters, and possibly none, since not everybody has both.
    PersonName
}
name! {
    /// An email address that mail can be sent to; whether it arrives is verified by a code.
    Email
}

impl Username {
    /// # Errors
    /// What is wrong, for people.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let allowed = |character: char| character.is_ascii_alphanumeric() || "_.-".contains(character);
        if (3..=20).contains(&text.len()) && text.chars().all(allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err("Username must be 3 to 20 letters, digits, or _ . -".to_owned())
        }
    }
}

impl DisplayName {
    /// # Errors
    /// What is wrong, for people.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = fields::line(text, 40, "Display name")?;
        if text.is_empty() { Err("Display name cannot be empty.".to_owned()) } else { Ok(Self(text)) }
    }
}

impl From<&Username> for DisplayName {
    /// The display name of an account until its owner sets another.
    fn from(username: &Username) -> Self {
        Self(username.0.clone())
    }
}

impl PersonName {
    /// # Errors
    /// What is wrong, for people.
    pub fn parse(text: &str) -> Result<Self, String> {
        fields::line(text, 50, "A name").map(Self)
    }
}

impl Default for PersonName {
    /// None.
    fn default() -> Self {
        Self(String::new())
    }
}

impl Email {
    /// # Errors
    /// What is wrong, for people.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        mail::typed(text).map(|_| Self(text.to_owned())).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usernames() {
        for good in ["Ada", "a_b.c-9", "12345678901234567890", " trimmed "] {
            assert!(Username::parse(good).is_ok(), "{good}");
        }
        for bad in ["", "ab", "123456789012345678901", "a b c", "äda", "ada\n1", "<ada>", "ada/.."] {
            assert_eq!(
                Username::parse(bad).unwrap_err(),
                "Username must be 3 to 20 letters, digits, or _ . -",
                "{bad}"
            );
        }
    }

    #[test]
    fn display_names() {
        assert_eq!(DisplayName::parse("  Ada  L. ").unwrap().as_str(), "Ada  L.");
        assert_eq!(DisplayName::parse(&"e\u{301}".repeat(40)).unwrap().as_str(), "é".repeat(40));
        assert!(DisplayName::parse("👩‍👩‍👧 Łucja नमस्ते").is_ok());
        for bad in ["", "   ", "a\u{0}b", "a\tb", "\u{202E}ada", "ada\u{200B}", "\u{3164}", "\u{2800}", &"x".repeat(41)]
        {
            assert!(DisplayName::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn person_names() {
        assert!(PersonName::parse("").is_ok());
        assert!(PersonName::parse(&"x".repeat(50)).is_ok());
        assert!(PersonName::parse(&"x".repeat(51)).is_err());
        assert!(PersonName::parse("a\u{7}").is_err());
    }

    #[test]
    fn emails() {
        assert_eq!(Email::parse(" ada@example.org ").unwrap().as_str(), "ada@example.org");
        assert_eq!(Email::parse("a..b@example.org").unwrap_err(), "Please enter a valid email address.");
    }
}
