//! Menus, confirmations, forms and the command palette, above everything else.

use ratatui::{
    Frame,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span},
    widgets::{Clear, Padding, Paragraph},
};

use super::{
    Dialog, InputDialog, TextDialog,
    columns::ColumnsDialog,
    confirm::{ConfirmDialog, ConfirmField},
    event_form::{EventForm, Field},
    menu::Menu,
    palette::{Completion, MAX_COMPLETIONS, Palette},
    text_input::TextInput,
};
use crate::{
    context::Context,
    hit_testing::{ClickTarget, ClickTargets},
    theme::Theme,
    time,
    widgets::{
        block::framed,
        text::{self, first_shown, fit, fit_line, wrapped},
    },
};

/// As wide as is easily read.
const WIDEST: u16 = 76;
/// As wide as the choice of columns is.
const COLUMNS: u16 = 46;
const LABEL: usize = 17;
/// Columns of a completion.
const LONGEST_COMPLETION: usize = 40;

/// The columns of a text in a dialog, in a terminal of so many.
pub fn text_width(columns: u16) -> usize {
    usize::from(columns.min(WIDEST).saturating_sub(6))
}

pub fn draw(
    frame: &mut Frame,
    area: Rect,
    context: &Context,
    dialog: &Dialog,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let width = area.width.min(WIDEST);
    let inner = text_width(area.width);
    match dialog {
        Dialog::Menu(menu) => draw_menu(frame, area, menu, theme, targets),
        Dialog::Confirm(confirm) => {
            // A question that is too long for the title is shown in the dialog.
            let is_cut = text::width(&Line::raw(confirm.title.as_str())) > inner;
            let lines = confirm_lines(confirm, is_cut, context.server_now(), inner, theme);
            boxed(frame, area, width, if is_cut { "" } else { &confirm.title }, lines, theme);
        }
        Dialog::EventForm(form) => {
            let title = if form.event.is_some() { "Edit the event" } else { "A new event" };
            boxed(frame, area, width, title, form_lines(form, context, inner, theme), theme);
        }
        Dialog::Input(prompt) => {
            boxed(frame, area, width, &prompt.title, prompt_lines(prompt, inner, theme), theme);
        }
        Dialog::Columns(columns) => {
            boxed(frame, area, width.min(COLUMNS), "Columns", column_lines(columns, theme), theme);
        }
        Dialog::Palette(palette) => draw_palette(frame, area, palette, theme),
        Dialog::Text(told) => {
            let rows = usize::from(area.height.saturating_sub(2));
            boxed(frame, area, width, &told.title, text_lines(told, (inner, rows), theme), theme);
        }
    }
}

/// The lines of a dialog.
struct Lines {
    all: Vec<Line<'static>>,
    /// The line that has to be visible. The last one, with the keys, always is.
    focus: usize,
}

impl From<Vec<Line<'static>>> for Lines {
    fn from(all: Vec<Line<'static>>) -> Self {
        Self { all, focus: 0 }
    }
}

impl Lines {
    /// As many as there is room for, around the one in focus. Where they are too many, empty ones go first.
    fn within(self, rows: usize) -> Vec<Line<'static>> {
        let Self { mut all, mut focus } = self;
        if all.len() > rows {
            let is_kept = |line: &Line| line.width() > 0;
            focus = all[..focus].iter().filter(|line| is_kept(line)).count();
            all.retain(is_kept);
        }
        if all.len() <= rows {
            return all;
        }
        let Some(last) = all.pop() else { return all };
        let room = rows.saturating_sub(1);
        let first = focus.saturating_sub(room / 2).min(all.len().saturating_sub(room));
        all.into_iter().skip(first).take(room).chain([last]).collect()
    }
}

/// Lines in a frame in the middle.
fn boxed(frame: &mut Frame, area: Rect, width: u16, title: &str, lines: impl Into<Lines>, theme: &Theme) -> Rect {
    let lines = lines.into().within(area.height.saturating_sub(2).into());
    let height = (lines.len() as u16 + 2).min(area.height);
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let title = fit(title, usize::from(width.saturating_sub(6)), theme.glyphs.ellipsis);
    let mut block = framed(theme).padding(Padding::horizontal(2));
    if !title.is_empty() {
        block = block.title(Span::styled(format!(" {title} "), theme.accent.patch(theme.strong)));
    }
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(block), place);
    place
}

fn draw_menu(frame: &mut Frame, area: Rect, menu: &Menu, theme: &Theme, targets: &mut ClickTargets) {
    let rows = usize::from(area.height.saturating_sub(2)).max(1);
    let first = first_shown(menu.chosen, menu.items.len(), rows);
    // Beside the frame, the cursor and the key.
    let room = usize::from(area.width).saturating_sub(11);
    let lines: Vec<_> = menu
        .items
        .iter()
        .enumerate()
        .skip(first)
        .take(rows)
        .map(|(at, item)| {
            let is_chosen = at == menu.chosen;
            let label = ratatui::style::Style::new();
            Line::from(vec![
                Span::styled(if is_chosen { theme.glyphs.cursor } else { "  " }, theme.accent),
                Span::styled(item.key.to_string(), theme.accent),
                Span::styled(
                    format!("  {}", fit(&item.label, room, theme.glyphs.ellipsis)),
                    if is_chosen { label.patch(theme.strong) } else { label },
                ),
            ])
        })
        .collect();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0) + 6;
    let title = text::width(&Line::raw(menu.title.as_str()));
    let width = (widest.max(title + 8).min(u16::MAX.into()) as u16).clamp(24, area.width);
    let place = boxed(frame, area, width, &menu.title, lines, theme);
    for at in first..menu.items.len().min(first + rows) {
        let row = Rect { y: place.y + 1 + (at - first) as u16, height: 1, ..place };
        targets.add(row, ClickTarget::MenuItem(at));
    }
}

/// What is typed, with its cursor; the part around the cursor where there is no room for all.
fn typed(input: &TextInput, is_focused: bool, width: usize, theme: &Theme) -> Vec<Span<'static>> {
    let chars: Vec<char> = input.text().chars().collect();
    if !is_focused {
        let text: String = chars.iter().collect();
        return vec![Span::raw(fit(&text, width, theme.glyphs.ellipsis))];
    }
    let first = (input.cursor() + 1).saturating_sub(width.max(1));
    let at = input.cursor();
    let before: String = chars[first..at].iter().collect();
    let under = chars.get(at).copied().unwrap_or(' ').to_string();
    let behind: String = chars.iter().skip(at + 1).take((first + width).saturating_sub(at + 1)).collect();
    vec![Span::raw(before), Span::styled(under, theme.selected), Span::raw(behind)]
}

/// What is chosen; with the focus between the signs of the keys that change it.
fn chosen(text: &str, is_focused: bool, width: usize, theme: &Theme) -> Vec<Span<'static>> {
    let sign = |sign: &str| Span::styled(sign.to_owned(), theme.accent);
    let text = fit(text, width.saturating_sub(4 * usize::from(is_focused)), theme.glyphs.ellipsis);
    match is_focused {
        true => vec![sign(theme.glyphs.before), Span::styled(text, theme.strong), sign(theme.glyphs.after)],
        false => vec![Span::raw(text)],
    }
}

fn confirm_lines(confirm: &ConfirmDialog, has_question: bool, now: i64, width: usize, theme: &Theme) -> Lines {
    let mut lines = vec![Line::raw("")];
    if has_question {
        let style = theme.accent.patch(theme.strong);
        lines.extend(wrapped(&confirm.title, width).into_iter().map(|line| Line::styled(line, style)));
        lines.push(Line::raw(""));
    }
    let mut focus = 0;
    for text in &confirm.lines {
        lines.extend(wrapped(text, width).into_iter().map(Line::raw));
    }
    lines.push(Line::raw(""));
    for (at, (field, input)) in confirm.fields.iter().enumerate() {
        let is_focused = at == confirm.focus && !confirm.is_sent;
        lines.push(Line::styled(field.label(), if is_focused { theme.accent } else { theme.soft }));
        if is_focused {
            focus = lines.len();
        }
        let mut spans = vec![Span::raw("  ")];
        if field.is_choice() {
            spans.extend(chosen(input.text(), is_focused, width.saturating_sub(2), theme));
        } else {
            spans.extend(typed(input, is_focused, width.saturating_sub(2), theme));
        }
        lines.push(Line::from(spans));
        let moment = time::parse(input.text(), now).ok().filter(|_| *field == ConfirmField::End).map(time::minute);
        if let Some(moment) = moment.filter(|moment| moment != input.text().trim()) {
            lines.push(Line::styled(format!("  {moment} UTC"), theme.soft));
        }
        lines.push(Line::raw(""));
    }
    if let Some(error) = &confirm.error {
        focus = lines.len();
        lines.extend(wrapped(error, width).into_iter().map(|line| Line::styled(line, theme.bad)));
        lines.push(Line::raw(""));
    }
    let key = |key: &str, word: &str| {
        [Span::styled(key.to_owned(), theme.accent), Span::styled(format!(" {word}   "), theme.soft)]
    };
    if !confirm.is_sent {
        let yes = if confirm.fields.is_empty() { key("y", "yes") } else { key("Enter", "yes") };
        lines.push(Line::from([yes, key("Esc", "no")].concat()));
        return Lines { all: lines, focus };
    }
    let is_bulk = confirm.steps.len() > 1;
    // What came of it is what one waits for.
    focus = lines.len() + confirm.steps.len();
    for step in &confirm.steps {
        let name_width = (width / 2).min(24);
        let about = fit(&step.about, if is_bulk { name_width } else { 0 }, theme.glyphs.ellipsis);
        let (text, style) = match &step.outcome {
            None => (format!("asking{}", theme.glyphs.ellipsis), theme.soft),
            Some(Ok(())) => ("done".to_owned(), theme.good),
            Some(Err(refusal)) => {
                let fields = refusal.fields.values().filter(|why| **why != refusal.text);
                let whole = std::iter::once(&refusal.text).chain(fields).map(String::as_str).collect::<Vec<_>>();
                (whole.join(" "), theme.bad)
            }
        };
        let indent = if is_bulk { name_width + 2 } else { 0 };
        for (at, part) in wrapped(&text, width.saturating_sub(indent)).into_iter().enumerate() {
            let name = if at == 0 { about.clone() } else { String::new() };
            let pad = " ".repeat(indent.saturating_sub(unicode_width::UnicodeWidthStr::width(name.as_str())));
            lines.push(Line::from(vec![Span::raw(name), Span::raw(pad), Span::styled(part, style)]));
        }
    }
    if confirm.is_over() {
        lines.extend([Line::raw(""), Line::from(key("Esc", "close").to_vec())]);
    }
    Lines { all: lines, focus }
}

fn form_lines(form: &EventForm, context: &Context, width: usize, theme: &Theme) -> Lines {
    let mut lines = vec![Line::raw("")];
    let mut focus = 0;
    for (at, field) in form.fields().into_iter().enumerate() {
        let is_focused = at == form.focus;
        let label =
            Span::styled(format!("{:<LABEL$}", field.label()), if is_focused { theme.accent } else { theme.soft });
        let (input, room) = (form.input(field), width.saturating_sub(LABEL));
        let mut spans = vec![label];
        match field.choices() {
            Some(_) => {
                let text = if field == Field::Board {
                    input.text().replace('x', theme.glyphs.by)
                } else {
                    input.text().to_owned()
                };
                spans.extend(chosen(&text, is_focused, room, theme));
            }
            None => spans.extend(typed(input, is_focused, room, theme)),
        }
        if is_focused {
            focus = lines.len();
        }
        lines.push(Line::from(spans));
        let note = match (form.error(field), field) {
            (Some(error), _) => Some(Span::styled(error.to_owned(), theme.bad)),
            (None, Field::Start | Field::End) if !form.input(field).text().trim().is_empty() => {
                let read = time::parse(form.input(field).text(), context.server_now());
                read.ok().map(|moment| Span::styled(format!("{} UTC", time::minute(moment)), theme.soft))
            }
            (None, field) if is_focused && !form.hint(field).is_empty() => {
                Some(Span::styled(form.hint(field).to_owned(), theme.soft))
            }
            _ => None,
        };
        if let Some(note) = note {
            // Where there is little room a note may begin under the label.
            let lines_in = |room: usize| wrapped(&note.content, room).len();
            let needs_room = note.width() > room && lines_in(room) > lines_in(width);
            let indent = if needs_room { width.saturating_sub(note.width()).min(LABEL) } else { LABEL };
            let parts = wrapped(&note.content, width - indent);
            if is_focused {
                focus += parts.len() / 2;
            }
            for part in parts {
                lines.push(Line::from(vec![Span::raw(" ".repeat(indent)), Span::styled(part, note.style)]));
            }
        }
    }
    lines.push(Line::raw(""));
    if let Some(refusal) = &form.refusal {
        lines.extend(wrapped(refusal, width).into_iter().map(|line| Line::styled(line, theme.bad)));
        lines.push(Line::raw(""));
    }
    lines.push(if form.sent.is_some() {
        Line::styled(format!("Asking{}", theme.glyphs.ellipsis), theme.soft)
    } else if form.is_leaving {
        Line::styled("What you typed will be lost. Press Esc again to leave.", theme.warning)
    } else {
        Line::from(vec![
            Span::styled("Enter", theme.accent),
            Span::styled(" next  ", theme.soft),
            Span::styled("Ctrl-s", theme.accent),
            Span::styled(" save  ", theme.soft),
            Span::styled("Esc", theme.accent),
            Span::styled(" leave", theme.soft),
        ])
    });
    Lines { all: lines, focus }
}

fn text_lines(told: &TextDialog, (width, rows): (usize, usize), theme: &Theme) -> Vec<Line<'static>> {
    let body = told.body(width, theme.glyphs.ellipsis);
    let key = |key: &'static str, word: &'static str| [Span::styled(key, theme.accent), Span::styled(word, theme.soft)];
    let mut keys = Vec::from(key("Esc", " back"));
    // The keys, and an empty line on both sides of the text.
    if body.len() + 3 <= rows {
        let text = body.into_iter().map(Line::raw);
        return [Line::raw("")].into_iter().chain(text).chain([Line::raw(""), Line::from(keys)]).collect();
    }
    let room = rows.saturating_sub(1);
    if body.len() > room {
        keys.extend(key("   j k", " scroll"));
    }
    let from = told.from.min(body.len().saturating_sub(room));
    body.into_iter().skip(from).take(room).map(Line::raw).chain([Line::from(keys)]).collect()
}

fn column_lines(dialog: &ColumnsDialog, theme: &Theme) -> Lines {
    let mut all = vec![Line::raw("")];
    for (at, column) in dialog.columns.iter().enumerate() {
        let (cursor, style) = match at == dialog.focus {
            true => (theme.glyphs.cursor, theme.strong),
            false => ("  ", if column.is_shown { Style::new() } else { theme.soft }),
        };
        let mark = if column.is_shown { "[x] " } else { "[ ] " };
        all.push(Line::from(vec![
            Span::styled(cursor, theme.accent),
            Span::styled(format!("{mark}{}", column.name), style),
        ]));
    }
    let keys = [("Space", " shown  "), ("J K", " move  "), ("u", " usual  "), ("Enter", " keep")];
    let keys =
        keys.into_iter().flat_map(|(key, word)| [Span::styled(key, theme.accent), Span::styled(word, theme.soft)]);
    all.extend([Line::raw(""), Line::from_iter(keys)]);
    Lines { all, focus: dialog.focus + 1 }
}

fn prompt_lines(prompt: &InputDialog, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = vec![Line::raw(""), Line::from(typed(&prompt.input, true, width, theme)), Line::raw("")];
    let (text, style) = match &prompt.error {
        Some(error) => (error, theme.bad),
        None => (&prompt.hint, theme.soft),
    };
    lines.extend(wrapped(text, width).into_iter().map(|line| Line::styled(line, style)));
    lines
}

/// A completion, with what was typed of it underlined: that is seen without colours, too.
fn completed(completion: &Completion, style: Style, theme: &Theme) -> Line<'static> {
    let mut matched = completion.matched.iter().copied().peekable();
    let chars: Vec<_> =
        completion.line.chars().enumerate().map(|(at, char)| (matched.next_if_eq(&at).is_some(), char)).collect();
    let runs = chars.chunk_by(|(one, _), (other, _)| one == other).map(|run| {
        let text: String = run.iter().map(|(_, char)| char).collect();
        Span::styled(text, if run[0].0 { style.add_modifier(Modifier::UNDERLINED) } else { style })
    });
    fit_line(Line::from_iter(runs), LONGEST_COMPLETION, theme.glyphs.ellipsis)
}

/// At the bottom, where a command line is.
fn draw_palette(frame: &mut Frame, area: Rect, palette: &Palette, theme: &Theme) {
    // The frame, the input, and a line for an error or the number of further completions.
    let room = usize::from(area.height).saturating_sub(5).clamp(1, MAX_COMPLETIONS);
    let first = first_shown(palette.chosen.unwrap_or(0), palette.completions.len().min(MAX_COMPLETIONS), room);
    let name = (usize::from(area.width) / 2).clamp(16, 28);
    let completions = palette.completions.iter().take(MAX_COMPLETIONS).enumerate().skip(first).take(room);
    let mut lines: Vec<_> = completions
        .map(|(at, completion)| {
            let is_chosen = palette.chosen == Some(at);
            let mut line = vec![Span::styled(if is_chosen { theme.glyphs.cursor } else { "  " }, theme.accent)];
            let title = completed(completion, if is_chosen { theme.strong } else { theme.accent }, theme);
            let padding = " ".repeat(name.saturating_sub(title.width()));
            line.extend(title.spans);
            line.extend([Span::raw(padding), Span::styled(completion.does, theme.soft)]);
            Line::from(line)
        })
        .collect();
    if palette.completions.len() > room && palette.error.is_none() {
        lines.push(Line::styled(format!("  and {} more", palette.completions.len() - room), theme.soft));
    }
    if let Some(error) = &palette.error {
        lines.push(Line::styled(format!("  {error}"), theme.bad));
    }
    let mut prompt = vec![Span::styled(":", theme.accent)];
    prompt.extend(typed(&palette.input, true, usize::from(area.width).saturating_sub(8), theme));
    lines.push(Line::from(prompt));
    let height = (lines.len() as u16 + 2).min(area.height);
    let place = Rect { y: area.bottom() - height, height, ..area };
    let block = framed(theme).padding(Padding::horizontal(1));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(block), place);
}
