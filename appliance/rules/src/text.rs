//! What no name or title may contain.

/// Control characters, and formatting characters that hide or reverse text, with which one name can be made to look
/// like another. The joiners that emoji and several scripts need stay allowed.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}'
            | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}')
}
