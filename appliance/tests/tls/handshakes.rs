//! What a client gets from a server with TLS, and how long it may take.

use std::{sync::Arc, time::Duration};

use morpion_appliance::{account::token, background};
use morpion_store::NewOperatorToken;
use reqwest::{Client, StatusCode, Version};
use tempfile::TempDir;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
    time::{Instant, timeout},
};

use crate::{
    certificates::{Authority, connect},
    server::{NAME, PATIENCE, Server, until},
};

/// What the tests set for a time limit.
const SHORT: Duration = Duration::from_millis(500);

#[tokio::test(flavor = "multi_thread")]
async fn pages_come_over_tls_with_hsts_and_secure_cookies() {
    let authority = Authority::new();
    let server = Server::start(&authority.issue(&[NAME], [-1, 90]), |_| {}).await;
    let browser = server.browser(&authority);
    let response = browser.get(server.url("/api/auth/check-login")).send().await.unwrap();
    assert_eq!((response.status(), response.version()), (StatusCode::OK, Version::HTTP_2));
    assert_eq!(response.headers()["strict-transport-security"], "max-age=31536000");
    let cookies: Vec<_> =
        response.headers().get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(!cookies.is_empty() && cookies.iter().all(|cookie| cookie.contains("; Secure")), "{cookies:?}");
    assert_eq!(server.app.health.notices(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn http2_is_chosen_where_it_is_offered_and_websockets_are_upgraded() {
    let authority = Authority::new();
    let server = Server::start(&authority.issue(&[NAME], [-1, 90]), |_| {}).await;
    for (offered, chosen) in [(&["h2", "http/1.1"][..], Some("h2")), (&["http/1.1"], Some("http/1.1")), (&[], None)] {
        let stream = connect(authority.client(offered), server.address, NAME).await.unwrap();
        let protocol = stream.get_ref().1.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned());
        assert_eq!(protocol.as_deref(), chosen);
    }
    connect(authority.client(&["smtp"]), server.address, NAME).await.expect_err("nothing else is spoken");
    connect(authority.client(&["acme-tls/1"]), server.address, NAME).await.expect_err("not without ACME");

    let stream = connect(authority.client(&["http/1.1"]), server.address, NAME).await.unwrap();
    upgraded(&server, stream).await;
}

/// A websocket on this connection, whose first frames have come.
async fn upgraded<S: AsyncRead + AsyncWrite + Unpin>(server: &Server, mut stream: S) -> S {
    let (origin, token) = (server.url(""), operator_token(server).await);
    let host = origin.trim_start_matches("https://");
    let asked = format!(
        "GET /api/backend/realtime HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nauthorization: Bearer {token}\r\nconnection: upgrade\r\n\
         upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(asked.as_bytes()).await.unwrap();
    let answer = read_until(&mut stream, "socketId").await;
    assert!(answer.starts_with("HTTP/1.1 101"), "{answer}");
    stream
}

async fn read_until(stream: &mut (impl AsyncRead + Unpin), wanted: &str) -> String {
    let mut received = vec![];
    let reading = async {
        while !String::from_utf8_lossy(&received).contains(wanted) {
            assert!(stream.read_buf(&mut received).await.unwrap() > 0, "it is closed");
        }
    };
    timeout(PATIENCE, reading).await.unwrap();
    String::from_utf8_lossy(&received).into_owned()
}

/// Whatever HTTP and TLS ask of their threads, a websocket needs none of them.
#[tokio::test(flavor = "multi_thread")]
async fn a_websocket_goes_on_while_every_thread_of_the_edge_is_taken() {
    trait Stream: AsyncRead + AsyncWrite + Unpin {}
    impl<S: AsyncRead + AsyncWrite + Unpin> Stream for S {}
    const PING: &[u8] = b"\x89\x84\0\0\0\0live";

    let authority = Authority::new();
    let encrypted = Server::start(&authority.issue(&[NAME], [-1, 90]), |_| {}).await;
    let plain = Server::of(Arc::new(TempDir::new().unwrap()), |_| {}).await;
    let stream = connect(authority.client(&["http/1.1"]), encrypted.address, NAME).await.unwrap();
    let mut sockets: [Box<dyn Stream>; 2] = [
        Box::new(upgraded(&encrypted, stream).await),
        Box::new(upgraded(&plain, TcpStream::connect(plain.address).await.unwrap()).await),
    ];

    let edge = background::edge();
    let (taken, mut takes) = mpsc::unbounded_channel();
    let free: Vec<std::sync::mpsc::Sender<()>> = (0..edge.metrics().num_workers())
        .map(|_| {
            let (free, freed) = std::sync::mpsc::channel();
            let taken = taken.clone();
            edge.spawn(async move {
                taken.send(()).unwrap();
                let _ = freed.recv();
            });
            free
        })
        .collect();
    for _ in &free {
        timeout(PATIENCE, takes.recv()).await.unwrap().unwrap();
    }
    for socket in &mut sockets {
        socket.write_all(PING).await.unwrap();
        read_until(socket, "live").await;
    }
}

/// Of an operator, who may open a websocket without an account.
async fn operator_token(server: &Server) -> String {
    let text = token::new();
    let new = NewOperatorToken {
        id: uuid::Uuid::new_v4(),
        hash: token::hash(&text),
        name: "test".to_owned(),
        scope: "all".to_owned(),
        created_at: server.app.clock.wall(),
        expires_at: None,
    };
    server.app.store.create_operator_token(new, 100).await.unwrap();
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_or_absent_handshake_is_closed() {
    let authority = Authority::new();
    let issued = authority.issue(&[NAME], [-1, 90]);
    let server = Server::start(&issued, |config| config.server.head_timeout = SHORT).await;
    let begun = Instant::now();
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    let mut trickling = TcpStream::connect(server.address).await.unwrap();
    // The beginning of a ClientHello, of which the rest does not come.
    trickling.write_all(&[0x16, 0x03, 0x01, 0x02, 0x00, 0x01]).await.unwrap();
    for stream in [&mut silent, &mut trickling] {
        let mut rest = vec![];
        let _ = timeout(PATIENCE, stream.read_to_end(&mut rest)).await.expect("the server keeps the connection");
    }
    assert!(begun.elapsed() >= SHORT, "they had their time");
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_wait_for_a_handshake_take_the_place_of_others() {
    let authority = Authority::new();
    let issued = authority.issue(&[NAME], [-1, 90]);
    let server = Server::start(&issued, |config| config.server.max_connections_per_address = 2).await;
    let silent = [TcpStream::connect(server.address).await.unwrap(), TcpStream::connect(server.address).await.unwrap()];
    connect(authority.client(&["h2"]), server.address, NAME).await.expect_err("two connections are all");
    drop(silent);
    until("there is room again", async || connect(authority.client(&["h2"]), server.address, NAME).await.is_ok()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rubbish_and_plain_http_harm_nobody() {
    let authority = Authority::new();
    let server = Server::start(&authority.issue(&[NAME], [-1, 90]), |_| {}).await;
    let mut oversized = vec![0x16, 0x03, 0x01, 0xff, 0xff];
    oversized.resize(70_000, 0x41);
    for bytes in
        [b"GET / HTTP/1.1\r\nhost: play.example.org\r\n\r\n".to_vec(), vec![0; 300], vec![0xff; 300], oversized]
    {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let _ = stream.write_all(&bytes).await;
        let mut rest = vec![];
        let _ = timeout(PATIENCE, stream.read_to_end(&mut rest)).await.expect("the server keeps the connection");
        assert!(!String::from_utf8_lossy(&rest).contains("HTTP/"), "nothing is served without TLS");
    }
    let response = server.browser(&authority).get(server.url("/healthz")).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_listener_only_redirects() {
    let authority = Authority::new();
    let server = Server::start(&authority.issue(&[NAME], [-1, 90]), |_| {}).await;
    let client = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let address = format!("http://{}/app/play?game=1", server.redirecting);
    for host in ["play.example.org", "evil.example", "evil.example:80"] {
        let asked = client.post(&address).header("host", host).body("secret");
        let response = asked.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::PERMANENT_REDIRECT);
        assert_eq!(response.headers()["location"], server.url("/app/play?game=1").as_str());
        assert!(!response.headers().contains_key("strict-transport-security"), "RFC 6797 forbids it here");
        assert!(!response.headers().contains_key("set-cookie"));
    }
}
