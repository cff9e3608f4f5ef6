//! Accounts: `user`, and the guard records that keep names unique: `username`, and in `identity.rs` `email` and
//! `provider`.

use std::ops::Bound;

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Value, Variables, array, vars};
use unicode_normalization::UnicodeNormalization;
use uuid::Uuid;

use crate::credentials::{self, Credentials, UNCHANGED};
use crate::identity::{CLAIM_EMAIL, of_email};
use crate::store::{Store, last, row, rows};
use crate::{AdminClaim, Result, StoreError, Suspension};

/// The name of deleted accounts.
pub const DELETED_NAME: &str = "Deleted player";

pub(crate) const UNSEEN_GUESTS: &str =
    "SELECT * FROM user WHERE is_temp = true AND last_seen_at < $cutoff LIMIT $limit";
pub(crate) const FORMER_NAMES_OVER: &str = "SELECT VALUE id FROM former_name WHERE until <= $now";

/// An account.
#[derive(Debug, Clone, PartialEq, SurrealValue)]
pub struct User {
    #[surreal(rename = "uid")]
    pub id: Uuid,
    /// Unique ignoring case, stored as its owner writes it.
    pub username: String,
    pub display_name: String,
    pub first_name: String,
    pub last_name: String,
    pub email: Option<String>,
    /// Only a verified email reserves anything.
    pub email_verified: bool,
    /// An admin lets them host private events without a verified email.
    pub may_host: Option<bool>,
    /// Since when the account is a bot, for good; absent for people. See `bot.rs`.
    pub bot_since: Option<DateTime<Utc>>,
    /// The output of the password hasher; absent for accounts that sign in through a provider, and for guests.
    pub password_hash: Option<String>,
    pub providers: Vec<ProviderLink>,
    /// The version of the profile image, which changes with it; see `avatar.rs`.
    pub avatar: Option<String>,
    pub is_admin: bool,
    /// What makes them one for a while; absent for who was promoted, and in accounts from before there were claims.
    pub admin_claim: Option<AdminClaim>,
    /// A guest.
    pub is_temp: bool,
    pub pro: Option<Pro>,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
    /// Absent while the first username is in use.
    pub username_changed_at: Option<DateTime<Utc>>,
    /// The latest suspension, also one that is over by now.
    pub suspension: Option<Suspension>,
    /// Signing in asks for a second factor.
    pub second_factor: bool,
    /// Who sees the player's page; `None` while it was never chosen.
    pub profile_visibility: Option<ProfileVisibility>,
    /// Set on the tombstone that a deleted account leaves.
    pub deleted_at: Option<DateTime<Utc>>,
    /// Replaced with every change of what the owner signs in or recovers with; see `credentials.rs`.
    pub credential_version: Option<Uuid>,
    /// Replaced when the sessions end: those of another version have ended.
    pub session_version: Option<Uuid>,
}

/// Who sees a player's page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum ProfileVisibility {
    /// Everybody, visitors included.
    Public,
    /// Everybody with an account.
    #[default]
    Members,
    Nobody,
}

/// An identity at an OIDC provider: issuer and subject.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct ProviderLink {
    pub iss: String,
    pub sub: String,
}

/// The paid plan of an account.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct Pro {
    pub source: ProSource,
    /// When it ends; absent for one without an end.
    pub until: Option<DateTime<Utc>>,
    pub plan_id: Option<i64>,
}

/// Why an account is Pro.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum ProSource {
    /// Granted by an operator.
    Grant,
    /// Paid by a subscription.
    Subscription,
}

/// A new account.
#[derive(Debug, Clone)]
pub struct NewUser {
    pub id: Uuid,
    pub username: String,
    pub display_name: String,
    pub first_name: String,
    pub last_name: String,
    pub email: Option<String>,
    pub email_verified: bool,
    pub password_hash: Option<String>,
    pub provider: Option<ProviderLink>,
    pub is_temp: bool,
    pub created_at: DateTime<Utc>,
}

impl NewUser {
    /// An account that has a username, which it is also shown by, and nothing else: no email, and no way to sign in.
    pub fn named(username: impl Into<String>, created_at: DateTime<Utc>) -> Self {
        let username = username.into();
        Self {
            id: Uuid::new_v4(),
            display_name: username.clone(),
            username,
            first_name: String::new(),
            last_name: String::new(),
            email: None,
            email_verified: false,
            password_hash: None,
            provider: None,
            is_temp: false,
            created_at,
        }
    }
}

/// A new username. The previous one stays reserved for its owner for a while, and leads to them.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct Rename {
    pub username: String,
    pub now: DateTime<Utc>,
    /// Refused if the last change was after this.
    pub not_since: DateTime<Utc>,
    /// How long the previous name stays reserved.
    pub kept_until: DateTime<Utc>,
}

/// The profile fields to change; `None` leaves one as it is.
#[derive(Debug, Clone, Default)]
pub struct ProfileChange {
    pub username: Option<Rename>,
    pub display_name: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub profile_visibility: Option<ProfileVisibility>,
}

#[derive(SurrealValue)]
struct StoredUser {
    #[surreal(flatten)]
    user: User,
    display_key: Option<String>,
    email_key: Option<String>,
}

pub(crate) fn user_record(id: Uuid) -> RecordId {
    RecordId::new("user", surrealdb::types::Uuid::from(id))
}

/// The records of a table with the ids `[user, …]`, as a range.
pub(crate) fn records_of(table: &str, user: Uuid) -> RecordId {
    let user = surrealdb::types::Uuid::from(user);
    let range = RecordIdKeyRange {
        start: Bound::Included(RecordIdKey::from(array![user])),
        // None of our texts sorts after this.
        end: Bound::Excluded(RecordIdKey::from(array![user, "\u{10FFFF}".to_owned()])),
    };
    RecordId::new(table, range)
}

pub(crate) fn key(name: &str) -> String {
    name.to_lowercase()
}

/// The form in which texts are searched: the same for all ways to type one. Letters are without case, composed, and
/// without their widths and styles (much like NFKC_Casefold, UAX #44).
pub(crate) fn folded(text: &str) -> String {
    // By upper case, so that ß and SS, and all forms of sigma, become the same.
    text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
}

fn username_record(username: &str) -> RecordId {
    RecordId::new("username", key(username))
}

fn former_name_record(username: &str) -> RecordId {
    RecordId::new("former_name", key(username))
}

pub(crate) fn email_record(email: &str) -> RecordId {
    RecordId::new("email", key(email))
}

pub(crate) fn provider_record(link: &ProviderLink) -> RecordId {
    RecordId::new("provider", array![link.iss.clone(), link.sub.clone()])
}

/// The text searched for parts of names; guests are not found.
fn searchable(username: &str, display_name: &str, is_temp: bool) -> Option<String> {
    (!is_temp).then(|| format!("{}\n{}", key(username), folded(display_name)))
}

impl Store {
    /// Stores an account. An email that is not verified finds it only if no other account claims or has verified that.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`] with the username, the verified email, the provider identity or the id that another
    /// account owns.
    pub async fn create_user(&self, new: NewUser) -> Result<User> {
        self.insert_user(new, "", vars! {}).await
    }

    /// Stores an account; `as_admin` makes it an admin in the same transaction, and is empty for everybody else.
    pub(crate) async fn insert_user(&self, new: NewUser, as_admin: &str, mut variables: Variables) -> Result<User> {
        let user = User {
            id: new.id,
            username: new.username,
            display_name: new.display_name,
            first_name: new.first_name,
            last_name: new.last_name,
            email: new.email,
            email_verified: new.email_verified,
            may_host: None,
            bot_since: None,
            password_hash: new.password_hash,
            providers: new.provider.into_iter().collect(),
            avatar: None,
            is_admin: !as_admin.is_empty(),
            admin_claim: None,
            is_temp: new.is_temp,
            pro: None,
            created_at: new.created_at,
            last_seen_at: new.created_at,
            username_changed_at: None,
            suspension: None,
            second_factor: false,
            profile_visibility: None,
            deleted_at: None,
            credential_version: None,
            session_version: None,
        };
        let mut query = String::from(
            "BEGIN; LET $held = (SELECT * FROM ONLY $former); \
            IF $held != NONE AND $held.until > $now { THROW 'morpion:username-taken' }; \
            CREATE $username CONTENT { uid: $uid, names: $names } RETURN NONE; CREATE $id CONTENT $user RETURN NONE;",
        );
        variables.extend(vars! {
            id: user_record(user.id),
            uid: user.id,
            username: username_record(&user.username),
            former: former_name_record(&user.username),
            now: user.created_at,
            names: searchable(&user.username, &user.display_name, user.is_temp),
        });
        match user.email.as_deref() {
            Some(email) if user.email_verified => {
                query.push_str("CREATE $guard CONTENT { uid: $uid } RETURN NONE;");
                variables.extend(of_email(email));
            }
            Some(email) => {
                query.push_str(CLAIM_EMAIL);
                query.push_str("IF !$claimed { UPDATE $id SET email_key = NONE RETURN NONE; };");
                variables.extend(of_email(email));
            }
            None => {}
        }
        if let Some(link) = user.providers.first() {
            query.push_str("CREATE $provider CONTENT { uid: $uid } RETURN NONE;");
            variables.insert("provider", provider_record(link));
        }
        query.push_str(as_admin);
        query.push_str("COMMIT;");
        variables.insert(
            "user",
            StoredUser {
                display_key: (!user.is_temp).then(|| folded(&user.display_name)),
                email_key: user.email.as_deref().map(key),
                user: user.clone(),
            },
        );
        self.write(&query, variables).await?;
        if !user.is_temp {
            self.names.changed(user.id);
        }
        Ok(user)
    }

    /// The account with this id, tombstones included.
    pub async fn user(&self, id: Uuid) -> Result<Option<User>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: user_record(id) }).await?;
        row(&mut response, 0)
    }

    /// The accounts with these ids, in no order; unknown ids are left out.
    pub async fn users(&self, ids: &[Uuid]) -> Result<Vec<User>> {
        let ids: Vec<RecordId> = ids.iter().copied().map(user_record).collect();
        let mut response = self.read("SELECT * FROM $ids", vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }

    /// The account with this username, ignoring case.
    pub async fn user_by_username(&self, username: &str) -> Result<Option<User>> {
        self.guarded_user(username_record(username)).await
    }

    /// The accounts with these usernames, ignoring case, in no order; who has none of them is left out.
    pub async fn users_by_usernames(&self, usernames: &[String]) -> Result<Vec<User>> {
        let guards: Vec<RecordId> = usernames.iter().map(|name| username_record(name)).collect();
        let query = "LET $ids = (SELECT VALUE type::record('user', uid) FROM $guards); SELECT * FROM $ids";
        let mut response = self.read(query, vars! { guards: guards }).await?;
        rows(&mut response, 1)
    }

    /// As [`Store::user_by_username`], also by a former username.
    pub async fn user_by_name(&self, username: &str, now: DateTime<Utc>) -> Result<Option<User>> {
        if let Some(user) = self.user_by_username(username).await? {
            return Ok(Some(user));
        }
        let query = "LET $held = (SELECT * FROM ONLY $former); \
                     SELECT * FROM type::record('user', $held.uid) WHERE $held != NONE AND $held.until > $now";
        let mut response = self.read(query, vars! { former: former_name_record(username), now: now }).await?;
        row(&mut response, 1)
    }

    /// Frees former names that are no longer reserved.
    pub async fn purge_former_names(&self, now: DateTime<Utc>) -> Result<()> {
        let query = format!("DELETE ({FORMER_NAMES_OVER}) RETURN NONE");
        self.write(&query, vars! { now: now }).await.map(drop)
    }

    pub(crate) async fn guarded_user(&self, guard: RecordId) -> Result<Option<User>> {
        let query = "LET $uid = (SELECT VALUE uid FROM ONLY $guard); \
                     SELECT * FROM type::record('user', $uid) WHERE $uid != NONE";
        let mut response = self.read(query, vars! { guard: guard }).await?;
        row(&mut response, 1)
    }

    /// Changes the profile and returns the updated account. Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`] for a username that another account owns or had a while ago, [`StoreError::TooSoon`] after
    /// the last change of it, [`StoreError::NotFound`] when there is no such account (any more).
    pub async fn update_profile(&self, id: Uuid, change: ProfileChange) -> Result<User> {
        let query = "BEGIN; \
            LET $user = (SELECT * FROM ONLY $id); \
            IF $user = NONE OR $user.deleted_at != NONE { THROW 'morpion:no-user' }; \
            LET $username = $rename.username ?? $user.username; \
            LET $display = $new_display ?? \
                IF $user.display_name = $user.username { $username } ELSE { $user.display_name }; \
            LET $display_key = $new_key ?? \
                IF $display = $username { string::lowercase($username) } \
                ELSE { $user.display_key ?? string::lowercase($display) }; \
            LET $old_guard = type::record('username', string::lowercase($user.username)); \
            LET $guard = type::record('username', string::lowercase($username)); \
            LET $names = IF $user.is_temp { NONE } ELSE { \
                string::lowercase($username) + '\n' + $display_key }; \
            LET $former = type::record('former_name', string::lowercase($username)); \
            LET $held = (SELECT * FROM ONLY $former); \
            IF $guard != $old_guard { \
                IF $user.username_changed_at != NONE AND $user.username_changed_at > $rename.not_since { \
                    THROW 'morpion:too-soon' }; \
                IF $held != NONE AND $held.uid != $user.uid AND $held.until > $rename.now { \
                    THROW 'morpion:username-taken' }; \
                DELETE $former RETURN NONE; \
                UPSERT type::record('former_name', string::lowercase($user.username)) \
                    CONTENT { uid: $user.uid, until: $rename.kept_until } RETURN NONE; \
                DELETE $old_guard RETURN NONE; \
                CREATE $guard CONTENT { uid: $user.uid, names: $names } RETURN NONE; \
            } ELSE { UPDATE $guard SET names = $names RETURN NONE; }; \
            LET $changed = (UPDATE $id SET username = $username, display_name = $display, \
                username_changed_at = IF $guard != $old_guard { $rename.now } ELSE { username_changed_at }, \
                display_key = IF $user.is_temp { NONE } ELSE { $display_key }, first_name = $new_first ?? first_name, \
                last_name = $new_last ?? last_name, \
                profile_visibility = $visibility ?? profile_visibility); \
            fn::audit($audit); \
            RETURN $changed; \
            COMMIT;";
        let variables = vars! {
            id: user_record(id),
            rename: change.username,
            new_key: change.display_name.as_deref().map(folded),
            new_display: change.display_name,
            new_first: change.first_name,
            new_last: change.last_name,
            visibility: change.profile_visibility,
        };
        let mut response = self.write(query, variables).await?;
        self.names.changed(id);
        last(&mut response)?.pop().ok_or(StoreError::NotFound("user"))
    }

    /// Replaces the password hash and ends all sessions. Audited. `checked` is what allowed it, if that was a check of the
    /// account's own credentials. Returns those that it has then.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::CredentialsChanged`].
    pub async fn set_password(
        &self,
        id: Uuid,
        password_hash: &str,
        checked: Option<Credentials>,
    ) -> Result<Credentials> {
        let query = format!(
            "BEGIN; {UNCHANGED} \
             UPDATE $id SET password_hash = $hash, credential_version = $changed, session_version = $changed RETURN NONE; \
             fn::audit($audit); \
             COMMIT;"
        );
        let (mut variables, changed) = credentials::variables(id, checked);
        variables.insert("hash", password_hash.to_owned());
        self.write(&query, variables).await?;
        Ok(changed)
    }

    /// Records when the user was last seen.
    pub async fn touch_user(&self, id: Uuid, now: DateTime<Utc>) -> Result<()> {
        self.update_user(id, "last_seen_at = $now", vars! { now: now }).await
    }

    /// Turns a guest into a local account, keeping its id and so its games. Its email as in [`Store::create_user`].
    /// `guest` is what was checked before.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`] for the username, [`StoreError::NotFound`] if it is no guest,
    /// [`StoreError::CredentialsChanged`].
    pub async fn promote_guest(&self, guest: Credentials, account: NewUser) -> Result<User> {
        let query = "BEGIN; \
            LET $user = (SELECT * FROM ONLY $id); \
            IF $user = NONE OR $user.deleted_at != NONE OR !$user.is_temp { THROW 'morpion:no-user' }; \
            {unchanged} \
            {claim_email} \
            LET $held = (SELECT * FROM ONLY $former); \
            IF $held != NONE AND $held.until > $now { THROW 'morpion:username-taken' }; \
            DELETE type::record('username', string::lowercase($user.username)) RETURN NONE; \
            CREATE $username_guard CONTENT { uid: $user.uid, names: $names } RETURN NONE; \
            LET $changed = (UPDATE $id SET username = $username, display_name = $display_name, \
                display_key = $display_key, first_name = $first_name, last_name = $last_name, \
                email = $email, email_key = IF $claimed { $key }, password_hash = $hash, is_temp = false, credential_version = $changed); \
            RETURN $changed; \
            COMMIT;"
            .replace("{unchanged}", UNCHANGED)
            .replace("{claim_email}", if account.email.is_some() { CLAIM_EMAIL } else { "LET $claimed = false;" });
        let id = guest.user_id;
        let mut variables = credentials::checked(guest);
        variables.extend(vars! {
            username_guard: username_record(&account.username),
            former: former_name_record(&account.username),
            now: account.created_at,
            names: searchable(&account.username, &account.display_name, false),
            display_key: folded(&account.display_name),
            username: account.username,
            display_name: account.display_name,
            first_name: account.first_name,
            last_name: account.last_name,
            email: None::<String>,
            hash: account.password_hash,
        });
        if let Some(email) = &account.email {
            variables.extend(of_email(email));
        }
        let mut response = self.write(&query, variables).await?;
        self.names.changed(id);
        last(&mut response)?.pop().ok_or(StoreError::NotFound("user"))
    }

    /// Guests not seen since `cutoff`, at most `limit`; each is to be removed with [`Store::delete_own`].
    pub async fn guests_unseen_since(&self, cutoff: DateTime<Utc>, limit: usize) -> Result<Vec<User>> {
        let mut response = self.read(UNSEEN_GUESTS, vars! { cutoff: cutoff, limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    async fn update_user(&self, id: Uuid, assignment: &str, mut variables: Variables) -> Result<()> {
        let query = format!(
            "BEGIN; \
             LET $changed = (UPDATE $id SET {assignment} WHERE deleted_at = NONE RETURN VALUE uid); \
             IF array::len($changed) = 0 {{ THROW 'morpion:no-user' }}; \
             fn::audit($audit); \
             COMMIT;"
        );
        variables.insert("id", user_record(id));
        self.write(&query, variables).await.map(drop)
    }
}
