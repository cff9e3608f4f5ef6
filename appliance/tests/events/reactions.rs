//! Reactions: `docs/behaviour/play.md#reactions`.

use serde_json::{Value, json};

use crate::{
    person::{Person, started},
    quick_match::{fixture, id_of, paired, person, two, wish},
    socket::Socket,
};

async fn reacts(person: &mut Person, game: &str, reaction: &str) -> Value {
    person.socket.ask("react", json!({ "gameId": game, "reaction": reaction })).await
}

async fn refused(person: &mut Person, game: &str, reaction: &str, code: &str) {
    let ack = reacts(person, game, reaction).await;
    assert_eq!((&ack["succeeded"], &ack["errorCode"]), (&json!(false), &json!(code)), "{ack}");
    let error = person.socket.wait("error").await;
    assert_eq!((&error["errorCode"], &error["event"]), (&json!(code), &json!("react")));
}

/// Reactions that came since the last call.
async fn reactions(socket: &mut Socket) -> usize {
    socket.drained().await.iter().filter(|frame| frame["event"] == "reaction").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reaction_reaches_the_other_player_the_other_tab_and_who_watches() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    ada.joins(&game).await;
    refused(&mut ada, &game, "goodLuck", "game-not-started").await;
    started(&mut ada, &mut bob, &game).await;
    let mut tab = Socket::forwarded_for("192.0.2.1", &fixture.server, &ada.browser).await;
    tab.ask("joinGame", json!({ "gameId": game })).await;
    let mut eve = person(&fixture, "eve", 3).await;
    eve.socket.ask("spectateGame", json!({ "gameId": game })).await;
    for (at, word) in ["goodLuck", "thinking", "wow", "oops", "thanks", "wellPlayed"].into_iter().enumerate() {
        fixture.clock.advance(if at == 0 { 0 } else { 3_000 });
        assert_eq!(reacts(&mut ada, &game, word).await["succeeded"], true, "{word}");
        for socket in [&mut bob.socket, &mut tab, &mut eve.socket, &mut ada.socket] {
            let reaction = socket.wait("reaction").await;
            assert_eq!(reaction, json!({ "gameId": game, "userId": ada.id, "reaction": word }));
        }
    }
    // Only players react, in words that there are, to games that they know.
    refused(&mut eve, &game, "wow", "not-a-player").await;
    refused(&mut ada, &uuid::Uuid::new_v4().to_string(), "wow", "not-found").await;
    for word in ["", "WOW", "You cheat!", "wow\u{202e}"] {
        refused(&mut ada, &game, word, "malformed-data").await;
    }
    assert_eq!(reactions(&mut bob.socket).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_reacts_once_in_three_seconds() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    started(&mut ada, &mut bob, &game).await;
    assert_eq!(reacts(&mut ada, &game, "wow").await["succeeded"], true);
    refused(&mut ada, &game, "oops", "too-many-reactions").await;
    assert_eq!(reacts(&mut bob, &game, "oops").await["succeeded"], true, "the other has a turn of their own");
    // Not with another tab either, nor by way of refused ones.
    let mut tab = Socket::forwarded_for("192.0.2.1", &fixture.server, &ada.browser).await;
    let ack = tab.ask("react", json!({ "gameId": game, "reaction": "wow" })).await;
    assert_eq!(ack["errorCode"], "too-many-reactions");
    fixture.clock.advance(3_000);
    assert_eq!(reacts(&mut ada, &game, "oops").await["succeeded"], true);
    assert_eq!(reactions(&mut bob.socket).await, 3);
    // A flood ends the connection, as any.
    let frame = json!({ "event": "react", "data": { "gameId": game, "reaction": "wow" } }).to_string();
    for _ in 0..400 {
        if !tab.try_text(frame.clone()).await {
            break;
        }
    }
    assert_eq!(tab.close_code().await, 1008);
    assert_eq!(reactions(&mut bob.socket).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_end_there_is_a_minute_to_react() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    started(&mut ada, &mut bob, &game).await;
    bob.browser.write("game", "end_game", json!({ "gameId": game })).await.ok();
    ada.socket.wait("gameEnd").await;
    assert_eq!(reacts(&mut bob, &game, "wellPlayed").await["succeeded"], true);
    assert_eq!(ada.socket.wait("reaction").await["reaction"], "wellPlayed");
    fixture.clock.advance(60_001);
    refused(&mut ada, &game, "thanks", "game-over").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_play_although_one_blocks_the_other_neither_sees_reactions() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    started(&mut ada, &mut bob, &game).await;
    ada.browser.write("userprofile", "block_user", json!({ "userId": bob.id })).await.ok();
    let mut eve = person(&fixture, "eve", 3).await;
    eve.socket.ask("spectateGame", json!({ "gameId": game })).await;
    // They are told that it worked.
    assert_eq!(reacts(&mut ada, &game, "wow").await["succeeded"], true);
    assert_eq!(reacts(&mut bob, &game, "oops").await["succeeded"], true);
    for (socket, seen) in [(&mut ada.socket, 1), (&mut bob.socket, 1), (&mut eve.socket, 2)] {
        assert_eq!(reactions(socket).await, seen, "their own, or both");
    }
    ada.browser.write("userprofile", "unblock_user", json!({ "userId": bob.id })).await.ok();
    fixture.clock.advance(3_000);
    assert_eq!(reacts(&mut bob, &game, "thanks").await["succeeded"], true);
    assert_eq!(ada.socket.wait("reaction").await["reaction"], "thanks");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_watches_does_not_see_reactions_of_a_player_whom_they_block() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    started(&mut ada, &mut bob, &game).await;
    let (mut eve, mut fay) = (person(&fixture, "eve", 3).await, person(&fixture, "fay", 4).await);
    for watcher in [&mut eve, &mut fay] {
        watcher.socket.ask("spectateGame", json!({ "gameId": game })).await;
    }
    eve.browser.write("userprofile", "block_user", json!({ "userId": ada.id })).await.ok();
    // Blocked by a player, one still sees what everybody sees.
    ada.browser.write("userprofile", "block_user", json!({ "userId": fay.id })).await.ok();
    assert_eq!(reacts(&mut ada, &game, "wow").await["succeeded"], true);
    assert_eq!(reacts(&mut bob, &game, "oops").await["succeeded"], true);
    assert_eq!(eve.socket.wait("reaction").await["userId"], json!(bob.id), "ada's came before");
    for socket in [&mut ada.socket, &mut bob.socket, &mut fay.socket] {
        assert_eq!(reactions(socket).await, 2);
    }
    assert_eq!(reactions(&mut eve.socket).await, 0);
    eve.browser.write("userprofile", "unblock_user", json!({ "userId": ada.id })).await.ok();
    fixture.clock.advance(3_000);
    assert_eq!(reacts(&mut ada, &game, "thanks").await["succeeded"], true);
    assert_eq!(eve.socket.wait("reaction").await["reaction"], "thanks");
}
