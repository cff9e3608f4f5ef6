//! `morpion-tui games …`

use std::process::ExitCode;

use morpion_openapi::{
    admin::{AdjudicateGame, IdOf, ListLiveGames},
    game::{EndReason, Game, GamePlayer, GameState, GetGame, GetReplay, Symbol},
    quick_match::{BoardWish, QueuedPlayer, QuickMatchQueue},
    realtime::{ClientFrame, ServerFrame, SpectateGame},
};
use tokio::sync::mpsc;
use uuid::Uuid;

use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape,
    output::{Format, json_line, print, print_error},
    reference,
};

use super::{ago, print::TextTable};
use crate::{
    args::{Games, TheGame},
    event::{Event, NetEvent, QUEUE},
    net::{Net, SocketCommand},
    pages::watch::{FrameOutcome, Watch},
    script::{Outcome, Script},
    time,
    widgets::{
        name::Named,
        result::{how, sentence},
        text::{age, cell},
    },
};

impl Script {
    pub(super) async fn games(&self, command: &Games) -> Outcome {
        match command {
            Games::List { page } => {
                let call = ListLiveGames { page: Some(page.page), limit: Some(page.limit) };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.games, Some(&answer.pagination), table)
            }
            Games::Queue { page } => {
                let call = QuickMatchQueue { page: Some(page.page), limit: Some(page.limit) };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.players, Some(&answer.pagination), waiting)
            }
            Games::Show(TheGame { game }) => {
                let game_id = self.game(game).await?;
                self.show(GetGame { game_id }, |answer| state(&answer.game)).await
            }
            Games::Replay(TheGame { game }) => {
                let game_id = Some(self.game(game).await?);
                self.show(GetReplay { share_token: None, game_id }, |answer| {
                    let mut text = String::new();
                    for player in &answer.replay.players {
                        text += &format!("{} {}\n", player.symbol, escape::line(&player.name().whole()));
                    }
                    for (at, round) in answer.replay.rounds.iter().enumerate() {
                        text += &format!("round {} ({1}x{1})\n", at + 1, round.board_size);
                        for (number, played) in round.moves.iter().enumerate() {
                            text += &format!("{:>4} {} {}\n", number + 1, played.symbol, cell(played.row, played.col));
                        }
                    }
                    let replay = &answer.replay;
                    let name = |symbol: Symbol| {
                        let player = replay.players.iter().find(|player| player.symbol == symbol);
                        player.map_or_else(
                            || symbol.to_string(),
                            |player| escape::line(&player.name().whole()).into_owned(),
                        )
                    };
                    let decision = replay.decision.as_deref().map(escape::line);
                    text + &sentence(replay.winner, replay.reason, decision.as_deref(), &[], name) + "\n"
                })
                .await
            }
            Games::Adjudicate { game, winner, reason, .. } => {
                let game_id = self.game(&game.game).await?;
                let winner_user_id = match winner {
                    Some(winner) => Some(self.player(game_id, winner).await?),
                    None => None,
                };
                let call = AdjudicateGame { game_id, winner_user_id, reason: reason.clone() };
                self.show(call, |answer| state(&answer.game)).await
            }
            Games::Watch(TheGame { game }) => self.watch(self.game(game).await?).await,
        }
    }

    /// Resolves a game by its id or a prefix of it.
    async fn game(&self, wanted: &str) -> Result<Uuid, CommandError> {
        self.one_of(IdOf::Game, "game", wanted, async || Ok(vec![])).await
    }

    /// One of a game's players, by id or username.
    async fn player(&self, game: Uuid, wanted: &str) -> Result<Uuid, CommandError> {
        if let Ok(id) = wanted.parse() {
            return Ok(id);
        }
        let answer = self.api.ask(&GetGame { game_id: game }).await?;
        let players = answer.game.players.into_iter();
        let mut players =
            players.filter(|player| reference::is_meant(wanted, &player.user_id.to_string(), &player.username));
        match (players.next(), players.next()) {
            (Some(player), None) => Ok(player.user_id),
            _ => Err(CommandError::new(FailureKind::NotFound, format!("'{wanted}' does not play in this game."))),
        }
    }

    /// Follows a game until it ends; a lost connection is made again.
    async fn watch(&self, id: Uuid) -> Outcome {
        let found = self.api.ask(&GetGame { game_id: id }).await?.game;
        let broken = |why: String| CommandError::new(FailureKind::Broken, why);
        let (sender, mut events) = mpsc::channel(QUEUE);
        let net = Net::start(&self.settings, sender).map_err(|error| broken(format!("{error:#}")))?;
        let mut watch = Watch::unlisted(&found);
        let ask = || {
            net.request(SocketCommand::Send {
                frame: Box::new(ClientFrame::SpectateGame(SpectateGame { game_id: id })),
                id: None,
            })
        };
        while !watch.is_over() {
            let Some(event) = events.recv().await else { break };
            match event {
                Event::Net(NetEvent::Connected) => ask(),
                Event::Net(NetEvent::Frame(frame)) => {
                    let is_list = matches!(*frame, ServerFrame::LiveGamesChanged(_));
                    match watch.see(&frame, time::now()) {
                        FrameOutcome::Gap => ask(),
                        FrameOutcome::Taken if !is_list => self.tell(&frame, &watch)?,
                        FrameOutcome::Taken | FrameOutcome::NotOurs => {}
                    }
                    if let Some(why) = &watch.failure {
                        return Err(broken(why.clone()));
                    }
                }
                Event::Net(NetEvent::Disconnected { why, .. }) => {
                    print_error(&format!("morpion-tui: {} Trying again.", escape::line(&why)))
                }
                Event::Net(NetEvent::Unauthorized { why, .. }) => {
                    return Err(CommandError::new(FailureKind::NotAllowed, why));
                }
                Event::Broken(why) => return Err(broken(why)),
                _ => {}
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// A line for what happened; with --json the message as it came.
    fn tell(&self, frame: &ServerFrame, watch: &Watch) -> Result<(), CommandError> {
        if self.format == Format::Json {
            return print(&json_line(frame));
        }
        let found = |is: &dyn Fn(&GamePlayer) -> bool| {
            let mut players = watch.state.iter().flat_map(|state| &state.players);
            players.find(|player| is(player)).map(|player| escape::line(&player.name().whole()).into_owned())
        };
        let of_symbol = |symbol: Symbol| found(&|player| player.symbol == symbol).unwrap_or_else(|| symbol.to_string());
        let of_id = |id: Uuid| found(&|player| player.user_id == id).unwrap_or_else(|| id.to_string());
        let line = match frame {
            ServerFrame::GameJoined(_) => match &watch.state {
                Some(now) => state(now),
                None => String::new(),
            },
            ServerFrame::MoveUpdate(update) => {
                let number = watch.state.as_ref().map_or(0, |state| state.moves.len());
                format!("{number:>4} {} {}\n", update.symbol, cell(update.row, update.col))
            }
            ServerFrame::GameDraw(draw) => format!("{}\n", escape::line(&draw.message)),
            ServerFrame::GameEnd(end) => {
                let decision = end.decision.as_deref().map(escape::line);
                sentence(end.winner, Some(end.reason), decision.as_deref(), &[], of_symbol) + "\n"
            }
            ServerFrame::GameCancelled(cancelled) => format!("{}\n", escape::line(&cancelled.message)),
            ServerFrame::OpponentDisconnected(gone) => format!("{} disconnected\n", of_id(gone.user_id)),
            ServerFrame::OpponentReconnected(back) => format!("{} is back\n", of_id(back.user_id)),
            _ => String::new(),
        };
        print(&line)
    }
}

/// Who looks for an opponent.
fn waiting(players: &[QueuedPlayer]) -> String {
    let mut table = TextTable::new(&["ID", "USERNAME", "RATING", "BOARD", "CLOCK", "KIND", "WAITS", "NAME"]);
    for player in players {
        let board = match player.board_size {
            BoardWish::Size(size) => format!("{size}x{size}"),
            BoardWish::Any => "any".to_owned(),
        };
        table.row(&[
            &player.user_id.to_string(),
            &player.username,
            &player.rating.to_string(),
            &board,
            player.clock.as_str(),
            if player.rated { "rated" } else { "casual" },
            &age(player.waited_ms),
            player.name().short(),
        ]);
    }
    table.text()
}

/// A table of games.
pub(super) fn table(games: &[Game]) -> String {
    let mut table = TextTable::new(&["ID", "STATUS", "SIZE", "MOVES", "AGE", "X", "O", "HOW"]);
    for game in games {
        let name = |at: usize| game.players.get(at).map_or_else(String::new, |player| player.name().whole());
        table.row(&[
            &game.game_id.to_string(),
            game.status.as_str(),
            &format!("{0}x{0}", game.board_size),
            &game.move_count.map(|count| count.to_string()).unwrap_or_default(),
            &ago(game.created_at),
            &name(0),
            &name(1),
            game.reason.map_or("", how),
        ]);
    }
    table.text()
}

/// The present state of a game: who plays, and the board.
fn state(game: &GameState) -> String {
    let mut table = TextTable::facts();
    table.fact("id", &game.game_id.to_string());
    table.fact("status", game.status.as_str());
    for player in &game.players {
        let turn = if game.current_turn == Some(player.user_id) { ", to move" } else { "" };
        let presence = if player.connected { "here" } else { "away" };
        let text = format!("{} ({presence}, {} s used{turn})", player.name().whole(), player.time_used_ms / 1_000);
        table.fact(player.symbol.as_str(), &text);
    }
    if let Some(reason) = game.reason.filter(|reason| *reason != EndReason::Line) {
        table.fact("ended", how(reason));
    }
    let mut text = table.text();
    for row in &game.board {
        let cells: Vec<_> =
            row.iter().map(|cell| if cell.is_empty() { ".".into() } else { escape::line(cell) }).collect();
        text += &format!("  {}\n", cells.join(" "));
    }
    text
}
