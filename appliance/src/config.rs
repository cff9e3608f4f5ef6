//! The typed configuration and where each value came from.
//!
//! Flags override the environment, which overrides systemd credentials, which override the file, which overrides the
//! defaults. The defaults are `config/morpion.toml` itself, built into the program: it is the list of known keys, what
//! `morpion default-config` prints and what a value's type is checked against.
//!
//! ```no_run
//! # use morpion_appliance::config::{Config, ConfigSources};
//! let loaded = ConfigSources::from_process().load()?;   // what `morpion serve` does
//! let mut config = Config::default();             // what a test does
//! config.database.url = "mem://".to_owned();
//! # Ok::<(), morpion_appliance::config::ConfigError>(())
//! ```

mod billing;
mod cluster;
mod drill;
mod effective;
mod error;
mod export_target;
mod files;
mod kinds;
mod layers;
mod monitoring;
mod oidc;
mod origin;
mod push;
mod restored;
mod secret;
mod tls;
mod values;

#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
    num::{NonZeroU32, NonZeroU64, NonZeroUsize},
    path::PathBuf,
    time::Duration,
};

use ipnet::IpNet;
use lettre::message::Mailbox;
use morpion_backup::repository::Keep;
use morpion_store::{DataKey, DatabaseUrl, OpenOptions};
use serde::Deserialize;
use url::Url;

pub use billing::{Billing, PlanConfig};
pub use cluster::ClusterConfig;
pub use drill::DRILL;
pub use effective::{EffectiveSettings, StoredSettings};
pub use error::ConfigError;
pub use export_target::ExportTarget;
pub use files::LOCAL_TOKEN_FILE;
pub use layers::{ConfigSource, ConfigSources, LoadedConfig, Setting};
pub use monitoring::{Metrics, Telemetry};
pub use oidc::OidcIdentity;
pub use origin::Origin;
pub use push::Push;
pub use restored::{RestoredConfig, RestoredSettings};
pub use secret::Secret;
pub use tls::{Acme, Tls};

use crate::{
    account::limits::{ClientAddress, LimitsConfig},
    background,
};

/// The sample configuration: every key at its default, with a comment.
pub const DEFAULT_CONFIG: &str = include_str!("../../config/morpion.toml");

/// Everything that can be set. [`Config::default`] is [`DEFAULT_CONFIG`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What it was read from.
    #[serde(skip)]
    pub effective: EffectiveSettings,
    /// See [`Config::for_drill`].
    #[serde(skip)]
    pub is_drill: bool,
    pub data_dir: PathBuf,
    pub server: Server,
    pub tls: Tls,
    pub database: Database,
    pub storage: Storage,
    #[serde(deserialize_with = "cluster::section")]
    pub cluster: Option<ClusterConfig>,
    pub backup: Backup,
    pub identity: Identity,
    pub mail: Mail,
    pub push: Push,
    pub webhooks: Webhooks,
    pub limits: LimitsConfig,
    pub realtime: Realtime,
    pub play: Play,
    pub events: Events,
    pub plans: Plans,
    pub billing: Billing,
    pub log: Log,
    pub metrics: Metrics,
    pub telemetry: Telemetry,
    pub audit: Audit,
    pub operator: Operator,
    pub site: Site,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Where the server listens; after binding, the actual address (see [`Config::bound_to`]).
    #[serde(deserialize_with = "values::listen_address")]
    pub listen: SocketAddr,
    #[serde(deserialize_with = "values::optional_origin")]
    pub public_url: Option<Origin>,
    /// Where everything is redirected to `public_url`, without TLS.
    #[serde(deserialize_with = "values::optional_listen_address")]
    pub http_listen: Option<SocketAddr>,
    #[serde(deserialize_with = "values::networks")]
    pub trusted_proxies: Vec<IpNet>,
    #[serde(deserialize_with = "values::optional_origin")]
    pub dev_origin: Option<Origin>,
    pub max_connections: usize,
    pub max_connections_per_address: usize,
    /// Bytes that are held for clients.
    #[serde(deserialize_with = "values::size")]
    pub max_held: u64,
    #[serde(deserialize_with = "values::size")]
    pub max_held_per_address: u64,
    /// From the connection, or a head's first byte, to its end.
    #[serde(deserialize_with = "values::seconds")]
    pub head_timeout: Duration,
    /// What a body may lag behind its least rate.
    #[serde(deserialize_with = "values::seconds")]
    pub body_timeout: Duration,
    /// Between requests, and in which a response makes no progress.
    #[serde(deserialize_with = "values::seconds")]
    pub idle_timeout: Duration,
    /// At least 32 characters.
    #[serde(deserialize_with = "values::optional_key")]
    pub secret_key: Option<Secret>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    /// May contain `{data_dir}`; read it through [`Config::database_url`].
    #[serde(deserialize_with = "values::database_url")]
    pub url: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    /// Free bytes; below it operators are warned.
    #[serde(deserialize_with = "values::size")]
    pub warn_free: u64,
    /// Free bytes; below it nothing new is started.
    #[serde(deserialize_with = "values::size")]
    pub stop_free: u64,
    /// Encrypts a new database, and opens an encrypted one.
    #[serde(deserialize_with = "values::optional_data_key")]
    pub encryption_key: Option<DataKey>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    /// A folder or `s3://BUCKET/PREFIX`; empty makes none.
    #[serde(deserialize_with = "values::optional_backup_target")]
    pub to: String,
    #[serde(deserialize_with = "values::duration")]
    pub every: Duration,
    pub keep: Keep,
    /// The log of commits is stored at this interval.
    #[serde(deserialize_with = "values::duration")]
    pub log_every: Duration,
    /// Encrypts backups; empty does not.
    pub passphrase: Secret,
    #[serde(deserialize_with = "values::one_line")]
    pub s3_endpoint: String,
    #[serde(deserialize_with = "values::one_line")]
    pub s3_region: String,
    #[serde(deserialize_with = "values::one_line")]
    pub s3_access_key: String,
    pub s3_secret_key: Secret,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    pub registration: bool,
    pub guests: bool,
    pub require_second_factor: RequireSecondFactor,
    /// May contain `{data_dir}`; read it through [`Config::reserved_names_file`].
    #[serde(deserialize_with = "values::path")]
    pub reserved_names_file: String,
    /// See [`Identity::leads_to_provider`].
    pub redirect_to_only_provider: bool,
    pub local: LocalIdentity,
    /// The provider without an id.
    pub oidc: OidcIdentity,
    /// Further ones, by their ids.
    pub more_oidc: BTreeMap<String, OidcIdentity>,
}

/// Who has to have a second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequireSecondFactor {
    /// Admins, once one of them has one.
    Auto,
    Admins,
    Everybody,
    Nobody,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalIdentity {
    pub enabled: bool,
    /// May contain `{data_dir}`; read it through [`Config::breached_passwords`].
    #[serde(deserialize_with = "values::path")]
    pub breached_passwords: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Webhooks {
    /// Nothing is sent otherwise.
    pub enabled: bool,
    pub allow_private_addresses: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    /// The SMTP server; empty writes mails to the outbox folder.
    pub host: String,
    pub port: u16,
    pub security: MailSecurity,
    /// Empty connects without authentication.
    pub username: String,
    pub password: Secret,
    #[serde(deserialize_with = "values::optional_mailbox")]
    pub from: Option<Mailbox>,
    /// What this server calls itself to the SMTP server and in the ids of letters; empty for the public host.
    #[serde(deserialize_with = "values::optional_host_name")]
    pub hello: String,
    /// An additional root certificate in PEM; empty trusts only those of the system.
    #[serde(deserialize_with = "values::path")]
    pub ca_file: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailSecurity {
    Starttls,
    Tls,
    None,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Realtime {
    pub max_connections: usize,
    pub max_connections_per_account: usize,
    pub max_visitor_connections: u64,
    pub max_visitor_connections_per_address: u64,
    /// Frames of one connection; three times as many in a burst.
    pub frames_per_second: NonZeroU32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    pub max_live_games: usize,
    pub max_live_games_per_player: usize,
    /// Wider networks of IPv6 have multiples of it.
    pub max_waiting_invitations_per_address: usize,
    /// The share of one core with which moves of rated games are compared with the solver; 0 compares none.
    #[serde(deserialize_with = "values::half_of_a_core")]
    pub engine_use_cpu_percent: u8,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Events {
    pub auto_transitions: bool,
    pub separate_addresses: bool,
    pub require_verified_email: bool,
    pub max_players: usize,
    pub members_may_host: bool,
    pub private_events_rated: bool,
    /// Until the start of a member's.
    pub private_events_ahead_days: u32,
    /// From start to end of a member's.
    #[serde(deserialize_with = "values::duration")]
    pub private_events_last: Duration,
    /// Between two stage rounds, and before the first.
    #[serde(deserialize_with = "values::duration")]
    pub round_pause: Duration,
    /// Before the start, for letters.
    #[serde(deserialize_with = "values::duration")]
    pub reminder_before: Duration,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plans {
    pub free_events_per_month: u32,
    /// The benefits of Pro, as they are shown.
    #[serde(deserialize_with = "values::benefits")]
    pub benefits: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// Directives of `tracing_subscriber::EnvFilter`.
    #[serde(deserialize_with = "values::log_directives")]
    pub level: String,
    pub format: LogFormat,
    /// May contain `{data_dir}`; read it through [`Config::log_dir`].
    #[serde(deserialize_with = "values::path")]
    pub dir: String,
    pub keep_files: NonZeroUsize,
    /// Of all log files.
    #[serde(deserialize_with = "values::size")]
    pub max_bytes: u64,
    /// Retention of the log viewer's records.
    pub keep_days: NonZeroU32,
    pub keep_records: NonZeroU64,
    pub keep_client_records: NonZeroU64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Auto,
    Pretty,
    Json,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// May contain `{data_dir}`; read it through [`Config::audit_targets`].
    #[serde(deserialize_with = "values::export_targets")]
    pub export: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operator {
    #[serde(deserialize_with = "values::one_line")]
    pub name: String,
    /// A mail address or a URL.
    #[serde(deserialize_with = "values::one_line")]
    pub contact: String,
}

/// External links of the public pages.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    #[serde(deserialize_with = "values::optional_link")]
    pub ios_app_url: Option<Url>,
    #[serde(deserialize_with = "values::optional_link")]
    pub android_app_url: Option<Url>,
    #[serde(deserialize_with = "values::optional_link")]
    pub kyc_url: Option<Url>,
}

impl Default for Config {
    fn default() -> Self {
        ConfigSources::default().load().expect("the built-in configuration is valid; a test loads it").config
    }
}

impl Config {
    /// The configuration of a server that listens at `address`. Call it with the listener's address before the parts
    /// are built, so that port 0 becomes the port that `Host` and `Origin` will contain.
    pub fn bound_to(mut self, address: SocketAddr) -> Self {
        self.server.listen = address;
        self
    }

    /// The same without TLS, for a server that only this machine reaches.
    pub fn without_tls(mut self) -> Self {
        self.tls = Tls::default();
        self.server.http_listen = None;
        self
    }

    /// The public origin: `server.public_url`, otherwise the listen address. Prints without a trailing slash.
    pub fn public_origin(&self) -> Origin {
        self.server.public_url.clone().unwrap_or_else(|| {
            let listen = self.server.listen;
            // 0.0.0.0 is no address for a browser on another machine, and localhost works here.
            let ip = match listen.ip() {
                IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
                IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
                ip => ip,
            };
            Origin::new(self.tls.is_on(), ip, listen.port())
        })
    }

    /// Whether the public origin uses HTTPS: decides `Secure` and `__Host-` cookies and HSTS.
    pub fn is_secure(&self) -> bool {
        self.public_origin().is_secure()
    }

    /// Every origin whose pages may call the server. On loopback `localhost`, `127.0.0.1` and `[::1]` with the same
    /// port are equivalent.
    pub fn allowed_origins(&self) -> Vec<Origin> {
        let mut origins = self.public_origin().with_loopback_names();
        if let Some(dev) = &self.server.dev_origin {
            origins.extend(dev.with_loopback_names());
        }
        origins
    }

    /// Whether an `Origin` header's value is one of our origins. `host` is the `Host` header of the same request.
    pub fn allows_origin(&self, origin: &str, host: Option<&str>) -> bool {
        let Ok(origin) = origin.parse::<Origin>() else { return false };
        self.allowed_origins().contains(&origin)
            || (self.listens_to_any_name() && host.is_some_and(|host| origin.authority() == host && is_own_ip(&origin)))
    }

    /// Whether a `Host` header names this server, which prevents DNS rebinding. The address that it listens at, and
    /// loopback at that port, always do: console and shell use them.
    pub fn allows_host(&self, host: &str) -> bool {
        // The usual value needs no parsing.
        if host == self.public_origin().authority() {
            return true;
        }
        let port = self.server.listen.port();
        let mut own = Origin::new(self.tls.is_on(), IpAddr::from([127, 0, 0, 1]), port).with_loopback_names();
        own.push(Origin::new(self.tls.is_on(), self.server.listen.ip(), port));
        let Ok(named) = format!("{}://{host}", self.public_origin().scheme()).parse::<Origin>() else { return false };
        self.allowed_origins().iter().chain(&own).any(|origin| origin.authority() == named.authority())
            || own.iter().any(|origin| origin.authority() == host)
            || (self.listens_to_any_name() && is_own_ip(&named) && named.port() == port)
    }

    /// On all interfaces without a public URL the machine's addresses are not known in advance. A page of another site
    /// cannot forge an IP address in the header, so those are accepted, and names are not.
    fn listens_to_any_name(&self) -> bool {
        self.server.public_url.is_none() && self.server.listen.ip().is_unspecified()
    }

    /// Whether the client's address may be taken from a forwarding header of this peer.
    pub fn trusts_proxy(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.server.trusted_proxies.iter().any(|network| network.contains(&peer))
    }

    /// The address of a client, as limits count it.
    pub fn client(&self, ip: IpAddr) -> ClientAddress {
        self.limits.shared_networks.client(ip)
    }

    /// The URL of the database, with `{data_dir}` filled in.
    pub fn database_url(&self) -> DatabaseUrl {
        // Validated when it was read.
        self.in_data_dir(&self.database.url).parse().unwrap_or(DatabaseUrl::Memory)
    }

    /// How its database is opened.
    pub fn open_options(&self) -> OpenOptions {
        OpenOptions {
            key: self.storage.encryption_key.clone(),
            queries: Some(background::queries()),
            ..OpenOptions::default()
        }
    }

    /// Where the audit trail is exported to.
    pub fn audit_targets(&self) -> Vec<ExportTarget> {
        // Validated when it was read.
        self.audit.export.iter().filter_map(|target| self.in_data_dir(target).parse().ok()).collect()
    }

    fn in_data_dir(&self, text: &str) -> String {
        text.replace("{data_dir}", &self.data_dir.to_string_lossy())
    }
}

fn is_own_ip(origin: &Origin) -> bool {
    origin.host().trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}
