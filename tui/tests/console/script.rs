//! The commands for scripts: output and exit codes.
//!
//! One long file: the commands share their server and the ways to run and read them.

use std::process::{Command, Output};

use morpion_openapi::{
    PageRequest, Pagination, Timestamp,
    admin::{
        AuditAnswer, AuditEntry, CreateTokenAnswer, FoundIdsAnswer, LiveGamesAnswer, OperatorToken, TokenScope,
        TokensAnswer, UsersListAnswer,
    },
    event::{EventAnswer, EventState, EventsAnswer, Player, PlayersAnswer, VerifyEventAnswer},
    game::GameAnswer,
    logger::{LogLevel, LogsAnswer, LogsData},
    moderation::{ReportAnswer, ReportKind, ReportsAnswer},
    realtime::{ClientFrame, OpponentDisconnected, ServerFrame},
    webhook::{
        DeliveryState, Webhook, WebhookDeliveriesAnswer, WebhookDelivery, WebhookDeliveryAnswer, WebhookKind,
        WebhooksAnswer,
    },
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

use crate::{
    fixtures::*,
    moderation::{report, reports, suspended},
    server::{Server, TOKEN},
};

/// Runs the program off the async thread, which is the server's.
pub async fn run(server: &str, arguments: &[&str]) -> (i32, String, String) {
    run_with(server, arguments, &[]).await
}

async fn run_with(server: &str, arguments: &[&str], env: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion-tui"));
    command.args(["--server", server, "--token", TOKEN]).args(arguments).envs(env.iter().copied());
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("a thread").expect("it runs");
    let Output { status, stdout, stderr } = output;
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code().expect("it exits"), text(stdout), text(stderr))
}

#[tokio::test]
async fn events_are_listed_and_taken_from_draft_to_winners() {
    let server = Server::start_with_events().await;
    let (code, out, _) = run(&server.url(), &["events", "list"]).await;
    assert_eq!(code, 0);
    let line = out.lines().nth(1).expect("an event");
    assert!(line.contains("started") && line.ends_with("Friday night blitz"), "{out}");

    let (code, out, _) =
        run(&server.url(), &["events", "list", "--json", "--state", "started", "--state", "ended"]).await;
    let listed = out.lines().map(serde_json::from_str::<morpion_openapi::event::Event>);
    assert_eq!((code, listed.collect::<Result<Vec<_>, _>>().expect("an event a line")), (0, events()));
    let filter = &server.called("list_events")[1]["filter"];
    assert_eq!(filter["eventState"], serde_json::json!(["started", "ended"]));

    let id = event_id(1).to_string();
    for (verb, action, state) in [
        ("publish", "update_event", EventState::Published),
        ("start", "start_event", EventState::Started),
        ("end", "end_event", EventState::Ended),
        ("cancel", "cancel_event", EventState::Cancelled),
    ] {
        server.answer(action, &EventAnswer { event: event(1, state) });
        let (code, out, error) = run(&server.url(), &["events", verb, &id]).await;
        assert_eq!(code, 0, "{error}");
        assert!(out.contains(&format!("state        {state}")), "{out}");
        assert_eq!(server.called(action)[0]["eventId"], id);
    }
}

#[tokio::test]
async fn errors_have_an_exit_code_and_a_sentence() {
    let server = Server::start().await;
    let id = event_id(1).to_string();
    for (status, code) in [(500, 1), (403, 4), (404, 5), (409, 6), (402, 6), (422, 7), (501, 8), (429, 9), (503, 9)] {
        server.refuse("start_event", status, "Not like this.");
        let (ended, out, error) = run(&server.url(), &["events", "start", &id]).await;
        assert_eq!((ended, out.as_str()), (code, ""), "{status}");
        let sentence = if status == 501 { "This server does not have that yet." } else { "Not like this." };
        assert!(error.starts_with(&format!("morpion-tui: {sentence}\n")) && error.contains("req-1"), "{error}");
    }
    let (code, _, error) = run(&server.url(), &["events", "start", &id, "--readonly"]).await;
    assert_eq!((code, error.as_str()), (4, "morpion-tui: This console is read-only.\n"));
    let (code, _, error) = run(&server.url(), &["events", "launch", &id]).await;
    assert_eq!(code, 2, "{error}");
    let url = server.url();
    server.stop().await;
    let (code, _, error) = run(&url, &["events", "start", &id]).await;
    assert_eq!((code, error.as_str()), (3, "morpion-tui: Nothing answers there.\n"));
}

#[tokio::test]
async fn events_are_created_with_times_in_common_formats() {
    let server = Server::start().await;
    server.answer("create_event", &EventAnswer { event: event(1, EventState::Drafted) });
    let arguments = [
        "events",
        "create",
        "--title",
        "Cup",
        "--type",
        "closed",
        "--start",
        "2030-01-01 20:00",
        "--end",
        "2030-01-01T22:00",
    ];
    let (code, _, error) = run(&server.url(), &arguments).await;
    assert_eq!(code, 0, "{error}");
    let expected = serde_json::json!({
        "title": "Cup", "eventType": "closed", "startTime": "2030-01-01T20:00:00Z", "endTime": "2030-01-01T22:00:00Z"
    });
    assert_eq!(server.called("create_event"), [expected]);
    let (code, _, error) = run(&server.url(), &["events", "create", "--title", "Cup", "--start", "soon"]).await;
    assert_eq!(code, 7);
    assert!(error.contains("Write 2026-11-21 20:00"), "{error}");
}

#[tokio::test]
async fn standings_that_do_not_agree_have_their_own_exit_code() {
    let server = Server::start().await;
    let id = event_id(1).to_string();
    for (agrees, code) in [(true, 0), (false, 10)] {
        let differences = if agrees { vec![] } else { vec!["anna: 3 wins are stored, 2 were played".to_owned()] };
        server.answer(
            "verify_event",
            &VerifyEventAnswer {
                agrees,
                games: 9,
                players: 4,
                differences,
                corrections: vec![],
                acts: vec![],
                vouched: None,
            },
        );
        let (ended, out, _) = run(&server.url(), &["events", "verify", &id]).await;
        assert_eq!(ended, code);
        assert_eq!(out.contains("anna: 3 wins"), !agrees, "{out}");
    }
}

#[tokio::test]
async fn accounts_are_found_by_name() {
    let server = Server::start().await;
    server.answer("list_users", &UsersListAnswer { users: users(), pagination: page_of(4) });
    server.answer("set_admin", &morpion_openapi::admin::AdminUserAnswer { user: user(2, "ben") });
    let (code, out, error) = run(&server.url(), &["users", "promote", "BEN"]).await;
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("ben@example.org"), "{out}");
    let expected = serde_json::json!({ "userId": user(2, "ben").user_id, "isAdmin": true });
    assert_eq!(server.called("set_admin"), [expected]);
    let (code, _, error) = run(&server.url(), &["users", "demote", "nobody"]).await;
    assert_eq!((code, error.as_str()), (5, "morpion-tui: There is no account 'nobody'.\n"));
    let (code, _, _) = run(&server.url(), &["users", "grant-pro", "ben"]).await;
    assert_eq!(code, 2, "a reason is needed");
}

#[tokio::test]
async fn misuse_is_dealt_with_by_commands() {
    let server = Server::start().await;
    let url = server.url();
    server.answer("list_users", &UsersListAnswer { users: users(), pagination: page_of(4) });
    let answered = |user| morpion_openapi::admin::AdminUserAnswer { user };
    server.answer("suspend_user", &answered(suspended(2, "ben", Some(7))));
    let arguments = ["users", "suspend", "ben", "--days", "7", "--reason", "Insults"];
    let (code, out, error) = run(&url, &arguments).await;
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("ben") && out.contains("2026-11-28 10:00"), "{out}");
    let (code, ..) = run(&url, &["users", "suspend", "ben", "--for-ever", "--reason", "Insults", "--json"]).await;
    let called = server.called("suspend_user");
    assert_eq!(code, 0);
    assert_eq!(called[0]["reason"], "Insults");
    assert!(called[0]["until"].is_string() && called[1]["until"].is_null(), "{called:?}");
    for wrong in [
        &["users", "suspend", "ben", "--reason", "r"][..],
        &["users", "suspend", "ben", "--days", "0", "--reason", "r"],
        &["users", "suspend", "ben", "--days", "7", "--for-ever", "--reason", "r"],
        &["users", "suspend", "ben", "--days", "7"],
        &["users", "delete", "ben", "--reason", "r"],
        &["reports", "close", "ben"],
        &["reports", "close", "ben", "--outcome", "lost"],
    ] {
        assert_eq!(run(&url, wrong).await.0, 2, "{wrong:?}");
    }
    let (code, _, error) = run(&url, &["users", "suspend", "ben", "--days", "99999", "--reason", "r"]).await;
    assert_eq!((code, error.as_str()), (7, "morpion-tui: Too many days.\n"));
    server.refuse("suspend_user", 409, "The last admin cannot be suspended.");
    let (code, _, error) = run(&url, &arguments).await;
    assert!(code == 6 && error.contains("The last admin cannot be suspended."), "{error}");

    server.answer("rename_user", &answered(user(2, "swift-otter")));
    let (code, out, _) = run(&url, &["users", "rename", "ben", "--reason", "r"]).await;
    assert!(code == 0 && out.contains("swift-otter"), "{out}");
    assert!(server.called("rename_user")[0]["username"].is_null());
    server.answer("delete_user", &morpion_openapi::Acknowledgement {});
    let (code, out, _) = run(&url, &["users", "delete", "ben", "--reason", "r", "--yes"]).await;
    assert_eq!((code, out.as_str()), (0, "The account is deleted.\n"));
    let listed = UsersListAnswer { users: vec![suspended(2, "ben", None), user(3, "clea")], pagination: page_of(2) };
    server.answer("list_suspended", &listed);
    let (_, out, _) = run(&url, &["users", "list", "--suspended"]).await;
    assert!(out.contains("for ever") && out.contains("over"), "{out}");
}

#[tokio::test]
async fn reports_are_listed_and_closed() {
    let server = Server::start().await;
    let url = server.url();
    let answer = ReportsAnswer { reports: reports(), pagination: page_of(4) };
    server.answer("list_reports", &answer);
    let (code, out, _) = run(&url, &["reports", "list"]).await;
    assert!(code == 0 && out.lines().count() == 5 && out.contains("Wrote insults"), "{out}");
    run(&url, &["reports", "list", "--closed"]).await;
    let states: Vec<_> = server.called("list_reports").iter().map(|call| call["state"].clone()).collect();
    assert_eq!(states, ["open", "closed"]);
    server.answer("close_report", &ReportAnswer { report: report(2, ReportKind::Name) });
    let arguments = ["reports", "close", "Clément", "--outcome", "dismissed", "--note", "Fine", "--json"];
    let (code, out, error) = run(&url, &arguments).await;
    assert!(code == 0 && out.contains("\"report\""), "{out}{error}");
    let report_id = reports()[1].report_id;
    let expected = serde_json::json!({ "reportId": report_id, "outcome": "dismissed", "note": "Fine" });
    assert_eq!(server.called("close_report"), [expected]);
    let (code, _, error) = run(&url, &["reports", "close", "nobody", "--outcome", "upheld"]).await;
    assert_eq!((code, error.as_str()), (5, "morpion-tui: There is no open report 'nobody'.\n"));
    let (code, _, error) = run(&url, &["reports", "close", "ben", "--outcome", "upheld"]).await;
    assert!(code != 0 && error.contains("ben"), "three are about ben: {error}");
}

#[tokio::test]
async fn games_and_the_audit_trail_are_listed() {
    let server = Server::start().await;
    server.answer("list_live_games", &LiveGamesAnswer { games: games(), pagination: page_of(4) });
    let (code, out, _) = run(&server.url(), &["games", "list"]).await;
    assert_eq!((code, out.lines().count()), (0, 5), "{out}");
    assert!(out.contains("  Anna Petit @anna  ") && out.contains("  ben\n"), "{out}");
    let entry = AuditEntry {
        audit_id: "a-1".to_owned(),
        sequence: 1,
        actor: "ada".to_owned(),
        action: "set_admin".to_owned(),
        subject: "b2".to_owned(),
        subject_kind: None,
        subject_name: Some("ben".to_owned()),
        address: "192.0.2.1".to_owned(),
        detail: Some(r#"{"event":"evil\u001b[2J","eventId":"0f5e7a4c"}"#.to_owned()),
        at: morpion_openapi::Timestamp::from_millis(START),
    };
    server.answer("list_audit", &AuditAnswer { entries: vec![entry], pagination: page_of(1) });
    let (_, out, _) = run(&server.url(), &["audit", "list"]).await;
    assert!(out.contains("ada  set_admin  b2 (ben)") && out.ends_with("event: evil\\u{1b}[2J\n"), "{out}");
    let (_, out, _) = run(&server.url(), &["audit", "list", "--json"]).await;
    assert!(out.contains(r#"\"eventId\":\"0f5e7a4c\""#), "{out}");
}

#[tokio::test]
async fn players_are_listed_with_both_names() {
    let server = Server::start().await;
    let mut ended = event(1, EventState::Ended);
    ended.winners = events()[2].winners.clone();
    server.answer("get_event_by_id", &EventAnswer { event: ended });
    let player = Player {
        user_id: X,
        username: "anna".to_owned(),
        display_name: "An\u{202e}na".to_owned(),
        profile_url: None,
        is_bot: None,
        event_id: event_id(1),
        level: 6,
        wins: 5,
        losses: 0,
        is_eliminated: false,
        is_removed: None,
        rank: Some(1),
        email: None,
    };
    server.answer("get_leaderboard", &PlayersAnswer { players: vec![player], pagination: page_of(1) });
    server.answer("list_users", &UsersListAnswer { users: users(), pagination: page_of(4) });
    server.answer("get_replay", &crate::operations::replay_answer());
    server.answer("get_game", &GameAnswer { game: state(&game(1)) });
    let (event, game) = (event_id(1).to_string(), game_id(1).to_string());
    for (arguments, shown) in [
        (&["events", "show", &event][..], "winner 1     Anna Petit @anna (level 6, 5 wins)\n"),
        (&["events", "leaderboard", &event], "1     An\\u{202e}na @anna  6 "),
        (&["users", "list"], "Z  ada the player\n"),
        (&["games", "replay", &game], "X Anna Petit @anna\nO ben\n"),
        (&["games", "show", &game], "X       Anna Petit @anna (here, 0 s used, to move)\n"),
    ] {
        let (code, out, error) = run(&server.url(), arguments).await;
        assert!(code == 0 && out.contains(shown), "{arguments:?}: {out}{error}");
    }
    let (_, out, _) = run(&server.url(), &["events", "leaderboard", &event, "--json"]).await;
    let player: serde_json::Value = serde_json::from_str(&out).expect("a player a line");
    assert_eq!((&player["username"], &player["displayName"]), (&"anna".into(), &"An\u{202e}na".into()));
}

#[tokio::test]
async fn the_log_is_filtered_and_followed() {
    let mut server = Server::start().await;
    let newest_first: Vec<_> = log_entries(40).into_iter().rev().collect();
    let data = LogsData { logs: newest_first, pagination: page_of(40), next_cursor: None };
    server.answer("getLogs", &LogsAnswer { data });
    let (code, out, error) = run(&server.url(), &["logs", "tail", "--level", "warning", "-n", "3"]).await;
    assert_eq!(code, 0, "{error}");
    let levels: Vec<_> = out.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(levels, ["warning", "error", "warning"], "{out}");
    let (_, out, _) = run(&server.url(), &["logs", "tail", "--search", "bounced", "--json"]).await;
    assert!(out.lines().all(|line| line.contains("bounced")) && out.lines().count() == 5, "{out}");
    let (code, _, error) = run(&server.url(), &["logs", "tail", "--search", "("]).await;
    assert_eq!(code, 7, "{error}");

    // Followed: one record arrives once, one twice, one only from the store.
    let mut child = tokio::process::Command::new(env!("CARGO_BIN_EXE_morpion-tui"))
        .args([
            "--server",
            &server.url(),
            "--token",
            TOKEN,
            "logs",
            "tail",
            "-f",
            "-n",
            "1",
            "--search",
            "followed|bounced",
        ])
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("it runs");
    let mut connection = server.connection().await;
    let (frame, id) = connection.receive().await;
    assert!(matches!(frame, ClientFrame::SubscribeLogs(_)), "{frame:?}");
    let stored = vec![log_entry(41, LogLevel::Info, "followed 41"), log_entry(42, LogLevel::Info, "followed 42")];
    let data = LogsData { logs: stored, pagination: page_of(2), next_cursor: None };
    server.answer("getLogs", &LogsAnswer { data });
    connection.acknowledge(&id.expect("an id")).await;
    for number in [42, 42, 43] {
        let entry = log_entry(number, LogLevel::Info, &format!("followed {number}"));
        connection.send(&ServerFrame::LogAppended(entry)).await;
    }
    let mut lines = tokio::io::AsyncBufReadExt::lines(tokio::io::BufReader::new(child.stdout.take().expect("a pipe")));
    let mut read = vec![];
    while read.len() < 4 {
        let line = tokio::time::timeout(std::time::Duration::from_secs(20), lines.next_line()).await;
        read.push(line.expect("a line in time").expect("a pipe").expect("it goes on"));
    }
    assert!(read[0].contains("bounced"), "{read:?}");
    for (line, number) in read[1..].iter().zip([41, 42, 43]) {
        assert!(line.contains(&format!("followed {number}")), "{read:?}");
    }
    child.kill().await.expect("it runs until then");
}

#[tokio::test]
async fn a_live_game_is_watched_to_its_end() {
    let mut server = Server::start().await;
    let before = state(&game(1));
    server.answer("get_game", &GameAnswer { game: before.clone() });
    let url = server.url();
    let id = game_id(1).to_string();
    let watching = tokio::spawn(async move { run(&url, &["games", "watch", &id]).await });
    let mut connection = server.connection().await;
    connection.tell_state_quietly(&joined(&before)).await;
    connection.send(&ServerFrame::MoveUpdate(next_move(&before, (1, 1), 2))).await;
    let gone = OpponentDisconnected { game_id: before.game_id, user_id: X, countdown: 30, absent_until: None };
    connection.send(&ServerFrame::OpponentDisconnected(gone)).await;
    let after = played(before, &[(1, 1)]);
    connection.send(&ServerFrame::GameEnd(game_end(&after, morpion_openapi::game::EndReason::Forfeit))).await;
    let (code, out, error) = watching.await.expect("it ends");
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("   1 X b2\nAnna Petit @anna disconnected\nben won: Anna Petit @anna forfeited.\n"), "{out}");
}

#[tokio::test]
async fn completions_and_manuals_contain_the_commands() {
    let (code, out, _) = run("http://127.0.0.1:9", &["completions", "bash"]).await;
    assert_eq!(code, 0);
    assert!(out.contains("COMPLETE") && out.contains("morpion-tui"), "{out}");
    let (code, out, _) = run("http://127.0.0.1:9", &["man"]).await;
    assert!(code == 0 && out.contains("Exit codes") && out.contains(".TH morpion"), "{out}");
    let folder = tempfile::tempdir().expect("a folder");
    let (code, _, error) = run("http://127.0.0.1:9", &["man", folder.path().to_str().expect("a name")]).await;
    assert_eq!(code, 0, "{error}");
    let (_, help, _) = run("http://127.0.0.1:9", &["--help"]).await;
    let (_, listed) = help.split_once("Commands:\n").expect("commands");
    let lines = listed.lines().take_while(|line| line.starts_with("  ")).filter(|line| !line.starts_with("   "));
    let names: Vec<_> =
        lines.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(folder.path().join(format!("morpion-tui-{name}.1")).is_file(), "{name}");
    }
    assert!(folder.path().join("morpion-tui-events-start.1").is_file());
}

/// A server's certificate from an authority that only these tests know. Both are good for a
/// hundred years; the authority's key is gone.
async fn tls_server() -> Server {
    let certificates = CertificateDer::pem_slice_iter(include_bytes!("tls/server.pem"));
    let certificates = certificates.collect::<Result<Vec<_>, _>>().expect("a certificate");
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/server.key")).expect("a key");
    let config = ServerConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, key))
        .expect("a configuration");
    let acceptor = TlsAcceptor::from(std::sync::Arc::new(config));
    Server::start_with("127.0.0.1:0".parse().expect("an address"), Some(acceptor)).await
}

#[tokio::test]
async fn https_needs_a_trusted_certificate() {
    let mut server = tls_server().await;
    server.answer("list_live_games", &LiveGamesAnswer { games: games(), pagination: page_of(4) });
    server.answer("get_game", &GameAnswer { game: state(&game(1)) });
    let url = format!("https://{}", server.address);
    let authority = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/console/tls/authority.pem");

    let (code, _, error) = run_with(&url, &["games", "list"], &[]).await;
    assert_eq!(code, 3, "{error}");
    assert!(error.contains("signed by nobody this machine knows"), "{error}");

    let known = [("SSL_CERT_FILE", authority)];
    let (code, out, error) = run_with(&url, &["games", "list"], &known).await;
    assert_eq!((code, out.lines().count()), (0, 5), "{error}");

    // The websocket too.
    let id = game_id(1).to_string();
    let watching = tokio::spawn(async move { run_with(&url, &["games", "watch", &id], &known).await });
    let mut connection = server.connection().await;
    connection.tell_state_quietly(&joined(&won(state(&game(1))))).await;
    let (code, out, error) = watching.await.expect("it ends");
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("completed"), "{out}");

    let plain = Server::start().await;
    let (code, _, error) = run(&format!("https://{}", plain.address), &["games", "list"]).await;
    assert_eq!(code, 3);
    assert!(error.contains("does not speak TLS"), "{error}");
}

/// Runs the program with an output that cannot be written.
async fn run_into(server: &str, arguments: &[&str], output: impl Into<std::process::Stdio>) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion-tui"));
    command.args(["--server", server, "--token", TOKEN]).args(arguments);
    command.stdout(output).stderr(std::process::Stdio::piped());
    let child = command.spawn().expect("it runs");
    let ended = tokio::task::spawn_blocking(move || child.wait_with_output()).await.expect("a thread");
    let Output { status, stderr, .. } = ended.expect("it ends");
    (status.code().expect("it exits"), String::from_utf8(stderr).expect("text"))
}

fn full_disk() -> std::fs::File {
    std::fs::File::options().write(true).open("/dev/full").expect("Linux has it")
}

/// A pipe whose reader was closed.
fn closed_pipe() -> std::io::PipeWriter {
    std::io::pipe().expect("a pipe").1
}

#[tokio::test]
async fn unwritable_output_is_an_error() {
    let server = Server::start_with_events().await;
    server.answer("get_event_by_id", &EventAnswer { event: event(1, EventState::Ended) });
    server.answer("start_event", &EventAnswer { event: event(1, EventState::Started) });
    server.answer("list_live_games", &LiveGamesAnswer { games: games(), pagination: page_of(4) });
    server.answer("list_users", &UsersListAnswer { users: users(), pagination: page_of(4) });
    server.answer("list_tokens", &TokensAnswer { tokens: vec![], warnings: vec![], current_token_id: None });
    server.answer("list_audit", &AuditAnswer { entries: vec![], pagination: page_of(0) });
    let answer = VerifyEventAnswer {
        agrees: true,
        games: 1,
        players: 2,
        differences: vec![],
        corrections: vec![],
        acts: vec![],
        vouched: None,
    };
    server.answer("verify_event", &answer);
    let data = LogsData { logs: log_entries(3), pagination: page_of(3), next_cursor: None };
    server.answer("getLogs", &LogsAnswer { data });
    let id = event_id(1).to_string();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["events", "--help"],
        &["default-config"],
        &["completions", "bash"],
        &["man"],
        &["overview"],
        &["overview", "--json"],
        &["events", "list"],
        &["events", "list", "--json"],
        &["events", "show", &id],
        &["events", "start", &id],
        &["events", "verify", &id],
        &["games", "list"],
        &["users", "list", "--json"],
        &["tokens", "list"],
        &["audit", "list"],
        &["logs", "list"],
        &["logs", "tail", "--json"],
        &["logs", "export"],
    ] {
        let (code, error) = run_into(&server.url(), arguments, full_disk()).await;
        assert_eq!(code, 11, "{arguments:?}: {error}");
        assert!(error.contains("could not be written: there is no room left on the disk."), "{arguments:?}: {error}");
    }
    for arguments in [&["--help"][..], &["default-config"], &["events", "list"], &["logs", "export"]] {
        let (code, error) = run_into(&server.url(), arguments, closed_pipe()).await;
        assert_eq!(code, 11, "{arguments:?}: {error}");
        assert!(error.contains("its reader went away"), "{arguments:?}: {error}");
    }
}

#[tokio::test]
async fn a_token_that_could_not_be_printed_is_revoked() {
    let server = Server::start().await;
    let made = CreateTokenAnswer {
        token: "morpion_secret".to_owned(),
        token_id: "t-1".to_owned(),
        expires_at: Timestamp::from_millis(START),
    };
    server.answer("create_token", &made);
    server.answer("revoke_token", &morpion_openapi::Acknowledgement {});
    for arguments in [
        &["tokens", "create", "laptop", "--scope", "read"][..],
        &["tokens", "create", "laptop", "--scope", "read", "--json"],
    ] {
        let (code, error) = run_into(&server.url(), arguments, full_disk()).await;
        assert_eq!(code, 11, "{error}");
        assert!(error.contains("The token was revoked again.") && !error.contains("morpion_secret"), "{error}");
    }
    assert_eq!(server.called("revoke_token"), vec![serde_json::json!({ "tokenId": "t-1" }); 2]);
    server.refuse("revoke_token", 503, "Not now.");
    let (code, error) =
        run_into(&server.url(), &["tokens", "create", "laptop", "--scope", "read"], closed_pipe()).await;
    assert_eq!(code, 11);
    assert!(error.contains("morpion-tui tokens revoke t-1") && error.contains("Not now."), "{error}");

    let (code, out, _) = run(&server.url(), &["tokens", "create", "laptop", "--scope", "read"]).await;
    assert_eq!((code, out.as_str()), (0, "morpion_secret\n"));
}

#[tokio::test]
async fn webhooks_and_what_they_took_are_listed_and_sent_again() {
    let server = Server::start().await;
    let at = Timestamp::from_millis(START);
    let (webhook_id, message_id) = (event_id(1), event_id(2));
    let hook = Webhook {
        webhook_id,
        url: "https://club.example.org/hook".to_owned(),
        kinds: vec![WebhookKind::EventStarted],
        created_at: at,
        delivered_at: None,
        failing_since: Some(at),
        disabled_reason: None,
        waiting: 1,
    };
    let delivery = WebhookDelivery {
        message_id,
        kind: "event.started".to_owned(),
        happened_at: at,
        state: DeliveryState::Failed,
        attempts: 12,
        next_at: None,
        last_at: Some(at),
        status: Some(500),
        answer: Some("out of\u{1b}paper".to_owned()),
        failure: Some("It answered 500.".to_owned()),
        payload: "{}".to_owned(),
    };
    server.answer("list_webhooks", &WebhooksAnswer { webhooks: vec![hook], most: 20, is_sending: true });
    let pagination = PageRequest::new(None, None, 50).pagination(1);
    let deliveries = vec![delivery.clone()];
    server.answer("list_deliveries", &WebhookDeliveriesAnswer { deliveries, pagination });
    server.answer("resend_delivery", &WebhookDeliveryAnswer { delivery });
    let (code, out, error) = run(&server.url(), &["webhooks", "list"]).await;
    assert!(code == 0 && out.contains("failing since") && out.contains("event.started"), "{out}{error}");
    let named = "https://club.example.org/hook";
    let (code, out, error) = run(&server.url(), &["webhooks", "deliveries", named]).await;
    assert!(code == 0 && out.contains("It answered 500. out of\\u{1b}paper"), "{out}{error}");
    let (code, _, error) = run(&server.url(), &["webhooks", "resend", named, &message_id.to_string()]).await;
    assert_eq!(code, 0, "{error}");
    let called = serde_json::json!({ "webhookId": webhook_id, "messageId": message_id });
    assert_eq!(server.called("resend_delivery"), [called]);
}

fn token(id: &str, name: &str) -> OperatorToken {
    OperatorToken {
        token_id: id.to_owned(),
        name: name.to_owned(),
        scope: TokenScope::All,
        created_at: morpion_openapi::Timestamp::from_millis(START),
        expires_at: None,
        last_used_at: None,
    }
}

#[tokio::test]
async fn revoking_the_token_in_use_needs_a_confirmation() {
    let server = Server::start().await;
    let tokens = vec![token("aaaa1111-0000", "laptop"), token("bbbb2222-0000", "console")];
    server.answer(
        "list_tokens",
        &TokensAnswer { tokens, warnings: vec![], current_token_id: Some("bbbb2222-0000".to_owned()) },
    );
    server.answer("revoke_token", &morpion_openapi::Acknowledgement {});
    for wanted in ["bbbb2222-0000", "bbbb", "Console"] {
        let (code, _, error) = run(&server.url(), &["tokens", "revoke", wanted]).await;
        assert_eq!(code, 6, "{error}");
        assert!(
            error.contains("'console' is the token that this command signs in with") && error.contains("--yes"),
            "{error}"
        );
    }
    assert!(server.called("revoke_token").is_empty());
    for (arguments, id) in [
        (&["tokens", "revoke", "laptop"][..], "aaaa1111-0000"),
        (&["tokens", "revoke", "aaaa"], "aaaa1111-0000"),
        (&["tokens", "revoke", "console", "--yes"], "bbbb2222-0000"),
    ] {
        let (code, _, error) = run(&server.url(), arguments).await;
        assert_eq!(code, 0, "{error}");
        assert_eq!(server.called("revoke_token").last(), Some(&serde_json::json!({ "tokenId": id })));
    }
}

#[tokio::test]
async fn short_ids_titles_and_usernames_are_accepted() {
    let server = Server::start_with_events().await;
    server.answer("get_event_by_id", &EventAnswer { event: event(1, EventState::Ended) });
    server.answer("find_ids", &FoundIdsAnswer { ids: vec![event_id(7)] });
    let (code, _, error) = run(&server.url(), &["events", "show", "friday night BLITZ"]).await;
    assert_eq!(code, 0, "{error}");
    let blitz = events().into_iter().find(|event| event.title == "Friday night blitz").expect("it is there");
    let asked = |server: &Server| server.called("get_event_by_id").pop().expect("asked")["eventId"].clone();
    assert_eq!(asked(&server), blitz.event_id.to_string());
    let beginning = &event_id(7).to_string()[..8];
    let (code, _, error) = run(&server.url(), &["events", "show", beginning]).await;
    assert_eq!(code, 0, "{error}");
    assert_eq!(asked(&server), event_id(7).to_string());
    assert_eq!(server.called("find_ids"), [serde_json::json!({ "of": "event", "beginning": beginning })]);

    server.answer("find_ids", &FoundIdsAnswer { ids: vec![event_id(7), event_id(8)] });
    let (code, _, error) = run(&server.url(), &["events", "start", "0000"]).await;
    assert_eq!(code, 7);
    assert!(error.contains("means 2 events") && error.contains(&event_id(8).to_string()), "{error}");
    assert!(server.called("start_event").is_empty());
    let (code, _, error) = run(&server.url(), &["events", "start", "No such cup"]).await;
    assert_eq!((code, error.as_str()), (5, "morpion-tui: There is no event 'No such cup'.\n"));

    server.answer("find_ids", &FoundIdsAnswer { ids: vec![game_id(3)] });
    server.answer("get_game", &GameAnswer { game: state(&game(3)) });
    let (code, _, error) = run(&server.url(), &["games", "show", &game_id(3).to_string()[..8]]).await;
    assert_eq!(code, 0, "{error}");
    assert_eq!(server.called("get_game")[0]["gameId"], game_id(3).to_string());

    server.answer("find_ids", &FoundIdsAnswer { ids: vec![] });
    server.answer("list_users", &UsersListAnswer { users: users(), pagination: page_of(4) });
    let data = LogsData { logs: vec![], pagination: page_of(0), next_cursor: None };
    server.answer("getLogs", &LogsAnswer { data });
    let (code, _, error) = run(&server.url(), &["logs", "list", "--user", "ben"]).await;
    assert_eq!(code, 0, "{error}");
    let ben = users().into_iter().find(|user| user.username == "ben").expect("he is there");
    assert_eq!(server.called("getLogs")[0]["filter"]["userId"], ben.user_id.to_string());
}

#[tokio::test]
async fn the_shell_completes_names_of_the_server() {
    let server = Server::start_with_events().await;
    server.answer("list_users", &UsersListAnswer { users: users(), pagination: page_of(4) });
    server.answer("list_live_games", &LiveGamesAnswer { games: games(), pagination: page_of(4) });
    let url = server.url();
    let completed = async |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_morpion-tui"));
        command.arg("--").args(words).env("COMPLETE", "bash").env("MORPION_TUI_TOKEN", TOKEN);
        command.env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string()).env("_CLAP_IFS", "\n");
        let output = tokio::task::spawn_blocking(move || command.output()).await.expect("a thread").expect("it runs");
        String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let blitz = events().into_iter().find(|event| event.title == "Friday night blitz").expect("it is there");
    let offers = completed(&["morpion-tui", "--server", &url, "events", "start", "Fri"]).await;
    assert_eq!(offers, [blitz.event_id.to_string()]);
    let id = blitz.event_id.to_string();
    assert!(completed(&["morpion-tui", "--server", &url, "events", "show", &id[..6]]).await.contains(&id));
    assert_eq!(completed(&["morpion-tui", "--server", &url, "users", "promote", "be"]).await, ["ben"]);
    for name in ["a_very", "alexandra"] {
        let offers = completed(&["morpion-tui", "--server", &url, "games", "show", name]).await;
        assert_eq!(offers, [game_id(0x77c0_ffee).to_string()], "{name}");
    }
    let dead = "http://127.0.0.1:9";
    assert!(completed(&["morpion-tui", "--server", dead, "users", "promote", "be"]).await.is_empty());
    assert!(completed(&["morpion-tui", "eve"]).await.contains(&"events".to_owned()));
}

#[tokio::test]
async fn json_is_one_object_a_line() {
    let server = Server::start().await;
    server.answer(
        "list_events",
        &EventsAnswer { events: events(), pagination: Pagination { has_next_page: true, ..page_of(105) } },
    );
    server.answer("list_users", &UsersListAnswer { users: users(), pagination: page_of(4) });
    server.answer("list_live_games", &LiveGamesAnswer { games: games(), pagination: page_of(4) });
    server.answer(
        "list_tokens",
        &TokensAnswer { tokens: vec![token("t", "evil\u{202e}")], warnings: vec![], current_token_id: None },
    );
    server.answer("overview", &overview());
    for (arguments, lines) in [
        (&["events", "list"][..], 5),
        (&["users", "list"], 4),
        (&["games", "list"], 4),
        (&["tokens", "list"], 1),
        (&["overview"], 1),
    ] {
        let (code, out, _) = run(&server.url(), &[arguments, &["--json"]].concat()).await;
        assert_eq!((code, out.lines().count()), (0, lines), "{out}");
        assert!(out.lines().all(|line| serde_json::from_str::<serde_json::Map<_, _>>(line).is_ok()), "{out}");
        assert!(!out.contains('\u{202e}'), "{out}");
    }
    let (_, out, error) = run(&server.url(), &["events", "list", "--json"]).await;
    assert!(error.contains("--page shows another") && !out.contains("--page"), "{error}");
}

#[tokio::test]
async fn an_export_applies_the_same_filters_as_a_list() {
    let server = Server::start().await;
    let page = |logs: Vec<morpion_openapi::logger::LogEntry>| {
        let pagination = page_of(logs.len() as u64);
        LogsAnswer { data: LogsData { logs, pagination, next_cursor: None } }
    };
    let entries = vec![
        log_entry(1, LogLevel::Error, "commit took 5012 ms"),
        log_entry(2, LogLevel::Warning, "commit took 612 ms"),
        log_entry(3, LogLevel::Info, "commit took 12 ms"),
        log_entry(4, LogLevel::Warning, "mail bounced \u{202e}"),
    ];
    server.answer("getLogs", &page(entries));
    let exported = async |arguments: &[&str]| {
        let (code, out, error) = run(&server.url(), &[&["logs", "export"], arguments].concat()).await;
        assert_eq!(code, 0, "{error}");
        let lines = out.lines().map(serde_json::from_str::<morpion_openapi::logger::LogEntry>);
        lines.map(|entry| entry.expect("a record a line").message).collect::<Vec<_>>()
    };
    assert_eq!(exported(&[]).await.len(), 4);
    assert_eq!(exported(&["--level", "warning"]).await.len(), 3, "this level and more severe ones");
    let found = exported(&["--level", "warning", "--search", "took [0-9]{3} ms"]).await;
    assert_eq!(found, ["commit took 612 ms"]);
    assert_eq!(exported(&["--search", "!took"]).await, ["mail bounced \u{202e}"]);
    exported(&["--service", "play", "--session", "s", "--request", "r", "--platform", "p", "--text", "t"]).await;
    let filter = server.called("getLogs").pop().expect("asked")["filter"].clone();
    for (name, value) in [("service", "play"), ("sessionId", "s"), ("requestId", "r"), ("platform", "p"), ("text", "t")]
    {
        assert_eq!(filter[name], value, "{filter}");
    }
}

#[tokio::test]
async fn flags_beat_the_environment() {
    let server = Server::start().await;
    server.answer("list_live_games", &LiveGamesAnswer { games: games(), pagination: page_of(4) });
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("token");
    std::fs::write(&file, TOKEN).expect("it is written");
    let file = file.to_str().expect("a name");
    let config = folder.path().join("morpion-tui.toml");
    std::fs::write(&config, format!("[servers.here]\nserver = '{}'\ntoken_file = '{file}'\n", server.url()))
        .expect("written");
    let config = config.to_str().expect("a name");
    let url = server.url();
    for (arguments, env) in [
        (&["--server", &*url, "--token-file", file][..], &[("MORPION_TUI_TOKEN", "wrong")][..]),
        (&["--server", &url, "--token", TOKEN], &[("MORPION_TUI_TOKEN_FILE", "/no/such/file")]),
        (&["--server", &url, "--token", TOKEN], &[("MORPION_TUI_PROFILE", "elsewhere")]),
        (&["--profile", "here", "--config", config], &[("MORPION_TUI_SERVER", "http://127.0.0.1:9")]),
        (&[], &[("MORPION_TUI_SERVER", &url), ("MORPION_TUI_TOKEN_FILE", file)]),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_morpion-tui"));
        command.args(["games", "list"]).args(arguments).envs(env.iter().copied());
        let output = tokio::task::spawn_blocking(move || command.output()).await.expect("a thread").expect("it runs");
        assert!(output.status.success(), "{arguments:?} {env:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let (code, _, error) = run_with(&url, &["games", "list", "--token-file", file], &[]).await;
    assert_eq!(code, 2);
    assert!(error.contains("--token and --token-file cannot both be given together"), "{error}");
}

#[test]
fn a_variable_that_is_not_utf_8_is_refused() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion-tui"));
    let output =
        command.arg("overview").env("MORPION_DATA_DIR", OsStr::from_bytes(b"/srv/\xff")).output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), told.contains("MORPION_DATA_DIR is not UTF-8")), (Some(2), true), "{told}");
}

#[tokio::test]
async fn keys_that_cannot_be_used_hold_nothing_up() {
    let server = Server::start_with_events().await;
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("morpion-tui.toml");
    let file = config.to_str().expect("a name");
    std::fs::write(&config, "[keys]\nquit = 'Q'\nrefesh = 'F5'\nrefresh = 'F5 a'\n").expect("it is written");
    let (code, _, error) = run(&server.url(), &["--config", file, "events", "list"]).await;
    assert_eq!(code, 0, "{error}");
    let (code, _, error) = run("http://127.0.0.1:9", &["--config", file]).await;
    assert!(code == 1 && error.contains("needs a terminal"), "{code} {error}");
    // What says where the server is, or that nothing may be changed there, has to be read.
    std::fs::write(&config, "readonly = true\n[keys\n").expect("it is written");
    let (code, _, error) = run("http://127.0.0.1:9", &["--config", file]).await;
    assert!(code == 2 && error.contains("line 2"), "{code} {error}");
}
