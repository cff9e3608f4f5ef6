//! Websockets whose frames never make a message.

use tokio_tungstenite::tungstenite::protocol::frame::{
    Frame,
    coding::{Data, OpCode},
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
