//! What watching costs those who play: the same rated games with nobody who watches, with a crowd on one of them, and with
//! some who watch each.

use std::{
    cell::{Cell, RefCell},
    net::{Ipv4Addr, SocketAddr},
    rc::Rc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use hdrhistogram::Histogram;
use tokio::task::JoinSet;

use crate::{
    matches::{LARGE, no_latency},
    process::{Program, Server, own_cpu},
    seed::{Account, Seeded},
    socket::Socket,
};

/// Who plays and who watches.
#[derive(Debug, Clone, Copy)]
struct Plan {
    games: usize,
    /// How many of the games are watched, and by how many connections each.
    watched: usize,
    by: usize,
    /// Before each move, so that server and load generator have time left.
    thought: Duration,
}

/// With this in the environment all is much smaller: to try the scenario, not to measure.
pub const SMALL: &str = "BENCH_SMALL";

/// Moves of a game: a 6×6 board, drawn.
const MOVES: u32 = LARGE.len() as u32;

/// Moves before the measurement, and after it, when some games are over already.
const EDGE: u32 = 5;

/// People who watch, some with several connections.
const MOST_PEOPLE: usize = 1_000;

/// Connections opened at once.
const AT_ONCE: usize = 32;

/// Compares games with and without spectators.
///
/// # Errors
/// A move was refused, a connection was lost, or a spectator missed a move.
pub async fn spectators() -> anyhow::Result<()> {
    let is_small = std::env::var_os(SMALL).is_some();
    let (games, thought) = if is_small { (11, Duration::from_millis(100)) } else { (101, Duration::from_millis(500)) };
    let (crowd, some) = if is_small { (20, 5) } else { (1_000, 100) };
    println!("Rated games with spectators: {games} at once, 6×6, {} ms before each move", thought.as_millis());
    println!(
        "  {:<34}{:>10}{:>12}{:>22}{:>22}{:>12}",
        "move → its opponent's receipt", "a core", "frames/s", "watched p50, p99", "others p50, p99", "load busy"
    );
    let plan = |watched, by| Plan { games, watched, by, thought };
    for (name, plan) in [
        ("nobody watches".to_owned(), plan(0, 0)),
        (format!("{crowd} watch one game"), plan(1, crowd)),
        (format!("{some} watch each of {} games", games - 1), plan(games - 1, some)),
    ] {
        let measured = run(plan).await.with_context(|| name.clone())?;
        let ms = |of: &Histogram<u64>, quantile| of.value_at_quantile(quantile) as f64 / 1_000.0;
        let quantiles = |of: &Histogram<u64>| match of.is_empty() {
            true => "–".to_owned(),
            false => format!("{:.1} ms, {:.1} ms", ms(of, 0.5), ms(of, 0.99)),
        };
        println!(
            "  {name:<34}{:>8.1} %{:>12.0}{:>22}{:>22}{:>10.0} %",
            measured.server_busy * 100.0,
            measured.frames_a_second,
            quantiles(&measured.watched),
            quantiles(&measured.others),
            measured.load_busy * 100.0,
        );
    }
    Ok(())
}

struct Measured {
    /// The part of a core that the server used.
    server_busy: f64,
    /// Moves that reached spectators.
    frames_a_second: f64,
    watched: Histogram<u64>,
    others: Histogram<u64>,
    load_busy: f64,
}

/// What players and spectators received so far.
struct Received {
    /// Spectators who have their game open.
    joined: Cell<usize>,
    /// Moves that reached spectators.
    frames: Cell<u64>,
    /// From sending a move to its receipt by the opponent, in microseconds: of games that are watched, and of the others.
    watched: RefCell<Histogram<u64>>,
    others: RefCell<Histogram<u64>>,
}

impl Default for Received {
    fn default() -> Self {
        Self {
            joined: Cell::new(0),
            frames: Cell::new(0),
            watched: RefCell::new(no_latency()),
            others: RefCell::new(no_latency()),
        }
    }
}

impl Received {
    /// What was received since the last time.
    fn take(&self) -> (Histogram<u64>, Histogram<u64>, u64) {
        (self.watched.replace(no_latency()), self.others.replace(no_latency()), self.frames.take())
    }
}

async fn run(plan: Plan) -> anyhow::Result<Measured> {
    let seeded = Seeded::new(2 * plan.games + MOST_PEOPLE.min(plan.by), 0).await?;
    let server = Server::start(Program::Morpion, &seeded).await?;
    let (players, crowd) = seeded.accounts.split_at(2 * plan.games);
    let sockets = open_all(server.address, plan.watched * plan.by, crowd).await?;
    let mut pairs = vec![];
    for (number, people) in players.chunks(2).enumerate() {
        pairs.push(Pair::find(server.address, number, people).await?);
    }
    let received = Rc::new(Received::default());
    let mut watching = JoinSet::new();
    for (number, socket) in sockets.into_iter().enumerate() {
        watching.spawn_local(watch(socket, pairs[number / plan.by].game.clone(), Rc::clone(&received)));
    }
    while received.joined.get() < plan.watched * plan.by {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut playing = JoinSet::new();
    for (number, pair) in pairs.into_iter().enumerate() {
        // They do not all move at the same moment.
        let late = plan.thought.mul_f64(number as f64 / plan.games as f64);
        playing.spawn_local(pair.play(late, plan.thought, number < plan.watched, Rc::clone(&received)));
    }
    tokio::time::sleep(plan.thought * EDGE).await;
    received.take();
    let (started, server_cpu, load_cpu) = (Instant::now(), server.cpu(), own_cpu());
    tokio::time::sleep(plan.thought * (MOVES - 2 * EDGE)).await;
    let seconds = started.elapsed().as_secs_f64();
    let (server_cpu, load_cpu) = (server.cpu() - server_cpu, own_cpu() - load_cpu);
    let (watched, others, frames) = received.take();
    while let Some(played) = playing.join_next().await {
        played??;
    }
    while let Some(watched) = watching.join_next().await {
        watched??;
    }
    Ok(Measured {
        server_busy: server_cpu.as_secs_f64() / seconds,
        frames_a_second: frames as f64 / seconds,
        watched,
        others,
        load_busy: load_cpu.as_secs_f64() / seconds,
    })
}

/// Opens this many connections of people who are going to watch.
async fn open_all(address: SocketAddr, count: usize, crowd: &[Account]) -> anyhow::Result<Vec<Socket>> {
    let open = |number: usize| {
        // No address has more connections than it has ports.
        let source = Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 2, 0, 1)) + (number / 100) as u32);
        let cookie = crowd[number % crowd.len()].cookie();
        async move { Socket::open_from(source, address, &cookie).await }
    };
    stream::iter((0..count).map(open)).buffered(AT_ONCE).try_collect().await
}

/// Two players at a board; the first of them is to move.
struct Pair {
    game: String,
    seats: [Socket; 2],
}

impl Pair {
    /// Has two people look for each other, while nobody else does.
    async fn find(address: SocketAddr, number: usize, people: &[Account]) -> anyhow::Result<Self> {
        // Two at one address would play a casual game, which nobody may watch.
        let source = |seat: usize| Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 1, 0, 1)) + (2 * number + seat) as u32);
        let mut seats = [
            Socket::open_from(source(0), address, &people[0].cookie()).await?,
            Socket::open_from(source(1), address, &people[1].cookie()).await?,
        ];
        for seat in &mut seats {
            seat.send(r#"{"event":"quickMatchJoin","data":{"boardSize":6,"clock":"turn15","rated":true}}"#).await?;
        }
        let found = seats[0].next("playerFound").await?;
        ensure!(found["data"]["quickMatch"]["rated"] == true, "{found}");
        let game = found["data"]["gameId"].as_str().context("no game")?.to_owned();
        let join = format!(r#"{{"event":"joinGame","data":{{"gameId":"{game}"}}}}"#);
        for seat in &mut seats {
            seat.send(&join).await?;
        }
        let started = seats[1].next("gameStarted").await?;
        seats[0].wait_for("gameStarted").await?;
        if started["data"]["gameState"]["currentTurn"] != people[0].id.to_string() {
            seats.swap(0, 1);
        }
        Ok(Self { game, seats })
    }

    /// Plays the game to its end, a draw.
    async fn play(
        mut self,
        late: Duration,
        thought: Duration,
        is_watched: bool,
        received: Rc<Received>,
    ) -> anyhow::Result<()> {
        tokio::time::sleep(late).await;
        // Both get every move.
        let mut heard = [0; 2];
        for (ply, (row, col)) in LARGE.into_iter().enumerate() {
            tokio::time::sleep(thought).await;
            let sent = Instant::now();
            let data = format!(r#"{{"gameId":"{}","row":{row},"col":{col}}}"#, self.game);
            self.seats[ply % 2].send(&format!(r#"{{"event":"makeMove","data":{data}}}"#)).await?;
            let other = 1 - ply % 2;
            while heard[other] <= ply {
                self.seats[other].wait_for("moveUpdate").await?;
                heard[other] += 1;
            }
            let latency = if is_watched { &received.watched } else { &received.others };
            latency.borrow_mut().record(sent.elapsed().as_micros() as u64)?;
        }
        Ok(())
    }
}

/// Watches a game to its end, a draw, and expects every move.
async fn watch(mut socket: Socket, game: String, received: Rc<Received>) -> anyhow::Result<()> {
    socket.send(&format!(r#"{{"event":"spectateGame","data":{{"gameId":"{game}"}}}}"#)).await?;
    socket.wait_for("gameJoined").await?;
    received.joined.set(received.joined.get() + 1);
    for _ in 0..MOVES {
        socket.wait_for("moveUpdate").await?;
        received.frames.set(received.frames.get() + 1);
    }
    socket.wait_for("gameDraw").await
}
