//! A line of text being typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// More than anybody types; a paste of a whole file is cut here.
const LONGEST: usize = 2_000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextInput {
    text: String,
    /// In characters, from the start.
    cursor: usize,
}

impl TextInput {
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { cursor: text.chars().count(), text }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn cursor(&self) -> usize {
        self.cursor
    }

    pub fn set(&mut self, text: impl Into<String>) {
        *self = Self::new(text);
    }

    /// Handles a key as a line editor does; returns whether it used the key.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let length = self.text.chars().count();
        match key.code {
            KeyCode::Char('a') if ctrl => self.cursor = 0,
            KeyCode::Char('e') if ctrl => self.cursor = length,
            KeyCode::Char('u') if ctrl => self.remove(0, self.cursor),
            KeyCode::Char('k') if ctrl => self.remove(self.cursor, length),
            KeyCode::Char('w') if ctrl => self.remove(self.word_start(), self.cursor),
            KeyCode::Char(char) if !ctrl && !key.modifiers.contains(KeyModifiers::ALT) => {
                if length < LONGEST {
                    self.text.insert(self.byte(self.cursor), char);
                    self.cursor += 1;
                }
            }
            KeyCode::Backspace if self.cursor > 0 => self.remove(self.cursor - 1, self.cursor),
            KeyCode::Delete if self.cursor < length => self.remove(self.cursor, self.cursor + 1),
            KeyCode::Backspace | KeyCode::Delete => {}
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(length),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = length,
            _ => return false,
        }
        true
    }

    /// Inserts a line, as much of it as there is room for.
    pub fn paste(&mut self, line: &str) {
        let room = LONGEST.saturating_sub(self.text.chars().count());
        let line: String = line.chars().take(room).collect();
        self.text.insert_str(self.byte(self.cursor), &line);
        self.cursor += line.chars().count();
    }

    fn word_start(&self) -> usize {
        let before: Vec<char> = self.text.chars().take(self.cursor).collect();
        let end = before.iter().rposition(|char| !char.is_whitespace()).unwrap_or(0);
        before[..end].iter().rposition(|char| char.is_whitespace()).map_or(0, |at| at + 1)
    }

    fn byte(&self, chars: usize) -> usize {
        self.text.char_indices().nth(chars).map_or(self.text.len(), |(at, _)| at)
    }

    /// Removes characters, counted from the start.
    fn remove(&mut self, from: usize, to: usize) {
        let (start, end) = (self.byte(from), self.byte(to));
        self.text.replace_range(start..end, "");
        self.cursor = from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(input: &mut TextInput, code: KeyCode, modifiers: KeyModifiers) {
        assert!(input.key(KeyEvent::new(code, modifiers)));
    }

    #[test]
    fn a_line_is_edited_as_in_a_shell() {
        let mut input = TextInput::new("größer als");
        press(&mut input, KeyCode::Char('w'), KeyModifiers::CONTROL);
        assert_eq!(input.text(), "größer ");
        press(&mut input, KeyCode::Left, KeyModifiers::NONE);
        press(&mut input, KeyCode::Backspace, KeyModifiers::NONE);
        press(&mut input, KeyCode::Char('ß'), KeyModifiers::NONE);
        assert_eq!((input.text(), input.cursor()), ("größeß ", 6));
        press(&mut input, KeyCode::Char('a'), KeyModifiers::CONTROL);
        press(&mut input, KeyCode::Delete, KeyModifiers::NONE);
        press(&mut input, KeyCode::Char('k'), KeyModifiers::CONTROL);
        assert_eq!((input.text(), input.cursor()), ("", 0));
        press(&mut input, KeyCode::Backspace, KeyModifiers::NONE);
        assert!(!input.key(KeyEvent::from(KeyCode::Enter)));
    }

    #[test]
    fn the_length_of_a_line_is_limited() {
        let mut input = TextInput::new("x".repeat(LONGEST));
        press(&mut input, KeyCode::Char('y'), KeyModifiers::NONE);
        assert_eq!(input.text().len(), LONGEST);
        input.set("ab");
        press(&mut input, KeyCode::Left, KeyModifiers::NONE);
        input.paste(&"ß".repeat(LONGEST));
        assert_eq!((input.text().chars().count(), input.cursor()), (LONGEST, LONGEST - 1));
    }
}
