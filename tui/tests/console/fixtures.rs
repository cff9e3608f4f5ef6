//! Games to show, and an app that heard of them.

use morpion_openapi::{
    Timestamp,
    game::{EndReason, Game, GameMove, GamePlayer, GamePlayerRef, GameState, GameStatus, GameType, Symbol},
    realtime::{Ack, ClientFrame, GameEnd, GameJoined, LiveGamesChanged, MoveUpdate, ServerFrame},
};
use morpion_tui::{
    app::App,
    event::{Action, Event, NetEvent},
};
use uuid::Uuid;

/// 2026-11-21T10:00:00Z.
pub const START: i64 = 1_795_255_200_000;

pub const X: Uuid = Uuid::from_u128(0xa1);
pub const O: Uuid = Uuid::from_u128(0xb2);

pub fn game_id(number: u32) -> Uuid {
    Uuid::from_u128(u128::from(number) << 96 | 0x4000_8000_0000_0000_0000)
}

/// An active invite game between anna (X) and ben (O).
pub fn game(number: u32) -> Game {
    Game {
        game_id: game_id(number),
        players: vec![
            GamePlayerRef { user_id: X, username: "anna".to_owned() },
            GamePlayerRef { user_id: O, username: "ben".to_owned() },
        ],
        event_id: format!("remote-{}", game_id(number)),
        level: 1,
        initiator_user_id: X,
        game_type: GameType::Invite,
        status: GameStatus::Active,
        notify: true,
        board_size: 3,
        draw_count: 0,
        winner_user_id: None,
        is_draw: false,
        your_turn: false,
        current_turn: Some(X),
        move_count: Some(0),
        reason: None,
        invite_token: None,
        created_at: Timestamp::from_millis(START),
        ended_at: None,
    }
}

/// A handful of different games.
pub fn games() -> Vec<Game> {
    let named = |number, x: &str, o: &str| {
        let mut game = game(number);
        game.players[0].username = x.to_owned();
        game.players[1].username = o.to_owned();
        game
    };
    let at = |seconds: i64| Timestamp::from_millis(START - seconds * 1_000);
    let mut open = game(0x0e11_77aa);
    open.players.truncate(1);
    open.status = GameStatus::Waiting;
    open.current_turn = None;
    vec![
        Game { move_count: Some(4), created_at: at(42), ..named(0x3fa9_c1d2, "anna", "ben") },
        Game {
            board_size: 6,
            move_count: Some(17),
            current_turn: Some(O),
            created_at: at(610),
            ..named(0x9b01_77e4, "Clément", "日本太郎")
        },
        Game {
            board_size: 4,
            draw_count: 2,
            move_count: Some(9),
            level: 3,
            game_type: GameType::Event,
            event_id: Uuid::from_u128(7).to_string(),
            created_at: at(190),
            ..named(0x77c0_ffee, "a_very_long_username", "another-long.name")
        },
        Game { created_at: at(7_300), ..open },
    ]
}

/// What the server says of a watched 3×3 game before its first move.
pub fn state(game: &Game) -> GameState {
    let size = usize::from(game.board_size);
    let player = |at: usize, symbol| {
        game.players.get(at).map(|player| GamePlayer {
            user_id: player.user_id,
            username: player.username.clone(),
            symbol,
            connected: true,
            time_used_ms: 0,
            absent_until: None,
        })
    };
    GameState {
        game_id: game.game_id,
        board: vec![vec![String::new(); size]; size],
        players: player(0, Symbol::X).into_iter().chain(player(1, Symbol::O)).collect(),
        current_turn: game.current_turn,
        winner: None,
        winner_user_id: None,
        is_draw: false,
        winning_line: None,
        board_size: game.board_size,
        draw_count: game.draw_count,
        status: game.status,
        game_type: game.game_type,
        event_id: game.event_id.clone(),
        level: game.level,
        initiator_user_id: X,
        notify: true,
        version: 3,
        server_time: START,
        turn_deadline: None,
        moves: vec![],
        reason: None,
        forfeiter: None,
        invite_token: None,
        next_game_id: None,
        created_at: game.created_at,
        ended_at: None,
    }
}

pub fn joined(state: &GameState) -> ServerFrame {
    let game_state = Some(state.clone());
    ServerFrame::GameJoined(GameJoined {
        game_id: state.game_id,
        success: true,
        message: None,
        error: None,
        game_state,
    })
}

/// The move that follows `state`, `seconds` later.
pub fn next_move(state: &GameState, (row, col): (u8, u8), seconds: i64) -> MoveUpdate {
    let mover =
        state.players.iter().find(|player| Some(player.user_id) == state.current_turn).expect("somebody is to move");
    let other = state.players.iter().find(|player| player.user_id != mover.user_id).expect("there are two");
    let mut board = state.board.clone();
    board[usize::from(row)][usize::from(col)] = mover.symbol.to_string();
    MoveUpdate {
        game_id: state.game_id,
        user_id: mover.user_id,
        symbol: mover.symbol,
        row,
        col,
        board,
        next_turn: Some(other.user_id),
        winner: None,
        winning_line: None,
        is_draw: false,
        game_status: GameStatus::Active,
        version: state.version + 1,
        server_time: state.server_time + seconds * 1_000,
        turn_deadline: state.turn_deadline.map(|_| state.server_time + (seconds + 15) * 1_000),
    }
}

/// Plays moves on a state, as the server would.
pub fn played(mut state: GameState, cells: &[(u8, u8)]) -> GameState {
    for cell in cells {
        let update = next_move(&state, *cell, 5);
        let mover = state.players.iter_mut().find(|player| player.user_id == update.user_id).expect("a player");
        mover.time_used_ms += 5_000;
        state.board = update.board;
        state.moves.push(GameMove { row: cell.0, col: cell.1, symbol: update.symbol, at: update.server_time });
        state.current_turn = update.next_turn;
        state.version = update.version;
        state.server_time = update.server_time;
        state.turn_deadline = update.turn_deadline;
    }
    state
}

/// X has the diagonal.
pub fn won(state: GameState) -> GameState {
    let mut state = played(state, &[(0, 0), (0, 1), (1, 1), (0, 2), (2, 2)]);
    state.status = GameStatus::Completed;
    state.current_turn = None;
    state.winner = Some(Symbol::X);
    state.winner_user_id = Some(X);
    state.winning_line = Some(vec![[0, 0], [1, 1], [2, 2]]);
    state.reason = Some(EndReason::Line);
    state
}

pub fn game_end(state: &GameState, reason: EndReason) -> GameEnd {
    GameEnd {
        game_id: state.game_id,
        reason,
        winner: Some(Symbol::O),
        winner_user_id: Some(O),
        is_draw: false,
        forfeit: true,
        forfeiter: Some(X),
        message: "ben Won!".to_owned(),
        game_type: state.game_type,
        event_id: state.event_id.clone(),
        winning_line: None,
        tournament_result: None,
        version: state.version + 1,
    }
}

pub fn changed(games: Vec<Game>, ended: Vec<Uuid>) -> ServerFrame {
    ServerFrame::LiveGamesChanged(LiveGamesChanged { games, ended, server_time: Timestamp::from_millis(START) })
}

pub fn succeeded() -> Ack {
    Ack { succeeded: true, error_message: None, error_code: None }
}

/// An app with its clock.
pub struct Console {
    pub app: App,
    pub now: i64,
}

impl Console {
    pub fn new(size: (u16, u16)) -> Self {
        // This machine's clock is a minute behind the server's, which nobody must see.
        let now = START - 60_000;
        Self { app: App::new("127.0.0.1:8080".to_owned(), size, now), now }
    }

    /// Connected, and told these games.
    pub fn with(size: (u16, u16), games: Vec<Game>) -> Self {
        let mut console = Self::new(size);
        console.connect(games);
        console
    }

    pub fn connect(&mut self, games: Vec<Game>) -> Vec<Action> {
        self.net(NetEvent::Connecting);
        let actions = self.net(NetEvent::Connected);
        self.frame(changed(games, vec![]));
        self.net(NetEvent::Ack { id: "live-games".to_owned(), ack: succeeded() });
        actions
    }

    pub fn update(&mut self, event: Event) -> Vec<Action> {
        self.app.update(event, self.now)
    }

    pub fn net(&mut self, news: NetEvent) -> Vec<Action> {
        self.update(Event::Net(news))
    }

    pub fn frame(&mut self, frame: ServerFrame) -> Vec<Action> {
        self.net(NetEvent::Frame(Box::new(frame)))
    }

    /// Presses keys as `tmux` names them.
    pub fn press(&mut self, keys: &str) -> Vec<Action> {
        use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
        let mut actions = vec![];
        for key in keys.split(' ') {
            let event = match key {
                "Enter" => KeyEvent::from(KeyCode::Enter),
                "Escape" => KeyEvent::from(KeyCode::Esc),
                "BSpace" => KeyEvent::from(KeyCode::Backspace),
                "C-c" => KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL),
                "C-z" => KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL),
                text => {
                    assert_eq!(text.chars().count(), 1, "no key is called {text}");
                    KeyEvent::from(KeyCode::Char(text.chars().next().expect("one")))
                }
            };
            actions.extend(self.update(Event::Key(event)));
        }
        actions
    }

    pub fn pass(&mut self, milliseconds: i64) -> Vec<Action> {
        self.now += milliseconds;
        self.update(Event::Tick)
    }

    /// Opens the chosen game, whose state is `state`.
    pub fn watch(&mut self, state: &GameState) {
        self.press("Enter");
        self.frame(joined(state));
    }

    pub fn state(&self) -> &GameState {
        self.app.watch.as_ref().and_then(|watch| watch.state.as_ref()).expect("a game is watched")
    }

    /// The players of the shown games, in order.
    pub fn shown(&self) -> Vec<String> {
        self.app.live_games.shown().map(|game| game.players[0].username.clone()).collect()
    }
}

/// The frames among the actions.
pub fn sent(actions: &[Action]) -> Vec<&ClientFrame> {
    actions
        .iter()
        .filter_map(|action| match action {
            Action::Send { frame, .. } => Some(frame),
            _ => None,
        })
        .collect()
}
