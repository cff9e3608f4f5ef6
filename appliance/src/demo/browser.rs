//! A browser, as far as the server can tell.

use std::{
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use anyhow::{Context, bail};
use morpion_openapi::action::Action;
use reqwest::{
    RequestBuilder,
    cookie::{CookieStore, Jar},
};
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;

/// Cheap to clone; all clones share their cookies.
#[derive(Clone)]
pub struct Browser {
    http: reqwest::Client,
    jar: Arc<Jar>,
    origin: String,
    user: Arc<OnceLock<Uuid>>,
}

impl Browser {
    pub fn new(origin: &str) -> anyhow::Result<Self> {
        let jar = Arc::new(Jar::default());
        let http = reqwest::Client::builder().no_proxy().cookie_provider(Arc::clone(&jar)).build()?;
        Ok(Self { http, jar, origin: origin.to_owned(), user: Arc::default() })
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Where the server listens.
    pub fn address(&self) -> anyhow::Result<(IpAddr, u16)> {
        let origin: Url = self.origin.parse()?;
        let addresses = origin.socket_addrs(|| None)?;
        let address = addresses.iter().find(|address| address.is_ipv4()).or(addresses.first()).context("no address")?;
        Ok((address.ip(), address.port()))
    }

    /// Who is signed in.
    pub fn user_id(&self) -> anyhow::Result<Uuid> {
        self.user.get().copied().context("nobody is signed in")
    }

    /// The `Cookie` header of a request.
    pub fn cookies(&self) -> anyhow::Result<String> {
        let cookies = self.jar.cookies(&self.origin.parse()?).context("no cookies yet")?;
        Ok(cookies.to_str()?.to_owned())
    }

    pub async fn register(&self, username: &str, email: &str, password: &str) -> anyhow::Result<()> {
        let body = json!({
            "email": email, "password": password, "username": username, "firstName": username, "lastName": "Demo",
            "accountType": "local", "isGoogleAccount": false,
        });
        self.enter("register", body).await
    }

    pub async fn sign_in(&self, email: &str, password: &str) -> anyhow::Result<()> {
        self.enter("login", json!({ "email": email, "password": password, "isGoogleAccount": false })).await
    }

    async fn enter(&self, way: &str, body: Value) -> anyhow::Result<()> {
        // The first request sets the CSRF cookie.
        self.answer(self.http.get(format!("{}/api/auth/check-login", self.origin))).await?;
        let answer = self.answer(self.http.post(format!("{}/api/auth/{way}", self.origin)).json(&body)).await?;
        let user: Uuid = serde_json::from_value(answer["user"]["userId"].clone())?;
        let _ = self.user.set(user);
        Ok(())
    }

    pub async fn read<A: Action>(&self, payload: A) -> anyhow::Result<A::Answer> {
        let query = [("action", A::NAME.to_owned()), ("payload", serde_json::to_string(&payload)?)];
        let answer = self.answer(self.http.get(self.resource::<A>()).query(&query)).await?;
        Ok(serde_json::from_value(answer)?)
    }

    pub async fn write<A: Action>(&self, payload: A) -> anyhow::Result<A::Answer> {
        let body = json!({ "action": A::NAME, "payload": payload });
        let answer = self.answer(self.http.post(self.resource::<A>()).json(&body)).await?;
        Ok(serde_json::from_value(answer)?)
    }

    fn resource<A: Action>(&self) -> String {
        format!("{}/api/backend/{}", self.origin, A::RESOURCE)
    }

    async fn answer(&self, request: RequestBuilder) -> anyhow::Result<Value> {
        let cookies = self.cookies().unwrap_or_default();
        let token = cookies.split("; ").find_map(|cookie| cookie.strip_prefix("XSRF-TOKEN=")).unwrap_or_default();
        let request = request.header("origin", &self.origin).header("x-xsrf-token", token);
        let answer: Value = request.send().await?.json().await?;
        if answer["succeeded"] != true {
            bail!("{}", answer["errorMessage"].as_str().unwrap_or("the server refuses"));
        }
        Ok(answer)
    }
}
