//! The nodes of a cluster: their tab, and the command for scripts.

use insta::assert_snapshot;
use morpion_openapi::{
    Timestamp,
    admin::{Overview, OverviewAnswer},
    cluster::{Cluster, ClusterAnswer, ClusterNode, NodeRole},
};
use morpion_tui::{
    calls::{Call, Reply},
    event::{Effect, Event},
    net::command_error::{CommandError, FailureKind},
    tabs::TabId,
};

use crate::{fixtures::*, screens::screen, script::run, server::Server};

const SIZES: [(&str, (u16, u16)); 3] = [("least", (40, 12)), ("small", (80, 24)), ("large", (120, 36))];
const SIZE: (u16, u16) = (80, 24);

fn node(name: &str, role: NodeRole, lag: u64) -> ClusterNode {
    ClusterNode {
        name: name.to_owned(),
        role,
        is_member: true,
        position: Some(48_213 - lag),
        lag: Some(lag),
        suspended: false,
        blocked: None,
        version: Some("0.1.0".to_owned()),
        sockets: Some(400),
        started_at: Some(Timestamp::from_millis(START - 7_200_000)),
    }
}

fn well() -> ClusterAnswer {
    let nodes =
        vec![node("a", NodeRole::Leading, 0), node("b", NodeRole::Following, 0), node("c", NodeRole::Following, 3)];
    ClusterAnswer { enabled: true, nodes }
}

pub fn unwell() -> ClusterAnswer {
    let nodes = vec![
        ClusterNode { suspended: true, ..node("a", NodeRole::Leading, 0) },
        ClusterNode {
            blocked: Some("the next entry needs a later version".to_owned()),
            ..node("b", NodeRole::Following, 4_120)
        },
        ClusterNode {
            position: None,
            lag: None,
            version: None,
            sockets: None,
            started_at: None,
            ..node("node-in-rack-4", NodeRole::Away, 0)
        },
    ];
    ClusterAnswer { enabled: true, nodes }
}

fn alone() -> ClusterAnswer {
    ClusterAnswer { enabled: false, nodes: vec![] }
}

pub fn with_cluster(size: (u16, u16), answer: ClusterAnswer) -> Console {
    let mut console = Console::on_tab(size, 9);
    console.reply(Cluster {}, Reply::Cluster(answer));
    console
}

fn asks_for_cluster(effects: &[Effect]) -> bool {
    calls(effects).iter().any(|call| matches!(call, Call::Cluster(_)))
}

#[test]
fn the_tab_in_every_size() {
    for (name, size) in SIZES {
        assert_snapshot!(format!("{name}_cluster"), screen(&with_cluster(size, well())));
        assert_snapshot!(format!("{name}_cluster_unwell"), screen(&with_cluster(size, unwell())));
        assert_snapshot!(format!("{name}_cluster_alone"), screen(&with_cluster(size, alone())));
    }
}

#[test]
fn who_leads_and_who_needs_somebody_is_told() {
    let shown = screen(&with_cluster(SIZE, well()));
    assert!(shown.contains("3 nodes; a leads") && !shown.contains("9 Cluster!"), "{shown}");
    let shown = screen(&with_cluster(SIZE, unwell()));
    for told in ["a leads, but NATS has no majority", "9 Cluster!", "blocked: the next entry", "does not answer"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    let shown = screen(&with_cluster(SIZE, alone()));
    assert!(shown.contains("This server runs alone."), "{shown}");
    let former =
        ClusterAnswer { nodes: vec![ClusterNode { is_member: false, ..node("d", NodeRole::Following, 0) }], ..well() };
    assert!(screen(&with_cluster(SIZE, former)).contains("follows, no member"));
    let nobody = ClusterAnswer { nodes: vec![node("b", NodeRole::Following, 0)], ..well() };
    assert!(screen(&with_cluster(SIZE, nobody)).contains("1 node; nobody leads"));
}

#[test]
fn what_was_known_stays_when_the_server_refuses() {
    let mut console = Console::on_tab(SIZE, 9);
    console.refuse(Cluster {}, CommandError::new(FailureKind::Busy, "NATS does not answer."));
    assert!(screen(&console).contains("NATS does not answer."));
    console.reply(Cluster {}, Reply::Cluster(well()));
    console.refuse(Cluster {}, CommandError::new(FailureKind::Busy, "Try again later."));
    let shown = screen(&console);
    assert!(shown.contains("a leads") && shown.contains("Try again later."), "{shown}");
}

/// The line of the header with the tabs.
fn tabs(console: &Console) -> String {
    screen(console).lines().nth(1).expect("a line").to_owned()
}

#[test]
fn the_header_names_the_tab_of_a_server_in_a_cluster_only() {
    let mut console = Console::on_tab(SIZE, 1);
    console.reply(Overview {}, Reply::Overview(overview()));
    assert!(!tabs(&console).contains(" 9 "), "{}", tabs(&console));
    console.now += 60_000;
    assert!(!asks_for_cluster(&console.update(Event::Tick)), "a server that runs alone is not asked");

    let in_cluster = OverviewAnswer { leader: Some("a".to_owned()), ..overview() };
    console.reply(Overview {}, Reply::Overview(in_cluster));
    assert!(tabs(&console).contains(" 9 "), "{}", tabs(&console));
    assert!(asks_for_cluster(&console.update(Event::Tick)), "for the mark on the tab");
    console.reply(Cluster {}, Reply::Cluster(unwell()));
    assert!(tabs(&console).contains(" 9! "), "{}", tabs(&console));
    console.press("8 Tab");
    assert_eq!(console.app.tab, TabId::Cluster);
}

#[test]
fn nodes_are_filtered_sorted_and_copied() {
    let mut console = with_cluster(SIZE, unwell());
    console.press("/");
    console.type_text("block");
    console.press("Enter");
    assert_eq!(console.app.tabs.cluster.table.shown().map(|node| node.name.as_str()).collect::<Vec<_>>(), ["b"]);
    console.press("Escape s s");
    let first = console.app.tabs.cluster.table.shown().next().map(|node| node.name.clone());
    assert_eq!(first.as_deref(), Some("b"), "the one that lags most");
    assert_eq!(console.press("g a c"), [Effect::Copy("b".to_owned())]);
}

#[tokio::test]
async fn the_nodes_are_listed_by_a_command() {
    let server = Server::start().await;
    server.answer("cluster", &unwell());
    let (code, out, error) = run(&server.url(), &["cluster"]).await;
    assert_eq!(code, 0, "{error}");
    for told in ["NODE", "a               leads, suspended", "4120", "node-in-rack-4  does not answer"] {
        assert!(out.contains(told), "{told}: {out}");
    }
    let (_, out, _) = run(&server.url(), &["cluster", "--json"]).await;
    assert_eq!(serde_json::from_str::<ClusterAnswer>(&out).expect("the answer"), unwell());
    server.answer("cluster", &alone());
    let (code, out, _) = run(&server.url(), &["cluster"]).await;
    assert_eq!((code, out.as_str()), (0, "This server runs alone.\n"));
}
