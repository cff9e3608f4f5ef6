//! Websockets whose frames never make a message, or are none.

use std::time::Duration;

use tokio_tungstenite::tungstenite::protocol::frame::{
    Frame,
    coding::{Data, OpCode},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::{socket::Socket, support::Server};

fn fragment(kind: Data, length: usize) -> Frame {
    Frame::message(vec![b'x'; length], OpCode::Data(kind), false)
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_fragments_are_too_big_a_message() {
    let server = Server::with(|config| config.realtime.frames_per_second = 100_000.try_into().unwrap()).await;
    let (browser, _) = server.registered("ada").await;
    for kind in [Data::Text, Data::Binary] {
        let mut socket = Socket::open(&server, &browser).await;
        socket.frames([fragment(kind, 1_024)]).await;
        socket.frames((0..64).map(|_| fragment(Data::Continue, 1_024))).await;
        assert_eq!(socket.close_code().await, 1009);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fragments_and_control_frames_are_a_flood_like_all_others() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    let mut socket = Socket::open(&server, &browser).await;
    socket.frames([fragment(Data::Text, 1)]).await;
    socket.frames((0..400).map(|_| fragment(Data::Continue, 0))).await;
    assert_eq!(socket.close_code().await, 1008);
    for control in [Frame::ping(vec![7]), Frame::pong(vec![7])] {
        let mut socket = Socket::open(&server, &browser).await;
        socket.frames((0..400).map(|_| control.clone())).await;
        assert_eq!(socket.close_code().await, 1008);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_without_a_mask_fail_the_connection() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    let session = browser.cookie("morpion_session").unwrap();
    let text = br#"{"event":"authenticate","data":{}}"#;
    let whole = [&[0x81, text.len() as u8][..], text].concat();
    let fragment = [&[0x01, 2][..], b"{}"].concat();
    let (ping, close) = (vec![0x89, 0], vec![0x88, 2, 0x03, 0xe8]);
    for frame in [whole, fragment, ping, close] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let head = format!(
            "GET /api/backend/realtime HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\nconnection: upgrade\r\n\
             upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             cookie: morpion_session={session}\r\n\r\n",
            server.address
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut head = vec![];
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
        stream.write_all(&frame).await.unwrap();
        let mut received = vec![];
        timeout(Duration::from_secs(20), stream.read_to_end(&mut received)).await.expect("it goes on").unwrap();
        assert!(
            received.ends_with(&[0x88, 2, 0x03, 0xea]),
            "it ends with another frame than a close of 1002: {received:?}"
        );
    }
}
