//! Exports of games: one's own and those of an event, as lines of JSON and as text with tags.

use std::{collections::HashSet, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use morpion_appliance::play::record::{Checkpoint, Meta};
use morpion_rules::{
    BoardSize, Command, EventId, Game, GameId, Mark, Millis, UserId,
    clock::TimeControl,
    game::{InviteSetup, Player},
    notation::Notation,
};
use morpion_store::{DELETED_NAME, EndedGames};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use uuid::Uuid;

use crate::{
    fixture::{Fixture, details},
    person::{Person, draw, paired, started, win},
    stages::{begun, next_game, people, play, stages},
    support::{Browser, Outcome, registration},
};

const PATH: &str = "/api/backend/game/export_games";

async fn export(browser: &Browser, query: &[(&str, &str)]) -> Response {
    let answer = browser.request(Method::GET, PATH).query(query).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{query:?}: {}", answer.text().await.unwrap());
    answer
}

async fn refused(browser: &Browser, query: &[(&str, &str)]) -> Outcome {
    browser.send(browser.request(Method::GET, PATH).query(query)).await
}

async fn lines(browser: &Browser, query: &[(&str, &str)]) -> Vec<Value> {
    let text = export(browser, query).await.text().await.unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn texts(browser: &Browser, query: &[(&str, &str)]) -> Vec<Notation> {
    let query = [query, &[("format", "notation")]].concat();
    Notation::parse_all(&export(browser, &query).await.text().await.unwrap()).unwrap()
}

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers()[name].to_str().unwrap()
}

async fn fixture() -> Fixture {
    Fixture::with(|config| {
        config.events.round_pause = Duration::from_millis(50);
        config.limits.game_exports_per_hour = 1_000.try_into().unwrap();
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_and_its_players_have_their_games_as_files() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await);
    let cup = fixture.published(details("The \"Cup\"")).await;
    for person in [&ada, &bob] {
        person.browser.write("eventSignUp", "sign_up", json!({ "eventId": cup })).await.ok();
    }
    fixture.act("start_event", &cup).await;
    let game = paired(&mut ada, &mut bob, &cup).await;
    let state = started(&mut ada, &mut bob, &game).await;
    assert_eq!(lines(&ada.browser, &[]).await, [] as [Value; 0], "a live game is not exported");
    let next = draw(&mut ada, &mut bob, &game, &state).await;
    win(&mut ada, &mut bob, &game, &next["newGameState"]).await;

    // It was stored before the export began, however short ago it ended.
    let own = lines(&ada.browser, &[]).await;
    let replay = ada.browser.read("game", "get_replay", json!({ "gameId": game })).await.ok();
    assert_eq!(own, [replay["replay"].clone()]);
    assert_eq!((&own[0]["clock"], own[0]["rated"].is_boolean()), (&json!("turn15"), true));
    for reader in [&bob.browser, &fixture.admin] {
        assert_eq!(lines(reader, &[("eventId", &cup)]).await, own);
    }
    let file = export(&ada.browser, &[("format", "ndjson")]).await;
    assert_eq!(header(&file, "content-type"), "application/x-ndjson");
    assert_eq!(header(&file, "content-disposition"), "attachment; filename=\"morpion-games.ndjson\"");
    assert_eq!(header(&file, "cache-control"), "no-store");
    let file = export(&bob.browser, &[("format", "notation"), ("eventId", &cup)]).await;
    assert_eq!(header(&file, "content-type"), "text/plain; charset=utf-8");
    let name = format!("attachment; filename=\"morpion-games-event-{cup}.txt\"");
    assert_eq!(header(&file, "content-disposition"), name);
    let text = file.text().await.unwrap();
    assert_eq!(text, format!("{}\n", replay["notation"].as_str().unwrap()), "one writer for both");

    let [noted] = texts(&ada.browser, &[]).await.try_into().unwrap();
    let values = ["Event", "X", "O", "Reason", "Rounds", "TimeControl", "GameId", "Round"].map(|tag| noted.value(tag));
    let [x, o] = ["X", "O"].map(|mark| {
        let player = own[0]["players"].as_array().unwrap().iter().find(|player| player["symbol"] == mark);
        player.unwrap()["username"].as_str()
    });
    let expected = [Some("The \"Cup\""), x, o, Some("line"), Some("2"), Some("turn15"), Some(game.as_str()), None];
    assert_eq!(values, expected);
    assert_eq!(noted.rounds.iter().map(|round| round.cells.len()).collect::<Vec<_>>()[0], 9);
    assert_eq!(noted.value("Site"), Some(fixture.server.app.config.public_origin().to_string().as_str()));

    // By when they were made: from then on, and before then.
    let made = own[0]["createdAt"].as_str().unwrap();
    let later = (made.parse::<DateTime<Utc>>().unwrap() + TimeDelta::milliseconds(1)).to_rfc3339();
    for (filter, count) in [
        (vec![("since", made)], 1),
        (vec![("since", later.as_str())], 0),
        (vec![("until", made)], 0),
        (vec![("until", later.as_str())], 1),
        (vec![("since", made), ("until", later.as_str())], 1),
        (vec![("since", later.as_str()), ("until", made)], 0),
    ] {
        assert_eq!(lines(&ada.browser, &filter).await.len(), count, "{filter:?}");
        assert_eq!(texts(&bob.browser, &[&filter[..], &[("eventId", &cup)]].concat()).await.len(), count, "{filter:?}");
    }

    // Who blocked somebody keeps the games; of a deleted account only the moves are left.
    ada.browser.write("userprofile", "block_user", json!({ "userId": bob.id })).await.ok();
    assert_eq!(lines(&ada.browser, &[]).await[0]["players"], own[0]["players"]);
    let password = registration("bob")["password"].clone();
    bob.browser.post("/api/backend/delete/account", json!({ "password": password })).await.ok();
    for _ in 0..200 {
        let [game] = texts(&ada.browser, &[]).await.try_into().unwrap();
        let names = ["X", "O"].map(|mark| game.value(mark).unwrap().to_owned());
        if names.contains(&DELETED_NAME.to_owned()) {
            assert!(names.contains(&"ada".to_owned()) && game.rounds == noted.rounds, "{game}");
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the name of a deleted account stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_wrongly_is_refused_with_a_word() {
    let fixture = fixture().await;
    let (ada, _) = fixture.server.registered("ada").await;
    let unknown = Uuid::new_v4().to_string();
    refused(&ada, &[("eventId", &unknown)]).await.fails(404, "not-found");
    refused(&ada, &[("eventId", "cup")]).await.fails(404, "not-found");
    for (wrong, name) in [
        (("format", "pgn"), "format"),
        (("since", "yesterday"), "since"),
        (("until", "12"), "until"),
        (("eventid", unknown.as_str()), "eventid"),
        (("page", "2"), "page"),
    ] {
        let outcome = refused(&ada, &[wrong]).await.fails(400, "malformed");
        assert!(outcome["errorMessage"].as_str().unwrap().contains(name), "{outcome}");
    }
    fixture.server.browser().await.get(PATH).await.fails(401, "not-signed-in");
    let made = fixture.admin.write("admin", "create_token", json!({ "name": "test", "scope": "all" })).await.ok();
    let operator = fixture.server.with_token(made["token"].as_str().unwrap());
    operator.get(PATH).await.fails(422, "invalid");
    let event = fixture.started(details("Cup")).await;
    let answer = operator.request(Method::GET, PATH).query(&[("eventId", &event)]).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.text().await.unwrap().as_str()), (200, ""));
    refused(&fixture.server.browser().await, &[("eventId", &event)]).await.fails(401, "not-signed-in");
    let outcome = ada.request(Method::POST, PATH).send().await.unwrap();
    assert_eq!(outcome.status(), 405);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_stage_rounds_say_which_and_a_private_event_shows_nothing_to_outsiders() {
    let fixture = fixture().await;
    let mut all = people(&fixture.server, 3).await;
    let eve = all.pop().unwrap();
    let event = begun(&fixture, stages("roundRobin", json!({ "matchGames": 2 })), &mut all).await;
    let open = next_game(&fixture, &event).await.unwrap();
    play(&mut all, open).await;
    let open = next_game(&fixture, &event).await.unwrap();
    play(&mut all, open).await;
    let found = texts(&fixture.admin, &[("eventId", &event)]).await;
    assert_eq!(found.iter().map(|game| game.value("Round")).collect::<Vec<_>>(), [Some("1.1"), Some("1.1")]);
    assert_eq!(texts(&eve.browser, &[("eventId", &event)]).await, found, "a public event");

    let host = &all[0];
    fixture.server.verify_email_of(host.id.parse().unwrap(), "host@example.org").await;
    let private = host.browser.write("event", "create_event", details("Secret")).await.ok()["event"]["eventId"].clone();
    let private = private.as_str().unwrap();
    let change = json!({ "eventId": private, "eventState": "published" });
    host.browser.write("event", "update_event", change).await.ok();
    export(&host.browser, &[("eventId", private)]).await;
    export(&fixture.admin, &[("eventId", private)]).await;
    for outsider in [&eve.browser, &all[1].browser] {
        refused(outsider, &[("eventId", private)]).await.fails(404, "not-found");
    }
}

/// Checkpoints of as many games of two, each as long as an invite game gets.
fn long_games(of: [Uuid; 2], count: usize) -> Vec<Checkpoint> {
    let [ada, bob] = of.map(UserId);
    let player = |user, name: &str| Player { user, username: name.to_owned() };
    let played = |number: usize| {
        let setup = InviteSetup {
            id: GameId(Uuid::new_v4()),
            inviter: player(ada, "ada"),
            opponent: Some(player(bob, "bob")),
            size: BoardSize::MAX,
            starter: Mark::X,
            control: TimeControl::Untimed,
        };
        let now = Millis(1_700_000_000_000 + number as i64);
        let mut game = Game::invite(setup, now).unwrap();
        for user in [ada, bob] {
            game.apply(&Command::Join { user }, now).unwrap();
        }
        // Pairs of a row alternate, and so do rows: nobody gets a line of four.
        let mut cells: [Vec<_>; 2] = [vec![], vec![]];
        for cell in game.board().empty_cells() {
            cells[usize::from((cell.row() + cell.col() / 2) % 2)].push(cell);
        }
        for turn in 0..36 {
            let user = if turn % 2 == 0 { ada } else { bob };
            let cell = cells[turn % 2].pop().unwrap();
            game.apply(&Command::Move { user, cell, at_version: None }, now).unwrap();
        }
        let meta = Meta { invite_token: None, notify: false, calendar: 0, rematch_of: None };
        Checkpoint { game, meta }
    };
    (0..count).map(played).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_read_holds_one_place_and_little_memory() {
    const GAMES: usize = 4_000;
    let fixture = fixture().await;
    let (ada, user) = fixture.server.registered("ada").await;
    let (bob, other) = fixture.server.registered("bob").await;
    let ids = [&user, &other].map(|user| user["userId"].as_str().unwrap().parse().unwrap());
    let games = long_games(ids, GAMES);
    let rows: Vec<_> = games.iter().map(|checkpoint| checkpoint.row(0)).collect();
    for rows in rows.chunks(200) {
        fixture.server.app.store.upsert_games(rows, EndedGames::default()).await.unwrap();
    }
    // The head is read and the rest is not.
    let mut stream = TcpStream::connect(fixture.server.address).await.unwrap();
    let head = format!("GET {PATH} HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\n\r\n", fixture.server.address, ada.cookies());
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut begun = [0; 12];
    stream.read_exact(&mut begun).await.unwrap();
    assert_eq!(&begun, b"HTTP/1.1 200");
    let outcome = refused(&ada, &[]).await;
    assert!(outcome.retry_after.is_some());
    outcome.fails(429, "too-many-requests");
    assert_eq!(ada.get("/api/backend/account/export").await.status, 200, "which has places of its own");

    // Another account has a place of its own, and gets each game once, the newest first.
    let found = lines(&bob, &[]).await;
    let seen: HashSet<_> = found.iter().map(|game| game["gameId"].as_str().unwrap()).collect();
    assert_eq!((found.len(), seen.len()), (GAMES, GAMES));
    let made = |game: &Value| game["createdAt"].as_str().unwrap().parse::<DateTime<Utc>>().unwrap();
    assert!(found.is_sorted_by_key(|game| std::cmp::Reverse(made(game))));
    assert_eq!(
        texts(&bob, &[("since", "2023-11-14T22:13:20Z"), ("until", "2023-11-14T22:13:20.250Z")]).await.len(),
        250
    );

    drop(stream);
    for _ in 0..200 {
        let outcome = ada.request(Method::GET, PATH).query(&[("until", "2000-01-01T00:00:00Z")]).send().await.unwrap();
        if outcome.status() == 200 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the place is not free again");
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_of_games_are_counted_by_the_hour() {
    let fixture = Fixture::with(|config| config.limits.game_exports_per_hour = 2.try_into().unwrap()).await;
    let (ada, _) = fixture.server.registered("ada").await;
    let (bob, _) = fixture.server.registered("bob").await;
    for _ in 0..2 {
        export(&ada, &[]).await.text().await.unwrap();
    }
    refused(&ada, &[]).await.fails(429, "too-many-requests");
    export(&bob, &[]).await;
    assert_eq!(ada.get("/api/backend/account/export").await.status, 200, "which has a number of its own");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_reads_games_and_never_by_another_scope() {
    let fixture = fixture().await;
    let (ada, _) = fixture.server.registered("ada").await;
    for (scope, status) in [("read", 200), ("play", 403), ("event", 403)] {
        let made = ada.post("/api/auth/tokens", json!({ "name": scope, "scopes": [scope] })).await.ok();
        let program = fixture.server.with_token(made["token"].as_str().unwrap());
        assert_eq!(program.get(PATH).await.status, status, "{scope}");
    }
    let event = EventId(Uuid::new_v4());
    refused(&ada, &[("eventId", &event.to_string())]).await.fails(404, "not-found");
}
