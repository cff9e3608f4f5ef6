//! Calls over HTTP that players make between games, on a few connections that are kept.

use std::{
    collections::VecDeque,
    io::{ErrorKind, Read, Write},
    net::SocketAddr,
};

use anyhow::{Context, bail, ensure};
use mio::{Registry, Token, net::TcpStream};

use super::{players::register, seat::headers};
use crate::seed::Account;

/// Tokens from this on are of calls.
pub const FIRST_CALL: usize = 1 << 32;

/// Calls under way at once.
const AT_ONCE: usize = 32;

struct Call {
    stream: TcpStream,
    /// The pair that waits for the answer.
    pair: Option<usize>,
    answer: Vec<u8>,
}

pub struct Calls {
    address: SocketAddr,
    open: Vec<Call>,
    waiting: VecDeque<(usize, String)>,
}

impl Calls {
    pub const fn new(address: SocketAddr) -> Self {
        Self { address, open: vec![], waiting: VecDeque::new() }
    }

    pub fn play_again(&mut self, pair: usize, account: &Account, game: &str) {
        let content = format!(r#"{{"action":"play_again","payload":{{"gameId":"{game}"}}}}"#);
        let request = format!(
            "POST /api/backend/game HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             {}\r\n{content}",
            self.address,
            content.len(),
            headers(account)
        );
        self.waiting.push_back((pair, request));
    }

    pub fn send_waiting(&mut self, registry: &Registry) -> anyhow::Result<()> {
        while !self.waiting.is_empty() {
            let at = match self.open.iter().position(|call| call.pair.is_none()) {
                Some(free) => free,
                None if self.open.len() < AT_ONCE => {
                    let stream = std::net::TcpStream::connect(self.address)?;
                    stream.set_nodelay(true)?;
                    stream.set_nonblocking(true)?;
                    let mut stream = TcpStream::from_std(stream);
                    register(registry, &mut stream, Token(FIRST_CALL + self.open.len()))?;
                    self.open.push(Call { stream, pair: None, answer: vec![] });
                    self.open.len() - 1
                }
                None => return Ok(()),
            };
            let (pair, request) = self.waiting.pop_front().context("one waits")?;
            let call = &mut self.open[at];
            call.pair = Some(pair);
            let sent = call.stream.write(request.as_bytes())?;
            ensure!(sent == request.len(), "the server does not read");
        }
        Ok(())
    }

    /// The pair whose next game was made, and its id, once all of the answer is there.
    pub fn read(&mut self, token: Token, buffer: &mut [u8]) -> anyhow::Result<Option<(usize, String)>> {
        let call = &mut self.open[token.0 - FIRST_CALL];
        loop {
            match call.stream.read(buffer) {
                Ok(0) => bail!("a connection for calls was closed by the server"),
                Ok(count) => call.answer.extend(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error.into()),
            }
        }
        let text = std::str::from_utf8(&call.answer)?;
        let Some((head, body)) = text.split_once("\r\n\r\n") else { return Ok(None) };
        let length = |line: &str| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        };
        let length = head.lines().find_map(length).context("an answer without a length")?;
        if body.len() < length {
            return Ok(None);
        }
        let game = body.split_once(r#""gameId":""#).and_then(|(_, rest)| rest.split_once('"'));
        let game = game.with_context(|| format!("play_again: {text}"))?.0.to_owned();
        call.answer.clear();
        Ok(call.pair.take().map(|pair| (pair, game)))
    }
}
