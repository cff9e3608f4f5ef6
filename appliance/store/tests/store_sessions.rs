//! Sessions, devices, operator tokens, the setup link and the audit trail.

mod common;

use std::time::Duration;

use common::{at, audit, memory};
use morpion_store::{NewOperatorToken, NewSession, Session, Store, StoreError};
use uuid::Uuid;

const DAY: i64 = 86_400;
const IDLE: Duration = Duration::from_secs(30 * DAY as u64);

fn session(hash: &str, user_id: Uuid) -> NewSession {
    NewSession {
        hash: hash.to_owned(),
        user_id,
        created_at: at(0),
        expires_at: at(30 * DAY),
        ends_at: at(90 * DAY),
        user_agent: "Firefox/140".to_owned(),
        address: "192.0.2.1".to_owned(),
        device: "Firefox on Linux".to_owned(),
    }
}

async fn found(store: &Store, hash: &str, seconds: i64) -> Option<Session> {
    store.session(hash, at(seconds)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_expires_when_idle_or_at_its_end() {
    let store = memory().await;
    let made = store.insert_session(session("a", Uuid::new_v4())).await.unwrap();
    assert_eq!(found(&store, "a", 1).await, Some(made.clone()));
    assert_eq!(found(&store, "b", 1).await, None);
    assert_eq!(found(&store, "a", 30 * DAY).await, None, "idle for 30 days");
    // Used every 29 days it stays valid, but at most 90 days.
    for day in [29, 58, 87] {
        let session = found(&store, "a", day * DAY).await.unwrap();
        assert!(store.touch_session(&session, at(day * DAY), IDLE).await.unwrap());
    }
    let last = found(&store, "a", 90 * DAY - 1).await.unwrap();
    assert_eq!((last.expires_at, last.last_used_at), (at(90 * DAY), at(87 * DAY)));
    assert_eq!(found(&store, "a", 90 * DAY).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_use_is_written_at_most_once_a_minute() {
    let store = memory().await;
    let made = store.insert_session(session("a", Uuid::new_v4())).await.unwrap();
    assert!(!store.touch_session(&made, at(59), IDLE).await.unwrap());
    assert_eq!(found(&store, "a", 59).await.unwrap().last_used_at, at(0));
    assert!(store.touch_session(&made, at(60), IDLE).await.unwrap());
    assert_eq!(found(&store, "a", 60).await.unwrap().last_used_at, at(60));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_old_token_works_until_30_s_after_the_first_use_of_the_new_one() {
    let store = memory().await;
    let old = store.insert_session(session("old", Uuid::new_v4())).await.unwrap();
    let new = store.rotate_session("old", "new", at(10), IDLE).await.unwrap().unwrap();
    assert_eq!((new.sid, new.user_id, new.ends_at), (old.sid, old.user_id, old.ends_at));
    assert_eq!((new.last_used_at, new.device.as_str()), (at(10), "Firefox on Linux"));
    assert!(found(&store, "old", 20 * DAY).await.is_some(), "the new one was never used");
    assert_eq!(store.sessions_of(old.user_id, at(11)).await.unwrap().len(), 1, "one session, two tokens");

    let new = found(&store, "new", 11).await.unwrap();
    assert!(store.touch_session(&new, at(11), IDLE).await.unwrap(), "the first use is always written");
    assert!(found(&store, "old", 40).await.is_some());
    assert!(found(&store, "old", 41).await.is_none());
    let used = found(&store, "new", 41).await.unwrap();
    assert_eq!(used.predecessor, None);
    assert!(!store.touch_session(&used, at(41), IDLE).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn using_the_old_token_does_not_extend_it() {
    let store = memory().await;
    store.insert_session(session("old", Uuid::new_v4())).await.unwrap();
    let new = store.rotate_session("old", "new", at(100), IDLE).await.unwrap().unwrap();
    store.touch_session(&new, at(101), IDLE).await.unwrap();
    let old = found(&store, "old", 130).await.unwrap();
    store.touch_session(&old, at(130), IDLE).await.unwrap();
    assert!(found(&store, "old", 130).await.is_some());
    assert!(found(&store, "old", 131).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn rotating_again_replaces_a_lost_token_but_not_a_used_one() {
    let store = memory().await;
    store.insert_session(session("old", Uuid::new_v4())).await.unwrap();
    store.rotate_session("old", "lost", at(10), IDLE).await.unwrap().unwrap();
    let new = store.rotate_session("old", "new", at(20), IDLE).await.unwrap().unwrap();
    assert!(found(&store, "lost", 21).await.is_none());
    assert!(found(&store, "old", 21).await.is_some());
    let again = store.rotate_session("old", "new", at(21), IDLE).await.unwrap().unwrap();
    assert_eq!((again.sid, again.hash.as_str()), (new.sid, "new"), "the same one is accepted again");

    store.touch_session(&new, at(21), IDLE).await.unwrap();
    assert_eq!(store.rotate_session("old", "late", at(22), IDLE).await.unwrap(), None);
    assert!(found(&store, "new", 23).await.is_some());
    assert!(found(&store, "late", 23).await.is_none());
    assert_eq!(store.rotate_session("old", "x", at(60), IDLE).await.unwrap_err(), StoreError::NotFound("session"));
    // The new token can be rotated again.
    store.rotate_session("new", "newer", at(60), IDLE).await.unwrap().unwrap();
    assert_eq!(store.sessions_of(new.user_id, at(61)).await.unwrap()[0].hash, "newer");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_revoked_with_all_their_tokens() {
    let store = memory().await;
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    let first = store.insert_session(session("a1", ann)).await.unwrap();
    let second = store.insert_session(session("a2", ann)).await.unwrap();
    store.insert_session(session("b1", bob)).await.unwrap();
    store.rotate_session("a1", "a1b", at(1), IDLE).await.unwrap();

    assert_eq!(store.list_sessions(at(2), 10).await.unwrap().len(), 3);
    assert!(store.revoke_session(first.sid).await.unwrap());
    assert!(!store.revoke_session(first.sid).await.unwrap());
    assert!(found(&store, "a1", 2).await.is_none() && found(&store, "a1b", 2).await.is_none());

    let third = store.insert_session(session("a3", ann)).await.unwrap();
    assert_eq!(store.revoke_sessions_of(ann, Some(third.sid)).await.unwrap(), [second.sid]);
    assert_eq!(store.revoke_sessions_of(ann, None).await.unwrap(), [third.sid]);
    assert!(store.sessions_of(ann, at(2)).await.unwrap().is_empty());
    assert!(found(&store, "b1", 2).await.is_some());
    assert_eq!(store.purge_sessions(at(2)).await.unwrap(), 0);
    assert_eq!(store.purge_sessions(at(30 * DAY)).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_devices_are_stored_per_account() {
    let store = memory().await;
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    store.remember_device(bob, "d0", at(0)).await.unwrap();
    for number in 0..21 {
        store.remember_device(ann, &format!("d{number}"), at(number)).await.unwrap();
    }
    assert!(!store.is_known_device(ann, "d0").await.unwrap(), "the one not seen for longest");
    assert!(store.is_known_device(ann, "d1").await.unwrap());
    assert!(store.is_known_device(bob, "d0").await.unwrap());
    store.forget_devices(ann).await.unwrap();
    assert!(!store.is_known_device(ann, "d1").await.unwrap());
    assert!(store.is_known_device(bob, "d0").await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn operator_tokens_expire_and_are_revoked() {
    let store = memory().await;
    let new = |hash: &str, seconds: i64| NewOperatorToken {
        hash: hash.to_owned(),
        name: format!("name {hash}"),
        scope: "all".to_owned(),
        created_at: at(seconds),
        expires_at: (seconds > 0).then(|| at(seconds + 10)),
    };
    let forever = store.create_operator_token(new("t0", 0)).await.unwrap();
    let short = store.create_operator_token(new("t1", 1)).await.unwrap();
    assert_eq!(store.operator_token("t1", at(10)).await.unwrap(), Some(short.clone()));
    assert_eq!(store.operator_token("t1", at(11)).await.unwrap(), None);
    store.touch_operator_token("t0", at(7)).await.unwrap();
    store.touch_operator_token("none", at(7)).await.unwrap();
    let touched = morpion_store::OperatorToken { last_used_at: Some(at(7)), ..forever.clone() };
    assert_eq!(store.operator_tokens().await.unwrap(), [short, touched]);
    assert!(store.revoke_operator_token(forever.id).await.unwrap());
    assert!(!store.revoke_operator_token(forever.id).await.unwrap());
    assert_eq!(store.operator_token("t0", at(8)).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_setup_link_works_once() {
    let store = memory().await;
    assert!(!store.consume_setup_link("s", at(0)).await.unwrap());
    store.set_setup_link("older", at(10)).await.unwrap();
    store.set_setup_link("s", at(10)).await.unwrap();
    assert!(store.is_setup_link("s", at(9)).await.unwrap());
    for (hash, seconds) in [("older", 1), ("s", 10)] {
        assert!(!store.is_setup_link(hash, at(seconds)).await.unwrap());
        assert!(!store.consume_setup_link(hash, at(seconds)).await.unwrap());
    }
    let tries: Vec<_> = (0..10)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.consume_setup_link("s", at(9)).await.unwrap() })
        })
        .collect();
    let mut used = 0;
    for attempt in tries {
        used += usize::from(attempt.await.unwrap());
    }
    assert_eq!(used, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_trail_is_read_newest_first_page_by_page() {
    let store = memory().await;
    let mut appended = Vec::new();
    for number in 0..25 {
        let entry = audit(Uuid::from_u128(number), at(number as i64));
        appended.push((store.append_audit(entry.clone()).await.unwrap(), entry));
    }
    appended.reverse();
    let mut read = Vec::new();
    let mut before = None;
    loop {
        let page = store.audit_page(before, 10).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.id);
        read.extend(page.into_iter().map(|record| (record.id, record.entry)));
    }
    assert_eq!(read, appended);
}
