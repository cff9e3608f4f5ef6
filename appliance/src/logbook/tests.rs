use std::time::Duration;

use morpion_store::{DatabaseUrl, OpenOptions};

use super::{record::sample, *};
use crate::{
    caller::Caller,
    connections::handle::MAX_QUEUED_FRAMES,
    logbook::{bloom::SearchTerm, chunk::CHUNK_SIZE},
};

const FOR_EVER: Retention = Retention { days: 36_500, records: u64::MAX, client_records: u64::MAX };

async fn memory() -> Store {
    Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap()
}

async fn logbook(store: &Store) -> (Logbook, LogWriter) {
    Logbook::start(store.clone(), FOR_EVER, Clock::default()).await.unwrap()
}

/// A record of one of three levels, two services and 300 users, each with a request of its own.
fn numbered(number: usize) -> Record {
    let level = [Level::Error, Level::Info, Level::Info][number % 3];
    Record {
        service: ["play", "http"][number % 2].to_owned(),
        user: Some(user(number % 300)),
        request: Some(format!("request-{number}")),
        ..sample(number as i64, level, &format!("record number {number} of many"))
    }
}

fn user(number: usize) -> uuid::Uuid {
    uuid::Uuid::from_u128(number as u128)
}

/// Adds these records, as the writer would.
fn fill(logbook: &Logbook, numbers: std::ops::Range<usize>) {
    for number in numbers {
        logbook.shared.add(&mut vec![numbered(number)]);
    }
}

fn newest(limit: usize) -> PageSpec {
    PageSpec { skip: 0, limit, after: None, order: Order::NewestFirst }
}

fn times(page: &Page) -> Vec<i64> {
    page.records.iter().map(|(_, record)| record.at).collect()
}

#[tokio::test]
async fn pages_of_several_chunks_fit_together_in_both_directions() {
    let (logbook, _writer) = logbook(&memory().await).await;
    let records = 3 * CHUNK_SIZE + 100;
    fill(&logbook, 0..records);
    let all = Filter::default();
    let first = logbook.page(&all, newest(10)).await.unwrap();
    assert_eq!(times(&first), (0..10).map(|back| (records - 1 - back) as i64).collect::<Vec<_>>());
    assert_eq!((first.total, first.has_more), (records as u64, true));

    for order in [Order::NewestFirst, Order::OldestFirst] {
        let (mut by_page, mut by_cursor, mut after) = (vec![], vec![], None);
        for number in 0..=records as u64 / 100 {
            let page =
                logbook.page(&all, PageSpec { skip: number * 100, limit: 100, after: None, order }).await.unwrap();
            by_page.extend(times(&page));
            let page = logbook.page(&all, PageSpec { skip: 0, limit: 100, after, order }).await.unwrap();
            after = page.records.last().map(|(cursor, _)| *cursor);
            by_cursor.extend(times(&page));
        }
        let mut expected: Vec<i64> = (0..records as i64).collect();
        if order == Order::NewestFirst {
            expected.reverse();
        }
        assert_eq!(by_page, expected, "{order:?}");
        assert_eq!(by_cursor, expected, "{order:?}");
    }
}

#[tokio::test]
async fn every_combination_of_filters_answers_what_reading_all_would() {
    let (logbook, _writer) = logbook(&memory().await).await;
    let records = 2 * CHUNK_SIZE + 57;
    fill(&logbook, 0..records);
    logbook.shared.save().await;
    let options = [
        Filter { levels: vec![Level::Error], ..Filter::default() },
        Filter { levels: vec![Level::Error, Level::Warning], ..Filter::default() },
        Filter { service: Some("play".to_owned()), ..Filter::default() },
        Filter { user: Some(user(34)), ..Filter::default() },
        Filter { request: Some("request-1234".to_owned()), ..Filter::default() },
        Filter { text: SearchTerm::new("NUMBER 77"), ..Filter::default() },
        Filter { since: Some(500), ..Filter::default() },
        Filter { until: Some(1_500), ..Filter::default() },
        Filter { platform: Some("web".to_owned()), ..Filter::default() },
    ];
    for mask in 0_u32..1 << options.len() {
        let mut filter = Filter::default();
        for option in options.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1).map(|(_, option)| option) {
            if filter.levels.is_empty() {
                filter.levels.clone_from(&option.levels);
            }
            filter.service = filter.service.or_else(|| option.service.clone());
            filter.user = filter.user.or(option.user);
            filter.request = filter.request.or_else(|| option.request.clone());
            filter.text = filter.text.or_else(|| option.text.clone());
            filter.platform = filter.platform.or_else(|| option.platform.clone());
            filter.since = filter.since.or(option.since);
            filter.until = filter.until.or(option.until);
        }
        let mut expected: Vec<i64> = (0..records).map(numbered).filter(|r| filter.matches(r)).map(|r| r.at).collect();
        expected.reverse();
        // The later pages know what was counted for the first.
        for skip in [0, 4, 40] {
            let page = logbook.page(&filter, PageSpec { skip, ..newest(20) }).await.unwrap();
            assert_eq!(page.total, expected.len() as u64, "{filter:?}");
            assert_eq!(page.has_more, expected.len() as u64 > skip + 20, "{filter:?}");
            let spec: Vec<i64> = expected.iter().copied().skip(skip as usize).take(20).collect();
            assert_eq!(times(&page), spec, "{filter:?}");
        }
    }
}

#[tokio::test]
async fn what_was_kept_is_there_after_a_restart() {
    let store = memory().await;
    let (logbook, writer) = logbook(&store).await;
    fill(&logbook, 0..CHUNK_SIZE + 30);
    logbook.record_of_client([sample(5_000, Level::Warning, "the last one")], false);
    writer.stop().await;
    let (logbook, _writer) = self::logbook(&store).await;
    let page = logbook.page(&Filter::default(), newest(2)).await.unwrap();
    assert_eq!(page.total, CHUNK_SIZE as u64 + 31);
    assert_eq!(page.records[0].1.message, "the last one");
    assert_eq!(logbook.stats().levels.iter().sum::<u64>(), CHUNK_SIZE as u64 + 31);
}

#[tokio::test]
async fn clearing_takes_all_or_what_is_older_and_says_how_many() {
    let store = memory().await;
    let (logbook, writer) = logbook(&store).await;
    let records = 2 * CHUNK_SIZE + 10;
    fill(&logbook, 0..records);
    logbook.shared.save().await;
    let cursor = logbook.page(&Filter::default(), newest(1)).await.unwrap().records[0].0;
    let before = CHUNK_SIZE as i64 + 7;
    assert_eq!(logbook.clear(Some(before)).await.unwrap(), before as u64);
    let oldest = PageSpec { order: Order::OldestFirst, ..newest(1) };
    let page = logbook.page(&Filter::default(), oldest).await.unwrap();
    assert_eq!(times(&page), [before]);
    assert_eq!(page.total, records as u64 - before as u64);
    assert_eq!(page.records[0].0, Cursor { chunk: 2, index: 7 }, "the others keep their places");
    assert_eq!(logbook.page(&Filter::default(), newest(1)).await.unwrap().records[0].0, cursor);
    assert_eq!(logbook.clear(None).await.unwrap(), records as u64 - before as u64);
    assert_eq!(logbook.page(&Filter::default(), newest(1)).await.unwrap().total, 0);
    writer.stop().await;
    let (logbook, _writer) = self::logbook(&store).await;
    assert_eq!(logbook.stats().levels, [0; 4]);
}

/// Waits until the newest record has this time, so none is still on its way, and this many are kept.
async fn shrinks_to(logbook: &Logbook, kept: usize, last: usize) {
    let shrinks = async {
        loop {
            let page = logbook.page(&Filter::default(), newest(1)).await.unwrap();
            if page.total == kept as u64 && times(&page) == [last as i64] {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), shrinks).await.expect("the oldest go when there are too many");
}

#[tokio::test]
async fn what_was_stored_during_a_deletion_is_counted_after_it() {
    let store = memory().await;
    let retention = Retention { days: 36_500, records: 2 * CHUNK_SIZE as u64, client_records: 1 };
    let (logbook, _writer) = Logbook::start(store.clone(), retention, Clock::default()).await.unwrap();
    let pause = || tokio::time::sleep(Duration::from_millis(100));
    pause().await;
    let shared = Arc::clone(&logbook.shared);
    let deleting = shared.deleting.lock().await;
    let clearing = async { logbook.clear(Some(0)).await.unwrap() };
    let storing = async {
        pause().await;
        for number in 0..4 * CHUNK_SIZE {
            logbook.record(numbered(number));
            if number % 64 == 0 {
                tokio::task::yield_now().await;
            }
        }
        while store.log_headers().await.unwrap().len() < 4 {
            pause().await;
        }
        drop(deleting);
    };
    assert_eq!(tokio::join!(clearing, storing).0, 0);
    shrinks_to(&logbook, 2 * CHUNK_SIZE, 4 * CHUNK_SIZE - 1).await;
}

#[tokio::test]
async fn what_is_too_much_or_too_old_is_deleted() {
    let store = memory().await;
    let retention = Retention { days: 36_500, records: 2 * CHUNK_SIZE as u64, client_records: 1 };
    let (logbook, writer) = Logbook::start(store.clone(), retention, Clock::default()).await.unwrap();
    for number in 0..4 * CHUNK_SIZE {
        logbook.record(numbered(number));
        if number % 64 == 0 {
            tokio::task::yield_now().await;
        }
    }
    shrinks_to(&logbook, 2 * CHUNK_SIZE, 4 * CHUNK_SIZE - 1).await;
    assert_eq!(logbook.stats().dropped, 0);
    writer.stop().await;
    assert_eq!(store.log_headers().await.unwrap().len(), 2);

    let retention = Retention { days: 14, records: u64::MAX, client_records: u64::MAX };
    let (logbook, _writer) = Logbook::start(store.clone(), retention, Clock::default()).await.unwrap();
    Arc::clone(&logbook.shared).apply_retention().await;
    assert_eq!(store.log_headers().await.unwrap().len(), 0, "all are of 1970");
}

#[tokio::test]
async fn a_rare_word_in_a_long_log_costs_few_chunks() {
    let (logbook, _writer) = logbook(&memory().await).await;
    let spec = uuid::Uuid::new_v4();
    for number in 0..40 * CHUNK_SIZE {
        let id = if number == 5 * CHUNK_SIZE { spec } else { uuid::Uuid::new_v4() };
        logbook.shared.add(&mut vec![sample(number as i64, Level::Info, &format!("game {id} was joined"))]);
    }
    let filter = Filter { text: SearchTerm::new(&spec.to_string()), ..Filter::default() };
    let candidates = logbook.shared.sealed.read().iter().filter(|it| it.header.known_count(&filter).is_none()).count();
    assert!(candidates < 4, "{candidates} chunks would be read");
    let page = logbook.page(&filter, newest(10)).await.unwrap();
    assert_eq!((times(&page), page.total), (vec![5 * CHUNK_SIZE as i64], 1));
}

#[tokio::test]
async fn followers_hear_what_fits_until_they_fall_behind() {
    let (logbook, _writer) = logbook(&memory().await).await;
    let connection = Arc::new(ConnectionHandle::new(Caller::Visitor, None));
    let heard = || {
        let waiting = MAX_QUEUED_FRAMES - connection.free_capacity();
        while !connection.next_write().is_empty() {}
        waiting
    };
    logbook.follow(&connection, Filter { levels: vec![Level::Error], ..Filter::default() }).unwrap();
    fill(&logbook, 0..6);
    assert_eq!(heard(), 2);
    fill(&logbook, 0..3_000);
    assert!(connection.free_capacity() > 0 && connection.close_code().is_none(), "a flood of records closes nobody");
    assert!(heard() > 100, "it hears what fits");
}

#[tokio::test]
async fn a_full_queue_lets_go_and_counts() {
    let (logbook, writer) = logbook(&memory().await).await;
    let sent = QUEUE_SIZE + 3 * CHUNK_SIZE;
    {
        // The writer is blocked with the records it has received.
        let _open = logbook.shared.open.lock();
        (0..sent).for_each(|number| logbook.record(numbered(number)));
    }
    writer.stop().await;
    let Stats { levels, dropped, .. } = logbook.stats();
    assert!(dropped > 0);
    assert_eq!(levels.iter().sum::<u64>() + dropped, sent as u64, "the others are kept");
}

#[tokio::test]
async fn secrets_of_clients_are_not_kept() {
    let store = memory().await;
    let (logbook, writer) = logbook(&store).await;
    let record = Record {
        context: Some(r#"{"password":"Hunter2!x"} code: 482913 was refused"#.to_owned()),
        stack: Some("at f (https://x.example/?token=q1w2e3r4)".to_owned()),
        ..sample(1, Level::Error, "card 4242 4242 4242 4242 was declined")
    };
    logbook.record_of_client([record], false);
    writer.stop().await;
    let (logbook, _writer) = self::logbook(&store).await;
    let kept = format!("{:?}", logbook.page(&Filter::default(), newest(5)).await.unwrap());
    for secret in ["Hunter2", "482913", "q1w2e3r4", "4242 4242"] {
        assert!(!kept.contains(secret), "{kept}");
    }
    assert!(kept.contains("code: [hidden] was refused"), "{kept}");
}
