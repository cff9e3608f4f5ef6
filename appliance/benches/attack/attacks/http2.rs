//! Floods of HTTP/2 frames.

use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::{Instant, sleep_until, timeout, timeout_at},
};

use crate::{
    arena::{Arena, Outcome, a_second},
    http2_frames::{
        CONTINUATION, END_HEADERS, END_STREAM, GOAWAY, HEADERS, Method, PING, PREFACE, RST_STREAM, SETTINGS, STREAMS,
        WITHOUT_BODY, cancelled, frame, head,
    },
    socket::open_from,
};

const CONNECTIONS: usize = 10;

/// Frames a second on each connection.
const RATE: u32 = 200;

/// The same for large ones: few are under way when the server has enough.
const LARGE_RATE: u32 = 20;

/// Settings with a window of one byte for each stream.
const WINDOW_OF_ONE: &[u8] = b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\x01";

/// As a head may have 32 KiB, and what is under way.
const MOST_HEAD: usize = 256 << 10;

/// How servers say that something is a flood.
const ENHANCE_YOUR_CALM: u32 = 11;

/// What happened on a connection.
#[derive(Default)]
struct Seen {
    sent: usize,
    bytes: usize,
    answered: usize,
    reset: usize,
    /// The code of the server's farewell.
    farewell: Option<u32>,
    closed: bool,
}

impl Seen {
    /// Takes the whole frames of what was received.
    fn take(&mut self, received: &mut Vec<u8>) {
        while let Some(head) = received.first_chunk::<9>() {
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
            let kind = head[3];
            if received.len() < 9 + length {
                return;
            }
            match kind {
                HEADERS => self.answered += 1,
                RST_STREAM => self.reset += 1,
                GOAWAY => self.farewell = received[13..].first_chunk().map(|code| u32::from_be_bytes(*code)),
                _ => {}
            }
            received.drain(..9 + length);
        }
    }
}

/// Sends these frames on a connection until it is time, or the server has enough.
async fn flood(
    arena: &Arena,
    number: usize,
    rate: u32,
    frames: &dyn Fn(usize) -> Vec<u8>,
    until: Instant,
) -> anyhow::Result<Seen> {
    let mut stream = open_from(arena.source(number), arena.address).await?;
    stream.write_all(PREFACE).await?;
    let (mut seen, mut received, mut ticks) = (Seen::default(), vec![], a_second(rate));
    let mut buffer = vec![0; 16 << 10];
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                let bytes = frames(seen.sent);
                // A server that has enough reads no more.
                if let Ok(Ok(())) = timeout_at(until, stream.write_all(&bytes)).await {
                    (seen.sent, seen.bytes) = (seen.sent + 1, seen.bytes + bytes.len());
                }
            }
            read = timeout_at(until, stream.read(&mut buffer)) => match read {
                Err(_) => return Ok(seen),
                Ok(Ok(length)) if length > 0 => {
                    received.extend(&buffer[..length]);
                    seen.take(&mut received);
                }
                Ok(_) => {
                    seen.closed = true;
                    return Ok(seen);
                }
            }
        }
    }
}

/// Floods on all connections, opened again when they are closed.
async fn floods(arena: &Arena, rate: u32, frames: impl Fn(usize) -> Vec<u8>) -> anyhow::Result<Vec<Seen>> {
    let until = arena.until();
    let connections = (0..CONNECTIONS).map(|number| {
        let frames = &frames;
        async move {
            let mut seen = vec![];
            while Instant::now() < until {
                seen.push(flood(arena, number, rate, frames, until).await?);
            }
            anyhow::Ok(seen)
        }
    });
    let seen = futures_util::future::try_join_all(connections).await?;
    Ok(seen.into_iter().flatten().collect())
}

fn farewells(seen: &[Seen]) -> String {
    let ended = seen.iter().filter(|each| each.closed || each.farewell.is_some()).count();
    let calm = seen.iter().filter(|each| each.farewell == Some(ENHANCE_YOUR_CALM)).count();
    format!("{ended} of {} connections ended, {calm} as floods", seen.len())
}

/// Requests whose bodies do not come.
pub async fn streams(arena: &Arena) -> anyhow::Result<Outcome> {
    let block = head(arena.address, Method::Post, "/api/backend/stripe/webhook", &WITHOUT_BODY);
    let seen = floods(arena, RATE, |sent| frame(HEADERS, END_HEADERS, 2 * sent as u32 + 1, &block)).await?;
    let open = seen.iter().map(|each| each.sent.saturating_sub(each.reset + each.answered)).max().context("none")?;
    let refused: usize = seen.iter().map(|each| each.reset).sum();
    let sent: usize = seen.iter().map(|each| each.sent).sum();
    // What the server has not read in the last half second counts as open here.
    ensure!(open <= STREAMS + RATE as usize / 2 && refused > 0, "{open} streams on one connection, {refused} refused");
    Ok(Outcome {
        reached: format!("{sent} streams; at most {open} open on a connection"),
        refused: format!("reset {refused}×; {}", farewells(&seen)),
    })
}

/// Cancelled requests after which the server ends a connection.
const CANCELLED: usize = 100;

/// Requests that are cancelled at once (CVE-2023-44487).
pub async fn resets(arena: &Arena) -> anyhow::Result<Outcome> {
    let block = head(arena.address, Method::Get, "/api/auth/check-login", &[]);
    let seen = floods(arena, RATE, |sent| {
        let stream = 2 * sent as u32 + 1;
        let request = frame(HEADERS, END_HEADERS | END_STREAM, stream, &block);
        [request, cancelled(stream)].concat()
    })
    .await?;
    let most = seen.iter().map(|each| each.sent).max().context("none")?;
    let answered: usize = seen.iter().map(|each| each.answered).sum();
    // What was on its way when the server had enough counts as sent.
    ensure!(most > CANCELLED / 2 && most <= CANCELLED + RATE as usize, "{most} streams were reset on one connection");
    ensure!(seen.iter().any(|each| each.closed), "none was ended");
    Ok(Outcome {
        reached: format!("at most {most} streams reset on a connection; {answered} answers"),
        refused: farewells(&seen),
    })
}

/// Heads that go on in frame after frame (CVE-2024-27316).
pub async fn continuations(arena: &Arena) -> anyhow::Result<Outcome> {
    let mut block = head(arena.address, Method::Get, "/", &[]);
    // A header, not indexed, of 16,000 bytes.
    let mut more = vec![0x00, 1, b'x', 0x7f];
    more.extend([0x81, 0x7c]);
    more.resize(6 + 16_000, b'y');
    block.extend(&more);
    let seen = floods(arena, LARGE_RATE, |sent| match sent {
        0 => frame(HEADERS, 0, 1, &block),
        _ => frame(CONTINUATION, 0, 1, &more),
    })
    .await?;
    let bytes = seen.iter().map(|each| each.bytes).max().context("none")?;
    ensure!(bytes <= MOST_HEAD, "a head had {bytes} bytes");
    ensure!(seen.iter().any(|each| each.closed || each.farewell.is_some()), "none was ended");
    Ok(Outcome { reached: format!("at most {} KiB of one head", bytes >> 10), refused: farewells(&seen) })
}

/// Frames that ask for an answer and belong to no request.
pub async fn pings(arena: &Arena) -> anyhow::Result<Outcome> {
    let seen = floods(arena, RATE, |sent| match sent % 2 {
        0 => frame(PING, 0, 0, &[7; 8]),
        _ => frame(SETTINGS, 0, 0, &[0, 4, 0, 0, 0xff, 0xff]),
    })
    .await?;
    let sent: usize = seen.iter().map(|each| each.sent).sum();
    Ok(Outcome {
        reached: format!("{sent} pings and settings on {} connections", seen.len()),
        refused: farewells(&seen),
    })
}

/// Connections of one address, by default, each with as many requests as it may have.
const READERS: usize = 512;

/// Answers of which one byte is read.
pub async fn unread(arena: &Arena) -> anyhow::Result<Outcome> {
    let until = arena.until();
    let block = head(arena.address, Method::Get, "/login", &[]);
    let requests: Vec<u8> = (0..STREAMS as u32)
        .flat_map(|number| frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, &block))
        .collect();
    let first =
        [PREFACE.strip_suffix(&frame(SETTINGS, 0, 0, &[])[..]).context("the preface")?, WINDOW_OF_ONE, &requests]
            .concat();
    let (mut streams, mut refused) = (vec![], 0);
    for _ in 0..READERS {
        let opened = async {
            let mut stream = open_from(arena.source(0), arena.address).await?;
            stream.write_all(&first).await?;
            Ok::<_, std::io::Error>(stream)
        };
        match opened.await {
            Ok(stream) => streams.push(stream),
            Err(_) => refused += 1,
        }
    }
    sleep_until(until).await;
    let (mut seen, mut buffer) = (Seen::default(), vec![0; 64 << 10]);
    for stream in &mut streams {
        let mut received = vec![];
        while let Ok(Ok(length @ 1..)) = timeout(Duration::from_millis(2), stream.read(&mut buffer)).await {
            received.extend(&buffer[..length]);
        }
        seen.take(&mut received);
    }
    ensure!(seen.answered > 0, "nothing was answered");
    Ok(Outcome {
        reached: format!("{} requests on {} connections", streams.len() * STREAMS, streams.len()),
        refused: format!("{refused} connections; {} heads of answers came", seen.answered),
    })
}
