//! The typed configuration and where each value came from.
//!
//! Flags beat the environment, the environment beats systemd credentials, they beat the file, the file beats the
//! defaults. The defaults are `config/morpion.toml` itself, built into the program: it is the list of known keys, what
//! `morpion default-config` prints and what a value's type is checked against.
//!
//! ```no_run
//! # use morpion_appliance::config::{Config, Sources};
//! let loaded = Sources::from_process().load()?;   // what `morpion serve` does
//! let mut config = Config::default();             // what a test does
//! config.database.url = "mem://".to_owned();
//! # Ok::<(), morpion_appliance::config::ConfigError>(())
//! ```

mod billing;
mod error;
mod layers;
mod origin;
mod secret;

#[cfg(test)]
mod tests;

use std::{
    net::{IpAddr, SocketAddr},
    num::{NonZeroU32, NonZeroU64, NonZeroUsize},
    path::PathBuf,
};

use ipnet::IpNet;
use lettre::message::Mailbox;
use morpion_store::DatabaseUrl;
use serde::{Deserialize, Deserializer, de::Error as _};
use tracing_subscriber::filter::LevelFilter;
use url::Url;

pub use billing::{Billing, PlanConfig};
pub use error::ConfigError;
pub use layers::{Loaded, Setting, Source, Sources};
pub use origin::Origin;
pub use secret::Secret;

use crate::account::limits::LimitsConfig;

/// As many benefits, and characters of one, fit on the card that shows them.
const MAX_BENEFITS: usize = 12;
const MAX_BENEFIT: usize = 120;

/// The sample configuration: every key at its default, with a comment.
pub const DEFAULT_CONFIG: &str = include_str!("../../config/morpion.toml");

/// Everything that can be set. [`Config::default`] is [`DEFAULT_CONFIG`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub data_dir: PathBuf,
    pub server: Server,
    pub database: Database,
    pub identity: Identity,
    pub mail: Mail,
    pub limits: LimitsConfig,
    pub realtime: Realtime,
    pub play: Play,
    pub events: Events,
    pub plans: Plans,
    pub billing: Billing,
    pub log: Log,
    pub operator: Operator,
    pub site: Site,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Where the server listens. Once it does, this is the address it got (see [`Config::bound_to`]).
    #[serde(deserialize_with = "listen_address")]
    pub listen: SocketAddr,
    #[serde(deserialize_with = "optional_origin")]
    pub public_url: Option<Origin>,
    #[serde(deserialize_with = "networks")]
    pub trusted_proxies: Vec<IpNet>,
    #[serde(deserialize_with = "optional_origin")]
    pub dev_origin: Option<Origin>,
    /// At least 32 characters.
    #[serde(deserialize_with = "optional_key")]
    pub secret_key: Option<Secret>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    /// May contain `{data_dir}`; read it through [`Config::database_url`].
    #[serde(deserialize_with = "database_url")]
    pub url: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    pub registration: bool,
    pub guests: bool,
    pub local: LocalIdentity,
    pub oidc: OidcIdentity,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalIdentity {
    pub enabled: bool,
}

/// The provider to sign in with; off without a client id.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OidcIdentity {
    #[serde(deserialize_with = "issuer")]
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Secret,
    /// Read it through [`OidcIdentity::label`].
    #[serde(deserialize_with = "one_line")]
    pub name: String,
    pub scopes: Vec<String>,
    /// Empty: calendars are not offered.
    pub calendar_scope: String,
    #[serde(deserialize_with = "issuer")]
    pub calendar_url: String,
}

impl OidcIdentity {
    /// Whether the button is Google's own.
    pub fn is_google(&self) -> bool {
        self.issuer.trim_end_matches('/') == "https://accounts.google.com"
    }

    /// What the provider is called.
    pub fn label(&self) -> String {
        match self.name.as_str() {
            "" if self.is_google() => "Google".to_owned(),
            "" => {
                url::Url::parse(&self.issuer).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
            }
            name => name.to_owned(),
        }
    }

    /// Whether people can connect their calendar.
    pub fn offers_calendar(&self) -> bool {
        !self.client_id.is_empty() && !self.calendar_scope.is_empty()
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    /// The SMTP server; empty writes mails to the outbox folder.
    pub host: String,
    pub port: u16,
    pub security: MailSecurity,
    /// Empty signs in to no account.
    pub username: String,
    pub password: Secret,
    #[serde(deserialize_with = "optional_mailbox")]
    pub from: Option<Mailbox>,
    /// A certificate in PEM; empty trusts those of the system alone.
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
    /// Of one connection, and three times as many at once.
    pub frames_per_second: NonZeroU32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    pub max_live_games: usize,
    pub max_live_games_per_player: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Events {
    pub auto_transitions: bool,
    pub separate_addresses: bool,
    pub require_verified_email: bool,
    pub max_players: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plans {
    pub free_events_per_month: u32,
    /// What Pro gives, as it is shown.
    #[serde(deserialize_with = "benefits")]
    pub benefits: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// Directives of `tracing_subscriber::EnvFilter`.
    #[serde(deserialize_with = "log_directives")]
    pub level: String,
    pub format: LogFormat,
    /// May contain `{data_dir}`; read it through [`Config::log_dir`].
    pub dir: String,
    pub keep_files: NonZeroUsize,
    /// Of the log viewer's records.
    pub keep_days: NonZeroU32,
    pub keep_records: NonZeroU64,
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
pub struct Operator {
    #[serde(deserialize_with = "one_line")]
    pub name: String,
    /// A mail address or a URL.
    #[serde(deserialize_with = "one_line")]
    pub contact: String,
}

/// Where the public pages lead outside.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    #[serde(deserialize_with = "optional_link")]
    pub ios_app_url: Option<Url>,
    #[serde(deserialize_with = "optional_link")]
    pub android_app_url: Option<Url>,
    #[serde(deserialize_with = "optional_link")]
    pub kyc_url: Option<Url>,
}

impl Default for Config {
    fn default() -> Self {
        Sources::default().load().expect("the built-in configuration is valid; a test loads it").config
    }
}

impl Config {
    /// The configuration of a server that listens at `address`. Call it with what the listener got before the parts
    /// are built, so that port 0 becomes the port that `Host` and `Origin` will name.
    pub fn bound_to(mut self, address: SocketAddr) -> Self {
        self.server.listen = address;
        self
    }

    /// Where people find the server: `server.public_url`, else the listen address. Prints without a trailing slash.
    pub fn public_origin(&self) -> Origin {
        self.server.public_url.clone().unwrap_or_else(|| {
            let listen = self.server.listen;
            // Nobody can type 0.0.0.0 into a browser on another machine, and everybody can type localhost here.
            let ip = match listen.ip() {
                IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
                IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
                ip => ip,
            };
            Origin::http(ip, listen.port())
        })
    }

    /// Whether people reach the server by HTTPS: decides `Secure` and `__Host-` cookies and HSTS.
    pub fn is_secure(&self) -> bool {
        self.public_origin().is_secure()
    }

    /// Every origin whose pages may call the server. On loopback `localhost`, `127.0.0.1` and `[::1]` with the same
    /// port count as one.
    pub fn allowed_origins(&self) -> Vec<Origin> {
        let mut origins = self.public_origin().with_loopback_names();
        if let Some(dev) = &self.server.dev_origin {
            origins.extend(dev.with_loopback_names());
        }
        origins
    }

    /// Whether an `Origin` header's value names a page of ours. `host` is the `Host` header of the same request.
    pub fn allows_origin(&self, origin: &str, host: Option<&str>) -> bool {
        let Ok(origin) = origin.parse::<Origin>() else { return false };
        self.allowed_origins().contains(&origin)
            || (self.listens_to_any_name() && host.is_some_and(|host| origin.authority() == host && is_own_ip(&origin)))
    }

    /// Whether a `Host` header names this server, which keeps other names from being pointed at it by a hostile page
    /// (DNS rebinding). Loopback at the listen port always does: that is how console and shell reach it.
    pub fn allows_host(&self, host: &str) -> bool {
        // What nearly every request says needs no parsing.
        if host == self.public_origin().authority() {
            return true;
        }
        let port = self.server.listen.port();
        let loopback = Origin::http(IpAddr::from([127, 0, 0, 1]), port).with_loopback_names();
        let Ok(named) = format!("{}://{host}", self.public_origin().scheme()).parse::<Origin>() else { return false };
        self.allowed_origins().iter().chain(&loopback).any(|origin| origin.authority() == named.authority())
            || loopback.iter().any(|origin| origin.authority() == host)
            || (self.listens_to_any_name() && is_own_ip(&named) && named.port() == port)
    }

    /// On all interfaces without a public URL the machine's addresses are not known beforehand. An IP address in the
    /// header cannot be forged by a foreign page's name, so those are let in, and names are not.
    fn listens_to_any_name(&self) -> bool {
        self.server.public_url.is_none() && self.server.listen.ip().is_unspecified()
    }

    /// The client's address may be taken from a forwarding header of this peer.
    pub fn trusts_proxy(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.server.trusted_proxies.iter().any(|network| network.contains(&peer))
    }

    /// The address of the database, `{data_dir}` filled in.
    pub fn database_url(&self) -> DatabaseUrl {
        // Checked when it was read.
        self.in_data_dir(&self.database.url).parse().unwrap_or(DatabaseUrl::Memory)
    }

    /// The folder of the log files; `None` writes no files.
    pub fn log_dir(&self) -> Option<PathBuf> {
        (!self.log.dir.is_empty()).then(|| PathBuf::from(self.in_data_dir(&self.log.dir)))
    }

    fn in_data_dir(&self, text: &str) -> String {
        text.replace("{data_dir}", &self.data_dir.to_string_lossy())
    }
}

fn is_own_ip(origin: &Origin) -> bool {
    origin.host().trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

fn listen_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| {
        let hint = match text.strip_prefix("localhost:") {
            Some(port) => format!("127.0.0.1:{port}"),
            None => "127.0.0.1:8080".to_owned(),
        };
        D::Error::custom(format!("'{text}' is not an address; write IP:PORT, such as {hint}"))
    })
}

fn optional_origin<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Origin>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(D::Error::custom)
}

/// Only what a browser opens as a page: a link of ours never runs a script.
fn optional_link<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Url>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    match Url::parse(&text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Some(url)),
        _ => Err(D::Error::custom(format!("'{text}' is not the address of a page; write https://HOST/PATH"))),
    }
}

/// Codes and tokens go there, so it is HTTPS, save on this machine.
fn issuer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let url = url::Url::parse(&text).ok().filter(|url| url.has_host() && url.query().is_none());
    let is_local = |url: &url::Url| matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match url {
        Some(url) if url.scheme() == "https" || (url.scheme() == "http" && is_local(&url)) => Ok(text),
        _ => Err(D::Error::custom(format!("'{text}' cannot be used; write an address that begins with https://"))),
    }
}

fn optional_mailbox<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Mailbox>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    let hint = |_| D::Error::custom(format!("'{text}' is no sender; write \"Name <name@example.org>\""));
    text.parse().map(Some).map_err(hint)
}

fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let parse = |text: String| {
        text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
            D::Error::custom(format!("'{text}' is neither an address nor a network; write 10.0.0.1 or 10.0.0.0/8"))
        })
    };
    Vec::<String>::deserialize(deserializer)?.into_iter().map(parse).collect()
}

fn optional_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    let secret = Secret::deserialize(deserializer)?;
    match secret.expose().chars().count() {
        0 => Ok(None),
        1..32 => {
            Err(D::Error::custom("it is too short; give at least 32 characters, such as `openssl rand -hex 32` prints"))
        }
        _ => Ok(Some(secret)),
    }
}

fn database_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse::<DatabaseUrl>().map_err(|error| D::Error::custom(error.to_string()))?;
    Ok(text)
}

fn one_line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.chars().any(char::is_control) {
        return Err(D::Error::custom("it must be one line"));
    }
    Ok(text)
}

fn benefits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let benefits = Vec::<String>::deserialize(deserializer)?;
    let is_line = |text: &str| {
        !text.trim().is_empty() && text.chars().count() <= MAX_BENEFIT && !text.chars().any(char::is_control)
    };
    if benefits.len() > MAX_BENEFITS || !benefits.iter().all(|text| is_line(text)) {
        return Err(D::Error::custom(format!(
            "there are at most {MAX_BENEFITS} benefits, each one line of up to {MAX_BENEFIT} characters"
        )));
    }
    Ok(benefits)
}

/// A level alone, or directives by part of the program. A word that is no level would be read as the name of a part,
/// and nothing would be logged.
fn log_directives<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let refuse = |why: &str| {
        D::Error::custom(format!(
            "'{text}' is no log level ({why}); write error, warn, info, debug or trace, or such as warn,morpion_appliance=debug"
        ))
    };
    for directive in text.split(',').map(str::trim) {
        if directive.is_empty() || (!directive.contains('=') && directive.parse::<LevelFilter>().is_err()) {
            return Err(refuse(&format!("'{directive}' is not known")));
        }
    }
    tracing_subscriber::EnvFilter::try_new(&text).map_err(|error| refuse(&error.to_string()))?;
    Ok(text)
}
