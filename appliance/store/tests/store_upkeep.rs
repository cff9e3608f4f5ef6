//! Data besides accounts: pictures, codes, calendars, and pending deletions.

mod common;

use std::time::Duration;

use bytes::Bytes;
use common::{account, at, current, memory};
use morpion_store::{
    CalendarGrant, CodeAllowance, CodeAttempt, CodeKey, CodeRequest, CodeToTake, Credentials, HookEvent, LetterClass,
    NewAvatar, NewCode, ReportOutcome, ReportRow, Store, StoreError,
};
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

const EMAIL: &str = "ann@example.org";

fn code(hash: &str) -> NewCode {
    NewCode { hash: hash.to_owned(), email: EMAIL.to_owned(), lasts: TEN_MINUTES }
}

fn allowance(recipient: &str, device: Option<&str>) -> CodeAllowance {
    CodeAllowance {
        recipient: recipient.to_owned(),
        device: device.map(str::to_owned),
        tries_a_day: 20,
        first_wait: Duration::from_secs(60),
    }
}

/// Requests a code for anybody's allowance.
async fn issue(store: &Store, key: &CodeKey, hash: &str, seconds: i64) -> CodeRequest {
    store.issue_code(key, code(hash), 3, &allowance("ann", None), at(seconds)).await.unwrap()
}

async fn attempt(store: &Store, key: &CodeKey, hash: &str, whose: &CodeAllowance, seconds: i64) -> CodeAttempt {
    let attempt = CodeToTake { hash, email: EMAIL, validated_by: "here", most_tries: 5, lasts: TEN_MINUTES };
    store.take_code(key, attempt, whose, at(seconds)).await.unwrap()
}

/// Tries a code for anybody's allowance.
async fn take(store: &Store, key: &CodeKey, hash: &str, seconds: i64) -> CodeAttempt {
    attempt(store, key, hash, &allowance("ann", None), seconds).await
}

fn right() -> CodeAttempt {
    CodeAttempt::Right(EMAIL.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_works_once_before_it_expires_and_for_its_account() {
    let store = memory().await;
    let key = CodeKey::recovery("Ann@Example.org", "device");
    assert_eq!(take(&store, &key, "right", 0).await, CodeAttempt::Wrong, "no code was issued");
    assert_eq!(store.code_email(&key).await.unwrap(), None);
    assert_eq!(issue(&store, &CodeKey::recovery(EMAIL, "device"), "right", 0).await, CodeRequest::Issued);
    assert_eq!(store.code_email(&key).await.unwrap().as_deref(), Some(EMAIL));
    let owner = Credentials { user_id: Uuid::new_v4(), version: Some(Uuid::new_v4()) };
    store.set_code_owner(&key, owner).await.unwrap();
    assert_eq!(store.validation(&key, "here", at(1)).await.unwrap(), None, "nothing was validated yet");
    assert_eq!(take(&store, &key, "wrong", 1).await, CodeAttempt::Wrong);
    let elsewhere = CodeKey::recovery(EMAIL, "another device");
    assert_eq!(take(&store, &elsewhere, "right", 1).await, CodeAttempt::Wrong, "it belongs to one device");
    assert_eq!(take(&store, &key, "right", 2).await, right());
    assert_eq!(take(&store, &key, "right", 3).await, CodeAttempt::Wrong, "it works once");
    assert_eq!(store.validation(&key, "elsewhere", at(4)).await.unwrap(), None);
    assert_eq!(store.validation(&key, "here", at(5)).await.unwrap(), Some(owner));

    assert_eq!(issue(&store, &key, "second", 10).await, CodeRequest::Issued);
    assert_eq!(take(&store, &key, "second", 611).await, CodeAttempt::Wrong, "too late");
    assert_eq!(issue(&store, &key, "third", 700).await, CodeRequest::Issued);
    assert_eq!(take(&store, &key, "second", 701).await, CodeAttempt::Wrong, "a new one replaces the one before");
    assert_eq!(take(&store, &key, "third", 702).await, right());
    store.set_code_owner(&key, owner).await.unwrap();
    assert_eq!(store.validation(&key, "here", at(702 + 601)).await.unwrap(), None, "the grant expires too");
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_and_requests_of_codes_are_limited() {
    let store = memory().await;
    let key = CodeKey::email(Uuid::new_v4());
    assert_eq!(issue(&store, &key, "right", 0).await, CodeRequest::Issued);
    for _ in 0..5 {
        assert_eq!(take(&store, &key, "wrong", 1).await, CodeAttempt::Wrong);
    }
    assert_eq!(take(&store, &key, "right", 2).await, CodeAttempt::Wrong, "spent");
    assert_eq!(issue(&store, &key, "right", 1_800).await, CodeRequest::Issued);
    assert_eq!(issue(&store, &key, "right", 1_900).await, CodeRequest::Issued);
    assert_eq!(issue(&store, &key, "fourth", 3_599).await, CodeRequest::TooSoon);
    assert_eq!(take(&store, &key, "right", 2_000).await, right(), "a request too many leaves the code as it is");
    assert_eq!(issue(&store, &key, "right", 3_601).await, CodeRequest::Issued, "the first was an hour ago");
    assert_eq!(issue(&store, &key, "right", 3_602).await, CodeRequest::TooSoon);
    assert_eq!(issue(&store, &CodeKey::email(Uuid::new_v4()), "x", 3_602).await, CodeRequest::Issued);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_tries_of_a_day_count_across_accounts_and_devices() {
    const DAY: i64 = 86_400;
    let store = memory().await;
    // Every code is for another account: they are deleted and made again.
    for number in 0..20 {
        let key = CodeKey::email(Uuid::new_v4());
        let requested_by = allowance(&format!("requests {number}"), None);
        store.issue_code(&key, code("right"), 3, &requested_by, at(number)).await.unwrap();
        assert_eq!(take(&store, &key, "wrong", number).await, CodeAttempt::Wrong, "try {number}");
    }
    let key = CodeKey::recovery(EMAIL, "stranger");
    assert_eq!(issue(&store, &key, "right", 20).await, CodeRequest::Issued);
    assert_eq!(
        take(&store, &key, "right", 78).await,
        CodeAttempt::WaitUntil(at(19 + 60)),
        "a minute after the twentieth"
    );
    assert_eq!(take(&store, &key, "wrong", 79).await, CodeAttempt::Wrong);
    assert_eq!(take(&store, &key, "right", 80).await, CodeAttempt::WaitUntil(at(79 + 120)), "two after the next");
    let known = allowance("ann", Some("laptop"));
    let own = CodeKey::recovery(EMAIL, "laptop");
    store.issue_code(&own, code("right"), 3, &known, at(80)).await.unwrap();
    assert_eq!(attempt(&store, &own, "right", &known, 81).await, right(), "a known device has an allowance of its own");
    let mut now = 200;
    for number in 0..15 {
        let key = CodeKey::email(Uuid::new_v4());
        let requested_by = allowance(&format!("later requests {number}"), None);
        store.issue_code(&key, code("right"), 3, &requested_by, at(now)).await.unwrap();
        match take(&store, &key, "wrong", now).await {
            CodeAttempt::WaitUntil(until) => {
                assert!(until <= at(now + DAY), "a day at most");
                now = (until - at(0)).num_seconds();
            }
            attempt => assert_eq!(attempt, CodeAttempt::Wrong),
        }
    }
    assert_eq!(issue(&store, &key, "right", now + 2 * DAY).await, CodeRequest::Issued);
    assert_eq!(take(&store, &key, "right", now + 2 * DAY).await, right(), "the next day counts anew");
}

/// The n-th letter of a class to Ann today.
async fn letter(store: &Store, class: LetterClass, number: i64) -> bool {
    let device = match class {
        LetterClass::Code => None,
        LetterClass::OwnerCode => Some("laptop"),
        _ => return store.count_letter("ann", class, at(number)).await.unwrap(),
    };
    let key = CodeKey::email(Uuid::new_v4());
    match store.issue_code(&key, code("x"), 3, &allowance("ann", device), at(number)).await.unwrap() {
        CodeRequest::Issued => true,
        refused => {
            assert_eq!(refused, CodeRequest::NoLetterUntil(at(86_400)));
            false
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recipient_gets_ten_letters_a_day_and_each_class_has_its_own() {
    use LetterClass::{Code, Notice, Optional, OwnerCode, Undo};
    // Whoever begins gets what is in nobody's reserve, and leaves the others theirs.
    for (first, most) in [(Code, 5), (OwnerCode, 5), (Undo, 4), (Notice, 5), (Optional, 3)] {
        let store = memory().await;
        for number in 0..most {
            assert!(letter(&store, first, number).await, "{first:?} {number}");
        }
        assert!(!letter(&store, first, most).await, "{first:?}");
        let mut sent = most;
        for (other, reserve) in [(Code, 2), (OwnerCode, 2), (Undo, 1), (Notice, 2), (Optional, 0)] {
            if other != first {
                for _ in 0..reserve {
                    assert!(letter(&store, other, 20 + sent).await, "{other:?} after {first:?}");
                    sent += 1;
                }
                assert!(!letter(&store, other, 40).await, "{other:?} after {first:?}");
            }
        }
        assert_eq!(sent, 10);
        assert!(store.count_letter("bob", first, at(41)).await.unwrap(), "others get theirs");
        assert!(letter(&store, first, 86_401).await, "the next day");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn letters_at_once_are_all_counted() {
    let store = memory().await;
    let letters = (0..12).map(|number| {
        let store = store.clone();
        tokio::spawn(async move { letter(&store, LetterClass::Notice, number % 2).await })
    });
    let mut sent = 0;
    for letter in letters.collect::<Vec<_>>() {
        sent += u32::from(letter.await.unwrap());
    }
    assert_eq!(sent, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_guesses_are_all_counted() {
    let store = memory().await;
    let key = CodeKey::recovery(EMAIL, "device");
    issue(&store, &key, "right", 0).await;
    let guesses = (0..12).map(|number| {
        let (store, key) = (store.clone(), key.clone());
        tokio::spawn(async move { take(&store, &key, &format!("wrong {number}"), 1).await })
    });
    for guess in guesses.collect::<Vec<_>>() {
        assert_eq!(guess.await.unwrap(), CodeAttempt::Wrong);
    }
    assert_eq!(take(&store, &key, "right", 2).await, CodeAttempt::Wrong);
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_are_deleted_when_nothing_depends_on_them() {
    let store = memory().await;
    issue(&store, &CodeKey::recovery(EMAIL, "device"), "right", 0).await;
    assert_eq!(store.purge_codes(at(3_599)).await.unwrap(), 0, "requests are counted for an hour");
    assert_eq!(store.purge_codes(at(3_600)).await.unwrap(), 1);
    assert_eq!(store.purge_codes(at(3_600)).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_calendar_is_connected_and_disconnected() {
    let store = memory().await;
    let user_id = store.create_user(account("ann")).await.unwrap().id;
    assert_eq!(store.calendar_grant(user_id).await.unwrap(), None);
    let grant = CalendarGrant {
        user_id,
        access_token: "secret".to_owned(),
        refresh_token: Some("more secret".to_owned()),
        expires_at: at(3_600),
    };
    assert!(!format!("{grant:?}").contains("secret"));
    store.set_calendar_grant(current(&store, grant.user_id).await, grant.clone()).await.unwrap();
    let renewed = CalendarGrant { access_token: "newer".to_owned(), ..grant.clone() };
    store.renew_calendar_grant(&grant, renewed.clone()).await.unwrap();
    assert_eq!(store.calendar_grant(user_id).await.unwrap().as_ref(), Some(&renewed));
    // Not what another renewal, or another owner, put in its place.
    store.remove_calendar_grant(&grant).await.unwrap();
    store.renew_calendar_grant(&grant, grant.clone()).await.unwrap();
    assert_eq!(store.calendar_grant(user_id).await.unwrap(), Some(renewed.clone()));
    store.remove_calendar_grant(&renewed).await.unwrap();
    let late = CalendarGrant { access_token: "late".to_owned(), ..renewed.clone() };
    store.renew_calendar_grant(&renewed, late).await.unwrap();
    assert_eq!(store.calendar_grant(user_id).await.unwrap(), None, "disconnected meanwhile");
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
    store.set_calendar_grant(current(&store, grant.user_id).await, grant).await.unwrap();
    store.delete_user(ann.id, at(5)).await.unwrap();
    assert_eq!(store.avatar(ann.id, 64).await.unwrap_err(), StoreError::NotFound("image"));
    assert_eq!(store.calendar_grant(ann.id).await.unwrap(), None);
    assert_eq!(store.pending_deletions(10).await.unwrap(), [ann.id]);
    store.finish_deletion(ann.id).await.unwrap();
    assert!(store.pending_deletions(10).await.unwrap().is_empty());
    store.delete_user(ann.id, at(6)).await.unwrap();
    assert!(store.pending_deletions(10).await.unwrap().is_empty(), "it is deleted once");
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_at_once_are_counted_one_by_one() {
    let store = memory().await;
    let reporter = Uuid::new_v4();
    let report = |number: usize| ReportRow {
        id: Uuid::new_v4(),
        at: at(0),
        reporter,
        subject: Uuid::new_v4(),
        kind: "name".to_owned(),
        text: number.to_string(),
        game: None,
        username: "ann".to_owned(),
        display_name: "Ann".to_owned(),
        picture_type: None,
        picture: None,
        is_open: true,
        outcome: None,
        note: None,
        closed_by: None,
        closed_at: None,
    };
    let opened = |report: &ReportRow| HookEvent {
        id: report.id,
        kind: "report.opened".to_owned(),
        at: report.at,
        payload: "{}".to_owned(),
    };
    // One at the same moment before, which the record of the reporter has already.
    assert_eq!(store.add_report(report(16), 11, opened(&report(16))).await.unwrap(), ReportOutcome::Stored);
    let mut made = tokio::task::JoinSet::new();
    for number in 0..16 {
        let (store, report) = (store.clone(), report(number));
        let happened = opened(&report);
        made.spawn(async move { store.add_report(report, 11, happened).await.unwrap() });
    }
    let outcomes = made.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == ReportOutcome::Stored).count(), 10);
}
