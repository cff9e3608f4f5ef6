//! Several servers that are one: `docs/hosting/cluster.md`.

use crate::Timestamp;

words! {
    /// What a node does.
    pub enum NodeRole {
        /// It answers everything and writes.
        Leading = "leading",
        /// It has the lease and is about to lead.
        Opening = "opening",
        /// It stores what the leader writes, and passes on what it is asked.
        Following = "following",
        /// It compares what it has with the log of the cluster.
        Checking = "checking",
        /// It waits for a copy of the data.
        Restoring = "restoring",
        /// It does not answer.
        Away = "away",
    }
}

request! {
    /// The nodes of the cluster.
    pub struct Cluster {}
}

answer! {
    /// What a node says of itself; what is absent is not known of one that is away.
    pub struct ClusterNode {
        pub name: String,
        pub role: NodeRole,
        /// Only members lead; the log keeps what they still need.
        pub is_member: bool,
        /// The last entry of the log that is on its disk.
        pub position: Option<u64>,
        /// Entries of the log that are not on its disk yet.
        pub lag: Option<u64>,
        /// It leads, but cannot renew its lease and accepts nothing until it can.
        pub suspended: bool,
        /// Why it stores no further entries, in words.
        pub blocked: Option<String>,
        pub version: Option<String>,
        /// Open websockets of clients that are connected to it.
        pub sockets: Option<u64>,
        pub started_at: Option<Timestamp>,
    }

    pub struct ClusterAnswer {
        /// This server is a node of a cluster.
        pub enabled: bool,
        /// By name; empty on a server that runs alone.
        pub nodes: Vec<ClusterNode>,
    }
}

impl ClusterNode {
    /// What it does, in words.
    pub fn state(&self) -> String {
        let doing = match self.role {
            NodeRole::Leading if self.suspended => "leads, suspended",
            NodeRole::Leading => "leads",
            NodeRole::Opening => "is about to lead",
            NodeRole::Following => "follows",
            NodeRole::Checking => "compares itself with the log",
            NodeRole::Restoring => "waits for a copy of the data",
            NodeRole::Away => "does not answer",
        };
        match &self.blocked {
            Some(why) => format!("blocked: {why}"),
            None if self.is_member => doing.to_owned(),
            None => format!("{doing}, no member"),
        }
    }
}
