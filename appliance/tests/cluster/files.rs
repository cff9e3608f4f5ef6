//! Files that come out and lists that go in: the same at every node, also after a takeover, and never half of a file that
//! looks whole.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

use crate::{
    client::Caller,
    cluster::{Cluster, NAMES},
    http2_frames::{END_HEADERS, END_STREAM, HEADERS, Method as FrameMethod, RST_STREAM, frame, head},
    site::Site,
    socket::{Heard, Socket},
    support::Browser,
    unread::{asks_and_does_not_read, has_content},
};

const EXPORT: &str = "/api/backend/game/export_games";

/// Whoever exports and plays here does so more often than people do.
const UNLIMITED: &str = "limits.game_exports_per_hour = 1000000\nlimits.invites_per_minute = 1000000\n\
     limits.invitations_received_per_minute = 1000000\nrealtime.frames_per_second = 100000\n\
     events.round_pause = \"100ms\"\n";

const PATIENCE: Duration = Duration::from_secs(60);

/// What has to be the same at every node besides the bytes.
const COMPARED: [&str; 7] = [
    "content-type",
    "content-disposition",
    "cache-control",
    "content-security-policy",
    "x-content-type-options",
    "vary",
    "x-frame-options",
];

#[derive(Debug, PartialEq)]
struct File {
    status: u16,
    headers: [Option<String>; COMPARED.len()],
    bytes: Vec<u8>,
}

/// `None`: there is no answer, or it breaks off.
async fn file(browser: &Browser, path: &str) -> Option<File> {
    let answer = browser.request(Method::GET, path).send().await.ok()?;
    let headers = COMPARED.map(|name| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned()));
    Some(File { status: answer.status().as_u16(), headers, bytes: answer.bytes().await.ok()?.to_vec() })
}

async fn whole_file(browser: &Browser, path: &str) -> File {
    let file = file(browser, path).await.unwrap_or_else(|| panic!("{path} breaks off"));
    assert_eq!(file.status, 200, "{path}: {}", String::from_utf8_lossy(&file.bytes));
    file
}

async fn whole_files(browser: &Browser, paths: &[String]) -> Vec<File> {
    let mut files = vec![];
    for path in paths {
        files.push(whole_file(browser, path).await);
    }
    files
}

/// Two who play at two nodes.
pub struct Pair {
    pub browsers: [Browser; 2],
    pub ids: [String; 2],
    sockets: [Socket; 2],
}

impl Pair {
    pub async fn meets(site: &Site, nodes: [usize; 2]) -> Self {
        let (ada, one) = site.registered(nodes[0], "ada").await;
        let (bob, other) = site.registered(nodes[1], "bob").await;
        let ids = [one, other].map(|user| user["userId"].as_str().unwrap().to_owned());
        let sockets = [site.socket(&ada, nodes[0]).await, site.socket(&bob, nodes[1]).await];
        Self { browsers: [ada, bob], ids, sockets }
    }

    async fn say(&mut self, player: usize, event: &str, data: Value) {
        assert!(self.sockets[player].say(json!({ "event": event, "data": data })).await, "{event}");
    }

    /// The data of the next such frame of both, as the first one gets it; of this game, if one is named.
    async fn hear(&mut self, event: &str, game: &Value) -> Value {
        let mut first = Value::Null;
        for socket in self.sockets.iter_mut().rev() {
            first = next(socket, event, game).await;
        }
        first
    }

    async fn opens(&mut self, game: &Value) -> Value {
        for player in 0..2 {
            self.say(player, "joinGame", json!({ "gameId": game })).await;
        }
        self.hear("gameStarted", game).await["gameState"].clone()
    }

    /// A game of a single move, which is over.
    pub async fn forfeits(&mut self) -> Value {
        let [ada, bob] = &self.ids;
        let invite = json!({
            "players": [{ "userId": ada }, { "userId": bob }], "gameType": "invite", "boardSize": 3, "notify": false,
        });
        let game = self.browsers[0].write("game", "create_game", invite).await.ok()["game"]["gameId"].clone();
        let turn = self.opens(&game).await["currentTurn"].clone();
        let mover = usize::from(turn != self.ids[0].as_str());
        self.say(mover, "makeMove", json!({ "gameId": game, "row": 1, "col": 1 })).await;
        self.say(mover, "forfeitGame", json!({ "gameId": game })).await;
        self.hear("gameEnd", &game).await;
        for player in 0..2 {
            self.say(player, "leaveGameRoom", json!({ "gameId": game })).await;
        }
        game
    }

    /// Plays the game of a round, which whoever begins wins.
    async fn plays(&mut self, event: &Value) {
        for player in 0..2 {
            let room = json!({ "eventId": event, "userId": self.ids[player] });
            self.say(player, "joinEventRoom", room).await;
        }
        let game = self.hear("playerFound", &Value::Null).await["gameId"].clone();
        let turn = self.opens(&game).await["currentTurn"].clone();
        let starter = usize::from(turn != self.ids[0].as_str());
        for (number, (row, col)) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)].into_iter().enumerate() {
            let player = (starter + number) % 2;
            self.say(player, "makeMove", json!({ "gameId": game, "row": row, "col": col })).await;
            self.hear("moveUpdate", &game).await;
        }
        self.hear("gameEnd", &game).await;
    }
}

async fn next(socket: &mut Socket, event: &str, game: &Value) -> Value {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let Heard::Frame(frame) = socket.hear(PATIENCE).await else { break };
        let data = &frame["data"];
        let is_of_game = game.is_null() || [&data["gameId"], &data["gameState"]["gameId"]].contains(&game);
        if frame["event"] == event && is_of_game {
            return data.clone();
        }
    }
    panic!("no {event}");
}

/// An event of two hours to come that is not published.
pub async fn drafted(site: &Site, node: usize, more: &Value) -> Value {
    let in_hours = |hours| (chrono::Utc::now() + chrono::TimeDelta::hours(hours)).to_rfc3339();
    let mut fields = json!({ "title": "Garden Cup", "startTime": in_hours(1), "endTime": in_hours(2) });
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = site.operate_on(node, "event", "create_event", fields).await;
    made["event"]["eventId"].clone()
}

pub async fn published(site: &Site, node: usize, more: &Value) -> Value {
    let event = drafted(site, node, more).await;
    let change = json!({ "eventId": event, "eventState": "published" });
    site.operate_on(node, "event", "update_event", change).await;
    event
}

async fn read_event(browser: &Browser, event: &Value) -> Value {
    browser.read("event", "get_event_by_id", json!({ "eventId": event })).await.ok()["event"].clone()
}

async fn import(site: &Site, node: usize, event: &Value, list: &str, preview: bool) -> Value {
    let wish = json!({ "eventId": event, "csv": list, "preview": preview });
    site.operate_on(node, "player", "import_players", wish).await
}

/// As [`import`], sent again until it is answered: a long list takes a while where others use the machine, too.
async fn import_at_last(site: &Site, node: usize, event: &Value, list: &str) -> Value {
    let (token, node) = (site.cluster.nodes[site.leader].token().unwrap(), site.cluster.nodes[node].address);
    let begun = Instant::now();
    loop {
        let wish = json!({ "eventId": event, "csv": list, "preview": false });
        let answer = site.cluster.http.write(node, Caller::Operator(&token), "player", "import_players", wish).await;
        match answer {
            Some(answer) if answer.status == StatusCode::OK => return answer.body,
            _ => assert!(begun.elapsed() < PATIENCE, "the list is not taken"),
        }
    }
}

fn statuses(answer: &Value) -> Vec<&str> {
    answer["players"].as_array().unwrap().iter().map(|line| line["status"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_the_same_at_every_node_and_after_a_takeover() {
    let mut site = Site::open(Cluster::start_with(UNLIMITED).await).await;
    let [one, other] = site.followers();
    let mut pair = Pair::meets(&site, [one, other]).await;
    pair.forfeits().await;
    let swiss = json!({ "format": "swiss", "rounds": 1, "matchGames": 1, "boardSize": 3 });
    let event = published(&site, one, &swiss).await;
    let list = "username\nada\nbob\n";
    for node in site.running() {
        let seen = import(&site, node, &event, list, true).await;
        assert_eq!((statuses(&seen), &seen["added"]), (vec!["found", "found"], &json!(0)));
    }
    assert_eq!(read_event(&pair.browsers[0], &event).await["signupCount"], 0);
    let done = import(&site, other, &event, list, false).await;
    assert_eq!((statuses(&done), &done["added"]), (vec!["added", "added"], &json!(2)));
    site.operate_on(one, "event", "start_event", json!({ "eventId": event })).await;
    pair.plays(&event).await;
    let begun = Instant::now();
    while read_event(&pair.browsers[0], &event).await["concluded"] != true {
        assert!(begun.elapsed() < PATIENCE, "the event does not end");
        sleep(Duration::from_millis(50)).await;
    }

    let id = event.as_str().unwrap();
    let tables = ["standings.csv", "results.csv", "swiss.trf"].map(|name| format!("/api/backend/events/{id}/{name}"));
    let exports = ["", "?format=notation"].map(|query| format!("{EXPORT}{query}"));
    let of_event = ["ndjson", "notation"].map(|format| format!("{EXPORT}?eventId={id}&format={format}"));
    let paths = [&tables[..], &exports, &of_event].concat();
    // Ratings are stored a moment after the game, and are in the texts then.
    let reader = site.at(&pair.browsers[0], site.leader);
    let mut files = whole_files(&reader, &paths).await;
    loop {
        sleep(Duration::from_millis(500)).await;
        let again = whole_files(&reader, &paths).await;
        if again == files {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "the files keep changing");
        files = again;
    }
    let lines = |at: usize| files[at].bytes.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!((lines(3), lines(5)), (2, 1), "both games, and the one of the event");
    assert!(files.iter().all(|file| {
        let [kind, disposition, cache, ..] = &file.headers;
        let is_named = disposition.as_ref().is_some_and(|value| value.starts_with("attachment; filename=\""));
        kind.is_some() && is_named && cache.as_deref() == Some("no-store")
    }));
    let compressed = async |node: usize| {
        let request = site.at(&reader, node).request(Method::GET, &paths[0]).header("accept-encoding", "gzip");
        let answer = request.send().await.unwrap();
        answer.headers().get("content-encoding").map(|value| value.to_str().unwrap().to_owned())
    };
    for node in site.running() {
        assert_eq!(whole_files(&site.at(&reader, node), &paths).await, files);
        assert_eq!(compressed(node).await.as_deref(), Some("gzip"));
    }

    site.loses_its_leader().await;
    for node in site.running() {
        assert_eq!(whole_files(&site.at(&reader, node), &paths).await, files);
        // They are for whoever is signed in.
        let visitor = site.visitor(node).await;
        for path in &paths {
            visitor.get(path).await.fails(401, "not-signed-in");
        }
    }
}

/// More than four pages of an export: what is read ahead of a client, and the last one.
const GAMES: usize = 350;

/// Between a try that failed and the next one.
const PAUSE: Duration = Duration::from_millis(20);

const DATA: u8 = 0;
const WINDOW_UPDATE: u8 = 8;

/// Asks for one's games by HTTP/2 and reads no more than the head of the answer.
async fn unread_export(site: &Site, node: usize, token: &str) -> TcpStream {
    let node = site.cluster.nodes[node].address;
    let mut connection = asks_and_does_not_read(node, EXPORT, 0).await;
    let bearer = format!("Bearer {token}");
    let head = head(node, FrameMethod::Get, EXPORT, &[("authorization", bearer.as_str())]);
    connection.write_all(&frame(HEADERS, END_HEADERS | END_STREAM, 1, &head)).await.unwrap();
    assert!(timeout(PATIENCE, has_content(&mut connection)).await.expect("there is no answer").unwrap());
    connection
}

/// Reads the rest; returns how many bytes came if the answer ended properly.
async fn rest_of(mut connection: TcpStream) -> Option<usize> {
    for stream in [0, 1] {
        let more = frame(WINDOW_UPDATE, 0, stream, &(1_u32 << 30).to_be_bytes());
        connection.write_all(&more).await.ok()?;
    }
    let mut received = 0;
    loop {
        let mut start = [0; 9];
        connection.read_exact(&mut start).await.ok()?;
        let [_, high, low, kind, flags, ..] = start;
        let length = usize::from(u16::from_be_bytes([high, low]));
        connection.read_exact(&mut vec![0; length]).await.ok()?;
        match kind {
            DATA => {
                received += length;
                if flags & END_STREAM != 0 {
                    return Some(received);
                }
            }
            RST_STREAM => return None,
            _ => {}
        }
    }
}

/// Exports through a node until told to stop: what does not break off is whole, and the same as ever.
async fn keeps_reading(browser: Browser, whole: &[u8], until: &(impl Fn() -> bool + Sync)) -> usize {
    let mut read = 0;
    while !until() {
        let Some(file) = file(&browser, EXPORT).await else {
            sleep(PAUSE).await;
            continue;
        };
        match file.status {
            200 => {
                assert!(file.bytes == whole, "{} bytes instead of {}", file.bytes.len(), whole.len());
                read += 1;
            }
            // The export before may have its place for a moment longer; and meanwhile nobody leads.
            429 | 503 => sleep(PAUSE).await,
            status => panic!("{status}: {}", String::from_utf8_lossy(&file.bytes)),
        }
    }
    read
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_breaks_off_when_its_server_leads_no_longer() {
    let mut site = Site::open(Cluster::start_with(UNLIMITED).await).await;
    let [one, other] = site.followers();
    let mut pair = Pair::meets(&site, [site.leader, site.leader]).await;
    for _ in 0..GAMES {
        pair.forfeits().await;
    }
    let [ada, bob] = pair.browsers.clone();
    let wholes = [whole_file(&ada, EXPORT).await.bytes, whole_file(&bob, EXPORT).await.bytes];
    let made = ada.post("/api/auth/tokens", json!({ "name": "files", "scopes": ["read"] })).await.ok();
    let token = made["token"].as_str().unwrap();

    // Whoever reads late gets all of it.
    let unread = unread_export(&site, site.leader, token).await;
    assert_eq!(timeout(PATIENCE, rest_of(unread)).await.unwrap(), Some(wholes[0].len()));

    // The leader stands still until another node leads: what it has not read by then it tells nobody.
    let unread = unread_export(&site, site.leader, token).await;
    let stopped = site.leader;
    site.cluster.nodes[stopped].signal("-STOP");
    site.leader = site.cluster.until_led().await;
    assert_ne!(site.leader, stopped);
    site.cluster.nodes[stopped].signal("-CONT");
    assert_eq!(timeout(PATIENCE, rest_of(unread)).await.unwrap(), None);
    site.cluster.until_ready().await.unwrap();
    site.leader = site.cluster.until_complete().await;

    // A leader is killed while its exports and those of a follower go on.
    let killed = site.leader;
    let nodes = [killed, if killed == one { other } else { one }];
    let is_over = AtomicBool::new(false);
    let until = || is_over.load(Ordering::Relaxed);
    let readers = [&ada, &bob].into_iter().zip(nodes).zip(&wholes);
    let reading =
        join_all(readers.map(|((browser, node), whole)| keeps_reading(site.at(browser, node), whole, &until)));
    let killing = async {
        sleep(Duration::from_secs(1)).await;
        site.cluster.nodes[killed].kill();
        site.cluster.until_ready().await.unwrap();
        assert_ne!(site.cluster.until_led().await, killed);
        sleep(Duration::from_secs(1)).await;
        is_over.store(true, Ordering::Relaxed);
    };
    let (read, ()) = tokio::join!(reading, killing);
    assert!(read.iter().all(|count| *count > 0), "{read:?}");
    for node in site.running() {
        for (browser, whole) in [&ada, &bob].into_iter().zip(&wholes) {
            assert!(whole_file(&site.at(browser, node), EXPORT).await.bytes == *whole);
        }
    }
}

/// Names of a list that takes a while.
const LISTED: usize = 30;

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_was_being_taken_when_its_server_was_lost_is_taken_once() {
    let mut site = Site::open(Cluster::start_with(UNLIMITED).await).await;
    let [one, other] = site.followers();
    let names: Vec<_> = (0..LISTED).map(|number| format!("listed{number}")).collect();
    for (number, name) in names.iter().enumerate() {
        site.registered(number % NAMES.len(), name).await;
    }
    let event = published(&site, one, &json!({})).await;
    let list = names.join("\n");
    let visitor = site.visitor(other).await;

    let taking = {
        let (http, node) = (site.cluster.http.clone(), site.cluster.nodes[one].address);
        let token = site.cluster.nodes[site.leader].token().unwrap();
        let wish = json!({ "eventId": event, "csv": list });
        tokio::spawn(async move {
            let caller = Caller::Operator(&token);
            http.write(node, caller, "player", "import_players", wish).await.map(|answer| answer.status)
        })
    };
    let begun = Instant::now();
    while read_event(&visitor, &event).await["signupCount"] == 0 {
        assert!(begun.elapsed() < PATIENCE, "nobody is signed up");
        sleep(Duration::from_millis(5)).await;
    }
    site.loses_its_leader().await;
    println!("the list was answered {:?}", taking.await.unwrap());

    // Whoever sent it sends it again.
    let again = import_at_last(&site, one, &event, &list).await;
    let count = |word: &str| statuses(&again).iter().filter(|status| **status == word).count();
    let (added, known) = (count("added"), count("alreadyIn"));
    println!("{known} of {LISTED} were signed up before");
    assert!(known > 0, "what was acknowledged is lost");
    assert_eq!((added + known, &again["complete"]), (LISTED, &json!(true)), "{again}");
    for node in site.running() {
        let once_more = import_at_last(&site, node, &event, &list).await;
        assert_eq!((&once_more["added"], &once_more["complete"]), (&json!(0), &json!(true)));
        assert_eq!(read_event(&site.at(&visitor, node), &event).await["signupCount"], LISTED);
    }
    let (token, node) = (site.cluster.nodes[site.leader].token().unwrap(), site.cluster.nodes[site.leader].address);
    let caller = Caller::Operator(&token);
    let trail = site.cluster.http.read(node, caller, "admin", "list_audit", json!({ "limit": 100 })).await.unwrap();
    let entries = trail.body["entries"].as_array().unwrap().iter();
    assert_eq!(entries.filter(|entry| entry["action"] == "create_player").count(), LISTED);
}
