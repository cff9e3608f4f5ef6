//! The log tab, and that a reconnect neither loses nor duplicates records.

use morpion_openapi::{
    logger::{GetLogs, LogEntry, LogLevel, SortOrder},
    realtime::{Ack, ClientFrame, ServerFrame},
};
use morpion_tui::{
    calls::{Call, Reply},
    event::{Effect, Event, NetEvent},
    log::buffer::MAX_RECORDS,
    net::command_error::{CommandError, FailureKind},
    tabs::logs::Following,
};

use crate::fixtures::*;

const SIZE: (u16, u16) = (120, 30);

/// The fetch of stored records among the actions.
fn asked(actions: &[Effect]) -> Option<GetLogs> {
    calls(actions).into_iter().find_map(|call| if let Call::GetLogs(call) = call { Some(call.clone()) } else { None })
}

fn accept(console: &mut Console) -> GetLogs {
    let actions = console.net(NetEvent::Ack { id: "logs".to_owned(), ack: succeeded() });
    asked(&actions).expect("the store is asked")
}

fn messages(console: &Console) -> Vec<String> {
    console.app.tabs.logs.view().shown().map(|record| record.message.to_string()).collect()
}

fn ids(console: &Console) -> Vec<String> {
    console.app.tabs.logs.view().shown().map(|record| record.id.to_string()).collect()
}

/// On the log's tab, with these records in the store.
pub fn console(size: (u16, u16), entries: Vec<LogEntry>) -> Console {
    let mut console = Console::on_tab(size, 4);
    let call = accept(&mut console);
    assert_eq!(call.sort_order, Some(SortOrder::Descending), "the newest first");
    let newest_first = entries.into_iter().rev().collect();
    console.reply(call, logs_answer(newest_first, None));
    console
}

fn append(console: &mut Console, entry: LogEntry) {
    console.frame(ServerFrame::LogAppended(entry));
}

#[test]
fn the_log_is_subscribed_to_when_its_tab_opens() {
    let mut console = Console::new(SIZE);
    assert!(!sent(&console.connect(vec![])).iter().any(|frame| matches!(frame, ClientFrame::SubscribeLogs(_))));
    let actions = console.press("4");
    assert!(sent(&actions).iter().any(|frame| matches!(frame, ClientFrame::SubscribeLogs(_))));
    assert_eq!(sent(&console.press("5 4")).len(), 0, "once");
}

#[test]
fn live_records_are_shown_once() {
    let mut console = console(SIZE, log_entries(10));
    append(&mut console, log_entry(10, LogLevel::Info, "ten"));
    append(&mut console, log_entry(10, LogLevel::Info, "ten"));
    append(&mut console, log_entry(9, LogLevel::Info, "told before"));
    assert_eq!(ids(&console).len(), 11);
    assert_eq!(messages(&console).last().map(String::as_str), Some("ten"));
    assert!(console.app.tabs.logs.view().is_following());
}

#[test]
fn a_reconnect_loses_and_duplicates_no_record() {
    let mut console = console(SIZE, log_entries(20));
    append(&mut console, log_entry(20, LogLevel::Info, "twenty"));
    console.net(NetEvent::Disconnected { why: String::new(), retry_in_ms: 1_000 });
    assert_eq!(console.app.tabs.logs.following, Following::Off);

    // 21 to 30 are logged while disconnected; 31 and 32 arrive while the console catches up.
    let actions = console.connect(vec![]);
    assert!(sent(&actions).iter().any(|frame| matches!(frame, ClientFrame::SubscribeLogs(_))));
    append(&mut console, log_entry(31, LogLevel::Info, "live"));
    let call = accept(&mut console);
    assert_eq!(call.sort_order, Some(SortOrder::Ascending));
    let since = call.filter.as_ref().and_then(|filter| filter.since).expect("since the last known record");
    assert!(since.as_millis() < START + 20_000, "with some overlap");
    append(&mut console, log_entry(32, LogLevel::Info, "live"));
    let page =
        |numbers: std::ops::RangeInclusive<u32>| numbers.map(|number| log_entry(number, LogLevel::Info, "stored"));
    let actions = console.reply(call.clone(), logs_answer(page(15..=24).collect(), Some("next")));
    let second = asked(&actions).expect("the next page");
    assert_eq!(second.cursor.as_deref(), Some("next"));
    // The last batch, with 30 in it, is not in the store yet.
    console.reply(second, logs_answer(page(25..=29).collect(), None));
    append(&mut console, log_entry(33, LogLevel::Info, "live"));
    assert_eq!(ids(&console).last().map(String::as_str), Some("log-33"));

    // A second fetch, when the batch is stored.
    let actions = console.pass(3_000);
    let third = asked(&actions).expect("a second look");
    console.reply(third, logs_answer(page(25..=33).collect(), None));
    let expected: Vec<_> = (0..=33).map(|number| format!("log-{number}")).collect();
    assert_eq!(ids(&console), expected, "every line, in order, once");
    assert!(asked(&console.pass(60_000)).is_none(), "then it is complete");
}

#[test]
fn a_failed_fetch_is_retried_from_the_last_complete_position() {
    let mut console = console(SIZE, log_entries(5));
    console.net(NetEvent::Disconnected { why: String::new(), retry_in_ms: 1_000 });
    console.connect(vec![]);
    let call = accept(&mut console);
    append(&mut console, log_entry(50, LogLevel::Info, "live"));
    console.refuse(call, CommandError::new(FailureKind::Unreachable, "The connection was lost."));
    assert_eq!(ids(&console).last().map(String::as_str), Some("log-50"), "received records are shown");
    let again = asked(&console.pass(10_000)).expect("it is tried again");
    let since = again.filter.and_then(|filter| filter.since).expect("since");
    assert!(since.as_millis() <= START + 4_000, "from before the hole, not from the newest");
}

#[test]
fn a_gap_too_large_to_fetch_is_marked() {
    let mut console = console(SIZE, log_entries(1));
    console.net(NetEvent::Disconnected { why: String::new(), retry_in_ms: 1_000 });
    console.connect(vec![]);
    let mut call = Some(accept(&mut console));
    let mut pages = 0;
    while let Some(asked_for) = call {
        pages += 1;
        let entries = vec![log_entry(pages, LogLevel::Info, "stored")];
        call = asked(&console.reply(asked_for, logs_answer(entries, Some("more"))));
    }
    assert_eq!(pages, 100);
    assert!(messages(&console).last().is_some_and(|last| last.starts_with("Records are missing here")));
}

#[test]
fn without_a_subscription_the_store_is_polled() {
    let mut console = Console::on_tab(SIZE, 4);
    let ack = Ack { succeeded: false, error_message: Some("Not yet.".to_owned()), error_code: None };
    let call = asked(&console.net(NetEvent::Ack { id: "logs".to_owned(), ack })).expect("the store is asked");
    console.reply(call, logs_answer(log_entries(3), None));
    assert_eq!(console.app.tabs.logs.following, Following::Polling);
    let call = asked(&console.pass(2_000)).expect("and again");
    console.reply(call, logs_answer(log_entries(5), None));
    assert_eq!(ids(&console).len(), 5);
}

#[test]
fn levels_parts_and_searches_combine() {
    let mut console = console(SIZE, log_entries(70));
    for (key, count) in [("l e", 10), ("l w", 20), ("l i", 60), ("l d", 70)] {
        console.press(key);
        assert_eq!(ids(&console).len(), count, "level {key}");
    }
    console.press("/");
    console.type_text("took 1[0-2]");
    console.press("Enter");
    assert_eq!(ids(&console).len(), 4, "{:?}", messages(&console));
    console.press("!");
    assert_eq!(ids(&console).len(), 66, "turned around");
    console.press("! v");
    console.press("b");
    assert!(ids(&console).len() < 4, "of one part");
    console.press("Escape");
    console.press("Escape");
    assert_eq!(ids(&console).len(), 70, "Esc drops the search, then the other filters");
    console.press("/");
    console.type_text("took (");
    assert!(console.app.tabs.logs.view().search_error.is_some());
    assert_eq!(ids(&console).len(), 10, "the last expression that is one holds");
}

#[test]
fn levels_are_chosen_from_a_menu_or_one_by_one() {
    let mut console = console(SIZE, log_entries(14));
    let level = |console: &Console| console.app.tabs.logs.view().filter().level;
    for (keys, shown) in [
        ("l w", LogLevel::Warning),
        ("+", LogLevel::Info),
        ("= +", LogLevel::Debug),
        ("- - - -", LogLevel::Error),
        ("l d", LogLevel::Debug),
    ] {
        console.press(keys);
        assert_eq!(level(&console), shown, "{keys}");
    }
}

#[test]
fn a_window_moves_with_time() {
    let mut console = console(SIZE, log_entries(60));
    // The newest is a minute old by then.
    console.pass(120_000);
    console.press(":");
    console.type_text("since 90s");
    console.press("Enter");
    let shown = ids(&console).len();
    assert!(shown > 0 && shown < 60, "{shown}");
    console.pass(10_000);
    assert_eq!(ids(&console).len(), shown - 10, "ten seconds later ten seconds less");
    console.press(":");
    console.type_text("since 2026-11-21 10:00 2026-11-21 10:00:09");
    console.press("Enter");
    assert_eq!(ids(&console).len(), 10);
}

#[test]
fn a_paused_log_does_not_scroll() {
    let mut console = console(SIZE, log_entries(50));
    console.press("Space k k");
    let chosen = console.app.tabs.logs.view().chosen().map(|record| record.id.clone());
    for number in 50..60 {
        append(&mut console, log_entry(number, LogLevel::Info, "new"));
    }
    assert_eq!(console.app.tabs.logs.view().chosen().map(|record| record.id.clone()), chosen);
    assert_eq!(console.app.tabs.logs.view().below(), 12);
    console.press("G");
    assert!(console.app.tabs.logs.view().is_following());
}

#[test]
fn scrolling_past_the_oldest_fetches_older_records() {
    let mut console = Console::on_tab(SIZE, 4);
    let mut call = accept(&mut console);
    for page in 0..5 {
        let entries = (0..10).map(|at| log_entry(1_000 - page * 10 - at, LogLevel::Info, "new")).collect();
        match asked(&console.reply(call.clone(), logs_answer(entries, Some("next")))) {
            Some(next) => call = next,
            None => assert_eq!(page, 4, "five pages at first"),
        }
    }
    assert_eq!(ids(&console).len(), 50);
    let call = asked(&console.press("g k")).expect("older ones");
    let until = call.filter.as_ref().and_then(|filter| filter.until).expect("before the oldest");
    assert_eq!(until.as_millis(), START + 951_000);
    let older = (0..10).map(|at| log_entry(951 - at, LogLevel::Info, "old")).collect();
    console.reply(call, logs_answer(older, None));
    assert_eq!(ids(&console).len(), 59, "a known device is not listed twice");
    assert!(asked(&console.press("g k")).is_none(), "there is nothing older");
}

#[test]
fn a_request_scope_opens_and_closes() {
    let mut console = console(SIZE, log_entries(40));
    console.press("l e k a");
    let call = asked(&console.press("r")).expect("its records");
    let filter = call.filter.clone().expect("a filter");
    assert!(filter.request_id.is_some_and(|id| id.starts_with("req-")), "of this request");
    let mut entry = log_entry(7_000, LogLevel::Info, "the same request");
    entry.request_id = Some("req-26".to_owned());
    console.reply(call, logs_answer(vec![entry], None));
    assert_eq!(messages(&console), ["the same request"]);
    append(&mut console, log_entry(8_000, LogLevel::Error, "meanwhile"));
    assert_eq!(messages(&console).len(), 1, "what comes meanwhile is for the log");
    console.press("Escape");
    assert_eq!(messages(&console).last().map(String::as_str), Some("meanwhile"));
}

#[test]
fn a_record_is_copied_and_the_shown_ones_are_saved() {
    let mut console = console(SIZE, log_entries(14));
    console.press("l e");
    let Some(Effect::Copy(text)) = console.press("c").pop() else { panic!("it is copied") };
    assert!(text.contains("error") && text.contains("request=req-12") && text.contains("smtp.example.org"), "{text}");
    console.press("o C-u");
    console.type_text("/tmp/x.ndjson");
    let Some(Effect::Save { path, text }) = console.press("Enter").pop() else { panic!("it is saved") };
    assert_eq!((path.as_str(), text.lines().count()), ("/tmp/x.ndjson", 2));
    let entry: LogEntry = serde_json::from_str(text.lines().next().expect("a line")).expect("a record");
    assert_eq!(entry.level, LogLevel::Error);
    console.update(Event::Saved(Err("/tmp/x.ndjson: exists.".to_owned())));
    assert_eq!(console.app.toasts.iter().last().map(|toast| toast.text.as_str()), Some("/tmp/x.ndjson: exists."));
}

#[test]
fn clearing_the_log_needs_a_confirmation() {
    let mut console = console(SIZE, log_entries(5));
    console.press("a");
    assert!(calls(&console.press("x")).is_empty(), "not without a confirmation");
    let actions = console.press("y");
    let [call] = calls(&actions)[..] else { panic!("one call") };
    let cleared = Reply::ClearLogs(morpion_openapi::logger::ClearLogsAnswer { cleared: 5 });
    console.reply(call.clone(), cleared);
    assert!(ids(&console).is_empty());
}

#[test]
fn a_flood_of_records_is_bounded() {
    let mut console = console(SIZE, vec![]);
    for number in 0..MAX_RECORDS as u32 + 500 {
        append(&mut console, log_entry(number, LogLevel::Info, "flood"));
    }
    let view = console.app.tabs.logs.view();
    assert_eq!((view.buffer.len(), view.shown_len(), view.buffer.evicted), (MAX_RECORDS, MAX_RECORDS, 500));
    assert!(view.buffer.bytes() < 32 * 1024 * 1024, "{} bytes", view.buffer.bytes());
}
