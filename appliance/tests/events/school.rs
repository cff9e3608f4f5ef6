//! A tournament day of a school that has one address, and of which the configuration says so. Everybody registers, proves an
//! email, signs in at a second device, opens the pages and plays, and nobody is told to wait because of the others.
//!
//! `MORPION_SCHOOL` is the number of people; each has eight open connections in this process.

use std::{
    fs,
    io::ErrorKind,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, future::try_join_all, stream};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::watch,
    time::{sleep, timeout},
};

use crate::{
    fixture::details,
    process::{Account, Process},
    simulation::{BOT_TIMEOUT, Bot, SimulatedEvent, operate},
    socket::Socket,
    support::{Browser, Outcome, PASSWORD, credentials, registration},
};

/// More than an address may have of anything: 60 registrations and guests an hour, 60 sign-ins and 120 websockets a minute, 512
/// connections, 10 codes an hour, 10 wrong passwords.
const PEOPLE: usize = 72;

/// A page opens six connections, and somebody has two pages.
const CONNECTIONS: usize = 7;

/// Who mistypes the password once: every fifth.
const MISTYPED: usize = 5;

/// People who do the same at once: each hashes a password.
const AT_ONCE: usize = 8;

const PATIENCE: Duration = Duration::from_secs(30);

struct Pupil {
    browser: Browser,
    name: String,
    account: Account,
}

fn email(name: &str) -> String {
    format!("{name}@example.org")
}

/// The code in the letter to this recipient.
async fn code_for(folder: &Path, email: &str) -> String {
    let begun = Instant::now();
    let to = format!("To: {email}");
    loop {
        let letters = fs::read_dir(folder.join("outbox")).into_iter().flatten();
        let texts = letters.filter_map(|file| match fs::read_to_string(file.unwrap().path()) {
            // It is being written under another name.
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            text => Some(text.unwrap()),
        });
        let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit());
        let mut own = texts.filter(|text| text.contains(&to));
        let code = own.find_map(|text| text.lines().map(str::trim).find(is_code).map(str::to_owned));
        if let Some(code) = code {
            return code;
        }
        assert!(begun.elapsed() < PATIENCE, "no code for {email}");
        sleep(Duration::from_millis(50)).await;
    }
}

fn account_in(browser: &Browser, answer: &Value) -> Account {
    let cookie = |name| browser.cookie(name).unwrap();
    let id = answer["user"]["userId"].as_str().unwrap().to_owned();
    Account { session: cookie("morpion_session"), xsrf: cookie("XSRF-TOKEN"), id }
}

async fn opened(origin: &str) -> Browser {
    let browser = Browser::at(origin.to_owned());
    browser.get("/api/auth/check-login").await.ok();
    browser
}

/// Registers, and proves the email.
async fn arrives(origin: &str, folder: &Path, number: usize) -> Pupil {
    let (browser, name) = (opened(origin).await, format!("pupil{number}"));
    let answer = browser.post("/api/auth/register", registration(&name)).await.ok();
    browser.post("/api/auth/email/request-code", json!({})).await.ok();
    let code = code_for(folder, &email(&name)).await;
    browser.post("/api/auth/email/verify", json!({ "code": code.parse::<u32>().unwrap() })).await.ok();
    Pupil { account: account_in(&browser, &answer), browser, name }
}

/// Signs in where nobody of the account was before, perhaps at the second try; a guest plays beside.
async fn signs_in_elsewhere(origin: &str, number: usize, pupil: &mut Pupil) {
    let browser = opened(origin).await;
    let email = email(&pupil.name);
    if number.is_multiple_of(MISTYPED) {
        let mistyped = browser.post("/api/auth/login", credentials(&email, "Correct-Hores-7")).await;
        mistyped.fails(401, "wrong-credentials");
    }
    let answer = browser.post("/api/auth/login", credentials(&email, PASSWORD)).await.ok();
    pupil.account = account_in(&browser, &answer);
    pupil.browser = browser;
    opened(origin).await.post("/api/auth/guest", json!({})).await.ok();
}

/// Connections that were each answered, and stay open.
async fn opens_pages(pupil: &Pupil, server: &Process) -> Vec<TcpStream> {
    let connections = (0..CONNECTIONS).map(|_| async {
        let mut stream = TcpStream::connect(server.address).await?;
        stream.write_all(format!("GET /healthz HTTP/1.1\r\nhost: {}\r\n\r\n", server.address).as_bytes()).await?;
        let mut answer = [0; 15];
        stream.read_exact(&mut answer).await?;
        assert_eq!(String::from_utf8_lossy(&answer), "HTTP/1.1 200 OK", "{}", pupil.name);
        std::io::Result::Ok(stream)
    });
    // The page before this one had a websocket too.
    drop(Socket::with_session(server.address, &pupil.account.session).await);
    try_join_all(connections).await.unwrap()
}

async fn signs_up(pupil: &Pupil, event: &str) -> Outcome {
    pupil.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_school_with_one_address_plays_its_tournament() {
    let people = std::env::var("MORPION_SCHOOL").map_or(PEOPLE, |text| text.parse().unwrap());
    let folder = TempDir::new().unwrap();
    let shared = format!("127.0.0.1 = {people}");
    let settings =
        [("MORPION_LIMITS__SHARED_NETWORKS", shared.as_str()), ("MORPION_EVENTS__REQUIRE_VERIFIED_EMAIL", "true")];
    let server = Process::start_with(folder.path(), &settings);
    let origin = format!("http://{}", server.address);
    let act = |resource, action, payload| operate(folder.path(), server.address, resource, action, payload);
    let made = act("event", "create_event", details("Tournament day")).await;
    let event = made["event"]["eventId"].as_str().unwrap().to_owned();
    act("event", "update_event", json!({ "eventId": event, "eventState": "published" })).await;

    let arriving = (0..people).map(|number| arrives(&origin, folder.path(), number));
    let mut pupils: Vec<Pupil> = stream::iter(arriving).buffered(AT_ONCE).collect().await;
    let signing_in = pupils.iter_mut().enumerate();
    let signing_in = signing_in.map(|(number, pupil)| signs_in_elsewhere(&origin, number, pupil));
    stream::iter(signing_in).buffered(AT_ONCE).collect::<Vec<()>>().await;
    let pages: Vec<_> =
        stream::iter(pupils.iter().map(|pupil| opens_pages(pupil, &server))).buffered(AT_ONCE).collect().await;
    let signed_up = stream::iter(pupils.iter().map(|pupil| signs_up(pupil, &event))).buffered(AT_ONCE);
    signed_up.for_each(async |answer| drop(answer.ok())).await;

    act("event", "start_event", json!({ "eventId": event })).await;
    let (_tell, address) = watch::channel(server.address);
    let simulated =
        Arc::new(SimulatedEvent { event: event.clone(), has_queue: true, address, received: Mutex::default() });
    let playing: Vec<_> = pupils
        .into_iter()
        .map(|Pupil { account, .. }| {
            tokio::spawn(Bot { account, game: None, eliminated: false }.take_part(Arc::clone(&simulated)))
        })
        .collect();
    let begun = Instant::now();
    while simulated.received.lock().len() < people / 2 {
        assert!(begun.elapsed() < BOT_TIMEOUT, "{} games were played", simulated.received.lock().len());
        sleep(Duration::from_millis(50)).await;
    }
    act("event", "end_event", json!({ "eventId": event })).await;
    for pupil in playing {
        timeout(BOT_TIMEOUT, pupil).await.expect("somebody is stuck").unwrap();
    }
    drop(pages);
}
