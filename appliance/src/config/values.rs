//! Parsing of single values: what is refused, and with which hint.

use std::{
    net::{IpAddr, SocketAddr},
    num::NonZeroU32,
    time::Duration,
};

use ipnet::IpNet;
use lettre::{Address, message::Mailbox};
use morpion_backup::Target;
use morpion_store::{DataKey, DatabaseUrl};
use rustls::pki_types::ServerName;
use serde::{Deserialize, Deserializer, de::Error as _};
use tracing_subscriber::filter::LevelFilter;
use url::Url;

use super::{ExportTarget, Origin, Secret, kinds::ConfiguredPath};

/// The number of benefits, and characters of one, that fit on the card that shows them.
const MAX_BENEFITS: usize = 12;
const MAX_BENEFIT: usize = 120;

pub(super) fn listen_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    address(&String::deserialize(deserializer)?)
}

pub(super) fn optional_listen_address<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() { Ok(None) } else { address(&text).map(Some) }
}

pub(super) fn half_of_a_core<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    match u8::deserialize(deserializer)? {
        percent @ 0..=50 => Ok(percent),
        _ => Err(D::Error::custom("a number from 0 to 50 is expected")),
    }
}

fn address<E: serde::de::Error>(text: &str) -> Result<SocketAddr, E> {
    text.parse().map_err(|_| {
        let hint = match text.strip_prefix("localhost:") {
            Some(port) => format!("127.0.0.1:{port}"),
            None => "127.0.0.1:8080".to_owned(),
        };
        E::custom(format!("'{text}' is not an address; write IP:PORT, such as {hint}"))
    })
}

pub(super) fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    NonZeroU32::deserialize(deserializer).map(|seconds| Duration::from_secs(seconds.get().into()))
}

/// The units of sizes, with their bytes.
const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];

/// A size such as "512 MiB", in bytes.
pub(super) fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    let read = |(unit, bytes): (&str, u64)| {
        let number: NonZeroU32 = text.trim().strip_suffix(unit)?.trim().parse().ok()?;
        Some(u64::from(number.get()) * bytes)
    };
    let refused = || D::Error::custom(format!("'{text}' is not a size; write a number and KiB, MiB or GiB"));
    UNITS.into_iter().find_map(read).ok_or_else(refused)
}

/// A time such as "24h" or "10s".
pub(super) fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    match humantime::parse_duration(&text) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(D::Error::custom(format!("'{text}' is not a time; write a number and s, m, h or d, such as 24h"))),
    }
}

/// The path of a file or a folder, or nothing.
pub(super) fn path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    ConfiguredPath::deserialize(deserializer).map(|path| path.0)
}

pub(super) fn optional_backup_target<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = path(deserializer)?;
    if text.is_empty() || Target::is_location(&text) {
        return Ok(text);
    }
    Err(D::Error::custom(format!("'{text}' is not a place for backups; write a folder's path or s3://BUCKET/PREFIX")))
}

pub(super) fn optional_origin<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Origin>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(D::Error::custom)
}

/// Only URLs of web pages: a link must never run a script.
pub(super) fn optional_link<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Url>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    match Url::parse(&text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Some(url)),
        _ => Err(D::Error::custom(format!("'{text}' is not the address of a page; write https://HOST/PATH"))),
    }
}

/// Without a user and password, which would be shown with the configuration.
pub(super) fn optional_collector<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Url>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    let is_plain = |url: &Url| url.username().is_empty() && url.password().is_none() && url.query().is_none();
    match Url::parse(&text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && is_plain(&url) => Ok(Some(url)),
        _ => Err(D::Error::custom("it is not the address of a collector; write http://HOST:PORT")),
    }
}

/// Codes and tokens are sent there, so it has to be HTTPS, except on this machine.
pub(super) fn issuer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let url = url::Url::parse(&text).ok().filter(|url| url.has_host() && url.query().is_none());
    let is_local = |url: &url::Url| matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match url {
        Some(url) if url.scheme() == "https" || (url.scheme() == "http" && is_local(&url)) => Ok(text),
        _ => Err(D::Error::custom(format!("'{text}' cannot be used; write an address that begins with https://"))),
    }
}

pub(super) fn optional_mailbox<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Mailbox>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    let hint = |_| D::Error::custom(format!("'{text}' is not a sender; write \"Name <name@example.org>\""));
    text.parse().map(Some).map_err(hint)
}

/// An email address alone, without a name.
pub(super) fn optional_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if !text.is_empty() && text.parse::<Address>().is_err() {
        return Err(D::Error::custom(format!("'{text}' is not an email address; write name@example.org")));
    }
    Ok(text)
}

/// The name of a host, or nothing.
pub(super) fn optional_host_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if !text.is_empty() && !matches!(ServerName::try_from(text.as_str()), Ok(ServerName::DnsName(_))) {
        return Err(D::Error::custom(format!("'{text}' is not the name of a host; write such as play.example.org")));
    }
    Ok(text)
}

/// Names that a certificate can be issued for by a connection to each: no wildcards, no addresses.
pub(super) fn domains<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let parse = |text: String| {
        let name = text.to_ascii_lowercase();
        match ServerName::try_from(name.as_str()) {
            Ok(ServerName::DnsName(_)) => Ok(name),
            _ => Err(D::Error::custom(format!("'{text}' is not the name of a host; write such as play.example.org"))),
        }
    };
    Vec::<String>::deserialize(deserializer)?.into_iter().map(parse).collect()
}

pub(super) fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let parse = |text: String| {
        text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
            D::Error::custom(format!("'{text}' is neither an address nor a network; write 10.0.0.1 or 10.0.0.0/8"))
        })
    };
    Vec::<String>::deserialize(deserializer)?.into_iter().map(parse).collect()
}

pub(super) fn optional_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    let secret = Secret::deserialize(deserializer)?;
    match secret.expose().chars().count() {
        0 => Ok(None),
        1..32 => {
            Err(D::Error::custom("it is too short; give at least 32 characters, such as `openssl rand -hex 32` prints"))
        }
        _ => Ok(Some(secret)),
    }
}

pub(super) fn optional_data_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DataKey>, D::Error> {
    match Secret::deserialize(deserializer)?.expose() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(D::Error::custom),
    }
}

pub(super) fn database_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse::<DatabaseUrl>().map_err(|error| D::Error::custom(error.to_string()))?;
    Ok(text)
}

pub(super) fn one_line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.chars().any(char::is_control) {
        return Err(D::Error::custom("it must be one line"));
    }
    Ok(text)
}

/// An email address or an https: URL, or empty.
pub(super) fn optional_contact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() || super::push::contact_url(&text).is_some() {
        return Ok(text);
    }
    Err(D::Error::custom(format!("'{text}' is no contact; write an email address or https://HOST/PATH")))
}

pub(super) fn export_targets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let targets: Vec<_> = Vec::<ConfiguredPath>::deserialize(deserializer)?.into_iter().map(|path| path.0).collect();
    for target in &targets {
        target.parse::<ExportTarget>().map_err(D::Error::custom)?;
    }
    Ok(targets)
}

pub(super) fn benefits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
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

/// A level, or directives by part of the program. A word that is not a level would be read as the name of a part, and
/// nothing would be logged.
pub(super) fn log_directives<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let refuse = |why: &str| {
        D::Error::custom(format!(
            "'{text}' is not a log level ({why}); write error, warn, info, debug or trace, or such as warn,morpion_appliance=debug"
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
