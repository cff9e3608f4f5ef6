//! A buffer, and what is shown of it.

use std::collections::VecDeque;

use super::{
    buffer::{Buffer, RecordPosition},
    filter::{Filter, Search, Window},
    record::Record,
};

#[derive(Debug, Default)]
pub struct View {
    pub buffer: Buffer,
    /// The positions of the records that fit the filter, in order. Updated as records arrive, so that drawing looks
    /// at no other.
    shown: VecDeque<RecordPosition>,
    filter: Filter,
    /// The text of the search line, also while it is not a valid expression yet.
    pub typed: String,
    pub is_typing: bool,
    /// Why the typed expression is invalid.
    pub search_error: Option<String>,
    /// The selected position; `None` follows the newest.
    chosen: Option<RecordPosition>,
    /// The server's clock, Unix milliseconds, when it was last looked at.
    server_now: i64,
}

impl View {
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    pub fn set_filter(&mut self, filter: Filter) {
        self.filter = filter;
        self.shown.clear();
        self.show_from(self.buffer.first());
        self.hold_choice();
    }

    /// Takes what was typed as the search; an invalid expression leaves the search as it was.
    pub fn search(&mut self, typed: String) {
        match Search::parse(&typed) {
            Ok(search) => {
                self.search_error = None;
                self.set_filter(Filter { search, ..self.filter.clone() });
            }
            Err(why) => self.search_error = Some(why),
        }
        self.typed = typed;
    }

    /// Turns the search around.
    pub fn invert(&mut self) {
        let typed = self.typed.strip_prefix('!').map_or_else(|| format!("!{}", self.typed), str::to_owned);
        self.search(typed);
    }

    /// Shows what fits from a position on; what was shown from there on is filtered again.
    fn show_from(&mut self, place: RecordPosition) {
        while self.shown.back().is_some_and(|last| *last >= place) {
            self.shown.pop_back();
        }
        for place in place..self.buffer.end() {
            if self.buffer.get(place).is_some_and(|record| self.filter.fits(record, self.server_now)) {
                self.shown.push_back(place);
            }
        }
    }

    /// Removes what is no longer in the buffer or no longer within the window.
    fn trim(&mut self) {
        let begin = self.filter.window.begin(self.server_now);
        let first = self.buffer.first();
        while self
            .shown
            .front()
            .is_some_and(|place| *place < first || self.buffer.get(*place).is_some_and(|record| record.at < begin))
        {
            self.shown.pop_front();
        }
        self.hold_choice();
    }

    /// A choice that is no longer shown moves to its neighbour.
    fn hold_choice(&mut self) {
        if let Some(chosen) = self.chosen {
            let at = self.shown.partition_point(|place| *place < chosen).min(self.shown.len().saturating_sub(1));
            self.chosen = self.shown.get(at).copied();
        }
    }

    /// Time passes: what leaves the window is removed.
    pub fn pass(&mut self, server_now: i64) {
        self.server_now = server_now;
        if matches!(self.filter.window, Window::Last(_)) {
            self.trim();
        }
    }

    pub fn push(&mut self, record: Record) {
        let end = self.buffer.end();
        if self.buffer.push(record) {
            self.show_from(end);
            self.trim();
        }
    }

    /// Adds older records, the newest of them first; returns how many of them are shown.
    pub fn push_older(&mut self, records: Vec<Record>) -> usize {
        let (before, first) = (self.shown.len(), self.buffer.first());
        self.buffer.push_older(records);
        for place in (self.buffer.first()..first).rev() {
            if self.buffer.get(place).is_some_and(|record| self.filter.fits(record, self.server_now)) {
                self.shown.push_front(place);
            }
        }
        self.shown.len() - before
    }

    /// Merges in what was missed.
    pub fn merge(&mut self, records: Vec<Record>) {
        let changed = self.buffer.merge(records);
        self.show_from(changed);
        self.trim();
    }

    pub fn clear(&mut self) {
        self.buffer.clear();
        self.shown.clear();
        self.chosen = None;
    }

    pub fn is_following(&self) -> bool {
        self.chosen.is_none()
    }

    /// Follows the newest record, or pauses.
    pub fn set_following(&mut self, follows: bool) {
        self.chosen = if follows { None } else { self.shown.back().copied() };
    }

    pub fn shown_len(&self) -> usize {
        self.shown.len()
    }

    /// The record that is shown at this index, the oldest first.
    pub fn at(&self, index: usize) -> Option<&Record> {
        self.shown.get(index).and_then(|place| self.buffer.get(*place))
    }

    pub fn shown(&self) -> impl Iterator<Item = &Record> {
        self.shown.iter().filter_map(|place| self.buffer.get(*place))
    }

    /// The chosen index: while following, the newest.
    pub fn chosen_index(&self) -> Option<usize> {
        match self.chosen {
            Some(chosen) => self.shown.binary_search(&chosen).ok(),
            None => self.shown.len().checked_sub(1),
        }
    }

    pub fn chosen(&self) -> Option<&Record> {
        self.at(self.chosen_index()?)
    }

    /// Moves the choice; past the newest it follows again. Returns whether the oldest is chosen.
    pub fn step(&mut self, by: isize) -> bool {
        let Some(last) = self.shown.len().checked_sub(1) else { return true };
        let at = self.chosen_index().unwrap_or(last);
        let to = at.saturating_add_signed(by).min(last);
        let follows = by > 0 && to == last && (at == last || by == isize::MAX);
        self.chosen = if follows { None } else { self.shown.get(to).copied() };
        to == 0
    }

    pub fn choose(&mut self, index: usize) {
        if let Some(place) = self.shown.get(index) {
            self.chosen = Some(*place);
        }
    }

    /// Records below the chosen one that are shown.
    pub fn below(&self) -> usize {
        self.chosen_index().map_or(0, |at| self.shown.len() - 1 - at)
    }
}
