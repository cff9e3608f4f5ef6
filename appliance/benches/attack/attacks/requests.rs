//! Requests that are too large, too many, or say that they are somebody else's.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::{
    arena::{Arena, Outcome, hammer},
    socket::MORPION,
    wire::Visitor,
};

/// Addresses of the attackers.
const ADDRESSES: usize = 50;

/// A visitor's share of the client records of a day, by default, and a chunk that is being written.
const MOST_RECORDS: u64 = 5_000 + 1_024;

/// What one request of a stranger may write, in each of the three logs.
const MOST_WRITTEN: u64 = 1_024;

fn visitors(arena: &Arena) -> Vec<Visitor<'_>> {
    (0..ADDRESSES).map(|number| Visitor::new(arena, arena.source(number))).collect()
}

async fn opened(arena: &Arena) -> anyhow::Result<Vec<Visitor<'_>>> {
    futures_util::future::try_join_all((0..ADDRESSES).map(|number| Visitor::opened(arena, arena.source(number)))).await
}

pub async fn headers(arena: &Arena) -> anyhow::Result<Outcome> {
    let visitors = visitors(arena);
    let many: String = (0..300).map(|number| format!("x-{number}: y\r\n")).collect();
    let long = format!("x: {}\r\n", "y".repeat(200_000));
    let requests = [many, long].map(|headers| format!("{}{headers}\r\n", visitors[0].head("GET", "/")));
    let ask = |number: usize| visitors[number % ADDRESSES].send(requests[number % 2].as_bytes());
    let tally = hammer(arena, 100, ask, |answer| {
        ensure!(matches!(answer.status, 431 | 0), "{answer}");
        Ok(())
    })
    .await?;
    Ok(Outcome { reached: format!("{} requests", tally.all()), refused: tally.to_string() })
}

pub async fn queries(arena: &Arena) -> anyhow::Result<Outcome> {
    let visitors = visitors(arena);
    let search = "/api/backend/event?action=list_events&payload=";
    let paths = [
        format!("{search}{}", "x".repeat(9_000)),
        format!("/api/{}", "%F0%9F%92%A9".repeat(2_000)),
        // Within the limit, and nested as deep as it goes.
        format!("{search}{}", "[".repeat(7_500)),
        format!("{search}{{\"filter\":{}", "{\"filter\":".repeat(700)),
    ];
    let ask = |number: usize| visitors[number % ADDRESSES].get(&paths[number % paths.len()]);
    let tally = hammer(arena, 100, ask, |answer| {
        ensure!(matches!(answer.status, 400 | 414), "{answer}");
        Ok(())
    })
    .await?;
    Ok(Outcome { reached: format!("{} requests", tally.all()), refused: tally.to_string() })
}

/// Bodies of 58 KiB that would be 60 MB.
pub async fn bombs(arena: &Arena) -> anyhow::Result<Outcome> {
    let visitors = opened(arena).await?;
    let zeros = Command::new("sh").args(["-c", "head -c 60000000 /dev/zero | gzip -9"]).output()?.stdout;
    ensure!(zeros.len() > 10_000, "gzip made {} bytes", zeros.len());
    let requests: Vec<Vec<u8>> = visitors
        .iter()
        .zip(["/api/auth/login", "/api/backend/logger", "/api/auth/register"].into_iter().cycle())
        .map(|(visitor, path)| {
            let head = format!(
                "{}content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n",
                visitor.head("POST", path),
                zeros.len()
            );
            [head.as_bytes(), &zeros].concat()
        })
        .collect();
    let ask = |number: usize| visitors[number % ADDRESSES].send(&requests[number % ADDRESSES]);
    let tally = hammer(arena, 40, ask, |answer| {
        ensure!(matches!(answer.status, 400 | 413 | 415 | 422 | 429), "{answer}");
        Ok(())
    })
    .await?;
    Ok(Outcome { reached: format!("{} bodies, none unpacked", tally.all()), refused: tally.to_string() })
}

/// The bytes of all log files.
fn written(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = fs::metadata(folder.join("stderr"))?.len();
    for file in fs::read_dir(folder.join("logs"))? {
        bytes += file?.metadata()?.len();
    }
    Ok(bytes)
}

async fn records(operator: &Visitor<'_>, filter: Value) -> anyhow::Result<u64> {
    let payload = json!({ "filter": filter, "limit": 1 });
    let answer = operator.reads_as_operator("logger", "getLogs", &payload).await?;
    answer["data"]["pagination"]["totalCount"].as_u64().with_context(|| answer.to_string())
}

pub async fn log_records(arena: &Arena) -> anyhow::Result<Outcome> {
    let visitors = opened(arena).await?;
    let operator = &visitors[0];
    let message =
        json!({ "level": "error", "message": "\u{1b}]52;c;AAAA\u{7}\n".repeat(300), "stack": "s".repeat(800) });
    let body = json!({ "action": "bulkLog", "payload": { "messages": vec![message; 8] } });
    let before = written(&arena.folder)?;
    let servers = records(operator, json!({ "service": "app" })).await?;
    let ask = |number: usize| visitors[number % ADDRESSES].post("/api/backend/logger", &body);
    let tally = hammer(arena, 100, ask, |answer| {
        ensure!(answer.status == 200 || answer.is_too_many(), "{answer}");
        Ok(())
    })
    .await?;
    let each = (written(&arena.folder)? - before) / tally.all() as u64;
    let kept = records(operator, json!({ "service": "webapp" })).await?;
    ensure!(kept <= MOST_RECORDS, "{kept} records of visitors are kept");
    ensure!(each <= 2 * MOST_WRITTEN, "a request wrote {each} bytes");
    ensure!(records(operator, json!({ "service": "app" })).await? >= servers, "records of the server are gone");
    let reached = format!("{} requests; {each} B of log each; {kept} records", tally.all());
    Ok(Outcome { reached, refused: tally.to_string() })
}

pub async fn scans(arena: &Arena) -> anyhow::Result<Outcome> {
    let visitors = visitors(arena);
    let before = written(&arena.folder)?;
    let ask = |number: usize| {
        let visitor = &visitors[number % ADDRESSES];
        async move { visitor.get(&format!("/api/{}/backup-{number}.zip", "%0a".repeat(500))).await }
    };
    let tally = hammer(arena, 200, ask, |answer| {
        ensure!(answer.status == 404, "{answer}");
        Ok(())
    })
    .await?;
    let bytes = written(&arena.folder)? - before;
    // A line for each address, and for what the others do besides.
    ensure!(bytes < 400 << 10, "a scan wrote {bytes} bytes");
    Ok(Outcome { reached: format!("{} requests; {} KiB of log", tally.all(), bytes >> 10), refused: tally.to_string() })
}

/// What a page of another site can have a browser send, and what it cannot read.
pub async fn other_sites(arena: &Arena) -> anyhow::Result<Outcome> {
    let account = |number| Visitor::signed_in(arena, arena.source(number), arena.account(number));
    let victims: Vec<Visitor<'_>> = (0..ADDRESSES).map(account).collect();
    let host = arena.address;
    let own = format!("http://{host}");
    let upgrade = "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let requests: Vec<String> = victims
        .iter()
        .flat_map(|victim| {
            let socket = victim.head("GET", MORPION).replace("connection: close", "connection: upgrade, close");
            let write = victim.head("POST", "/api/auth/logout");
            [
                format!("{}{upgrade}\r\n", socket.replace(&own, "https://evil.example")),
                format!("{}{upgrade}\r\n", socket.replace(&own, "null")),
                format!("{}{upgrade}\r\n", socket.replace(&format!("host: {host}"), "host: evil.example")),
                format!("{}content-length: 0\r\n\r\n", write.replace(&own, "https://evil.example")),
                format!("{}content-length: 0\r\n\r\n", write.replace("x-xsrf-token: ", "x-xsrf-token: forged")),
                format!(
                    "{}\r\n",
                    victim.head("GET", "/api/auth/check-login").replace(&format!("host: {host}"), "host: evil.example")
                ),
            ]
        })
        .collect();
    let ask = |number: usize| victims[number % ADDRESSES].send(requests[number % requests.len()].as_bytes());
    let tally = hammer(arena, 100, ask, |answer| {
        ensure!((400..500).contains(&answer.status), "{answer}");
        Ok(())
    })
    .await?;
    for victim in &victims {
        let answer = victim.get("/api/auth/check-login").await?.ok()?;
        ensure!(answer["isLogIn"] == true, "another site signed somebody out");
    }
    Ok(Outcome { reached: format!("{} requests, none obeyed", tally.all()), refused: tally.to_string() })
}

/// Says with every request that it comes from elsewhere.
pub async fn forwarded(arena: &Arena) -> anyhow::Result<Outcome> {
    // Not one of the addresses of other attacks, whose limits it would share.
    let visitor = Visitor::opened(arena, arena.source(5_000)).await?;
    let head = visitor.head("POST", "/api/auth/guest");
    let ask = |number: usize| {
        let from = format!("198.51.{}.{}", number / 250 % 250, number % 250);
        let request = format!(
            "{head}x-forwarded-for: {from}\r\nx-real-ip: {from}\r\nforwarded: for={from}\r\n\
             content-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}"
        );
        let visitor = &visitor;
        async move { visitor.send(request.as_bytes()).await }
    };
    let tally = hammer(arena, 20, ask, |answer| {
        ensure!(matches!(answer.status, 200 | 401 | 403 | 409) || answer.is_too_many(), "{answer}");
        Ok(())
    })
    .await?;
    ensure!(tally.of(200) <= 60 && tally.of(429) > 0, "{tally}");
    Ok(Outcome { reached: format!("{} guests of one address", tally.of(200)), refused: tally.to_string() })
}
