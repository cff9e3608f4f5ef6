//! Which texts can be shown on a line. It follows the properties that Unicode gives to characters, of the version that
//! `icu_properties` has.

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{
        DefaultIgnorableCodePoint, ExtendedPictographic, GeneralCategory, GeneralCategoryGroup, JoinControl,
        PrependedConcatenationMark, VariationSelector,
    },
};
use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

/// The combining class of viramas, after which a joiner may end a word.
const VIRAMA: u8 = 9;

/// Symbols to Unicode that are drawn as nothing: an empty Braille cell, an empty note head, the place of an object. No
/// property tells them from others.
const BLANK: [char; 3] = ['\u{2800}', '\u{1D159}', '\u{FFFC}'];

/// The flag with which tag sequences begin (UTS #51, ED-14a).
const FLAG: char = '\u{1F3F4}';

/// Control characters, and formatting characters that hide or reverse text. Terminals, logs and headers must not get
/// them. The joiners that emoji and several scripts need are not among them.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}'
            | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}')
}

/// The text of a name or title as it is stored: trimmed and composed (NFC).
pub fn composed(text: &str) -> String {
    text.trim().nfc().collect()
}

/// Whether each character of a line is visible, or belongs to a visible one: spaces, marks and variation selectors behind
/// a letter or sign, and joiners where scripts and emoji have them. So are an empty text and one of spaces, which the
/// caller judges.
pub fn is_visible(line: &str) -> bool {
    let mut rest = line;
    let mut before = Part::Start;
    while let Some(character) = rest.chars().next() {
        let flag = flag(rest);
        rest = &rest[flag.unwrap_or(character.len_utf8())..];
        let part = if flag.is_some() { Some(Part::Visible) } else { Part::of(character) };
        before = match (before, part) {
            (_, None) | (Part::Start | Part::Joiner, Some(Part::Mark | Part::Virama | Part::Joiner)) => return false,
            (Part::Joiner, Some(Part::Start)) => return false,
            // It joins nothing, but is written there in Malayalam.
            (Part::Virama, Some(Part::Joiner)) => Part::Mark,
            (_, Some(part)) => part,
        };
    }
    before != Part::Joiner
}

/// Bytes of the flag of a part of a country, such as Scotland's, that the text begins with: a flag, and the code of the
/// part in invisible characters. Other texts hidden in such characters are none.
pub fn flag(text: &str) -> Option<usize> {
    let tags = text.strip_prefix(FLAG)?;
    let end = tags.find('\u{E007F}')?;
    let code = tags[..end].chars().map(|tag| char::from_u32((tag as u32).checked_sub(0xE0000)?));
    let code: String = code.collect::<Option<_>>()?;
    let is_code = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    let fits = (3..=6).contains(&code.len()) && code.chars().all(is_code);
    fits.then_some(FLAG.len_utf8() + end + '\u{E007F}'.len_utf8())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The beginning of a line or word.
    Start,
    Visible,
    Mark,
    Virama,
    Joiner,
}

impl Part {
    /// `None` for what a line cannot have.
    fn of(character: char) -> Option<Self> {
        if CodePointSetData::new::<JoinControl>().contains(character) {
            return Some(Part::Joiner);
        }
        if CodePointSetData::new::<VariationSelector>().contains(character) {
            return Some(Part::Mark);
        }
        if CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character) || BLANK.contains(&character) {
            return None;
        }
        let category = CodePointMapData::<GeneralCategory>::new().get(character);
        if category == GeneralCategory::SpaceSeparator {
            return Some(Part::Start);
        }
        if GeneralCategoryGroup::Mark.contains(category) {
            let is_virama = canonical_combining_class(character) == VIRAMA;
            return Some(if is_virama { Part::Virama } else { Part::Mark });
        }
        let drawn = GeneralCategoryGroup::Letter
            .union(GeneralCategoryGroup::Number)
            .union(GeneralCategoryGroup::Punctuation)
            .union(GeneralCategoryGroup::Symbol);
        let is_drawn = drawn.contains(category)
            || CodePointSetData::new::<PrependedConcatenationMark>().contains(character)
            // Emoji that are yet to come.
            || CodePointSetData::new::<ExtendedPictographic>().contains(character);
        is_drawn.then_some(Part::Visible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_scripts_are_visible() {
        for name in [
            "Ada Lovelace",
            "D'Arcy-O’Neill",
            "Zoë",
            "Zoe\u{308}",
            "नमस्ते",
            "क्\u{200D}ष",
            "സച്ചിന്\u{200D}",
            "ගයාන් ශ්\u{200D}රී",
            "می\u{200C}خواهم",
            "張偉",
            "葛\u{E0100}城",
            "김민수",
            "สมชาย",
            "לֵאָה",
            "محمّد",
            "Nguyễn",
            "🦉",
            "👩‍👩‍👧",
            "❤\u{FE0F}",
            "1\u{FE0F}\u{20E3}",
            "👍🏽",
            "🇩🇪",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "🏴‍☠\u{FE0F}",
            "\u{1FAFF}",
            "山田\u{3000}太郎",
            "x\u{A0}y",
            "",
        ] {
            assert!(is_visible(name), "{name:?}");
        }
    }

    #[test]
    fn what_shows_nothing_or_hides_is_not_visible() {
        for text in [
            "\u{2800}",
            "\u{3164}",
            "\u{115F}",
            "\u{1160}",
            "\u{FFA0}",
            "\u{34F}",
            "\u{200D}",
            "\u{200C}",
            "\u{301}",
            "a \u{301}",
            "\u{FE0F}",
            "\u{E0100}",
            "\u{20E3}",
            "\u{FFFF}",
            "\u{FDD0}",
            "\u{10FFFF}",
            "\u{E000}",
            "\u{378}",
            "\u{1D159}",
            "\u{FFFC}",
            "\u{17B4}",
            "\u{180B}",
            "\u{1BCA0}",
            "\u{AD}",
            "\u{180E}",
            "\u{200B}",
            "\u{202E}ada",
            "\u{2066}ada\u{2069}",
            "\u{FEFF}",
            "a\nb",
            "a\tb",
            "a\u{2028}b",
            "\u{E0067}",
            "a\u{E0067}\u{E007F}",
            "🏴\u{E0067}\u{E0062}\u{E0073}",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E0074}\u{E0074}\u{E007F}",
            "ada\u{200D}",
            "ada\u{200D} b",
            "a\u{200D}\u{200D}b",
            "ad\u{3164}a",
            "ad\u{2800}a",
        ] {
            assert!(!is_visible(text), "{text:?}");
        }
    }

    #[test]
    fn names_are_stored_composed() {
        assert_eq!(composed(" Zoe\u{308} "), "Zoë");
        assert_eq!(composed("김"), "김");
    }
}
