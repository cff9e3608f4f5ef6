use std::{fmt, net::IpAddr, str::FromStr};

use url::{Host, Url};

/// A web origin: `http://127.0.0.1:8080`. Default ports are normalised, so equal origins compare equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    secure: bool,
    /// Lower case; IPv6 in brackets.
    host: String,
    port: u16,
}

impl Origin {
    pub fn new(secure: bool, ip: IpAddr, port: u16) -> Self {
        let host = match ip {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        Self { secure, host, port }
    }

    pub fn is_secure(&self) -> bool {
        self.secure
    }

    pub fn scheme(&self) -> &'static str {
        if self.secure { "https" } else { "http" }
    }

    /// The scheme of a websocket to this origin.
    pub fn websocket_scheme(&self) -> &'static str {
        if self.secure { "wss" } else { "ws" }
    }

    pub fn host(&self) -> &str {
        &self.host
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Host and port as a `Host` header gives them.
    pub fn authority(&self) -> String {
        let default_port = if self.secure { 443 } else { 80 };
        if self.port == default_port { self.host.clone() } else { format!("{}:{}", self.host, self.port) }
    }

    /// This origin, and on loopback its two equivalent names.
    pub fn with_loopback_names(&self) -> Vec<Self> {
        const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
        let mut origins = vec![self.clone()];
        if NAMES.contains(&self.host.as_str()) {
            let others = NAMES.into_iter().filter(|name| *name != self.host);
            origins.extend(others.map(|host| Self { host: host.to_owned(), ..self.clone() }));
        }
        origins
    }
}

impl FromStr for Origin {
    type Err = String;

    /// # Errors
    /// A hint at what to write instead.
    fn from_str(text: &str) -> Result<Self, String> {
        let refuse =
            || format!("'{text}' is not the address of a site; write https://HOST or http://HOST:PORT, no path");
        let url = Url::parse(text).map_err(|_| refuse())?;
        let secure = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return Err(refuse()),
        };
        let plain = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if !plain || !url.username().is_empty() || url.password().is_some() {
            return Err(refuse());
        }
        let host = match url.host().ok_or_else(refuse)? {
            Host::Domain(name) => name.to_owned(),
            Host::Ipv4(ip) => ip.to_string(),
            Host::Ipv6(ip) => format!("[{ip}]"),
        };
        Ok(Self { secure, host, port: url.port_or_known_default().ok_or_else(refuse)? })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme(), self.authority())
    }
}
