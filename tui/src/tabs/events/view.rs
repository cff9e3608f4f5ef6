//! The table of events, and one event in full.

use morpion_openapi::{
    event::{Event, EventFormat, EventState, SignupStatus, Winner},
    game::{Game, GameStatus},
    quick_match::QuickMatchClock,
};
use morpion_shell::escape;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
    widgets::{Paragraph, Wrap},
};

use super::{Detail, Events, Section, rounds_view, state_name};
use crate::{
    context::Context,
    hit_testing::ClickTargets,
    list::{
        DataTable,
        view::{self as list, Cell, Column},
    },
    theme::Theme,
    time::minute,
    widgets::{
        block::{LOW, sections},
        name::Named,
        result::how,
        stage::{clock_text, format_name, format_with_options, match_with_options},
        text::{self, age, fit, fit_line, short_id, until},
    },
};

/// Lines that a description may take.
const DESCRIPTION: u16 = 3;

/// The columns of the table.
pub const COLUMNS: [Column; 9] = [
    Column::new("Title", 12).preferred(26).sort(1),
    Column::new("State", 9).sort(2),
    Column::new("Format", 11).drop_order(4),
    Column::new("Type", 7).drop_order(7),
    Column::new("Starts (UTC)", 16).sort(0).drop_order(3),
    Column::new("", 10).named("Time left").drop_order(2),
    Column::new("Ends (UTC)", 16).drop_order(6),
    Column::new("Players", 8).sort(3).right().drop_order(1),
    Column::new("Id", 8).drop_order(5),
];

pub fn draw(
    frame: &mut Frame,
    area: Rect,
    events: &Events,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    if let Some(detail) = &events.detail {
        return draw_detail(frame, area, context, detail, theme, targets);
    }
    let [line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let shown = events.table.shown().len();
    let marked = events.table.marked().count();
    let mut text = text::count(shown as u64, "event");
    if let Some(state) = events.state {
        text = format!("{text}, {} only (f)", state_name(state).to_lowercase());
    }
    match marked {
        0 => {}
        1 => text = format!("{text}, 1 marked: a acts on it"),
        _ => text = format!("{text}, {marked} marked: a acts on all of them"),
    }
    if events.total > events.table.rows().len() as u64 {
        text = format!("{text}, the newest of {}", text::number(events.total));
    }
    let empty = match events.state {
        None => ["No events yet.", "n makes one."],
        Some(_) => ["No event is in this state.", "f shows the next state, n makes an event."],
    };
    if list::draw_empty_state(frame, body, context, (&events.fetch, &events.table, shown), ("events", empty), theme) {
        return;
    }
    frame.render_widget(list::summary(&events.table, text, &events.fetch, theme), line);
    list::draw(frame, body, &events.table, &COLUMNS, theme, targets, |event| {
        let absent = || theme.glyphs.absent.to_owned();
        vec![
            Line::raw(event.title.clone()).into(),
            Line::styled(state_name(event.event_state), state_style(event.event_state, theme)).into(),
            Cell::or_short(
                Line::styled(in_short(event), theme.soft),
                Line::styled(format_name(event.format), theme.soft),
                theme,
            ),
            Line::styled(event.access(), theme.soft).into(),
            Line::raw(event.start_time.map_or_else(absent, minute)).into(),
            countdown(event, context, theme).into(),
            Line::raw(event.end_time.map_or_else(absent, minute)).into(),
            Line::raw(event.signup_count.to_string()).into(),
            Line::styled(short_id(event.event_id), theme.soft).into(),
        ]
    });
}

/// How it is played, in a few words.
fn in_short(event: &Event) -> String {
    match event.format {
        EventFormat::Arena if event.max_losses > 0 => {
            format!("{}, {}", format_name(event.format), text::count(event.max_losses.into(), "loss"))
        }
        _ => format_with_options(event),
    }
}

fn state_style(state: EventState, theme: &Theme) -> Style {
    match state {
        EventState::Started => theme.good,
        EventState::Published => theme.accent,
        EventState::Cancelled => theme.bad,
        EventState::Drafted | EventState::Ended => theme.soft,
    }
}

/// How long until it starts, or, while it is live, until it ends.
fn countdown(event: &Event, context: &Context, theme: &Theme) -> Line<'static> {
    let now = context.server_now();
    match (event.event_state, event.start_time, event.end_time) {
        (EventState::Published, Some(start), _) => {
            let left = start.as_millis() - now;
            let style = if left < 60_000 { theme.warning } else { theme.accent };
            Line::styled(until(left), style)
        }
        (EventState::Started, _, Some(end)) => {
            let left = end.as_millis() - now;
            Line::styled(if left > 0 { format!("{} left", age(left)) } else { "ending".to_owned() }, theme.good)
        }
        _ => Line::raw(""),
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
    let is_low = area.height < LOW;
    let head = head(context, detail, area.width, is_low, theme);
    let description = if is_low { "" } else { detail.event.description.trim() }.replace('\n', " ");
    let description = escape::line(&description).into_owned();
    let description_rows = (unicode_width::UnicodeWidthStr::width(description.as_str()) as u16)
        .div_ceil(area.width.max(3) - 2)
        .min(DESCRIPTION);
    let [top, words, _, titles_line, line, body] = Layout::vertical([
        Constraint::Length(head.len() as u16),
        Constraint::Length(description_rows),
        Constraint::Length(if is_low { 0 } else { 1 }),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(head), top);
    let words = Rect { x: words.x + 1, width: words.width.saturating_sub(2), ..words };
    frame.render_widget(Paragraph::new(Line::styled(description, theme.soft)).wrap(Wrap { trim: true }), words);
    let section = detail.section();
    let title = |section: &Section| match section {
        Section::Rounds => "Rounds",
        Section::Participants if detail.has_standings() => "Standings",
        Section::Participants => "Registered",
        Section::Games => "Games",
    };
    let titles: Vec<_> = detail.sections().iter().map(|section| (*section, title(section))).collect();
    frame.render_widget(sections(&titles, section, theme), titles_line);
    match section {
        Section::Rounds => rounds_view::rounds(frame, (line, body), context, detail, theme, targets),
        Section::Participants if detail.has_rounds() => {
            rounds_view::standings(frame, (line, body), context, detail, theme, targets);
        }
        Section::Participants => participants(frame, line, body, context, detail, theme, targets),
        Section::Games => {
            let shown = detail.games.shown().len();
            let empty = ["No games yet.", "They appear when players are matched."];
            if !list::draw_empty_state(
                frame,
                body,
                context,
                (&detail.games_fetch, &detail.games, shown),
                ("games", empty),
                theme,
            ) {
                let text = text::count(shown as u64, "game");
                frame.render_widget(list::summary(&detail.games, text, &detail.games_fetch, theme), line);
                games(frame, body, context, &detail.games, theme, targets);
            }
        }
    }
}

/// What is known of the event, in a few lines.
fn head(context: &Context, detail: &Detail, width: u16, is_low: bool, theme: &Theme) -> Vec<Line<'static>> {
    let event = &detail.event;
    let room = usize::from(width).saturating_sub(30).max(12);
    let mut title = vec![
        Span::raw(" "),
        Span::styled(fit(&event.title, room, theme.glyphs.ellipsis), theme.strong),
        Span::raw("   "),
        Span::styled(state_name(event.event_state), state_style(event.event_state, theme)),
        Span::raw("   "),
    ];
    title.extend(countdown(event, context, theme).spans);
    if event.paused == Some(true) {
        title.extend([Span::raw("   "), Span::styled("paused", theme.warning)]);
    }
    let absent = || theme.glyphs.absent.to_owned();
    let fact =
        |name: &str, value: String| [Span::styled(format!(" {name} "), theme.soft), Span::raw(value), Span::raw("  ")];
    let times = [
        fact("starts", event.start_time.map_or_else(absent, minute)),
        fact("ends", event.end_time.map_or_else(absent, minute)),
        [Span::styled("UTC", theme.soft), Span::raw(""), Span::raw("")],
    ];
    let mut lines = vec![Line::from(title), Line::from(times.into_iter().flatten().collect::<Vec<_>>())];
    let mut facts = vec![fact("format", format_with_options(event))];
    if let Some(text) = match_with_options(event, theme.glyphs.by) {
        facts.push(fact("match", text));
        lines.extend(in_lines(std::mem::take(&mut facts), width.into()));
    }
    if event.clock != QuickMatchClock::Turn15 {
        facts.push(fact("clock", clock_text(event.clock).to_owned()));
    }
    facts.push(fact("type", event.access().to_owned()));
    if event.format == EventFormat::Arena {
        let losses = match event.max_losses {
            0 => "never".to_owned(),
            losses => text::count(losses.into(), "loss"),
        };
        facts.push(fact("out after", losses));
    }
    let most = event.max_players.map(|most| format!(" of {most}")).unwrap_or_default();
    facts.push(fact("registered", format!("{}{most}", event.signup_count)));
    facts.extend(event.check_in().map(|text| fact("check-in", text)));
    facts.extend(event.conditions().into_iter().map(|(name, text)| fact(name, text)));
    if let Some(host) = &event.host {
        facts.push(fact("host", host.username.clone()));
    }
    facts.push(fact("id", short_id(event.event_id)));
    if event.rated_on_one_network {
        facts.push(fact("one network", "rated".to_owned()));
    }
    lines.extend(in_lines(facts, width.into()));
    if is_low {
        lines.truncate(1);
    }
    if let Some(prize) = event.prize.as_ref().filter(|prize| !prize.is_empty() && !is_low) {
        lines.push(Line::from(fact("prize", fit(prize, room + 15, theme.glyphs.ellipsis)).to_vec()));
    }
    if !event.winners.is_empty() {
        let winners = |called: fn(&Winner) -> String| {
            let names = event.winners.iter().zip(1..).map(|(winner, place)| {
                if event.format != EventFormat::Arena {
                    return format!("{place}. {}", called(winner));
                }
                let wins = text::count(winner.wins.into(), "win");
                format!("{place}. {} (level {}, {wins})", called(winner), winner.level)
            });
            let names = names.collect::<Vec<_>>().join("  ");
            let style = theme.accent.patch(theme.strong);
            Line::from(vec![Span::styled(" winners ", theme.soft), Span::styled(names, style)])
        };
        let whole = winners(|winner| winner.name().whole());
        let fits = text::width(&whole) <= usize::from(width);
        let line = if fits { whole } else { winners(|winner| winner.name().short().to_owned()) };
        lines.push(fit_line(line, width.into(), theme.glyphs.ellipsis));
    }
    match &detail.verified {
        Some(Ok(answer)) if answer.agrees => lines.push(Line::styled(
            format!(
                " {} The games agree: {}, {}.",
                theme.glyphs.here,
                text::count(answer.games, "game"),
                text::count(answer.players, "player")
            ),
            theme.good,
        )),
        Some(Ok(answer)) => {
            let first = answer.differences.first().map_or("", String::as_str);
            let places = text::count(answer.differences.len() as u64, "place");
            let text = format!(" ! The games do not agree in {places}: {}", escape::line(first));
            lines.push(Line::styled(text, theme.bad));
        }
        Some(Err(refusal)) => lines.push(Line::styled(format!(" {refusal}"), theme.warning)),
        None => {}
    }
    if let Some(refusal) = &detail.fetch.failure {
        lines.push(Line::styled(format!(" {refusal}"), theme.warning));
    }
    lines
}

/// Facts beside each other, in as many lines as they need.
fn in_lines(facts: Vec<[Span<'static>; 3]>, width: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = vec![];
    for fact in facts {
        let needed = fact[0].width() + fact[1].width();
        match lines.last_mut() {
            Some(line) if line.width() + needed <= width => line.extend(fact),
            _ => lines.push(fact.to_vec().into()),
        }
    }
    lines
}

fn participants(
    frame: &mut Frame,
    line: Rect,
    body: Rect,
    context: &Context,
    detail: &Detail,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let table = &detail.participants;
    let shown = table.shown().len();
    let empty = ["Nobody yet.", "Players register once it is published."];
    if list::draw_empty_state(
        frame,
        body,
        context,
        (&detail.participants_fetch, table, shown),
        ("participants", empty),
        theme,
    ) {
        return;
    }
    let text = text::count(shown as u64, "player");
    frame.render_widget(list::summary(table, text, &detail.participants_fetch, theme), line);
    let asks_to_check_in = table.rows().iter().any(|player| player.checked_in.is_some());
    let mut columns = vec![
        Column::new("#", 4).sort(0).right(),
        Column::new("Player", 10).sort(1),
        Column::new("Status", 10).sort(2).drop_order(3),
        Column::new("Level", 5).right().drop_order(1),
        Column::new("Wins", 4).right().drop_order(1),
        Column::new("Losses", 6).right().drop_order(2),
        Column::new("Email", 12).drop_order(4),
    ];
    if asks_to_check_in {
        columns.insert(2, Column::new("Here", 4));
    }
    let shows_presence = detail.shows_presence();
    if shows_presence {
        columns.insert(2, Column::new("There", 7));
    }
    list::draw(frame, body, table, &columns, theme, targets, |player| {
        let style = match player.status {
            SignupStatus::Eliminated | SignupStatus::Removed => theme.bad,
            SignupStatus::Active => theme.good,
            SignupStatus::Registered => theme.soft,
        };
        let rank = player.rank.map_or_else(|| theme.glyphs.absent.to_owned(), |rank| rank.to_string());
        let mut cells = vec![
            Line::raw(rank).into(),
            Cell::name(Span::raw(""), player.name(), Style::new(), theme),
            Line::styled(player.status.as_str(), style).into(),
            Line::raw(player.level.to_string()).into(),
            Line::raw(player.wins.to_string()).into(),
            Line::raw(player.losses.to_string()).into(),
            Line::styled(player.email.clone().unwrap_or_default(), theme.soft).into(),
        ];
        if asks_to_check_in {
            let here = if player.checked_in == Some(true) {
                Line::styled("yes", theme.good)
            } else {
                Line::styled("no", theme.soft)
            };
            cells.insert(2, here.into());
        }
        if shows_presence {
            cells.insert(2, detail.presence_cell(player.user_id, theme));
        }
        cells
    });
}

/// A table of games, live and over.
pub fn games(
    frame: &mut Frame,
    area: Rect,
    context: &Context,
    table: &DataTable<Game>,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let columns = [
        Column::new("Game", 8).drop_order(3),
        Column::new("Players", 14).sort(1),
        Column::new("Size", 4).drop_order(4),
        Column::new("Status", 9).sort(2),
        Column::new("How", 14).drop_order(2),
        Column::new("Began", 6).sort(0).right().drop_order(1),
    ];
    list::draw(frame, area, table, &columns, theme, targets, |game| {
        let style = if game.status == GameStatus::Active { theme.good } else { theme.soft };
        let players = game.players.iter().enumerate().map(|(at, player)| {
            let won = game.winner_user_id == Some(player.user_id);
            let between = Span::raw(if at == 0 { "" } else { "  -  " });
            (between, player.name(), if won { theme.accent } else { Style::new() })
        });
        let how = match (game.reason, game.is_draw) {
            (_, true) => "draw",
            (Some(reason), _) => how(reason),
            (None, _) => "",
        };
        vec![
            Line::styled(short_id(game.game_id), theme.soft).into(),
            Cell::names(players.collect(), theme),
            Line::raw(format!("{0}{1}{0}", game.board_size, theme.glyphs.by)).into(),
            Line::styled(game.status.as_str(), style).into(),
            Line::styled(how, theme.soft).into(),
            Line::raw(age(context.server_now() - game.created_at.as_millis())).into(),
        ]
    });
}
