//! `morpion-tui cluster`

use morpion_openapi::cluster::{Cluster, ClusterAnswer};

use super::print::{TextTable, ago};
use crate::script::{Outcome, Script};

impl Script {
    pub(super) async fn cluster(&self) -> Outcome {
        self.show(Cluster {}, table).await
    }
}

fn table(answer: &ClusterAnswer) -> String {
    if !answer.enabled {
        return "This server runs alone.\n".to_owned();
    }
    let mut table = TextTable::new(&["NODE", "STATE", "LAG", "ENTRY", "SOCKETS", "VERSION", "UP"]);
    let figure = |figure: Option<u64>| figure.map(|figure| figure.to_string()).unwrap_or_default();
    for node in &answer.nodes {
        let up = node.started_at.map(ago).unwrap_or_default();
        table.row(&[
            &node.name,
            &node.state(),
            &figure(node.lag),
            &figure(node.position),
            &figure(node.sockets),
            node.version.as_deref().unwrap_or_default(),
            &up,
        ]);
    }
    table.text()
}
