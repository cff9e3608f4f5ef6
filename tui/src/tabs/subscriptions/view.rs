//! Accounts with Pro, billing events, and subscriptions.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
};

use super::{Section, Subscriptions, state};
use crate::{
    context::Context,
    hit_testing::ClickTargets,
    list::{
        DataTable,
        view::{self as table_view, Cell, Column},
    },
    tabs::users,
    theme::Theme,
    time::minute,
    widgets::{
        block::{LOW, sections},
        name::Named,
        text::{self, number, short_id},
    },
};

pub fn draw(
    frame: &mut Frame,
    area: Rect,
    subscriptions: &Subscriptions,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let blank = if area.height < LOW { 0 } else { 1 };
    let [payments, _, titles_line, line, body] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(blank),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(area);
    let text = match subscriptions.is_billing_configured {
        Some(true) => Line::styled(format!(" {} Payments are set up on this server.", theme.glyphs.here), theme.good),
        Some(false) => Line::styled(
            format!(" {} Payments are not set up on this server; Pro can be granted here.", theme.glyphs.away),
            theme.soft,
        ),
        None => Line::raw(""),
    };
    frame.render_widget(text, payments);
    let titles = [
        (Section::Accounts, "Accounts with Pro"),
        (Section::Events, "What happened"),
        (Section::Subscriptions, "Subscriptions"),
    ];
    frame.render_widget(sections(&titles, subscriptions.section, theme), titles_line);
    match subscriptions.section {
        Section::Accounts => {
            let (table, fetch) = (&subscriptions.accounts, &subscriptions.accounts_fetch);
            let shown = table.shown().len();
            let empty = ["Nobody has Pro.", "n grants it to somebody."];
            if table_view::draw_empty_state(frame, body, context, (fetch, table, shown), ("accounts", empty), theme) {
                return;
            }
            let mut text = text::count(shown as u64, "account");
            if subscriptions.is_cut {
                text += ", among the newest 1 000; the others are found in Users";
            }
            frame.render_widget(table_view::summary(table, text, fetch, theme), line);
            users::view::table(frame, body, context, table, theme, targets);
        }
        Section::Events => draw_events(frame, (line, body), subscriptions, context, theme, targets),
        Section::Subscriptions => draw_paid(frame, (line, body), subscriptions, context, theme, targets),
    }
}

/// The events of the payment provider, and grants.
fn draw_events(
    frame: &mut Frame,
    (line, body): (Rect, Rect),
    subscriptions: &Subscriptions,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let (table, fetch): (&DataTable<_>, _) = (&subscriptions.events, &subscriptions.events_fetch);
    let shown = table.shown().len();
    let empty = ["Nothing happened yet.", "Payments, grants and messages from the provider appear here."];
    if table_view::draw_empty_state(frame, body, context, (fetch, table, shown), ("billing events", empty), theme) {
        return;
    }
    let text = text::count(subscriptions.page.total, "event");
    frame.render_widget(table_view::summary(table, text, fetch, theme), line);
    let columns = [
        Column::new("When (UTC)", 16).sort(0).drop_order(2),
        Column::new("What", 14).sort(1),
        Column::new("Account", 8).drop_order(3),
        Column::new("Detail", 16).drop_order(1),
    ];
    table_view::draw(frame, body, table, &columns, theme, targets, |event| {
        let account = event.user_id.map_or_else(String::new, short_id);
        vec![
            Line::styled(minute(event.at), theme.soft),
            Line::raw(event.kind.clone()),
            Line::styled(account, theme.soft),
            Line::raw(event.detail.clone()),
        ]
    });
}

/// Who pays, paid, or was granted Pro, and the state of that.
fn draw_paid(
    frame: &mut Frame,
    (line, body): (Rect, Rect),
    subscriptions: &Subscriptions,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let (table, fetch) = (&subscriptions.subscriptions, &subscriptions.subscriptions_fetch);
    let shown = table.shown().len();
    let empty = ["Nobody subscribed yet.", "People who pay for Pro, paid for it, or were granted it appear here."];
    if table_view::draw_empty_state(frame, body, context, (fetch, table, shown), ("subscriptions", empty), theme) {
        return;
    }
    let mut text = text::count(shown as u64, "account");
    if subscriptions.subscriptions_total > table.rows().len() as u64 {
        text +=
            &format!(", of {}; the others are told by `morpion pro list`", number(subscriptions.subscriptions_total));
    }
    frame.render_widget(table_view::summary(table, text, fetch, theme), line);
    let columns = [
        Column::new("Account", 10).sort(0),
        Column::new("Pro", 3).drop_order(3),
        Column::new("State", 10).sort(1),
        Column::new("Plan", 8).drop_order(2),
        Column::new("What comes next (UTC)", 14).drop_order(1),
    ];
    table_view::draw(frame, body, table, &columns, theme, targets, |row| {
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
            Line::styled(state(row).to_owned(), style).into(),
            Line::raw(told.name.clone().unwrap_or_else(|| theme.glyphs.absent.to_owned())).into(),
            Line::styled(next, theme.soft).into(),
        ]
    });
}
