//! Threads for the tasks of the trees.
//!
//! A tree flushes its memory and merges its tables in tasks that do not yield for seconds. On the runtime of the caller they
//! would delay all tasks in the queue of the same thread: a busy thread does not steal from another's queue.
//!
//! A tree writes and syncs its log on SurrealDB's thread pool, or on its own thread if there is no pool. None is made: these
//! threads may block, and a commit changes threads twice instead of six times.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Handle, Runtime};

/// One for each task of a tree, all of which can block (commits, flushes, merges), and one for timers.
const THREADS: usize = 4;

static TASKS: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread()
        .enable_all()
        .thread_name("storage")
        .worker_threads(THREADS)
        .build()
        .expect("the system has threads left at the start")
});

/// Where trees have to be opened: their tasks run where they are spawned.
pub(crate) fn handle() -> &'static Handle {
    TASKS.handle()
}
