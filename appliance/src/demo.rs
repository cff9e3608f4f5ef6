//! `morpion serve --demo`: a server without stored data that shows activity within seconds: accounts to sign in with,
//! events in every state, and simulated players who register, look for opponents and play.
//!
//! They use the server like everybody, by HTTP and websocket; only the first admin and one Pro account are created
//! internally.

mod browser;
mod player;

use std::{net::IpAddr, sync::Arc, time::Duration};

use anyhow::{Context, bail};
use chrono::{TimeDelta, Utc};
use morpion_openapi::{
    Timestamp,
    admin::TokenScope,
    event::{CancelEvent, CreateEvent, EndEvent, EventState, EventType, GetEventById, SignUp, StartEvent, UpdateEvent},
    quick_match::{BoardWish, QuickMatchClock},
    realtime::QuickMatchJoin,
};
use morpion_store::AuditEntry;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    app::App,
    caller::{Call, Caller, Operator},
    config::Config,
    logging::print_line,
};
use browser::Browser;
use player::{Pace, Place, SimulatedPlayer};

/// The password of every account of a demo. It is printed, so it protects nothing.
pub const PASSWORD: &str = "Demo-Morpion-1";
const ADMIN: &str = "admin";
/// People to sign in as: the first is Pro.
const PEOPLE: [&str; 2] = ["alice", "bob"];
/// Simulated players.
const NAMES: [&str; 10] =
    ["Blaise", "Carl", "Dorothy", "Emmy", "Fibonacci", "Grace", "Hypatia", "Isaac", "Joan", "Katherine"];

/// Those who play quick match: an odd number for each board, so that somebody waits.
const STRANGERS: [(&str, u8); 6] =
    [("Leonhard", 5), ("Maryam", 5), ("Niels", 5), ("Ockham", 6), ("Pascaline", 6), ("Ramanujan", 6)];

/// The duration of each live event: levels are never far from a newcomer's.
const ROUND: TimeDelta = TimeDelta::minutes(20);
/// How long the ended event was played.
const SPRINT: Duration = Duration::from_secs(4);
/// How often to check whether the live event is over.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// The configuration of a demo.
///
/// # Errors
/// The server would be reachable from other machines.
pub fn config(mut config: Config) -> anyhow::Result<Config> {
    let listen = config.server.listen;
    if !listen.ip().is_loopback() {
        bail!("--demo prints its passwords, so it listens on this machine alone; {listen} is reached from others");
    }
    config = config.without_tls();
    config.cluster = None;
    config.database.url = "mem://".to_owned();
    config.log.dir = String::new();
    config.log.level = "warn".to_owned();
    config.data_dir = std::env::temp_dir().join(format!("morpion-demo-{}", std::process::id()));
    Ok(config)
}

/// Creates the admin, before the server is announced, and a token for the console, which is returned.
///
/// # Errors
/// They cannot be stored.
pub async fn prepare(app: &App) -> anyhow::Result<String> {
    let operator = Operator { token_id: Uuid::nil(), name: "demo".to_owned(), scope: TokenScope::All };
    let address = app.config.client(IpAddr::from([127, 0, 0, 1]));
    let call = Call { caller: Caller::Operator(Arc::new(operator)), address, request_id: String::new() };
    app.accounts.create_admin(&call, &email(ADMIN), ADMIN, PASSWORD).await?;
    let (token, _) = app.accounts.create_token(&call, "demo", TokenScope::All, None).await?;
    Ok(token)
}

fn email(name: &str) -> String {
    format!("{}@example.org", name.to_lowercase())
}

/// Populates the server and lets players play, until it is dropped; prints how to sign in, also for the console with
/// its token.
pub async fn run(app: Arc<App>, token: String) {
    let origin = app.config.public_origin().to_string();
    if let Err(error) = populate(&app, &origin, &token).await {
        tracing::error!(%error, "the demo stopped");
    }
}

async fn populate(app: &App, origin: &str, token: &str) -> anyhow::Result<()> {
    let admin = Browser::new(origin)?;
    admin.sign_in(&email(ADMIN), PASSWORD).await?;
    let mut people = vec![];
    for name in PEOPLE {
        people.push(register(origin, name).await?);
    }
    let first = app.accounts.user(people[0].user_id()?.into()).await?;
    let entry = AuditEntry {
        actor: "demo".to_owned(),
        action: "grant_pro".to_owned(),
        target: first.id.to_string(),
        address: "shell".to_owned(),
        at: app.clock.wall(),
        detail: serde_json::json!({ "username": first.username }),
    };
    app.billing.grant(&first, None, "To look at.", entry).await?;
    print_line(&format!("Everybody's password is {PASSWORD}. Nothing is kept when the server stops."));
    print_line(&format!("  console morpion-tui --server {origin} --token {token}"));
    print_line(&format!("  admin   {}", email(ADMIN)));
    for (name, plan) in PEOPLE.iter().zip(["Pro", "free"]) {
        print_line(&format!("  player  {} ({plan})", email(name)));
    }

    let now = Utc::now();
    let minutes = |minutes| now + TimeDelta::minutes(minutes);
    draft(&admin, "Winter championship", "Still being planned.", minutes(10_000), minutes(10_300)).await?;
    let called_off = draft(&admin, "Rooftop blitz", "Called off: rain.", minutes(200), minutes(260)).await?;
    publish(&admin, called_off).await?;
    admin.write(CancelEvent { event_id: called_off }).await?;
    let next = draft(&admin, "Evening cup", "Open for registration.", minutes(10), minutes(70)).await?;
    publish(&admin, next).await?;
    people[1].write(SignUp { event_id: next, user_id: None }).await?;

    let mut players = vec![];
    for (name, number) in NAMES.into_iter().zip(0..) {
        let browser = register(origin, name).await?;
        browser.write(SignUp { event_id: next, user_id: None }).await?;
        players.push(SimulatedPlayer::new(browser, number));
    }
    let strangers = seek(origin).await?;
    let sprint = draft(&admin, "Morning sprint", "Over in a moment.", soon(), minutes(30)).await?;
    start(&admin, sprint).await?;
    let over = tokio::time::sleep(SPRINT);
    let mut playing = play(&players, sprint, Pace::Sprint);
    over.await;
    admin.write(EndEvent { event_id: sprint }).await?;
    while playing.join_next().await.is_some() {}

    for number in 1.. {
        let title = format!("Open house #{number}");
        let text = "Join any time: somebody is always waiting for an opponent.";
        let event = draft(&admin, &title, text, soon(), Utc::now() + ROUND).await?;
        start(&admin, event).await?;
        let mut playing = play(&players, event, Pace::Leisurely);
        while admin.read(GetEventById { event_id: event }).await?.event.event_state == EventState::Started {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        while playing.join_next().await.is_some() {}
    }
    drop(strangers);
    Ok(())
}

/// Has strangers look for opponents in quick match, for as long as the set is kept.
async fn seek(origin: &str) -> anyhow::Result<JoinSet<()>> {
    let mut strangers = JoinSet::new();
    for ((name, size), number) in STRANGERS.into_iter().zip(100..) {
        let player = SimulatedPlayer::new(register(origin, name).await?, number);
        let wish = QuickMatchJoin { board_size: BoardWish::Size(size), clock: QuickMatchClock::Turn15, rated: true };
        strangers.spawn(player.take_part(Place::QuickMatch(wish), Pace::Leisurely));
    }
    Ok(strangers)
}

async fn register(origin: &str, name: &str) -> anyhow::Result<Browser> {
    let browser = Browser::new(origin)?;
    browser.register(name, &email(name), PASSWORD).await.with_context(|| format!("{name} cannot register"))?;
    Ok(browser)
}

fn play(players: &[SimulatedPlayer], event: Uuid, pace: Pace) -> JoinSet<()> {
    players.iter().map(|player| player.clone().take_part(Place::Event(event), pace)).collect()
}

/// A little later than now, so that an event does not start by itself before it is started.
fn soon() -> chrono::DateTime<Utc> {
    Utc::now() + TimeDelta::minutes(1)
}

async fn draft(
    admin: &Browser,
    title: &str,
    description: &str,
    start: chrono::DateTime<Utc>,
    end: chrono::DateTime<Utc>,
) -> anyhow::Result<Uuid> {
    let made = admin
        .write(CreateEvent {
            title: title.to_owned(),
            description: Some(description.to_owned()),
            prize: Some("Glory".to_owned()),
            event_type: Some(EventType::Open),
            event_state: None,
            start_time: Some(Timestamp::from(start)),
            end_time: Some(Timestamp::from(end)),
            max_losses: Some(0),
            rated_on_one_network: None,
        })
        .await?;
    Ok(made.event.event_id)
}

async fn publish(admin: &Browser, event_id: Uuid) -> anyhow::Result<()> {
    let publish = UpdateEvent {
        event_id,
        title: None,
        description: None,
        prize: None,
        event_type: None,
        event_state: Some(EventState::Published),
        start_time: None,
        end_time: None,
        max_losses: None,
        rated_on_one_network: None,
    };
    admin.write(publish).await?;
    Ok(())
}

async fn start(admin: &Browser, event_id: Uuid) -> anyhow::Result<()> {
    publish(admin, event_id).await?;
    admin.write(StartEvent { event_id }).await?;
    Ok(())
}
