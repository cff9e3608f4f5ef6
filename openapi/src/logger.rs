//! Log records: `docs/behaviour/logs.md`.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::{Acknowledgement, Pagination, Timestamp, action::actions};

words! {
    pub enum LogLevel { Error = "error", Warning = "warning", Info = "info", Debug = "debug" }
}

words! {
    pub enum SortOrder { Ascending = "asc", Descending = "desc" }
}

words! {
    /// A field of a log record that a client may claim.
    pub enum ClaimedField { Platform = "platform", SessionId = "sessionId", RequestId = "requestId" }
}

/// One level or a list of them.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, poem_openapi::Union)]
#[serde(untagged)]
pub enum LogLevels {
    One(LogLevel),
    Many(Vec<LogLevel>),
}

impl LogLevels {
    pub fn as_slice(&self) -> &[LogLevel] {
        match self {
            Self::One(level) => std::slice::from_ref(level),
            Self::Many(levels) => levels,
        }
    }
}

request! {
    /// Filters that combine; absent ones do not filter.
    #[derive(Default)]
    pub struct LogFilter {
        pub level: Option<LogLevels>,
        pub platform: Option<String>,
        /// The part of the program a record came from.
        pub service: Option<String>,
        pub user_id: Option<Uuid>,
        pub session_id: Option<String>,
        pub request_id: Option<String>,
        pub text: Option<String>,
        pub since: Option<Timestamp>,
        pub until: Option<Timestamp>,
    }

    pub struct GetLogs {
        pub filter: Option<LogFilter>,
        pub page: Option<u32>,
        /// 50 if absent.
        pub limit: Option<u32>,
        /// `timestamp`, if given.
        pub sort_by: Option<String>,
        pub sort_order: Option<SortOrder>,
        /// Goes on behind the record of an earlier answer's `nextCursor`.
        pub cursor: Option<String>,
    }

    pub struct GetLogsByLevel { pub level: LogLevel, pub page: Option<u32>, pub limit: Option<u32> }

    pub struct GetLogsByPlatform { pub platform: String, pub page: Option<u32>, pub limit: Option<u32> }

    pub struct GetLogsByUser { pub user_id: Uuid, pub page: Option<u32>, pub limit: Option<u32> }

    pub struct SearchLogs {
        pub query: String,
        pub filter: Option<LogFilter>,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct GetLogStats {}

    /// NDJSON comes as text.
    pub struct ExportLogs { pub filter: Option<LogFilter> }

    /// One record of a client.
    pub struct ClientLog {
        pub level: LogLevel,
        pub is_error: Option<bool>,
        /// `web`, if absent.
        pub platform: Option<String>,
        /// In whatever form the client writes it; the record has the server's time.
        pub date: Option<String>,
        pub message: String,
        pub file_name: Option<String>,
        pub context: Option<String>,
        pub stack: Option<String>,
        pub session_id: Option<String>,
        pub request_id: Option<String>,
        /// As `date`.
        pub timestamp: Option<String>,
    }

    pub struct BulkLog { pub messages: Vec<ClientLog> }

    pub struct ClearLogs {
        /// Only what is older.
        pub before: Option<Timestamp>,
    }
}

answer! {
    pub struct LogEntry {
        #[serde(rename = "_id")]
        #[oai(rename = "_id")]
        pub id: String,
        pub log_id: String,
        pub level: LogLevel,
        pub platform: String,
        pub service: String,
        pub message: String,
        pub timestamp: Timestamp,
        pub user_id: Option<Uuid>,
        pub session_id: Option<String>,
        pub request_id: Option<String>,
        pub file_name: Option<String>,
        pub context: Option<String>,
        pub stack: Option<String>,
        /// Of a record that a client sent: the fields that only the client says. Its texts are the client's in any case.
        pub claimed: Option<Vec<ClaimedField>>,
    }

    pub struct LogsData {
        pub logs: Vec<LogEntry>,
        pub pagination: Pagination,
        pub next_cursor: Option<String>,
    }

    pub struct LogsAnswer { pub data: LogsData }

    pub struct RecentActivity {
        #[serde(rename = "last24Hours")]
        #[oai(rename = "last24Hours")]
        pub last_24_hours: u64,
        /// Errors among all records of the last 24 hours, 0 to 1.
        pub error_rate: f64,
    }

    pub struct LogStats {
        pub level_stats: BTreeMap<String, u64>,
        pub recent_activity: RecentActivity,
        /// Records an hour over the last 24 hours, oldest first, per level.
        pub hourly: BTreeMap<String, Vec<u64>>,
        /// The program's own parts.
        pub services: Vec<String>,
        /// Records that the full queue discarded since the start.
        pub dropped: u64,
    }

    pub struct LogStatsAnswer { pub data: LogStats }

    pub struct ExportLogsAnswer { pub ndjson: String }

    pub struct ClearLogsAnswer { pub cleared: u64 }
}

actions! {
    resource "logger";
    /// Reads of `logger`.
    reads LoggerRead {
        "getLogs": GetLogs => LogsAnswer;
        "getLogsByLevel": GetLogsByLevel => LogsAnswer;
        "getLogsByPlatform": GetLogsByPlatform => LogsAnswer;
        "getLogsByUser": GetLogsByUser => LogsAnswer;
        "searchLogs": SearchLogs => LogsAnswer;
        "getLogStats": GetLogStats => LogStatsAnswer;
        "exportLogs": ExportLogs => ExportLogsAnswer;
    }
    /// Writes of `logger`.
    writes LoggerWrite {
        "log": ClientLog => Acknowledgement;
        "bulkLog": BulkLog => Acknowledgement;
        "clearLogs": ClearLogs => ClearLogsAnswer;
    }
}
