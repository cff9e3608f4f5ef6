//! Pages that cover the tabs: the board of a watched game, and the replay of a finished one.

pub mod replay;
pub mod watch;

use crate::keymap::Keys;

/// The keys of every page.
pub const MODES: [&Keys; 2] = [&watch::KEYS, &replay::KEYS];
