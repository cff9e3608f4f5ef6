//! Player pages from outside: `docs/behaviour/player-pages.md`.

use std::{num::NonZeroU32, time::Duration};

use morpion_appliance::clock::Clock;
use morpion_store::{DumpReader, DumpWriter};
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired, started, win},
    process::{Account, Process, register},
    restart::{on_disk, signed_in},
    socket::Socket,
    support::{Browser, PASSWORD, Server, credentials},
};

async fn profile(browser: &Browser, username: &str) -> Value {
    browser.read("player", "get_profile", json!({ "username": username })).await.ok()["profile"].clone()
}

async fn history(browser: &Browser, user: &str, filter: Value) -> Value {
    browser.read("player", "get_history", json!({ "userId": user, "filter": filter })).await.ok()
}

/// The number of games that a filter finds, by the list and by the total.
async fn found(browser: &Browser, user: &str, filter: Value) -> usize {
    let answer = history(browser, user, filter).await;
    let games = answer["games"].as_array().unwrap().len();
    assert_eq!(answer["pagination"]["totalCount"], json!(games), "{answer}");
    games
}

/// Waits until this many games of somebody are counted, which is moments after their ends.
async fn counted(browser: &Browser, user: &str, games: usize) -> Value {
    for _ in 0..200 {
        let answer = history(browser, user, json!({})).await;
        if answer["pagination"]["totalCount"] == json!(games) {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{}", history(browser, user, json!({})).await)
}

/// An invite game that the first wins by the other's forfeit.
async fn friendly(winner: &mut Person, loser: &mut Person, size: u8) -> String {
    let payload = json!({ "players": [{ "userId": winner.id }, { "userId": loser.id }], "gameType": "invite", "boardSize": size });
    let game = winner.browser.write("game", "create_game", payload).await.ok()["game"]["gameId"].clone();
    let game = game.as_str().unwrap().to_owned();
    started(winner, loser, &game).await;
    assert_eq!(loser.socket.ask("forfeitGame", json!({ "gameId": game })).await["succeeded"], true);
    winner.socket.wait("gameEnd").await;
    game
}

/// An event game that the first wins.
async fn serious(winner: &mut Person, loser: &mut Person, event: &str) -> String {
    let game = paired(winner, loser, event).await;
    let state = started(winner, loser, &game).await;
    win(winner, loser, &game, &state).await;
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_shows_results_events_and_games() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob) = (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await);
    let event = fixture.started(details("Cup")).await;
    let first = friendly(&mut ada, &mut bob, 4).await;
    let second = serious(&mut bob, &mut ada, &event).await;
    let answer = counted(&ada.browser, &ada.id, 2).await;
    let games = answer["games"].as_array().unwrap();
    assert_eq!((&games[0]["gameId"], &games[1]["gameId"]), (&json!(second), &json!(first)));
    assert_eq!(
        (&games[0]["result"], &games[0]["gameType"], &games[0]["rated"], &games[0]["eventId"], &games[0]["clock"]),
        (&json!("lost"), &json!("event"), &json!(false), &json!(event), &json!("turn15"))
    );
    assert_eq!(
        (&games[1]["result"], &games[1]["reason"], &games[1]["boardSize"], games[1].get("eventId")),
        (&json!("won"), &json!("forfeit"), &json!(4), None)
    );
    assert_eq!(games[1]["opponent"], json!({ "userId": bob.id, "username": "bob", "displayName": "bob" }));

    let page = profile(&bob.browser, "ADA").await;
    assert_eq!((&page["userId"], &page["username"], page.get("hidden")), (&json!(ada.id), &json!("ada"), None));
    assert_eq!((&page["blockedByMe"], page.get("visibility")), (&json!(false), None));
    assert!(page["memberSince"].is_string() && !page.to_string().contains("example.org"), "{page}");
    let (three, four) = (&page["results"][0], &page["results"][1]);
    assert_eq!(three, &json!({ "boardSize": 3, "wins": 0, "losses": 1, "draws": 0 }));
    assert_eq!(four, &json!({ "boardSize": 4, "wins": 1, "losses": 0, "draws": 0 }));
    let place = &page["events"][0];
    assert_eq!(
        (&place["eventId"], &place["title"], &place["eventState"]),
        (&json!(event), &json!("Cup"), &json!("started"))
    );
    assert_eq!((&place["place"], &place["players"], &place["losses"]), (&json!(2), &json!(2), &json!(1)));
    let by_id = bob.browser.read("player", "get_profile", json!({ "userId": ada.id })).await.ok();
    assert_eq!(by_id["profile"], page);

    // Head to head is from the side of whoever asks.
    let between = bob.browser.read("player", "get_head_to_head", json!({ "userId": ada.id })).await.ok();
    assert_eq!(between["results"], json!({ "wins": 1, "losses": 1, "draws": 0 }));
    assert_eq!((&between["games"][0]["result"], &between["games"][1]["result"]), (&json!("won"), &json!("lost")));
    let opponents = ada.browser.read("player", "list_opponents", json!({})).await.ok()["opponents"].clone();
    assert_eq!((&opponents[0]["username"], &opponents[0]["results"]["wins"]), (&json!("bob"), &json!(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_and_pages_of_a_history() {
    let fixture = Fixture::new().await;
    let server = &fixture.server;
    let (mut ada, mut bob) = (Person::new(server, "ada").await, Person::new(server, "bob").await);
    let mut eve = Person::new(server, "eve").await;
    let event = fixture.started(details("Cup")).await;
    for size in [3, 4, 4] {
        friendly(&mut ada, &mut bob, size).await;
    }
    friendly(&mut eve, &mut ada, 3).await;
    serious(&mut ada, &mut bob, &event).await;
    counted(&ada.browser, &ada.id, 5).await;
    let own = |filter| found(&ada.browser, &ada.id, filter);
    for (filter, games) in [
        (json!({ "gameType": "invite" }), 4),
        (json!({ "gameType": "event" }), 1),
        (json!({ "gameType": "quick" }), 0),
        (json!({ "result": "lost" }), 1),
        (json!({ "result": "drawn" }), 0),
        (json!({ "boardSize": 4 }), 2),
        (json!({ "boardSize": 4, "result": "won", "gameType": "invite", "rated": false }), 2),
        (json!({ "rated": true }), 0),
        // Both players have one address, so that the game is not rated.
        (json!({ "gameType": "event", "rated": false }), 1),
        (json!({ "opponentId": bob.id }), 4),
        (json!({ "opponentId": bob.id, "boardSize": 3 }), 2),
        (json!({ "opponentId": Uuid::new_v4() }), 0),
    ] {
        assert_eq!(own(filter.clone()).await, games, "{filter}");
    }
    let page = |page: u64, limit: u64| {
        ada.browser.read("player", "get_history", json!({ "userId": ada.id, "page": page, "limit": limit }))
    };
    let second = page(2, 2).await.ok();
    assert_eq!(second["games"].as_array().unwrap().len(), 2);
    assert_eq!((&second["pagination"]["totalCount"], &second["pagination"]["hasNextPage"]), (&json!(5), &json!(true)));
    for (at, limit) in [(9, 2), (u64::from(u32::MAX), 100), (0, 0), (1, 1_000_000)] {
        let answer = page(at, limit).await.ok();
        assert_eq!(answer["pagination"]["totalCount"], 5, "{answer}");
    }
    for bad in [
        json!({ "userId": ada.id, "page": -1 }),
        json!({ "userId": ada.id, "filter": { "result": "WON" } }),
        json!({ "userId": ada.id, "filter": { "sort": "asc" } }),
        json!({}),
    ] {
        ada.browser.read("player", "get_history", bad).await.fails(400, "malformed");
    }
    for no_id in [json!({ "userId": "ada" }), json!({ "userId": ada.id, "filter": { "opponentId": "' OR true; --" } })]
    {
        ada.browser.read("player", "get_history", no_id).await.fails(404, "not-found");
    }
    let odd = json!({ "userId": ada.id, "filter": { "boardSize": 7 } });
    ada.browser.read("player", "get_history", odd).await.fails(422, "invalid");
}

/// What each kind of caller is answered for a page, and for its history: the status and the error's code.
async fn answers(caller: &Browser, user: &str) -> (Value, Value) {
    let mut told = vec![];
    for action in ["get_profile", "get_history"] {
        let answer = caller.read("player", action, json!({ "userId": user })).await.body;
        told.push(match answer["succeeded"].as_bool() {
            Some(true) if answer["profile"]["hidden"] == true => json!("hidden"),
            Some(true) => json!("shown"),
            _ => answer["errorCode"].clone(),
        });
    }
    let history = told.pop().unwrap();
    (told.pop().unwrap(), history)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_player_decides_who_sees_the_page() {
    let fixture = Fixture::new().await;
    let server = &fixture.server;
    let (mut ada, mut bob) = (Person::new(server, "ada").await, Person::new(server, "bob").await);
    let event = fixture.started(details("Cup")).await;
    friendly(&mut ada, &mut bob, 3).await;
    serious(&mut ada, &mut bob, &event).await;
    counted(&ada.browser, &ada.id, 2).await;
    let (visitor, guest) = (server.browser().await, server.browser().await);
    guest.post("/api/auth/guest", json!({})).await.ok();
    let (member, _) = server.registered("eve").await;
    let (blocked, mallory) = server.registered("mallory").await;
    ada.browser.write("userprofile", "block_user", json!({ "userId": mallory["userId"] })).await.ok();

    let set = |visibility: &str| {
        let wish = json!({ "userId": ada.id, "profileVisibility": visibility });
        ada.browser.write("userprofile", "update_user_profile", wish)
    };
    let own = ada.browser.get("/api/auth/check-login").await.ok();
    assert_eq!(own["user"]["profileVisibility"], "members", "unless chosen otherwise");
    let told = |page: &str, history: &str| (json!(page), json!(history));
    for (visibility, to_visitor, to_guest, to_member) in [
        ("members", told("members-only", "members-only"), told("hidden", "page-hidden"), told("shown", "shown")),
        ("public", told("shown", "shown"), told("shown", "shown"), told("shown", "shown")),
        ("nobody", told("members-only", "members-only"), told("hidden", "page-hidden"), told("hidden", "page-hidden")),
    ] {
        assert_eq!(set(visibility).await.ok()["user"]["profileVisibility"], visibility);
        assert_eq!(answers(&visitor, &ada.id).await, to_visitor, "{visibility}: visitor");
        assert_eq!(answers(&guest, &ada.id).await, to_guest, "{visibility}: guest");
        assert_eq!(answers(&member, &ada.id).await, to_member, "{visibility}: member");
        assert_eq!(answers(&blocked, &ada.id).await, to_member, "{visibility}: whoever is blocked sees nothing of it");
        for who in [&ada.browser, &fixture.admin] {
            assert_eq!(answers(who, &ada.id).await, told("shown", "shown"), "{visibility}");
            assert_eq!(profile(who, "ada").await["visibility"], visibility);
        }
    }
    set("everybody").await.fails(400, "malformed");
    let hidden = profile(&member, "ada").await;
    assert_eq!(
        (&hidden["visibility"], &hidden["results"], &hidden["events"]),
        (&json!("nobody"), &json!([]), &json!([]))
    );
    assert_eq!(hidden.get("memberSince"), None);
    // The games between the two are the caller's own, too.
    let with_bob = json!({ "opponentId": bob.id });
    assert_eq!(found(&bob.browser, &ada.id, with_bob.clone()).await, 2);
    member
        .read("player", "get_history", json!({ "userId": ada.id, "filter": with_bob }))
        .await
        .fails(403, "page-hidden");

    // Of a page that is shown, others see the games that they may replay: not those with friends.
    set("public").await.ok();
    assert_eq!((found(&ada.browser, &ada.id, json!({})).await, found(&member, &ada.id, json!({})).await), (2, 1));
    assert_eq!(found(&visitor, &ada.id, json!({ "gameType": "invite" })).await, 0);
    assert_eq!(found(&member, &ada.id, json!({ "opponentId": bob.id })).await, 1);
    assert_eq!(found(&fixture.admin, &ada.id, json!({})).await, 2);
    // It travels with the data of its owner, and through a whole user object.
    let export = ada.browser.bare(reqwest::Method::GET, "/api/backend/account/export").send().await.unwrap();
    assert!(export.text().await.unwrap().contains("\"profileVisibility\":\"public\""));
    let answer = ada.browser.post("/api/backend/profile/update", json!({ "profileVisibility": "members" })).await.ok();
    assert_eq!(answer["user"]["profileVisibility"], "members");
    visitor.read("player", "get_head_to_head", json!({ "userId": ada.id })).await.fails(401, "not-signed-in");
    visitor.read("player", "list_opponents", json!({})).await.fails(401, "not-signed-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_reads_pages_and_is_nobody() {
    let server = Server::start().await;
    let (_, ada) = server.registered("ada").await;
    let operator = server.operator().await;
    let page = operator.read("player", "get_profile", json!({ "username": "ada" })).await.ok();
    assert_eq!((&page["profile"]["userId"], page["profile"].get("blockedByMe")), (&ada["userId"], None));
    assert_eq!(page["profile"]["visibility"], "members");
    operator.read("player", "get_history", json!({ "userId": ada["userId"] })).await.ok();
    operator.read("player", "get_head_to_head", json!({ "userId": ada["userId"] })).await.fails(403, "forbidden");
    operator.read("player", "list_opponents", json!({})).await.fails(403, "forbidden");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_accounts_have_a_page_and_former_names_lead_to_it() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let (eve, _) = server.registered("eve").await;
    let guest = server.browser().await;
    let guest_user = guest.post("/api/auth/guest", json!({})).await.ok()["user"].clone();
    let ask = |payload: Value| eve.read("player", "get_profile", payload);
    for nobody in [
        json!({ "username": guest_user["username"] }),
        json!({ "userId": guest_user["userId"] }),
        json!({ "userId": Uuid::new_v4() }),
        json!({ "username": "" }),
        json!({ "username": "nobody" }),
        json!({ "username": "../ada" }),
        json!({ "username": "ada'; REMOVE TABLE user; --" }),
        json!({ "username": "a\u{202e}da\u{0}" }),
        json!({ "username": "x".repeat(4_000) }),
    ] {
        let failure = ask(nobody).await.fails(404, "not-found");
        assert_eq!(failure["errorMessage"], "Player not found.");
    }
    for unclear in [json!({}), json!({ "username": "ada", "userId": user["userId"] })] {
        let failure = ask(unclear).await.fails(422, "invalid");
        assert_eq!(failure["fieldErrors"]["username"], "One of username and userId is needed.");
    }
    for action in ["get_history", "get_head_to_head"] {
        let payload = json!({ "userId": guest_user["userId"] });
        eve.read("player", action, payload).await.fails(404, "not-found");
    }
    let rename = json!({ "userId": user["userId"], "username": "Lovelace" });
    ada.write("userprofile", "update_user_profile", rename).await.ok();
    assert_eq!(profile(&eve, "ada").await["username"], "Lovelace");
    assert_eq!(profile(&eve, "LOVELACE").await["userId"], user["userId"]);

    ada.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok();
    for gone in [json!({ "username": "ada" }), json!({ "username": "Lovelace" }), json!({ "userId": user["userId"] })] {
        ask(gone).await.fails(404, "not-found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_deleted_account_played_stays_with_its_opponents() {
    let server = Server::start().await;
    let (mut ada, mut bob) = (Person::new(&server, "ada").await, Person::new(&server, "bob").await);
    friendly(&mut ada, &mut bob, 3).await;
    counted(&ada.browser, &ada.id, 1).await;
    counted(&bob.browser, &bob.id, 1).await;
    let id: Uuid = ada.id.parse().unwrap();
    ada.browser.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok();
    for _ in 0..200 {
        if server.app.store.tallies(id).await.unwrap().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert_eq!(server.app.store.tallies(id).await.unwrap(), []);
    let answer = history(&bob.browser, &bob.id, json!({})).await;
    assert_eq!(answer["games"][0]["opponent"]["displayName"], "Deleted player");
    let opponents = bob.browser.read("player", "list_opponents", json!({})).await.ok();
    assert_eq!(opponents["opponents"], json!([]));
    assert_eq!(profile(&bob.browser, "bob").await["results"][0]["losses"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guests_games_count_for_the_account_that_takes_them_over() {
    let server = Server::start().await;
    let mut bob = Person::new(&server, "bob").await;
    let (_, ada) = server.registered("ada").await;
    let browser = server.browser().await;
    let user = browser.post("/api/auth/guest", json!({})).await.ok()["user"].clone();
    let socket = Socket::open(&server, &browser).await;
    let id = user["userId"].as_str().unwrap().to_owned();
    let mut guest = Person { browser, id, name: String::new(), socket };
    friendly(&mut guest, &mut bob, 3).await;
    counted(&bob.browser, &bob.id, 1).await;
    let opponents = bob.browser.read("player", "list_opponents", json!({})).await.ok();
    assert_eq!(opponents["opponents"][0]["isTempUser"], true);
    let mut wish = credentials("ada@example.org", PASSWORD);
    wish["keepGuestGames"] = json!(true);
    guest.browser.post("/api/auth/login", wish).await.ok();
    let answer = counted(&bob.browser, ada["userId"].as_str().unwrap(), 0).await;
    assert_eq!(answer["games"], json!([]), "a game with a friend is for the two");
    let between = guest.browser.read("player", "get_head_to_head", json!({ "userId": bob.id })).await.ok();
    assert_eq!(between["results"], json!({ "wins": 1, "losses": 0, "draws": 0 }));
    let opponents = bob.browser.read("player", "list_opponents", json!({})).await.ok()["opponents"].clone();
    assert_eq!((opponents.as_array().unwrap().len(), &opponents[0]["userId"]), (1, &ada["userId"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_limited_as_searches_are() {
    let server = Server::with(|config| config.limits.player_pages_per_minute = NonZeroU32::new(3).unwrap()).await;
    let (ada, user) = server.registered("ada").await;
    let visitor = server.browser().await;
    for _ in 0..3 {
        ada.read("player", "get_profile", json!({ "username": "ada" })).await.ok();
        visitor.read("player", "get_history", json!({ "userId": user["userId"] })).await.fails(403, "members-only");
    }
    for (browser, action, payload) in [
        (&ada, "get_history", json!({ "userId": user["userId"] })),
        (&ada, "list_opponents", json!({})),
        (&visitor, "get_profile", json!({ "username": "nobody" })),
    ] {
        let outcome = browser.read("player", action, payload).await;
        assert!(outcome.retry_after.unwrap() > 0);
        outcome.fails(429, "too-many-requests");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_before_are_counted_in_the_background_and_only_once() {
    let played = TempDir::new().unwrap();
    let server = Server::with_clock(Clock::default(), on_disk(&played)).await;
    let (mut ada, mut bob) = (Person::new(&server, "ada").await, Person::new(&server, "bob").await);
    for _ in 0..3 {
        friendly(&mut ada, &mut bob, 3).await;
    }
    counted(&ada.browser, &ada.id, 3).await;
    let ids: Vec<Uuid> = [&ada, &bob].map(|person| person.id.parse().unwrap()).to_vec();
    server.stop().await;

    // An import has rows of games, as data of before, and no histories.
    let folder = TempDir::new().unwrap();
    let mut reader = DumpReader::open(&played.path().join("db"), None).await.unwrap();
    let writer = DumpWriter::create(&folder.path().join("db"), reader.migrations(), None).await.unwrap();
    loop {
        let records = reader.next().await.unwrap();
        let Some(table) = records.first().map(|record| record.table.clone()) else { break };
        writer.insert(&table, records).await.unwrap();
    }
    reader.close().await.unwrap();
    writer.finish().await.unwrap();

    let server = Server::with_clock(Clock::default(), on_disk(&folder)).await;
    for _ in 0..200 {
        if server.app.store.finished_rows(None, 10).await.unwrap().0.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let ada = signed_in(&server, "ada").await;
    assert_eq!(found(&ada.browser, &ada.id, json!({})).await, 3);
    assert_eq!(profile(&ada.browser, "bob").await["results"][0]["losses"], 3);
    assert_eq!(server.app.store.versus(ids[0], ids[1]).await.unwrap().unwrap().counts.total(), 3);
}

/// The process is killed just after games ended: their rows, and with them the counts, may not be written yet.
#[tokio::test(flavor = "multi_thread")]
async fn ends_are_counted_once_although_the_server_is_killed() {
    let folder = TempDir::new().unwrap();
    let mut server = Process::start(folder.path());
    let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
    let mut games = 0;
    for round in 0..6 {
        for _ in 0..2 {
            forfeited(server.address, &accounts).await;
            games += 1;
        }
        // Before, while and after the rows are written.
        tokio::time::sleep(Duration::from_millis(60 * round)).await;
        drop(server);
        server = Process::start(folder.path());
    }
    let mut total = json!(0);
    for _ in 0..200 {
        let answer = read(server.address, &accounts[0], "get_head_to_head", json!({ "userId": accounts[1].id })).await;
        total = answer["results"]["wins"].clone();
        if total == json!(games) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(total, json!(games));
    let page = read(server.address, &accounts[1], "get_profile", json!({ "username": "bob" })).await;
    assert_eq!(page["profile"]["results"], json!([{ "boardSize": 3, "wins": 0, "losses": games, "draws": 0 }]));
}

async fn read(address: std::net::SocketAddr, account: &Account, action: &str, payload: Value) -> Value {
    let query = [("action", action.to_owned()), ("payload", payload.to_string())];
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.get(format!("http://{address}/api/backend/player")).query(&query);
    let request = request.header("cookie", format!("morpion_session={}", account.session));
    request.send().await.unwrap().json().await.unwrap()
}

/// An invite game that the first wins.
async fn forfeited(address: std::net::SocketAddr, accounts: &[Account; 2]) {
    let [ada, bob] = accounts;
    let players = json!([{ "userId": ada.id }, { "userId": bob.id }]);
    let (_, made) =
        ada.write(address, "game", "create_game", json!({ "players": players, "gameType": "invite" })).await;
    let game = made["game"]["gameId"].clone();
    let mut sockets =
        [Socket::with_session(address, &ada.session).await, Socket::with_session(address, &bob.session).await];
    for socket in &mut sockets {
        socket.send("joinGame", json!({ "gameId": game })).await;
        socket.wait("gameJoined").await;
    }
    let (_, ended) = bob.write(address, "game", "end_game", json!({ "gameId": game })).await;
    assert_eq!(ended["succeeded"], true, "{ended}");
}
