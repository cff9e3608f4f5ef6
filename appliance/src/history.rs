//! The last hour of the server in figures, for operators: one sample every ten seconds, in memory.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use parking_lot::Mutex;

pub const SAMPLE_EVERY: Duration = Duration::from_secs(10);

/// An hour of samples: some 30 KiB.
pub const MAX_SAMPLES: usize = 360;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    pub at: DateTime<Utc>,
    /// Of one core, since the sample before.
    pub cpu_percent: f64,
    pub memory: u64,
    /// Absent if it cannot be read.
    pub disk_free: Option<u64>,
    pub sockets: u64,
    pub moves_per_second: f64,
    /// Milliseconds until a move was announced; absent without moves.
    pub move_p50: Option<f64>,
    pub move_p99: Option<f64>,
    pub log_records_per_second: f64,
}

/// The samples. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct History(Arc<Mutex<VecDeque<Sample>>>);

impl History {
    pub fn add(&self, sample: Sample) {
        let mut samples = self.0.lock();
        if samples.len() == MAX_SAMPLES {
            samples.pop_front();
        }
        samples.push_back(sample);
    }

    /// The samples, the oldest first.
    pub fn samples(&self) -> Vec<Sample> {
        self.0.lock().iter().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_is_kept() {
        let history = History::default();
        for number in 0..=360 {
            history.add(Sample {
                at: DateTime::from_timestamp(number * 10, 0).unwrap(),
                cpu_percent: 1.0,
                memory: 1,
                disk_free: None,
                sockets: 1,
                moves_per_second: 0.0,
                move_p50: None,
                move_p99: None,
                log_records_per_second: 0.0,
            });
        }
        let seconds: Vec<_> = history.samples().iter().map(|sample| sample.at.timestamp()).collect();
        assert_eq!((seconds.len(), seconds[0], seconds[359]), (MAX_SAMPLES, 10, 3_600));
    }
}
