//! Pieces of layout that many places share.

use ratatui::{
    text::{Line, Span},
    widgets::Block,
};

use crate::theme::Theme;

/// Below this width what is good to know gives way to what is needed.
pub const NARROW: u16 = 64;
/// Below this height only the most important lines are above a table.
pub const LOW: u16 = 16;

/// The titles of the sections that the arrow keys switch between.
pub fn sections<S: Copy + PartialEq>(titles: &[(S, &str)], present: S, theme: &Theme) -> Line<'static> {
    let mut spans = vec![Span::raw(" ")];
    for (section, title) in titles {
        let is_present = *section == present;
        let (style, mark) =
            if is_present { (theme.accent.patch(theme.strong), theme.glyphs.turn) } else { (theme.soft, " ") };
        spans.push(Span::styled(format!("{mark} {title}   "), style));
    }
    Line::from(spans)
}

/// A frame around what covers something else.
pub fn framed(theme: &Theme) -> Block<'static> {
    const ASCII: ratatui::symbols::border::Set = ratatui::symbols::border::Set {
        top_left: "+",
        top_right: "+",
        bottom_left: "+",
        bottom_right: "+",
        vertical_left: "|",
        vertical_right: "|",
        horizontal_top: "-",
        horizontal_bottom: "-",
    };
    let set = if theme.glyphs.ascii { ASCII } else { ratatui::symbols::border::ROUNDED };
    Block::bordered().border_set(set).border_style(theme.rule)
}
