//! Invitations: limits and outcomes.

use std::num::NonZeroU32;

use serde_json::{Value, json};

use crate::{
    games::{Person, started},
    socket::Socket,
    support::{Outcome, Server},
};

/// As many as one account may have open.
const MAX_GAMES: usize = 50;

pub async fn server_with_invites(per_minute: u32) -> Server {
    Server::with(|config| config.limits.invites_per_minute = NonZeroU32::new(per_minute).unwrap()).await
}

impl Person {
    pub async fn plays_again(&self, game: &Value) -> Outcome {
        self.browser.write("game", "play_again", json!({ "gameId": game })).await
    }

    pub async fn cancels(&self, game: &Value) {
        self.browser.write("game", "cancel_game", json!({ "gameId": game, "userId": self.id })).await.ok();
    }

    async fn game(&self, game: &Value) -> Value {
        self.browser.read("game", "get_game", json!({ "gameId": game })).await.ok()["game"].clone()
    }

    /// Invites whoever opens the link.
    async fn invites_somebody(&self) -> Outcome {
        let payload = json!({ "players": [{ "userId": self.id }], "gameType": "invite" });
        self.browser.write("game", "create_game", payload).await
    }

    /// Invitations since the last call.
    async fn invitations(&mut self) -> usize {
        self.socket.drained().await.iter().filter(|frame| frame["event"] == "gameInvitation").count()
    }
}

/// Two users and a game that Ada has won as X.
pub async fn played(server: &Server) -> (Person, Person, Value) {
    let (mut ada, mut bob, game) = started(server, 3).await;
    assert_eq!(bob.socket.ask("forfeitGame", json!({ "gameId": game })).await["succeeded"], true);
    ada.socket.wait("gameEnd").await;
    (ada, bob, json!(game))
}

#[tokio::test(flavor = "multi_thread")]
async fn several_play_again_requests_create_one_game() {
    let server = server_with_invites(1_000).await;
    let (mut ada, mut bob, game) = played(&server).await;
    let presses = (0..40).map(|at| if at % 2 == 0 { ada.plays_again(&game) } else { bob.plays_again(&game) });
    let made: Vec<Value> =
        futures_util::future::join_all(presses).await.into_iter().map(|made| made.ok()["game"].clone()).collect();
    assert!(made.iter().all(|next| next["gameId"] == made[0]["gameId"]), "one game: {made:?}");
    assert_eq!(ada.invitations().await + bob.invitations().await, 1, "the slower player is asked, once");
    let next = made[0]["gameId"].as_str().unwrap().to_owned();
    ada.joins(&next).await;
    bob.joins(&next).await;
    assert_eq!(ada.socket.wait("gameStarted").await["gameState"]["currentTurn"], json!(bob.id), "the starter changes");
    // Also from the page of the first game, once the second is over.
    bob.browser.write("game", "end_game", json!({ "gameId": next })).await.ok();
    assert_eq!(ada.plays_again(&game).await.ok()["game"]["gameId"], json!(next));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_withdrawn_rematch_offer_a_new_one_can_be_made() {
    let server = server_with_invites(1_000).await;
    let (mut ada, bob, game) = played(&server).await;
    let mut offers = vec![];
    for at in 0..7 {
        let (offerer, other) = if at % 3 == 0 { (&ada, &bob) } else { (&bob, &ada) };
        let offer = offerer.plays_again(&game).await.ok()["game"]["gameId"].clone();
        assert!(!offers.contains(&offer), "a fresh game: {offers:?}");
        assert_eq!(
            other.plays_again(&game).await.ok()["game"]["gameId"],
            offer,
            "the other player joins the same game"
        );
        let state = other.game(&game).await;
        assert_eq!((&state["nextGameId"], &state["nextGameBy"]), (&offer, &json!(offerer.id)));
        if at % 2 == 0 { offerer } else { other }.cancels(&offer).await;
        let state = other.game(&game).await;
        assert_eq!((&state["nextGameId"], &state["nextGameBy"]), (&Value::Null, &Value::Null));
        offers.push(offer);
    }
    // A cancelled game was not played.
    ada.plays_again(&offers[6]).await.fails(409, "game-not-played");
    let next = ada.plays_again(&game).await.ok()["game"]["gameId"].clone();
    ada.joins(next.as_str().unwrap()).await;
    bob.plays_again(&game).await.ok();
    let state = ada.game(&next).await;
    assert_eq!((&state["status"], &state["initiatorUserId"]), (&json!("waiting"), &json!(ada.id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_and_rematch_offers_share_one_limit() {
    const ALLOWED: usize = 5;
    let server = server_with_invites(ALLOWED as u32).await;
    // The first game took one.
    let (ada, mut bob, game) = played(&server).await;
    bob.invitations().await;
    let mut last = None;
    let mut refused = 0;
    for _ in 0..120 {
        let answer = ada.plays_again(last.as_ref().unwrap_or(&game)).await;
        match answer.status.as_u16() {
            200 => {
                let offer = answer.body["game"]["gameId"].clone();
                ada.cancels(&offer).await;
                last = Some(offer);
            }
            // The cancelled offer has no next game; the played game has.
            409 => {
                assert_eq!(answer.body["errorCode"], "game-not-played");
                last = None;
            }
            _ => {
                assert!(answer.retry_after.is_some(), "{answer:?}");
                answer.fails(429, "too-many-requests");
                refused += 1;
            }
        }
    }
    let came = bob.invitations().await;
    assert!((ALLOWED - 1..=ALLOWED).contains(&came), "{came} invitations");
    assert!(refused > 100, "{refused} refused");
    let payload = json!({ "players": [{ "userId": ada.id }], "gameType": "invite" });
    ada.browser.write("game", "create_game", payload).await.fails(429, "too-many-requests");
    // Bob has sent no invitations and can still offer; accepting an offer counts for nobody.
    let offer = bob.plays_again(&game).await.ok()["game"]["gameId"].clone();
    assert_eq!(ada.plays_again(&game).await.ok()["game"]["gameId"], offer);
}

#[tokio::test(flavor = "multi_thread")]
async fn declining_an_invitation_notifies_the_inviter() {
    let server = Server::start().await;
    let (mut ada, mut bob) = (Person::new(&server, "ada").await, Person::new(&server, "bob").await);
    let game = ada.invites(&bob, 4).await["gameId"].clone();
    bob.socket.wait("gameInvitation").await;
    bob.cancels(&game).await;
    let received = ada.socket.wait("gameCancelled").await;
    let expected = json!({
        "gameId": game,
        "success": true,
        "message": "bob declined the invitation.",
        "reason": "declined",
        "userId": bob.id,
    });
    assert_eq!(received, expected);
    assert_eq!(bob.socket.wait("gameCancelled").await["message"], "You declined the invitation.");
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_by_others_do_not_count_against_the_own_limit() {
    let server = server_with_invites(1_000).await;
    let (ada, bob) = (Person::new(&server, "ada").await, Person::new(&server, "bob").await);
    for _ in 0..MAX_GAMES {
        ada.invites(&bob, 3).await;
    }
    let payload = json!({ "players": [{ "userId": ada.id }, { "userId": bob.id }], "gameType": "invite" });
    ada.browser.write("game", "create_game", payload).await.fails(409, "too-many-games");
    bob.invites(&ada, 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_of_the_places_is_not_for_invitations() {
    let server = Server::with(|config| config.play.max_live_games = 4).await;
    let (mut ada, mut bob) = (Person::new(&server, "ada").await, Person::new(&server, "bob").await);
    for _ in 0..2 {
        // It no longer waits once both are in it.
        let game = ada.invites(&bob, 3).await["gameId"].as_str().unwrap().to_owned();
        ada.joins(&game).await;
        bob.joins(&game).await;
        ada.socket.wait("gameStarted").await;
    }
    let refused = bob.invites_somebody().await;
    assert!(refused.retry_after.is_some(), "{refused:?}");
    refused.fails(503, "no-room-for-invitations");
}

/// Fifteen guests of one address took three quarters of all places in two seconds.
#[tokio::test(flavor = "multi_thread")]
async fn one_address_has_a_share_of_the_invitations_that_wait() {
    let server = Server::with(|config| {
        config.play.max_waiting_invitations_per_address = 3;
        config.limits.invites_per_minute = NonZeroU32::new(1_000).unwrap();
        config.server.trusted_proxies = vec!["127.0.0.1".parse::<std::net::IpAddr>().unwrap().into()];
    })
    .await;
    let (mut ada, mut bob) = (Person::new(&server, "ada").await, Person::new(&server, "bob").await);
    let mut games = vec![];
    for _ in 0..3 {
        games.push(ada.invites(&bob, 3).await["gameId"].clone());
    }
    let refused = ada.invites_somebody().await;
    assert!(refused.body["errorMessage"].as_str().unwrap().contains("from your network"), "{refused:?}");
    refused.fails(409, "too-many-invitations");
    bob.invites_somebody().await.fails(409, "too-many-invitations");
    // What is played takes no place among those that wait.
    let game = games[0].as_str().unwrap();
    ada.joins(game).await;
    bob.joins(game).await;
    ada.socket.wait("gameStarted").await;
    bob.invites_somebody().await.ok();
    bob.invites_somebody().await.fails(409, "too-many-invitations");
    // An offer to play again is an invitation, over both ways.
    assert_eq!(bob.socket.ask("forfeitGame", json!({ "gameId": game })).await["succeeded"], true);
    ada.socket.wait("gameEnd").await;
    ada.plays_again(&games[0]).await.fails(409, "too-many-invitations");
    let again = ada.socket.ask("playAgain", json!({ "gameId": game })).await;
    assert_eq!(again["errorCode"], "too-many-invitations", "{again}");
    // Another address has its own share.
    let mut elsewhere = Socket::forwarded_for("192.0.2.1", &server, &ada.browser).await;
    let again = elsewhere.ask("playAgain", json!({ "gameId": game })).await;
    assert_eq!(again["succeeded"], true, "{again}");
    // One that is called off makes room.
    ada.cancels(&games[1]).await;
    ada.invites_somebody().await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_played_is_forgotten_within_a_day() {
    let server = server_with_invites(1_000).await;
    let (mut ada, bob, game) = played(&server).await;
    let declined = ada.invites(&bob, 3).await["gameId"].clone();
    bob.cancels(&declined).await;
    let mut offers = vec![];
    for _ in 0..2 {
        offers.push(ada.plays_again(&game).await.ok()["game"]["gameId"].clone());
        ada.cancels(offers.last().unwrap()).await;
    }
    let next = ada.plays_again(&game).await.ok()["game"]["gameId"].clone();
    ada.joins(next.as_str().unwrap()).await;
    let listed = async |person: &Person| {
        let of = json!({ "userId": person.id, "status": ["completed", "cancelled"] });
        let listed = person.browser.read("game", "get_games_by_user", of).await.ok();
        listed["games"].as_array().unwrap().iter().map(|game| game["gameId"].clone()).collect::<Vec<_>>()
    };
    ada.cancels(&next).await;
    while server.app.play.unstored() > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    // The latest record of the journal always stays, so it has to be another one.
    bob.invites(&ada, 3).await;
    let clean_up = async |hours| {
        let later = server.app.clock.steady() + chrono::TimeDelta::hours(hours);
        server.app.clean_up(later).await.unwrap();
    };
    server.app.store.trim_journal(u64::MAX, 0).await.unwrap();
    clean_up(22).await;
    assert_eq!(listed(&ada).await.len(), 5);
    clean_up(24).await;
    for person in [&ada, &bob] {
        assert_eq!(listed(person).await, std::slice::from_ref(&game));
    }
    // She still has the last one open.
    for gone in offers.iter().chain([&declined]) {
        ada.browser.read("game", "get_game", json!({ "gameId": gone })).await.fails(404, "not-found");
    }
    assert_eq!(ada.game(&game).await["winnerUserId"], json!(ada.id));
    ada.plays_again(&game).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn many_who_invite_one_person_do_not_flood_them() {
    let server = Server::with(|config| {
        let three = NonZeroU32::new(3).unwrap();
        config.limits.invitations_received_per_minute = three;
    })
    .await;
    let mut bob = Person::new(&server, "bob").await;
    for number in 0..6 {
        Person::new(&server, &format!("inviter{number}")).await.invites(&bob, 3).await;
    }
    assert_eq!(bob.invitations().await, 3);
    let list = bob.browser.read("game", "get_games_by_user", json!({ "userId": bob.id })).await.ok();
    assert_eq!(list["games"].as_array().unwrap().len(), 6, "they are in the list");
    // Others are told as before.
    let mut ada = Person::new(&server, "ada").await;
    bob.invites(&ada, 3).await;
    assert_eq!(ada.invitations().await, 1);
}
