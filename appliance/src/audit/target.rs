//! How entries are handed to one target.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Seek, SeekFrom, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, bail};
use chrono::SecondsFormat;
use morpion_store::AuditRecord;
use syslog_fmt::{
    Facility, Severity,
    v5424::{Config, Formatter, Msg},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpStream, UdpSocket, UnixDatagram},
    time::timeout,
};

use super::json_line;
use crate::config::ExportTarget;

/// Reaching a server, and handing it a batch.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A server that has read everything closes the connection; one that keeps it open longer has read it too.
const CLOSED_WITHIN: Duration = Duration::from_secs(2);

/// A machine on which nothing listens says so at once.
const REFUSED_WITHIN: Duration = Duration::from_millis(100);

/// The largest datagram; a longer message is cut.
const MAX_DATAGRAM: usize = 60_000;

pub(super) trait Deliver {
    /// Hands over the entries; returns when the target has them, as far as it tells.
    ///
    /// # Errors
    /// The target does not take them; some may have arrived.
    async fn deliver(&self, batch: Vec<AuditRecord>) -> anyhow::Result<()>;
}

impl Deliver for ExportTarget {
    async fn deliver(&self, batch: Vec<AuditRecord>) -> anyhow::Result<()> {
        match self {
            Self::File(path) => {
                let path = path.clone();
                tokio::task::spawn_blocking(move || append(&path, &batch)).await?
            }
            Self::SyslogUdp(address) => timeout(TIMEOUT, send_udp(address, &messages(&batch)?)).await?,
            Self::SyslogTcp(address) => timeout(TIMEOUT, send_tcp(address, &messages(&batch)?)).await?,
            Self::SyslogUnix(path) => timeout(TIMEOUT, send_unix(path.clone(), &messages(&batch)?)).await?,
        }
    }
}

/// Appends lines and syncs them. The file is opened each time, so that one that was rotated is made again.
fn append(path: &Path, batch: &[AuditRecord]) -> anyhow::Result<()> {
    let open = || OpenOptions::new().create(true).read(true).append(true).mode(0o600).open(path);
    let mut file = open().context("the file cannot be opened")?;
    let before = file.metadata()?.len();
    let mut lines = String::new();
    if !ends_with_newline(&mut file, before)? {
        lines.push('\n');
    }
    for record in batch {
        lines.push_str(&json_line(record));
        lines.push('\n');
    }
    if let Err(error) = file.write_all(lines.as_bytes()).and_then(|()| file.sync_data()) {
        // Half a line would be in the way of the next attempt.
        file.set_len(before).ok();
        return Err(error).context("the file cannot be written");
    }
    Ok(())
}

/// False behind the half line that a crash left.
fn ends_with_newline(file: &mut File, length: u64) -> std::io::Result<bool> {
    if length == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::Start(length - 1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// One syslog message an entry, with its time and its line of JSON.
fn messages(batch: &[AuditRecord]) -> std::io::Result<Vec<Vec<u8>>> {
    let hostname =
        nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok()).filter(|name| is_name(name));
    let process = std::process::id().to_string();
    let formatter = Formatter::from_config(Config {
        facility: Facility::Authpriv,
        hostname: hostname.as_deref(),
        app_name: Some("morpion"),
        proc_id: Some(&process),
    });
    let message = |record: &AuditRecord| {
        let mut bytes = Vec::new();
        let at = record.entry.at.to_rfc3339_opts(SecondsFormat::Micros, true);
        let line = json_line(record);
        // The line is ASCII, which needs no byte order mark.
        let text = Msg::NonUnicodeBytes(line.as_bytes());
        formatter.write_without_data(&mut bytes, Severity::Notice, at, text, Some("audit"))?;
        Ok(bytes)
    };
    batch.iter().map(message).collect()
}

/// As RFC 5424 limits the name of a host.
fn is_name(name: &str) -> bool {
    (1..=255).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The network may lose datagrams; only a machine on which nothing listens is noticed.
async fn send_udp(address: &str, messages: &[Vec<u8>]) -> anyhow::Result<()> {
    let Some(server) = tokio::net::lookup_host(address).await.context("the host is unknown")?.next() else {
        bail!("the host is unknown");
    };
    let own = if server.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let socket = UdpSocket::bind(own).await?;
    socket.connect(server).await.context("the server cannot be reached")?;
    for message in messages {
        socket.send(&message[..message.len().min(MAX_DATAGRAM)]).await.context("the server cannot be reached")?;
    }
    tokio::time::sleep(REFUSED_WITHIN).await;
    match socket.take_error()? {
        Some(error) => Err(error).context("the server cannot be reached"),
        None => Ok(()),
    }
}

/// Sends messages behind their lengths (RFC 6587). Syslog has no acknowledgements: each batch has a connection of its
/// own, which the server closes when it has read all of it.
async fn send_tcp(address: &str, messages: &[Vec<u8>]) -> anyhow::Result<()> {
    let mut connection = TcpStream::connect(address).await.context("the server cannot be reached")?;
    for message in messages {
        let framed = [format!("{} ", message.len()).as_bytes(), message].concat();
        connection.write_all(&framed).await.context("the connection was lost")?;
    }
    connection.shutdown().await.context("the connection was lost")?;
    match timeout(CLOSED_WITHIN, connection.read_to_end(&mut Vec::new())).await {
        Ok(Err(error)) => Err(error).context("the connection was lost"),
        Ok(Ok(_)) | Err(_) => Ok(()),
    }
}

async fn send_unix(path: PathBuf, messages: &[Vec<u8>]) -> anyhow::Result<()> {
    let socket = UnixDatagram::unbound()?;
    socket.connect(&path).context("the socket cannot be reached")?;
    for message in messages {
        socket.send(&message[..message.len().min(MAX_DATAGRAM)]).await.context("the socket cannot be reached")?;
    }
    Ok(())
}
