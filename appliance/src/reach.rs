//! Where pushes and webhooks go. People choose these addresses, so the server must not be sent to where only it gets:
//! `docs/security.md`.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// Characters of an address. Those of the known push services have at most some 700.
pub const MAX_ADDRESS: usize = 1_024;

/// Which addresses may be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Public ones, over HTTPS at its own port.
    Public,
    /// Any, and this machine without HTTPS.
    Anywhere,
}

/// An address that somebody chose.
///
/// # Errors
/// Why nothing is sent there, for whoever chose it.
pub fn parse(text: &str, reach: Reach) -> Result<Url, &'static str> {
    const TOO_LONG: &str = "The address is too long.";
    if text.len() > MAX_ADDRESS {
        return Err(TOO_LONG);
    }
    let url = Url::parse(text).map_err(|_| "It is not an address.")?;
    // As it is stored, and parsed again.
    if url.as_str().len() > MAX_ADDRESS {
        return Err(TOO_LONG);
    }
    let Some(host) = url.host() else { return Err("It is not an address.") };
    let is_https = url.scheme() == "https";
    if !(is_https || url.scheme() == "http" && reach == Reach::Anywhere && is_this_machine(&host)) {
        return Err("The address has to begin with https://.");
    }
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err("The address must not have a user name, a password or a part after #.");
    }
    if reach == Reach::Public && (url.port().is_some() || !may_be_public(&host)) {
        return Err("It is not a public address.");
    }
    Ok(url)
}

/// Whom a signature for this endpoint is for: its origin.
pub fn audience(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn is_this_machine(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost",
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
    }
}

/// Names are looked at again when they are resolved.
fn may_be_public(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => name.trim_end_matches('.').contains('.'),
        Host::Ipv4(ip) => is_public((*ip).into()),
        Host::Ipv6(ip) => is_public((*ip).into()),
    }
}

/// Whether an address is one of the public internet. What is reserved for anything else, IANA's registries list.
pub fn is_public(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let is_shared = a == 100 && (64..128).contains(&b);
    let is_protocol = (a, b, c) == (192, 0, 0) || (a, b, c) == (192, 88, 99);
    let is_benchmark = a == 198 && (b & 0xfe) == 18;
    !(a == 0
        || a >= 224
        || ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        || is_shared
        || is_protocol
        || is_benchmark)
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let parts = ip.segments();
    // An address of IPv4 behind a translator (RFC 6052).
    if parts[..6] == [0x64, 0xff9b, 0, 0, 0, 0] {
        let [.., a, b, c, d] = ip.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    let is_global = parts[0] & 0xe000 == 0x2000;
    // Teredo and other protocols, documentation, 6to4.
    let is_special = (parts[0] == 0x2001 && (parts[1] < 0x200 || parts[1] == 0xdb8))
        || parts[0] == 0x2002
        || (parts[0] == 0x3fff && parts[1] < 0x1000);
    is_global && !is_special
}

/// A name that leads to no public address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it has no public address")]
pub struct NotPublic;

/// Whether a request failed because its address leads to no public one.
pub fn is_not_public(error: &reqwest::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        if inner.is::<NotPublic>() {
            return true;
        }
        cause = inner.source();
    }
    false
}

type Found = io::Result<Vec<SocketAddr>>;

/// How names are resolved.
type LookUp = dyn Fn(Name) -> Pin<Box<dyn Future<Output = Found> + Send>> + Send + Sync;

/// Resolves names to allowed addresses only. The address that was checked is the one that is connected to, so a name that
/// changes in between gains nothing.
#[derive(Clone)]
struct CheckedNames {
    look_up: Arc<LookUp>,
    is_allowed: fn(IpAddr) -> bool,
}

impl CheckedNames {
    /// By the machine's resolver.
    fn new(reach: Reach) -> Self {
        let look_up = |name: Name| -> Pin<Box<dyn Future<Output = Found> + Send>> {
            Box::pin(async move { Ok(tokio::net::lookup_host((name.as_str(), 0)).await?.collect()) })
        };
        let is_allowed: fn(IpAddr) -> bool = match reach {
            Reach::Public => is_public,
            Reach::Anywhere => |_| true,
        };
        Self { look_up: Arc::new(look_up), is_allowed }
    }

    /// See [`client`].
    fn client(self, timeout: Duration) -> reqwest::Result<reqwest::Client> {
        reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .connect_timeout(timeout / 2)
            .timeout(timeout)
            .dns_resolver(Arc::new(self))
            .user_agent(concat!("Morpion/", env!("CARGO_PKG_VERSION")))
            .build()
    }
}

impl Resolve for CheckedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { look_up, is_allowed } = self.clone();
        Box::pin(async move {
            let found = look_up(name).await?;
            let allowed: Vec<SocketAddr> = found.into_iter().filter(|address| is_allowed(address.ip())).collect();
            if allowed.is_empty() {
                return Err(NotPublic.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// A client for addresses that people chose: no redirects, no proxy, no cookies.
///
/// # Errors
/// TLS cannot be set up.
pub fn client(reach: Reach, timeout: Duration) -> reqwest::Result<reqwest::Client> {
    CheckedNames::new(reach).client(timeout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn push_services_of_browsers_are_taken() {
        for endpoint in [
            "https://fcm.googleapis.com/fcm/send/abc:APA91b",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
            "https://web.push.apple.com/QGuQyavXutnMH",
            "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%2b%2f",
            "https://9.9.9.9/push",
            "https://[2620:fe::fe]/push",
        ] {
            assert!(parse(endpoint, Reach::Public).is_ok(), "{endpoint}");
        }
        let url = parse("https://fcm.googleapis.com/fcm/send/abc", Reach::Public).unwrap();
        assert_eq!(audience(&url), "https://fcm.googleapis.com");
    }

    #[test]
    fn places_that_only_the_server_reaches_are_refused() {
        for endpoint in [
            "",
            "push",
            "file:///etc/passwd",
            "http://fcm.googleapis.com/fcm/send/abc",
            "ftp://example.org/",
            "https://",
            "https://localhost/",
            "https://router/",
            "https://example.org:22/",
            "https://ada:secret@example.org/",
            "https://example.org/#part",
            "https://127.0.0.1/",
            "https://127.1/",
            "https://0x7f000001/",
            "https://2130706433/",
            "https://0/",
            "https://10.0.0.1/",
            "https://172.16.0.1/",
            "https://192.168.1.1/",
            "https://169.254.169.254/latest/meta-data/",
            "https://100.64.0.1/",
            "https://192.0.0.8/",
            "https://198.18.0.1/",
            "https://224.0.0.1/",
            "https://255.255.255.255/",
            "https://[::1]/",
            "https://[::]/",
            "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://[64:ff9b::7f00:1]/",
            "https://[fe80::1]/",
            "https://[fd00::1]/",
            "https://[2002:7f00:1::]/",
            "https://[2001:db8::1]/",
            "https://[2001::1]/",
            "http://127.0.0.1:8080/",
        ] {
            assert!(parse(endpoint, Reach::Public).is_err(), "{endpoint}");
        }
        let long = format!("https://example.org/{}", "a".repeat(MAX_ADDRESS));
        assert!(parse(&long, Reach::Public).is_err() && parse(&long, Reach::Anywhere).is_err());
        let long_once_encoded = format!("https://example.org/{}", "é".repeat(400));
        assert!(long_once_encoded.len() <= MAX_ADDRESS);
        assert!(parse(&long_once_encoded, Reach::Public).is_err());
    }

    #[test]
    fn tests_reach_this_machine_and_nothing_else_without_https() {
        for endpoint in ["http://127.0.0.1:8080/a", "http://[::1]:1/", "http://localhost:1/", "https://10.0.0.1:8/"] {
            assert!(parse(endpoint, Reach::Anywhere).is_ok(), "{endpoint}");
        }
        for endpoint in ["http://10.0.0.1/", "http://example.org/", "ws://127.0.0.1/", "http://ada@127.0.0.1/"] {
            assert!(parse(endpoint, Reach::Anywhere).is_err(), "{endpoint}");
        }
    }

    #[tokio::test]
    async fn a_name_of_this_machine_is_not_resolved() {
        let resolve = |reach| CheckedNames::new(reach).resolve("localhost".parse().unwrap());
        let error = resolve(Reach::Public).await.err().unwrap();
        assert!(error.downcast_ref::<NotPublic>().is_some(), "{error}");
        assert!(resolve(Reach::Anywhere).await.unwrap().all(|address| address.ip().is_loopback()));
    }

    #[tokio::test]
    async fn a_name_that_leads_here_is_not_connected_to() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://localhost:{}/", listener.local_addr().unwrap().port());
        let client = client(Reach::Public, Duration::from_secs(5)).unwrap();
        assert!(client.post(&address).send().await.unwrap_err().is_connect());
        let waiting = tokio::time::timeout(Duration::from_millis(100), listener.accept()).await;
        assert!(waiting.is_err(), "nobody came");
    }

    /// A name that leads to an allowed address when it is looked up first, and to a forbidden one from then on.
    #[tokio::test]
    async fn a_name_that_changes_is_looked_up_and_checked_for_every_connection() {
        let allowed = tokio::net::TcpListener::bind("127.0.0.2:0").await.unwrap();
        let port = allowed.local_addr().unwrap().port();
        let forbidden = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let looked_up = Arc::new(std::sync::atomic::AtomicU8::new(0));
        let counted = Arc::clone(&looked_up);
        let look_up = move |_: Name| -> Pin<Box<dyn Future<Output = Found> + Send>> {
            let is_first = counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0;
            let ip: IpAddr = if is_first { [127, 0, 0, 2].into() } else { [127, 0, 0, 1].into() };
            Box::pin(async move { Ok(vec![(ip, 0).into()]) })
        };
        let is_allowed = |ip: IpAddr| ip != IpAddr::from([127, 0, 0, 1]);
        let client = CheckedNames { look_up: Arc::new(look_up), is_allowed }.client(Duration::from_secs(5)).unwrap();
        let address = format!("http://receiver.example:{port}/");
        let first = client.post(&address).send();
        let answer = async {
            let (mut stream, _) = allowed.accept().await.unwrap();
            let mut request = [0; 512];
            tokio::io::AsyncReadExt::read(&mut stream, &mut request).await.unwrap();
            let text = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            tokio::io::AsyncWriteExt::write_all(&mut stream, text).await.unwrap();
        };
        let (first, ()) = tokio::join!(first, answer);
        assert_eq!(first.unwrap().status(), 200);
        assert_eq!(looked_up.load(std::sync::atomic::Ordering::SeqCst), 1, "what was checked is connected to");

        assert!(is_not_public(&client.post(&address).send().await.unwrap_err()));
        let waiting = tokio::time::timeout(Duration::from_millis(100), forbidden.accept()).await;
        assert!(waiting.is_err(), "nobody came");
    }
}
