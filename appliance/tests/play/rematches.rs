//! Offers to play again over the realtime channel: `docs/behaviour/play.md#playing-again`.

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    games::{Person, started},
    invitations::{played, server_with_invites},
    socket::Socket,
    support::Server,
};

impl Person {
    /// Asks for the next game; the state of it that the connection gets.
    async fn moves_on(&mut self, game: &Value) -> Value {
        let ack = self.socket.ask("playAgain", json!({ "gameId": game })).await;
        assert_eq!(ack["succeeded"], true, "{ack}");
        let joined = self.socket.wait("gameJoined").await;
        assert_eq!((&joined["success"], &joined["previousGameId"]), (&json!(true), game));
        joined
    }

    async fn is_refused(&mut self, data: Value, code: &str) {
        let ack = self.socket.ask("playAgain", data).await;
        assert_eq!((&ack["succeeded"], &ack["errorCode"]), (&json!(false), &json!(code)), "{ack}");
        let error = self.socket.wait("error").await;
        assert_eq!((&error["event"], &error["errorCode"]), (&json!("playAgain"), &json!(code)), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_one_frame_each_both_are_in_the_next_game() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = played(&server).await;
    let (ada_id, bob_id) = (json!(ada.id), json!(bob.id));
    let mut tab = Socket::open(&server, &ada.browser).await;
    assert_eq!(tab.ask("joinGame", json!({ "gameId": game })).await["succeeded"], true);
    let offered = ada.moves_on(&game).await;
    assert_eq!(offered["message"], "Waiting for Opponent");
    let next = offered["gameId"].clone();
    for person in [&mut ada, &mut bob] {
        let told = json!({ "gameId": game, "nextGameId": next, "offeredBy": ada_id, "state": "offered" });
        assert_eq!(person.socket.wait("rematchOffer").await, told);
    }
    assert_eq!(bob.socket.wait("gameInvitation").await["game"]["gameId"], next);
    assert_eq!(bob.moves_on(&game).await["gameId"], next);
    for person in [&mut ada, &mut bob] {
        let state = person.socket.wait("gameStarted").await["gameState"].clone();
        assert_eq!((&state["gameId"], &state["currentTurn"]), (&next, &bob_id), "the starter changes");
        assert_eq!(person.socket.wait("rematchOffer").await["state"], "accepted");
    }
    let next = next.as_str().unwrap().to_owned();
    assert_eq!(bob.plays(&next, 1, 1).await["succeeded"], true);
    assert_eq!(ada.socket.wait("moveUpdate").await["gameId"], json!(next));
    // Only the other tab shows the finished game still.
    let word = json!({ "gameId": game, "reaction": "thanks" });
    assert_eq!(ada.socket.ask("react", word).await["succeeded"], true);
    assert_eq!(tab.wait("reaction").await["gameId"], game);
    for person in [&mut ada, &mut bob] {
        assert!(person.socket.drained().await.iter().all(|frame| frame["event"] != "reaction"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn however_often_and_however_it_is_asked_for_it_is_one_game() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = played(&server).await;
    let (asked, also_asked) = tokio::join!(ada.moves_on(&game), bob.moves_on(&game));
    let next = asked["gameId"].clone();
    assert_eq!(also_asked["gameId"], next);
    for person in [&mut ada, &mut bob] {
        assert_eq!(person.socket.wait("gameStarted").await["gameId"], next);
        assert_eq!(person.moves_on(&game).await["gameId"], next);
        assert_eq!(person.plays_again(&game).await.ok()["game"]["gameId"], next);
    }
    // Also once it is over.
    assert_eq!(bob.socket.ask("forfeitGame", json!({ "gameId": next })).await["succeeded"], true);
    let over = ada.moves_on(&game).await;
    assert_eq!((&over["gameId"], &over["gameState"]["status"]), (&next, &json!("completed")));
    assert_eq!(ada.moves_on(&next).await["gameState"]["status"], "waiting", "and it has a next one");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_blocks_the_other_is_not_told_and_can_still_accept() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = played(&server).await;
    bob.browser.write("userprofile", "block_user", json!({ "userId": ada.id })).await.ok();
    bob.socket.drained().await;
    let next = ada.moves_on(&game).await["gameId"].clone();
    let heard = bob.socket.drained().await;
    assert!(heard.iter().all(|frame| frame["event"] != "rematchOffer" && frame["event"] != "gameInvitation"));
    assert_eq!(bob.moves_on(&game).await["gameId"], next);
    assert_eq!(ada.socket.wait("gameStarted").await["gameId"], next);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_played_again_is_refused_and_stays_open() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = started(&server, 3).await;
    let mut cyd = Person::new(&server, "cyd").await;
    let of = |game: &Value| json!({ "gameId": game });
    ada.is_refused(of(&json!(game)), "game-not-over").await;
    cyd.is_refused(of(&json!(game)), "not-a-player").await;
    cyd.is_refused(of(&json!(uuid::Uuid::new_v4())), "not-found").await;
    cyd.is_refused(of(&json!("x")), "not-found").await;
    for hostile in [json!({}), json!({ "gameId": 7 }), json!([]), json!(null)] {
        ada.is_refused(hostile, "malformed-data").await;
    }
    ada.is_refused(json!({ "gameId": game, "userId": bob.id }), "malformed-data").await;
    assert_eq!(ada.plays(&game, 0, 0).await["succeeded"], true);
    bob.socket.wait("moveUpdate").await;
    ada.socket.wait("moveUpdate").await;
    // The connections are in the game still.
    assert_eq!(bob.plays(&game, 1, 1).await["succeeded"], true);
    assert_eq!(ada.socket.wait("moveUpdate").await["gameId"], json!(game));

    let called_off = ada.invites(&bob, 3).await["gameId"].clone();
    ada.cancels(&called_off).await;
    bob.is_refused(of(&called_off), "game-not-played").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn offers_count_as_invitations_and_accepting_one_does_not() {
    // The first game took one.
    let server = server_with_invites(2).await;
    let (mut ada, mut bob, game) = played(&server).await;
    let offer = ada.moves_on(&game).await["gameId"].clone();
    ada.cancels(&offer).await;
    ada.is_refused(json!({ "gameId": game }), "too-many-requests").await;
    let offer = bob.moves_on(&game).await["gameId"].clone();
    assert_eq!(ada.moves_on(&game).await["gameId"], offer);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_or_loses_the_connection_is_not_in_the_next_game() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = played(&server).await;
    let next = ada.moves_on(&game).await["gameId"].as_str().unwrap().to_owned();
    ada.socket.send("leaveGameRoom", json!({ "gameId": next })).await;
    ada.socket.drained().await;
    assert_eq!(bob.moves_on(&game).await["message"], "Waiting for Opponent");
    drop(bob.socket);
    bob.socket = Socket::open(&server, &bob.browser).await;
    let state = loop {
        let state = bob.browser.read("game", "get_game", json!({ "gameId": next })).await.ok()["game"].clone();
        if state["players"].as_array().unwrap().iter().all(|player| player["connected"] == false) {
            break state;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert_eq!(state["status"], "waiting");
    ada.joins(&next).await;
    bob.moves_on(&game).await;
    assert_eq!(ada.socket.wait("gameStarted").await["gameId"], json!(next));
}

/// The ids that a game's rematches have, or had in earlier versions: everybody who knows the game can compute them.
fn computed_ids(game: &Value) -> Vec<Uuid> {
    let previous: Uuid = game.as_str().unwrap().parse().unwrap();
    let hashed = |parts: &[&[u8]]| {
        let digest = Sha256::digest(parts.concat());
        let bytes: [u8; 16] = digest[..16].try_into().unwrap();
        [uuid::Builder::from_random_bytes(bytes).into_uuid(), uuid::Builder::from_custom_bytes(bytes).into_uuid()]
    };
    let mut ids = hashed(&[b"play again", previous.as_bytes()]).to_vec();
    for offer in 0..4_u32 {
        ids.extend(hashed(&[b"play again", previous.as_bytes(), &offer.to_be_bytes()]));
    }
    ids
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_takes_the_place_of_the_next_game() {
    let server = server_with_invites(1_000).await;
    let (ada, bob, game) = played(&server).await;
    let cyd = Person::new(&server, "cyd").await;
    ada.browser.write("userprofile", "block_user", json!({ "userId": cyd.id })).await.ok();
    let takes = async |person: &Person, with: &Person, id: Uuid| {
        let payload = json!({
            "gameId": id,
            "players": [{ "userId": person.id }, { "userId": with.id }],
            "gameType": "invite",
        });
        let answer = person.browser.write("game", "create_game", payload).await;
        if id.get_version_num() == 8 {
            answer.fails(422, "invalid");
        }
    };
    // A stranger, whom one of the two blocks, and the opponent, with somebody else.
    for id in computed_ids(&game) {
        takes(&cyd, &ada, id).await;
        takes(&bob, &cyd, id).await;
    }
    let mut offers = vec![];
    for _ in 0..3 {
        let offer = ada.plays_again(&game).await.ok()["game"].clone();
        let players: Vec<&Value> = offer["players"].as_array().unwrap().iter().map(|each| &each["userId"]).collect();
        assert_eq!(players, [&json!(ada.id), &json!(bob.id)]);
        assert_eq!(bob.plays_again(&game).await.ok()["game"]["gameId"], offer["gameId"]);
        // Now its id is known, too.
        let id: Uuid = offer["gameId"].as_str().unwrap().parse().unwrap();
        takes(&cyd, &ada, id).await;
        ada.cancels(&offer["gameId"]).await;
        takes(&cyd, &ada, id).await;
        offers.push(offer["gameId"].clone());
    }
    // Whoever knows an offer is not in it.
    for action in ["get_game", "get_replay"] {
        cyd.browser.read("game", action, json!({ "gameId": offers[0] })).await.fails(404, "not-found");
    }
    cyd.browser.write("game", "play_again", json!({ "gameId": game })).await.fails(403, "not-a-player");
}

#[tokio::test(flavor = "multi_thread")]
async fn offers_after_one_game_come_to_an_end_until_the_next_day() {
    let server = server_with_invites(1_000).await;
    let (ada, bob, game) = played(&server).await;
    for _ in 0..16 {
        let offer = ada.plays_again(&game).await.ok()["game"]["gameId"].clone();
        ada.cancels(&offer).await;
    }
    for person in [&ada, &bob] {
        person.plays_again(&game).await.fails(409, "too-many-offers");
    }
}
