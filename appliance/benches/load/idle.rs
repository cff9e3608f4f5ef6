//! Memory of connections that wait: websockets as behind a proxy, and with TLS of the server's own.

use std::time::Duration;

use tokio::time::sleep;

use crate::{
    certificate::Certificate,
    process::{Program, Server},
    seed::{Seeded, loose_limits},
    socket::{Socket, source, speak_tls},
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
    measure("without TLS", &server, &seeded).await?;
    drop(server);

    let files = Certificate::new()?;
    let seeded = Seeded::with_settings(200, 0, &(loose_limits() + &files.settings())).await?;
    let server = Server::start(Program::Morpion, &seeded).await?;
    speak_tls(files.connector()?);
    measure("with TLS", &server, &seeded).await
}

async fn measure(name: &str, server: &Server, seeded: &Seeded) -> anyhow::Result<()> {
    let mut sockets = Vec::with_capacity(FIRST + SOCKETS);
    let mut before = 0;
    for number in 0..FIRST + SOCKETS {
        if number == FIRST {
            sleep(Duration::from_secs(1)).await;
            before = server.resident_bytes();
        }
        let cookie = seeded.accounts[number % seeded.accounts.len()].cookie();
        sockets.push(Socket::open_from(source(number), server.address, &cookie).await?);
    }
    sleep(Duration::from_secs(2)).await;
    let after = server.resident_bytes();
    let each = after.saturating_sub(before) as f64 / SOCKETS as f64 / 1024.0;
    println!("  {name:<12} {each:>5.1} KiB each, {} MiB resident in all", after >> 20);
    Ok(())
}
