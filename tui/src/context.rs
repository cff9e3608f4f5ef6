//! What every tab and page knows of the console: its options, its connection, the time.

use crate::{connection::Connection, keymap::ChosenKeys, own_commands::OwnCommand};

/// The smallest terminal that everything can be used in: columns and rows.
pub const MIN_SIZE: (u16, u16) = (40, 12);

/// Whether so many columns and rows are enough to draw in.
pub fn has_room((columns, rows): (u16, u16)) -> bool {
    columns >= MIN_SIZE.0 && rows >= MIN_SIZE.1
}

/// What the console is started with, beside its connection.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The server's name for the header.
    pub server_name: String,
    /// Names of the servers in the configuration.
    pub profiles: Vec<String>,
    pub is_read_only: bool,
    pub has_mouse: bool,
    pub is_ascii: bool,
    pub keys: ChosenKeys,
    /// The operator's own.
    pub commands: Vec<OwnCommand>,
    /// The server's address, for those.
    pub server_address: String,
    /// Saved files go here.
    pub folder: String,
}

#[derive(Debug)]
pub struct Context {
    pub options: Options,
    pub connection: Connection,
    /// Columns and rows.
    pub size: (u16, u16),
    /// This machine's clock, Unix milliseconds.
    pub now: i64,
    /// The server's clock minus ours, in milliseconds.
    pub clock_offset: i64,
}

impl Context {
    pub fn new(options: Options, size: (u16, u16), now: i64) -> Self {
        Self { options, connection: Connection::default(), size, now, clock_offset: 0 }
    }

    /// The rows of a tab: below are the keys, above the header, the tabs, and what is wrong with the connection.
    pub fn tab_rows(&self) -> u16 {
        self.size.1.saturating_sub(3 + u16::from(!self.connection.is_connected()))
    }

    pub fn server_name(&self) -> &str {
        &self.options.server_name
    }

    /// The server's clock, Unix milliseconds.
    pub fn server_now(&self) -> i64 {
        self.now + self.clock_offset
    }
}
