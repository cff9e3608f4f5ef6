//! The cost for games of a flood of log records, and of the retention of a long log.

use std::{net::SocketAddr, rc::Rc, time::Duration};

use anyhow::{Context, ensure};
use bytes::Bytes;
use morpion_appliance::{
    clock::Clock,
    logbook::{Logbook, Retention},
};
use morpion_store::{OpenOptions, Store};
use serde_json::{Value, json};
use tokio::{
    task::JoinSet,
    time::{Instant, interval},
};

use crate::{
    head, line, logs,
    matches::{Boards, Measured, Morpion, Pace, measure_at},
    process::{Program, Server},
    seed::Seeded,
};

const GAMES: usize = 500;

/// Players with realistic pauses: latency is measured, not throughput.
const PACE: Pace = Pace { thought: Duration::from_secs(1), measured: FLOOD };

/// Long enough for two rounds of checkpoints.
const FLOOD: Duration = Duration::from_secs(60);
const A_SECOND: u32 = 10_000;
/// Records per request: the server's maximum.
const BULK: u32 = 50;

/// Bodies prepared in advance, so that preparing them is not measured.
const BODIES: usize = 64;

pub async fn flood() -> anyhow::Result<()> {
    let seeded = Seeded::new(2 * GAMES, 0).await?;
    fill_log(&seeded).await?;
    let server = Server::start(Program::Morpion, &seeded).await?;
    let sender = Rc::new(Sender::new(server.address, &seeded)?);
    let play = async || {
        let morpion = Morpion::new(server.address, &seeded, Boards::Small)?;
        measure_at(&server, &morpion, GAMES, PACE).await
    };
    head("Games beside a log of a million records, all that are kept: 500 games whose players think for a second");
    let quiet = play().await?;
    line("nothing else", &quiet);

    // Longer than the games are watched, their warm-up included.
    let flooding = tokio::task::spawn_local(Rc::clone(&sender).flood(FLOOD + Duration::from_secs(6)));
    let flooded = play().await?;
    line("10,000 a second in, and as many out", &flooded);
    let sent = flooding.await??;
    compare(&flooded, &quiet);
    let dropped = sender.dropped().await?;
    println!("    {sent} records sent, {dropped} of them dropped and counted");

    let clearing = tokio::task::spawn_local(Rc::clone(&sender).clear());
    let cleared = play().await?;
    line("while the log is cleared", &cleared);
    compare(&cleared, &quiet);
    println!("    {} records cleared", clearing.await??);
    Ok(())
}

async fn fill_log(seeded: &Seeded) -> anyhow::Result<()> {
    let config = seeded.config()?;
    let store = Store::open(&config.database_url(), OpenOptions::default()).await?;
    let (logbook, log_writer) = Logbook::start(store.clone(), Retention::from(&config.log), Clock::default()).await?;
    logs::fill(&logbook).await?;
    log_writer.stop().await;
    store.close().await?;
    Ok(())
}

fn compare(busy: &Measured, quiet: &Measured) {
    let ratio = |quantile: f64| {
        busy.latency.value_at_quantile(quantile) as f64 / quiet.latency.value_at_quantile(quantile).max(1) as f64
    };
    println!("    latency {:.2} times at p50, {:.2} times at p99", ratio(0.5), ratio(0.99));
}

/// Sends records as browsers do, and clears them as an admin does.
struct Sender {
    url: String,
    http: reqwest::Client,
    people: Vec<(String, String)>,
    admin: String,
    bodies: Vec<Bytes>,
}

impl Sender {
    fn new(address: SocketAddr, seeded: &Seeded) -> anyhow::Result<Self> {
        Ok(Self {
            url: format!("http://{address}/api/backend/logger"),
            http: reqwest::Client::builder().no_proxy().build()?,
            people: seeded.accounts.iter().map(|account| (account.xsrf.clone(), account.cookie())).collect(),
            admin: seeded.operator_token()?,
            bodies: (0..BODIES).map(body).collect(),
        })
    }

    /// Returns how many records were accepted.
    async fn flood(self: Rc<Self>, lasting: Duration) -> anyhow::Result<u64> {
        let mut ticks = interval(Duration::from_secs(1) * BULK / A_SECOND);
        let until = Instant::now() + lasting;
        let mut sendings = JoinSet::new();
        let mut number = 0;
        while Instant::now() < until {
            ticks.tick().await;
            sendings.spawn_local(Rc::clone(&self).send(number));
            number += 1;
        }
        let mut taken = 0;
        while let Some(sent) = sendings.join_next().await {
            sent??;
            taken += u64::from(BULK);
        }
        Ok(taken)
    }

    async fn send(self: Rc<Self>, number: usize) -> anyhow::Result<()> {
        let (xsrf, cookie) = &self.people[number % self.people.len()];
        let request = self.http.post(&self.url).header("cookie", cookie).header("x-xsrf-token", xsrf);
        let body = self.bodies[number % BODIES].clone();
        let request = request.header("content-type", "application/json").body(body);
        answer(request).await.map(drop)
    }

    async fn dropped(&self) -> anyhow::Result<u64> {
        let query = [("action", "getLogStats"), ("payload", "{}")];
        let stats = answer(self.http.get(&self.url).query(&query).bearer_auth(&self.admin)).await?;
        stats["data"]["dropped"].as_u64().context("no count of dropped records")
    }

    /// Returns how many records were deleted.
    async fn clear(self: Rc<Self>) -> anyhow::Result<u64> {
        // When the games are under way.
        tokio::time::sleep(Duration::from_secs(5)).await;
        let body = json!({ "action": "clearLogs", "payload": {} });
        let cleared = answer(self.http.post(&self.url).bearer_auth(&self.admin).json(&body)).await?;
        cleared["cleared"].as_u64().context("no count of what was cleared")
    }
}

fn body(number: usize) -> Bytes {
    let messages: Vec<Value> = (0..BULK)
        .map(|record| {
            json!({
                "level": if record % 10 == 0 { "error" } else { "info" },
                "message": format!("record {record} of sending {number}: the board was drawn in 3 ms"),
                "fileName": "src/features/game/GamePage.tsx:120",
                "context": "width=1280 height=720",
            })
        })
        .collect();
    json!({ "action": "bulkLog", "payload": { "messages": messages } }).to_string().into()
}

async fn answer(request: reqwest::RequestBuilder) -> anyhow::Result<Value> {
    let answer: Value = request.send().await?.json().await?;
    ensure!(answer["succeeded"] == true, "{answer}");
    Ok(answer)
}
