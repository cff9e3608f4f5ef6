//! Threads that yield their core while they read and write.
//!
//! A thread of low priority keeps its core from one of a higher priority for up to a tick of the system's clock, some
//! milliseconds, if it does not let go of it by itself. A query takes about as long, and meets the engine again and again
//! meanwhile.

use std::cell::Cell;
use std::thread;
use std::time::{Duration, Instant};

/// How long a thread keeps its core between two yields. A yield takes less than a microsecond if no other thread waits.
const SLICE: Duration = Duration::from_micros(100);

thread_local! {
    /// When this thread yields next; `None` if it does not.
    static NEXT: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// From now on this thread yields its core to threads that wait for it, whenever it reads or writes after it has had the
/// core for a while.
pub fn yield_when_reading() {
    NEXT.set(Some(Instant::now()));
}

/// Yields the core if this thread wants to and has had it for a while. To be called where no lock is held.
pub fn yield_point() {
    if NEXT.get().is_some_and(|next| next <= Instant::now()) {
        thread::yield_now();
        NEXT.set(Some(Instant::now() + SLICE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_threads_that_want_to_yield() {
        yield_point();
        assert_eq!(NEXT.get(), None);
        yield_when_reading();
        yield_point();
        let next = NEXT.get().unwrap();
        assert!(next > Instant::now() - SLICE);
        yield_point();
        assert!(NEXT.get().unwrap() >= next);
    }
}
