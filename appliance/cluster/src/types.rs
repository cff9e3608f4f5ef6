//! What the protocol speaks of: nodes, epochs, positions, entries of the stream, the lease.
//!
//! Drivers may encode what is serializable by the order of fields and variants: append variants, and reorder nothing.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds of a node's own steady clock. Instants of two nodes are never compared.
pub type Millis = u64;

/// The number of an entry in the stream, from 1.
pub type Sequence = u64;

/// Which encoding of commits and which schema an entry needs.
pub type Format = u16;

/// A node of the cluster, for as long as it keeps its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct NodeId(pub u32);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

/// One leadership. A later one has a higher number, and no two have the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Epoch(pub u64);

impl Epoch {
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The version of the lease's key in the key-value store; 0 while the key does not exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Revision(pub u64);

/// Matches a reply to its request. Unique within one run of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestId(pub u64);

/// A commit that waits for its acknowledgement; the driver chooses the number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProposalId(pub u64);

/// A read that waits until what it saw is acknowledged; the driver chooses the number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ReadId(pub u64);

/// Where a store stands. Two stores at the same position have the same content: within an epoch one leader alone writes,
/// and it writes each sequence once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Position {
    pub sequence: Sequence,
    /// The epoch of the entry at `sequence`.
    pub epoch: Epoch,
}

/// The formats that a node's program reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Formats {
    pub oldest: Format,
    pub newest: Format,
}

impl Formats {
    pub fn contain(self, format: Format) -> bool {
        (self.oldest..=self.newest).contains(&format)
    }
}

/// One message of the stream.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry<P> {
    pub position: Position,
    pub format: Format,
    pub items: Vec<Item<P>>,
}

impl<P> Entry<P> {
    /// The same entry, with its commits in another form.
    pub fn map<'a, Q>(&'a self, mut form: impl FnMut(&'a P) -> Q) -> Entry<Q> {
        let items = self.items.iter().map(|item| match item {
            Item::Opened { node, formats } => Item::Opened { node: *node, formats: *formats },
            Item::Commit(payload) => Item::Commit(form(payload)),
            Item::Joined { node, formats } => Item::Joined { node: *node, formats: *formats },
            Item::Left(node) => Item::Left(*node),
            Item::Raised(format) => Item::Raised(*format),
        });
        Entry { position: self.position, format: self.format, items: items.collect() }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Item<P> {
    /// Begins an epoch. Behind it no entry of an older epoch can follow.
    Opened {
        node: NodeId,
        formats: Formats,
    },
    /// A commit of the store.
    Commit(P),
    /// A node may lead from now on, or its program changed.
    Joined {
        node: NodeId,
        formats: Formats,
    },
    Left(NodeId),
    /// Entries behind this one may use the format.
    Raised(Format),
}

/// The value of the lease's key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Lease {
    /// `None`: released, anybody may take it at once.
    pub holder: Option<NodeId>,
    /// Which run of the holder wrote it: a request of a process that died may arrive late.
    pub run: u64,
    pub epoch: Epoch,
    /// Grows with each write, so that a read tells which write it sees.
    pub beat: u64,
}
