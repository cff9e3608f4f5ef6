//! Quick match: `docs/behaviour/quick-match.md`.

use std::{net::IpAddr, time::Duration};

use morpion_rules::UserId;
use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details},
    person::{DRAWN, Person, started, win},
    socket::Socket,
};

/// A server where each player can come from an address of their own.
pub async fn fixture() -> Fixture {
    Fixture::with(|config| config.server.trusted_proxies = vec!["127.0.0.1".parse::<IpAddr>().unwrap().into()]).await
}

/// A player at an address of their own.
pub async fn person(fixture: &Fixture, name: &str, address: u8) -> Person {
    let mut person = Person::new(&fixture.server, name).await;
    person.socket = Socket::forwarded_for(&format!("192.0.2.{address}"), &fixture.server, &person.browser).await;
    person
}

pub async fn two(fixture: &Fixture) -> (Person, Person) {
    (person(fixture, "ada", 1).await, person(fixture, "bob", 2).await)
}

pub fn wish() -> Value {
    json!({ "boardSize": 3, "clock": "turn15", "rated": true })
}

async fn joins(person: &mut Person, wish: &Value) -> Value {
    let ack = person.socket.ask("quickMatchJoin", wish.clone()).await;
    assert_eq!(ack["succeeded"], true, "{ack}");
    person.socket.wait("quickMatchStatus").await
}

/// Both look for the same, and are paired; returns what the first was told.
pub async fn paired(a: &mut Person, b: &mut Person, wish: &Value) -> Value {
    joins(a, wish).await;
    b.socket.send("quickMatchJoin", wish.clone()).await;
    let (found, other) = (a.socket.wait("playerFound").await, b.socket.wait("playerFound").await);
    assert_eq!(found["gameId"], other["gameId"]);
    assert_eq!((&found["opponent"]["userId"], &other["opponent"]["userId"]), (&json!(b.id), &json!(a.id)));
    assert_eq!(found.get("eventId"), None);
    found
}

/// The person loses the connection, and the server has noticed it; `other` lends the next one.
async fn drops(fixture: &Fixture, person: &mut Person, other: &Person) {
    let user = UserId(person.id.parse().unwrap());
    person.socket = Socket::forwarded_for("192.0.2.1", &fixture.server, &other.browser).await;
    while fixture.server.app.hub.is_connected(user) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub fn id_of(found: &Value) -> String {
    found["gameId"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_strangers_are_paired_play_a_rated_game_and_another() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let status = joins(&mut ada, &wish()).await;
    assert_eq!((&status["waiting"], &status["playing"], &status["window"]), (&json!(1), &json!(0), &json!(50)));
    let found = paired(&mut ada, &mut bob, &wish()).await;
    assert_eq!(found["quickMatch"], json!({ "boardSize": 3, "clock": "turn15", "rated": true }));
    let game = id_of(&found);
    let state = started(&mut ada, &mut bob, &game).await;
    assert_eq!(
        (&state["gameType"], &state["rated"], &state["clock"]),
        (&json!("quick"), &json!(true), &json!("turn15"))
    );
    assert_eq!(state["eventId"], json!(format!("quick-{game}")));
    assert!(state["turnDeadline"].is_i64());
    // Whoever waits hears how many play.
    let mut eve = person(&fixture, "eve", 3).await;
    assert_eq!(joins(&mut eve, &wish()).await["playing"], 2);
    // A rated game may be watched by everybody who is signed in.
    assert_eq!(eve.socket.ask("spectateGame", json!({ "gameId": game })).await["succeeded"], true);
    let [won, _] = win(&mut ada, &mut bob, &game, &state).await;
    assert_eq!((&won["winnerUserId"], &won["gameType"]), (&json!(ada.id), &json!("quick")));
    assert_eq!(won["message"], "You Won!");
    // Another game of the two is between friends.
    let next = bob.browser.write("game", "play_again", json!({ "gameId": game })).await.ok()["game"].clone();
    assert_eq!((&next["gameType"], &next["clock"], next.get("rated")), (&json!("invite"), &json!("turn15"), None));
    assert_eq!(ada.socket.wait("gameInvitation").await["game"]["gameId"], next["gameId"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drawn_quick_game_is_a_draw() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    let state = started(&mut ada, &mut bob, &game).await;
    let starts = state["currentTurn"] == json!(ada.id);
    for (at, cell) in DRAWN.into_iter().enumerate() {
        let mover = if (at % 2 == 0) == starts { &mut ada } else { &mut bob };
        assert_eq!(mover.moves(&game, cell).await["succeeded"], true);
    }
    assert_eq!(ada.socket.wait("gameDraw").await["message"], "It's a Draw!");
    let over = ada.browser.read("game", "get_game", json!({ "gameId": game })).await.ok()["game"].clone();
    assert_eq!((&over["status"], &over["isDraw"]), (&json!("completed"), &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_minute_and_two_seconds_a_move_are_told_with_every_move() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let wish = json!({ "boardSize": 4, "clock": "1+2", "rated": false });
    let game = id_of(&paired(&mut ada, &mut bob, &wish).await);
    let state = started(&mut ada, &mut bob, &game).await;
    assert_eq!((&state["clock"], &state["rated"]), (&json!("1+2"), &json!(false)));
    for player in state["players"].as_array().unwrap() {
        assert!((59_000..=60_000).contains(&player["timeLeftMs"].as_i64().unwrap()), "{player}");
    }
    let (first, second) =
        if state["currentTurn"] == json!(ada.id) { (&mut ada, &mut bob) } else { (&mut bob, &mut ada) };
    fixture.clock.advance(10_000);
    first.moves(&game, (0, 0)).await;
    let update = second.socket.wait("moveUpdate").await;
    let left = update["timesLeftMs"].as_array().unwrap();
    let own = usize::from(update["symbol"] == "O");
    // The way over the network is not charged.
    assert!((50_000..=53_000).contains(&left[own].as_i64().unwrap()), "{update}");
    assert!((59_000..=60_000).contains(&left[1 - own].as_i64().unwrap()), "{update}");
    // A casual game is for its players only.
    let eve = person(&fixture, "eve", 3).await;
    eve.browser.read("game", "get_game", json!({ "gameId": game })).await.fails(404, "not-found");
    fixture.clock.advance(60_600);
    let end = first.socket.wait("gameEnd").await;
    assert_eq!((&end["reason"], &end["forfeiter"]), (&json!("timeout"), &json!(second.id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_one_address_get_a_casual_game_and_are_told_why() {
    let fixture = fixture().await;
    let (mut ada, mut twin) = (person(&fixture, "ada", 1).await, person(&fixture, "twin", 1).await);
    let found = paired(&mut ada, &mut twin, &wish()).await;
    assert_eq!(found["quickMatch"]["rated"], false);
    let why = "You and your opponent share a network address, so this game is casual.";
    assert_eq!(found["quickMatch"]["casualBecause"], why);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_casual_games_only() {
    let fixture = fixture().await;
    let browser = fixture.server.browser().await;
    browser.post("/api/auth/guest", json!({})).await.ok();
    let mut socket = Socket::forwarded_for("192.0.2.9", &fixture.server, &browser).await;
    let refused = socket.ask("quickMatchJoin", wish()).await;
    assert_eq!((&refused["succeeded"], &refused["errorCode"]), (&json!(false), &json!("account-needed")));
    let mut ada = person(&fixture, "ada", 1).await;
    let casual = json!({ "boardSize": "any", "clock": "turn15", "rated": false });
    assert_eq!(socket.ask("quickMatchJoin", casual.clone()).await["succeeded"], true);
    ada.socket.send("quickMatchJoin", casual).await;
    assert_eq!(ada.socket.wait("playerFound").await["gameId"], socket.wait("playerFound").await["gameId"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_tabs_are_one_player() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let mut tab = Socket::forwarded_for("192.0.2.1", &fixture.server, &ada.browser).await;
    joins(&mut ada, &wish()).await;
    assert_eq!(tab.ask("quickMatchJoin", wish()).await["succeeded"], true);
    assert_eq!(tab.wait("quickMatchStatus").await["waiting"], 1, "nobody plays against themselves");
    // One tab stops, and both know.
    assert_eq!(tab.ask("quickMatchLeave", json!({})).await["succeeded"], true);
    for socket in [&mut tab, &mut ada.socket] {
        assert_eq!(socket.wait("quickMatchEnded").await["message"], "You stopped looking for an opponent.");
    }
    assert_eq!(joins(&mut bob, &wish()).await["waiting"], 1);
    // With one tab closed the other still looks.
    assert_eq!(tab.ask("quickMatchJoin", wish()).await["succeeded"], true);
    let found = tab.wait("playerFound").await;
    assert_eq!(found["opponent"]["userId"], json!(bob.id));
    assert_eq!(ada.socket.wait("playerFound").await["gameId"], found["gameId"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_lost_the_connection_is_not_paired_and_comes_back_to_the_place() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    joins(&mut ada, &wish()).await;
    fixture.clock.advance(4_000);
    drops(&fixture, &mut ada, &bob).await;
    joins(&mut bob, &wish()).await;
    assert_eq!(bob.socket.wait("quickMatchStatus").await["waiting"], 2, "both wait, and are not paired");
    assert_eq!(bob.socket.ask("quickMatchLeave", json!({})).await["succeeded"], true);
    ada.socket = Socket::forwarded_for("192.0.2.1", &fixture.server, &ada.browser).await;
    let status = joins(&mut ada, &wish()).await;
    assert!(status["waitedMs"].as_i64().unwrap() >= 4_000, "{status}");
    assert_eq!(status["window"], 100);
    // Away for long, they no longer wait.
    drops(&fixture, &mut ada, &bob).await;
    joins(&mut bob, &wish()).await;
    fixture.clock.advance(31_000);
    loop {
        let status = bob.socket.wait("quickMatchStatus").await;
        if status["waiting"] == 1 {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_somebody_does_not_open_is_void() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    ada.joins(&game).await;
    fixture.clock.advance(20_100);
    let end = ada.socket.wait("gameEnd").await;
    assert_eq!((&end["reason"], end.get("winner")), (&json!("void"), None));
    assert_eq!(joins(&mut bob, &wish()).await["playing"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_plays_already_is_led_to_the_game() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    started(&mut ada, &mut bob, &game).await;
    assert_eq!(ada.socket.ask("quickMatchJoin", wish()).await["succeeded"], true);
    assert_eq!(ada.socket.wait("redirectToGame").await["gameId"], json!(game));
    // From an event's room, too.
    let event = fixture.started(details("Cup")).await;
    ada.enters(&event).await;
    assert_eq!(ada.socket.ask("findMatch", json!({ "eventId": event })).await["succeeded"], true);
    assert_eq!(ada.socket.wait("redirectToGame").await["gameId"], json!(game));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_looks_in_one_queue() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    ada.enters(&event).await;
    ada.seeks(&event).await;
    let refused = ada.socket.ask("quickMatchJoin", wish()).await;
    assert_eq!(refused["errorCode"], "in-event-queue");
    // The other way round the event goes first.
    joins(&mut bob, &wish()).await;
    bob.enters(&event).await;
    assert_eq!(bob.socket.ask("findMatch", json!({ "eventId": event })).await["succeeded"], true);
    let told = bob.socket.wait("quickMatchEnded").await["message"].clone();
    assert_eq!(told, "You are looking for an opponent in an event now.");
    assert_eq!(ada.socket.wait("playerFound").await["eventId"], json!(event));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocked_pair_does_not_meet() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    ada.browser.write("userprofile", "block_user", json!({ "userId": bob.id })).await.ok();
    for person in [&mut bob, &mut ada] {
        joins(person, &wish()).await;
    }
    fixture.clock.advance(600_000);
    let mut eve = person(&fixture, "eve", 3).await;
    eve.socket.send("quickMatchJoin", wish()).await;
    let found = eve.socket.wait("playerFound").await;
    assert_eq!(found["opponent"]["userId"], json!(bob.id), "who waited longest, and not with each other");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_leaves_and_its_opponent_wins() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let mut eve = person(&fixture, "eve", 3).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    started(&mut ada, &mut bob, &game).await;
    joins(&mut eve, &wish()).await;
    for person in [&bob, &eve] {
        fixture.admin.write("admin", "delete_user", json!({ "userId": person.id, "reason": "test" })).await.ok();
    }
    let end = ada.socket.wait("gameEnd").await;
    assert_eq!((&end["winnerUserId"], &end["reason"]), (&json!(ada.id), &json!("forfeit")));
    // Moments later the other account has left the queue, too.
    let mut status = joins(&mut ada, &wish()).await;
    while status["waiting"] != 1 {
        status = ada.socket.wait("quickMatchStatus").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wish_that_cannot_be_read_is_refused_in_words() {
    let fixture = fixture().await;
    let mut ada = person(&fixture, "ada", 1).await;
    for (field, value) in [
        ("boardSize", json!(7)),
        ("boardSize", json!("3")),
        ("clock", json!("none")),
        ("clock", json!("9+9")),
        ("rated", json!(1)),
        ("userId", json!(ada.id)),
    ] {
        let mut bad = wish();
        bad[field] = value;
        let refused = ada.socket.ask("quickMatchJoin", bad.clone()).await;
        assert_eq!((&refused["succeeded"], &refused["errorCode"]), (&json!(false), &json!("malformed-data")), "{bad}");
    }
    assert_eq!(joins(&mut ada, &wish()).await["waiting"], 1);
}
