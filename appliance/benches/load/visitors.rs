//! What an event costs whose page many have open: a leaderboard, the bracket of a knockout, and the matches and the table of a
//! Swiss. All visitors hear of each change, and read again what their page shows.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use chrono::{TimeDelta, Utc};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{
    process::{Program, Server, own_cpu},
    seed::{Account, Seeded, loose_limits},
    socket::{MORPION, Socket, open_from, origin, source},
    spectators::SMALL,
};

const VISITORS: usize = 5_000;

/// Changes that all of them hear of.
const UPDATES: usize = 10;

/// Players of each event: rounds of 32 matches.
const ENTRANTS: usize = 64;

/// Connections opened at once, and reads under way at once.
const AT_ONCE: usize = 64;

/// All of it is over by then.
const OVER_WITHIN: Duration = Duration::from_secs(1_200);

/// Until the first round of an event is paired.
const PAIRED_WITHIN: Duration = Duration::from_secs(10);

/// What is measured, the first one as what the others are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    Leaderboard,
    Bracket,
    Swiss,
}

impl Page {
    const ALL: [Self; 3] = [Self::Leaderboard, Self::Bracket, Self::Swiss];

    fn name(self) -> &'static str {
        match self {
            Self::Leaderboard => "a leaderboard",
            Self::Bracket => "a bracket",
            Self::Swiss => "a Swiss, matches and table",
        }
    }

    fn format(self) -> &'static str {
        match self {
            Self::Leaderboard => "arena",
            Self::Bracket => "knockout",
            Self::Swiss => "swiss",
        }
    }

    /// The frame that has the page read again.
    fn frame(self) -> &'static str {
        match self {
            Self::Leaderboard => "\"refreshLeaderboard\"",
            Self::Bracket | Self::Swiss => "\"standingsChanged\"",
        }
    }

    /// Resource, action and payload of what the page reads.
    fn reads(self, event: &str) -> Vec<(&'static str, &'static str, Value)> {
        match self {
            Self::Leaderboard => {
                vec![("player", "get_leaderboard", json!({ "eventId": event, "page": 1, "limit": 50 }))]
            }
            Self::Bracket | Self::Swiss => vec![
                ("event", "get_rounds", json!({ "eventId": event })),
                ("event", "get_standings", json!({ "eventId": event })),
            ],
        }
    }
}

/// Compares an event in stage rounds with a leaderboard.
///
/// # Errors
/// A call was refused, a connection was lost, or it took too long.
pub async fn visitors() -> anyhow::Result<()> {
    timeout(OVER_WITHIN, compared()).await.context("it took too long")?
}

async fn compared() -> anyhow::Result<()> {
    let is_small = std::env::var_os(SMALL).is_some();
    let (visitors, updates) = if is_small { (50, 3) } else { (VISITORS, UPDATES) };
    println!("Pages of events that {visitors} visitors have open, {ENTRANTS} players, {updates} changes");
    println!(
        "  {:<34}{:>14}{:>8}{:>16}{:>8}{:>16}{:>12}",
        "what all read again", "CPU a change", "", "sent a change", "", "until all have", "load busy"
    );
    // A round that waits for an hour: nothing changes but by the director.
    let more = "[realtime]\nmax_visitor_connections = 100000\nmax_visitor_connections_per_address = 100000\n";
    let settings = format!("events.round_pause = \"1h\"\n{}", loose_limits().replace("[realtime]\n", more));
    let seeded = Seeded::with_settings(ENTRANTS, 0, &settings).await?;
    let server = Server::start(Program::Morpion, &seeded).await?;
    let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(AT_ONCE).build()?;
    let site = Site { http, address: server.address, token: seeded.operator_token()? };
    let mut sockets = site.open_all(visitors).await?;
    let mut first = None;
    for page in Page::ALL {
        let shown = Shown::begin(&site, page, &seeded.accounts).await.with_context(|| page.name())?;
        let measured = measure(&server, &site, &shown, &mut sockets, updates).await.with_context(|| page.name())?;
        let (cpu, bytes) = first.get_or_insert((measured.server_cpu.as_secs_f64(), measured.bytes as f64));
        let ratio = |of: f64, to: f64| if page == Page::ALL[0] { String::new() } else { format!("× {:.2}", of / to) };
        println!(
            "  {:<34}{:>11.0} ms{:>8}{:>12.1} MiB{:>8}{:>13.1} s{:>10.0} %",
            page.name(),
            measured.server_cpu.as_secs_f64() * 1e3 / updates as f64,
            ratio(measured.server_cpu.as_secs_f64(), *cpu),
            measured.bytes as f64 / updates as f64 / f64::from(1 << 20),
            ratio(measured.bytes as f64, *bytes),
            measured.took.as_secs_f64() / updates as f64,
            measured.load_cpu.as_secs_f64() / measured.took.as_secs_f64() * 100.0,
        );
    }
    Ok(())
}

struct Measured {
    server_cpu: Duration,
    load_cpu: Duration,
    /// Bodies of answers, as they were sent.
    bytes: u64,
    took: Duration,
}

/// Changes the event so many times; all visitors hear of each change and read their page again.
async fn measure(
    server: &Server,
    site: &Site,
    shown: &Shown,
    sockets: &mut [Socket],
    updates: usize,
) -> anyhow::Result<Measured> {
    let reads = shown.page.reads(&shown.event);
    let (started, server_cpu, load_cpu) = (Instant::now(), server.cpu(), own_cpu());
    let mut bytes = 0;
    for number in 0..updates {
        shown.change(site, number).await?;
        for socket in &mut *sockets {
            socket.wait_for(shown.page.frame()).await?;
        }
        let all = (0..sockets.len()).flat_map(|_| &reads);
        let read = all.map(|(resource, action, payload)| site.read(resource, action, payload, "gzip, br"));
        let sizes = stream::iter(read).buffer_unordered(AT_ONCE);
        bytes += sizes.try_fold(0, |sum, answer| async move { anyhow::Ok(sum + answer.len() as u64) }).await?;
    }
    Ok(Measured {
        server_cpu: server.cpu() - server_cpu,
        load_cpu: own_cpu() - load_cpu,
        bytes,
        took: started.elapsed(),
    })
}

/// The server, to its operator and to visitors.
struct Site {
    http: reqwest::Client,
    address: SocketAddr,
    token: String,
}

impl Site {
    async fn act(&self, resource: &str, action: &str, payload: Value) -> anyhow::Result<Value> {
        let url = format!("http://{}/api/backend/{resource}", self.address);
        let change = json!({ "action": action, "payload": payload });
        let answer = self.http.post(url).bearer_auth(&self.token).json(&change).send().await?;
        let answer: Value = answer.json().await?;
        ensure!(answer["succeeded"] == true, "{action}: {answer}");
        Ok(answer)
    }

    /// Reads as a visitor's page, in one of these encodings.
    async fn read(&self, resource: &str, action: &str, payload: &Value, encodings: &str) -> anyhow::Result<Vec<u8>> {
        let url = format!("http://{}/api/backend/{resource}", self.address);
        let query = [("action", action.to_owned()), ("payload", payload.to_string())];
        let request = self.http.get(url).query(&query).header("accept-encoding", encodings);
        Ok(request.send().await?.error_for_status()?.bytes().await?.to_vec())
    }

    /// Websockets without an account.
    async fn open_all(&self, count: usize) -> anyhow::Result<Vec<Socket>> {
        let open = async |number: usize| {
            let stream = open_from(source(number), self.address).await?;
            let headers = format!("Origin: {}\r\n", origin(self.address));
            Socket::over(stream, self.address, MORPION, &headers).await
        };
        stream::iter((0..count).map(open)).buffered(AT_ONCE).try_collect().await
    }
}

/// An event under way.
struct Shown {
    page: Page,
    event: String,
    /// Whom a change is about, in turns.
    players: Vec<String>,
}

impl Shown {
    async fn begin(site: &Site, page: Page, accounts: &[Account]) -> anyhow::Result<Self> {
        let in_hours = |hours| (Utc::now() + TimeDelta::hours(hours)).to_rfc3339();
        let plan = json!({
            "title": page.name(), "startTime": in_hours(1), "endTime": in_hours(3), "format": page.format(),
        });
        let made = site.act("event", "create_event", plan).await?;
        let event = made["event"]["eventId"].as_str().context("no event")?.to_owned();
        site.act("event", "update_event", json!({ "eventId": event, "eventState": "published" })).await?;
        for account in accounts {
            site.act("player", "create_player", json!({ "eventId": event, "userId": account.id })).await?;
        }
        site.act("event", "start_event", json!({ "eventId": event })).await?;
        if page == Page::Leaderboard {
            let players = accounts.iter().map(|account| account.id.to_string()).collect();
            return Ok(Self { page, event, players });
        }
        let matches = paired(site, &event).await?;
        let mut shown = Self { page, event, players: vec![] };
        // All others are decided.
        for pairing in &matches[1..] {
            shown.decide(site, &pairing["board"], &pairing["players"][0]["userId"]).await?;
        }
        let players = matches[0]["players"].as_array().into_iter().flatten();
        shown.players = players.filter_map(|player| player["userId"].as_str().map(str::to_owned)).collect();
        Ok(shown)
    }

    async fn decide(&self, site: &Site, board: &Value, winner: &Value) -> anyhow::Result<()> {
        let result = json!({
            "eventId": self.event, "round": 1, "board": board, "winnerUserId": winner, "reason": "Measured.",
        });
        site.act("event", "set_result", result).await?;
        Ok(())
    }

    async fn change(&self, site: &Site, number: usize) -> anyhow::Result<()> {
        let player = json!(self.players[number % self.players.len()]);
        if self.page != Page::Leaderboard {
            return self.decide(site, &json!(1), &player).await;
        }
        let won = json!({ "eventId": self.event, "userId": player, "didWin": true, "reason": "Measured." });
        site.act("player", "record_result", won).await?;
        Ok(())
    }
}

/// The matches of the first round, once it is paired.
async fn paired(site: &Site, event: &str) -> anyhow::Result<Vec<Value>> {
    let begun = Instant::now();
    while begun.elapsed() < PAIRED_WITHIN {
        let answer = site.read("event", "get_rounds", &json!({ "eventId": event }), "identity").await?;
        let answer: Value = serde_json::from_slice(&answer)?;
        match answer["rounds"][0]["pairings"].as_array() {
            Some(matches) if answer["rounds"][0]["startsAt"].is_string() => return Ok(matches.clone()),
            _ => sleep(Duration::from_millis(50)).await,
        }
    }
    bail!("no round is paired")
}
