//! Where things are on the screen, for the mouse. Drawing changes no state, so it answers with
//! these instead.

use ratatui::layout::{Position, Rect};

use crate::app::Tab;

/// What can be clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Tab(Tab),
    /// A row of the list, counted from 0 through all that fit the filter.
    Row(usize),
    /// An entry of the open menu.
    Entry(usize),
}

#[derive(Debug, Default)]
pub struct Hits(Vec<(Rect, Target)>);

impl Hits {
    pub fn add(&mut self, area: Rect, target: Target) {
        self.0.push((area, target));
    }

    /// What lies at a place: what was drawn last lies above the rest.
    pub fn at(&self, column: u16, row: u16) -> Option<Target> {
        let place = Position::new(column, row);
        self.0.iter().rev().find(|(area, _)| area.contains(place)).map(|(_, target)| *target)
    }
}
