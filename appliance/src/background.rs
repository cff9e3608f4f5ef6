//! Threads for work that takes a core for long: hashing passwords, decoding pictures, comparing moves with the solver.
//! Their priority is lower than that of all others, so that a move that arrives meanwhile gets the core at once.

use std::sync::LazyLock;

use thread_priority::{
    NormalThreadSchedulePolicy, ThreadPriority, ThreadPriorityValue, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id,
};
use tokio::{
    runtime::{Builder, Runtime},
    task::JoinHandle,
};

/// Of 0 to 99, where 50 is usual: a niceness of 9, with which a thread still gets a tenth of a busy core.
const PRIORITY: u8 = 25;

static THREADS: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_current_thread()
        .thread_name("background")
        .on_thread_start(lower_priority)
        .build()
        .expect("a runtime without drivers needs nothing of the system")
});

/// Runs work on a thread of its own. How much is run at once is bounded by the caller.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    THREADS.spawn_blocking(work)
}

/// Lowers the priority of this thread for good. Where the system does not allow it, all goes on as it was.
pub fn lower_priority() {
    let lowered = ThreadPriorityValue::try_from(PRIORITY).and_then(|value| {
        let policy = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Other);
        set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Crossplatform(value), policy)
            .map_err(|error| format!("{error:?}"))
    });
    if let Err(error) = lowered {
        tracing::debug!(error, "a background thread has the usual priority");
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
        let lowered = spawn(niceness).await.unwrap();
        // Whoever runs the tests may have lowered the priority of all of them further.
        assert!(lowered == 9 || lowered == usual && usual > 9, "{lowered}, usually {usual}");
        assert_eq!(niceness(), usual);
    }
}
