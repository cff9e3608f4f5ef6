//! How long to wait before the next try to connect: `docs/behaviour/console.md#connecting`.

use std::time::Duration;

/// The first wait, in milliseconds; it doubles from try to try.
const FIRST_MS: u64 = 1_000;
/// The longest wait before jitter.
const LONGEST_MS: u64 = 5_000;
/// A wait is made up to this part shorter or longer, so that many clients of a restarted server
/// do not come back all at once.
const JITTER: f64 = 0.5;

#[derive(Debug, Default)]
pub struct Backoff {
    tries: u32,
}

impl Backoff {
    /// The wait before the next try; `chance` is uniform in 0 to 1.
    pub fn next(&mut self, chance: f64) -> Duration {
        let base = (FIRST_MS << self.tries.min(8)).min(LONGEST_MS);
        self.tries = self.tries.saturating_add(1);
        let factor = 1.0 + JITTER * (2.0 * chance - 1.0);
        Duration::from_millis((base as f64 * factor) as u64)
    }

    /// A connection held: the next loss starts with the short wait again.
    pub fn reset(&mut self) {
        self.tries = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_to_five_seconds_with_jitter() {
        let mut backoff = Backoff::default();
        let waits: Vec<_> = (0..5).map(|_| backoff.next(0.5).as_millis()).collect();
        assert_eq!(waits, [1_000, 2_000, 4_000, 5_000, 5_000]);
        backoff.reset();
        assert_eq!(backoff.next(0.0).as_millis(), 500);
        backoff.reset();
        assert_eq!(backoff.next(1.0).as_millis(), 1_500);
    }
}
