//! Webhooks out, as they are stored.

mod common;

use chrono::TimeDelta;
use morpion_store::{
    AfterAttempt, AuditEntry, DeliveryState, HookAttempt, HookEvent, HookRow, SendOutcome, Store, StoreError,
};
use uuid::Uuid;

use common::{at, memory};

fn entry(action: &str) -> AuditEntry {
    AuditEntry {
        actor: "token:test".to_owned(),
        action: action.to_owned(),
        target: "webhook".to_owned(),
        address: "shell".to_owned(),
        at: at(0),
        detail: serde_json::Value::Null,
        by: None,
    }
}

fn hook(number: u128, kinds: &[&str]) -> HookRow {
    HookRow {
        id: Uuid::from_u128(number),
        url: "https://example.org/hook".to_owned(),
        kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
        secret: "sealed".to_owned(),
        created_at: at(i64::try_from(number).unwrap()),
        delivered_at: None,
        failing_since: None,
        disabled_why: None,
    }
}

fn event(number: u128, kind: &str) -> HookEvent {
    HookEvent {
        id: Uuid::from_u128(1_000 + number),
        kind: kind.to_owned(),
        at: at(i64::try_from(number).unwrap()),
        payload: format!("{{\"number\":{number}}}"),
    }
}

async fn with_hooks(hooks: &[HookRow]) -> Store {
    let store = memory().await;
    for hook in hooks {
        store.audited(entry("create_webhook")).create_hook(hook, 20).await.unwrap();
    }
    store
}

/// Makes deliveries of all that happened; returns how many were lost.
async fn spread(store: &Store, most: usize) -> usize {
    let mut lost = 0;
    for event in store.hook_events().await.unwrap() {
        lost += store.spread_hook_event(event.id, most, 10, at(0)).await.unwrap();
    }
    lost
}

fn failed(second: i64, then: AfterAttempt) -> HookAttempt {
    HookAttempt {
        at: at(second),
        status: Some(500),
        answer: Some("no".to_owned()),
        failure: Some("It answered 500.".to_owned()),
        then,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_wants_to_know_is_not_kept() {
    let store = with_hooks(&[hook(1, &["a"])]).await;
    let mut news = store.hook_news();
    store.tell_hooks(&event(1, "a")).await.unwrap();
    store.tell_hooks(&event(2, "b")).await.unwrap();
    assert!(news.has_changed().unwrap());
    news.mark_unchanged();
    assert_eq!(store.hook_events().await.unwrap(), [event(1, "a")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_receiver_gets_what_it_wants_once() {
    let store = with_hooks(&[hook(1, &["a"]), hook(2, &["a", "b"]), hook(3, &["b"])]).await;
    store.tell_hooks(&event(1, "a")).await.unwrap();
    assert_eq!(spread(&store, 10).await, 0);
    // Told again, since it was not certain that it was stored: what was sent is not sent anew.
    store.tell_hooks(&event(1, "a")).await.unwrap();
    spread(&store, 10).await;
    assert!(store.hook_events().await.unwrap().is_empty());
    for (number, expected) in [(1, 1), (2, 1), (3, 0)] {
        let (deliveries, total) = store.deliveries(Uuid::from_u128(number), 0, 10).await.unwrap();
        assert_eq!((deliveries.len(), total), (expected, expected as u64), "{number}");
    }
    let next = store.next_delivery(Uuid::from_u128(2)).await.unwrap().unwrap();
    assert_eq!((&next.event, next.state, next.attempts), (&event(1, "a"), DeliveryState::Waiting, 0));
    assert_eq!(store.hooks().await.unwrap()[0].id, Uuid::from_u128(3), "the newest first");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oldest_makes_room_with_a_word() {
    let store = with_hooks(&[hook(1, &["a"])]).await;
    let id = Uuid::from_u128(1);
    let mut lost = 0;
    for number in 1..=5 {
        store.tell_hooks(&event(number, "a")).await.unwrap();
        lost += spread(&store, 3).await;
    }
    assert_eq!((lost, store.waiting_deliveries(id).await.unwrap()), (2, 3));
    let (deliveries, _) = store.deliveries(id, 0, 10).await.unwrap();
    let states: Vec<_> = deliveries.iter().map(|delivery| delivery.state).collect();
    let (waiting, discarded) = (DeliveryState::Waiting, DeliveryState::Discarded);
    assert_eq!(states, [waiting, waiting, waiting, discarded, discarded]);
    assert!(deliveries[4].failure.as_deref().unwrap().contains("Too many"));
    let (second_page, total) = store.deliveries(id, 3, 1).await.unwrap();
    assert_eq!((second_page[0].event.id, total), (event(2, "a").id, 5));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_what_made_room_the_latest_stay() {
    let store = with_hooks(&[hook(1, &["a"])]).await;
    for number in 1..=9 {
        store.tell_hooks(&event(number, "a")).await.unwrap();
        let now = at(i64::try_from(number).unwrap());
        store.spread_hook_event(event(number, "a").id, 3, 2, now).await.unwrap();
    }
    let (deliveries, total) = store.deliveries(Uuid::from_u128(1), 0, 10).await.unwrap();
    let numbers: Vec<_> = deliveries.iter().map(|delivery| delivery.event.id.as_u128() - 1_000).collect();
    assert_eq!((numbers, total), (vec![9, 8, 7, 6, 5], 5), "three wait");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_is_noted_with_what_it_says_of_its_receiver() {
    let store = with_hooks(&[hook(1, &["a"])]).await;
    let id = Uuid::from_u128(1);
    store.tell_hooks(&event(1, "a")).await.unwrap();
    store.tell_hooks(&event(2, "a")).await.unwrap();
    spread(&store, 10).await;
    let first = store.next_delivery(id).await.unwrap().unwrap();
    for _ in 0..2 {
        // Again, since it was not certain that it was stored; below it counts once.
        store.attempted(&first, failed(7, AfterAttempt::Later(at(60))), 10, at(7)).await.unwrap();
    }
    assert_eq!(store.hook(id).await.unwrap().unwrap().failing_since, Some(at(7)));
    let second = store.next_delivery(id).await.unwrap().unwrap();
    assert_ne!(second.event.id, first.event.id, "the others do not wait for it");
    let good = HookAttempt { status: Some(204), answer: None, failure: None, ..failed(8, AfterAttempt::Delivered) };
    store.attempted(&second, good, 10, at(8)).await.unwrap();
    let hook = store.hook(id).await.unwrap().unwrap();
    assert_eq!((hook.failing_since, hook.delivered_at), (None, Some(at(8))));
    // What is over is not changed by an attempt that began before.
    store.attempted(&second, failed(9, AfterAttempt::Failed), 10, at(9)).await.unwrap();
    let (deliveries, _) = store.deliveries(id, 0, 10).await.unwrap();
    let second = deliveries.iter().find(|delivery| delivery.event.id == second.event.id).unwrap();
    assert_eq!((second.state, second.status, second.attempts), (DeliveryState::Delivered, Some(204), 1));
    let first = store.next_delivery(id).await.unwrap().unwrap();
    assert_eq!(
        (first.due_at, first.attempts, first.status, first.answer.as_deref()),
        (at(60), 1, Some(500), Some("no"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_gone_is_sent_nothing_more() {
    let store = with_hooks(&[hook(1, &["a"])]).await;
    let id = Uuid::from_u128(1);
    for number in 1..=3 {
        store.tell_hooks(&event(number, "a")).await.unwrap();
    }
    spread(&store, 10).await;
    let first = store.next_delivery(id).await.unwrap().unwrap();
    store.attempted(&first, failed(5, AfterAttempt::Gone), 10, at(5)).await.unwrap();
    assert!(store.hook(id).await.unwrap().unwrap().disabled_why.is_some());
    assert_eq!(store.next_delivery(id).await.unwrap(), None);
    store.tell_hooks(&event(9, "a")).await.unwrap();
    assert!(store.hook_events().await.unwrap().is_empty());
    let again = store.audited(entry("resend_delivery")).resend_delivery(id, first.event.id, at(6)).await.unwrap().0;
    assert_eq!(again, SendOutcome::Disabled);
    let test = store.audited(entry("test_webhook")).send_to_hook(id, &event(8, "test"), at(6)).await.unwrap();
    assert_eq!(test, SendOutcome::Disabled);
    assert_eq!(store.audit_entries(0, 10).await.unwrap().1, 1, "only that it was made");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_over_is_sent_again_and_what_waits_is_not() {
    let store = with_hooks(&[hook(1, &["a"])]).await;
    let id = Uuid::from_u128(1);
    store.tell_hooks(&event(1, "a")).await.unwrap();
    spread(&store, 10).await;
    let resend = |event: Uuid| {
        let store = store.audited(entry("resend_delivery"));
        async move { store.resend_delivery(id, event, at(50)).await }
    };
    assert_eq!(resend(event(1, "a").id).await.unwrap().0, SendOutcome::WaitedAlready);
    assert_eq!(resend(event(2, "a").id).await.unwrap_err(), StoreError::NotFound("delivery"));
    let first = store.next_delivery(id).await.unwrap().unwrap();
    store.attempted(&first, failed(5, AfterAttempt::Failed), 10, at(5)).await.unwrap();
    assert_eq!(store.next_delivery(id).await.unwrap(), None);
    let (outcome, sent) = resend(first.event.id).await.unwrap();
    assert_eq!(
        (outcome, sent.state, sent.attempts, sent.due_at),
        (SendOutcome::Waits, DeliveryState::Waiting, 0, at(50))
    );
    assert_eq!(sent.event, first.event, "the same id and body");

    let test = |number| {
        let store = store.audited(entry("test_webhook"));
        async move { store.send_to_hook(id, &event(number, "test"), at(51)).await.unwrap() }
    };
    assert_eq!(test(7).await, SendOutcome::Waits);
    assert_eq!(test(8).await, SendOutcome::WaitedAlready, "one test at a time");
    let nobody = store.audited(entry("test_webhook")).send_to_hook(Uuid::nil(), &event(9, "test"), at(51)).await;
    assert_eq!(nobody.unwrap_err(), StoreError::NotFound("webhook"));
    assert_eq!(store.audit_entries(0, 10).await.unwrap().1, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_over_is_kept_for_a_while_and_only_so_much_of_it() {
    let store = with_hooks(&[hook(1, &["a"])]).await;
    let id = Uuid::from_u128(1);
    for number in 1..=6 {
        store.tell_hooks(&event(number, "a")).await.unwrap();
        spread(&store, 10).await;
        let next = store.next_delivery(id).await.unwrap().unwrap();
        let second = i64::try_from(number).unwrap();
        store.attempted(&next, failed(second, AfterAttempt::Failed), 4, at(second)).await.unwrap();
    }
    let numbers = || async {
        let (deliveries, _) = store.deliveries(id, 0, 10).await.unwrap();
        deliveries.iter().map(|delivery| delivery.event.id.as_u128() - 1_000).collect::<Vec<_>>()
    };
    assert_eq!(numbers().await, [6, 5, 4, 3]);
    assert_eq!(store.purge_deliveries(at(4)).await.unwrap(), 2);
    assert_eq!(numbers().await, [6, 5]);
    store.tell_hooks(&event(9, "a")).await.unwrap();
    spread(&store, 10).await;
    assert_eq!(store.purge_deliveries(at(0) + TimeDelta::days(99)).await.unwrap(), 2, "what waits stays");
    assert_eq!(numbers().await, [9]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_is_removed_with_its_deliveries_and_there_are_so_many() {
    let store = with_hooks(&[hook(1, &["a"]), hook(2, &["a"])]).await;
    let (id, store) = (Uuid::from_u128(1), store);
    let refused = store.audited(entry("create_webhook")).create_hook(&hook(3, &["a"]), 2).await;
    assert_eq!(refused.unwrap_err(), StoreError::LimitReached);
    store.tell_hooks(&event(1, "a")).await.unwrap();
    spread(&store, 10).await;
    let delete = |id| {
        let store = store.audited(entry("delete_webhook"));
        async move { store.delete_hook(id).await.unwrap() }
    };
    assert!(delete(id).await);
    assert!(!delete(id).await);
    assert_eq!(store.deliveries(id, 0, 10).await.unwrap(), (vec![], 0));
    assert_eq!(store.deliveries(Uuid::from_u128(2), 0, 10).await.unwrap().1, 1);
    assert_eq!(store.audit_entries(0, 10).await.unwrap().1, 3);
}
