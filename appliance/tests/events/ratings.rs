//! Ratings: `docs/behaviour/ratings.md`.

use std::{net::IpAddr, time::Duration};

use morpion_store::{EndedGames, RatedGameRow, RatingRow, RatingUpdate, RatingValues};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired as paired_in_event, started, win},
    socket::Socket,
    support::{PASSWORD, credentials},
};

/// A server where each player can come from an address of their own.
async fn fixture() -> Fixture {
    Fixture::with(|config| config.server.trusted_proxies = vec!["127.0.0.1".parse::<IpAddr>().unwrap().into()]).await
}

/// A player at an address of their own.
async fn person(fixture: &Fixture, name: &str, address: u8) -> Person {
    let mut person = Person::new(&fixture.server, name).await;
    person.socket = Socket::forwarded_for(&format!("192.0.2.{address}"), &fixture.server, &person.browser).await;
    person
}

async fn two(fixture: &Fixture) -> (Person, Person) {
    (person(fixture, "ada", 1).await, person(fixture, "bob", 2).await)
}

/// Both look for a rated game, and are paired; returns what the first was told.
async fn paired(a: &mut Person, b: &mut Person) -> Value {
    let wish = json!({ "boardSize": 3, "clock": "turn15", "rated": true });
    for person in [&mut *a, &mut *b] {
        assert_eq!(person.socket.ask("quickMatchJoin", wish.clone()).await["succeeded"], true);
    }
    b.socket.wait("playerFound").await;
    a.socket.wait("playerFound").await
}

/// The first wins a rated game against the second; returns its id.
async fn won(winner: &mut Person, loser: &mut Person) -> String {
    let game = paired(winner, loser).await["gameId"].as_str().unwrap().to_owned();
    let state = started(winner, loser, &game).await;
    win(winner, loser, &game, &state).await;
    game
}

fn change(user: &str, before: u32, after: u32) -> Value {
    json!({ "userId": user, "before": before, "after": after, "provisional": true })
}

fn sorted(mut changes: Vec<Value>) -> Vec<Value> {
    changes.sort_by_key(|change| change["after"].as_u64());
    changes
}

fn changes_of(frame: &Value, field: &str) -> Vec<Value> {
    sorted(frame[field].as_array().unwrap_or_else(|| panic!("{frame}")).clone())
}

async fn own_rating(person: &Person) -> Value {
    let list = person.browser.read("player", "get_rating_list", json!({})).await.ok();
    list["own"]["rating"].clone()
}

async fn verified(fixture: &Fixture) -> Value {
    fixture.admin.read("admin", "verify_ratings", json!({})).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rated_game_changes_both_ratings_and_tells_the_room() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let newcomer = json!({ "value": 1_500, "provisional": true });
    let found = paired(&mut ada, &mut bob).await;
    assert_eq!(found["opponent"]["rating"], newcomer);
    let game = found["gameId"].as_str().unwrap().to_owned();
    let state = started(&mut ada, &mut bob, &game).await;
    assert_eq!(state["players"][0]["rating"], newcomer);
    let mut eve = person(&fixture, "eve", 3).await;
    eve.socket.ask("spectateGame", json!({ "gameId": game })).await;
    win(&mut ada, &mut bob, &game, &state).await;
    let expected = vec![change(&bob.id, 1_500, 1_338), change(&ada.id, 1_500, 1_662)];
    for socket in [&mut ada.socket, &mut bob.socket, &mut eve.socket] {
        let told = socket.wait("ratingChanged").await;
        assert_eq!((&told["gameId"], changes_of(&told, "players")), (&json!(game), expected.clone()));
    }
    // The page was left, as after giving up.
    let mut tab = Socket::forwarded_for("192.0.2.1", &fixture.server, &ada.browser).await;
    let next = fixture.started(details("Cup")).await;
    let second = paired_in_event(&mut ada, &mut bob, &next).await;
    started(&mut ada, &mut bob, &second).await;
    assert_eq!(ada.socket.ask("forfeitGame", json!({ "gameId": second })).await["succeeded"], true);
    assert_eq!(tab.wait("ratingChanged").await["gameId"], json!(second));
    // Who comes later finds it in the state, as does whoever asks for the game.
    assert_eq!(changes_of(&ada.joins(&game).await, "ratingChanges"), expected);
    let over = bob.browser.read("game", "get_game", json!({ "gameId": game })).await.ok()["game"].clone();
    assert_eq!(changes_of(&over, "ratingChanges"), expected);
    let rating = own_rating(&ada).await;
    assert_eq!((&rating["games"], &rating["provisional"]), (&json!(2), &json!(true)));
    let replay = ada.browser.read("game", "get_replay", json!({ "gameId": game })).await.ok()["replay"].clone();
    let values: Vec<_> =
        replay["players"].as_array().unwrap().iter().map(|player| &player["rating"]["value"]).collect();
    assert!(values.contains(&&rating["value"]), "{values:?} are as of now");
    let answer = verified(&fixture).await;
    assert_eq!((&answer["agrees"], &answer["games"], &answer["players"]), (&json!(true), &json!(2), &json!(2)));
    let export = ada.browser.get("/api/backend/account/export").await;
    assert_eq!(export.body["ratedGames"][1]["gameId"], json!(game), "{}", export.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_nearest_rating_is_paired_first_and_the_window_grows() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    won(&mut ada, &mut bob).await;
    ada.socket.wait("ratingChanged").await;
    // 1662 and 1338: too far apart for now.
    let wish = json!({ "boardSize": 3, "clock": "turn15", "rated": true });
    for person in [&mut ada, &mut bob] {
        person.socket.send("quickMatchJoin", wish.clone()).await;
    }
    let mut status = bob.socket.wait("quickMatchStatus").await;
    while status["waiting"] != 2 {
        status = bob.socket.wait("quickMatchStatus").await;
    }
    assert_eq!(status["window"], 50);
    fixture.clock.advance(18_000);
    let found = ada.socket.wait("playerFound").await;
    assert_eq!(found["opponent"]["rating"], json!({ "value": 1_338, "provisional": true }));
}

#[tokio::test(flavor = "multi_thread")]
async fn casual_games_invitations_and_void_games_change_nothing() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = won(&mut ada, &mut bob).await;
    ada.socket.wait("ratingChanged").await;
    let again = bob.browser.write("game", "play_again", json!({ "gameId": game })).await.ok();
    let invite = again["game"]["gameId"].as_str().unwrap().to_owned();
    let state = started(&mut ada, &mut bob, &invite).await;
    assert_eq!(state.get("rated"), None);
    win(&mut ada, &mut bob, &invite, &state).await;
    let void = paired(&mut person(&fixture, "cleo", 3).await, &mut person(&fixture, "dora", 4).await).await;
    fixture.clock.advance(21_000);
    let payload = json!({ "gameId": void["gameId"] });
    while fixture.admin.read("game", "get_game", payload.clone()).await.ok()["game"]["status"] != "cancelled" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Their rows are stored within moments.
    tokio::time::sleep(Duration::from_millis(400)).await;
    let answer = verified(&fixture).await;
    assert_eq!((&answer["agrees"], &answer["games"]), (&json!(true), &json!(1)));
    assert_eq!(own_rating(&ada).await["games"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_an_event_is_rated_unless_both_are_at_one_address() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let event = fixture.started(details("Cup")).await;
    let game = paired_in_event(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    assert_eq!((&state["gameType"], &state["rated"]), (&json!("event"), &json!(true)));
    win(&mut ada, &mut bob, &game, &state).await;
    let told = bob.socket.wait("ratingChanged").await;
    assert_eq!(changes_of(&told, "players"), [change(&bob.id, 1_500, 1_338), change(&ada.id, 1_500, 1_662)]);

    let (mut cleo, mut dora) = (person(&fixture, "cleo", 9).await, person(&fixture, "dora", 9).await);
    let second = fixture.started(details("Bowl")).await;
    for person in [&mut cleo, &mut dora] {
        person.enters(&second).await;
        person.seeks(&second).await;
    }
    let why = "You and your opponent share a network address, so this game is not rated.";
    for person in [&mut cleo, &mut dora] {
        assert_eq!(person.socket.wait("playerFound").await["unratedBecause"], why);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_organiser_vouches_for_players_on_one_network_and_a_receipt_says_so() {
    let fixture = Fixture::with(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1".parse::<IpAddr>().unwrap().into()];
        config.events.separate_addresses = true;
    })
    .await;
    let (mut ada, mut bob) = (person(&fixture, "ada", 9).await, person(&fixture, "bob", 9).await);
    let mut fields = details("School evening");
    fields["ratedOnOneNetwork"] = json!(true);
    let event = fixture.draft(fields).await;
    assert_eq!(fixture.publish(&event).await["event"]["ratedOnOneNetwork"], true);
    fixture.act("start_event", &event).await;
    // They are paired although others on one address are kept apart.
    let game = paired_in_event(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    assert_eq!(state["rated"], true);
    win(&mut ada, &mut bob, &game, &state).await;
    let told = bob.socket.wait("ratingChanged").await;
    assert_eq!(changes_of(&told, "players"), [change(&bob.id, 1_500, 1_338), change(&ada.id, 1_500, 1_662)]);

    let verified = fixture.admin.read("event", "verify_event", json!({ "eventId": event })).await.ok();
    assert_eq!(verified["vouched"]["by"], "the_admin");
    let trail = fixture.admin.read("admin", "list_audit", json!({})).await.ok();
    let made = |entry: &&Value| entry["action"] == "create_event";
    let entry = trail["entries"].as_array().unwrap().iter().find(made).unwrap().clone();
    let detail: Value = serde_json::from_str(entry["detail"].as_str().unwrap()).unwrap();
    assert_eq!(detail, json!({ "title": "School evening", "ratedOnOneNetwork": true }));
    // Nobody has said anything of those who come to another one; and the word can be taken back.
    let copy = fixture.admin.write("event", "duplicate_event", json!({ "eventId": event })).await.ok()["event"].clone();
    assert_eq!(copy["ratedOnOneNetwork"], false);
    for vouched in [true, false] {
        let change = json!({ "eventId": copy["eventId"], "ratedOnOneNetwork": vouched });
        let changed = fixture.admin.write("event", "update_event", change).await.ok();
        assert_eq!(changed["event"]["ratedOnOneNetwork"], vouched);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_accounts_of_one_device_get_a_casual_game_and_are_told_why() {
    let fixture = fixture().await;
    let server = &fixture.server;
    let mut ada = person(&fixture, "ada", 1).await;
    let mut twin = person(&fixture, "twin", 2).await;
    // Signs in to the other account with the first one's browser, and goes on at home.
    ada.browser.post("/api/auth/logout", json!({})).await.ok();
    ada.browser.post("/api/auth/login", credentials("twin@example.org", PASSWORD)).await.ok();
    ada.browser.post("/api/auth/logout", json!({})).await.ok();
    ada.browser.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    ada.socket = Socket::forwarded_for("192.0.2.1", server, &ada.browser).await;
    let found = paired(&mut ada, &mut twin).await;
    assert_eq!(found["quickMatch"]["rated"], false);
    let why = "You and your opponent have used the same device, so this game is casual.";
    assert_eq!(found["quickMatch"]["casualBecause"], why);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rating_of_a_deleted_account_goes_and_its_opponents_follows_the_result() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    won(&mut ada, &mut bob).await;
    for person in [&mut ada, &mut bob] {
        person.socket.wait("ratingChanged").await;
    }
    // The next one is a game between 1662 and 1338, in whose middle one of them goes.
    fixture.clock.advance(30_000);
    let wish = json!({ "boardSize": 3, "clock": "turn15", "rated": true });
    for person in [&mut ada, &mut bob] {
        person.socket.send("quickMatchJoin", wish.clone()).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    fixture.clock.advance(30_000);
    let game = ada.socket.wait("playerFound").await["gameId"].as_str().unwrap().to_owned();
    started(&mut ada, &mut bob, &game).await;
    fixture.admin.write("admin", "delete_user", json!({ "userId": ada.id, "reason": "asked" })).await.ok();
    let told = bob.socket.wait("ratingChanged").await;
    let changes = changes_of(&told, "players");
    assert_eq!(changes.len(), 1, "the deleted account's is nobody's business: {told}");
    assert_eq!((&changes[0]["userId"], &changes[0]["before"]), (&json!(bob.id), &json!(1_338)));
    assert!(changes[0]["after"].as_u64().unwrap() > 1_400, "{told}");
    let store = &fixture.server.app.store;
    let user: Uuid = ada.id.parse().unwrap();
    while store.rating(user).await.unwrap().is_some() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(store.rating_curve(user, 10).await.unwrap().len(), 2, "the receipts stay");
    let answer = verified(&fixture).await;
    assert_eq!((&answer["agrees"], &answer["games"], &answer["differences"]), (&json!(true), &json!(2), &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_has_who_is_certain_and_everybody_their_own_rating() {
    let fixture = fixture().await;
    let (ada, bob) = two(&fixture).await;
    let store = &fixture.server.app.store;
    let row = |person: &Person, value: f64, deviation: f64| RatingRow {
        user_id: person.id.parse().unwrap(),
        rating: RatingValues { value, deviation, volatility: 0.06 },
        games: 20,
        wins: 12,
        losses: 8,
        draws: 0,
        rated_at: fixture.clock.wall(),
        ranked_until: (deviation < 110.0).then(|| fixture.clock.wall() + chrono::TimeDelta::days(100)),
    };
    let ratings = vec![row(&ada, 1_712.4, 71.0), row(&bob, 1_800.0, 120.0)];
    store
        .upsert_rated_games(&[], EndedGames::default(), &RatingUpdate { ledger: 0, receipts: vec![], ratings })
        .await
        .unwrap();
    let list = ada.browser.read("player", "get_rating_list", json!({ "limit": 10 })).await.ok();
    let listed = &list["players"][0];
    assert_eq!((&listed["rank"], &listed["username"]), (&json!(1), &json!("ada")), "{list}");
    assert_eq!(listed["rating"], json!({ "value": 1_712, "deviation": 71, "provisional": false, "games": 20 }));
    assert_eq!((&list["pagination"]["totalCount"], &list["own"]["rank"]), (&json!(1), &json!(1)));
    let list = bob.browser.read("player", "get_rating_list", json!({})).await.ok();
    assert_eq!((list["own"].get("rank"), &list["own"]["rating"]["value"]), (None, &json!(1_800)));
    // A guest has none.
    let guest = fixture.server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    assert_eq!(guest.read("player", "get_rating_list", json!({})).await.ok().get("own"), None);
    // After a long pause nobody is certain any more.
    fixture.clock.advance(101 * 86_400_000);
    fixture.server.app.clean_up(fixture.clock.steady()).await.unwrap();
    assert_eq!(store.rating_list(10).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn tampered_ratings_and_receipts_are_found() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = two(&fixture).await;
    let game = won(&mut ada, &mut bob).await;
    ada.socket.wait("ratingChanged").await;
    let store = &fixture.server.app.store;
    let receipt = store.rated_game(game.parse().unwrap()).await.unwrap().unwrap();
    let rating = store.rating(ada.id.parse().unwrap()).await.unwrap().unwrap();
    let differences = async || {
        let answer = verified(&fixture).await;
        let found: Vec<String> = serde_json::from_value(answer["differences"].clone()).unwrap();
        assert_eq!(answer["agrees"], json!(found.is_empty()));
        found.join("\n")
    };
    assert_eq!(differences().await, "");

    // A better rating than the games say.
    let better = RatingRow { rating: RatingValues { value: 1_900.0, ..rating.rating }, ..rating.clone() };
    let forged = |receipts: Vec<RatedGameRow>, ratings| RatingUpdate { ledger: 1, receipts, ratings };
    store.upsert_rated_games(&[], EndedGames::default(), &forged(vec![], vec![better])).await.unwrap();
    assert!(differences().await.contains("ada: the receipts say 1662.31 ± 290.32 after 1 games; stored is 1900.00"));
    store.upsert_rated_games(&[], EndedGames::default(), &forged(vec![], vec![rating])).await.unwrap();
    assert_eq!(differences().await, "");

    // A receipt for a game that never was, and numbers that do not follow.
    let invented = RatedGameRow { game_id: Uuid::new_v4(), seq: 3, ..receipt };
    store.upsert_rated_games(&[], EndedGames::default(), &forged(vec![invented.clone()], vec![])).await.unwrap();
    let found = differences().await;
    for text in [
        "Receipt 2 is missing.",
        &format!("Receipt 3: game {} is not stored as a rated game that is over.", invented.game_id),
        "Receipt 3: before the game the receipts say 1662.31",
    ] {
        assert!(found.contains(text), "{text} is not in\n{found}");
    }
    // Only for admins.
    ada.browser.read("admin", "verify_ratings", json!({})).await.fails(403, "forbidden");
}
