//! Frames of HTTP/2 (RFC 9113), made by hand: a client library would not send floods of them.

use std::net::SocketAddr;

/// The preface, and settings without a change.
pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

pub const HEADERS: u8 = 1;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
pub const GOAWAY: u8 = 7;
pub const CONTINUATION: u8 = 9;

pub const END_STREAM: u8 = 1;
pub const END_HEADERS: u8 = 4;

/// The server's limit of streams of a connection.
pub const STREAMS: usize = 100;

/// A request whose body does not come.
pub const WITHOUT_BODY: [(&str, &str); 3] =
    [("stripe-signature", "t=1"), ("content-type", "application/json"), ("content-length", "1000")];

#[derive(Clone, Copy)]
pub enum Method {
    Get,
    Post,
}

pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut bytes = (payload.len() as u32).to_be_bytes()[1..].to_vec();
    bytes.extend([kind, flags]);
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// The end of a stream that is not wanted any more.
pub fn cancelled(stream: u32) -> Vec<u8> {
    const CANCEL: u32 = 8;
    frame(RST_STREAM, 0, stream, &CANCEL.to_be_bytes())
}

/// The header block of a request, as RFC 7541 writes it.
pub fn head(address: SocketAddr, method: Method, path: &str, others: &[(&str, &str)]) -> Vec<u8> {
    let text = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
    // Method and scheme are entries of the static table; :path and :authority by their names there, never indexed.
    let method = match method {
        Method::Get => 0x82,
        Method::Post => 0x83,
    };
    let mut block = vec![method, 0x86];
    block.extend([&[0x04][..], &text(path), &[0x01], &text(&address.to_string())].concat());
    for (name, value) in others {
        block.extend([&[0x00][..], &text(name), &text(value)].concat());
    }
    block
}
