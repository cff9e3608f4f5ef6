//! `morpion serve --demo`: a server without stored data that shows activity within seconds: accounts to sign in with,
//! events in every state and of every format, and simulated players who register, look for opponents and play.
//!
//! They use the server like everybody, by HTTP and websocket; only the first admin and Pro accounts are created
//! internally.

mod browser;
mod player;

use std::{net::IpAddr, sync::Arc, time::Duration};

use anyhow::{Context, bail};
use chrono::{DateTime, TimeDelta, Utc};
use morpion_openapi::{
    Timestamp,
    admin::TokenScope,
    event::{
        CancelEvent, CreateEvent, EndEvent, EventFormat, EventState, EventType, GetEventById, SignUp, StartEvent,
        UpdateEvent,
    },
    quick_match::{BoardWish, QuickMatchClock},
    realtime::QuickMatchJoin,
};
use morpion_store::AuditEntry;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    account::operator::TokenToMake,
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

/// Those who play one Swiss or knockout after the other.
const CLUB: [&str; 8] = ["Sofya", "Thales", "Ursula", "Vieta", "Wallis", "Xenia", "Yutaka", "Zeno"];

/// Those who have played a round robin.
const TABLE: [&str; 4] = ["Ada", "Boole", "Cantor", "Descartes"];

/// The duration of each live arena: levels are never far from a newcomer's.
const ROUND: TimeDelta = TimeDelta::minutes(20);
/// Longer than eight players need for a Swiss or a knockout.
const EVENING: TimeDelta = TimeDelta::hours(2);
/// Between the stage rounds.
const ROUND_PAUSE: Duration = Duration::from_secs(5);
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
    config.events.round_pause = ROUND_PAUSE;
    config.data_dir = std::env::temp_dir().join(format!("morpion-demo-{}", std::process::id()));
    Ok(config)
}

/// Creates the admin, before the server is announced, and a token for the console, which is returned.
///
/// # Errors
/// They cannot be stored.
pub async fn prepare(app: &App) -> anyhow::Result<String> {
    let (now, id) = (app.clock.wall(), Uuid::new_v4());
    let new = TokenToMake { id, name: "demo", scope: TokenScope::All, expires_at: now + TimeDelta::days(90) };
    let (token, made) = app.accounts.operators.create_token(&app.store, new, now).await?;
    let operator = Operator { token_id: made.id, name: made.name, scope: TokenScope::All };
    let address = app.config.client(IpAddr::from([127, 0, 0, 1]));
    let call = Call { caller: Caller::Operator(Arc::new(operator)), address, request_id: String::new() };
    app.accounts.create_admin(&call, &email(ADMIN), ADMIN, PASSWORD).await?;
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
    grant_pro(app, &people[0]).await?;
    print_line(&format!("Everybody's password is {PASSWORD}. Nothing is kept when the server stops."));
    print_line(&format!("  console morpion-tui --server {origin} --token {token}"));
    print_line(&format!("  admin   {}", email(ADMIN)));
    for (name, plan) in PEOPLE.iter().zip(["Pro", "free"]) {
        print_line(&format!("  player  {} ({plan})", email(name)));
    }

    let now = Utc::now();
    let minutes = |minutes| now + TimeDelta::minutes(minutes);
    let arena = Plan::new("Winter championship", "Still being planned.", minutes(10_000), minutes(10_300));
    arena.draft(&admin).await?;
    let arena = Plan::new("Rooftop blitz", "Called off: rain.", minutes(200), minutes(260));
    let called_off = arena.publish(&admin).await?;
    admin.write(CancelEvent { event_id: called_off }).await?;
    let arena = Plan::new("Evening cup", "Open for registration.", minutes(10), minutes(70));
    let next = arena.publish(&admin).await?;
    people[1].write(SignUp { event_id: next, user_id: None }).await?;
    let mut upcoming = vec![next];
    for (title, text, format, start) in [
        (
            "Knockout night",
            "Who loses a match is out; the semi-finalists play for the third place.",
            EventFormat::Knockout,
            120,
        ),
        ("Sunday Swiss", "Everybody plays every round.", EventFormat::Swiss, 1_500),
        ("Round table", "Everybody meets everybody.", EventFormat::RoundRobin, 240),
    ] {
        let plan = Plan { format, ..Plan::new(title, text, minutes(start), minutes(start + 120)) };
        let event_id = plan.publish(&admin).await?;
        people[0].write(SignUp { event_id, user_id: None }).await?;
        upcoming.push(event_id);
    }

    let mut players = vec![];
    for (name, number) in NAMES.into_iter().zip(0..) {
        let browser = register(origin, name).await?;
        for event_id in &upcoming {
            browser.write(SignUp { event_id: *event_id, user_id: None }).await?;
        }
        players.push(SimulatedPlayer::new(browser, number));
    }
    let _strangers = seek(origin).await?;
    tokio::try_join!(arenas(&admin, &players), tables(app, &admin, origin))?;
    Ok(())
}

/// One arena after the other; the first one is over after seconds.
async fn arenas(admin: &Browser, players: &[SimulatedPlayer]) -> anyhow::Result<()> {
    let sprint = Plan::new("Morning sprint", "Over in a moment.", soon(), Utc::now() + TimeDelta::minutes(30));
    let sprint = sprint.publish(admin).await?;
    admin.write(StartEvent { event_id: sprint }).await?;
    let over = tokio::time::sleep(SPRINT);
    let mut playing = play(players, &Place::Event(sprint), Pace::Sprint);
    over.await;
    admin.write(EndEvent { event_id: sprint }).await?;
    while playing.join_next().await.is_some() {}

    for number in 1.. {
        let title = format!("Open house #{number}");
        let text = "Join any time: somebody is always waiting for an opponent.";
        let event_id = Plan::new(&title, text, soon(), Utc::now() + ROUND).publish(admin).await?;
        admin.write(StartEvent { event_id }).await?;
        let mut playing = play(players, &Place::Event(event_id), Pace::Leisurely);
        ended(admin, event_id).await?;
        while playing.join_next().await.is_some() {}
    }
    Ok(())
}

/// A quick round robin, and beside it one Swiss or knockout after the other.
async fn tables(app: &App, admin: &Browser, origin: &str) -> anyhow::Result<()> {
    let mut members = vec![];
    for (name, number) in CLUB.into_iter().chain(TABLE).zip(50..) {
        let browser = register(origin, name).await?;
        // More events than the free plan has.
        grant_pro(app, &browser).await?;
        members.push(SimulatedPlayer::new(browser, number));
    }
    let (club, table) = members.split_at(CLUB.len());
    let breakfast = async {
        let text = "Everybody has met everybody.";
        let plan = Plan::new("Breakfast round robin", text, soon(), Utc::now() + EVENING);
        let plan = Plan { format: EventFormat::RoundRobin, match_games: 1, ..plan };
        play_rounds(admin, table, plan, Pace::Sprint).await
    };
    let evenings = async {
        for number in 1.. {
            let (kind, text, format, match_games) = match number % 2 {
                1 => {
                    let text = "Four rounds; whoever comes late is paired from the next one on.";
                    ("Swiss", text, EventFormat::Swiss, 1)
                }
                _ => ("knockout", "Who loses a match is out.", EventFormat::Knockout, 2),
            };
            let title = format!("Club {kind} #{number}");
            let plan = Plan::new(&title, text, soon(), Utc::now() + EVENING);
            let plan = Plan { format, match_games, ..plan };
            play_rounds(admin, club, plan, Pace::Brisk).await?;
        }
        Ok(())
    };
    tokio::try_join!(breakfast, evenings)?;
    Ok(())
}

/// An event in stage rounds from its beginning to its end.
async fn play_rounds(admin: &Browser, players: &[SimulatedPlayer], plan: Plan<'_>, pace: Pace) -> anyhow::Result<()> {
    let event_id = plan.publish(admin).await?;
    // Who is not registered when it starts is in no bracket and no table.
    for player in players {
        player.browser().write(SignUp { event_id, user_id: None }).await?;
    }
    admin.write(StartEvent { event_id }).await?;
    let mut playing = play(players, &Place::Rounds(event_id), pace);
    ended(admin, event_id).await?;
    while playing.join_next().await.is_some() {}
    Ok(())
}

/// Waits until an event is over.
async fn ended(admin: &Browser, event_id: Uuid) -> anyhow::Result<()> {
    while admin.read(GetEventById { event_id }).await?.event.event_state == EventState::Started {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
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

async fn grant_pro(app: &App, browser: &Browser) -> anyhow::Result<()> {
    let user = app.accounts.user(browser.user_id()?.into()).await?;
    let entry = AuditEntry {
        actor: "demo".to_owned(),
        action: "grant_pro".to_owned(),
        target: user.id.to_string(),
        address: "shell".to_owned(),
        at: app.clock.wall(),
        detail: serde_json::json!({ "username": user.username }),
        by: None,
    };
    app.billing.grant(&user, None, "To look at.", entry).await?;
    Ok(())
}

fn play(players: &[SimulatedPlayer], place: &Place, pace: Pace) -> JoinSet<()> {
    players.iter().map(|player| player.clone().take_part(place.clone(), pace)).collect()
}

/// A little later than now, so that an event does not start by itself before it is started.
fn soon() -> DateTime<Utc> {
    Utc::now() + TimeDelta::minutes(1)
}

/// An event that is to be made.
#[derive(Debug, Clone, Copy)]
struct Plan<'a> {
    title: &'a str,
    description: &'a str,
    start: DateTime<Utc>,
    end: DateTime<Utc>,
    format: EventFormat,
    match_games: u32,
}

impl<'a> Plan<'a> {
    /// An arena.
    fn new(title: &'a str, description: &'a str, start: DateTime<Utc>, end: DateTime<Utc>) -> Self {
        Self { title, description, start, end, format: EventFormat::Arena, match_games: 2 }
    }

    async fn draft(self, admin: &Browser) -> anyhow::Result<Uuid> {
        let Self { format, .. } = self;
        let made = admin
            .write(CreateEvent {
                title: self.title.to_owned(),
                description: Some(self.description.to_owned()),
                prize: Some("Glory".to_owned()),
                event_type: Some(EventType::Open),
                event_state: None,
                start_time: Some(Timestamp::from(self.start)),
                end_time: Some(Timestamp::from(self.end)),
                max_losses: Some(0),
                rated_on_one_network: None,
                clock: None,
                format: Some(format),
                rounds: None,
                board_size: None,
                match_games: (format != EventFormat::Arena).then_some(self.match_games),
                third_place: (format == EventFormat::Knockout).then_some(true),
                double_rounds: None,
                max_players: None,
                min_rating: None,
                max_rating: None,
                min_games: None,
                account_age_days: None,
                bots_allowed: None,
                allow_list: None,
                check_in_minutes: None,
                round_times: None,
                is_private: None,
            })
            .await?;
        Ok(made.event.event_id)
    }

    async fn publish(self, admin: &Browser) -> anyhow::Result<Uuid> {
        let event_id = self.draft(admin).await?;
        let publish = UpdateEvent { event_state: Some(EventState::Published), ..UpdateEvent::of(event_id) };
        admin.write(publish).await?;
        Ok(event_id)
    }
}
