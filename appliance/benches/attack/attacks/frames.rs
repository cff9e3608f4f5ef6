//! Websockets that break their limits.

use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::{Instant, timeout},
};

use crate::{
    arena::{Arena, Outcome, a_second},
    socket::{MORPION, open_from, shake_hands},
    wire::PATIENCE,
};

/// Sockets at a time, each at an address of its own and opened again when it is closed.
const SOCKETS: usize = 20;

/// Frames a second of all of them together: each passes its limit of 40 a second.
const FRAMES: u32 = 2_000;

/// The largest message that a socket may gather, and what waits in the system's buffers while a server is late by a second.
const MOST_BYTES: usize = (64 + FRAMES as usize / SOCKETS) << 10;

/// Frames a second that a socket may send, by default.
const ALLOWED: u32 = 40;

/// What is allowed at once, and what is under way, in frames.
const AT_ONCE: u32 = 3 * ALLOWED + 240;

const TEXT: u8 = 1;
const CONTINUATION: u8 = 0;
const PING: u8 = 9;
const PONG: u8 = 10;

/// Set on the last frame of a message.
const END: u8 = 0x80;

/// A frame that is masked by zeros.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match u8::try_from(payload.len()) {
        Ok(length @ 0..126) => bytes.push(0x80 | length),
        _ => {
            bytes.push(0x80 | 126);
            bytes.extend((payload.len() as u16).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

/// The code of the close frame among the frames of a server, which are short.
fn close_code(mut received: &[u8]) -> Option<u16> {
    while let [first, length, rest @ ..] = received {
        let (length, rest) = match (length, rest) {
            (126, [high, low, rest @ ..]) => (usize::from(u16::from_be_bytes([*high, *low])), rest),
            (length, rest) => (usize::from(*length), rest),
        };
        if first & 0x0f == 8 {
            return rest.first_chunk().map(|code| u16::from_be_bytes(*code));
        }
        received = rest.get(length..)?;
    }
    None
}

/// What one socket sent until it was closed, and with which code.
struct Ended {
    frames: u32,
    bytes: usize,
    lasted: Duration,
    code: Option<u16>,
}

/// Sends a frame, and then the others again and again.
async fn flood(arena: &Arena, number: usize, first: &[u8], others: &[Vec<u8>]) -> anyhow::Result<Ended> {
    let mut stream = open_from(arena.source(number), arena.address).await?;
    let cookie = format!("cookie: {}\r\n", arena.account(number).cookie());
    shake_hands(&mut stream, arena.address, MORPION, &cookie).await?;
    let begun = Instant::now();
    let (mut reading, mut writing) = tokio::io::split(&mut stream);
    let (mut frames, mut bytes, mut received) = (0, 0, vec![]);
    let mut ticks = a_second(FRAMES / SOCKETS as u32);
    let sending = async {
        for frame in std::iter::once(first).chain(others.iter().map(Vec::as_slice).cycle()) {
            ticks.tick().await;
            if writing.write_all(frame).await.is_err() {
                break;
            }
            frames += 1;
            bytes += frame.len();
        }
        std::future::pending::<()>().await;
    };
    let closed = async {
        let _ = reading.read_to_end(&mut received).await;
    };
    tokio::select! {
        () = sending => {}
        closed = timeout(PATIENCE, closed) => closed.context("a socket is never closed")?,
    }
    Ok(Ended { frames, bytes, lasted: begun.elapsed(), code: close_code(&received) })
}

/// Floods on all sockets, again and again.
async fn floods(arena: &Arena, first: &[u8], others: &[Vec<u8>]) -> anyhow::Result<Vec<Ended>> {
    let until = arena.until();
    let sockets = (0..SOCKETS).map(|number| async move {
        let mut ended = vec![];
        while Instant::now() < until {
            ended.push(flood(arena, number, first, others).await?);
        }
        anyhow::Ok(ended)
    });
    let ended = futures_util::future::try_join_all(sockets).await?;
    Ok(ended.into_iter().flatten().collect())
}

fn outcome(ended: &[Ended], code: u16) -> anyhow::Result<Outcome> {
    let frames = ended.iter().map(|each| each.frames).max().context("no socket")?;
    let bytes = ended.iter().map(|each| each.bytes).max().context("no socket")?;
    let told = ended.iter().filter(|each| each.code == Some(code)).count();
    let other = ended.iter().find_map(|each| each.code.filter(|other| *other != code));
    ensure!(other.is_none() && told > 0, "closed with {other:?}; {told} with {code}");
    Ok(Outcome {
        reached: format!("{} sockets; at most {frames} frames, {} KiB on one", ended.len(), bytes.div_ceil(1_024)),
        refused: format!("closed with {code} {told}×, or without a code {}×", ended.len() - told),
    })
}

pub async fn fragments(arena: &Arena) -> anyhow::Result<Outcome> {
    let piece = [b'x'; 1_024];
    let ended = floods(arena, &frame(TEXT, &piece), &[frame(CONTINUATION, &piece)]).await?;
    let bytes = ended.iter().map(|each| each.bytes).max().unwrap_or(0);
    ensure!(bytes <= MOST_BYTES, "a socket took {bytes} bytes of a message without an end");
    outcome(&ended, 1009)
}

pub async fn controls(arena: &Arena) -> anyhow::Result<Outcome> {
    let others = [frame(END | PING, b"x"), frame(END | PONG, b""), frame(CONTINUATION, b"")];
    let ended = floods(arena, &frame(TEXT, b"x"), &others).await?;
    for Ended { frames, lasted, .. } in &ended {
        let most = AT_ONCE + (lasted.as_secs_f64() * f64::from(ALLOWED)) as u32;
        ensure!(*frames <= most, "a socket took {frames} frames in {lasted:?}");
    }
    outcome(&ended, 1008)
}
