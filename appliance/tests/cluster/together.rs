//! Three nodes are one server: whoever is connected to one meets whoever is connected to another.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    client::{Account, Caller},
    cluster::Cluster,
    socket::{Heard, Socket},
};

const PATIENCE: Duration = Duration::from_secs(20);

/// The data of the next frame of this event.
async fn next(socket: &mut Socket, event: &str) -> Value {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        match socket.hear(PATIENCE).await {
            Heard::Frame(frame) if frame["event"] == event => return frame["data"].clone(),
            Heard::Frame(_) => {}
            Heard::Nothing | Heard::Gone => break,
        }
    }
    panic!("no {event}");
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_different_nodes_play_and_watch() {
    let cluster = Cluster::start().await;
    let mut people: Vec<Account> = vec![];
    let mut sockets = vec![];
    for (node, name) in cluster.nodes.iter().zip(["ada", "bob", "cyd"]) {
        let account = cluster.http.register(node.address, name).await.1.expect("everybody may register");
        let mut socket = Socket::open(node.address, &account.cookies()).await.expect("everybody may connect");
        next(&mut socket, "authenticated").await;
        sockets.push(socket);
        people.push(account);
    }
    // A session is one on all nodes.
    for node in &cluster.nodes {
        for account in &people {
            assert_eq!(cluster.http.is_signed_in(node.address, account).await, Some(true), "{}", node.name);
        }
    }

    let invite = json!({
        "players": [{ "userId": people[0].id }, { "userId": people[1].id }], "gameType": "invite", "boardSize": 3,
    });
    let caller = Caller::Person(&people[0]);
    let made = cluster.http.write(cluster.nodes[0].address, caller, "game", "create_game", invite).await.unwrap();
    let game = made.body["game"]["gameId"].clone();
    assert_eq!(next(&mut sockets[1], "gameInvitation").await["game"]["gameId"], game);
    for socket in &mut sockets[..2] {
        assert!(socket.say(json!({ "event": "joinGame", "data": { "gameId": game } })).await);
        assert_eq!(next(socket, "gameJoined").await["success"], true);
    }
    for (number, (row, col)) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)].into_iter().enumerate() {
        let data = json!({ "gameId": game, "row": row, "col": col });
        assert!(sockets[number % 2].say(json!({ "event": "makeMove", "data": data })).await);
        let both = [next(&mut sockets[0], "moveUpdate").await, next(&mut sockets[1], "moveUpdate").await];
        assert_eq!(both[0], both[1]);
        assert_eq!((&both[0]["row"], &both[0]["col"]), (&json!(row), &json!(col)));
    }
    assert_eq!(next(&mut sockets[1], "gameEnd").await["winnerUserId"], people[0].id.as_str());

    for node in &cluster.nodes {
        let payload = json!({ "gameId": game });
        let caller = Caller::Person(&people[1]);
        let answer = cluster.http.read(node.address, caller, "game", "get_game", payload).await.unwrap();
        assert_eq!(answer.body["game"]["winner"], "X", "{}", node.name);
    }
    cluster.until_complete().await;
}
