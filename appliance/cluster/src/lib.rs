//! The protocol of several servers that are one: who leads, what may be acknowledged, what a follower applies.
//!
//! Pure: no network, no disk, no clock, no randomness. A [`Node`] takes an [`Event`] with the time of its own steady clock
//! and returns [`Action`]s; the driver around it speaks to NATS and to the store. Nothing of consensus is here: JetStream
//! replicates the stream of entries and the key of the lease, and this crate says how to use them.
//!
//! One node leads. It gathers commits into batches and hands each to its store and to the stream at once, one batch at a
//! time in the stream; a commit is acknowledged when both have it. The others apply the stream's entries to their stores.
//! A new leader reads the stream to its end and opens an epoch with an entry of its own, behind which no older leader can
//! publish. A node whose store has what the stream has not goes back to a checkpoint.
//!
//! # What is promised
//!
//! 1. An acknowledged commit is in the stream and on the leader's disk, once, and every later leader has it.
//! 2. Entries have one order; all stores follow it. A follower's store is a prefix of the stream at every moment.
//! 3. Each place in the stream belongs to one leader, and only that one acknowledges what is there.
//! 4. An answered read has seen everything that was acknowledged when it was asked, and nothing that can be lost.
//! 5. What was refused with [`Refusal::Unknown`] may be there or not: asked again, the next leader finds it or makes it.
//! 6. Queue, batches and entries under way to the store are bounded by [`Config`].
//!
//! 1 to 3 hold whatever clocks and pauses do. The lease is for 4, and for keeping leaders from disturbing one another.
//!
//! # What is assumed
//!
//! * **Stream**: an acknowledged entry survives, and stands where it was acknowledged. An append with an expected last
//!   sequence succeeds only right behind it. Reads may be old, lost, late or repeated; so may requests and replies.
//! * **Key**: a write with an expected revision succeeds for one writer, and revisions only grow. Reads may be old.
//! * **Clock**: steady, goes on while the process is stopped (on Linux `CLOCK_BOOTTIME`), and no clock is faster than
//!   another by more than [`Config::drift_permille`].
//! * **Store**: writes entry and state in one transaction, in order, and what it reports as stored survives a crash.
//! * **Driver**: carries actions out in their order; drops replies to an earlier run of the process; gives each run
//!   another [`Config::run`]; reads the clock after what an event tells happened. It proposes a commit with what was read
//!   for it unchanged, and asks with [`Event::Read`] before it tells anybody what it saw.
//! * **Program**: a command that is asked again is recognised, and answered by a read.

mod config;
mod event;
mod follower;
mod leader;
mod lease;
mod mutation;
mod node;
mod serving;
#[cfg(test)]
mod simulation;
mod state;
mod types;

pub use config::Config;
pub use event::{Action, Blocked, CheckpointSource, Event, Refusal, Report, Standing, Status};
pub use node::Node;
pub use state::State;
pub use types::{
    Entry, Epoch, Format, Formats, Item, Lease, Millis, NodeId, Position, ProposalId, ReadId, RequestId, Revision,
    Sequence,
};
