//! Offers to play again: `docs/behaviour/play.md#playing-again`.

use serde_json::{Value, json};

use crate::{
    fixture::Fixture,
    person::{Person, started},
    quick_match::{fixture, id_of, paired, person, two, wish},
    socket::Socket,
};

/// A game of two that is over, and a second tab of each.
async fn played(fixture: &Fixture) -> (Person, Person, [Socket; 2], String) {
    let (mut ada, mut bob) = two(fixture).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    started(&mut ada, &mut bob, &game).await;
    bob.browser.write("game", "end_game", json!({ "gameId": game })).await.ok();
    ada.socket.wait("gameEnd").await;
    let tabs = [
        Socket::forwarded_for("192.0.2.1", &fixture.server, &ada.browser).await,
        Socket::forwarded_for("192.0.2.2", &fixture.server, &bob.browser).await,
    ];
    (ada, bob, tabs, game)
}

async fn offers(person: &Person, game: &str) -> Value {
    person.browser.write("game", "play_again", json!({ "gameId": game })).await.ok()["game"]["gameId"].clone()
}

async fn cancels(person: &Person, game: &Value) {
    person.browser.write("game", "cancel_game", json!({ "gameId": game })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_and_its_answer_show_at_once_to_both_with_every_tab() {
    let fixture = fixture().await;
    let (mut ada, mut bob, [mut adas_tab, mut bobs_tab], game) = played(&fixture).await;
    let mut eve = person(&fixture, "eve", 3).await;
    eve.socket.ask("spectateGame", json!({ "gameId": game })).await;
    macro_rules! all_are_told {
        ($next:expr, $by:expr, $state:literal) => {
            let told = json!({ "gameId": game, "nextGameId": $next, "offeredBy": $by, "state": $state });
            for socket in [&mut ada.socket, &mut bob.socket, &mut adas_tab, &mut bobs_tab] {
                assert_eq!(socket.wait("rematchOffer").await, told);
            }
        };
    }
    let first = offers(&ada, &game).await;
    all_are_told!(first, ada.id, "offered");
    assert_eq!(bob.socket.wait("gameInvitation").await["game"]["gameId"], first);
    cancels(&bob, &first).await;
    all_are_told!(first, ada.id, "declined");

    let second = offers(&bob, &game).await;
    all_are_told!(second, bob.id, "offered");
    cancels(&bob, &second).await;
    all_are_told!(second, bob.id, "withdrawn");

    let third = offers(&ada, &game).await;
    all_are_told!(third, ada.id, "offered");
    assert_eq!(offers(&bob, &game).await, third, "accepting makes no second one");
    let next = third.as_str().unwrap().to_owned();
    started(&mut ada, &mut bob, &next).await;
    all_are_told!(third, ada.id, "accepted");
    // It is between the two: whoever watched the first hears nothing of it, and cannot see it.
    assert!(eve.socket.drained().await.iter().all(|frame| frame["event"] != "rematchOffer"));
    let seen = eve.browser.read("game", "get_game", json!({ "gameId": game })).await.ok();
    assert_eq!(seen["game"].get("nextGameId"), None);
    let known = ada.browser.read("game", "get_game", json!({ "gameId": game })).await.ok();
    assert_eq!((&known["game"]["nextGameId"], known["game"].get("nextGameBy")), (&third, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_that_nobody_answers_expires_and_both_are_told() {
    let fixture = fixture().await;
    let (mut ada, mut bob, _, game) = played(&fixture).await;
    let next = offers(&ada, &game).await;
    fixture.clock.advance(24 * 3_600_000 + 1_000);
    for socket in [&mut ada.socket, &mut bob.socket] {
        assert_eq!(socket.wait("rematchOffer").await["state"], "offered");
        let expired = socket.wait("rematchOffer").await;
        assert_eq!((&expired["state"], &expired["nextGameId"]), (&json!("expired"), &next));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_blocks_the_other_hears_nothing_of_an_offer() {
    let fixture = fixture().await;
    let (mut ada, mut bob, _, game) = played(&fixture).await;
    bob.browser.write("userprofile", "block_user", json!({ "userId": ada.id })).await.ok();
    let next = offers(&ada, &game).await;
    assert_eq!(ada.socket.wait("rematchOffer").await["nextGameId"], next);
    let heard = bob.socket.drained().await;
    assert!(heard.iter().all(|frame| frame["event"] != "rematchOffer" && frame["event"] != "gameInvitation"));
}
