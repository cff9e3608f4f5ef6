//! Web Push: tells people whose page is closed, through the push service of their browser:
//! `docs/behaviour/notifications.md`.
//!
//! Nothing waits for a push: [`Push::tell`] puts a notice into a bounded queue. One task takes them from there, looks up who
//! wants it and where, and starts a delivery for each browser.
//!
//! | module | what it is |
//! |---|---|
//! | [`notice`] | what is told, in which words |
//! | [`vapid`] | the server's key and its signatures |
//! | [`encryption`] | what only the browser can read |
//! | `delivery` | requests to push services, and their answers |

mod delivery;
pub mod encryption;
pub mod notice;
pub mod vapid;

use std::{
    collections::HashSet,
    num::{NonZeroU32, NonZeroUsize},
    sync::Arc,
};

use anyhow::Context;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use lru::LruCache;
use morpion_rules::UserId;
use morpion_store::{PushSubscriptionRow, Store};
use parking_lot::Mutex;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::{
    clock::Clock,
    config::Config,
    connections::hub::Hub,
    metrics::{Metrics, PushOutcome},
    reach::Reach,
};
use delivery::Deliveries;
pub use encryption::BrowserKeys;
pub use notice::{Notice, PairedRound};
pub use vapid::VapidKey;

/// Notices that wait; further ones are dropped and counted. Each takes a few reads of the store.
const QUEUE_SIZE: usize = 4_096;

/// People of whom is remembered what they were told since they were last connected: some 200 bytes each.
const MAX_REMEMBERED: NonZeroUsize = NonZeroUsize::new(10_000).expect("not zero");

/// What is remembered of one of them; further notices are not sent until they are back.
const MAX_TOLD: usize = 64;

/// Accounts whose rate is remembered before those that were not told of anything lately are forgotten.
const MAX_RATES: usize = 10_000;

/// To whom a notice goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recipient {
    /// All browsers of somebody who has no page open.
    Away(UserId),
    /// The browser of this session, with a page open.
    Session(UserId, Uuid),
}

type Job = (Recipient, Notice);

/// Tells people by push. Cheap to clone; all clones are one. The default tells nobody.
#[derive(Clone, Default)]
pub struct Push(Option<Arc<Shared>>);

struct Shared {
    hub: Hub,
    key: Arc<VapidKey>,
    metrics: Metrics,
    reach: Reach,
    queue: mpsc::Sender<Job>,
    told: Mutex<LruCache<UserId, HashSet<String>>>,
}

impl std::fmt::Debug for Push {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Push").field("is_on", &self.is_on()).finish()
    }
}

impl BrowserKeys {
    /// The keys of a stored subscription, as [`BrowserKeys::parse`].
    fn of(subscription: &PushSubscriptionRow) -> Option<Self> {
        Self::parse(&subscription.p256dh, &subscription.auth)
    }

    /// From base64url with or without padding, which browsers and libraries do not agree on.
    pub fn parse(p256dh: &str, auth: &str) -> Option<Self> {
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        Self::new(&decode(p256dh)?, &decode(auth)?)
    }
}

impl Push {
    /// Loads the key, making it at the first start, and starts the task that sends, which ends with the last clone.
    ///
    /// # Errors
    /// The key's file cannot be used, or TLS cannot be set up.
    pub fn start(config: &Config, store: Store, hub: Hub, clock: Clock, metrics: Metrics) -> anyhow::Result<Self> {
        if !config.push.enabled {
            return Ok(Self::default());
        }
        let key = Arc::new(VapidKey::load(config)?);
        let reach = if config.push.allow_private_addresses { Reach::Anywhere } else { Reach::Public };
        let (queue, jobs) = mpsc::channel(QUEUE_SIZE);
        let deliveries = Deliveries::new(store.clone(), clock.clone(), metrics.clone(), Arc::clone(&key), reach)
            .context("pushes cannot be sent: TLS cannot be set up")?;
        let per_hour = Quota::per_hour(config.push.per_hour)
            .allow_burst(NonZeroU32::new(config.push.per_hour.get().div_ceil(3)).unwrap_or(NonZeroU32::MIN));
        let sender = Sender {
            store,
            hub: hub.clone(),
            clock,
            metrics: metrics.clone(),
            deliveries: Arc::new(deliveries),
            rates: RateLimiter::keyed(per_hour),
        };
        tokio::spawn(sender.run(jobs));
        let told = Mutex::new(LruCache::new(MAX_REMEMBERED));
        Ok(Self(Some(Arc::new(Shared { hub, key, metrics, reach, queue, told }))))
    }

    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// What browsers subscribe with; `None` where nothing is pushed.
    pub fn public_key(&self) -> Option<&str> {
        self.0.as_deref().map(|shared| shared.key.public())
    }

    /// Which addresses pushes go to.
    pub fn reach(&self) -> Reach {
        self.0.as_deref().map_or(Reach::Public, |shared| shared.reach)
    }

    /// Notices that wait to be sent.
    pub fn waiting(&self) -> usize {
        self.0.as_deref().map_or(0, |shared| shared.queue.max_capacity() - shared.queue.capacity())
    }

    /// Whether somebody has a page open, where they see for themselves.
    pub fn is_here(&self, user: UserId) -> bool {
        self.0.as_deref().is_some_and(|shared| shared.hub.is_connected(user))
    }

    /// Tells somebody who has no page open, once until they come back.
    pub fn tell(&self, user: UserId, notice: Notice) {
        let Some(shared) = self.0.as_deref() else { return };
        if shared.hub.is_connected(user) || !shared.is_news(user, &notice) {
            return;
        }
        if shared.queue.try_send((Recipient::Away(user), notice)).is_err() {
            shared.metrics.push(PushOutcome::Dropped);
        }
    }

    /// As [`Push::tell`], waiting for room in the queue: for those who tell many.
    pub async fn tell_when_there_is_room(&self, user: UserId, notice: Notice) {
        let Some(shared) = self.0.as_deref() else { return };
        if !shared.hub.is_connected(user) && shared.is_news(user, &notice) {
            // It fails at the end of the server only.
            let _ = shared.queue.send((Recipient::Away(user), notice)).await;
        }
    }

    /// Shows an example in the browser of a session.
    pub fn show_example(&self, user: UserId, session: Uuid) {
        let Some(shared) = self.0.as_deref() else { return };
        if shared.queue.try_send((Recipient::Session(user, session), Notice::Test)).is_err() {
            shared.metrics.push(PushOutcome::Dropped);
        }
    }

    /// Somebody opened a page: from now on everything is new to them again.
    pub fn came_back(&self, user: UserId) {
        if let Some(shared) = self.0.as_deref() {
            shared.told.lock().pop(&user);
        }
    }
}

impl Shared {
    /// Whether they were not told of it since they were last connected; notes that they are.
    fn is_news(&self, user: UserId, notice: &Notice) -> bool {
        let mut told = self.told.lock();
        let theirs = told.get_or_insert_mut(user, HashSet::new);
        theirs.len() < MAX_TOLD && theirs.insert(notice.key())
    }
}

/// The task that looks up who gets a notice.
struct Sender {
    store: Store,
    hub: Hub,
    clock: Clock,
    metrics: Metrics,
    deliveries: Arc<Deliveries>,
    rates: DefaultKeyedRateLimiter<UserId>,
}

impl Sender {
    async fn run(self, mut jobs: mpsc::Receiver<Job>) {
        while let Some((recipient, notice)) = jobs.recv().await {
            if let Err(error) = self.send(recipient, notice).await {
                self.metrics.push(PushOutcome::Failed);
                tracing::warn!(%error, "a push was not sent: the store does not answer");
            }
        }
    }

    async fn send(&self, recipient: Recipient, notice: Notice) -> morpion_store::Result<()> {
        let (user, session) = match recipient {
            // They may have come back while it waited.
            Recipient::Away(user) if self.hub.is_connected(user) => return Ok(()),
            Recipient::Away(user) => (user, None),
            Recipient::Session(user, session) => (user, Some(session)),
        };
        let mut browsers = self.store.push_subscriptions_of(user.0).await?;
        browsers.retain(|browser| session.is_none_or(|session| browser.session_id == session));
        if browsers.is_empty() || !self.is_welcome(user, &notice).await? {
            return Ok(());
        }
        // Ends of sessions may have been missed, as by a crash.
        let sessions: Vec<Uuid> = browsers.iter().map(|browser| browser.session_id).collect();
        let live = self.store.session_ends(&sessions, self.clock.steady()).await?;
        browsers.retain(|browser| live.contains_key(&browser.session_id));
        if browsers.is_empty() || !self.is_within_rate(user) {
            return Ok(());
        }
        let notice = Arc::new(notice);
        for browser in browsers {
            self.deliveries.start(&notice, browser);
        }
        Ok(())
    }

    /// Whether they want it, and do not block whom it is from.
    async fn is_welcome(&self, user: UserId, notice: &Notice) -> morpion_store::Result<bool> {
        let settings = self.store.notification_settings(user.0).await?;
        if !notice.is_wanted(&settings.push) {
            return Ok(false);
        }
        match notice.from() {
            Some(other) => Ok(!self.store.is_blocked(user.0, other.0).await?),
            None => Ok(true),
        }
    }

    fn is_within_rate(&self, user: UserId) -> bool {
        if self.rates.len() > MAX_RATES {
            self.rates.retain_recent();
        }
        let allowed = self.rates.check_key(&user).is_ok();
        if !allowed {
            self.metrics.push(PushOutcome::Dropped);
        }
        allowed
    }
}
