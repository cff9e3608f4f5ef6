//! Accounts: uniqueness, ownership of emails, search, deletion.

mod common;

use std::collections::HashSet;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use common::{account, at, current, memory, on_disk};
use morpion_store::{
    AdminClaim, DatabaseUrl, NewSession, NewUser, OpenOptions, ProfileChange, ProviderLink, Rename, Store, StoreError,
    Unique,
};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

fn link(sub: &str) -> ProviderLink {
    ProviderLink { iss: "https://issuer.example".to_owned(), sub: sub.to_owned() }
}

async fn names(store: &Store, text: &str, limit: usize) -> Vec<String> {
    store.search_users(text, limit).await.unwrap().into_iter().map(|user| user.username).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_comes_back_as_it_was_stored() {
    let store = memory().await;
    let new = NewUser { provider: Some(link("s1")), email_verified: true, ..account("Ann_1") };
    let made = store.create_user(new.clone()).await.unwrap();
    assert_eq!((made.id, made.username.as_str(), made.created_at), (new.id, "Ann_1", at(0)));
    let same = Some(made);
    assert_eq!(store.user(new.id).await.unwrap(), same);
    assert_eq!(store.user_by_username("aNN_1").await.unwrap(), same);
    assert_eq!(store.user_by_verified_email("ann_1@EXAMPLE.org").await.unwrap(), same);
    assert_eq!(store.user_by_provider(&link("s1")).await.unwrap(), same);
    assert_eq!(store.users(&[new.id, Uuid::new_v4()]).await.unwrap().len(), 1);
    assert_eq!(store.user(Uuid::new_v4()).await.unwrap(), None);
    assert_eq!(store.user_by_username("nobody").await.unwrap(), None);
    assert_eq!(store.user_by_provider(&link("s2")).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn violated_uniqueness_is_named_and_leaves_nothing_behind() {
    let store = memory().await;
    let first = NewUser { provider: Some(link("s1")), email_verified: true, ..account("ann") };
    store.create_user(first.clone()).await.unwrap();
    let username = NewUser { email: None, ..account("ANN") };
    let email = NewUser { email: first.email.clone(), email_verified: true, ..account("bob") };
    let provider = NewUser { provider: Some(link("s1")), ..account("cid") };
    let id = NewUser { id: first.id, ..account("dan") };
    for (new, what) in
        [(username, Unique::Username), (email, Unique::Email), (provider, Unique::Provider), (id, Unique::Id)]
    {
        let name = new.username.clone();
        assert_eq!(store.create_user(new).await.unwrap_err(), StoreError::Taken(what));
        assert!(name == "ANN" || store.user_by_username(&name).await.unwrap().is_none(), "{name} was left behind");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_concurrent_sign_ups_exactly_one_gets_the_username() {
    for store in [memory().await, common::on_disk().await.1] {
        let tries: Vec<_> = (0..50)
            .map(|_| {
                let store = store.clone();
                tokio::spawn(async move { store.create_user(account("Contested")).await })
            })
            .collect();
        let mut made = 0;
        for attempt in tries {
            match attempt.await.unwrap() {
                Ok(_) => made += 1,
                Err(error) => assert_eq!(error, StoreError::Taken(Unique::Username)),
            }
        }
        assert_eq!(made, 1);
        assert_eq!(store.list_users(None, 100).await.unwrap().len(), 1);
        store.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_concurrent_attempts_exactly_one_verifies_an_email() {
    let store = memory().await;
    let made: Vec<_> = (0..10)
        .map(|number| {
            let store = store.clone();
            let new = NewUser { email: Some("Shared@example.org".to_owned()), ..account(&format!("user{number}")) };
            tokio::spawn(async move { store.create_user(new).await.unwrap() })
        })
        .collect();
    let mut ids = Vec::new();
    for user in made {
        let user = user.await.unwrap();
        assert_eq!(store.user(user.id).await.unwrap().as_ref(), Some(&user));
        ids.push(user.id);
    }
    let found = store.users_by_email("shared@example.org").await.unwrap();
    assert_eq!(found.len(), 1, "one claims an email");
    let tries: Vec<_> = ids
        .into_iter()
        .map(|id| {
            let store = store.clone();
            tokio::spawn(async move {
                store.verify_email(current(&store, id).await, "shared@example.org").await.map(|_| id)
            })
        })
        .collect();
    let mut owners = Vec::new();
    for attempt in tries {
        match attempt.await.unwrap() {
            Ok(id) => owners.push(id),
            Err(error) => assert_eq!(error, StoreError::Taken(Unique::Email)),
        }
    }
    assert_eq!(owners.len(), 1);
    let found = store.users_by_email("SHARED@example.org").await.unwrap();
    assert_eq!(found.iter().map(|user| user.id).collect::<Vec<_>>(), owners);
    assert!(found[0].email_verified);
    // Whoever only claimed it loses it; the others are not found by it.
    let all = store.list_users(None, 100).await.unwrap();
    assert!(all.iter().filter(|user| user.email.is_none()).count() <= 1);
    assert_eq!(all.iter().filter(|user| user.email_verified).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_at_once_are_counted_one_by_one() {
    let store = memory().await;
    let blocker = Uuid::new_v4();
    // One at the same moment before, which the record of the blocker has already.
    assert!(store.block(blocker, Uuid::new_v4(), 10, at(0)).await.unwrap());
    let mut made = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let store = store.clone();
        made.spawn(async move { store.block(blocker, Uuid::new_v4(), 10, at(0)).await.unwrap() });
    }
    assert_eq!(made.join_all().await.into_iter().filter(|is_made| *is_made).count(), 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unverified_email_reserves_nothing() {
    let store = memory().await;
    let email = Some("ann@example.org".to_owned());
    let squatter = store.create_user(NewUser { email: email.clone(), ..account("squatter") }).await.unwrap();
    let owner = store.create_user(NewUser { email, email_verified: true, ..account("owner") }).await.unwrap();
    let found = store.users_by_email("Ann@example.org").await.unwrap();
    assert_eq!(found, std::slice::from_ref(&owner));
    assert_eq!(
        store.verify_email(current(&store, squatter.id).await, "ann@example.org").await.unwrap_err(),
        StoreError::Taken(Unique::Email)
    );
    // Verifying the own email again is no error; changing it releases the old one.
    store.verify_email(current(&store, owner.id).await, "ann@example.org").await.unwrap();
    let other = store.create_user(account("other")).await.unwrap();
    for taken in ["other@example.org", "ann@example.org"] {
        store.claim_email(current(&store, squatter.id).await, taken).await.unwrap();
        let found = store.user_by_email(taken).await.unwrap().unwrap();
        assert_ne!(found.id, squatter.id, "another account claims or has verified {taken}");
    }
    store.delete_user(other.id, at(1)).await.unwrap();
    store.claim_email(current(&store, squatter.id).await, "other@example.org").await.unwrap();
    assert_eq!(store.user_by_email("OTHER@example.org").await.unwrap().unwrap().id, squatter.id);
    store.claim_email(current(&store, owner.id).await, "new@example.org").await.unwrap();
    assert!(!store.user(owner.id).await.unwrap().unwrap().email_verified);
    store.verify_email(current(&store, squatter.id).await, "ann@example.org").await.unwrap();
    store.verify_email(current(&store, owner.id).await, "new@example.org").await.unwrap();
    store.verify_email(current(&store, owner.id).await, "third@example.org").await.unwrap();
    assert_eq!(store.user_by_verified_email("new@example.org").await.unwrap(), None);
    assert_eq!(store.user_by_verified_email("third@example.org").await.unwrap().unwrap().id, owner.id);
}

const DAY: TimeDelta = TimeDelta::days(1);

fn renamed(username: &str, now: DateTime<Utc>) -> ProfileChange {
    ProfileChange {
        username: Some(Rename { username: username.to_owned(), now, not_since: now - DAY, kept_until: now + DAY * 3 }),
        ..ProfileChange::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_changes_field_by_field_and_the_old_username_is_kept_for_its_owner() {
    let store = memory().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    let bob = store.create_user(account("bob")).await.unwrap();
    let changed = store.update_profile(ann.id, renamed("Anna", at(0))).await.unwrap();
    assert_eq!((changed.username.as_str(), changed.display_name.as_str()), ("Anna", "ann Display"));
    assert_eq!(store.user_by_username("anna").await.unwrap(), Some(changed.clone()));
    assert_eq!(store.user_by_username("ann").await.unwrap(), None);
    // The old name redirects to its owner and stays reserved for a while.
    assert_eq!(store.user_by_name("ANN", at(60)).await.unwrap(), Some(changed.clone()));
    assert_eq!(store.user_by_name("Anna", at(60)).await.unwrap(), Some(changed));
    let later = at(0) + DAY * 3;
    assert_eq!(store.user_by_name("ann", later).await.unwrap(), None);
    for taken in ["ANNA", "ann"] {
        let refused = store.update_profile(bob.id, renamed(taken, at(1))).await.unwrap_err();
        assert_eq!(refused, StoreError::Taken(Unique::Username), "{taken}");
    }
    let new = NewUser { username: "Ann".to_owned(), created_at: at(1), ..account("new") };
    assert_eq!(store.create_user(new.clone()).await.unwrap_err(), StoreError::Taken(Unique::Username));
    assert_eq!(store.update_profile(ann.id, renamed("other", at(2))).await.unwrap_err(), StoreError::TooSoon);
    store.update_profile(ann.id, renamed("ANNA", at(3))).await.unwrap();
    // The owner can take it back; then the other name is reserved.
    let back = store.update_profile(ann.id, renamed("ann", at(0) + DAY * 2)).await.unwrap();
    assert_eq!(store.user_by_name("anna", at(0) + DAY * 2).await.unwrap(), Some(back));
    store.purge_former_names(at(0) + DAY * 9).await.unwrap();
    store.create_user(NewUser { username: "anna".to_owned(), created_at: at(4), ..new }).await.unwrap();
    let names_only = ProfileChange {
        display_name: Some("Bobby Tables".to_owned()),
        first_name: Some("Robert".to_owned()),
        ..ProfileChange::default()
    };
    let changed = store.update_profile(bob.id, names_only).await.unwrap();
    assert_eq!(
        (changed.username.as_str(), changed.first_name.as_str(), changed.last_name.as_str()),
        ("bob", "Robert", "Last")
    );
    assert_eq!(names(&store, "tables", 10).await, ["bob"]);
    // A change of case alone keeps the name.
    assert_eq!(store.update_profile(bob.id, renamed("BOB", at(0))).await.unwrap().username, "BOB");
    assert_eq!(
        store.update_profile(Uuid::new_v4(), ProfileChange::default()).await.unwrap_err(),
        StoreError::NotFound("user")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn single_fields_can_be_set() {
    let store = memory().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    store.set_password(ann.id, "$argon2id$new", None).await.unwrap();
    store.touch_user(ann.id, at(60)).await.unwrap();
    let stored = store.user(ann.id).await.unwrap().unwrap();
    assert_eq!(stored.password_hash.as_deref(), Some("$argon2id$new"));
    assert_eq!(stored.last_seen_at, at(60));
    assert_eq!(store.set_password(Uuid::new_v4(), "x", None).await.unwrap_err(), StoreError::NotFound("user"));
}

#[tokio::test(flavor = "multi_thread")]
async fn providers_are_linked_once() {
    let store = memory().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    let bob = store.create_user(account("bob")).await.unwrap();
    store.link_provider(current(&store, ann.id).await, link("s1")).await.unwrap();
    store.link_provider(current(&store, ann.id).await, link("s1")).await.unwrap();
    store.link_provider(current(&store, ann.id).await, link("s2")).await.unwrap();
    assert_eq!(store.user(ann.id).await.unwrap().unwrap().providers, [link("s1"), link("s2")]);
    assert_eq!(
        store.link_provider(current(&store, bob.id).await, link("s2")).await.unwrap_err(),
        StoreError::Taken(Unique::Provider)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_admin_count_is_correct_under_concurrency() {
    let store = memory().await;
    assert_eq!(store.count_admins().await.unwrap(), 0);
    let mut ids = Vec::new();
    for number in 0..8 {
        ids.push(store.create_user(account(&format!("user{number}"))).await.unwrap().id);
    }
    // Each is promoted twice concurrently.
    let tries: Vec<_> = ids
        .iter()
        .chain(&ids)
        .map(|id| {
            let (store, id) = (store.clone(), *id);
            tokio::spawn(async move { store.set_admin(id, true).await.unwrap() })
        })
        .collect();
    for attempt in tries {
        attempt.await.unwrap();
    }
    assert_eq!(store.count_admins().await.unwrap(), 8);
    assert_eq!(store.admins().await.unwrap().len(), 8);
    assert_eq!(store.set_admin(ids[0], false).await.unwrap(), 7);
    assert_eq!(store.set_admin(ids[0], false).await.unwrap(), 7);
    store.delete_user(ids[1], at(1)).await.unwrap();
    assert_eq!(store.count_admins().await.unwrap(), 6);
    assert_eq!(store.set_admin(ids[1], true).await.unwrap_err(), StoreError::NotFound("user"));
}

#[tokio::test(flavor = "multi_thread")]
async fn admin_rights_by_a_claim_are_apart_from_those_of_who_was_promoted() {
    let store = memory().await;
    let boss = store.create_user(account("boss")).await.unwrap().id;
    let ann = store.create_user(account("ann")).await.unwrap().id;
    store.set_admin(boss, true).await.unwrap();
    let claim = |hours| AdminClaim {
        iss: "https://id.example.org".to_owned(),
        group: "board".to_owned(),
        since: at(0),
        until: at(hours),
    };
    let stale = current(&store, ann).await;
    let after = store.grant_by_claim(stale, claim(24)).await.unwrap();
    assert_eq!(after, current(&store, ann).await);
    let user = store.user(ann).await.unwrap().unwrap();
    assert_eq!((user.is_admin, user.admin_claim), (true, Some(claim(24))));
    assert_eq!((store.count_admins().await.unwrap(), store.admins().await.unwrap().len()), (1, 2));
    assert_eq!(store.set_admin(boss, false).await.unwrap_err(), StoreError::LastAdmin, "a claim ends by itself");
    assert_eq!(store.grant_by_claim(stale, claim(25)).await.unwrap_err(), StoreError::CredentialsChanged);
    let promoted = current(&store, boss).await;
    assert_eq!(store.grant_by_claim(promoted, claim(24)).await.unwrap_err(), StoreError::CredentialsChanged);

    // It is renewed, and what was seen before does not end it.
    store.grant_by_claim(after, claim(26)).await.unwrap();
    store.end_admin_claim(ann, claim(24), true).await.unwrap();
    assert_eq!(store.user(ann).await.unwrap().unwrap().admin_claim, Some(claim(26)));
    let before = store.user(ann).await.unwrap().unwrap();
    store.end_admin_claim(ann, claim(26), false).await.unwrap();
    let ended = store.user(ann).await.unwrap().unwrap();
    assert_eq!((ended.is_admin, &ended.admin_claim, ended.session_version), (false, &None, before.session_version));
    store.grant_by_claim(ended.credentials(), claim(27)).await.unwrap();
    store.end_admin_claim(ann, claim(27), true).await.unwrap();
    let ended = store.user(ann).await.unwrap().unwrap();
    assert!(!ended.is_admin && ended.session_version != before.session_version);

    // Promoted they are counted, and a claim ends uncounted.
    store.grant_by_claim(ended.credentials(), claim(28)).await.unwrap();
    assert_eq!(store.set_admin(ann, true).await.unwrap(), 2);
    assert_eq!(store.user(ann).await.unwrap().unwrap().admin_claim, None);
    assert_eq!(store.set_admin(ann, false).await.unwrap(), 1);
    store.grant_by_claim(current(&store, ann).await, claim(29)).await.unwrap();
    assert_eq!(store.set_admin(ann, false).await.unwrap(), 1);
    store.grant_by_claim(current(&store, ann).await, claim(30)).await.unwrap();
    store.delete_user(ann, at(1)).await.unwrap();
    assert_eq!(store.count_admins().await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_admin_is_left_when_all_go_at_once() {
    let store = memory().await;
    let mut attempts = Vec::new();
    for number in 0..8 {
        let id = store.create_user(account(&format!("user{number}"))).await.unwrap().id;
        store.set_admin(id, true).await.unwrap();
        attempts.push(id);
    }
    let attempts: Vec<_> = attempts
        .into_iter()
        .enumerate()
        .map(|(number, id)| {
            let store = store.clone();
            tokio::spawn(async move {
                if number % 2 == 0 {
                    store.set_admin(id, false).await.map(drop)
                } else {
                    store.delete_user(id, at(1)).await.map(drop)
                }
            })
        })
        .collect();
    let mut refused = Vec::new();
    for attempt in attempts {
        refused.extend(attempt.await.unwrap().err());
    }
    assert_eq!(refused, [StoreError::LastAdmin]);
    assert_eq!(store.count_admins().await.unwrap(), 1);
    assert_eq!(store.admins().await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_finds_prefixes_then_substrings_but_no_guests_or_emails() {
    let store = memory().await;
    for (username, display) in
        [("marie", "Zoe"), ("zed", "Mary Ann"), ("rosemary", "Rose"), ("omar", "Omar"), ("bob", "Bob Gamma")]
    {
        let new = NewUser { display_name: display.to_owned(), ..account(username) };
        store.create_user(new).await.unwrap();
    }
    let guest = NewUser { is_temp: true, email: None, ..account("mario") };
    store.create_user(guest).await.unwrap();
    let found = names(&store, " MAR ", 10).await;
    assert_eq!(found[..2], ["marie", "zed"], "beginnings of usernames, then of display names");
    assert_eq!(found[2..].iter().map(String::as_str).collect::<HashSet<_>>(), HashSet::from(["rosemary", "omar"]));
    assert_eq!(names(&store, "mar", 1).await, ["marie"]);
    assert_eq!(names(&store, "gamma", 10).await, ["bob"]);
    for nothing in ["", "  ", "example.org", "mario", "%", "xyz"] {
        assert!(names(&store, nothing, 10).await.is_empty(), "{nothing:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_sees_what_changed_since_the_names_were_read() {
    let store = memory().await;
    let ann = store.create_user(account("rosann")).await.unwrap();
    let guest = NewUser { is_temp: true, email: None, password_hash: None, ..account("guest_7") };
    let guest = store.create_user(guest).await.unwrap();
    assert_eq!(names(&store, "ann", 10).await, ["rosann"]);
    store.update_profile(ann.id, renamed("rosemarie", at(0))).await.unwrap();
    store
        .update_profile(ann.id, ProfileChange { display_name: Some("Rose".to_owned()), ..ProfileChange::default() })
        .await
        .unwrap();
    assert!(names(&store, "ann", 10).await.is_empty());
    assert_eq!(names(&store, "marie", 10).await, ["rosemarie"]);
    store.promote_guest(current(&store, guest.id).await, account("hannah")).await.unwrap();
    assert_eq!(names(&store, "ann", 10).await, ["hannah"]);
    for number in 0..250 {
        store.create_user(account(&format!("bob{number:03}"))).await.unwrap();
    }
    assert_eq!(names(&store, "ob249", 10).await, ["bob249"]);
    assert_eq!(names(&store, "ann", 10).await, ["hannah"]);
    store.delete_user(guest.id, at(5)).await.unwrap();
    assert!(names(&store, "ann", 10).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_page_through_accounts_by_username() {
    let store = memory().await;
    for username in ["delta", "Alpha", "charlie", "bravo"] {
        store.create_user(account(username)).await.unwrap();
    }
    let usernames = |users: Vec<morpion_store::User>| users.into_iter().map(|user| user.username).collect::<Vec<_>>();
    assert_eq!(usernames(store.list_users(None, 3).await.unwrap()), ["Alpha", "bravo", "charlie"]);
    assert_eq!(usernames(store.list_users(Some("Charlie"), 3).await.unwrap()), ["delta"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_becomes_an_account_and_keeps_its_id() {
    let store = memory().await;
    let guest = NewUser { is_temp: true, email: None, password_hash: None, ..account("guest_7") };
    let guest = store.create_user(guest).await.unwrap();
    assert_eq!(store.guests_unseen_since(at(1), 10).await.unwrap(), std::slice::from_ref(&guest));
    assert!(store.guests_unseen_since(at(0), 10).await.unwrap().is_empty());
    store.create_user(account("taken")).await.unwrap();
    let seen = current(&store, guest.id).await;
    assert_eq!(store.promote_guest(seen, account("Taken")).await.unwrap_err(), StoreError::Taken(Unique::Username));
    let ann = store.promote_guest(seen, account("ann")).await.unwrap();
    assert_eq!((ann.id, ann.is_temp, ann.email.as_deref()), (guest.id, false, Some("ann@Example.org")));
    assert_eq!(store.user_by_username("guest_7").await.unwrap(), None);
    assert_eq!(names(&store, "ann", 10).await, ["ann"]);
    assert_eq!(store.users_by_email("ann@example.org").await.unwrap(), std::slice::from_ref(&ann));
    assert_eq!(store.promote_guest(ann.credentials(), account("x")).await.unwrap_err(), StoreError::NotFound("user"));
    assert!(store.guests_unseen_since(at(1), 10).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_leaves_a_tombstone_and_frees_its_names() {
    let store = memory().await;
    let new = NewUser { provider: Some(link("s1")), email_verified: true, ..account("ann") };
    let ann = store.create_user(new.clone()).await.unwrap();
    let session = NewSession {
        hash: "h1".to_owned(),
        credentials: ann.credentials(),
        created_at: at(0),
        expires_at: at(100),
        ends_at: at(1000),
        user_agent: String::new(),
        address: String::new(),
        device: String::new(),
    };
    let (session, _) = store.insert_session(session).await.unwrap();
    store.remember_device(ann.credentials(), "d1", at(0)).await.unwrap();

    store.delete_user(ann.id, at(5)).await.unwrap();
    store.delete_user(ann.id, at(6)).await.unwrap();
    assert_eq!(store.ended_sessions_of(ann.id).await.unwrap(), [session.sid]);
    let tombstone = store.user(ann.id).await.unwrap().unwrap();
    assert_eq!(tombstone.display_name, "Deleted player");
    assert_eq!(tombstone.deleted_at, Some(at(5)));
    assert_eq!((tombstone.email, tombstone.password_hash, tombstone.first_name.as_str()), (None, None, ""));
    assert_eq!(store.session("h1", at(1)).await.unwrap(), None);
    assert!(!store.is_known_device(ann.id, "d1").await.unwrap());
    for text in ["ann", "deleted"] {
        assert!(names(&store, text, 10).await.is_empty(), "{text}");
    }
    assert_eq!(store.set_password(ann.id, "x", None).await.unwrap_err(), StoreError::NotFound("user"));
    assert_eq!(
        store.verify_email(current(&store, ann.id).await, "a@b.c").await.unwrap_err(),
        StoreError::NotFound("user")
    );
    assert_eq!(store.user_by_verified_email("a@b.c").await.unwrap(), None);
    assert_eq!(store.delete_user(Uuid::new_v4(), at(5)).await.unwrap_err(), StoreError::NotFound("user"));
    // Its username, email and identities are free again.
    store.create_user(NewUser { id: Uuid::new_v4(), ..new }).await.unwrap();
}

/// Who blocks nobody is known without a query for each person, also after a start.
#[tokio::test(flavor = "multi_thread")]
async fn who_blocks_nobody_is_not_asked_about() {
    let (folder, store) = on_disk().await;
    let [ann, bob, cleo] = ["ann", "bob", "cleo"].map(account);
    let ids = [ann.id, bob.id, cleo.id];
    for user in [ann, bob, cleo] {
        store.create_user(user).await.unwrap();
    }
    let [ann, bob, cleo] = ids;
    let nobody_blocks = async |store: &Store, people: &[Uuid]| {
        let before = store.entries_read();
        for person in people {
            assert!(!store.is_blocked(*person, cleo).await.unwrap());
        }
        assert_eq!(store.entries_read(), before);
    };
    assert!(!store.is_blocked(ann, cleo).await.unwrap());
    nobody_blocks(&store, &[ann, bob]).await;
    assert!(store.block(ann, cleo, 10, at(0)).await.unwrap());
    assert!(store.is_blocked(ann, cleo).await.unwrap());
    store.close().await.unwrap();

    let store = Store::open(&DatabaseUrl::Folder(folder.path().join("db")), OpenOptions::default()).await.unwrap();
    assert!(store.is_blocked(ann, cleo).await.unwrap());
    nobody_blocks(&store, &[bob, cleo]).await;
    store.unblock(ann, cleo).await.unwrap();
    assert!(!store.is_blocked(ann, cleo).await.unwrap());
}

/// Whether somebody is blocked is asked for every game, and known without a query until blocks change.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_of_blocks_ends_with_their_changes() {
    let (_folder, store) = on_disk().await;
    let mut ids = vec![];
    for name in ["ann", "bob", "cleo"] {
        let user = account(name);
        ids.push(user.id);
        store.create_user(user).await.unwrap();
    }
    let [ann, bob, cleo] = ids[..] else { panic!() };
    let known = async || [store.is_blocked(ann, bob).await.unwrap(), store.is_blocked(ann, cleo).await.unwrap()];
    assert_eq!(known().await, [false, false]);
    assert!(store.block(ann, bob, 10, at(0)).await.unwrap());
    assert_eq!(known().await, [true, false]);
    let before = store.entries_read();
    assert_eq!(known().await, [true, false]);
    assert_eq!(store.entries_read(), before, "nothing is read");
    assert!(store.block(ann, cleo, 10, at(1)).await.unwrap());
    assert_eq!(known().await, [true, true]);
    // Nobody else is asked about again.
    assert!(!store.is_blocked(bob, ann).await.unwrap());
    store.unblock(ann, bob).await.unwrap();
    let before = store.entries_read();
    assert!(!store.is_blocked(bob, ann).await.unwrap());
    assert_eq!(store.entries_read(), before, "whom bob blocks is known");
    assert_eq!(known().await, [false, true]);
    store.delete_user(cleo, at(2)).await.unwrap();
    assert_eq!(known().await, [false, false]);

    // Many read while one changes.
    for round in 0..20 {
        let mut reads = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let store = store.clone();
            reads.spawn(async move { store.is_blocked(ann, bob).await.unwrap() });
        }
        let change = async {
            match round % 2 {
                0 => _ = store.block(ann, bob, 10, at(3)).await.unwrap(),
                _ => store.unblock(ann, bob).await.unwrap(),
            }
        };
        tokio::join!(change, reads.join_all());
        assert_eq!(store.is_blocked(ann, bob).await.unwrap(), round % 2 == 0, "round {round}");
    }

    // One whose caller gives up goes on, and is noticed.
    timeout(Duration::ZERO, store.block(ann, bob, 10, at(4))).await.ok();
    let is_noticed = async {
        while !store.is_blocked(ann, bob).await.unwrap() {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(10), is_noticed).await.expect("it is stored");
}
