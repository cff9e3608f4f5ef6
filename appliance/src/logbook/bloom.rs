//! Whether a chunk may contain a text, without reading it: a Bloom filter over the text's tokens.
//!
//! A token is a trigram, or a whole word of four letters or more. Trigrams find any part of a word; whole words
//! distinguish ids, whose trigrams every chunk has.

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

/// Bits of a chunk's filter: a thousand records have some 15,000 tokens, which set a fifth of the bits, so the false
/// positive rate of one token is 1 in 25.
const BITS: u32 = 1 << 17;

/// The longest text one can search for, in characters.
pub const MAX_SEARCH: usize = 200;

const SHORTEST_WORD: usize = 4;

#[derive(Clone, Serialize, Deserialize)]
pub struct BloomFilter(Vec<u64>);

impl Default for BloomFilter {
    fn default() -> Self {
        Self(vec![0; (BITS / 64) as usize])
    }
}

impl fmt::Debug for BloomFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Words({} bits)", self.0.iter().map(|word| word.count_ones()).sum::<u32>())
    }
}

impl BloomFilter {
    pub fn add(&mut self, text: &str) {
        let text = text.to_lowercase();
        for token in trigrams(&text).chain(words(&text).map(hash)) {
            for bit in bits(token) {
                self.0[(bit / 64) as usize] |= 1 << (bit % 64);
            }
        }
    }

    pub fn may_contain(&self, tokens: &[u32]) -> bool {
        tokens.iter().all(|token| {
            bits(*token)
                .into_iter()
                .all(|bit| self.0.get((bit / 64) as usize).is_some_and(|word| word >> (bit % 64) & 1 == 1))
        })
    }
}

fn bits(token: u32) -> [u32; 2] {
    let other = token.wrapping_mul(0x9e37_79b1).rotate_left(15);
    [token % BITS, other % BITS]
}

fn trigrams(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.char_indices().filter_map(|(at, _)| {
        let end = text[at..].char_indices().nth(2).map(|(last, letter)| at + last + letter.len_utf8())?;
        Some(hash(&text[at..end]))
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() >= SHORTEST_WORD)
}

/// A text to search for, ignoring case.
#[derive(Debug, Clone)]
pub struct SearchTerm {
    pattern: Regex,
    tokens: Vec<u32>,
}

impl PartialEq for SearchTerm {
    fn eq(&self, other: &Self) -> bool {
        self.pattern.as_str() == other.pattern.as_str()
    }
}

impl Eq for SearchTerm {}

impl Hash for SearchTerm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.pattern.as_str().hash(state);
    }
}

impl SearchTerm {
    /// `None` for a text that is empty or longer than [`MAX_SEARCH`].
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() || text.chars().count() > MAX_SEARCH {
            return None;
        }
        let pattern = RegexBuilder::new(&regex::escape(text)).case_insensitive(true).build().ok()?;
        let lower = text.to_lowercase();
        // The first and the last word may be parts of longer words.
        let starts_whole = lower.starts_with(|letter: char| !letter.is_alphanumeric());
        let ends_whole = lower.ends_with(|letter: char| !letter.is_alphanumeric());
        let parts: Vec<&str> = lower.split(|letter: char| !letter.is_alphanumeric()).collect();
        let whole = parts.iter().enumerate().filter(|(at, part)| {
            (*at > 0 || starts_whole) && (at + 1 < parts.len() || ends_whole) && part.len() >= SHORTEST_WORD
        });
        let mut tokens: Vec<u32> = whole.map(|(_, part)| hash(part)).collect();
        tokens.extend(trigrams(&lower));
        Some(Self { pattern, tokens })
    }

    pub fn is_in(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }

    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }
}

/// FNV-1a, which is the same after every start.
pub fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_never_denied() {
        let text = "Game 0b3f4a1e-9d1c-4a55-8b7e-0c9d5a3f1e22: Move rejected, it's ÉLODIE's turn";
        let mut filter = BloomFilter::default();
        filter.add(text);
        let letters: Vec<char> = text.chars().collect();
        for start in 0..letters.len() {
            for end in start + 1..=letters.len() {
                let part: String = letters[start..end].iter().collect();
                let Some(term) = SearchTerm::new(&part) else { continue };
                assert!(filter.may_contain(term.tokens()), "{part}");
                assert!(term.is_in(text), "{part}");
            }
        }
    }

    #[test]
    fn other_ids_are_told_apart() {
        let mut filter = BloomFilter::default();
        for _ in 0..1_000 {
            filter.add(&format!("game {} was joined", uuid::Uuid::new_v4()));
        }
        let wrong = (0..1_000).filter(|_| {
            let term = SearchTerm::new(&uuid::Uuid::new_v4().to_string()).unwrap();
            filter.may_contain(term.tokens())
        });
        assert!(wrong.count() < 20);
    }

    #[test]
    fn nothing_and_too_much_are_no_needles() {
        assert!(SearchTerm::new("  ").is_none());
        assert!(SearchTerm::new(&"x".repeat(MAX_SEARCH + 1)).is_none());
    }
}
