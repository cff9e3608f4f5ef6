//! Sessions: who a token belongs to, for how long, and who hears of its end.

use std::{collections::HashMap, net::IpAddr, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::{NewSession, Session, Store, StoreError, User};
use parking_lot::Mutex;
use tokio::sync::broadcast;
use uuid::Uuid;

use super::{device, forgery::ServerSecret, token};
use crate::{caller::Identity, error::ApiError};

/// A session ends when it is not used for so long.
pub const IDLE: Duration = Duration::from_secs(30 * 86_400);

/// A session ends after so long however much it is used.
pub const LONGEST: Duration = Duration::from_secs(90 * 86_400);

/// A use is written once a minute at most; the store says so too, this spares asking it.
const TOUCH_EVERY: TimeDelta = TimeDelta::minutes(1);

/// Sessions kept at hand, about 700 bytes each. When it is full the half that was used longest ago goes: who comes
/// back costs one indexed read.
const MAX_CACHED: usize = 10_000;

/// Announcements that a slow listener may lag behind; then it must look through its sessions with
/// [`Sessions::is_live`].
const MAX_ANNOUNCED: usize = 1_024;

/// More of a User-Agent is not kept.
const MAX_USER_AGENT: usize = 256;

/// A session (or an operator token, by its id) ended, or what its holder may do changed: its sockets are to be closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionEnded {
    pub session_id: Uuid,
}

/// A session that was just begun or rotated: the one moment its token is known.
#[derive(Debug)]
pub struct Fresh {
    pub token: String,
    pub session_id: Uuid,
    pub ends_at: DateTime<Utc>,
}

#[derive(Debug, Clone)]
struct Cached {
    session: Session,
    identity: Arc<Identity>,
}

#[derive(Debug, Default)]
struct Cache {
    /// By the token's hash.
    entries: HashMap<String, Cached>,
    /// One more whenever something became untrue, so that what was read before is not put in after.
    generation: u64,
}

#[derive(Debug)]
pub struct Sessions {
    store: Store,
    secret: ServerSecret,
    cache: Mutex<Cache>,
    ended: broadcast::Sender<SessionEnded>,
}

impl Sessions {
    pub fn new(store: Store, secret: ServerSecret) -> Self {
        Self { store, secret, cache: Mutex::default(), ended: broadcast::channel(MAX_ANNOUNCED).0 }
    }

    /// Hears of every session that ends from now on.
    pub fn ended(&self) -> broadcast::Receiver<SessionEnded> {
        self.ended.subscribe()
    }

    /// Begins a session.
    pub async fn begin(
        &self,
        user: &User,
        address: IpAddr,
        user_agent: &str,
        now: DateTime<Utc>,
    ) -> Result<Fresh, ApiError> {
        let token = token::new();
        let session = self
            .store
            .insert_session(NewSession {
                hash: token::hash(&token),
                user_id: user.id,
                created_at: now,
                expires_at: now + IDLE,
                ends_at: now + LONGEST,
                user_agent: user_agent.chars().take(MAX_USER_AGENT).collect(),
                address: address.to_string(),
                device: device::label(user_agent),
            })
            .await?;
        Ok(Fresh { token, session_id: session.sid, ends_at: session.ends_at })
    }

    /// Whom the token signs in; `None` when it is no token or the session has ended. Notes the use.
    pub async fn find(&self, token: &str, now: DateTime<Utc>) -> Result<Option<Arc<Identity>>, ApiError> {
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
        if cache.entries.get(hash)?.session.expires_at <= now {
            cache.entries.remove(hash);
        }
        cache.entries.get(hash).cloned()
    }

    async fn load(&self, hash: &str, now: DateTime<Utc>) -> Result<Option<Cached>, ApiError> {
        let generation = self.cache.lock().generation;
        let Some(session) = self.store.session(hash, now).await? else { return Ok(None) };
        let Some(user) = self.store.user(session.user_id).await?.filter(|user| user.deleted_at.is_none()) else {
            return Ok(None);
        };
        let identity = Arc::new(Identity {
            user_id: UserId(user.id),
            username: user.username,
            is_admin: user.is_admin,
            is_temp: user.is_temp,
            session_id: session.sid,
        });
        let cached = Cached { session, identity };
        let mut cache = self.cache.lock();
        if cache.generation == generation {
            cache.make_room();
            cache.entries.insert(hash.to_owned(), cached.clone());
        }
        Ok(Some(cached))
    }

    /// A use that cannot be written is no reason to turn anybody away: only the session's end comes earlier.
    async fn touch(&self, session: &Session, now: DateTime<Utc>) {
        if let Some(cached) = self.cache.lock().entries.get_mut(&session.hash) {
            if !is_touch_due(&cached.session, now) {
                // Another request does it.
                return;
            }
            cached.session.last_used_at = now;
            cached.session.predecessor = None;
            cached.session.expires_at = (now + IDLE).min(cached.session.ends_at);
        }
        let written = async {
            self.store.touch_session(session, now, IDLE).await?;
            self.store.touch_user(session.user_id, now).await
        };
        match written.await {
            Ok(()) | Err(StoreError::NotFound(_)) => {}
            Err(error) => tracing::warn!(%error, "the use of a session was not written"),
        }
        if let Some(old) = &session.predecessor {
            // It has 30 seconds from now, which the store knows.
            self.forget(|cached| cached.session.hash == *old);
        }
    }

    /// Gives the session a new token; `None` when another tab has it already.
    ///
    /// The same token is always followed by the same one: of two refreshes at once, whichever answer the browser
    /// hears last, it holds the token that works.
    ///
    /// # Errors
    /// 401 when the session has ended.
    pub async fn rotate(&self, token: &str, now: DateTime<Utc>) -> Result<Option<Fresh>, ApiError> {
        let new = self.secret.seal(&format!("session after {token}"));
        let rotated = self.store.rotate_session(&token::hash(token), &token::hash(&new), now, IDLE).await;
        match rotated {
            Ok(Some(session)) => {
                self.forget(|cached| cached.session.sid == session.sid);
                Ok(Some(Fresh { token: new, session_id: session.sid, ends_at: session.ends_at }))
            }
            Ok(None) => Ok(None),
            Err(StoreError::NotFound(_)) => Err(ApiError::not_signed_in()),
            Err(error) => Err(error.into()),
        }
    }

    /// The sessions of an account, the one used last first.
    pub async fn of(&self, user_id: UserId, now: DateTime<Utc>) -> Result<Vec<Session>, ApiError> {
        Ok(self.store.sessions_of(user_id.0, now).await?)
    }

    /// Whether a session goes on. For a socket, which outlives the request that opened it: asked once more after the
    /// socket was registered to hear of ends, no end can be missed.
    pub async fn is_live(&self, identity: &Identity, now: DateTime<Utc>) -> Result<bool, ApiError> {
        Ok(self.of(identity.user_id, now).await?.iter().any(|session| session.sid == identity.session_id))
    }

    /// Ends one session, if it is this account's; answers whether there was one.
    pub async fn end(&self, user_id: UserId, session_id: Uuid, now: DateTime<Utc>) -> Result<bool, ApiError> {
        if !self.of(user_id, now).await?.iter().any(|session| session.sid == session_id) {
            return Ok(false);
        }
        let ended = self.store.revoke_session(session_id).await?;
        self.forget(|cached| cached.session.sid == session_id);
        self.announce(session_id);
        Ok(ended)
    }

    /// Ends all sessions of an account.
    pub async fn end_all(&self, user_id: UserId) -> Result<(), ApiError> {
        let ended = self.store.revoke_sessions_of(user_id.0, None).await?;
        self.forget(|cached| cached.session.user_id == user_id.0);
        ended.into_iter().for_each(|session_id| self.announce(session_id));
        Ok(())
    }

    /// The account was deleted, and these sessions with it.
    pub(super) fn ended_with_account(&self, user_id: UserId, ended: Vec<Uuid>) {
        self.forget(|cached| cached.session.user_id == user_id.0);
        ended.into_iter().for_each(|session_id| self.announce(session_id));
    }

    /// What the account may do, or is called, changed: the next request reads it anew.
    pub fn reread(&self, user_id: UserId) {
        self.forget(|cached| cached.session.user_id == user_id.0);
    }

    /// As [`Sessions::reread`], and its sockets are closed, since they go by the old role.
    pub async fn role_changed(&self, user_id: UserId, now: DateTime<Utc>) -> Result<(), ApiError> {
        self.reread(user_id);
        for session in self.of(user_id, now).await? {
            self.announce(session.sid);
        }
        Ok(())
    }

    pub(super) fn announce(&self, session_id: Uuid) {
        // Nobody listens before the sockets do, and in most tests.
        let _ = self.ended.send(SessionEnded { session_id });
    }

    fn forget(&self, which: impl Fn(&Cached) -> bool) {
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
mod tests {
    use morpion_store::{DatabaseUrl, NewUser, OpenOptions};

    use super::*;
    use crate::error::ErrorKind;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    async fn fresh() -> (Sessions, User) {
        let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
        let user = store
            .create_user(NewUser {
                id: Uuid::new_v4(),
                username: "ada".to_owned(),
                display_name: "Ada".to_owned(),
                first_name: String::new(),
                last_name: String::new(),
                email: None,
                email_verified: false,
                password_hash: None,
                provider: None,
                is_temp: false,
                created_at: Utc::now(),
            })
            .await
            .unwrap();
        (Sessions::new(store, ServerSecret::random()), user)
    }

    async fn is_signed_in(sessions: &Sessions, token: &str, now: DateTime<Utc>) -> bool {
        sessions.find(token, now).await.unwrap().is_some()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_session_ends_after_30_days_unused_and_after_90_in_any_case() {
        let (sessions, user) = fresh().await;
        let start = Utc::now();
        let day = |days| start + TimeDelta::days(days);
        let token = sessions.begin(&user, HERE, "curl/8", start).await.unwrap().token;
        for days in [0, 29, 58, 87, 89] {
            assert!(is_signed_in(&sessions, &token, day(days)).await, "day {days}");
        }
        assert!(!is_signed_in(&sessions, &token, day(90)).await);
        let unused = sessions.begin(&user, HERE, "curl/8", start).await.unwrap().token;
        assert!(!is_signed_in(&sessions, &unused, day(30)).await);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_lost_answer_to_a_refresh_signs_nobody_out() {
        let (sessions, user) = fresh().await;
        let now = Utc::now();
        let old = sessions.begin(&user, HERE, "", now).await.unwrap().token;
        let lost = sessions.rotate(&old, now).await.unwrap().unwrap().token;
        let much_later = now + TimeDelta::days(10);
        assert!(is_signed_in(&sessions, &old, much_later).await, "the new one was never used");
        let kept = sessions.rotate(&old, much_later).await.unwrap().unwrap().token;
        assert_eq!(kept, lost, "whichever answer arrives, it is the same token");
        assert!(is_signed_in(&sessions, &kept, much_later).await);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_second_tab_has_30_seconds_with_the_old_token() {
        let (sessions, user) = fresh().await;
        let now = Utc::now();
        let old = sessions.begin(&user, HERE, "", now).await.unwrap().token;
        assert!(is_signed_in(&sessions, &old, now).await);
        let new = sessions.rotate(&old, now).await.unwrap().unwrap();
        assert!(is_signed_in(&sessions, &new.token, now).await);
        let at = |seconds| now + TimeDelta::seconds(seconds);
        assert!(is_signed_in(&sessions, &old, at(29)).await);
        assert!(sessions.rotate(&old, at(29)).await.unwrap().is_none(), "the first tab has the new token already");
        assert!(!is_signed_in(&sessions, &old, at(30)).await);
        assert!(is_signed_in(&sessions, &new.token, at(31)).await);
        assert_eq!(sessions.rotate(&old, at(31)).await.unwrap_err().kind, ErrorKind::NotSignedIn);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_end_is_at_once_and_announced() {
        let (sessions, user) = fresh().await;
        let now = Utc::now();
        let mut ended = sessions.ended();
        let first = sessions.begin(&user, HERE, "", now).await.unwrap();
        let second = sessions.begin(&user, HERE, "", now).await.unwrap();
        let identity = sessions.find(&first.token, now).await.unwrap().unwrap();
        assert!(sessions.is_live(&identity, now).await.unwrap());
        assert!(!sessions.end(UserId(Uuid::new_v4()), first.session_id, now).await.unwrap(), "not somebody else's");
        assert!(sessions.end(identity.user_id, first.session_id, now).await.unwrap());
        assert!(!is_signed_in(&sessions, &first.token, now).await);
        assert!(!sessions.is_live(&identity, now).await.unwrap());
        assert!(is_signed_in(&sessions, &second.token, now).await);
        sessions.end_all(identity.user_id).await.unwrap();
        assert!(!is_signed_in(&sessions, &second.token, now).await);
        assert_eq!(ended.recv().await.unwrap().session_id, first.session_id);
        assert_eq!(ended.recv().await.unwrap().session_id, second.session_id);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_role_counts_from_the_next_request_on() {
        let (sessions, user) = fresh().await;
        let now = Utc::now();
        let fresh = sessions.begin(&user, HERE, "", now).await.unwrap();
        let mut ended = sessions.ended();
        assert!(!sessions.find(&fresh.token, now).await.unwrap().unwrap().is_admin);
        sessions.store.set_admin(user.id, true).await.unwrap();
        sessions.role_changed(UserId(user.id), now).await.unwrap();
        assert!(sessions.find(&fresh.token, now).await.unwrap().unwrap().is_admin);
        assert_eq!(ended.recv().await.unwrap().session_id, fresh.session_id);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_cache_stays_bounded() {
        let (sessions, user) = fresh().await;
        let now = Utc::now();
        let begun = sessions.begin(&user, HERE, "", now).await.unwrap();
        sessions.find(&begun.token, now).await.unwrap();
        let mut cache = sessions.cache.lock();
        let cached = cache.entries.values().next().unwrap().clone();
        for number in 0..3 * MAX_CACHED {
            cache.make_room();
            let mut other = cached.clone();
            other.session.last_used_at = now + TimeDelta::seconds(number as i64);
            cache.entries.insert(number.to_string(), other);
        }
        assert!(cache.entries.len() <= MAX_CACHED);
        assert!(cache.entries.contains_key(&(3 * MAX_CACHED - 1).to_string()), "the newest are at hand");
    }
}
