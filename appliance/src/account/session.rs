//! Sessions: whose a token is, how long it is valid, and who is notified when it ends.

use std::{collections::HashMap, net::IpAddr, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::{AdminClaim, NewSession, Session, Store, StoreError, Suspension, User};
use parking_lot::Mutex;
use tokio::sync::broadcast;
use uuid::Uuid;

use super::{csrf::ServerSecret, device, error::AccountError, required_factor::RequiredFactor, token};
use crate::{caller::Identity, error::CommonError};

/// A session ends when it is unused for this long.
pub const IDLE_LIFE: Duration = Duration::from_secs(30 * 86_400);

/// A session ends after this time in any case.
pub const MAX_LIFE: Duration = Duration::from_secs(90 * 86_400);

/// A use is written at most once a minute; the store enforces it too, this saves asking it.
const TOUCH_EVERY: TimeDelta = TimeDelta::minutes(1);

/// Cached sessions, about 700 bytes each. When the cache is full, the less recently used half is dropped: loading one
/// again costs one indexed read.
const MAX_CACHED: usize = 10_000;

/// Notifications that a slow listener may lag behind; after that it has to check its sessions with
/// [`Store::session_ends`].
const MAX_PENDING_NOTICES: usize = 1_024;

/// Characters of a User-Agent that are stored.
const MAX_USER_AGENT: usize = 256;

/// The sockets of a session (or a token, by its id) are to be closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocketClosure {
    pub session_id: Uuid,
    pub reason: ClosureReason,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClosureReason {
    /// It ended, or its holder got another role. `suspension` is why, if the account was suspended.
    Ended { suspension: Option<Suspension> },
    /// It goes on, and its holder may do more or less than when they connected.
    RightsChanged,
}

/// A session that was just started or rotated: the only moment its token is known.
#[derive(Debug)]
pub struct IssuedSession {
    pub token: String,
    pub session_id: Uuid,
    pub ends_at: DateTime<Utc>,
}

#[derive(Debug, Clone)]
struct Cached {
    session: Session,
    /// When the admin rights of the identity end by themselves.
    rights_end: Option<DateTime<Utc>>,
    identity: Arc<Identity>,
}

#[derive(Debug, Default)]
struct Cache {
    /// By the token's hash.
    entries: HashMap<String, Cached>,
    /// Incremented by every invalidation, so that what was read before is not cached after it.
    generation: u64,
}

#[derive(Debug)]
pub struct Sessions {
    store: Store,
    secret: ServerSecret,
    required_factor: Arc<RequiredFactor>,
    cache: Mutex<Cache>,
    closures: broadcast::Sender<SocketClosure>,
}

impl Sessions {
    pub fn new(store: Store, secret: ServerSecret, required_factor: Arc<RequiredFactor>) -> Self {
        Self {
            store,
            secret,
            required_factor,
            cache: Mutex::default(),
            closures: broadcast::channel(MAX_PENDING_NOTICES).0,
        }
    }

    /// Subscribes to every session whose sockets are to be closed from now on.
    pub fn closures(&self) -> broadcast::Receiver<SocketClosure> {
        self.closures.subscribe()
    }

    /// Begins a session of an account, as it was when its owner was checked.
    ///
    /// # Errors
    /// [`CommonError::CredentialsChanged`] when it has other credentials by now, [`CommonError::NotFound`].
    pub async fn begin(
        &self,
        user: &User,
        address: IpAddr,
        user_agent: &str,
        now: DateTime<Utc>,
    ) -> Result<IssuedSession, AccountError> {
        let token = token::new();
        let (session, ended) = self
            .store
            .insert_session(NewSession {
                hash: token::hash(&token),
                credentials: user.credentials(),
                created_at: now,
                expires_at: now + IDLE_LIFE,
                ends_at: now + MAX_LIFE,
                user_agent: user_agent.chars().take(MAX_USER_AGENT).collect(),
                address: address.to_string(),
                device: device::label(user_agent),
            })
            .await?;
        if !ended.is_empty() {
            self.evict(|cached| ended.contains(&cached.session.sid));
            ended.into_iter().for_each(|session_id| self.notify_ended(session_id));
        }
        Ok(IssuedSession { token, session_id: session.sid, ends_at: session.ends_at })
    }

    /// The identity of a token; `None` when it is unknown or the session has ended. Records the use.
    pub async fn find(&self, token: &str, now: DateTime<Utc>) -> Result<Option<Arc<Identity>>, AccountError> {
        if !token::is_plausible(token) {
            return Ok(None);
        }
        let hash = token::hash(token);
        let cached = match self.cached(&hash, now) {
            Some(cached) => cached,
            None => match self.load(&hash, now).await? {
                Some(cached) => cached,
                None => return Ok(None),
            },
        };
        if is_touch_due(&cached.session, now) {
            self.touch(&cached.session, now).await;
        }
        Ok(Some(cached.identity))
    }

    fn cached(&self, hash: &str, now: DateTime<Utc>) -> Option<Cached> {
        let mut cache = self.cache.lock();
        let cached = cache.entries.get(hash)?;
        if cached.session.expires_at <= now || cached.rights_end.is_some_and(|end| end <= now) {
            cache.entries.remove(hash);
        }
        cache.entries.get(hash).cloned()
    }

    async fn load(&self, hash: &str, now: DateTime<Utc>) -> Result<Option<Cached>, AccountError> {
        let generation = self.cache.lock().generation;
        let Some((session, user)) = self.store.session(hash, now).await? else { return Ok(None) };
        let holds = |claim: &&AdminClaim| claim.until > now && session.created_at >= claim.since;
        let rights_end = user.admin_claim.as_ref().filter(holds).map(|claim| claim.until);
        let identity = Arc::new(Identity {
            user_id: UserId(user.id),
            needs_second_factor: self.required_factor.is_missing(&user),
            username: user.username,
            is_admin: user.is_admin && (user.admin_claim.is_none() || rights_end.is_some()),
            is_temp: user.is_temp,
            session_id: session.sid,
            credential_version: user.credential_version,
            scopes: None,
        });
        let cached = Cached { session, rights_end, identity };
        let mut cache = self.cache.lock();
        if cache.generation == generation {
            cache.make_room();
            cache.entries.insert(hash.to_owned(), cached.clone());
        }
        Ok(Some(cached))
    }

    /// A use that cannot be written does not fail the request: the session only ends earlier.
    async fn touch(&self, session: &Session, now: DateTime<Utc>) {
        if let Some(cached) = self.cache.lock().entries.get_mut(&session.hash) {
            if !is_touch_due(&cached.session, now) {
                // Another request writes it.
                return;
            }
            cached.session.last_used_at = now;
            cached.session.predecessor = None;
            cached.session.expires_at = (now + IDLE_LIFE).min(cached.session.ends_at);
        }
        let written = async {
            self.store.touch_session(session, now, IDLE_LIFE).await?;
            self.store.touch_user(session.user_id, now).await
        };
        match written.await {
            Ok(()) | Err(StoreError::NotFound(_)) => {}
            Err(error) => tracing::warn!(%error, "the use of a session was not written"),
        }
        if let Some(old) = &session.predecessor {
            // It is valid for 30 more seconds, which the store knows.
            self.evict(|cached| cached.session.hash == *old);
        }
    }

    /// Rotates the session's token; `None` when another tab did so already.
    ///
    /// A token always has the same successor: of two refreshes at once, whichever response arrives last, the browser
    /// holds the valid token.
    ///
    /// # Errors
    /// [`CommonError::NotSignedIn`] when the session has ended.
    pub async fn rotate(&self, token: &str, now: DateTime<Utc>) -> Result<Option<IssuedSession>, AccountError> {
        let new = self.secret.hmac_hex(&format!("session after {token}"));
        let rotated = self.store.rotate_session(&token::hash(token), &token::hash(&new), now, IDLE_LIFE).await;
        match rotated {
            Ok(Some(session)) => {
                self.evict(|cached| cached.session.sid == session.sid);
                Ok(Some(IssuedSession { token: new, session_id: session.sid, ends_at: session.ends_at }))
            }
            Ok(None) => Ok(None),
            Err(StoreError::NotFound(_)) => Err(CommonError::NotSignedIn.into()),
            Err(error) => Err(error.into()),
        }
    }

    /// The sessions of an account, the most recently used first.
    pub async fn list(&self, user_id: UserId, now: DateTime<Utc>) -> Result<Vec<Session>, AccountError> {
        Ok(self.store.sessions_of(user_id.0, now).await?)
    }

    /// Ends one session, if it is this account's; returns whether there was one.
    pub async fn end(&self, user_id: UserId, session_id: Uuid, now: DateTime<Utc>) -> Result<bool, AccountError> {
        self.end_in(&self.store, user_id, session_id, now).await
    }

    /// As [`Sessions::end`], with a handle of the store that is audited.
    pub async fn end_in(
        &self,
        store: &Store,
        user_id: UserId,
        session_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<bool, AccountError> {
        if !self.list(user_id, now).await?.iter().any(|session| session.sid == session_id) {
            return Ok(false);
        }
        let ended = store.revoke_session(session_id).await?;
        self.evict(|cached| cached.session.sid == session_id);
        self.notify_ended(session_id);
        Ok(ended)
    }

    /// Ends all sessions of an account but one; returns how many ended.
    pub async fn end_all_but(&self, user_id: UserId, kept: Option<Uuid>) -> Result<usize, AccountError> {
        self.store.end_sessions_of(user_id.0, kept).await?;
        self.have_ended(user_id, None).await
    }

    /// Sessions and personal tokens of an account ended with another version of it: closes their sockets, and removes
    /// their records afterwards. Returns how many sessions that were.
    pub(super) async fn have_ended(
        &self,
        user_id: UserId,
        suspension: Option<&Suspension>,
    ) -> Result<usize, AccountError> {
        self.invalidate(user_id);
        // After the write: a session that began until then is among them, and none began after it.
        let ended = self.store.ended_sessions_of(user_id.0).await?;
        let tokens = self.store.ended_personal_tokens_of(user_id.0).await?;
        for id in ended.iter().chain(&tokens) {
            self.announce(*id, ClosureReason::Ended { suspension: suspension.cloned() });
        }
        let store = self.store.clone();
        tokio::spawn(async move {
            if let Err(error) = store.remove_ended_sessions_of(user_id.0).await {
                tracing::warn!(%error, "records of ended sessions were not removed");
            }
        });
        Ok(ended.len())
    }

    /// The account's rights or names changed: the next request reads them again.
    pub fn invalidate(&self, user_id: UserId) {
        self.evict(|cached| cached.session.user_id == user_id.0);
    }

    /// As [`Sessions::invalidate`], and closes its sockets, since they have the old role; open pages load again.
    pub async fn role_changed(&self, user_id: UserId, now: DateTime<Utc>) -> Result<(), AccountError> {
        self.close_sockets(user_id, &ClosureReason::Ended { suspension: None }, now).await
    }

    /// As [`Sessions::role_changed`], but open pages only connect again.
    pub async fn rights_changed(&self, user_id: UserId, now: DateTime<Utc>) -> Result<(), AccountError> {
        self.close_sockets(user_id, &ClosureReason::RightsChanged, now).await
    }

    async fn close_sockets(
        &self,
        user_id: UserId,
        reason: &ClosureReason,
        now: DateTime<Utc>,
    ) -> Result<(), AccountError> {
        self.invalidate(user_id);
        for session in self.list(user_id, now).await? {
            self.announce(session.sid, reason.clone());
        }
        Ok(())
    }

    pub(crate) fn notify_ended(&self, session_id: Uuid) {
        self.announce(session_id, ClosureReason::Ended { suspension: None });
    }

    fn announce(&self, session_id: Uuid, reason: ClosureReason) {
        // There are no listeners at the start and in most tests.
        let _ = self.closures.send(SocketClosure { session_id, reason });
    }

    fn evict(&self, which: impl Fn(&Cached) -> bool) {
        let mut cache = self.cache.lock();
        cache.generation += 1;
        cache.entries.retain(|_, cached| !which(cached));
    }
}

impl Cache {
    fn make_room(&mut self) {
        if self.entries.len() < MAX_CACHED {
            return;
        }
        let mut uses: Vec<DateTime<Utc>> = self.entries.values().map(|cached| cached.session.last_used_at).collect();
        let middle = uses.len() / 2;
        let median = *uses.select_nth_unstable(middle).1;
        self.entries.retain(|_, cached| cached.session.last_used_at > median);
    }
}

fn is_touch_due(session: &Session, now: DateTime<Utc>) -> bool {
    session.predecessor.is_some() || now - session.last_used_at >= TOUCH_EVERY
}

#[cfg(test)]
mod tests;
