//! The commands for scripts: what they print, and what they end with.

use std::process::{Command, Output};

use morpion_openapi::{
    admin::{AuditAnswer, AuditEntry, LiveGamesAnswer, UsersListAnswer},
    event::{EventAnswer, EventState, EventsAnswer, VerifyEventAnswer},
    logger::{LogLevel, LogsAnswer, LogsData},
    realtime::{ClientFrame, ServerFrame},
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
    server::{Server, TOKEN},
};

/// Runs the program off the async thread, which is the server's.
async fn run(server: &str, arguments: &[&str]) -> (i32, String, String) {
    run_with(server, arguments, &[]).await
}

async fn run_with(server: &str, arguments: &[&str], env: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion-tui"));
    command.args(["--server", server, "--token", TOKEN]).args(arguments).envs(env.iter().copied());
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("a thread").expect("it runs");
    let Output { status, stdout, stderr } = output;
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code().expect("it ends by itself"), text(stdout), text(stderr))
}

#[tokio::test]
async fn events_are_listed_and_taken_from_draft_to_winners() {
    let server = Server::start().await;
    server.answer("list_events", &EventsAnswer { events: events(), pagination: page_of(5) });
    let (code, out, _) = run(&server.url(), &["events", "list"]).await;
    assert_eq!(code, 0);
    let line = out.lines().nth(1).expect("an event");
    assert!(line.contains("started") && line.ends_with("Friday night blitz"), "{out}");

    let (code, out, _) =
        run(&server.url(), &["events", "list", "--json", "--state", "started", "--state", "ended"]).await;
    let answer: EventsAnswer = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, answer.events.len()), (0, 5));
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
async fn what_went_wrong_is_an_exit_code_and_a_sentence() {
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
    let (code, _, error) = run(&server.url(), &["events", "start", "not-an-id"]).await;
    assert_eq!(code, 2, "{error}");
    let url = server.url();
    server.stop().await;
    let (code, _, error) = run(&url, &["events", "start", &id]).await;
    assert_eq!((code, error.as_str()), (3, "morpion-tui: Nothing answers there.\n"));
}

#[tokio::test]
async fn events_are_made_with_times_as_people_write_them() {
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
async fn standings_that_do_not_agree_have_a_code_of_their_own() {
    let server = Server::start().await;
    let id = event_id(1).to_string();
    for (agrees, code) in [(true, 0), (false, 10)] {
        let differences = if agrees { vec![] } else { vec!["anna: 3 wins are stored, 2 were played".to_owned()] };
        server.answer("verify_event", &VerifyEventAnswer { agrees, games: 9, players: 4, differences });
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
async fn games_and_the_audit_trail_are_listed() {
    let server = Server::start().await;
    server.answer("list_live_games", &LiveGamesAnswer { games: games(), pagination: page_of(4) });
    let (code, out, _) = run(&server.url(), &["games", "list"]).await;
    assert_eq!((code, out.lines().count()), (0, 5), "{out}");
    let entry = AuditEntry {
        audit_id: "a-1".to_owned(),
        actor: "ada".to_owned(),
        action: "set_admin".to_owned(),
        subject: "ben".to_owned(),
        address: "192.0.2.1".to_owned(),
        detail: Some("evil\u{1b}[2J".to_owned()),
        at: morpion_openapi::Timestamp::from_millis(START),
    };
    server.answer("list_audit", &AuditAnswer { entries: vec![entry], pagination: page_of(1) });
    let (_, out, _) = run(&server.url(), &["audit", "list"]).await;
    assert!(out.contains("ada  set_admin  ben") && !out.contains('\u{1b}'), "{out}");
}

#[tokio::test]
async fn the_tail_of_the_log_is_chosen_and_followed() {
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

    // Followed: one record is told by itself, one twice, one only by the store.
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
async fn a_live_game_is_followed_to_its_end() {
    let mut server = Server::start().await;
    let before = state(&game(1));
    server.answer("get_game", &morpion_openapi::game::GameAnswer { game: before.clone() });
    let url = server.url();
    let id = game_id(1).to_string();
    let watching = tokio::spawn(async move { run(&url, &["games", "watch", &id]).await });
    let mut connection = server.connection().await;
    connection.tell_state_quietly(&joined(&before)).await;
    connection.send(&ServerFrame::MoveUpdate(next_move(&before, (1, 1), 2))).await;
    let after = played(before, &[(1, 1)]);
    connection.send(&ServerFrame::GameEnd(game_end(&after, morpion_openapi::game::EndReason::Forfeit))).await;
    let (code, out, error) = watching.await.expect("it ends");
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("   1 X b2\n") && out.ends_with("ben won (forfeit)\n"), "{out}");
}

#[tokio::test]
async fn shells_and_manuals_know_the_commands() {
    let (code, out, _) = run("http://127.0.0.1:9", &["completions", "bash"]).await;
    assert_eq!(code, 0);
    assert!(out.contains("adjudicate") && out.contains("--readonly"));
    let (code, out, _) = run("http://127.0.0.1:9", &["man"]).await;
    assert!(code == 0 && out.contains("Exit codes") && out.contains(".TH morpion"), "{out}");
    let folder = tempfile::tempdir().expect("a folder");
    let (code, _, error) = run("http://127.0.0.1:9", &["man", folder.path().to_str().expect("a name")]).await;
    assert_eq!(code, 0, "{error}");
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
async fn https_is_spoken_with_those_whose_certificate_is_known() {
    let mut server = tls_server().await;
    server.answer("list_live_games", &LiveGamesAnswer { games: games(), pagination: page_of(4) });
    server.answer("get_game", &morpion_openapi::game::GameAnswer { game: state(&game(1)) });
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
