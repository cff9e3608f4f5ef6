//! Refusals and their texts; the game stays unchanged.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Error;

use crate::{
    games::{Person, started},
    socket::{Socket, handshake},
    support::Server,
};

async fn board(person: &Person, game: &str) -> (Value, Value) {
    let state = person.browser.read("game", "get_game", json!({ "gameId": game })).await.ok()["game"].clone();
    (state["board"].clone(), state["version"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn illegal_moves_are_refused() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = started(&server, 3).await;
    assert_eq!(ada.plays(&game, 1, 1).await["succeeded"], true);
    let before = board(&ada, &game).await;
    for (row, col, by_ada, code) in [
        (0, 0, true, "not-your-turn"),
        (1, 1, false, "cell-taken"),
        (3, 0, false, "off-board"),
        (200, 0, false, "off-board"),
    ] {
        let person = if by_ada { &mut ada } else { &mut bob };
        let refused = person.plays(&game, row, col).await;
        assert_eq!((&refused["succeeded"], &refused["errorCode"]), (&json!(false), &json!(code)));
        let named = person.socket.wait("moveRejected").await;
        assert_eq!((&named["errorCode"], &named["row"]), (&json!(code), &json!(row)));
        assert!(!named["error"].as_str().unwrap().is_empty());
    }
    let mut cyd = Person::new(&server, "cyd").await;
    assert_eq!(cyd.plays(&game, 0, 0).await["errorCode"], "not-a-player");
    cyd.browser.read("game", "get_game", json!({ "gameId": game })).await.fails(404, "not-found");
    let as_ada = json!({ "gameId": game, "userId": ada.id, "row": 0, "col": 0 });
    assert_eq!(bob.socket.ask("makeMove", as_ada.clone()).await["errorCode"], "not-yourself");
    bob.browser.write("game", "make_move", as_ada).await.fails(403, "not-yourself");
    assert_eq!(bob.plays(&uuid::Uuid::new_v4().to_string(), 0, 0).await["errorCode"], "not-found");
    assert_eq!(board(&ada, &game).await, before, "the game is unchanged");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_move_is_applied_once() {
    let server = Server::start().await;
    let (mut ada, _bob, game) = started(&server, 3).await;
    let (_, version) = board(&ada, &game).await;
    let frame = json!({ "gameId": game, "row": 2, "col": 2, "version": version });
    assert_eq!(ada.socket.ask("makeMove", frame.clone()).await["succeeded"], true);
    assert_eq!(ada.socket.ask("makeMove", frame).await["succeeded"], false);
    let (board, after) = board(&ada, &game).await;
    assert_eq!(after.as_u64(), version.as_u64().map(|version| version + 1));
    let marks =
        board.as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap()).filter(|cell| **cell != "").count();
    assert_eq!(marks, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_concurrent_moves_to_one_cell_one_succeeds() {
    let server = Server::start().await;
    let (mut ada, _bob, game) = started(&server, 3).await;
    let mut tab = Socket::open(&server, &ada.browser).await;
    let frame = json!({ "gameId": game, "row": 0, "col": 0 });
    let (first, second) = tokio::join!(ada.socket.ask("makeMove", frame.clone()), tab.ask("makeMove", frame.clone()));
    let successes = [&first, &second].into_iter().filter(|answer| answer["succeeded"] == true).count();
    assert_eq!(successes, 1, "{first} {second}");
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_frames_do_not_close_the_connection() {
    let server = Server::start().await;
    let (mut ada, _bob, game) = started(&server, 3).await;
    let before = board(&ada, &game).await;
    for (text, code) in [
        ("", "malformed-frame"),
        ("null", "malformed-frame"),
        ("[1,2]", "malformed-frame"),
        (r#"{"event":"fly","data":{}}"#, "unknown-event"),
        (r#"{"event":"makeMove"}"#, "malformed-data"),
        (r#"{"event":"makeMove","data":{"gameId":7,"row":0,"col":0}}"#, "malformed-data"),
        (
            r#"{"event":"makeMove","data":{"gameId":"00000000-0000-0000-0000-000000000001","row":0,"col":0,"won":true}}"#,
            "malformed-data",
        ),
        (r#"{"event":"findMatch","data":{"eventId":"x"}}"#, "not-found"),
    ] {
        ada.socket.text(text).await;
        let error = ada.socket.wait("error").await;
        assert_eq!(error["errorCode"], code, "{text}: {error}");
        assert!(!error["message"].as_str().unwrap().is_empty());
    }
    let large = format!(r#"{{"event":"authenticate","data":{{}},"id":"{}"}}"#, "x".repeat(17_000));
    ada.socket.text(large).await;
    assert_eq!(ada.socket.wait("error").await["errorCode"], "frame-too-large");
    assert_eq!(board(&ada, &game).await, before);
    assert_eq!(ada.plays(&game, 0, 0).await["succeeded"], true, "and the game continues");
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_of_every_length_are_read_whole_or_in_pieces() {
    let server = Server::start().await;
    let ada = Person::new(&server, "ada").await;
    let mut socket = Socket::open(&server, &ada.browser).await;
    let frame = |id: &str, padding: usize| {
        format!(r#"{{"event":"authenticate","data":{{}},"id":"{id}"}}{}"#, " ".repeat(padding))
    };
    for in_pieces in [false, true, false] {
        for padding in [0, 90, 150, 1_000, 12_000] {
            let id = format!("{in_pieces} {padding}");
            if in_pieces {
                socket.text_in_pieces(&frame(&id, padding)).await;
            } else {
                socket.text(frame(&id, padding)).await;
            }
            assert_eq!(socket.acked(&id).await["succeeded"], true, "{id}");
        }
        for id in ["one", "two", "three"] {
            socket.text(frame(id, 70)).await;
        }
        for id in ["one", "two", "three"] {
            socket.acked(id).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn oversized_frames_and_floods_close_the_connection() {
    let server = Server::start().await;
    let ada = Person::new(&server, "ada").await;
    let mut socket = Socket::open(&server, &ada.browser).await;
    socket.text("x".repeat(200_000)).await;
    assert_eq!(socket.close_code().await, 1009);
    let mut socket = Socket::open(&server, &ada.browser).await;
    socket.flood(400).await;
    assert_eq!(socket.close_code().await, 1008);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_connection_is_told_why() {
    let server = Server::start().await;
    let ada = Person::new(&server, "ada").await;
    let session = format!("morpion_session={}", ada.browser.cookie("morpion_session").unwrap());
    let status = |error: Error| match error {
        Error::Http(response) => response.status().as_u16(),
        other => panic!("{other}"),
    };
    let gone = Person::new(&server, "gone").await;
    let mut ended = handshake(server.address);
    let cookie = format!("morpion_session={}", gone.browser.cookie("morpion_session").unwrap());
    ended.headers_mut().insert("cookie", cookie.parse().unwrap());
    gone.browser.post("/api/auth/logout", json!({})).await.ok();
    assert_eq!(status(Socket::connect(ended).await.err().unwrap()), 401);
    let mut foreign = handshake(server.address);
    foreign.headers_mut().insert("cookie", session.parse().unwrap());
    foreign.headers_mut().insert("origin", "https://elsewhere.example".parse().unwrap());
    assert_eq!(status(Socket::connect(foreign).await.err().unwrap()), 403);
    ada.browser.get("/api/backend/realtime").await.fails(400, "malformed");
}

#[tokio::test(flavor = "multi_thread")]
async fn ending_a_session_closes_its_websockets() {
    let server = Server::start().await;
    let mut ada = Person::new(&server, "ada").await;
    ada.browser.post("/api/auth/logout", json!({})).await.ok();
    ada.socket.wait("check-everone-login-activity").await;
    assert_eq!(ada.socket.close_code().await, 4001);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspension_closes_websockets_and_says_why() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let mut ada = Person::new(&server, "ada").await;
    let suspension = json!({ "userId": ada.id, "reason": "Insults in a name" });
    admin.write("admin", "suspend_user", suspension).await.ok();
    let check = ada.socket.wait("check-everone-login-activity").await;
    assert_eq!(check["suspension"]["reason"], "Insults in a name");
    assert_eq!(ada.socket.close_code().await, 4001);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_sends_only_the_frames_of_its_scope() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let game = json!({ "gameId": uuid::Uuid::new_v4(), "row": 0, "col": 0 });
    for (scope, code) in [("read", "scope"), ("accounts", "scope"), ("events", "forbidden"), ("all", "forbidden")] {
        let wanted = json!({ "name": scope, "scope": scope });
        let token = admin.write("admin", "create_token", wanted).await.ok()["token"].clone();
        let mut socket = Socket::with_token(server.address, token.as_str().unwrap()).await;
        assert_eq!(socket.ask("subscribeLogs", json!({})).await["succeeded"], true, "{scope}");
        assert_eq!(socket.ask("subscribeLiveGames", json!({})).await["succeeded"], true, "{scope}");
        assert_eq!(socket.ask("makeMove", game.clone()).await["errorCode"], code, "{scope}");
        let event = json!({ "eventId": uuid::Uuid::new_v4() });
        assert_eq!(socket.ask("findMatch", event).await["errorCode"], code, "{scope}");
    }
}
