//! Websocket frames: whatever bytes a client sends, in whatever pieces, the connection answers in whole frames and is
//! closed with the code that the protocol has for it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use morpion_appliance::{
    app::App,
    caller::{Caller, Identity},
    connections::handle::{ConnectionHandle, close},
    realtime::connection,
};
use morpion_openapi::realtime::MAX_CLIENT_FRAME;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, split},
    runtime::Runtime,
    time::timeout,
};

use crate::{
    runner::{Target, peak_memory},
    world::World,
};

/// From here on a message is too big: see the documentation of the protocol.
const TOO_BIG: usize = 4 * MAX_CLIENT_FRAME;

/// Unreadable messages that are answered.
const MAX_BAD: usize = 50;

/// What one connection may take, and what other targets take meanwhile.
const MAX_MEMORY: usize = 256 << 20;

pub const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// A frame of a client, masked.
pub fn frame(opcode: u8, fin: bool, payload: &[u8]) -> Vec<u8> {
    let length = payload.len();
    let mut frame = vec![opcode | if fin { 0x80 } else { 0 }];
    match length {
        0..126 => frame.push(0x80 | length as u8),
        126..65_536 => frame.extend([&[0xFE][..], &(length as u16).to_be_bytes()].concat()),
        _ => frame.extend([&[0xFF][..], &(length as u64).to_be_bytes()].concat()),
    }
    let mask = [1, 2, 3, 4];
    frame.extend(mask);
    frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}

/// What a client received.
pub struct Conversation {
    pub messages: Vec<Value>,
    pub code: Option<u16>,
    pub took: Duration,
}

/// Sends these bytes in pieces of so many, and reads until the server has closed.
pub async fn converse(app: &Arc<App>, caller: &Arc<Identity>, bytes: &[u8], piece: usize) -> Conversation {
    let begun = Instant::now();
    let (client, stream) = tokio::io::duplex(1 << 16);
    let handle = Arc::new(ConnectionHandle::new(Caller::User(Arc::clone(caller)), None));
    app.hub.admit(&handle).unwrap();
    let (from_client, to_client) = split(stream);
    let serving = connection::serve(Arc::clone(app), from_client, to_client, handle);
    let (mut read, mut write) = split(client);
    let sending = async {
        for piece in bytes.chunks(piece) {
            // A server that closed does not read on.
            if write.write_all(piece).await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
        }
        let _ = write.shutdown().await;
    };
    let mut received = vec![];
    let talk = async { tokio::join!(serving, sending, read.read_to_end(&mut received)) };
    timeout(Duration::from_secs(20), talk).await.expect("the connection hangs").2.unwrap();
    let (messages, code) = frames_of_server(&received);
    Conversation { messages, code, took: begun.elapsed() }
}

/// The texts among the frames of a server, and the code of the close, which is the last.
fn frames_of_server(mut bytes: &[u8]) -> (Vec<Value>, Option<u16>) {
    let mut texts = vec![];
    while let [head, length, rest @ ..] = bytes {
        assert_eq!(head & 0x70, 0, "reserved bits");
        let (length, rest) = match length {
            0..126 => (usize::from(*length), rest),
            126 => (usize::from(u16::from_be_bytes(rest[..2].try_into().unwrap())), &rest[2..]),
            127 => (u64::from_be_bytes(rest[..8].try_into().unwrap()) as usize, &rest[8..]),
            _ => panic!("a server does not mask"),
        };
        let (payload, following) = rest.split_at(length);
        bytes = following;
        match head {
            0x81 => texts.push(serde_json::from_slice(payload).expect("frames are JSON")),
            0x88 => {
                assert!(bytes.is_empty(), "more follows a close");
                return (texts, Some(u16::from_be_bytes(payload[..2].try_into().unwrap())));
            }
            0x89 | 0x8A => assert!(length <= 125),
            _ => panic!("a frame with the head {head}"),
        }
    }
    (texts, None)
}

/// What the protocol makes of a client's bytes: the code of the close, or none if the bytes leave it open, and how many
/// frames and messages came before it.
struct Expectation {
    code: Option<u16>,
    frames: usize,
    messages: usize,
}

fn expectation(mut bytes: &[u8]) -> Expectation {
    let (mut frames, mut messages, mut begun) = (0, 0, None);
    let code = loop {
        let [head, length, rest @ ..] = bytes else { break Some(close::NORMAL) };
        let (fin, opcode, is_masked) = (head & 0x80 != 0, head & 15, length & 0x80 != 0);
        if head & 0x70 != 0 || !matches!(opcode, 0..=2 | 8..=10) {
            break Some(close::PROTOCOL);
        }
        let extended = match length & 0x7F {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        let head_length = extended + if is_masked { 4 } else { 0 };
        if rest.len() < head_length {
            break Some(close::NORMAL);
        }
        let number = rest[..extended].iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        let length = if extended == 0 { u64::from(length & 0x7F) } else { number };
        if opcode >= CLOSE && !fin || opcode == PING && length > 125 {
            break Some(close::PROTOCOL);
        }
        if length >= TOO_BIG as u64 {
            break Some(close::TOO_BIG);
        }
        if rest.len() < head_length + length as usize {
            break Some(close::NORMAL);
        }
        if !is_masked {
            // No client of ours sends it, and what follows it may not be read as it was meant.
            break None;
        }
        let (mask, payload) = rest[extended..].split_at(4);
        let (payload, following) = payload.split_at(length as usize);
        bytes = following;
        let payload: Vec<u8> = payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask).collect();
        if opcode == TEXT && fin && std::str::from_utf8(&payload).is_err() {
            break Some(close::NOT_TEXT);
        }
        frames += 1;
        match (opcode, begun) {
            (CLOSE, _) => break Some(close::NORMAL),
            (PING | PONG, _) => {}
            (TEXT | BINARY, None) | (0, Some(_)) => {
                let whole = begun.unwrap_or(0) + payload.len();
                if whole >= TOO_BIG {
                    break Some(close::TOO_BIG);
                }
                begun = (!fin).then_some(whole);
                messages += usize::from(fin);
            }
            _ => break Some(close::PROTOCOL),
        }
    };
    Expectation { code, frames, messages }
}

fn seeds() -> Vec<Vec<u8>> {
    let hello = br#"{"event":"authenticate","data":{},"id":"1"}"#;
    let streams = [
        frame(TEXT, true, hello),
        [frame(TEXT, false, &hello[..9]), frame(PING, true, b"p"), frame(0, true, &hello[9..])].concat(),
        [frame(BINARY, true, hello), frame(PONG, true, &[0; 8]), frame(CLOSE, true, &[3, 232])].concat(),
        [frame(TEXT, true, &[b'x'; MAX_CLIENT_FRAME + 1]), frame(TEXT, true, hello)].concat(),
        (0..17).flat_map(|number| frame(if number == 0 { TEXT } else { 0 }, false, &[b'x'; 4_096])).collect(),
        frame(PING, true, b"").repeat(150),
        frame(TEXT, true, b"{").repeat(60),
        frame(CLOSE, true, &[3]),
        frame(TEXT, true, &[0xC3]),
        frame(0, true, b"x"),
        vec![0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
    ];
    streams.map(|stream| [vec![200], stream].concat()).to_vec()
}

#[test]
fn whatever_a_client_sends_it_is_closed_with_the_right_code() {
    let runtime = Runtime::new().unwrap();
    let world = runtime.block_on(World::new());
    let app = &world.server.app;
    let burst = 3 * app.config.realtime.frames_per_second.get() as usize;
    let caller = runtime.block_on(world.identity());
    // The first byte says how large the pieces are in which the others arrive.
    Target { name: "websocket", seeds: seeds(), ..Target::default() }.run(|input| {
        let Some((piece, bytes)) = input.split_first() else { return };
        let mut conversation = None;
        let peak = peak_memory(|| {
            let piece = 1 + usize::from(*piece).pow(2);
            conversation = Some(runtime.block_on(converse(app, &caller, bytes, piece)));
        });
        assert!(peak < MAX_MEMORY, "{peak} bytes");
        let Conversation { code, took, .. } = conversation.unwrap();
        let code = code.expect("the server closes");
        let expected = expectation(bytes);
        let drained = (took.as_secs_f64() * burst as f64 / 3.0) as usize + 1;
        let floods = expected.frames > burst + drained;
        let may_flood = expected.frames > burst || expected.messages > MAX_BAD;
        match expected.code {
            _ if floods => assert_eq!(code, close::POLICY),
            Some(expected) => assert!(code == expected || may_flood && code == close::POLICY, "{code}, not {expected}"),
            None => {
                let codes = [close::NORMAL, close::PROTOCOL, close::NOT_TEXT, close::POLICY, close::TOO_BIG];
                assert!(codes.contains(&code), "{code}");
            }
        }
        assert_eq!(app.hub.len(), 0, "it is forgotten");
    });
}
