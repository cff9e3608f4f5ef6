//! The site of a cluster as people find it: in a browser, through any of its nodes.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::atomic::{AtomicU16, Ordering},
};

use futures_util::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{
    client::{Caller, HOST},
    cluster::{Cluster, NAMES},
    socket::Socket,
    support::{Browser, credentials, registration},
};

const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

pub struct Site {
    pub cluster: Cluster,
    pub leader: usize,
    visitors: AtomicU16,
}

impl Site {
    pub async fn open(cluster: Cluster) -> Self {
        let leader = cluster.until_complete().await;
        Self { cluster, leader, visitors: AtomicU16::default() }
    }

    /// The nodes that follow.
    pub fn followers(&self) -> [usize; 2] {
        [1, 2].map(|further| (self.leader + further) % NAMES.len())
    }

    pub fn running(&self) -> impl Iterator<Item = usize> {
        (0..NAMES.len()).filter(|node| self.cluster.nodes[*node].is_running())
    }

    /// The browser, served by a node.
    pub fn at(&self, browser: &Browser, node: usize) -> Browser {
        self.from(browser, node, HOME)
    }

    pub fn from(&self, browser: &Browser, node: usize, own: IpAddr) -> Browser {
        browser.through(self.cluster.nodes[node].address, own)
    }

    /// One that has opened the site at a node, from an address that nobody had yet.
    pub async fn visitor(&self, node: usize) -> Browser {
        let [high, low] = self.visitors.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let browser = self.from(&Browser::at(format!("http://{HOST}")), node, [127, 8, high, low].into());
        browser.get("/api/auth/check-login").await.ok();
        browser
    }

    pub async fn registered(&self, node: usize, name: &str) -> (Browser, Value) {
        let browser = self.visitor(node).await;
        let user = browser.post("/api/auth/register", registration(name)).await.ok()["user"].clone();
        (browser, user)
    }

    pub async fn signed_in(&self, node: usize, name: &str, password: &str) -> Browser {
        let browser = self.visitor(node).await;
        browser.post("/api/auth/login", of(name, password)).await.ok();
        browser
    }

    /// At every node the answer is the same; returns it.
    pub async fn is_signed_in(&self, browser: &Browser) -> bool {
        let answers = join_all(self.running().map(async |node| self.at(browser, node).is_signed_in().await)).await;
        let first = answers[0];
        assert!(answers.iter().all(|answer| *answer == first), "{answers:?}");
        first
    }

    /// Signing in is refused by every node for this reason.
    pub async fn refuses(&self, name: &str, password: &str, status: u16, code: &str) {
        for node in self.running() {
            self.visitor(node).await.post("/api/auth/login", of(name, password)).await.fails(status, code);
        }
    }

    /// What every node answers to a program that reads with this token.
    pub async fn statuses(&self, token: &str) -> Vec<StatusCode> {
        let read = async |node: usize| {
            let (http, node) = (&self.cluster.http, self.cluster.nodes[node].address);
            let answer = http.read(node, Caller::Operator(token), "userprofile", "get_user_by_id", json!({})).await;
            answer.expect("the node answers").status
        };
        join_all(self.running().map(read)).await
    }

    /// An act of the operator through a node, with the token of the one that leads.
    pub async fn operate(&self, node: usize, action: &str, payload: Value) -> Value {
        self.operate_on(node, "admin", action, payload).await
    }

    /// As [`Site::operate`], on another resource.
    pub async fn operate_on(&self, node: usize, resource: &str, action: &str, payload: Value) -> Value {
        let (token, node) = (self.cluster.nodes[self.leader].token().unwrap(), self.cluster.nodes[node].address);
        let answer = self.cluster.http.write(node, Caller::Operator(&token), resource, action, payload).await;
        let answer = answer.expect("the node answers");
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body
    }

    pub async fn socket(&self, browser: &Browser, node: usize) -> Socket {
        Socket::open(self.cluster.nodes[node].address, &browser.cookies()).await.expect("a websocket")
    }

    /// Another node leads.
    pub async fn loses_its_leader(&mut self) {
        self.cluster.nodes[self.leader].kill();
        self.cluster.until_ready().await.unwrap();
        let next = self.cluster.until_led().await;
        assert_ne!(next, self.leader);
        self.leader = next;
    }
}

/// What somebody signs in with.
pub fn of(name: &str, password: &str) -> Value {
    credentials(&format!("{name}@example.org"), password)
}
