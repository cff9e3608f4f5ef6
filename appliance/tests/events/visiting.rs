//! Visitors, who watch events without signing in: `docs/behaviour/watching.md#visitors`.

use std::net::IpAddr;

use morpion_appliance::config::Config;
use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired, started, win},
    quick_match::{id_of, paired as paired_quickly, two, wish},
    socket::{Socket, handshake},
    support::Server,
};

async fn visits(server: &Server) -> Socket {
    Socket::connect(handshake(server.address)).await.unwrap()
}

fn nothing(_: &mut Config) {}

async fn world(change: impl FnOnce(&mut Config)) -> (Fixture, Person, Person) {
    let fixture = Fixture::with(change).await;
    let (ada, bob) = (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await);
    (fixture, ada, bob)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_sees_an_event_its_leaderboard_and_its_boards_as_they_move() {
    let (fixture, mut ada, mut bob) = world(nothing).await;
    let event = fixture.published(details("Cup")).await;
    let mut visitor = visits(&fixture.server).await;
    fixture.act("start_event", &event).await;
    assert_eq!(visitor.wait("eventStateChanged").await, json!({ "eventId": event, "eventState": "started" }));
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    let browser = fixture.server.browser().await;
    let listed = browser.read("game", "spectatable_games", json!({ "eventId": event })).await.ok();
    assert_eq!(listed["games"][0]["gameId"], json!(game));
    assert_eq!(visitor.ask("spectateGame", json!({ "gameId": game })).await["succeeded"], true);
    let joined = visitor.wait("gameJoined").await;
    assert_eq!((&joined["gameState"]["gameId"], &joined["watchers"]), (&json!(game), &json!(0)), "nobody is counted");
    win(&mut ada, &mut bob, &game, &state).await;
    visitor.wait("moveUpdate").await;
    assert_eq!(visitor.wait("gameEnd").await["winnerUserId"], json!(ada.id));
    while visitor.wait("refreshLeaderboard").await["eventId"] != json!(event) {}
    let ranked = browser.read("player", "get_leaderboard", json!({ "eventId": event })).await.ok();
    assert_eq!((&ranked["players"][0]["username"], ranked["players"][0].get("email")), (&json!("ada"), None));
    let games = browser.read("game", "get_games_by_event", json!({ "eventId": event, "userId": bob.id })).await.ok();
    assert_eq!(games["games"][0]["gameId"], json!(game));
    let shown = browser.read("game", "get_game", json!({ "gameId": game })).await.ok();
    assert_eq!((&shown["game"]["status"], shown["game"].get("isOwn")), (&json!("completed"), None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitors_socket_does_nothing_but_watch() {
    let (fixture, mut ada, mut bob) = world(nothing).await;
    let event = fixture.started(details("Cup")).await;
    let invite = json!({ "players": [{ "userId": ada.id }, { "userId": bob.id }], "gameType": "invite" });
    let private = ada.browser.write("game", "create_game", invite).await.ok()["game"]["gameId"].clone();
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    let mut visitor = visits(&fixture.server).await;
    assert_eq!(visitor.ask("spectateGame", json!({ "gameId": game })).await["succeeded"], true);
    let as_ada = json!(ada.id);
    for (frame, data) in [
        ("joinEventRoom", json!({ "eventId": event, "userId": as_ada })),
        ("leaveEventRoom", json!({ "eventId": event, "userId": as_ada })),
        ("findMatch", json!({ "eventId": event, "userId": as_ada })),
        ("cancelMatchmaking", json!({ "eventId": event })),
        ("joinGame", json!({ "gameId": game, "userId": as_ada })),
        ("makeMove", json!({ "gameId": game, "row": 0, "col": 0, "userId": as_ada })),
        ("forfeitGame", json!({ "gameId": game, "userId": as_ada })),
        ("cancelGame", json!({ "gameId": private, "userId": as_ada })),
        ("playAgain", json!({ "gameId": game })),
        ("react", json!({ "gameId": game, "reaction": "wow" })),
        ("subscribeLogs", json!({})),
        ("subscribeLiveGames", json!({})),
        ("watchLive", json!({})),
        ("unwatchLive", json!({})),
        ("watchPresence", json!({ "eventId": event })),
        ("unwatchPresence", json!({ "eventId": event })),
        ("quickMatchJoin", wish()),
        ("quickMatchLeave", json!({})),
    ] {
        let ack = visitor.ask(frame, data).await;
        assert_eq!((&ack["succeeded"], &ack["errorCode"]), (&json!(false), &json!("not-signed-in")), "{frame}");
    }
    let named = visitor.ask("authenticate", json!({ "userId": as_ada })).await;
    assert_eq!(named["errorCode"], "not-yourself");
    // A game between friends, and one that is not there, look alike.
    for hidden in [private, json!("8b7f2f0e-7a53-4f0e-9d0e-0d9c1b6f3a11")] {
        assert_eq!(visitor.ask("spectateGame", json!({ "gameId": hidden })).await["errorCode"], "not-found");
        let browser = fixture.server.browser().await;
        browser.read("game", "get_game", json!({ "gameId": hidden })).await.fails(401, "not-signed-in");
    }
    // The game is as it was, and neither players nor the event know of anybody more.
    let seen = ada.browser.read("game", "get_game", json!({ "gameId": game })).await.ok();
    assert_eq!(seen["game"]["version"], state["version"]);
    assert_eq!(fixture.event(&event).await["participantCount"], 2);
    win(&mut ada, &mut bob, &game, &state).await;
    let frames = visitor.drained().await;
    let told = |frame: &Value| {
        ["playerFound", "stillThere", "eventNews", "gameInvitation"].iter().any(|name| frame["event"] == *name)
    };
    assert!(!frames.iter().any(told), "{frames:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_signed_out_is_told_so_and_is_no_visitor() {
    let (fixture, ada, _) = world(nothing).await;
    let session = ada.browser.cookie("morpion_session").unwrap();
    ada.browser.post("/api/auth/logout", json!({})).await.ok();
    match Socket::try_with_session(fixture.server.address, &session).await {
        Err(tokio_tungstenite::tungstenite::Error::Http(response)) => assert_eq!(response.status().as_u16(), 401),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("an ended session is let in"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rated_quick_game_is_for_those_who_are_signed_in() {
    let fixture = crate::quick_match::fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = id_of(&paired_quickly(&mut ada, &mut bob, &wish()).await);
    started(&mut ada, &mut bob, &game).await;
    let mut visitor = visits(&fixture.server).await;
    assert_eq!(visitor.ask("spectateGame", json!({ "gameId": game })).await["errorCode"], "not-found");
    fixture
        .server
        .browser()
        .await
        .read("game", "get_game", json!({ "gameId": game }))
        .await
        .fails(401, "not-signed-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_have_room_of_their_own_and_take_none_of_others() {
    let (fixture, ada, _) = world(|config| {
        config.realtime.max_visitor_connections = 3;
        config.realtime.max_visitor_connections_per_address = 2;
        config.server.trusted_proxies = vec!["127.0.0.1".parse::<IpAddr>().unwrap().into()];
    })
    .await;
    let from = async |address: &str| {
        let mut request = handshake(fixture.server.address);
        request.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
        Socket::connect(request).await
    };
    let refused = async |address: &str| match from(address).await {
        Err(tokio_tungstenite::tungstenite::Error::Http(response)) => response.status().as_u16(),
        Err(error) => panic!("{error}"),
        Ok(_) => 101,
    };
    let first = from("192.0.2.1").await.unwrap();
    let _second = from("192.0.2.1").await.unwrap();
    assert_eq!(refused("192.0.2.1").await, 429);
    let _third = from("192.0.2.2").await.unwrap();
    assert_eq!(refused("192.0.2.3").await, 503);
    // Players at the same address come in as ever.
    Socket::forwarded_for("192.0.2.1", &fixture.server, &ada.browser).await;
    drop(first);
    for _ in 0..200 {
        if from("192.0.2.3").await.is_ok() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("a place that was left is not free again");
}
