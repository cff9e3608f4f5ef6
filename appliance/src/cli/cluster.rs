//! `morpion cluster status|step-down|join|leave`: speaks to the nodes over NATS, so that it works whoever leads.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use anyhow::bail;
use clap::Subcommand;
use morpion_cluster::{NodeId, Standing};
use morpion_openapi::cluster::{ClusterNode, NodeRole};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    confirm, escape,
    output::{Format, print},
};
use serde_json::json;
use tokio::time::sleep;

use crate::{
    cluster::nats::{Answer, Ask, Nats, NatsError, NodeStatus},
    config::{ClusterConfig, Config, ConfigError},
    http::convert::cluster as convert,
};

/// How long a command waits until what it asked for is so.
const DONE_WITHIN: Duration = Duration::from_secs(15);

/// Between two looks whether it is.
const LOOK_EVERY: Duration = Duration::from_millis(200);

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum ClusterCommand {
    /// Say who leads, and how far the other nodes are
    ///
    /// Exits with 9 while nobody leads, or the leader is suspended because NATS has no majority.
    Status,
    /// Let another node lead, and wait until one does
    StepDown,
    /// Make a node a member again, so that it may lead
    Join {
        /// Its name, as in its configuration [default: cluster.name]
        name: Option<String>,
    },
    /// End the membership of a node that is gone: it may lead no longer, and the log keeps nothing for it
    Leave {
        /// Its name
        name: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

const EXAMPLES: &str = "\
Examples:
  morpion cluster status
  morpion cluster step-down     before the leader is upgraded or its machine is switched off
  morpion cluster leave c       after the machine of node c is gone for good

They read [cluster] of the configuration, and work on every node, also while it does not run.";

/// # Errors
/// This server runs alone, NATS cannot be reached or has no majority, nobody leads, or what a node refuses.
pub async fn run(command: ClusterCommand, config: Config, format: Format) -> anyhow::Result<()> {
    let settings = config.cluster.as_ref().ok_or_else(|| ConfigError::Together {
        key: "cluster",
        reason: "this server runs alone; with nats and name it is one of several".to_owned(),
    })?;
    let cluster = Connected::to(settings).await?;
    match command {
        ClusterCommand::Status => cluster.status(format).await?,
        ClusterCommand::StepDown => cluster.step_down(format).await?,
        ClusterCommand::Join { name } => cluster.join(name.as_deref().unwrap_or(&settings.name), format).await?,
        ClusterCommand::Leave { name, yes } => cluster.leave(&name, yes, format).await?,
    }
    Ok(())
}

/// Who leads, for `morpion doctor`.
///
/// # Errors
/// NATS cannot be reached or has no majority, or nobody leads.
pub(super) async fn check(settings: &ClusterConfig) -> anyhow::Result<String> {
    let connected = Connected::to(settings).await?;
    let leader = connected.leader().await?;
    if leader.suspended {
        bail!("node {} leads, but NATS has no majority", leader.name);
    }
    let open = if connected.nats.is_open() { "; it asks for no credentials (cluster.closed_network)" } else { "" };
    Ok(format!("NATS answers, and node {} leads{open}", leader.name))
}

/// A connection to the nodes.
struct Connected {
    nats: Nats,
    /// Of every node that ever was; empty if that is not known.
    names: BTreeMap<NodeId, String>,
}

impl Connected {
    async fn to(settings: &ClusterConfig) -> Result<Self, CommandError> {
        let nats = Nats::reach(settings).await.map_err(refused)?;
        let names = nats.nodes().await.unwrap_or_default();
        Ok(Self { nats, names })
    }

    /// What the nodes say of themselves that answer.
    async fn statuses(&self) -> Result<Vec<NodeStatus>, CommandError> {
        self.nats.statuses().await.map_err(refused)
    }

    async fn leader(&self) -> Result<NodeStatus, CommandError> {
        leading(&self.statuses().await?).cloned().ok_or_else(nobody_leads)
    }

    async fn status(&self, format: Format) -> Result<(), CommandError> {
        let nodes = convert::nodes(&self.statuses().await?, &self.names);
        format.print_rows(&nodes, table)?;
        let text = match nodes.iter().find(|node| node.role == NodeRole::Leading) {
            Some(leader) if !leader.suspended => {
                let text = format!("{} leads.\n", leader.name);
                return if format == Format::Text { print(&text) } else { Ok(()) };
            }
            Some(leader) => {
                format!("{} leads, but NATS has no majority: nothing is stored until it has one again", leader.name)
            }
            None if nodes.is_empty() => "no node answers".to_owned(),
            None => match self.nats.read_lease().await {
                Ok(_) => "nobody leads".to_owned(),
                Err(error) => format!("nobody leads, since NATS has no majority: {error}"),
            },
        };
        Err(CommandError::new(FailureKind::Busy, text))
    }

    async fn step_down(&self, format: Format) -> Result<(), CommandError> {
        let statuses = self.statuses().await?;
        let before = leading(&statuses).ok_or_else(nobody_leads)?;
        let could_lead = |status: &NodeStatus| {
            status.node != before.node
                && status.blocked.is_none()
                && status.standing == Standing::Following
                && before.members.contains_key(&status.node)
        };
        if !statuses.iter().any(could_lead) {
            let text = format!("no other member follows, so nobody could take over from {}", before.name);
            return Err(CommandError::new(FailureKind::Conflict, text));
        }
        let begun = Instant::now();
        self.ask(before.node, Ask::StepDown).await?;
        let now =
            self.wait_for(|statuses| leading(statuses).filter(|leader| leader.node != before.node).cloned()).await?;
        let Some(now) = now else {
            let text = format!("{} was asked to step down, but no other node leads yet", before.name);
            return Err(CommandError::new(FailureKind::Busy, text));
        };
        let seconds = begun.elapsed().as_secs_f64();
        let done = json!({ "leader": now.name, "before": before.name, "seconds": (seconds * 10.0).round() / 10.0 });
        format.print(&done, |_| format!("{} leads, {seconds:.1} s after {} was asked.\n", now.name, before.name))
    }

    async fn join(&self, name: &str, format: Format) -> Result<(), CommandError> {
        let statuses = self.statuses().await?;
        let leader = leading(&statuses).ok_or_else(nobody_leads)?;
        let conflict = |text: String| Err(CommandError::new(FailureKind::Conflict, text));
        let Some(joining) = statuses.iter().find(|status| status.name == name) else {
            return conflict(format!("node {name} does not answer; start it first"));
        };
        if !joining.formats.contain(leader.format) {
            let text =
                format!("node {name} cannot read what the cluster writes (format {}); upgrade it", leader.format);
            return conflict(text);
        }
        let node = joining.node;
        if !leader.members.contains_key(&node) {
            self.ask(leader.node, Ask::Join { node, formats: joining.formats }).await?;
        }
        self.wait_for_membership(node, name, true, format).await
    }

    async fn leave(&self, name: &str, yes: bool, format: Format) -> Result<(), CommandError> {
        let leader = self.leader().await?;
        let Some((&node, _)) = self.names.iter().find(|(_, known)| *known == name) else {
            let known = self.names.values().map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(CommandError::new(
                FailureKind::NotFound,
                format!("there is no node {name}; there are {known}"),
            ));
        };
        if node == leader.node {
            let text = format!("node {name} leads; let another one lead first, by `morpion cluster step-down`");
            return Err(CommandError::new(FailureKind::Conflict, text));
        }
        if leader.members.contains_key(&node) {
            if !yes {
                let question = format!("Node {name} will no longer lead, and the log will keep nothing for it.");
                confirm::yes(&question, "--yes does it")?;
            }
            self.ask(leader.node, Ask::Leave { node }).await?;
        }
        self.wait_for_membership(node, name, false, format).await
    }

    /// Waits until the leader counts the node among the members, or no longer does.
    async fn wait_for_membership(
        &self,
        node: NodeId,
        name: &str,
        is_member: bool,
        format: Format,
    ) -> Result<(), CommandError> {
        let agrees = |leader: &&NodeStatus| leader.members.contains_key(&node) == is_member;
        if self.wait_for(|statuses| leading(statuses).filter(agrees).map(|_| ())).await?.is_none() {
            let text =
                format!("the leader was asked and did not do it yet; `morpion cluster status` shows node {name}");
            return Err(CommandError::new(FailureKind::Busy, text));
        }
        let is = if is_member { "is a member" } else { "is no member" };
        format.print(&json!({ "node": name, "isMember": is_member }), |_| format!("Node {name} {is}.\n"))
    }

    /// Looks again and again, for as long as somebody waits for a command.
    async fn wait_for<T>(&self, found: impl Fn(&[NodeStatus]) -> Option<T>) -> Result<Option<T>, CommandError> {
        let begun = Instant::now();
        loop {
            if let Some(found) = found(&self.statuses().await?) {
                return Ok(Some(found));
            }
            if begun.elapsed() > DONE_WITHIN {
                return Ok(None);
            }
            sleep(LOOK_EVERY).await;
        }
    }

    async fn ask(&self, node: NodeId, ask: Ask) -> Result<(), CommandError> {
        match self.nats.ask(node, ask).await.map_err(refused)? {
            Answer::Refused(why) => Err(CommandError::new(FailureKind::Conflict, escape::line(&why))),
            Answer::Done | Answer::Status(_) => Ok(()),
        }
    }
}

/// One that was deposed and has not noticed yet leads an earlier epoch.
fn leading(statuses: &[NodeStatus]) -> Option<&NodeStatus> {
    let epoch = |status: &&NodeStatus| match status.standing {
        Standing::Leading { epoch } => Some(epoch),
        _ => None,
    };
    statuses.iter().filter(|status| epoch(status).is_some()).max_by_key(epoch)
}

fn nobody_leads() -> CommandError {
    CommandError::new(FailureKind::Busy, "nobody leads the cluster; see `morpion cluster status`")
}

fn refused(error: NatsError) -> CommandError {
    match error {
        NatsError::Timeout | NatsError::NoResponders(_) | NatsError::JetStream(_) => {
            CommandError::new(FailureKind::Busy, format!("NATS has no majority, or no JetStream: {error}"))
        }
        error => CommandError::new(FailureKind::Unreachable, error.to_string()),
    }
}

const TITLES: [&str; 7] = ["node", "state", "lag", "entry", "sockets", "version", "started"];

/// The columns of figures.
const FIGURES: std::ops::Range<usize> = 2..5;

fn table(nodes: &[ClusterNode]) -> String {
    if nodes.is_empty() {
        return String::new();
    }
    let figure = |figure: Option<u64>| figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string());
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let row = |node: &ClusterNode| {
        let started = node.started_at.map(|at| at.utc().format("%F %T UTC").to_string());
        let figures = [node.lag, node.position, node.sockets].map(figure);
        let [lag, entry, sockets] = figures;
        [node.name.clone(), node.state(), lag, entry, sockets, text(&node.version), text(&started)]
            .map(|cell| escape::line(&cell).into_owned())
    };
    let rows: Vec<[String; TITLES.len()]> =
        [TITLES.map(str::to_owned)].into_iter().chain(nodes.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..TITLES.len()).map(width).collect();
    let line = |row: &[String; TITLES.len()]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if FIGURES.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use morpion_cluster::{Epoch, Formats, Position};
    use morpion_openapi::Timestamp;

    use super::*;

    #[test]
    fn the_table_has_columns() {
        let node = |name: &str, role, lag| ClusterNode {
            name: name.to_owned(),
            role,
            is_member: true,
            position: Some(48_213 - lag),
            lag: Some(lag),
            suspended: false,
            blocked: None,
            version: Some("0.1.0".to_owned()),
            sockets: Some(400),
            started_at: Some(Timestamp::from_millis(0)),
        };
        let away = ClusterNode {
            position: None,
            lag: None,
            version: None,
            sockets: None,
            started_at: None,
            ..node("in-rack-4", NodeRole::Away, 0)
        };
        let shown = table(&[node("a", NodeRole::Leading, 0), node("b\u{1b}[2J", NodeRole::Following, 1_200), away]);
        assert_eq!(
            shown,
            "node        state             lag  entry  sockets  version  started\n\
             a           leads               0  48213      400  0.1.0    1970-01-01 00:00:00 UTC\n\
             b\\u{1b}[2J  follows          1200  47013      400  0.1.0    1970-01-01 00:00:00 UTC\n\
             in-rack-4   does not answer     -      -        -  -        -\n"
        );
    }

    #[test]
    fn the_leader_of_the_latest_epoch_leads() {
        let status = |node: u32, standing| NodeStatus {
            node: NodeId(node),
            name: node.to_string(),
            standing,
            leader: None,
            stored: Position { sequence: 7, epoch: Epoch(3) },
            last: 7,
            suspended: false,
            blocked: None,
            waiting: 0,
            formats: Formats { oldest: 1, newest: 1 },
            format: 1,
            members: BTreeMap::new(),
            version: String::new(),
            started_at: 0,
            sockets: 0,
        };
        let leads = |epoch| Standing::Leading { epoch: Epoch(epoch) };
        let statuses = [status(1, leads(3)), status(2, leads(4)), status(3, Standing::Following)];
        assert_eq!(leading(&statuses).map(|status| status.node), Some(NodeId(2)));
        assert_eq!(leading(&statuses[2..]), None);
    }

    #[test]
    fn what_nats_cannot_do_now_is_tried_again_later() {
        assert_eq!(refused(NatsError::Timeout).kind, FailureKind::Busy);
        assert_eq!(refused(NatsError::Disconnected).kind, FailureKind::Unreachable);
    }
}
