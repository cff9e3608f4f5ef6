//! How much log one request may write before it is known to be a member's: a kibibyte in each of the places that the
//! log goes to.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tracing::Metadata;
use tracing_subscriber::registry::{LookupSpan, Scope};

use super::{
    client_quota::STRANGER_BYTES,
    layer::{ANSWERED, Subject},
};

/// Of the budget, what is left for the line that every request ends with.
const FOR_THE_ANSWER: usize = 384;

/// The target of security events. Their lines have nothing that a stranger typed, and programs read them.
const SECURITY: &str = "morpion_appliance::security";

/// Where lines go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sink {
    Terminal,
    Files,
    Logbook,
}

/// What the lines of a request may still have, in bytes.
#[derive(Debug)]
pub struct Budget([AtomicUsize; 3]);

impl Default for Budget {
    fn default() -> Self {
        Self([(); 3].map(|()| AtomicUsize::new(STRANGER_BYTES)))
    }
}

impl Budget {
    /// The budget of the request that an event belongs to; `None` without a limit.
    pub fn of<'a, S: LookupSpan<'a>>(scope: Option<Scope<'a, S>>) -> Option<Arc<Self>> {
        scope.into_iter().flatten().find_map(|span| span.extensions().get::<Subject>().and_then(Subject::budget))
    }

    /// How long a line of this event may be.
    pub fn left(&self, sink: Sink, metadata: &Metadata<'_>) -> usize {
        let left = self.0[sink as usize].load(Ordering::Relaxed);
        match metadata.target() {
            SECURITY => usize::MAX,
            ANSWERED => left.max(FOR_THE_ANSWER),
            _ => left.saturating_sub(FOR_THE_ANSWER),
        }
    }

    pub fn spend(&self, sink: Sink, bytes: usize) {
        let left = self.0[sink as usize].load(Ordering::Relaxed);
        self.0[sink as usize].store(left.saturating_sub(bytes), Ordering::Relaxed);
    }
}
