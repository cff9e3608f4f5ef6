//! Hit testing: where things are on the screen, for the mouse. Drawing changes no state, so it returns these instead.

use ratatui::layout::{Position, Rect};

/// What can be clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClickTarget {
    /// A tab, counted from 0.
    Tab(usize),
    /// A row of the list, counted from 0 through all that fit the filter.
    Row(usize),
    /// An item of the open menu, counted from 0.
    MenuItem(usize),
}

#[derive(Debug, Default)]
pub struct ClickTargets(Vec<(Rect, ClickTarget)>);

impl ClickTargets {
    pub fn add(&mut self, area: Rect, target: ClickTarget) {
        self.0.push((area, target));
    }

    /// The target at a position; what was drawn last covers the rest.
    pub fn at(&self, column: u16, row: u16) -> Option<ClickTarget> {
        let position = Position::new(column, row);
        self.0.iter().rev().find(|(area, _)| area.contains(position)).map(|(_, target)| *target)
    }
}
