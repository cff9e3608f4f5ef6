//! Sessions: `session`, keyed by the hash of the token.
//!
//! Rotating a session gives it a second record under the new token's hash, with the same `sid`. The old record stays
//! valid until the new one is first used, so that a lost response signs nobody out; from then on it has 30 seconds, for
//! other tabs: `docs/behaviour/accounts.md#sessions`.
//!
//! A session has the version that its account had when it began. All sessions of an account end with one write, of
//! another version; their records are removed afterwards, in pieces.

use std::{collections::HashMap, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use surrealdb::types::{RecordId, SurrealValue, Variables, vars};
use uuid::Uuid;

use crate::counted::Counted;
use crate::credentials::{self, Credentials, UNCHANGED};
use crate::store::{Store, last, row, rows};
use crate::user::user_record;
use crate::{Result, StoreError, User};

/// A use is written at most this often: it is a synced commit, and nobody needs the second.
const TOUCH_EVERY: TimeDelta = TimeDelta::minutes(1);

/// How long a rotated token stays valid after the first use of its successor.
const OLD_TOKEN_GRACE: TimeDelta = TimeDelta::seconds(30);

/// Sessions of an account; the least recently used ends when there is another one. Far more than a person has browsers.
const MOST_SESSIONS: usize = 100;

/// Records of an account that one write removes: a write of thousands takes seconds, and others wait for it.
const REMOVED_AT_ONCE: usize = 500;

/// A token is replaced at most this often: longer than the one before it is good for, so that a session has at most three
/// records.
const ROTATE_EVERY: TimeDelta = TimeDelta::minutes(1);

pub(crate) const SESSIONS_OF: &str = "SELECT * FROM session WHERE user_id = $user";
pub(crate) const SESSION_TOKENS: &str = "SELECT VALUE id FROM session WHERE sid = $sid";
pub(crate) const SESSIONS_BY_ID: &str = "SELECT * FROM session WHERE sid IN $sids";
pub(crate) const ENDED_SESSIONS: &str = "SELECT VALUE id FROM session WHERE expires_at <= $now LIMIT $limit";

/// Those that ended with a version of their account.
pub(crate) const SESSIONS_OF_OTHER_VERSIONS: &str =
    "SELECT VALUE sid FROM session WHERE user_id = $user AND version != $version";

/// A signed-in browser.
#[derive(Debug, Clone, PartialEq, SurrealValue)]
pub struct Session {
    /// The SHA-256 of the token, in hex; the token itself is stored nowhere.
    pub hash: String,
    /// Identifies the session to users and survives its rotations.
    pub sid: Uuid,
    pub user_id: Uuid,
    pub created_at: DateTime<Utc>,
    pub last_used_at: DateTime<Utc>,
    /// When it expires if it is not used before.
    pub expires_at: DateTime<Utc>,
    /// When it ends in any case.
    pub ends_at: DateTime<Utc>,
    /// The hash of the successor, if it was rotated.
    pub successor: Option<String>,
    /// The hash of the predecessor, until this one is first used.
    pub predecessor: Option<String>,
    pub user_agent: String,
    pub address: String,
    /// The name in the list of sessions, such as 'Firefox on Linux'.
    pub device: String,
    /// When its user last proved who they are; absent in sessions from before this was recorded.
    pub proved_at: Option<DateTime<Utc>>,
    /// The account's [`User::session_version`] when it began.
    pub version: Option<Uuid>,
    /// When this token was issued; absent for the first one.
    pub issued_at: Option<DateTime<Utc>>,
}

/// A session to be stored. `hash` is the SHA-256 of the token in hex.
#[derive(Debug, Clone)]
pub struct NewSession {
    pub hash: String,
    /// Whose it is, and what was checked before.
    pub credentials: Credentials,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    pub user_agent: String,
    pub address: String,
    pub device: String,
}

#[derive(SurrealValue)]
struct Begun {
    version: Option<Uuid>,
    /// Sessions that ended since there were too many.
    ended: Vec<Uuid>,
}

#[derive(SurrealValue)]
struct Version {
    uid: Uuid,
    session_version: Option<Uuid>,
    deleted_at: Option<DateTime<Utc>>,
}

fn session_record(hash: &str) -> RecordId {
    RecordId::new("session", hash)
}

impl Store {
    /// Stores a session of an account whose credentials are still those that were checked. Also returns the sessions that
    /// ended, since the account has [`MOST_SESSIONS`] others.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) for a deleted account,
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn insert_session(&self, new: NewSession) -> Result<(Session, Vec<Uuid>)> {
        let query = format!(
            "BEGIN; {UNCHANGED} \
             CREATE $record CONTENT object::extend($row, {{ version: $account.session_version }}) RETURN NONE; \
             UPSERT $counted SET last = $row.sid RETURN NONE; \
             LET $others = (SELECT id, sid, last_used_at FROM session WHERE user_id = $uid AND sid != $row.sid \
                 ORDER BY last_used_at DESC LIMIT $looked_at); \
             LET $kept = array::slice(array::distinct($others.sid), 0, $most - 1); \
             LET $surplus = $others[WHERE sid NOTINSIDE $kept]; \
             DELETE $surplus.id RETURN NONE; \
             RETURN [{{ version: $account.session_version, ended: array::distinct($surplus.sid) }}]; \
             COMMIT;"
        );
        let mut session = Session {
            hash: new.hash,
            sid: Uuid::new_v4(),
            user_id: new.credentials.user_id,
            created_at: new.created_at,
            last_used_at: new.created_at,
            expires_at: new.expires_at.min(new.ends_at),
            ends_at: new.ends_at,
            successor: None,
            predecessor: None,
            user_agent: new.user_agent,
            address: new.address,
            device: new.device,
            proved_at: Some(new.created_at),
            version: None,
            issued_at: None,
        };
        let mut variables = credentials::checked(new.credentials);
        variables.extend(vars! {
            record: session_record(&session.hash),
            row: session.clone(),
            counted: Counted::Sessions.of(session.user_id),
            most: MOST_SESSIONS as i64,
            looked_at: (4 * MOST_SESSIONS) as i64,
        });
        let mut response = self.write(&query, variables).await?;
        let begun = last::<Begun>(&mut response)?.pop().ok_or(StoreError::NotFound("user"))?;
        session.version = begun.version;
        Ok((session, begun.ended))
    }

    /// The session of a token and its account, unless it has ended.
    pub async fn session(&self, hash: &str, now: DateTime<Utc>) -> Result<Option<(Session, User)>> {
        let query = "LET $found = (SELECT * FROM ONLY $id); SELECT * FROM $id; \
                     SELECT * FROM type::record('user', $found.user_id) WHERE $found != NONE";
        let mut response = self.read(query, vars! { id: session_record(hash) }).await?;
        let (session, user): (Option<Session>, Option<User>) = (row(&mut response, 1)?, row(&mut response, 2)?);
        Ok(session.zip(user).filter(|(session, user)| {
            session.expires_at > now && user.deleted_at.is_none() && session.version == user.session_version
        }))
    }

    /// Those of these sessions that have not ended with their account's version.
    async fn of_current_versions(&self, mut sessions: Vec<Session>) -> Result<Vec<Session>> {
        let mut users: Vec<Uuid> = sessions.iter().map(|session| session.user_id).collect();
        users.sort_unstable();
        users.dedup();
        let users: Vec<RecordId> = users.into_iter().map(user_record).collect();
        let query = "SELECT uid, session_version, deleted_at FROM $users";
        let mut response = self.read(query, vars! { users: users }).await?;
        let versions: Vec<Version> = rows(&mut response, 0)?;
        let versions: HashMap<Uuid, Option<Uuid>> = versions
            .into_iter()
            .filter(|version| version.deleted_at.is_none())
            .map(|version| (version.uid, version.session_version))
            .collect();
        sessions.retain(|session| versions.get(&session.user_id) == Some(&session.version));
        Ok(sessions)
    }

    /// Records a use of the session, and extends it to `idle` from now; returns whether that was written.
    ///
    /// Once a minute is enough, except for the first use of a rotated token, which limits the old one to 30 seconds.
    pub async fn touch_session(&self, session: &Session, now: DateTime<Utc>, idle: Duration) -> Result<bool> {
        let first_use = session.predecessor.is_some();
        if !first_use && now - session.last_used_at < TOUCH_EVERY {
            return Ok(false);
        }
        let idle = TimeDelta::from_std(idle).unwrap_or(TimeDelta::MAX);
        let expires_at = now.checked_add_signed(idle).unwrap_or(session.ends_at).min(session.ends_at);
        let mut query = String::from("BEGIN; ");
        let mut variables = vars! { id: session_record(&session.hash), now: now };
        if let Some(old) = &session.predecessor {
            query.push_str(
                "UPDATE $old SET expires_at = time::min([expires_at, $grace]), ends_at = time::min([ends_at, $grace]) \
                 RETURN NONE; ",
            );
            variables.insert("old", session_record(old));
            variables.insert("grace", now + OLD_TOKEN_GRACE);
        }
        // A token in its last seconds keeps its expiry.
        query.push_str(
            "UPDATE $id SET last_used_at = $now, predecessor = NONE, expires_at = time::min([$expires_at, ends_at]) \
             RETURN NONE; COMMIT;",
        );
        variables.insert("expires_at", expires_at);
        self.write(&query, variables).await?;
        Ok(true)
    }

    /// Gives a session a new token; both are valid until the new one is first used, and the old one 30 s longer.
    ///
    /// Rotating the old token again (the response was lost) gives the same successor again, or replaces it while it is
    /// unused. Once the successor is in use, `None` is returned: another tab has the new token already. So it is for a
    /// token that was issued less than [`ROTATE_EVERY`] ago.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) when the session has ended.
    pub async fn rotate_session(
        &self,
        old_hash: &str,
        new_hash: &str,
        now: DateTime<Utc>,
        idle: Duration,
    ) -> Result<Option<Session>> {
        let query = "BEGIN; \
            LET $row = (SELECT * FROM ONLY $old); \
            IF $row = NONE OR $row.expires_at <= $now { THROW 'morpion:no-session' }; \
            LET $account = (SELECT session_version, deleted_at FROM ONLY type::record('user', $row.user_id)); \
            IF $account = NONE OR $account.deleted_at != NONE OR $account.session_version != $row.version { \
                THROW 'morpion:no-session' }; \
            LET $next = IF $row.successor = NONE { NONE } \
                ELSE { (SELECT * FROM ONLY type::record('session', $row.successor)) }; \
            LET $is_fresh = $row.issued_at != NONE AND $row.issued_at > $fresh_since; \
            LET $made = IF $is_fresh OR ($next != NONE AND $next.predecessor = NONE) { [] } ELSE { \
                DELETE (SELECT VALUE id FROM session WHERE sid = $row.sid AND id != $old AND id != $new) RETURN NONE; \
                IF $next != NONE AND $next.id != $new { DELETE $next.id RETURN NONE; }; \
                UPDATE $old SET successor = $new_hash RETURN NONE; \
                (UPSERT $new CONTENT object::extend(object::remove($row, 'id'), { \
                    hash: $new_hash, successor: NONE, predecessor: $old_hash, last_used_at: $now, \
                    issued_at: $now, expires_at: time::min([$expires_at, $row.ends_at]) })) }; \
            RETURN $made; \
            COMMIT;";
        let idle = TimeDelta::from_std(idle).unwrap_or(TimeDelta::MAX);
        let variables = vars! {
            old: session_record(old_hash),
            new: session_record(new_hash),
            old_hash: old_hash.to_owned(),
            new_hash: new_hash.to_owned(),
            now: now,
            fresh_since: now - ROTATE_EVERY,
            expires_at: now.checked_add_signed(idle).unwrap_or(DateTime::<Utc>::MAX_UTC),
        };
        let mut response = self.write(query, variables).await?;
        Ok(last(&mut response)?.pop())
    }

    /// Records that the user of a session proved who they are, with credentials that are still the same.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) when the session has ended,
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn prove_session(&self, sid: Uuid, checked: Credentials, now: DateTime<Utc>) -> Result<()> {
        let query = format!(
            "BEGIN; {UNCHANGED} \
             LET $proved = (UPDATE ({SESSION_TOKENS}) SET proved_at = $now WHERE version = $account.session_version \
                 RETURN VALUE sid); \
             IF array::len($proved) = 0 {{ THROW 'morpion:no-session' }}; \
             COMMIT;"
        );
        let mut variables = credentials::checked(checked);
        variables.extend(vars! { sid: sid, now: now });
        self.write(&query, variables).await.map(drop)
    }

    /// The live sessions of an account, the most recently used first, each once.
    pub async fn sessions_of(&self, user_id: Uuid, now: DateTime<Utc>) -> Result<Vec<Session>> {
        let mut response = self.read(SESSIONS_OF, vars! { user: user_id }).await?;
        Ok(current(self.of_current_versions(rows(&mut response, 0)?).await?, now))
    }

    /// When those of these sessions that are live end if they are not used before.
    pub async fn session_ends(&self, sids: &[Uuid], now: DateTime<Utc>) -> Result<HashMap<Uuid, DateTime<Utc>>> {
        if sids.is_empty() {
            return Ok(HashMap::new());
        }
        let mut response = self.read(SESSIONS_BY_ID, vars! { sids: sids.to_vec() }).await?;
        let sessions = current(self.of_current_versions(rows(&mut response, 0)?).await?, now);
        Ok(sessions.into_iter().map(|session| (session.sid, session.expires_at)).collect())
    }

    /// The live sessions of all users, for operators: at most `limit`, the most recently used first.
    pub async fn list_sessions(&self, now: DateTime<Utc>, limit: usize) -> Result<Vec<Session>> {
        let query = "SELECT * FROM session WHERE expires_at > $now ORDER BY last_used_at DESC LIMIT $limit";
        let mut response = self.read(query, vars! { now: now, limit: limit as i64 }).await?;
        Ok(current(self.of_current_versions(rows(&mut response, 0)?).await?, now))
    }

    /// Ends one session, named by its `sid`; answers whether there was one. Audited if there was.
    pub async fn revoke_session(&self, sid: Uuid) -> Result<bool> {
        let query = format!(
            "BEGIN; \
             LET $ended = (DELETE ({SESSION_TOKENS}) RETURN BEFORE); \
             IF array::len($ended) > 0 {{ fn::audit($audit) }}; \
             RETURN $ended; \
             COMMIT;"
        );
        let mut response = self.write(&query, vars! { sid: sid }).await?;
        Ok(!last::<Session>(&mut response)?.is_empty())
    }

    /// Ends all sessions of an account but one. Which they were: [`Store::ended_sessions_of`].
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound).
    pub async fn end_sessions_of(&self, user_id: Uuid, kept: Option<Uuid>) -> Result<()> {
        let query = format!(
            "BEGIN; {UNCHANGED} \
             IF $sid != NONE {{ \
                 UPDATE ({SESSION_TOKENS}) SET version = $changed WHERE version = $account.session_version RETURN NONE; }}; \
             UPDATE $id SET credential_version = $changed, session_version = $changed RETURN NONE; \
             COMMIT;"
        );
        let mut variables = credentials::unchecked(user_id);
        variables.insert("sid", kept);
        self.write(&query, variables).await.map(drop)
    }

    /// The sessions that ended with an earlier version of their account, or with the account, as far as their records are
    /// not removed yet ([`Store::remove_ended_sessions_of`]).
    pub async fn ended_sessions_of(&self, user_id: Uuid) -> Result<Vec<Uuid>> {
        let query =
            format!("LET $version = (SELECT VALUE session_version FROM ONLY $account); {SESSIONS_OF_OTHER_VERSIONS}");
        let mut response = self.read(&query, vars! { account: user_record(user_id), user: user_id }).await?;
        let mut sids: Vec<Uuid> = rows(&mut response, 1)?;
        sids.sort_unstable();
        sids.dedup();
        Ok(sids)
    }

    /// Removes the records of [`Store::ended_sessions_of`] and [`Store::ended_personal_tokens_of`], in pieces.
    pub async fn remove_ended_sessions_of(&self, user_id: Uuid) -> Result<()> {
        for table in ["session", "personal_token"] {
            let query = format!(
                "LET $version = (SELECT VALUE session_version FROM ONLY $account); \
                 LET $ended = (SELECT VALUE id FROM {table} WHERE user_id = $user AND version != $version LIMIT $limit); \
                 DELETE $ended RETURN NONE; \
                 RETURN [array::len($ended)];"
            );
            self.in_pieces(&query, vars! { account: user_record(user_id), user: user_id }).await?;
        }
        Ok(())
    }

    /// Removes the sessions that have ended by their time; returns how many records that were.
    pub async fn purge_sessions(&self, now: DateTime<Utc>) -> Result<usize> {
        let query = format!("LET $ended = ({ENDED_SESSIONS}); DELETE $ended RETURN NONE; RETURN [array::len($ended)];");
        self.in_pieces(&query, vars! { now: now }).await
    }

    /// Repeats a query that removes at most `$limit` records and returns how many, until there are no more.
    pub(crate) async fn in_pieces(&self, query: &str, mut variables: Variables) -> Result<usize> {
        variables.insert("limit", REMOVED_AT_ONCE as i64);
        let mut removed = 0;
        loop {
            let mut response = self.write(query, variables.clone()).await?;
            let statement = response.num_statements() - 1;
            let piece = rows::<i64>(&mut response, statement)?.pop().unwrap_or_default();
            let piece = usize::try_from(piece).unwrap_or_default();
            removed += piece;
            if piece < REMOVED_AT_ONCE {
                return Ok(removed);
            }
        }
    }
}

/// One record per session: of two tokens the newer represents both.
fn current(mut sessions: Vec<Session>, now: DateTime<Utc>) -> Vec<Session> {
    let replaced: Vec<String> = sessions.iter().filter_map(|session| session.successor.clone()).collect();
    let present: Vec<String> = sessions.iter().map(|session| session.hash.clone()).collect();
    sessions.retain(|session| {
        session.expires_at > now
            && !session.successor.as_ref().is_some_and(|hash| replaced.contains(hash) && present.contains(hash))
    });
    sessions.sort_by_key(|session| std::cmp::Reverse(session.last_used_at));
    sessions
}
