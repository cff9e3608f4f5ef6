//! What keeps an account its owner's and strangers within their limits, asked of all nodes, before a takeover and after it.

use std::{
    net::IpAddr,
    path::Path,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    cluster::{Cluster, NAMES},
    http2_frames::STREAMS,
    site::{Site, of},
    socket::{Heard, Socket},
    support::{Browser, PASSWORD, registration},
    unread::{asks_and_does_not_read, has_content},
};

const NEW: &str = "Brand-New-1";

/// Until a node that follows has closed a websocket.
const CLOSED_WITHIN: Duration = Duration::from_secs(5);

const PATIENCE: Duration = Duration::from_secs(30);

async fn is_closed(socket: &mut Socket) {
    let closing = async { while !matches!(socket.hear(CLOSED_WITHIN).await, Heard::Gone) {} };
    timeout(CLOSED_WITHIN, closing).await.expect("the websocket stays open");
}

async fn changes_password(browser: &Browser, before: &str, after: &str) {
    let change = json!({ "currentPassword": before, "newPassword": after });
    browser.post("/api/auth/password", change).await.ok();
}

/// The code in the letter to an email, once it is there.
async fn code_in(outbox: &Path, email: &str) -> u32 {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let files = std::fs::read_dir(outbox).into_iter().flatten().map(|file| file.unwrap().path());
        let letters = files.filter(|file| file.extension().is_some_and(|extension| extension == "eml"));
        let letter = letters.map(|file| std::fs::read_to_string(file).unwrap());
        let mut meant = letter.filter(|letter| letter.contains(&format!("To: {email}")));
        let code = |line: &str| (line.len() == 6).then(|| line.parse().ok()).flatten();
        if let Some(code) = meant.find_map(|letter| letter.lines().map(str::trim).find_map(code)) {
            return code;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no code for {email}");
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn link_in(made: &Value) -> Value {
    json!(made["path"].as_str().unwrap().strip_prefix("/new-password#").unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_stays_its_owners_through_every_node_and_after_a_takeover() {
    let mut site = Site::open(Cluster::start().await).await;
    let (leader, [one, other]) = (site.leader, site.followers());

    // A change of the password ends what was signed in at other nodes, and what is signing in meanwhile.
    let (ada, _) = site.registered(one, "ada").await;
    let wish = json!({ "name": "bot", "scopes": ["read", "play"] });
    let program = text_of(&ada.post("/api/auth/tokens", wish.clone()).await.ok()["token"]);
    assert_eq!(site.statuses(&program).await, [StatusCode::OK; 3]);
    let elsewhere = site.signed_in(leader, "ada", PASSWORD).await;
    let mut socket = site.socket(&elsewhere, other).await;
    let visitors = join_all((0..6).map(|number| site.visitor(number % NAMES.len()))).await;
    let signing_in = join_all(visitors.iter().map(async |visitor| {
        let answer = visitor.post("/api/auth/login", of("ada", PASSWORD)).await;
        assert!([200, 401].contains(&answer.status.as_u16()), "{answer:?}");
    }));
    tokio::join!(signing_in, changes_password(&ada, PASSWORD, NEW));
    is_closed(&mut socket).await;
    for ended in visitors.iter().chain([&elsewhere]) {
        assert!(!site.is_signed_in(ended).await);
    }
    assert!(site.is_signed_in(&ada).await);
    assert_eq!(site.statuses(&program).await, [StatusCode::UNAUTHORIZED; 3]);
    let program = text_of(&ada.post("/api/auth/tokens", wish).await.ok()["token"]);
    site.refuses("ada", PASSWORD, 401, "wrong-credentials").await;

    // Somebody is suspended through one node while they play through the others.
    let (bob, user) = site.registered(leader, "bob").await;
    let mut sockets = [site.socket(&bob, one).await, site.socket(&bob, other).await];
    let suspension = json!({ "userId": user["userId"], "reason": "spam" });
    site.operate(one, "suspend_user", suspension).await;
    for socket in &mut sockets {
        is_closed(socket).await;
    }
    assert!(!site.is_signed_in(&bob).await);
    site.refuses("bob", PASSWORD, 403, "suspended").await;

    // A link works once, whichever node is asked.
    let (cat, _) = site.registered(other, "cat").await;
    let wish = json!({ "account": "cat", "reason": "no mail" });
    let used = link_in(&site.operate(other, "create_password_link", wish.clone()).await);
    let use_link = async |node: usize, link: &Value, password: &str| {
        let visitor = site.visitor(node).await;
        visitor.post("/api/auth/password-link/use", json!({ "token": link, "newPassword": password })).await
    };
    let uses = join_all([0, 1, 2, 0, 1, 2].map(|node| use_link(node, &used, NEW))).await;
    assert_eq!(uses.iter().filter(|outcome| outcome.status == 200).count(), 1, "{uses:?}");
    assert!(!site.is_signed_in(&cat).await);
    let open = link_in(&site.operate(one, "create_password_link", wish).await);

    // Reports of a day are counted one by one.
    let (dan, _) = site.registered(one, "dan").await;
    let mut subjects = vec![];
    for number in 0..4 {
        subjects.push(site.registered(one, &format!("subject_{number}")).await.1["userId"].clone());
    }
    let report = async |node: usize, subject: &Value, kind: &str| {
        let report = json!({ "userId": subject, "kind": kind, "text": "" });
        site.at(&dan, node).write("userprofile", "report_user", report).await.status
    };
    let wishes = subjects.iter().flat_map(|subject| ["name", "behaviour", "engine"].map(|kind| (subject, kind)));
    let reports =
        join_all(wishes.enumerate().map(|(number, (subject, kind))| report(number % NAMES.len(), subject, kind))).await;
    assert_eq!(reports.iter().filter(|status| **status == 200).count(), 10, "{reports:?}");

    // A stranger claims the email of somebody who comes later.
    let (eve, _) = site.registered(one, "eve").await;
    let victim = site.visitor(other).await;
    let mut wish = registration("victim");
    wish["email"] = json!("eve@example.org");
    victim.post("/api/auth/register", wish).await.ok();

    // Somebody has a code when the leader is lost.
    let recovering = site.visitor(one).await;
    let email = "dan@example.org";
    recovering.post("/api/auth/api/v1/requestverificationcode", json!({ "email": email })).await.ok();
    let code = code_in(&site.cluster.nodes[leader].outbox(), email).await;

    site.loses_its_leader().await;
    for ended in visitors.iter().chain([&elsewhere, &bob, &cat]) {
        assert!(!site.is_signed_in(ended).await);
    }
    for signed_in in [&ada, &dan, &eve, &victim] {
        assert!(site.is_signed_in(signed_in).await);
    }
    assert_eq!(site.statuses(&program).await, [StatusCode::OK; 2]);
    site.refuses("ada", PASSWORD, 401, "wrong-credentials").await;
    site.refuses("bob", PASSWORD, 403, "suspended").await;
    let [follower, _] =
        site.followers().map(|node| if site.cluster.nodes[node].is_running() { node } else { site.leader });
    let use_link = async |node: usize, link: &Value| {
        let visitor = site.visitor(node).await;
        visitor.post("/api/auth/password-link/use", json!({ "token": link, "newPassword": PASSWORD })).await
    };
    use_link(follower, &used).await.fails(404, "link-over");
    use_link(follower, &open).await.ok();
    use_link(site.leader, &open).await.fails(404, "link-over");
    let report = json!({ "userId": subjects[0], "kind": "picture", "text": "" });
    site.at(&dan, follower).write("userprofile", "report_user", report).await.fails(429, "too-many-requests");
    let recovering = site.at(&recovering, follower);
    let entered = json!({ "email": email, "code": code });
    recovering.post("/api/auth/api/v1/validate-verification-code", entered).await.ok();
    let change = json!({ "email": email, "newPassword": NEW, "openUnconfirmed": true });
    recovering.post("/api/auth/api/v1/update-password", change).await.ok();
    assert!(!site.is_signed_in(&dan).await);
    site.refuses("dan", PASSWORD, 401, "wrong-credentials").await;
    site.signed_in(site.leader, "dan", NEW).await;
}

/// As many as may fail to sign in at one address.
const FAILURES: usize = 10;

#[tokio::test(flavor = "multi_thread")]
async fn what_one_address_may_do_is_counted_over_all_nodes() {
    // Room for four answers that wait in a tunnel.
    const OF_ONE: &str = "server.max_held_per_address = \"1 MiB\"";
    const UNREAD: usize = 4;
    let site = Site::open(Cluster::start_with(OF_ONE).await).await;
    let [one, other] = site.followers();
    let (ada, _) = site.registered(one, "ada").await;
    let (attacker, neighbour) = ([127, 9, 9, 1].into(), [127, 9, 9, 2].into());
    let guesses = async |from: IpAddr, node: usize, number: usize| {
        let visitor = site.from(&site.visitor(node).await, node, from);
        visitor.post("/api/auth/login", of(&format!("nobody_{number}"), PASSWORD)).await
    };
    for number in 0..FAILURES {
        guesses(attacker, number % NAMES.len(), number).await.fails(401, "wrong-credentials");
    }
    for node in site.running() {
        guesses(attacker, node, FAILURES).await.fails(429, "too-many-failed-sign-ins");
    }
    guesses(neighbour, other, FAILURES).await.fails(401, "wrong-credentials");
    // A device that signed in before has tries of its own, beside the attacker, too.
    ada.post("/api/auth/logout", json!({})).await.ok();
    site.from(&ada, other, attacker).post("/api/auth/login", of("ada", PASSWORD)).await.ok();

    let node = site.cluster.nodes[one].address;
    let mut connection = asks_and_does_not_read(node, "/api/openapi.json", STREAMS).await;
    let mut unread = 0;
    for _ in 0..STREAMS {
        match timeout(PATIENCE, has_content(&mut connection)).await.expect("a request has no answer") {
            Ok(has_content) => unread += usize::from(has_content),
            // Where there is no room, who reads nothing is ended.
            Err(_) => break,
        }
    }
    assert!((1..=UNREAD).contains(&unread), "{unread} answers wait");
    drop(connection);
    let begun = Instant::now();
    while site.visitor(one).await.get("/api/openapi.json").await.status != 200 {
        assert!(begun.elapsed() < PATIENCE, "what was held is not given back");
    }
}
