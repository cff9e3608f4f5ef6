//! Plain HTTP/1.1 from any address of the machine, so that a client costs little and can misbehave.

use std::{fmt, io, net::Ipv4Addr, time::Duration};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

use crate::{
    arena::Arena,
    seed::Account,
    socket::{Connection, open_from, origin},
};

/// Longer than the server takes to refuse anything.
pub const PATIENCE: Duration = Duration::from_secs(45);

/// The most of an answer that is read.
const MOST: u64 = 4 << 20;

#[derive(Debug)]
pub struct Answer {
    /// 0 if the connection was closed without an answer.
    pub status: u16,
    pub text: String,
}

impl Answer {
    pub fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let status = text.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok()).unwrap_or(0);
        Self { status, text }
    }

    /// The values of this header, whose name is given in lower case.
    pub fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let head = self.text.split("\r\n\r\n").next().unwrap_or_default();
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(move |(each, _)| each.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub fn body(&self) -> &str {
        self.text.split_once("\r\n\r\n").map_or("", |(_, body)| body)
    }

    pub fn json(&self) -> anyhow::Result<Value> {
        serde_json::from_str(self.body()).with_context(|| self.to_string())
    }

    /// The JSON of a call that succeeded.
    pub fn ok(&self) -> anyhow::Result<Value> {
        ensure!(self.status == 200, "{self}");
        self.json()
    }

    /// Whether it is a failure with this code.
    pub fn has_code(&self, code: &str) -> bool {
        self.body().contains(&format!("\"errorCode\":\"{code}\""))
    }

    /// Whether it says when to come again, as every answer that refuses too many must.
    pub fn is_too_many(&self) -> bool {
        matches!(self.status, 429 | 503) && self.headers("retry-after").next().is_some()
    }
}

/// The status and the beginning of the content.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, self.body().chars().take(200).collect::<String>())
    }
}

/// Somebody at an address, perhaps signed in.
#[derive(Clone)]
pub struct Visitor<'a> {
    arena: &'a Arena,
    pub source: Ipv4Addr,
    cookie: String,
    xsrf: String,
}

impl<'a> Visitor<'a> {
    pub fn new(arena: &'a Arena, source: Ipv4Addr) -> Self {
        Self { arena, source, cookie: String::new(), xsrf: String::new() }
    }

    /// Who has opened the site, and got the cookies of a visitor.
    pub async fn opened(arena: &'a Arena, source: Ipv4Addr) -> anyhow::Result<Self> {
        let mut visitor = Self::new(arena, source);
        let answer = visitor.get("/api/auth/check-login").await?;
        ensure!(answer.status == 200, "{answer}");
        visitor.takes(&answer);
        Ok(visitor)
    }

    pub fn signed_in(arena: &'a Arena, source: Ipv4Addr, account: &Account) -> Self {
        Self { arena, source, cookie: account.cookie(), xsrf: account.xsrf.clone() }
    }

    /// Who has just registered.
    pub async fn registered(arena: &'a Arena, source: Ipv4Addr, name: &str, email: &str) -> anyhow::Result<Self> {
        let mut visitor = Self::opened(arena, source).await?;
        let wish = json!({
            "email": email, "password": crate::arena::PASSWORD, "username": name, "firstName": "First",
            "lastName": "Last", "accountType": "local", "isGoogleAccount": false,
        });
        let answer = visitor.post("/api/auth/register", &wish).await?;
        answer.ok()?;
        visitor.takes(&answer);
        Ok(visitor)
    }

    /// Keeps the cookies that were set.
    pub fn takes(&mut self, answer: &Answer) {
        for cookie in answer.headers("set-cookie") {
            let pair = cookie.split(';').next().unwrap_or_default();
            let Some((name, value)) = pair.split_once('=') else { continue };
            let others =
                self.cookie.split("; ").filter(|each| !each.is_empty() && !each.starts_with(&format!("{name}=")));
            self.cookie = others.chain([pair]).collect::<Vec<_>>().join("; ");
            if name == "XSRF-TOKEN" {
                value.clone_into(&mut self.xsrf);
            }
        }
    }

    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    /// The headers of a request as the web app makes it, without the line that ends them.
    pub fn head(&self, method: &str, path: &str) -> String {
        let host = self.arena.address;
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\norigin: {}\r\ncookie: {}\r\nx-xsrf-token: {}\r\n\
             connection: close\r\n",
            origin(host),
            self.cookie,
            self.xsrf
        )
    }

    pub async fn connect(&self) -> io::Result<Connection> {
        open_from(self.source, self.arena.address).await
    }

    /// Sends bytes as they are, and reads until the server closes.
    pub async fn send(&self, bytes: &[u8]) -> anyhow::Result<Answer> {
        let mut stream = self.connect().await?;
        // A server that refuses does not read all, and its answer is read nevertheless.
        let (reading, mut writing) = tokio::io::split(&mut stream);
        let mut reading = reading.take(MOST);
        let mut answer = vec![];
        let exchange = async { tokio::join!(writing.write_all(bytes), reading.read_to_end(&mut answer)) };
        let _ = timeout(PATIENCE, exchange).await.context("the server neither answers nor closes")?;
        Ok(Answer::of(&answer))
    }

    pub async fn get(&self, path: &str) -> anyhow::Result<Answer> {
        self.send(format!("{}\r\n", self.head("GET", path)).as_bytes()).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Answer> {
        self.post_as("application/json", path, body.to_string().as_bytes()).await
    }

    pub async fn post_as(&self, content_type: &str, path: &str, body: &[u8]) -> anyhow::Result<Answer> {
        let head = self.head("POST", path);
        let head = format!("{head}content-type: {content_type}\r\ncontent-length: {}\r\n\r\n", body.len());
        self.send(&[head.as_bytes(), body].concat()).await
    }

    pub async fn read(&self, resource: &str, action: &str, payload: &Value) -> anyhow::Result<Answer> {
        self.get(&path_of(resource, action, payload)).await
    }

    pub async fn write(&self, resource: &str, action: &str, payload: Value) -> anyhow::Result<Answer> {
        self.post(&format!("/api/backend/{resource}"), &json!({ "action": action, "payload": payload })).await
    }

    /// What the operator reads.
    pub async fn reads_as_operator(&self, resource: &str, action: &str, payload: &Value) -> anyhow::Result<Value> {
        self.with_token(&self.arena.operator_token, "GET", &path_of(resource, action, payload), "").await?.ok()
    }

    /// What the operator does.
    pub async fn writes_as_operator(&self, resource: &str, action: &str, payload: Value) -> anyhow::Result<Value> {
        let body = json!({ "action": action, "payload": payload }).to_string();
        self.with_token(&self.arena.operator_token, "POST", &format!("/api/backend/{resource}"), &body).await?.ok()
    }

    /// A request with this operator token, and no cookies.
    pub async fn with_token(&self, token: &str, method: &str, path: &str, body: &str) -> anyhow::Result<Answer> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.arena.address,
            body.len()
        );
        self.send(request.as_bytes()).await
    }
}

pub fn path_of(resource: &str, action: &str, payload: &Value) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("action", action).append_pair("payload", &payload.to_string());
    format!("/api/backend/{resource}?{}", query.finish())
}
