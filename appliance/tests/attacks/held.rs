//! Answers that nobody reads: what the server holds for one address stays within its limit, and is given back.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, sleep, timeout},
};

use crate::{
    http2_frames::STREAMS,
    support::Server,
    unread::{asks_and_does_not_read, has_content, request},
};

const PATIENCE: Duration = Duration::from_secs(30);

async fn is_served(address: SocketAddr) -> bool {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = vec![];
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("no answer").unwrap();
    answer.starts_with(b"HTTP/1.1 200")
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_that_do_not_read_take_no_more_than_their_share() {
    const OF_ONE: u64 = 256 << 10;
    // What an answer takes at least until it is read: a part of it may have left for the socket.
    const OF_ANSWER: u64 = 2 << 10;
    let server = Server::with(|config| config.server.max_held_per_address = OF_ONE).await;
    let mut connections = vec![];
    for number in 0..4 {
        let mut connection = asks_and_does_not_read(server.address, "/api/docs", STREAMS).await;
        let (mut answered, mut unread) = (0, 0);
        while answered < STREAMS {
            match timeout(PATIENCE, has_content(&mut connection)).await.expect("a request has no answer") {
                Ok(has_content) => unread += u64::from(has_content),
                // Where there is no room, who reads nothing is ended, and leaves its room to the next one.
                Err(_) => break,
            }
            answered += 1;
        }
        assert!(server.app.held.taken() <= OF_ONE);
        assert!(unread <= OF_ONE / OF_ANSWER && (number > 0 || unread > 0), "{unread} answers wait");
        connections.push(connection);
    }
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
