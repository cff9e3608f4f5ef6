//! Answers that nobody reads: what the server holds for one address stays within its limit, and is given back.

use std::{io, net::SocketAddr, time::Duration};

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

/// Opens a connection that takes one byte of each answer, and asks on so many streams for the same.
async fn asks_and_does_not_read(address: SocketAddr, path: &str, streams: usize) -> TcpStream {
    const INITIAL_WINDOW_SIZE: u8 = 4;
    let preface = PREFACE.strip_suffix(&frame(SETTINGS, 0, 0, &[])[..]).unwrap();
    let settings = frame(SETTINGS, 0, 0, &[0, INITIAL_WINDOW_SIZE, 0, 0, 0, 1]);
    let requests = (0..streams as u32).flat_map(|number| request(address, path, number));
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&[preface, &settings, &requests.collect::<Vec<_>>()].concat()).await.unwrap();
    stream
}

fn request(address: SocketAddr, path: &str, number: u32) -> Vec<u8> {
    frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, &head(address, Method::Get, path, &[]))
}

async fn is_served(address: SocketAddr) -> bool {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = vec![];
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("no answer").unwrap();
    answer.starts_with(b"HTTP/1.1 200")
}

/// Reads until the next request has an answer, and returns whether content is to come: one that is refused has none.
async fn has_content(stream: &mut TcpStream) -> io::Result<bool> {
    loop {
        let mut start = [0; 9];
        stream.read_exact(&mut start).await?;
        let [_, high, low, kind, flags, ..] = start;
        stream.read_exact(&mut vec![0; usize::from(u16::from_be_bytes([high, low]))]).await?;
        if kind == HEADERS {
            return Ok(flags & END_STREAM == 0);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_that_do_not_read_take_no_more_than_their_share() {
    const OF_ONE: u64 = 256 << 10;
    // What an answer of some 3 KiB takes at least until it is read: a part of it may have left for the socket.
    const OF_ANSWER: u64 = 2 << 10;
    let server = Server::with(|config| config.server.max_held_per_address = OF_ONE).await;
    let mut connections = vec![];
    let mut unread = 0;
    for _ in 0..4 {
        let mut connection = asks_and_does_not_read(server.address, "/api/docs", STREAMS).await;
        for _ in 0..STREAMS {
            let answer = timeout(PATIENCE, has_content(&mut connection)).await.expect("a request has no answer");
            unread += usize::from(answer.unwrap());
        }
        assert!(server.app.held.taken() <= OF_ONE);
        connections.push(connection);
    }
    assert!((1..=OF_ONE / OF_ANSWER).contains(&(unread as u64)), "{unread} answers wait");
    drop(connections);
    let begun = Instant::now();
    while !is_served(server.address).await || server.app.held.taken() > 0 {
        assert!(begun.elapsed() < PATIENCE, "what was held is not given back");
        sleep(Duration::from_millis(20)).await;
    }
}

/// Each refusal has to be kept for it, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_is_ended_where_there_is_no_room() {
    // One request at a time, and some forty answers.
    let server = Server::with(|config| config.server.max_held_per_address = 160 << 10).await;
    let mut connection = asks_and_does_not_read(server.address, "/api/docs", 1).await;
    let (mut asked, mut unread) = (1, 0);
    while let Ok(is_answered) = timeout(PATIENCE, has_content(&mut connection)).await.expect("no answer") {
        unread += u32::from(is_answered);
        assert!(unread < STREAMS as u32 / 2, "nothing is refused");
        let _ = connection.write_all(&request(server.address, "/api/docs", asked)).await;
        asked += 1;
    }
    assert!(unread > 8, "a client with {unread} answers to read is ended");
    assert!(is_served(server.address).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_read_is_given_up_and_given_back() {
    let server = Server::with(|config| config.server.idle_timeout = Duration::from_millis(500)).await;
    let mut connection = asks_and_does_not_read(server.address, "/api/openapi.json", STREAMS).await;
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
