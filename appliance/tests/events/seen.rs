//! Display names and pictures, wherever a player is shown.

use image::ImageFormat;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    fixture::{Fixture, details},
    person::{Person, started, win},
    restart::{on_disk, signed_in},
    support::{PASSWORD, Server, picture, upload},
};

/// A user with a display name and a picture.
async fn dressed(server: &Server, name: &str, display: &str) -> Person {
    let person = Person::new(server, name).await;
    person.browser.post("/api/backend/profile/update", json!({ "displayName": display })).await.ok();
    upload(&person.browser, "image/png", &picture(ImageFormat::Png), None).await.ok();
    person
}

/// Asserts how a user is shown; `viewer` can fetch the picture in the stated width.
async fn is_seen(viewer: &Person, shown: &Value, person: &Person, display: &str, width: u32) {
    assert_eq!((&shown["userId"], &shown["username"]), (&json!(person.id), &json!(person.name)), "{shown}");
    assert_eq!(shown["displayName"], display, "{shown}");
    let address = shown["profileUrl"].as_str().unwrap_or_else(|| panic!("no picture: {shown}"));
    let prefix = format!("/api/backend/profile/image/{}/{width}?v=", person.id);
    assert!(address.starts_with(&prefix), "{address}");
    let response = viewer.browser.bare(Method::GET, address).send().await.unwrap();
    assert_eq!(response.status(), 200, "{address}");
    let image = image::load_from_memory(&response.bytes().await.unwrap()).unwrap();
    assert_eq!(image.width(), width);
}

/// A user without a picture: the field is absent.
fn is_plain(shown: &Value, person: &Person) {
    assert_eq!((&shown["userId"], &shown["displayName"]), (&json!(person.id), &json!(person.name)), "{shown}");
    assert!(shown.get("profileUrl").is_none(), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_and_pictures_are_shown_in_games_and_invitations() {
    let fixture = Fixture::new().await;
    let mut ada = dressed(&fixture.server, "ada", "Countess").await;
    let mut bob = Person::new(&fixture.server, "bob").await;
    let wish = json!({ "gameType": "invite", "players": [{ "userId": ada.id }, { "userId": bob.id }] });
    let made = ada.browser.write("game", "create_game", wish).await.ok()["game"].clone();
    is_seen(&bob, &made["players"][0], &ada, "Countess", 64).await;
    is_plain(&made["players"][1], &bob);
    let game = made["gameId"].as_str().unwrap();
    let invitation = bob.socket.wait("gameInvitation").await;
    is_seen(&bob, &invitation["from"], &ada, "Countess", 64).await;
    is_seen(&bob, &invitation["game"]["players"][0], &ada, "Countess", 64).await;

    ada.joins(game).await;
    let state = bob.joins(game).await;
    is_seen(&bob, &state["players"][0], &ada, "Countess", 128).await;
    let state = bob.socket.wait("gameStarted").await["gameState"].clone();
    is_seen(&bob, &state["players"][0], &ada, "Countess", 128).await;
    is_plain(&state["players"][1], &bob);

    // A change during the game is visible in the next response.
    ada.browser
        .write("userprofile", "update_user_profile", json!({ "userId": ada.id, "displayName": "Lady A" }))
        .await
        .ok();
    let found = bob.browser.read("game", "get_games_by_user", json!({ "userId": bob.id })).await.ok();
    is_seen(&bob, &found["games"][0]["players"][0], &ada, "Lady A", 64).await;
    let drawn = ada.browser.write("userprofile", "assign_random_display_name", json!({})).await.ok();
    let state = bob.browser.read("game", "get_game", json!({ "gameId": game })).await.ok()["game"].clone();
    is_seen(&bob, &state["players"][0], &ada, drawn["displayName"].as_str().unwrap(), 128).await;

    for (mover, cell) in [(0, (0, 0)), (1, (1, 0)), (0, (0, 1)), (1, (1, 1)), (0, (0, 2))] {
        let mover = if mover == 0 { &mut ada } else { &mut bob };
        assert_eq!(mover.moves(game, cell).await["succeeded"], true);
    }
    let end = bob.socket.wait("gameEnd").await;
    assert_eq!(end["message"], format!("{} Won!", drawn["displayName"].as_str().unwrap()));
    let replay = bob.browser.read("game", "get_replay", json!({ "gameId": game })).await.ok()["replay"].clone();
    is_seen(&bob, &replay["players"][0], &ada, drawn["displayName"].as_str().unwrap(), 128).await;

    ada.browser.post("/api/backend/profile/remove", json!({})).await.ok();
    let state = bob.browser.read("game", "get_game", json!({ "gameId": game })).await.ok()["game"].clone();
    assert!(state["players"][0].get("profileUrl").is_none(), "{state}");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_and_pictures_are_shown_in_events_also_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(on_disk(&folder)).await;
    let mut ada = dressed(&fixture.server, "ada", "Countess").await;
    let mut bob = Person::new(&fixture.server, "bob").await;
    let event = fixture.started(details("Cup")).await;
    let joined = ada.enters(&event).await;
    is_seen(&bob, &joined["player"], &ada, "Countess", 64).await;
    ada.seeks(&event).await;
    bob.enters(&event).await;
    bob.seeks(&event).await;
    let found = bob.socket.wait("playerFound").await;
    is_seen(&bob, &found["opponent"], &ada, "Countess", 128).await;
    is_plain(&ada.socket.wait("playerFound").await["opponent"], &bob);
    let game = found["gameId"].as_str().unwrap().to_owned();
    let state = started(&mut ada, &mut bob, &game).await;
    is_seen(
        &bob,
        &state["players"].as_array().unwrap().iter().find(|player| player["userId"] == ada.id).unwrap().clone(),
        &ada,
        "Countess",
        128,
    )
    .await;
    win(&mut ada, &mut bob, &game, &state).await;

    let board = fixture.leaderboard(&event).await;
    is_seen(&bob, &board[0], &ada, "Countess", 64).await;
    is_plain(&board[1], &bob);
    let signups = bob.browser.read("eventSignUp", "list_signups_for_event", json!({ "eventId": event })).await.ok();
    is_seen(&bob, &signups["signups"][0], &ada, "Countess", 64).await;
    let correction = json!({ "eventId": event, "userId": ada.id, "updates": { "level": 5 } });
    fixture.admin.write("player", "update_player", correction).await.ok();
    let received = fixture.admin.read("event", "verify_event", json!({ "eventId": event })).await.ok();
    is_seen(&bob, &received["corrections"][0], &ada, "Countess", 64).await;
    let player = json!({ "eventId": event, "userId": ada.id });
    let player = bob.browser.read("player", "get_player", player).await.ok();
    is_seen(&bob, &player["player"], &ada, "Countess", 64).await;
    fixture.act("end_event", &event).await;
    let ended = fixture.until(&event, |event| event["winners"].as_array().is_some_and(|all| !all.is_empty())).await;
    is_seen(&bob, &ended["winners"][0], &ada, "Countess", 64).await;
    let found = bob.browser.read("userprofile", "search_user", json!({ "text": "count" })).await.ok();
    is_seen(&bob, &found["users"][0], &ada, "Countess", 64).await;
    let users = fixture.admin.read("admin", "list_users", json!({ "text": "ada" })).await.ok();
    is_seen(&bob, &users["users"][0], &ada, "Countess", 64).await;

    let Fixture { server, .. } = fixture;
    server.stop().await;
    let server = Server::with(on_disk(&folder)).await;
    let bob = signed_in(&server, "bob").await;
    let board = bob.browser.read("player", "get_leaderboard", json!({ "eventId": event })).await.ok();
    is_seen(&bob, &board["players"][0], &ada, "Countess", 64).await;
    let games = bob.browser.read("game", "get_games_by_event", json!({ "eventId": event })).await.ok();
    let players = games["games"][0]["players"].as_array().unwrap();
    is_seen(&bob, players.iter().find(|player| player["userId"] == ada.id).unwrap(), &ada, "Countess", 64).await;
    let shown = bob.browser.read("event", "get_event_by_id", json!({ "eventId": event })).await.ok();
    is_seen(&bob, &shown["event"]["winners"][0], &ada, "Countess", 64).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_name_is_shown_in_standings_whichever_call_changed_it() {
    let fixture = Fixture::new().await;
    let mut player = Person::new(&fixture.server, "player").await;
    let mut viewer = Person::new(&fixture.server, "viewer").await;
    let id = fixture.started(details("Cup")).await;
    player.enters(&id).await;
    viewer.enters(&id).await;
    let me = player.id.clone();
    let calls: [(&str, Value); 2] = [
        ("update_user_profile", json!({ "userId": me, "displayName": "First" })),
        ("create_profile", json!({ "userId": me, "displayName": "Second" })),
    ];
    viewer.socket.drained().await;
    for (action, wish) in calls {
        let wanted = wish["displayName"].clone();
        player.browser.write("userprofile", action, wish).await.ok();
        viewer.socket.wait("refreshLeaderboard").await;
        let row = fixture.leaderboard(&id).await.into_iter().find(|row| row["userId"] == json!(me)).unwrap();
        assert_eq!(row["displayName"], wanted);
    }
    player.browser.post("/api/backend/profile/update", json!({ "displayName": "Third" })).await.ok();
    viewer.socket.wait("refreshLeaderboard").await;
    upload(&player.browser, "image/png", &picture(ImageFormat::Png), None).await.ok();
    viewer.socket.wait("refreshLeaderboard").await;
    let row = fixture.leaderboard(&id).await.into_iter().find(|row| row["userId"] == json!(me)).unwrap();
    is_seen(&viewer, &row, &player, "Third", 64).await;
    player
        .browser
        .write("userprofile", "update_user_profile", json!({ "userId": me, "username": "renamed" }))
        .await
        .ok();
    let row = fixture.leaderboard(&id).await.into_iter().find(|row| row["userId"] == json!(me)).unwrap();
    assert_eq!(row["username"], "renamed");

    // A deleted user has neither name nor picture.
    player.browser.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok();
    let row = fixture.leaderboard(&id).await.into_iter().find(|row| row["userId"] == json!(me)).unwrap();
    assert_eq!((&row["username"], &row["displayName"]), (&json!("Deleted player"), &json!("Deleted player")));
    assert!(row.get("profileUrl").is_none(), "{row}");
}
