//! Seating: two players of a match connect, as the library of their server's clients would.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use super::{
    frames,
    wire::{BOARDGAME, Heard, Wire, colyseus},
};
use crate::{seed::Account, socket};

/// How long a server may take for an answer while players sit down.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a refused move must not cause within this time.
const SILENCE: Duration = Duration::from_millis(250);

/// A player's connection while it blocks.
pub struct Seat {
    stream: TcpStream,
    read: Vec<u8>,
    wire: Wire,
}

/// Two seated players and the game that they are about to play, which the first of them starts.
pub struct Seated {
    pub number: usize,
    pub game: String,
    pub seats: [Seat; 2],
}

/// Where a server is, and who plays on it: two accounts a match on Morpion, nobody in particular elsewhere.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub wire: Wire,
    /// Where players connect to.
    pub address: SocketAddr,
    /// What they call it. In a cluster that is the same on all nodes.
    pub host: SocketAddr,
    pub accounts: &'a [Account],
}

impl Place<'_> {
    /// Seats the players of a match.
    ///
    /// # Errors
    /// The server refuses, or takes too long.
    pub fn seat(&self, number: usize) -> anyhow::Result<Seated> {
        let (game, seats) = match self.wire {
            Wire::Plain => {
                let path = |seat| format!("/?table={number}&seat={seat}");
                (String::new(), [self.open(&path(0), "")?, self.open(&path(1), "")?])
            }
            Wire::SocketIo => {
                let path = |seat| format!("/socket.io/?EIO=4&transport=websocket&table={number}&seat={seat}");
                let mut seats = [self.open(&path(0), "")?, self.open(&path(1), "")?];
                for seat in &mut seats {
                    seat.send(b"40")?;
                    seat.wait_for(|message| message.starts_with(b"40{"))?;
                }
                (String::new(), seats)
            }
            Wire::Boardgame => self.seat_on_boardgame(number)?,
            Wire::Colyseus => self.seat_on_colyseus()?,
            Wire::Morpion => self.seat_on_morpion(number)?,
        };
        Ok(Seated { number, game, seats })
    }

    fn open(&self, path: &str, headers: &str) -> anyhow::Result<Seat> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(socket::request_for(self.host, path, headers).as_bytes())?;
        let mut answer = Vec::new();
        let mut byte = [0];
        while !answer.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).context("no answer to the handshake")?;
            answer.push(byte[0]);
        }
        if !answer.starts_with(b"HTTP/1.1 101") {
            bail!("refused: {}", String::from_utf8_lossy(&answer).lines().next().unwrap_or_default());
        }
        Ok(Seat { stream, read: vec![], wire: self.wire })
    }

    /// A call over HTTP on a connection of its own; its answer.
    fn call(&self, path: &str, headers: &str, content: &Value) -> anyhow::Result<Value> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let content = content.to_string();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n{headers}\r\n{content}",
            self.host,
            content.len()
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        // Around the JSON there may be the lengths of chunks.
        let body = answer.split_once("\r\n\r\n").context("no answer")?.1;
        let start = body.find('{').with_context(|| answer.clone())?;
        let end = body.rfind('}').with_context(|| answer.clone())?;
        serde_json::from_str(&body[start..=end]).with_context(|| answer.clone())
    }

    fn seat_on_boardgame(&self, number: usize) -> anyhow::Result<(String, [Seat; 2])> {
        let game = format!("m{number}");
        let mut seats = [(); 2].map(|()| self.open("/socket.io/?EIO=4&transport=websocket", ""));
        for (number, seat) in seats.iter_mut().enumerate() {
            let Ok(seat) = seat else { continue };
            seat.send(b"40/table,")?;
            seat.wait_for(|message| message.starts_with(b"40/table,{"))?;
            seat.send(format!(r#"{BOARDGAME}["sync","{game}","{number}",null,2]"#).as_bytes())?;
            seat.wait_for(|message| message.starts_with(br#"42/table,["sync""#))?;
        }
        let [first, second] = seats;
        Ok((game, [first?, second?]))
    }

    fn seat_on_colyseus(&self) -> anyhow::Result<(String, [Seat; 2])> {
        let join = |method: String| -> anyhow::Result<(String, Seat)> {
            let reserved = self.call(&format!("/matchmake/{method}"), "", &json!({}))?;
            let text = |name: &str| reserved[name].as_str().map(str::to_owned).with_context(|| reserved.to_string());
            let (process, room, session) = (text("processId")?, text("roomId")?, text("sessionId")?);
            let mut seat = self.open(&format!("/{process}/{room}?sessionId={session}"), "")?;
            seat.wait_for(|message| message.first() == Some(&colyseus::JOIN_ROOM))?;
            seat.send(&[colyseus::JOIN_ROOM])?;
            seat.wait_for(|message| message.first() == Some(&colyseus::ROOM_STATE))?;
            Ok((room, seat))
        };
        let (room, first) = join("create/table".to_owned())?;
        let (_, second) = join(format!("joinById/{room}"))?;
        Ok((room, [first, second]))
    }

    fn seat_on_morpion(&self, number: usize) -> anyhow::Result<(String, [Seat; 2])> {
        let [x, o] = [0, 1].map(|seat| &self.accounts[2 * number + seat]);
        let players =
            [x, o].map(|account| json!({ "userId": account.id.to_string(), "username": account.username.clone() }));
        let payload = json!({ "players": players, "gameType": "invite", "boardSize": 3, "notify": false });
        let call = json!({ "action": "create_game", "payload": payload });
        let answer = self.call("/api/backend/game", &headers(x), &call)?;
        let game = answer["game"]["gameId"].as_str().with_context(|| answer.to_string())?.to_owned();
        let mut seats = [
            self.open(socket::MORPION, &format!("Cookie: {}\r\n", x.cookie()))?,
            self.open(socket::MORPION, &format!("Cookie: {}\r\n", o.cookie()))?,
        ];
        for seat in &mut seats {
            seat.send(join(&game).as_bytes())?;
            seat.wait_to(Heard::Joined)?;
        }
        for seat in &mut seats {
            seat.wait_to(Heard::Started)?;
        }
        Ok((game, seats))
    }
}

/// The headers of a call that this account makes.
fn headers(account: &Account) -> String {
    format!("Cookie: {}\r\nX-Xsrf-Token: {}\r\n", account.cookie(), account.xsrf)
}

fn join(game: &str) -> String {
    format!(r#"{{"event":"joinGame","data":{{"gameId":"{game}"}}}}"#)
}

impl Seat {
    pub fn send(&mut self, message: &[u8]) -> anyhow::Result<()> {
        let mut frame = Vec::with_capacity(message.len() + 14);
        frames::put_of_client(&mut frame, self.wire.opcode(), message);
        Ok(self.stream.write_all(&frame)?)
    }

    /// Sends frames as they are.
    pub fn send_frames(&mut self, frames: &[u8]) -> anyhow::Result<()> {
        Ok(self.stream.write_all(frames)?)
    }

    /// Reads until there is a message like that.
    pub fn wait_for(&mut self, wanted: impl Fn(&[u8]) -> bool) -> anyhow::Result<Vec<u8>> {
        let until = Instant::now() + PATIENCE;
        loop {
            let message = self.next(until)?.context("the server does not answer")?;
            if wanted(&message) {
                return Ok(message);
            }
            ensure!(self.wire.hear(&message) != Heard::Refused, "refused: {}", String::from_utf8_lossy(&message));
        }
    }

    /// Reads until something means this.
    pub fn wait_to(&mut self, wanted: Heard) -> anyhow::Result<Vec<u8>> {
        let wire = self.wire;
        self.wait_for(|message| wire.hear(message) == wanted)
    }

    /// Whether nothing is told for a while but refusals, or the state once more that had this number.
    pub fn is_left_alone(&mut self, state: u64) -> anyhow::Result<bool> {
        let until = Instant::now() + SILENCE;
        while let Some(message) = self.next(until)? {
            let told_again = self.wire.state_of(&message) == Some(state);
            if matches!(self.wire.hear(&message), Heard::Change | Heard::Started) && !told_again {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The next message, `None` at that time.
    fn next(&mut self, until: Instant) -> anyhow::Result<Option<Vec<u8>>> {
        loop {
            while let Some(found) = frames::first(&self.read) {
                let message = self.read[found.payload.clone()].to_vec();
                self.read.drain(..found.payload.end);
                match found.opcode {
                    frames::CLOSE => bail!("closed by the server"),
                    frames::PING => {
                        let mut pong = vec![];
                        frames::put_of_client(&mut pong, frames::PONG, &message);
                        self.stream.write_all(&pong)?;
                    }
                    frames::TEXT | frames::BINARY => {
                        if self.wire.hear(&message) == Heard::Ping {
                            self.send(b"3")?;
                            continue;
                        }
                        return Ok(Some(message));
                    }
                    _ => {}
                }
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            self.stream.set_read_timeout(Some(left))?;
            let mut buffer = [0; 4096];
            match self.stream.read(&mut buffer) {
                Ok(0) => bail!("closed by the server"),
                Ok(count) => self.read.extend(&buffer[..count]),
                Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The connection, which does not block any more, and what was read of it already.
    ///
    /// # Errors
    /// The machine refuses.
    pub fn into_parts(self) -> anyhow::Result<(TcpStream, Vec<u8>)> {
        self.stream.set_nonblocking(true)?;
        Ok((self.stream, self.read))
    }
}
