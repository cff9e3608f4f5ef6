//! People all over a cluster: pairs who play, and newcomers who register, sign up for an event and buy a plan.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use reqwest::StatusCode;
use serde_json::json;
use tokio::{
    sync::watch,
    task::{JoinHandle, JoinSet},
};

use crate::{
    checker::check,
    client::{Account, Caller, Http, outcome},
    cluster::Cluster,
    history::{End, GameAtEnd, History, Outcome, What},
    payments::Payments,
    player::{Player, Surroundings, move_of},
};

/// How often somebody registers.
const NEWCOMER_EVERY: Duration = Duration::from_millis(900);

/// How long an answer may take once everything runs.
const PATIENCE: Duration = Duration::from_secs(20);

/// What newcomers have as clients' numbers: more than players.
const NEWCOMERS: usize = 1_000;

/// The same of newcomers who buy.
const CUSTOMERS: usize = 2_000;

/// All who play and register, until they are told to stop.
pub struct Tables {
    around: Surroundings,
    event: String,
    players: Vec<Account>,
    playing: Vec<JoinHandle<()>>,
    registering: JoinHandle<Vec<Account>>,
}

/// What they did, and what to ask for in the end.
pub struct Played {
    pub history: Arc<History>,
    http: Http,
    event: String,
    players: Vec<Account>,
    newcomers: Vec<Account>,
}

impl Tables {
    /// So many pairs, each at two nodes, and the newcomers at all.
    pub async fn begin(cluster: &Cluster, pairs: usize, seed: u64) -> Self {
        Self::begin_at(cluster, cluster.nodes.len(), pairs, seed).await
    }

    /// As [`Tables::begin`], at the first so many nodes.
    pub async fn begin_at(cluster: &Cluster, nodes: usize, pairs: usize, seed: u64) -> Self {
        let around = Surroundings {
            nodes: cluster.nodes[..nodes].iter().map(|node| node.address).collect(),
            http: cluster.http.clone(),
            history: Arc::default(),
            is_over: Arc::default(),
        };
        let event = cluster.event().await;
        let mut players = vec![];
        for number in 0..2 * pairs {
            let node = around.nodes[number % around.nodes.len()];
            let (outcome, account) = around.http.register(node, &format!("mover{number}")).await;
            players.push(account.unwrap_or_else(|| panic!("player {number}: {outcome:?}")));
        }
        let player = |number: usize| {
            let node = (number + number / 2) % around.nodes.len();
            Player::new(number, players[number].clone(), node, around.clone(), seed)
        };
        let mut playing = vec![];
        for pair in 0..pairs {
            let (tell, told) = watch::channel(None);
            playing.push(tokio::spawn(host(player(2 * pair), players[2 * pair + 1].id.clone(), tell)));
            playing.push(tokio::spawn(guest(player(2 * pair + 1), told)));
        }
        let registering = tokio::spawn(register(around.clone(), event.clone(), Arc::clone(&cluster.payments)));
        Self { around, event, players, playing, registering }
    }

    pub fn history(&self) -> &History {
        &self.around.history
    }

    /// The longest time, from a moment on, in which a pair that played got no move acknowledged.
    pub fn longest_gap(&self, from: Instant) -> Duration {
        self.history().longest_gap(from, Instant::now(), self.players.len() / 2)
    }

    /// Waits until something is acknowledged after this moment; says how long after.
    ///
    /// # Errors
    /// Nothing was.
    pub async fn acknowledged_after(&self, moment: Instant, within: Duration) -> Result<Duration, String> {
        loop {
            if let Some(at) = self.history().acknowledged_after(moment) {
                return Ok(at - moment);
            }
            if moment.elapsed() > within {
                return Err(format!("nothing was acknowledged for {within:?}"));
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until more moves than these are acknowledged.
    pub async fn until_more_than(&self, moves: usize) {
        let begun = Instant::now();
        while acknowledged(&self.around.history).0 <= moves {
            assert!(begun.elapsed() < PATIENCE, "{:?} moves and purchases", acknowledged(&self.around.history));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Tells all to stop, and waits until they have.
    ///
    /// # Errors
    /// Somebody was answered what makes no sense.
    pub async fn end(self) -> Result<Played, String> {
        self.around.is_over.store(true, Ordering::Relaxed);
        for playing in self.playing {
            playing.await.map_err(|error| format!("a player: {error}"))?;
        }
        let newcomers = self.registering.await.map_err(|error| format!("a newcomer: {error}"))?;
        let Surroundings { history, http, .. } = self.around;
        Ok(Played { history, http, event: self.event, players: self.players, newcomers })
    }
}

fn acknowledged(history: &History) -> (usize, usize) {
    let entries = history.entries();
    let count = |is_meant: fn(&What) -> bool| entries.iter().filter(|entry| is_meant(&entry.what)).count();
    (
        count(|what| matches!(what, What::Moved { outcome: Outcome::Acknowledged, .. })),
        count(|what| matches!(what, What::Bought { outcome: Outcome::Acknowledged, .. })),
    )
}

async fn host(mut player: Player, opponent: String, tell: watch::Sender<Option<String>>) {
    while let Some(game) = player.makes_game(&opponent).await {
        tell.send_replace(Some(game.clone()));
        player.plays(&game).await;
    }
}

async fn guest(mut player: Player, mut told: watch::Receiver<Option<String>>) {
    // Ends when the host is gone.
    while told.changed().await.is_ok() {
        let game = told.borrow_and_update().clone();
        if let Some(game) = game {
            player.plays(&game).await;
        }
    }
}

/// Registers one after the other, signs them up and has them buy; returns those whose account was acknowledged.
async fn register(around: Surroundings, event: String, payments: Arc<Payments>) -> Vec<Account> {
    let (mut registered, mut buying) = (vec![], JoinSet::new());
    for number in 0.. {
        if around.is_over.load(Ordering::Relaxed) {
            break;
        }
        let node = number % around.nodes.len();
        let name = format!("newcomer{number}");
        let asked = around.history.tick();
        let (outcome, account) = around.http.register(around.nodes[node], &name).await;
        around.history.record(NEWCOMERS + number, node, asked, What::Registered { name, outcome });
        if let Some(account) = account {
            sign_up(&around, &event, &account, number).await;
            let (payments, around, customer) = (Arc::clone(&payments), around.clone(), account.clone());
            buying.spawn(async move { payments.buy(&around, &customer, CUSTOMERS + number).await });
            registered.push(account);
        }
        tokio::time::sleep(NEWCOMER_EVERY).await;
    }
    buying.join_all().await;
    registered
}

/// Asks one node after the other.
async fn sign_up(around: &Surroundings, event: &str, account: &Account, number: usize) {
    for attempt in 1..=around.nodes.len() {
        let node = (number + attempt) % around.nodes.len();
        let asked = around.history.tick();
        let caller = Caller::Person(account);
        let payload = json!({ "eventId": event });
        let answer = around.http.write(around.nodes[node], caller, "eventSignUp", "sign_up", payload).await;
        let outcome = outcome(answer.as_ref());
        let name = account.name.clone();
        around.history.record(NEWCOMERS + number, node, asked, What::SignedUp { name, outcome });
        if outcome != Outcome::Unknown {
            break;
        }
    }
}

impl Played {
    /// What a node of a cluster without faults has.
    ///
    /// # Errors
    /// It does not answer.
    async fn end_at(&self, cluster: &Cluster, node: usize) -> Result<End, String> {
        let address = cluster.nodes[node].address;
        let mut end = End::default();
        for (game, client) in self.history.games() {
            let account = &self.players[client];
            let begin = Instant::now();
            let answer = loop {
                let payload = json!({ "gameId": game });
                let answer = self.http.read(address, Caller::Person(account), "game", "get_game", payload).await;
                match answer {
                    Some(answer) if !answer.status.is_server_error() => break answer,
                    _ if begin.elapsed() > PATIENCE => return Err(format!("game {game} cannot be read at {node}")),
                    _ => tokio::time::sleep(Duration::from_millis(200)).await,
                }
            };
            if answer.status == StatusCode::OK {
                let state = &answer.body["game"];
                let moves = state["moves"].as_array().into_iter().flatten().map(move_of).collect();
                let version = state["version"].as_u64().ok_or_else(|| format!("no version: {state}"))?;
                end.games.insert(game, GameAtEnd { version, moves });
            }
        }
        for account in &self.newcomers {
            if self.http.is_signed_in(address, account).await == Some(true) {
                end.accounts.insert(account.name.clone());
            }
            let payload = json!({ "eventId": self.event, "userId": account.id });
            let caller = Caller::Person(account);
            let answer = self.http.read(address, caller, "eventSignUp", "get_user_sign_up_status", payload).await;
            if answer.is_some_and(|answer| answer.body["isSignedUp"] == true) {
                end.sign_ups.insert(account.name.clone());
            }
            let charges = cluster.payments.charges(account);
            if charges > 0 {
                end.charges.insert(account.name.clone(), charges);
            }
            let begin = Instant::now();
            loop {
                let answer = self.http.read(address, caller, "subscription", "get_subscription", json!({})).await;
                if answer.is_some_and(|answer| answer.body["subscription"]["isSubScribe"] == true) {
                    end.subscribers.insert(account.name.clone());
                    break;
                }
                // Whoever paid gets it once a node has heard of that.
                if charges == 0 || begin.elapsed() > PATIENCE {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
        Ok(end)
    }

    /// Checks the history against what a node has, and returns that.
    ///
    /// # Errors
    /// What is wrong.
    pub async fn check_at(&self, cluster: &Cluster, node: usize) -> Result<End, String> {
        let end = self.end_at(cluster, node).await?;
        let wrong: BTreeSet<_> = check(&self.history.entries(), &end).into_iter().collect();
        if wrong.is_empty() {
            return Ok(end);
        }
        Err(format!("at {}:\n{}", cluster.nodes[node].name, Vec::from_iter(wrong).join("\n")))
    }

    /// How many moves and purchases were acknowledged.
    pub fn acknowledged(&self) -> (usize, usize) {
        acknowledged(&self.history)
    }
}
