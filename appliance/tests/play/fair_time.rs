//! Somebody far from the server is charged for thinking, not for the way.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::{Instant, sleep, sleep_until},
};

use crate::{games::Person, socket::Socket, support::Server};

/// One way.
const DISTANCE: Duration = Duration::from_millis(100);

/// What each of the two thinks about each move.
const THINKS: Duration = Duration::from_millis(200);

/// Of each of the two.
const MOVES: u8 = 6;

/// Carries all bytes, each as late as the distance is long.
async fn carry(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) {
    let (sender, mut under_way) = mpsc::unbounded_channel();
    let read = async move {
        let mut buffer = [0; 4_096];
        while let Ok(length @ 1..) = from.read(&mut buffer).await {
            sender.send((Instant::now() + DISTANCE, buffer[..length].to_vec())).unwrap();
        }
    };
    let write = async move {
        while let Some((arrives, bytes)) = under_way.recv().await {
            sleep_until(arrives).await;
            if to.write_all(&bytes).await.is_err() {
                return;
            }
        }
    };
    tokio::join!(read, write);
}

/// Where the server is that far away.
async fn far_away(server: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            let far = TcpStream::connect(server).await.unwrap();
            near.set_nodelay(true).unwrap();
            far.set_nodelay(true).unwrap();
            let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
            tokio::spawn(async move { tokio::join!(carry(near_read, far_write), carry(far_read, near_write)) });
        }
    });
    address
}

async fn thinks_and_moves(mover: &mut Person, other: &mut Person, game: &str, at: u8) {
    sleep(THINKS).await;
    // Never four in a row.
    let (row, col) = (at / 3, 2 * (at % 3) + at / 3 % 2);
    assert_eq!(mover.plays(game, row, col).await["succeeded"], true);
    for person in [mover, other] {
        person.socket.wait("moveUpdate").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn network_delay_is_not_charged_to_a_distant_player() {
    let server = Server::start().await;
    let (mut ada, mut bob) = (Person::new(&server, "ada").await, Person::new(&server, "bob").await);
    let far = far_away(server.address).await;
    bob.socket = Socket::through(far, server.address, &bob.browser.cookie("morpion_session").unwrap()).await;
    let game = ada.invites(&bob, 6).await["gameId"].as_str().unwrap().to_owned();
    ada.joins(&game).await;
    bob.joins(&game).await;
    for at in 0..MOVES {
        thinks_and_moves(&mut ada, &mut bob, &game, 2 * at).await;
        thinks_and_moves(&mut bob, &mut ada, &game, 2 * at + 1).await;
    }
    let state = ada.joins(&game).await["gameState"].clone();
    let used = |person: &Person| {
        let players = state["players"].as_array().unwrap();
        let own = players.iter().find(|player| player["userId"] == person.id.as_str()).unwrap();
        own["timeUsedMs"].as_i64().unwrap()
    };
    let thought = i64::from(MOVES) * THINKS.as_millis() as i64;
    let way = i64::from(MOVES) * 2 * DISTANCE.as_millis() as i64;
    // Each thinks when both have seen the board, so ada is charged for the way of the news to bob and no more.
    let (near, far) = (used(&ada), used(&bob));
    // A busy machine answers pings late, which takes the more off.
    assert!(far >= thought / 2, "{state}");
    assert!(far < thought + way / 2, "bob used {far} ms for {thought} ms of thought; the way is {way} ms: {near}");
    server.stop().await;
}
