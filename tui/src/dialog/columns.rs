//! Which columns of a table are shown, and in which order.

use crossterm::event::{KeyCode, KeyEvent};

use crate::{
    kept::KeptColumn,
    list::view::{Column, arranged},
};

#[derive(Debug)]
pub struct ColumnsDialog {
    /// In the order that is chosen.
    pub columns: Vec<KeptColumn>,
    /// As they are without a choice.
    usual: Vec<KeptColumn>,
    pub focus: usize,
}

impl ColumnsDialog {
    /// `chosen` is the present choice.
    pub fn new(columns: &[Column], chosen: &[KeptColumn]) -> Self {
        let named = |chosen: &[KeptColumn]| {
            let arranged = arranged(columns, chosen).into_iter();
            arranged.map(|(at, is_shown)| KeptColumn { name: columns[at].name.to_owned(), is_shown }).collect()
        };
        Self { columns: named(chosen), usual: named(&[]), focus: 0 }
    }

    /// Handles a key; returns the choice once it is made, empty if it is as without one.
    pub fn key(&mut self, key: KeyEvent) -> Option<Vec<KeptColumn>> {
        match key.code {
            KeyCode::Enter => {
                let chosen = std::mem::take(&mut self.columns);
                return Some(if chosen == self.usual { vec![] } else { chosen });
            }
            KeyCode::Down | KeyCode::Char('j') => self.focus = self.beside(1),
            KeyCode::Up | KeyCode::Char('k') => self.focus = self.beside(-1),
            KeyCode::Char('J') => self.carry(1),
            KeyCode::Char('K') => self.carry(-1),
            KeyCode::Char(' ') => self.toggle(),
            KeyCode::Char('u') => self.columns.clone_from(&self.usual),
            _ => {}
        }
        None
    }

    fn beside(&self, by: isize) -> usize {
        self.focus.saturating_add_signed(by).min(self.columns.len().saturating_sub(1))
    }

    /// Moves the column in focus by one place.
    fn carry(&mut self, by: isize) {
        let to = self.beside(by);
        self.columns.swap(self.focus, to);
        self.focus = to;
    }

    /// Shows or hides the column in focus; the last one stays.
    fn toggle(&mut self) {
        let shown = self.columns.iter().filter(|column| column.is_shown).count();
        if let Some(column) = self.columns.get_mut(self.focus) {
            column.is_shown = !column.is_shown || shown == 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 3] = [Column::new("Title", 9), Column::new("", 9).named("Time"), Column::new("Id", 9)];

    fn pressed(chosen: &[KeptColumn], keys: &str) -> Vec<(String, bool)> {
        let mut dialog = ColumnsDialog::new(&COLUMNS, chosen);
        for char in keys.chars() {
            assert_eq!(dialog.key(KeyEvent::from(KeyCode::Char(char))), None);
        }
        let chosen = dialog.key(KeyEvent::from(KeyCode::Enter)).expect("a choice");
        chosen.into_iter().map(|column| (column.name, column.is_shown)).collect()
    }

    fn named(columns: [(&str, bool); 3]) -> Vec<(String, bool)> {
        columns.map(|(name, is_shown)| (name.to_owned(), is_shown)).to_vec()
    }

    #[test]
    fn columns_are_hidden_and_moved() {
        assert!(pressed(&[], "").is_empty(), "as usual is no choice");
        assert_eq!(pressed(&[], "j "), named([("Title", true), ("Time", false), ("Id", true)]));
        assert_eq!(pressed(&[], "JJJ "), named([("Time", true), ("Id", true), ("Title", false)]));
        assert_eq!(pressed(&[], "jjK"), named([("Title", true), ("Id", true), ("Time", true)]));
        assert_eq!(
            pressed(&[], " j j "),
            named([("Title", false), ("Time", false), ("Id", true)]),
            "the last one stays"
        );
        assert!(pressed(&[], "j JKu").is_empty(), "and back");
        let column = |name: &str| KeptColumn { name: name.to_owned(), is_shown: false };
        let before = [column("Id"), column("Colour")];
        assert_eq!(pressed(&before, ""), named([("Id", false), ("Title", true), ("Time", true)]), "new ones are shown");
    }
}
