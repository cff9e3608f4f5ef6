//! Replies to the requests of this process: one subscription for all, and a place for each while somebody waits.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use async_nats::{Client, Message, StatusCode, SubscribeError, Subscriber};
use futures_util::StreamExt;
use parking_lot::Mutex;
use tokio::{
    sync::mpsc,
    time::{Instant, timeout_at},
};
use tokio_util::task::AbortOnDropHandle;

use super::NatsError;

type Waiting = Mutex<HashMap<u64, mpsc::Sender<Message>>>;

#[derive(Debug)]
pub(super) struct Inbox {
    prefix: String,
    waiting: Arc<Waiting>,
    next: AtomicU64,
    _delivery: AbortOnDropHandle<()>,
}

/// The replies to one request, which come until this is dropped.
#[derive(Debug)]
pub(super) struct Replies {
    asked: String,
    reply_to: String,
    number: u64,
    receiver: mpsc::Receiver<Message>,
    waiting: Arc<Waiting>,
}

impl Inbox {
    pub(super) async fn new(client: &Client) -> Result<Self, SubscribeError> {
        let prefix = format!("{}.", client.new_inbox());
        let replies = client.subscribe(format!("{prefix}*")).await?;
        let waiting = Arc::default();
        let delivery = tokio::spawn(deliver(replies, prefix.clone(), Arc::clone(&waiting)));
        Ok(Self { prefix, waiting, next: AtomicU64::default(), _delivery: AbortOnDropHandle::new(delivery) })
    }

    /// A place for up to `capacity` replies to a request at the subject `asked`; more are dropped.
    pub(super) fn open(&self, asked: String, capacity: usize) -> Replies {
        let (sender, receiver) = mpsc::channel(capacity);
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.waiting.lock().insert(number, sender);
        let reply_to = format!("{}{number}", self.prefix);
        Replies { asked, reply_to, number, receiver, waiting: Arc::clone(&self.waiting) }
    }
}

impl Replies {
    pub(super) fn reply_to(&self) -> String {
        self.reply_to.clone()
    }

    /// The next reply.
    pub(super) async fn next(&mut self, deadline: Instant) -> Result<Message, NatsError> {
        match timeout_at(deadline, self.receiver.recv()).await {
            Ok(Some(message)) if message.status == Some(StatusCode::NO_RESPONDERS) => {
                Err(NatsError::NoResponders(self.asked.clone()))
            }
            Ok(Some(message)) => Ok(message),
            Ok(None) => Err(NatsError::Disconnected),
            Err(_) => Err(NatsError::Timeout),
        }
    }
}

impl Drop for Replies {
    fn drop(&mut self) {
        self.waiting.lock().remove(&self.number);
    }
}

async fn deliver(mut replies: Subscriber, prefix: String, waiting: Arc<Waiting>) {
    while let Some(message) = replies.next().await {
        let number = message.subject.strip_prefix(&*prefix).and_then(|number| number.parse().ok());
        let place = number.and_then(|number: u64| waiting.lock().get(&number).cloned());
        let Some(place) = place else {
            tracing::debug!("a reply came too late");
            continue;
        };
        if place.try_send(message).is_err() {
            tracing::debug!("a request has more replies than it has room for");
        }
    }
}
