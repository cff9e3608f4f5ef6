//! Every screen as text, in small and large terminals, with and without colours and Unicode.
//!
//! One long file: each test is a list of screens and their snapshots.

use insta::assert_snapshot;
use morpion_openapi::{
    Timestamp,
    account::Session,
    admin::{
        AuditAnswer, AuditEntry, History, ListAudit, ListBillingEvents, ListSessions, ListSubscriptions, ListUsers,
        Overview, UserSessionsAnswer, UserSubscription, UserSubscriptionsAnswer, UsersListAnswer,
    },
    event::{Event, EventHost, EventState, GetLeaderboard, ListEvents, Player, PlayersAnswer},
    game::{EndReason, Game, GamePlayerRef, GameStatus, GameType, GamesAnswer, GetGamesByEvent, Symbol},
    logger::{GetLogStats, LogStatsAnswer},
    moderation::{ListReports, ReportState},
    realtime::{ErrorMessage, OpponentDisconnected, ServerFrame},
    subscription::Subscription,
};
use morpion_tui::{
    calls::Reply,
    dialog::Dialog,
    event::{Effect, NetEvent},
    net::command_error::{CommandError, FailureKind},
    screen,
    theme::{Palette, Theme},
};
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer, style::Color};

use crate::{
    backups::{backups, unverified, unwell, well, with_backups, with_unreadable},
    fixtures::*,
    moderation::{closed_report, reports, suspended, with_reports, with_suspended},
    operations::{with_events, with_replay, with_users},
};

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (200, 60);
/// The smallest supported terminal.
const LEAST: (u16, u16) = (40, 12);

pub fn buffer(console: &Console, palette: Palette, ascii: bool) -> Buffer {
    let (columns, rows) = console.app.context.size;
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a test backend cannot fail");
    let theme = Theme::new(palette, ascii);
    terminal.draw(|frame| drop(screen::draw(frame, &console.app, &theme))).expect("a test backend cannot fail");
    terminal.backend().buffer().clone()
}

pub fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let line = |y| {
        let mut line = String::new();
        let mut x = 0;
        while x < area.width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += unicode_width::UnicodeWidthStr::width(symbol).max(1) as u16;
        }
        line.trim_end().to_owned()
    };
    (0..area.height).map(line).collect::<Vec<_>>().join("\n")
}

pub fn screen(console: &Console) -> String {
    text(&buffer(console, Palette::Chalk, false))
}

/// An event game in its third round, somebody to move with nine seconds left.
fn event_game() -> (Game, morpion_openapi::game::GameState) {
    let listed = Game { game_type: GameType::Event, level: 3, draw_count: 2, board_size: 4, ..game(0x77c0_ffee) };
    let mut state = state(&listed);
    state.turn_deadline = Some(START + 9_000);
    let state = played(state, &[(1, 1), (0, 0), (2, 2), (3, 3), (1, 2)]);
    (listed, state)
}

#[test]
fn connecting() {
    let mut console = Console::new(SMALL);
    console.net(NetEvent::Connecting);
    assert_snapshot!(screen(&console));
}

#[test]
fn no_server() {
    let mut console = Console::new(SMALL);
    for _ in 0..3 {
        console.net(NetEvent::Disconnected { why: "Nothing answers there.".to_owned(), retry_in_ms: 4_000 });
    }
    console.pass(1_500);
    assert_snapshot!(screen(&console));
}

#[test]
fn unauthorized() {
    let mut console = Console::new(SMALL);
    let why =
        "Looked for one in ./data/operator.token (no such file), /var/lib/morpion/operator.token (may not be read).";
    console.net(NetEvent::Unauthorized { why: why.to_owned(), retry_in_ms: 5_000 });
    assert_snapshot!(screen(&console));
}

#[test]
fn games_empty() {
    assert_snapshot!(screen(&Console::with(SMALL, vec![])));
}

#[test]
fn games_some() {
    let mut console = Console::with(SMALL, games());
    console.press("j");
    assert_snapshot!(screen(&console));
}

#[test]
fn games_full() {
    let many = (1..=40).map(|number| Game { move_count: Some(number % 9), ..game(number << 12) });
    let mut console = Console::with(SMALL, many.collect());
    console.press("j j j j j j j j j j j j j j j j j j j j");
    assert_snapshot!(screen(&console));
}

#[test]
fn games_large() {
    assert_snapshot!(screen(&Console::with(LARGE, games())));
}

#[test]
fn games_filtered() {
    let mut console = Console::with(SMALL, games());
    console.press("/ a n n a");
    assert_snapshot!("games_filter_typed", screen(&console));
    console.press("x Enter");
    assert_snapshot!("games_filter_fits_none", screen(&console));
}

#[test]
fn games_disconnected() {
    let mut console = Console::with(SMALL, games());
    console.net(NetEvent::Disconnected { why: "The connection was lost.".to_owned(), retry_in_ms: 1_000 });
    let error =
        ErrorMessage { message: "Something failed.".to_owned(), error_code: "internal".to_owned(), event: None };
    console.frame(ServerFrame::Error(error));
    assert_snapshot!(screen(&console));
}

#[test]
fn games_ascii() {
    let console = Console::with(SMALL, games().into_iter().filter(|game| game.board_size != 6).collect());
    let text = text(&buffer(&console, Palette::None, true));
    assert!(text.is_ascii(), "{text}");
    assert_snapshot!(text);
}

#[test]
fn board_of_a_running_game() {
    let mut console = Console::with(SMALL, vec![game(0x3fa9_c1d2)]);
    console.watch(&played(state(&game(0x3fa9_c1d2)), &[(1, 1), (0, 0), (2, 0)]));
    console.pass(7_000);
    assert_snapshot!(screen(&console));
}

#[test]
fn board_of_an_event_game() {
    let (listed, state) = event_game();
    let mut console = Console::with(SMALL, vec![listed]);
    console.watch(&state);
    console.pass(7_000);
    assert_snapshot!("board_event", screen(&console));
    console.frame(ServerFrame::OpponentDisconnected(OpponentDisconnected {
        game_id: state.game_id,
        user_id: O,
        countdown: 30,
        absent_until: Some(state.server_time + 37_000),
    }));
    console.pass(3_000);
    assert_snapshot!("board_event_away", screen(&console));
}

#[test]
fn board_won() {
    let mut console = Console::with(SMALL, vec![game(1)]);
    console.watch(&won(state(&game(1))));
    assert_snapshot!(screen(&console));
}

#[test]
fn board_large() {
    let mut console = Console::with(LARGE, vec![game(1)]);
    console.watch(&won(state(&game(1))));
    assert_snapshot!(screen(&console));
}

#[test]
fn board_six_by_six() {
    let listed = Game { board_size: 6, ..game(1) };
    let cells: Vec<_> = (0..36).step_by(2).chain((1..36).step_by(2)).take(20).map(|at| (at / 6, at % 6)).collect();
    let mut console = Console::with(SMALL, vec![listed.clone()]);
    console.watch(&played(state(&listed), &cells));
    assert_snapshot!(screen(&console));
}

#[test]
fn board_waiting() {
    let open = games().remove(3);
    let mut console = Console::with(SMALL, vec![open.clone()]);
    console.watch(&state(&open));
    assert_snapshot!(screen(&console));
}

#[test]
fn board_ascii() {
    let mut console = Console::with(SMALL, vec![game(1)]);
    console.watch(&won(state(&game(1))));
    let text = text(&buffer(&console, Palette::None, true));
    assert!(text.is_ascii(), "{text}");
    assert_snapshot!(text);
}

#[test]
fn help() {
    let mut console = Console::with(SMALL, games());
    console.press("?");
    assert_snapshot!("help_games", screen(&console));
    let mut console = Console::with((120, 40), games());
    console.press("?");
    assert_snapshot!("help_all", screen(&console));
}

#[test]
fn too_small() {
    assert_snapshot!(screen(&Console::with((40, 9), games())));
    let mut console = Console::with((40, 9), games());
    console.press("?");
    assert_snapshot!("too_small_help", screen(&console));
    for size in [(1, 1), (3, 2), (0, 0), (40, 11), (39, 12), (40, 12)] {
        screen(&Console::with(size, games()));
    }
}

/// In the smallest terminal everything is visible or reachable.
#[test]
fn the_smallest_terminal() {
    assert_snapshot!("least_overview", screen(&overview_of(LEAST, true)));
    assert_snapshot!("least_overview_not_well", screen(&overview_of(LEAST, false)));
    assert_snapshot!("least_events", screen(&with_events(LEAST, events())));
    assert_snapshot!("least_event", screen(&event_detail(LEAST)));
    assert_snapshot!("least_event_games", screen(&event_games(LEAST)));
    assert_snapshot!("least_games", screen(&Console::with(LEAST, games())));
    assert_snapshot!("least_users", screen(&with_users(LEAST, users())));
    assert_snapshot!("least_user", screen(&user_detail(LEAST)));
    assert_snapshot!("least_audit", screen(&audit(LEAST)));
    assert_snapshot!("least_subscriptions", screen(&subscriptions(LEAST)));
    assert_snapshot!("least_replay", screen(&with_replay(LEAST)));

    let mut console = crate::logs::console(LEAST, log_entries(60));
    assert_snapshot!("least_logs", screen(&console));
    console.press("l");
    assert_snapshot!("least_logs_menu", screen(&console));
    console.press("Escape k Enter");
    assert_snapshot!("least_logs_record", screen(&console));

    let (listed, state) = event_game();
    let mut board = Console::with(LEAST, vec![listed]);
    board.watch(&state);
    assert_snapshot!("least_board", screen(&board));
    let largest = Game { board_size: 6, ..game(6) };
    let mut board = Console::with(LEAST, vec![largest.clone()]);
    board.watch(&played(crate::fixtures::state(&largest), &[(0, 0), (5, 5), (2, 3)]));
    assert_snapshot!("least_board_six", screen(&board));
    let ascii = text(&buffer(&board, Palette::None, true));
    assert!(ascii.is_ascii(), "{ascii}");
    assert_snapshot!("least_board_six_ascii", ascii);

    let mut console = event_detail(LEAST);
    console.press("a");
    assert_snapshot!("least_menu", screen(&console));
    console.press("e");
    assert_snapshot!("least_confirm", screen(&console));
    let mut console = Console::with(LEAST, vec![game(1)]);
    console.press("a x");
    console.type_text("Anna lost her connection through our fault");
    assert_snapshot!("least_reason", screen(&console));
    let mut console = with_events(LEAST, events());
    console.press("n");
    console.type_text("Friday cup");
    assert_snapshot!("least_form", screen(&console));
    console.press("Down Down Down Down Down");
    console.type_text("tomorrow");
    console.press("C-s");
    assert_snapshot!("least_form_wrong", screen(&console));
    let mut console = Console::with(LEAST, games());
    console.press(":");
    assert_snapshot!("least_palette", screen(&console));
    let mut console = Console::with(LEAST, games());
    console.press("? j j j");
    assert_snapshot!("least_help", screen(&console));
    let mut console = Console::new(LEAST);
    let why =
        "Looked for one in ./data/operator.token (no such file), /var/lib/morpion/operator.token (may not be read).";
    console.net(NetEvent::Unauthorized { why: why.to_owned(), retry_in_ms: 5_000 });
    assert_snapshot!("least_unauthorized", screen(&console));
}

/// Every dialog shows its keys and its focused input, in every supported size.
#[test]
fn a_dialog_shows_its_keys_and_the_input() {
    for height in LEAST.1..30 {
        for format in 0..4 {
            let mut console = with_events((LEAST.0, height), events());
            console.press("n Down Down Down Down Down Down");
            (0..format).for_each(|_| drop(console.press("Right")));
            console.press("Up Up Up Up Up Up");
            let Some(Dialog::EventForm(form)) = &console.app.dialog else { panic!("a form") };
            for field in form.fields() {
                let shown = screen(&console);
                assert!(shown.contains(field.label()) && shown.contains("Esc"), "{shown}");
                console.press("Down");
            }
        }
        let mut console = with_events((LEAST.0, height), (1..=12).map(|at| event(at, EventState::Published)).collect());
        console.press("* a c");
        let shown = screen(&console);
        assert!(shown.contains("y yes") && shown.contains("Esc no"), "{shown}");
    }
}

#[test]
fn a_wide_terminal_cuts_nothing_unnecessarily() {
    let name = "a".repeat(40);
    let mut user = user(1, "ada");
    (user.display_name, user.email) = (name.clone(), format!("{name}@{name}.example.org"));
    let shown = screen(&with_users(LARGE, vec![user.clone()]));
    assert!(shown.contains(&user.email) && shown.contains(&format!("{name} ")), "{shown}");
    let mut event = event(1, EventState::Published);
    event.title = "T".repeat(90);
    assert!(screen(&with_events(LARGE, vec![event.clone()])).contains(&event.title));
}

#[test]
fn singular_counts_are_worded_correctly() {
    let shown = screen(&with_users(SMALL, vec![user(1, "ada")]));
    assert!(shown.contains("1 account") && !shown.contains("1 accounts"), "{shown}");
    let shown = screen(&crate::logs::console(SMALL, log_entries(1)));
    assert!(shown.contains("1 record ") && !shown.contains("1 records"), "{shown}");
}

/// With the figures of a healthy or unhealthy server.
fn overview_of(size: (u16, u16), is_well: bool) -> Console {
    let mut console = Console::on_tab(size, 1);
    for step in 0..40 {
        let mut answer = overview();
        answer.connections += (step * 37) % 101;
        answer.moves += 170 * step + (step * step * 7) % 300;
        answer.server_time = morpion_openapi::Timestamp::from_millis(START + step as i64 * 2_000);
        if !is_well {
            answer.store.ready = false;
            answer.store.pending = 12_000;
            answer.mail_configured = false;
            answer.billing_configured = false;
            answer.warnings = vec![
                "The store has not answered a write for 5 seconds.".to_owned(),
                "Moves cannot be stored right now; they are being tried again.".to_owned(),
            ];
        }
        console.reply(Overview {}, Reply::Overview(answer));
    }
    let mut stats = log_stats();
    if !is_well {
        (stats.dropped, stats.recent_activity.error_rate) = (1_204, 0.31);
    }
    console.reply(GetLogStats {}, Reply::GetLogStats(LogStatsAnswer { data: stats }));
    console.reply(History {}, Reply::History(history()));
    console
}

/// The last hour.
fn hour_of(size: (u16, u16)) -> Console {
    let mut console = overview_of(size, true);
    console.press("h");
    console
}

fn refusal_of_501() -> CommandError {
    CommandError::new(FailureKind::Absent, "This server does not have that yet.")
}

/// A live event in full, its standings filled.
fn event_detail(size: (u16, u16)) -> Console {
    let names = ["anna", "日本太郎", "a_very_long_username", "ben"];
    event_detail_of(size, names.map(|username| (display_name(username), username)))
}

/// With these in the standings; the fourth is out.
fn event_detail_of<const PLAYERS: usize>(size: (u16, u16), names: [(String, &str); PLAYERS]) -> Console {
    let mut console = with_events(size, events());
    console.press("Enter");
    let player = |(rank, (display_name, username)): (u32, (String, &str))| Player {
        user_id: uuid::Uuid::from_u128(rank.into()),
        username: username.to_owned(),
        display_name,
        profile_url: None,
        is_bot: None,
        event_id: event_id(0x11aa_0001),
        level: 9 - rank,
        wins: 8 - rank,
        losses: rank - 1,
        is_eliminated: rank > 3,
        is_removed: None,
        rank: Some(rank),
        email: Some(format!("{username}@example.org")),
    };
    let players = (1..).zip(names).map(player).collect();
    let call = GetLeaderboard { event_id: event_id(0x11aa_0001), page: Some(1), limit: Some(100) };
    console.reply(call, Reply::GetLeaderboard(PlayersAnswer { players, pagination: page_of(4) }));
    console
}

fn event_games(size: (u16, u16)) -> Console {
    let mut games = games();
    games[1].status = GameStatus::Completed;
    (games[1].winner_user_id, games[1].reason) = (Some(X), Some(EndReason::Timeout));
    event_games_of(size, games)
}

fn event_games_of(size: (u16, u16), games: Vec<Game>) -> Console {
    let mut console = event_detail(size);
    console.press("Right");
    let call =
        GetGamesByEvent { event_id: event_id(0x11aa_0001).to_string(), user_id: None, page: Some(1), limit: Some(100) };
    console.reply(call, Reply::GetGamesByEvent(GamesAnswer { games, pagination: page_of(4) }));
    console
}

fn user_detail(size: (u16, u16)) -> Console {
    let mut console = with_users(size, users());
    console.press("j Enter");
    let at = |minutes: i64| morpion_openapi::Timestamp::from_millis(START - minutes * 60_000);
    let session = |number: i64, device: &str| Session {
        session_id: format!("s-{number}"),
        device: device.to_owned(),
        address: format!("192.0.2.{number}"),
        created_at: at(number * 9_000),
        last_used_at: at(number * 7),
        expires_at: at(number * 7),
        is_current: false,
    };
    let sessions = vec![session(1, "Firefox on Linux"), session(2, "Safari on iPhone")];
    let user_id = console.app.tabs.users.detail.as_ref().expect("an account").user.user_id;
    console.reply(ListSessions { user_id }, Reply::ListSessions(UserSessionsAnswer { sessions }));
    console
}

fn audit(size: (u16, u16)) -> Console {
    let mut console = Console::on_tab(size, 6);
    let entry = |number: i64, actor: &str, action: &str, subject: &str, name: &str, detail: &str| AuditEntry {
        audit_id: format!("a-{number}"),
        sequence: 1,
        actor: actor.to_owned(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        subject_kind: None,
        subject_name: Some(name.to_owned()).filter(|name| !name.is_empty()),
        address: "192.0.2.7".to_owned(),
        detail: Some(detail.to_owned()),
        at: morpion_openapi::Timestamp::from_millis(START - number * 3_700_000),
    };
    let entries = vec![
        entry(1, "ada", "set_admin", &O.to_string(), "ben", r#"{"isAdmin":true,"username":"ben"}"#),
        entry(
            2,
            "console (token)",
            "adjudicate_game",
            "0f5e7a4c-3d0b-4b7e-9a51-6c1d2e3f4a5b",
            "",
            &format!(r#"{{"reason":"Asked for it","winner":"anna","winnerUserId":"{X}"}}"#),
        ),
        entry(3, "ada", "clear_logs", "logs", "", r#"{"before":null,"cleared":5}"#),
    ];
    let call = ListAudit { page: Some(1), limit: Some(100) };
    console.reply(call, Reply::ListAudit(AuditAnswer { entries, pagination: page_of(3) }));
    console
}

fn subscriptions(size: (u16, u16)) -> Console {
    let mut console = Console::on_tab(size, 7);
    console.reply(Overview {}, Reply::Overview(overview()));
    let call = ListUsers { text: Some(String::new()), page: Some(1), limit: Some(100) };
    console.reply(call, Reply::ListUsers(UsersListAnswer { users: users(), pagination: page_of(4) }));
    console
}

/// One in every state.
fn standings() -> Vec<UserSubscription> {
    let at = |days: i64| Some(Timestamp::from_millis(1_800_000_000_000 + days * 86_400_000));
    let none = Subscription {
        is_subscribed: false,
        plan_id: None,
        name: None,
        price: None,
        next_payment_date: None,
        ends_at: None,
        grace_until: None,
        is_granted: false,
        is_processing: None,
    };
    let paid = Subscription {
        is_subscribed: true,
        plan_id: Some("3".to_owned()),
        name: Some("Yearly".to_owned()),
        price: Some(3_500),
        ..none.clone()
    };
    let granted = Subscription { is_subscribed: true, is_granted: true, ..none.clone() };
    let rows = [
        ("ada", Some("active"), Subscription { next_payment_date: at(20), ..paid.clone() }, None),
        ("ben", Some("past_due"), Subscription { grace_until: at(3), ..paid.clone() }, None),
        ("cleo", Some("active"), Subscription { ends_at: at(9), ..paid }, None),
        ("dora", Some("canceled"), none, None),
        ("emil", None, granted, Some("Won the winter cup.".to_owned())),
    ];
    let rows = rows.into_iter().zip(1..).map(|((name, status, subscription, reason), number)| UserSubscription {
        user_id: uuid::Uuid::from_u128(number),
        username: name.to_owned(),
        display_name: display_name(name),
        profile_url: None,
        is_bot: None,
        is_pro_user: subscription.is_subscribed,
        status: status.map(str::to_owned),
        provider_id: status.map(|_| format!("sub_{number}")),
        subscription,
        reason,
    });
    rows.collect()
}

#[test]
fn overviews() {
    assert_snapshot!("overview_well", screen(&overview_of(SMALL, true)));
    assert_snapshot!("overview_not_well", screen(&overview_of(SMALL, false)));
    assert_snapshot!("overview_large", screen(&overview_of(LARGE, false)));
    let mut console = Console::on_tab(SMALL, 1);
    console.refuse(Overview {}, refusal_of_501());
    assert_snapshot!("overview_absent", screen(&console));
    let console = overview_of(SMALL, false);
    let text = text(&buffer(&console, Palette::None, true));
    assert!(text.is_ascii(), "{text}");
    assert_snapshot!("overview_ascii", text);
}

#[test]
fn the_last_hour_has_charts_as_far_as_there_is_room() {
    assert_snapshot!("hour_least", screen(&hour_of(LEAST)));
    assert_snapshot!("hour_small", screen(&hour_of(SMALL)));
    assert_snapshot!("hour_large", screen(&hour_of(LARGE)));
    let text = text(&buffer(&hour_of(SMALL), Palette::None, true));
    assert!(text.is_ascii(), "{text}");
    assert_snapshot!("hour_ascii", text);
    let mut console = hour_of(SMALL);
    console.press("h");
    assert!(screen(&console).contains("Live games"), "the same key goes back");
    console.press("h");
    console.press("Escape");
    assert!(screen(&console).contains("Live games"), "and so does Esc");
    let mut console = Console::on_tab(SMALL, 1);
    console.reply(Overview {}, Reply::Overview(overview()));
    console.press("h");
    assert!(screen(&console).contains("appear in a few seconds"), "{}", screen(&console));
    console.refuse(History {}, refusal_of_501());
    assert!(screen(&console).contains("This server does not have that yet."), "an older server");
}

/// The figures of the hour in their order, each with the highest label of its axis.
const FIGURES: [(&str, &str); 7] = [
    ("Moves a second", "500│"),
    ("Move, p50 and p99", "50 ms│"),
    ("Processor", "100 %│"),
    ("Memory", "500 MiB│"),
    ("Websockets", "2000│"),
    ("Free disk space", "50 GiB│"),
    ("Log, a second", "1000│"),
];

/// The figures that have a chart: the highest label of the axis is below the name, and the last hour below all.
fn charts_in(shown: &str) -> Vec<&'static str> {
    let lines: Vec<_> = shown.lines().collect();
    let has_minutes = lines.iter().any(|line| line.contains("-60 min") && line.ends_with("now"));
    let has_zero = lines.iter().any(|line| line.trim_start().starts_with("0│"));
    assert!(has_minutes && has_zero, "{shown}");
    let has_axis = |figure: &str, top: &str| {
        let place = lines.iter().enumerate().find_map(|(at, line)| Some((at, line.find(figure)?)));
        let below = place.and_then(|(at, column)| Some(lines.get(at + 1)?.chars().skip(column).collect::<String>()));
        below.is_some_and(|below| below.trim_start().starts_with(top))
    };
    FIGURES.into_iter().filter(|(figure, top)| has_axis(figure, top)).map(|(figure, _)| figure).collect()
}

#[test]
fn the_smallest_terminal_shows_one_figure_of_the_hour_with_its_axes_at_a_time() {
    let mut console = hour_of(LEAST);
    for (number, (figure, top)) in (1..).zip(FIGURES) {
        let shown = screen(&console);
        assert_eq!(charts_in(&shown), [figure], "{shown}");
        for wanted in [figure, top, "-60 min", "-30 min", &format!("{number}/7"), "→ next"] {
            assert!(shown.contains(wanted), "{wanted}\n{shown}");
        }
        let others = FIGURES.into_iter().filter(|(other, _)| shown.contains(other)).count();
        assert_eq!(others, 1, "it fills the area\n{shown}");
        console.press("Right");
    }
    assert_eq!(charts_in(&screen(&console)), ["Moves a second"], "after the last one comes the first");
    console.press("Left");
    assert_eq!(charts_in(&screen(&console)), ["Log, a second"]);
    console.press("n n p");
    assert_eq!(charts_in(&screen(&console)), ["Moves a second"], "the letters of other places, too");
    console.press("?");
    assert!(screen(&console).contains("the next chart"), "{}", screen(&console));

    // With the least room there is: two lines of what is wrong, and no connection.
    let mut console = overview_of(LEAST, false);
    console.press("h");
    console.net(NetEvent::Disconnected { why: "The connection was lost.".to_owned(), retry_in_ms: 3_000 });
    assert_eq!(charts_in(&screen(&console)), ["Moves a second"]);
}

#[test]
fn every_size_has_charts_with_axes_for_every_figure_of_the_hour() {
    let mut console = hour_of(LEAST);
    for columns in [40, 41, 60, 77, 80, 100, 119, 120, 160, 200] {
        for rows in 12..=50 {
            console.update(morpion_tui::event::Event::Resize(columns, rows));
            let mut seen = std::collections::BTreeSet::new();
            for _ in FIGURES {
                let shown = screen(&console);
                let charts = charts_in(&shown);
                assert!(!charts.is_empty(), "{columns}×{rows}\n{shown}");
                for (figure, _) in FIGURES {
                    assert!(shown.matches(figure).count() <= 1, "{figure} at {columns}×{rows}\n{shown}");
                }
                let is_stepped = shown.contains("/7");
                assert_eq!(is_stepped, charts.len() < FIGURES.len(), "{columns}×{rows}\n{shown}");
                seen.extend(charts);
                console.press("Right");
            }
            assert_eq!(seen.len(), FIGURES.len(), "{columns}×{rows}");
        }
    }
}

#[test]
fn figures_of_a_broken_server_are_drawn_too() {
    let mut broken = history();
    for (at, sample) in broken.samples.iter_mut().enumerate() {
        let extreme = [f64::MAX, f64::MIN, 0.0, -0.0, f64::MIN_POSITIVE][at % 5];
        (sample.cpu_percent, sample.moves_per_second, sample.log_records_per_second) = (extreme, extreme, extreme);
        (sample.move_p50, sample.move_p99) = (Some(extreme), None);
        (sample.memory, sample.disk_free) = (u64::MAX, None);
        sample.at = Timestamp::from_millis([0, START, START * 1_000][at % 3]);
    }
    for size in [LEAST, SMALL, LARGE] {
        let mut console = hour_of(size);
        console.reply(History {}, Reply::History(broken.clone()));
        assert!(screen(&console).contains("Moves a second"));
    }
}

#[test]
fn events_of_every_state() {
    assert_snapshot!("events_empty", screen(&with_events(SMALL, vec![])));
    let mut console = with_events(SMALL, events());
    assert_snapshot!("events_full", screen(&console));
    console.press("Space Space /");
    console.type_text("o");
    assert_snapshot!("events_marked_and_filtered", screen(&console));
    assert_snapshot!("events_large", screen(&with_events(LARGE, events())));
    let mut console = Console::on_tab(SMALL, 2);
    console.refuse(ListEvents { filter: None, page: Some(1), limit: Some(100) }, refusal_of_501());
    assert_snapshot!("events_absent", screen(&console));
    let mut console = with_events(SMALL, events());
    console.net(NetEvent::Disconnected { why: "The connection was lost.".to_owned(), retry_in_ms: 3_000 });
    assert_snapshot!("events_disconnected", screen(&console));
}

#[test]
fn a_private_event_names_its_host() {
    let host =
        EventHost { user_id: X, username: "anna".to_owned(), display_name: "Anna Petit".to_owned(), is_bot: None };
    let private = Event {
        is_private: true,
        host: Some(host),
        max_players: Some(64),
        max_rating: Some(1_400),
        is_listed_only: Some(true),
        ..events().remove(1)
    };
    let mut console = with_events(LARGE, vec![private]);
    assert!(screen(&console).contains("private  2026-11-21 10:03"), "{}", screen(&console));
    console.press("Enter");
    let shown = screen(&console);
    for fact in ["type private", "host anna", "registered 12 of 64", "rating to 1400", "who on its list"] {
        assert!(shown.contains(fact), "{fact}: {shown}");
    }
}

#[test]
fn an_event_detail() {
    assert_snapshot!("event_standings", screen(&event_detail(SMALL)));
    assert_snapshot!("event_large", screen(&event_detail(LARGE)));
    assert_snapshot!("event_games", screen(&event_games(SMALL)));
    let mut console = with_events(SMALL, events());
    console.press("j j Enter");
    assert_snapshot!("event_not_loaded", screen(&console));
    for (columns, winners) in [
        (80, " winners 1. Anna Petit @anna (level 6, 5 wins)  2. ben (level 4, 3 wins)\n"),
        (70, " winners 1. Anna Petit (level 6, 5 wins)  2. ben (level 4, 3 wins)\n"),
        (40, " winners 1. Anna Petit (level 6, 5 wins…\n"),
    ] {
        let mut console = with_events((columns, 24), vec![events().remove(2)]);
        console.press("Enter");
        let shown = screen(&console);
        assert!(shown.contains(winners), "{shown}");
    }
}

#[test]
fn dialogs() {
    let mut console = event_detail(SMALL);
    console.press("a");
    assert_snapshot!("dialog_menu", screen(&console));
    console.press("e");
    assert_snapshot!("dialog_confirm", screen(&console));
    let actions = console.press("y");
    let Some(Effect::Call(call)) = actions.first().cloned() else { panic!("it is sent") };
    console.refuse(call, CommandError::new(FailureKind::Conflict, "This event cannot be ended: it has ended already."));
    assert_snapshot!("dialog_refused", screen(&console));

    let mut console = with_events(SMALL, (1..=12).map(|number| event(number, EventState::Published)).collect());
    console.press("* a c");
    assert_snapshot!("dialog_bulk", screen(&console));

    let mut console = with_events(SMALL, events());
    console.press("n");
    console.type_text("Friday cup");
    console.press("Down Down Down Down");
    console.type_text("tomorrow");
    console.press("C-s");
    assert_snapshot!("dialog_form", screen(&console));

    let mut console = Console::with(SMALL, vec![game(1)]);
    console.press("a x");
    console.type_text("Anna lost her connection through our fault");
    assert_snapshot!("dialog_reason", screen(&console));

    let mut console = Console::with(SMALL, games());
    console.press(":");
    console.type_text("re");
    console.press("Down");
    assert_snapshot!("dialog_palette", screen(&console));
}

#[test]
fn the_log() {
    let console = crate::logs::console(SMALL, log_entries(60));
    assert_snapshot!("logs_full", screen(&console));
    let mut console = crate::logs::console(SMALL, log_entries(60));
    console.press("l w /");
    console.type_text("took 1[0-5]");
    assert_snapshot!("logs_searched", screen(&console));
    console.press("Enter Space k Enter");
    assert_snapshot!("logs_record_plain", screen(&console));
    assert_snapshot!("logs_empty", screen(&crate::logs::console(SMALL, vec![])));
    assert_snapshot!("logs_large", screen(&crate::logs::console(LARGE, log_entries(400))));
    let mut console = crate::logs::console(SMALL, log_entries(60));
    console.press("l e k Enter");
    assert_snapshot!("logs_record", screen(&console));
    let mut claimed = log_entry(1, morpion_openapi::logger::LogLevel::Info, "a page failed");
    (claimed.service, claimed.platform) = ("webapp".to_owned(), "ios".to_owned());
    (claimed.session_id, claimed.request_id) = (Some("s-1".to_owned()), Some("req-1".to_owned()));
    claimed.claimed = Some(morpion_openapi::logger::ClaimedField::ALL.to_vec());
    let mut console = crate::logs::console(SMALL, vec![claimed]);
    console.press("k Enter");
    let shown = screen(&console);
    assert!(shown.contains(" claimed  by the client: platform, session, request"), "{shown}");
    let long = "word ".repeat(60);
    let mut entries = log_entries(20);
    entries.push(log_entry(20, morpion_openapi::logger::LogLevel::Warning, &long));
    let mut console = crate::logs::console(SMALL, entries);
    console.press("w");
    assert_snapshot!("logs_wrapped", screen(&console));
    console.net(NetEvent::Disconnected { why: "The connection was lost.".to_owned(), retry_in_ms: 3_000 });
    assert_snapshot!("logs_disconnected", screen(&console));
    let console = crate::logs::console(SMALL, log_entries(30));
    let text = text(&buffer(&console, Palette::None, true));
    assert!(text.is_ascii(), "{text}");
    assert_snapshot!("logs_ascii", text);
}

#[test]
fn accounts_audit_and_subscriptions() {
    assert_snapshot!("users_full", screen(&with_users(SMALL, users())));
    assert_snapshot!("users_empty", screen(&with_users(SMALL, vec![])));
    assert_snapshot!("users_large", screen(&with_users(LARGE, users())));
    assert_snapshot!("user_sessions", screen(&user_detail(SMALL)));
    assert_snapshot!("audit_full", screen(&audit(SMALL)));
    assert_snapshot!("audit_large", screen(&audit(LARGE)));
    let mut console = audit(SMALL);
    console.press("j");
    let shown = screen(&console);
    assert!(shown.contains("reason: Asked for it; winner: anna"), "{shown}");
    assert!(!shown.contains('{') && !shown.contains("winnerUserId"), "{shown}");
    assert_snapshot!("subscriptions_full", screen(&subscriptions(SMALL)));
    let mut console = subscriptions(SMALL);
    console.press("Right");
    let call = ListBillingEvents { user_id: None, page: Some(1), limit: Some(100) };
    console.refuse(call, refusal_of_501());
    assert_snapshot!("subscriptions_absent", screen(&console));
    console.press("Right");
    let call = ListSubscriptions { page: Some(1), limit: Some(100) };
    let answer = UserSubscriptionsAnswer { subscriptions: standings(), pagination: page_of(4) };
    console.reply(call, Reply::ListSubscriptions(answer));
    assert_snapshot!("subscriptions_standing", screen(&console));
    let mut console = audit(SMALL);
    console.app.context.options.is_read_only = true;
    console.press("/");
    console.type_text("nothing like it");
    assert_snapshot!("audit_read_only_nothing_fits", screen(&console));
}

#[test]
fn moderation() {
    for (name, size) in [("least", LEAST), ("small", SMALL), ("large", LARGE)] {
        let two = || vec![suspended(2, "ben", Some(7)), suspended(3, "clea", None), user(4, "dora")];
        assert_snapshot!(format!("{name}_users_suspended"), screen(&with_suspended(size, two())));
        let mut console = with_suspended(size, two());
        console.press("Enter");
        assert_snapshot!(format!("{name}_user_suspended"), screen(&console));
        console.press("a");
        assert_snapshot!(format!("{name}_user_menu"), screen(&console));
        console.press("s Enter");
        console.type_text("Insults");
        assert_snapshot!(format!("{name}_suspend"), screen(&console));
        assert_snapshot!(format!("{name}_reports"), screen(&with_reports(size, reports())));
        let mut console = with_reports(size, reports());
        console.press("Enter");
        assert_snapshot!(format!("{name}_report"), screen(&console));
        assert_snapshot!(format!("{name}_report_closed"), screen(&closed_report(size)));
    }
    assert_snapshot!("reports_empty", screen(&with_reports(SMALL, vec![])));
    assert_snapshot!("users_suspended_empty", screen(&with_suspended(SMALL, vec![])));
    let mut console = Console::on_tab(SMALL, 8);
    assert_snapshot!("reports_loading", screen(&console));
    let call = ListReports { state: Some(ReportState::Open), page: Some(1), limit: Some(100) };
    console.refuse(call, CommandError::new(FailureKind::NotAllowed, "This token may not do that."));
    assert_snapshot!("reports_refused", screen(&console));
    let mut console = with_users(SMALL, vec![user(2, "ben")]);
    console.press("a x");
    assert_snapshot!("dialog_delete_user", screen(&console));
}

#[test]
fn a_replay() {
    assert_snapshot!("replay_end", screen(&with_replay(SMALL)));
    let mut console = with_replay(SMALL);
    console.press("g Right Right Right");
    assert_snapshot!("replay_third_move", screen(&console));
    let text = text(&buffer(&with_replay(SMALL), Palette::None, true));
    assert!(text.is_ascii(), "{text}");
}

#[test]
fn both_players_away_are_both_named() {
    let (listed, state) = event_game();
    let mut console = Console::with(SMALL, vec![listed]);
    console.watch(&state);
    // Time runs for whom it is to move.
    for (user_id, absent_until) in [(O, None), (X, Some(state.server_time + 25_000))] {
        let gone = OpponentDisconnected { game_id: state.game_id, user_id, countdown: 30, absent_until };
        console.frame(ServerFrame::OpponentDisconnected(gone));
    }
    assert!(screen(&console).contains("Anna Petit (25 s) and ben disconnected."), "{}", screen(&console));
}

/// The column of this text in each line that contains it.
fn columns_of(shown: &str, text: &str) -> Vec<usize> {
    let before = shown.lines().filter_map(|line| line.find(text).map(|at| &line[..at]));
    before.map(unicode_width::UnicodeWidthStr::width).collect()
}

#[test]
fn wide_and_hostile_names_are_escaped_and_aligned() {
    let names = [("日本 太郎", "taro"), ("an\u{202e}na\u{1b}[2J", "anna"), ("Ben", "ben")];
    let people: Vec<_> = (1..)
        .zip(names)
        .map(|(id, (display_name, username))| GamePlayerRef {
            display_name: display_name.to_owned(),
            ..seated(uuid::Uuid::from_u128(id), username)
        })
        .collect();
    let seats = [[0, 1], [1, 2], [2, 0]].map(|seats| seats.map(|seat| people[seat].clone()).to_vec());
    let games: Vec<_> = seats.into_iter().zip(1..).map(|(players, number)| Game { players, ..game(number) }).collect();
    let (taro, anna) = ("日本 太郎 @taro ", "an\\u{202e}na\\u{1b}[2J @anna ");
    for (size, has_room) in [((160, 40), true), (SMALL, false)] {
        let standings = names.map(|(display_name, username)| (display_name.to_owned(), username));
        for shown in [
            screen(&Console::with(size, games.clone())),
            screen(&event_games_of(size, games.clone())),
            screen(&event_detail_of(size, standings)),
        ] {
            assert!(shown.contains("日本 太郎") && shown.contains("an\\u{202e}"), "{shown}");
            assert!(!has_room || (shown.contains(taro) && shown.contains(anna)), "{shown}");
            let is_there = shown.contains("Status");
            let (title, cell) = if is_there { ("Status", "active") } else { ("Size", "3×3") };
            let head = columns_of(&shown, title)[0];
            assert_eq!(columns_of(&shown, cell), [head; 3], "{shown}");
        }
    }
    let mut board = Console::with(SMALL, vec![games[0].clone()]);
    board.watch(&state(&games[0]));
    let shown = screen(&board);
    assert!(shown.contains(&format!("X {}", taro.trim())) && shown.contains(&format!("O {}", anna.trim())), "{shown}");
}

#[test]
fn tables_are_filtered_and_sorted_by_both_names() {
    let mut zoe = game(1);
    zoe.players = vec![GamePlayerRef { display_name: "Zoe".to_owned(), ..seated(X, "adam") }, seated(O, "ben")];
    let mut anton = game(2);
    anton.players = vec![GamePlayerRef { display_name: "Anton".to_owned(), ..seated(X, "xaver") }, seated(O, "ben")];
    let mut console = Console::with(SMALL, vec![zoe, anton]);
    for (filter, found) in [("zoe", 1), ("adam", 1), ("@xaver", 1), ("ben", 2), ("nobody", 0)] {
        console.press("/");
        console.type_text(filter);
        assert_eq!(console.shown().len(), found, "{filter}");
        console.press("Escape");
    }
    console.press("s");
    assert_eq!(console.shown(), ["xaver", "adam"], "in the order that is seen");
}

#[test]
fn cells_contain_no_control_characters() {
    let evil = "\u{1b}[2Jevil\u{7}\u{9b}31m \u{202e}dne\u{2066}\r\n\tend";
    let mut event = event(1, EventState::Published);
    (event.title, event.description) = (evil.to_owned(), evil.to_owned());
    let mut user = user(1, "ada");
    (user.display_name, user.email) = (evil.to_owned(), evil.to_owned());
    let entry = log_entry(1, morpion_openapi::logger::LogLevel::Error, evil);
    let mut board = Console::with(SMALL, vec![game(1)]);
    let mut named = state(&game(1));
    (named.players[0].username, named.players[0].display_name) = (evil.to_owned(), evil.to_owned());
    board.watch(&named);
    let mut asked = with_events(SMALL, vec![event.clone()]);
    asked.press("a s");
    let mut open_event = with_events(SMALL, vec![event.clone()]);
    open_event.press("Enter");
    let mut open_record = crate::logs::console(SMALL, vec![entry.clone()]);
    open_record.press("Enter");
    for console in [
        board,
        asked,
        with_events(SMALL, vec![event]),
        open_event,
        with_users(SMALL, vec![user]),
        crate::logs::console(SMALL, vec![entry]),
        open_record,
    ] {
        for cell in buffer(&console, Palette::Chalk, false).content() {
            assert!(!cell.symbol().chars().any(morpion_shell::escape::is_unsafe), "{:?}", cell.symbol());
        }
    }
}

/// All screens, for tests that apply to each.
fn all_screens() -> Vec<Console> {
    let mut consoles = Vec::new();
    for size in [SMALL, LARGE, morpion_tui::context::MIN_SIZE] {
        consoles.extend([
            overview_of(size, true),
            overview_of(size, false),
            hour_of(size),
            with_events(size, events()),
            event_detail(size),
            event_games(size),
            crate::stages::swiss(size),
            crate::logs::console(size, log_entries(60)),
            with_users(size, users()),
            user_detail(size),
            audit(size),
            subscriptions(size),
            with_replay(size),
            with_suspended(size, vec![suspended(2, "ben", Some(7)), user(3, "clea")]),
            with_reports(size, reports()),
            closed_report(size),
            with_backups(size, well(), backups()),
            with_backups(size, unwell(), with_unreadable()),
            with_backups(size, unverified(), backups()),
        ]);
        let mut status = with_backups(size, unwell(), with_unreadable());
        status.press("Right");
        consoles.push(status);
        let mut disconnected = Console::with(size, games());
        disconnected.net(NetEvent::Disconnected { why: "The connection was lost.".to_owned(), retry_in_ms: 1_000 });
        let mut unauthorized = Console::new(size);
        unauthorized.net(NetEvent::Unauthorized { why: "No.".to_owned(), retry_in_ms: 1 });
        let mut help = Console::with(size, games());
        help.press("?");
        let mut board = Console::with(size, vec![game(1)]);
        board.watch(&won(state(&game(1))));
        let (listed, state) = event_game();
        let mut event = Console::with(size, vec![listed]);
        event.watch(&state);
        consoles.extend([
            Console::with(size, games()),
            Console::new(size),
            disconnected,
            unauthorized,
            help,
            board,
            event,
        ]);
    }
    consoles
}

#[test]
fn without_colours_no_screen_has_any() {
    for console in all_screens() {
        for cell in buffer(&console, Palette::None, false).content() {
            assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
        }
    }
}

#[test]
fn the_ansi_palette_uses_only_sixteen_colours() {
    for console in all_screens() {
        for cell in buffer(&console, Palette::Ansi, false).content() {
            assert!(!matches!(cell.fg, Color::Rgb(..) | Color::Indexed(_)), "{:?}", cell.fg);
            assert_eq!(cell.bg, Color::Reset, "the background is the terminal's own");
        }
    }
}

#[test]
fn the_footer_fits_and_shows_quit_and_help() {
    for console in all_screens() {
        let screen = screen(&console);
        let footer = screen.lines().last().expect("a footer");
        assert!(footer.contains("q quit") && footer.contains("? help"), "{footer}");
    }
}

#[test]
fn marks_have_their_colours() {
    let mut console = Console::with(SMALL, vec![game(1)]);
    console.watch(&played(state(&game(1)), &[(0, 0), (0, 2)]));
    let buffer = buffer(&console, Palette::Chalk, false);
    let theme = Theme::new(Palette::Chalk, false);
    let drawn = |symbol| {
        let ink = theme.ink(theme.mark(symbol));
        buffer
            .content()
            .iter()
            .filter(|cell| {
                cell.fg == ink && ('\u{2801}'..='\u{28FF}').contains(&cell.symbol().chars().next().unwrap_or(' '))
            })
            .count()
    };
    assert!(drawn(Symbol::X) > 10 && drawn(Symbol::O) > 10, "{} {}", drawn(Symbol::X), drawn(Symbol::O));
}

#[test]
fn results_are_shown_in_words() {
    for (reason, sentence) in [
        (EndReason::Forfeit, "ben won: Anna Petit forfeited."),
        (EndReason::Timeout, "ben won: Anna Petit ran out of time."),
        (EndReason::NoShow, "ben won: Anna Petit did not come."),
        (EndReason::Declined, "ben won: Anna Petit declined the game."),
        (EndReason::Removed, "ben won: Anna Petit was removed."),
        (EndReason::Disconnect, "ben won: Anna Petit was away for too long."),
        (EndReason::Time, "ben won by using less time."),
        (EndReason::Adjudicated, "ben won by an admin's decision."),
    ] {
        let before = state(&game(1));
        let mut console = Console::with(SMALL, vec![game(1)]);
        console.watch(&before);
        console.frame(ServerFrame::GameEnd(game_end(&before, reason)));
        assert!(screen(&console).contains(sentence), "{sentence}\n{}", screen(&console));
    }
    let mut drawn = state(&game(1));
    (drawn.status, drawn.is_draw, drawn.current_turn) = (GameStatus::Completed, true, None);
    let mut console = Console::with(SMALL, vec![game(1)]);
    console.watch(&drawn);
    assert!(screen(&console).contains("It's a Draw!"));
}
