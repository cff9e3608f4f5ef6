//! The log and the server's store: following, catching up, scrolling back.
//!
//! A reconnect loses no record and shows none twice: what arrives live while the console catches up is held back, what
//! was missed is read from the store, and both are merged, each id once. The server stores in batches, so the store is
//! asked a second time a little later.

use std::collections::{BTreeSet, VecDeque};

use morpion_openapi::{
    PageRequest, Timestamp,
    logger::{GetLogs, LogEntry, LogFilter, LogStats, LogsData, SortOrder},
    realtime::{ClientFrame, SubscribeLogs},
};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    output::json_line,
};

use super::scope::Scope;
use crate::{
    event::Effect,
    fetch::Fetch,
    kept::{KeptColumn, KeptList},
    list::{List, view::Column},
    log::{
        NO_FILTER, line,
        record::{Interner, Record},
        view::View,
    },
};

/// The acknowledgement of the subscription comes under this id.
pub(super) const SUBSCRIBE_ID: &str = "logs";

/// Pages of the first look back.
const FIRST_PAGES: u32 = 5;
/// Pages of what was missed, at most. Beyond, the missing part is marked instead.
const MISSED_PAGES: u32 = 100;
/// Pages that one step back beyond the oldest line asks for, at most, until one of its records fits the filter.
const OLDER_PAGES: u32 = 20;
/// The store is asked for what came this long before the last known record: records are not
/// stored in the very order of their times.
const OVERLAP_MS: i64 = 5_000;
/// Batches are in the store after this long.
const SETTLED_MS: i64 = 3_000;
/// Without live records the store is asked this often.
const POLL_MS: i64 = 2_000;
/// After a failure the store is asked again this much later, not to burden it.
const RETRY_MS: i64 = 10_000;
/// A server without stored logs is asked rarely.
const ABSENT_RETRY_MS: i64 = 60_000;
/// Live records held back while catching up, at most.
const MAX_HELD: usize = 20_000;

/// How the log is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Following {
    /// The log was not opened yet, or there is no connection.
    #[default]
    Off,
    /// The subscription is not acknowledged yet.
    Subscribing,
    /// The server sends records as they arise.
    Live,
    /// The server does not send them: its store is polled.
    Polling,
}

/// A fetch of several pages of the store.
#[derive(Debug)]
struct PagedFetch {
    purpose: FetchPurpose,
    /// The page that is awaited.
    asked: GetLogs,
    /// Pages that may still be fetched after it.
    pages: u32,
    found: Vec<Record>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FetchPurpose {
    /// The newest, where nothing is known yet.
    First,
    Missed,
    Older,
}

#[derive(Debug, Default)]
pub struct Logs {
    main: View,
    pub scope: Option<Scope>,
    pub following: Following,
    /// Why the server returns no records, or no past ones.
    pub failure: Option<CommandError>,
    pub wraps: bool,
    /// The chosen record is shown whole, from this line on.
    pub detail: Option<u16>,
    pub stats: Option<LogStats>,
    pub stats_fetch: Fetch,
    /// The parts of the program that records came from.
    pub services: BTreeSet<String>,
    /// The store has nothing older.
    pub is_at_beginning: bool,
    paged: Option<PagedFetch>,
    held: VecDeque<Record>,
    /// When the store is asked again for what was missed.
    again_at: Option<i64>,
    /// Looks at the store that are to follow the present one.
    looks: u8,
    /// Up to this moment nothing is missing, where it is not the newest record's: Unix milliseconds.
    complete_to: Option<i64>,
    pub(super) interner: Interner,
    /// Gaps that were marked, for their ids.
    gaps: u32,
}

/// More parts than any program has, so that a client that invents names does not fill the menu.
const MAX_SERVICES: usize = 100;

pub(super) fn page_of(filter: LogFilter, order: SortOrder, cursor: Option<String>) -> GetLogs {
    GetLogs {
        filter: Some(filter),
        page: None,
        limit: Some(PageRequest::MAX_LIMIT),
        sort_by: None,
        sort_order: Some(order),
        cursor,
    }
}

impl Logs {
    /// What is looked at: the log, or everything of one thing.
    pub fn view(&self) -> &View {
        self.scope.as_ref().map_or(&self.main, |scope| &scope.view)
    }

    pub fn view_mut(&mut self) -> &mut View {
        self.scope.as_mut().map_or(&mut self.main, |scope| &mut scope.view)
    }

    pub fn is_catching_up(&self) -> bool {
        self.paged.as_ref().is_some_and(|paged| paged.purpose != FetchPurpose::Older)
    }

    pub fn is_fetching_older(&self) -> bool {
        self.paged.as_ref().is_some_and(|paged| paged.purpose == FetchPurpose::Older)
    }

    /// The log is opened: from now on it is followed, also while another tab is shown, so
    /// that it has no holes.
    pub fn open(&mut self) -> Vec<Effect> {
        if self.following != Following::Off {
            return vec![];
        }
        self.following = Following::Subscribing;
        let frame = ClientFrame::SubscribeLogs(SubscribeLogs { filter: None });
        vec![Effect::Send { frame, id: Some(SUBSCRIBE_ID) }]
    }

    /// The connection is lost, and with it the subscription.
    pub fn lost(&mut self) {
        if self.complete_to.is_none() {
            self.complete_to = self.main.buffer.newest().map(|newest| newest.at);
        }
        self.following = Following::Off;
        self.paged = None;
        self.again_at = None;
        self.main.merge(std::mem::take(&mut self.held).into());
    }

    /// The subscription was answered.
    pub(super) fn subscribed(&mut self, is_refused: bool) -> Vec<Effect> {
        self.following = if is_refused { Following::Polling } else { Following::Live };
        self.paged = None;
        self.looks = 1;
        self.catch_up()
    }

    /// Asks the store for what is missing.
    fn catch_up(&mut self) -> Vec<Effect> {
        self.again_at = None;
        let newest = self.main.buffer.newest().map(|newest| newest.at);
        let (purpose, pages, asked) = match self.complete_to.or(newest) {
            None => (FetchPurpose::First, FIRST_PAGES, page_of(NO_FILTER, SortOrder::Descending, None)),
            Some(at) => {
                let since = Some(Timestamp::from_millis(at - OVERLAP_MS));
                let filter = LogFilter { since, ..NO_FILTER };
                (FetchPurpose::Missed, MISSED_PAGES, page_of(filter, SortOrder::Ascending, None))
            }
        };
        self.paged = Some(PagedFetch { purpose, asked: asked.clone(), pages: pages - 1, found: vec![] });
        vec![Effect::Call(asked.into())]
    }

    pub(super) fn advance(&mut self, now: i64, server_now: i64) -> Vec<Effect> {
        self.main.pass(server_now);
        if let Some(scope) = &mut self.scope {
            scope.view.pass(server_now);
        }
        match self.again_at {
            Some(at) if now >= at && self.paged.is_none() => self.catch_up(),
            _ => vec![],
        }
    }

    fn note_service(&mut self, record: &Record) {
        if self.services.len() < MAX_SERVICES && !self.services.contains(&*record.service) {
            self.services.insert(record.service.to_string());
        }
    }

    /// A live record arrived.
    pub fn appended(&mut self, entry: LogEntry) {
        let record = Record::new(entry, &mut self.interner);
        self.note_service(&record);
        if self.following == Following::Subscribing || self.is_catching_up() {
            if self.held.len() == MAX_HELD {
                // What is dropped here is in the store, and is read from there at the second look.
                self.held.pop_front();
            }
            self.held.push_back(record);
        } else {
            self.main.push(record);
        }
    }

    /// A page of the store came, or was refused.
    pub(super) fn page_answered(
        &mut self,
        call: &GetLogs,
        outcome: Result<LogsData, CommandError>,
        now: i64,
    ) -> Vec<Effect> {
        if self.scope.as_ref().is_some_and(|scope| scope.asked == *call) {
            return self.scope_answered(outcome, now);
        }
        let Some(mut paged) = self.paged.take_if(|paged| paged.asked == *call) else { return vec![] };
        let data = match outcome {
            Ok(data) => data,
            Err(refusal) => {
                let wait = if refusal.kind == FailureKind::Absent { ABSENT_RETRY_MS } else { RETRY_MS };
                self.failure = Some(refusal);
                self.again_at = Some(now + wait);
                self.merge_fetched(paged);
                return vec![];
            }
        };
        self.failure = None;
        let records: Vec<_> = data.logs.into_iter().map(|entry| Record::new(entry, &mut self.interner)).collect();
        records.iter().for_each(|record| self.note_service(record));
        let is_last = data.next_cursor.is_none();
        let found_any = match paged.purpose {
            FetchPurpose::Older => {
                self.is_at_beginning = is_last;
                self.main.push_older(records) > 0
            }
            FetchPurpose::First | FetchPurpose::Missed => {
                paged.found.extend(records);
                false
            }
        };
        if is_last || paged.pages == 0 || found_any {
            self.finish(paged, !is_last, now);
            return vec![];
        }
        paged.pages -= 1;
        paged.asked.cursor = data.next_cursor;
        let next = paged.asked.clone();
        self.paged = Some(paged);
        vec![Effect::Call(next.into())]
    }

    /// The last page came; `is_cut`: there would have been more.
    fn finish(&mut self, mut paged: PagedFetch, is_cut: bool, now: i64) {
        match paged.purpose {
            FetchPurpose::Older => return,
            FetchPurpose::First => self.is_at_beginning = !is_cut,
            FetchPurpose::Missed if is_cut => paged.found.extend(self.gap(paged.found.last().map(|last| last.at))),
            FetchPurpose::Missed => {}
        }
        self.merge_fetched(paged);
        if self.following == Following::Polling {
            self.again_at = Some(now + POLL_MS);
        } else if self.looks > 0 {
            self.looks -= 1;
            self.again_at = Some(now + SETTLED_MS);
        } else {
            self.complete_to = None;
        }
    }

    /// Merges in what the store returned and what arrived live meanwhile.
    fn merge_fetched(&mut self, paged: PagedFetch) {
        if paged.purpose == FetchPurpose::Older {
            return;
        }
        let mut found = paged.found;
        // The store is complete to here; what came by itself may be later than what it has yet.
        self.complete_to = found.iter().map(|record| record.at).max().or(self.complete_to);
        found.extend(std::mem::take(&mut self.held));
        self.main.merge(found);
    }

    /// A line that marks a gap: more is missing than the console fetches.
    fn gap(&mut self, at: Option<i64>) -> Option<Record> {
        let at = at?;
        self.gaps += 1;
        Some(Record {
            id: format!("gap-{}", self.gaps).into(),
            level: morpion_openapi::logger::LogLevel::Warning,
            at,
            service: "console".into(),
            platform: "console".into(),
            message: "Records are missing here: too many came while there was no connection.".into(),
            details: None,
        })
    }

    /// Asks for records before the oldest known one.
    pub fn older(&mut self) -> Vec<Effect> {
        if self.scope.is_some() || self.paged.is_some() || self.is_at_beginning {
            return vec![];
        }
        let Some(oldest) = self.main.buffer.oldest() else { return vec![] };
        let filter = LogFilter { until: Some(Timestamp::from_millis(oldest.at)), ..NO_FILTER };
        let asked = page_of(filter, SortOrder::Descending, None);
        self.paged = Some(PagedFetch {
            purpose: FetchPurpose::Older,
            asked: asked.clone(),
            pages: OLDER_PAGES - 1,
            found: vec![],
        });
        vec![Effect::Call(asked.into())]
    }

    /// Discards all records, as the server did.
    pub fn cleared(&mut self) {
        self.main.clear();
        self.scope = None;
        self.detail = None;
        self.is_at_beginning = true;
    }

    /// The shown records as text: a JSON object a line, or lines as on the screen.
    pub fn export(&self, as_json: bool) -> String {
        let mut text = String::new();
        for record in self.view().shown() {
            if as_json {
                text += &json_line(&record.to_entry());
            } else {
                text += &line(record);
                text.push('\n');
            }
        }
        text
    }
}

impl List for Logs {
    fn step(&mut self, by: isize) {
        self.view_mut().step(by);
    }

    fn choose(&mut self, at: usize) {
        self.view_mut().choose(at);
    }

    fn chosen_index(&self) -> Option<usize> {
        self.view().chosen_index()
    }

    fn filter(&self) -> &str {
        &self.view().typed
    }

    fn set_filter(&mut self, filter: String) {
        self.view_mut().search(filter);
    }

    fn is_typing(&self) -> bool {
        self.view().is_typing
    }

    fn set_typing(&mut self, is_typing: bool) {
        self.view_mut().is_typing = is_typing;
    }

    /// The log has one order.
    fn sort_by_next(&mut self) {}

    fn reverse(&mut self) {}

    fn columns(&self) -> &'static [Column] {
        &[]
    }

    fn chosen_columns(&self) -> &[KeptColumn] {
        &[]
    }

    fn choose_columns(&mut self, _chosen: Vec<KeptColumn>) {}

    /// Of the log as a whole.
    fn kept(&self) -> KeptList {
        KeptList { filter: self.main.typed.clone(), ..KeptList::default() }
    }

    fn restore(&mut self, kept: &KeptList) {
        if !kept.filter.is_empty() {
            self.main.search(kept.filter.clone());
        }
    }
}
