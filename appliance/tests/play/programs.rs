//! Programs with personal tokens on the websocket: they play, within their scopes, as long as the token is good.

use std::time::Duration;

use morpion_appliance::clock::Clock;
use morpion_openapi::{
    programs::{Needed, of_frame},
    realtime::ClientFrame,
};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Error;

use crate::{
    games::Person,
    socket::{Socket, handshake},
    support::{Browser, Operator, PASSWORD, Server},
};

const SCOPES: [&str; 3] = ["read", "play", "event"];

const DAY: i64 = 86_400_000;

async fn token(browser: &Browser, scopes: &[&str]) -> Value {
    let wish = json!({ "name": "bot", "scopes": scopes, "expiresInDays": 1 });
    browser.post("/api/auth/tokens", wish).await.ok()
}

async fn socket(server: &Server, browser: &Browser, scopes: &[&str]) -> Socket {
    Socket::with_token(server.address, token(browser, scopes).await["token"].as_str().unwrap()).await
}

async fn is_closed(socket: &mut Socket) {
    let closed = timeout(Duration::from_secs(5), socket.close_code()).await;
    assert_eq!(closed.expect("still open after 5 s"), 4001);
}

/// A program that has somebody's token, and its socket.
async fn bot(server: &Server, name: &str) -> (Operator, Socket, String) {
    let (browser, user) = server.registered(name).await;
    let token = token(&browser, &["read", "play"]).await;
    let text = token["token"].as_str().unwrap();
    let socket = Socket::with_token(server.address, text).await;
    (server.with_token(text), socket, user["userId"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_play_a_game_to_its_end() {
    let server = Server::start().await;
    let (ada, mut first, ada_id) = bot(&server, "ada").await;
    let (bob, mut second, bob_id) = bot(&server, "bob").await;
    let own = ada.read("userprofile", "get_user_by_id", json!({})).await.ok();
    assert_eq!(own["user"]["userId"], ada_id);
    let wish = json!({ "players": [{ "userId": ada_id }, { "userId": bob_id }], "gameType": "invite", "boardSize": 3 });
    let game = ada.write("game", "create_game", wish).await.ok()["game"]["gameId"].clone();
    assert_eq!(second.wait("gameInvitation").await["game"]["gameId"], game);
    for socket in [&mut first, &mut second] {
        assert_eq!(socket.ask("joinGame", json!({ "gameId": game })).await["succeeded"], true);
    }
    for socket in [&mut first, &mut second] {
        socket.wait("gameStarted").await;
    }
    for (number, (row, col)) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)].into_iter().enumerate() {
        let mover = if number % 2 == 0 { &mut first } else { &mut second };
        let moved = mover.ask("makeMove", json!({ "gameId": game, "row": row, "col": col })).await;
        assert_eq!(moved["succeeded"], true, "{moved}");
    }
    assert_eq!(second.wait("gameEnd").await["winnerUserId"], ada_id);
    let history = bob.read("game", "get_games_by_user", json!({ "userId": bob_id })).await.ok();
    assert_eq!(history["games"][0]["gameId"], game);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_beyond_the_scopes_is_refused() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let id = uuid::Uuid::nil();
    for scope in SCOPES {
        let mut socket = socket(&server, &admin, &[scope]).await;
        for event in ClientFrame::EVENTS {
            let data = match *event {
                "makeMove" => json!({ "gameId": id, "row": 0, "col": 1 }),
                "react" => json!({ "gameId": id, "reaction": "wellPlayed" }),
                "quickMatchJoin" => json!({ "boardSize": "any", "clock": "1+2", "rated": false }),
                "authenticate" | "subscribeLogs" | "subscribeLiveGames" | "watchLive" | "unwatchLive"
                | "quickMatchLeave" => json!({}),
                event if event.contains("Match") || event.contains("EventRoom") || event.contains("Presence") => {
                    json!({ "eventId": id })
                }
                _ => json!({ "gameId": id }),
            };
            let text = json!({ "event": event, "data": data }).to_string();
            let needed = of_frame(&ClientFrame::parse(&text).unwrap().0);
            let answer = socket.ask(event, data).await;
            let is_allowed = match needed {
                Needed::Any => true,
                Needed::Scope(needed) => needed.as_str() == scope,
                Needed::Never => false,
            };
            assert_eq!(answer["errorCode"] == "scope", !is_allowed, "{event} with {scope}: {answer}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sockets_of_a_token_end_with_it_on_every_way() {
    let clock = Clock::default();
    let server = Server::with_clock(clock.clone(), |_| {}).await;
    let (admin, _) = server.admin().await;
    let mut kept = socket(&server, &admin, &["read"]).await;

    let (ada, user) = server.registered("ada").await;
    let made = token(&ada, &["play"]).await;
    let mut lost = Socket::with_token(server.address, made["token"].as_str().unwrap()).await;
    let mut other = socket(&server, &ada, &["play"]).await;
    let id = &made["personalToken"]["tokenId"];
    ada.post("/api/auth/tokens/delete", json!({ "tokenId": id })).await.ok();
    is_closed(&mut lost).await;
    assert_eq!(other.ask("authenticate", json!({})).await["succeeded"], true, "the other token goes on");

    let wish = json!({ "currentPassword": PASSWORD, "newPassword": "Another-Horse-8" });
    ada.post("/api/auth/password", wish).await.ok();
    is_closed(&mut other).await;

    let mut everywhere = socket(&server, &ada, &["read"]).await;
    ada.post("/api/auth/sessions/revoke-all", json!({ "includeCurrent": false })).await.ok();
    is_closed(&mut everywhere).await;
    assert!(ada.is_signed_in().await);

    let mut suspended = socket(&server, &ada, &["event"]).await;
    let wish = json!({ "userId": user["userId"], "reason": "test" });
    admin.write("admin", "suspend_user", wish).await.ok();
    is_closed(&mut suspended).await;

    let (bob, _) = server.registered("bob").await;
    let mut deleted = socket(&server, &bob, &["read"]).await;
    bob.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok();
    is_closed(&mut deleted).await;

    assert_eq!(kept.ask("authenticate", json!({})).await["succeeded"], true);
    clock.advance(DAY);
    is_closed(&mut kept).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_leave_the_pages_of_their_owner_room() {
    let server = Server::with(|config| config.realtime.max_connections_per_account = 4).await;
    let mut ada = Person::new(&server, "ada").await;
    let (one, other) = (token(&ada.browser, &["read"]).await, token(&ada.browser, &["play"]).await);
    let text = |token: &Value| token["token"].as_str().unwrap().to_owned();
    let _first = Socket::with_token(server.address, &text(&one)).await;
    let _second = Socket::with_token(server.address, &text(&other)).await;
    let mut request = handshake(server.address);
    request.headers_mut().insert("authorization", format!("Bearer {}", text(&one)).parse().unwrap());
    match Socket::connect(request).await {
        Err(Error::Http(response)) => assert_eq!(response.status(), 429),
        Ok(_) => panic!("a third one opened"),
        Err(error) => panic!("{error}"),
    }
    let mut page = Socket::open(&server, &ada.browser).await;
    for socket in [&mut ada.socket, &mut page] {
        assert_eq!(socket.ask("authenticate", json!({})).await["succeeded"], true);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_whose_program_is_connected_is_away_all_the_same() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let id = user["userId"].as_str().unwrap().parse::<uuid::Uuid>().unwrap().into();
    let _bot = socket(&server, &ada, &["play"]).await;
    assert!(!server.app.hub.is_connected(id));
    let _page = Socket::open(&server, &ada).await;
    assert!(server.app.hub.is_connected(id));
}
