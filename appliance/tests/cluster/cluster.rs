//! Nodes and NATS servers of one cluster, and the links between them.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    client::{Answer, Caller, Http},
    free_address::free_address,
    link::{Condition, Link},
    nats::{Listens, NatsServer},
    node::{Machine, Node},
    payments::Payments,
    runs::number,
};

/// The nodes, and the NATS servers are as many.
pub const NAMES: [&str; 3] = ["a", "b", "c"];

/// How long a cluster without faults may take until it answers, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// Entries of the log that a node may lack while others write.
const UNDER_WAY: u64 = 20;

/// Clusters at once in runs with faults, which mostly wait; `MORPION_CLUSTER_AT_ONCE`. What is timed has the machine to
/// itself.
const AT_ONCE: u64 = 4;

/// Whoever plays here comes from one address.
const UNLIMITED: &str = "limits.registrations_per_hour = 1000000\nlimits.sign_ins_per_minute = 1000000\n\
     limits.sockets_per_minute = 1000000\nlimits.invites_per_minute = 1000000\n\
     limits.invitations_received_per_minute = 1000000";

static MACHINE: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(at_once()));

pub fn at_once() -> usize {
    number("MORPION_CLUSTER_AT_ONCE", AT_ONCE) as usize
}

/// Ends with the test; the logs stay if the test fails.
pub struct Cluster {
    pub nodes: Vec<Node>,
    pub servers: Vec<NatsServer>,
    pub http: Http,
    pub payments: Arc<Payments>,
    /// From a node to a NATS server.
    ways: BTreeMap<(usize, usize), Link>,
    /// From a NATS server to another one.
    routes: BTreeMap<(usize, usize), Link>,
    folder: TempDir,
    _telling: AbortOnDropHandle<()>,
    _share: SemaphorePermit<'static>,
}

/// A node as the cluster sees it.
pub struct Seen {
    name: String,
    role: String,
    lag: Option<u64>,
    is_member: bool,
}

impl Cluster {
    /// All nodes.
    pub async fn start() -> Self {
        Self::start_on(Machine::Shared, NAMES.len()).await
    }

    /// All nodes, with these settings instead of limits that nobody reaches.
    pub async fn start_with(settings: &str) -> Self {
        Self::start_as(Machine::Shared, NAMES.len(), settings).await
    }

    /// The first so many nodes run.
    pub async fn start_on(machine: Machine, running: usize) -> Self {
        Self::start_as(machine, running, UNLIMITED).await
    }

    /// Returns when those that run answer.
    async fn start_as(machine: Machine, running: usize, settings: &str) -> Self {
        let share = match machine {
            Machine::Own => 1,
            Machine::Shared => at_once() as u32,
        };
        let share = MACHINE.acquire_many(share).await.expect("it is never closed");
        let folder = TempDir::new().unwrap();
        let numbers = 0..NAMES.len();
        let listens: Vec<_> =
            numbers.clone().map(|_| Listens { clients: free_address(), servers: free_address() }).collect();
        let (mut ways, mut routes) = (BTreeMap::new(), BTreeMap::new());
        for from in numbers.clone() {
            for to in numbers.clone() {
                ways.insert((from, to), Link::to(listens[to].clients).await);
                if from != to {
                    routes.insert((from, to), Link::to(listens[to].servers).await);
                }
            }
        }
        let of = |links: &BTreeMap<(usize, usize), Link>, from: usize| -> Vec<SocketAddr> {
            links.range((from, 0)..(from + 1, 0)).map(|(_, link)| link.address).collect()
        };
        let server = |number: usize| NatsServer::new(folder.path(), number, listens[number], &of(&routes, number));
        let payments = Arc::new(Payments::open().await);
        let billing = payments.settings();
        let node =
            |number: usize| Node::new(folder.path(), NAMES[number], machine, &of(&ways, number), settings, &billing);
        let servers: Vec<_> = numbers.clone().map(server).collect();
        let nodes: Vec<_> = numbers.map(node).collect();
        servers.iter().for_each(NatsServer::start);
        nodes[..running].iter().for_each(Node::start);
        let (told, telling) = (nodes.iter().map(|node| node.address).collect::<Vec<_>>(), Arc::clone(&payments));
        let telling = AbortOnDropHandle::new(tokio::spawn(async move { telling.keep_telling(&told).await }));
        let http = Http::new();
        let cluster = Self { nodes, servers, http, payments, ways, routes, folder, _telling: telling, _share: share };
        cluster.until_ready().await.unwrap();
        cluster
    }

    /// The ways of a node to all NATS servers, or to one.
    pub fn set_ways(&self, node: usize, server: Option<usize>, condition: Condition) {
        let chosen = |(from, to): &(usize, usize)| *from == node && server.is_none_or(|server| server == *to);
        self.ways.iter().filter(|(way, _)| chosen(way)).for_each(|(_, link)| link.set(condition));
    }

    /// Both routes between two NATS servers.
    pub fn set_routes(&self, one: usize, other: usize, condition: Condition) {
        self.routes[&(one, other)].set(condition);
        self.routes[&(other, one)].set(condition);
    }

    /// Ends all faults; returns when all nodes answer.
    ///
    /// # Errors
    /// Some do not.
    pub async fn heal(&self) -> Result<(), String> {
        self.ways.values().chain(self.routes.values()).for_each(|link| link.set(Condition::Open));
        self.servers.iter().for_each(NatsServer::start);
        if let Some(node) = self.nodes.iter().find(|node| node.has_crashed()) {
            return Err(format!("node {} ended by itself", node.name));
        }
        self.nodes.iter().for_each(Node::start);
        self.until_ready().await
    }

    /// Waits until every node that runs answers by what the leader has.
    ///
    /// # Errors
    /// A node does not answer.
    pub async fn until_ready(&self) -> Result<(), String> {
        let begin = Instant::now();
        for node in self.nodes.iter().filter(|node| node.is_running()) {
            loop {
                let answer = self.http.get(node.address, Caller::Nobody, "/api/auth/check-login").await;
                if answer.as_ref().is_some_and(|answer| answer.status.is_success()) {
                    break;
                }
                if node.has_crashed() || begin.elapsed() > PATIENCE {
                    let answer = answer.map(|answer| (answer.status, answer.body));
                    return Err(format!("node {} does not answer: {answer:?}", node.name));
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Ok(())
    }

    /// A call of an operator, through whichever node answers: the token is that of the node that leads, or led.
    async fn operate(&self, resource: &str, action: &str, payload: &Value, is_read: bool) -> Option<Answer> {
        let tokens: Vec<_> = self.nodes.iter().filter_map(Node::token).collect();
        for node in self.nodes.iter().filter(|node| node.is_running()) {
            for token in &tokens {
                let (caller, payload) = (Caller::Operator(token), payload.clone());
                let answer = if is_read {
                    self.http.read(node.address, caller, resource, action, payload).await
                } else {
                    self.http.write(node.address, caller, resource, action, payload).await
                };
                match answer {
                    Some(answer) if answer.status.is_success() => return Some(answer),
                    // Another token.
                    Some(answer) if answer.status.is_client_error() => {}
                    _ => break,
                }
            }
        }
        None
    }

    /// The nodes as the leader sees them; `None` while nobody answers.
    pub async fn status(&self) -> Option<Vec<Seen>> {
        let answer = self.operate("admin", "cluster", &json!({}), true).await?;
        let text = |node: &Value, field: &str| node[field].as_str().unwrap_or_default().to_owned();
        let seen = |node: &Value| Seen {
            name: text(node, "name"),
            role: text(node, "role"),
            lag: node["lag"].as_u64(),
            is_member: node["isMember"] == true,
        };
        Some(answer.body["nodes"].as_array()?.iter().map(seen).collect())
    }

    /// The node that leads, if one is known.
    pub async fn leader(&self) -> Option<usize> {
        let seen = self.status().await?;
        let leader = seen.into_iter().find(|node| node.role == "leading")?;
        NAMES.iter().position(|name| *name == leader.name)
    }

    /// The node that leads; waits until one does.
    pub async fn until_led(&self) -> usize {
        let begin = Instant::now();
        loop {
            if let Some(leader) = self.leader().await {
                return leader;
            }
            assert!(begin.elapsed() < PATIENCE, "nobody leads");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until a node follows, and has all but what is under way.
    pub async fn until_caught_up(&self, node: usize) {
        let begin = Instant::now();
        loop {
            let seen = self.status().await.unwrap_or_default();
            let is_complete =
                |seen: &Seen| seen.is_member && seen.role == "following" && seen.lag.is_some_and(|lag| lag < UNDER_WAY);
            if seen.iter().any(|seen| seen.name == NAMES[node] && is_complete(seen)) {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "node {} does not catch up", NAMES[node]);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until all nodes but the one that leads follow; returns that one.
    pub async fn until_complete(&self) -> usize {
        let leader = self.until_led().await;
        for node in (0..NAMES.len()).filter(|node| *node != leader) {
            self.until_caught_up(node).await;
        }
        leader
    }

    /// A published event of years to come.
    pub async fn event(&self) -> String {
        let times = json!({
            "title": "Cup", "startTime": "2030-01-01T00:00:00Z", "endTime": "2030-01-02T00:00:00Z",
        });
        let made = self.operate("event", "create_event", &times, false).await.expect("an operator may make events");
        let event = made.body["event"]["eventId"].as_str().unwrap_or_else(|| panic!("{}", made.body)).to_owned();
        let published = json!({ "eventId": event, "eventState": "published" });
        self.operate("event", "update_event", &published, false).await.expect("an operator may publish events");
        event
    }

    /// Keeps configuration and logs, whatever comes; says where.
    pub fn keep_logs(&mut self) -> PathBuf {
        self.folder.disable_cleanup(true);
        self.folder.path().to_owned()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("The logs of the cluster are in {}.", self.keep_logs().display());
        }
    }
}
