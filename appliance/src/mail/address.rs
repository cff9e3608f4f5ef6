//! Addresses that mail is sent to: the one check of their form, for those who type them and for sending.

use lettre::Address;
use morpion_rules::text::is_invisible;
use url::Host;

/// The longest address that SMTP can carry, in bytes (RFC 5321, 4.5.3.1.3, without the angle brackets).
pub const MAX_ADDRESS: usize = 254;

/// The longest part before the @, in bytes (RFC 5321, 4.5.3.1.1).
const MAX_LOCAL: usize = 64;

/// Why an address is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("Please enter a valid email address.")]
    Malformed,
    /// Few mail servers take these (SMTPUTF8, RFC 6531), and whether ours does is known only when it is sent.
    #[error(
        "Email to this address may not arrive. Please use one with only letters a to z, digits and signs before the @."
    )]
    LocalBeyondAscii,
}

/// Checks an address that somebody typed, and returns it as mail is sent to it.
///
/// # Errors
/// As [`to_address`]; a part before the @ beyond ASCII.
pub fn typed(text: &str) -> Result<Address, AddressError> {
    let address = to_address(text)?;
    if address.user().is_ascii() { Ok(address) } else { Err(AddressError::LocalBeyondAscii) }
}

/// The address in the form in which every mail server takes it: a domain beyond ASCII is encoded (IDNA).
///
/// # Errors
/// [`AddressError::Malformed`]; also for what is valid but in no use: quoted parts, IP addresses, domains without a dot.
pub fn to_address(text: &str) -> Result<Address, AddressError> {
    let parse = || {
        let (local, domain) = text.rsplit_once('@')?;
        let excluded = |character: char| {
            character.is_whitespace() || is_invisible(character) || "@\"(),:;<>[]\\".contains(character)
        };
        // `Host` would decode what is escaped by percent signs.
        if local.len() > MAX_LOCAL
            || local.contains(excluded)
            || domain.contains(|sign: char| excluded(sign) || sign == '%')
        {
            return None;
        }
        let Ok(Host::Domain(domain)) = Host::parse(domain) else { return None };
        let is_good = domain.contains('.') && domain.split('.').all(is_label);
        let address = Address::new(local, domain).ok()?;
        (is_good && AsRef::<str>::as_ref(&address).len() <= MAX_ADDRESS).then_some(address)
    };
    parse().ok_or(AddressError::Malformed)
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Whose mailbox an address is, as far as many providers agree: case does not matter, and neither does a tag behind a
/// plus, nor how a domain is written. Otherwise each form would have letters and tries of its own. Dots are significant
/// to most.
pub fn mailbox(email: &str) -> String {
    let address = to_address(email).map_or_else(|_| email.to_owned(), |address| address.to_string());
    let email = address.to_lowercase();
    match email.rsplit_once('@') {
        Some((local, domain)) => match local.split_once('+') {
            Some((mailbox, _)) if !mailbox.is_empty() => format!("{mailbox}@{domain}"),
            _ => email,
        },
        None => email,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_typed_can_be_sent_to() {
        for (good, sent) in [
            ("ada@example.org", "ada@example.org"),
            ("a.b+c@sub.example.co.uk", "a.b+c@sub.example.co.uk"),
            ("o'brien_{x}@example.org", "o'brien_{x}@example.org"),
            ("ada@exämple.org", "ada@xn--exmple-cua.org"),
            ("ada@उदाहरण.भारत", "ada@xn--p1b6ci4b4b3a.xn--h2brj9c"),
        ] {
            assert_eq!(typed(good).unwrap().to_string(), sent);
        }
        let long = |local, label: usize| format!("{}@{}.example.org", "a".repeat(local), "b".repeat(label));
        for bad in [
            "",
            "ada",
            "@example.org",
            "ada@",
            "ada@org",
            ".ada@example.org",
            "ada.@example.org",
            "a..b@example.org",
            "ada@example.org.",
            "ada@.example.org",
            "ada@127.0.0.1",
            "ada@[127.0.0.1]",
            "ada@2130706433",
            "ada@exam%70le.org",
            "ada@under_score.org",
            "a b@example.org",
            "a@b@c.org",
            "ada@-x.org",
            "ada@x..org",
            "ada@example.org\r\nBcc: x@y.org",
            "\"a\"@example.org",
            "Ada <ada@example.org>",
            &long(65, 3),
            &long(3, 64),
            &format!("{}@{}org", "a".repeat(64), "example.".repeat(24)),
        ] {
            assert_eq!(typed(bad), Err(AddressError::Malformed), "{bad:?}");
            assert_eq!(to_address(bad), Err(AddressError::Malformed), "{bad:?}");
        }
        assert_eq!(typed("ünï@example.org"), Err(AddressError::LocalBeyondAscii));
        assert!(to_address("ünï@example.org").is_ok(), "a server that takes it gets letters to accounts that have it");
    }

    #[test]
    fn a_mailbox_is_known_by_all_its_forms() {
        for form in ["Ada@exämple.org", "ada+1@EXÄMPLE.org", "ada+x+y@xn--exmple-cua.org"] {
            assert_eq!(mailbox(form), "ada@xn--exmple-cua.org");
        }
        assert_ne!(mailbox("a.da@example.org"), mailbox("ada@example.org"));
        assert_eq!(mailbox("+tag@example.org"), "+tag@example.org");
        assert_eq!(mailbox("Nobody"), "nobody");
    }
}
