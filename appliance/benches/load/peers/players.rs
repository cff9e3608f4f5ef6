//! The players of all matches on one thread, over epoll and raw frames: they have to cost less than the servers that
//! they are to measure. Each answers at once, or at a pace that is the same for all of them together. Others only wait.

use std::{
    collections::VecDeque,
    io::{ErrorKind, Read, Write},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use hdrhistogram::Histogram;
use mio::{Events, Interest, Poll, Token, net::TcpStream};

use super::{
    frames,
    seat::{Place, Seated},
    wire::{Heard, Wire, next_game},
};
use crate::matches::SMALL;

/// Players who sit down at once.
const SITTING_DOWN: usize = 16;

const EVENTS: usize = 4_096;

/// What is read of a connection at once.
const READ: usize = 64 << 10;

/// How long to wait for events when nothing else is due.
const PATIENCE: Duration = Duration::from_millis(20);

/// When moves are made.
#[derive(Debug, Clone, Copy)]
pub enum Pace {
    /// Everybody answers at once.
    AtOnce,
    /// One move at a time, of whichever match waits longest.
    Every(Duration),
}

struct Connection {
    stream: TcpStream,
    /// What was read of a frame that is not whole.
    left: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Playing,
    /// One asked for the next game; whether the other did, where that has to be, and who was told of its start.
    Restarting {
        is_accepted: bool,
        started: [bool; 2],
    },
}

struct Pair {
    game: String,
    seats: [Connection; 2],
    starter: usize,
    ply: usize,
    /// Moves of this game that each has heard of.
    heard: [usize; 2],
    state: u64,
    sent: Instant,
    stage: Stage,
}

pub struct Players {
    wire: Wire,
    pace: Pace,
    poll: Poll,
    pairs: Vec<Option<Pair>>,
    /// Pairs whose next move waits for its time.
    ready: VecDeque<usize>,
    /// Connections of people who do not play. Their tokens follow those of all pairs.
    waiting: Vec<Connection>,
    buffer: Vec<u8>,
    out: Vec<u8>,
    latency: Histogram<u64>,
}

impl Players {
    /// Seats the players of this many matches, at these places of one server or cluster in turn. Those who sit already
    /// answer the server's pings meanwhile.
    ///
    /// # Errors
    /// The server refuses somebody, or the machine another socket.
    pub fn seat(places: &[Place<'_>], count: usize, pace: Pace) -> anyhow::Result<Self> {
        let mut players = Self {
            wire: places.first().context("there is no place")?.wire,
            pace,
            poll: Poll::new()?,
            pairs: (0..count).map(|_| None).collect(),
            ready: VecDeque::new(),
            waiting: vec![],
            buffer: vec![0; READ],
            out: vec![],
            latency: Histogram::new(3)?,
        };
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (seated, arriving) = mpsc::channel();
            for _ in 0..SITTING_DOWN {
                let (next, seated) = (&next, seated.clone());
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count {
                            return;
                        }
                        let pair =
                            places[number % places.len()].seat(number).with_context(|| format!("match {number}"));
                        let failed = pair.is_err();
                        if seated.send(pair).is_err() || failed {
                            return;
                        }
                    }
                });
            }
            drop(seated);
            let mut events = Events::with_capacity(EVENTS);
            loop {
                match arriving.recv_timeout(Duration::from_millis(1)) {
                    Ok(pair) => players.admit(pair?)?,
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => return anyhow::Ok(()),
                }
                players.turn(&mut events, Duration::ZERO)?;
            }
        })?;
        ensure!(players.pairs.iter().all(Option::is_some), "not all players sat down");
        Ok(players)
    }

    fn admit(&mut self, seated: Seated) -> anyhow::Result<()> {
        let number = seated.number;
        let mut left = [vec![], vec![]];
        let mut streams = Vec::with_capacity(2);
        for (seat, taken) in seated.seats.into_iter().enumerate() {
            let (stream, read) = taken.into_parts()?;
            let mut stream = TcpStream::from_std(stream);
            self.poll.registry().register(&mut stream, Token(2 * number + seat), Interest::READABLE)?;
            left[seat] = read;
            streams.push(stream);
        }
        let mut streams = streams.into_iter().zip(left).map(|(stream, left)| Connection { stream, left });
        let seats = [streams.next().context("two seats")?, streams.next().context("two seats")?];
        self.pairs[number] = Some(Pair {
            game: seated.game,
            seats,
            starter: 0,
            ply: 0,
            heard: [0; 2],
            state: 0,
            sent: Instant::now(),
            stage: Stage::Playing,
        });
        Ok(())
    }

    /// Adds a connection of somebody who answers pings and does nothing else, as all others do meanwhile.
    ///
    /// # Errors
    /// The machine refuses, or a connection was lost.
    pub fn admit_waiting(&mut self, stream: std::net::TcpStream) -> anyhow::Result<()> {
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        let token = Token(2 * self.pairs.len() + self.waiting.len());
        self.poll.registry().register(&mut stream, token, Interest::READABLE)?;
        self.waiting.push(Connection { stream, left: vec![] });
        self.turn(&mut Events::with_capacity(EVENTS), Duration::ZERO)
    }

    /// Begins all games.
    ///
    /// # Errors
    /// A connection was lost.
    pub fn begin(&mut self) -> anyhow::Result<()> {
        (0..self.pairs.len()).try_for_each(|number| self.go_on(number))
    }

    /// Plays for this long; how long moves took, from sending to the opponent's receipt, in microseconds.
    ///
    /// # Errors
    /// A move was refused, or a connection was lost.
    pub fn play(&mut self, time: Duration) -> anyhow::Result<Histogram<u64>> {
        let mut events = Events::with_capacity(EVENTS);
        let until = Instant::now() + time;
        let mut due = Instant::now();
        self.latency.reset();
        loop {
            let now = Instant::now();
            if now >= until {
                break;
            }
            let mut wait = PATIENCE.min(until - now);
            if let Pace::Every(step) = self.pace {
                // What is late stays late: the pace is that of the whole.
                if now >= due
                    && let Some(number) = self.ready.pop_front()
                {
                    due += step;
                    self.send_move(number)?;
                }
                if !self.ready.is_empty() {
                    wait = wait.min(due.saturating_duration_since(Instant::now()));
                }
            }
            self.turn(&mut events, wait)?;
        }
        Ok(self.latency.clone())
    }

    fn turn(&mut self, events: &mut Events, wait: Duration) -> anyhow::Result<()> {
        match self.poll.poll(events, Some(wait)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            polled => polled?,
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let read = events.iter().try_for_each(|event| self.read(event.token(), &mut buffer));
        self.buffer = buffer;
        read
    }

    fn read(&mut self, token: Token, buffer: &mut [u8]) -> anyhow::Result<()> {
        let (number, seat) = (token.0 / 2, token.0 % 2);
        if number >= self.pairs.len() {
            return self.waiting[token.0 - 2 * self.pairs.len()].answer_pings(buffer);
        }
        loop {
            let connection = &mut self.pair(number)?.seats[seat];
            let count = match connection.stream.read(buffer) {
                Ok(0) => bail!("closed by the server"),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            let mut left = std::mem::take(&mut connection.left);
            if left.is_empty() {
                let used = self.hear_all(number, seat, &buffer[..count])?;
                left.extend(&buffer[used..count]);
            } else {
                left.extend(&buffer[..count]);
                let used = self.hear_all(number, seat, &left)?;
                left.drain(..used);
            }
            self.pair(number)?.seats[seat].left = left;
            // Fewer bytes than there was room for are all there are.
            if count < buffer.len() {
                return Ok(());
            }
        }
    }

    fn pair(&mut self, number: usize) -> anyhow::Result<&mut Pair> {
        self.pairs[number].as_mut().context("nobody sits there")
    }

    fn hear_all(&mut self, number: usize, seat: usize, bytes: &[u8]) -> anyhow::Result<usize> {
        let mut used = 0;
        while let Some(found) = frames::first(&bytes[used..]) {
            let message = &bytes[used + found.payload.start..used + found.payload.end];
            used += found.payload.end;
            match found.opcode {
                frames::TEXT | frames::BINARY => self.hear(number, seat, message)?,
                frames::PING => {
                    self.out.clear();
                    frames::put_of_client(&mut self.out, frames::PONG, message);
                    self.send(number, seat)?;
                }
                frames::CLOSE => {
                    bail!("closed by the server: {:?}", message.first_chunk().map(|code| u16::from_be_bytes(*code)))
                }
                _ => {}
            }
        }
        Ok(used)
    }

    fn hear(&mut self, number: usize, seat: usize, message: &[u8]) -> anyhow::Result<()> {
        let wire = self.wire;
        let mut heard = wire.hear(message);
        let pair = self.pairs[number].as_mut().context("nobody sits there")?;
        if heard == Heard::Change && pair.stage != Stage::Playing && wire.starts_by_change() {
            heard = Heard::Started;
        }
        match heard {
            Heard::Change => {
                pair.heard[seat] += 1;
                let mover = (pair.starter + pair.ply) % 2;
                if seat != mover && pair.heard[seat] == pair.ply + 1 {
                    self.latency.record(pair.sent.elapsed().as_micros() as u64)?;
                    pair.ply += 1;
                    pair.state = wire.state_of(message).unwrap_or_default();
                    if pair.ply < SMALL.len() {
                        return self.go_on(number);
                    }
                }
                if pair.heard == [SMALL.len(); 2] {
                    return self.play_again(number);
                }
                Ok(())
            }
            Heard::Started => {
                let Stage::Restarting { started, .. } = &mut pair.stage else { return Ok(()) };
                started[seat] = true;
                let all = *started == [true; 2];
                pair.state = wire.state_of(message).unwrap_or(pair.state);
                if all {
                    pair.starter = 1 - pair.starter;
                    (pair.ply, pair.heard, pair.stage) = (0, [0; 2], Stage::Playing);
                    return self.go_on(number);
                }
                Ok(())
            }
            Heard::Rematch => {
                let Stage::Restarting { is_accepted, .. } = &mut pair.stage else { return Ok(()) };
                // Whoever asked is told, too, and both once more when it is accepted.
                if seat != pair.starter || std::mem::replace(is_accepted, true) {
                    return Ok(());
                }
                let next = next_game(message).context("an offer without a game")?.to_owned();
                self.ask_for_next(number, seat)?;
                self.pair(number)?.game = next;
                Ok(())
            }
            Heard::Refused => bail!("refused: {}", String::from_utf8_lossy(message)),
            Heard::Ping => self.say(number, seat, b"3"),
            Heard::Joined | Heard::Nothing => Ok(()),
        }
    }

    /// The next move: now, or when it is this match's turn.
    fn go_on(&mut self, number: usize) -> anyhow::Result<()> {
        match self.pace {
            Pace::AtOnce => self.send_move(number),
            Pace::Every(_) => {
                self.ready.push_back(number);
                Ok(())
            }
        }
    }

    fn send_move(&mut self, number: usize) -> anyhow::Result<()> {
        let pair = self.pairs[number].as_mut().context("nobody sits there")?;
        let mover = (pair.starter + pair.ply) % 2;
        self.out.clear();
        self.wire.put_move(&mut self.out, &pair.game, pair.state, mover, SMALL[pair.ply]);
        pair.sent = Instant::now();
        self.send(number, mover)
    }

    /// Whoever begins the next game asks for it.
    fn play_again(&mut self, number: usize) -> anyhow::Result<()> {
        let pair = self.pair(number)?;
        pair.stage = Stage::Restarting { is_accepted: false, started: [false; 2] };
        let asks = 1 - pair.starter;
        self.ask_for_next(number, asks)
    }

    fn ask_for_next(&mut self, number: usize, seat: usize) -> anyhow::Result<()> {
        let pair = self.pairs[number].as_mut().context("nobody sits there")?;
        self.out.clear();
        self.wire.put_play_again(&mut self.out, &pair.game, pair.state, seat);
        self.send(number, seat)
    }

    fn say(&mut self, number: usize, seat: usize, message: &[u8]) -> anyhow::Result<()> {
        self.out.clear();
        frames::put_of_client(&mut self.out, self.wire.opcode(), message);
        self.send(number, seat)
    }

    fn send(&mut self, number: usize, seat: usize) -> anyhow::Result<()> {
        let pair = self.pairs[number].as_mut().context("nobody sits there")?;
        let sent = pair.seats[seat].stream.write(&self.out)?;
        ensure!(sent == self.out.len(), "the server does not read");
        Ok(())
    }
}

impl Connection {
    fn answer_pings(&mut self, buffer: &mut [u8]) -> anyhow::Result<()> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) => bail!("closed by the server"),
                Ok(count) => self.left.extend(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
            while let Some(found) = frames::first(&self.left) {
                ensure!(found.opcode != frames::CLOSE, "closed by the server");
                if found.opcode == frames::PING {
                    let mut pong = vec![];
                    frames::put_of_client(&mut pong, frames::PONG, &self.left[found.payload.clone()]);
                    self.stream.write_all(&pong)?;
                }
                self.left.drain(..found.payload.end);
            }
        }
    }
}
