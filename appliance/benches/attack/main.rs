//! Attacks on a real server while honest games go on: `make attack`, which sets MORPION_ATTACK_SECONDS for each attack.
//!
//! The server has its default limits and a core of its own. On the other core two hundred games are played, each from an
//! address of its own, by people who think for a second; then the attackers come, one attack after the other, from other
//! addresses. It runs inside a cgroup with the memory of the unit. After each attack a control takes as much of its core,
//! without touching it, and moves may not be much slower under attack than beside the control. Meanwhile honest people ask for
//! codes. The attackers' rates are bounded, and they get only what the players leave of that core: a remote attacker's
//! processor is not ours, and what is measured is the server. It uses only 127.0.0.0/8, and fails if a game is lost, an
//! acknowledged move is missing, the players wait too long, the server keeps too much memory, or an attack reaches what
//! it must not.
//!
//! With MORPION_ATTACK_TLS all of it, the honest games too, goes over TLS.
//!
//! Quiet is what was measured in all quiet moments of the run together: a single one of them is as short as an attack,
//! and its slowest hundredth is a dozen moves, which one pause of the machine makes.

mod arena;
mod attacks;
#[path = "../load/certificate.rs"]
mod certificate;
mod codes;
mod control;
mod honest;
mod http2_frames;
#[path = "../load/matches.rs"]
#[allow(dead_code, reason = "shared with the measurements of load, which need more of it")]
mod matches;
mod memory;
#[path = "../load/process.rs"]
#[allow(dead_code, reason = "shared with the measurements of load, which need more of it")]
mod process;
#[path = "../load/seed.rs"]
#[allow(dead_code, reason = "shared with the measurements of load, which need more of it")]
mod seed;
#[path = "../load/socket.rs"]
#[allow(dead_code, reason = "shared with the measurements of load, which need more of it")]
mod socket;
mod wire;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fmt,
    fs::File,
    path::Path,
    process::Command,
    sync::{Arc, atomic::AtomicUsize},
    time::Duration,
};

use anyhow::{bail, ensure};
use arena::{Arena, Attack, FIRST_SOURCE, Outcome};
use certificate::Certificate;
use codes::{Asked, Asking, WITHIN};
use hdrhistogram::Histogram;
use honest::Honest;
use memory::MemoryGroup;
use process::Server;
use seed::Seeded;
use socket::speak_tls;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// Set for the process that is already on its own core.
const PINNED: &str = "ATTACK_PINNED";

/// Set to have all of it over TLS.
const TLS_VARIABLE: &str = "MORPION_ATTACK_TLS";

/// How long an attack goes on, unless it has to go on longer to be seen ending.
const SECONDS_VARIABLE: &str = "MORPION_ATTACK_SECONDS";
const SECONDS: u64 = 10;

/// Where the server runs, and where players and attackers are.
pub const SERVER_CORE: &str = "0";
const CLIENT_CORE: &str = "1";

const GAMES: usize = 200;
const ATTACKERS: usize = 600;

/// Honest people who ask for a code: one a second, in each attack.
const ASKERS: usize = 2_000;

/// Before all attacks, each as long as one: they also show how far such moments differ without any attack.
const QUIET_MOMENTS: usize = 6;

/// Between two attacks: what is quiet on a machine changes with what else it does.
const BETWEEN: Duration = Duration::from_secs(2);

/// How often it is looked whether the players' core was free for them.
const LATENESS_EVERY: Duration = Duration::from_millis(5);

/// Until an attack is over for the server too.
const SETTLING: Duration = Duration::from_secs(1);

/// How long an attack may take to see its end.
const PATIENCE: Duration = Duration::from_secs(90);

/// How much longer the slowest hundredth of the moves may take under attack. What is below the floor a person does not
/// notice, and one pause of a machine that does something else besides is as long.
const RATIO: f64 = 2.0;
const FLOOR: Duration = Duration::from_millis(60);

/// What the server may have resident, in MiB. Of that it has 110 with these games and no attack; most of the rest is for
/// one picture that is decoded.
const MEMORY: u64 = 400;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [spin, percent] = &arguments[..]
        && spin == control::SPIN
    {
        control::spin(percent.parse()?);
    }
    if std::env::var_os(PINNED).is_none() && process::can_pin() {
        let me = std::env::current_exe()?;
        let status =
            Command::new("taskset").args(["-c", CLIENT_CORE]).arg(me).args(&arguments).env(PINNED, "1").status()?;
        std::process::exit(status.code().unwrap_or(1));
    }
    let attacks: Vec<Attack> = attacks::all().into_iter().filter(|attack| is_wanted(attack, &arguments)).collect();
    ensure!(
        !attacks.is_empty(),
        "no attack is named so; there are {}",
        attacks::all().iter().map(|a| a.name).collect::<Vec<_>>().join(", ")
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, run(&attacks))
}

/// Without a name all are that the run can do.
fn is_wanted(attack: &Attack, names: &[String]) -> bool {
    let is_possible = std::env::var_os(TLS_VARIABLE).is_some() || !attack.name.starts_with("TLS");
    is_possible && (names.is_empty() || names.iter().any(|name| attack.name.contains(name.as_str())))
}

async fn run(attacks: &[Attack]) -> anyhow::Result<()> {
    let seconds = std::env::var(SECONDS_VARIABLE).ok().map_or(Ok(SECONDS), |text| text.parse())?;
    let certificate = std::env::var_os(TLS_VARIABLE).map(|_| Certificate::new()).transpose()?;
    let settings = certificate.as_ref().map(Certificate::settings).unwrap_or_default();
    let mut seeded = Seeded::with_settings(2 * GAMES + ATTACKERS + ASKERS, 0, &settings).await?;
    let group = MemoryGroup::of_the_unit()?;
    let server = serve(&seeded, &group)?;
    if let Some(certificate) = &certificate {
        speak_tls(certificate.connector()?);
    }
    let askers = seeded.accounts.split_off(2 * GAMES + ATTACKERS);
    let arena = Arc::new(Arena {
        address: server.address,
        folder: seeded.folder().to_owned(),
        operator_token: seeded.operator_token()?,
        accounts: seeded.accounts.split_off(2 * GAMES).into(),
        askers: askers.into(),
        first_source: FIRST_SOURCE,
        lasting: Duration::from_secs(seconds),
    });
    let mut honest = Honest::begin(server.address, &seeded, GAMES).await?;
    sleep(SETTLING).await;
    honest.latency();
    let mut quiet = Watched::default();
    let mut moments = vec![];
    for _ in 0..QUIET_MOMENTS {
        let ((), moment) = watched(&server, &group, &mut honest, sleep(arena.lasting + SETTLING)).await;
        moments.push(moment.ms(0.99));
        quiet.add(&moment);
    }
    println!(
        "{GAMES} honest games before any attack, {} moves in {QUIET_MOMENTS} moments of {} s: {quiet}",
        quiet.latency.len(),
        (arena.lasting + SETTLING).as_secs()
    );
    moments.sort_by(f64::total_cmp);
    println!("p99 of each: {}\n", moments.iter().map(|p99| format!("{p99:.1}")).collect::<Vec<_>>().join(", "));
    let mut failures = quiet.failures(&quiet, &group);
    let mut results = vec![];
    let (next_asker, quiet_busy) = (Arc::new(AtomicUsize::new(0)), quiet.busy);
    for attack in attacks {
        let mut result = measure(attack, &arena, &server, &group, &mut honest, &next_asker).await;
        let ((), after) = watched(&server, &group, &mut honest, sleep(BETWEEN)).await;
        failures.extend(after.lost.iter().map(|game| format!("after {}: a game was lost: {game}", attack.name)));
        quiet.add(&after);
        let percent = (100.0 * (result.under.busy - quiet_busy)).clamp(0.0, 100.0) as u32;
        let spinning = control::start(percent)?;
        let ((), control) = watched(&server, &group, &mut honest, sleep(arena.lasting)).await;
        drop(spinning);
        eprintln!("    beside a control with {percent} % of its core: {control}");
        result.control = control;
        results.push(result);
    }
    println!("All quiet moments together, {} moves: {quiet}\n", quiet.latency.len());
    println!(
        "| attack | reached | refused by | server | cgroup | honest codes | under attack | p99 of the control | p99 of quiet | own lateness |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for result in &results {
        result.print(&quiet);
        failures.extend(result.failures(&group));
    }
    let within = results.iter().filter(|result| result.under.ms(0.99) <= RATIO * result.control.ms(0.99)).count();
    println!("\nWithin {RATIO} times the p99 beside the control: {within} of {}.", results.len());
    drop(arena);
    end(server, &group, &mut seeded, honest, failures).await
}

/// What an attack reached, and how the players fared meanwhile.
struct Attacked {
    name: &'static str,
    outcome: Result<Outcome, String>,
    under: Watched,
    asked: Asked,
    /// Beside a process that takes as much of the server's core.
    control: Watched,
}

async fn measure(
    attack: &Attack,
    arena: &Arc<Arena>,
    server: &Server,
    group: &MemoryGroup,
    honest: &mut Honest,
    next_asker: &Arc<AtomicUsize>,
) -> Attacked {
    let asking = Asking::begin(arena, next_asker);
    let begun = Instant::now();
    let attacking = async {
        let attacked = timeout(arena.lasting + PATIENCE, arena::start(attack, arena)).await;
        // What it has delayed counts too.
        sleep(SETTLING).await;
        attacked
    };
    let (attacked, under) = watched(server, group, honest, attacking).await;
    let asked = asking.end().await;
    let outcome = match attacked {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(ended)) => Err(ended.into()),
        Err(late) => Err(late.into()),
    };
    let outcome = outcome.map_err(|hole| format!("{hole:#}, after {} s", begun.elapsed().as_secs()));
    let (resident, peak, waited) = (under.memory, under.group, asked.slowest.as_secs_f64());
    eprintln!("{}: {under}; {resident} MiB resident, {peak} MiB in the group; codes within {waited:.1} s", attack.name);
    Attacked { name: attack.name, outcome, under, asked, control: Watched::default() }
}

impl Attacked {
    fn print(&self, quiet: &Watched) {
        let Self { name, outcome, under, asked, control } = self;
        let (reached, refused) = match outcome {
            Ok(Outcome { reached, refused }) => (reached.as_str(), refused.as_str()),
            Err(_) => ("FAILED", ""),
        };
        let kinds =
            under.threads.iter().map(|(kind, part)| (kind, part * 100.0)).filter(|(_, percent)| *percent >= 1.0);
        let kinds: Vec<_> = kinds.map(|(kind, percent)| format!("{kind} {percent:.0} %")).collect();
        let server = format!("{} MiB, {:.0} % ({})", under.memory, under.busy * 100.0, kinds.join(", "));
        let (group, codes) = (under.group, format!("{}, {:.1} s", asked.number, asked.slowest.as_secs_f64()));
        let times = |other: &Watched| under.ms(0.99) / other.ms(0.99);
        let (controlled, times, late) = (times(control), times(quiet), ms(&under.lateness, 0.99));
        println!(
            "| {name} | {reached} | {refused} | {server} | {group} MiB | {codes} | {under} | {controlled:.1}× | {times:.1}× | {late:.1} ms |"
        );
    }

    fn failures(&self, group: &MemoryGroup) -> Vec<String> {
        let holes = self.outcome.as_ref().err().cloned().into_iter().chain(self.asked.failure.clone());
        let late = (self.asked.slowest > WITHIN).then(|| format!("a code took {:?}", self.asked.slowest));
        let failures = holes.chain(late).chain(self.under.failures(&self.control, group));
        failures.map(|failure| format!("{}: {failure}", self.name)).collect()
    }
}

/// Kills the server, and looks for what was acknowledged.
async fn end(
    server: Server,
    group: &MemoryGroup,
    seeded: &mut Seeded,
    honest: Honest,
    mut failures: Vec<String>,
) -> anyhow::Result<()> {
    let games = honest.end().await?;
    if games.len() != GAMES {
        failures.push(format!("{} of {GAMES} games went on to the end", games.len()));
    }
    drop(server);
    let server = serve(seeded, group)?;
    let operator_token = seeded.operator_token()?;
    let folder = seeded.folder().to_owned();
    match honest::check_moves(server.address, folder, operator_token, &games).await {
        Ok(moves) => println!(
            "\nAfter a kill and a new start all {} games are there, with all {moves} acknowledged moves.",
            games.len()
        ),
        Err(missing) => failures.push(format!("{missing:#}")),
    }
    println!(
        "Bounds: p99 at most {RATIO} times that beside the control, or {} ms; at most {MEMORY} MiB resident; codes within {} s.",
        FLOOR.as_millis(),
        WITHIN.as_secs()
    );
    server.stop();
    if failures.is_empty() { Ok(()) } else { bail!("{} failures:\n{}", failures.len(), failures.join("\n")) }
}

/// Its log goes to its files, not among the figures.
fn serve(seeded: &Seeded, group: &MemoryGroup) -> anyhow::Result<Server> {
    let mut command = process::on_server_core(Path::new(env!("CARGO_BIN_EXE_morpion")));
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    let mut command = group.command(&command);
    command.env("MORPION_CONFIG", seeded.config_file());
    Server::spawn(command.stderr(File::create(seeded.folder().join("stderr"))?))
}

/// How the players and the server fare meanwhile.
struct Watched {
    latency: Histogram<u64>,
    /// How late the players' thread woke up, in microseconds: what the machine, and the attackers' part of it, add to the
    /// latency.
    lateness: Histogram<u64>,
    /// The most that the server had resident, in MiB.
    memory: u64,
    /// The most that its cgroup had, in MiB: files in memory and the kernel's buffers are in it too.
    group: u64,
    /// The part of the time that the server computed, and its threads did, by their names.
    busy: f64,
    threads: BTreeMap<String, f64>,
    lost: Vec<String>,
}

impl Default for Watched {
    fn default() -> Self {
        Self {
            latency: matches::no_latency(),
            lateness: matches::no_latency(),
            memory: 0,
            group: 0,
            busy: 0.0,
            threads: BTreeMap::new(),
            lost: vec![],
        }
    }
}

/// The latency of the players' moves.
impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p50 {:.1} ms, p99 {:.1} ms", self.ms(0.5), self.ms(0.99))
    }
}

fn ms(histogram: &Histogram<u64>, quantile: f64) -> f64 {
    histogram.value_at_quantile(quantile) as f64 / 1_000.0
}

impl Watched {
    fn ms(&self, quantile: f64) -> f64 {
        ms(&self.latency, quantile)
    }

    /// Adds the moves of another time.
    fn add(&mut self, other: &Self) {
        self.latency.add(&other.latency).expect("both have the same range");
        self.lateness.add(&other.lateness).expect("both have the same range");
        self.memory = self.memory.max(other.memory);
        self.group = self.group.max(other.group);
        self.busy = self.busy.max(other.busy);
        self.lost.extend(other.lost.iter().cloned());
    }

    /// Compared with a time without an attack.
    fn failures(&self, other: &Self, group: &MemoryGroup) -> Vec<String> {
        let mut failures: Vec<String> = self.lost.iter().map(|game| format!("a game was lost: {game}")).collect();
        let most = (RATIO * other.ms(0.99)).max(FLOOR.as_secs_f64() * 1e3);
        if self.latency.is_empty() || self.ms(0.99) > most {
            failures.push(format!("p99 is {:.1} ms, above {most:.1} ms", self.ms(0.99)));
        }
        if self.memory > MEMORY {
            failures.push(format!("the server had {} MiB, above {MEMORY} MiB", self.memory));
        }
        match group.killed() {
            Ok(0) if self.group << 20 <= group.most => {}
            Ok(killed) => {
                failures.push(format!("{} MiB of the unit's {}; {killed} killed", self.group, group.most >> 20))
            }
            Err(error) => failures.push(format!("{error:#}")),
        }
        failures
    }
}

/// Watches while something goes on.
async fn watched<T>(
    server: &Server,
    group: &MemoryGroup,
    honest: &mut Honest,
    meanwhile: impl Future<Output = T>,
) -> (T, Watched) {
    let (most, most_of_group) = (Cell::new(0), Cell::new(0));
    let sampling = async {
        loop {
            most.set(most.get().max(server.resident_bytes() >> 20));
            most_of_group.set(most_of_group.get().max(group.now().unwrap_or_default() >> 20));
            sleep(Duration::from_millis(50)).await;
        }
    };
    let late = RefCell::new(matches::no_latency());
    let waking = async {
        loop {
            let due = Instant::now() + LATENESS_EVERY;
            sleep_until(due).await;
            late.borrow_mut().saturating_record(due.elapsed().as_micros() as u64);
        }
    };
    let (begun, cpu, before) = (Instant::now(), server.cpu(), server.cpu_of_threads());
    let ended = tokio::select! {
        ended = meanwhile => ended,
        () = sampling => unreachable!("it goes on"),
        () = waking => unreachable!("it goes on"),
    };
    let part =
        |now: Duration, before: Duration| now.saturating_sub(before).as_secs_f64() / begun.elapsed().as_secs_f64();
    let busy = part(server.cpu(), cpu);
    let threads = server.cpu_of_threads().into_iter().map(|(kind, now)| {
        let part = part(now, before.get(&kind).copied().unwrap_or_default());
        (kind, part)
    });
    let (latency, lost) = (honest.latency(), honest.lost());
    (
        ended,
        Watched {
            latency,
            lateness: late.into_inner(),
            memory: most.get(),
            group: most_of_group.get(),
            busy,
            threads: threads.collect(),
            lost,
        },
    )
}
