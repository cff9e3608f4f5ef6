//! Connections that are too many, too slow, or ask too much.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, sleep, timeout},
};

use crate::{
    socket::{Socket, handshake},
    support::Server,
};

/// What the tests set for a time limit.
const SHORT: Duration = Duration::from_millis(300);

/// Generous: what is limited ends after [`SHORT`] on a machine that does nothing else.
const PATIENCE: Duration = Duration::from_secs(8);

struct Raw(TcpStream);

impl Raw {
    async fn open(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.unwrap())
    }

    async fn send(&mut self, text: &str) {
        // A server that refused may be gone already.
        let _ = self.0.write_all(text.as_bytes()).await;
    }

    /// Everything until the server closes.
    async fn rest(&mut self) -> String {
        let mut bytes = vec![];
        // A reset ends it too.
        let _ = timeout(PATIENCE, self.0.read_to_end(&mut bytes)).await.expect("the server keeps the connection");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The answer to a health check, whose connection stays open.
    async fn asks(&mut self, address: SocketAddr) -> String {
        self.send(&format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n")).await;
        let mut bytes = vec![0; 4_096];
        let length = timeout(PATIENCE, self.0.read(&mut bytes)).await.expect("no answer").unwrap();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }
}

/// Asks on new connections until there is a permit.
async fn gets_a_permit(address: SocketAddr) -> Raw {
    let begun = Instant::now();
    loop {
        let mut raw = Raw::open(address).await;
        if raw.asks(address).await.starts_with("HTTP/1.1 200") {
            return raw;
        }
        assert!(begun.elapsed() < PATIENCE, "no permit became free");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_that_never_end_are_closed() {
    let server = Server::with(|config| config.server.head_timeout = SHORT).await;
    let begun = Instant::now();
    let (mut silent, mut half) = (Raw::open(server.address).await, Raw::open(server.address).await);
    half.send("GET / HTTP/1.1\r\nhost: x\r\n").await;
    let mut dripping = Raw::open(server.address).await;
    let drip = async {
        dripping.send("GET / HTTP/1.1\r\n").await;
        while begun.elapsed() < PATIENCE && dripping.0.write_all(b"x: y\r\n").await.is_ok() {
            sleep(SHORT / 6).await;
        }
    };
    tokio::join!(silent.rest(), half.rest(), drip);
    assert!(begun.elapsed() < PATIENCE, "one of them was kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_head_has_to_end_too_and_silence_between_requests_is_longer() {
    let server = Server::with(|config| {
        config.server.head_timeout = SHORT;
        config.server.idle_timeout = 4 * SHORT;
    })
    .await;
    let mut raw = Raw::open(server.address).await;
    assert!(raw.asks(server.address).await.starts_with("HTTP/1.1 200"));
    sleep(2 * SHORT).await;
    assert!(raw.asks(server.address).await.starts_with("HTTP/1.1 200"), "it may be idle longer than a head takes");
    let idle_since = Instant::now();
    raw.rest().await;
    assert!(idle_since.elapsed() >= 4 * SHORT - SHORT / 2);
    let mut raw = gets_a_permit(server.address).await;
    raw.send("GET / HTTP/1.1\r\n").await;
    raw.rest().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let server = Server::with(|config| config.server.body_timeout = SHORT).await;
    let host = server.address;
    let mut raw = Raw::open(host).await;
    raw.send(&format!(
        "POST /api/backend/stripe/webhook HTTP/1.1\r\nhost: {host}\r\nstripe-signature: t=1\r\n\
         content-type: application/json\r\ncontent-length: 1000\r\n\r\n{{"
    ))
    .await;
    let answer = raw.rest().await;
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("too slowly"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_has_so_many_connections_and_a_websocket_is_one() {
    let server = Server::with(|config| config.server.max_connections_per_address = 6).await;
    let (browser, _) = server.registered("ada").await;
    let mut socket = Socket::open(&server, &browser).await;
    drop(browser);
    let mut kept = vec![];
    for _ in 0..5 {
        kept.push(gets_a_permit(server.address).await);
    }
    let refused = Raw::open(server.address).await.rest().await;
    assert!(refused.starts_with("HTTP/1.1 429 ") && refused.contains("retry-after: 10\r\n"), "{refused}");
    assert!(refused.contains(r#""errorCode":"too-many-connections""#), "{refused}");
    for header in ["x-content-type-options: nosniff", "cache-control: no-store", "x-request-id: "] {
        assert!(refused.contains(header), "{header}: {refused}");
    }
    socket.ask("authenticate", serde_json::json!({})).await;
    kept.pop();
    gets_a_permit(server.address).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_only_all_connections_are_counted() {
    let server = Server::with(|config| {
        config.server.max_connections_per_address = 1;
        config.server.max_connections = 4;
        config.server.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let mut kept = vec![];
    for _ in 0..4 {
        kept.push(gets_a_permit(server.address).await);
    }
    let refused = Raw::open(server.address).await.rest().await;
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("retry-after: 10\r\n"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_that_are_too_large_are_told_so() {
    let server = Server::start().await;
    let host = server.address;
    let query = "x".repeat(9_000);
    let many: String = (0..200).map(|number| format!("x-{number}: y\r\n")).collect();
    let long = format!("x: {}\r\n", "y".repeat(100_000));
    for (path, headers, status) in [
        (format!("/api/backend/event?action={query}"), String::new(), 414),
        ("/".to_owned(), many, 431),
        ("/".to_owned(), long, 431),
    ] {
        let mut raw = Raw::open(host).await;
        raw.send(&format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}\r\n")).await;
        let answer = raw.rest().await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{status}: {answer}");
        // hyper answers 431 by itself, with an empty body.
        assert!(status == 431 || answer.contains("x-content-type-options: nosniff\r\n"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_names_one_host_once() {
    let server = Server::start().await;
    let host = server.address;
    let many = format!("host: {host}\r\n");
    for (target, hosts, status) in [
        ("/", many.clone(), None),
        (&format!("http://{host}/healthz"), many.clone(), Some(200)),
        ("/healthz", format!("{many}{many}"), Some(400)),
        ("/healthz", format!("{many}host: evil.example\r\n"), Some(400)),
        ("/healthz", String::new(), Some(400)),
        ("http://evil.example/healthz", many.clone(), Some(400)),
        ("http://evil.example/healthz", "host: evil.example\r\n".to_owned(), Some(421)),
        ("http://evil.example/", "host: evil.example\r\n".to_owned(), Some(421)),
    ] {
        let mut raw = Raw::open(host).await;
        raw.send(&format!("GET {target} HTTP/1.1\r\n{hosts}connection: close\r\n\r\n")).await;
        let answer = raw.rest().await;
        // Without a build of the web app its page is a 503.
        let found: u16 = answer[9..12].parse().unwrap();
        assert!(status.map_or([200, 503].contains(&found), |status| status == found), "{target} {hosts}: {answer}");
        assert!(answer.contains("x-content-type-options: nosniff\r\n"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn http_2_has_a_hundred_streams() {
    let server = Server::start().await;
    let mut raw = Raw::open(server.address).await;
    // The preface, and settings without a change.
    raw.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await;
    let mut head = [0; 9];
    timeout(PATIENCE, raw.0.read_exact(&mut head)).await.unwrap().unwrap();
    assert_eq!(head[3], 4, "settings come first");
    let mut settings = vec![0; usize::from(head[2])];
    timeout(PATIENCE, raw.0.read_exact(&mut settings)).await.unwrap().unwrap();
    // SETTINGS_MAX_CONCURRENT_STREAMS is 3.
    assert!(settings.chunks(6).any(|setting| setting == [0, 3, 0, 0, 0, 100]), "{settings:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_websocket_outlives_the_limits_of_requests() {
    let server = Server::with(|config| {
        config.server.head_timeout = SHORT;
        config.server.idle_timeout = SHORT;
    })
    .await;
    let (browser, _) = server.registered("ada").await;
    let mut request = handshake(server.address);
    let session = browser.cookie("morpion_session").unwrap();
    request.headers_mut().insert("cookie", format!("morpion_session={session}").parse().unwrap());
    let mut socket = Socket::connect(request).await.unwrap();
    sleep(3 * SHORT).await;
    socket.ask("authenticate", serde_json::json!({})).await;
}
