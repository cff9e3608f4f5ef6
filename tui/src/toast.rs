//! Short messages that go away by themselves.

use std::collections::VecDeque;

/// More at once would cover the screen; the oldest is removed.
const MOST: usize = 3;
const SHOWN_MS: i64 = 6_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Done,
    Warning,
    Error,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    pub level: Level,
    pub text: String,
    until: i64,
}

#[derive(Debug, Default)]
pub struct Toasts(VecDeque<Toast>);

impl Toasts {
    /// Shows a message; one that is shown already is shown longer instead of twice.
    pub fn add(&mut self, level: Level, text: String, now: i64) {
        self.0.retain(|toast| toast.text != text);
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(Toast { level, text, until: now + SHOWN_MS });
    }

    pub fn expire(&mut self, now: i64) {
        self.0.retain(|toast| toast.until > now);
    }

    /// The oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Toast> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toasts_are_limited_and_expire() {
        let mut toasts = Toasts::default();
        for number in 0..5 {
            toasts.add(Level::Error, format!("message {number}"), number);
        }
        toasts.add(Level::Error, "message 3".to_owned(), 10);
        let shown: Vec<_> = toasts.iter().map(|toast| toast.text.as_str()).collect();
        assert_eq!(shown, ["message 2", "message 4", "message 3"]);
        toasts.expire(4 + SHOWN_MS);
        assert_eq!(toasts.iter().count(), 1);
    }
}
