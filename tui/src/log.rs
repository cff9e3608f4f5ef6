//! Log records as the console holds them: kept small, bounded, filtered.

pub mod buffer;
pub mod filter;
pub mod record;
pub mod view;

use morpion_openapi::{Timestamp, logger::LogFilter};
use morpion_shell::escape;

use record::Record;

/// Every record.
pub const NO_FILTER: LogFilter = LogFilter {
    level: None,
    platform: None,
    service: None,
    user_id: None,
    session_id: None,
    request_id: None,
    text: None,
    since: None,
    until: None,
};

/// A record in a line, as it is printed, saved and copied. Strangers write into the log, so it is escaped.
pub fn line(record: &Record) -> String {
    let at = Timestamp::from_millis(record.at).utc().format("%Y-%m-%dT%H:%M:%S%.3fZ");
    let mut line = format!("{at} {:<7} {} {}", record.level.as_str(), record.service, record.message);
    if let Some(details) = &record.details {
        let named = [
            ("request", details.request_id.as_deref()),
            ("session", details.session_id.as_deref()),
            ("file", details.file_name.as_deref()),
            ("context", details.context.as_deref()),
            ("stack", details.stack.as_deref()),
        ];
        if let Some(user) = details.user_id {
            line += &format!(" user={user}");
        }
        for (name, value) in named {
            if let Some(value) = value {
                line += &format!(" {name}={value}");
            }
        }
    }
    escape::line(&line).into_owned()
}
