//! Reminders of events: by email and by push, once.

use std::{path::Path, time::Duration};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use morpion_appliance::{clock::Clock, config::Config};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::Instant;

use crate::{
    stand_in::StandIn,
    support::{Browser, Server},
    world::{Person, with_stand_in},
};

/// Reminders look at the schedule every 5 s.
const LOOKED: Duration = Duration::from_secs(6);

const MINUTE: i64 = 60_000;

pub fn in_folder(folder: &TempDir) -> impl FnOnce(&mut Config) {
    let path = folder.path().to_owned();
    move |config| {
        with_stand_in(config);
        config.data_dir = path;
        config.database.url = "surrealkv://{data_dir}/db".to_owned();
    }
}

/// The letters so far whose subject begins so, decoded.
pub fn letters(folder: &Path, subject: &str) -> Vec<String> {
    let Ok(files) = std::fs::read_dir(folder.join("outbox")) else { return vec![] };
    let files = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "eml"));
    let mut letters: Vec<String> =
        files.map(|path| std::fs::read_to_string(path).unwrap().replace("=\r\n", "")).collect();
    letters.retain(|letter| letter.contains(&format!("Subject: {subject}")));
    letters
}

pub async fn letters_once(folder: &Path, subject: &str, number: usize) -> Vec<String> {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let found = letters(folder, subject);
        if found.len() >= number {
            return found;
        }
        assert!(Instant::now() < until, "{} of {number} letters", found.len());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Somebody with a verified email.
pub async fn verified(server: &Server, folder: &Path, name: &str) -> Person {
    let person = unverified(server, name).await;
    person.browser.post("/api/auth/email/request-code", json!({})).await.ok();
    let until = Instant::now() + Duration::from_secs(20);
    let code = loop {
        let letter =
            letters(folder, "Confirm your email").into_iter().find(|letter| letter.contains(&format!("To: {name}@")));
        let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(code) = letter.and_then(|letter| letter.lines().map(str::trim).find(is_code)?.parse::<u32>().ok()) {
            break code;
        }
        assert!(Instant::now() < until, "no code");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    person.browser.post("/api/auth/email/verify", json!({ "code": code })).await.ok();
    person
}

async fn unverified(server: &Server, name: &str) -> Person {
    let (browser, user) = server.registered(name).await;
    Person { browser, id: user["userId"].as_str().unwrap().to_owned() }
}

pub async fn wants_letters(person: &Person) {
    let wanted = json!({ "mail": { "event": true, "payment": true } });
    person.browser.write("userprofile", "update_notification_settings", wanted).await.ok();
}

/// A published event that starts in so many minutes.
pub async fn event(admin: &Browser, title: &str, minutes: i64) -> String {
    let at = |minutes| (Utc::now() + TimeDelta::minutes(minutes)).to_rfc3339_opts(SecondsFormat::Millis, true);
    let fields = json!({ "title": title, "startTime": at(minutes), "endTime": at(minutes + 600) });
    let made = admin.write("event", "create_event", fields).await.ok();
    let id = made["event"]["eventId"].as_str().unwrap().to_owned();
    admin.write("event", "update_event", json!({ "eventId": id, "eventState": "published" })).await.ok();
    id
}

pub async fn signs_up(person: &Person, event: &str) {
    person.browser.write("eventSignUp", "sign_up", json!({ "eventId": event, "userId": person.id })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_goes_to_those_who_asked_once_even_across_a_restart() {
    let (folder, clock) = (TempDir::new().unwrap(), Clock::default());
    let server = Server::with_clock(clock.clone(), in_folder(&folder)).await;
    let (admin, _) = server.admin().await;
    let ada = verified(&server, folder.path(), "ada").await;
    let bob = verified(&server, folder.path(), "bob").await;
    let cid = unverified(&server, "cid").await;
    let dan = verified(&server, folder.path(), "dan").await;
    for person in [&ada, &cid, &dan] {
        wants_letters(person).await;
    }
    let friday = event(&admin, "Friday Night", 120).await;
    let off = event(&admin, "Called Off", 120).await;
    // Bob asked for none, Cid's email is not verified, Dan has not signed up.
    for person in [&ada, &bob, &cid] {
        signs_up(person, &friday).await;
    }
    signs_up(&ada, &off).await;
    tokio::time::sleep(LOOKED).await;
    assert_eq!(letters(folder.path(), "Friday Night").len(), 0, "not yet");
    admin.write("event", "cancel_event", json!({ "eventId": off })).await.ok();
    clock.advance(70 * MINUTE);
    let letter = letters_once(folder.path(), "Friday Night starts at", 1).await.remove(0);
    assert!(letter.contains("To: ada@example.org") && letter.contains("You signed up for it as ada."), "{letter}");
    assert!(letter.contains(&format!("/app/events/view/{friday}")), "{letter}");
    let head = letter.split("\r\n\r\n").next().unwrap();
    assert!(head.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{head}");
    let address = head.lines().find_map(|line| line.strip_prefix("List-Unsubscribe: <")).unwrap().trim_end_matches('>');
    let path = address.strip_prefix(&format!("http://{}", server.address)).unwrap().to_owned();

    // Whoever signs up late is not reminded of what they just did, and nobody twice.
    signs_up(&dan, &friday).await;
    tokio::time::sleep(LOOKED).await;
    server.stop().await;
    let server = Server::with_clock(clock.clone(), in_folder(&folder)).await;
    tokio::time::sleep(LOOKED).await;
    assert_eq!(letters(folder.path(), "Friday Night").len(), 1);
    // Of what was called off, that it was.
    let off = letters(folder.path(), "Called Off");
    assert!(matches!(off.as_slice(), [letter] if !letter.contains("Called Off starts at")), "{off:?}");

    // The link in the letter outlives the server too.
    let stranger = server.fresh_browser();
    let pressed = stranger.send(stranger.bare(reqwest::Method::POST, &path)).await;
    assert_eq!(pressed.status, 200);
    let settings = server.app.store.notification_settings(ada.id.parse().unwrap()).await.unwrap();
    assert!(!settings.mail.event);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_that_was_cut_off_goes_on_behind_those_who_were_told() {
    let (folder, clock) = (TempDir::new().unwrap(), Clock::default());
    let server = Server::with_clock(clock.clone(), in_folder(&folder)).await;
    let (admin, _) = server.admin().await;
    let mut people = vec![];
    for name in ["ada", "bob", "cid"] {
        let person = verified(&server, folder.path(), name).await;
        wants_letters(&person).await;
        people.push(person);
    }
    let friday = event(&admin, "Friday Night", 120).await;
    for person in &people {
        signs_up(person, &friday).await;
    }
    // As a crash leaves it behind: the first was told.
    people.sort_by_key(|person| person.id.parse::<uuid::Uuid>().unwrap());
    let mark = morpion_store::ReminderMark { start: None, after: Some(people[0].id.parse().unwrap()), done: false };
    let kind = morpion_store::ReminderKind::Letter;
    server.app.store.set_reminder_mark(friday.parse().unwrap(), kind, mark, Utc::now()).await.unwrap();
    clock.advance(70 * MINUTE);
    letters_once(folder.path(), "Friday Night", 2).await;
    tokio::time::sleep(LOOKED).await;
    let told = letters(folder.path(), "Friday Night");
    assert_eq!(told.len(), 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pushes_call_to_an_event_before_and_at_its_start() {
    let (folder, clock, service) = (TempDir::new().unwrap(), Clock::default(), StandIn::start().await);
    let server = Server::with_clock(clock.clone(), in_folder(&folder)).await;
    let (admin, _) = server.admin().await;
    let ada = unverified(&server, "ada").await;
    ada.subscribes(&service).await;
    let bob = unverified(&server, "bob").await;
    bob.subscribes(&service).await;
    let friday = event(&admin, "Friday Night", 30).await;
    signs_up(&ada, &friday).await;
    tokio::time::sleep(LOOKED).await;
    assert_eq!(service.pushed().len(), 0);
    clock.advance(21 * MINUTE);
    let soon = service.wait(1).await.remove(0);
    let to = format!("/app/events/view/{friday}");
    assert_eq!(
        soon.message,
        json!({ "title": "Friday Night", "body": "It starts in 9 minutes.", "tag": friday, "to": to })
    );
    assert!(soon.ttl <= 540 && soon.urgency == "high");
    // A restart repeats nothing.
    let session = ada.browser.cookie("morpion_session").unwrap();
    server.stop().await;
    let server = Server::with_clock(clock.clone(), in_folder(&folder)).await;
    tokio::time::sleep(LOOKED).await;
    assert_eq!(service.pushed().len(), 1);
    clock.advance(10 * MINUTE);
    let started = service.wait(2).await.remove(1);
    assert_eq!(
        (&started.message["body"], &started.message["to"]),
        (&json!("It has started. Come and play!"), &json!(to))
    );
    assert_eq!(started.topic, soon.topic);

    // Nobody is called who is there.
    let back = server.fresh_browser();
    back.set_cookie(&format!("morpion_session={session}"));
    back.get("/api/auth/check-login").await.ok();
    let ada = Person { browser: back, id: ada.id };
    let _page = crate::socket::Socket::open(&server, &ada.browser).await;
    let (admin, _) = signed_in_admin(&server).await;
    let saturday = event_at(&admin, "Saturday", clock_offset(&clock) + 5 * MINUTE).await;
    signs_up(&ada, &saturday).await;
    tokio::time::sleep(LOOKED).await;
    assert_eq!(service.pushed().len(), 2);
    server.stop().await;
}

async fn moves(admin: &Browser, event: &str, start: DateTime<Utc>) {
    let text = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Millis, true);
    let end = start + TimeDelta::minutes(600);
    let fields = json!({ "eventId": event, "startTime": text(start), "endTime": text(end) });
    admin.write("event", "update_event", fields).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_later_start_everybody_is_reminded_again_once() {
    let (folder, clock, service) = (TempDir::new().unwrap(), Clock::default(), StandIn::start().await);
    let server = Server::with_clock(clock.clone(), in_folder(&folder)).await;
    let (admin, _) = server.admin().await;
    let ada = verified(&server, folder.path(), "ada").await;
    wants_letters(&ada).await;
    ada.subscribes(&service).await;
    let begun = Utc::now();
    let at = |minutes| begun + TimeDelta::minutes(minutes);
    let friday = event(&admin, "Friday Night", 120).await;
    signs_up(&ada, &friday).await;
    let subject = "Friday Night starts at";
    clock.advance(70 * MINUTE);
    let first = letters_once(folder.path(), subject, 1).await;
    clock.advance(42 * MINUTE);
    service.wait(1).await;

    // From 120 minutes to 240, of which 112 are over.
    moves(&admin, &friday, at(240)).await;
    tokio::time::sleep(LOOKED).await;
    assert_eq!((letters(folder.path(), subject).len(), service.pushed().len()), (1, 2), "only of the move");
    clock.advance(80 * MINUTE);
    let both = letters_once(folder.path(), subject, 2).await;
    let second = both.iter().find(|letter| **letter != first[0]).unwrap();
    let new = at(240).format("Subject: Friday Night starts at %H:%M UTC").to_string();
    assert!(second.contains(&new) && !first[0].contains(&new), "{second}");
    clock.advance(40 * MINUTE);
    let soon = service.wait(3).await.remove(2);
    assert!(soon.message["body"].as_str().unwrap().starts_with("It starts in "), "{soon:?}");

    // Neither a restart nor an earlier start nor the one before again repeats anything.
    server.stop().await;
    let server = Server::with_clock(clock.clone(), in_folder(&folder)).await;
    let (admin, _) = signed_in_admin(&server).await;
    moves(&admin, &friday, at(238)).await;
    tokio::time::sleep(LOOKED).await;
    moves(&admin, &friday, at(240)).await;
    tokio::time::sleep(LOOKED).await;
    assert_eq!((letters(folder.path(), subject).len(), service.pushed().len()), (2, 5), "two more moves");
    server.stop().await;
}

/// How far the test's clock is before the machine's, in milliseconds.
fn clock_offset(clock: &Clock) -> i64 {
    (clock.wall() - Utc::now()).num_milliseconds()
}

async fn event_at(admin: &Browser, title: &str, milliseconds: i64) -> String {
    event(admin, title, milliseconds / MINUTE + 1).await
}

async fn signed_in_admin(server: &Server) -> (Browser, Value) {
    let browser = server.browser().await;
    let credentials = crate::support::credentials("the_admin@example.org", crate::support::PASSWORD);
    let user = browser.post("/api/auth/login", credentials).await.ok();
    (browser, user)
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_not_checked_in_is_asked_when_that_opens_and_before_the_start() {
    let (folder, clock, service) = (TempDir::new().unwrap(), Clock::default(), StandIn::start().await);
    let server = Server::with_clock(clock.clone(), in_folder(&folder)).await;
    let (admin, _) = server.admin().await;
    let ada = verified(&server, folder.path(), "ada").await;
    wants_letters(&ada).await;
    ada.subscribes(&service).await;
    let bob = unverified(&server, "bob").await;
    bob.subscribes(&service).await;
    let cid = unverified(&server, "cid").await;
    let mut page = crate::socket::Socket::open(&server, &cid.browser).await;
    let friday = event(&admin, "Friday Night", 120).await;
    let asks = json!({ "eventId": friday, "checkInMinutes": 30 });
    admin.write("event", "update_event", asks).await.ok();
    for person in [&ada, &bob, &cid] {
        signs_up(person, &friday).await;
    }
    clock.advance(70 * MINUTE);
    let letter = letters_once(folder.path(), "Friday Night starts at", 1).await.remove(0);
    assert!(letter.contains("Check in on its page from "), "{letter}");
    assert_eq!(service.pushed().len(), 0);

    clock.advance(21 * MINUTE);
    let asks = |pushed: &[crate::stand_in::Pushed]| -> Vec<bool> {
        let body = |push: &crate::stand_in::Pushed| push.message["body"].as_str().unwrap().to_owned();
        let mut asks: Vec<bool> =
            pushed.iter().map(body).map(|body| body.starts_with("Check in now. It starts in ")).collect();
        asks.sort_unstable();
        asks
    };
    assert_eq!(asks(&service.wait(2).await), [true, true]);
    let told = page.wait("eventReminder").await;
    assert_eq!(told["checkIn"], true);
    for person in [&ada, &cid] {
        person.browser.write("eventSignUp", "check_in", json!({ "eventId": friday })).await.ok();
    }
    tokio::time::sleep(LOOKED).await;
    assert_eq!(service.pushed().len(), 2, "once");

    // Whoever is here is reminded as ever, and the other one once more.
    clock.advance(20 * MINUTE);
    assert_eq!(asks(&service.wait(4).await[2..]), [false, true]);
    let told = page.wait("eventReminder").await;
    assert_eq!(told["checkIn"], Value::Null);
    server.stop().await;
}
