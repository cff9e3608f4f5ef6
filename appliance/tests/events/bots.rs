//! Accounts that are bots: `docs/behaviour/programs.md#bots`.

use std::{collections::HashSet, net::IpAddr, time::Duration};

use futures_util::future::join_all;
use morpion_appliance::clock::Clock;
use morpion_store::{EndedGames, RatingRow, RatingUpdate, RatingValues};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired as paired_in_event, started, win},
    quick_match::{id_of, paired, person, wish},
    restart::{on_disk, signed_in},
    support::{Browser, Outcome, Server},
};

/// A server where players come from addresses of their own, and the tests' own may have many bots.
async fn fixture() -> Fixture {
    Fixture::with(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1".parse::<IpAddr>().unwrap().into()];
        config.limits.bots_per_day = 1_000.try_into().unwrap();
    })
    .await
}

async fn allows(admin: &Browser, user: &str) {
    admin.write("admin", "allow_hosting", json!({ "userId": user, "allowed": true })).await.ok();
}

async fn becomes(browser: &Browser, name: &str) -> Outcome {
    browser.write("userprofile", "become_bot", json!({ "username": name })).await
}

/// An account that is a bot, at an address of its own.
async fn bot(fixture: &Fixture, name: &str, address: u8) -> Person {
    let person = person(fixture, name, address).await;
    allows(&fixture.admin, &person.id).await;
    becomes(&person.browser, name).await.ok();
    person
}

async fn listed(browser: &Browser) -> Vec<Value> {
    browser.read("player", "list_bots", json!({})).await.ok()["bots"].as_array().unwrap().clone()
}

/// Entries of the audit trail that say that an account became a bot.
async fn recorded(admin: &Browser, user: &str) -> usize {
    let entries = admin.read("admin", "list_audit", json!({ "limit": 100 })).await.ok()["entries"].clone();
    let is_meant = |entry: &&Value| entry["action"] == "become_bot" && entry["subject"] == user;
    entries.as_array().unwrap().iter().filter(is_meant).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_becomes_a_bot_for_good_and_everybody_sees_it() {
    let fixture = fixture().await;
    let mut ada = Person::new(&fixture.server, "ada").await;
    let mut bob = Person::new(&fixture.server, "bob").await;
    // Neither a guest, nor one whose owner nobody knows, nor by mistake, nor by a program.
    let guest = fixture.server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    becomes(&guest, "guest").await.fails(403, "guest");
    becomes(&fixture.server.browser().await, "ada").await.fails(401, "not-signed-in");
    assert_eq!(
        becomes(&ada.browser, "ada").await.fails(403, "email-not-verified")["errorMessage"],
        "Please verify your email before you make your account a bot."
    );
    allows(&fixture.admin, &ada.id).await;
    for name in ["bob", "", "ada."] {
        let refused = becomes(&ada.browser, name).await;
        assert_eq!(
            (refused.status.as_u16(), refused.body["fieldErrors"]["username"].is_string()),
            (422, true),
            "{name}"
        );
    }
    let made =
        ada.browser.post("/api/auth/tokens", json!({ "name": "bot", "scopes": ["read", "play", "event"] })).await;
    let program = fixture.server.with_token(made.ok()["token"].as_str().unwrap());
    program.write("userprofile", "become_bot", json!({ "username": "ada" })).await.fails(403, "scope");
    assert_eq!(listed(&bob.browser).await, Vec::<Value>::new());

    // Calls at once are one.
    let calls = join_all((0..4).map(|_| becomes(&ada.browser, " Ada "))).await;
    let is_fine = |call: &Outcome| call.status == 200 || call.body["errorCode"] == "becoming-bot";
    assert!(calls.iter().any(|call| call.status == 200) && calls.iter().all(is_fine), "{calls:?}");
    let again = becomes(&ada.browser, "ada").await.ok();
    assert_eq!(again["user"]["isBot"], true);
    assert_eq!(recorded(&fixture.admin, &ada.id).await, 1);

    let who = json!({ "userId": ada.id });
    let seen = bob.browser.read("userprofile", "get_user_by_id", who.clone()).await.ok()["user"].clone();
    let found = bob.browser.read("userprofile", "search_user", json!({ "text": "ada" })).await.ok()["users"][0].clone();
    let page = bob.browser.read("player", "get_profile", who).await.ok()["profile"].clone();
    let export = ada.browser.get("/api/backend/account/export").await.body["account"].clone();
    for told in [seen, found, page, export] {
        assert_eq!((&told["userId"], &told["isBot"]), (&json!(ada.id), &json!(true)), "{told}");
    }
    let own = bob.browser.read("userprofile", "get_user_by_id", json!({})).await.ok()["user"].clone();
    assert_eq!(own.get("isBot"), None, "of people it is absent");

    // A person invites it, and it plays.
    let wish = json!({
        "players": [{ "userId": bob.id }, { "userId": ada.id }], "gameType": "invite", "boardSize": 3, "notify": true,
    });
    let game = bob.browser.write("game", "create_game", wish).await.ok()["game"].clone();
    assert_eq!((&game["players"][1]["isBot"], game["players"][0].get("isBot")), (&json!(true), None));
    let game = game["gameId"].as_str().unwrap().to_owned();
    assert_eq!(ada.socket.wait("gameInvitation").await["from"].get("isBot"), None);
    let state = started(&mut bob, &mut ada, &game).await;
    win(&mut bob, &mut ada, &game, &state).await;
    let listed = listed(&bob.browser).await;
    assert_eq!((listed.len(), &listed[0]["userId"], &listed[0]["online"]), (1, &json!(ada.id), &json!(true)));
    assert_eq!((&listed[0]["rating"]["games"], listed[0].get("rank")), (&json!(0), None));

    // One that is suspended is in no list, and one that is deleted neither.
    let suspended = json!({ "userId": ada.id, "reason": "floods" });
    fixture.admin.write("admin", "suspend_user", suspended).await.ok();
    let eve = bot(&fixture, "eve", 9).await;
    fixture.admin.write("admin", "delete_user", json!({ "userId": eve.id, "reason": "asked" })).await.ok();
    assert_eq!(fixture.server.app.store.bots(10).await.unwrap().len(), 1);
    becomes(&ada.browser, "ada").await.fails(403, "bad-forgery-token");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_plays_among_people_does_not_become_a_bot() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = (person(&fixture, "ada", 1).await, person(&fixture, "bob", 2).await);
    for person in [&ada, &bob] {
        allows(&fixture.admin, &person.id).await;
    }
    // In an event, also in one where bots are allowed: there it would be somebody else.
    let mut fields = details("Cup");
    fields["botsAllowed"] = json!(true);
    let event = fixture.published(fields).await;
    let sign_up = |browser: &Browser| {
        let (browser, event) = (browser.clone(), event.clone());
        async move { browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await }
    };
    sign_up(&ada.browser).await.ok();
    let refused = becomes(&ada.browser, "ada").await.fails(409, "signed-up-for-event");
    assert!(refused["errorMessage"].as_str().unwrap().contains("'Cup'"), "{refused}");
    ada.browser.write("eventSignUp", "remove_signup", json!({ "eventId": event, "userId": ada.id })).await.ok();

    // In a rated game, and after one.
    let game = id_of(&paired(&mut ada, &mut bob, &wish()).await);
    becomes(&ada.browser, "ada").await.fails(409, "rated-game-under-way");
    let state = started(&mut ada, &mut bob, &game).await;
    win(&mut ada, &mut bob, &game, &state).await;
    let refused = becomes(&ada.browser, "ada").await;
    assert!(["rated-game-under-way", "rated-already"].contains(&refused.body["errorCode"].as_str().unwrap()));
    ada.socket.wait("ratingChanged").await;
    fixture.server.app.store.wait_for_ends().await;
    becomes(&bob.browser, "bob").await.fails(409, "rated-already");

    // The place among people who look for an opponent is lost with it, and what was refused took nothing else.
    let mut eve = person(&fixture, "eve", 3).await;
    allows(&fixture.admin, &eve.id).await;
    eve.socket.send("quickMatchJoin", wish()).await;
    eve.socket.wait("quickMatchStatus").await;
    becomes(&eve.browser, "eve").await.ok();
    eve.socket.wait("quickMatchEnded").await;
    assert_eq!(fixture.server.app.quick_match.waiting(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_accounts_of_an_address_become_bots_in_a_day() {
    const HERE: &str = "192.0.2.7";
    let fixture = Fixture::with(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1".parse::<IpAddr>().unwrap().into()];
    })
    .await;
    let becomes_at = async |browser: &Browser, name: &str, address: &str| {
        let call = json!({ "action": "become_bot", "payload": { "username": name } });
        let request = browser.request(Method::POST, "/api/backend/userprofile").header("x-forwarded-for", address);
        browser.send(request.json(&call)).await
    };
    let mut members = vec![];
    for name in ["ada", "bob", "cat", "dan"] {
        let (browser, user) = fixture.server.registered(name).await;
        // What is refused is not counted.
        becomes_at(&browser, name, HERE).await.fails(403, "email-not-verified");
        allows(&fixture.admin, user["userId"].as_str().unwrap()).await;
        members.push((browser, name));
    }
    let (last, name) = members.pop().unwrap();
    for (browser, name) in &members {
        becomes_at(browser, name, HERE).await.ok();
        // Nor is it counted again.
        becomes_at(browser, name, HERE).await.ok();
    }
    let refused = becomes_at(&last, name, HERE).await;
    assert!(refused.retry_after.is_some_and(|seconds| seconds > 3_600), "{refused:?}");
    refused.fails(429, "too-many-requests");
    assert_eq!(listed(&last).await.len(), 3);
    becomes_at(&last, name, "198.51.100.7").await.ok();
    assert_eq!(listed(&last).await.len(), 4);
}

/// Whoever is refused in the end has met no bot meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_becomes_a_bot_is_in_no_queue_until_that_is_decided() {
    let fixture = fixture().await;
    let mut ada = bot(&fixture, "ada", 1).await;
    let mut bob = person(&fixture, "bob", 2).await;
    ada.socket.send("quickMatchJoin", wish()).await;
    ada.socket.wait("quickMatchStatus").await;
    let held = fixture.server.app.accounts.people.hold_as_bot(bob.id.parse::<uuid::Uuid>().unwrap().into()).unwrap();
    let refused = bob.socket.ask("quickMatchJoin", wish()).await;
    assert_eq!((&refused["succeeded"], &refused["errorCode"]), (&json!(false), &json!("unavailable")), "{refused}");
    assert_eq!(fixture.server.app.quick_match.waiting(), 1);
    drop(held);
    bob.socket.send("quickMatchJoin", wish()).await;
    assert_eq!(bob.socket.wait("quickMatchStatus").await["waiting"], 1, "among people");
    assert_eq!(fixture.server.app.quick_match.waiting(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_are_paired_among_themselves_and_ranked_in_a_list_of_their_own() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = (bot(&fixture, "ada", 1).await, bot(&fixture, "bob", 2).await);
    let mut eve = person(&fixture, "eve", 3).await;
    for casual in [true, false] {
        let wish = json!({ "boardSize": 3, "clock": "turn15", "rated": !casual });
        eve.socket.send("quickMatchJoin", wish.clone()).await;
        assert_eq!(eve.socket.wait("quickMatchStatus").await["waiting"], 1);
        ada.socket.send("quickMatchJoin", wish).await;
        // Whom they can be paired with is who is counted.
        assert_eq!(ada.socket.wait("quickMatchStatus").await["waiting"], 1);
    }
    // However long they wait.
    fixture.clock.advance(25_000);
    let mut status = eve.socket.wait("quickMatchStatus").await;
    while status["waitedMs"].as_i64().unwrap() < 25_000 {
        status = eve.socket.wait("quickMatchStatus").await;
    }
    assert_eq!(fixture.server.app.quick_match.waiting(), 2);
    let found = paired(&mut ada, &mut bob, &wish()).await;
    assert_eq!((&found["quickMatch"]["rated"], &found["opponent"]["isBot"]), (&json!(true), &json!(true)));
    assert_eq!(fixture.server.app.quick_match.waiting(), 1);
    let game = id_of(&found);
    let state = started(&mut ada, &mut bob, &game).await;
    win(&mut ada, &mut bob, &game, &state).await;
    ada.socket.wait("ratingChanged").await;
    let verified = fixture.admin.read("admin", "verify_ratings", json!({})).await.ok();
    assert_eq!((&verified["agrees"], &verified["games"]), (&json!(true), &json!(1)), "{verified}");
    // They have played until their ratings are certain.
    let store = &fixture.server.app.store;
    let row = |person: &Person, value: f64| RatingRow {
        user_id: person.id.parse().unwrap(),
        rating: RatingValues { value, deviation: 71.0, volatility: 0.06 },
        games: 20,
        wins: 12,
        losses: 8,
        draws: 0,
        rated_at: fixture.clock.wall(),
        ranked_until: None,
    };
    let ratings = vec![row(&ada, 1_700.0), row(&bob, 1_800.0)];
    let update = RatingUpdate { ledger: store.last_receipt().await.unwrap(), receipts: vec![], ratings };
    store.upsert_rated_games(&[], EndedGames::default(), &update).await.unwrap();
    let people = eve.browser.read("player", "get_rating_list", json!({})).await.ok();
    assert_eq!(people["players"], json!([]));
    fixture.server.app.ratings.bots_changed();
    let bots = listed(&eve.browser).await;
    let told: Vec<_> = bots.iter().map(|bot| (&bot["rank"], &bot["userId"])).collect();
    assert_eq!(told, [(&json!(1), &json!(bob.id)), (&json!(2), &json!(ada.id))], "{bots:?}");
    let own = ada.browser.read("player", "get_rating_list", json!({})).await.ok()["own"].clone();
    assert_eq!(own["rank"], 2, "{own}");
    // What a program plays is compared with no solver.
    fixture.server.app.engine_use.compare_waiting().await.unwrap();
    let scores = fixture.admin.read("admin", "list_engine_scores", json!({})).await.ok();
    assert_eq!(scores["scores"].as_array().map_or(0, Vec::len), 0, "{scores}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_enter_only_events_that_allow_them_and_their_games_with_people_are_not_rated() {
    let fixture = fixture().await;
    let mut ada = bot(&fixture, "ada", 1).await;
    let mut bob = person(&fixture, "bob", 2).await;
    let mut eve = bot(&fixture, "eve", 3).await;
    let closed = fixture.published(details("People")).await;
    let sign_up = json!({ "eventId": closed });
    let refused = ada.browser.write("eventSignUp", "sign_up", sign_up.clone()).await.fails(403, "entry-people");
    assert_eq!(refused["errorMessage"], "This event is for people. Bots cannot enter it.");
    let told = ada.browser.read("eventSignUp", "check_entry", sign_up.clone()).await.ok()["conditions"].clone();
    assert_eq!((&told[0]["condition"], &told[0]["isMet"]), (&json!("people"), &json!(false)));
    let told = bob.browser.read("eventSignUp", "check_entry", sign_up).await.ok()["conditions"].clone();
    assert_eq!(told, json!([]));
    // Not by an admin either, and not once it is live.
    let added = json!({ "eventId": closed, "userId": ada.id });
    fixture.admin.write("player", "create_player", added).await.fails(403, "entry-people");
    fixture.act("start_event", &closed).await;
    ada.browser.write("event", "join_event", json!({ "eventId": closed })).await.fails(403, "entry-people");

    let mut fields = details("Open to all");
    fields["botsAllowed"] = json!(true);
    let open = fixture.started(fields.clone()).await;
    assert_eq!(fixture.event(&open).await["botsAllowed"], true);
    let game = paired_in_event(&mut ada, &mut bob, &open).await;
    let state = started(&mut ada, &mut bob, &game).await;
    assert_eq!(state["rated"], false);
    win(&mut ada, &mut bob, &game, &state).await;
    fixture.server.app.store.wait_for_ends().await;
    let board = fixture.leaderboard(&open).await;
    let row = board.iter().find(|row| row["userId"] == ada.id).unwrap();
    assert_eq!((&row["isBot"], &row["wins"]), (&json!(true), &json!(1)));
    assert_eq!(fixture.server.app.store.last_receipt().await.unwrap(), 0);
    // Two bots play for their ratings there, too.
    let game = {
        ada.seeks(&open).await;
        eve.enters(&open).await;
        eve.seeks(&open).await;
        ada.socket.wait("playerFound").await;
        eve.socket.wait("playerFound").await["gameId"].as_str().unwrap().to_owned()
    };
    let state = started(&mut eve, &mut ada, &game).await;
    assert_eq!(state["rated"], true);
    win(&mut eve, &mut ada, &game, &state).await;
    // Bots that are in stay in when they are no longer allowed; their games with people are not rated then either.
    let taken_back = fixture.published(fields).await;
    for person in [&ada, &bob] {
        person.browser.write("eventSignUp", "sign_up", json!({ "eventId": taken_back })).await.ok();
    }
    let edit = json!({ "eventId": taken_back, "botsAllowed": false });
    fixture.admin.write("event", "update_event", edit).await.ok();
    assert_eq!(fixture.event(&taken_back).await.get("botsAllowed"), None);
    fixture.act("start_event", &taken_back).await;
    let game = paired_in_event(&mut ada, &mut bob, &taken_back).await;
    assert_eq!(started(&mut ada, &mut bob, &game).await["rated"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_three_bots_a_day() {
    let fixture = Fixture::new().await;
    let mut people = vec![];
    for name in ["ann", "ben", "cyd", "dan"] {
        let person = Person::new(&fixture.server, name).await;
        allows(&fixture.admin, &person.id).await;
        people.push(person);
    }
    for person in &people[..3] {
        becomes(&person.browser, &person.name).await.ok();
        becomes(&person.browser, &person.name).await.ok();
    }
    let refused = becomes(&people[3].browser, "dan").await;
    assert_eq!((refused.status.as_u16(), &refused.body["errorCode"]), (429, &json!("too-many-requests")));
    assert_eq!(listed(&people[3].browser).await.len(), 3);
}

/// Whatever happens first: an account that looks for a rated game while it becomes a bot plays either as a person, and is none,
/// or as a bot, and against bots.
#[tokio::test(flavor = "multi_thread")]
async fn no_rated_game_of_a_person_and_a_bot_begins_while_accounts_become_bots() {
    let fixture = fixture().await;
    let event = fixture.published(details("Cup")).await;
    let mut people = vec![];
    for number in 0..16_u8 {
        let person = person(&fixture, &format!("p{number}x"), number + 1).await;
        allows(&fixture.admin, &person.id).await;
        people.push(person);
    }
    let acts = people.iter_mut().enumerate().map(|(number, person)| {
        let event = event.clone();
        async move {
            let (browser, name) = (person.browser.clone(), person.name.clone());
            let turn = async {
                if number % 2 == 1 {
                    let _ = becomes(&browser, &name).await;
                }
            };
            let play = async {
                person.socket.send("quickMatchJoin", wish()).await;
                if number % 4 == 1 {
                    let _ = browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await;
                }
            };
            tokio::join!(turn, play);
        }
    });
    join_all(acts).await;
    // Those who wait are paired by now, as far as they fit.
    fixture.clock.advance(2_000);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let bots: HashSet<String> =
        fixture.server.app.store.bots(100).await.unwrap().iter().map(|user| user.id.to_string()).collect();
    for person in &people {
        let games = person.browser.read("game", "get_games_by_user", json!({ "userId": person.id })).await.ok();
        for game in games["games"].as_array().unwrap().iter().filter(|game| game["rated"] == true) {
            let players = game["players"].as_array().unwrap();
            let of_bots = players.iter().filter(|player| bots.contains(player["userId"].as_str().unwrap())).count();
            assert_ne!(of_bots, 1, "{game}");
        }
    }
    let signups = fixture.server.app.store.signups_of_event(event.parse().unwrap()).await.unwrap();
    assert!(signups.iter().all(|row| !bots.contains(&row.user_id.to_string())), "a bot is in an event of people");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_stays_one_after_a_restart_also_in_an_event() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(on_disk(&folder)).await;
    let ada = Person::new(&fixture.server, "ada").await;
    Person::new(&fixture.server, "bob").await;
    allows(&fixture.admin, &ada.id).await;
    becomes(&ada.browser, "ada").await.ok();
    let mut fields = details("Open to all");
    fields["botsAllowed"] = json!(true);
    // Its players share a network here.
    fields["ratedOnOneNetwork"] = json!(true);
    let open = fixture.started(fields.clone()).await;
    ada.browser.write("event", "join_event", json!({ "eventId": open })).await.ok();
    let Fixture { server, .. } = fixture;
    server.stop().await;

    let server = Server::with_clock(Clock::default(), on_disk(&folder)).await;
    let (mut ada, mut bob) = (signed_in(&server, "ada").await, signed_in(&server, "bob").await);
    let game = paired_in_event(&mut ada, &mut bob, &open).await;
    assert_eq!(started(&mut ada, &mut bob, &game).await["rated"], false);
    becomes(&ada.browser, "ada").await.ok();
    assert_eq!(listed(&bob.browser).await.len(), 1);
}
