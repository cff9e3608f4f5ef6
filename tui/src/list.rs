//! Rows that can be filtered, ordered, chosen and marked.

pub mod view;

use std::{cmp::Ordering, collections::HashSet, hash::Hash};

use crate::kept::{KeptColumn, KeptList};
use view::Column;

/// A row of a table.
pub trait Row {
    type Key: Clone + Eq + Hash + std::fmt::Debug + std::fmt::Display;

    /// What the table can be sorted by, the first by default. The names are those of the header.
    const SORTS: &'static [&'static str];

    /// Its columns, where it can be chosen which of them are shown.
    const COLUMNS: &'static [Column] = &[];

    fn key(&self) -> Self::Key;

    /// The text that the filter searches, in lower case.
    fn words(&self) -> String;

    /// The order by one of [`Row::SORTS`].
    fn compare(&self, other: &Self, sort: usize) -> Ordering;
}

/// What every list on the screen can do, whatever its rows are.
pub trait List {
    /// Moves the selection by this many rows, within the table.
    fn step(&mut self, by: isize);
    /// Chooses the row that is shown at this place.
    fn choose(&mut self, at: usize);
    fn chosen_index(&self) -> Option<usize>;
    fn filter(&self) -> &str;
    fn set_filter(&mut self, filter: String);
    fn is_typing(&self) -> bool;
    fn set_typing(&mut self, is_typing: bool);
    fn sort_by_next(&mut self);
    fn reverse(&mut self);
    /// The columns that can be chosen; none where they are fixed.
    fn columns(&self) -> &'static [Column];
    /// What was chosen of them.
    fn chosen_columns(&self) -> &[KeptColumn];
    fn choose_columns(&mut self, chosen: Vec<KeptColumn>);
    /// What is kept of it for the next start.
    fn kept(&self) -> KeptList;
    /// Makes it as it was; its row is chosen when it comes.
    fn restore(&mut self, kept: &KeptList);
}

#[derive(Debug)]
pub struct DataTable<R: Row> {
    rows: Vec<R>,
    /// What is shown, in order: indices of `rows`.
    order: Vec<usize>,
    chosen: Option<R::Key>,
    /// The key of a row that is chosen as soon as it is shown, unless another one is before.
    awaited: Option<String>,
    marks: HashSet<R::Key>,
    /// An index of [`Row::SORTS`].
    pub sort: usize,
    pub is_reversed: bool,
    filter: String,
    is_typing: bool,
    columns: Vec<KeptColumn>,
}

impl<R: Row> Default for DataTable<R> {
    fn default() -> Self {
        Self {
            rows: vec![],
            order: vec![],
            chosen: None,
            awaited: None,
            marks: HashSet::new(),
            sort: 0,
            is_reversed: false,
            filter: String::new(),
            is_typing: false,
            columns: vec![],
        }
    }
}

impl<R: Row> DataTable<R> {
    /// Replaces all rows. The choice and the marks stay with their rows.
    pub fn set(&mut self, rows: Vec<R>) {
        let place = self.chosen_index().unwrap_or(0);
        self.rows = rows;
        let keys: HashSet<_> = self.rows.iter().map(Row::key).collect();
        self.marks.retain(|key| keys.contains(key));
        self.arrange(place);
    }

    /// Replaces one row, or adds it.
    pub fn put(&mut self, row: R) {
        let place = self.chosen_index().unwrap_or(0);
        let key = row.key();
        match self.rows.iter_mut().find(|old| old.key() == key) {
            Some(old) => *old = row,
            None => self.rows.push(row),
        }
        self.arrange(place);
    }

    pub fn remove(&mut self, key: &R::Key) {
        let place = self.chosen_index().unwrap_or(0);
        self.rows.retain(|row| row.key() != *key);
        self.marks.remove(key);
        self.arrange(place);
    }

    /// Sorts the rows again. The same row stays chosen; if it was removed, the one in its place is.
    fn arrange(&mut self, place: usize) {
        let wanted: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        if !wanted.is_empty() {
            order.retain(|at| {
                let words = self.rows[*at].words();
                wanted.iter().all(|word| words.contains(word))
            });
        }
        order.sort_by(|one, other| self.rows[*one].compare(&self.rows[*other], self.sort));
        if self.is_reversed {
            order.reverse();
        }
        self.order = order;
        let mut keys = self.order.iter().map(|at| self.rows[*at].key());
        let come = self.awaited.as_ref().and_then(|awaited| keys.find(|key| key.to_string() == *awaited));
        if come.is_some() {
            (self.chosen, self.awaited) = (come, None);
        }
        if self.chosen_index().is_none() {
            let at = self.order.get(place).or(self.order.last());
            self.chosen = at.map(|at| self.rows[*at].key());
        }
    }

    /// All that is shown, in order.
    pub fn shown(&self) -> impl ExactSizeIterator<Item = &R> {
        self.order.iter().map(|at| &self.rows[*at])
    }

    /// The row that is shown at this place.
    pub fn at(&self, place: usize) -> Option<&R> {
        self.order.get(place).map(|at| &self.rows[*at])
    }

    /// Every row, shown or not.
    pub fn rows(&self) -> &[R] {
        &self.rows
    }

    pub fn get(&self, key: &R::Key) -> Option<&R> {
        self.rows.iter().find(|row| row.key() == *key)
    }

    pub fn chosen(&self) -> Option<&R> {
        self.at(self.chosen_index()?)
    }

    pub fn is_marked(&self, row: &R) -> bool {
        self.marks.contains(&row.key())
    }

    /// The marked rows in the order of the table.
    pub fn marked(&self) -> impl Iterator<Item = &R> {
        self.shown().filter(|row| self.is_marked(row))
    }

    /// Marks the chosen row or removes its mark, and chooses the next one.
    pub fn mark(&mut self) {
        let Some(key) = self.chosen().map(Row::key) else { return };
        if !self.marks.remove(&key) {
            self.marks.insert(key);
        }
        self.step(1);
    }

    /// Marks all that is shown; if all of it is marked, removes the marks.
    pub fn mark_all(&mut self) {
        let shown: Vec<_> = self.shown().map(Row::key).collect();
        if shown.iter().all(|key| self.marks.contains(key)) {
            self.marks.clear();
        } else {
            self.marks.extend(shown);
        }
    }

    pub fn clear_marks(&mut self) {
        self.marks.clear();
    }
}

impl<R: Row> List for DataTable<R> {
    fn step(&mut self, by: isize) {
        let Some(last) = self.order.len().checked_sub(1) else { return };
        let at = self.chosen_index().unwrap_or(0);
        self.choose(at.saturating_add_signed(by).min(last));
    }

    fn choose(&mut self, at: usize) {
        if let Some(row) = self.at(at) {
            (self.chosen, self.awaited) = (Some(row.key()), None);
        }
    }

    fn chosen_index(&self) -> Option<usize> {
        let chosen = self.chosen.as_ref()?;
        self.order.iter().position(|at| self.rows[*at].key() == *chosen)
    }

    fn filter(&self) -> &str {
        &self.filter
    }

    fn set_filter(&mut self, filter: String) {
        let place = self.chosen_index().unwrap_or(0);
        self.filter = filter;
        self.arrange(place);
    }

    fn is_typing(&self) -> bool {
        self.is_typing
    }

    fn set_typing(&mut self, is_typing: bool) {
        self.is_typing = is_typing;
    }

    fn sort_by_next(&mut self) {
        self.sort = (self.sort + 1) % R::SORTS.len().max(1);
        self.is_reversed = false;
        self.arrange(0);
    }

    fn reverse(&mut self) {
        self.is_reversed = !self.is_reversed;
        self.arrange(0);
    }

    fn columns(&self) -> &'static [Column] {
        R::COLUMNS
    }

    fn chosen_columns(&self) -> &[KeptColumn] {
        &self.columns
    }

    fn choose_columns(&mut self, chosen: Vec<KeptColumn>) {
        self.columns = chosen;
    }

    fn kept(&self) -> KeptList {
        KeptList {
            row: self.awaited.clone().or_else(|| self.chosen.as_ref().map(ToString::to_string)),
            filter: self.filter.clone(),
            sort: R::SORTS.get(self.sort).map(|name| (*name).to_owned()),
            is_reversed: self.is_reversed,
            columns: self.columns.clone(),
        }
    }

    fn restore(&mut self, kept: &KeptList) {
        self.awaited.clone_from(&kept.row);
        self.filter.clone_from(&kept.filter);
        self.columns.clone_from(&kept.columns);
        if let Some(sort) = R::SORTS.iter().position(|name| Some(*name) == kept.sort.as_deref()) {
            (self.sort, self.is_reversed) = (sort, kept.is_reversed);
        }
        self.arrange(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Named(u8, &'static str);

    impl Row for Named {
        type Key = u8;
        const SORTS: &'static [&'static str] = &["Name", "Number"];

        fn key(&self) -> u8 {
            self.0
        }

        fn words(&self) -> String {
            self.1.to_lowercase()
        }

        fn compare(&self, other: &Self, sort: usize) -> Ordering {
            if sort == 0 { self.1.cmp(other.1) } else { self.0.cmp(&other.0) }
        }
    }

    fn table() -> DataTable<Named> {
        let mut table = DataTable::default();
        table.set(vec![Named(1, "Cleo"), Named(2, "Anna"), Named(3, "Ben")]);
        table
    }

    fn shown(table: &DataTable<Named>) -> Vec<u8> {
        table.shown().map(|row| row.0).collect()
    }

    #[test]
    fn rows_are_ordered_and_filtered_and_the_choice_stays_with_its_row() {
        let mut table = table();
        assert_eq!(shown(&table), [2, 3, 1]);
        table.step(2);
        table.sort_by_next();
        assert_eq!((shown(&table), table.chosen()), (vec![1, 2, 3], Some(&Named(1, "Cleo"))));
        table.reverse();
        assert_eq!(shown(&table), [3, 2, 1]);
        table.set_filter("N".to_owned());
        assert_eq!((shown(&table), table.chosen()), (vec![3, 2], Some(&Named(2, "Anna"))));
        table.remove(&2);
        assert_eq!(table.chosen(), Some(&Named(3, "Ben")));
        table.put(Named(9, "Nora"));
        assert_eq!(shown(&table), [9, 3]);
    }

    #[test]
    fn marks_stay_with_their_rows_and_are_removed_with_them() {
        let mut table = table();
        table.mark();
        table.mark();
        assert_eq!(table.marked().map(|row| row.0).collect::<Vec<_>>(), [2, 3]);
        table.set(vec![Named(3, "Ben"), Named(4, "Dora")]);
        assert_eq!(table.marked().map(|row| row.0).collect::<Vec<_>>(), [3]);
        table.mark_all();
        assert_eq!(table.marked().count(), 2);
        table.mark_all();
        assert_eq!(table.marked().count(), 0);
    }

    #[test]
    fn a_restored_table_is_as_it_was_once_its_row_comes() {
        let mut before = table();
        before.sort_by_next();
        before.reverse();
        before.set_filter("n".to_owned());
        before.choose(1);
        let kept = before.kept();
        assert_eq!((kept.row.as_deref(), kept.filter.as_str(), kept.sort.as_deref()), (Some("2"), "n", Some("Number")));
        let mut after = DataTable::<Named>::default();
        after.restore(&kept);
        assert_eq!(after.kept(), kept, "before any row came");
        after.set(vec![Named(3, "Ben"), Named(4, "Dean")]);
        assert_eq!((shown(&after), after.chosen()), (vec![4, 3], Some(&Named(4, "Dean"))));
        after.put(Named(2, "Anna"));
        assert_eq!(after.chosen(), Some(&Named(2, "Anna")));
        after.choose(0);
        assert_eq!(after.kept().row.as_deref(), Some("4"));
        after.remove(&2);
        after.restore(&kept);
        after.step(0);
        after.put(Named(2, "Anna"));
        assert_eq!(after.chosen(), Some(&Named(4, "Dean")), "who has moved is not moved");
        let unknown = KeptList { row: Some("none".to_owned()), sort: Some("Colour".to_owned()), ..KeptList::default() };
        after.restore(&unknown);
        assert_eq!((after.sort, after.chosen()), (1, Some(&Named(4, "Dean"))), "what there is no more");
    }

    #[test]
    fn an_empty_table_does_no_harm() {
        let mut table = DataTable::<Named>::default();
        table.step(3);
        table.choose(7);
        table.mark();
        assert_eq!((table.chosen(), table.chosen_index()), (None, None));
    }
}
