//! Subscriptions and the key outlive the server.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use tempfile::TempDir;

use crate::{
    stand_in::StandIn,
    support::Server,
    world::{Person, with_stand_in},
};

async fn server_in(folder: &TempDir) -> Server {
    Server::with(|config| {
        with_stand_in(config);
        config.data_dir = folder.path().to_owned();
        config.database.url = "surrealkv://{data_dir}/db".to_owned();
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_subscriptions_and_the_key() {
    let (folder, service) = (TempDir::new().unwrap(), StandIn::start().await);
    let server = server_in(&folder).await;
    let (browser, user) = server.registered("bob").await;
    let bob = Person { browser, id: user["userId"].as_str().unwrap().to_owned() };
    let key = bob.settings().await["pushKey"].clone();
    bob.subscribes(&service).await;
    let session = bob.browser.cookie("morpion_session").unwrap();
    server.stop().await;

    let file = folder.path().join("push.key");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(morpion_appliance::backup::keys(folder.path()).unwrap().contains_key("push.key"), "backups have it");

    let server = server_in(&folder).await;
    let back = server.fresh_browser();
    back.set_cookie(&format!("morpion_session={session}"));
    let bob = Person { browser: back, id: bob.id };
    let settings = bob.settings().await;
    assert_eq!((&settings["pushKey"], settings["subscriptions"].as_array().unwrap().len()), (&key, 1));
    let (ada, inviter) = server.registered("ada").await;
    let players = json!({ "players": [{ "userId": inviter["userId"] }, { "userId": bob.id }], "gameType": "invite" });
    ada.write("game", "create_game", players).await.ok();
    // The stand-in refuses a signature of another key.
    service.wait(1).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_is_allowed_no_more_is_not_connected_to() {
    let (folder, service) = (TempDir::new().unwrap(), StandIn::start().await);
    let server = server_in(&folder).await;
    let (browser, user) = server.registered("eve").await;
    let eve = Person { browser, id: user["userId"].as_str().unwrap().to_owned() };
    eve.subscribes(&service).await;
    server.stop().await;
    let server = Server::with(|config| {
        config.data_dir = folder.path().to_owned();
        config.database.url = "surrealkv://{data_dir}/db".to_owned();
    })
    .await;
    let (ada, inviter) = server.registered("ada").await;
    let players = json!({ "players": [{ "userId": inviter["userId"] }, { "userId": eve.id }], "gameType": "invite" });
    ada.write("game", "create_game", players).await.ok();
    let until = tokio::time::Instant::now() + std::time::Duration::from_secs(20);
    while !server.app.store.push_subscriptions_of(eve.id.parse().unwrap()).await.unwrap().is_empty() {
        assert!(tokio::time::Instant::now() < until, "it stays");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(service.requests(), 0);
    server.stop().await;
}
