//! Times and limits of a node.

use crate::types::{Formats, Millis, NodeId};

/// Times in milliseconds of the node's clock. All nodes of a cluster have the same `lease` and `drift_permille`.
#[derive(Clone, Debug)]
pub struct Config {
    pub node: NodeId,
    /// Another number at each start of the node.
    pub run: u64,
    pub formats: Formats,
    /// How long a leader may answer reads after its last renewal was sent.
    pub lease: Millis,
    pub renew_every: Millis,
    /// How much faster one node's clock may run than another's.
    pub drift_permille: u64,
    /// How much longer than the lease this node waits; another on each node, so that one is first.
    pub stagger: Millis,
    /// After this a request counts as lost, and is resolved.
    pub reply_timeout: Millis,
    /// Between two requests when there is nothing new, and before something is tried again.
    pub pause: Millis,
    /// How long a node does not lead after it stepped down or its disk failed.
    pub hold_off: Millis,
    /// How long a step-down waits for what is under way.
    pub drain: Millis,

    /// Proposals that wait for a batch; one more is refused.
    pub queue_proposals: usize,
    pub batch_proposals: usize,
    pub batch_bytes: usize,
    /// Entries handed to the store and not on disk: a slow disk holds the stream up, not the memory.
    pub storing: usize,
    pub fetch_entries: usize,

    /// Entries between two checkpoints.
    pub checkpoint_every: u64,
    /// Entries that stay in the stream for a follower that lags; one that lags more takes a checkpoint.
    pub keep_entries: u64,

    pub(crate) mutation: crate::mutation::Mutations,
}

impl Config {
    pub fn new(node: NodeId, run: u64, formats: Formats) -> Self {
        Self {
            node,
            run,
            formats,
            lease: 3_000,
            renew_every: 750,
            drift_permille: 10,
            stagger: 100 * Millis::from(node.0 % 8),
            reply_timeout: 1_000,
            pause: 100,
            hold_off: 10_000,
            drain: 3_000,
            queue_proposals: 65_536,
            batch_proposals: 16_384,
            batch_bytes: 768 << 10,
            storing: 8,
            fetch_entries: 64,
            checkpoint_every: 10_000,
            keep_entries: 100_000,
            mutation: crate::mutation::Mutations::default(),
        }
    }

    /// How long a node waits before it takes another's lease over: by its own clock, which may be the faster one.
    pub(crate) fn takeover_wait(&self) -> Millis {
        self.lease + self.lease * self.drift_permille / 1_000 + 1 + self.stagger
    }
}
