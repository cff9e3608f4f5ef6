//! A simulated player: joins an event or quick match, looks for an opponent, plays, and looks for the next one. In an event in
//! stage rounds the server finds the opponents.

use std::{net::IpAddr, time::Duration};

use anyhow::Context;
use futures_util::{SinkExt, StreamExt};
use morpion_openapi::{
    event::EventState,
    game::{GameState, GameStatus},
    realtime::{ClientFrame, FindMatch, JoinEventRoom, JoinGame, MakeMove, QuickMatchJoin, ServerFrame},
};
use morpion_rules::{Board, BoardSize, Cell, Mark};
use rand::Rng;
use tokio::{
    net::{TcpSocket, TcpStream},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
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
    /// As somebody who knows the game, so that a round is over soon.
    Brisk,
    /// As a person who thinks about it.
    Leisurely,
}

impl Pace {
    fn thinking(self) -> Duration {
        let milliseconds = match self {
            Self::Sprint => 40..120,
            Self::Brisk => 400..1_600,
            Self::Leisurely => 900..3_500,
        };
        Duration::from_millis(rand::rng().random_range(milliseconds))
    }

    fn resting(self) -> Duration {
        match self {
            Self::Sprint => Duration::from_millis(50),
            Self::Brisk => Duration::from_secs(3),
            // The web app's countdown to the next match.
            Self::Leisurely => Duration::from_secs(7),
        }
    }
}

type Socket = WebSocketStream<TcpStream>;

/// Where a player looks for opponents.
#[derive(Debug, Clone)]
pub enum Place {
    /// An arena.
    Event(Uuid),
    /// An event in stage rounds.
    Rounds(Uuid),
    QuickMatch(QuickMatchJoin),
}

impl Place {
    fn event(&self) -> Option<Uuid> {
        match self {
            Self::Event(event) | Self::Rounds(event) => Some(*event),
            Self::QuickMatch(_) => None,
        }
    }
}

#[derive(Clone)]
pub struct SimulatedPlayer {
    browser: Browser,
    /// From which the player comes.
    address: IpAddr,
}

/// What a frame led to.
enum Step {
    Continue,
    Finished,
}

impl SimulatedPlayer {
    /// `number` is the player's among all, at most 200.
    pub fn new(browser: Browser, number: u8) -> Self {
        Self { browser, address: IpAddr::from([127, 0, 0, 10 + number]) }
    }

    pub fn browser(&self) -> &Browser {
        &self.browser
    }

    /// Plays in an event until it ends, or in quick match for ever.
    pub async fn take_part(self, place: Place, pace: Pace) {
        let mut game = None;
        loop {
            match self.connected(&place, pace, &mut game).await {
                Ok(()) => return,
                Err(error) => tracing::debug!(%error, "a simulated player connects again"),
            }
            tokio::time::sleep(RECONNECT).await;
        }
    }

    async fn connected(&self, place: &Place, pace: Pace, game: &mut Option<Uuid>) -> anyhow::Result<()> {
        let url = format!("{}/api/backend/realtime", self.browser.origin().replacen("http", "ws", 1));
        let mut request = url.into_client_request()?;
        request.headers_mut().insert("cookie", self.browser.cookies()?.parse()?);
        request.headers_mut().insert("origin", self.browser.origin().parse()?);
        let (mut socket, _) = client_async(request, self.connect().await?).await?;
        join(&mut socket, place, *game).await?;
        loop {
            let Ok(message) = timeout(RETRY_AFTER, socket.next()).await else {
                join(&mut socket, place, *game).await?;
                continue;
            };
            let Message::Text(text) = message.context("the server closed")?? else { continue };
            let frame: ServerFrame = serde_json::from_str(&text)?;
            if let Step::Finished = self.handle_frame(&mut socket, place, pace, game, frame).await? {
                return Ok(());
            }
        }
    }

    async fn handle_frame(
        &self,
        socket: &mut Socket,
        place: &Place,
        pace: Pace,
        game: &mut Option<Uuid>,
        frame: ServerFrame,
    ) -> anyhow::Result<Step> {
        match frame {
            ServerFrame::PlayerFound(found) => {
                *game = Some(found.game_id);
                join(socket, place, *game).await?;
            }
            ServerFrame::RedirectToGame(redirect) => {
                *game = Some(redirect.game_id);
                join(socket, place, *game).await?;
            }
            ServerFrame::GameJoined(joined) if Some(joined.game_id) == *game => match joined.game_state {
                Some(state) if !is_over(&state) => self.play(socket, pace, &state).await?,
                _ => {
                    *game = None;
                    join(socket, place, None).await?;
                }
            },
            ServerFrame::GameStarted(started) if Some(started.game_id) == *game => {
                self.play(socket, pace, &started.game_state).await?;
            }
            ServerFrame::GameDraw(draw) if Some(draw.game_id) == *game => match draw.new_game_state {
                Some(state) => self.play(socket, pace, &state).await?,
                None => self.rest(socket, place, pace, game).await?,
            },
            ServerFrame::MoveUpdate(update) if update.next_turn == self.browser.user_id().ok() => {
                join(socket, place, *game).await?;
            }
            ServerFrame::GameEnd(end) if Some(end.game_id) == *game => {
                self.rest(socket, place, pace, game).await?;
            }
            ServerFrame::EventStateChanged(changed)
                if game.is_none()
                    && place.event() == Some(changed.event_id)
                    && matches!(changed.event_state, EventState::Ended | EventState::Cancelled) =>
            {
                return Ok(Step::Finished);
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

    /// After a game.
    async fn rest(
        &self,
        socket: &mut Socket,
        place: &Place,
        pace: Pace,
        game: &mut Option<Uuid>,
    ) -> anyhow::Result<()> {
        *game = None;
        tokio::time::sleep(pace.resting()).await;
        join(socket, place, None).await
    }

    /// From the player's own address of this machine, where the machine has more than one: games of two at one address are
    /// not rated.
    async fn connect(&self) -> anyhow::Result<TcpStream> {
        let (host, port) = self.browser.address()?;
        let socket = TcpSocket::new_v4()?;
        if host.is_ipv4() && socket.bind((self.address, 0).into()).is_ok() {
            return Ok(socket.connect((host, port).into()).await?);
        }
        Ok(TcpStream::connect((host, port)).await?)
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

/// Joins the game, if there is one; otherwise the room of the event, and the queue where there is one.
async fn join(socket: &mut Socket, place: &Place, game: Option<Uuid>) -> anyhow::Result<()> {
    match game {
        Some(game_id) => {
            let data = JoinGame { user_id: None, game_id, last_version: None };
            send(socket, &ClientFrame::JoinGame(data)).await
        }
        None => match place {
            Place::Event(event) => {
                send(socket, &ClientFrame::JoinEventRoom(JoinEventRoom { event_id: *event, user_id: None })).await?;
                send(socket, &ClientFrame::FindMatch(FindMatch { event_id: *event, user_id: None })).await
            }
            Place::Rounds(event) => {
                send(socket, &ClientFrame::JoinEventRoom(JoinEventRoom { event_id: *event, user_id: None })).await
            }
            Place::QuickMatch(wish) => send(socket, &ClientFrame::QuickMatchJoin(wish.clone())).await,
        },
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
