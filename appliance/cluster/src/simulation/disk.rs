//! A node's store: what is on disk survives a crash, what is being written survives or not, in order.

use std::collections::VecDeque;

use super::history::digest;
use super::random::Random;
use super::world::{Command, GAMES};
use crate::{Entry, Item, Position, Sequence, State};

#[derive(Clone)]
pub struct Content {
    pub state: State,
    /// The commands of each game.
    pub games: Vec<Vec<u32>>,
    pub commands: usize,
    pub digest: u64,
}

impl Content {
    pub fn empty() -> Self {
        Self { state: State::default(), games: vec![Vec::new(); GAMES], commands: 0, digest: 0 }
    }

    fn write(&mut self, entry: &Entry<Command>, state: State) {
        self.state = state;
        for item in &entry.items {
            if let Item::Commit(payload) = item {
                self.games[payload.game].push(payload.id);
                self.commands += 1;
                self.digest = digest(self.digest, payload.game, payload.version, payload.id);
            }
        }
    }
}

pub struct Disk {
    /// `None`: the store belongs to no cluster.
    pub durable: Option<Content>,
    writing: VecDeque<(Entry<Command>, State)>,
    /// The newest checkpoint, and the one that the node may go back to.
    taken: Option<Content>,
    pub kept: Option<Content>,
    pub is_full: bool,
    /// The longest that a sync takes.
    pub sync: u64,
}

impl Disk {
    pub fn new(durable: Option<Content>) -> Self {
        Self { kept: durable.clone(), durable, writing: VecDeque::new(), taken: None, is_full: false, sync: 4 }
    }

    fn last(&self) -> Sequence {
        let durable = self.durable.as_ref().map_or(0, |content| content.state.position.sequence);
        self.writing.back().map_or(durable, |(entry, _)| entry.position.sequence)
    }

    /// Takes an entry that follows on the last; `true` if a sync has to be started for it.
    pub fn begin(&mut self, entry: Entry<Command>, state: State) -> bool {
        if self.durable.is_none() || entry.position.sequence != self.last() + 1 {
            return false;
        }
        self.writing.push_back((entry, state));
        self.writing.len() == 1
    }

    /// A sync ended: the position that is on disk now, or that failed; `true` if another begins.
    pub fn end_sync(&mut self) -> Option<(Result<Position, Position>, bool)> {
        let (entry, state) = self.writing.pop_front()?;
        if self.is_full {
            self.writing.clear();
            return Some((Err(entry.position), false));
        }
        self.durable.as_mut()?.write(&entry, state);
        Some((Ok(entry.position), !self.writing.is_empty()))
    }

    pub fn take_checkpoint(&mut self) -> Option<Position> {
        self.taken.clone_from(&self.durable);
        self.taken.as_ref().map(|taken| taken.state.position)
    }

    pub fn keep_checkpoint(&mut self, position: Position) {
        if let Some(taken) = self.taken.take_if(|taken| taken.state.position == position) {
            self.kept = Some(taken);
        }
    }

    pub fn install(&mut self, checkpoint: Content) {
        assert!(self.writing.is_empty(), "a store is replaced while it is written to");
        self.durable = Some(checkpoint.clone());
        self.kept = Some(checkpoint);
    }

    pub fn crash(&mut self, random: &mut Random) {
        self.taken = None;
        while random.percent(50) && self.end_sync().is_some_and(|(result, _)| result.is_ok()) {}
        self.writing.clear();
    }
}
