//! Memory of connections that wait: websockets as behind a proxy, and with TLS of the server's own.

use std::{
    io::Write,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName},
};
use tokio::{net::TcpStream, time::sleep};
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::{
    process::{Program, Server},
    seed::{Seeded, loose_limits},
    socket::{MORPION, Socket, connect_from, shake_hands, source},
};

const SOCKETS: usize = 10_000;

/// Opened before: one-time allocations of the first connections are not counted.
const FIRST: usize = 100;

/// Compares connections with and without TLS.
///
/// # Errors
/// A connection was refused.
pub async fn idle() -> anyhow::Result<()> {
    println!("Memory of {SOCKETS} idle websockets");
    let seeded = Seeded::new(200, 0).await?;
    let server = Server::start(Program::Morpion, &seeded).await?;
    measure("without TLS", &server, &seeded, async |source, cookie| {
        Socket::open_from(source, server.address, &cookie).await
    })
    .await?;
    drop(server);

    let files = Certificate::new()?;
    let settings = format!("[tls]\ncert_file = {:?}\nkey_file = {:?}\n", files.chain.path(), files.key.path());
    let seeded = Seeded::with_settings(200, 0, &(loose_limits() + &settings)).await?;
    let server = Server::start(Program::Morpion, &seeded).await?;
    let connector = files.connector()?;
    measure("with TLS", &server, &seeded, async |source, cookie| {
        // With TLS the name says that the cookie is this host's.
        open_tls(&connector, source, server.address, &format!("__Host-{cookie}")).await
    })
    .await
}

async fn measure<T>(
    name: &str,
    server: &Server,
    seeded: &Seeded,
    open: impl AsyncFn(Ipv4Addr, String) -> anyhow::Result<T>,
) -> anyhow::Result<()> {
    let mut sockets = Vec::with_capacity(FIRST + SOCKETS);
    let mut before = 0;
    for number in 0..FIRST + SOCKETS {
        if number == FIRST {
            sleep(Duration::from_secs(1)).await;
            before = server.resident_bytes();
        }
        sockets.push(open(source(number), seeded.accounts[number % seeded.accounts.len()].cookie()).await?);
    }
    sleep(Duration::from_secs(2)).await;
    let after = server.resident_bytes();
    let each = after.saturating_sub(before) as f64 / SOCKETS as f64 / 1024.0;
    println!("  {name:<12} {each:>5.1} KiB each, {} MiB resident in all", after >> 20);
    Ok(())
}

async fn open_tls(
    connector: &TlsConnector,
    source: Ipv4Addr,
    address: SocketAddr,
    cookie: &str,
) -> anyhow::Result<TlsStream<TcpStream>> {
    let stream = connect_from(source, address).await?;
    let mut stream = connector.connect(ServerName::from(address.ip()), stream).await.context("TLS")?;
    shake_hands(&mut stream, address, MORPION, &format!("Cookie: {cookie}\r\n")).await?;
    Ok(stream)
}

/// A certificate for this machine's own address, and its key.
struct Certificate {
    der: CertificateDer<'static>,
    chain: tempfile::NamedTempFile,
    key: tempfile::NamedTempFile,
}

impl Certificate {
    fn new() -> anyhow::Result<Self> {
        let made = rcgen::generate_simple_self_signed([Ipv4Addr::LOCALHOST.to_string()])?;
        let (mut chain, mut key) = (tempfile::NamedTempFile::new()?, tempfile::NamedTempFile::new()?);
        chain.write_all(made.cert.pem().as_bytes())?;
        key.write_all(made.signing_key.serialize_pem().as_bytes())?;
        Ok(Self { der: made.cert.der().clone(), chain, key })
    }

    /// Trusts only this certificate.
    fn connector(&self) -> anyhow::Result<TlsConnector> {
        let mut roots = RootCertStore::empty();
        roots.add(self.der.clone())?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(TlsConnector::from(Arc::new(config)))
    }
}
