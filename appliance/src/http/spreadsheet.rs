//! Tables for spreadsheets, and lists of players from them: CSV (RFC 4180). `docs/behaviour/events.md#files`.

use csv::{ReaderBuilder, StringRecord, Terminator, Trim, Writer, WriterBuilder};

/// Lines of a list of players: as many as a tournament has entrants.
pub const MAX_LINES: usize = 1_024;

/// What a spreadsheet would take for the beginning of a formula, or pass over to find one.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Marks the text of a cell that would run as a formula; spreadsheets do not show it.
const TEXT: char = '\'';

/// What ends a cell or a row in spreadsheets of one language or another.
const SEPARATORS: [char; 5] = [',', ';', '\t', '\r', '\n'];

/// The text of a cell, without a formula, also where a spreadsheet takes it for several cells.
fn harmless(text: &str) -> String {
    let (mut written, mut begins) = (String::with_capacity(text.len() + 1), true);
    for char in text.chars() {
        if begins && FORMULA.contains(&char) {
            written.push(TEXT);
        }
        written.push(char);
        begins = SEPARATORS.contains(&char) || (begins && matches!(char, ' ' | '"' | '\u{A0}'));
    }
    written
}

/// Excel reads a file as UTF-8 by it.
const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// Columns that have the names, the best first.
const NAME_COLUMNS: [&str; 5] = ["username", "user name", "user", "player", "name"];

/// A table that is written row by row.
#[derive(Debug)]
pub struct Table {
    rows: Writer<Vec<u8>>,
    /// Whether nothing was taken out yet.
    is_new: bool,
}

impl Table {
    pub fn new(columns: &[&str]) -> Self {
        let rows = WriterBuilder::new().terminator(Terminator::CRLF).flexible(true).from_writer(vec![]);
        let mut table = Self { rows, is_new: true };
        table.row(columns);
        table
    }

    /// Adds a row. What a spreadsheet would run as a formula gets a `'` in front.
    pub fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let cells = cells.into_iter().map(|cell| harmless(cell.as_ref()));
        self.rows.write_record(cells).expect("memory takes every row");
    }

    /// What was written since the last call, or since the beginning.
    pub fn take(&mut self) -> String {
        let next = WriterBuilder::new().terminator(Terminator::CRLF).flexible(true).from_writer(vec![]);
        let rows = std::mem::replace(&mut self.rows, next).into_inner().expect("memory takes every row");
        let mark = if std::mem::take(&mut self.is_new) { BYTE_ORDER_MARK } else { "" };
        format!("{mark}{}", String::from_utf8_lossy(&rows))
    }
}

/// A name of a list of players, as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedLine {
    /// From 1.
    pub line: u64,
    /// Empty if the line has none.
    pub name: String,
}

/// The usernames of a list: of the column that is headed so, otherwise of the first one. Cells are separated by commas,
/// semicolons or tabs, whichever the first line has.
///
/// # Errors
/// In a sentence, why it is no list.
pub fn names(text: &str) -> Result<Vec<NamedLine>, String> {
    if text.contains(['\0', '\u{FFFD}']) {
        return Err("The file is not UTF-8 text. Save it as 'CSV UTF-8' and try again.".to_owned());
    }
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .delimiter(separator(text))
        .from_reader(text.as_bytes());
    let (mut column, mut names, mut is_first) = (0, vec![], true);
    for record in reader.records() {
        let record = record.map_err(|error| format!("The file cannot be read as CSV: {error}."))?;
        if record.iter().all(str::is_empty) {
            continue;
        }
        let heading = if std::mem::take(&mut is_first) { name_column(&record) } else { None };
        if let Some(heading) = heading {
            column = heading;
            continue;
        }
        if names.len() == MAX_LINES {
            return Err(format!("The list has more than {MAX_LINES} players."));
        }
        let line = record.position().map_or(0, |place| line_of(text, place.byte()));
        let cell = record.get(column).unwrap_or_default();
        names.push(NamedLine { line, name: cell.trim_start_matches([TEXT, '@']).trim().to_owned() });
    }
    if names.is_empty() { Err("The list has no players.".to_owned()) } else { Ok(names) }
}

/// The line, from 1, of what follows this place; the reader's own count is that of the line before, past an empty one.
fn line_of(text: &str, place: u64) -> u64 {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let before = usize::try_from(place)
        .ok()
        .and_then(|place| text.get(place..))
        .map_or(0, |rest| text.len() - rest.trim_start_matches(['\r', '\n']).len());
    1 + text[..before].matches(end).count() as u64
}

/// What separates the cells of the first line that has more than one.
fn separator(text: &str) -> u8 {
    text.lines().find_map(most_frequent).unwrap_or(b',')
}

fn most_frequent(line: &str) -> Option<u8> {
    let (mut counts, mut is_quoted) = ([(b',', 0), (b';', 0), (b'\t', 0)], false);
    for byte in line.bytes() {
        is_quoted ^= byte == b'"';
        if let Some((_, count)) = counts.iter_mut().find(|(separator, _)| !is_quoted && *separator == byte) {
            *count += 1;
        }
    }
    // The first of those that are as frequent.
    let (separator, count) = counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
    (count > 0).then_some(separator)
}

fn name_column(record: &StringRecord) -> Option<usize> {
    let is = |name: &str| record.iter().position(|cell| cell.eq_ignore_ascii_case(name));
    NAME_COLUMNS.into_iter().find_map(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(u64, String)> {
        names(text).unwrap().into_iter().map(|NamedLine { line, name }| (line, name)).collect()
    }

    fn named(names: &[(u64, &str)]) -> Vec<(u64, String)> {
        names.iter().map(|(line, name)| (*line, (*name).to_owned())).collect()
    }

    #[test]
    fn names_are_read_from_what_spreadsheets_save() {
        for (text, expected) in [
            ("ada\nbob\n", vec![(1, "ada"), (2, "bob")]),
            ("ada\r\n\r\n  bob  \r\n;;\r\n", vec![(1, "ada"), (3, "bob")]),
            ("\u{FEFF}Username;Club\r\nada;\"A; B\"\r\n\"bob\";C\r\n", vec![(2, "ada"), (3, "bob")]),
            ("Name,USERNAME\n\"Lovelace, Ada\",@ada\n\"Bob \"\"the\"\" B\",'-bob\n", vec![(2, "ada"), (3, "-bob")]),
            ("Rank\tPlayer\n1\tada\n2\t\n", vec![(2, "ada"), (3, "")]),
            ("\"a,b;c\";x\nada;y", vec![(1, "a,b;c"), (2, "ada")]),
            ("name\nname\n", vec![(2, "name")]),
            ("ada", vec![(1, "ada")]),
        ] {
            assert_eq!(read(text), named(&expected), "{text:?}");
        }
        // A quote that is not closed swallows the rest, which is then nobody's name.
        assert_eq!(read("ada\n\"bob\ncat\n"), named(&[(1, "ada"), (2, "bob\ncat")]));
    }

    #[test]
    fn a_cell_is_harmless_whatever_separates_cells() {
        for (text, written) in [
            ("=1", "'=1"),
            ("x;=1+1", "x;'=1+1"),
            ("x; \"=1", "x; \"'=1"),
            ("x,\t@A", "x,'\t'@A"),
            ("a-b; c", "a-b; c"),
        ] {
            assert_eq!(harmless(text), written);
        }
    }

    #[test]
    fn what_is_no_list_is_refused_with_a_word() {
        let utf16: String = String::from_utf8_lossy(&[0xff, 0xfe, b'a', 0, b'd', 0, b'a', 0]).into_owned();
        for (text, word) in [
            (utf16.as_str(), "UTF-8"),
            ("Jos\u{FFFD}", "UTF-8"),
            ("", "no players"),
            ("\u{FEFF}\r\n \r\n", "no players"),
            ("Username;Club\r\n", "no players"),
            (&"ada\n".repeat(MAX_LINES + 1), "more than 1024"),
        ] {
            assert!(names(text).unwrap_err().contains(word), "{text:?}");
        }
        assert_eq!(names(&"ada\n".repeat(MAX_LINES)).unwrap().len(), MAX_LINES);
    }

    #[test]
    fn no_cell_is_a_formula_and_every_cell_is_read_back() {
        let mut table = Table::new(&["username", "name"]);
        let cells = ["=1+1", "+1", "-ada", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1", "a;\"b\", c", "'x", "é", ""];
        for cell in cells {
            table.row([cell, "plain"]);
        }
        let written = table.take();
        assert!(written.starts_with("\u{FEFF}username,name\r\n'=1+1,plain\r\n"), "{written:?}");
        let mut reader = ReaderBuilder::new().from_reader(written.trim_start_matches(BYTE_ORDER_MARK).as_bytes());
        for (record, cell) in reader.records().map(Result::unwrap).zip(cells) {
            assert!(!record[0].starts_with(FORMULA), "{record:?}");
            assert_eq!(record[0].strip_prefix(TEXT).unwrap_or(&record[0]), cell.strip_prefix(TEXT).unwrap_or(cell));
        }
        table.row(["later", ""]);
        assert_eq!(table.take(), "later,\r\n", "the mark is at the beginning alone");
    }
}
