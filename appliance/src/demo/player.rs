//! A simulated player: joins an event, looks for an opponent, plays, and looks for the next one.

use std::time::Duration;

use anyhow::Context;
use futures_util::{SinkExt, StreamExt};
use morpion_openapi::{
    game::{GameState, GameStatus},
    realtime::{ClientFrame, FindMatch, JoinEventRoom, JoinGame, MakeMove, ServerFrame},
};
use morpion_rules::{Board, BoardSize, Cell, Mark};
use rand::Rng;
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest},
};
use uuid::Uuid;

use super::browser::Browser;

/// Rejoin when nothing was received for this long.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// After a lost connection.
const RECONNECT: Duration = Duration::from_secs(1);

/// How fast a player plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// A few moves a second.
    Sprint,
    /// As a person who thinks about it.
    Leisurely,
}

impl Pace {
    fn thinking(self) -> Duration {
        let milliseconds = match self {
            Self::Sprint => 40..120,
            Self::Leisurely => 900..3_500,
        };
        Duration::from_millis(rand::rng().random_range(milliseconds))
    }

    fn resting(self) -> Duration {
        match self {
            Self::Sprint => Duration::from_millis(50),
            // The web app's countdown to the next match.
            Self::Leisurely => Duration::from_secs(7),
        }
    }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

#[derive(Clone)]
pub struct SimulatedPlayer {
    browser: Browser,
}

/// What a frame led to.
enum Step {
    Continue,
    Finished,
}

impl SimulatedPlayer {
    pub fn new(browser: Browser) -> Self {
        Self { browser }
    }

    /// Plays in an event until it ends.
    pub async fn take_part(self, event: Uuid, pace: Pace) {
        let mut game = None;
        loop {
            match self.connected(event, pace, &mut game).await {
                Ok(()) => return,
                Err(error) => tracing::debug!(%error, "a simulated player connects again"),
            }
            tokio::time::sleep(RECONNECT).await;
        }
    }

    async fn connected(&self, event: Uuid, pace: Pace, game: &mut Option<Uuid>) -> anyhow::Result<()> {
        let url = format!("{}/api/backend/realtime", self.browser.origin().replacen("http", "ws", 1));
        let mut request = url.into_client_request()?;
        request.headers_mut().insert("cookie", self.browser.cookies()?.parse()?);
        request.headers_mut().insert("origin", self.browser.origin().parse()?);
        let (mut socket, _) = connect_async(request).await?;
        join(&mut socket, event, *game).await?;
        loop {
            let Ok(message) = timeout(RETRY_AFTER, socket.next()).await else {
                join(&mut socket, event, *game).await?;
                continue;
            };
            let Message::Text(text) = message.context("the server closed")?? else { continue };
            let frame: ServerFrame = serde_json::from_str(&text)?;
            if let Step::Finished = self.handle_frame(&mut socket, event, pace, game, frame).await? {
                return Ok(());
            }
        }
    }

    async fn handle_frame(
        &self,
        socket: &mut Socket,
        event: Uuid,
        pace: Pace,
        game: &mut Option<Uuid>,
        frame: ServerFrame,
    ) -> anyhow::Result<Step> {
        match frame {
            ServerFrame::PlayerFound(found) => {
                *game = Some(found.game_id);
                join(socket, event, *game).await?;
            }
            ServerFrame::RedirectToGame(redirect) => {
                *game = Some(redirect.game_id);
                join(socket, event, *game).await?;
            }
            ServerFrame::GameJoined(joined) if Some(joined.game_id) == *game => match joined.game_state {
                Some(state) if !is_over(&state) => self.play(socket, pace, &state).await?,
                _ => {
                    *game = None;
                    join(socket, event, None).await?;
                }
            },
            ServerFrame::GameStarted(started) if Some(started.game_id) == *game => {
                self.play(socket, pace, &started.game_state).await?;
            }
            ServerFrame::GameDraw(draw) if Some(draw.game_id) == *game => {
                if let Some(state) = draw.new_game_state {
                    self.play(socket, pace, &state).await?;
                }
            }
            ServerFrame::MoveUpdate(update) if update.next_turn == self.browser.user_id().ok() => {
                join(socket, event, *game).await?;
            }
            ServerFrame::GameEnd(end) if Some(end.game_id) == *game => {
                *game = None;
                tokio::time::sleep(pace.resting()).await;
                join(socket, event, None).await?;
            }
            ServerFrame::Error(refused)
                if game.is_none() && matches!(refused.error_code.as_str(), "event-ended" | "event-cancelled") =>
            {
                return Ok(Step::Finished);
            }
            _ => {}
        }
        Ok(Step::Continue)
    }

    async fn play(&self, socket: &mut Socket, pace: Pace, state: &GameState) -> anyhow::Result<()> {
        let me = self.browser.user_id()?;
        if state.current_turn != Some(me) {
            return Ok(());
        }
        let Some(cell) = choose(state, me) else { return Ok(()) };
        tokio::time::sleep(pace.thinking()).await;
        let data = MakeMove {
            game_id: state.game_id,
            user_id: None,
            row: cell.row(),
            col: cell.col(),
            version: Some(state.version),
        };
        send(socket, &ClientFrame::MakeMove(data)).await
    }
}

fn is_over(state: &GameState) -> bool {
    matches!(state.status, GameStatus::Completed | GameStatus::Cancelled)
}

/// Joins the game, if there is one; otherwise the event's room and queue.
async fn join(socket: &mut Socket, event: Uuid, game: Option<Uuid>) -> anyhow::Result<()> {
    match game {
        Some(game_id) => {
            let data = JoinGame { user_id: None, game_id, last_version: None };
            send(socket, &ClientFrame::JoinGame(data)).await
        }
        None => {
            send(socket, &ClientFrame::JoinEventRoom(JoinEventRoom { event_id: event, user_id: None })).await?;
            send(socket, &ClientFrame::FindMatch(FindMatch { event_id: event, user_id: None })).await
        }
    }
}

async fn send(socket: &mut Socket, frame: &ClientFrame) -> anyhow::Result<()> {
    Ok(socket.send(Message::text(serde_json::to_string(frame)?)).await?)
}

/// Wins or blocks if possible at once, otherwise picks any cell.
fn choose(state: &GameState, me: Uuid) -> Option<Cell> {
    let own = state.players.iter().find(|player| player.user_id == me)?.symbol;
    let mark = if own.as_str() == Mark::X.as_str() { Mark::X } else { Mark::O };
    let mut board = Board::empty(BoardSize::new(state.board_size)?);
    for (row, cells) in state.board.iter().enumerate() {
        for (col, symbol) in cells.iter().enumerate() {
            let Some(taken) = Mark::BOTH.into_iter().find(|mark| mark.as_str() == symbol) else { continue };
            let cell = Cell::new(u8::try_from(row).ok()?, u8::try_from(col).ok()?)?;
            board = board.place(cell, taken).ok()?;
        }
    }
    let empty: Vec<Cell> = board.empty_cells().collect();
    let completes =
        |mark: Mark| move |cell: &&Cell| board.place(**cell, mark).is_ok_and(|after| after.line_of(mark).is_some());
    let urgent = empty.iter().find(completes(mark)).or_else(|| empty.iter().find(completes(mark.other())));
    urgent.or_else(|| empty.get(rand::rng().random_range(0..empty.len().max(1)))).copied()
}
