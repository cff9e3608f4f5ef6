//! Words of a closed set on the command line.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Reads one of these, and completes it.
pub fn words<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    word_of: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|one| word_of(*one))).try_map(move |word| {
        let one = all.iter().find(|one| word_of(**one) == word);
        one.copied().ok_or("no such value")
    })
}
