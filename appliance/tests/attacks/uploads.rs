//! Uploads and exports that pile up.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, timeout},
};

use crate::support::{Browser, Server};

/// Uploads of one account, and of one address, that have a place in the queue.
const OF_ACCOUNT: usize = 2;
const OF_ADDRESS: usize = 8;

/// Begins an upload of five megabytes and sends nothing of it.
async fn begins(server: &Server, browser: &Browser) -> TcpStream {
    begins_at(server, browser, "192.0.2.1").await
}

/// As [`begins`], at an address that a trusted proxy names.
async fn begins_at(server: &Server, browser: &Browser, address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let (session, token) = (browser.cookie("morpion_session").unwrap(), browser.cookie("XSRF-TOKEN").unwrap());
    let head = format!(
        "POST /api/backend/profile/image HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\nx-xsrf-token: {token}\r\n\
         cookie: morpion_session={session}; XSRF-TOKEN={token}\r\ncontent-type: multipart/form-data; boundary=x\r\n\
         x-forwarded-for: {address}\r\ncontent-length: 5000000\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_has_its_place_before_it_is_read() {
    let server = Server::with(|config| config.limits.uploads_per_hour = 1_000.try_into().unwrap()).await;
    let (ada, _) = server.registered("ada").await;
    let mut held = vec![];
    let begun = Instant::now();
    let answer = loop {
        assert!(begun.elapsed() < Duration::from_secs(20), "every upload is read");
        let mut stream = begins(&server, &ada).await;
        let mut bytes = vec![0; 4_096];
        match timeout(Duration::from_millis(200), stream.read(&mut bytes)).await {
            Ok(length) => break String::from_utf8_lossy(&bytes[..length.unwrap()]).into_owned(),
            Err(_) => held.push(stream),
        }
    };
    assert_eq!(held.len(), OF_ACCOUNT);
    assert!(answer.starts_with("HTTP/1.1 429 ") && answer.contains("retry-after: "), "{answer}");
    assert!(answer.contains(r#""errorCode":"too-many-requests""#), "{answer}");
    // Whoever is gone has no place.
    drop(held);
    let begun = Instant::now();
    loop {
        let mut stream = begins(&server, &ada).await;
        if timeout(Duration::from_millis(200), stream.read(&mut [0; 64])).await.is_err() {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "the places are not free again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_uploads_of_one_account_or_address_take_no_place_of_others() {
    let server = Server::with(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
        config.limits.uploads_per_hour = 1_000.try_into().unwrap();
    })
    .await;
    let mut held = vec![];
    for number in 0..OF_ADDRESS {
        let (slow, _) = server.registered(&format!("slow{number}")).await;
        for _ in 0..17 / OF_ADDRESS {
            held.push(begins_at(&server, &slow, "192.0.2.1").await);
        }
    }
    let (ada, _) = server.registered("ada").await;
    let refused = async |address| {
        let mut stream = begins_at(&server, &ada, address).await;
        timeout(Duration::from_millis(300), stream.read(&mut [0; 64])).await.is_ok()
    };
    let begun = Instant::now();
    // The last ones of the slow are on their way.
    while !refused("192.0.2.1").await {
        assert!(begun.elapsed() < Duration::from_secs(20), "an address has as many as it likes");
    }
    assert!(!refused("192.0.2.2").await, "others have to wait");
}

#[tokio::test(flavor = "multi_thread")]
async fn data_is_exported_twice_an_hour() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    for _ in 0..2 {
        let response = ada.request(Method::GET, "/api/backend/account/export").send().await.unwrap();
        let text = response.text().await.unwrap();
        let export: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(export["games"], json!({ "live": [], "finished": [] }));
    }
    let outcome = ada.get("/api/backend/account/export").await;
    assert!(outcome.retry_after.is_some_and(|seconds| seconds > 60), "{outcome:?}");
    outcome.fails(429, "too-many-requests");
    let (bob, _) = server.registered("bob").await;
    assert_eq!(bob.get("/api/backend/account/export").await.status, 200, "everybody has an own number");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_of_several_pages_is_one_document() {
    // A page has a hundred.
    const GAMES: usize = 120;
    let server = Server::with(|config| {
        let many = 10_000.try_into().unwrap();
        (config.limits.exports_per_hour, config.limits.invites_per_minute) = (many, many);
    })
    .await;
    let (ada, user) = server.registered("ada").await;
    let mut games = std::collections::BTreeSet::new();
    for _ in 0..GAMES {
        let payload = json!({ "players": [{ "userId": user["userId"] }], "gameType": "invite" });
        let game = ada.write("game", "create_game", payload).await.ok()["game"]["gameId"].clone();
        ada.write("game", "cancel_game", json!({ "gameId": game, "userId": user["userId"] })).await.ok();
        games.insert(game.as_str().unwrap().to_owned());
    }
    let begun = Instant::now();
    loop {
        let export = ada.get("/api/backend/account/export").await.body;
        let finished = export["games"]["finished"].as_array().unwrap();
        let exported = finished.iter().map(|each| each["game"]["gameId"].as_str().unwrap().to_owned()).collect();
        if finished.len() == GAMES && games == exported {
            break;
        }
        // Rows of games that are over are written in the background.
        assert!(begun.elapsed() < Duration::from_secs(20), "{} games", finished.len());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
