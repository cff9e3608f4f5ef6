//! Connections that are gone before what they asked for is on disk.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use morpion_appliance::{
    caller::{Caller, Identity},
    connections::handle::ConnectionHandle,
    play::Reply,
};
use morpion_rules::UserId;
use serde_json::json;
use uuid::Uuid;

use crate::{
    games::Person,
    socket::Socket,
    support::{Browser, Server},
};

const GAMES: usize = 40;

/// Joins of each player in each game whose connection ends at once.
const JOINS: usize = 40;

/// As [`JOINS`], through real sockets, of all games together.
const SOCKETS: usize = 200;

async fn nothing_in_memory(server: &Server) {
    for _ in 0..100 {
        if server.app.play.in_memory() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{} ended games are still in memory", server.app.play.in_memory());
}

fn caller(person: &Person) -> Caller {
    Caller::User(Arc::new(Identity {
        user_id: UserId(person.id.parse().unwrap()),
        username: "somebody".to_owned(),
        is_admin: false,
        is_temp: false,
        session_id: Uuid::new_v4(),
        needs_second_factor: false,
        credential_version: None,
        scopes: None,
    }))
}

async fn joins_and_goes(server: &Server, browser: &Browser, game: &str) {
    let mut socket = Socket::open(server, browser).await;
    socket.send("joinGame", json!({ "gameId": game })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn disconnecting_before_the_join_is_committed_keeps_no_game_in_memory() {
    let server = Server::with(|config| {
        let many = NonZeroU32::new(10_000).unwrap();
        (config.limits.invites_per_minute, config.limits.sockets_per_minute) = (many, many);
        config.realtime.max_connections_per_account = SOCKETS;
    })
    .await;
    let (ada, bob) = (Person::new(&server, "ada").await, Person::new(&server, "bob").await);
    let mut games = vec![];
    for _ in 0..GAMES {
        games.push(ada.invites(&bob, 3).await["gameId"].as_str().unwrap().to_owned());
    }
    let play = &server.app.play;
    for _ in 0..JOINS {
        for (game, person) in games.iter().flat_map(|game| [(game, &ada), (game, &bob)]) {
            let connection = Arc::new(ConnectionHandle::new(caller(person), None));
            let user = connection.user_id().unwrap();
            play.join(user, game.parse::<Uuid>().unwrap().into(), &connection, Reply::Nobody).await.unwrap();
            play.connection_lost(&connection);
        }
    }
    for (at, game) in games.iter().cycle().take(SOCKETS).enumerate() {
        joins_and_goes(&server, if at % 2 == 0 { &ada.browser } else { &bob.browser }, game).await;
    }
    assert_eq!(play.in_memory(), GAMES);
    for game in &games {
        let payload = json!({ "gameId": game });
        // Both may have joined for a moment, and then the game is active.
        if ada.browser.write("game", "cancel_game", payload.clone()).await.status != 200 {
            ada.browser.write("game", "end_game", payload).await.ok();
        }
    }
    nothing_in_memory(&server).await;
    server.stop().await;
}
