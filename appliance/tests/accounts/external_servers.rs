//! External servers for tests: small Node scripts using packages of the web app.

use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use reqwest::Client;
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The CA of the SMTP server's certificate.
pub fn authority() -> String {
    folder("tests/servers/tls/ca.pem").to_string_lossy().into_owned()
}

/// An external server; stopped when dropped.
pub struct Outside {
    child: Child,
    /// What it printed: an identity provider's address, or an SMTP server's port.
    pub at: String,
    control: String,
    client: Client,
}

impl Outside {
    /// # Panics
    /// If Node or the packages are missing: `make test` installs them.
    pub fn start(script: &str, argument: &str) -> Self {
        let node = folder("../webapp/node_modules/.bin/node");
        assert!(node.exists(), "{} is missing; `npm ci` in webapp makes it", node.display());
        let mut child = Command::new(node)
            .arg(folder("tests/servers").join(script))
            .arg(argument)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["ready", at, control] = words[..] else { panic!("{script} did not start: {line:?}") };
        Self {
            at: at.to_owned(),
            control: control.to_owned(),
            child,
            // Node closes a connection that was idle for some seconds, perhaps just when it is used again.
            client: Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap(),
        }
    }

    /// The address of its control port, which also has the calendar.
    pub fn control(&self) -> &str {
        &self.control
    }

    pub async fn ask(&self, path: &str) -> Value {
        self.client.get(format!("{}{path}", self.control)).send().await.unwrap().json().await.unwrap()
    }

    pub async fn tell(&self, path: &str, body: Value) -> Value {
        self.client.post(format!("{}{path}", self.control)).json(&body).send().await.unwrap().json().await.unwrap()
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
