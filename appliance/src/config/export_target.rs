//! Where the audit trail is exported to.

use std::{fmt, path::PathBuf, str::FromStr};

use url::Url;

/// The port of syslog servers.
const SYSLOG_PORT: u16 = 514;

/// A target of `audit.export`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportTarget {
    /// JSON lines are appended to it.
    File(PathBuf),
    /// A syslog server: `HOST:PORT`.
    SyslogUdp(String),
    SyslogTcp(String),
    /// A syslog socket of this machine.
    SyslogUnix(PathBuf),
}

impl FromStr for ExportTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || {
            format!(
                "'{text}' is not a target; write a file's path, syslog://HOST:PORT, syslog+tcp://HOST:PORT or unix:/dev/log"
            )
        };
        if text.trim().is_empty() || text.chars().any(char::is_control) {
            return Err(refuse());
        }
        if let Some(socket) = text.strip_prefix("unix:") {
            return if socket.starts_with('/') { Ok(Self::SyslogUnix(socket.into())) } else { Err(refuse()) };
        }
        if !text.contains("://") {
            return Ok(Self::File(text.into()));
        }
        let url = Url::parse(text).map_err(|_| refuse())?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(refuse)?;
        let is_bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
        if !is_bare || !url.username().is_empty() || url.password().is_some() {
            return Err(refuse());
        }
        let address = format!("{host}:{}", url.port().unwrap_or(SYSLOG_PORT));
        match url.scheme() {
            "syslog" => Ok(Self::SyslogUdp(address)),
            "syslog+tcp" => Ok(Self::SyslogTcp(address)),
            _ => Err(refuse()),
        }
    }
}

/// As it is written in the configuration; the stored position of a target goes by it.
impl fmt::Display for ExportTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::SyslogUdp(address) => write!(f, "syslog://{address}"),
            Self::SyslogTcp(address) => write!(f, "syslog+tcp://{address}"),
            Self::SyslogUnix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_files_or_syslog() {
        for (text, target) in [
            ("audit.jsonl", ExportTarget::File("audit.jsonl".into())),
            ("/var/log/morpion audit.jsonl", ExportTarget::File("/var/log/morpion audit.jsonl".into())),
            ("syslog://logs.example.org:514", ExportTarget::SyslogUdp("logs.example.org:514".to_owned())),
            ("syslog+tcp://[::1]:6514", ExportTarget::SyslogTcp("[::1]:6514".to_owned())),
            ("unix:/dev/log", ExportTarget::SyslogUnix("/dev/log".into())),
        ] {
            assert_eq!(text.parse(), Ok(target.clone()), "{text}");
            assert_eq!(target.to_string(), text);
        }
        assert_eq!("syslog://192.0.2.1".parse(), Ok(ExportTarget::SyslogUdp("192.0.2.1:514".to_owned())));
        for text in [
            "",
            " ",
            "a\nb",
            "unix:",
            "unix:log",
            "syslog://",
            "syslog+tls://host",
            "https://host",
            "syslog://host:99999",
            "syslog://host/path",
            "syslog://user@host",
        ] {
            let refusal = text.parse::<ExportTarget>().unwrap_err();
            assert!(refusal.contains("syslog+tcp://HOST:PORT"), "{text}");
        }
    }
}
