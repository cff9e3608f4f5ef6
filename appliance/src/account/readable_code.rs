//! Codes that people read from a screen or a sheet of paper, and type.

use rand::Rng;

/// Their letters: 5 bits each, without those that look alike.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Letters of a code, 80 bits.
const LETTERS: usize = 16;

/// A new code, as it is compared.
pub fn new_code() -> String {
    let mut rng = rand::rng();
    (0..LETTERS).map(|_| char::from(ALPHABET[rng.random_range(0..ALPHABET.len())])).collect()
}

/// A code in groups of four, as it is shown.
pub fn in_groups(code: &str) -> String {
    let letters: Vec<char> = code.chars().collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// What was typed, without blanks and hyphens; `None` when it cannot be a code.
pub fn typed_code(typed: &str) -> Option<String> {
    if typed.len() > 4 * LETTERS {
        return None;
    }
    let code: String = typed.chars().filter(|letter| *letter != '-' && !letter.is_whitespace()).collect();
    let code = code.to_ascii_lowercase();
    (code.len() == LETTERS && code.bytes().all(|letter| ALPHABET.contains(&letter))).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_people_type_them() {
        let code = "abcdefghijkmnpqr".to_owned();
        for typed in ["abcd-efgh-ijkm-npqr", " ABCD efgh\tijkmnpqr\n", "abcdefghijkmnpqr"] {
            assert_eq!(typed_code(typed), Some(code.clone()), "{typed}");
        }
        for typed in ["", "abcd", "abcd-efgh-ijkm-npq0", "abcd-efgh-ijkm-npqé", &"a".repeat(17), &"-".repeat(65)] {
            assert_eq!(typed_code(typed), None, "{typed}");
        }
    }

    #[test]
    fn new_codes_can_be_typed() {
        let code = new_code();
        assert_ne!(code, new_code());
        assert_eq!(typed_code(&in_groups(&code).to_uppercase()), Some(code));
    }
}
