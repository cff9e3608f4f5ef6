//! One game, followed move by move.

pub mod view;

use morpion_openapi::{
    game::{EndReason, Game, GameMove, GamePlayerRef, GameState, GameStatus},
    realtime::{ClientFrame, GameEnd, LeaveGameRoom, MoveUpdate, ServerFrame, SpectateGame},
};
use uuid::Uuid;

use crate::{
    actions::Action,
    dialog::menu::{Menu, MenuItem, game_items},
    event::Effect,
    keymap::{KeyAction, Keys, bind, char},
    widgets::text::short_id,
};

/// The acknowledgement of the request to watch comes under this id.
pub const SPECTATE_ID: &str = "spectate";

/// A requested state that did not arrive is requested again after this long.
const RESYNC_AGAIN_MS: i64 = 3_000;

#[rustfmt::skip] // One row a line.
pub static KEYS: Keys = Keys { title: "Board", has_list: false, bindings: &[
    bind(&[char('n')], KeyAction::NextGame, "watch the next game of the list", "next"),
    bind(&[char('p')], KeyAction::PreviousGame, "watch the one before", "previous"),
    bind(&[char('a')], KeyAction::Menu, "decide this game; its log; its players", "act"),
    bind(&[char('R')], KeyAction::Replay, "replay it, once it is over", "replay"),
]};

/// What a frame did to the watched game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameOutcome {
    /// Applied, or known already.
    Taken,
    /// A change before it was missed: the state has to be fetched.
    Gap,
    /// Of another game, or of no game.
    NotOurs,
}

/// The watched game.
#[derive(Debug)]
pub struct Watch {
    pub game_id: Uuid,
    /// The listed game, until its state arrives.
    pub listed: Game,
    pub state: Option<GameState>,
    /// Why it cannot be watched.
    pub failure: Option<String>,
    /// The server's last message, about a drawn round or a cancelled game.
    pub message: Option<String>,
    /// When the state was requested, until it arrives. This machine's clock.
    pub asked_at: Option<i64>,
    /// The server's clock minus ours, in milliseconds.
    clock_offset: i64,
}

impl Watch {
    pub fn new(game: &Game) -> Self {
        Self {
            game_id: game.game_id,
            listed: game.clone(),
            state: None,
            failure: None,
            message: None,
            asked_at: None,
            clock_offset: 0,
        }
    }

    /// A game of which only the id is known.
    pub fn unlisted(state: &GameState) -> Self {
        let players = state.players.iter();
        let game = Game {
            game_id: state.game_id,
            players: players
                .map(|player| GamePlayerRef {
                    user_id: player.user_id,
                    username: player.username.clone(),
                    display_name: player.display_name.clone(),
                    profile_url: player.profile_url.clone(),
                    is_bot: player.is_bot,
                    rating: player.rating.clone(),
                })
                .collect(),
            event_id: state.event_id.clone(),
            level: state.level,
            initiator_user_id: state.initiator_user_id,
            game_type: state.game_type,
            clock: state.clock,
            rated: state.rated,
            status: state.status,
            notify: state.notify,
            board_size: state.board_size,
            draw_count: state.draw_count,
            winner_user_id: state.winner_user_id,
            is_draw: state.is_draw,
            is_own: None,
            your_turn: false,
            current_turn: state.current_turn,
            move_count: u32::try_from(state.moves.len()).ok(),
            watchers: None,
            reason: state.reason,
            invite_token: None,
            created_at: state.created_at,
            ended_at: state.ended_at,
        };
        Self::new(&game)
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        let status = self.state.as_ref().map_or(self.listed.status, |state| state.status);
        matches!(status, GameStatus::Completed | GameStatus::Cancelled)
    }

    /// Asks for the whole state, and for every change after it.
    pub fn ask(&mut self, now: i64) -> Effect {
        self.asked_at = Some(now);
        let frame = ClientFrame::SpectateGame(SpectateGame { game_id: self.game_id });
        Effect::Send { frame, id: Some(SPECTATE_ID) }
    }

    /// The state did not come: asks for it again.
    pub fn ask_again(&mut self, now: i64) -> Option<Effect> {
        let is_late = self.asked_at.is_some_and(|at| now - at >= RESYNC_AGAIN_MS);
        is_late.then(|| self.ask(now))
    }

    /// Stops watching it.
    pub fn leave(self) -> Effect {
        let frame = ClientFrame::LeaveGameRoom(LeaveGameRoom { game_id: self.game_id, user_id: None });
        Effect::Send { frame, id: None }
    }

    /// What can be done with the game.
    pub fn menu(&self) -> Menu {
        let mut items = game_items(self.game_id, &self.listed.players);
        if self.is_over() {
            items.retain(|item| !item.action.is_write());
            items.insert(0, MenuItem::new('r', "replay it", Action::Replay(self.game_id)));
        }
        Menu::new(format!("Game {}", short_id(self.game_id)), items)
    }

    /// The server's clock, Unix milliseconds.
    pub fn server_now(&self, now: i64) -> i64 {
        now + self.clock_offset
    }

    /// Handles a frame. Changes come in the order of their versions: one that is known already
    /// is skipped, and one that leaves a gap is not applied.
    pub fn see(&mut self, frame: &ServerFrame, now: i64) -> FrameOutcome {
        if game_of(frame) != Some(self.game_id) {
            return FrameOutcome::NotOurs;
        }
        match frame {
            ServerFrame::GameJoined(joined) => {
                self.asked_at = None;
                match &joined.game_state {
                    Some(state) => self.replace(state, now),
                    None => self.failure = joined.error.clone().or_else(|| Some("Failed to join game".to_owned())),
                }
                FrameOutcome::Taken
            }
            ServerFrame::GameError(error) => {
                self.asked_at = None;
                self.failure = Some(error.error.clone());
                FrameOutcome::Taken
            }
            ServerFrame::GameStarted(started) => {
                if self.knows(started.game_state.version) {
                    return FrameOutcome::Taken;
                }
                self.replace(&started.game_state, now);
                FrameOutcome::Taken
            }
            ServerFrame::MoveUpdate(update) => self.in_order(update.version, |watch| watch.play(update, now)),
            ServerFrame::GameDraw(draw) => {
                if self.knows(draw.version) {
                    return FrameOutcome::Taken;
                }
                self.message = Some(draw.message.clone());
                match &draw.new_game_state {
                    // A new round comes whole, so that nothing can have been missed.
                    Some(state) => {
                        self.replace(state, now);
                        self.message = Some(draw.message.clone());
                        FrameOutcome::Taken
                    }
                    None => self.in_order(draw.version, |watch| {
                        watch.end(GameStatus::Completed);
                        if let Some(state) = &mut watch.state {
                            state.is_draw = true;
                        }
                    }),
                }
            }
            ServerFrame::GameEnd(end) => self.in_order(end.version, |watch| watch.finish(end)),
            ServerFrame::GameCancelled(cancelled) => {
                self.message = Some(cancelled.message.clone());
                self.end(GameStatus::Cancelled);
                FrameOutcome::Taken
            }
            // These carry no version: they are shown, and the next change asks for the state.
            ServerFrame::OpponentDisconnected(gone) => {
                self.presence(gone.user_id, false, gone.absent_until);
                FrameOutcome::Taken
            }
            ServerFrame::OpponentReconnected(back) => {
                self.presence(back.user_id, true, None);
                FrameOutcome::Taken
            }
            _ => FrameOutcome::NotOurs,
        }
    }

    fn knows(&self, version: u64) -> bool {
        self.state.as_ref().is_some_and(|state| version <= state.version)
    }

    fn in_order(&mut self, version: u64, apply: impl FnOnce(&mut Self)) -> FrameOutcome {
        if self.knows(version) {
            return FrameOutcome::Taken;
        }
        match &self.state {
            Some(state) if version == state.version + 1 => {
                apply(self);
                if let Some(state) = &mut self.state {
                    state.version = version;
                }
                FrameOutcome::Taken
            }
            _ => FrameOutcome::Gap,
        }
    }

    fn replace(&mut self, state: &GameState, now: i64) {
        self.clock_offset = state.server_time - now;
        self.failure = None;
        self.message = None;
        self.state = Some(state.clone());
    }

    fn play(&mut self, update: &MoveUpdate, now: i64) {
        self.clock_offset = update.server_time - now;
        self.message = None;
        let Some(state) = &mut self.state else { return };
        if let Some(mover) = state.players.iter_mut().find(|player| player.user_id == update.user_id) {
            mover.time_used_ms += (update.server_time - state.server_time).max(0);
        }
        state.board.clone_from(&update.board);
        state.moves.push(GameMove { row: update.row, col: update.col, symbol: update.symbol, at: update.server_time });
        state.current_turn = update.next_turn;
        state.winner = update.winner;
        state.winning_line.clone_from(&update.winning_line);
        state.is_draw = update.is_draw;
        state.status = update.game_status;
        state.server_time = update.server_time;
        state.turn_deadline = update.turn_deadline;
        for player in &mut state.players {
            player.absent_until = update.absent_until.filter(|_| Some(player.user_id) == update.next_turn);
        }
    }

    fn finish(&mut self, end: &GameEnd) {
        self.end(if end.reason == EndReason::Void { GameStatus::Cancelled } else { GameStatus::Completed });
        let Some(state) = &mut self.state else { return };
        state.reason = Some(end.reason);
        state.decision.clone_from(&end.decision);
        state.winner = end.winner;
        state.winner_user_id = end.winner_user_id;
        state.forfeiter = end.forfeiter;
        state.is_draw = end.is_draw;
        if end.winning_line.is_some() {
            state.winning_line.clone_from(&end.winning_line);
        }
    }

    fn end(&mut self, status: GameStatus) {
        self.listed.status = status;
        let Some(state) = &mut self.state else { return };
        state.status = status;
        state.current_turn = None;
        state.turn_deadline = None;
        state.players.iter_mut().for_each(|player| player.absent_until = None);
    }

    fn presence(&mut self, user: Uuid, connected: bool, absent_until: Option<i64>) {
        let players = self.state.iter_mut().flat_map(|state| &mut state.players);
        for player in players.filter(|player| player.user_id == user) {
            player.connected = connected;
            player.absent_until = absent_until;
        }
    }
}

fn game_of(frame: &ServerFrame) -> Option<Uuid> {
    match frame {
        ServerFrame::GameJoined(data) => Some(data.game_id),
        ServerFrame::GameStarted(data) => Some(data.game_id),
        ServerFrame::GameError(data) => data.game_id,
        ServerFrame::MoveUpdate(data) => Some(data.game_id),
        ServerFrame::GameDraw(data) => Some(data.game_id),
        ServerFrame::GameEnd(data) => Some(data.game_id),
        ServerFrame::GameCancelled(data) => Some(data.game_id),
        ServerFrame::OpponentDisconnected(data) => Some(data.game_id),
        ServerFrame::OpponentReconnected(data) => Some(data.game_id),
        _ => None,
    }
}
