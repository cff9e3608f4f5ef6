//! What reaches whom, and what push services answer.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    stand_in::Reply,
    support::PASSWORD,
    world::{Person, World},
};

async fn joins(person: &Person, socket: &mut crate::socket::Socket, game: &str) {
    let joined = socket.ask("joinGame", json!({ "gameId": game, "userId": person.id })).await;
    assert_eq!(joined["succeeded"], true, "{joined}");
    socket.wait("gameJoined").await;
}

async fn plays(person: &Person, socket: &mut crate::socket::Socket, game: &str, row: u8, col: u8) {
    let played = socket.ask("makeMove", json!({ "gameId": game, "userId": person.id, "row": row, "col": col })).await;
    assert_eq!(played["succeeded"], true, "{played}");
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_with_the_page_closed_is_told_of_a_challenge() {
    let world = World::with(|config| config.push.contact = "ann@example.org".to_owned()).await;
    let (ada, bob) = (world.person("ada").await, world.subscribed("bob").await);
    let game = ada.invites(&bob).await;
    let pushed = world.service.wait(1).await.remove(0);
    assert_eq!(
        pushed.message,
        json!({ "title": "ada invites you", "body": "A game on 4×4.", "tag": game, "to": format!("/app/game/{game}") })
    );
    assert_eq!((pushed.urgency.as_str(), pushed.contact), ("high", json!("mailto:ann@example.org")));
    assert!((86_000..=86_400).contains(&pushed.ttl), "{}", pushed.ttl);
    assert!(!pushed.topic.contains(&game[..8]) && pushed.length == 512 + 103, "the service learns nothing of it");
    world.until(|| world.counted("sent") == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_with_a_page_open_is_not_pushed_to() {
    let world = World::new().await;
    let (ada, bob) = (world.person("ada").await, world.subscribed("bob").await);
    let mut page = bob.comes(&world).await;
    ada.invites(&bob).await;
    page.wait("gameInvitation").await;
    world.stays_at(0).await;
    drop(page);
    world.until_away(&bob).await;
    ada.invites(&bob).await;
    world.service.wait(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_calls_each_player_once_until_they_are_back() {
    let world = World::new().await;
    let (ada, bob) = (world.subscribed("ada").await, world.subscribed("bob").await);
    let game = ada.invites(&bob).await;
    world.service.wait(1).await;
    // Whoever was invited comes, goes and comes again while the inviter is away.
    let mut bobs = bob.comes(&world).await;
    for _ in 0..3 {
        joins(&bob, &mut bobs, &game).await;
        bobs.say("leaveGameRoom", json!({ "gameId": game })).await;
    }
    let answers = world.service.wait(2).await;
    assert_eq!(answers[1].message["body"], "They are waiting to play.");
    world.stays_at(2).await;

    joins(&bob, &mut bobs, &game).await;
    let mut adas = ada.comes(&world).await;
    joins(&ada, &mut adas, &game).await;
    adas.wait("gameStarted").await;
    drop(bobs);
    world.until_away(&bob).await;
    plays(&ada, &mut adas, &game, 0, 0).await;
    let turn = world.service.wait(3).await.remove(2);
    assert_eq!((&turn.message["title"], &turn.message["body"]), (&json!("Your turn"), &json!("ada has played.")));
    assert_eq!(turn.urgency, "normal");
    world.stays_at(3).await;

    // Back and away again: the next turn is news.
    let mut bobs = bob.comes(&world).await;
    joins(&bob, &mut bobs, &game).await;
    plays(&bob, &mut bobs, &game, 1, 1).await;
    drop(bobs);
    world.until_away(&bob).await;
    plays(&ada, &mut adas, &game, 0, 1).await;
    world.service.wait(4).await;
    let topics: Vec<_> = world.service.pushed().into_iter().map(|push| push.topic).collect();
    assert!(topics.iter().all(|topic| *topic == topics[0]), "the latest replaces those that wait");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_declined_invitation_is_told_of() {
    let world = World::new().await;
    let (ada, bob) = (world.subscribed("ada").await, world.person("bob").await);
    let game = ada.invites(&bob).await;
    bob.browser.write("game", "cancel_game", json!({ "gameId": game, "userId": bob.id })).await.ok();
    let pushed = world.service.wait(1).await.remove(0);
    assert_eq!(
        (&pushed.message["title"], &pushed.message["to"]),
        (&json!("bob declined the invitation"), &json!("/app/home"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn games_with_a_clock_do_not_call_to_a_turn() {
    let world = World::new().await;
    let (ada, bob) = (world.person("ada").await, world.subscribed("bob").await);
    let payload = json!({
        "players": [{ "userId": ada.id }, { "userId": bob.id }], "gameType": "invite", "clock": "turn15",
    });
    let made = ada.browser.write("game", "create_game", payload).await.ok();
    let game = made["game"]["gameId"].as_str().unwrap().to_owned();
    world.service.wait(1).await;
    let (mut adas, mut bobs) = (ada.comes(&world).await, bob.comes(&world).await);
    joins(&ada, &mut adas, &game).await;
    joins(&bob, &mut bobs, &game).await;
    adas.wait("gameStarted").await;
    drop(bobs);
    world.until_away(&bob).await;
    plays(&ada, &mut adas, &game, 0, 0).await;
    world.stays_at(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_comes_of_people_who_are_blocked_and_of_what_is_switched_off() {
    let world = World::new().await;
    let (ada, bob) = (world.subscribed("ada").await, world.subscribed("bob").await);
    let off = json!({ "push": { "invitation": false, "answer": true, "turn": true, "paired": true, "event": true } });
    bob.browser.write("userprofile", "update_notification_settings", off).await.ok();
    let game = ada.invites(&bob).await;
    world.stays_at(0).await;
    // Whom the inviter blocks meanwhile is heard of no more.
    ada.browser.write("userprofile", "block_user", json!({ "userId": bob.id })).await.ok();
    bob.browser.write("game", "cancel_game", json!({ "gameId": game, "userId": bob.id })).await.ok();
    world.stays_at(0).await;
    let on = json!({ "push": { "invitation": true, "answer": true, "turn": true, "paired": true, "event": true } });
    bob.browser.write("userprofile", "update_notification_settings", on).await.ok();
    bob.browser.write("userprofile", "block_user", json!({ "userId": ada.id })).await.ok();
    ada.invites(&bob).await;
    world.stays_at(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_that_is_gone_is_removed() {
    for gone in [404, 410] {
        let world = World::new().await;
        let (ada, bob) = (world.person("ada").await, world.subscribed("bob").await);
        world.service.will([Reply::Status(gone)]);
        ada.invites(&bob).await;
        world.until(|| world.counted("removed") == 1).await;
        assert_eq!(bob.subscriptions().await, 0, "{gone}");
        ada.invites(&bob).await;
        world.stays_at(1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_service_that_asks_for_patience_gets_it() {
    let world = World::new().await;
    let (ada, bob) = (world.person("ada").await, world.subscribed("bob").await);
    world.service.will([Reply::Later(429, 1), Reply::Later(503, 1), Reply::Status(201)]);
    ada.invites(&bob).await;
    let tries = world.service.wait(3).await;
    for pair in tries.windows(2) {
        assert!(pair[1].at - pair[0].at >= Duration::from_secs(1), "Retry-After is kept");
        assert_eq!(pair[0].message, pair[1].message);
        assert!(pair[1].ttl < pair[0].ttl, "what is left of its life");
    }
    world.until(|| world.counted("sent") == 1).await;
    assert_eq!(bob.subscriptions().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_time_a_failing_service_is_tried_again_later() {
    let world = World::new().await;
    let (ada, bob) = (world.person("ada").await, world.subscribed("bob").await);
    world.service.will([Reply::Status(500)]);
    ada.invites(&bob).await;
    let tries = world.service.wait(2).await;
    assert!(tries[1].at - tries[0].at >= Duration::from_secs(2));
    world.until(|| world.counted("sent") == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_fails_again_and_again_is_removed_and_others_go_on() {
    let world = World::new().await;
    let (ada, bob) = (world.person("ada").await, world.subscribed("bob").await);
    // Refusals that no other try changes: of the payload, the signature, the address.
    for (failures, status) in [413, 403, 400, 413].into_iter().enumerate() {
        world.service.will([Reply::Status(status)]);
        ada.invites(&bob).await;
        world.until(|| world.counted("failed") == failures as u64 + 1).await;
    }
    assert_eq!(bob.subscriptions().await, 1, "four failures are not enough");
    world.service.will([Reply::Status(413)]);
    ada.invites(&bob).await;
    world.until(|| world.counted("removed") == 1).await;
    assert_eq!(bob.subscriptions().await, 0);

    bob.subscribes(&world.service).await;
    world.service.will([Reply::Status(413), Reply::Status(413), Reply::Status(413), Reply::Status(413)]);
    for _ in 0..4 {
        ada.invites(&bob).await;
    }
    world.until(|| world.counted("failed") == 8).await;
    ada.invites(&bob).await;
    world.until(|| world.counted("sent") == 1).await;
    world.service.will([Reply::Status(413)]);
    ada.invites(&bob).await;
    world.until(|| world.counted("failed") == 9).await;
    assert_eq!(bob.subscriptions().await, 1, "only failures in a row count");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_not_followed() {
    let world = World::new().await;
    let (ada, bob) = (world.person("ada").await, world.subscribed("bob").await);
    let elsewhere = crate::stand_in::StandIn::start().await;
    world.service.will([Reply::Elsewhere(format!("{}/push/x", elsewhere.origin))]);
    ada.invites(&bob).await;
    world.until(|| world.counted("failed") == 1).await;
    assert_eq!(elsewhere.requests(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_hangs_delays_nobody_else() {
    let world = World::new().await;
    let (ada, bob, eve) = (world.person("ada").await, world.subscribed("bob").await, world.subscribed("eve").await);
    world.service.will([Reply::Hang]);
    ada.invites(&bob).await;
    world.service.wait(1).await;
    let before = tokio::time::Instant::now();
    ada.invites(&eve).await;
    world.service.wait(2).await;
    assert!(before.elapsed() < Duration::from_secs(5));
    // It is given up after its time, and not tried again.
    world.until(|| world.counted("failed") == 1).await;
    assert_eq!(world.service.requests(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_browsers_of_an_account_are_told_within_its_share() {
    let world = World::with(|config| {
        config.push.per_hour = std::num::NonZeroU32::new(3).unwrap();
        config.push.browsers_per_account = std::num::NonZeroUsize::new(2).unwrap();
    })
    .await;
    let (ada, bob) = (world.person("ada").await, world.subscribed("bob").await);
    for _ in 0..2 {
        let other = world.server.browser().await;
        other.post("/api/auth/login", crate::support::credentials("bob@example.org", PASSWORD)).await.ok();
        Person { browser: other, id: bob.id.clone() }.subscribes(&world.service).await;
    }
    let devices = bob.settings().await["subscriptions"].clone();
    assert_eq!(devices.as_array().unwrap().len(), 2, "the one unused for longest was replaced");
    assert!(devices.as_array().unwrap().iter().all(|device| device["isCurrent"] == false), "{devices}");
    ada.invites(&bob).await;
    let pushed = world.service.wait(2).await;
    assert_ne!(pushed[0].path, pushed[1].path);
    // A third of the hour's share at once.
    ada.invites(&bob).await;
    world.until(|| world.counted("dropped") == 1).await;
    world.stays_at(2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_example_is_shown_where_it_was_asked_for() {
    let world = World::new().await;
    let bob = world.subscribed("bob").await;
    let _page = bob.comes(&world).await;
    assert_eq!(
        bob.browser.write("userprofile", "show_push_example", json!({})).await.ok(),
        json!({ "succeeded": true })
    );
    let pushed = world.service.wait(1).await.remove(0);
    assert_eq!(pushed.message["to"], "/app/setting/notifications");
    assert_ne!(pushed.message["title"], Value::Null);
}
