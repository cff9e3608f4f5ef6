//! Watching games: `docs/behaviour/watching.md`.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired as paired_in, started},
    quick_match::{fixture, id_of, paired, person, two, wish},
    socket::Socket,
};

/// The next list of games to watch for which something holds, as those who follow it have it by then.
async fn live_now(socket: &mut Socket, holds: impl Fn(&Value) -> bool) -> Value {
    loop {
        let list = socket.wait("liveNow").await;
        if holds(&list) {
            return list;
        }
    }
}

/// The number of people who watch, once a player is told that it is this.
async fn told(socket: &mut Socket, watchers: u32) {
    while socket.wait("watchersChanged").await["watchers"] != watchers {}
}

async fn rated_game(fixture: &Fixture) -> (Person, Person, String, Value) {
    let (mut ada, mut bob) = two(fixture).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    let state = started(&mut ada, &mut bob, &game).await;
    (ada, bob, game, state)
}

async fn listed(person: &Person) -> Value {
    person.browser.read("game", "live_games", json!({})).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn games_to_watch_are_followed_move_by_move_to_their_end() {
    let fixture = fixture().await;
    let mut eve = person(&fixture, "eve", 3).await;
    assert_eq!(eve.socket.ask("watchLive", json!({})).await["succeeded"], true);
    let nothing = json!({ "total": 0, "order": [], "games": [], "boards": [] });
    assert_eq!(eve.socket.wait("liveNow").await, nothing);
    let (mut ada, mut bob, game, state) = rated_game(&fixture).await;
    let list = live_now(&mut eve.socket, |list| list["total"] == 1).await;
    assert_eq!(list["order"], json!([game]));
    let live = &list["games"][0];
    assert_eq!((&live["game"]["rated"], &live["board"]["cells"]), (&json!(true), &json!(".........")));
    let first = &live["game"]["players"][0];
    assert_eq!((&first["userId"], &first["rating"]["value"]), (&state["players"][0]["userId"], &json!(1_500)));
    assert_eq!((&live["game"]["watchers"], &live["board"]["watchers"]), (&json!(0), &json!(0)));

    let is_adas = state["currentTurn"] == json!(ada.id);
    let mover = if is_adas { &mut ada } else { &mut bob };
    assert_eq!(mover.moves(&game, (1, 2)).await["succeeded"], true);
    let changed = live_now(&mut eve.socket, |list| !list["boards"].as_array().unwrap().is_empty()).await;
    let mark = if is_adas == (state["players"][0]["userId"] == json!(ada.id)) { "X" } else { "O" };
    let board = &changed["boards"][0];
    assert_eq!((&board["gameId"], &board["lastMove"]), (&json!(game), &json!([1, 2])));
    assert_eq!((&board["cells"], &changed["games"]), (&json!(format!(".....{mark}...")), &json!([])));

    // The list over HTTP is the same; a player's own game is marked.
    let page = listed(&eve).await;
    assert_eq!((&page["total"], &page["pagination"]["totalCount"]), (&json!(1), &json!(1)));
    assert_eq!((&page["games"][0]["board"], page["games"][0]["game"].get("isOwn")), (board, None));
    assert_eq!(listed(&ada).await["games"][0]["game"]["isOwn"], true);
    fixture.server.browser().await.read("game", "live_games", json!({})).await.fails(401, "not-signed-in");

    // The end stays for a moment.
    bob.browser.write("game", "end_game", json!({ "gameId": game })).await.ok();
    // It is listed anew once the game has changed the ratings of its players.
    let board = |list: &Value| match list["games"].get(0) {
        Some(live) => live["board"].clone(),
        None => list["boards"][0].clone(),
    };
    let ended = live_now(&mut eve.socket, |list| board(list)["status"] == "completed").await;
    assert_eq!((&ended["order"], &board(&ended)["winnerUserId"]), (&json!([game]), &json!(ada.id)));
    fixture.clock.advance(4_000);
    live_now(&mut eve.socket, |list| list["order"] == json!([])).await;
    assert_eq!(listed(&eve).await["games"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_followed_until_it_is_left() {
    let fixture = fixture().await;
    let (_ada, _bob, game, _) = rated_game(&fixture).await;
    let mut eve = person(&fixture, "eve", 3).await;
    // Also with a shorter list, and over again.
    for limit in [json!({ "limit": 1 }), json!({ "limit": 5_000 }), json!({})] {
        assert_eq!(eve.socket.ask("watchLive", limit).await["succeeded"], true);
        live_now(&mut eve.socket, |list| list["order"] == json!([game])).await;
    }
    assert_eq!(eve.socket.ask("unwatchLive", json!({})).await["succeeded"], true);
    eve.socket.drained().await;
    let (mut cyd, mut dan) = (person(&fixture, "cyd", 4).await, person(&fixture, "dan", 5).await);
    let second = id_of(&paired(&mut cyd, &mut dan, &wish()).await);
    started(&mut cyd, &mut dan, &second).await;
    let mut others = Socket::forwarded_for("192.0.2.6", &fixture.server, &eve.browser).await;
    others.ask("watchLive", json!({})).await;
    live_now(&mut others, |list| list["total"] == 2).await;
    assert!(eve.socket.drained().await.iter().all(|frame| frame["event"] != "liveNow"));
}

#[tokio::test(flavor = "multi_thread")]
async fn casual_games_are_not_listed_and_games_of_events_are() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let casual = json!({ "boardSize": 3, "clock": "turn15", "rated": false });
    let game = id_of(&paired(&mut ada, &mut bob, &casual).await);
    started(&mut ada, &mut bob, &game).await;
    let event = fixture.started(details("Cup")).await;
    let (mut cyd, mut dan) = (person(&fixture, "cyd", 4).await, person(&fixture, "dan", 5).await);
    for player in [&cyd, &dan] {
        player.browser.write("event", "join_event", json!({ "eventId": event })).await.ok();
    }
    let contest = paired_in(&mut cyd, &mut dan, &event).await;
    started(&mut cyd, &mut dan, &contest).await;
    let mut eve = person(&fixture, "eve", 3).await;
    eve.socket.ask("watchLive", json!({})).await;
    let list = live_now(&mut eve.socket, |list| list["total"] == 1).await;
    assert_eq!(list["order"], json!([contest]));
    assert_eq!(list["games"][0]["game"]["eventId"], json!(event));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_a_game_open_hears_how_many_people_watch() {
    let fixture = fixture().await;
    let token = fixture.admin.write("admin", "create_token", json!({ "name": "wall", "scope": "read" })).await.ok();
    let mut wall = Socket::with_token(fixture.server.address, token["token"].as_str().unwrap()).await;
    assert_eq!(wall.ask("subscribeLiveGames", json!({})).await["succeeded"], true);
    let (mut ada, mut bob, game, _) = rated_game(&fixture).await;
    let watch = json!({ "gameId": game });
    let mut eve = person(&fixture, "eve", 3).await;
    assert_eq!(eve.socket.ask("spectateGame", watch.clone()).await["succeeded"], true);
    assert_eq!(eve.socket.wait("gameJoined").await["watchers"], 1);
    told(&mut ada.socket, 1).await;
    // A second tab is the same person, an operator's wall is nobody, and a player plays.
    let mut tab = Socket::forwarded_for("192.0.2.3", &fixture.server, &eve.browser).await;
    for socket in [&mut tab, &mut wall, &mut bob.socket] {
        assert_eq!(socket.ask("spectateGame", watch.clone()).await["succeeded"], true);
        assert_eq!(socket.wait("gameJoined").await["watchers"], 1);
    }
    let mut dan = person(&fixture, "dan", 4).await;
    dan.socket.ask("spectateGame", watch.clone()).await;
    for socket in [&mut ada.socket, &mut bob.socket, &mut eve.socket] {
        told(socket, 2).await;
    }
    let is_told = |change: &Value| {
        let games = change["games"].as_array().unwrap();
        games.iter().any(|one| one["gameId"] == json!(game) && one["watchers"] == 2)
    };
    while !is_told(&wall.wait("liveGamesChanged").await) {}
    // One of two tabs goes, and nobody is told; then the other.
    tab.ask("leaveGameRoom", watch.clone()).await;
    dan.socket.ask("leaveGameRoom", watch.clone()).await;
    told(&mut ada.socket, 1).await;
    drop(eve);
    told(&mut ada.socket, 0).await;
    while listed(&ada).await["games"][0]["game"]["watchers"] != 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_best_rated_game_comes_first() {
    let fixture = fixture().await;
    let (_ada, _bob, first, _) = rated_game(&fixture).await;
    let (mut cyd, mut dan) = (person(&fixture, "cyd", 4).await, person(&fixture, "dan", 5).await);
    let won = id_of(&paired(&mut cyd, &mut dan, &wish()).await);
    started(&mut cyd, &mut dan, &won).await;
    dan.browser.write("game", "end_game", json!({ "gameId": won })).await.ok();
    cyd.socket.wait("ratingChanged").await;
    // Their ratings are nearer to each other by and by.
    let mut eve = person(&fixture, "eve", 3).await;
    for player in [&mut cyd, &mut eve] {
        assert_eq!(player.socket.ask("quickMatchJoin", wish()).await["succeeded"], true);
    }
    fixture.clock.advance(12_000);
    let found = id_of(&cyd.socket.wait("playerFound").await);
    started(&mut cyd, &mut eve, &found).await;
    eve.socket.ask("watchLive", json!({ "limit": 2 })).await;
    live_now(&mut eve.socket, |list| list["order"] == json!([found, first])).await;
}
