//! The limit: what the same play costs at least on this machine. One thread, epoll and raw frames; of the rules it knows
//! whose turn it is. As the durable limit it also appends everything that arrived since the last sync to a file and
//! syncs that once, before it tells anybody of it. Nothing else of a server is there.

use std::{
    fs::File,
    io::{ErrorKind, Read, Write},
    net::Ipv4Addr,
    path::Path,
};

use anyhow::{Context, bail};
use mio::{
    Events, Interest, Poll, Token,
    net::{TcpListener, TcpStream},
};
use serde::Deserialize;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::frames;

/// Makes this program serve; the folder of the durable limit's file follows.
pub const SERVE: &str = "serve-limit";

const LISTENER: Token = Token(usize::MAX);

/// Connections that may be ready at once.
const EVENTS: usize = 4_096;

/// What is read of a connection at once.
const READ: usize = 64 << 10;

/// What arrived of a connection without being a whole frame or request; more is not expected.
const MOST_LEFT: usize = 16 << 10;

#[derive(Deserialize)]
struct Asked<'a> {
    event: &'a str,
    data: Data,
}

/// Empty but for moves.
#[derive(Deserialize)]
struct Data {
    row: Option<u8>,
    col: Option<u8>,
}

#[derive(Clone, Copy)]
struct Cell {
    row: u8,
    col: u8,
}

impl Data {
    fn cell(&self) -> Option<Cell> {
        Some(Cell { row: self.row?, col: self.col? })
    }
}

/// A game of two connections.
#[derive(Default, Clone)]
struct Table {
    seats: [Option<usize>; 2],
    board: [[&'static str; 3]; 3],
    starter: usize,
    turn: usize,
    moves: u8,
}

struct Connection {
    stream: TcpStream,
    left: Vec<u8>,
    /// Table and seat, once it is a websocket.
    place: Option<(usize, usize)>,
}

struct Limit {
    connections: Vec<Option<Connection>>,
    tables: Vec<Table>,
    journal: Option<Journal>,
    message: Vec<u8>,
    frame: Vec<u8>,
}

/// What arrived since the last sync, and who is told of it afterwards.
struct Journal {
    file: File,
    entries: Vec<u8>,
    telling: Vec<u8>,
    /// Connections and where their frames end in `telling`; each begins where the one before ends.
    told: Vec<(usize, usize)>,
}

/// Serves until the process is killed.
///
/// # Errors
/// The machine refuses a socket, or the file.
pub fn serve(folder: Option<&Path>) -> anyhow::Result<()> {
    let mut listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0).into())?;
    let mut poll = Poll::new()?;
    poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
    println!("http://{}", listener.local_addr()?);
    let journal = match folder {
        Some(folder) => Some(Journal {
            file: File::create(folder.join("limit.journal"))?,
            entries: vec![],
            telling: vec![],
            told: vec![],
        }),
        None => None,
    };
    let mut limit = Limit { connections: vec![], tables: vec![], journal, message: vec![], frame: vec![] };
    let mut events = Events::with_capacity(EVENTS);
    let mut buffer = vec![0; READ];
    loop {
        poll.poll(&mut events, None)?;
        for event in &events {
            if event.token() == LISTENER {
                limit.accept(&listener, &poll)?;
            } else if limit.read(event.token().0, &mut buffer).is_err() {
                limit.connections[event.token().0] = None;
            }
        }
        limit.commit()?;
    }
}

impl Limit {
    fn accept(&mut self, listener: &TcpListener, poll: &Poll) -> anyhow::Result<()> {
        loop {
            match listener.accept() {
                Ok((mut stream, _)) => {
                    stream.set_nodelay(true)?;
                    poll.registry().register(&mut stream, Token(self.connections.len()), Interest::READABLE)?;
                    self.connections.push(Some(Connection { stream, left: vec![], place: None }));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Reads what has arrived. Fewer bytes than there was room for are all there are.
    fn read(&mut self, number: usize, buffer: &mut [u8]) -> anyhow::Result<()> {
        loop {
            let Some(connection) = &mut self.connections[number] else { return Ok(()) };
            let count = match connection.stream.read(buffer) {
                Ok(0) => bail!("gone"),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            if connection.left.is_empty() && connection.place.is_some() {
                let used = self.take_frames(number, &mut buffer[..count])?;
                let connection = self.connections[number].as_mut().context("gone")?;
                connection.left.extend(&buffer[used..count]);
            } else {
                let mut all = std::mem::take(&mut connection.left);
                all.extend(&buffer[..count]);
                let used = if connection.place.is_some() {
                    self.take_frames(number, &mut all)?
                } else {
                    self.take_request(number, &all)?
                };
                all.drain(..used);
                let connection = self.connections[number].as_mut().context("gone")?;
                connection.left = all;
            }
            if self.connections[number].as_ref().is_some_and(|connection| connection.left.len() > MOST_LEFT) {
                bail!("too long");
            }
            if count < buffer.len() {
                return Ok(());
            }
        }
    }

    fn take_request(&mut self, number: usize, bytes: &[u8]) -> anyhow::Result<usize> {
        let text = std::str::from_utf8(bytes)?;
        let Some(end) = text.find("\r\n\r\n") else { return Ok(0) };
        let value = |name: &str| -> Option<usize> {
            let rest = text.split_once(name)?.1;
            rest[..rest.find(['&', ' '])?].parse().ok()
        };
        let (table, seat) = (value("table=").context("no table")?, value("seat=").context("no seat")?);
        let key = text.split_once("Sec-WebSocket-Key: ").and_then(|(_, rest)| rest.lines().next()).context("no key")?;
        let answer = format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Accept: {}\r\n\r\n",
            derive_accept_key(key.as_bytes())
        );
        if self.tables.len() <= table {
            self.tables.resize(table + 1, Table::default());
        }
        *self.tables[table].seats.get_mut(seat).context("no such seat")? = Some(number);
        let connection = self.connections[number].as_mut().context("gone")?;
        connection.place = Some((table, seat));
        connection.stream.write_all(answer.as_bytes())?;
        Ok(end + 4)
    }

    fn take_frames(&mut self, number: usize, bytes: &mut [u8]) -> anyhow::Result<usize> {
        let mut used = 0;
        while let Some(found) = frames::first(&bytes[used..]) {
            found.unmask(&mut bytes[used..]);
            let (start, end) = (used + found.payload.start, used + found.payload.end);
            match found.opcode {
                frames::TEXT => self.asked(number, &bytes[start..end])?,
                frames::CLOSE => bail!("closed"),
                _ => {}
            }
            used = end;
        }
        Ok(used)
    }

    fn asked(&mut self, number: usize, text: &[u8]) -> anyhow::Result<()> {
        let asked: Asked = serde_json::from_slice(text)?;
        let place = self.connections[number].as_ref().and_then(|connection| connection.place);
        let (at, seat) = place.context("no place")?;
        let table = &mut self.tables[at];
        let cell = asked.data.cell();
        let event = match (asked.event, cell) {
            ("makeMove", Some(cell)) if table.play(seat, cell) => "moveUpdate",
            ("playAgain", _) => {
                table.play_again();
                "gameStarted"
            }
            _ => {
                self.frame.clear();
                frames::put_of_server(&mut self.frame, frames::TEXT, br#"{"event":"moveRejected","data":{}}"#);
                return self.tell_one(number);
            }
        };
        self.message.clear();
        table.describe(event, &mut self.message)?;
        let seats = table.seats;
        self.frame.clear();
        frames::put_of_server(&mut self.frame, frames::TEXT, &self.message);
        if let Some(journal) = &mut self.journal {
            let [row, col] = cell.map_or([0xff; 2], |cell| [cell.row, cell.col]);
            journal.entries.extend((at as u64).to_le_bytes());
            journal.entries.extend([seat as u8, row, col, b'\n']);
        }
        seats.into_iter().flatten().try_for_each(|player| self.tell_one(player))
    }

    /// Sends the frame to this connection, or does so after the next sync.
    fn tell_one(&mut self, number: usize) -> anyhow::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.telling.extend(&self.frame);
            journal.told.push((number, journal.telling.len()));
        } else if let Some(connection) = &mut self.connections[number] {
            send(connection, &self.frame)?;
        }
        Ok(())
    }

    fn commit(&mut self) -> anyhow::Result<()> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        if !journal.entries.is_empty() {
            journal.file.write_all(&journal.entries)?;
            journal.file.sync_data()?;
            journal.entries.clear();
        }
        let mut start = 0;
        for (number, end) in journal.told.drain(..) {
            let frame = &journal.telling[start..end];
            start = end;
            if let Some(connection) = &mut self.connections[number]
                && send(connection, frame).is_err()
            {
                self.connections[number] = None;
            }
        }
        journal.telling.clear();
        Ok(())
    }
}

/// A player who does not read a few frames is gone.
fn send(connection: &mut Connection, frame: &[u8]) -> anyhow::Result<()> {
    let sent = connection.stream.write(frame)?;
    if sent < frame.len() {
        bail!("a full socket");
    }
    Ok(())
}

impl Table {
    fn play(&mut self, seat: usize, cell: Cell) -> bool {
        let (row, col) = (usize::from(cell.row), usize::from(cell.col));
        let Some(place) = self.board.get_mut(row).and_then(|row| row.get_mut(col)) else { return false };
        if seat != self.turn {
            return false;
        }
        *place = ["X", "O"][seat];
        self.turn = 1 - seat;
        self.moves += 1;
        true
    }

    fn play_again(&mut self) {
        let starter = 1 - self.starter;
        *self = Self { seats: self.seats, starter, turn: starter, ..Self::default() };
    }

    fn describe(&self, event: &str, out: &mut Vec<u8>) -> std::io::Result<()> {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.board;
        let over = self.moves == 9;
        let (turn, status) = (self.turn, if over { "completed" } else { "active" });
        write!(
            out,
            r#"{{"event":"{event}","data":{{"board":[["{a}","{b}","{c}"],["{d}","{e}","{f}"],["{g}","{h}","{i}"]],"nextTurn":{turn},"winner":null,"isDraw":{over},"gameStatus":"{status}"}}}}"#
        )
    }
}
