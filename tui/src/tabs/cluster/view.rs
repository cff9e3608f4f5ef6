//! The table of nodes, and in a line above it who leads.

use morpion_openapi::cluster::{ClusterNode, NodeRole};
use morpion_shell::escape;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::Line,
};

use super::{Cluster, is_in_need};
use crate::{
    context::Context,
    hit_testing::ClickTargets,
    list::view::{self as list, Column},
    theme::Theme,
    widgets::text::{self, age, number},
};

/// The columns of the table.
pub const COLUMNS: [Column; 7] = [
    Column::new("Node", 6).sort(0),
    Column::new("State", 14).preferred(46).sort(1),
    Column::new("Lag", 4).sort(2).right(),
    Column::new("Entry", 6).right().drop_order(3),
    Column::new("Sockets", 7).sort(3).right().drop_order(2),
    Column::new("Version", 7).drop_order(4),
    Column::new("Up", 6).right().drop_order(1),
];

pub fn draw(
    frame: &mut Frame,
    area: Rect,
    cluster: &Cluster,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let [line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let (table, fetch) = (&cluster.table, &cluster.fetch);
    if fetch.is_loaded && !table.rows().is_empty() {
        frame.render_widget(list::summary(table, summary(cluster), fetch, theme), line);
    }
    let empty = ["This server runs alone.", "With [cluster] in its configuration it is one of several."];
    let shown = table.shown().len();
    if list::draw_empty_state(frame, body, context, (fetch, table, shown), ("nodes", empty), theme) {
        return;
    }
    list::draw(frame, body, table, &COLUMNS, theme, targets, |node| {
        let figure = |figure: Option<u64>| figure.map_or_else(|| theme.glyphs.absent.to_owned(), number);
        let up = node.started_at.map(|started| age(context.server_now() - started.as_millis()));
        vec![
            Line::raw(node.name.clone()),
            Line::styled(node.state(), style(node, theme)),
            Line::raw(figure(node.lag)),
            Line::styled(figure(node.position), theme.soft),
            Line::raw(figure(node.sockets)),
            Line::styled(node.version.clone().unwrap_or_default(), theme.soft),
            Line::styled(up.unwrap_or_default(), theme.soft),
        ]
    });
}

fn summary(cluster: &Cluster) -> String {
    let nodes = text::count(cluster.table.rows().len() as u64, "node");
    let Some(leader) = cluster.leader() else { return format!("{nodes}; nobody leads") };
    let majority = if leader.suspended { ", but NATS has no majority" } else { "" };
    format!("{nodes}; {} leads{majority}", escape::line(&leader.name))
}

fn style(node: &ClusterNode, theme: &Theme) -> Style {
    match node.role {
        _ if is_in_need(node) => theme.bad,
        NodeRole::Leading => theme.good,
        NodeRole::Opening | NodeRole::Checking | NodeRole::Restoring => theme.warning,
        NodeRole::Following | NodeRole::Away => Style::new(),
    }
}
