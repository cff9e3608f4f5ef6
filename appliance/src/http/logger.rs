//! The resource `logger`, and `/v1/log/data`: `docs/behaviour/logs.md`.

use std::{collections::BTreeMap, sync::Arc};

use morpion_openapi::{
    Acknowledgement, PageRequest, Timestamp,
    logger::{
        BulkLog, ClearLogs, ClearLogsAnswer, ClientLog, ExportLogs, GetLogStats, GetLogs, GetLogsByLevel,
        GetLogsByPlatform, GetLogsByUser, LogFilter, LogLevel, LogLevels, LogStats, LogStatsAnswer, LoggerRead,
        LoggerWrite, LogsAnswer, LogsData, RecentActivity, SearchLogs, SortOrder,
    },
};

use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{
    ApiError,
    resource::{Reply, Resource, reply},
    streamed::{Pages, streamed},
};
use crate::{
    account::limits::RateLimit,
    app::App,
    caller::{Call, Caller},
    error::CommonError,
    logbook::{CLIENT, Cursor, Filter, Level, Order, Page, PageSpec, Record, SERVER, SERVICES, wire},
};

/// Default number of records of a page.
const PAGE: u32 = 50;

/// Records of one bulk message.
const MAX_BATCH: usize = 50;

/// Records of one export, some 30 MiB; larger ones are exported in parts, by time.
const MAX_EXPORTED: usize = 100_000;

/// Records that are read at once for it.
const EXPORT_PAGE: usize = 1_000;

/// Exports at once.
static EXPORTS: Semaphore = Semaphore::const_new(4);

/// The platform of clients that do not name one.
const WEB: &str = "web";

pub struct LoggerResource(pub Arc<App>);

impl Resource for LoggerResource {
    type Reads = LoggerRead;
    type Writes = LoggerWrite;
    const IDS: (&'static str, &'static str) = ("readLogger", "writeLogger");

    async fn read(&self, call: Call, action: LoggerRead) -> Result<Reply, ApiError> {
        call.caller.admin()?;
        if let Some(user) = user_of(&action) {
            self.0.accounts.audit_read(&call, "read_logs", &user.to_string(), serde_json::Value::Null).await?;
        }
        let none = LogFilter::default;
        match action {
            LoggerRead::GetLogs(payload) => reply::<GetLogs>(self.get_logs(payload).await),
            LoggerRead::GetLogsByLevel(GetLogsByLevel { level, page, limit }) => reply::<GetLogsByLevel>(
                self.logs(LogFilter { level: Some(LogLevels::One(level)), ..none() }, page, limit).await,
            ),
            LoggerRead::GetLogsByPlatform(GetLogsByPlatform { platform, page, limit }) => reply::<GetLogsByPlatform>(
                self.logs(LogFilter { platform: Some(platform), ..none() }, page, limit).await,
            ),
            LoggerRead::GetLogsByUser(GetLogsByUser { user_id, page, limit }) => {
                reply::<GetLogsByUser>(self.logs(LogFilter { user_id: Some(user_id), ..none() }, page, limit).await)
            }
            LoggerRead::SearchLogs(SearchLogs { query, filter, page, limit }) => {
                let filter = LogFilter { text: Some(query), ..filter.unwrap_or_default() };
                reply::<SearchLogs>(self.logs(filter, page, limit).await)
            }
            LoggerRead::GetLogStats(_) => reply::<GetLogStats>(Ok(self.stats())),
            LoggerRead::ExportLogs(payload) => self.export(payload).await,
        }
    }

    async fn write(&self, call: Call, action: LoggerWrite) -> Result<Reply, ApiError> {
        match action {
            LoggerWrite::ClientLog(payload) => reply::<ClientLog>(record(&self.0, &call, vec![payload])),
            LoggerWrite::BulkLog(BulkLog { messages }) => reply::<BulkLog>(record(&self.0, &call, messages)),
            LoggerWrite::ClearLogs(payload) => reply::<ClearLogs>(self.clear(&call, payload).await),
        }
    }
}

/// Stores records of a client. The session determines whom they are about.
///
/// # Errors
/// 422 for too many at once, 429 for too many a minute, each call counts once; 503 while the disk is nearly full.
pub fn record(app: &App, call: &Call, messages: Vec<ClientLog>) -> Result<Acknowledgement, ApiError> {
    app.disk.check()?;
    if messages.len() > MAX_BATCH {
        return Err(ApiError::invalid("messages", format!("At most {MAX_BATCH} messages at once.")));
    }
    let limits = app.accounts.limits();
    match call.caller.user_id() {
        Some(user) => limits.check(RateLimit::ClientLog, user)?,
        None => limits.check(RateLimit::ClientLog, call.address)?,
    }
    let at = app.clock.wall().timestamp_millis();
    let records: Vec<Record> = messages.into_iter().map(|message| record_of(call, at, message)).collect();
    app.logbook.record_of_client(records, call.caller.is_stranger());
    Ok(Acknowledgement {})
}

fn record_of(call: &Call, at: i64, message: ClientLog) -> Record {
    let ClientLog { level, platform, message, file_name, context, stack, session_id, request_id, .. } = message;
    let session = match &call.caller {
        Caller::User(identity) => Some(identity.session_id.to_string()),
        _ => session_id,
    };
    Record {
        at,
        level: Level::from(level),
        // The server's own name is not for clients.
        platform: platform.filter(|platform| platform != SERVER).unwrap_or_else(|| WEB.to_owned()),
        service: CLIENT.to_owned(),
        message,
        user: call.caller.user_id().map(|user| user.0),
        session,
        request: request_id,
        file: file_name,
        context,
        stack,
    }
}

/// Whose records are asked for.
fn user_of(action: &LoggerRead) -> Option<Uuid> {
    let filter = match action {
        LoggerRead::GetLogs(payload) => &payload.filter,
        LoggerRead::SearchLogs(payload) => &payload.filter,
        LoggerRead::ExportLogs(payload) => &payload.filter,
        LoggerRead::GetLogsByUser(payload) => return Some(payload.user_id),
        LoggerRead::GetLogsByLevel(_) | LoggerRead::GetLogsByPlatform(_) | LoggerRead::GetLogStats(_) => return None,
    };
    filter.as_ref()?.user_id
}

impl LoggerResource {
    async fn get_logs(&self, payload: GetLogs) -> Result<LogsAnswer, ApiError> {
        let GetLogs { filter, page, limit, sort_by, sort_order, cursor } = payload;
        if sort_by.is_some_and(|field| field != "timestamp") {
            return Err(ApiError::invalid("sortBy", "Logs are sorted by timestamp."));
        }
        let after = match cursor.as_deref() {
            None => None,
            Some(text) => Some(
                text.parse::<Cursor>().map_err(|()| ApiError::invalid("cursor", "This is no cursor of an answer."))?,
            ),
        };
        let order = match sort_order {
            Some(SortOrder::Ascending) => Order::OldestFirst,
            _ => Order::NewestFirst,
        };
        let page = PageRequest::new(page, limit, PAGE);
        self.answer(filter.unwrap_or_default(), page, after, order).await
    }

    async fn logs(&self, filter: LogFilter, page: Option<u32>, limit: Option<u32>) -> Result<LogsAnswer, ApiError> {
        self.answer(filter, PageRequest::new(page, limit, PAGE), None, Order::NewestFirst).await
    }

    async fn answer(
        &self,
        filter: LogFilter,
        page: PageRequest,
        after: Option<Cursor>,
        order: Order,
    ) -> Result<LogsAnswer, ApiError> {
        let filter = Filter::try_from(filter)?;
        // A cursor already determines where the page starts.
        let skip = if after.is_some() { 0 } else { page.offset() };
        let spec = PageSpec { skip, limit: page.limit as usize, after, order };
        let Page { records, total, has_more } = self.0.logbook.page(&filter, spec).await?;
        let next_cursor = records.last().filter(|_| has_more).map(|(cursor, _)| cursor.to_string());
        let mut pagination = page.pagination(total);
        pagination.has_next_page = has_more;
        let logs = records.iter().map(|(cursor, record)| wire::entry(record, *cursor)).collect();
        Ok(LogsAnswer { data: LogsData { logs, pagination, next_cursor } })
    }

    fn stats(&self) -> LogStatsAnswer {
        let stats = self.0.logbook.stats();
        let name = |level: Level| LogLevel::from(level).as_str().to_owned();
        let level_stats = Level::ALL.map(|level| (name(level), stats.levels[level as usize]));
        let hourly = Level::ALL.map(|level| (name(level), stats.hourly[level as usize].to_vec()));
        let of_the_day = |level: Level| stats.hourly[level as usize].iter().sum::<u64>();
        let last_24_hours: u64 = Level::ALL.into_iter().map(of_the_day).sum();
        let error_rate = of_the_day(Level::Error) as f64 / last_24_hours.max(1) as f64;
        LogStatsAnswer {
            data: LogStats {
                level_stats: BTreeMap::from(level_stats),
                recent_activity: RecentActivity { last_24_hours, error_rate },
                hourly: BTreeMap::from(hourly),
                services: SERVICES.map(str::to_owned).to_vec(),
                dropped: stats.dropped,
            },
        }
    }

    /// An [`ExportLogsAnswer`](morpion_openapi::logger::ExportLogsAnswer), sent as it is read.
    async fn export(&self, payload: ExportLogs) -> Result<Reply, ApiError> {
        let filter = Filter::try_from(payload.filter.unwrap_or_default())?;
        let place = EXPORTS
            .try_acquire()
            .map_err(|_| CommonError::unavailable("Other exports of the log are running. Please try again."))?;
        let spec = PageSpec { skip: MAX_EXPORTED as u64, limit: 1, after: None, order: Order::OldestFirst };
        if !self.0.logbook.page(&filter, spec).await?.records.is_empty() {
            let text = format!("More than {MAX_EXPORTED} records fit; export them in parts, by since and until.");
            return Err(ApiError::invalid("filter", text));
        }
        let app = Arc::clone(&self.0);
        let send = move |pages: Pages| async move { send_records(&app, &filter, &pages).await };
        Ok(Reply(streamed(self.0.cluster.clone(), place, send)))
    }

    async fn clear(&self, call: &Call, payload: ClearLogs) -> Result<ClearLogsAnswer, ApiError> {
        call.caller.admin()?;
        let before = payload.before;
        // Removing is many writes, so the entry comes before them.
        let detail = serde_json::json!({ "before": before });
        self.0.accounts.audit(call, "clear_logs", "logs", detail).await?;
        let cleared = self.0.logbook.clear(before.map(Timestamp::as_millis)).await?;
        Ok(ClearLogsAnswer { cleared })
    }
}

/// Sends the matching records, page by page, as the lines of a JSON string.
async fn send_records(app: &App, filter: &Filter, pages: &Pages) -> Result<(), ApiError> {
    let (mut text, mut after) = (String::from(r#"{"succeeded":true,"ndjson":""#), None);
    for _ in 0..MAX_EXPORTED / EXPORT_PAGE {
        let spec = PageSpec { skip: 0, limit: EXPORT_PAGE, after, order: Order::OldestFirst };
        let page = app.logbook.page(filter, spec).await?;
        let mut lines = String::new();
        for (cursor, record) in &page.records {
            lines.push_str(&serde_json::to_string(&wire::entry(record, *cursor)).map_err(ApiError::internal)?);
            lines.push('\n');
        }
        let quoted = serde_json::to_string(&lines).map_err(ApiError::internal)?;
        text.push_str(&quoted[1..quoted.len() - 1]);
        if !pages.send(std::mem::take(&mut text)).await? {
            return Ok(());
        }
        after = page.records.last().map(|(cursor, _)| *cursor);
        if !page.has_more {
            break;
        }
    }
    pages.send("\"}").await?;
    Ok(())
}
