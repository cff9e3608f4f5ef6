//! What goes into a node, and what comes out of it.

use serde::{Deserialize, Serialize};

use crate::state::State;
use crate::types::{
    Entry, Epoch, Format, Formats, Lease, Millis, NodeId, Position, ProposalId, ReadId, RequestId, Revision, Sequence,
};

/// What happened outside.
#[derive(Clone, Debug)]
pub enum Event<P> {
    /// Time passed. A driver ticks at least every 100 ms; a late tick delays, and breaks nothing.
    Tick,

    /// The lease's key as read; an old value is allowed.
    LeaseRead {
        request: RequestId,
        revision: Revision,
        lease: Lease,
    },
    LeaseWritten {
        request: RequestId,
        revision: Revision,
    },
    /// Another revision than the expected one: nothing was written by this request.
    LeaseConflict {
        request: RequestId,
    },

    /// The stream has the entry, at the sequence it was meant for.
    Published {
        request: RequestId,
    },
    /// The stream refused, or could not answer. Says nothing about an earlier attempt.
    PublishRefused {
        request: RequestId,
    },
    /// Entries from the requested sequence on, without a gap, as far as the stream has them; an old view is allowed.
    Fetched {
        request: RequestId,
        first: Sequence,
        last: Sequence,
        entries: Vec<Entry<P>>,
    },

    /// An entry is on this node's disk, and everything before it.
    Stored {
        position: Position,
    },
    /// An entry could not be stored; it and everything handed over behind it has been dropped.
    StoreFailed {
        position: Position,
    },
    /// A copy of the store as of `position` is on disk.
    CheckpointTaken {
        position: Position,
    },
    CheckpointFailed,
    /// The store was replaced by a checkpoint, on disk.
    Installed {
        state: State,
    },
    InstallFailed,

    /// A commit of this node's program, to be acknowledged once it cannot be lost.
    Propose {
        proposal: ProposalId,
        payload: P,
        bytes: usize,
    },
    /// A read was made of this node's state, proposals without acknowledgement included. When may it be answered?
    Read {
        read: ReadId,
    },

    /// A node tells how far it is.
    Reported {
        node: NodeId,
        report: Report,
    },
    /// A node wants to be a member, or an operator wants it to be one no longer.
    Join {
        node: NodeId,
        formats: Formats,
    },
    Leave {
        node: NodeId,
    },
    /// An operator wants the cluster to use a later format.
    Raise {
        format: Format,
    },
    /// An operator wants another node to lead.
    StepDown,
}

/// What a follower tells the leader.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Report {
    pub stored: Sequence,
    /// The checkpoint that the node could go back to by itself.
    pub checkpoint: Option<Position>,
    pub formats: Formats,
}

/// What the driver has to do, in this order.
#[derive(Clone, PartialEq, Debug)]
pub enum Action<P> {
    ReadLease {
        request: RequestId,
    },
    /// Write the key if it still has the expected revision.
    WriteLease {
        request: RequestId,
        expected: Revision,
        lease: Lease,
    },

    /// Append the entry if the stream's last sequence is the one before it.
    Publish {
        request: RequestId,
        expected: Sequence,
        entry: Entry<P>,
    },
    /// Read up to `limit` entries. The driver may wait a little for the first one.
    Fetch {
        request: RequestId,
        from: Sequence,
        limit: usize,
    },
    /// Remove entries before this one.
    Trim {
        before: Sequence,
    },

    /// Write entry and state in one transaction. The store takes entries in order, and drops one that does not follow
    /// on the last.
    Store {
        entry: Entry<P>,
        state: State,
    },
    TakeCheckpoint,
    /// The checkpoint as of `position` is the one to go back to; older ones may be removed, and other nodes may have it.
    KeepCheckpoint {
        position: Position,
    },
    /// Replace the store by a checkpoint.
    Install {
        source: CheckpointSource,
    },

    /// The commit is on this node's disk and in the stream.
    Acknowledge {
        proposal: ProposalId,
    },
    /// The commit is not acknowledged, and never will be by this node.
    Refuse {
        proposal: ProposalId,
        refusal: Refusal,
    },
    /// What the read saw is acknowledged, and nobody else led when it was made.
    AnswerRead {
        read: ReadId,
    },
    RefuseRead {
        read: ReadId,
        refusal: Refusal,
    },

    /// Tell the leader.
    Report {
        to: NodeId,
        report: Report,
    },
    /// The node's standing changed.
    Changed {
        standing: Standing,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckpointSource {
    /// The one this node kept.
    Own,
    /// One that another node kept.
    Peer,
}

/// Why something is not acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// This node does not lead; it was not done.
    NotLeading { leader: Option<NodeId> },
    /// Too much waits already; it was not done.
    Full,
    /// The node stopped leading while it was under way: it may be in the stream or not. Asked again, the next leader
    /// knows.
    Unknown,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Standing {
    /// Compares what it has with the stream.
    Checking,
    /// Waits for a checkpoint.
    Restoring,
    Following,
    /// Holds the lease and is about to open an epoch.
    Opening {
        epoch: Epoch,
    },
    Leading {
        epoch: Epoch,
    },
}

/// What an operator sees of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status {
    pub standing: Standing,
    pub leader: Option<NodeId>,
    pub stored: Position,
    /// The stream's last sequence, as far as this node knows.
    pub last: Sequence,
    /// The leader cannot renew its lease, and accepts nothing until it can.
    pub suspended: bool,
    pub blocked: Option<Blocked>,
    /// Proposals that wait for their acknowledgement.
    pub waiting: usize,
    pub now: Millis,
}

/// Why a node no longer applies entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Blocked {
    /// The next entry needs a later program.
    Format(Format),
    /// The next entry belongs to an older epoch than the one before it: this is not a stream of this protocol.
    Order(Sequence),
}
