//! The state of the connection to the server, as the operator sees it.

/// The states, with moments in Unix milliseconds of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Connection {
    /// The first try.
    #[default]
    Connecting,
    Connected,
    Lost {
        why: String,
        retry_at: i64,
        /// Tries that failed since there was a connection.
        attempts: u32,
        /// A try is under way.
        is_trying: bool,
    },
    /// The server does not let us in, or there is no token to show it.
    Unauthorized {
        why: String,
        retry_at: i64,
    },
}

impl Connection {
    pub fn is_connected(&self) -> bool {
        matches!(self, Self::Connected)
    }

    /// A try begins. What went wrong before stays in sight until it succeeds.
    pub fn connecting(&mut self) {
        match self {
            Self::Lost { is_trying, .. } => *is_trying = true,
            Self::Unauthorized { .. } => {}
            Self::Connecting | Self::Connected => *self = Self::Connecting,
        }
    }

    pub fn lost(&mut self, reason: String, retry: i64) {
        let before = match self {
            Self::Lost { attempts, .. } => *attempts,
            _ => 0,
        };
        *self = Self::Lost { why: reason, retry_at: retry, attempts: before + 1, is_trying: false };
    }
}

/// Whole seconds until a moment, at least 0.
pub fn seconds_until(moment: i64, now: i64) -> i64 {
    ((moment - now).max(0) + 999) / 1_000
}
