//! Browsers subscribe, confirm, change and end their subscriptions, and the server is killed twice among it: what was
//! acknowledged last is so afterwards, once.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use rand::Rng;
use serde_json::{Value, json};

use crate::{
    process::{Account, Process, register_from, sign_in_from},
    stand_in::StandIn,
    world::QUIET,
};

const ACCOUNTS: u8 = 6;
/// Each is a session of its own; an account may have ten.
const BROWSERS_EACH: u8 = 4;

/// Acknowledged changes after which the server is killed.
const CHANGES: usize = 300;
const KILLS: usize = 2;

/// For all changes up to a kill, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);

struct Browser {
    session: Account,
    client: reqwest::Client,
    /// As the server acknowledged it last.
    subscribed: Option<Value>,
    /// Asked for, and not answered when the server died: so or as before.
    in_doubt: Option<Option<Value>>,
}

impl Browser {
    fn of(session: Account) -> Self {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { session, client, subscribed: None, in_doubt: None }
    }

    /// The answer to a change; `None` if the server is gone.
    async fn write(&self, server: SocketAddr, action: &str, payload: &Value) -> Option<Value> {
        let Account { session, xsrf, .. } = &self.session;
        let request = self
            .client
            .post(format!("http://{server}/api/backend/userprofile"))
            .header("cookie", format!("morpion_session={session}; XSRF-TOKEN={xsrf}"))
            .header("x-xsrf-token", xsrf)
            .json(&json!({ "action": action, "payload": payload }));
        request.send().await.ok()?.json().await.ok()
    }

    async fn settings(&self, server: SocketAddr) -> Value {
        let query = [("action", "get_notification_settings"), ("payload", "{}")];
        let request = self.client.get(format!("http://{server}/api/backend/userprofile")).query(&query);
        let cookie = format!("morpion_session={}", self.session.session);
        let answer: Value = request.header("cookie", cookie).send().await.unwrap().json().await.unwrap();
        assert_eq!(answer["succeeded"], true, "{answer}");
        answer
    }

    /// Changes the subscription until the server is gone, and counts what is acknowledged.
    async fn changes(&mut self, server: SocketAddr, service: &StandIn, key: &str, acknowledged: &AtomicUsize) {
        loop {
            let choice = rand::rng().random_range(0..4);
            let wanted = match &self.subscribed {
                Some(_) if choice == 0 => None,
                Some(same) if choice == 1 => Some(same.clone()),
                _ => Some(service.subscription(key)),
            };
            let (action, payload) = match (&wanted, &self.subscribed) {
                (None, Some(known)) => ("unsubscribe_push", json!({ "endpoint": known["endpoint"] })),
                (wanted, _) => ("subscribe_push", json!(wanted)),
            };
            self.in_doubt = Some(wanted.clone());
            let Some(answer) = self.write(server, action, &payload).await else { return };
            assert_eq!(answer["succeeded"], true, "{answer}");
            self.subscribed = wanted;
            self.in_doubt = None;
            acknowledged.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What may be stored.
    fn possible(&self) -> Vec<Option<Value>> {
        [Some(self.subscribed.clone()), self.in_doubt.clone()].into_iter().flatten().collect()
    }
}

/// Each browser is subscribed as it may be, and gets one push where it is.
async fn verify(server: SocketAddr, service: &StandIn, browsers: &mut [Browser]) {
    let before = service.pushed().len();
    let (mut subscribed, mut listed) = (0, vec![]);
    for browser in browsers.iter() {
        let settings = browser.settings(server).await;
        let all = settings["subscriptions"].as_array().unwrap();
        let own = all.iter().filter(|each| each["isCurrent"] == true).count();
        let possible = browser.possible();
        assert!(possible.iter().any(|one| usize::from(one.is_some()) == own), "{own} instead of {possible:?}");
        subscribed += own;
        listed.push(all.len());
        let shown = browser.write(server, "show_push_example", &json!({})).await.unwrap();
        assert_eq!(shown["succeeded"], true, "{shown}");
    }
    // Every browser of an account lists all of them.
    assert_eq!(listed.iter().sum::<usize>(), subscribed * usize::from(BROWSERS_EACH), "{listed:?}");
    service.wait(before + subscribed).await;
    tokio::time::sleep(QUIET).await;
    let mut reached: Vec<String> = service.pushed().split_off(before).into_iter().map(|push| push.path).collect();
    assert_eq!(reached.len(), subscribed, "each once");
    for browser in browsers {
        let is_at = |one: &Option<Value>, path: &str| {
            one.as_ref().is_some_and(|one| one["endpoint"].as_str().unwrap().ends_with(path))
        };
        let possible = browser.possible();
        let at = reached.iter().position(|path| possible.iter().any(|one| is_at(one, path)));
        let path = at.map(|at| reached.swap_remove(at));
        browser.subscribed = path.and_then(|path| possible.into_iter().find(|one| is_at(one, &path)).flatten());
        browser.in_doubt = None;
    }
    assert_eq!(reached, Vec::<String>::new(), "of nobody's");
}

#[tokio::test(flavor = "multi_thread")]
async fn subscriptions_are_as_acknowledged_after_two_kills() {
    let (folder, service) = (tempfile::tempdir().unwrap(), StandIn::start().await);
    let settings =
        [("MORPION_SERVER__TRUSTED_PROXIES", "127.0.0.1/32"), ("MORPION_PUSH__ALLOW_PRIVATE_ADDRESSES", "true")];
    let mut server = Process::start_with(folder.path(), &settings);
    let mut browsers = vec![];
    for number in 1..=ACCOUNTS {
        let (name, address) = (format!("rook{number}"), format!("192.0.2.{number}"));
        browsers.push(Browser::of(register_from(server.address, &name, &address).await));
        for _ in 1..BROWSERS_EACH {
            browsers.push(Browser::of(sign_in_from(server.address, &name, &address).await));
        }
    }
    let key = browsers[0].settings(server.address).await["pushKey"].as_str().unwrap().to_owned();
    for _ in 0..KILLS {
        let (address, acknowledged) = (server.address, AtomicUsize::new(0));
        let changing = browsers.iter_mut().map(|browser| browser.changes(address, &service, &key, &acknowledged));
        let killing = async {
            while acknowledged.load(Ordering::Relaxed) < CHANGES {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            drop(server);
        };
        let both = futures_util::future::join(futures_util::future::join_all(changing), killing);
        tokio::time::timeout(PATIENCE, both).await.expect("the changes take too long");
        assert!(browsers.iter().any(|browser| browser.in_doubt.is_some()), "the kill came among changes");
        server = Process::start_with(folder.path(), &settings);
        verify(server.address, &service, &mut browsers).await;
    }
}
