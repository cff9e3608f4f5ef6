//! Samples of the last hour.

use morpion_openapi::admin::HistorySample;

use crate::history::Sample;

pub fn sample(sample: &Sample) -> HistorySample {
    HistorySample {
        at: sample.at.into(),
        cpu_percent: rounded(sample.cpu_percent),
        memory: sample.memory,
        disk_free: sample.disk_free,
        sockets: sample.sockets,
        moves_per_second: rounded(sample.moves_per_second),
        move_p50: sample.move_p50.map(rounded),
        move_p99: sample.move_p99.map(rounded),
        log_records_per_second: rounded(sample.log_records_per_second),
    }
}

/// More digits would be noise, and most of the answer.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
