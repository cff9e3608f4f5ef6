//! Backups that a running server lists and checks, as the console asks for it.

use std::{
    fs,
    process::Command,
    time::{Duration, Instant},
};

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{Site, files};
use crate::process::{Process, register};

/// An operator of a server.
pub struct Operator<'a> {
    server: &'a Process,
    token: String,
    http: reqwest::Client,
}

impl<'a> Operator<'a> {
    pub fn new(site: &Site, server: &'a Process) -> Self {
        let token = fs::read_to_string(site.data.path().join("operator.token")).unwrap().trim().to_owned();
        Self { server, token, http: reqwest::Client::builder().no_proxy().build().unwrap() }
    }

    fn address(&self) -> String {
        format!("http://{}/api/backend/admin", self.server.address)
    }

    async fn reads(&self, action: &str) -> Value {
        let request = self.http.get(self.address()).query(&[("action", action)]).bearer_auth(&self.token);
        request.send().await.unwrap().json().await.unwrap()
    }

    async fn verifies(&self, id: &str) -> (StatusCode, Value) {
        let body = json!({ "action": "verify_backup", "payload": { "backupId": id } });
        let answer = self.http.post(self.address()).bearer_auth(&self.token).json(&body).send().await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    pub async fn begins(&self, id: &str) {
        let (status, answer) = self.verifies(id).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }

    /// The verification, once it is finished.
    pub async fn verified(&self) -> Value {
        let begun = Instant::now();
        loop {
            let found = self.reads("overview").await["backup"]["verification"].take();
            if !found["finishedAt"].is_null() {
                return found;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{found}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_server_verifies_a_backup() {
    let site = Site { passphrase: "a horse and a battery", ..Site::encrypted() };
    let server = site.start();
    let operator = Operator::new(&site, &server);
    site.wait_for_backup(&server);
    register(server.address, "ada").await;

    let listed = operator.reads("list_backups").await;
    let id = listed["backups"][0]["backupId"].as_str().unwrap().to_owned();
    assert_eq!((listed["backups"].as_array().unwrap().len(), &listed["unreadable"]), (1, &json!([])), "{listed}");
    operator.begins("latest").await;
    let (status, refused) = operator.verifies("latest").await;
    assert_eq!((status, &refused["errorCode"]), (StatusCode::CONFLICT, &json!("verification-running")));
    let found = operator.verified().await;
    assert_eq!((&found["backupId"], &found["problems"]), (&json!(id), &json!([])), "{found}");
    assert!(found["failure"].is_null(), "{found}");
    assert!(site.succeeds(Some(&server), &["backup", "status"]).contains("it is good"));
    assert!(!site.data.path().join("backup/verification").exists(), "nothing is left of it");

    let (status, refused) = operator.verifies("../etc").await;
    assert_eq!((status, &refused["errorCode"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("invalid")), "{refused}");
    assert!(refused["fieldErrors"]["backupId"].is_string(), "{refused}");
    operator.begins("20200101T000000Z-abcd").await;
    let found = operator.verified().await;
    assert!(found["failure"].as_str().unwrap().contains("there is no backup"), "{found}");
    assert_eq!(operator.reads("overview").await["warnings"].to_string().matches("ackup").count(), 0);

    // Also the file that tells whether the database is encrypted.
    for object in files(&site.target).iter().filter(|path| path.to_string_lossy().contains("objects")) {
        let whole = fs::read(object).unwrap();
        let mut damaged = whole.clone();
        damaged[whole.len() / 2] ^= 1;
        fs::write(object, damaged).unwrap();
        operator.begins(&id).await;
        let found = operator.verified().await;
        assert!(found["problems"][0].as_str().is_some_and(|problem| problem.contains("damaged")), "{found}");
        fs::write(object, whole).unwrap();
    }
    let warnings = operator.reads("overview").await["warnings"].to_string();
    assert!(warnings.contains(&format!("Backup {id} is damaged")), "{warnings}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_began_ends_and_is_removed() {
    let site = Site::new();
    let server = site.start();
    site.wait_for_backup(&server);
    let folder = site.data.path().join("backup/verification");
    Operator::new(&site, &server).begins("latest").await;
    while !folder.join("printed").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(server);
    let checks = || {
        let found = Command::new("pgrep").args(["-f", "--", site.target.to_str().unwrap()]).output().unwrap();
        String::from_utf8(found.stdout).unwrap()
    };
    let begun = Instant::now();
    while !checks().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(10), "{}", checks());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    fs::create_dir_all(&folder).unwrap();
    let server = site.start();
    site.wait_for_backup(&server);
    assert!(!folder.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_a_verification_and_without_a_place_there_is_none() {
    let site = Site::new();
    let server = site.start();
    site.wait_for_backup(&server);
    let operator = Operator::new(&site, &server);
    operator.begins("latest").await;
    let folder = site.data.path().join("backup/verification");
    let begun = Instant::now();
    while !folder.join("printed").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not begin");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let begun = Instant::now();
    server.stop();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert!(!folder.exists());

    let server = site.serve(site.data.path());
    let operator = Operator::new(&site, &server);
    assert_eq!(operator.reads("list_backups").await["errorCode"], "no-backup-target");
    let (status, refused) = operator.verifies("latest").await;
    assert_eq!((status, &refused["errorCode"]), (StatusCode::CONFLICT, &json!("no-backup-target")));
}
