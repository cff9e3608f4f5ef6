//! A data folder with signed-in users and finished games.

use std::{
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use chrono::{DateTime, Utc};
use futures_util::{StreamExt, TryStreamExt, stream};
use morpion_appliance::{
    account::{
        Accounts,
        csrf::{Binding, ServerSecret},
    },
    clock::Clock,
    config::{Config, ConfigSources, LOCAL_TOKEN_FILE},
    metrics::Metrics,
    people::People,
};
use morpion_store::{EndedGames, GameRow, GameStatus, NewUser, PlayedGame, PlayedKind, Store};
use tempfile::TempDir;
use uuid::Uuid;

use crate::socket::speaks_tls;

/// Accounts made at once: they share commits.
const AT_ONCE: usize = 64;

/// Records in a log that is full.
pub const LOG_RECORDS: usize = 1_000_000;

const SECRET: &str = "only the benchmark signs with this key";

/// A signed-in user.
pub struct Account {
    pub id: Uuid,
    pub username: String,
    session: String,
    pub xsrf: String,
}

impl Account {
    pub fn cookie(&self) -> String {
        // With TLS the name says that the cookie is this host's.
        let host = if speaks_tls() { "__Host-" } else { "" };
        format!("{host}morpion_session={}; XSRF-TOKEN={}", self.session, self.xsrf)
    }
}

pub struct Seeded {
    folder: TempDir,
    pub accounts: Vec<Account>,
}

/// Files of a folder, those of its folders included.
#[derive(Default)]
pub struct Size {
    /// Tables of the storage engine, each of a bounded size: their number grows with what is stored.
    pub tables: usize,
    /// All others.
    pub files: usize,
    pub bytes: u64,
}

impl Size {
    fn of(folder: &Path) -> std::io::Result<Self> {
        let mut all = Self::default();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let found = match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => Self::of(&entry.path()).unwrap_or_default(),
                Ok(metadata) => {
                    let is_table = entry.path().extension().is_some_and(|extension| extension == "sst");
                    Self { tables: is_table.into(), files: (!is_table).into(), bytes: metadata.len() }
                }
                Err(_) => Self::default(),
            };
            all.tables += found.tables;
            all.files += found.files;
            all.bytes += found.bytes;
        }
        Ok(all)
    }
}

impl Seeded {
    /// With the defaults, except for limits per address: all load comes from one.
    ///
    /// # Errors
    /// The temporary folder, on the disk of `TMPDIR`, cannot be written.
    pub async fn new(people: usize, stored_games: usize) -> anyhow::Result<Self> {
        Self::with_settings(people, stored_games, &loose_limits()).await
    }

    /// With these settings, sections of the configuration.
    ///
    /// # Errors
    /// As [`Seeded::new`].
    pub async fn with_settings(people: usize, stored_games: usize, settings: &str) -> anyhow::Result<Self> {
        let mut seeded = Self::without_data(settings)?;
        let config = seeded.config()?;
        seeded.fill(config, people, stored_games).await?;
        Ok(seeded)
    }

    /// With these settings and without a database: a node of a cluster copies that of another one.
    ///
    /// # Errors
    /// As [`Seeded::new`].
    pub fn without_data(settings: &str) -> anyhow::Result<Self> {
        let seeded = Self { folder: tempfile::tempdir()?, accounts: vec![] };
        let own = format!("data_dir = {:?}\nserver.secret_key = {SECRET:?}\n", seeded.folder());
        std::fs::write(seeded.config_file(), own + settings)?;
        Ok(seeded)
    }

    /// The operator token that the server wrote at its start.
    pub fn operator_token(&self) -> anyhow::Result<String> {
        let file = self.folder.path().join(LOCAL_TOKEN_FILE);
        Ok(std::fs::read_to_string(file).context("no operator token")?.trim().to_owned())
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What its files take. Those that vanish meanwhile are no part of it.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn size(&self) -> std::io::Result<Size> {
        Size::of(self.folder())
    }

    pub fn config_file(&self) -> PathBuf {
        self.folder().join("morpion.toml")
    }

    pub fn config(&self) -> anyhow::Result<Config> {
        Ok(ConfigSources { file: Some(self.config_file()), ..ConfigSources::default() }.load()?.config)
    }

    async fn fill(&mut self, config: Config, people: usize, stored_games: usize) -> anyhow::Result<()> {
        let store = Store::open(&config.database_url(), config.open_options()).await?;
        let accounts = Accounts::new(
            store.clone(),
            People::new(store.clone(), Clock::default()),
            Arc::new(config),
            Clock::default(),
            Metrics::default(),
        )
        .await?;
        let secret = ServerSecret::from_text(SECRET);
        let account = async |number| {
            let user = store.create_user(person(number)).await.context("an account")?;
            let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
            let fresh = accounts.sessions().begin(&user, address, "bench", Utc::now()).await;
            let fresh = fresh?;
            let xsrf = secret.new_token(Binding::Session(fresh.session_id));
            anyhow::Ok(Account { id: user.id, username: user.username, xsrf, session: fresh.token })
        };
        self.accounts = stream::iter((0..people).map(account)).buffered(AT_ONCE).try_collect().await?;
        for first in (0..stored_games).step_by(500) {
            let numbers = first..stored_games.min(first + 500);
            let (rows, played): (Vec<_>, Vec<_>) = numbers.map(|number| self.game(number)).unzip();
            store.upsert_games(&rows, EndedGames { played: &played, ..EndedGames::default() }).await?;
        }
        drop(accounts);
        store.close().await?;
        Ok(())
    }

    fn account(&self, number: usize) -> &Account {
        &self.accounts[number % self.accounts.len()]
    }

    /// A drawn game of 3×3, with as much in its state as the program has, the same ids in it, and nothing else that repeats.
    fn game(&self, number: usize) -> (GameRow, PlayedGame) {
        let at = DateTime::from_timestamp(1_700_000_000 + number as i64, 0).expect("in range");
        let (id, players) = (Uuid::new_v4(), [self.account(number).id, self.account(number + 1).id]);
        let ids = [id, players[0], players[1]].into_iter().chain(std::iter::repeat_with(Uuid::new_v4).take(6));
        let row = GameRow {
            id,
            status: GameStatus::Completed,
            game_type: "invite".to_owned(),
            event_id: None,
            players: players.to_vec(),
            created_at: at,
            ended_at: Some(at),
            journal_seq: 0,
            state: ids.flat_map(Uuid::into_bytes).collect(),
            share_token: None,
        };
        let played = PlayedGame {
            game_id: id,
            players,
            winner: None,
            kind: PlayedKind::Invite,
            board_size: 3,
            clock: "none".to_owned(),
            reason: None,
            event_id: None,
            moves: 9,
            at,
        };
        (row, played)
    }
}

/// Settings for load that comes from one address.
pub fn loose_limits() -> String {
    format!(
        "server.max_connections = 100000\nserver.max_connections_per_address = 100000\n\
         [limits]\ninvites_per_minute = 1000000\nsockets_per_minute = 1000000\nclient_logs_per_minute = 1000000\n\
         [realtime]\nmax_connections = 100000\nmax_connections_per_account = 10000\nframes_per_second = 1000000\n\
         [play]\nmax_live_games_per_player = 10000\nmax_waiting_invitations_per_address = 25000\n[log]\nlevel = \"error\"\nkeep_records = {LOG_RECORDS}\nkeep_client_records = 1000000000\n"
    )
}

fn person(number: usize) -> NewUser {
    let username = format!("player{number}");
    let email = Some(format!("{username}@example.org"));
    NewUser { email, email_verified: true, ..NewUser::named(username, Utc::now()) }
}
