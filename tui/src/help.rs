//! The help, generated from the active key tables.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
    widgets::{Clear, Padding, Paragraph},
};

use crate::{
    keymap::{Binding, ChosenKeys, KeyAction, Keys},
    own_commands::OwnCommand,
    theme::{Palette, Theme},
    widgets::{block::framed, text::wrapped},
};

/// Columns of a key's names.
const KEYS: usize = 15;
/// As wide as a line of it gets.
const WIDTH: u16 = 62;
/// From this width on the sections are side by side.
const WIDE: u16 = 2 * WIDTH;

/// The key tables that apply here, and the operator's own commands.
type Applying<'a> = (&'a [&'a Keys], &'a [&'a OwnCommand]);

/// The keys that apply here, from line `from` if there is no room for all.
pub fn draw(frame: &mut Frame, area: Rect, applying: Applying<'_>, chosen: &ChosenKeys, from: u16, theme: &Theme) {
    let sections = sections(applying, chosen, area.width, theme);
    let columns = if area.width >= WIDE { halves(sections) } else { vec![joined(sections)] };
    let tallest = columns.iter().map(Vec::len).max().unwrap_or(0) as u16;
    let width = (columns.len() as u16 * WIDTH).min(area.width);
    let height = (tallest + 2).min(area.height);
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let is_cut = tallest + 2 > area.height;
    let title = if is_cut { " Keys, j and k scroll " } else { " Keys " };
    let block = framed(theme).title(Span::styled(title, theme.accent)).padding(Padding::horizontal(2));
    let inner = block.inner(place);
    frame.render_widget(Clear, place);
    frame.render_widget(block, place);
    let from = from.min(tallest.saturating_sub(inner.height));
    let areas = Layout::horizontal(columns.iter().map(|_| Constraint::Fill(1))).spacing(1).split(inner);
    for (lines, area) in columns.into_iter().zip(areas.iter()) {
        frame.render_widget(Paragraph::new(lines).scroll((from, 0)), *area);
    }
}

/// The number of lines of the help in a terminal of so many columns, in one column.
pub fn lines(applying: Applying<'_>, chosen: &ChosenKeys, width: u16) -> u16 {
    let theme = Theme::new(Palette::None, true);
    joined(sections(applying, chosen, width, &theme)).len() as u16
}

fn sections((layers, own): Applying<'_>, chosen: &ChosenKeys, width: u16, theme: &Theme) -> Vec<Vec<Line<'static>>> {
    // The frame and its padding.
    let inner = usize::from(width.min(WIDTH)).saturating_sub(6);
    let mut sections: Vec<_> = layers.iter().map(|keys| section(keys, chosen, inner, theme)).collect();
    if !own.is_empty() {
        let commands = own.iter().flat_map(|own| row(own.key.name(theme.glyphs.ascii), &own.title, inner, theme));
        let title = Line::styled("Your own commands", theme.strong);
        sections.insert(sections.len().min(1), std::iter::once(title).chain(commands).collect());
    }
    sections
}

fn joined(sections: Vec<Vec<Line<'static>>>) -> Vec<Line<'static>> {
    sections.join(&Line::raw(""))
}

/// The first two sections are this mode's own; the others are beside them.
fn halves(mut sections: Vec<Vec<Line<'static>>>) -> Vec<Vec<Line<'static>>> {
    let beside = sections.split_off(sections.len().div_ceil(2));
    vec![joined(sections), joined(beside)]
}

/// Keys and what they do. In a narrow terminal the keys have a line of their own where what they do needs one.
fn row(keys: String, does: &str, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    if KEYS + does.len() <= width {
        let does = Span::raw(does.to_owned());
        return vec![Line::from(vec![Span::styled(format!("{keys:<KEYS$}"), theme.accent), does])];
    }
    let rest = wrapped(does, width.saturating_sub(2));
    let rest = rest.into_iter().map(|text| Line::raw(format!("  {text}")));
    std::iter::once(Line::styled(keys, theme.accent)).chain(rest).collect()
}

fn section(keys: &Keys, chosen: &ChosenKeys, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let line = |keys: String, does: &'static str| row(keys, does, width, theme);
    let mut lines = vec![Line::styled(keys.title, theme.strong)];
    let (tabs, others): (Vec<&Binding>, Vec<&Binding>) =
        keys.bindings.iter().partition(|binding| matches!(binding.action, KeyAction::Tab(_)));
    for binding in others {
        let names: Vec<_> = chosen.of(binding).iter().map(|key| key.name(theme.glyphs.ascii)).collect();
        lines.extend(line(names.join(" "), binding.does));
    }
    // One line for all numbers.
    if let (Some(first), Some(last)) = (tabs.first(), tabs.last()) {
        let name = |binding: &Binding| binding.keys[0].name(theme.glyphs.ascii);
        lines.extend(line(format!("{} to {}", name(first), name(last)), "a tab by its number"));
    }
    lines
}
