//! Many concurrent games whose players reply to every move immediately.

use std::{
    cell::{Cell, RefCell},
    net::{Ipv4Addr, SocketAddr},
    rc::Rc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use hdrhistogram::Histogram;
use serde_json::{Value, json};
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    process::{Server, own_cpu},
    seed::{Account, Seeded},
    socket::{Socket, origin, speaks_tls},
};

/// Two sockets a game, and a process may have 20,000 files open on many machines.
pub const MOST_GAMES: usize = 9_700;

const WARM_UP: Duration = Duration::from_secs(3);

/// How long the players think, and for how long they are watched.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    pub thought: Duration,
    pub measured: Duration,
}

/// As fast as server and load generator can.
pub const FLAT_OUT: Pace = Pace { thought: Duration::ZERO, measured: Duration::from_secs(8) };

/// Calls over HTTP under way at once.
const CALLS: usize = 32;

/// Until when games are played, and how long their moves take.
pub struct Watch {
    pub until: Cell<Instant>,
    /// From sending a move to its receipt by the opponent, in microseconds.
    latency: RefCell<Histogram<u64>>,
}

impl Watch {
    pub fn until(instant: Instant) -> Rc<Self> {
        Rc::new(Self { until: Cell::new(instant), latency: RefCell::new(no_latency()) })
    }

    /// What was measured since the last time.
    pub fn take(&self) -> Histogram<u64> {
        self.latency.replace(no_latency())
    }
}

pub fn no_latency() -> Histogram<u64> {
    Histogram::new(3).expect("three digits are possible")
}

/// The last game of a match, not played to its end, and its moves so far, each of which its opponent has received.
#[derive(Debug)]
#[allow(dead_code, reason = "for the attacks")]
pub struct Last {
    pub game: String,
    pub moves: usize,
}

/// The measured server and its protocol.
pub trait Game: Clone + 'static {
    /// Connects two players of a match.
    async fn start_match(&self, number: usize) -> anyhow::Result<Match>;

    /// Starts the next game of a match, after one that was drawn.
    async fn play_again(&self, pair: &mut Match) -> anyhow::Result<()>;

    /// The cells of a game that nobody wins, in order.
    fn cells(&self) -> &'static [(u8, u8)];

    fn move_message(&self, pair: &Match, cell: (u8, u8)) -> String;
}

pub struct Match {
    pub id: String,
    pub seats: [Socket; 2],
    /// Who has the first move of this game.
    pub starter: usize,
}

impl Match {
    /// Waits until this seat has received this many moves.
    async fn receive_up_to(&mut self, heard: &mut [usize; 2], seat: usize, moves: usize) -> anyhow::Result<()> {
        while heard[seat] < moves {
            self.seats[seat].wait_for("moveUpdate").await?;
            heard[seat] += 1;
        }
        Ok(())
    }
}

pub struct Measured {
    moves: u64,
    elapsed: Duration,
    server_cpu: Duration,
    /// The part of the time that the load generator computed.
    pub load_busy: f64,
    /// From sending a move to its receipt by the opponent, in microseconds.
    pub latency: Histogram<u64>,
}

impl Measured {
    pub fn moves_a_second(&self) -> f64 {
        self.moves as f64 / self.elapsed.as_secs_f64()
    }

    pub fn server_cpu_a_move(&self) -> Duration {
        self.server_cpu.div_f64(self.moves.max(1) as f64)
    }
}

/// Plays `count` concurrent games as fast as possible and measures after a warm-up.
///
/// # Errors
/// A move was refused, or a connection was lost.
pub async fn measure(server: &Server, game: &impl Game, count: usize) -> anyhow::Result<Measured> {
    measure_at(server, game, count, FLAT_OUT).await
}

/// As [`measure`], at this pace.
///
/// # Errors
/// A move was refused, or a connection was lost.
pub async fn measure_at(server: &Server, game: &impl Game, count: usize, pace: Pace) -> anyhow::Result<Measured> {
    let seated = seat(game, count).await;
    let watch = Watch::until(Instant::now() + WARM_UP + pace.measured);
    let mut games = play_all(game, seated, pace.thought, &watch)?;
    tokio::time::sleep(WARM_UP).await;
    watch.take();
    let (started, server_cpu, load_cpu) = (Instant::now(), server.cpu(), own_cpu());
    tokio::time::sleep(pace.measured).await;
    let (elapsed, server_cpu, load_cpu) = (started.elapsed(), server.cpu() - server_cpu, own_cpu() - load_cpu);
    let latency = watch.take();
    while let Some(played) = games.join_next().await {
        played??;
    }
    let load_busy = load_cpu.as_secs_f64() / elapsed.as_secs_f64();
    Ok(Measured { moves: latency.len(), elapsed, server_cpu, load_busy, latency })
}

/// Plays on in these matches, whose games do not begin all at once: otherwise they would all end at the same time.
fn play_all(
    game: &impl Game,
    seated: Vec<anyhow::Result<Match>>,
    thought: Duration,
    watch: &Rc<Watch>,
) -> anyhow::Result<JoinSet<anyhow::Result<Last>>> {
    let mut games = JoinSet::new();
    let count = seated.len();
    for (number, pair) in seated.into_iter().enumerate() {
        let late = thought.mul_f64((game.cells().len() * number) as f64 / count as f64);
        let playing = play(game.clone(), pair?, thought, Rc::clone(watch));
        games.spawn_local(async move {
            tokio::time::sleep(late).await;
            playing.await
        });
    }
    Ok(games)
}

/// Starts this many matches.
async fn seat(game: &impl Game, count: usize) -> Vec<anyhow::Result<Match>> {
    let mut matches = JoinSet::new();
    let sitting = Rc::new(Semaphore::new(CALLS));
    for number in 0..count {
        let (game, sitting) = (game.clone(), Rc::clone(&sitting));
        matches.spawn_local(async move {
            let _place = sitting.acquire().await?;
            game.start_match(number).await
        });
    }
    matches.join_all().await
}

/// Plays `count` games as fast as possible, for an hour or until the server stops.
///
/// # Errors
/// A match could not be started.
pub async fn begin(game: &impl Game, count: usize) -> anyhow::Result<JoinSet<anyhow::Result<Last>>> {
    begin_at(game, count, Duration::ZERO, &Watch::until(Instant::now() + Duration::from_secs(3_600))).await
}

/// As [`begin`], with players that think, for as long as the watch says.
///
/// # Errors
/// As [`begin`].
pub async fn begin_at(
    game: &impl Game,
    count: usize,
    thought: Duration,
    watch: &Rc<Watch>,
) -> anyhow::Result<JoinSet<anyhow::Result<Last>>> {
    play_all(game, seat(game, count).await, thought, watch)
}

async fn play(game: impl Game, mut pair: Match, thought: Duration, watch: Rc<Watch>) -> anyhow::Result<Last> {
    loop {
        // Both players get every move; the mover gets it together with the ack.
        let mut heard = [0; 2];
        for (ply, &cell) in game.cells().iter().enumerate() {
            let mover = (pair.starter + ply) % 2;
            let message = game.move_message(&pair, cell);
            if !thought.is_zero() {
                tokio::time::sleep(thought).await;
            }
            let sent = Instant::now();
            pair.seats[mover].send(&message).await?;
            pair.receive_up_to(&mut heard, 1 - mover, ply + 1).await?;
            watch.latency.borrow_mut().record(sent.elapsed().as_micros() as u64)?;
            if Instant::now() > watch.until.get() {
                return Ok(Last { game: pair.id, moves: ply + 1 });
            }
        }
        for seat in 0..2 {
            pair.receive_up_to(&mut heard, seat, game.cells().len()).await?;
        }
        game.play_again(&mut pair).await?;
    }
}

/// The size of the boards, which decides how often new games are created.
#[derive(Debug, Clone, Copy)]
pub enum Boards {
    Small,
    Large,
}

/// A 3×3 game that is drawn.
pub const SMALL: [(u8, u8); 9] = [(0, 0), (1, 1), (2, 2), (0, 1), (2, 1), (2, 0), (0, 2), (1, 2), (1, 0)];

/// A 6×6 game that is drawn: in every row two of one, two of the other, shifted by two in the next.
pub const LARGE: [(u8, u8); 36] = large();

const fn large() -> [(u8, u8); 36] {
    let mut cells = [(0, 0); 36];
    let mut at = 0;
    while at < 36 {
        let row = at / 6;
        // The mover alternates with the column; every second pair of rows begins with the other one.
        let shift = (row / 2) % 2;
        cells[at] = (row as u8, ((at % 6 + shift) % 6) as u8);
        at += 1;
    }
    cells
}

/// Games on Morpion itself.
#[derive(Clone)]
pub struct Morpion {
    address: SocketAddr,
    people: Rc<[(String, String, String, String)]>,
    http: reqwest::Client,
    calls: Rc<Semaphore>,
    boards: Boards,
}

impl Morpion {
    pub fn new(address: SocketAddr, seeded: &Seeded, boards: Boards) -> anyhow::Result<Self> {
        let entry = |account: &Account| {
            (account.id.to_string(), account.username.clone(), account.cookie(), account.xsrf.clone())
        };
        Ok(Self {
            address,
            people: seeded.accounts.iter().map(entry).collect(),
            http: reqwest::Client::builder().no_proxy().danger_accept_invalid_certs(speaks_tls()).build()?,
            calls: Rc::new(Semaphore::new(CALLS)),
            boards,
        })
    }

    /// Where the players of a match are: no address has more of them than its limits bear.
    fn source(number: usize) -> Ipv4Addr {
        Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 1, 0, 1)) + number as u32)
    }

    /// The two players of a match.
    fn pair(&self, number: usize) -> [usize; 2] {
        [2 * number, 2 * number + 1]
    }

    async fn call(&self, person: usize, action: &str, payload: Value) -> anyhow::Result<String> {
        let _place = self.calls.acquire().await?;
        let (_, _, cookie, xsrf) = &self.people[person];
        let answer: Value = self
            .http
            .post(format!("{}/api/backend/game", origin(self.address)))
            .header("cookie", cookie)
            .header("x-xsrf-token", xsrf)
            .json(&json!({ "action": action, "payload": payload }))
            .send()
            .await?
            .json()
            .await?;
        ensure!(answer["succeeded"] == true, "{action}: {answer}");
        Ok(answer["game"]["gameId"].as_str().context("no game")?.to_owned())
    }

    async fn open(&self, pair: &mut Match) -> anyhow::Result<()> {
        let join = format!(r#"{{"event":"joinGame","data":{{"gameId":"{}"}}}}"#, pair.id);
        for seat in &mut pair.seats {
            seat.send(&join).await?;
            seat.wait_for("gameJoined").await?;
        }
        // The first player is notified when the other joins.
        pair.seats[0].wait_for("gameStarted").await
    }
}

impl Game for Morpion {
    async fn start_match(&self, number: usize) -> anyhow::Result<Match> {
        let pair = self.pair(number);
        let [x, o] = pair.map(|person| &self.people[person]);
        let size = match self.boards {
            Boards::Small => 3,
            Boards::Large => 6,
        };
        let players = json!([{ "userId": x.0, "username": x.1 }, { "userId": o.0, "username": o.1 }]);
        let payload = json!({ "players": players, "gameType": "invite", "boardSize": size, "notify": false });
        let id = self.call(pair[0], "create_game", payload).await?;
        let source = Self::source(number);
        let open = async |cookie: &str| Socket::open_from(source, self.address, cookie).await;
        let seats = [open(&x.2).await?, open(&o.2).await?];
        let mut pair = Match { id, seats, starter: 0 };
        self.open(&mut pair).await?;
        Ok(pair)
    }

    async fn play_again(&self, pair: &mut Match) -> anyhow::Result<()> {
        let ask = format!(r#"{{"event":"playAgain","data":{{"gameId":"{}"}}}}"#, pair.id);
        let [first, second] = &mut pair.seats;
        first.send(&ask).await?;
        let offer = second.next("rematchOffer").await?;
        second.send(&ask).await?;
        // Both have joined with that.
        first.wait_for("gameStarted").await?;
        pair.id = offer["data"]["nextGameId"].as_str().context("no game")?.to_owned();
        pair.starter = 1 - pair.starter;
        Ok(())
    }

    fn cells(&self) -> &'static [(u8, u8)] {
        match self.boards {
            Boards::Small => &SMALL,
            Boards::Large => &LARGE,
        }
    }

    fn move_message(&self, pair: &Match, (row, col): (u8, u8)) -> String {
        format!(r#"{{"event":"makeMove","data":{{"gameId":"{}","row":{row},"col":{col}}}}}"#, pair.id)
    }
}
