//! What admins and operators did; subscriptions.

use morpion_shell::escape;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
    widgets::{Paragraph, Wrap},
};

use super::{
    events::LOW,
    hits::Hits,
    list::{self, Cell, Column},
};
use crate::{
    app::{
        App,
        live_games::short_id,
        moment::minute,
        table::Table,
        trail::{self, Section},
    },
    theme::Theme,
    widgets::{
        name::Named,
        text::{self, fit, number},
    },
};

/// Lines for the chosen entry in full.
const FULL: u16 = 4;

pub fn draw_audit(frame: &mut Frame, area: Rect, app: &App, theme: &Theme, hits: &mut Hits) {
    let audit = &app.audit;
    let rows = if area.height < LOW { FULL - 1 } else { FULL };
    let [line, body, full] =
        Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(rows)]).areas(area);
    let shown = audit.table.shown().len();
    let mut text = format!("{}, the newest first", text::count(audit.page.total, "entry"));
    if audit.page.has_next || audit.page.number > 1 {
        text += &format!(", page {}", audit.page.number);
    }
    frame.render_widget(list::summary(&audit.table, text, &audit.fetch, theme), line);
    let empty = ["Nothing was done yet.", "What admins and operators do is written here."];
    if list::absence(frame, body, app, (&audit.fetch, &audit.table, shown), ("entries", empty), theme) {
        return;
    }
    let columns = [
        Column::new("When (UTC)", 16).sort(0).rank(2),
        Column::new("Who", 8).sort(1),
        Column::new("What", 12).sort(2),
        Column::new("On what", 10).rank(1),
        Column::new("From", 12).rank(3),
        Column::new("Detail", 20).rank(4),
    ];
    list::draw(frame, body, &audit.table, &columns, theme, hits, |entry| {
        vec![
            Line::styled(minute(entry.at), theme.soft),
            Line::raw(entry.actor.clone()),
            Line::raw(entry.action.clone()),
            Line::styled(trail::subject(entry).to_owned(), theme.soft),
            Line::styled(entry.address.clone(), theme.soft),
            Line::styled(trail::detail(entry).into_owned(), theme.soft),
        ]
    });
    if let Some(entry) = audit.table.chosen() {
        let rule = Line::styled(theme.glyphs.rule.repeat(full.width.into()), theme.rule);
        let subject = match (entry.subject.parse(), trail::subject(entry)) {
            (Ok(id), name) if name != entry.subject => format!("{name} ({})", short_id(id)),
            (_, name) => name.to_owned(),
        };
        let line = Line::from(vec![
            Span::styled(format!(" {} ", escape::line(&entry.actor)), theme.strong),
            Span::raw(format!("{} {} ", escape::line(&entry.action), escape::line(&subject))),
            Span::styled(format!("from {} at {}", escape::line(&entry.address), entry.at), theme.soft),
        ]);
        let detail = fit(&format!(" {}", trail::detail(entry)), usize::from(full.width) * 2, theme.glyphs.ellipsis);
        frame.render_widget(Paragraph::new(vec![rule, line, Line::raw(detail)]).wrap(Wrap { trim: false }), full);
    }
}

pub fn draw_subscriptions(frame: &mut Frame, area: Rect, app: &App, theme: &Theme, hits: &mut Hits) {
    let subscriptions = &app.subscriptions;
    let blank = if area.height < LOW { 0 } else { 1 };
    let [state, _, sections, line, body] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(blank),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(area);
    let text = match app.overview.answer.as_ref().map(|answer| answer.billing_configured) {
        Some(true) => Line::styled(format!(" {} Payments are set up on this server.", theme.glyphs.here), theme.good),
        Some(false) => Line::styled(
            format!(" {} Payments are not set up on this server; Pro can be granted here.", theme.glyphs.away),
            theme.soft,
        ),
        None => Line::raw(""),
    };
    frame.render_widget(text, state);
    let titles = [
        (Section::Accounts, "Accounts with Pro"),
        (Section::Events, "What happened"),
        (Section::Standing, "Subscriptions"),
    ];
    frame.render_widget(super::sections(&titles, subscriptions.section, theme), sections);
    match subscriptions.section {
        Section::Accounts => {
            let (table, fetch) = (&subscriptions.accounts, &subscriptions.accounts_fetch);
            let shown = table.shown().len();
            let empty = ["Nobody has Pro.", "n grants it to somebody."];
            if list::absence(frame, body, app, (fetch, table, shown), ("accounts", empty), theme) {
                return;
            }
            let mut text = text::count(shown as u64, "account");
            if subscriptions.is_cut {
                text += ", among the newest 1 000; the others are found in Users";
            }
            frame.render_widget(list::summary(table, text, fetch, theme), line);
            super::users::table(frame, body, app, table, theme, hits);
        }
        Section::Events => {
            let (table, fetch): (&Table<_>, _) = (&subscriptions.events, &subscriptions.events_fetch);
            let shown = table.shown().len();
            let empty = ["Nothing happened yet.", "Payments, grants and what the provider tells stand here."];
            if list::absence(frame, body, app, (fetch, table, shown), ("billing events", empty), theme) {
                return;
            }
            let text = text::count(subscriptions.page.total, "event");
            frame.render_widget(list::summary(table, text, fetch, theme), line);
            let columns = [
                Column::new("When (UTC)", 16).sort(0).rank(2),
                Column::new("What", 14).sort(1),
                Column::new("Account", 8).rank(3),
                Column::new("Detail", 16).rank(1),
            ];
            list::draw(frame, body, table, &columns, theme, hits, |event| {
                let account = event.user_id.map_or_else(String::new, short_id);
                vec![
                    Line::styled(minute(event.at), theme.soft),
                    Line::raw(event.kind.clone()),
                    Line::styled(account, theme.soft),
                    Line::raw(event.detail.clone()),
                ]
            });
        }
        Section::Standing => draw_standing(frame, (line, body), app, theme, hits),
    }
}

/// Who pays, paid, or was granted Pro, and how that stands.
fn draw_standing(frame: &mut Frame, (line, body): (Rect, Rect), app: &App, theme: &Theme, hits: &mut Hits) {
    let subscriptions = &app.subscriptions;
    let (table, fetch) = (&subscriptions.standing, &subscriptions.standing_fetch);
    let shown = table.shown().len();
    let empty = ["Nobody subscribed yet.", "Who pays for Pro, paid for it, or was granted it stands here."];
    if list::absence(frame, body, app, (fetch, table, shown), ("subscriptions", empty), theme) {
        return;
    }
    let mut text = text::count(shown as u64, "account");
    if subscriptions.standing_total > table.rows().len() as u64 {
        text += &format!(", of {}; the others are told by `morpion pro list`", number(subscriptions.standing_total));
    }
    frame.render_widget(list::summary(table, text, fetch, theme), line);
    let columns = [
        Column::new("Account", 10).sort(0),
        Column::new("Pro", 3).rank(3),
        Column::new("State", 10).sort(1),
        Column::new("Plan", 8).rank(2),
        Column::new("What comes next (UTC)", 14).rank(1),
    ];
    list::draw(frame, body, table, &columns, theme, hits, |row| {
        let told = &row.subscription;
        let next = match (told.grace_until, told.ends_at, told.next_payment_date) {
            (Some(until), ..) => format!("owes; Pro until {}", minute(until)),
            (_, Some(end), _) => format!("ends {}", minute(end)),
            (_, _, Some(next)) => format!("renews {}", minute(next)),
            _ => row.reason.clone().unwrap_or_default(),
        };
        let style = if told.grace_until.is_some() { theme.bad } else { theme.soft };
        vec![
            Cell::name(Span::raw(""), row.name(), Style::new(), theme),
            Line::raw(if row.is_pro_user { "yes" } else { "no" }).into(),
            Line::styled(trail::state(row).to_owned(), style).into(),
            Line::raw(told.name.clone().unwrap_or_else(|| theme.glyphs.absent.to_owned())).into(),
            Line::styled(next, theme.soft).into(),
        ]
    });
}
