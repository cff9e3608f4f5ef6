//! What a node asks of NATS: the stream of entries, the lease and the names of nodes, messages between nodes.
//!
//! ```text
//! morpion        the stream; its only subject is morpion.log
//! KV_morpion     a bucket of keys: lease, lineage, node.NAME (the node's number is the revision at which it was made)
//! morpion.…      subjects of core NATS between nodes, see `nats/bus.rs`
//! ```
//!
//! JetStream's requests are made here and not by the client's layer for it: each is sent once and has its own deadline,
//! and what became of it is told exactly. That layer reads keys from any copy, and remembers lost replies for ever.
//!
//! What is relied on: an entry or key is acknowledged once a majority of the copies has it on disk (with
//! `sync_interval: always`). The stream's leader checks the expected sequence, and every copy that a message gets the
//! place it was proposed for: it goes behind the one it was meant for or nowhere. A copy has what is committed, perhaps
//! not yet all.

pub mod bus;
mod inbox;

use std::{
    collections::BTreeMap,
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_nats::{
    Client, ConnectOptions, HeaderMap, HeaderValue, Message, ServerAddr,
    connection::State as Connection,
    header,
    jetstream::{
        self, ErrorCode,
        message::StreamMessage,
        publish::PublishAck,
        response::Response,
        stream::{Config, DiscardPolicy, Info, PurgeResponse, RawMessage},
    },
};
use bytes::Bytes;
use morpion_cluster::{Entry, Item, Lease, NodeId, Revision, Sequence};
use morpion_engine::Changes;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};
use url::Url;
use uuid::Uuid;

pub use self::bus::{Answer, Ask, NodeStatus};
use self::inbox::{Inbox, Replies};
use super::wire::{self, MAX_MESSAGE, WireError};
use crate::config::ClusterConfig;

/// The oldest server that answers one request with many messages.
const OLDEST_SERVER: (i64, i64, i64) = (2, 11, 0);

const CONNECTING: Duration = Duration::from_secs(2);
/// A connection is given up when three in a row have no answer.
const PING_EVERY: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// Making a stream elects its leader.
const SETUP: Duration = Duration::from_secs(5);
const REQUEST: Duration = Duration::from_secs(1);
/// Longer than the protocol waits before it looks what became of an entry: an acknowledgement is of use even then.
const PUBLISH: Duration = Duration::from_secs(3);
/// Shorter than the protocol waits, so that a slow connection brings some entries rather than none.
const FETCH: Duration = Duration::from_millis(900);

/// Messages that wait for a subscriber of this process; more are dropped.
const SUBSCRIPTION_CAPACITY: usize = 16_384;
/// Messages that wait to be sent; whoever sends more waits.
const COMMAND_CAPACITY: usize = 4_096;

/// Bytes of entries that one fetch brings, but for the last of them.
const FETCH_BYTES: usize = 16 << 20;
const MAX_NODES: usize = 1_000;

/// What the subjects of JetStream's requests begin with.
const API: &str = "$JS.API.";

const LEASE: &str = "lease";
const LINEAGE: &str = "lineage";
const NODES: &str = "node.";

const SUBJECT: &str = "Nats-Subject";
const SEQUENCE: &str = "Nats-Sequence";
const LAST_SEQUENCE: &str = "Nats-Last-Sequence";
const NUM_PENDING: &str = "Nats-Num-Pending";
const KV_OPERATION: &str = "KV-Operation";
const END_OF_BATCH: u16 = 204;
const NOT_FOUND: u16 = 404;

/// Why NATS could not be asked, or what it refused. The texts are for operators.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    #[error("an address in cluster.nats cannot be used: {0}")]
    Address(String),
    #[error("the file cluster.credentials cannot be used: {0}")]
    Credentials(io::Error),
    #[error("no NATS server can be reached: {0}")]
    Connect(async_nats::ConnectError),
    #[error(
        "the NATS server asks for no credentials, so that whoever reaches it has all data: give it a user, as \
         docs/hosting/cluster.md says, or write closed_network = true into [cluster] if nobody else is on its network"
    )]
    Open,
    #[error("this NATS server has version {0}; at least 2.11 is needed")]
    Version(String),
    #[error(
        "NATS takes messages of at most {0} bytes; \
         write `max_payload: 8MB` into the configuration of all its servers"
    )]
    MaxPayload(usize),
    #[error(
        "JetStream has a stream '{stream}' with other settings: {difference}. \
         Correct it with `nats stream edit {stream}`, or choose another name for cluster.stream"
    )]
    Settings { stream: String, difference: String },
    #[error(
        "JetStream has lost the stream '{0}' of this cluster; restore its files, or begin a new cluster with the data of \
         the node that has most, as docs/hosting/cluster.md says"
    )]
    Lost(String),
    #[error("there is no connection to NATS")]
    Disconnected,
    #[error("NATS did not answer in time")]
    Timeout,
    #[error("nobody answers at {0}{hint}", hint = hint(.0))]
    NoResponders(String),
    #[error("JetStream refused: {0}")]
    JetStream(jetstream::Error),
    #[error("nothing can be sent to NATS: {0}")]
    Send(#[from] async_nats::PublishError),
    #[error("NATS takes no subscription: {0}")]
    Subscribe(#[from] async_nats::SubscribeError),
    #[error("an answer of NATS cannot be read: {0}")]
    Answer(String),
    #[error("what another node wrote cannot be read: {0}")]
    Peer(#[from] WireError),
    #[error("entry {sequence} of the stream cannot be read: {error}")]
    Entry { sequence: Sequence, error: WireError },
}

impl NatsError {
    /// Whether NATS may answer otherwise later, without an operator who changes what is configured here or there.
    /// JetStream refuses as well while its servers are starting.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Connect(_) | Self::Disconnected | Self::Timeout | Self::NoResponders(_) => true,
            Self::JetStream(_) | Self::Send(_) | Self::Subscribe(_) => true,
            Self::Address(_) | Self::Credentials(_) | Self::Open | Self::Version(_) | Self::MaxPayload(_) => false,
            Self::Lost(_) | Self::Settings { .. } | Self::Answer(_) | Self::Peer(_) | Self::Entry { .. } => false,
        }
    }

    fn is(&self, code: ErrorCode) -> bool {
        matches!(self, Self::JetStream(error) if error.error_code() == code)
    }
}

fn hint(subject: &str) -> &'static str {
    if subject.starts_with(API) { ": JetStream is not enabled, or has no stream of this name" } else { "" }
}

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publish {
    /// The stream has it, at the place it was meant for.
    Published,
    /// Refused, or without an answer: it may be there all the same.
    Refused,
}

/// What became of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseWrite {
    Written(Revision),
    /// The key has another revision than the expected one, or is being written by somebody else: this did nothing.
    Conflict,
    /// Without an answer: it may have been written.
    Unknown,
}

/// A part of the stream, as one of its copies has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The first entry that was not removed; 0 or the one behind `last` if there is none.
    pub first: Sequence,
    pub last: Sequence,
    /// From the place that was asked for, without a gap.
    pub entries: Vec<Entry<Changes>>,
}

/// A connection to NATS, which is renewed for as long as it is there. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Nats {
    client: Client,
    inbox: Arc<Inbox>,
    stream: Arc<str>,
    node: NodeId,
    /// The first entry of the stream when it was last asked for; 0: never.
    first: Arc<AtomicU64>,
}

/// What JetStream answers when a message is asked for.
#[derive(Deserialize)]
struct Stored {
    message: RawMessage,
}

struct Key {
    revision: u64,
    /// `None`: somebody deleted it.
    value: Option<Bytes>,
}

/// The messages that one direct request brought.
struct Batch {
    messages: Vec<Message>,
    /// The last sequence of the copy that answered; `None` if it has nothing from the place on.
    last: Option<Sequence>,
}

impl Nats {
    /// Connects once, makes the stream and the bucket unless they are there, and takes a number for the node.
    pub async fn connect(config: &ClusterConfig) -> Result<Self, NatsError> {
        let mut nats = Self::reach(config).await?;
        let replicas = config.replicas.unwrap_or(config.nats.len().clamp(1, 3));
        for mut settings in [bucket_settings(&config.stream), log_settings(&config.stream)] {
            settings.num_replicas = replicas;
            let is_log = *settings.name == *nats.stream;
            if is_log && nats.lineage().await?.is_some() {
                // Made anew, it would pass for the stream of a cluster in which nothing happened yet.
                nats.must_exist(&config.stream).await?;
            }
            nats.ensure(settings, config.replicas.is_some()).await?;
        }
        nats.ends(deadline(SETUP)).await?;
        nats.node = nats.node_id(&config.name).await?;
        Ok(nats)
    }

    /// As [`Nats::connect`] for a command, which is no node: makes nothing, and needs no majority of JetStream.
    pub async fn reach(config: &ClusterConfig) -> Result<Self, NatsError> {
        let client = connect(config).await?;
        if !client.server_info().auth_required && !config.closed_network {
            return Err(NatsError::Open);
        }
        let (major, minor, patch) = OLDEST_SERVER;
        if !client.is_server_compatible(major, minor, patch) {
            return Err(NatsError::Version(client.server_info().version));
        }
        if client.max_payload() < MAX_MESSAGE {
            return Err(NatsError::MaxPayload(client.max_payload()));
        }
        let inbox = Arc::new(Inbox::new(&client).await?);
        let stream = config.stream.as_str().into();
        Ok(Self { client, inbox, stream, node: NodeId(0), first: Arc::default() })
    }

    /// The name of the cluster, with which all its subjects begin.
    pub fn stream(&self) -> &str {
        &self.stream
    }

    /// Whether whoever reaches NATS is let in.
    pub fn is_open(&self) -> bool {
        !self.client.server_info().auth_required
    }

    /// This node; 0 for a command.
    pub fn node(&self) -> NodeId {
        self.node
    }

    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == Connection::Connected
    }

    /// Which cluster this is; `None` until one is founded.
    pub async fn lineage(&self) -> Result<Option<Uuid>, NatsError> {
        let key = self.key(LINEAGE, REQUEST).await?;
        key.and_then(|key| key.value).map(|value| lineage_of(&value)).transpose()
    }

    /// Whether the stream has no entry, and never had one.
    pub async fn is_unused(&self) -> Result<bool, NatsError> {
        Ok(self.ends(deadline(REQUEST)).await?.1 == 0)
    }

    /// Founds the cluster unless somebody did; which one it is then.
    pub async fn found(&self, id: Uuid) -> Result<Uuid, NatsError> {
        let key = self.key_or_new(LINEAGE, id.to_string().into()).await?;
        lineage_of(&key.1)
    }

    /// The number of the node with this name: the same for as long as the bucket is there.
    pub async fn node_id(&self, name: &str) -> Result<NodeId, NatsError> {
        let (revision, _) = self.key_or_new(&format!("{NODES}{name}"), name.to_owned().into()).await?;
        node_of(revision)
    }

    /// All nodes that ever had a number, and their names.
    pub async fn nodes(&self) -> Result<BTreeMap<NodeId, String>, NatsError> {
        let bucket = self.bucket();
        let prefix = self.key_subject(NODES);
        let request = json!({ "multi_last": [format!("{prefix}*")], "batch": MAX_NODES });
        let batch = self.batch(&bucket, &request, MAX_NODES, deadline(REQUEST)).await?;
        let mut nodes = BTreeMap::new();
        for message in batch.messages.iter().filter(|message| text(message, KV_OPERATION).is_none()) {
            let name = text(message, SUBJECT).and_then(|subject| subject.strip_prefix(&prefix));
            let name = name.ok_or_else(|| NatsError::Answer("a node has no name".to_owned()))?;
            nodes.insert(node_of(sequence_of(message)?)?, name.to_owned());
        }
        Ok(nodes)
    }

    /// The lease as the leader of its bucket has it; while there is none, revision 0 and nobody's.
    pub async fn read_lease(&self) -> Result<(Revision, Lease), NatsError> {
        let key = self.key(LEASE, REQUEST).await;
        let key = key.inspect_err(|error| tracing::debug!(%error, "the lease is not read"))?;
        match key {
            Some(Key { revision, value: Some(value) }) => Ok((Revision(revision), wire::decode(&value)?)),
            Some(Key { revision, value: None }) => Ok((Revision(revision), Lease::default())),
            None => Ok((Revision(0), Lease::default())),
        }
    }

    /// Writes the lease if its revision is the expected one; 0 if there is none.
    pub async fn write_lease(&self, expected: Revision, lease: Lease) -> LeaseWrite {
        self.write_key(LEASE, expected.0, wire::encode(&lease)).await
    }

    /// Appends an entry, as `wire::encode_entry` makes it, behind the expected last one. Sent once.
    pub async fn publish(&self, expected: Sequence, entry: Bytes) -> Publish {
        let mut headers = HeaderMap::new();
        headers.insert(header::NATS_EXPECTED_LAST_SEQUENCE, HeaderValue::from(expected));
        match self.append(self.subject("log"), headers, entry, PUBLISH).await {
            Ok(ack) if *ack.stream == *self.stream && Some(ack.sequence) == expected.checked_add(1) => {
                Publish::Published
            }
            Ok(ack) => {
                tracing::debug!(expected, stream = ack.stream, sequence = ack.sequence, "an entry went somewhere else");
                Publish::Refused
            }
            Err(error) => {
                tracing::debug!(expected, %error, "an entry was not acknowledged");
                Publish::Refused
            }
        }
    }

    /// Up to `limit` entries from a place on, and about 16 MiB. `first` and `last` agree with them: what is missing was
    /// removed (`first` is behind the place) or is not there yet (`last` is before it), as far as is known.
    pub async fn fetch(&self, from: Sequence, limit: usize) -> Result<Fetched, NatsError> {
        let fetched = self.try_fetch(from, limit).await;
        fetched.inspect_err(|error| match error {
            NatsError::Entry { .. } => tracing::warn!(%error, "this node cannot follow the stream any further"),
            _ => tracing::debug!(from, %error, "no entries are fetched"),
        })
    }

    async fn try_fetch(&self, from: Sequence, limit: usize) -> Result<Fetched, NatsError> {
        let deadline = deadline(FETCH);
        let (from, limit) = (from.max(1), limit.max(1));
        let request = json!({ "seq": from, "batch": limit, "max_bytes": FETCH_BYTES });
        let batch = self.batch(&self.stream, &request, limit, deadline).await?;
        let mut entries = Vec::new();
        let mut bytes = 0;
        for (message, sequence) in batch.messages.iter().zip(from..) {
            if sequence_of(message)? != sequence || bytes > FETCH_BYTES {
                break;
            }
            match wire::decode_entry(&message.payload, sequence) {
                Ok(entry) => {
                    bytes += size(&entry);
                    entries.push(entry);
                }
                Err(error) if entries.is_empty() => return Err(NatsError::Entry { sequence, error }),
                // Those before it are of use; the next fetch begins with it.
                Err(_) => break,
            }
        }
        if entries.is_empty() {
            return self.fetch_from_leader(from, deadline).await;
        }
        let first = match self.first.load(Ordering::Relaxed) {
            0 => self.ends(deadline).await?.0,
            first => first,
        };
        let read = from + entries.len() as u64 - 1;
        Ok(Fetched { first: first.min(from), last: batch.last.unwrap_or(read).max(read), entries })
    }

    /// What the stream's leader says when a copy has no entry at the place: it was removed, there is none yet, or only
    /// that copy lacks it.
    async fn fetch_from_leader(&self, from: Sequence, deadline: Instant) -> Result<Fetched, NatsError> {
        let (first, last) = self.ends(deadline).await?;
        if from < first || from > last {
            return Ok(Fetched { first, last, entries: Vec::new() });
        }
        let message = self.message(&self.stream, &json!({ "seq": from }), deadline).await?;
        let message = message.ok_or_else(|| NatsError::Answer(format!("the stream lacks entry {from}")))?;
        let entry = wire::decode_entry(&message.payload, from);
        let entry = entry.map_err(|error| NatsError::Entry { sequence: from, error })?;
        Ok(Fetched { first, last, entries: vec![entry] })
    }

    /// Removes the entries before this one.
    pub async fn trim(&self, before: Sequence) -> Result<(), NatsError> {
        // A purge of nothing removes everything, and one beyond the end moves the end.
        if before <= 1 {
            return Ok(());
        }
        let (_, last) = self.ends(deadline(REQUEST)).await?;
        if before > last + 1 {
            return Err(NatsError::Answer(format!("the stream ends at {last}, before {before}")));
        }
        let call = format!("STREAM.PURGE.{}", self.stream);
        let purged: PurgeResponse = self.api(&call, &json!({ "seq": before }), deadline(REQUEST)).await?;
        tracing::debug!(before, removed = purged.purged, "entries were removed from the stream");
        Ok(())
    }

    /// Makes a stream unless it is there. Nodes that start together make it once: JetStream answers a request that is
    /// equal to an earlier one as it answered that.
    async fn ensure(&self, mut wanted: Config, with_replicas: bool) -> Result<(), NatsError> {
        let until = deadline(SETUP);
        let name = wanted.name.clone();
        let found = match self.info(&name, until).await {
            Err(error) if error.is(ErrorCode::STREAM_NOT_FOUND) => {
                match self.api(&format!("STREAM.CREATE.{name}"), &wanted, until).await {
                    // Another node, with other settings, was faster.
                    Err(error) if error.is(ErrorCode::STREAM_NAME_EXIST) => self.info(&name, until).await?,
                    created => created?,
                }
            }
            found => found?,
        };
        if !with_replicas {
            wanted.num_replicas = found.config.num_replicas;
        }
        match difference(&wanted, &found.config) {
            None => Ok(()),
            Some(difference) => Err(NatsError::Settings { stream: name, difference }),
        }
    }

    async fn must_exist(&self, stream: &str) -> Result<(), NatsError> {
        match self.info(stream, deadline(SETUP)).await {
            Err(error) if error.is(ErrorCode::STREAM_NOT_FOUND) => Err(NatsError::Lost(stream.to_owned())),
            found => found.map(drop),
        }
    }

    async fn info(&self, stream: &str, deadline: Instant) -> Result<Info, NatsError> {
        self.api(&format!("STREAM.INFO.{stream}"), &json!({}), deadline).await
    }

    /// The first and the last sequence of the stream, as its leader has them.
    async fn ends(&self, deadline: Instant) -> Result<(Sequence, Sequence), NatsError> {
        let state = self.info(&self.stream, deadline).await?.state;
        self.first.fetch_max(state.first_sequence, Ordering::Relaxed);
        Ok((state.first_sequence, state.last_sequence))
    }

    /// A key as the leader of the bucket has it.
    async fn key(&self, key: &str, within: Duration) -> Result<Option<Key>, NatsError> {
        let request = json!({ "last_by_subj": self.key_subject(key) });
        let message = self.message(&self.bucket(), &request, deadline(within)).await?;
        Ok(message.map(|message| Key {
            revision: message.sequence,
            value: message.headers.get(KV_OPERATION).is_none().then_some(message.payload),
        }))
    }

    /// Makes a key unless it is there; its revision and value.
    async fn key_or_new(&self, key: &str, value: Bytes) -> Result<(u64, Bytes), NatsError> {
        let until = deadline(SETUP);
        loop {
            let expected = match self.key(key, SETUP).await? {
                Some(Key { revision, value: Some(value) }) => return Ok((revision, value)),
                Some(Key { revision, value: None }) => revision,
                None => 0,
            };
            if let LeaseWrite::Written(Revision(revision)) = self.write_key(key, expected, value.clone()).await {
                return Ok((revision, value));
            }
            // Another node made it, or this one without knowing: it is read again.
            if Instant::now() > until {
                return Err(NatsError::Timeout);
            }
        }
    }

    async fn write_key(&self, key: &str, expected: u64, value: Bytes) -> LeaseWrite {
        let mut headers = HeaderMap::new();
        headers.insert(header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, HeaderValue::from(expected));
        match self.append(self.key_subject(key), headers, value, REQUEST).await {
            Ok(ack) if ack.stream == self.bucket() => LeaseWrite::Written(Revision(ack.sequence)),
            Ok(ack) => {
                tracing::debug!(key, stream = ack.stream, "a key went somewhere else");
                LeaseWrite::Unknown
            }
            Err(error)
                if error.is(ErrorCode::STREAM_WRONG_LAST_SEQUENCE)
                    || error.is(ErrorCode::STREAM_WRONG_LAST_SEQUENCE_CONSTANT) =>
            {
                tracing::debug!(key, expected, %error, "a key has another revision");
                LeaseWrite::Conflict
            }
            Err(error) => {
                tracing::debug!(key, expected, %error, "a key may have been written or not");
                LeaseWrite::Unknown
            }
        }
    }

    /// Appends a message to the stream that has the subject.
    async fn append(
        &self,
        subject: String,
        headers: HeaderMap,
        payload: Bytes,
        within: Duration,
    ) -> Result<PublishAck, NatsError> {
        let message = self.request(subject, headers, payload, deadline(within)).await?;
        answer(&message)
    }

    /// A message of a stream, from the stream's leader.
    async fn message(
        &self,
        stream: &str,
        request: &Value,
        deadline: Instant,
    ) -> Result<Option<StreamMessage>, NatsError> {
        match self.api(&format!("STREAM.MSG.GET.{stream}"), request, deadline).await {
            Ok(Stored { message }) => match StreamMessage::try_from(message) {
                Ok(message) => Ok(Some(message)),
                Err(error) => Err(NatsError::Answer(error.to_string())),
            },
            Err(error) if error.is(ErrorCode::NO_MESSAGE_FOUND) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Messages of a stream, from any of its copies: one request, and a reply for each.
    async fn batch(&self, stream: &str, request: &Value, limit: usize, deadline: Instant) -> Result<Batch, NatsError> {
        let subject = format!("{API}DIRECT.GET.{stream}");
        let mut replies = self.send(subject, HeaderMap::new(), to_json(request), limit + 1, deadline).await?;
        let mut batch = Batch { messages: Vec::new(), last: None };
        loop {
            let message = match replies.next(deadline).await {
                Ok(message) => message,
                Err(error) if batch.messages.is_empty() => return Err(error),
                // The end is lost or late; what came before it has no gap.
                Err(error) => {
                    tracing::debug!(stream, %error, "a batch of messages has no end");
                    return Ok(batch);
                }
            };
            match message.status.map(|status| status.as_u16()) {
                None => {
                    batch.last =
                        Some(sequence_of(&message)?.saturating_add(number(&message, NUM_PENDING).unwrap_or(0)));
                    batch.messages.push(message);
                }
                Some(END_OF_BATCH) => {
                    if let (Some(last), Some(pending)) =
                        (number(&message, LAST_SEQUENCE), number(&message, NUM_PENDING))
                    {
                        batch.last = Some(last.saturating_add(pending));
                    }
                    return Ok(batch);
                }
                Some(NOT_FOUND) => return Ok(batch),
                Some(status) => {
                    let reason = message.description.unwrap_or_default();
                    return Err(NatsError::Answer(format!("status {status}, {reason}")));
                }
            }
        }
    }

    /// A request to JetStream.
    async fn api<T: DeserializeOwned>(
        &self,
        call: &str,
        request: &impl Serialize,
        deadline: Instant,
    ) -> Result<T, NatsError> {
        let subject = format!("{API}{call}");
        let message = self.request(subject, HeaderMap::new(), to_json(request), deadline).await?;
        answer(&message)
    }

    /// A request that has one reply.
    async fn request(
        &self,
        subject: String,
        headers: HeaderMap,
        payload: Bytes,
        deadline: Instant,
    ) -> Result<Message, NatsError> {
        self.send(subject, headers, payload, 1, deadline).await?.next(deadline).await
    }

    /// Sends a request for which up to `capacity` replies are kept. Not while there is no connection: it would be sent
    /// whenever there is one again.
    async fn send(
        &self,
        subject: String,
        headers: HeaderMap,
        payload: Bytes,
        capacity: usize,
        deadline: Instant,
    ) -> Result<Replies, NatsError> {
        if !self.is_connected() {
            return Err(NatsError::Disconnected);
        }
        let replies = self.inbox.open(subject.clone(), capacity);
        let sent = self.client.publish_with_reply_and_headers(subject, replies.reply_to(), headers, payload);
        timeout_at(deadline, sent).await.map_err(|_| NatsError::Timeout)??;
        Ok(replies)
    }

    fn subject(&self, rest: &str) -> String {
        format!("{}.{rest}", self.stream)
    }

    fn bucket(&self) -> String {
        format!("KV_{}", self.stream)
    }

    fn key_subject(&self, key: &str) -> String {
        format!("$KV.{}.{key}", self.stream)
    }
}

/// Connects, without asking anything of JetStream.
pub async fn connect(config: &ClusterConfig) -> Result<Client, NatsError> {
    let urls = config.nats.iter().map(|url| Url::parse(url).map_err(|error| NatsError::Address(error.to_string())));
    let mut urls = urls.collect::<Result<Vec<_>, _>>()?;
    let mut options = ConnectOptions::new()
        .name(format!("{} {}", config.stream, config.name))
        .connection_timeout(CONNECTING)
        .ping_interval(PING_EVERY)
        .request_timeout(Some(REQUEST))
        .subscription_capacity(SUBSCRIPTION_CAPACITY)
        .client_capacity(COMMAND_CAPACITY)
        // The configuration names the servers; their own addresses may be of another network.
        .ignore_discovered_servers()
        .reconnect_delay_callback(pause_before)
        .event_callback(|event| async move {
            match event {
                async_nats::Event::Connected => tracing::info!("connected to NATS"),
                async_nats::Event::Disconnected => tracing::warn!("the connection to NATS is lost; it is made again"),
                async_nats::Event::SlowConsumer(_) => tracing::warn!("messages of NATS came too fast; some are lost"),
                other => tracing::debug!(event = %other, "NATS"),
            }
        });
    // The client does not take users from addresses, and its log has them.
    for url in &mut urls {
        options = match (decoded(url.username()), url.password().map(decoded)) {
            (user, _) if user.is_empty() => options,
            (user, Some(password)) => options.user_and_password(user, password),
            (token, None) => options.token(token),
        };
        // Both fail only for an address without a host, which the client refuses.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
    }
    if let Some(file) = &config.credentials {
        options = options.credentials_file(file).await.map_err(NatsError::Credentials)?;
    }
    if let Some(file) = &config.tls_ca {
        options = options.add_root_certificates(file.clone());
    }
    let servers =
        urls.into_iter().map(|url| ServerAddr::from_url(url).map_err(|error| NatsError::Address(error.to_string())));
    options.connect(servers.collect::<Result<Vec<_>, _>>()?).await.map_err(NatsError::Connect)
}

/// How long to wait before an attempt to connect again; attempts are counted over all servers.
fn pause_before(attempt: usize) -> Duration {
    match attempt {
        0 | 1 => Duration::ZERO,
        _ => Duration::from_millis(10 << attempt.min(8)).min(LONGEST_PAUSE),
    }
}

/// A user or password of an address, where `%40` stands for `@`. What is no such escape stays as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let escaped = (byte == b'%').then(|| behind.get(..2)).flatten();
        let escaped = escaped.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        match escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()) {
            Some(escaped) => {
                bytes.push(escaped);
                rest = &behind[2..];
            }
            None => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The stream of entries. Nothing is removed from it but by the protocol, and a full disk refuses entries.
fn log_settings(stream: &str) -> Config {
    Config {
        name: stream.to_owned(),
        subjects: vec![format!("{stream}.log")],
        discard: DiscardPolicy::New,
        max_message_size: MAX_MESSAGE as i32,
        deny_delete: true,
        allow_direct: true,
        ..Config::default()
    }
}

/// A bucket as every client of NATS makes it, which `nats kv` can show.
fn bucket_settings(stream: &str) -> Config {
    Config {
        name: format!("KV_{stream}"),
        subjects: vec![format!("$KV.{stream}.>")],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        ..Config::default()
    }
}

/// The first setting in which a stream is not as it has to be.
fn difference(wanted: &Config, found: &Config) -> Option<String> {
    // JetStream writes -1 for no limit where 0 was asked for.
    let limit = |value: i64| if value > 0 { value.to_string() } else { "unlimited".to_owned() };
    let name = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
    let settings = |of: &Config| {
        [
            ("subjects", of.subjects.join(", ")),
            ("num_replicas", of.num_replicas.to_string()),
            ("storage", name(&of.storage)),
            ("retention", name(&of.retention)),
            ("discard", name(&of.discard)),
            ("max_msgs", limit(of.max_messages)),
            ("max_msgs_per_subject", limit(of.max_messages_per_subject)),
            ("max_bytes", limit(of.max_bytes)),
            ("max_age", limit(of.max_age.as_secs_f64().ceil() as i64)),
            ("max_msg_size", limit(of.max_message_size.into())),
            ("persist_mode", name(&of.persist_mode.unwrap_or_default())),
            ("no_ack", of.no_ack.to_string()),
            ("sealed", of.sealed.to_string()),
            ("deny_delete", of.deny_delete.to_string()),
            ("deny_purge", of.deny_purge.to_string()),
            ("allow_direct", of.allow_direct.to_string()),
            ("allow_rollup_hdrs", of.allow_rollup.to_string()),
            ("mirror", of.mirror.is_some().to_string()),
            ("sources", of.sources.as_ref().is_some_and(|sources| !sources.is_empty()).to_string()),
        ]
    };
    let mut pairs = settings(wanted).into_iter().zip(settings(found));
    let ((key, wanted), (_, found)) = pairs.find(|(wanted, found)| wanted != found)?;
    Some(format!("{key} is {found} and has to be {wanted}"))
}

fn deadline(within: Duration) -> Instant {
    Instant::now() + within
}

fn to_json(request: &impl Serialize) -> Bytes {
    serde_json::to_vec(request).expect("plain data is encoded").into()
}

fn answer<T: DeserializeOwned>(message: &Message) -> Result<T, NatsError> {
    match serde_json::from_slice(&message.payload) {
        Ok(Response::Ok(answer)) => Ok(answer),
        Ok(Response::Err { error }) => Err(NatsError::JetStream(error)),
        Err(error) => Err(NatsError::Answer(error.to_string())),
    }
}

fn text<'a>(message: &'a Message, header: &str) -> Option<&'a str> {
    message.headers.as_ref()?.get(header).map(HeaderValue::as_str)
}

fn number(message: &Message, header: &str) -> Option<u64> {
    text(message, header)?.parse().ok()
}

fn sequence_of(message: &Message) -> Result<Sequence, NatsError> {
    number(message, SEQUENCE).ok_or_else(|| NatsError::Answer("a message has no sequence".to_owned()))
}

fn lineage_of(value: &[u8]) -> Result<Uuid, NatsError> {
    Uuid::try_parse_ascii(value).map_err(|error| NatsError::Answer(format!("the key {LINEAGE}: {error}")))
}

fn node_of(revision: u64) -> Result<NodeId, NatsError> {
    let number = u32::try_from(revision);
    number.map(NodeId).map_err(|_| NatsError::Answer(format!("{revision} is too high a number for a node")))
}

/// Bytes of an entry in memory, about.
fn size(entry: &Entry<Changes>) -> usize {
    let of_item = |item: &Item<Changes>| match item {
        Item::Commit(payload) => payload.as_bytes().len(),
        _ => 0,
    };
    entry.items.iter().map(of_item).sum::<usize>() + entry.items.len() * size_of::<Item<Changes>>()
}

#[cfg(test)]
mod tests {
    use async_nats::jetstream::stream::{PersistenceMode, StorageType};

    use super::*;

    /// As JetStream answers: it fills in what was left out.
    fn answered(settings: Config) -> Config {
        let duplicate_window = Duration::from_secs(120);
        Config { max_messages: -1, max_bytes: -1, num_replicas: 3, duplicate_window, ..settings }
    }

    #[test]
    fn a_stream_is_accepted_as_it_was_made_and_in_no_other_form() {
        for settings in [log_settings("morpion"), bucket_settings("morpion")] {
            let wanted = Config { num_replicas: 3, ..settings.clone() };
            assert_eq!(difference(&wanted, &answered(settings)), None);
        }
        let wanted = Config { num_replicas: 3, ..log_settings("morpion") };
        let found = || answered(log_settings("morpion"));
        for (found, says) in [
            (Config { num_replicas: 1, ..found() }, "num_replicas is 1 and has to be 3"),
            (Config { subjects: vec!["a".into()], ..found() }, "subjects is a and has to be morpion.log"),
            (Config { storage: StorageType::Memory, ..found() }, "storage is memory and has to be file"),
            (Config { max_age: Duration::from_millis(1), ..found() }, "max_age is 1 and has to be unlimited"),
            (Config { max_message_size: 1_000, ..found() }, "max_msg_size is 1000 and has to be 8388608"),
            (Config { max_bytes: 1_000, ..found() }, "max_bytes is 1000 and has to be unlimited"),
            (Config { discard: DiscardPolicy::Old, ..found() }, "discard is old and has to be new"),
            (Config { deny_delete: false, ..found() }, "deny_delete is false and has to be true"),
            (
                Config { persist_mode: Some(PersistenceMode::Async), ..found() },
                "persist_mode is async and has to be default",
            ),
        ] {
            assert_eq!(difference(&wanted, &found).as_deref(), Some(says));
        }
    }

    #[test]
    fn users_of_addresses_are_decoded() {
        for (text, is) in [("ann", "ann"), ("a%40b%3A", "a@b:"), ("100%", "100%"), ("%4", "%4"), ("%zz%C3%A9", "%zzé")]
        {
            assert_eq!(decoded(text), is);
        }
    }

    #[test]
    fn attempts_to_connect_are_at_most_a_second_apart() {
        let pauses = [0, 1, 2, 5, 9, usize::MAX].map(|attempt| pause_before(attempt).as_millis());
        assert_eq!(pauses, [0, 0, 40, 320, 1_000, 1_000]);
    }
}
