//! A guest who signs in to an account brings their games along.

use morpion_appliance::config::Config;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    games::Person,
    socket::Socket,
    support::{Browser, PASSWORD, Server, credentials},
};

/// Somebody who plays without an account.
async fn guest(server: &Server) -> Person {
    let browser = server.browser().await;
    let user = browser.post("/api/auth/guest", json!({})).await.ok()["user"].clone();
    let socket = Socket::open(server, &browser).await;
    Person { browser, id: user["userId"].as_str().unwrap().to_owned(), socket }
}

fn signing_in(name: &str, keep: bool) -> Value {
    let mut wish = credentials(&format!("{name}@example.org"), PASSWORD);
    wish["keepGuestGames"] = json!(keep);
    wish
}

async fn games(browser: &Browser, user: &str) -> Vec<Value> {
    let answer = browser.read("game", "get_games_by_user", json!({ "userId": user, "limit": 50 })).await.ok();
    answer["games"].as_array().unwrap().clone()
}

fn names(game: &Value) -> Vec<&str> {
    game["players"].as_array().unwrap().iter().map(|player| player["username"].as_str().unwrap()).collect()
}

async fn guest_games(browser: &Browser) -> Value {
    browser.get("/api/auth/check-login").await.ok()["guestGames"].clone()
}

/// A game of the guest's against this person that the guest has won.
async fn won(guest: &mut Person, other: &mut Person) -> String {
    let game = guest.invites(other, 3).await["gameId"].as_str().unwrap().to_owned();
    guest.joins(&game).await;
    other.joins(&game).await;
    for (at, (row, col)) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)].into_iter().enumerate() {
        let mover = if at % 2 == 0 { &mut *guest } else { &mut *other };
        assert_eq!(mover.plays(&game, row, col).await["succeeded"], true);
    }
    guest.socket.wait("gameEnd").await;
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_moves_all_games_of_a_guest_to_the_account() {
    let server = Server::start().await;
    let (_, ada) = server.registered("ada").await;
    let ada = ada["userId"].as_str().unwrap();
    let mut bob = Person::new(&server, "bob").await;
    let mut guest = guest(&server).await;
    assert_eq!(guest_games(&guest.browser).await, 0);
    let over = won(&mut guest, &mut bob).await;
    let waiting = guest.invites(&bob, 4).await["gameId"].as_str().unwrap().to_owned();
    let running = guest.invites(&bob, 3).await["gameId"].as_str().unwrap().to_owned();
    guest.joins(&running).await;
    bob.joins(&running).await;
    assert_eq!(guest.plays(&running, 0, 0).await["succeeded"], true);
    assert_eq!(guest_games(&guest.browser).await, 3);
    bob.socket.drained().await;

    let answer = guest.browser.post("/api/auth/login", signing_in("ada", true)).await.ok();
    assert_eq!((&answer["user"]["userId"], &answer["guestGames"]), (&json!(ada), &json!(3)));
    assert_eq!(guest_games(&guest.browser).await, Value::Null, "no longer a guest");
    let mut found: Vec<_> = games(&guest.browser, ada).await;
    found.sort_by_key(|game| game["status"].as_str().unwrap().to_owned());
    let received: Vec<_> = found.iter().map(|game| (game["gameId"].as_str().unwrap(), names(game))).collect();
    let both = vec!["ada", "bob"];
    assert_eq!(received, [(&*running, both.clone()), (&*over, both.clone()), (&*waiting, both)]);
    assert_eq!((&found[1]["winnerUserId"], &found[0]["yourTurn"]), (&json!(ada), &json!(false)));
    // The other one is told who it is now, and the game goes on.
    let state = bob.socket.wait("gameJoined").await["gameState"].clone();
    assert_eq!((&state["players"][0]["userId"], &state["players"][0]["username"]), (&json!(ada), &json!("ada")));
    assert_eq!(bob.plays(&running, 1, 1).await["succeeded"], true);
    let socket = Socket::open(&server, &guest.browser).await;
    let mut ada = Person { browser: guest.browser, id: ada.to_owned(), socket };
    ada.joins(&running).await;
    assert_eq!(ada.plays(&running, 0, 1).await["succeeded"], true);
    ada.joins(&waiting).await;
    let replay = bob.browser.read("game", "get_replay", json!({ "gameId": over })).await.ok()["replay"].clone();
    assert_eq!(replay["players"][0]["userId"], json!(ada.id));
    // The guest is gone.
    bob.browser.read("userprofile", "get_user_by_id", json!({ "userId": guest.id })).await.fails(404, "not-found");
    // Signing in once more moves nothing.
    let again = ada.browser.post("/api/auth/login", signing_in("ada", true)).await.ok();
    assert!(again.get("guestGames").is_none(), "{again}");
    assert_eq!(games(&ada.browser, &ada.id).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_a_guest_move_only_on_request_with_the_right_password() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let mut bob = Person::new(&server, "bob").await;
    let mut guest = guest(&server).await;
    let over = won(&mut guest, &mut bob).await;
    let mut wrong = signing_in("ada", true);
    wrong["password"] = json!("Wrong-Horse-7");
    guest.browser.post("/api/auth/login", wrong).await.fails(401, "wrong-credentials");
    assert_eq!(guest_games(&guest.browser).await, 1);
    let answer = guest.browser.post("/api/auth/login", signing_in("ada", false)).await.ok();
    assert!(answer.get("guestGames").is_none());
    assert_eq!(games(&ada, user["userId"].as_str().unwrap()).await.len(), 0);
    let replay = bob.browser.read("game", "get_replay", json!({ "gameId": over })).await.ok()["replay"].clone();
    assert_eq!(replay["players"][0]["userId"], json!(guest.id));
    // Somebody with an account has nothing to bring along, and nobody else's games come.
    let eve = server.browser().await;
    eve.post("/api/auth/login", signing_in("bob", true)).await.ok();
    eve.post("/api/auth/login", signing_in("ada", true)).await.ok();
    assert_eq!(games(&ada, user["userId"].as_str().unwrap()).await.len(), 0);
    assert!(bob.browser.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guests_game_against_the_same_account_is_not_moved() {
    let server = Server::start().await;
    let mut ada = Person::new(&server, "ada").await;
    let mut guest = guest(&server).await;
    let over = won(&mut guest, &mut ada).await;
    let running = guest.invites(&ada, 3).await["gameId"].as_str().unwrap().to_owned();
    guest.joins(&running).await;
    ada.joins(&running).await;
    guest.browser.post("/api/auth/login", signing_in("ada", true)).await.ok();
    for game in [&over, &running] {
        for _ in 0..100 {
            let state = ada.browser.read("game", "get_game", json!({ "gameId": game })).await.ok()["game"].clone();
            if names(&state) == ["Deleted player", "ada"] && state["status"] == "completed" {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let state = ada.browser.read("game", "get_game", json!({ "gameId": game })).await.ok()["game"].clone();
        assert_eq!((names(&state), &state["status"]), (vec!["Deleted player", "ada"], &json!("completed")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_merge_is_completed_at_the_next_start() {
    let folder = TempDir::new().unwrap();
    let on_disk = |folder: &TempDir| {
        let (url, data) = (format!("surrealkv://{}/db", folder.path().display()), folder.path().to_owned());
        move |config: &mut Config| {
            config.database.url = url;
            config.data_dir = data;
        }
    };
    let server = Server::with(on_disk(&folder)).await;
    let (_, ada) = server.registered("ada").await;
    let mut bob = Person::new(&server, "bob").await;
    let mut guest = guest(&server).await;
    won(&mut guest, &mut bob).await;
    let running = guest.invites(&bob, 3).await["gameId"].as_str().unwrap().to_owned();
    guest.joins(&running).await;
    bob.joins(&running).await;
    let id = |user: &str| user.parse::<uuid::Uuid>().unwrap();
    let ada = ada["userId"].as_str().unwrap().to_owned();
    let now = chrono::Utc::now();
    // The account's part is done in one go; here the server stops right after it.
    let checked = server.credentials_of(id(&guest.id)).await;
    server.app.store.merge_guest(checked, id(&ada), now).await.unwrap();
    let again = server.app.store.merge_guest(checked, id(&ada), now).await;
    assert!(again.is_err(), "a guest is merged once");
    drop((bob, guest));
    server.stop().await;

    let server = Server::with(on_disk(&folder)).await;
    let browser = server.browser().await;
    browser.post("/api/auth/login", signing_in("ada", true)).await.ok();
    for _ in 0..100 {
        if games(&browser, &ada).await.len() == 2 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let found = games(&browser, &ada).await;
    assert_eq!(found.iter().map(names).collect::<Vec<_>>(), [["ada", "bob"], ["ada", "bob"]]);
    assert_eq!((&found[0]["status"], &found[1]["status"]), (&json!("active"), &json!("completed")));
    assert!(server.app.store.pending_merges(1).await.unwrap().is_empty());
}
