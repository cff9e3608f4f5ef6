//! What every node has to know besides the data, and keeps in its store together with it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::types::{Entry, Format, Formats, Item, NodeId, Position};

/// The replicated part of the protocol: a function of the stream's entries up to `position`. A store writes it in the
/// transaction of each entry, and a checkpoint contains it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    pub position: Position,
    /// What the next entry is written in.
    pub format: Format,
    pub members: BTreeMap<NodeId, Formats>,
}

impl State {
    /// Follows one entry. Items that no longer apply (a format that a member joined since cannot read, a member that
    /// cannot read the format) are ignored, by all nodes alike.
    pub fn apply<P>(&mut self, entry: &Entry<P>) {
        self.position = entry.position;
        for item in &entry.items {
            match item {
                Item::Opened { node, formats } | Item::Joined { node, formats } => {
                    if formats.contain(self.format) {
                        self.members.insert(*node, *formats);
                    }
                }
                Item::Left(node) => {
                    self.members.remove(node);
                }
                Item::Raised(format) => {
                    if self.can_raise_to(*format) {
                        self.format = *format;
                    }
                }
                Item::Commit(_) => {}
            }
        }
    }

    /// Whether every member reads and writes the format, which is later than today's.
    pub fn can_raise_to(&self, format: Format) -> bool {
        format > self.format && self.members.values().all(|formats| formats.contain(format))
    }

    /// Whether a node may lead as far as membership goes. Nobody is a member before the first epoch.
    pub(crate) fn admits(&self, node: NodeId) -> bool {
        self.members.is_empty() || self.members.contains_key(&node)
    }
}
