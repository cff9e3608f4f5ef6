//! How commands reach the data: through the API of the running server, or of a temporary server that lives as long as
//! the command. Either way the same handler runs and writes the same audit trail.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, bail};
use morpion_openapi::{
    Failure,
    admin::{FindIds, FoundIdsAnswer, IdOf},
};
use morpion_shell::command_error::{CommandError, FailureKind};
use morpion_store::{DatabaseUrl, StoreError};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
};
use uuid::Uuid;

use crate::{
    app::App,
    cluster,
    config::{Config, LOCAL_TOKEN_FILE},
    storage,
};

/// Hashing a password and a synced commit take a fraction of it.
const TIMEOUT: Duration = Duration::from_secs(30);

/// For an answer that takes as long as there are games.
const PATIENCE: Duration = Duration::from_secs(3_600);

pub struct Api {
    http: reqwest::Client,
    address: String,
    token: String,
    own: Option<OwnServer>,
}

struct OwnServer {
    stop: oneshot::Sender<()>,
    task: JoinHandle<anyhow::Result<()>>,
}

impl Api {
    /// Runs one command; a temporary server ends with it.
    ///
    /// # Errors
    /// A server runs but its operator token cannot be read; or none runs and the data cannot be opened, or not closed;
    /// errors of `ask`.
    pub async fn with<T>(config: Config, ask: impl AsyncFnOnce(&Self) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let api = Self::connect(config).await?;
        let outcome = ask(&api).await;
        api.close().await?;
        outcome
    }

    /// Connects to the running server; starts none.
    pub async fn connect_to_running(config: &Config) -> Option<Self> {
        let running = reachable(config.server.listen);
        TcpStream::connect(running).await.ok()?;
        let http = client().ok()?;
        Some(Self { http, address: address(config), token: read_token(config).ok()?, own: None })
    }

    async fn connect(config: Config) -> anyhow::Result<Self> {
        let http = client()?;
        let running = reachable(config.server.listen);
        if TcpStream::connect(running).await.is_ok() {
            let token = read_token(&config).map_err(|error| {
                let why = if config.cluster.is_some() {
                    "a node of the cluster runs, but commands need the operator token of the one that leads; run this \
                     there (`morpion cluster status` names it)"
                } else {
                    "a server runs, but commands need its operator token"
                };
                let text = format!("{:#}", error.context(why));
                CommandError::new(FailureKind::NotAllowed, text)
            })?;
            return Ok(Self { http, address: address(&config), token, own: None });
        }
        if config.database_url() == DatabaseUrl::Memory {
            let text =
                format!("no server runs at {running}, and one in memory keeps nothing; start it with `morpion serve`");
            return Err(CommandError::new(FailureKind::Unreachable, text).into());
        }
        if config.cluster.is_some() {
            let text = format!(
                "no server runs at {running}, and what belongs to a cluster is changed by the node that leads; run this \
                 there (`morpion cluster status` names it)"
            );
            return Err(CommandError::new(FailureKind::Unreachable, text).into());
        }
        cluster::check_alone(&config)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let own = listener.local_addr()?;
        let mut config = config.bound_to(own).without_tls();
        config.server.public_url = None;
        // Nobody could join an event that starts in here.
        config.events.auto_transitions = false;
        storage::check_owner(&config.data_dir)?;
        let app = App::build(config.clone()).await.map_err(|error| {
            let is_in_use = matches!(error.downcast_ref(), Some(StoreError::InUse { .. }));
            let error = error.context(format!("no server runs at {running} (another address is given with --listen)"));
            if is_in_use { CommandError::new(FailureKind::Unreachable, format!("{error:#}")).into() } else { error }
        })?;
        app.accounts.replace_local_token().await?;
        let token = read_token(&config)?;
        let (stop, stopped) = oneshot::channel();
        let shutdown = async move {
            let _ = stopped.await;
        };
        let task = tokio::spawn(Arc::clone(&app).serve(listener, shutdown));
        Ok(Self { http, address: address(&config), token, own: Some(OwnServer { stop, task }) })
    }

    /// # Errors
    /// The server's refusal, in its words.
    pub async fn read<A: DeserializeOwned>(&self, action: &str, payload: impl Serialize) -> anyhow::Result<A> {
        self.read_from("admin", action, payload).await
    }

    /// As [`Api::read`], for what reads all games: some 10,000 a second.
    ///
    /// # Errors
    /// The server's refusal, in its words.
    pub async fn read_patiently<A: DeserializeOwned>(
        &self,
        action: &str,
        payload: impl Serialize,
    ) -> anyhow::Result<A> {
        let query = [("action", action.to_owned()), ("payload", serde_json::to_string(&payload)?)];
        self.answer(self.http.get(self.resource("admin")).query(&query).timeout(PATIENCE)).await
    }

    /// As [`Api::read`], from another resource than `admin`.
    ///
    /// # Errors
    /// The server's refusal, in its words.
    pub async fn read_from<A: DeserializeOwned>(
        &self,
        resource: &str,
        action: &str,
        payload: impl Serialize,
    ) -> anyhow::Result<A> {
        let query = [("action", action.to_owned()), ("payload", serde_json::to_string(&payload)?)];
        self.answer(self.http.get(self.resource(resource)).query(&query)).await
    }

    /// # Errors
    /// The server's refusal, in its words.
    pub async fn write<A: DeserializeOwned>(&self, action: &str, payload: impl Serialize) -> anyhow::Result<A> {
        self.answer(self.http.post(self.resource("admin")).json(&json!({ "action": action, "payload": payload }))).await
    }

    /// Stops the temporary server, if there is one, once everything is stored.
    async fn close(self) -> anyhow::Result<()> {
        match self.own {
            Some(OwnServer { stop, task }) => {
                let _ = stop.send(());
                task.await?
            }
            None => Ok(()),
        }
    }

    fn resource(&self, name: &str) -> String {
        format!("{}/api/backend/{name}", self.address)
    }

    async fn answer<A: DeserializeOwned>(&self, request: reqwest::RequestBuilder) -> anyhow::Result<A> {
        let unreachable = |what: &str, error: reqwest::Error| {
            CommandError::new(
                FailureKind::Unreachable,
                format!("{:#}", anyhow::Error::from(error).context(what.to_owned())),
            )
        };
        let response = request.bearer_auth(&self.token).send().await;
        let response = response.map_err(|error| unreachable("the server does not answer", error))?;
        let status = response.status();
        let text = response.text().await.map_err(|error| unreachable("the server's answer was cut off", error))?;
        if status.is_success() {
            return serde_json::from_str(&text).context("the server's answer cannot be read; is it another version?");
        }
        if serde_json::from_str::<Failure>(&text).is_err() {
            bail!("what runs at {} is not Morpion; give its address with --listen", self.address);
        }
        Err(CommandError::from_answer(status.as_u16(), text.as_bytes()).into())
    }

    /// The ids with this prefix.
    ///
    /// # Errors
    /// The server's refusal, in its words.
    pub async fn find_ids(&self, of: IdOf, beginning: &str) -> anyhow::Result<Vec<Uuid>> {
        let payload = FindIds { of, beginning: beginning.to_owned() };
        Ok(self.read::<FoundIdsAnswer>("find_ids", payload).await?.ids)
    }
}

/// Where the server can be reached; on all interfaces through loopback.
pub(super) fn reachable(listen: SocketAddr) -> SocketAddr {
    match listen.ip() {
        ip if !ip.is_unspecified() => listen,
        IpAddr::V4(_) | IpAddr::V6(_) => SocketAddr::from((Ipv4Addr::LOCALHOST, listen.port())),
    }
}

/// Commands connect to the socket directly, whatever is in front of it.
pub(super) fn address(config: &Config) -> String {
    let scheme = if config.tls.is_on() { "https" } else { "http" };
    format!("{scheme}://{}", reachable(config.server.listen))
}

/// For requests to this machine: the certificate is for the public name, and nobody is in between.
pub(super) fn client() -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder().timeout(TIMEOUT).no_proxy().danger_accept_invalid_certs(true).build()
}

fn read_token(config: &Config) -> anyhow::Result<String> {
    let path = config.data_dir.join(LOCAL_TOKEN_FILE);
    let text = std::fs::read_to_string(&path).with_context(|| {
        format!("{} cannot be read; run this as the server's user and with its --data-dir", path.display())
    })?;
    Ok(text.trim().to_owned())
}
