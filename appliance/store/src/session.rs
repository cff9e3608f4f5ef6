//! Sessions: `session`, keyed by the hash of the token.
//!
//! Rotating a session gives it a second record under the new token's hash, with the same `sid`. The old record stays
//! valid until the new one is first used, so that a lost response signs nobody out; from then on it has 30 seconds, for
//! other tabs: `docs/behaviour/accounts.md#sessions`.

use std::{collections::HashMap, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use surrealdb::types::{RecordId, SurrealValue, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, last, row, rows};

/// A use is written at most this often: it is a synced commit, and nobody needs the second.
const TOUCH_EVERY: TimeDelta = TimeDelta::minutes(1);

/// How long a rotated token stays valid after the first use of its successor.
const OLD_TOKEN_GRACE: TimeDelta = TimeDelta::seconds(30);

pub(crate) const SESSIONS_OF: &str = "SELECT * FROM session WHERE user_id = $user";
pub(crate) const SESSION_TOKENS: &str = "SELECT VALUE id FROM session WHERE sid = $sid";
pub(crate) const SESSIONS_BY_ID: &str = "SELECT * FROM session WHERE sid IN $sids";
pub(crate) const OTHER_SESSIONS: &str = "SELECT VALUE id FROM session WHERE user_id = $user AND sid != $except";
pub(crate) const ENDED_SESSIONS: &str = "SELECT VALUE id FROM session WHERE expires_at <= $now";

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
}

/// A session to be stored. `hash` is the SHA-256 of the token in hex.
#[derive(Debug, Clone)]
pub struct NewSession {
    pub hash: String,
    pub user_id: Uuid,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    pub user_agent: String,
    pub address: String,
    pub device: String,
}

fn session_record(hash: &str) -> RecordId {
    RecordId::new("session", hash)
}

impl Store {
    /// Stores a session.
    pub async fn insert_session(&self, new: NewSession) -> Result<Session> {
        let session = Session {
            hash: new.hash,
            sid: Uuid::new_v4(),
            user_id: new.user_id,
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
        };
        let variables = vars! { id: session_record(&session.hash), row: session.clone() };
        self.write("CREATE $id CONTENT $row RETURN NONE", variables).await?;
        Ok(session)
    }

    /// The session of a token, unless it has ended.
    pub async fn session(&self, hash: &str, now: DateTime<Utc>) -> Result<Option<Session>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: session_record(hash) }).await?;
        let session: Option<Session> = row(&mut response, 0)?;
        Ok(session.filter(|session| session.expires_at > now))
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
    /// unused. Once the successor is in use, `None` is returned: another tab has the new token already.
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
            LET $next = IF $row.successor = NONE { NONE } \
                ELSE { (SELECT * FROM ONLY type::record('session', $row.successor)) }; \
            LET $made = IF $next != NONE AND $next.predecessor = NONE { [] } ELSE { \
                IF $next != NONE AND $next.id != $new { DELETE $next.id RETURN NONE; }; \
                UPDATE $old SET successor = $new_hash RETURN NONE; \
                (UPSERT $new CONTENT object::extend(object::remove($row, 'id'), { \
                    hash: $new_hash, successor: NONE, predecessor: $old_hash, last_used_at: $now, \
                    expires_at: time::min([$expires_at, $row.ends_at]) })) }; \
            RETURN $made; \
            COMMIT;";
        let idle = TimeDelta::from_std(idle).unwrap_or(TimeDelta::MAX);
        let variables = vars! {
            old: session_record(old_hash),
            new: session_record(new_hash),
            old_hash: old_hash.to_owned(),
            new_hash: new_hash.to_owned(),
            now: now,
            expires_at: now.checked_add_signed(idle).unwrap_or(DateTime::<Utc>::MAX_UTC),
        };
        let mut response = self.write(query, variables).await?;
        Ok(last(&mut response)?.pop())
    }

    /// Records that the user of a session proved who they are.
    pub async fn prove_session(&self, sid: Uuid, now: DateTime<Utc>) -> Result<()> {
        let query = format!("UPDATE ({SESSION_TOKENS}) SET proved_at = $now RETURN NONE");
        self.write(&query, vars! { sid: sid, now: now }).await.map(drop)
    }

    /// The live sessions of an account, the most recently used first, each once.
    pub async fn sessions_of(&self, user_id: Uuid, now: DateTime<Utc>) -> Result<Vec<Session>> {
        let mut response = self.read(SESSIONS_OF, vars! { user: user_id }).await?;
        Ok(current(rows(&mut response, 0)?, now))
    }

    /// When those of these sessions that are live end if they are not used before.
    pub async fn session_ends(&self, sids: &[Uuid], now: DateTime<Utc>) -> Result<HashMap<Uuid, DateTime<Utc>>> {
        if sids.is_empty() {
            return Ok(HashMap::new());
        }
        let mut response = self.read(SESSIONS_BY_ID, vars! { sids: sids.to_vec() }).await?;
        let sessions = current(rows(&mut response, 0)?, now);
        Ok(sessions.into_iter().map(|session| (session.sid, session.expires_at)).collect())
    }

    /// The live sessions of all users, for operators: at most `limit`, the most recently used first.
    pub async fn list_sessions(&self, now: DateTime<Utc>, limit: usize) -> Result<Vec<Session>> {
        let query = "SELECT * FROM session WHERE expires_at > $now ORDER BY last_used_at DESC LIMIT $limit";
        let mut response = self.read(query, vars! { now: now, limit: limit as i64 }).await?;
        Ok(current(rows(&mut response, 0)?, now))
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

    /// Ends all sessions of an account but one, and returns their `sid`s, so that their sockets can be closed.
    pub async fn revoke_sessions_of(&self, user_id: Uuid, except: Option<Uuid>) -> Result<Vec<Uuid>> {
        let query = format!("DELETE ({OTHER_SESSIONS}) RETURN BEFORE");
        let mut response = self.write(&query, vars! { user: user_id, except: except }).await?;
        let ended: Vec<Session> = rows(&mut response, 0)?;
        let mut sids: Vec<Uuid> = ended.into_iter().map(|session| session.sid).collect();
        sids.sort();
        sids.dedup();
        Ok(sids)
    }

    /// Removes the sessions that have ended; returns how many were removed.
    pub async fn purge_sessions(&self, now: DateTime<Utc>) -> Result<usize> {
        let query = format!("DELETE ({ENDED_SESSIONS}) RETURN BEFORE");
        let mut response = self.write(&query, vars! { now: now }).await?;
        Ok(rows::<Session>(&mut response, 0)?.len())
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
