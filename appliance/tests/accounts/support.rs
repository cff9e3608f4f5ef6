//! A server and its visitors.

use std::{
    io::Cursor,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use image::{ImageFormat, Rgb, RgbImage};
use morpion_appliance::{app::App, clock::Clock, config::Config, play::PlayOptions};
use morpion_store::Credentials;
use reqwest::{
    Client, Method, RequestBuilder, StatusCode,
    cookie::{CookieStore, Jar},
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};
use uuid::Uuid;

/// Keeps all the rules of passwords.
pub const PASSWORD: &str = "Correct-Horse-7";

/// A server in this process, with its store in memory; it ends with the test.
pub struct Server {
    pub app: Arc<App>,
    pub address: SocketAddr,
    /// For what is written where the test names no folder of its own, such as letters.
    _folder: TempDir,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<anyhow::Result<()>>,
}

impl Server {
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::with_clock(Clock::default(), change).await
    }

    pub async fn with_clock(clock: Clock, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::default();
        let folder = TempDir::new().unwrap();
        config.data_dir = folder.path().to_owned();
        config.database.url = "mem://".to_owned();
        change(&mut config);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = App::build_with(config.bound_to(address), |options| PlayOptions { clock, ..options }).await.unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let served = Arc::clone(&app);
        let serving = tokio::spawn(async move {
            served
                .serve(listener, async move {
                    let _ = stopped.await;
                })
                .await
        });
        Self { app, address, _folder: folder, stop, serving }
    }

    /// Drains, and returns when everything is stored and closed.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        drop(self.app);
        self.serving.await.unwrap().unwrap();
    }

    /// A browser that opened the site.
    pub async fn browser(&self) -> Browser {
        let browser = self.fresh_browser();
        browser.get("/api/auth/check-login").await.ok();
        browser
    }

    /// A browser that has not visited yet.
    pub fn fresh_browser(&self) -> Browser {
        self.browser_at("127.0.0.1")
    }

    /// As [`Server::fresh_browser`], at another name of this machine.
    pub fn browser_at(&self, host: &str) -> Browser {
        Browser::at(format!("http://{host}:{}", self.address.port()))
    }

    /// A browser in which this user has just registered.
    pub async fn registered(&self, username: &str) -> (Browser, Value) {
        let browser = self.browser().await;
        let user = browser.post("/api/auth/register", registration(username)).await.ok()["user"].clone();
        (browser, user)
    }

    /// Verifies the email of a user who registered, as the code does: to others no letters but codes are sent.
    pub async fn verify_email(&self, user: &Value) {
        let id = user["userId"].as_str().unwrap().parse().unwrap();
        self.verify_email_of(id, user["email"].as_str().unwrap()).await;
    }

    /// A browser in which an admin is signed in.
    pub async fn admin(&self) -> (Browser, Value) {
        let (browser, user) = self.registered("the_admin").await;
        let id = user["userId"].as_str().unwrap().parse().unwrap();
        self.app.store.set_admin(id, true).await.unwrap();
        self.app.accounts.sessions().invalidate(morpion_rules::UserId(id));
        (browser, user)
    }

    /// An account's credentials as they are now.
    pub async fn credentials_of(&self, id: Uuid) -> Credentials {
        self.app.store.user(id).await.unwrap().unwrap().credentials()
    }

    /// The account has proven this email, as with a code.
    pub async fn verify_email_of(&self, id: Uuid, email: &str) {
        self.app.store.verify_email(self.credentials_of(id).await, email).await.unwrap();
        self.app.accounts.sessions().invalidate(morpion_rules::UserId(id));
    }

    /// A client with an operator token.
    pub async fn operator(&self) -> Operator {
        let (admin, _) = self.admin().await;
        let answer = admin.write("admin", "create_token", json!({ "name": "test", "scope": "all" })).await.ok();
        self.with_token(answer["token"].as_str().unwrap())
    }

    /// A client with this token.
    pub fn with_token(&self, token: &str) -> Operator {
        Operator::at(format!("http://{}", self.address), token)
    }
}

pub fn registration(username: &str) -> Value {
    json!({
        "email": format!("{username}@example.org"),
        "password": PASSWORD,
        "username": username,
        "firstName": "First",
        "lastName": "Last",
        "accountType": "local",
        "isGoogleAccount": false,
    })
}

pub fn credentials(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password, "isGoogleAccount": false })
}

/// The response.
#[derive(Debug)]
pub struct Outcome {
    pub status: StatusCode,
    pub body: Value,
    pub set_cookies: Vec<String>,
    pub retry_after: Option<u64>,
}

impl Outcome {
    async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        let status = response.status();
        let headers = response.headers().clone();
        let text =
            |name| headers.get_all(name).iter().map(|value| value.to_str().unwrap().to_owned()).collect::<Vec<_>>();
        let retry_after = text("retry-after").first().map(|seconds| seconds.parse().unwrap());
        let body = response.text().await.unwrap();
        let body = serde_json::from_str(&body).unwrap_or(Value::String(body));
        Self { status, body, set_cookies: text("set-cookie"), retry_after }
    }

    /// The answer of a successful call.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        assert_eq!(self.body["succeeded"], true, "{}", self.body);
        self.body
    }

    /// The failure, after checking its status, code and fields.
    #[track_caller]
    pub fn fails(self, status: u16, code: &str) -> Value {
        assert_eq!((self.status.as_u16(), &self.body["errorCode"]), (status, &json!(code)), "{}", self.body);
        assert_eq!(self.body["succeeded"], false);
        assert!(self.body["errorMessage"].as_str().is_some_and(|text| !text.is_empty()), "{}", self.body);
        assert!(self.body["requestId"].as_str().is_some_and(|id| !id.is_empty()), "{}", self.body);
        self.body
    }

    /// The cookie of this name that was set, with its attributes.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.set_cookies.iter().map(String::as_str).find(|cookie| cookie.starts_with(&format!("{name}=")))
    }
}

/// Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Browser {
    client: Client,
    jar: Arc<Jar>,
    origin: String,
}

impl Browser {
    /// One that has not visited this server yet.
    pub fn at(origin: String) -> Self {
        let jar = Arc::new(Jar::default());
        let client = Client::builder().cookie_provider(Arc::clone(&jar)).no_proxy().build().unwrap();
        Self { client, jar, origin }
    }

    /// The same browser, which finds the site at this address, and has this one itself.
    pub fn through(&self, site: SocketAddr, own: IpAddr) -> Self {
        let host = self.origin.trim_start_matches("http://");
        let client = Client::builder().cookie_provider(Arc::clone(&self.jar)).no_proxy().local_address(own);
        let client = client.resolve(host, site).build().unwrap();
        Self { client, jar: Arc::clone(&self.jar), origin: self.origin.clone() }
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// All cookies, as the browser would send them.
    pub fn cookies(&self) -> String {
        let cookies = self.jar.cookies(&self.origin.parse().unwrap());
        cookies.map_or_else(String::new, |cookies| cookies.to_str().unwrap().to_owned())
    }

    /// The cookie's value, as the browser would send it.
    pub fn cookie(&self, name: &str) -> Option<String> {
        let cookies = self.cookies();
        let value = cookies.split("; ").find_map(|cookie| cookie.strip_prefix(&format!("{name}=")))?;
        Some(value.to_owned())
    }

    /// Sets a cookie.
    pub fn set_cookie(&self, cookie: &str) {
        self.jar.add_cookie_str(cookie, &self.origin.parse().unwrap());
    }

    /// Requests an external URL, follows redirects, and returns the last URL.
    pub async fn follow(&self, address: &str) -> String {
        self.client.get(address).send().await.unwrap().url().to_string()
    }

    /// A request with cookies and nothing else.
    pub fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.origin))
    }

    /// A request as the web app makes it.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.bare(method, path).header("origin", &self.origin).header("sec-fetch-site", "same-origin");
        match self.cookie("XSRF-TOKEN") {
            Some(token) => request.header("x-xsrf-token", token),
            None => request,
        }
    }

    pub async fn send(&self, request: RequestBuilder) -> Outcome {
        Outcome::of(request).await
    }

    pub async fn get(&self, path: &str) -> Outcome {
        Outcome::of(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Outcome {
        Outcome::of(self.request(Method::POST, path).json(&body)).await
    }

    pub async fn read(&self, resource: &str, action: &str, payload: Value) -> Outcome {
        let query = [("action", action), ("payload", &payload.to_string())];
        Outcome::of(self.request(Method::GET, &format!("/api/backend/{resource}")).query(&query)).await
    }

    pub async fn write(&self, resource: &str, action: &str, payload: Value) -> Outcome {
        self.post(&format!("/api/backend/{resource}"), json!({ "action": action, "payload": payload })).await
    }

    pub async fn is_signed_in(&self) -> bool {
        self.get("/api/auth/check-login").await.ok()["isLogIn"] == true
    }
}

/// A generated picture.
pub fn picture(format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    RgbImage::from_fn(300, 200, |x, y| Rgb([x as u8, y as u8, 90])).write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// Sends a form as browsers do.
pub async fn upload(browser: &Browser, content_type: &str, file: &[u8], user_id: Option<&Value>) -> Outcome {
    let mut body = format!(
        "--frontier\r\nContent-Disposition: form-data; name=\"file\"; filename=\"me.png\"\r\nContent-Type: {content_type}\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(file);
    if let Some(id) = user_id {
        let id = id.as_str().unwrap();
        let part = format!("\r\n--frontier\r\nContent-Disposition: form-data; name=\"userId\"\r\n\r\n{id}");
        body.extend_from_slice(part.as_bytes());
    }
    body.extend_from_slice(b"\r\n--frontier--\r\n");
    let request = browser
        .request(Method::POST, "/api/backend/profile/image")
        .header("content-type", "multipart/form-data; boundary=frontier")
        .body(body);
    browser.send(request).await
}

/// Somebody with a token, an operator's or a personal one, and no cookies.
pub struct Operator {
    client: Client,
    origin: String,
    pub token: String,
}

impl Operator {
    /// With a token of a server in another process.
    pub fn at(origin: String, token: &str) -> Self {
        Self { client: Client::builder().no_proxy().build().unwrap(), origin, token: token.to_owned() }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.origin)).bearer_auth(&self.token)
    }

    pub async fn get(&self, path: &str) -> Outcome {
        Outcome::of(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Outcome {
        Outcome::of(self.request(Method::POST, path).json(&body)).await
    }

    pub async fn read(&self, resource: &str, action: &str, payload: Value) -> Outcome {
        let query = [("action", action), ("payload", &payload.to_string())];
        Outcome::of(self.request(Method::GET, &format!("/api/backend/{resource}")).query(&query)).await
    }

    pub async fn write(&self, resource: &str, action: &str, payload: Value) -> Outcome {
        let body = json!({ "action": action, "payload": payload });
        Outcome::of(self.request(Method::POST, &format!("/api/backend/{resource}")).json(&body)).await
    }
}
