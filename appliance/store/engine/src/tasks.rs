//! Threads for the tasks of the trees.
//!
//! A tree flushes its memory and merges its tables in tasks that keep their thread for seconds. On the runtime of who opens
//! it, tasks that wait for the same thread would wait for that, too, although other threads go on: one takes the tasks of
//! another only when it has none of its own.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Handle, Runtime};

/// One for each task of a tree: commits, flushes, merges.
const THREADS: usize = 3;

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
