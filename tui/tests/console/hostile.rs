//! Texts that strangers wrote: none of them controls the operator's terminal, forges a line or hides a part of itself,
//! whatever the console prints, draws, saves or copies.

use std::process::Stdio;

use morpion_openapi::{
    Acknowledgement, Timestamp,
    account::Session,
    action::Action,
    admin::{
        AdjudicateGame, AuditAnswer, AuditEntry, BillingEvent, BillingEventsAnswer, CreateBackup, GrantPro, ListAudit,
        ListBackups, ListBillingEvents, ListLiveGames, ListSessions, ListTokens, ListUsers, LiveGamesAnswer,
        OperatorToken, Overview, RevokePro, SetAdmin, TokenScope, TokensAnswer, UserSessionsAnswer, UsersListAnswer,
        VerifyBackup,
    },
    cluster::Cluster,
    event::{
        CheckInPlayer, CreateEvent, DisqualifyPlayer, EventAnswer, EventFormat, EventState, EventsAnswer, ExtendEvent,
        GetEventById, GetLeaderboard, GetRounds, GetStandings, ListEvents, ListSignupsForEvent, PauseEvent, Player,
        PlayersAnswer, ReinstatePlayer, ReplayMatch, ResumeEvent, SetResult, Signup, SignupStatus, SignupsAnswer,
        StartEvent, StartRound, UpdateEvent, VerifyEvent, VerifyEventAnswer, WithdrawPlayer,
    },
    game::{CancelReason, GameAnswer, GameState, GamesAnswer, GetGame, GetGamesByEvent, GetGamesByUser, GetReplay},
    logger::{GetLogStats, GetLogs, LogEntry, LogLevel, LogStatsAnswer, LogsAnswer, LogsData},
    moderation::{
        CloseReport, LiftSuspension, ListReports, ListSuspended, RemovePicture, RenameUser, ReportAnswer, ReportKind,
        ReportsAnswer, SuspendUser,
    },
    player_page::{GetHistory, GetProfile},
    realtime::{Ack, GameCancelled, GameDraw, OpponentDisconnected, ServerFrame},
};
use morpion_tui::{
    calls::{Call, Reply},
    event::{Effect, NetEvent},
    net::command_error::{CommandError, FailureKind},
    theme::Palette,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    fixtures::*,
    operations::{replay_answer, with_events, with_users},
    screens::{buffer, screen},
    script::run,
    server::{Server, TOKEN},
};

/// Terminal sequences, characters that hide or reverse text, and line breaks that begin a record of their own.
const HOSTILE: &str = concat!(
    "\u{202e}\u{2066}\u{200b}",     // right to left, an isolate, no width
    "\u{1b}]52;c;ZXZpbA==\u{7}",    // sets the clipboard
    "\u{1b}]0;evil\u{1b}\\",        // sets the title
    "\u{1b}[?1000h\u{1b}[2J",       // reports the mouse, clears the screen
    "\u{1b}P$q\"p\u{1b}\\\u{1b}[c", // makes the terminal type an answer
    "\u{9b}31m\u{9d}0;evil\u{9c}",  // the same by C1 characters
    "\r\nFORGED\nFORGED\u{2028}FORGED\tx",
);

const WIDE: (u16, u16) = (300, 60);

fn is_raw(char: char) -> bool {
    char != '\n' && (char.is_control() || matches!(char, '\u{200b}' | '\u{2028}' | '\u{202e}' | '\u{2066}'))
}

/// The text has a hostile one in it, escaped, as a part of one of its own lines.
fn assert_escaped(what: &str, text: &str) {
    assert_harmless(what, text);
    assert!(text.contains("\\u{202e}") || text.contains("\\u202e"), "{what} does not show it: {text}");
}

fn assert_harmless(what: &str, text: &str) {
    assert!(!text.chars().any(is_raw), "{what}: {text:?}");
    assert!(!text.lines().any(|line| line.trim_start().starts_with("FORGED")), "{what}: {text}");
}

/// The pointers of all texts in a value.
fn texts(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(at.to_owned()),
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(index, one)| texts(one, &format!("{at}/{index}"), found))
        }
        Value::Object(fields) => fields.iter().for_each(|(name, one)| texts(one, &format!("{at}/{name}"), found)),
        _ => {}
    }
}

/// The value with the hostile text in every field that can have any text.
fn poisoned<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let mut value = serde_json::to_value(value).expect("plain data");
    let mut pointers = vec![];
    texts(&value, "", &mut pointers);
    let mut count = 0;
    for pointer in pointers {
        let text = value.pointer_mut(&pointer).expect("it was found there");
        let before = std::mem::replace(text, HOSTILE.into());
        if serde_json::from_value::<T>(value.clone()).is_ok() {
            count += 1;
        } else {
            *value.pointer_mut(&pointer).expect("it was found there") = before;
        }
    }
    assert!(count > 0, "no text in {value}");
    serde_json::from_value(value).expect("it was read like this")
}

fn record() -> LogEntry {
    let text = || Some("text".to_owned());
    let mut entry = log_entry(1, LogLevel::Error, "text");
    (entry.session_id, entry.request_id, entry.file_name) = (text(), text(), text());
    (entry.context, entry.stack, entry.user_id) = (text(), text(), Some(X));
    poisoned(&entry)
}

fn logs() -> LogsAnswer {
    LogsAnswer { data: LogsData { logs: vec![record()], pagination: page_of(1), next_cursor: None } }
}

fn event_answer() -> EventAnswer {
    let mut ended = event(1, EventState::Ended);
    ended.winners = events()[2].winners.clone();
    // Its rounds and standings are looked at, too.
    ended.format = EventFormat::Swiss;
    poisoned(&EventAnswer { event: ended })
}

/// Of an event in its second round.
fn stage_event() -> morpion_openapi::event::Event {
    poisoned(&crate::stages::stage_event(EventFormat::Swiss, EventState::Started))
}

fn players() -> PlayersAnswer {
    let player = Player {
        user_id: X,
        username: "anna".to_owned(),
        display_name: "Anna".to_owned(),
        profile_url: None,
        is_bot: None,
        event_id: event_id(1),
        level: 6,
        wins: 5,
        losses: 0,
        is_eliminated: false,
        is_removed: None,
        rank: Some(1),
        email: Some("anna@example.org".to_owned()),
    };
    poisoned(&PlayersAnswer { players: vec![player], pagination: page_of(1) })
}

pub fn signup(user_id: uuid::Uuid, username: &str, display_name: &str, checked_in: Option<bool>) -> Signup {
    Signup {
        id: user_id,
        signup_id: user_id,
        user_id,
        event_id: event_id(1),
        username: username.to_owned(),
        display_name: display_name.to_owned(),
        profile_url: None,
        is_bot: None,
        email: Some("anna@example.org".to_owned()),
        created_at: Timestamp::from_millis(START),
        status: SignupStatus::Registered,
        checked_in,
        presence: None,
        level: 1,
        wins: 0,
        losses: 0,
    }
}

fn signups() -> SignupsAnswer {
    let signup = signup(X, "anna", "Anna", Some(false));
    poisoned(&SignupsAnswer { signups: vec![signup], pagination: page_of(1) })
}

fn sessions() -> UserSessionsAnswer {
    let session = Session {
        session_id: "s-1".to_owned(),
        device: "Firefox".to_owned(),
        address: "192.0.2.1".to_owned(),
        created_at: Timestamp::from_millis(START),
        last_used_at: Timestamp::from_millis(START),
        expires_at: Timestamp::from_millis(START),
        is_current: false,
    };
    let session = poisoned(&session);
    // Two of one name, which is ambiguous.
    let numbered = |id: &str| Session { session_id: id.to_owned(), ..session.clone() };
    UserSessionsAnswer { sessions: vec![numbered("s-1"), numbered("s-2")] }
}

fn audit() -> AuditAnswer {
    let entry = AuditEntry {
        audit_id: "a".to_owned(),
        sequence: 1,
        actor: "ada".to_owned(),
        action: "set_admin".to_owned(),
        subject: "b2".to_owned(),
        subject_kind: None,
        subject_name: Some("ben".to_owned()),
        address: "192.0.2.1".to_owned(),
        detail: Some("text".to_owned()),
        at: Timestamp::from_millis(START),
    };
    let mut entry = poisoned(&entry);
    // Details are JSON, which is read before it is shown.
    entry.detail = Some(serde_json::json!({ "event": HOSTILE }).to_string());
    AuditAnswer { entries: vec![entry], pagination: page_of(1) }
}

fn ledger() -> BillingEventsAnswer {
    let event = BillingEvent {
        billing_event_id: "b".to_owned(),
        user_id: Some(X),
        kind: "granted".to_owned(),
        detail: "text".to_owned(),
        at: Timestamp::from_millis(START),
    };
    poisoned(&BillingEventsAnswer { events: vec![event], pagination: page_of(1) })
}

fn tokens() -> TokensAnswer {
    let token = OperatorToken {
        token_id: "t".to_owned(),
        name: "laptop".to_owned(),
        scope: TokenScope::All,
        created_at: Timestamp::from_millis(START),
        expires_at: None,
        last_used_at: None,
    };
    poisoned(&TokensAnswer { tokens: vec![token], warnings: vec![], current_token_id: Some("t".to_owned()) })
}

fn user_answer() -> morpion_openapi::admin::AdminUserAnswer {
    poisoned(&morpion_openapi::admin::AdminUserAnswer { user: user(2, "ben") })
}

/// A server that has nothing but hostile texts.
async fn hostile_server() -> Server {
    let server = Server::start().await;
    let mut health = overview();
    health.warnings = vec!["text".to_owned()];
    health.backup = crate::backups::unwell();
    server.answer(Overview::NAME, &poisoned(&health));
    server.answer(ListBackups::NAME, &poisoned(&crate::backups::with_unreadable()));
    server.answer(Cluster::NAME, &poisoned(&crate::cluster::unwell()));
    server.answer(CreateBackup::NAME, &Acknowledgement {});
    server.answer(VerifyBackup::NAME, &Acknowledgement {});
    for name in [
        GetEventById::NAME,
        CreateEvent::NAME,
        UpdateEvent::NAME,
        StartEvent::NAME,
        SetResult::NAME,
        ReplayMatch::NAME,
        StartRound::NAME,
        WithdrawPlayer::NAME,
        DisqualifyPlayer::NAME,
        ReinstatePlayer::NAME,
        CheckInPlayer::NAME,
        PauseEvent::NAME,
        ResumeEvent::NAME,
        ExtendEvent::NAME,
    ] {
        server.answer(name, &event_answer());
    }
    server.answer(GetRounds::NAME, &poisoned(&crate::stages::swiss_rounds()));
    server.answer(GetStandings::NAME, &poisoned(&crate::stages::swiss_standings()));
    server.answer(ListEvents::NAME, &poisoned(&EventsAnswer { events: events(), pagination: page_of(5) }));
    let differences = vec!["text".to_owned()];
    let verified = VerifyEventAnswer {
        agrees: false,
        games: 1,
        players: 1,
        differences,
        corrections: vec![],
        acts: vec![],
        vouched: None,
    };
    server.answer(VerifyEvent::NAME, &poisoned(&verified));
    server.answer(ListSignupsForEvent::NAME, &signups());
    server.answer(GetLeaderboard::NAME, &players());
    let listed = poisoned(&GamesAnswer { games: games(), pagination: page_of(4) });
    server.answer(GetGamesByEvent::NAME, &listed);
    server.answer(GetGamesByUser::NAME, &listed);
    server.answer(ListLiveGames::NAME, &poisoned(&LiveGamesAnswer { games: games(), pagination: page_of(4) }));
    let shown = poisoned(&GameAnswer { game: state(&game(1)) });
    server.answer(GetGame::NAME, &shown);
    server.answer(AdjudicateGame::NAME, &shown);
    server.answer(GetReplay::NAME, &poisoned(&replay_answer()));
    server.answer(GetLogs::NAME, &logs());
    server.answer(GetLogStats::NAME, &poisoned(&LogStatsAnswer { data: log_stats() }));
    server.answer(ListUsers::NAME, &poisoned(&UsersListAnswer { users: users(), pagination: page_of(4) }));
    server.answer(GetProfile::NAME, &poisoned(&crate::players::profile()));
    server.answer(GetHistory::NAME, &poisoned(&crate::players::history()));
    server.answer(ListSessions::NAME, &sessions());
    for name in [
        SetAdmin::NAME,
        GrantPro::NAME,
        RevokePro::NAME,
        SuspendUser::NAME,
        LiftSuspension::NAME,
        RenameUser::NAME,
        RemovePicture::NAME,
    ] {
        server.answer(name, &user_answer());
    }
    let suspended = vec![crate::moderation::suspended(2, "ben", None)];
    let suspended = UsersListAnswer { users: suspended, pagination: page_of(1) };
    server.answer(ListSuspended::NAME, &poisoned(&suspended));
    let report = crate::moderation::report(1, ReportKind::Name);
    server.answer(CloseReport::NAME, &poisoned(&ReportAnswer { report: report.clone() }));
    let reports = ReportsAnswer { reports: vec![report], pagination: page_of(1) };
    server.answer(ListReports::NAME, &poisoned(&reports));
    server.answer(ListAudit::NAME, &audit());
    server.answer(ListBillingEvents::NAME, &ledger());
    server.answer(ListTokens::NAME, &tokens());
    server
}

#[tokio::test]
async fn no_command_prints_hostile_texts_raw() {
    let server = hostile_server().await;
    let (event, game, user) = (event_id(1).to_string(), game_id(1).to_string(), X.to_string());
    let player = user_answer().user.user_id.to_string();
    for arguments in [
        &["overview"][..],
        &["cluster"],
        &["events", "list"],
        &["events", "show", &event],
        &["events", "create", "--title", "Cup"],
        &["events", "edit", &event, "--title", "Cup"],
        &["events", "publish", &event],
        &["events", "start", &event],
        &["events", "verify", &event],
        &["events", "signups", &event],
        &["events", "leaderboard", &event],
        &["events", "games", &event],
        &["events", "rounds", &event],
        &["events", "standings", &event],
        &["events", "set-result", &event, "1", "1", "--reason", "r"],
        &["events", "set-result", &event, "1", "1", HOSTILE, "--reason", "r"],
        &["events", "withdraw", &event, &user, "--reason", "r"],
        &["events", "disqualify", &event, &user, "--reason", "r"],
        &["events", "replay-match", &event, "1", "1", "--reason", "r"],
        &["events", "start-round", &event, "1"],
        &["events", "reinstate", &event, &user, "--reason", "r"],
        &["events", "pause", &event],
        &["events", "resume", &event],
        &["events", "extend", &event, "+1h"],
        &["games", "list"],
        &["games", "show", &game],
        &["games", "replay", &game],
        &["games", "adjudicate", &game, "--void", "--reason", "r"],
        &["logs", "list"],
        &["logs", "tail"],
        &["logs", "export"],
        &["logs", "stats"],
        &["users", "list"],
        &["users", "sessions", &user],
        &["users", "games", &user],
        &["users", "promote", &user],
        &["users", "demote", &user],
        &["users", "grant-pro", &user, "--reason", "r"],
        &["users", "revoke-pro", &user, "--reason", "r"],
        &["users", "list", "--suspended"],
        &["users", "suspend", &user, "--for-ever", "--reason", "r"],
        &["users", "lift", &user],
        &["users", "rename", &user, "--reason", "r"],
        &["users", "remove-picture", &user, "--reason", "r"],
        &["players", "show", &player],
        &["reports", "list"],
        &["reports", "close", &user, "--outcome", "upheld"],
        &["reports", "close", HOSTILE, "--outcome", "upheld"],
        &["audit", "list"],
        &["billing", "list"],
        &["tokens", "list"],
        &["backups", "list"],
        &["backups", "create"],
        &["backups", "verify", HOSTILE],
        &["backups", "status"],
        // What is asked for means several things, none, or needs a confirmation: the error has the text.
        &["events", "show", HOSTILE],
        &["users", "promote", HOSTILE],
        &["users", "revoke-session", &user, HOSTILE],
        &["games", "adjudicate", &game, "--winner", HOSTILE, "--reason", "r"],
        &["tokens", "revoke", HOSTILE],
    ] {
        for format in [&[][..], &["--json"]] {
            let (_, out, error) = run(&server.url(), &[arguments, format].concat()).await;
            assert_escaped(&format!("{arguments:?} {format:?}"), &(out + &error));
        }
    }
}

#[tokio::test]
async fn no_error_of_the_server_is_printed_raw() {
    let server = Server::start().await;
    let failure = serde_json::json!({
        "succeeded": false, "errorMessage": HOSTILE, "errorCode": HOSTILE, "requestId": HOSTILE,
        "fieldErrors": { HOSTILE: HOSTILE }
    });
    for status in [400, 401, 404, 409, 500, 503] {
        server.fail(ListEvents::NAME, status, &failure);
        for format in [&[][..], &["--json"]] {
            let (_, out, error) = run(&server.url(), &[&["events", "list"][..], format].concat()).await;
            assert_escaped(&format!("{status} {format:?}"), &(out + &error));
        }
    }
}

#[tokio::test]
async fn followed_logs_and_games_are_not_printed_raw() {
    for format in [&[][..], &["--json"]] {
        let mut server = hostile_server().await;
        let url = server.url();
        let arguments = [&["logs", "tail", "-f", "-n", "0"][..], format].concat();
        let following = tokio::spawn(async move { run(&url, &arguments).await });
        let mut connection = server.connection().await;
        let (_, id) = connection.receive().await;
        connection.send(&ServerFrame::LogAppended(record())).await;
        let refused = Ack { succeeded: false, error_message: Some(HOSTILE.to_owned()), error_code: None };
        connection.send_text(refused.to_text(&id.expect("it asks for an ack"))).await;
        let (_, out, error) = following.await.expect("the refusal ends it");
        assert_escaped("logs tail -f", &out);
        assert_escaped("logs tail -f", &error);

        let before = poisoned(&state(&game(1)));
        let url = server.url();
        let id = game_id(1).to_string();
        let watching = tokio::spawn(async move { run(&url, &[&["games", "watch", &id][..], format].concat()).await });
        let mut connection = server.connection().await;
        connection.tell_state_quietly(&joined(&before)).await;
        let game_id = before.game_id;
        let gone = OpponentDisconnected { game_id, user_id: X, countdown: 30, absent_until: None };
        connection.send(&ServerFrame::OpponentDisconnected(gone)).await;
        let version = before.version + 1;
        let new_game_state = Some(GameState { version, ..before });
        let draw = GameDraw { game_id, new_game_state, message: HOSTILE.to_owned(), version };
        connection.send(&ServerFrame::GameDraw(draw)).await;
        let message = HOSTILE.to_owned();
        let reason = CancelReason::Expired;
        let cancelled = GameCancelled { game_id, success: true, message, reason, user_id: None };
        connection.send(&ServerFrame::GameCancelled(cancelled)).await;
        let (_, out, error) = watching.await.expect("the game ends it");
        assert_escaped("games watch", &out);
        assert_harmless("games watch", &error);
        assert_escaped("games watch, the end", out.lines().last().expect("a line"));
        let is_told = |line: &str| line.contains("\\u{202e}") && line.ends_with(" disconnected");
        assert!(!format.is_empty() || out.lines().any(is_told), "{out}");
    }
}

#[tokio::test]
async fn completions_are_not_printed_raw() {
    let server = hostile_server().await;
    let url = server.url();
    for words in [
        &["events", "show", ""][..],
        &["games", "show", ""],
        &["users", "promote", ""],
        &["tokens", "revoke", ""],
        &["backups", "verify", ""],
    ] {
        for shell in ["bash", "zsh", "fish", "elvish"] {
            let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_morpion-tui"));
            let line = [&["--", "morpion-tui", "--server", &*url][..], words].concat();
            command.args(&line).env("COMPLETE", shell).env("MORPION_TUI_TOKEN", TOKEN).stderr(Stdio::null());
            command.env("_CLAP_COMPLETE_INDEX", (line.len() - 2).to_string()).env("_CLAP_IFS", "\n");
            let output = command.output().await.expect("it runs");
            // A tab separates a value from its help.
            let offered = String::from_utf8(output.stdout).expect("text").replace('\t', " ");
            assert_harmless(&format!("{shell} {words:?}"), &offered);
        }
    }
    assert!(!server.called(ListEvents::NAME).is_empty(), "the server is asked");
}

/// Consoles that show hostile texts, each with what it shows.
fn consoles() -> Vec<(&'static str, Console)> {
    let mut consoles = vec![];
    let mut health = overview();
    health.warnings = vec!["text".to_owned()];
    let mut console = Console::on_tab(WIDE, 1);
    console.reply(Overview {}, Reply::Overview(poisoned(&health)));
    consoles.push(("overview", console));

    let hostile_status = || poisoned(&crate::backups::unwell());
    for (what, keys) in [("the status of backups", "Right"), ("a backup's menu", "a"), ("a check of a backup", "v")] {
        let listed = poisoned(&crate::backups::backups());
        let mut console = crate::backups::with_backups(WIDE, hostile_status(), listed);
        console.press(keys);
        consoles.push((what, console));
    }
    for (what, keys) in [("a check that could not be made", "h"), ("the reason for it", "Right")] {
        let (status, listed) = (poisoned(&crate::backups::unverified()), poisoned(&crate::backups::backups()));
        let mut console = crate::backups::with_backups(WIDE, status, listed);
        console.press(keys);
        consoles.push((what, console));
    }
    let unreadable = poisoned(&crate::backups::with_unreadable());
    let mut console = crate::backups::with_backups(WIDE, hostile_status(), unreadable);
    console.press("g Enter");
    consoles.push(("an unreadable backup", console));

    for (what, keys) in [("the cluster", "s"), ("a node's menu", "a")] {
        let mut console = crate::cluster::with_cluster(WIDE, poisoned(&crate::cluster::unwell()));
        console.press(keys);
        consoles.push((what, console));
    }

    let poisoned_events = || vec![event_answer().event];
    consoles.push(("events", with_events(WIDE, poisoned_events())));
    let mut arena = poisoned_events();
    arena[0].format = EventFormat::Arena;
    let mut console = with_events(WIDE, arena);
    console.press("Enter");
    consoles.push(("an event", with_leaderboard(console)));
    for (what, keys) in [
        ("rounds", "n"),
        ("the menu of a match", "a"),
        ("a result", "d Space"),
        ("standings", "Right"),
        ("the menu of a player", "Right a"),
        ("a withdrawal", "Right w"),
        ("a disqualification", "Right a q"),
        ("a match that is played again", "a g"),
        ("a pause", "Space"),
        ("another end", "x"),
    ] {
        let mut console = with_events(WIDE, vec![stage_event()]);
        console.press("Enter");
        let event_id = console.app.tabs.events.detail.as_ref().expect("an event").event.event_id;
        let rounds = Reply::GetRounds(poisoned(&crate::stages::swiss_rounds()));
        console.reply(GetRounds { event_id, user_id: None }, rounds);
        let standings = Reply::GetStandings(poisoned(&crate::stages::swiss_standings()));
        console.reply(GetStandings { event_id, user_id: None }, standings);
        console.press(keys);
        consoles.push((what, console));
    }
    for (what, keys) in [("an event's menu", "a"), ("a confirmation", "a s"), ("an event's form", "e")] {
        let mut published = poisoned_events();
        published[0].event_state = EventState::Published;
        let mut console = with_events(WIDE, published);
        console.press(keys);
        consoles.push((what, console));
    }

    consoles.push(("games", Console::with(WIDE, poisoned(&games()))));
    let mut console = Console::with(WIDE, poisoned(&vec![game(1)]));
    console.watch(&poisoned(&state(&game(1))));
    consoles.push(("a game", console));
    let mut console = Console::on_tab(WIDE, 3);
    console.press(":");
    console.type_text(&format!("replay {}", game_id(7)));
    let actions = console.press("Enter");
    let call = Call::clone(calls(&actions)[0]);
    console.reply(call, Reply::GetReplay(poisoned(&replay_answer())));
    consoles.push(("a replay", console));

    for (what, keys) in
        [("the log", "j"), ("a record", "Enter"), ("parts of the program", "v"), ("a record's menu", "a r")]
    {
        let mut console = crate::logs::console(WIDE, vec![record()]);
        console.press(keys);
        consoles.push((what, console));
    }

    consoles.push(("users", with_users(WIDE, poisoned(&users()))));
    let mut console = with_users(WIDE, poisoned(&users()));
    console.press("j Enter");
    let user_id = console.app.tabs.users.detail.as_ref().expect("an account").user.user_id;
    console.reply(ListSessions { user_id }, Reply::ListSessions(sessions()));
    consoles.push(("a user", console));
    let suspended = || poisoned(&vec![crate::moderation::suspended(2, "ben", None)]);
    consoles.push(("suspended users", crate::moderation::with_suspended(WIDE, suspended())));
    for (what, keys) in [
        ("a suspended user", "Enter"),
        ("a user's menu", "a"),
        ("a suspension", "a s"),
        ("another name", "a n"),
        ("a deletion", "a x r Enter Enter"),
    ] {
        let mut console = crate::moderation::with_suspended(WIDE, suspended());
        console.press(keys);
        consoles.push((what, console));
    }
    let reports = || poisoned(&vec![crate::moderation::report(1, ReportKind::Name)]);
    consoles.push(("reports", crate::moderation::with_reports(WIDE, reports())));
    for (what, keys) in [("a report", "Enter"), ("a report's menu", "a"), ("a report that is closed", "a u")] {
        let mut console = crate::moderation::with_reports(WIDE, reports());
        console.press(keys);
        consoles.push((what, console));
    }
    let (hooks, sent) = (|| poisoned(&crate::webhooks::hooks()), || poisoned(&crate::webhooks::deliveries()));
    consoles.push(("webhooks", crate::webhooks::with_hooks(WIDE, hooks())));
    for (what, keys) in [("deliveries", "j"), ("a delivery", "Enter"), ("a delivery's menu", "a"), ("a test", "a t")] {
        let mut console = crate::webhooks::with_deliveries(WIDE, hooks(), sent());
        console.press(keys);
        consoles.push((what, console));
    }
    let mut console = Console::on_tab(WIDE, 6);
    console.reply(ListAudit { page: Some(1), limit: Some(100) }, Reply::ListAudit(audit()));
    consoles.push(("the audit trail", console));

    let mut console = Console::on_tab(WIDE, 2);
    let call = ListEvents { filter: None, page: Some(1), limit: Some(100) };
    console.refuse(call, CommandError::new(FailureKind::Broken, HOSTILE));
    consoles.push(("a failed call", console));
    let mut console = Console::with(WIDE, games());
    console.net(NetEvent::Disconnected { why: HOSTILE.to_owned(), retry_in_ms: 1_000 });
    consoles.push(("a lost connection", console));
    let mut console = Console::new(WIDE);
    console.net(NetEvent::Unauthorized { why: HOSTILE.to_owned(), retry_in_ms: 1_000 });
    consoles.push(("a refused token", console));
    consoles
}

fn with_leaderboard(mut console: Console) -> Console {
    let call = GetLeaderboard { event_id: event_id(1), page: Some(1), limit: Some(100) };
    console.reply(call, Reply::GetLeaderboard(players()));
    console
}

#[test]
fn every_screen_shows_hostile_texts_escaped() {
    for (what, console) in consoles() {
        // A long text may be wrapped anywhere; a record is shown in the lines that it has.
        assert_escaped(what, &screen(&console).replace("FORGED", ""));
        for cell in buffer(&console, Palette::Chalk, false).content() {
            assert!(!cell.symbol().chars().any(is_raw), "{what}: {:?}", cell.symbol());
        }
    }
}

#[test]
fn saved_and_copied_records_are_escaped() {
    for name in ["/tmp/log.ndjson", "/tmp/log.txt"] {
        let mut console = crate::logs::console(WIDE, vec![record()]);
        console.press("o C-u");
        console.type_text(name);
        let Some(Effect::Save { text, .. }) = console.press("Enter").pop() else { panic!("it is saved") };
        assert_escaped(name, &text);
        assert_eq!(text.lines().count(), 1, "one line a record: {text}");
    }
    let mut console = crate::logs::console(WIDE, vec![record()]);
    let Some(Effect::Copy(text)) = console.press("c").pop() else { panic!("it is copied") };
    assert_escaped("the clipboard", &text);
    assert_eq!(text.lines().count(), 1, "pasted into a shell it is one line: {text}");
}
