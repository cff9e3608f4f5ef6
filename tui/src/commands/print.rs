//! Tables in plain text: columns as wide as their widest cell, no colours, nothing to strip away.

use morpion_openapi::Timestamp;
use morpion_shell::escape;
use unicode_width::UnicodeWidthStr;

use crate::{time, widgets::text};

#[derive(Debug)]
pub struct TextTable {
    rows: Vec<Vec<String>>,
}

impl TextTable {
    pub fn new(titles: &[&str]) -> Self {
        Self { rows: vec![titles.iter().map(|title| (*title).to_owned()).collect()] }
    }

    /// A table of names and values.
    pub fn facts() -> Self {
        Self { rows: vec![] }
    }

    pub fn row(&mut self, cells: &[&str]) {
        self.rows.push(cells.iter().map(|cell| escape::line(cell).into_owned()).collect());
    }

    pub fn fact(&mut self, name: &str, value: &str) {
        self.row(&[name, value]);
    }

    pub fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
        let widths: Vec<_> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                line += cell;
                line += &" ".repeat(width - cell.width() + 2);
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

/// How long ago a moment is.
pub fn ago(moment: Timestamp) -> String {
    text::age(time::now() - moment.as_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = TextTable::new(&["ID", "NAME"]);
        table.row(&["1", "日本\u{1b}[2J"]);
        table.row(&["1000", ""]);
        assert_eq!(table.text(), "ID    NAME\n1     日本\\u{1b}[2J\n1000\n");
    }
}
