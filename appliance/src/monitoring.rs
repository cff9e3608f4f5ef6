//! What monitoring gets: figures of the moment in Prometheus' text format, and the samples of the last hour.

mod scrape;

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::{app::App, history::Sample, metrics::Observed};

/// Figures that grow, as of the sample before.
struct Counted {
    at: Instant,
    cpu: Duration,
    moves: u64,
    move_seconds: Observed,
    log_records: u64,
}

impl App {
    /// Takes samples of the server, at this interval, until it is dropped.
    pub async fn run_monitoring(self: Arc<Self>, every: Duration) {
        let mut ticks = interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.tick().await;
        let mut before = self.counted();
        let mut is_short = false;
        loop {
            ticks.tick().await;
            let app = Arc::clone(&self);
            let Ok(counted) = tokio::task::spawn_blocking(move || app.counted()).await else { return };
            self.history.add(self.sample(&before, &counted));
            before = counted;
            let notices = self.process.usage().notices();
            if !is_short {
                notices.iter().for_each(|notice| tracing::warn!("{notice}"));
            }
            is_short = !notices.is_empty();
        }
    }

    /// Looks at the process, which reads files.
    fn counted(&self) -> Counted {
        Counted {
            at: Instant::now(),
            cpu: self.process.look().cpu,
            moves: self.metrics.moves.get(),
            move_seconds: Observed::of(&self.metrics.move_seconds),
            log_records: self.logbook.taken(),
        }
    }

    fn sample(&self, before: &Counted, now: &Counted) -> Sample {
        let seconds = now.at.duration_since(before.at).as_secs_f64().max(0.001);
        let per_second = |before: u64, now: u64| now.saturating_sub(before) as f64 / seconds;
        let quantile =
            |share| now.move_seconds.quantile_since(&before.move_seconds, share).map(|value| value * 1_000.0);
        Sample {
            at: self.clock.wall(),
            cpu_percent: now.cpu.saturating_sub(before.cpu).as_secs_f64() / seconds * 100.0,
            memory: self.process.usage().memory,
            disk_free: Some(self.disk.free()).filter(|free| *free < u64::MAX),
            sockets: self.hub.len() as u64,
            moves_per_second: per_second(before.moves, now.moves),
            move_p50: quantile(0.5),
            move_p99: quantile(0.99),
            log_records_per_second: per_second(before.log_records, now.log_records),
        }
    }
}
