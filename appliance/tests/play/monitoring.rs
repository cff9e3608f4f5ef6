//! What monitoring gets of a server that is played on.

mod prometheus_text;

use std::{collections::BTreeSet, net::SocketAddr, sync::Arc, time::Duration};

use morpion_appliance::{config::Config, metrics::ClusterStanding};
use regex::Regex;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::{
    games::started,
    support::{Server, credentials},
};
use prometheus_text::Scrape;

/// Where the metrics of a server are.
async fn listening(server: &Server) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(Arc::clone(&server.app).serve_metrics(listener, std::future::pending()));
    address
}

fn client() -> Client {
    Client::builder().no_proxy().build().unwrap()
}

async fn scrape(address: SocketAddr) -> Scrape {
    let answer = client().get(format!("http://{address}/metrics")).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "text/plain; version=0.0.4");
    Scrape::read(&answer.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scrape_after_play_has_the_figures_and_names_nobody() {
    let server = Server::start().await;
    let metrics = listening(&server).await;
    let (mut ada, bob, game) = started(&server, 3).await;
    assert_eq!(ada.plays(&game, 0, 0).await["succeeded"], true);
    let visitor = server.browser().await;
    for (email, status) in [("ada@example.org", 401), ("nobody_here@example.org", 401)] {
        assert_eq!(visitor.post("/api/auth/login", credentials(email, "Wrong-Horse-7")).await.status, status);
    }
    visitor.get(&format!("/api/backend/profile/image/{}/64", ada.id)).await;
    visitor.get("/api/backend/profile/image/mallory_was_here/64").await;
    visitor.get("/mallory_was_here?name=mallory").await;

    let scrape = scrape(metrics).await;
    for (metric, labels, value) in [
        ("morpion_moves_total", "", 1.0),
        ("morpion_move_seconds_count", "", 1.0),
        ("morpion_sockets", "", 2.0),
        ("morpion_games", "state=\"live\"", 1.0),
        ("morpion_security_events_total", "event=\"sign-in\",outcome=\"failed\"", 2.0),
        ("morpion_http_requests_total", "route=\"/api/auth/login\",status=\"4xx\"", 2.0),
        ("morpion_http_requests_total", "route=\"/api/backend/realtime\",status=\"1xx\"", 2.0),
        ("morpion_http_requests_total", "route=\"/api/backend/profile/image/{user_id}/{size}\",status=\"4xx\"", 2.0),
        ("morpion_queue_length", "queue=\"journal\"", 0.0),
        ("morpion_queue_length", "queue=\"games\"", 0.0),
        ("morpion_payments_total", "outcome=\"paid\"", 0.0),
        ("morpion_pushes_total", "outcome=\"sent\"", 0.0),
        ("morpion_info", concat!("version=\"", env!("CARGO_PKG_VERSION"), "\""), 1.0),
    ] {
        assert_eq!(scrape.value(metric, labels), Some(value), "{metric}{{{labels}}} in {}", scrape.text);
    }
    for metric in
        ["morpion_commit_seconds_count", "process_resident_memory_bytes", "process_open_fds", "morpion_disk_free_bytes"]
    {
        assert!(scrape.value(metric, "").is_some_and(|value| value > 0.0), "{metric} in {}", scrape.text);
    }
    let secrets = [&ada.id, &bob.id, &game];
    let names = ["ada", "bob", "mallory", "nobody_here", "example.org", "127.0.0.1"];
    for private in secrets.into_iter().map(String::as_str).chain(names) {
        assert!(!scrape.label_values().any(|value| value.contains(private)), "{private} is in {}", scrape.text);
    }
    let labels: BTreeSet<_> = scrape.label_names().collect();
    let known = ["event", "le", "outcome", "queue", "route", "state", "status", "version"];
    assert_eq!(labels, BTreeSet::from(known), "a new label has to be one that names nobody");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_that_strangers_make_up_add_no_metrics() {
    let server = Server::start().await;
    let metrics = listening(&server).await;
    let visitor = server.browser().await;
    visitor.get("/api/backend/profile/image/0/64").await;
    visitor.get("/nowhere").await;
    let before = scrape(metrics).await.series();
    for number in 1..50 {
        visitor.get(&format!("/api/backend/profile/image/{number}/64")).await;
        visitor.get(&format!("/nowhere/{number}\u{e9}%0a%22")).await;
    }
    assert_eq!(scrape(metrics).await.series(), before);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_listener_of_the_metrics_has_nothing_else_and_is_limited() {
    let server = Server::with(|config: &mut Config| {
        config.server.head_timeout = Duration::from_secs(1);
    })
    .await;
    let metrics = listening(&server).await;
    for path in ["/", "/metrics/", "/metrics/x", "/healthz", "/api/auth/check-login", "/metrics%2f"] {
        let status = client().get(format!("http://{metrics}{path}")).send().await.unwrap().status();
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
    }
    for method in [Method::POST, Method::PUT, Method::DELETE] {
        let request = client().request(method.clone(), format!("http://{metrics}/metrics"));
        assert_eq!(request.body("x").send().await.unwrap().status(), StatusCode::METHOD_NOT_ALLOWED, "{method}");
    }
    let elsewhere = client().get(format!("http://{}/metrics", server.address)).send().await.unwrap();
    assert!(!elsewhere.text().await.unwrap().contains("morpion_"), "the main listener does not have them");

    let request = client().get(format!("http://{metrics}/metrics")).header("x-large", "x".repeat(64 * 1024));
    assert_eq!(request.send().await.unwrap().status(), StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    let mut slow = TcpStream::connect(metrics).await.unwrap();
    slow.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\n").await.unwrap();
    let ended = timeout(Duration::from_secs(10), slow.read_to_end(&mut vec![])).await;
    assert!(ended.is_ok(), "a head that does not arrive is not waited for");

    let mut idle = vec![];
    for _ in 0..16 {
        idle.push(TcpStream::connect(metrics).await.unwrap());
    }
    let mut answer = String::new();
    TcpStream::connect(metrics).await.unwrap().read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    drop(idle);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_are_counted_by_what_became_of_them() {
    let server = Server::start().await;
    let metrics = listening(&server).await;
    let (ada, _) = server.registered("ada").await;
    ada.post("/api/auth/email/request-code", json!({})).await.ok();
    let sent = async {
        while scrape(metrics).await.value("morpion_mails_total", "outcome=\"sent\"") == Some(0.0) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(20), sent).await.expect("a mail to the outbox counts");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn admins_see_the_last_hour_and_others_do_not() {
    let server = Server::start().await;
    tokio::spawn(Arc::clone(&server.app).run_monitoring(Duration::from_millis(200)));
    let (mut ada, _bob, game) = started(&server, 3).await;
    assert_eq!(ada.plays(&game, 0, 0).await["succeeded"], true);
    let (admin, _) = server.admin().await;
    let has_move = |sample: &&Value| sample["movesPerSecond"].as_f64().unwrap() > 0.0;
    let samples = async {
        loop {
            let answer = admin.read("admin", "history", json!({})).await.ok();
            assert_eq!(answer["intervalSeconds"], 10);
            let samples = answer["samples"].as_array().unwrap().clone();
            match samples.iter().position(|sample| has_move(&sample)) {
                // One more, in which nobody moved.
                Some(at) if at + 1 < samples.len() => return (samples[at].clone(), samples[at + 1].clone()),
                _ => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    };
    let (moved, idle) = timeout(Duration::from_secs(20), samples).await.expect("samples come at the interval");
    for field in ["memory", "diskFree", "sockets", "moveP50", "moveP99"] {
        assert!(moved[field].as_f64().is_some_and(|figure| figure > 0.0), "{field} in {moved}");
    }
    assert!(moved["moveP50"].as_f64() <= moved["moveP99"].as_f64(), "{moved}");
    assert_eq!((idle["movesPerSecond"].as_f64(), &idle["moveP99"]), (Some(0.0), &Value::Null), "{idle}");
    assert!(moved["at"].as_str() < idle["at"].as_str());
    assert_eq!(ada.browser.read("admin", "history", json!({})).await.status, StatusCode::FORBIDDEN);
    assert_eq!(server.browser().await.read("admin", "history", json!({})).await.status, StatusCode::UNAUTHORIZED);
    server.stop().await;
}

/// What guides for hosts name.
const DASHBOARD: &str = include_str!("../../../docs/hosting/grafana.json");
const ALERTS: &str = include_str!("../../../docs/hosting/alerts.yml");
const GUIDE: &str = include_str!("../../../docs/hosting/monitoring.md");

#[tokio::test(flavor = "multi_thread")]
async fn dashboard_alerts_and_guide_name_metrics_that_exist() {
    let server = Server::start().await;
    let metrics = listening(&server).await;
    let _play = started(&server, 3).await;
    server.browser().await.post("/api/auth/login", credentials("ada@example.org", "Wrong-Horse-7")).await;
    server.app.metrics.backup_finished(server.app.clock.wall(), true);
    let standing = ClusterStanding { is_leading: true, is_suspended: false, position: 1, lag: 0 };
    server.app.metrics.cluster_stands(standing);
    let scrape = scrape(metrics).await;
    let names = Regex::new(r"\b(?:morpion|process)_[a-z0-9_]+").unwrap();
    let named = |text| names.find_iter(text).map(|found| found.as_str()).collect::<BTreeSet<_>>();
    for (file, text) in [("grafana.json", DASHBOARD), ("alerts.yml", ALERTS)] {
        let missing: Vec<_> = named(text).into_iter().filter(|name| !scrape.has(name)).collect();
        assert!(missing.is_empty(), "{file} names {missing:?}");
    }
    let documented: BTreeSet<_> = named(GUIDE).into_iter().map(str::to_owned).collect();
    assert_eq!(documented, scrape.families, "the guide names every metric, and no other");

    let labels: BTreeSet<_> = scrape.label_names().chain(["job", "instance"]).collect();
    let label = Regex::new(r#"([a-z_]+)(?:=|!=)\\?"|\{\{([a-z_]+)\}\}|by \(([a-z_, ]+)\)"#).unwrap();
    for text in [DASHBOARD, ALERTS] {
        for found in label.captures_iter(text) {
            let used = found.iter().skip(1).flatten().next().unwrap().as_str();
            assert!(used.split(", ").all(|used| labels.contains(used)), "{}", &found[0]);
        }
    }
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    assert!(dashboard["panels"].as_array().is_some_and(|panels| panels.len() > 15));
    server.stop().await;
}
