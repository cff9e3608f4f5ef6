//! A server that is told of what happens: it checks every signature as Standard Webhooks has it, and answers as it is told. It
//! speaks HTTP by itself, so that it can answer in ways that no library does.

use std::{collections::VecDeque, net::SocketAddr, sync::Arc, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, Mac};
use parking_lot::Mutex;
use serde_json::Value;
use sha2::Sha256;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
    time::Instant,
};

/// Generous: on an idle machine a delivery takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// How the next messages are answered.
#[derive(Debug, Clone)]
pub enum Reply {
    Status(u16),
    /// A status with a text.
    Text(u16, &'static str),
    /// 503 with `Retry-After` in seconds.
    Later(u64),
    /// A redirect to this address.
    Elsewhere(String),
    /// A status with a body that never ends.
    Endless(u16),
    /// Never.
    Hang,
    /// The connection is closed without an answer.
    Close,
}

/// A message.
#[derive(Debug, Clone)]
pub struct Told {
    pub id: String,
    pub timestamp: i64,
    pub signature: String,
    pub text: String,
    pub body: Value,
    pub at: Instant,
}

#[derive(Default)]
struct State {
    replies: VecDeque<Reply>,
    told: Vec<Told>,
    faults: Vec<String>,
}

pub struct Receiver {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    serving: JoinHandle<()>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Receiver {
    pub async fn start() -> Self {
        Self::at("127.0.0.1:0".parse().unwrap()).await
    }

    /// At an address that another one may just have left.
    pub async fn at(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let (address, state) = (listener.local_addr().unwrap(), Arc::<Mutex<State>>::default());
        let answering = Arc::clone(&state);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = Arc::clone(&answering);
                tokio::spawn(async move {
                    if let Err(fault) = answer(stream, &state).await {
                        state.lock().faults.push(fault);
                    }
                });
            }
        });
        Self { address, state, serving }
    }

    /// Nobody listens there any more.
    pub async fn stop(mut self) {
        self.serving.abort();
        let _ = (&mut self.serving).await;
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook?key=of-the-receiver", self.address)
    }

    /// How the next messages are answered, one after the other; later ones with 204.
    pub fn will(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state.lock().replies.extend(replies);
    }

    /// All messages so far.
    pub fn told(&self) -> Vec<Told> {
        let state = self.state.lock();
        assert_eq!(state.faults, Vec::<String>::new());
        state.told.clone()
    }

    /// The messages, once there are this many.
    pub async fn wait(&self, number: usize) -> Vec<Told> {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            let told = self.told();
            if told.len() >= number {
                return told;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("there are not {number} messages: {:?}", self.told());
    }
}

impl Told {
    /// Whether this secret signed it.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(format!("{}.{}.{}", self.id, self.timestamp, self.text).as_bytes());
        self.signature == format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
    }
}

async fn answer(mut stream: TcpStream, state: &Mutex<State>) -> Result<(), String> {
    let (mut read, mut buffer) = (Vec::new(), [0; 4_096]);
    let (head, length) = loop {
        let bytes = stream.read(&mut buffer).await.map_err(|error| error.to_string())?;
        if bytes == 0 {
            return if read.is_empty() { Ok(()) } else { Err("the request ends early".to_owned()) };
        }
        read.extend_from_slice(&buffer[..bytes]);
        let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&read[..end]).into_owned();
        let length: usize = header(&head, "content-length").parse().map_err(|_| "no length".to_owned())?;
        if read.len() >= end + 4 + length {
            read.drain(..end + 4);
            break (head, length);
        }
    };
    let text = String::from_utf8(read[..length].to_vec()).map_err(|error| error.to_string())?;
    if !head.starts_with("POST /hook?key=of-the-receiver ") {
        return Err(format!("another request: {head}"));
    }
    for unwanted in ["cookie", "authorization", "referer"] {
        if !header(&head, unwanted).is_empty() {
            return Err(format!("more than a receiver has to know: {head}"));
        }
    }
    let told = Told {
        id: header(&head, "webhook-id"),
        timestamp: header(&head, "webhook-timestamp").parse().map_err(|_| format!("no timestamp: {head}"))?,
        signature: header(&head, "webhook-signature"),
        body: serde_json::from_str(&text).map_err(|error| error.to_string())?,
        text,
        at: Instant::now(),
    };
    let reply = {
        let mut state = state.lock();
        state.told.push(told);
        state.replies.pop_front().unwrap_or(Reply::Status(204))
    };
    let head = match &reply {
        Reply::Status(status) => format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\n\r\n"),
        Reply::Text(status, text) => format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n{text}", text.len()),
        Reply::Later(seconds) => format!("HTTP/1.1 503 X\r\nretry-after: {seconds}\r\ncontent-length: 0\r\n\r\n"),
        Reply::Elsewhere(to) => format!("HTTP/1.1 307 X\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n"),
        Reply::Endless(status) => format!("HTTP/1.1 {status} X\r\ncontent-type: text/plain\r\n\r\n"),
        Reply::Hang => std::future::pending().await,
        Reply::Close => return Ok(()),
    };
    // Whoever asked may be gone.
    let mut head = head.replacen("\r\n", "\r\nconnection: close\r\n", 1).into_bytes();
    while stream.write_all(&head).await.is_ok() && matches!(reply, Reply::Endless(_)) {
        head = vec![b'x'; 1_024];
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(())
}

fn header(head: &str, name: &str) -> String {
    let values = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    let mut values = values.filter(|(found, _)| found.eq_ignore_ascii_case(name));
    values.next().map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
}
