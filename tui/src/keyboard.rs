//! What the keyboard sends: key presses, or text that was pasted.
//!
//! A terminal that knows bracketed paste says which is which. On any other one pasted text looks like keys, but they come
//! faster than anybody types: taken for commands, a line of a chat could end an event.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::event::Event;

/// Keys that follow each other within this time are one burst. Nobody types so fast, and no key repeats so fast.
pub const BURST: Duration = Duration::from_millis(5);

/// A paste over a slow connection comes in pieces; what follows one within this time belongs to it.
pub const PASTE_GOES_ON: Duration = Duration::from_millis(100);

/// So many different characters at once were pasted. Two may come together after a short stall of the connection.
const PASTED: usize = 3;

/// Longer bursts are cut here; no field takes as much.
const LONGEST: usize = 4_096;

/// Keys that came at once.
#[derive(Debug, Default)]
pub struct Burst {
    keys: Vec<KeyEvent>,
    /// The end of the last paste.
    pasted: Option<Instant>,
}

impl Burst {
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub fn add(&mut self, key: KeyEvent) {
        if self.keys.len() < LONGEST && key.kind != KeyEventKind::Release {
            self.keys.push(key);
        }
    }

    /// Ends the burst: what it was.
    pub fn end(&mut self, now: Instant) -> Vec<Event> {
        let keys = std::mem::take(&mut self.keys);
        let goes_on = self.pasted.is_some_and(|at| now.duration_since(at) < PASTE_GOES_ON);
        let text: String = keys.iter().filter_map(character).collect();
        let is_pasted = is_pasted(&text);
        if is_pasted || (goes_on && !text.is_empty()) {
            // Single keys do not prolong it, so that whoever goes on typing is heard soon.
            if is_pasted || text.chars().nth(1).is_some() {
                self.pasted = Some(now);
            }
            return vec![Event::Paste(text)];
        }
        keys.into_iter().map(Event::Key).collect()
    }
}

/// The character that a key stands for in a text.
fn character(key: &KeyEvent) -> Option<char> {
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Enter => Some('\n'),
        // A line feed, as a terminal in raw mode sends it.
        KeyCode::Char('j') if is_control => Some('\n'),
        KeyCode::Tab => Some('\t'),
        KeyCode::Char(char) if !is_control && !key.modifiers.contains(KeyModifiers::ALT) => Some(char),
        _ => None,
    }
}

/// Whether characters that came at once were pasted. A key that is held down sends the same one again and again.
fn is_pasted(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let count = text.chars().count();
    let is_one_key = text.chars().all(|char| char == first);
    !is_one_key && (text.contains('\n') || count >= PASTED)
}

/// A pasted text as a field of one line takes it: no line breaks, no control characters.
pub fn one_line(text: &str) -> String {
    let lines = text.split(['\r', '\n', '\t']).filter(|line| !line.trim().is_empty());
    let lines: Vec<String> = lines.map(|line| line.chars().filter(|char| !char.is_control()).collect()).collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(char: char) -> KeyEvent {
        match char {
            '\r' => KeyEvent::from(KeyCode::Enter),
            '\n' => KeyEvent::new(KeyCode::Char('j'), KeyModifiers::CONTROL),
            '\t' => KeyEvent::from(KeyCode::Tab),
            char if char.is_uppercase() => KeyEvent::new(KeyCode::Char(char), KeyModifiers::SHIFT),
            char => KeyEvent::from(KeyCode::Char(char)),
        }
    }

    /// The pasted text, or how many keys it was.
    fn read(burst: &mut Burst, text: &str, now: Instant) -> Result<String, usize> {
        text.chars().for_each(|char| burst.add(key(char)));
        match &burst.end(now)[..] {
            [Event::Paste(text)] => Ok(text.clone()),
            keys => Err(keys.iter().filter(|event| matches!(event, Event::Key(_))).count()),
        }
    }

    #[test]
    fn what_comes_at_once_is_pasted() {
        for (text, pasted) in [
            ("agenda\ryes\r", "agenda\nyes\n"),
            ("a start now", "a start now"),
            ("Asy", "Asy"),
            ("y\r", "y\n"),
            ("y\n", "y\n"),
            ("a\tb", "a\tb"),
        ] {
            assert_eq!(read(&mut Burst::default(), text, Instant::now()), Ok(pasted.to_owned()), "{text:?}");
        }
        for keys in ["y", "\r", "\r\r", "as", "jjjjjjjj", "GG"] {
            assert_eq!(read(&mut Burst::default(), keys, Instant::now()), Err(keys.len()), "{keys:?}");
        }
    }

    #[test]
    fn keys_that_are_no_text_are_never_pasted() {
        let mut burst = Burst::default();
        let arrows = [KeyCode::Up, KeyCode::Down, KeyCode::Esc, KeyCode::Left, KeyCode::Backspace];
        arrows.into_iter().for_each(|code| burst.add(KeyEvent::from(code)));
        assert_eq!(burst.end(Instant::now()).len(), arrows.len());
        assert!(burst.is_empty());
    }

    #[test]
    fn a_paste_in_pieces_stays_one() {
        let (mut burst, begin) = (Burst::default(), Instant::now());
        assert!(read(&mut burst, "agenda", begin).is_ok());
        let later = begin + PASTE_GOES_ON / 2;
        assert_eq!(read(&mut burst, "ye", later), Ok("ye".to_owned()));
        assert_eq!(read(&mut burst, "s", later + PASTE_GOES_ON / 2), Ok("s".to_owned()));
        assert_eq!(read(&mut burst, "s", later + PASTE_GOES_ON), Err(1), "a key again");
    }

    #[test]
    fn an_endless_burst_is_cut() {
        let mut burst = Burst::default();
        let pasted = read(&mut burst, &"ab".repeat(LONGEST), Instant::now()).unwrap();
        assert_eq!(pasted.len(), LONGEST);
    }

    #[test]
    fn a_pasted_text_is_one_line() {
        assert_eq!(one_line("agenda\r\nyes\n"), "agenda yes");
        assert_eq!(one_line("\x1b[31mred\x07\tgreen "), "[31mred green ");
        assert_eq!(one_line(" \r\n\t"), "");
    }
}
