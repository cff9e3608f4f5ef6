//! The real server in its own process, and users who register.

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use image::ImageFormat;
use reqwest::{
    RequestBuilder, StatusCode,
    cookie::{CookieStore, Jar},
};
use serde_json::{Value, json};

use crate::support::{PASSWORD, credentials, picture, registration};

pub struct Process {
    child: Child,
    pub address: SocketAddr,
}

impl Process {
    pub fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[])
    }

    /// With settings of its own, as variables of the environment.
    pub fn start_with(folder: &Path, settings: &[(&str, &str)]) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_morpion")).arg("serve"), folder, settings)
    }

    /// With arguments and settings of its own.
    #[allow(dead_code, reason = "for the tests of backups")]
    pub fn serve(arguments: &[&str], folder: &Path, settings: &[(&str, &str)]) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_morpion")).arg("serve").args(arguments), folder, settings)
    }

    /// With so many file descriptors.
    #[allow(dead_code, reason = "for the tests of attacks")]
    pub fn with_files(folder: &Path, files: u32, settings: &[(&str, &str)]) -> Self {
        let script = format!("ulimit -n {files}; exec \"$0\" serve \"$@\"");
        Self::run(Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_morpion")]), folder, settings)
    }

    fn run(command: &mut Command, folder: &Path, settings: &[(&str, &str)]) -> Self {
        let mut child = command
            .args(["--listen", "127.0.0.1:0"])
            .env("MORPION_DATA_DIR", folder)
            .env("MORPION_LOG__LEVEL", "error")
            .envs(settings.iter().copied())
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next().expect("the server prints its address").unwrap();
        let address = line.rsplit("http://").next().unwrap().trim().parse().unwrap();
        // Further output must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// SIGTERM: returns when everything is drained.
    #[allow(dead_code, reason = "for the tests of backups")]
    pub fn stop(mut self) {
        Command::new("kill").arg(self.id().to_string()).status().unwrap();
        assert!(self.child.wait().unwrap().success());
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

/// SIGKILL: no drain, no flush. Also when a test fails.
impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub struct Account {
    pub session: String,
    pub xsrf: String,
    pub id: String,
}

#[allow(dead_code, reason = "not for every test with a process")]
impl Account {
    /// A change, with the status of its answer.
    pub async fn write(
        &self,
        address: SocketAddr,
        resource: &str,
        action: &str,
        payload: Value,
    ) -> (StatusCode, Value) {
        let change = json!({ "action": action, "payload": payload });
        self.send(address, &format!("backend/{resource}"), |request| request.json(&change)).await
    }

    /// A new picture, with the status of the answer.
    pub async fn upload(&self, address: SocketAddr) -> (StatusCode, Value) {
        let head = "--frontier\r\nContent-Disposition: form-data; name=\"file\"; filename=\"me.png\"\r\n\
            Content-Type: image/png\r\n\r\n";
        let body = [head.as_bytes(), &picture(ImageFormat::Png), b"\r\n--frontier--\r\n"].concat();
        let form = |request: RequestBuilder| {
            request.header("content-type", "multipart/form-data; boundary=frontier").body(body)
        };
        self.send(address, "backend/profile/image", form).await
    }

    /// What is no change of a resource, with the status of its answer.
    pub async fn post(&self, address: SocketAddr, path: &str, body: Value) -> (StatusCode, Value) {
        self.send(address, path, |request| request.json(&body)).await
    }

    async fn send(
        &self,
        address: SocketAddr,
        path: &str,
        with_body: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> (StatusCode, Value) {
        let request = reqwest::Client::builder()
            .no_proxy()
            .build()
            .unwrap()
            .post(format!("http://{address}/api/{path}"))
            .header("cookie", format!("morpion_session={}; XSRF-TOKEN={}", self.session, self.xsrf))
            .header("x-xsrf-token", &self.xsrf);
        let response = with_body(request).send().await.unwrap();
        (response.status(), response.json().await.unwrap())
    }
}

pub async fn register(address: SocketAddr, name: &str) -> Account {
    register_from(address, name, "127.0.0.1").await
}

/// As [`register`], by a browser that a trusted proxy passes on for this address.
pub async fn register_from(address: SocketAddr, name: &str, client_address: &str) -> Account {
    enter(address, "register", registration(name), client_address).await
}

/// Another session of somebody who is registered.
#[allow(dead_code, reason = "for the tests of push")]
pub async fn sign_in_from(address: SocketAddr, name: &str, client_address: &str) -> Account {
    enter(address, "login", credentials(&format!("{name}@example.org"), PASSWORD), client_address).await
}

async fn enter(address: SocketAddr, how: &str, body: Value, client_address: &str) -> Account {
    let jar = Arc::new(Jar::default());
    let client = reqwest::Client::builder().no_proxy().cookie_provider(Arc::clone(&jar)).build().unwrap();
    let cookie = |name: &str| {
        let cookies = jar.cookies(&format!("http://{address}").parse().unwrap()).unwrap();
        let cookies = cookies.to_str().unwrap().to_owned();
        let prefix = format!("{name}=");
        cookies.split("; ").find_map(|cookie| cookie.strip_prefix(&prefix)).unwrap().to_owned()
    };
    client.get(format!("http://{address}/api/auth/check-login")).send().await.unwrap();
    let answer: Value = client
        .post(format!("http://{address}/api/auth/{how}"))
        .header("x-xsrf-token", cookie("XSRF-TOKEN"))
        .header("x-forwarded-for", client_address)
        .json(&body)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let id = answer["user"]["userId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    Account { session: cookie("morpion_session"), xsrf: cookie("XSRF-TOKEN"), id }
}
