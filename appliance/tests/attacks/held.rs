//! Answers that nobody reads: what the server holds for one address stays within its limit, and is given back.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, sleep, timeout},
};

use crate::{
    http2_frames::{END_HEADERS, END_STREAM, HEADERS, Method, PREFACE, SETTINGS, STREAMS, frame, head},
    support::Server,
};

const PATIENCE: Duration = Duration::from_secs(30);

/// Opens a connection that takes one byte of each answer, and asks on every stream for the same.
async fn asks_and_does_not_read(address: SocketAddr, path: &str) -> TcpStream {
    const INITIAL_WINDOW_SIZE: u8 = 4;
    let preface = PREFACE.strip_suffix(&frame(SETTINGS, 0, 0, &[])[..]).unwrap();
    let settings = frame(SETTINGS, 0, 0, &[0, INITIAL_WINDOW_SIZE, 0, 0, 0, 1]);
    let block = head(address, Method::Get, path, &[]);
    let requests = (0..STREAMS as u32).map(|number| frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, &block));
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&[preface, &settings, &requests.flatten().collect::<Vec<_>>()].concat()).await.unwrap();
    stream
}

async fn is_served(address: SocketAddr) -> bool {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = vec![];
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("no answer").unwrap();
    answer.starts_with(b"HTTP/1.1 200")
}

/// What a connection got.
#[derive(Default)]
struct Answers {
    heads: usize,
    /// With content to come: those are not refused.
    with_content: usize,
    is_ended: bool,
}

/// Reads until every request has an answer, or the server ends the connection.
async fn answers(stream: &mut TcpStream) -> Answers {
    let mut answers = Answers::default();
    while answers.heads < STREAMS {
        let mut start = [0; 9];
        if stream.read_exact(&mut start).await.is_err() {
            answers.is_ended = true;
            break;
        }
        let [_, high, low, kind, flags, ..] = start;
        stream.read_exact(&mut vec![0; usize::from(u16::from_be_bytes([high, low]))]).await.unwrap();
        if kind == HEADERS {
            answers.heads += 1;
            answers.with_content += usize::from(flags & END_STREAM == 0);
        }
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_that_do_not_read_take_no_more_than_their_share() {
    const OF_ONE: u64 = 256 << 10;
    // What an answer takes at least until it is read.
    const OF_ANSWER: u64 = 2 << 10;
    // What a connection gets of them before it is ended, and those that were under way.
    const MOST_REFUSALS: usize = 32;
    let server = Server::with(|config| config.server.max_held_per_address = OF_ONE).await;
    let mut connections = vec![];
    let (mut unread, mut refused) = (0, vec![]);
    for _ in 0..4 {
        let mut connection = asks_and_does_not_read(server.address, "/api/docs").await;
        let answers = timeout(PATIENCE, answers(&mut connection)).await.expect("a request has no answer");
        unread += answers.with_content;
        refused.push((answers.is_ended, answers.heads - answers.with_content));
        assert!(server.app.held.taken() <= OF_ONE);
        connections.push(connection);
    }
    assert!((1..=OF_ONE / OF_ANSWER).contains(&(unread as u64)), "{unread} answers wait");
    // Refusals have to be sent too.
    assert!(refused.iter().all(|&(is_ended, count)| is_ended && count <= MOST_REFUSALS), "{refused:?}");
    drop(connections);
    let begun = Instant::now();
    while !is_served(server.address).await || server.app.held.taken() > 0 {
        assert!(begun.elapsed() < PATIENCE, "what was held is not given back");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_read_is_given_up_and_given_back() {
    let server = Server::with(|config| config.server.idle_timeout = Duration::from_millis(500)).await;
    let mut connection = asks_and_does_not_read(server.address, "/api/openapi.json").await;
    let begun = Instant::now();
    while server.app.held.taken() < 50 * 2_048 {
        assert!(begun.elapsed() < PATIENCE, "nothing is counted");
        sleep(Duration::from_millis(5)).await;
    }
    let mut received = vec![];
    let ended = timeout(PATIENCE, connection.read_to_end(&mut received)).await;
    assert!(ended.is_ok(), "a client that does not read is waited for");
    let begun = Instant::now();
    while server.app.held.taken() > 0 {
        assert!(begun.elapsed() < PATIENCE, "{} bytes are not given back", server.app.held.taken());
        sleep(Duration::from_millis(5)).await;
    }
}
