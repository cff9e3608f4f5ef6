//! The nodes of the cluster: who leads, how far the others are. On a server that runs alone the header leaves it out.

mod view;

use std::cmp::{Ordering, Reverse};

use morpion_openapi::cluster::{Cluster as AskForCluster, ClusterAnswer, ClusterNode, NodeRole};
use morpion_shell::{command_error::CommandError, escape};
use ratatui::{Frame, layout::Rect};

use super::{CommandLine, Request, Tab, TabId};
use crate::{
    actions::Action,
    calls::{Call, Reply},
    context::Context,
    dialog::{
        menu::{Menu, MenuItem},
        palette::{Argument, PaletteCommand, command},
    },
    fetch::Fetch,
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys, bind, char},
    list::{DataTable, List, Row, view::Column},
    own_commands::Target,
    theme::Theme,
};

#[rustfmt::skip] // One row a line.
const KEYS: Keys = Keys { title: "Cluster", has_list: true, bindings: &[
    bind(&[char('a')], KeyAction::Menu, "copy the name of the chosen node", "act"),
]};

/// Asked this often while it is shown; the leader asks all nodes.
const POLL_MS: i64 = 2_000;
/// For the mark on its tab, while another tab is shown.
const POLL_HIDDEN_MS: i64 = 15_000;

#[derive(Debug, Default)]
pub struct Cluster {
    pub table: DataTable<ClusterNode>,
    pub fetch: Fetch,
    /// The server is a node of a cluster.
    is_enabled: bool,
}

impl Cluster {
    /// The node that leads.
    pub fn leader(&self) -> Option<&ClusterNode> {
        self.table.rows().iter().find(|node| node.role == NodeRole::Leading)
    }

    fn take(&mut self, answer: &ClusterAnswer, now: i64) {
        self.is_enabled = answer.enabled;
        self.table.set(answer.nodes.clone());
        self.fetch.succeeded(now);
    }
}

/// Whether somebody has to look at the node.
pub fn is_in_need(node: &ClusterNode) -> bool {
    node.suspended || node.blocked.is_some() || node.role == NodeRole::Away
}

impl Tab for Cluster {
    fn title(&self) -> &'static str {
        "Cluster"
    }

    fn keys(&self) -> &'static Keys {
        &KEYS
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS]
    }

    fn commands(&self) -> &'static [PaletteCommand] {
        const { &[command("cluster", Argument::None, "the nodes of the cluster")] }
    }

    fn run(&mut self, _line: CommandLine<'_>, _context: &Context) -> Result<Vec<Request>, String> {
        Ok(vec![Request::ShowTab(TabId::Cluster)])
    }

    fn list(&self) -> Option<&dyn List> {
        Some(&self.table)
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        Some(&mut self.table)
    }

    fn target(&self) -> Option<Target> {
        self.table.chosen().map(|node| Target::new(&node.name, &node.name))
    }

    fn menu(&self) -> Option<Menu> {
        let name = self.table.chosen()?.name.clone();
        // It is pasted into a shell, after `morpion cluster leave`.
        let copy = Action::Copy(escape::line(&name).into_owned());
        Some(Menu::new(name, vec![MenuItem::new('c', "copy its name", copy)]))
    }

    fn is_offered(&self) -> bool {
        self.is_enabled
    }

    fn poll(&mut self, shown: TabId, now: i64) -> Vec<Call> {
        let is_shown = shown == TabId::Cluster;
        let every = if is_shown { POLL_MS } else { POLL_HIDDEN_MS };
        if (is_shown || self.is_enabled) && self.fetch.is_due(every, now) {
            vec![AskForCluster {}.into()]
        } else {
            vec![]
        }
    }

    fn expire(&mut self) {
        self.fetch.expire();
    }

    fn replied(&mut self, _call: &Call, reply: &Reply, context: &Context) -> Vec<Request> {
        match reply {
            Reply::Overview(answer) => self.is_enabled = answer.leader.is_some(),
            Reply::Cluster(answer) => self.take(answer, context.now),
            _ => {}
        }
        vec![]
    }

    fn refused(&mut self, call: &Call, refusal: &CommandError, context: &Context) -> Option<Vec<Request>> {
        let Call::Cluster(_) = call else { return None };
        self.fetch.failed(refusal.clone(), context.now);
        Some(vec![])
    }

    fn needs_attention(&self) -> bool {
        self.table.rows().iter().any(is_in_need)
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        view::draw(frame, area, self, context, theme, targets);
    }
}

impl Row for ClusterNode {
    type Key = String;
    const SORTS: &'static [&'static str] = &["Node", "State", "Lag", "Sockets"];
    const COLUMNS: &'static [Column] = &view::COLUMNS;

    fn key(&self) -> String {
        self.name.clone()
    }

    fn words(&self) -> String {
        format!("{} {} {}", self.name, self.state(), self.version.as_deref().unwrap_or_default()).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => Ordering::Equal,
            1 => (self.role as u8).cmp(&(other.role as u8)),
            2 => Reverse(self.lag).cmp(&Reverse(other.lag)),
            _ => Reverse(self.sockets).cmp(&Reverse(other.sockets)),
        }
        .then_with(|| self.name.cmp(&other.name))
    }
}
