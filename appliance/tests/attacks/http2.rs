//! Floods of HTTP/2 frames.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, timeout},
};

use crate::{
    http2_frames::{
        END_HEADERS, END_STREAM, HEADERS, Method, PING, PREFACE, RST_STREAM, STREAMS, WITHOUT_BODY, cancelled, frame,
        head,
    },
    support::Server,
};

const PATIENCE: Duration = Duration::from_secs(20);

struct Connection {
    stream: TcpStream,
    address: SocketAddr,
    received: Vec<u8>,
    next: u32,
}

impl Connection {
    async fn open(address: SocketAddr) -> Self {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(PREFACE).await.unwrap();
        Self { stream, address, received: vec![], next: 1 }
    }

    /// The head of a request on a new stream, and the stream.
    fn request(&mut self, method: Method, path: &str) -> (Vec<u8>, u32) {
        let (flags, others) = match method {
            Method::Get => (END_HEADERS | END_STREAM, &[][..]),
            Method::Post => (END_HEADERS, &WITHOUT_BODY[..]),
        };
        let stream = self.next;
        self.next += 2;
        (frame(HEADERS, flags, stream, &head(self.address, method, path, others)), stream)
    }

    /// False if the server has closed.
    async fn sends(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).await.is_ok()
    }

    /// The kinds of the frames that come within a time, and whether the server closed.
    async fn reads(&mut self, within: Duration) -> (Vec<u8>, bool) {
        let (mut kinds, mut buffer) = (vec![], vec![0; 16 << 10]);
        let is_closed = loop {
            while let Some(head) = self.received.first_chunk::<9>() {
                let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
                if self.received.len() < 9 + length {
                    break;
                }
                kinds.push(head[3]);
                self.received.drain(..9 + length);
            }
            match timeout(within, self.stream.read(&mut buffer)).await {
                Err(_) => break false,
                Ok(Ok(length)) if length > 0 => self.received.extend(&buffer[..length]),
                Ok(_) => break true,
            }
        };
        (kinds, is_closed)
    }

    /// Asks for something and waits for the answer; false if the connection is closed.
    async fn is_answered(&mut self) -> bool {
        let (request, _) = self.request(Method::Get, "/healthz");
        let begun = Instant::now();
        if !self.sends(&request).await {
            return false;
        }
        while begun.elapsed() < PATIENCE {
            let (kinds, is_closed) = self.reads(Duration::from_millis(20)).await;
            if kinds.contains(&HEADERS) || is_closed {
                return !is_closed;
            }
        }
        panic!("neither an answer nor an end");
    }
}

async fn is_served(server: &Server) -> bool {
    Connection::open(server.address).await.is_answered().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_only_cancels_its_requests_is_closed() {
    let server = Server::start().await;
    let mut connection = Connection::open(server.address).await;
    let (begun, mut sent) = (Instant::now(), 0);
    // Slowly enough that the server begins with each of them.
    while begun.elapsed() < PATIENCE {
        let (request, stream) = connection.request(Method::Get, "/api/auth/check-login");
        if !connection.sends(&[request, cancelled(stream)].concat()).await {
            break;
        }
        sent += 1;
        if connection.reads(Duration::from_millis(2)).await.1 {
            break;
        }
    }
    // A busy machine has not begun with some of them, of which h2 allows 20 at a time.
    assert!((20..STREAMS + 200).contains(&sent), "{sent} requests were cancelled");
    assert!(is_served(&server).await, "others are served");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_are_left_again_and_again_keep_their_connection() {
    let server = Server::start().await;
    let mut connection = Connection::open(server.address).await;
    for _ in 0..10 {
        for _ in 0..20 {
            let (request, stream) = connection.request(Method::Get, "/api/auth/check-login");
            assert!(connection.sends(&[request, cancelled(stream)].concat()).await);
            assert!(!connection.reads(Duration::from_millis(2)).await.1, "it is closed");
        }
        for _ in 0..20 {
            assert!(connection.is_answered().await, "it is closed");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_beyond_a_hundred_are_refused() {
    let server = Server::start().await;
    let mut connection = Connection::open(server.address).await;
    for _ in 0..STREAMS + 50 {
        let (request, _) = connection.request(Method::Post, "/api/backend/stripe/webhook");
        assert!(connection.sends(&request).await);
    }
    let (kinds, is_closed) = connection.reads(Duration::from_secs(1)).await;
    let refused = kinds.iter().filter(|kind| **kind == RST_STREAM).count();
    assert_eq!((refused, is_closed), (50, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_that_belong_to_no_request_are_bounded() {
    // Otherwise a busy machine closes the connection for having no request.
    let server = Server::with(|config| config.server.head_timeout = PATIENCE).await;
    let mut connection = Connection::open(server.address).await;
    let pings = frame(PING, 0, 0, &[7; 8]).repeat(1_000);
    let (begun, mut sent) = (Instant::now(), 0);
    while begun.elapsed() < PATIENCE {
        if !connection.sends(&pings).await || connection.reads(Duration::from_millis(1)).await.1 {
            break;
        }
        sent += pings.len();
    }
    assert!((1 << 20..8 << 20).contains(&sent), "{sent} bytes of pings were taken");
    assert!(is_served(&server).await, "others are served");
}
