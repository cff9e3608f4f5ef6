//! Deliberate faults, which exist in this crate's own tests only: the history checker has to catch each of them.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mutation {
    /// Acknowledges what is on this node's disk, before the stream has it.
    AcknowledgeBeforeStream,
    /// Publishes without an expected sequence: an old leader is not stopped.
    NoFencing,
    /// Publishes again after a timeout without looking what became of the first attempt.
    RetryBlindly,
    /// Publishes the next batch before it is known what became of the last, and takes its success for both's.
    Pipeline,
    /// Believes its store without comparing it with the stream.
    KeepDivergence,
    /// Answers reads although the lease ran out.
    ReadWithoutLease,
    /// Takes the lease over without waiting for its end.
    TakeOverEarly,
}

/// Which fault a node has: none, outside of tests.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Mutations {
    #[cfg(test)]
    pub(crate) only: Option<Mutation>,
}

impl Mutations {
    #[cfg(test)]
    pub(crate) fn has(self, mutation: Mutation) -> bool {
        self.only == Some(mutation)
    }

    #[cfg(not(test))]
    pub(crate) fn has(self, _: Mutation) -> bool {
        false
    }
}
