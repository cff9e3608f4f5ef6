//! What an attack finds, and how it is run.

use std::{
    collections::BTreeMap,
    fmt, fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, ensure};
use futures_util::{StreamExt, future::LocalBoxFuture, stream::FuturesUnordered};
use tokio::{
    sync::oneshot,
    time::{Instant, Interval, MissedTickBehavior, interval},
};

use crate::{seed::Account, wire::Answer};

/// Keeps all the rules of passwords.
pub const PASSWORD: &str = "Correct-Horse-7";

/// The server, and the accounts of the attackers.
#[derive(Clone)]
pub struct Arena {
    pub address: SocketAddr,
    pub folder: PathBuf,
    pub operator_token: String,
    pub accounts: Arc<[Account]>,
    /// Honest people who ask for codes.
    pub askers: Arc<[Account]>,
    /// Where the addresses of the attackers begin.
    pub first_source: Ipv4Addr,
    /// How long an attack goes on, if it does not need longer to be seen ending.
    pub lasting: Duration,
}

/// What an attack reached, and how it was refused.
pub struct Outcome {
    pub reached: String,
    pub refused: String,
}

pub struct Attack {
    pub name: &'static str,
    pub run: for<'a> fn(&'a Arena) -> LocalBoxFuture<'a, anyhow::Result<Outcome>>,
}

impl Arena {
    /// An address of the attackers.
    pub fn source(&self, number: usize) -> Ipv4Addr {
        Ipv4Addr::from(u32::from(self.first_source) + number as u32)
    }

    /// The same for one of several attacks at once, whose addresses are others.
    pub fn beside(&self, number: u32) -> Self {
        const ADDRESSES: u32 = 10_000;
        let first_source = Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 16, 0, 1)) + number * ADDRESSES);
        Self { first_source, ..self.clone() }
    }

    pub fn until(&self) -> Instant {
        Instant::now() + self.lasting
    }

    pub fn account(&self, number: usize) -> &Account {
        &self.accounts[number % self.accounts.len()]
    }
}

/// Where the attackers' addresses begin.
pub const FIRST_SOURCE: Ipv4Addr = Ipv4Addr::new(127, 2, 0, 1);

/// The letters to this recipient.
pub fn letters(folder: &Path, email: &str) -> anyhow::Result<Vec<String>> {
    let Ok(files) = fs::read_dir(folder.join("outbox")) else { return Ok(vec![]) };
    let mut paths = files.map(|file| Ok(file?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "eml"));
    paths.sort();
    let texts = paths.iter().map(fs::read_to_string).collect::<Result<Vec<_>, _>>()?;
    Ok(texts.into_iter().filter(|text| text.contains(&format!("To: {email}"))).collect())
}

/// So many a second. What was late is not caught up: the attackers must not take the players' core.
pub fn a_second(number: u32) -> Interval {
    let mut ticks = interval(Duration::from_secs(1) / number);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Requests under way at most.
const UNDER_WAY: usize = 256;

/// Asks so many times a second, until it is time, and looks at every answer.
pub async fn hammer<A: Future<Output = anyhow::Result<Answer>>>(
    arena: &Arena,
    rate: u32,
    mut ask: impl FnMut(usize) -> A,
    mut see: impl FnMut(&Answer) -> anyhow::Result<()>,
) -> anyhow::Result<Tally> {
    let (mut ticks, until) = (a_second(rate), arena.until());
    let (mut asked, mut tally, mut under_way) = (0, Tally::default(), FuturesUnordered::new());
    loop {
        let answer = tokio::select! {
            _ = ticks.tick(), if under_way.len() < UNDER_WAY && Instant::now() < until => {
                under_way.push(ask(asked));
                asked += 1;
                continue;
            }
            Some(answer) = under_way.next() => answer?,
            else => return Ok(tally),
        };
        tally.count(&answer);
        see(&answer)?;
    }
}

/// How often there was each answer.
#[derive(Default)]
pub struct Tally(BTreeMap<u16, usize>);

impl Tally {
    pub fn count(&mut self, answer: &Answer) {
        *self.0.entry(answer.status).or_default() += 1;
    }

    pub fn of(&self, status: u16) -> usize {
        self.0.get(&status).copied().unwrap_or(0)
    }

    pub fn all(&self) -> usize {
        self.0.values().sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (status, number)) in self.0.iter().enumerate() {
            let separator = if place == 0 { "" } else { ", " };
            match status {
                0 => write!(f, "{separator}closed {number}×")?,
                _ => write!(f, "{separator}{status} {number}×")?,
            }
        }
        Ok(())
    }
}

/// Runs an attack on a thread of its own, which gets only what the players leave of their core: it is the server that is
/// measured. Its connections end with it.
pub fn start(attack: &Attack, arena: &Arc<Arena>) -> oneshot::Receiver<anyhow::Result<Outcome>> {
    let (done, outcome) = oneshot::channel();
    let (run, arena) = (attack.run, Arc::clone(arena));
    std::thread::spawn(move || {
        let running = || {
            yield_to_players()?;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            tokio::task::LocalSet::new().block_on(&runtime, run(&arena))
        };
        let _ = done.send(running());
    });
    outcome
}

/// Lets this thread run only while no other wants to (SCHED_IDLE): whoever has a higher priority takes the core from it
/// at once, where a nice thread would go on until its slice ends.
fn yield_to_players() -> anyhow::Result<()> {
    let me = std::fs::read_link("/proc/thread-self")?;
    let thread = me.file_name().context("no thread")?;
    let changed = Command::new("chrt").args(["--idle", "--pid", "0"]).arg(thread).output().context("chrt")?;
    ensure!(changed.status.success(), "the attackers' priority: {}", String::from_utf8_lossy(&changed.stderr));
    Ok(())
}
