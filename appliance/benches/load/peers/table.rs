//! What the measurements of several rounds make together, as a table.

use std::time::Duration;

use hdrhistogram::Histogram;

/// The CPU time a move and the rest, of one server with one number of games, in one round.
#[derive(Debug, Clone, Copy)]
pub struct Round {
    pub cpu_micros: f64,
    pub moves_a_second: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub longest_ms: f64,
    pub resident_mib: f64,
    /// The part of the time that the players computed.
    pub load_busy: f64,
}

impl Round {
    pub fn new(
        elapsed: Duration,
        server_cpu: Duration,
        load_cpu: Duration,
        latency: &Histogram<u64>,
        resident_bytes: u64,
    ) -> Self {
        let moves = latency.len().max(1) as f64;
        let ms = |quantile: f64| latency.value_at_quantile(quantile) as f64 / 1_000.0;
        Self {
            cpu_micros: server_cpu.as_secs_f64() * 1e6 / moves,
            moves_a_second: latency.len() as f64 / elapsed.as_secs_f64(),
            p50_ms: ms(0.5),
            p99_ms: ms(0.99),
            longest_ms: ms(1.0),
            resident_mib: resident_bytes as f64 / (1 << 20) as f64,
            load_busy: load_cpu.as_secs_f64() / elapsed.as_secs_f64(),
        }
    }

    /// The median of each figure by itself.
    pub fn median(rounds: &[Self]) -> Self {
        let of = |figure: fn(&Self) -> f64| median(rounds.iter().map(figure).collect());
        Self {
            cpu_micros: of(|round| round.cpu_micros),
            moves_a_second: of(|round| round.moves_a_second),
            p50_ms: of(|round| round.p50_ms),
            p99_ms: of(|round| round.p99_ms),
            longest_ms: of(|round| round.longest_ms),
            resident_mib: of(|round| round.resident_mib),
            load_busy: of(|round| round.load_busy),
        }
    }
}

pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// A number with separators of thousands.
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
