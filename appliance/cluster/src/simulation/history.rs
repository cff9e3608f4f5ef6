//! What an observer outside saw of one schedule: plain numbers, nothing of the protocol.

/// In the order in which it happened.
#[derive(Clone, Copy, Debug)]
pub enum Record {
    /// A client asked for a command for the first time.
    Invoked { game: usize, version: usize, command: u32 },
    /// A node told a client that the command was made; `leadership` says in which of its leaderships. `again`: it had
    /// found the command made already.
    Acknowledged { leadership: u64, game: usize, version: usize, command: u32, again: bool },
    /// A client asked for a game.
    Asked { read: u32, game: usize },
    /// A node began to lead.
    Led { leadership: u64 },
    /// A node went back to a checkpoint.
    Restored,
    /// A node answered: so many commands, and the last of them.
    Answered { read: u32, game: usize, length: usize, last: Option<u32> },
    /// A node that followed had so many commands on its disk; the digest is of all of them in their order.
    Followed { node: usize, commands: usize, digest: u64 },
}

/// The end of a schedule, once everything was mended and had come to rest.
#[derive(Debug, Default)]
pub struct Outcome {
    pub records: Vec<Record>,
    /// Game, version and command of everything in the stream.
    pub log: Vec<(usize, usize, u32)>,
    /// Commands and digest of each node's store.
    pub stores: Vec<(usize, u64)>,
    /// What had not come to rest in time.
    pub stuck: Option<String>,
}

/// One step of the digest (FNV-1a over the numbers).
pub fn digest(before: u64, game: usize, version: usize, command: u32) -> u64 {
    let numbers = [game as u64, version as u64, u64::from(command)];
    numbers.iter().fold(before ^ 0xcbf2_9ce4_8422_2325, |hash, number| (hash ^ number).wrapping_mul(0x0100_0000_01b3))
}
