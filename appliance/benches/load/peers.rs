//! The cost of the same play on other servers: those in `benches/peers`, on Node, which keep games in memory only.

use std::{net::SocketAddr, path::Path};

use anyhow::ensure;

use crate::{
    matches::{Game, Match, SMALL},
    process::{Server, on_server_core},
    socket::Socket,
};

/// How a server's protocol wraps a message.
#[derive(Debug, Clone, Copy)]
enum Wire {
    Plain,
    /// Engine.IO 4 and Socket.IO 5 over a websocket alone.
    SocketIo,
}

#[derive(Debug, Clone, Copy)]
pub struct Peer {
    pub name: &'static str,
    script: &'static str,
    wire: Wire,
}

pub fn all() -> [Peer; 2] {
    [
        Peer { name: "ws on Node", script: "ws.mjs", wire: Wire::Plain },
        Peer { name: "socket.io on Node", script: "socketio.mjs", wire: Wire::SocketIo },
    ]
}

/// A running peer.
#[derive(Debug, Clone, Copy)]
pub struct RunningPeer {
    wire: Wire,
    address: SocketAddr,
}

impl Peer {
    /// # Errors
    /// The packages are missing: `make bench` installs them.
    pub fn start(&self) -> anyhow::Result<(Server, RunningPeer)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers");
        ensure!(folder.join("node_modules").exists(), "npm ci in {} comes first", folder.display());
        let node = folder.join("node_modules/node/bin/node");
        let server = Server::spawn(on_server_core(&node).arg(folder.join(self.script)))?;
        let address = server.address;
        Ok((server, RunningPeer { wire: self.wire, address }))
    }
}

impl Game for RunningPeer {
    async fn start_match(&self, number: usize) -> anyhow::Result<Match> {
        let mut seats = Vec::with_capacity(2);
        for seat in 0..2 {
            seats.push(match self.wire {
                Wire::Plain => Socket::upgrade(self.address, &format!("/?table={number}&seat={seat}"), "").await?,
                Wire::SocketIo => {
                    let path = format!("/socket.io/?EIO=4&transport=websocket&table={number}&seat={seat}");
                    let mut socket = Socket::upgrade(self.address, &path, "").await?;
                    socket.send("40").await?;
                    socket.wait_for("40{").await?;
                    socket
                }
            });
        }
        let Ok(seats) = seats.try_into() else { unreachable!("two seats were taken") };
        Ok(Match { number, id: number.to_string(), seats, starter: 0 })
    }

    /// Peers start the next game themselves; as with us, the other player moves first.
    async fn play_again(&self, pair: &mut Match) -> anyhow::Result<()> {
        pair.starter = 1 - pair.starter;
        Ok(())
    }

    fn cells(&self) -> &'static [(u8, u8)] {
        &SMALL
    }

    fn move_message(&self, _pair: &Match, (row, col): (u8, u8)) -> String {
        match self.wire {
            Wire::Plain => format!(r#"{{"event":"makeMove","data":{{"row":{row},"col":{col}}}}}"#),
            Wire::SocketIo => format!(r#"42["makeMove",{{"row":{row},"col":{col}}}]"#),
        }
    }
}
