//! Test data, and an app with a controllable clock.
//!
//! One long file: the data that all other tests here build on.

use morpion_openapi::{
    Pagination, Timestamp,
    account::User,
    admin::{BackupStatus, HistoryAnswer, HistorySample, OverviewAnswer, StoreHealth},
    event::{EventState, EventType, Winner},
    game::{
        EndReason, Game, GameMove, GamePlayer, GamePlayerRef, GameState, GameStatus, GameType, Symbol, TimeControl,
    },
    logger::{LogEntry, LogLevel, LogStats, LogsAnswer, LogsData, RecentActivity},
    rating::PlayerRating,
    realtime::{Ack, ClientFrame, GameEnd, GameJoined, LiveGamesChanged, MoveUpdate, ServerFrame},
};
use morpion_tui::{
    app::App,
    calls::{Call, Reply},
    context::Options,
    event::{Effect, Event, NetEvent},
    net::command_error::CommandError,
};
use uuid::Uuid;

/// 2026-11-21T10:00:00Z.
pub const START: i64 = 1_795_255_200_000;

pub const X: Uuid = Uuid::from_u128(0xa1);
pub const O: Uuid = Uuid::from_u128(0xb2);

pub fn game_id(number: u32) -> Uuid {
    Uuid::from_u128(u128::from(number) << 96 | 0x4000_8000_0000_0000_0000)
}

/// The display name of somebody with this username. Some have no other name.
pub fn display_name(username: &str) -> String {
    let name = match username {
        "ada" => "Ada Lovelace",
        "anna" => "Anna Petit",
        "a_very_long_username" => "Alexandra Verylong-Usernamesdottir",
        "Clément" => "Clément 🎲",
        _ => username,
    };
    name.to_owned()
}

/// The rating of somebody with this username; whoever begins with a capital is a guest.
pub fn rated(username: &str) -> Option<PlayerRating> {
    let letter = username.chars().next().filter(char::is_ascii_lowercase)?;
    Some(PlayerRating { value: 1_400 + 10 * (letter as u32 - 'a' as u32), provisional: username.len() > 10 })
}

pub fn seated(user_id: Uuid, username: &str) -> GamePlayerRef {
    GamePlayerRef {
        user_id,
        username: username.to_owned(),
        display_name: display_name(username),
        profile_url: None,
        is_bot: None,
        rating: rated(username),
    }
}

/// An active invite game between anna (X) and ben (O).
pub fn game(number: u32) -> Game {
    Game {
        game_id: game_id(number),
        players: vec![seated(X, "anna"), seated(O, "ben")],
        event_id: format!("remote-{}", game_id(number)),
        level: 1,
        initiator_user_id: X,
        game_type: GameType::Invite,
        clock: TimeControl::Untimed,
        rated: None,
        status: GameStatus::Active,
        notify: true,
        board_size: 3,
        draw_count: 0,
        winner_user_id: None,
        is_draw: false,
        is_own: None,
        your_turn: false,
        current_turn: Some(X),
        move_count: Some(0),
        watchers: None,
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
        game.players = vec![seated(X, x), seated(O, o)];
        game
    };
    let at = |seconds: i64| Timestamp::from_millis(START - seconds * 1_000);
    let mut open = game(0x0e11_77aa);
    open.players.truncate(1);
    open.status = GameStatus::Waiting;
    open.current_turn = None;
    vec![
        Game { move_count: Some(4), watchers: Some(12), created_at: at(42), ..named(0x3fa9_c1d2, "anna", "ben") },
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

/// The server's state of a watched 3×3 game before its first move.
pub fn state(game: &Game) -> GameState {
    let size = usize::from(game.board_size);
    let player = |at: usize, symbol| {
        game.players.get(at).map(|player| GamePlayer {
            user_id: player.user_id,
            username: player.username.clone(),
            display_name: player.display_name.clone(),
            profile_url: player.profile_url.clone(),
            is_bot: player.is_bot,
            symbol,
            connected: true,
            time_used_ms: 0,
            time_left_ms: None,
            absent_until: None,
            rating: None,
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
        clock: game.clock,
        rated: game.rated,
        event_id: game.event_id.clone(),
        level: game.level,
        initiator_user_id: X,
        notify: true,
        version: 3,
        server_time: START,
        turn_deadline: None,
        moves: vec![],
        reason: None,
        decision: None,
        forfeiter: None,
        invite_token: None,
        next_game_id: None,
        next_game_by: None,
        rating_changes: None,
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
        watchers: None,
        previous_game_id: None,
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
        absent_until: None,
        times_left_ms: None,
        times_used_ms: None,
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
        decision: None,
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

pub fn event_id(number: u32) -> Uuid {
    Uuid::from_u128(u128::from(number) << 96 | 0x4000_8000_0000_0000_e000)
}

/// An event that begins in an hour and lasts two.
pub fn event(number: u32, event_state: EventState) -> morpion_openapi::event::Event {
    let at = |minutes: i64| Some(Timestamp::from_millis(START + minutes * 60_000));
    morpion_openapi::event::Event {
        id: event_id(number),
        event_id: event_id(number),
        title: format!("Cup {number}"),
        description: "Three in a row wins, four from the third level on.".to_owned(),
        prize: Some("A chalk board".to_owned()),
        event_type: EventType::Open,
        event_state,
        start_time: at(60),
        end_time: at(180),
        max_losses: 3,
        rated_on_one_network: false,
        clock: morpion_openapi::quick_match::QuickMatchClock::Turn15,
        created_at: Timestamp::from_millis(START - 86_400_000),
        updated_at: Timestamp::from_millis(START - 3_600_000),
        winners: vec![],
        signup_count: 12,
        participant_count: 0,
        concluded: matches!(event_state, EventState::Ended | EventState::Cancelled),
        started_at: None,
        ended_at: None,
        games_in_play: 0,
        decided_by: None,
        announcements: vec![],
        format: morpion_openapi::event::EventFormat::Arena,
        rounds: None,
        board_size: morpion_openapi::event::EventBoard::Level(morpion_openapi::event::ByLevel::ByLevel),
        match_games: None,
        third_place: None,
        double_rounds: None,
        paused: None,
        max_players: None,
        min_rating: None,
        max_rating: None,
        min_games: None,
        account_age_days: None,
        is_listed_only: None,
        allow_list: None,
        bots_allowed: None,
        check_in_minutes: None,
        round_times: None,
        checked_in_count: None,
        is_private: false,
        host: None,
        join_code: None,
        series_id: None,
        calendar_token: None,
    }
}

/// An event of every state.
pub fn events() -> Vec<morpion_openapi::event::Event> {
    let titled = |number, title: &str, state| {
        let mut event = event(number, state);
        event.title = title.to_owned();
        event
    };
    let live = morpion_openapi::event::Event {
        start_time: Some(Timestamp::from_millis(START - 25 * 60_000)),
        end_time: Some(Timestamp::from_millis(START + 95 * 60_000)),
        signup_count: 128,
        ..titled(0x11aa_0001, "Friday night blitz", EventState::Started)
    };
    let soon = morpion_openapi::event::Event {
        start_time: Some(Timestamp::from_millis(START + 200_000)),
        ..titled(0x22bb_0002, "Lunch break knockout", EventState::Published)
    };
    let ended = morpion_openapi::event::Event {
        start_time: Some(Timestamp::from_millis(START - 86_400_000)),
        end_time: Some(Timestamp::from_millis(START - 80_000_000)),
        winners: vec![winner(X, "anna", 6, 5), winner(O, "ben", 4, 3)],
        ..titled(0x33cc_0003, "Autumn open", EventState::Ended)
    };
    let draft = morpion_openapi::event::Event {
        start_time: None,
        end_time: None,
        signup_count: 0,
        max_losses: 0,
        event_type: EventType::Closed,
        ..titled(0x44dd_0004, "Winterpokal für alle, die gern lange Namen lesen", EventState::Drafted)
    };
    vec![live, soon, ended, draft, titled(0x55ee_0005, "Rained off", EventState::Cancelled)]
}

fn winner(user_id: Uuid, name: &str, level: u32, wins: u32) -> Winner {
    Winner {
        user_id,
        username: name.to_owned(),
        display_name: display_name(name),
        profile_url: None,
        is_bot: None,
        level,
        wins,
    }
}

pub fn user(number: u32, username: &str) -> User {
    User {
        user_id: Uuid::from_u128(u128::from(number)),
        username: username.to_owned(),
        first_name: "Ada".to_owned(),
        last_name: "Lovelace".to_owned(),
        display_name: format!("{username} the player"),
        email: format!("{username}@example.org"),
        email_verified: true,
        profile: String::new(),
        profile_url: None,
        is_bot: None,
        is_pro_user: false,
        is_temp_user: false,
        is_admin: false,
        admin_claim: None,
        has_password: true,
        may_host: None,
        suspension: None,
        rating: Some(PlayerRating { value: 1_400 + 60 * number, provisional: number.is_multiple_of(2) }),
        second_factor: false,
        profile_visibility: morpion_openapi::player_page::ProfileVisibility::Members,
        username_changeable_at: None,
        last_seen_at: None,
        created_at: Timestamp::from_millis(START - i64::from(number) * 86_400_000),
    }
}

pub fn users() -> Vec<User> {
    vec![
        User { is_admin: true, ..user(1, "ada") },
        User { is_pro_user: true, ..user(2, "ben") },
        User { email_verified: false, ..user(3, "clea") },
        User { is_temp_user: true, email: String::new(), rating: None, ..user(4, "guest-7431") },
    ]
}

pub fn page_of(total_count: u64) -> Pagination {
    Pagination { current_page: 1, limit: 100, total_count, has_prev_page: false, has_next_page: false }
}

pub fn log_entry(number: u32, level: LogLevel, message: &str) -> LogEntry {
    let id = format!("log-{number}");
    LogEntry {
        id: id.clone(),
        log_id: id,
        level,
        platform: "server".to_owned(),
        service: if number.is_multiple_of(2) { "play" } else { "store" }.to_owned(),
        message: message.to_owned(),
        timestamp: Timestamp::from_millis(START + i64::from(number) * 1_000),
        user_id: None,
        session_id: None,
        request_id: None,
        file_name: None,
        context: None,
        stack: None,
        claimed: None,
    }
}

pub fn log_entries(count: u32) -> Vec<LogEntry> {
    (0..count)
        .map(|number| {
            let (level, message) = match number % 7 {
                3 => (LogLevel::Warning, format!("commit took {} ms", 100 + number)),
                5 => (LogLevel::Error, format!("the mail to nobody-{number}@example.org bounced")),
                6 => (LogLevel::Debug, format!("journal trimmed behind checkpoint {number}")),
                _ => (LogLevel::Info, format!("game {} ended: line", game_id(number))),
            };
            let mut entry = log_entry(number, level, &message);
            if number % 7 == 5 {
                entry.request_id = Some(format!("req-{number}"));
                entry.user_id = Some(X);
                entry.context = Some(r#"{"attempt":3,"server":"smtp.example.org"}"#.to_owned());
                entry.stack = Some("mail::send\n  at mail.rs:41\nmail::queue\n  at mail.rs:12".to_owned());
            }
            entry
        })
        .collect()
}

pub fn logs_answer(logs: Vec<LogEntry>, next_cursor: Option<&str>) -> Reply {
    let pagination = page_of(logs.len() as u64);
    Reply::GetLogs(LogsAnswer { data: LogsData { logs, pagination, next_cursor: next_cursor.map(str::to_owned) } })
}

pub fn overview() -> OverviewAnswer {
    OverviewAnswer {
        version: "0.1.0".to_owned(),
        started_at: Timestamp::from_millis(START - 273_600_000),
        server_time: Timestamp::from_millis(START),
        connections: 1_204,
        live_games: 57,
        waiting_games: 3,
        moves: 1_000_000,
        users: 4_812,
        store: StoreHealth { ready: true, pending: 4 },
        mail_configured: true,
        open_reports: 0,
        webhooks: 0,
        failing_webhooks: 0,
        backup: BackupStatus {
            place: Some("/mnt/backups".to_owned()),
            running_since: None,
            last: None,
            log_until: None,
            failure: None,
            failing_since: None,
            verification: None,
        },
        billing_configured: true,
        leader: None,
        warnings: vec![],
    }
}

/// An hour in which an evening begins: more and more play, a pause in it, and a peak of the log.
pub fn history() -> HistoryAnswer {
    let sample = |step: i64| {
        let players = (step * step / 80) as f64;
        let wave = f64::from((step % 30 - 15).abs() as i32);
        let moves = if step < 40 { 0.0 } else { players / 8.0 + wave };
        HistorySample {
            at: Timestamp::from_millis(START - (360 - step) * 10_000),
            cpu_percent: 2.0 + players / 20.0 + wave / 3.0,
            memory: 240_000_000 + 300_000 * step as u64,
            disk_free: Some(42_000_000_000 - 20_000_000 * step as u64),
            sockets: players as u64,
            moves_per_second: moves,
            move_p50: (moves > 0.0).then_some(2.5 + wave / 10.0),
            move_p99: (moves > 0.0).then_some(6.0 + wave),
            log_records_per_second: if step == 200 { 900.0 } else { wave * 4.0 },
        }
    };
    // For a minute the server did not run.
    let steps = (1..=360).filter(|step| !(250..256).contains(step));
    HistoryAnswer { interval_seconds: 10, samples: steps.map(sample).collect() }
}

pub fn log_stats() -> LogStats {
    let hours = |of: fn(u64) -> u64| (0..24).map(of).collect::<Vec<u64>>();
    LogStats {
        level_stats: [("error".to_owned(), 120), ("info".to_owned(), 90_000)].into(),
        recent_activity: RecentActivity { last_24_hours: 12_345, error_rate: 0.012 },
        hourly: [
            ("error".to_owned(), hours(|hour| if hour == 20 { 90 } else { hour % 4 })),
            ("warning".to_owned(), hours(|hour| hour % 7)),
            ("info".to_owned(), hours(|hour| 300 + 20 * hour)),
        ]
        .into(),
        services: vec!["account".to_owned(), "play".to_owned(), "store".to_owned()],
        dropped: 0,
    }
}

/// An app with its clock.
pub struct Console {
    pub app: App,
    pub now: i64,
}

impl Console {
    pub fn new(size: (u16, u16)) -> Self {
        // This machine's clock is a minute behind the server's, which must not be visible.
        let now = START - 60_000;
        let options = Options {
            server_name: "127.0.0.1:8080".to_owned(),
            profiles: vec!["production".to_owned(), "staging".to_owned()],
            has_mouse: true,
            ..Options::default()
        };
        Self { app: App::new(options, size, now), now }
    }

    /// Connected, with a tab open; tabs are numbered from 1.
    pub fn on_tab(size: (u16, u16), number: u8) -> Self {
        let mut console = Self::new(size);
        console.connect(vec![]);
        console.press(&number.to_string());
        console
    }

    /// Delivers the server's reply to a call.
    pub fn reply(&mut self, call: impl Into<Call>, reply: Reply) -> Vec<Effect> {
        self.net(NetEvent::Answered { call: Box::new(call.into()), outcome: Ok(Box::new(reply)) })
    }

    pub fn refuse(&mut self, call: impl Into<Call>, refusal: CommandError) -> Vec<Effect> {
        self.net(NetEvent::Answered { call: Box::new(call.into()), outcome: Err(refusal) })
    }

    /// Types a text.
    pub fn type_text(&mut self, text: &str) -> Vec<Effect> {
        use crossterm::event::{KeyCode, KeyEvent};
        text.chars().flat_map(|char| self.update(Event::Key(KeyEvent::from(KeyCode::Char(char))))).collect()
    }

    /// Connected, with these live games.
    pub fn with(size: (u16, u16), games: Vec<Game>) -> Self {
        let mut console = Self::new(size);
        console.connect(games);
        console.press("3");
        console
    }

    pub fn connect(&mut self, games: Vec<Game>) -> Vec<Effect> {
        self.net(NetEvent::Connecting);
        let actions = self.net(NetEvent::Connected);
        self.frame(changed(games, vec![]));
        self.net(NetEvent::Ack { id: "live-games".to_owned(), ack: succeeded() });
        actions
    }

    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        self.app.update(event, self.now)
    }

    pub fn net(&mut self, news: NetEvent) -> Vec<Effect> {
        self.update(Event::Net(news))
    }

    pub fn frame(&mut self, frame: ServerFrame) -> Vec<Effect> {
        self.net(NetEvent::Frame(Box::new(frame)))
    }

    /// Presses keys as `tmux` names them.
    pub fn press(&mut self, keys: &str) -> Vec<Effect> {
        use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
        let mut actions = vec![];
        for key in keys.split(' ') {
            let event = match key {
                "Enter" => KeyEvent::from(KeyCode::Enter),
                "Escape" => KeyEvent::from(KeyCode::Esc),
                "Space" => KeyEvent::from(KeyCode::Char(' ')),
                "Tab" => KeyEvent::from(KeyCode::Tab),
                "Up" => KeyEvent::from(KeyCode::Up),
                "Down" => KeyEvent::from(KeyCode::Down),
                "Left" => KeyEvent::from(KeyCode::Left),
                "Right" => KeyEvent::from(KeyCode::Right),
                "C-p" => KeyEvent::new(KeyCode::Char('p'), KeyModifiers::CONTROL),
                "C-s" => KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL),
                "C-u" => KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL),
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

    pub fn pass(&mut self, milliseconds: i64) -> Vec<Effect> {
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
        self.app.tabs.games.shown().map(|game| game.players[0].username.clone()).collect()
    }
}

/// The frames among the actions.
pub fn sent(actions: &[Effect]) -> Vec<&ClientFrame> {
    actions
        .iter()
        .filter_map(|action| match action {
            Effect::Send { frame, .. } => Some(frame),
            _ => None,
        })
        .collect()
}

/// The calls among the actions.
pub fn calls(actions: &[Effect]) -> Vec<&Call> {
    actions
        .iter()
        .filter_map(|action| match action {
            Effect::Call(call) => Some(call),
            _ => None,
        })
        .collect()
}
