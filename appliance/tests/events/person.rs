//! A participant, and how two of them play a game.

use serde_json::{Value, json};

use crate::{
    socket::Socket,
    support::{Browser, Server},
};

pub struct Person {
    pub browser: Browser,
    pub id: String,
    pub name: String,
    pub socket: Socket,
}

impl Person {
    pub async fn new(server: &Server, name: &str) -> Self {
        let (browser, user) = server.registered(name).await;
        let socket = Socket::open(server, &browser).await;
        Self { browser, id: user["userId"].as_str().unwrap().to_owned(), name: name.to_owned(), socket }
    }

    pub async fn reconnect(&mut self, server: &Server) {
        self.socket = Socket::open(server, &self.browser).await;
    }

    /// Opens the event room; the answer is `eventJoined`.
    pub async fn enters(&mut self, event: &str) -> Value {
        let ack = self.socket.ask("joinEventRoom", json!({ "eventId": event, "userId": self.id })).await;
        assert_eq!(ack["succeeded"], true, "{ack}");
        self.socket.wait("eventJoined").await
    }

    /// Looks for an opponent; the answer is `matchmakingStarted`.
    pub async fn seeks(&mut self, event: &str) -> Value {
        let ack = self.socket.ask("findMatch", json!({ "eventId": event, "userId": self.id })).await;
        assert_eq!(ack["succeeded"], true, "{ack}");
        self.socket.wait("matchmakingStarted").await
    }

    pub async fn joins(&mut self, game: &str) -> Value {
        let ack = self.socket.ask("joinGame", json!({ "gameId": game })).await;
        assert_eq!(ack["succeeded"], true, "{ack}");
        self.socket.wait("gameJoined").await["gameState"].clone()
    }

    pub async fn moves(&mut self, game: &str, cell: (u8, u8)) -> Value {
        self.socket.ask("makeMove", json!({ "gameId": game, "row": cell.0, "col": cell.1 })).await
    }
}

/// Both look for an opponent in this event, and are paired.
pub async fn paired(a: &mut Person, b: &mut Person, event: &str) -> String {
    for person in [&mut *a, &mut *b] {
        person.enters(event).await;
        person.seeks(event).await;
    }
    let (found, other) = (a.socket.wait("playerFound").await, b.socket.wait("playerFound").await);
    assert_eq!(found["gameId"], other["gameId"]);
    assert_eq!((&found["eventId"], &found["redirectInMs"]), (&json!(event), &json!(2_000)));
    assert_eq!((&found["opponent"]["username"], &found["opponent"]["userId"]), (&json!(b.name), &json!(b.id)));
    found["gameId"].as_str().unwrap().to_owned()
}

/// Both open the game, which starts; returns its state.
pub async fn started(a: &mut Person, b: &mut Person, game: &str) -> Value {
    a.joins(game).await;
    b.joins(game).await;
    b.socket.wait("gameStarted").await;
    a.socket.wait("gameStarted").await["gameState"].clone()
}

/// Plays the current round until the first player wins; returns both `gameEnd` frames.
pub async fn win(winner: &mut Person, loser: &mut Person, game: &str, state: &Value) -> [Value; 2] {
    let size = state["boardSize"].as_u64().unwrap() as u8;
    let length = if size == 3 { 3 } else { 4 };
    let mut winning = (0..length).map(|col| (0, col));
    // These cells never form a line.
    let mut losing = (0..length).map(|col| (1 + col % 2, col));
    let mut is_winners_turn = state["currentTurn"] == json!(winner.id);
    loop {
        let (mover, cell) = if is_winners_turn { (&mut *winner, winning.next()) } else { (&mut *loser, losing.next()) };
        let Some(cell) = cell else { break };
        let ack = mover.moves(game, cell).await;
        assert_eq!(ack["succeeded"], true, "{ack}");
        if is_winners_turn && cell.1 == length - 1 {
            break;
        }
        is_winners_turn = !is_winners_turn;
    }
    [winner.socket.wait("gameEnd").await, loser.socket.wait("gameEnd").await]
}

/// A full 3×3 board without a line, in the order of the moves.
pub const DRAWN: [(u8, u8); 9] = [(0, 0), (1, 1), (2, 2), (0, 1), (2, 1), (2, 0), (0, 2), (1, 2), (1, 0)];

/// Fills a 3×3 board; returns the `gameDraw` that the first player got.
pub async fn draw(a: &mut Person, b: &mut Person, game: &str, state: &Value) -> Value {
    let starts = state["currentTurn"] == json!(a.id);
    for (at, cell) in DRAWN.into_iter().enumerate() {
        let mover = if (at % 2 == 0) == starts { &mut *a } else { &mut *b };
        let ack = mover.moves(game, cell).await;
        assert_eq!(ack["succeeded"], true, "{ack}");
    }
    b.socket.wait("gameDraw").await;
    a.socket.wait("gameDraw").await
}
