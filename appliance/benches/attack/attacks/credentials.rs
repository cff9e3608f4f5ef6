//! Credentials that are forged, or that are no longer good.

use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::{
    arena::{Arena, Outcome, hammer},
    socket::{MORPION, Socket, open_from},
    wire::{Visitor, path_of},
};

/// Who tries old credentials at a time.
const AT_ONCE: usize = 10;

/// The accounts of this attack, which are signed out by it, begin here.
const FIRST: usize = 150;

/// How long a socket may live on.
const LONGEST: Duration = Duration::from_secs(6);

const SIGNED_OUT: u16 = 4001;

/// Waits until the server closes the socket, and returns how long it took.
async fn closed(socket: &mut Socket) -> anyhow::Result<Duration> {
    let begun = Instant::now();
    let code = timeout(LONGEST, socket.close_code()).await.context("the socket is still open")?;
    ensure!(code == Some(SIGNED_OUT), "closed with {code:?}");
    Ok(begun.elapsed())
}

async fn is_refused(arena: &Arena, header: &str) -> anyhow::Result<()> {
    let stream = open_from(arena.source(FIRST), arena.address).await?;
    let opened = Socket::over(stream, arena.address, MORPION, header).await;
    ensure!(opened.is_err(), "a socket was opened with {}", header.split(':').next().unwrap_or_default());
    Ok(())
}

/// A session is signed out, and goes on trying.
async fn session(arena: &Arena, number: usize) -> anyhow::Result<Duration> {
    let account = arena.account(number);
    let visitor = Visitor::signed_in(arena, arena.source(number), account);
    let mut socket = Socket::open_from(visitor.source, arena.address, &account.cookie()).await?;
    visitor.post("/api/auth/logout", &json!({})).await?.ok()?;
    let took = closed(&mut socket).await?;
    ensure!(visitor.get("/api/auth/check-login").await?.ok()?["isLogIn"] == false, "the cookie is still good");
    for path in ["/api/auth/sessions", "/api/backend/account/export"] {
        let answer = visitor.get(path).await?;
        ensure!(answer.status == 401, "{path}: {answer}");
    }
    let answer = visitor.write("game", "create_game", json!({ "players": [], "gameType": "invite" })).await?;
    ensure!(matches!(answer.status, 401 | 403), "{answer}");
    is_refused(arena, &format!("cookie: {}\r\n", visitor.cookie())).await?;
    Ok(took)
}

/// An operator token is revoked while it follows the log, and goes on trying.
async fn token(arena: &Arena, number: usize) -> anyhow::Result<Duration> {
    let visitor = Visitor::new(arena, arena.source(number));
    let wish = json!({ "name": format!("lost {number}"), "scope": "read", "expiresInDays": 1 });
    let made = visitor.writes_as_operator("admin", "create_token", wish).await?;
    let token = made["token"].as_str().context("no token")?;
    let header = format!("authorization: Bearer {token}\r\n");
    let stream = open_from(visitor.source, arena.address).await?;
    let mut socket = Socket::over(stream, arena.address, MORPION, &header).await?;
    socket.send(r#"{"event":"subscribeLogs","data":{},"id":"follow"}"#).await?;
    socket.wait_for(r#""event":"ack""#).await?;
    visitor.writes_as_operator("admin", "revoke_token", json!({ "tokenId": made["tokenId"] })).await?;
    let took = closed(&mut socket).await?;
    let path = path_of("admin", "overview", &json!({}));
    let answer = visitor.with_token(token, "GET", &path, "").await?;
    ensure!(answer.status == 401, "{answer}");
    is_refused(arena, &header).await?;
    Ok(took)
}

pub async fn ended(arena: &Arena) -> anyhow::Result<Outcome> {
    let until = arena.until();
    let rounds = (0..AT_ONCE).map(|first| async move {
        let mut took = vec![];
        for number in (FIRST + first..arena.accounts.len()).step_by(AT_ONCE) {
            took.push(session(arena, number).await?);
            took.push(token(arena, number).await?);
            if Instant::now() > until {
                break;
            }
        }
        anyhow::Ok(took)
    });
    let took: Vec<Duration> = futures_util::future::try_join_all(rounds).await?.into_iter().flatten().collect();
    let longest = took.iter().max().copied().unwrap_or_default();
    Ok(Outcome {
        reached: format!("{} sessions and as many operator tokens, good for nothing after their end", took.len() / 2),
        refused: format!("401; sockets closed with {SIGNED_OUT} within {:.1} s", longest.as_secs_f64()),
    })
}

/// Sessions and tokens that were never given.
pub async fn forged(arena: &Arena) -> anyhow::Result<Outcome> {
    let strangers: Vec<Visitor<'_>> = (0..50).map(|number| Visitor::new(arena, arena.source(number))).collect();
    let path = path_of("admin", "overview", &json!({}));
    let ask = |number: usize| {
        let (stranger, path) = (&strangers[number % strangers.len()], &path);
        let forged = format!("{number:064x}");
        async move {
            if number.is_multiple_of(2) {
                return stranger.with_token(&forged, "GET", path, "").await;
            }
            let request = stranger.head("GET", path).replace("cookie: ", &format!("cookie: morpion_session={forged}"));
            stranger.send(format!("{request}\r\n").as_bytes()).await
        }
    };
    let tally = hammer(arena, 150, ask, |answer| {
        ensure!(answer.status == 401 || answer.is_too_many(), "{answer}");
        Ok(())
    })
    .await?;
    Ok(Outcome { reached: format!("{} requests, none obeyed", tally.all()), refused: tally.to_string() })
}
