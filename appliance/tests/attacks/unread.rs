//! A client that asks by HTTP/2 and reads one byte of each answer.

use std::{io, net::SocketAddr};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::http2_frames::{END_HEADERS, END_STREAM, HEADERS, Method, PREFACE, SETTINGS, frame, head};

/// Opens a connection that takes one byte of each answer, and asks on so many streams for the same.
pub async fn asks_and_does_not_read(address: SocketAddr, path: &str, streams: usize) -> TcpStream {
    const INITIAL_WINDOW_SIZE: u8 = 4;
    let preface = PREFACE.strip_suffix(&frame(SETTINGS, 0, 0, &[])[..]).unwrap();
    let settings = frame(SETTINGS, 0, 0, &[0, INITIAL_WINDOW_SIZE, 0, 0, 0, 1]);
    let requests = (0..streams as u32).flat_map(|number| request(address, path, number));
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&[preface, &settings, &requests.collect::<Vec<_>>()].concat()).await.unwrap();
    stream
}

pub fn request(address: SocketAddr, path: &str, number: u32) -> Vec<u8> {
    frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, &head(address, Method::Get, path, &[]))
}

/// Reads until the next request has an answer, and returns whether content is to come: one that is refused has none.
pub async fn has_content(stream: &mut TcpStream) -> io::Result<bool> {
    loop {
        let mut start = [0; 9];
        stream.read_exact(&mut start).await?;
        let [_, high, low, kind, flags, ..] = start;
        stream.read_exact(&mut vec![0; usize::from(u16::from_be_bytes([high, low]))]).await?;
        if kind == HEADERS {
            return Ok(flags & END_STREAM == 0);
        }
    }
}
