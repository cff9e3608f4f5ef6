//! Presence: spectating the own game, declining, 'Still there?', and its effect on the queue.

use std::{collections::HashMap, net::IpAddr, time::Duration};

use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired, started, win},
    socket::Socket,
    support::Browser,
};

/// Waits until a director is told this of a player.
async fn told(director: &mut Socket, player: &str, presence: &str) {
    loop {
        let frame = director.wait("presenceChanged").await;
        let mut players = frame["players"].as_array().unwrap().iter();
        if players.any(|told| told["userId"] == player && told["presence"] == presence) {
            return;
        }
    }
}

async fn two(fixture: &Fixture) -> (Person, Person) {
    (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await)
}

/// The player to move times out; returns this player, then the other.
async fn times_out<'a>(fixture: &Fixture, a: &'a mut Person, b: &'a mut Person, event: &str) -> [&'a mut Person; 2] {
    let game = paired(a, b, event).await;
    let state = started(a, b, &game).await;
    let (slow, other) = if state["currentTurn"] == json!(a.id) { (a, b) } else { (b, a) };
    fixture.clock.advance(15_600);
    let end = slow.socket.wait("gameEnd").await;
    assert_eq!((&end["reason"], &end["forfeiter"]), (&json!("timeout"), &json!(slow.id)));
    other.socket.wait("gameEnd").await;
    [slow, other]
}

#[tokio::test(flavor = "multi_thread")]
async fn spectating_the_own_game_joins_it() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    // The list of live games marks the player's own.
    let eve = Person::new(&fixture.server, "eve").await;
    for (person, is_own) in [(&ada, json!(true)), (&eve, Value::Null)] {
        let live = person.browser.read("game", "spectatable_games", json!({ "eventId": event })).await.ok();
        assert_eq!((&live["games"][0]["gameId"], &live["games"][0]["isOwn"]), (&json!(game), &is_own));
    }
    // Rejoining from that list.
    ada.reconnect(&fixture.server).await;
    bob.socket.wait("opponentDisconnected").await;
    assert_eq!(ada.socket.ask("spectateGame", json!({ "gameId": game })).await["succeeded"], true);
    let joined = ada.socket.wait("gameJoined").await;
    assert_eq!((&joined["success"], &joined["gameState"]["status"]), (&json!(true), &json!("active")));
    assert_eq!(bob.socket.wait("opponentReconnected").await["userId"], json!(ada.id));
    let [won, _] = win(&mut ada, &mut bob, &game, &state).await;
    assert_eq!((&won["reason"], &won["winnerUserId"]), (&json!("line"), &json!(ada.id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn declining_is_a_no_show_and_the_opponent_gets_priority() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let mut eve = Person::new(&fixture.server, "eve").await;
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    eve.enters(&event).await;
    eve.seeks(&event).await;
    ada.socket.ask("leaveEventRoom", json!({ "eventId": event })).await;
    bob.joins(&game).await;
    let answer = ada.browser.write("game", "cancel_game", json!({ "gameId": game })).await.ok();
    assert_eq!((&answer["game"]["status"], &answer["game"]["reason"]), (&json!("completed"), &json!("declined")));
    let [declined, stays] = [json!(ada.id), json!(bob.id)];
    for person in [&mut ada, &mut bob] {
        let end = person.socket.wait("gameEnd").await;
        assert_eq!((&end["reason"], &end["winnerUserId"]), (&json!("declined"), &stays));
        assert_eq!((&end["forfeiter"], &end["tournamentResult"]["loser"]["userId"]), (&declined, &declined));
    }
    // Bob never left the room: he is queued again, ahead of eve who waited longer, and they are paired.
    let found = bob.socket.wait("playerFound").await;
    assert_eq!(found["opponent"]["username"], "eve");
    assert_eq!(ada.socket.wait("stillThere").await["reason"], "noShow");
    // An active game cannot be declined.
    let game = found["gameId"].as_str().unwrap().to_owned();
    bob.joins(&game).await;
    eve.joins(&game).await;
    bob.socket.wait("gameStarted").await;
    assert_eq!(bob.socket.ask("cancelGame", json!({ "gameId": game })).await["errorCode"], "game-already-started");
    assert_eq!(fixture.leaderboard(&event).await[1]["username"], "ada");
}

#[tokio::test(flavor = "multi_thread")]
async fn winners_by_no_show_get_priority_in_the_queue() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    // As in the web app: opening the game page leaves the room.
    for person in [&mut ada, &mut bob] {
        person.socket.ask("leaveEventRoom", json!({ "eventId": event })).await;
    }
    fixture.clock.advance(5_000);
    let mut eve = Person::new(&fixture.server, "eve").await;
    eve.enters(&event).await;
    eve.seeks(&event).await;
    fixture.clock.advance(5_000);
    assert_eq!(ada.socket.ask("cancelGame", json!({ "gameId": game })).await["succeeded"], true);
    bob.socket.wait("gameEnd").await;
    bob.enters(&event).await;
    let waits = bob.seeks(&event).await;
    assert!(waits["waitedMs"].as_i64().unwrap() >= 10_000, "since before the pairing: {waits}");
}

#[tokio::test(flavor = "multi_thread")]
async fn losing_by_timeout_asks_still_there_and_twice_leaves_the_room() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let mut fields = details("Cup");
    fields["maxLosses"] = json!(0);
    let event = fixture.started(fields).await;
    // Nobody ever moves, so each game is lost by its starter. Winning against an absent player confirms no
    // presence, so by the third game somebody has been absent twice.
    let mut strikes: HashMap<String, u32> = HashMap::new();
    for _ in 0..3 {
        let [slow, other] = times_out(&fixture, &mut ada, &mut bob, &event).await;
        let expected = strikes.entry(slow.id.clone()).and_modify(|known| *known += 1).or_insert(1);
        let asked = slow.socket.wait("stillThere").await;
        let received = json!({ "eventId": event, "reason": "timeout", "strikes": expected, "maxStrikes": 2 });
        assert_eq!(asked, received);
        let there = other.enters(&event).await;
        assert_eq!((&there["stillThere"], &there["absence"]), (&Value::Null, &Value::Null));
        if *expected == 2 {
            assert_eq!(slow.socket.wait("removedFromRoom").await["eventId"], json!(event));
            // The event page lets them return; searching confirms presence.
            assert_eq!(slow.enters(&event).await["stillThere"], true);
            slow.seeks(&event).await;
            assert_eq!(slow.enters(&event).await["stillThere"], Value::Null);
            return;
        }
        let joined = slow.enters(&event).await;
        assert_eq!((&joined["stillThere"], &joined["queueSize"]), (&json!(true), &json!(0)), "the page asks first");
        assert_eq!(joined["absence"], received, "a page that missed the frame says the same");
    }
    panic!("nobody left the room: {strikes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_corrected_level_reaches_waiting_players() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    for person in [&mut ada, &mut bob] {
        person.enters(&event).await;
    }
    let level = |id: &str, level: u32| json!({ "userId": id, "eventId": event, "updates": { "level": level } });
    fixture.admin.write("player", "update_player", level(&bob.id, 30)).await.ok();
    ada.seeks(&event).await;
    bob.seeks(&event).await;
    let why = bob.socket.wait("queueUpdate").await;
    assert!(why["reason"].as_str().unwrap().starts_with("Nobody near your level"), "{why}");
    fixture.admin.write("player", "update_player", level(&bob.id, 1)).await.ok();
    assert_eq!(ada.socket.wait("playerFound").await["opponent"]["level"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_pairing_keeps_waiting_time_and_address() {
    // The limit is one game, which is active.
    let fixture = Fixture::with(|config| {
        config.play.max_live_games = 1;
        config.events.separate_addresses = true;
        config.server.trusted_proxies = vec!["127.0.0.1".parse::<IpAddr>().unwrap().into()];
    })
    .await;
    let mut people = vec![];
    for (name, address) in [("ada", 1), ("bob", 2), ("eve", 3), ("kim", 4), ("mia", 3)] {
        let mut person = Person::new(&fixture.server, name).await;
        person.socket = Socket::forwarded_for(&format!("192.0.2.{address}"), &fixture.server, &person.browser).await;
        people.push(person);
    }
    let [ada, bob, eve, kim, mia] = &mut people[..] else { unreachable!() };
    let event = fixture.started(details("Cup")).await;
    let game = paired(ada, bob, &event).await;
    started(ada, bob, &game).await;
    for person in [&mut *eve, &mut *kim] {
        person.enters(&event).await;
        person.seeks(&event).await;
    }
    // Pairing is retried each second and fails.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    kim.socket.drained().await;
    let waits = kim.socket.wait("queueUpdate").await;
    assert!(waits["waitedMs"].as_i64().unwrap() >= 2_000, "{waits}");
    // Eve's address is still known.
    kim.socket.ask("cancelMatchmaking", json!({ "eventId": event, "userId": kim.id })).await;
    mia.enters(&event).await;
    mia.seeks(&event).await;
    mia.socket.wait("queueUpdate").await;
    let waits = mia.socket.wait("queueUpdate").await;
    assert_eq!(waits["reason"], "Everybody waiting shares your network address.", "{waits}");
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_leave_room_for_the_games_of_events() {
    let fixture = Fixture::with(|config| config.play.max_live_games = 4).await;
    let (mut ada, mut bob) = (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await);
    let invitation = json!({ "players": [{ "userId": ada.id }], "gameType": "invite" });
    while ada.browser.write("game", "create_game", invitation.clone()).await.status.is_success() {}
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    started(&mut ada, &mut bob, &game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_director_sees_who_is_there() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.published(details("Cup")).await;
    for person in [&ada, &bob] {
        person.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok();
    }
    let mut desk = Socket::open(&fixture.server, &fixture.admin).await;
    let watch = json!({ "eventId": event });
    assert_eq!(desk.ask("watchPresence", watch.clone()).await["succeeded"], true);
    // Everybody at first.
    let all = desk.wait("presenceChanged").await;
    assert_eq!((&all["eventId"], all["players"].as_array().unwrap().len()), (&json!(event), 2));
    assert!(all["players"].as_array().unwrap().iter().all(|player| player["presence"] == "online"), "{all}");
    let away = std::mem::replace(&mut bob.socket, Socket::open(&fixture.server, &fixture.admin).await);
    drop(away);
    told(&mut desk, &bob.id, "offline").await;
    bob.reconnect(&fixture.server).await;
    told(&mut desk, &bob.id, "online").await;
    fixture.act("start_event", &event).await;
    ada.enters(&event).await;
    told(&mut desk, &ada.id, "room").await;
    ada.seeks(&event).await;
    told(&mut desk, &ada.id, "waiting").await;
    let game = paired(&mut ada, &mut bob, &event).await;
    told(&mut desk, &bob.id, "playing").await;
    let state = started(&mut ada, &mut bob, &game).await;
    // The list has the same, for directors alone.
    let list = async |browser: &Browser| {
        let answer = browser.read("eventSignUp", "list_signups_for_event", json!({ "eventId": event })).await.ok();
        answer["signups"].as_array().unwrap().iter().map(|row| row["presence"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(list(&fixture.admin).await, [json!("playing"), json!("playing")]);
    assert_eq!(list(&ada.browser).await, [Value::Null, Value::Null]);
    win(&mut ada, &mut bob, &game, &state).await;
    told(&mut desk, &ada.id, "room").await;
    desk.ask("unwatchPresence", watch.clone()).await;
    desk.drained().await;
    ada.reconnect(&fixture.server).await;
    ada.enters(&event).await;
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let later = desk.drained().await;
    assert!(later.iter().all(|frame| frame["event"] != "presenceChanged"), "{later:?}");
    // Players direct nothing, and an unknown event has no players.
    assert_eq!(ada.socket.ask("watchPresence", watch).await["errorCode"], "forbidden");
    let unknown = json!({ "eventId": "0199c0de-0000-7000-8000-000000000000" });
    assert_eq!(desk.ask("watchPresence", unknown.clone()).await["errorCode"], "not-found");
    assert_eq!(ada.socket.ask("watchPresence", unknown).await["errorCode"], "forbidden");
}
