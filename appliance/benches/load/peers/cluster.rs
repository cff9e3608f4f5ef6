//! Several servers that are one: what a move costs the node that leads, with all clients on it and with none, beside a
//! server alone. `MORPION_BENCH_GAMES` (500) are played at once. See `docs/scale.md`.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use tokio::time::{sleep, timeout};

use super::{
    WARM_UP, from_environment, lone, measured,
    nats::Nats,
    players::{Pace, Players},
    rounds,
    seat::Place,
    table::{Round, grouped, median},
    wire::Wire,
};
use crate::{
    process::{Program, Server, own_cpu},
    seed::{Seeded, loose_limits},
};

/// The node that leads, since it founds the cluster.
const LEADER: &str = "a";

const FOLLOWERS: [&str; 2] = ["b", "c"];

/// How long a node may take until it is ready.
const READY_WITHIN: Duration = Duration::from_secs(60);

/// Between two questions whether it is that.
const ASK_EVERY: Duration = Duration::from_millis(100);

/// What a move costs a leader without clients: at most this part of what it costs a server alone.
const AIM: f64 = 0.6;

/// Which servers there are, and where clients connect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    Alone,
    OneNode,
    ClientsOnLeader,
    ClientsOnFollowers,
}

/// What is measured. Commits cost the less a move, the more moves are under way, so costs are compared at the same pace.
const MEASURED: [(Arrangement, Speed); 6] = [
    (Arrangement::Alone, Speed::Full),
    (Arrangement::OneNode, Speed::Full),
    (Arrangement::ClientsOnLeader, Speed::Full),
    (Arrangement::ClientsOnFollowers, Speed::Full),
    (Arrangement::Alone, Speed::Paced),
    (Arrangement::ClientsOnFollowers, Speed::Paced),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speed {
    Full,
    /// `MORPION_BENCH_PACE` moves a second in all.
    Paced,
}

impl Speed {
    fn pace(self) -> Pace {
        match self {
            Self::Full => Pace::AtOnce,
            Self::Paced => Pace::Every(Duration::from_secs(1).div_f64(paced_moves())),
        }
    }
}

fn paced_moves() -> f64 {
    from_environment("MORPION_BENCH_PACE", 3_000) as f64
}

impl Arrangement {
    const fn name(self) -> &'static str {
        match self {
            Self::Alone => "a server alone",
            Self::OneNode => "a cluster of one node",
            Self::ClientsOnLeader => "a leader and a follower, clients on the leader",
            Self::ClientsOnFollowers => "a leader and two followers, clients on these",
        }
    }

    /// How many nodes follow; `None` without a cluster.
    const fn followers(self) -> Option<usize> {
        match self {
            Self::Alone => None,
            Self::OneNode => Some(0),
            Self::ClientsOnLeader => Some(1),
            Self::ClientsOnFollowers => Some(2),
        }
    }
}

/// Servers that are one, and who plays on them. What needs others comes before them: it is dropped first.
struct Site {
    /// The server alone, or the node that leads.
    leader: Server,
    followers: Vec<Follower>,
    nats: Option<Nats>,
    seeded: Seeded,
    arrangement: Arrangement,
}

struct Follower {
    server: Server,
    _folder: Seeded,
}

/// CPU time so far.
struct Used {
    leader: Duration,
    nats: Duration,
    followers: Duration,
    players: Duration,
}

impl Site {
    /// Starts servers for this many matches; returns when they answer.
    async fn start(arrangement: Arrangement, games: usize) -> anyhow::Result<Self> {
        let Some(count) = arrangement.followers() else {
            let seeded = Seeded::new(2 * games, 0).await?;
            let leader = Server::start(Program::Morpion, &seeded).await?;
            return Ok(Self { leader, followers: vec![], nats: None, seeded, arrangement });
        };
        let nats = Nats::start()?;
        let seeded = Seeded::with_settings(2 * games, 0, &settings(&nats, LEADER)).await?;
        let leader = Server::start(Program::Morpion, &seeded).await.context("the node that leads")?;
        until_ready(&leader).await.context("the node that leads")?;
        let mut followers = Vec::with_capacity(count);
        for name in &FOLLOWERS[..count] {
            let folder = Seeded::without_data(&settings(&nats, name))?;
            let server = Server::start_beside_load(&folder).with_context(|| format!("node {name}"))?;
            until_ready(&server).await.with_context(|| format!("node {name}"))?;
            followers.push(Follower { server, _folder: folder });
        }
        Ok(Self { leader, followers, nats: Some(nats), seeded, arrangement })
    }

    /// Where players connect to, match by match in turn.
    fn places(&self) -> Vec<Place<'_>> {
        let servers: Vec<&Server> = match self.arrangement {
            Arrangement::ClientsOnFollowers => self.followers.iter().map(|follower| &follower.server).collect(),
            _ => vec![&self.leader],
        };
        let place = |server: &Server| Place {
            wire: Wire::Morpion,
            address: server.address,
            // A node passes on what it is called, and the leader answers to its own name alone.
            host: self.leader.address,
            accounts: &self.seeded.accounts,
        };
        servers.into_iter().map(place).collect()
    }

    fn used(&self) -> Used {
        Used {
            leader: self.leader.cpu(),
            nats: self.nats.as_ref().map(Nats::cpu).unwrap_or_default(),
            followers: self.followers.iter().map(|follower| follower.server.cpu()).sum(),
            players: own_cpu(),
        }
    }
}

/// Those of a node: the defaults of a cluster.
fn settings(nats: &Nats, name: &str) -> String {
    let shared = "closed_network = true\njoin_secret = \"the same on all nodes of this cluster\"\n";
    format!("{}[cluster]\nnats = {:?}\nname = {name:?}\n{shared}", loose_limits(), nats.urls)
}

/// Waits until a node leads, or is connected to the one that does.
async fn until_ready(node: &Server) -> anyhow::Result<()> {
    let http = reqwest::Client::builder().no_proxy().build()?;
    let url = format!("http://{}/readyz", node.address);
    let asked = async {
        while !http.get(&url).send().await.is_ok_and(|answer| answer.status().is_success()) {
            sleep(ASK_EVERY).await;
        }
    };
    timeout(READY_WITHIN, asked).await.with_context(|| format!("{url} does not say that it is ready"))
}

/// What an arrangement costs, in one round.
#[derive(Debug, Clone, Copy)]
struct Costs {
    /// Of the leader; everything else is on the load's core, and keeps it busy.
    leader: Round,
    /// CPU time a move of all NATS servers, and of all followers.
    nats_micros: f64,
    followers_micros: f64,
}

impl Costs {
    /// The median of each figure by itself.
    fn median(rounds: &[Self]) -> Self {
        let of = |figure: fn(&Self) -> f64| median(rounds.iter().map(figure).collect());
        let leader: Vec<_> = rounds.iter().map(|costs| costs.leader).collect();
        Self {
            leader: Round::median(&leader),
            nats_micros: of(|costs| costs.nats_micros),
            followers_micros: of(|costs| costs.followers_micros),
        }
    }
}

/// One measurement on fresh servers, so that measurements are independent.
async fn measure(arrangement: Arrangement, speed: Speed, games: usize) -> anyhow::Result<Costs> {
    let site = Site::start(arrangement, games).await?;
    let mut players = Players::seat(&site.places(), games, speed.pace())?;
    players.begin()?;
    players.play(WARM_UP)?;
    let (started, before) = (Instant::now(), site.used());
    let latency = players.play(measured())?;
    let (elapsed, after) = (started.elapsed(), site.used());
    let (nats, followers) = (after.nats - before.nats, after.followers - before.followers);
    let beside = after.players - before.players + nats + followers;
    let leader = after.leader - before.leader;
    let micros = |used: Duration| used.as_secs_f64() * 1e6 / latency.len().max(1) as f64;
    Ok(Costs {
        leader: Round::new(elapsed, leader, beside, &latency, site.leader.resident_bytes()),
        nats_micros: micros(nats),
        followers_micros: micros(followers),
    })
}

/// The part `cluster`.
///
/// # Errors
/// There is no NATS server, a game is refused, or a server stops.
pub async fn cluster() -> anyhow::Result<()> {
    let games = from_environment("MORPION_BENCH_GAMES", 500) as usize;
    println!(
        "A cluster beside a server alone: {} games of 3×3, players answer at once, or at {} moves a second in all; a\n\
         rematch after every game; medians of {} rounds of {} s. The leader, or the server alone, has one core. Players, followers and three NATS\n\
         servers, which sync everything, share the other one, which therefore bounds the moves a second of clusters.",
        grouped(games as f64),
        grouped(paced_moves()),
        rounds(),
        measured().as_secs(),
    );
    let mut found: [Vec<Costs>; MEASURED.len()] = Default::default();
    // One round after another, so that what else the machine does meets all alike.
    for _ in 0..rounds() {
        for (costs, (arrangement, speed)) in found.iter_mut().zip(MEASURED) {
            costs.push(measure(arrangement, speed, games).await.context(arrangement.name())?);
        }
    }
    let medians = found.map(|costs| Costs::median(&costs));
    println!(
        "\n  | servers | leader's CPU µs a move | moves/s | p50 ms | p99 ms | leader's MiB | load's core busy % \
         | NATS's CPU µs a move | followers' CPU µs a move |"
    );
    println!("  |---|---|---|---|---|---|---|---|---|");
    for ((arrangement, speed), costs) in MEASURED.into_iter().zip(&medians) {
        let Costs { leader, nats_micros, followers_micros } = costs;
        let (nats, followers) = match arrangement.followers() {
            None => (String::new(), String::new()),
            Some(_) => (format!("{nats_micros:.1}"), format!("{followers_micros:.1}")),
        };
        println!(
            "  | {}{} | {:.1} | {} | {:.1} | {:.1} | {:.0} | {:.0} | {nats} | {followers} |",
            arrangement.name(),
            if speed == Speed::Paced { ", paced" } else { "" },
            leader.cpu_micros,
            grouped(leader.moves_a_second),
            leader.p50_ms,
            leader.p99_ms,
            leader.resident_mib,
            leader.load_busy * 100.0,
        );
    }
    lone_moves().await?;
    let [.., alone, without_clients] = medians;
    let slower = alone.leader.moves_a_second.min(without_clients.leader.moves_a_second);
    ensure!(slower > 0.95 * paced_moves(), "the pace was not kept: {slower:.0} moves a second");
    println!(
        "\n  At the same pace, a move costs a leader whose clients are on followers {:.2} times what it costs a server alone \
         (aim: at most {AIM:.2})",
        without_clients.leader.cpu_micros / alone.leader.cpu_micros
    );
    Ok(())
}

/// What a move waits for when nothing else is under way.
async fn lone_moves() -> anyhow::Result<()> {
    println!("\n  The lone move: 100 moves a second in all, for {} s", lone::time().as_secs_f64().ceil());
    println!("  {:<46}{:>12}{:>10}{:>10}", "", "CPU a move", "p50", "p99");
    for arrangement in [Arrangement::Alone, Arrangement::ClientsOnLeader] {
        let site = Site::start(arrangement, lone::games()).await?;
        let (round, idle) = lone::measure(&site.leader, &site.places()).context(arrangement.name())?;
        println!(
            "  {:<46}{:>9.0} µs{:>7.2} ms{:>7.2} ms   (idle, it uses {idle:.1} ms of CPU a second)",
            arrangement.name(),
            round.cpu_micros,
            round.p50_ms,
            round.p99_ms,
        );
    }
    Ok(())
}
