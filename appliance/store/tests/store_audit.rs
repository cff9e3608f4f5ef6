//! The audit trail: its order, its chain of hashes, and what tampering with it leaves.

mod common;

use std::path::Path;

use common::{at, audit, memory, raw_query};
use morpion_store::{AuditBreak, AuditCheck, AuditEntry, DatabaseUrl, OpenOptions, Store};
use tempfile::TempDir;
use uuid::Uuid;

fn entry(number: u32) -> AuditEntry {
    audit(Uuid::from_u128(number.into()), at(number.into()))
}

/// A closed store whose trail has `count` entries.
async fn written(count: u32) -> TempDir {
    let folder = TempDir::new().unwrap();
    let store = open(folder.path()).await;
    for number in 1..=count {
        store.append_audit(entry(number)).await.unwrap();
    }
    store.close().await.unwrap();
    folder
}

async fn open(folder: &Path) -> Store {
    Store::open(&DatabaseUrl::Folder(folder.join("db")), OpenOptions::default()).await.unwrap()
}

/// What checking finds after `tampering` with a trail of nine entries.
async fn after(tampering: &str) -> AuditCheck {
    let folder = written(9).await;
    raw_query(&folder.path().join("db"), tampering).await;
    let store = open(folder.path()).await;
    let check = store.check_audit().await.unwrap();
    store.close().await.unwrap();
    check
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_trail_is_read_newest_first_page_by_page() {
    let store = memory().await;
    for number in 1..=25 {
        store.append_audit(entry(number)).await.unwrap();
    }
    let (mut read, mut before) = (Vec::new(), None);
    loop {
        let page = store.audit_page(before, 10).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.seq);
        read.extend(page);
    }
    assert_eq!(
        read.iter().map(|record| record.entry.clone()).collect::<Vec<_>>(),
        (1..=25).rev().map(entry).collect::<Vec<_>>()
    );
    let (listed, total) = store.audit_entries(0, 100).await.unwrap();
    assert_eq!((&listed, total), (&read, 25));
    let mut oldest_first = store.audit_after(0, 20).await.unwrap();
    oldest_first.extend(store.audit_after(20, 20).await.unwrap());
    read.reverse();
    assert_eq!(oldest_first, read);
    for (number, pair) in (1..).zip(read.windows(2)) {
        assert_eq!((pair[0].seq, &pair[1].previous_hash), (number, &pair[0].hash));
    }
    let check = store.check_audit().await.unwrap();
    assert_eq!((check.entries, check.period, check.broken), (25, Some((at(1), at(25))), None));
    assert_eq!(check.head, read[24].hash);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_trail_is_in_order() {
    assert_eq!(memory().await.check_audit().await.unwrap(), AuditCheck::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hash_is_of_all_fields_with_their_lengths() {
    let store = memory().await;
    let entry = AuditEntry {
        actor: "é".to_owned(),
        action: "announce".to_owned(),
        target: "x".to_owned(),
        address: "::1".to_owned(),
        at: at(0),
        detail: serde_json::json!({ "message": "a\n1:b,'$audit" }),
        by: None,
    };
    store.append_audit(entry.clone()).await.unwrap();
    let record = store.audit_page(None, 1).await.unwrap().remove(0);
    assert_eq!(record.entry, entry);
    // Written down by hand, so that a changed form does not pass unnoticed.
    let text = format!(
        "15:morpion-audit-1,1:1,0:,36:{},19:1800000000000000000,2:é,8:announce,1:x,3:::1,{}:{}",
        record.id,
        entry.detail.to_string().len(),
        entry.detail
    );
    let digest = <sha2::Sha256 as sha2::Digest>::digest(text);
    assert_eq!(record.hash, digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    assert_eq!(store.check_audit().await.unwrap().broken, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_writes_at_once_make_one_chain() {
    let folder = TempDir::new().unwrap();
    let store = open(folder.path()).await;
    let writes: Vec<_> = (1..=100)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move { store.append_audit(entry(number)).await })
        })
        .collect();
    for write in writes {
        write.await.unwrap().unwrap();
    }
    let check = store.check_audit().await.unwrap();
    assert_eq!((check.entries, check.broken), (100, None));
    let mut targets: Vec<_> =
        store.audit_after(0, 100).await.unwrap().into_iter().map(|record| record.entry.target).collect();
    targets.sort();
    assert_eq!(targets, (1..=100).map(|number| entry(number).target).collect::<Vec<_>>());
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trail_of_several_pages_is_checked_to_its_end() {
    let folder = written(2_003).await;
    let store = open(folder.path()).await;
    let check = store.check_audit().await.unwrap();
    assert_eq!((check.entries, check.broken), (2_003, None));
    store.close().await.unwrap();
    raw_query(&folder.path().join("db"), "UPDATE audit:-2001 SET address = '192.0.2.66'").await;
    let store = open(folder.path()).await;
    let check = store.check_audit().await.unwrap();
    assert_eq!((check.entries, check.broken), (2_000, Some(AuditBreak::Changed)));
    store.close().await.unwrap();
}

/// Entry 5 with some of its fields changed, and its hash made again.
fn forged(fields: &str) -> String {
    format!(
        "LET $entry = object::extend((SELECT * OMIT id FROM ONLY audit:-5), {{ {fields} }}); \
         LET $text = ['morpion-audit-1', <string>$entry.seq, $entry.prev, <string>$entry.aid, \
            <string>time::nano($entry.at), $entry.actor, $entry.action, $entry.target, $entry.address, $entry.detail] \
            .map(|$part: string| <string>bytes::len(<bytes>$part) + ':' + $part).join(','); \
         LET $entry = object::extend($entry, {{ hash: crypto::sha256($text) }}); "
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn tampering_is_found_at_the_first_entry_that_is_not_as_written() {
    use AuditBreak::{Changed, Misplaced, WrongEnd};
    let forge = format!("{} UPSERT audit:-5 CONTENT $entry", forged("actor: 'token:nobody'"));
    let insert = format!(
        "{} FOR $seq IN [9, 8, 7, 6, 5] {{ \
            LET $moved = object::extend((SELECT * OMIT id FROM ONLY type::record('audit', -$seq)), {{ seq: $seq + 1 }}); \
            UPSERT type::record('audit', -$seq - 1) CONTENT $moved }}; \
         UPSERT audit:-5 CONTENT $entry",
        forged("action: 'grant_pro'")
    );
    let swap = "LET $five = (SELECT * OMIT id FROM ONLY audit:-5); LET $six = (SELECT * OMIT id FROM ONLY audit:-6); \
        UPSERT audit:-5 CONTENT $six; UPSERT audit:-6 CONTENT $five";
    let renumbered = "LET $five = (SELECT * OMIT id FROM ONLY audit:-5); LET $six = (SELECT * OMIT id FROM ONLY audit:-6); \
        UPSERT audit:-5 CONTENT object::extend($six, { seq: 5 }); UPSERT audit:-6 CONTENT object::extend($five, { seq: 6 })";
    for (tampering, in_order, broken) in [
        ("UPDATE audit:-5 SET actor = 'token:nobody'", 4, Changed),
        ("UPDATE audit:-5 SET action = 'set_event'", 4, Changed),
        ("UPDATE audit:-5 SET target = ''", 4, Changed),
        ("UPDATE audit:-5 SET address = 'shell'", 4, Changed),
        ("UPDATE audit:-5 SET at = at - 1ns", 4, Changed),
        ("UPDATE audit:-5 SET detail = 'null'", 4, Changed),
        ("UPDATE audit:-5 SET aid = rand::uuid()", 4, Changed),
        ("UPDATE audit:-5 SET hash = string::repeat('0', 64)", 4, Changed),
        ("UPDATE audit:-5 SET prev = string::repeat('0', 64)", 4, Misplaced),
        ("UPDATE audit:-5 SET seq = 6", 4, Misplaced),
        ("REMOVE FIELD actor ON audit; UPDATE audit:-5 SET actor = NONE", 4, Changed),
        // Text moved from one field to the next.
        ("UPDATE audit:-5 SET actor = 'token:loca', action = 'lset_admin'", 4, Changed),
        (forge.as_str(), 5, Misplaced),
        ("DELETE audit:-5", 4, Misplaced),
        ("DELETE audit:-1", 0, Misplaced),
        (swap, 4, Misplaced),
        (renumbered, 4, Misplaced),
        (insert.as_str(), 5, Misplaced),
        ("CREATE audit:0 CONTENT (SELECT * OMIT id FROM ONLY audit:-1)", 1, Misplaced),
        ("CREATE audit:another CONTENT (SELECT * OMIT id FROM ONLY audit:-1)", 1, Misplaced),
        ("CREATE audit:-99999 CONTENT (SELECT * OMIT id FROM ONLY audit:-9)", 9, Misplaced),
        ("DELETE audit:-9", 8, WrongEnd),
        ("DELETE audit", 0, WrongEnd),
        ("DELETE audit:-9; UPDATE audit_head:chain SET seq = 8", 8, WrongEnd),
        ("DELETE audit_head", 9, WrongEnd),
        ("UPDATE audit_head:chain SET hash = string::repeat('0', 64)", 9, WrongEnd),
        ("UPDATE audit_head:chain SET seq = 8", 9, WrongEnd),
    ] {
        let check = after(tampering).await;
        assert_eq!((check.entries, check.broken), (in_order, Some(broken)), "{tampering}");
    }
    assert_eq!(after("RETURN 1").await.broken, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_from_before_the_chain_are_chained_in_their_order() {
    let folder = written(0).await;
    // The table as it was, keyed by UUIDs with inverted bits: the newest has the smallest.
    let mut before = String::from(
        "DELETE migration WHERE number = 9; REMOVE FIELD seq ON audit; REMOVE FIELD prev ON audit; \
         REMOVE FIELD hash ON audit; REMOVE TABLE audit_head; REMOVE TABLE audit_export; REMOVE FUNCTION fn::audit;",
    );
    for number in 1..=30_u128 {
        let (id, key) = (Uuid::from_u128(number), Uuid::from_u128(!number));
        before += &format!(
            "CREATE audit:u'{key}' CONTENT {{ aid: u'{id}', at: d'2026-01-01T00:00:{number:02}.123456Z', actor: 'token:local', \
             action: 'set_admin', target: 'ü{number}', address: 'shell', detail: '{{\"isAdmin\":true}}' }};"
        );
    }
    raw_query(&folder.path().join("db"), &before).await;
    let store = open(folder.path()).await;
    let (entries, total) = store.audit_entries(0, 100).await.unwrap();
    assert_eq!(total, 30);
    let expected: Vec<_> = (1..=30_u128).rev().map(|number| (Uuid::from_u128(number), format!("ü{number}"))).collect();
    assert_eq!(entries.iter().map(|record| (record.id, record.entry.target.clone())).collect::<Vec<_>>(), expected);
    store.append_audit(entry(31)).await.unwrap();
    let check = store.check_audit().await.unwrap();
    assert_eq!((check.entries, check.broken), (31, None));
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_audited_write_and_its_entry_are_stored_together_or_not_at_all() {
    let store = memory().await;
    let ann = store.create_admin(common::account("Ann")).await.unwrap();
    let trail = async || store.check_audit().await.unwrap();
    assert_eq!(trail().await, AuditCheck::default(), "a handle without an entry writes none");
    let audited = || store.audited(entry(1));

    // Whatever the store refuses leaves no entry.
    assert!(audited().set_admin(ann.id, false).await.is_err(), "the last admin");
    assert!(audited().set_admin(Uuid::new_v4(), true).await.is_err());
    assert!(audited().set_password(Uuid::new_v4(), "hash", None).await.is_err());
    assert!(audited().create_admin(common::account("ann")).await.is_err());
    assert!(!audited().revoke_session(Uuid::new_v4()).await.unwrap());
    assert!(!audited().revoke_operator_token(Uuid::new_v4()).await.unwrap());
    audited().set_admin(ann.id, true).await.unwrap();
    assert_eq!(trail().await, AuditCheck::default(), "nothing was changed");

    let handle = audited();
    handle.set_password(ann.id, "new", None).await.unwrap();
    assert_eq!(trail().await.entries, 1);
    // The same transaction again, as after a commit whose outcome was not known.
    handle.set_password(ann.id, "new", None).await.unwrap();
    assert_eq!(trail().await.entries, 1);
    audited().set_password(ann.id, "newer", None).await.unwrap();
    assert_eq!((trail().await.entries, trail().await.broken), (2, None));

    // A write that has no place for an entry is refused, and not done without it.
    assert!(audited().touch_operator_token("none", at(0)).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_that_cannot_be_stored_takes_its_write_with_it() {
    let folder = TempDir::new().unwrap();
    let store = open(folder.path()).await;
    let ann = store.create_user(common::account("Ann")).await.unwrap();
    store.close().await.unwrap();
    raw_query(&folder.path().join("db"), "DEFINE FIELD OVERWRITE action ON audit TYPE string ASSERT $value = 'none'")
        .await;
    let store = open(folder.path()).await;
    assert!(store.audited(entry(1)).set_admin(ann.id, true).await.is_err());
    let check = store.check_audit().await.unwrap();
    assert_eq!((store.count_admins().await.unwrap(), check.entries, check.broken), (0, 0, None));
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_audited_changes_at_once_are_all_in_the_chain() {
    let folder = TempDir::new().unwrap();
    let store = open(folder.path()).await;
    let ann = store.create_user(common::account("Ann")).await.unwrap();
    let writes: Vec<_> = (1..=100)
        .map(|number| {
            let store = store.audited(entry(number));
            tokio::spawn(async move { store.set_password(ann.id, &format!("hash {number}"), None).await })
        })
        .collect();
    for write in writes {
        write.await.unwrap().unwrap();
    }
    let check = store.check_audit().await.unwrap();
    assert_eq!((check.entries, check.broken), (100, None));
    let last = store.audit_page(None, 1).await.unwrap().remove(0);
    let number = Uuid::parse_str(&last.entry.target).unwrap().as_u128();
    let user = store.user(ann.id).await.unwrap().unwrap();
    assert_eq!(user.password_hash, Some(format!("hash {number}")), "the last entry is of the last change");
    store.close().await.unwrap();
}
