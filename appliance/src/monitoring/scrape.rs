//! What a scrape gets: the counters, and the figures of the moment.

use prometheus::{
    TextEncoder,
    proto::{Counter, Gauge, LabelPair, Metric, MetricFamily, MetricType},
};

use crate::app::App;

impl App {
    /// All metrics in Prometheus' text format. It looks at the process, which reads files.
    ///
    /// # Errors
    /// A metric cannot be written in this format.
    pub fn scrape(&self) -> prometheus::Result<String> {
        let mut families = self.metrics.gather();
        families.extend(self.of_play());
        families.extend(self.of_queues());
        families.push(self.of_webhooks());
        families.extend(self.of_process());
        families.extend(self.of_disk());
        families.sort_by(|one, other| one.name().cmp(other.name()));
        TextEncoder::new().encode_to_string(&families)
    }

    fn of_play(&self) -> Vec<MetricFamily> {
        let (live, waiting) = self.play.counts();
        let games = [("live", live as f64), ("waiting", waiting as f64)];
        vec![
            gauge("morpion_ready", "Whether the server is ready: 1 or 0.", u8::from(self.health.is_ready())),
            gauge("morpion_sockets", "Open websockets.", self.hub.len() as f64),
            gauge("morpion_sockets_limit", "Websockets there may be.", self.config.realtime.max_connections as f64),
            family(MetricType::GAUGE, "morpion_games", "Games under way by state.", "state", &games),
            counter(
                "morpion_commit_retries_total",
                "Commits that failed and were tried again.",
                self.play.commit_retries() as f64,
            ),
        ]
    }

    fn of_webhooks(&self) -> MetricFamily {
        let failing = self.webhooks.failing() as f64;
        let help = "Webhooks that are disabled, or have accepted nothing for an hour.";
        gauge("morpion_webhooks_failing", help, failing)
    }

    fn of_queues(&self) -> Vec<MetricFamily> {
        let queues = [
            ("journal", self.play.pending() as f64),
            ("games", self.play.unstored() as f64),
            ("log", self.logbook.waiting() as f64),
            ("mail", self.accounts.mailer.waiting() as f64),
            ("push", self.push.waiting() as f64),
        ];
        let log = &self.logbook;
        vec![
            family(MetricType::GAUGE, "morpion_queue_length", "What waits, by queue.", "queue", &queues),
            counter("morpion_log_records_total", "Records that the log took.", log.taken() as f64),
            counter("morpion_log_records_dropped_total", "Records that the log had no room for.", log.dropped() as f64),
        ]
    }

    fn of_process(&self) -> Vec<MetricFamily> {
        let usage = self.process.look();
        let seconds = |milliseconds: i64| milliseconds as f64 / 1_000.0;
        let uptime = seconds((self.clock.wall() - self.started_at).num_milliseconds());
        let started = seconds(self.started_at.timestamp_millis());
        let version = [(env!("CARGO_PKG_VERSION"), 1.0)];
        vec![
            family(MetricType::GAUGE, "morpion_info", "The version; always 1.", "version", &version),
            gauge("morpion_uptime_seconds", "Time since the start.", uptime),
            gauge("morpion_memory_limit_bytes", "Memory that the process may have.", usage.memory_limit as f64),
            gauge("process_resident_memory_bytes", "Memory that the process uses.", usage.memory as f64),
            gauge("process_open_fds", "Open file descriptors.", usage.open_files as f64),
            gauge("process_max_fds", "File descriptors there may be.", usage.open_files_limit as f64),
            gauge("process_start_time_seconds", "When the process started, in Unix time.", started),
            counter("process_cpu_seconds_total", "Processor time.", usage.cpu.as_secs_f64()),
        ]
    }

    fn of_disk(&self) -> Vec<MetricFamily> {
        let limits = &self.config.storage;
        let free = self.disk.free();
        let mut families = vec![
            gauge("morpion_disk_warn_bytes", "Free space below which operators are warned.", limits.warn_free as f64),
            gauge("morpion_disk_stop_bytes", "Free space below which nothing is started.", limits.stop_free as f64),
        ];
        if free < u64::MAX {
            families.push(gauge("morpion_disk_free_bytes", "Free space of the fullest disk in use.", free as f64));
        }
        families
    }
}

fn gauge(name: &str, help: &str, value: impl Into<f64>) -> MetricFamily {
    family(MetricType::GAUGE, name, help, "", &[("", value.into())])
}

fn counter(name: &str, help: &str, value: f64) -> MetricFamily {
    family(MetricType::COUNTER, name, help, "", &[("", value)])
}

/// A metric with a value for each value of its label; without one if the label has no name.
fn family(kind: MetricType, name: &str, help: &str, label: &str, values: &[(&str, f64)]) -> MetricFamily {
    let metric = |&(value, figure): &(&str, f64)| {
        let (mut pair, mut gauge, mut counter) = (LabelPair::default(), Gauge::default(), Counter::default());
        pair.set_name(label.to_owned());
        pair.set_value(value.to_owned());
        gauge.set_value(figure);
        counter.set_value(figure);
        let mut metric = Metric::from_label(if label.is_empty() { vec![] } else { vec![pair] });
        // The one of its type is written.
        metric.set_gauge(gauge);
        metric.set_counter(counter);
        metric
    };
    let mut family = MetricFamily::default();
    family.set_name(name.to_owned());
    family.set_help(help.to_owned());
    family.set_field_type(kind);
    family.set_metric(values.iter().map(metric).collect());
    family
}
