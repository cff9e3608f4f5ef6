//! Messages between nodes, over core NATS: some are lost, and none comes twice by itself.
//!
//! ```text
//! morpion.node.7.report       to node 7, while it leads: how far another node is
//! morpion.node.7.ask          what operators want of node 7
//! morpion.ask                 the same of every node
//! morpion.node.7.checkpoint   a checkpoint of node 7, in pieces
//! morpion.checkpoint          who has a checkpoint?
//! ```

use std::{collections::BTreeMap, marker::PhantomData, time::Duration};

use async_nats::{HeaderMap, Subject, Subscriber};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::{
    StreamExt,
    stream::{SelectAll, select_all},
};
use morpion_cluster::{Blocked, Format, Formats, NodeId, Position, Report, Sequence, Standing};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{MAX_NODES, Nats, NatsError, REQUEST, deadline};
use crate::cluster::{FORMATS, NodeView, wire};

/// How long all nodes have for an answer.
pub const GATHER: Duration = Duration::from_millis(500);

/// Bytes of a checkpoint that are asked for at once.
pub const PIECE: u64 = 1 << 20;

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// A [`NodeId`] and its [`Report`], without an answer.
    Report,
    /// [`Ask`], answered by [`Answer`].
    Ask,
    /// [`CheckpointAsk`], answered by [`CheckpointAnswer`].
    Checkpoint,
}

impl Topic {
    fn as_str(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Ask => "ask",
            Self::Checkpoint => "checkpoint",
        }
    }
}

/// What an operator wants of a node. All but the first are for the leader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    Status,
    StepDown,
    Join { node: NodeId, formats: Formats },
    Leave { node: NodeId },
    Raise { format: Format },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    Status(Box<NodeStatus>),
    /// It is under way; the status shows what became of it.
    Done,
    /// Why not, for the operator.
    Refused(String),
}

/// What an operator sees of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeStatus {
    pub node: NodeId,
    pub name: String,
    pub standing: Standing,
    pub leader: Option<NodeId>,
    pub stored: Position,
    /// The stream's last sequence, as far as the node knows.
    pub last: Sequence,
    pub suspended: bool,
    pub blocked: Option<Blocked>,
    /// Commits that wait for their acknowledgement.
    pub waiting: u64,
    /// What the node's program reads and writes.
    pub formats: Formats,
    /// What the next entry is written in.
    pub format: Format,
    pub members: BTreeMap<NodeId, Formats>,
    /// Of the program.
    pub version: String,
    /// When the process started, in milliseconds since 1970.
    pub started_at: i64,
    /// Sockets of clients that this node holds.
    pub sockets: u64,
}

impl NodeStatus {
    /// This node's, without sockets.
    pub fn new(node: NodeId, name: &str, NodeView { status, state, .. }: &NodeView, started_at: DateTime<Utc>) -> Self {
        Self {
            node,
            name: name.to_owned(),
            standing: status.standing,
            leader: status.leader,
            stored: status.stored,
            last: status.last,
            suspended: status.suspended,
            blocked: status.blocked,
            waiting: status.waiting as u64,
            formats: FORMATS,
            format: state.format,
            members: state.members.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: started_at.timestamp_millis(),
            sockets: 0,
        }
    }
}

/// What a node that needs a checkpoint asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckpointAsk {
    /// The checkpoint that others may have.
    List,
    /// At most [`PIECE`] bytes of one of its files.
    Read { position: Position, file: String, offset: u64, length: u64 },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckpointAnswer {
    Listed {
        node: NodeId,
        position: Position,
        files: Vec<CheckpointFile>,
    },
    Piece(Bytes),
    /// There is no such checkpoint, or it was removed meanwhile.
    Absent,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointFile {
    /// Its path in the checkpoint, with `/`.
    pub name: String,
    pub bytes: u64,
}

/// A message to this node, which may want an answer.
#[derive(Debug)]
pub struct Request<Q> {
    pub question: Q,
    reply_to: Option<Subject>,
    nats: Nats,
}

impl<Q> Request<Q> {
    /// Sends an answer, if one is wanted. It may be lost.
    pub async fn answer<A: Serialize>(&self, answer: &A) {
        let Some(reply_to) = self.reply_to.clone() else { return };
        if let Err(error) = self.nats.client.publish(reply_to, wire::encode(answer)).await {
            tracing::debug!(%error, "an answer to another node is not sent");
        }
    }
}

/// The messages of a topic to this node, as they come.
#[derive(Debug)]
pub struct Requests<Q> {
    messages: SelectAll<Subscriber>,
    nats: Nats,
    of: PhantomData<fn() -> Q>,
}

impl<Q: DeserializeOwned> Requests<Q> {
    /// The next one that can be read; `None` once there is no connection any longer.
    pub async fn next(&mut self) -> Option<Request<Q>> {
        loop {
            let message = self.messages.next().await?;
            match wire::decode(&message.payload) {
                Ok(question) => {
                    return Some(Request { question, reply_to: message.reply, nats: self.nats.clone() });
                }
                Err(error) => tracing::debug!(subject = %message.subject, %error, "a message cannot be read"),
            }
        }
    }
}

impl Nats {
    /// Tells the leader how far this node is.
    pub async fn report(&self, to: NodeId, report: Report) -> Result<(), NatsError> {
        if !self.is_connected() {
            return Err(NatsError::Disconnected);
        }
        let report = wire::encode(&(self.node, report));
        Ok(self.client.publish(self.node_subject(to, Topic::Report), report).await?)
    }

    /// What other nodes report while this one leads.
    pub async fn reports(&self) -> Result<Requests<(NodeId, Report)>, NatsError> {
        self.requests(Topic::Report).await
    }

    /// Asks one node what an operator wants.
    pub async fn ask(&self, node: NodeId, ask: Ask) -> Result<Answer, NatsError> {
        self.ask_node(node, Topic::Ask, &ask, REQUEST).await
    }

    /// The status of every node that answers within half a second.
    pub async fn statuses(&self) -> Result<Vec<NodeStatus>, NatsError> {
        let nodes = self.nodes().await.map_or(MAX_NODES, |nodes| nodes.len());
        let answers = self.ask_all(Topic::Ask, &Ask::Status, nodes, GATHER).await?;
        let statuses = answers.into_iter().filter_map(|answer| match answer {
            Answer::Status(status) => Some(*status),
            Answer::Done | Answer::Refused(_) => None,
        });
        Ok(statuses.collect())
    }

    /// Answers what operators ask this node, or all nodes, for as long as the connection is there.
    pub async fn answer(&self, answer: impl Fn(Ask) -> Answer + Send + 'static) -> Result<(), NatsError> {
        let mut requests = self.requests::<Ask>(Topic::Ask).await?;
        tokio::spawn(async move {
            while let Some(request) = requests.next().await {
                let answer = answer(request.question);
                request.answer(&answer).await;
            }
        });
        Ok(())
    }

    /// What others tell or ask this node, or all nodes.
    pub async fn requests<Q: DeserializeOwned>(&self, topic: Topic) -> Result<Requests<Q>, NatsError> {
        let to_this = self.client.subscribe(self.node_subject(self.node, topic)).await?;
        let to_all = self.client.subscribe(self.subject(topic.as_str())).await?;
        Ok(Requests { messages: select_all([to_this, to_all]), nats: self.clone(), of: PhantomData })
    }

    /// Asks one node.
    pub async fn ask_node<Q: Serialize, A: DeserializeOwned>(
        &self,
        node: NodeId,
        topic: Topic,
        question: &Q,
        within: Duration,
    ) -> Result<A, NatsError> {
        let subject = self.node_subject(node, topic);
        let message = self.request(subject, HeaderMap::new(), wire::encode(question), deadline(within)).await?;
        Ok(wire::decode(&message.payload)?)
    }

    /// Asks all nodes, and waits for `enough` answers or as long as `within` says. Fewer are no error, nor are those
    /// that cannot be read.
    pub async fn ask_all<Q: Serialize, A: DeserializeOwned>(
        &self,
        topic: Topic,
        question: &Q,
        enough: usize,
        within: Duration,
    ) -> Result<Vec<A>, NatsError> {
        let (subject, deadline) = (self.subject(topic.as_str()), deadline(within));
        let enough = enough.max(1);
        let mut replies = self.send(subject, HeaderMap::new(), wire::encode(question), enough, deadline).await?;
        let mut answers = Vec::new();
        while answers.len() < enough {
            match replies.next(deadline).await {
                Ok(message) => match wire::decode(&message.payload) {
                    Ok(answer) => answers.push(answer),
                    Err(error) => tracing::debug!(%error, "an answer of another node cannot be read"),
                },
                Err(NatsError::Timeout | NatsError::NoResponders(_)) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(answers)
    }

    fn node_subject(&self, node: NodeId, topic: Topic) -> String {
        self.subject(&format!("node.{}.{}", node.0, topic.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use morpion_cluster::Epoch;

    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written_and_nothing_else_is() {
        let formats = Formats { oldest: 1, newest: 2 };
        let position = Position { sequence: 9, epoch: Epoch(2) };
        let status = NodeStatus {
            node: NodeId(1),
            name: "a".into(),
            standing: Standing::Leading { epoch: Epoch(2) },
            leader: Some(NodeId(1)),
            stored: position,
            last: 9,
            suspended: false,
            blocked: Some(Blocked::Format(3)),
            waiting: 4,
            formats,
            format: 1,
            members: [(NodeId(1), formats)].into(),
            version: "0.1.0".into(),
            started_at: 5,
            sockets: 6,
        };
        let answer = Answer::Status(Box::new(status));
        let bytes = wire::encode(&answer);
        assert_eq!(wire::decode(&bytes), Ok(answer));
        for length in 0..bytes.len() {
            assert!(wire::decode::<Answer>(&bytes[..length]).is_err());
        }
        let files = vec![CheckpointFile { name: "a/b".into(), bytes: 7 }];
        let listed = CheckpointAnswer::Listed { node: NodeId(1), position, files };
        for answer in [listed, CheckpointAnswer::Piece(vec![0, 255].into()), CheckpointAnswer::Absent] {
            assert_eq!(wire::decode(&wire::encode(&answer)), Ok(answer));
        }
    }
}
