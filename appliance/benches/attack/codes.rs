//! Honest people who ask for a code meanwhile, one after the other, and how long they wait for its letter.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use serde_json::json;
use tokio::time::sleep;

use crate::{
    arena::{Arena, letters},
    wire::Visitor,
};

/// Between two of them.
const PAUSE: Duration = Duration::from_secs(1);

/// The longest that an honest code may take.
pub const WITHIN: Duration = Duration::from_secs(5);

/// When nobody waits any longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Those who asked in some time.
#[derive(Default)]
pub struct Asked {
    pub slowest: Duration,
    pub number: usize,
    pub failure: Option<String>,
}

/// People who ask until they are stopped, on a thread of their own: they read files, which must not delay the players.
pub struct Asking {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Asked>,
}

impl Asking {
    /// Each is another one of the arena's askers, from an address of their own; `next` counts those of the whole run.
    pub fn begin(arena: &Arc<Arena>, next: &Arc<AtomicUsize>) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let (arena, next, ends) = (Arc::clone(arena), Arc::clone(next), Arc::clone(&is_over));
        let asking = move || {
            let mut asked = Asked::default();
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return Asked { failure: Some(error.to_string()), ..asked },
            };
            while !ends.load(Ordering::Relaxed) {
                match runtime.block_on(ask(&arena, next.fetch_add(1, Ordering::Relaxed))) {
                    Ok(waited) => (asked.slowest, asked.number) = (asked.slowest.max(waited), asked.number + 1),
                    Err(error) => asked.failure = Some(format!("an honest code: {error:#}")),
                }
                std::thread::sleep(PAUSE);
            }
            asked
        };
        Self { is_over, thread: std::thread::spawn(asking) }
    }

    /// Waits until whoever asks has their code.
    pub async fn end(self) -> Asked {
        self.is_over.store(true, Ordering::Relaxed);
        let joined = tokio::task::spawn_blocking(|| self.thread.join()).await;
        let panicked = || Asked { failure: Some("those who ask panicked".to_owned()), ..Asked::default() };
        joined.ok().and_then(Result::ok).unwrap_or_else(panicked)
    }
}

/// Recovers a password as far as to the letter, and returns how long that took.
async fn ask(arena: &Arena, number: usize) -> anyhow::Result<Duration> {
    let account = arena.askers.get(number).context("nobody is left to ask")?;
    let email = format!("{}@example.org", account.username);
    let source = Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 8, 0, 1)) + number as u32);
    let begun = Instant::now();
    let asker = Visitor::opened(arena, source).await?;
    // Whoever is told that the server is busy tries again, as a person does.
    loop {
        let answer = asker.post("/api/auth/api/v1/requestverificationcode", &json!({ "email": email })).await?;
        if !answer.is_too_many() || begun.elapsed() > PATIENCE {
            answer.ok()?;
            break;
        }
        sleep(Duration::from_millis(200)).await;
    }
    while letters(&arena.folder, &email)?.is_empty() {
        ensure!(begun.elapsed() < PATIENCE, "it never came");
        sleep(Duration::from_millis(50)).await;
    }
    Ok(begun.elapsed())
}
