//! How the server is: what it said last, and how that went over the last minutes.

use std::collections::VecDeque;

use morpion_openapi::{admin::OverviewAnswer, logger::LogStats};

use super::fetch::Fetch;
use crate::widgets::text::number;

/// Samples kept: four minutes at one every two seconds, as many as a wide terminal shows.
pub const SAMPLES: usize = 120;
/// A queue of the store that is this long is worth a look: it is empty between two commits.
const LONG_QUEUE: u64 = 1_000;
/// Errors among all records, from which on something is wrong.
const BAD_ERROR_RATE: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    pub connections: u64,
    pub live_games: u64,
    pub pending: u64,
    /// Moves since the sample before, a second.
    pub moves_per_second: f64,
}

/// How urgent something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// Players feel it now.
    Bad,
    Warning,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attention {
    pub urgency: Urgency,
    pub text: String,
}

#[derive(Debug, Default)]
pub struct Overview {
    pub fetch: Fetch,
    pub answer: Option<OverviewAnswer>,
    pub samples: VecDeque<Sample>,
}

impl Overview {
    pub fn take(&mut self, answer: OverviewAnswer, now: i64) {
        let moves_per_second = match &self.answer {
            // A restarted server counts from zero again.
            Some(before) if before.started_at == answer.started_at => {
                let millis = answer.server_time.as_millis() - before.server_time.as_millis();
                let moves = answer.moves.saturating_sub(before.moves);
                if millis > 0 { moves as f64 * 1_000.0 / millis as f64 } else { 0.0 }
            }
            _ => 0.0,
        };
        if self.samples.len() == SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(Sample {
            connections: answer.connections,
            live_games: answer.live_games,
            pending: answer.store.pending,
            moves_per_second,
        });
        self.answer = Some(answer);
        self.fetch.succeeded(now);
    }

    /// What needs attention, the most urgent first.
    pub fn attention(&self, stats: Option<&LogStats>) -> Vec<Attention> {
        let mut all = vec![];
        let mut add = |urgency, text| all.push(Attention { urgency, text });
        if let Some(answer) = &self.answer {
            let urgency = if answer.store.ready { Urgency::Warning } else { Urgency::Bad };
            answer.warnings.iter().for_each(|warning| add(urgency, warning.clone()));
            if !answer.store.ready && answer.warnings.is_empty() {
                add(Urgency::Bad, "The store does not answer.".to_owned());
            }
            if answer.store.pending >= LONG_QUEUE {
                add(Urgency::Bad, format!("{} moves wait for the store.", number(answer.store.pending)));
            }
        }
        if let Some(stats) = stats {
            let recent = &stats.recent_activity;
            if recent.error_rate >= BAD_ERROR_RATE && recent.last_24_hours > 0 {
                let percent = recent.error_rate * 100.0;
                add(Urgency::Warning, format!("{percent:.0} % of the records of the last 24 hours are errors."));
            }
            if stats.dropped > 0 {
                add(Urgency::Warning, format!("{} log records found no room and were dropped.", number(stats.dropped)));
            }
        }
        all.sort_by_key(|attention| attention.urgency);
        all
    }
}
