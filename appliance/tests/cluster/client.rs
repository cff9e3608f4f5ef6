//! Calls by HTTP to any node, by people and operators, of whom nobody expects an answer.

use std::{net::SocketAddr, time::Duration};

use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::{history::Outcome, support::registration};

/// The name of the site, whichever node serves it.
pub const HOST: &str = "morpion.test";

/// After this there is no answer.
const PATIENCE: Duration = Duration::from_secs(4);

/// Who calls.
#[derive(Clone, Copy)]
pub enum Caller<'a> {
    Nobody,
    Person(&'a Account),
    /// With this token.
    Operator(&'a str),
}

/// Somebody who is signed in.
#[derive(Debug, Clone)]
pub struct Account {
    pub name: String,
    pub id: String,
    cookies: Vec<(String, String)>,
}

impl Account {
    pub fn cookies(&self) -> String {
        header_of(&self.cookies)
    }

    fn cookie(&self, name: &str) -> &str {
        value_of(&self.cookies, name)
    }
}

pub struct Answer {
    pub status: StatusCode,
    pub body: Value,
    /// It says when to ask again.
    pub has_retry_after: bool,
    cookies: Vec<(String, String)>,
}

/// What became of a change.
pub fn outcome(answer: Option<&Answer>) -> Outcome {
    match answer {
        Some(answer) if answer.status.is_success() && answer.body["succeeded"] == true => Outcome::Acknowledged,
        Some(answer) if answer.status.is_client_error() => Outcome::Refused,
        _ => Outcome::Unknown,
    }
}

#[derive(Clone)]
pub struct Http(Client);

impl Http {
    pub fn new() -> Self {
        Self(Client::builder().no_proxy().timeout(PATIENCE).build().unwrap())
    }

    pub async fn get(&self, node: SocketAddr, caller: Caller<'_>, path: &str) -> Option<Answer> {
        send(self.0.get(format!("http://{node}{path}")), caller).await
    }

    pub async fn read(
        &self,
        node: SocketAddr,
        caller: Caller<'_>,
        resource: &str,
        action: &str,
        payload: Value,
    ) -> Option<Answer> {
        let query = [("action", action), ("payload", &payload.to_string())];
        send(self.0.get(format!("http://{node}/api/backend/{resource}")).query(&query), caller).await
    }

    pub async fn write(
        &self,
        node: SocketAddr,
        caller: Caller<'_>,
        resource: &str,
        action: &str,
        payload: Value,
    ) -> Option<Answer> {
        let change = json!({ "action": action, "payload": payload });
        send(self.0.post(format!("http://{node}/api/backend/{resource}")).json(&change), caller).await
    }

    /// Registers somebody; the account is there when that is acknowledged.
    pub async fn register(&self, node: SocketAddr, name: &str) -> (Outcome, Option<Account>) {
        let Some(visit) = self.get(node, Caller::Nobody, "/api/auth/check-login").await else {
            return (Outcome::Refused, None);
        };
        let visitor = Account { name: name.to_owned(), id: String::new(), cookies: visit.cookies };
        let request = self.0.post(format!("http://{node}/api/auth/register")).json(&registration(name));
        let answer = send(request, Caller::Person(&visitor)).await;
        let outcome = outcome(answer.as_ref());
        let account = answer.filter(|_| outcome == Outcome::Acknowledged).map(|answer| {
            let id = answer.body["user"]["userId"].as_str().unwrap_or_else(|| panic!("{}", answer.body)).to_owned();
            let mut cookies = visitor.cookies;
            cookies.retain(|(name, _)| value_of(&answer.cookies, name).is_empty());
            cookies.extend(answer.cookies);
            Account { name: visitor.name, id, cookies }
        });
        (outcome, account)
    }

    /// Whether the session of an account is known; `None` without an answer.
    pub async fn is_signed_in(&self, node: SocketAddr, account: &Account) -> Option<bool> {
        let answer = self.get(node, Caller::Person(account), "/api/auth/check-login").await?;
        (answer.status == StatusCode::OK).then(|| answer.body["isLogIn"] == true)
    }
}

async fn send(request: RequestBuilder, caller: Caller<'_>) -> Option<Answer> {
    let request = request.header("host", HOST);
    let request = match caller {
        Caller::Nobody => request,
        Caller::Person(account) => {
            request.header("cookie", account.cookies()).header("x-xsrf-token", account.cookie("XSRF-TOKEN"))
        }
        Caller::Operator(token) => request.bearer_auth(token),
    };
    let response = request.send().await.ok()?;
    // It may be old, and says so: nothing follows from it.
    if response.headers().contains_key("warning") {
        return None;
    }
    let status = response.status();
    let has_retry_after = response.headers().contains_key("retry-after");
    let set = response.headers().get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
    let pairs = set.filter_map(|cookie| cookie.split(';').next()?.split_once('='));
    let cookies = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let text = response.text().await.ok()?;
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Some(Answer { status, body, has_retry_after, cookies })
}

fn header_of(cookies: &[(String, String)]) -> String {
    let pairs: Vec<_> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    pairs.join("; ")
}

fn value_of<'a>(cookies: &'a [(String, String)], name: &str) -> &'a str {
    cookies.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
}
