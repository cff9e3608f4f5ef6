//! Encodes websocket frames.

use bytes::Bytes;
use fastwebsockets::{Frame, Payload};

/// Capacity that the encoder requires for any header.
const MAX_HEADER: usize = 16;

/// Encodes a text as one unmasked websocket frame, once for all recipients.
pub fn encode(text: &str) -> Bytes {
    encode_frame(Frame::text(Payload::Borrowed(text.as_bytes())))
}

/// Any frame as its bytes.
pub fn encode_frame(mut frame: Frame<'_>) -> Bytes {
    let mut bytes = Vec::with_capacity(MAX_HEADER + frame.payload.len());
    let length = frame.write(&mut bytes).len();
    bytes.truncate(length);
    bytes.into()
}
