//! Whole games between two people.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    socket::Socket,
    support::{Browser, Server},
};

pub struct Person {
    pub browser: Browser,
    pub id: String,
    pub socket: Socket,
}

impl Person {
    pub async fn new(server: &Server, name: &str) -> Self {
        let (browser, user) = server.registered(name).await;
        let socket = Socket::open(server, &browser).await;
        Self { browser, id: user["userId"].as_str().unwrap().to_owned(), socket }
    }

    pub async fn invites(&self, other: &Person, size: u8) -> Value {
        let payload = json!({
            "players": [{ "userId": self.id }, { "userId": other.id }],
            "gameType": "invite",
            "boardSize": size,
        });
        self.browser.write("game", "create_game", payload).await.ok()["game"].clone()
    }

    pub async fn joins(&mut self, game: &str) -> Value {
        assert_eq!(self.socket.ask("joinGame", json!({ "gameId": game, "userId": self.id })).await["succeeded"], true);
        self.socket.wait("gameJoined").await
    }

    pub async fn plays(&mut self, game: &str, row: u8, col: u8) -> Value {
        self.socket.ask("makeMove", json!({ "gameId": game, "userId": self.id, "row": row, "col": col })).await
    }
}

/// Two people and their game, which has started; the first is X and to move.
pub async fn started(server: &Server, size: u8) -> (Person, Person, String) {
    let mut ada = Person::new(server, "ada").await;
    let mut bob = Person::new(server, "bob").await;
    let game = ada.invites(&bob, size).await["gameId"].as_str().unwrap().to_owned();
    let invitation = bob.socket.wait("gameInvitation").await;
    assert_eq!((&invitation["game"]["gameId"], &invitation["from"]["username"]), (&json!(game), &json!("ada")));
    let waiting = ada.joins(&game).await;
    assert_eq!((&waiting["success"], &waiting["message"]), (&json!(true), &json!("Waiting for Opponent")));
    assert_eq!(bob.joins(&game).await["message"], Value::Null, "no message when the game continues");
    for person in [&mut ada, &mut bob] {
        let start = person.socket.wait("gameStarted").await;
        assert_eq!((&start["gameState"]["status"], &start["gameState"]["boardSize"]), (&json!("active"), &json!(size)));
    }
    (ada, bob, game)
}

/// Plays these cells in turn; the last move's updates have been seen by both.
async fn play_all(ada: &mut Person, bob: &mut Person, game: &str, cells: &[(u8, u8)]) -> Value {
    let mut last = Value::Null;
    let mut version = None;
    for (at, (row, col)) in cells.iter().enumerate() {
        let (mover, other) = if at % 2 == 0 { (&mut *ada, &mut *bob) } else { (&mut *bob, &mut *ada) };
        let answer = mover.plays(game, *row, *col).await;
        assert_eq!(answer["succeeded"], true, "{answer}");
        let own = mover.socket.wait("moveUpdate").await;
        last = other.socket.wait("moveUpdate").await;
        assert_eq!(own, last, "both are told the same");
        let received = last["version"].as_u64().unwrap();
        assert!(version.is_none_or(|before| received == before + 1), "one more for each move");
        version = Some(received);
    }
    last
}

#[tokio::test(flavor = "multi_thread")]
async fn a_win_on_three_by_three() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = started(&server, 3).await;
    let cells = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)];
    let last = play_all(&mut ada, &mut bob, &game, &cells).await;
    assert_eq!((&last["winner"], &last["gameStatus"]), (&json!("X"), &json!("completed")));
    assert_eq!(last["winningLine"], json!([[0, 0], [0, 1], [0, 2]]));
    let won = ada.socket.wait("gameEnd").await;
    let lost = bob.socket.wait("gameEnd").await;
    assert_eq!(
        (&won["reason"], &won["message"], &won["winnerUserId"]),
        (&json!("line"), &json!("You Won!"), &json!(ada.id))
    );
    assert_eq!(lost["message"], "ada Won!");

    // The result stays: it can be opened again, listed and replayed.
    assert_eq!(bob.joins(&game).await["gameState"]["winner"], "X");
    let replay = ada.browser.read("game", "get_replay", json!({ "gameId": game })).await.ok()["replay"].clone();
    assert_eq!(replay["rounds"][0]["moves"].as_array().unwrap().len(), cells.len());
    let list = ada.browser.read("game", "get_games_by_user", json!({ "userId": ada.id })).await.ok();
    assert_eq!((&list["games"][0]["gameId"], &list["pagination"]["totalCount"]), (&json!(game), &json!(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_counted_once_while_it_is_being_stored() {
    let server = Server::start().await;
    let mut ada = Person::new(&server, "ada").await;
    let mut bob = Person::new(&server, "bob").await;
    for ended in 1..=8 {
        let game = ada.invites(&bob, 3).await["gameId"].as_str().unwrap().to_owned();
        ada.joins(&game).await;
        bob.joins(&game).await;
        ada.browser.write("game", "end_game", json!({ "gameId": game })).await.ok();
        for _ in 0..30 {
            let list = ada.browser.read("game", "get_games_by_user", json!({ "userId": ada.id })).await.ok();
            assert_eq!(list["pagination"]["totalCount"], ended);
            assert_eq!(list["games"].as_array().unwrap().len(), ended);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn four_in_a_row_win_on_six_by_six() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = started(&server, 6).await;
    let cells = [(2, 1), (0, 0), (2, 2), (0, 1), (2, 3), (0, 2), (2, 4)];
    let last = play_all(&mut ada, &mut bob, &game, &cells).await;
    assert_eq!(last["winningLine"], json!([[2, 1], [2, 2], [2, 3], [2, 4]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drawn_game_is_followed_by_one_rematch() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = started(&server, 3).await;
    let cells = [(0, 0), (1, 1), (2, 2), (0, 1), (2, 1), (2, 0), (0, 2), (1, 2), (1, 0)];
    let last = play_all(&mut ada, &mut bob, &game, &cells).await;
    assert_eq!((&last["isDraw"], &last["winner"]), (&json!(true), &Value::Null));
    assert_eq!(ada.socket.wait("gameDraw").await["message"], "It's a Draw!");
    assert_eq!(bob.socket.wait("gameDraw").await["newGameState"], Value::Null);

    let again = json!({ "gameId": game });
    let (first, second) = tokio::join!(
        ada.browser.write("game", "play_again", again.clone()),
        bob.browser.write("game", "play_again", again.clone())
    );
    let made: Vec<Value> =
        [first, second].into_iter().filter(|made| made.status == 200).map(|made| made.body["game"].clone()).collect();
    assert!(!made.is_empty());
    assert!(made.windows(2).all(|pair| pair[0]["gameId"] == pair[1]["gameId"]), "one game: {made:?}");
    let next = made[0]["gameId"].as_str().unwrap().to_owned();
    ada.joins(&next).await;
    bob.joins(&next).await;
    let state = ada.socket.wait("gameStarted").await["gameState"].clone();
    assert_eq!(state["currentTurn"], json!(bob.id), "the starter changes");
}

#[tokio::test(flavor = "multi_thread")]
async fn forfeits_and_cancelled_invitations() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = started(&server, 4).await;
    assert_eq!(bob.socket.ask("forfeitGame", json!({ "gameId": game, "userId": bob.id })).await["succeeded"], true);
    let won = ada.socket.wait("gameEnd").await;
    assert_eq!((&won["forfeit"], &won["forfeiter"]), (&json!(true), &json!(bob.id)));
    assert_eq!(won["message"], "Opponent forfeited. You win!");
    assert_eq!(bob.socket.wait("gameEnd").await["message"], "You forfeited. Opponent wins!");

    let second = ada.invites(&bob, 3).await["gameId"].clone();
    ada.browser.write("game", "cancel_game", json!({ "gameId": second, "userId": ada.id })).await.ok();
    for (person, message) in [(&mut ada, "You cancelled the invitation."), (&mut bob, "ada cancelled the invitation.")]
    {
        let received = person.socket.wait("gameCancelled").await;
        assert_eq!((&received["message"], &received["reason"]), (&json!(message), &json!("withdrawn")));
    }
    let games = bob
        .browser
        .read("game", "get_games_by_user", json!({ "userId": bob.id, "status": ["waiting", "active"] }))
        .await;
    assert_eq!(games.ok()["games"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_seat_goes_to_the_first_claim() {
    let server = Server::start().await;
    let ada = Person::new(&server, "ada").await;
    let (bob, cyd) = (Person::new(&server, "bob").await, Person::new(&server, "cyd").await);
    let open = json!({ "players": [{ "userId": ada.id }], "gameType": "invite" });
    let game = ada.browser.write("game", "create_game", open).await.ok()["game"].clone();
    let wrong = json!({ "gameId": game["gameId"], "inviteToken": "guess" });
    bob.browser.write("game", "claim_seat", wrong).await.fails(404, "not-found");
    let claim = json!({ "gameId": game["gameId"], "inviteToken": game["inviteToken"] });
    let (b, c) = tokio::join!(
        bob.browser.write("game", "claim_seat", claim.clone()),
        cyd.browser.write("game", "claim_seat", claim.clone())
    );
    let mut statuses = [b.status.as_u16(), c.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{} {}", b.body, c.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tabs_are_one_player_and_a_lost_connection_can_return() {
    let server = Server::start().await;
    let (mut ada, mut bob, game) = started(&server, 3).await;
    let mut second_tab = Socket::open(&server, &ada.browser).await;
    second_tab.send("joinGame", json!({ "gameId": game })).await;
    assert_eq!(second_tab.wait("gameJoined").await["gameState"]["status"], "active");
    // One of two tabs goes: nobody is told.
    drop(std::mem::replace(&mut ada.socket, second_tab));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(bob.socket.drained().await.iter().all(|frame| frame["event"] != "opponentDisconnected"));
    // The other goes too: the opponent sees the countdown, and that it ends.
    let away = Socket::open(&server, &ada.browser).await;
    drop(std::mem::replace(&mut ada.socket, away));
    assert_eq!(bob.socket.wait("opponentDisconnected").await["countdown"], 60);
    let early = bob.browser.write("game", "claim_win", json!({ "gameId": game })).await;
    early.fails(409, "claim-too-early");
    ada.joins(&game).await;
    assert_eq!(bob.socket.wait("opponentReconnected").await["userId"], json!(ada.id));
    assert_eq!(ada.plays(&game, 1, 1).await["succeeded"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sees_live_games_and_watches_one_move_by_move() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let mut watcher = Socket::with_token(server.address, &operator.token).await;
    assert_eq!(watcher.ask("subscribeLiveGames", json!({})).await["succeeded"], true);
    let (mut ada, _bob, game) = started(&server, 3).await;
    loop {
        let change = watcher.wait("liveGamesChanged").await;
        if change["games"].as_array().unwrap().iter().any(|one| one["gameId"] == game.as_str()) {
            break;
        }
    }
    assert_eq!(watcher.ask("spectateGame", json!({ "gameId": game })).await["succeeded"], true);
    assert_eq!(watcher.wait("gameJoined").await["gameState"]["gameId"], game.as_str());
    ada.plays(&game, 0, 2).await;
    let update = watcher.wait("moveUpdate").await;
    assert_eq!((&update["row"], &update["col"], &update["userId"]), (&json!(0), &json!(2), &json!(ada.id)));
    // An operator is nobody: it cannot play.
    let refused = watcher.ask("makeMove", json!({ "gameId": game, "row": 1, "col": 1 })).await;
    assert_eq!((&refused["succeeded"], &refused["errorCode"]), (&json!(false), &json!("forbidden")));
}

#[tokio::test(flavor = "multi_thread")]
async fn following_the_log_of_a_user_is_audited() {
    let server = Server::start().await;
    let (admin, user) = server.admin().await;
    let mut socket = Socket::open(&server, &admin).await;
    for filter in [json!({}), json!({ "userId": user["userId"] }), json!({ "userId": user["userId"] })] {
        assert_eq!(socket.ask("subscribeLogs", json!({ "filter": filter })).await["succeeded"], true);
    }
    let trail = admin.read("admin", "list_audit", json!({})).await.ok();
    assert_eq!(trail["pagination"]["totalCount"], 1);
    let entry = &trail["entries"][0];
    assert_eq!((&entry["action"], &entry["subject"]), (&json!("read_logs"), &user["userId"]));
    assert_eq!(entry["address"], "127.0.0.1");
}
