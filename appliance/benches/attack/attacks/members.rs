//! Members who do too much of what they may do.

use std::{io::Cursor, time::Duration};

use anyhow::{Context, ensure};
use image::{GrayImage, ImageFormat};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::{sleep, timeout},
};

use crate::{
    arena::{Arena, Outcome, hammer},
    socket::{Socket, speaks_tls},
    wire::{Answer, Visitor},
};

/// Invitations a minute and account, by default, and those that come back meanwhile.
const MOST_INVITATIONS: usize = 20 + 6;

/// Offers that were called off, after which there is no further one to the same person, and one that stands.
const MOST_OFFERS: usize = 16 + 1;

/// Invitations a minute that somebody is told of, by default, and those that come back meanwhile.
const MOST_TOLD: usize = 30 + 9;

/// Who invites somebody at once.
const INVITERS: usize = 20;

/// Uploads that arrive or wait.
const PLACES: usize = 64;

/// How long a refusal takes on a busy machine.
const REFUSAL: Duration = Duration::from_secs(2);

/// Exports an hour and account, by default.
const EXPORTS: usize = 2;

fn member(arena: &Arena, number: usize) -> Visitor<'_> {
    Visitor::signed_in(arena, arena.source(number), arena.account(number))
}

fn members(arena: &Arena, count: usize) -> Vec<Visitor<'_>> {
    (0..count).map(|number| member(arena, number)).collect()
}

fn invitation(arena: &Arena, from: usize, to: usize) -> Value {
    let players = json!([{ "userId": arena.account(from).id }, { "userId": arena.account(to).id }]);
    json!({ "players": players, "gameType": "invite" })
}

async fn invite(arena: &Arena, from: usize, to: usize) -> anyhow::Result<Answer> {
    member(arena, from).write("game", "create_game", invitation(arena, from, to)).await
}

async fn open(arena: &Arena, number: usize) -> anyhow::Result<Socket> {
    Socket::open_from(arena.source(number), arena.address, &arena.account(number).cookie()).await
}

/// Many invite one person, who is told of some, and can still invite.
pub async fn invitations(arena: &Arena) -> anyhow::Result<Outcome> {
    let victim = INVITERS;
    let mut socket = open(arena, victim).await?;
    let ask = |number: usize| invite(arena, number % INVITERS, victim);
    let see = |answer: &Answer| {
        ensure!(answer.status == 200 || answer.is_too_many(), "{answer}");
        Ok(())
    };
    let tally = hammer(arena, 100, ask, see).await?;
    let mut told = 0;
    while let Ok(heard) = timeout(Duration::from_secs(1), socket.wait_for("gameInvitation")).await {
        heard?;
        told += 1;
    }
    ensure!(tally.of(200) <= INVITERS * MOST_INVITATIONS, "{tally}");
    ensure!((1..=MOST_TOLD).contains(&told), "the victim was told {told} times");
    invite(arena, victim, 0).await?.ok().context("the victim cannot invite any more")?;
    let reached = format!("{} invitations by {INVITERS} members; one person was told of {told}", tally.of(200));
    Ok(Outcome { reached, refused: tally.to_string() })
}

/// Offers to play again, each withdrawn for the next one.
pub async fn play_again(arena: &Arena) -> anyhow::Result<Outcome> {
    let (a, b) = (INVITERS + 1, INVITERS + 2);
    let game = invite(arena, a, b).await?.ok()?["game"]["gameId"].clone();
    let frame = |event: &str| json!({ "event": event, "data": { "gameId": game } }).to_string();
    let mut sockets = [open(arena, a).await?, open(arena, b).await?];
    for socket in &mut sockets {
        socket.send(&frame("joinGame")).await?;
        socket.wait_for("gameJoined").await?;
    }
    sockets[0].wait_for("gameStarted").await?;
    sockets[1].send(&frame("forfeitGame")).await?;
    sockets[0].wait_for("gameEnd").await?;
    let ask = |_| {
        let (offerer, game) = (member(arena, a), &game);
        async move {
            let answer = offerer.write("game", "play_again", json!({ "gameId": game })).await?;
            if answer.status == 200 {
                let offer = answer.json()?["game"]["gameId"].clone();
                // Two offers at once are one, and the other withdraws it.
                offerer.write("game", "cancel_game", json!({ "gameId": offer })).await?;
            }
            Ok(answer)
        }
    };
    let tally = hammer(arena, 20, ask, |answer| {
        ensure!(answer.status == 200 || answer.is_too_many() || answer.has_code("too-many-offers"), "{answer}");
        Ok(())
    })
    .await?;
    ensure!(tally.of(200) <= MOST_OFFERS && tally.of(409) > 0, "{tally}");
    Ok(Outcome { reached: format!("{} offers to one person", tally.of(200)), refused: tally.to_string() })
}

fn form(file: &[u8]) -> Vec<u8> {
    let head =
        b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"me.png\"\r\nContent-Type: image/png\r\n\r\n";
    [head, file, b"\r\n--x--\r\n"].concat()
}

/// Uploads that begin and go no further, then pictures as large as they may be.
pub async fn uploads(arena: &Arena) -> anyhow::Result<Outcome> {
    const PATH: &str = "/api/backend/profile/image";
    const KIND: &str = "multipart/form-data; boundary=x";
    let mut begun = vec![];
    for uploader in members(arena, 3 * PLACES) {
        let mut stream = uploader.connect().await?;
        let head = format!("{}content-type: {KIND}\r\ncontent-length: 5000000\r\n\r\n", uploader.head("POST", PATH));
        stream.write_all(head.as_bytes()).await?;
        begun.push(stream);
    }
    sleep(REFUSAL).await;
    let mut held = 0;
    for stream in &mut begun {
        held += usize::from(timeout(Duration::from_millis(10), stream.read(&mut [0; 64])).await.is_err());
    }
    ensure!(held == PLACES, "{held} uploads have begun");
    drop(begun);

    // 25 megapixels of one grey, and five megabytes that are no picture.
    let mut picture = Cursor::new(vec![]);
    GrayImage::new(5_000, 4_999).write_to(&mut picture, ImageFormat::Png)?;
    let bodies = [form(&picture.into_inner()), form(&vec![0x55; 5 << 20])];
    let uploaders = members(arena, arena.accounts.len());
    let ask = |number: usize| uploaders[number % uploaders.len()].post_as(KIND, PATH, &bodies[number % 2]);
    let tally = hammer(arena, 20, ask, |answer| {
        ensure!(matches!(answer.status, 200 | 0 | 413 | 415 | 422) || answer.is_too_many(), "{answer}");
        Ok(())
    })
    .await?;
    Ok(Outcome {
        reached: format!("{PLACES} begun at once; {} of {} pictures decoded", tally.of(200), tally.all()),
        refused: tally.to_string(),
    })
}

pub async fn exports(arena: &Arena) -> anyhow::Result<Outcome> {
    let exporters = members(arena, 50);
    let ask = |number: usize| exporters[number % exporters.len()].get("/api/backend/account/export");
    let tally = hammer(arena, 50, ask, |answer| {
        ensure!(answer.status == 200 || answer.is_too_many(), "{answer}");
        Ok(())
    })
    .await?;
    ensure!(tally.of(200) <= EXPORTS * exporters.len(), "{tally}");
    let reached = format!("{} exports of {} accounts", tally.of(200), exporters.len());
    Ok(Outcome { reached, refused: tally.to_string() })
}

/// Searches for much, for nothing, and for what would be costly as a pattern.
pub async fn searches(arena: &Arena) -> anyhow::Result<Outcome> {
    let texts = [
        "pl",
        "player1",
        "%%",
        "(a+)+$",
        ".*.*.*.*x",
        "ＰＬ",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
        "\u{202e}\u{1b}[2J",
    ];
    let searchers = members(arena, 100);
    let ask = |number: usize| {
        let searcher = &searchers[number % searchers.len()];
        let payload = json!({ "text": texts[number % texts.len()], "limit": 50 });
        async move { searcher.read("userprofile", "search_user", &payload).await }
    };
    let tally = hammer(arena, 150, ask, |answer| {
        // With TLS a handshake that takes too long is closed without a word.
        let is_closed = speaks_tls() && answer.status == 0;
        ensure!(matches!(answer.status, 200 | 422) || answer.is_too_many() || is_closed, "{answer}");
        Ok(())
    })
    .await?;
    Ok(Outcome { reached: format!("{} searches answered", tally.of(200)), refused: tally.to_string() })
}
