//! The connection, against a server that speaks the real protocol.

use std::time::Duration;

use clap::Parser;
use morpion_openapi::{
    Pagination,
    admin::{ListLiveGames, LiveGamesAnswer, Overview},
    event::{EventAnswer, EventState, StartEvent},
    realtime::{ClientFrame, SpectateGame},
};
use morpion_tui::{
    args::Args,
    calls::{Call, Reply},
    config::Settings,
    event::{Event, NetEvent, QUEUE},
    net::{
        Net, SocketCommand,
        command_error::{CommandError, FailureKind},
    },
};
use tokio::{
    sync::mpsc,
    time::{Instant, timeout},
};

use crate::{
    fixtures::{changed, event, event_id, game, game_id, joined, state},
    server::{Server, TOKEN},
};

struct Side {
    net: Net,
    events: mpsc::Receiver<Event>,
}

impl Side {
    fn start(arguments: &[&str]) -> Self {
        let args = Args::try_parse_from([&["morpion-tui"], arguments].concat()).expect("good arguments");
        let settings = Settings::resolve(&args.flags).expect("good settings");
        let (sender, events) = mpsc::channel(QUEUE);
        Self { net: Net::start(&settings, sender).expect("it starts"), events }
    }

    async fn next(&mut self) -> NetEvent {
        match timeout(Duration::from_secs(20), self.events.recv()).await.expect("news") {
            Some(Event::Net(news)) => news,
            other => panic!("{other:?} is no news from the network"),
        }
    }

    /// The answer to a call, whatever comes before it.
    async fn answer(&mut self, wanted: &Call) -> Result<Box<Reply>, CommandError> {
        loop {
            if let NetEvent::Answered { call, outcome } = self.next().await
                && *call == *wanted
            {
                return outcome;
            }
        }
    }

    async fn expect_connected(&mut self) {
        assert!(matches!(self.next().await, NetEvent::Connecting));
        let news = self.next().await;
        assert!(matches!(news, NetEvent::Connected), "{news:?}");
    }
}

#[tokio::test]
async fn frames_go_both_ways() {
    let mut server = Server::start().await;
    let mut side = Side::start(&["--server", &server.url(), "--token", TOKEN]);
    side.expect_connected().await;
    let mut connection = server.connection().await;

    let frame = ClientFrame::SpectateGame(SpectateGame { game_id: game_id(1) });
    side.net.request(SocketCommand::Send { frame: Box::new(frame.clone()), id: Some("spectate") });
    assert_eq!(connection.receive().await, (frame, Some("spectate".to_owned())));
    connection.acknowledge("spectate").await;
    let news = side.next().await;
    assert!(matches!(&news, NetEvent::Ack { id, ack } if id == "spectate" && ack.succeeded), "{news:?}");

    let frame = joined(&state(&game(1)));
    connection.send(&frame).await;
    assert!(matches!(side.next().await, NetEvent::Frame(read) if *read == frame));
    connection.send_text(r#"{"event":"fromTheFuture","data":{}}"#.to_owned()).await;
    assert!(matches!(side.next().await, NetEvent::Unknown));
}

#[tokio::test]
async fn a_large_list_fits_in_a_frame() {
    let mut server = Server::start().await;
    let mut side = Side::start(&["--server", &server.url(), "--token", TOKEN]);
    side.expect_connected().await;
    let frame = changed((0..2_000).map(game).collect(), vec![]);
    server.connection().await.send(&frame).await;
    assert!(matches!(side.next().await, NetEvent::Frame(read) if *read == frame));
}

#[tokio::test]
async fn a_lost_connection_is_reestablished() {
    let mut server = Server::start().await;
    let mut side = Side::start(&["--server", &server.url(), "--token", TOKEN]);
    side.expect_connected().await;
    server.connection().await.close().await;
    let lost = Instant::now();
    let NetEvent::Disconnected { why, retry_in_ms } = side.next().await else { panic!("it was lost") };
    assert!(why.contains("closed the connection"), "{why}");
    assert!((500..=1_500).contains(&retry_in_ms), "1 s, jitter 0.5: {retry_in_ms}");
    side.expect_connected().await;
    assert!(lost.elapsed() >= Duration::from_millis(500));
    server.connection().await;
}

#[tokio::test]
async fn an_unreachable_server_is_retried_with_backoff_or_on_request() {
    let server = Server::start().await;
    let (address, url) = (server.address, server.url());
    server.stop().await;
    let mut side = Side::start(&["--server", &url, "--token", TOKEN]);
    assert!(matches!(side.next().await, NetEvent::Connecting));
    let NetEvent::Disconnected { why, .. } = side.next().await else { panic!("it is not disconnected") };
    assert_eq!(why, "Nothing answers there.");
    assert!(matches!(side.next().await, NetEvent::Connecting));
    let NetEvent::Disconnected { retry_in_ms, .. } = side.next().await else { panic!("it is not disconnected") };
    assert!((1_000..=3_000).contains(&retry_in_ms), "2 s, jitter 0.5: {retry_in_ms}");

    let mut server = Server::start_at(address).await;
    let asked = Instant::now();
    side.net.request(SocketCommand::Reconnect);
    side.expect_connected().await;
    assert!(asked.elapsed() < Duration::from_millis(900));
    server.connection().await;
}

#[tokio::test]
async fn a_wrong_token_is_reported_and_a_new_one_is_picked_up() {
    let mut server = Server::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("token");
    let file = path.to_str().expect("a name");
    let mut side = Side::start(&["--server", &server.url(), "--token-file", file]);
    assert!(matches!(side.next().await, NetEvent::Connecting));
    let NetEvent::Unauthorized { why, .. } = side.next().await else { panic!("there is no token") };
    assert!(why.contains("no such file"), "{why}");

    std::fs::write(&path, "a-wrong-token").expect("it is written");
    side.net.request(SocketCommand::Reconnect);
    assert!(matches!(side.next().await, NetEvent::Connecting));
    let NetEvent::Unauthorized { why, retry_in_ms } = side.next().await else { panic!("the token is wrong") };
    assert_eq!((why.as_str(), retry_in_ms), ("Please sign in.", 5_000));

    std::fs::write(&path, TOKEN).expect("it is written");
    side.net.request(SocketCommand::Reconnect);
    side.expect_connected().await;
    server.connection().await;
}

#[tokio::test]
async fn calls_are_made_with_the_token() {
    let server = Server::start().await;
    let pagination =
        Pagination { current_page: 2, limit: 100, total_count: 0, has_prev_page: true, has_next_page: false };
    server.answer("list_live_games", &LiveGamesAnswer { games: vec![], pagination });
    for (token, is_right) in [(TOKEN, true), ("a-wrong-token", false)] {
        let mut side = Side::start(&["--server", &server.url(), "--token", token]);
        let call = Call::ListLiveGames(ListLiveGames { page: Some(2), limit: Some(100) });
        side.net.call(call.clone());
        match (side.answer(&call).await, is_right) {
            (Ok(reply), true) => {
                assert!(matches!(*reply, Reply::ListLiveGames(answer) if answer.pagination.current_page == 2));
            }
            (Err(refusal), false) => {
                assert_eq!((refusal.kind, refusal.text.as_str()), (FailureKind::NotAllowed, "Please sign in."));
            }
            (outcome, _) => panic!("{outcome:?}"),
        }
    }
    assert_eq!(server.called("list_live_games"), [serde_json::json!({ "page": 2, "limit": 100 })]);
}

#[tokio::test]
async fn writes_are_posted_unless_read_only() {
    let server = Server::start().await;
    server.answer("start_event", &EventAnswer { event: event(1, EventState::Started) });
    let call = Call::StartEvent(StartEvent { event_id: event_id(1) });
    let mut reading = Side::start(&["--server", &server.url(), "--token", TOKEN, "--readonly"]);
    reading.net.call(call.clone());
    let refusal = reading.answer(&call).await.expect_err("it only reads");
    assert_eq!(refusal.kind, FailureKind::ReadOnly);
    assert!(server.called("start_event").is_empty(), "the server was not called");

    let mut side = Side::start(&["--server", &server.url(), "--token", TOKEN]);
    side.net.call(call.clone());
    assert!(matches!(*side.answer(&call).await.expect("it is started"), Reply::StartEvent(_)));
    assert_eq!(server.called("start_event"), [serde_json::json!({ "eventId": event_id(1) })]);
}

#[tokio::test]
async fn absent_features_are_reported_as_such() {
    let server = Server::start().await;
    let mut side = Side::start(&["--server", &server.url(), "--token", TOKEN]);
    let call = Call::Overview(Overview {});
    side.net.call(call.clone());
    let refusal = side.answer(&call).await.expect_err("there is none");
    assert_eq!((refusal.kind, refusal.text.as_str()), (FailureKind::Absent, "This server does not have that yet."));
}

#[tokio::test]
async fn a_full_event_queue_blocks_the_server_and_is_bounded() {
    let mut server = Server::start().await;
    let mut side = Side::start(&["--server", &server.url(), "--token", TOKEN]);
    side.expect_connected().await;
    let mut connection = server.connection().await;
    let frame = changed((0..200).map(game).collect(), vec![]);
    let mut sent = 0;
    while timeout(Duration::from_secs(2), connection.send(&frame)).await.is_ok() {
        sent += 1;
        assert!(sent < 20 * QUEUE, "the server is never blocked");
    }
    assert_eq!(side.events.len(), QUEUE, "the queue is full");
    assert!(matches!(side.next().await, NetEvent::Frame(read) if *read == frame));
}
