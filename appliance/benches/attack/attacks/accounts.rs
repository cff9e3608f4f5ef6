//! Guessing of codes and passwords from many addresses.

use std::{net::Ipv4Addr, time::Duration};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::{
    arena::{Arena, Outcome, PASSWORD, Tally, hammer, letters},
    wire::Visitor,
};

/// Addresses of those who guess codes.
const ADDRESSES: usize = 40;

/// Accounts that are made with one email.
const CLAIMANTS: usize = 5;

/// Wrong tries that all strangers have together a day, and those that a minute each later allows.
const MOST_TRIES: usize = 20 + 3;

/// Letters with a code to one recipient a day.
const MOST_LETTERS: usize = 10;

/// Where the victims are, and where attackers are whose limits no other attack uses.
const VICTIMS: usize = 6_000;
const STRANGERS: usize = 7_000;

/// How long a letter may be on its way.
const PATIENCE: Duration = Duration::from_secs(10);

fn code_in(letter: &str) -> Option<u32> {
    let mut lines = letter.lines().map(str::trim);
    lines.find(|line| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

/// The code of a new letter, after so many.
async fn next_code(arena: &Arena, email: &str, before: usize) -> anyhow::Result<u32> {
    let begun = Instant::now();
    loop {
        if let Some(letter) = letters(&arena.folder, email)?.get(before..).and_then(<[_]>::last) {
            return code_in(letter).with_context(|| letter.clone());
        }
        ensure!(begun.elapsed() < PATIENCE, "no letter to {email}");
        sleep(Duration::from_millis(50)).await;
    }
}

/// Somebody whose email is verified, at the browser that they use.
async fn owner<'a>(arena: &'a Arena, source: Ipv4Addr, name: &str) -> anyhow::Result<(Visitor<'a>, String)> {
    let email = format!("{name}@example.org");
    let mut owner = Visitor::registered(arena, source, name, &email).await?;
    let before = letters(&arena.folder, &email)?.len();
    owner.post("/api/auth/email/request-code", &json!({})).await?.ok()?;
    let code = next_code(arena, &email, before).await?;
    let answer = owner.post("/api/auth/email/verify", &json!({ "code": code })).await?;
    answer.ok()?;
    owner.takes(&answer);
    Ok((owner, email))
}

/// Guesses codes as people that each have one, from many addresses, and returns how many the server compared. When it
/// compares no more, the right ones do not work either.
async fn guesses(
    arena: &Arena,
    email: &str,
    guessers: &[Visitor<'_>],
    wish: impl Fn(u32) -> (&'static str, Value),
) -> anyhow::Result<(usize, Tally)> {
    let mut tries = 0;
    let ask = |number: usize| {
        let mut guesser = guessers[number % guessers.len()].clone();
        guesser.source = arena.source(STRANGERS + number % ADDRESSES);
        let (path, body) = wish(100_000 + (number as u32 * 7_919) % 900_000);
        async move { guesser.post(path, &body).await }
    };
    let tally = hammer(arena, 50, ask, |answer| {
        ensure!(answer.status == 422 || answer.is_too_many(), "{answer}");
        tries += usize::from(answer.has_code("wrong-code"));
        Ok(())
    })
    .await?;
    ensure!(tries <= MOST_TRIES, "{tries} codes were compared");
    let letters = letters(&arena.folder, email)?;
    ensure!(letters.len() <= MOST_LETTERS, "{} letters to one recipient", letters.len());
    for code in letters.iter().filter_map(|letter| code_in(letter)) {
        for guesser in guessers {
            let (path, body) = wish(code);
            ensure!(guesser.post(path, &body).await?.status != 200, "the right code works after {tries} wrong ones");
        }
    }
    Ok((tries, tally))
}

/// Accounts that are made with somebody else's email, each with a code of its own.
pub async fn verification_codes(arena: &Arena) -> anyhow::Result<Outcome> {
    let email = "elsewhere@example.org";
    let mut claimants = vec![];
    for number in 0..CLAIMANTS {
        let source = arena.source(STRANGERS + number);
        let claimant = Visitor::registered(arena, source, &format!("claimant{number}"), email).await?;
        claimant.post("/api/auth/email/request-code", &json!({})).await?;
        claimants.push(claimant);
    }
    let (tries, tally) =
        guesses(arena, email, &claimants, |code| ("/api/auth/email/verify", json!({ "code": code }))).await?;
    let reached = format!("{tries} of 900,000 codes, by {CLAIMANTS} accounts from {ADDRESSES} addresses");
    Ok(Outcome { reached, refused: tally.to_string() })
}

/// Strangers who ask for codes and guess them; the owner recovers the account all the same.
pub async fn recovery_codes(arena: &Arena) -> anyhow::Result<Outcome> {
    const REQUEST: &str = "/api/auth/api/v1/requestverificationcode";
    const VALIDATE: &str = "/api/auth/api/v1/validate-verification-code";
    let (owner, email) = owner(arena, arena.source(VICTIMS), "recovering").await?;
    let received = letters(&arena.folder, &email)?.len();
    let mut strangers = vec![];
    for number in 0..ADDRESSES {
        let stranger = Visitor::opened(arena, arena.source(STRANGERS + number)).await?;
        stranger.post(REQUEST, &json!({ "email": email })).await?;
        strangers.push(stranger);
    }
    sleep(Duration::from_secs(1)).await;
    // The others have no code: there is nothing to guess.
    strangers.truncate(letters(&arena.folder, &email)?.len() - received);
    ensure!(!strangers.is_empty(), "nobody got a code");
    let wish = |code| (VALIDATE, json!({ "email": email, "code": code }));
    let (tries, tally) = guesses(arena, &email, &strangers, wish).await?;
    let before = letters(&arena.folder, &email)?.len();
    owner.post(REQUEST, &json!({ "email": email })).await?.ok()?;
    let (path, body) = wish(next_code(arena, &email, before).await?);
    owner.post(path, &body).await?.ok().context("the owner is locked out")?;
    let reached = format!("{tries} of 900,000 codes, from {ADDRESSES} addresses; the owner recovers meanwhile");
    Ok(Outcome { reached, refused: tally.to_string() })
}

fn credentials(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password, "isGoogleAccount": false })
}

/// Passwords for one account and for many; the owner signs in all the same.
pub async fn passwords(arena: &Arena) -> anyhow::Result<Outcome> {
    let (mut owner, email) = owner(arena, arena.source(VICTIMS + 1), "guarded").await?;
    owner.post("/api/auth/logout", &json!({})).await?.ok()?;
    owner.takes(&owner.get("/api/auth/check-login").await?);
    let mut strangers = vec![];
    for number in 0..100 {
        strangers.push(Visitor::opened(arena, arena.source(STRANGERS + 100 + number)).await?);
    }
    let mut tries = 0;
    let ask = |number: usize| {
        let others = &arena.account(number).username;
        let target = if number.is_multiple_of(2) { email.clone() } else { format!("{others}@example.org") };
        let wish = credentials(&target, &format!("Wrong-Horse-{number}"));
        let stranger = &strangers[number % strangers.len()];
        async move { stranger.post("/api/auth/login", &wish).await }
    };
    let tally = hammer(arena, 100, ask, |answer| {
        ensure!(answer.status == 401 || answer.is_too_many(), "{answer}");
        tries += usize::from(answer.has_code("wrong-credentials"));
        Ok(())
    })
    .await?;
    let begun = Instant::now();
    let answer = owner.post("/api/auth/login", &credentials(&email, PASSWORD)).await?;
    answer.ok().context("the owner is locked out")?;
    let waited = begun.elapsed();
    let reached = format!(
        "{tries} passwords tried from {} addresses; the owner signs in after {} ms",
        strangers.len(),
        waited.as_millis()
    );
    Ok(Outcome { reached, refused: tally.to_string() })
}
