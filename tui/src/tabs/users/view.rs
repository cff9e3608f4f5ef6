//! The table of accounts, and one account in full.

use morpion_openapi::{account::User, moderation::Suspension, rating::PlayerRating};
use morpion_shell::escape;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
    widgets::Paragraph,
};

use super::{
    Detail, Section, Users, kind,
    suspended::{SuspendedUsers, end, in_words},
};
use crate::{
    context::Context,
    fetch::Pager,
    hit_testing::ClickTargets,
    list::{
        DataTable,
        view::{self as list, Cell, Column},
    },
    tabs::events,
    theme::Theme,
    time::minute,
    widgets::{
        block::{LOW, sections},
        name::Named,
        text::{self, age, fit, short_id, wrapped},
    },
};

/// Lines of a suspension with its reason.
const MAX_SUSPENSION: usize = 3;

pub fn draw(
    frame: &mut Frame,
    area: Rect,
    users: &Users,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    if let Some(detail) = &users.detail {
        return draw_detail(frame, area, context, detail, theme, targets);
    }
    if users.is_suspended_only {
        return draw_suspended(frame, area, &users.suspended, context, theme, targets);
    }
    let [line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let shown = users.table.shown().len();
    let text = counted(&users.page, "account");
    frame.render_widget(list::summary(&users.table, text, &users.fetch, theme), line);
    let empty = ["No accounts yet.", "The setup link of the server makes the first one."];
    if !list::draw_empty_state(frame, body, context, (&users.fetch, &users.table, shown), ("accounts", empty), theme) {
        table(frame, body, context, &users.table, theme, targets);
    }
}

fn counted(page: &Pager, noun: &str) -> String {
    let mut text = text::count(page.total, noun);
    if page.has_next || page.number > 1 {
        text += &format!(", page {}", page.number);
    }
    text
}

/// Accounts with a suspension, with its end and its reason.
fn draw_suspended(
    frame: &mut Frame,
    area: Rect,
    suspended: &SuspendedUsers,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let [line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let (table, fetch) = (&suspended.table, &suspended.fetch);
    let text = format!("{}, the latest first", counted(&suspended.page, "suspended account"));
    if fetch.is_loaded {
        frame.render_widget(list::summary(table, text, fetch, theme), line);
    }
    let empty = ["Nobody is suspended.", "f shows all accounts again."];
    let shown = table.shown().len();
    if list::draw_empty_state(frame, body, context, (fetch, table, shown), ("suspended accounts", empty), theme) {
        return;
    }
    let columns = [
        Column::new("Account", 12).preferred(14).sort(1),
        Column::new("Until (UTC)", 16),
        Column::new("Since", 6).sort(0).right().drop_order(2),
        Column::new("Reason", 16).drop_order(1),
    ];
    list::draw(frame, body, table, &columns, theme, targets, |row| {
        let suspension = row.0.suspension.as_ref();
        let until = suspension.map_or_else(|| Line::styled("over", theme.soft), |it| Line::styled(end(it), theme.bad));
        let since = suspension.map_or_else(String::new, |it| age(context.server_now() - it.at.as_millis()));
        let reason = suspension.map_or_else(String::new, |it| it.reason.clone());
        vec![
            Cell::name(Span::raw(""), row.0.name(), Style::new(), theme),
            until.into(),
            Line::raw(since).into(),
            Line::raw(reason).into(),
        ]
    });
}

/// A rating, a provisional one with a question mark; nothing for guests.
pub fn rating(rating: Option<&PlayerRating>, theme: &Theme) -> Line<'static> {
    match rating {
        Some(PlayerRating { value, provisional: true }) => Line::styled(format!("{value}?"), theme.soft),
        Some(PlayerRating { value, .. }) => Line::raw(value.to_string()),
        None => Line::styled(theme.glyphs.absent, theme.soft),
    }
}

fn rating_text(user: &User, theme: &Theme) -> String {
    rating(user.rating.as_ref(), theme).to_string()
}

/// The columns of a table of accounts.
pub const COLUMNS: [Column; 6] = [
    Column::new("Account", 12).preferred(14).sort(1),
    Column::new("Kind", 5).preferred(9).sort(2),
    Column::new("Rating", 6).sort(3).right().drop_order(2),
    Column::new("Email", 14).drop_order(1),
    Column::new("Joined", 6).sort(0).right().drop_order(3),
    Column::new("Id", 8).drop_order(4),
];

/// A table of accounts.
pub fn table(
    frame: &mut Frame,
    area: Rect,
    context: &Context,
    users: &DataTable<User>,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    list::draw(frame, area, users, &COLUMNS, theme, targets, |user| {
        let email = if user.email_verified || user.email.is_empty() {
            Line::raw(user.email.clone())
        } else {
            Line::styled(format!("{} (unverified)", user.email), theme.soft)
        };
        vec![
            Cell::name(Span::raw(""), user.name(), Style::new(), theme),
            Line::styled(kind(user), kind_style(user, theme)).into(),
            rating(user.rating.as_ref(), theme).into(),
            email.into(),
            Line::raw(age(context.server_now() - user.created_at.as_millis())).into(),
            Line::styled(short_id(user.user_id), theme.soft).into(),
        ]
    });
}

fn kind_style(user: &User, theme: &Theme) -> Style {
    match kind(user) {
        "suspended" => theme.bad,
        "admin" => theme.accent.patch(theme.strong),
        "pro" => theme.accent,
        _ => theme.soft,
    }
}

fn draw_detail(
    frame: &mut Frame,
    area: Rect,
    context: &Context,
    detail: &Detail,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let mut lines = facts(&detail.user, area.width, theme);
    let is_low = area.height < LOW;
    if is_low {
        // Who it is, and where to write to, unless they are suspended.
        lines.swap(1, 2);
        lines.truncate(if detail.user.suspension.is_some() { 1 } else { 2 });
    }
    let most = if is_low { MAX_SUSPENSION - 1 } else { MAX_SUSPENSION };
    lines.extend(detail.user.suspension.iter().flat_map(|it| suspension_lines(it, most, area.width, theme)));
    let [top, _, titles_line, line, body] = Layout::vertical([
        Constraint::Length(lines.len() as u16),
        Constraint::Length(if is_low { 0 } else { 1 }),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(lines), top);
    let titles = [(Section::Sessions, "Sessions"), (Section::Games, "Games")];
    frame.render_widget(sections(&titles, detail.section, theme), titles_line);
    match detail.section {
        Section::Sessions => draw_sessions(frame, (line, body), detail, context, theme, targets),
        Section::Games => {
            let (table, fetch) = (&detail.games, &detail.games_fetch);
            let shown = table.shown().len();
            let empty = ["No games yet.", "Games on one device or against the computer are kept on the device."];
            if !list::draw_empty_state(frame, body, context, (fetch, table, shown), ("games", empty), theme) {
                frame.render_widget(list::summary(table, text::count(shown as u64, "game"), fetch, theme), line);
                events::view::games(frame, body, context, table, theme, targets);
            }
        }
    }
}

/// A suspension with its reason, in at most so many lines.
fn suspension_lines(suspension: &Suspension, most: usize, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let room = usize::from(width).saturating_sub(2);
    let text = format!("{}: {}", in_words(suspension), suspension.reason);
    let mut lines = wrapped(&text, room);
    if lines.len() > most {
        let rest = lines.split_off(most - 1).join(" ");
        lines.push(fit(&rest, room, theme.glyphs.ellipsis));
    }
    lines.into_iter().map(|line| Line::styled(format!(" {line}"), theme.bad)).collect()
}

/// What is known of the account, in a few lines.
fn facts(user: &User, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let fact = |name: &str, value: String| {
        let value = escape::line(&value).into_owned();
        [Span::styled(format!(" {name} "), theme.soft), Span::raw(value), Span::raw("  ")]
    };
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    let name = format!("{} {}", user.first_name, user.last_name);
    let email = match (user.email.is_empty(), user.email_verified) {
        (true, _) => theme.glyphs.absent.to_owned(),
        (false, true) => user.email.clone(),
        (false, false) => format!("{} (unverified)", user.email),
    };
    let what = Span::styled(format!("   {}", kind(user)), kind_style(user, theme));
    let mut title = Line::from(" ");
    let room = usize::from(width).saturating_sub(title.width() + what.width());
    title.extend(user.name().within(room, theme.glyphs.ellipsis, theme.strong, theme.soft));
    title.push_span(what);
    vec![
        title,
        Line::from([fact("name", name.trim().to_owned()), fact("rating", rating_text(user, theme))].concat()),
        Line::from([fact("email", email), fact("joined", format!("{} UTC", minute(user.created_at)))].concat()),
        Line::from(
            [
                fact("admin", if user.admin_claim.is_some() { "by a group".to_owned() } else { yes(user.is_admin) }),
                fact("Pro", yes(user.is_pro_user)),
                fact("guest", yes(user.is_temp_user)),
                fact("id", user.user_id.to_string()),
            ]
            .concat(),
        ),
    ]
}

fn draw_sessions(
    frame: &mut Frame,
    (line, body): (Rect, Rect),
    detail: &Detail,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let (table, fetch) = (&detail.sessions, &detail.sessions_fetch);
    let shown = table.shown().len();
    let empty = ["Signed in nowhere.", "Sessions end by signing out, after 30 idle days, or here."];
    if list::draw_empty_state(frame, body, context, (fetch, table, shown), ("sessions", empty), theme) {
        return;
    }
    frame.render_widget(list::summary(table, text::count(shown as u64, "session"), fetch, theme), line);
    let columns = [
        Column::new("Device", 14).sort(1),
        Column::new("Address", 12).drop_order(2),
        Column::new("Since", 8).right().drop_order(1),
        Column::new("Last used", 10).sort(0).right(),
        Column::new("Id", 8).drop_order(3),
    ];
    list::draw(frame, body, table, &columns, theme, targets, |session| {
        let now = context.server_now();
        vec![
            Line::raw(session.device.clone()),
            Line::styled(session.address.clone(), theme.soft),
            Line::raw(age(now - session.created_at.as_millis())),
            Line::raw(format!("{} ago", age(now - session.last_used_at.as_millis()))),
            Line::styled(session.session_id.chars().take(8).collect::<String>(), theme.soft),
        ]
    });
}
