//! The nodes of the cluster.

use std::collections::BTreeMap;

use morpion_cluster::{Blocked, NodeId, Sequence, Standing};
use morpion_openapi::{
    Timestamp,
    cluster::{ClusterNode, NodeRole},
};

use crate::cluster::nats::NodeStatus;

/// The nodes that answered and the members that did not, by name.
pub fn nodes(answered: &[NodeStatus], names: &BTreeMap<NodeId, String>) -> Vec<ClusterNode> {
    let last = answered.iter().map(|status| status.last.max(status.stored.sequence)).max().unwrap_or_default();
    // Whoever has the most entries knows the members best.
    let members = answered.iter().max_by_key(|status| status.stored).map(|status| &status.members);
    let is_member = |node: &NodeId| members.is_some_and(|members| members.contains_key(node));
    let is_away = |node: &&NodeId| !answered.iter().any(|status| status.node == **node);
    let away = members.into_iter().flat_map(BTreeMap::keys).filter(is_away).map(|node| away(*node, names));
    let here = answered.iter().map(|status| node(status, last, is_member(&status.node)));
    let mut nodes: Vec<ClusterNode> = here.chain(away).collect();
    nodes.sort_by(|one, other| one.name.cmp(&other.name));
    nodes
}

fn node(status: &NodeStatus, last: Sequence, is_member: bool) -> ClusterNode {
    ClusterNode {
        name: status.name.clone(),
        role: match status.standing {
            Standing::Checking => NodeRole::Checking,
            Standing::Restoring => NodeRole::Restoring,
            Standing::Following => NodeRole::Following,
            Standing::Opening { .. } => NodeRole::Opening,
            Standing::Leading { .. } => NodeRole::Leading,
        },
        is_member,
        position: Some(status.stored.sequence),
        lag: Some(last - status.stored.sequence),
        suspended: status.suspended,
        blocked: status.blocked.map(|blocked| match blocked {
            Blocked::Format(format) => format!("the next entry has format {format}, which needs a later version"),
            Blocked::Order(sequence) => {
                format!("entry {sequence} of the log is of an older leader than the one before")
            }
        }),
        version: Some(status.version.clone()),
        sockets: Some(status.sockets),
        started_at: Some(Timestamp::from_millis(status.started_at)),
    }
}

fn away(node: NodeId, names: &BTreeMap<NodeId, String>) -> ClusterNode {
    ClusterNode {
        name: names.get(&node).cloned().unwrap_or_else(|| node.to_string()),
        role: NodeRole::Away,
        is_member: true,
        position: None,
        lag: None,
        suspended: false,
        blocked: None,
        version: None,
        sockets: None,
        started_at: None,
    }
}

#[cfg(test)]
mod tests {
    use morpion_cluster::{Epoch, Formats, Position};

    use super::*;

    fn status(node: u32, name: &str, standing: Standing, sequence: Sequence) -> NodeStatus {
        let formats = Formats { oldest: 1, newest: 1 };
        NodeStatus {
            node: NodeId(node),
            name: name.to_owned(),
            standing,
            leader: Some(NodeId(1)),
            stored: Position { sequence, epoch: Epoch(2) },
            last: sequence,
            suspended: false,
            blocked: None,
            waiting: 0,
            formats,
            format: 1,
            members: [1, 2, 3].map(|node| (NodeId(node), formats)).into(),
            version: "0.1.0".to_owned(),
            started_at: 7,
            sockets: 4,
        }
    }

    #[test]
    fn members_that_do_not_answer_are_away_and_lag_is_behind_the_first() {
        let leads = Standing::Leading { epoch: Epoch(2) };
        let answered = [
            status(2, "b", Standing::Following, 90),
            status(1, "a", leads, 100),
            NodeStatus { blocked: Some(Blocked::Format(2)), ..status(9, "z", Standing::Following, 80) },
        ];
        let names = BTreeMap::from([(NodeId(3), "c".to_owned())]);
        let nodes = nodes(&answered, &names);
        let shown: Vec<_> =
            nodes.iter().map(|node| (node.name.as_str(), node.role, node.lag, node.is_member)).collect();
        assert_eq!(
            shown,
            [
                ("a", NodeRole::Leading, Some(0), true),
                ("b", NodeRole::Following, Some(10), true),
                ("c", NodeRole::Away, None, true),
                ("z", NodeRole::Following, Some(20), false),
            ]
        );
        assert_eq!(nodes[3].blocked.as_deref(), Some("the next entry has format 2, which needs a later version"));
        assert_eq!(super::nodes(&answered[..1], &BTreeMap::new())[1].name, "n1", "the name is not known");
        assert!(super::nodes(&[], &names).is_empty());
    }
}
