//! Sessions, devices, operator tokens and the setup link.

mod common;

use std::time::Duration;

use common::{account, at, current, memory};
use morpion_store::{
    CalendarGrant, CodeAllowance, CodeAttempt, CodeKey, CodeToTake, Credentials, EmailUndo, NewCode, NewOperatorToken,
    NewPasskey, NewPasswordLink, NewPersonalToken, NewSession, NewSignIn, PasskeyRow, ProviderLink, Recovery, Session,
    Store, StoreError, Suspension,
};
use uuid::Uuid;

const DAY: i64 = 86_400;
const IDLE: Duration = Duration::from_secs(30 * DAY as u64);

fn session(hash: &str, credentials: Credentials) -> NewSession {
    NewSession {
        hash: hash.to_owned(),
        credentials,
        created_at: at(0),
        expires_at: at(30 * DAY),
        ends_at: at(90 * DAY),
        user_agent: "Firefox/140".to_owned(),
        address: "192.0.2.1".to_owned(),
        device: "Firefox on Linux".to_owned(),
    }
}

/// A new account's id.
async fn fresh(store: &Store, username: &str) -> Uuid {
    store.create_user(account(username)).await.unwrap().id
}

async fn begun(store: &Store, hash: &str, user_id: Uuid) -> Session {
    store.insert_session(session(hash, current(store, user_id).await)).await.unwrap().0
}

async fn found(store: &Store, hash: &str, seconds: i64) -> Option<Session> {
    store.session(hash, at(seconds)).await.unwrap().map(|(session, _)| session)
}

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
    let forever = store.create_operator_token(new("t0", 0), None, 100).await.unwrap();
    let short = store.create_operator_token(new("t1", 1), None, 100).await.unwrap();
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

/// What changes an account's credentials, or ends its sessions.
const CHANGES: [&str; 16] = [
    "password",
    "password reset",
    "sign-out everywhere",
    "suspension",
    "deletion",
    "recovery",
    "verified email",
    "changed email",
    "undone email",
    "linked provider",
    "new app",
    "removed factor",
    "used link",
    "link for a passkey",
    "replaced email",
    "admin rights",
];

/// Those that also end the sessions that there are.
const ENDS_SESSIONS: [&str; 9] = [
    "password",
    "password reset",
    "sign-out everywhere",
    "suspension",
    "deletion",
    "recovery",
    "undone email",
    "used link",
    "link for a passkey",
];

/// Those after which no device is known any more.
const FORGETS_DEVICES: [&str; 4] = ["recovery", "used link", "link for a passkey", "deletion"];

/// What a check of credentials leads to.
const WAYS_IN: [&str; 18] = [
    "session",
    "known device",
    "proof",
    "password",
    "recovery",
    "made link",
    "used link",
    "link for a passkey",
    "replaced email",
    "claimed email",
    "verified email",
    "changed email",
    "linked provider",
    "app",
    "passkey",
    "operator token",
    "personal token",
    "calendar",
];

fn link(sub: &str) -> ProviderLink {
    ProviderLink { iss: "https://id.example.org".to_owned(), sub: sub.to_owned() }
}

fn undo(user_id: Uuid, name: &str, hash: &str) -> EmailUndo {
    let email = format!("{name}before@example.org");
    EmailUndo { hash: format!("{name} {hash}"), user_id, email, created_at: at(0), until: at(100) }
}

async fn validated(store: &Store, email: &str, device: &str, owner: Credentials) -> CodeKey {
    let (key, email) = (CodeKey::recovery(email, device), email.to_owned());
    let allowance = CodeAllowance {
        recipient: device.to_owned(),
        device: None,
        tries_a_day: 10,
        first_wait: Duration::from_secs(1),
    };
    let new = NewCode { hash: "code".to_owned(), email: email.clone(), lasts: Duration::from_secs(600) };
    store.issue_code(&key, new, 10, &allowance, at(0)).await.unwrap();
    store.set_code_owner(&key, owner).await.unwrap();
    let lasts = Duration::from_secs(600);
    let attempt = CodeToTake { hash: "code", email: &email, validated_by: device, most_tries: 5, lasts };
    assert_eq!(store.take_code(&key, attempt, &allowance, at(1)).await.unwrap(), CodeAttempt::Right(email));
    key
}

async fn recover(
    store: &Store,
    email: &str,
    key: &CodeKey,
    device: &str,
    checked: Credentials,
) -> Result<(), StoreError> {
    let recovery = Recovery {
        code: key,
        validated_by: device,
        checked,
        email,
        password_hash: "recovered",
        now: at(2),
        revoked_at: at(2),
        ends_factors: true,
    };
    store.recover(&recovery).await
}

fn new_link(hash: &str, owner: Credentials) -> NewPasswordLink {
    NewPasswordLink { hash: hash.to_owned(), owner, ends_factors: true, until: at(100) }
}

async fn use_link(store: &Store, hash: &str, owner: Credentials) -> Result<(), StoreError> {
    store.create_password_link(new_link(hash, owner), None).await?;
    let link = store.password_link(hash, at(1)).await?.unwrap();
    store.use_password_link(hash, link, NewSignIn::Password("by link"), at(1), at(1)).await
}

async fn link_for_passkey(store: &Store, hash: &str, owner: Credentials) -> Result<(), StoreError> {
    store.create_password_link(new_link(hash, owner), None).await?;
    let link = store.password_link(hash, at(1)).await?.unwrap();
    let row = passkey_row(owner.user_id);
    let passkey = NewPasskey { credential_id: hash, row: &row, codes: &[] };
    store.use_password_link(hash, link, NewSignIn::Passkey(&passkey), at(1), at(1)).await
}

fn passkey_row(user_id: Uuid) -> PasskeyRow {
    PasskeyRow {
        id: Uuid::new_v4(),
        user_id,
        name: "key".to_owned(),
        credential: "{}".to_owned(),
        counter: 0,
        created_at: at(2),
        last_used_at: None,
    }
}

fn personal_token(hash: &str, owner: Credentials) -> NewPersonalToken {
    NewPersonalToken {
        id: Uuid::new_v4(),
        hash: hash.to_owned(),
        owner,
        name: "bot".to_owned(),
        scopes: vec!["play".to_owned()],
        created_at: at(2),
        expires_at: at(DAY),
    }
}

/// An account, and all that a way in or a change needs.
struct Ann {
    store: Store,
    /// Her username, which everything unique of hers begins with.
    name: String,
    id: Uuid,
    session: Session,
    code: CodeKey,
}

impl Ann {
    async fn new(store: &Store, number: usize) -> Self {
        let (store, name) = (store.clone(), format!("ann{number}"));
        let id = fresh(&store, &name).await;
        store.set_admin(id, true).await.unwrap();
        store.set_totp(current(&store, id).await, "old app", 1, &[]).await.unwrap();
        let email = format!("{name}@example.org");
        let undo = undo(id, &name, "undo");
        store.change_email(current(&store, id).await, &email, undo).await.unwrap();
        let session = begun(&store, &format!("{name} session"), id).await;
        let token = personal_token(&format!("{name} token"), current(&store, id).await);
        store.create_personal_token(token, 20).await.unwrap();
        let code = validated(&store, &email, &format!("{name} device"), current(&store, id).await).await;
        Self { store, name, id, session, code }
    }

    fn own(&self, what: &str) -> String {
        format!("{} {what}", self.name)
    }

    fn email(&self, what: &str) -> String {
        format!("{}{what}@example.org", self.name)
    }

    async fn now(&self) -> Credentials {
        current(&self.store, self.id).await
    }

    async fn change(&self, change: &str) -> Result<(), StoreError> {
        let (store, id) = (&self.store, self.id);
        match change {
            "password" => store.set_password(id, "new", Some(self.now().await)).await,
            "password reset" => store.set_password(id, "new", None).await,
            "sign-out everywhere" => store.end_sessions_of(id, None).await,
            "suspension" => {
                let suspension = Suspension { until: None, reason: "test".to_owned(), at: at(1) };
                store.suspend_user(id, suspension, true).await
            }
            "deletion" => store.delete_user(id, at(1)).await,
            "recovery" => {
                let (email, device) = (self.email(""), self.own("other device"));
                let key = validated(store, &email, &device, self.now().await).await;
                recover(store, &email, &key, &device, self.now().await).await
            }
            "verified email" => store.verify_email(self.now().await, &self.email("verified")).await,
            "changed email" => {
                let undo = undo(id, &self.name, "undo 2");
                store.change_email(self.now().await, &self.email("changed"), undo).await
            }
            "undone email" => store.undo_email_change(&self.own("undo"), at(1)).await.map(drop),
            "linked provider" => store.link_provider(self.now().await, link(&self.own("change"))).await,
            "new app" => store.set_totp(self.now().await, "new app", 1, &[]).await.map(drop),
            "removed factor" => store.remove_second_factor(self.now().await).await,
            "used link" => use_link(store, &self.own("link"), self.now().await).await,
            "link for a passkey" => link_for_passkey(store, &self.own("link"), self.now().await).await,
            "replaced email" => store.replace_email(self.now().await, &self.email("replaced"), None).await,
            "admin rights" => store.set_admin(id, false).await.map(drop),
            other => panic!("{other}"),
        }
    }

    /// The write that follows a check of these credentials.
    async fn enter(&self, way: &str, checked: Credentials) -> Result<(), StoreError> {
        let (store, id) = (&self.store, self.id);
        match way {
            "session" => store.insert_session(session(&self.own("entered"), checked)).await.map(drop),
            "known device" => store.remember_device(checked, &self.own("entered"), at(2)).await.map(drop),
            "proof" => store.prove_session(self.session.sid, checked, at(2)).await,
            "password" => store.set_password(id, "entered", Some(checked)).await,
            "recovery" => recover(store, &self.email(""), &self.code, &self.own("device"), checked).await,
            "made link" => store.create_password_link(new_link(&self.own("made"), checked), None).await,
            "used link" => use_link(store, &self.own("entered"), checked).await,
            "link for a passkey" => link_for_passkey(store, &self.own("entered"), checked).await,
            "replaced email" => {
                let undo = undo(id, &self.name, "entered");
                store.replace_email(checked, &self.email("entered"), Some(undo)).await
            }
            "claimed email" => store.claim_email(checked, &self.email("entered")).await.map(drop),
            "verified email" => store.verify_email(checked, &self.email("entered")).await,
            "changed email" => {
                store.change_email(checked, &self.email("entered"), undo(id, &self.name, "entered")).await
            }
            "linked provider" => store.link_provider(checked, link(&self.own("entered"))).await,
            "app" => store.set_totp(checked, "entered", 1, &[]).await.map(drop),
            "passkey" => {
                let row = passkey_row(id);
                store.insert_passkey(checked, &self.own("entered"), &row, &[], 20).await.map(drop)
            }
            "operator token" => {
                let new = NewOperatorToken {
                    id: Uuid::new_v4(),
                    hash: self.own("entered"),
                    name: self.own("entered"),
                    scope: "all".to_owned(),
                    created_at: at(2),
                    expires_at: None,
                };
                store.create_operator_token(new, Some(checked), 1_000).await.map(drop)
            }
            "personal token" => {
                store.create_personal_token(personal_token(&self.own("entered"), checked), 20).await.map(drop)
            }
            "calendar" => {
                let grant = CalendarGrant {
                    user_id: id,
                    access_token: "a".to_owned(),
                    refresh_token: None,
                    expires_at: at(100),
                };
                store.set_calendar_grant(checked, grant).await
            }
            other => panic!("{other}"),
        }
    }

    /// By a session or a personal token.
    async fn is_signed_in(&self, hash: &str) -> bool {
        let token = self.store.personal_token(&self.own(hash), at(3)).await.unwrap();
        token.is_some() || found(&self.store, &self.own(hash), 3).await.is_some()
    }
}

/// Of every change of credentials and every way in, whichever comes first: what was checked before a change leads nowhere
/// after it, and a change that ends sessions ends those that came before it.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_checked_before_a_change_leads_nowhere_after_it() {
    let store = memory().await;
    let admin = fresh(&store, "admin").await;
    store.set_admin(admin, true).await.unwrap();
    let mut number = 0;
    let mut another = async || {
        number += 1;
        Ann::new(&store, number).await
    };
    for change in CHANGES {
        for way in WAYS_IN {
            let what = format!("{way} and {change}");
            // Checked, changed, acted.
            let ann = another().await;
            let checked = ann.now().await;
            ann.change(change).await.unwrap();
            let refused = ann.enter(way, checked).await.unwrap_err();
            let expected = match change {
                "deletion" => StoreError::NotFound("user"),
                _ => StoreError::CredentialsChanged,
            };
            assert_eq!(refused, expected, "{what}");
            assert!(!ann.is_signed_in("entered").await, "{what}");

            // Checked, acted, changed.
            let ann = another().await;
            ann.enter(way, ann.now().await).await.unwrap_or_else(|error| panic!("{what}: {error}"));
            ann.change(change).await.unwrap_or_else(|error| panic!("{what}: {error}"));
            if ENDS_SESSIONS.contains(&change) {
                for way in ["entered", "session", "token"] {
                    assert!(!ann.is_signed_in(way).await, "{what}: {way}");
                }
            } else if !matches!(way, "password" | "recovery" | "used link" | "link for a passkey") {
                assert!(ann.is_signed_in("session").await && ann.is_signed_in("token").await, "{what}");
            }

            // At once: either the way in came first, or it was refused.
            let ann = another().await;
            let checked = ann.now().await;
            let (entered, changed) = tokio::join!(ann.enter(way, checked), ann.change(change));
            if ENDS_SESSIONS.contains(&change) && changed.is_ok() {
                assert!(!ann.is_signed_in("entered").await, "{what}");
            }
            if FORGETS_DEVICES.contains(&change) && changed.is_ok() {
                let is_known = store.is_known_device(ann.id, &ann.own("entered")).await.unwrap();
                assert!(!is_known, "{what}");
            }
            assert!(entered.is_ok() || changed.is_ok(), "{what}: {entered:?} {changed:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_link_works_once_until_it_is_replaced_over_or_behind_its_account() {
    let store = memory().await;
    let (ada, admin) = (fresh(&store, "ada").await, fresh(&store, "admin").await);
    store.set_admin(admin, true).await.unwrap();
    let (owner, maker) = (current(&store, ada).await, current(&store, admin).await);
    for hash in ["first", "second"] {
        store.create_password_link(new_link(hash, owner), Some(maker)).await.unwrap();
    }
    assert_eq!(store.password_link("first", at(1)).await.unwrap(), None, "another one took its place");
    assert_eq!(store.password_link("second", at(100)).await.unwrap(), None, "too old");
    let link = store.password_link("second", at(99)).await.unwrap().unwrap();
    let over = store.use_password_link("second", link, NewSignIn::Password("new"), at(100), at(100)).await.unwrap_err();
    assert_eq!(over, StoreError::NotFound("user"), "too old meanwhile");
    let others = store.use_password_link("first", link, NewSignIn::Password("new"), at(1), at(1)).await.unwrap_err();
    assert_eq!(others, StoreError::NotFound("user"));

    let both = tokio::join!(
        store.use_password_link("second", link, NewSignIn::Password("one"), at(1), at(1)),
        store.use_password_link("second", link, NewSignIn::Password("two"), at(1), at(1)),
    );
    assert!(both.0.is_ok() != both.1.is_ok(), "{both:?}");
    let kept = store.user(ada).await.unwrap().unwrap().password_hash;
    assert_eq!(kept.as_deref(), Some(if both.0.is_ok() { "one" } else { "two" }));
    assert_eq!(store.password_link("second", at(1)).await.unwrap(), None);

    // A maker who is no admin any more makes none, whatever was checked before.
    let other = fresh(&store, "other").await;
    store.set_admin(other, true).await.unwrap();
    store.set_admin(admin, false).await.unwrap();
    let owner = current(&store, ada).await;
    for maker in [maker, current(&store, admin).await] {
        let refused = store.create_password_link(new_link("third", owner), Some(maker)).await.unwrap_err();
        assert_eq!(refused, StoreError::CredentialsChanged);
    }
    store.create_password_link(new_link("third", owner), Some(current(&store, other).await)).await.unwrap();
    store.purge_password_links(at(99)).await.unwrap();
    assert!(store.password_link("third", at(99)).await.unwrap().is_some());
    store.delete_user(ada, at(99)).await.unwrap();
    assert_eq!(store.password_link("third", at(99)).await.unwrap(), None, "with its account");
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

    assert_eq!(store.delete_personal_tokens(bob, Some(made.id)).await.unwrap(), [], "somebody else's");
    assert_eq!(store.delete_personal_tokens(ada, Some(made.id)).await.unwrap(), [made.id]);
    assert_eq!(store.delete_personal_tokens(ada, Some(made.id)).await.unwrap(), []);
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
