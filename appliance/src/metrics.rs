//! What the parts count, for monitoring: `docs/hosting/monitoring.md`. No name or label says who somebody is.

mod quantiles;

use chrono::{DateTime, Utc};
use prometheus::{
    Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGaugeVec, Opts, Registry, core::Collector,
    proto::MetricFamily,
};

pub use quantiles::Observed;

/// Upper bounds of the durations of moves and commits, in seconds: a disk syncs in 0.1 to 30 ms, and a player notices
/// what takes longer than 100 ms.
const COMMIT_BUCKETS: [f64; 20] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002, 0.003, 0.005, 0.007_5, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2,
    0.5, 1.0, 2.5, 10.0,
];

/// Upper bounds of the durations of requests, in seconds.
const REQUEST_BUCKETS: [f64; 12] = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// What became of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailOutcome {
    Sent,
    Failed,
    /// Too many were waiting.
    Dropped,
    /// Its recipient had the letters of a day.
    Limited,
}

/// What became of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentOutcome {
    Paid,
    Failed,
    /// Denied by the owner of the card, to their bank.
    Disputed,
    /// Taken for fraud by a bank.
    FraudWarning,
}

/// What became of a push to a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushOutcome {
    Sent,
    Failed,
    /// The subscription is gone, and was removed.
    Removed,
    /// Too many were waiting, or the account had its share.
    Dropped,
}

/// What became of a delivery to a webhook, or of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookOutcome {
    Delivered,
    /// It is tried again later.
    Retried,
    Failed,
    /// Too many were waiting.
    Discarded,
}

/// How a node stands in its cluster.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClusterStanding {
    pub is_leading: bool,
    /// It leads, but cannot renew its lease.
    pub is_suspended: bool,
    /// The last entry of the log on this node's disk.
    pub position: u64,
    /// Entries of the log that are not on its disk yet.
    pub lag: u64,
}

/// The counters of one server. Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct Metrics {
    registry: Registry,
    pub moves: IntCounter,
    /// From a move's arrival until it is on disk and announced.
    pub move_seconds: Histogram,
    /// The journal's commits, each of the moves of many games.
    pub commit_seconds: Histogram,
    /// By route and class of status.
    pub requests: IntCounterVec,
    pub request_seconds: Histogram,
    /// By event and outcome.
    pub security_events: IntCounterVec,
    mails: IntCounterVec,
    payments: IntCounterVec,
    pushes: IntCounterVec,
    webhooks: IntCounterVec,
    /// Without values until a backup was made.
    backups: [IntGaugeVec; 2],
    /// Without values on a server that runs alone.
    cluster: [IntGaugeVec; 4],
    takeovers: IntCounterVec,
}

impl Default for Metrics {
    fn default() -> Self {
        let registry = Registry::new();
        let metrics = Self {
            moves: added(&registry, IntCounter::new("morpion_moves_total", "Moves played.")),
            move_seconds: added(
                &registry,
                histogram(
                    "morpion_move_seconds",
                    "From a move's arrival until it is on disk and announced.",
                    &COMMIT_BUCKETS,
                ),
            ),
            commit_seconds: added(
                &registry,
                histogram("morpion_commit_seconds", "Commits of moves, retries included.", &COMMIT_BUCKETS),
            ),
            requests: added(
                &registry,
                counters("morpion_http_requests_total", "Requests by route and class of status.", &["route", "status"]),
            ),
            request_seconds: added(
                &registry,
                histogram("morpion_http_request_seconds", "From a request's head to its answer's.", &REQUEST_BUCKETS),
            ),
            security_events: added(
                &registry,
                counters(
                    "morpion_security_events_total",
                    "Sign-ins, changes of accounts, and their failures.",
                    &["event", "outcome"],
                ),
            ),
            mails: added(&registry, counters("morpion_mails_total", "Mails by what became of them.", &["outcome"])),
            payments: added(
                &registry,
                counters("morpion_payments_total", "Payments by what became of them.", &["outcome"]),
            ),
            pushes: added(
                &registry,
                counters("morpion_pushes_total", "Pushes to browsers by what became of them.", &["outcome"]),
            ),
            webhooks: added(
                &registry,
                counters("morpion_webhooks_total", "Webhook deliveries by outcome.", &["outcome"]),
            ),
            backups: [
                added(
                    &registry,
                    gauges("morpion_backup_last_success_seconds", "When the last backup succeeded, in Unix time."),
                ),
                added(&registry, gauges("morpion_backup_succeeded", "Whether the last backup succeeded.")),
            ],
            cluster: [
                added(&registry, gauges("morpion_cluster_leading", "Whether this node leads: 1 or 0.")),
                added(
                    &registry,
                    gauges("morpion_cluster_suspended", "Whether it leads and cannot renew its lease: 1 or 0."),
                ),
                added(&registry, gauges("morpion_cluster_position", "The last entry of the log on its disk.")),
                added(
                    &registry,
                    gauges("morpion_cluster_lag_entries", "Entries of the log that are not on its disk yet."),
                ),
            ],
            takeovers: added(
                &registry,
                counters("morpion_cluster_takeovers_total", "Leaderships that began, as this node saw it.", &[]),
            ),
            registry,
        };
        // What never happened is 0 instead of missing, so that its first time is an increase.
        for outcome in [MailOutcome::Sent, MailOutcome::Failed, MailOutcome::Dropped, MailOutcome::Limited] {
            metrics.mails.with_label_values(&[outcome.label()]);
        }
        for outcome in
            [PaymentOutcome::Paid, PaymentOutcome::Failed, PaymentOutcome::Disputed, PaymentOutcome::FraudWarning]
        {
            metrics.payments.with_label_values(&[outcome.label()]);
        }
        for outcome in [PushOutcome::Sent, PushOutcome::Failed, PushOutcome::Removed, PushOutcome::Dropped] {
            metrics.pushes.with_label_values(&[outcome.label()]);
        }
        for outcome in [HookOutcome::Delivered, HookOutcome::Retried, HookOutcome::Failed, HookOutcome::Discarded] {
            metrics.webhooks.with_label_values(&[outcome.label()]);
        }
        metrics
    }
}

impl Metrics {
    pub fn mail(&self, outcome: MailOutcome) {
        self.mails.with_label_values(&[outcome.label()]).inc();
    }

    pub fn push(&self, outcome: PushOutcome) {
        self.pushes.with_label_values(&[outcome.label()]).inc();
    }

    pub fn webhook(&self, outcome: HookOutcome) {
        self.webhooks.with_label_values(&[outcome.label()]).inc();
    }

    pub fn payment(&self, outcome: PaymentOutcome) {
        self.payments.with_label_values(&[outcome.label()]).inc();
    }

    /// The last backup there is, as of a start.
    pub fn backup_found(&self, at: DateTime<Utc>) {
        self.backups[0].with_label_values::<&str>(&[]).set(at.timestamp());
    }

    /// A backup was attempted.
    pub fn backup_finished(&self, at: DateTime<Utc>, succeeded: bool) {
        self.backups[1].with_label_values::<&str>(&[]).set(succeeded.into());
        if succeeded {
            self.backup_found(at);
        }
    }

    /// How this node stands in its cluster now.
    pub fn cluster_stands(&self, standing: ClusterStanding) {
        let ClusterStanding { is_leading, is_suspended, position, lag } = standing;
        let figure = |figure: u64| i64::try_from(figure).unwrap_or(i64::MAX);
        let figures = [is_leading.into(), is_suspended.into(), figure(position), figure(lag)];
        for (gauge, figure) in self.cluster.iter().zip(figures) {
            gauge.with_label_values::<&str>(&[]).set(figure);
        }
        // It is 0 instead of missing, so that the first takeover is an increase.
        self.takeovers.with_label_values::<&str>(&[]);
    }

    /// A leadership began, of this node or of another.
    pub fn cluster_taken_over(&self) {
        self.takeovers.with_label_values::<&str>(&[]).inc();
    }

    /// All counters.
    pub fn gather(&self) -> Vec<MetricFamily> {
        self.registry.gather()
    }
}

impl MailOutcome {
    fn label(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Dropped => "dropped",
            Self::Limited => "limited",
        }
    }
}

impl PushOutcome {
    fn label(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Removed => "removed",
            Self::Dropped => "dropped",
        }
    }
}

impl HookOutcome {
    fn label(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Retried => "retried",
            Self::Failed => "failed",
            Self::Discarded => "discarded",
        }
    }
}

impl PaymentOutcome {
    fn label(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Failed => "failed",
            Self::Disputed => "disputed",
            Self::FraudWarning => "fraud_warning",
        }
    }
}

fn added<C: Collector + Clone + 'static>(registry: &Registry, metric: prometheus::Result<C>) -> C {
    let metric = metric.expect("names and labels are valid; a test makes them");
    registry.register(Box::new(metric.clone())).expect("each is registered once");
    metric
}

fn histogram(name: &str, help: &str, buckets: &[f64]) -> prometheus::Result<Histogram> {
    Histogram::with_opts(HistogramOpts::new(name, help).buckets(buckets.to_vec()))
}

fn counters(name: &str, help: &str, labels: &[&str]) -> prometheus::Result<IntCounterVec> {
    IntCounterVec::new(Opts::new(name, help), labels)
}

fn gauges(name: &str, help: &str) -> prometheus::Result<IntGaugeVec> {
    IntGaugeVec::new(Opts::new(name, help), &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_cluster_are_shown_in_one_only() {
        let metrics = Metrics::default();
        let shown = || {
            let families = metrics.gather().into_iter().filter(|family| family.name().starts_with("morpion_cluster_"));
            let value = |metric: &prometheus::proto::Metric| {
                metric.get_gauge().get_value().max(metric.get_counter().get_value())
            };
            families.map(|family| (family.name().to_owned(), value(&family.get_metric()[0]))).collect::<Vec<_>>()
        };
        assert!(shown().is_empty());
        let standing = ClusterStanding { is_leading: true, is_suspended: false, position: 7, lag: 3 };
        metrics.cluster_stands(standing);
        metrics.cluster_taken_over();
        let figures = [("lag_entries", 3.0), ("leading", 1.0), ("position", 7.0), ("suspended", 0.0)];
        let figures = figures.into_iter().chain([("takeovers_total", 1.0)]);
        let expected: Vec<_> = figures.map(|(name, figure)| (format!("morpion_cluster_{name}"), figure)).collect();
        assert_eq!(shown(), expected);
    }

    #[test]
    fn a_backup_is_shown_once_there_is_one_and_a_failed_one_keeps_the_time() {
        let metrics = Metrics::default();
        let shown = |name: &str| {
            let families = metrics.gather();
            let family = families.iter().find(|family| family.name() == name);
            family.map(|family| family.get_metric()[0].get_gauge().get_value())
        };
        assert_eq!(shown("morpion_backup_last_success_seconds"), None);
        metrics.backup_finished(DateTime::from_timestamp(1_000, 0).unwrap(), true);
        metrics.backup_finished(DateTime::from_timestamp(2_000, 0).unwrap(), false);
        assert_eq!(shown("morpion_backup_last_success_seconds"), Some(1_000.0));
        assert_eq!(shown("morpion_backup_succeeded"), Some(0.0));
    }
}
