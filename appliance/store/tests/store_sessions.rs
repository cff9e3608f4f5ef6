//! Sessions, devices, personal and operator tokens, and the setup link.

mod common;

use std::time::Duration;

use common::{DAY, account, at, begun, current, found, fresh, memory, personal_token, session};
use morpion_store::{NewOperatorToken, NewPersonalToken, NewSession, StoreError};
use uuid::Uuid;

const IDLE: Duration = Duration::from_secs(30 * DAY as u64);

#[tokio::test(flavor = "multi_thread")]
async fn a_session_expires_when_idle_or_at_its_end() {
    let store = memory().await;
    let made = begun(&store, "a", fresh(&store, "ann").await).await;
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
    let made = begun(&store, "a", fresh(&store, "ann").await).await;
    assert!(!store.touch_session(&made, at(59), IDLE).await.unwrap());
    assert_eq!(found(&store, "a", 59).await.unwrap().last_used_at, at(0));
    assert!(store.touch_session(&made, at(60), IDLE).await.unwrap());
    assert_eq!(found(&store, "a", 60).await.unwrap().last_used_at, at(60));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_old_token_works_until_30_s_after_the_first_use_of_the_new_one() {
    let store = memory().await;
    let old = begun(&store, "old", fresh(&store, "ann").await).await;
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
    begun(&store, "old", fresh(&store, "ann").await).await;
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
    begun(&store, "old", fresh(&store, "ann").await).await;
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
    // The new token can be rotated again, after a minute.
    assert_eq!(store.rotate_session("new", "early", at(79), IDLE).await.unwrap(), None);
    store.rotate_session("new", "newer", at(81), IDLE).await.unwrap().unwrap();
    assert_eq!(store.sessions_of(new.user_id, at(82)).await.unwrap()[0].hash, "newer");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_revoked_with_all_their_tokens() {
    let store = memory().await;
    let (ann, bob) = (fresh(&store, "ann").await, fresh(&store, "bob").await);
    let first = begun(&store, "a1", ann).await;
    let second = begun(&store, "a2", ann).await;
    begun(&store, "b1", bob).await;
    store.rotate_session("a1", "a1b", at(1), IDLE).await.unwrap();

    assert_eq!(store.list_sessions(at(2), 10).await.unwrap().len(), 3);
    assert!(store.revoke_session(first.sid).await.unwrap());
    assert!(!store.revoke_session(first.sid).await.unwrap());
    assert!(found(&store, "a1", 2).await.is_none() && found(&store, "a1b", 2).await.is_none());

    let third = begun(&store, "a3", ann).await;
    store.rotate_session("a3", "a3b", at(2), IDLE).await.unwrap();
    store.end_sessions_of(ann, Some(third.sid)).await.unwrap();
    assert_eq!(store.ended_sessions_of(ann).await.unwrap(), [second.sid]);
    assert_eq!(store.session_ends(&[second.sid, third.sid], at(2)).await.unwrap().len(), 1);
    assert!(found(&store, "a2", 2).await.is_none());
    assert!(found(&store, "a3", 2).await.is_some() && found(&store, "a3b", 2).await.is_some(), "with both tokens");
    store.end_sessions_of(ann, None).await.unwrap();
    let ended = store.ended_sessions_of(ann).await.unwrap();
    assert!(ended.len() == 2 && ended.contains(&third.sid));
    assert!(store.sessions_of(ann, at(2)).await.unwrap().is_empty());
    assert_eq!(store.list_sessions(at(2), 10).await.unwrap().len(), 1);
    store.remove_ended_sessions_of(ann).await.unwrap();
    assert!(store.ended_sessions_of(ann).await.unwrap().is_empty());
    assert!(found(&store, "b1", 2).await.is_some());
    assert_eq!(store.purge_sessions(at(2)).await.unwrap(), 0);
    assert_eq!(store.purge_sessions(at(30 * DAY)).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_devices_are_stored_per_account() {
    let store = memory().await;
    let (ann, bob) = (fresh(&store, "ann").await, fresh(&store, "bob").await);
    store.remember_device(current(&store, bob).await, "d0", at(0)).await.unwrap();
    for number in 0..21 {
        store.remember_device(current(&store, ann).await, &format!("d{number}"), at(number)).await.unwrap();
    }
    assert!(!store.is_known_device(ann, "d0").await.unwrap(), "the one not seen for longest");
    assert!(store.is_known_device(ann, "d1").await.unwrap());
    assert!(store.is_known_device(bob, "d0").await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn operator_tokens_expire_and_are_revoked() {
    let store = memory().await;
    let new = |hash: &str, seconds: i64| NewOperatorToken {
        id: Uuid::new_v4(),
        hash: hash.to_owned(),
        name: format!("name {hash}"),
        scope: "all".to_owned(),
        created_at: at(seconds),
        expires_at: (seconds > 0).then(|| at(seconds + 10)),
    };
    let forever = store.create_operator_token(new("t0", 0), 100).await.unwrap();
    let short = store.create_operator_token(new("t1", 1), 100).await.unwrap();
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
async fn the_setup_link_makes_one_admin() {
    let store = memory().await;
    let by_link = |name: &str, hash: &str, seconds: i64| {
        let (store, new, hash) = (store.clone(), common::account(name), hash.to_owned());
        async move { store.create_admin_by_link(new, &hash, at(seconds)).await }
    };
    let refused = Err(StoreError::NotFound("setup link"));
    assert_eq!(by_link("early", "s", 0).await, refused);
    store.set_setup_link("older", at(10)).await.unwrap();
    store.set_setup_link("s", at(10)).await.unwrap();
    assert!(store.is_setup_link("s", at(9)).await.unwrap());
    for (hash, seconds) in [("older", 1), ("s", 10)] {
        assert!(!store.is_setup_link(hash, at(seconds)).await.unwrap());
        assert_eq!(by_link("late", hash, seconds).await, refused);
    }
    assert_eq!(store.count_users().await.unwrap(), 0, "a refused link makes no account");
    store.create_user(common::account("taken")).await.unwrap();
    assert!(matches!(by_link("Taken", "s", 9).await, Err(StoreError::Taken(_))));
    assert!(store.is_setup_link("s", at(9)).await.unwrap(), "a taken username does not use it up");
    let tries: Vec<_> = (0..10).map(|number| tokio::spawn(by_link(&format!("admin{number}"), "s", 9))).collect();
    let mut made = Vec::new();
    for attempt in tries {
        made.extend(attempt.await.unwrap());
    }
    assert_eq!((made.len(), made[0].is_admin), (1, true));
    assert_eq!((store.count_admins().await.unwrap(), store.count_users().await.unwrap()), (1, 2));
    assert_eq!(store.user(made[0].id).await.unwrap(), Some(made.remove(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sessions_of_an_account_and_their_records_are_bounded() {
    let store = memory().await;
    let ann = fresh(&store, "ann").await;
    for number in 0..100 {
        let new = NewSession { created_at: at(number), ..session(&format!("s{number}"), current(&store, ann).await) };
        assert_eq!(store.insert_session(new).await.unwrap().1, Vec::<Uuid>::new());
    }
    let first = found(&store, "s0", 100).await.unwrap();
    let new = NewSession { created_at: at(100), ..session("one more", current(&store, ann).await) };
    assert_eq!(store.insert_session(new).await.unwrap().1, [first.sid], "the least recently used ends");
    assert_eq!(store.sessions_of(ann, at(101)).await.unwrap().len(), 100);
    let owner = current(&store, ann).await;
    let begin = |number: usize| {
        let (store, new) = (store.clone(), session(&format!("at once {number}"), owner));
        async move { store.insert_session(new).await.unwrap() }
    };
    (0..8).map(begin).collect::<tokio::task::JoinSet<_>>().join_all().await;
    assert_eq!(store.sessions_of(ann, at(101)).await.unwrap().len(), 100, "counted one by one");

    // Tokens are replaced at most once a minute, and leave at most three records.
    let (mut token, mut rotations) = ("one more".to_owned(), 0);
    for second in (200..800).step_by(5) {
        let next = format!("at {second}");
        if let Some(rotated) = store.rotate_session(&token, &next, at(second), IDLE).await.unwrap() {
            store.touch_session(&rotated, at(second), IDLE).await.unwrap();
            (token, rotations) = (next, rotations + 1);
        }
    }
    assert_eq!(rotations, 10);
    store.end_sessions_of(ann, None).await.unwrap();
    assert_eq!(store.purge_sessions(at(800)).await.unwrap(), 1, "the token before, whose seconds are over");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_personal_token_works_until_it_expires_or_is_deleted() {
    let store = memory().await;
    let (ada, bob) = (fresh(&store, "ada").await, fresh(&store, "bob").await);
    let owner = current(&store, ada).await;
    let made = store.create_personal_token(personal_token("first", owner), 20).await.unwrap();
    assert_eq!(store.personal_token("first", at(3)).await.unwrap().unwrap().0, made);
    assert_eq!(store.personal_token("other", at(3)).await.unwrap(), None);
    let ends = store.personal_token_ends(&[made.id, ada], at(3)).await.unwrap();
    assert_eq!(ends.into_iter().collect::<Vec<_>>(), [(made.id, at(DAY))]);
    store.touch_personal_token("first", at(9)).await.unwrap();
    assert_eq!(store.personal_tokens_of(ada, at(10)).await.unwrap()[0].last_used_at, Some(at(9)));
    assert!(store.personal_token("first", at(DAY - 1)).await.unwrap().is_some());
    assert_eq!(store.personal_token("first", at(DAY)).await.unwrap(), None);
    assert!(store.personal_tokens_of(ada, at(DAY)).await.unwrap().is_empty());
    assert!(store.personal_token_ends(&[made.id], at(DAY)).await.unwrap().is_empty());

    assert!(store.delete_personal_tokens(bob, Some(made.id)).await.unwrap().is_empty(), "somebody else's");
    assert_eq!(store.delete_personal_tokens(ada, Some(made.id)).await.unwrap(), [made.id]);
    assert!(store.delete_personal_tokens(ada, Some(made.id)).await.unwrap().is_empty());
    store.touch_personal_token("first", at(11)).await.unwrap();
    assert_eq!(store.personal_token("first", at(3)).await.unwrap(), None);

    store.create_personal_token(personal_token("second", owner), 20).await.unwrap();
    assert_eq!(store.purge_personal_tokens(at(DAY - 1)).await.unwrap(), 0);
    assert_eq!(store.purge_personal_tokens(at(DAY)).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn personal_tokens_are_bounded_however_many_are_made_at_once() {
    let store = memory().await;
    let ada = fresh(&store, "ada").await;
    let owner = current(&store, ada).await;
    let create = |number: usize| {
        let (store, new) = (store.clone(), personal_token(&format!("token {number}"), owner));
        async move { store.create_personal_token(new, 3).await }
    };
    let all = (0..8).map(create).collect::<tokio::task::JoinSet<_>>().join_all().await;
    let refused = all.into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert_eq!(refused, vec![StoreError::LimitReached; 5]);
    assert_eq!(store.personal_tokens_of(ada, at(3)).await.unwrap().len(), 3);

    // Those that expired or ended otherwise leave room.
    let later = NewPersonalToken { created_at: at(DAY), expires_at: at(2 * DAY), ..personal_token("later", owner) };
    store.create_personal_token(later, 3).await.unwrap();
    assert_eq!(store.purge_personal_tokens(at(DAY)).await.unwrap(), 0, "they are removed");
    store.end_sessions_of(ada, None).await.unwrap();
    assert_eq!(store.ended_personal_tokens_of(ada).await.unwrap().len(), 1);
    store.remove_ended_sessions_of(ada).await.unwrap();
    assert!(store.ended_personal_tokens_of(ada).await.unwrap().is_empty());
    let owner = current(&store, ada).await;
    store.create_personal_token(personal_token("last", owner), 1).await.unwrap();

    let guest = store.create_user(morpion_store::NewUser { is_temp: true, ..account("guest") }).await.unwrap();
    let refused = store.create_personal_token(personal_token("guest's", guest.credentials()), 20).await.unwrap_err();
    assert_eq!(refused, StoreError::NotFound("user"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_ends_sessions_and_personal_tokens() {
    let store = memory().await;
    let ada = fresh(&store, "ada").await;
    begun(&store, "session", ada).await;
    store.create_personal_token(personal_token("token", current(&store, ada).await), 20).await.unwrap();
    store.end_all_sessions().await.unwrap();
    assert_eq!(found(&store, "session", 3).await, None);
    assert_eq!(store.personal_token("token", at(3)).await.unwrap(), None);
}
