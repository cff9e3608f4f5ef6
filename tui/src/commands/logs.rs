//! `morpion-tui logs …`

use std::{collections::HashSet, process::ExitCode};

use morpion_openapi::{
    PageRequest, Timestamp,
    logger::{ClearLogs, GetLogStats, GetLogs, LogEntry, LogFilter, LogLevel, LogLevels, SortOrder},
    realtime::{ClientFrame, ServerFrame, SubscribeLogs},
};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape,
    output::{json_line, print, print_error},
};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::{invalid, moment_of, print::TextTable};
use crate::{
    args::{LogChoice, Logs},
    event::{Event, NetEvent, QUEUE},
    log::{
        NO_FILTER,
        filter::{Filter, Search, Window},
        line,
        record::{Interner, Record},
    },
    net::{Net, SocketCommand},
    script::{Outcome, Script},
    time,
    widgets::text::count,
};

/// The maximum number of pages fetched to find the requested records.
const MAX_PAGES: u32 = 200;
/// Ids remembered while following, so that no line is printed twice.
const MAX_KNOWN: usize = 20_000;
/// The store is asked for records from this long before the last one (see [`crate::tabs::logs`]).
const OVERLAP_MS: i64 = 5_000;

/// Which records: the part the server filters, and the part filtered here.
struct Choice {
    asked: LogFilter,
    kept: Filter,
}

impl Choice {
    fn new(choice: &LogChoice, user_id: Option<Uuid>) -> Result<Self, CommandError> {
        let moment = |typed: &Option<String>| typed.as_deref().map(moment_of).transpose();
        let search = choice.search.as_deref().map(Search::parse).transpose().map_err(invalid)?.flatten();
        let level = choice.level.unwrap_or(LogLevel::Debug);
        let asked = LogFilter {
            // The server knows one level; this means it and what is worse.
            level: choice.level.filter(|level| *level == LogLevel::Error).map(LogLevels::One),
            platform: choice.platform.clone(),
            service: choice.service.clone(),
            user_id,
            session_id: choice.session.clone(),
            request_id: choice.request.clone(),
            text: choice.text.clone(),
            since: moment(&choice.since)?,
            until: moment(&choice.until)?,
        };
        Ok(Self { asked, kept: Filter { level, service: None, window: Window::All, search } })
    }

    fn fits(&self, entry: &LogEntry) -> bool {
        self.kept.fits(&Record::new(entry.clone(), &mut Interner::default()), 0)
    }

    fn page(&self, order: SortOrder, cursor: Option<String>) -> GetLogs {
        GetLogs {
            filter: (self.asked != NO_FILTER).then(|| self.asked.clone()),
            page: None,
            limit: Some(PageRequest::MAX_LIMIT),
            sort_by: None,
            sort_order: Some(order),
            cursor,
        }
    }
}

impl Script {
    pub(super) async fn logs(&self, command: &Logs) -> Outcome {
        match command {
            Logs::Tail { choice, lines, follow } => self.tail(&self.choice(choice).await?, *lines, *follow).await,
            Logs::List { choice, lines } => self.tail(&self.choice(choice).await?, *lines, false).await,
            Logs::Stats => {
                self.show(GetLogStats {}, |answer| {
                    let stats = &answer.data;
                    let mut table = TextTable::facts();
                    for (level, count) in &stats.level_stats {
                        table.fact(level, &count.to_string());
                    }
                    table.fact("last 24 hours", &stats.recent_activity.last_24_hours.to_string());
                    let rate = stats.recent_activity.error_rate * 100.0;
                    table.fact("error rate", &format!("{rate:.2} %"));
                    table.fact("dropped", &stats.dropped.to_string());
                    table.fact("parts", &stats.services.join(", "));
                    table.text()
                })
                .await
            }
            Logs::Export { choice } => self.export(&self.choice(choice).await?).await,
            Logs::Clear { before, .. } => {
                let before = before.as_deref().map(moment_of).transpose()?;
                self.show(ClearLogs { before }, |answer| format!("Cleared: {}.\n", count(answer.cleared, "record")))
                    .await
            }
        }
    }

    async fn choice(&self, choice: &LogChoice) -> Result<Choice, CommandError> {
        let user = match &choice.user {
            Some(user) => Some(self.account(user).await?),
            None => None,
        };
        Choice::new(choice, user)
    }

    /// All records that fit, page by page, so that any number of them can be had.
    async fn export(&self, choice: &Choice) -> Outcome {
        // What comes meanwhile is for the next export.
        let until = choice.asked.until.unwrap_or_else(|| Timestamp::from_millis(time::now()));
        let asked = LogFilter { until: Some(until), ..choice.asked.clone() };
        let choice = Choice { asked, kept: choice.kept.clone() };
        let mut cursor = None;
        loop {
            let data = self.api.ask(&choice.page(SortOrder::Ascending, cursor)).await?.data;
            let fitting = data.logs.iter().filter(|entry| choice.fits(entry));
            print(&fitting.map(json_line).collect::<String>())?;
            cursor = data.next_cursor;
            if cursor.is_none() {
                return Ok(ExitCode::SUCCESS);
            }
        }
    }

    /// The newest records that fit, the oldest of them first; then those that come.
    async fn tail(&self, choice: &Choice, lines: u32, follow: bool) -> Outcome {
        let mut found = vec![];
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            if found.len() >= lines as usize {
                break;
            }
            let data = self.api.ask(&choice.page(SortOrder::Descending, cursor)).await?.data;
            found.extend(data.logs.into_iter().filter(|entry| choice.fits(entry)));
            cursor = data.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        found.truncate(lines as usize);
        let mut known = Known::default();
        for entry in found.iter().rev() {
            known.is_new(entry);
            self.tell_record(entry)?;
        }
        let since = found.first().map_or_else(time::now, |newest| newest.timestamp.as_millis());
        if follow { self.follow(choice, known, since).await } else { Ok(ExitCode::SUCCESS) }
    }

    /// Prints records as they arrive. After a lost connection the missed ones are fetched from the store.
    async fn follow(&self, choice: &Choice, mut known: Known, mut last: i64) -> Outcome {
        let broken = |why: String| CommandError::new(FailureKind::Broken, why);
        let (sender, mut events) = mpsc::channel(QUEUE);
        let net = Net::start(&self.settings, sender).map_err(|error| broken(format!("{error:#}")))?;
        while let Some(event) = events.recv().await {
            match event {
                Event::Net(NetEvent::Connected) => {
                    let frame =
                        ClientFrame::SubscribeLogs(SubscribeLogs { filter: Some(Box::new(choice.asked.clone())) });
                    net.request(SocketCommand::Send { frame: Box::new(frame), id: Some("logs") });
                }
                Event::Net(NetEvent::Ack { ack, .. }) if !ack.succeeded => {
                    return Err(broken(ack.error_message.unwrap_or_else(|| "Request failed".to_owned())));
                }
                // From here on records come by themselves; what came before is in the store.
                Event::Net(NetEvent::Ack { .. }) => {
                    let since = Some(Timestamp::from_millis(last - OVERLAP_MS));
                    let missed =
                        Choice { asked: LogFilter { since, ..choice.asked.clone() }, kept: choice.kept.clone() };
                    let mut cursor = None;
                    for _ in 0..MAX_PAGES {
                        let data = self.api.ask(&missed.page(SortOrder::Ascending, cursor)).await?.data;
                        for entry in data.logs.iter().filter(|entry| entry.timestamp.as_millis() >= last) {
                            if choice.fits(entry) && known.is_new(entry) {
                                self.tell_record(entry)?;
                            }
                        }
                        cursor = data.next_cursor;
                        if cursor.is_none() {
                            break;
                        }
                    }
                }
                Event::Net(NetEvent::Frame(frame)) => {
                    if let ServerFrame::LogAppended(entry) = *frame {
                        last = last.max(entry.timestamp.as_millis());
                        if choice.fits(&entry) && known.is_new(&entry) {
                            self.tell_record(&entry)?;
                        }
                    }
                }
                Event::Net(NetEvent::Disconnected { why, .. }) => {
                    print_error(&format!("morpion-tui: {} Trying again.", escape::line(&why)))
                }
                Event::Net(NetEvent::Unauthorized { why, .. }) => {
                    return Err(CommandError::new(FailureKind::NotAllowed, why));
                }
                Event::Broken(why) => return Err(broken(why)),
                _ => {}
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn tell_record(&self, entry: &LogEntry) -> Result<(), CommandError> {
        self.format.print(entry, |entry| format!("{}\n", line(&Record::new(entry.clone(), &mut Interner::default()))))
    }
}

/// Ids that were printed.
#[derive(Debug, Default)]
struct Known(HashSet<String>);

impl Known {
    fn is_new(&mut self, entry: &LogEntry) -> bool {
        if self.0.len() >= MAX_KNOWN {
            self.0.clear();
        }
        self.0.insert(entry.log_id.clone())
    }
}
