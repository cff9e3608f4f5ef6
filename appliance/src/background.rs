//! Threads for what must not delay a move: connections that speak HTTP, calls of the API and queries of the database,
//! hashing passwords, decoding pictures, comparing moves with the solver. Their priority is lower than that of all others, so
//! that a move that arrives meanwhile gets the core at once.

use std::{num::NonZeroUsize, sync::LazyLock, thread::available_parallelism};

use morpion_store::yield_when_reading;
use thread_priority::{
    NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy, thread_native_id,
};
use tokio::{
    runtime::{Builder, Handle, Runtime},
    sync::OwnedSemaphorePermit,
    task::JoinHandle,
};

/// Of 0 to 99, where 50 is usual: a niceness of 9, with which a thread still gets a tenth of a busy core.
const PRIORITY: u8 = 25;

/// A niceness of 3: a third of a busy core. It comes before queries, so that whether the server lives is told meanwhile.
const EDGE_PRIORITY: u8 = 40;

/// A niceness of 5: a quarter of a busy core. People wait for most queries.
const QUERY_PRIORITY: u8 = 35;

/// Queries under way at once that take a core; a short one does not wait for a long one.
const QUERY_THREADS: usize = 4;

/// SurrealDB evaluates queries recursively, deeply so without inlining; stack memory is allocated as it is used.
pub const QUERY_STACK: usize = 10 << 20;

static BACKGROUND: LazyLock<Runtime> = LazyLock::new(|| threads("background", lower_priority));

static IDLE: LazyLock<Runtime> =
    LazyLock::new(|| threads("idle", || set_policy(NormalThreadSchedulePolicy::Idle, ThreadPriority::Min)));

/// A runtime for blocking work, whose threads begin with `lower`.
fn threads(name: &str, lower: fn()) -> Runtime {
    Builder::new_current_thread()
        .thread_name(name)
        .on_thread_start(lower)
        .build()
        .expect("a runtime without drivers needs nothing of the system")
}

static QUERIES: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread()
        .enable_all()
        .thread_name("queries")
        .worker_threads(QUERY_THREADS)
        .thread_stack_size(QUERY_STACK)
        .on_thread_start(|| {
            set_priority(QUERY_PRIORITY);
            yield_when_reading();
        })
        .build()
        .expect("the system has threads left at the start")
});

static EDGE: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread()
        .enable_all()
        .thread_name("edge")
        .thread_stack_size(QUERY_STACK)
        .worker_threads(available_parallelism().map_or(1, NonZeroUsize::get))
        .on_thread_start(|| {
            set_priority(EDGE_PRIORITY);
            yield_when_reading();
        })
        .build()
        .expect("the system has threads left at the start")
});

/// Runs work on a thread of its own. How much is run at once is bounded by the caller.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    BACKGROUND.spawn_blocking(work)
}

/// As [`spawn`], for work that gets only what all others leave of a core; next to nothing of one that is busy. All others
/// preempt it at once, which a thread of low priority delays for up to a tick of the system's clock.
pub fn spawn_idle<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    IDLE.spawn_blocking(work)
}

/// Runs work as [`spawn`] does, or in a flood as [`spawn_idle`]. The permit is held until the work is done, even if the
/// caller is gone.
pub fn spawn_with<T: Send + 'static>(
    permit: OwnedSemaphorePermit,
    is_flood: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    let work = move || {
        let _permit = permit;
        work()
    };
    if is_flood { spawn_idle(work) } else { spawn(work) }
}

/// Where connections are accepted, and speak TLS and HTTP until they become websockets.
pub fn edge() -> Handle {
    EDGE.handle().clone()
}

/// Where calls of the API and queries of the database run.
pub fn queries() -> Handle {
    QUERIES.handle().clone()
}

/// Lowers the priority of this thread for good. Where the system does not allow it, all goes on as it was.
pub fn lower_priority() {
    set_priority(PRIORITY);
}

fn set_priority(priority: u8) {
    match priority.try_into() {
        Ok(value) => set_policy(NormalThreadSchedulePolicy::Other, ThreadPriority::Crossplatform(value)),
        Err(error) => tracing::debug!(error, "a background thread has the usual priority"),
    }
}

fn set_policy(policy: NormalThreadSchedulePolicy, priority: ThreadPriority) {
    let policy = ThreadSchedulePolicy::Normal(policy);
    if let Err(error) = set_thread_priority_and_policy(thread_native_id(), priority, policy) {
        tracing::debug!(?error, "a background thread has the usual priority");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of this thread, as `/proc` shows it.
    fn niceness() -> i32 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        stat.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    #[tokio::test]
    async fn work_has_a_lower_priority_than_the_rest() {
        let usual = niceness();
        let lowered = [
            (9, spawn(niceness).await.unwrap()),
            (5, queries().spawn(async { niceness() }).await.unwrap()),
            (3, edge().spawn(async { niceness() }).await.unwrap()),
        ];
        // Whoever runs the tests may have lowered the priority of all of them further.
        for (wanted, found) in lowered {
            assert!(found == wanted || found == usual && usual > wanted, "{found} for {wanted}, usually {usual}");
        }
        assert_eq!(niceness(), usual);
    }

    #[tokio::test]
    async fn idle_work_is_preempted_by_all_others() {
        let policy = || thread_priority::thread_schedule_policy().unwrap();
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        assert_eq!(spawn_idle(policy).await.unwrap(), idle);
        assert_ne!(policy(), idle);
    }
}
