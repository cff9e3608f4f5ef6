//! Websocket frames as bytes, for a server and players that should cost next to nothing.

use std::ops::Range;

pub const TEXT: u8 = 1;
pub const BINARY: u8 = 2;
pub const CLOSE: u8 = 8;
pub const PING: u8 = 9;
pub const PONG: u8 = 10;

/// Players mask what they send with this key; a server has to unmask it in any case.
const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

/// Where the parts of a frame are, in the bytes that it was found in.
#[derive(Debug, Clone)]
pub struct Found {
    pub opcode: u8,
    mask: Option<[u8; 4]>,
    pub payload: Range<usize>,
}

impl Found {
    /// Reverses the mask in place.
    pub fn unmask(&self, bytes: &mut [u8]) {
        if let Some(key) = self.mask {
            apply(key, &mut bytes[self.payload.clone()]);
        }
    }
}

fn apply(key: [u8; 4], payload: &mut [u8]) {
    for (at, byte) in payload.iter_mut().enumerate() {
        *byte ^= key[at % 4];
    }
}

/// The frame at the start, once all of it has arrived. Messages in fragments are not expected.
pub fn first(bytes: &[u8]) -> Option<Found> {
    let [head, second, ..] = *bytes else { return None };
    let (length, mut at) = match second & 0x7f {
        126 => (u16::from_be_bytes(*bytes.get(2..)?.first_chunk()?).into(), 4),
        127 => (u64::from_be_bytes(*bytes.get(2..)?.first_chunk()?) as usize, 10),
        short => (usize::from(short), 2),
    };
    let mask = if second & 0x80 == 0 {
        None
    } else {
        let key = *bytes.get(at..)?.first_chunk()?;
        at += 4;
        Some(key)
    };
    let end = at.checked_add(length)?;
    (bytes.len() >= end).then_some(Found { opcode: head & 0x0f, mask, payload: at..end })
}

fn put_head(out: &mut Vec<u8>, opcode: u8, length: usize, masked: u8) {
    out.push(0x80 | opcode);
    if let Ok(short @ 0..126) = u8::try_from(length) {
        out.push(masked | short);
    } else if let Ok(middle) = u16::try_from(length) {
        out.push(masked | 126);
        out.extend(middle.to_be_bytes());
    } else {
        out.push(masked | 127);
        out.extend((length as u64).to_be_bytes());
    }
}

/// Appends a frame as servers send it.
pub fn put_of_server(out: &mut Vec<u8>, opcode: u8, payload: &[u8]) {
    put_head(out, opcode, payload.len(), 0);
    out.extend(payload);
}

/// Appends a frame as clients send it.
pub fn put_of_client(out: &mut Vec<u8>, opcode: u8, payload: &[u8]) {
    put_head(out, opcode, payload.len(), 0x80);
    out.extend(MASK);
    let start = out.len();
    out.extend(payload);
    apply(MASK, &mut out[start..]);
}
