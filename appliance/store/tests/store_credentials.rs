//! Changes of what an account is signed in to with, against everything that a check of it leads to, in every order.

mod common;

use std::time::Duration;

use common::{DAY, account, act_of, at, audit, begun, current, found, fresh, memory, personal_token, session};
use morpion_store::{
    ActsBy, AuditEntry, CalendarGrant, CodeAllowance, CodeAttempt, CodeKey, CodeToTake, Credentials, EmailUndo,
    NewCode, NewOperatorToken, NewPasskey, NewPasswordLink, NewSignIn, NewUser, PasskeyRow, ProviderLink, Recovery,
    Session, Store, StoreError, Suspension,
};
use uuid::Uuid;

const IDLE: Duration = Duration::from_secs(30 * DAY as u64);

fn new_link(hash: &str, owner: Credentials) -> NewPasswordLink {
    NewPasswordLink { hash: hash.to_owned(), owner, ends_factors: true, until: at(100) }
}

/// What changes an account's credentials, or ends its sessions.
const CHANGES: [&str; 21] = [
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
    "removed app",
    "new passkey",
    "removed passkey",
    "new recovery codes",
    "removed factor",
    "used link",
    "link for a passkey",
    "claimed email",
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

/// Those after which no device is known any more, and no calendar connected.
const FORGETS_DEVICES: [&str; 4] = ["recovery", "used link", "link for a passkey", "deletion"];

/// What a check of credentials leads to.
const WAYS_IN: [&str; 23] = [
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
    "removed app",
    "passkey",
    "removed factor",
    "recovery codes",
    "operator token",
    "personal token",
    "calendar",
    "act of an admin",
    "new admin",
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

async fn use_link(store: &Store, hash: &str, owner: Credentials) -> Result<(), StoreError> {
    store.create_password_link(new_link(hash, owner)).await?;
    let link = store.password_link(hash, at(1)).await?.unwrap();
    store.use_password_link(hash, link, NewSignIn::Password("by link"), at(1), at(1)).await
}

async fn link_for_passkey(store: &Store, hash: &str, owner: Credentials) -> Result<(), StoreError> {
    store.create_password_link(new_link(hash, owner)).await?;
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

/// An account, and all that a way in or a change needs.
struct Ann {
    store: Store,
    /// Her username, which everything unique of hers begins with.
    name: String,
    id: Uuid,
    session: Session,
    code: CodeKey,
    /// A passkey of hers, beside an app.
    passkey: Uuid,
}

impl Ann {
    async fn new(store: &Store, number: usize) -> Self {
        let (store, name) = (store.clone(), format!("ann{number}"));
        let id = fresh(&store, &name).await;
        store.set_admin(id, true).await.unwrap();
        store.set_totp(current(&store, id).await, "old app", 1, &["old".to_owned()]).await.unwrap();
        let passkey = passkey_row(id);
        let credential = format!("{name} passkey");
        store.insert_passkey(current(&store, id).await, &credential, &passkey, &[], 20).await.unwrap();
        let email = format!("{name}@example.org");
        let undo = undo(id, &name, "undo");
        store.change_email(current(&store, id).await, &email, undo).await.unwrap();
        let session = begun(&store, &format!("{name} session"), id).await;
        let token = personal_token(&format!("{name} token"), current(&store, id).await);
        store.create_personal_token(token, 20).await.unwrap();
        let code = validated(&store, &email, &format!("{name} device"), current(&store, id).await).await;
        Self { store, name, id, session, code, passkey: passkey.id }
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
            "password" => store.set_password(id, "new", Some(self.now().await)).await.map(drop),
            "password reset" => store.set_password(id, "new", None).await.map(drop),
            "sign-out everywhere" | "suspension" | "deletion" => end(store, id, change).await,
            "recovery" => {
                let (email, device) = (self.email(""), self.own("other device"));
                let key = validated(store, &email, &device, self.now().await).await;
                recover(store, &email, &key, &device, self.now().await).await
            }
            "verified email" => store.verify_email(self.now().await, &self.email("verified")).await.map(drop),
            "changed email" => {
                let undo = undo(id, &self.name, "undo 2");
                store.change_email(self.now().await, &self.email("changed"), undo).await.map(drop)
            }
            "claimed email" => store.claim_email(self.now().await, &self.email("claimed")).await,
            "undone email" => store.undo_email_change(&self.own("undo"), at(1)).await.map(drop),
            "linked provider" => store.link_provider(self.now().await, link(&self.own("change"))).await.map(drop),
            "new app" => store.set_totp(self.now().await, "new app", 1, &[]).await.map(drop),
            "removed app" => store.remove_totp(self.now().await).await,
            "new passkey" => {
                let row = passkey_row(id);
                store.insert_passkey(self.now().await, &self.own("change"), &row, &[], 20).await.map(drop)
            }
            "removed passkey" => store.remove_passkey(self.now().await, self.passkey).await,
            "new recovery codes" => store.set_recovery_codes(self.now().await, &["new".to_owned()]).await.map(drop),
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
            "password" => store.set_password(id, "entered", Some(checked)).await.map(drop),
            "recovery" => recover(store, &self.email(""), &self.code, &self.own("device"), checked).await,
            "made link" => store.create_password_link(new_link(&self.own("made"), checked)).await,
            "used link" => use_link(store, &self.own("entered"), checked).await,
            "link for a passkey" => link_for_passkey(store, &self.own("entered"), checked).await,
            "replaced email" => {
                let undo = undo(id, &self.name, "entered");
                store.replace_email(checked, &self.email("entered"), Some(undo)).await
            }
            "claimed email" => store.claim_email(checked, &self.email("entered")).await.map(drop),
            "verified email" => store.verify_email(checked, &self.email("entered")).await.map(drop),
            "changed email" => {
                let undo = undo(id, &self.name, "entered");
                store.change_email(checked, &self.email("entered"), undo).await.map(drop)
            }
            "linked provider" => store.link_provider(checked, link(&self.own("entered"))).await.map(drop),
            "app" => store.set_totp(checked, "entered", 1, &[]).await.map(drop),
            "removed app" => store.remove_totp(checked).await,
            "removed factor" => store.remove_second_factor(checked).await,
            "recovery codes" => store.set_recovery_codes(checked, &["entered".to_owned()]).await.map(drop),
            "act of an admin" => {
                let other = fresh(store, &format!("other_{}", self.name)).await;
                store.audited(act_of(checked, other)).set_password(other, "by an admin", None).await.map(drop)
            }
            "new admin" => {
                let new = account(&self.own("admin").replace(' ', "_"));
                store.audited(act_of(checked, new.id)).create_admin(new).await.map(drop)
            }
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
                store.audited(act_of(checked, id)).create_operator_token(new, 1_000).await.map(drop)
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
                "deletion" if !matches!(way, "operator token" | "act of an admin" | "new admin") => {
                    StoreError::NotFound("user")
                }
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
                assert_eq!(store.calendar_grant(ann.id).await.unwrap(), None, "{what}");
            }
            assert!(entered.is_ok() || changed.is_ok(), "{what}: {entered:?} {changed:?}");
        }
    }
}

/// What a session or a token leads to, whatever was checked: as long as it is not over, and no longer.
const BY_WHAT_THERE_IS: [&str; 6] =
    ["session", "refreshed session", "socket", "personal token", "program's socket", "fresh proof"];

impl Ann {
    async fn goes_on(&self, way: &str) -> bool {
        let (store, hash) = (&self.store, self.own("session"));
        match way {
            "session" => found(store, &hash, 3).await.is_some(),
            "refreshed session" => {
                // Neither by another token nor by the one that it would get.
                let rotated = store.rotate_session(&hash, &self.own("rotated"), at(100), IDLE).await;
                let is_rotated = matches!(rotated, Ok(Some(_)));
                assert_eq!(found(store, &self.own("rotated"), 101).await.is_some(), is_rotated);
                is_rotated
            }
            "socket" => !store.session_ends(&[self.session.sid], at(3)).await.unwrap().is_empty(),
            "personal token" => store.personal_token(&self.own("token"), at(3)).await.unwrap().is_some(),
            "program's socket" => {
                let tokens = store.personal_tokens_of(self.id, at(3)).await.unwrap();
                let ids: Vec<Uuid> = tokens.iter().map(|token| token.id).collect();
                !store.personal_token_ends(&ids, at(3)).await.unwrap().is_empty()
            }
            "fresh proof" => store.prove_session(self.session.sid, self.now().await, at(3)).await.is_ok(),
            other => panic!("{other}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_tokens_and_their_sockets_end_with_what_ends_them_and_nothing_else() {
    let store = memory().await;
    store.set_admin(fresh(&store, "admin").await, true).await.unwrap();
    let mut number = 0;
    for change in CHANGES {
        for way in BY_WHAT_THERE_IS {
            number += 1;
            let ann = Ann::new(&store, number).await;
            ann.change(change).await.unwrap();
            assert_eq!(ann.goes_on(way).await, !ENDS_SESSIONS.contains(&change), "{way} after {change}");
        }
        // A token that is refreshed at the same moment is of the same session.
        number += 1;
        let ann = Ann::new(&store, number).await;
        let (hash, rotated) = (ann.own("session"), ann.own("rotated"));
        let (refreshed, changed) =
            tokio::join!(store.rotate_session(&hash, &rotated, at(100), IDLE), ann.change(change));
        changed.unwrap();
        if ENDS_SESSIONS.contains(&change) {
            assert!(
                found(&store, &rotated, 101).await.is_none() && found(&store, &hash, 101).await.is_none(),
                "{change}"
            );
        } else {
            assert!(refreshed.unwrap().is_some(), "{change}");
        }
    }
}

/// The changes that end every session, of accounts and of guests.
async fn end(store: &Store, id: Uuid, change: &str) -> Result<(), StoreError> {
    match change {
        "sign-out everywhere" => store.end_sessions_of(id, None).await,
        "suspension" => {
            let suspension = Suspension { until: None, reason: "test".to_owned(), at: at(1) };
            store.suspend_user(id, suspension, true).await
        }
        "deletion" => store.delete_user(id, at(1)).await,
        other => panic!("{other}"),
    }
}

/// What changes a guest.
const CHANGES_OF_GUESTS: [&str; 5] = ["sign-out everywhere", "suspension", "deletion", "registration", "provider"];

/// What a guest's session leads to.
const WAYS_OF_GUESTS: [&str; 6] = ["session", "known device", "registration", "provider", "merge", "removal"];

async fn change_guest(store: &Store, guest: Credentials, change: &str) -> Result<(), StoreError> {
    let id = guest.user_id;
    match change {
        "sign-out everywhere" | "suspension" | "deletion" => end(store, id, change).await,
        "registration" => {
            store.promote_guest(guest, account(&format!("reg{}", &id.simple().to_string()[..12]))).await.map(drop)
        }
        "provider" => store.link_provider(guest, link(&format!("{id} change"))).await.map(drop),
        other => panic!("{other}"),
    }
}

async fn enter_guest(store: &Store, guest: Credentials, way: &str, account_id: Uuid) -> Result<(), StoreError> {
    let id = guest.user_id;
    match way {
        "session" => store.insert_session(session(&format!("{id} entered"), guest)).await.map(drop),
        "known device" => store.remember_device(guest, &format!("{id} entered"), at(2)).await.map(drop),
        "registration" => {
            store.promote_guest(guest, account(&format!("late{}", &id.simple().to_string()[..12]))).await.map(drop)
        }
        "provider" => store.link_provider(guest, link(&format!("{id} entered"))).await.map(drop),
        "merge" => store.merge_guest(guest, account_id, at(2)).await,
        "removal" => store.delete_own(guest, at(2)).await,
        other => panic!("{other}"),
    }
}

/// Somebody who has a guest's session makes nothing of it that was checked before the guest ended it, or became somebody.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_checked_of_a_guest_leads_nowhere_after_a_change() {
    let store = memory().await;
    let adopter = fresh(&store, "adopter").await;
    let mut number = 0;
    let mut another = async || {
        number += 1;
        let guest = NewUser { is_temp: true, email: None, ..account(&format!("guest{number}")) };
        store.create_user(guest).await.unwrap().credentials()
    };
    for change in CHANGES_OF_GUESTS {
        for way in WAYS_OF_GUESTS {
            let what = format!("{way} and {change}");
            let guest = another().await;
            change_guest(&store, guest, change).await.unwrap();
            let entered = enter_guest(&store, guest, way, adopter).await;
            // To remove who is gone is no mistake.
            assert!(entered.is_err() || (way, change) == ("removal", "deletion"), "{what}");
            let kept = store.user(guest.user_id).await.unwrap().unwrap();
            assert_eq!(kept.deleted_at.is_some(), change == "deletion", "{what}");
            assert!(!kept.username.starts_with("late"), "{what}");
            assert!(kept.providers.iter().all(|link| link.sub.ends_with("change")), "{what}");

            // At once: one of them came first, and what it did is not half undone.
            let guest = another().await;
            let (entered, changed) =
                tokio::join!(enter_guest(&store, guest, way, adopter), change_guest(&store, guest, change));
            assert!(entered.is_ok() || changed.is_ok(), "{what}: {entered:?} {changed:?}");
            if changed.is_ok() && !matches!(change, "registration" | "provider") {
                assert!(found(&store, &format!("{} entered", guest.user_id), 3).await.is_none(), "{what}");
            }
        }
    }
}

/// A passkey signs in for whom it was while it was theirs.
#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_that_was_looked_at_signs_nobody_in_after_a_change() {
    let store = memory().await;
    store.set_admin(fresh(&store, "admin").await, true).await.unwrap();
    for (number, change) in CHANGES.into_iter().enumerate() {
        let ann = Ann::new(&store, number).await;
        let (row, owner) = store.passkey(&ann.own("passkey")).await.unwrap().unwrap();
        assert_eq!((row.id, owner.id), (ann.passkey, ann.id));
        ann.change(change).await.unwrap();
        let refused = store.insert_session(session(&ann.own("entered"), owner.credentials())).await;
        assert!(refused.is_err() && !ann.is_signed_in("entered").await, "{change}");
    }
}

/// An act of an operator token ends with the token, and is stored once, however often it is tried.
#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_operator_token_acts_no_more() {
    let store = memory().await;
    let id = Uuid::new_v4();
    let new = NewOperatorToken {
        id,
        hash: "hash".to_owned(),
        name: "robot".to_owned(),
        scope: "all".to_owned(),
        created_at: at(0),
        expires_at: None,
    };
    store.create_operator_token(new, 100).await.unwrap();
    let act = |target| AuditEntry { by: Some(ActsBy::Token(id)), ..audit(target, at(1)) };
    let first = account("first");
    store.audited(act(first.id)).create_admin(first).await.unwrap();
    // Its own end is an act of it, too.
    assert!(store.audited(act(id)).revoke_operator_token(id).await.unwrap());
    let second = account("second");
    let refused = store.audited(act(second.id)).create_admin(second.clone()).await.unwrap_err();
    assert_eq!(refused, StoreError::CredentialsChanged);
    let ann = fresh(&store, "ann").await;
    for refused in [
        store.audited(act(ann)).set_admin(ann, true).await.map(drop),
        store.audited(act(ann)).set_password(ann, "new", None).await.map(drop),
        store.audited(act(ann)).delete_user(ann, at(2)).await,
        store.append_audit(act(ann)).await,
    ] {
        assert_eq!(refused.unwrap_err(), StoreError::CredentialsChanged);
    }
    assert_eq!((store.count_admins().await.unwrap(), store.user_by_username("second").await.unwrap()), (1, None));
    assert_eq!(store.check_audit().await.unwrap().entries, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_link_works_once_until_it_is_replaced_over_or_behind_its_account() {
    let store = memory().await;
    let (ada, admin) = (fresh(&store, "ada").await, fresh(&store, "admin").await);
    store.set_admin(admin, true).await.unwrap();
    let (owner, maker) = (current(&store, ada).await, current(&store, admin).await);
    for hash in ["first", "second"] {
        store.audited(act_of(maker, ada)).create_password_link(new_link(hash, owner)).await.unwrap();
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
    let refused = store.audited(act_of(maker, ada)).create_password_link(new_link("third", owner)).await.unwrap_err();
    assert_eq!(refused, StoreError::CredentialsChanged);
    let maker = current(&store, other).await;
    store.audited(act_of(maker, ada)).create_password_link(new_link("third", owner)).await.unwrap();
    store.purge_password_links(at(99)).await.unwrap();
    assert!(store.password_link("third", at(99)).await.unwrap().is_some());
    store.delete_user(ada, at(99)).await.unwrap();
    assert_eq!(store.password_link("third", at(99)).await.unwrap(), None, "with its account");
}
