//! Data besides accounts: pictures, codes, calendars, and pending deletions.

mod common;

use std::time::Duration;

use bytes::Bytes;
use common::{account, at, memory};
use morpion_store::{CalendarGrant, CodeKey, NewAvatar, NewCode, StoreError};
use uuid::Uuid;

const TEN_MINUTES: Duration = Duration::from_secs(600);

fn avatar(version: &str, sizes: &[u32]) -> NewAvatar {
    NewAvatar {
        version: version.to_owned(),
        media_type: "image/png".to_owned(),
        sizes: sizes.iter().map(|size| (*size, Bytes::from(format!("{version} in {size}")))).collect(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_avatar_is_replaced_as_a_whole() {
    let store = memory().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    let bob = store.create_user(account("bob")).await.unwrap();
    assert_eq!(store.avatar(ann.id, 64).await.unwrap_err(), StoreError::NotFound("image"));
    store.set_avatar(ann.id, Some(avatar("v1", &[64, 128]))).await.unwrap();
    store.set_avatar(bob.id, Some(avatar("b1", &[64]))).await.unwrap();
    let image = store.avatar(ann.id, 128).await.unwrap();
    assert_eq!((image.version.as_str(), image.image.as_ref()), ("v1", b"v1 in 128".as_slice()));
    store.set_avatar(ann.id, Some(avatar("v2", &[64]))).await.unwrap();
    assert_eq!(store.avatar(ann.id, 64).await.unwrap().version, "v2");
    assert_eq!(store.avatar(ann.id, 128).await.unwrap_err(), StoreError::NotFound("image"));
    assert_eq!(store.user(ann.id).await.unwrap().unwrap().avatar.as_deref(), Some("v2"));
    store.set_avatar(ann.id, None).await.unwrap();
    assert_eq!(store.avatar(ann.id, 64).await.unwrap_err(), StoreError::NotFound("image"));
    assert_eq!(store.user(ann.id).await.unwrap().unwrap().avatar, None);
    assert_eq!(store.avatar(bob.id, 64).await.unwrap().version, "b1", "others keep theirs");
    let nobody = store.set_avatar(Uuid::new_v4(), Some(avatar("v1", &[64]))).await;
    assert_eq!(nobody.unwrap_err(), StoreError::NotFound("user"));
}

fn code(hash: &str) -> NewCode {
    NewCode { hash: hash.to_owned(), email: "ann@example.org".to_owned(), lasts: TEN_MINUTES }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_works_once_before_it_expires_and_for_its_account() {
    let store = memory().await;
    let key = CodeKey::recovery("Ann@Example.org");
    let take = |hash: &'static str, seconds| {
        let (store, key) = (store.clone(), key.clone());
        async move { store.take_code(&key, hash, "here", 5, TEN_MINUTES, at(seconds)).await.unwrap() }
    };
    assert_eq!(take("right", 0).await, None, "no token was issued");
    assert!(store.issue_code(&CodeKey::recovery("ann@example.org"), code("right"), 3, at(0)).await.unwrap());
    let owner = Uuid::new_v4();
    store.set_code_owner(&key, owner).await.unwrap();
    assert_eq!(store.use_validation(&key, "here", at(1)).await.unwrap(), None, "nothing was validated yet");
    assert_eq!(take("wrong", 1).await, None);
    assert_eq!(take("right", 2).await.as_deref(), Some("ann@example.org"));
    assert_eq!(take("right", 3).await, None, "it works once");
    assert_eq!(store.use_validation(&key, "elsewhere", at(4)).await.unwrap(), None);
    assert_eq!(store.use_validation(&key, "here", at(5)).await.unwrap(), Some(owner));
    assert_eq!(store.use_validation(&key, "here", at(6)).await.unwrap(), None, "a validation works once");

    assert!(store.issue_code(&key, code("second"), 3, at(10)).await.unwrap());
    assert_eq!(take("second", 611).await, None, "too late");
    assert!(store.issue_code(&key, code("third"), 3, at(700)).await.unwrap());
    assert_eq!(take("second", 701).await, None, "a new one replaces the one before");
    assert_eq!(take("third", 702).await.as_deref(), Some("ann@example.org"));
    store.set_code_owner(&key, owner).await.unwrap();
    assert_eq!(store.use_validation(&key, "here", at(702 + 601)).await.unwrap(), None, "the grant is revoked too");
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_and_requests_of_codes_are_limited() {
    let store = memory().await;
    let key = CodeKey::email(Uuid::new_v4());
    assert!(store.issue_code(&key, code("right"), 3, at(0)).await.unwrap());
    for _ in 0..5 {
        assert_eq!(store.take_code(&key, "wrong", "here", 5, TEN_MINUTES, at(1)).await.unwrap(), None);
    }
    assert_eq!(store.take_code(&key, "right", "here", 5, TEN_MINUTES, at(2)).await.unwrap(), None, "spent");
    assert!(store.issue_code(&key, code("right"), 3, at(1_800)).await.unwrap());
    assert!(store.issue_code(&key, code("right"), 3, at(1_900)).await.unwrap());
    assert!(!store.issue_code(&key, code("fourth"), 3, at(3_599)).await.unwrap());
    assert_eq!(
        store.take_code(&key, "right", "here", 5, TEN_MINUTES, at(2_000)).await.unwrap().as_deref(),
        Some("ann@example.org"),
        "a request too many leaves the code as it is"
    );
    assert!(store.issue_code(&key, code("right"), 3, at(3_601)).await.unwrap(), "the first was an hour ago");
    assert!(!store.issue_code(&key, code("right"), 3, at(3_602)).await.unwrap());
    assert!(store.issue_code(&CodeKey::email(Uuid::new_v4()), code("x"), 3, at(3_602)).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_guesses_are_all_counted() {
    let store = memory().await;
    let key = CodeKey::recovery("ann@example.org");
    store.issue_code(&key, code("right"), 3, at(0)).await.unwrap();
    let guesses = (0..12).map(|number| {
        let (store, key) = (store.clone(), key.clone());
        tokio::spawn(async move {
            store.take_code(&key, &format!("wrong {number}"), "here", 5, TEN_MINUTES, at(1)).await.unwrap()
        })
    });
    for guess in guesses.collect::<Vec<_>>() {
        assert_eq!(guess.await.unwrap(), None);
    }
    assert_eq!(store.take_code(&key, "right", "here", 5, TEN_MINUTES, at(2)).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_are_deleted_when_nothing_depends_on_them() {
    let store = memory().await;
    let key = CodeKey::recovery("ann@example.org");
    store.issue_code(&key, code("right"), 3, at(0)).await.unwrap();
    assert_eq!(store.purge_codes(at(3_599)).await.unwrap(), 0, "requests are counted for an hour");
    assert_eq!(store.purge_codes(at(3_600)).await.unwrap(), 1);
    assert_eq!(store.purge_codes(at(3_600)).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_calendar_is_connected_and_disconnected() {
    let store = memory().await;
    let user_id = Uuid::new_v4();
    assert_eq!(store.calendar_grant(user_id).await.unwrap(), None);
    let grant = CalendarGrant {
        user_id,
        access_token: "secret".to_owned(),
        refresh_token: Some("more secret".to_owned()),
        expires_at: at(3_600),
    };
    assert!(!format!("{grant:?}").contains("secret"));
    store.set_calendar_grant(grant.clone()).await.unwrap();
    let renewed = CalendarGrant { access_token: "newer".to_owned(), ..grant };
    store.set_calendar_grant(renewed.clone()).await.unwrap();
    assert_eq!(store.calendar_grant(user_id).await.unwrap(), Some(renewed));
    store.remove_calendar_grant(user_id).await.unwrap();
    assert_eq!(store.calendar_grant(user_id).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_removes_picture_and_calendar_and_stays_pending_until_done() {
    let store = memory().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    store.set_avatar(ann.id, Some(avatar("v1", &[64]))).await.unwrap();
    let grant = CalendarGrant {
        user_id: ann.id,
        access_token: "secret".to_owned(),
        refresh_token: None,
        expires_at: at(3_600),
    };
    store.set_calendar_grant(grant).await.unwrap();
    store.delete_user(ann.id, at(5)).await.unwrap();
    assert_eq!(store.avatar(ann.id, 64).await.unwrap_err(), StoreError::NotFound("image"));
    assert_eq!(store.calendar_grant(ann.id).await.unwrap(), None);
    assert_eq!(store.pending_deletions(10).await.unwrap(), [ann.id]);
    store.finish_deletion(ann.id).await.unwrap();
    assert!(store.pending_deletions(10).await.unwrap().is_empty());
    store.delete_user(ann.id, at(6)).await.unwrap();
    assert!(store.pending_deletions(10).await.unwrap().is_empty(), "it is deleted once");
}
