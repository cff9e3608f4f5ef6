//! Games as the action API asks for them: made, found, listed, decided.

use std::{sync::Arc, time::Duration};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use morpion_openapi::{
    Page, PageRequest, game as wire_game,
    realtime::{GameInvitation, GameInviter, ServerFrame},
};
use morpion_rules::{
    BoardSize, Command, Game, GameId, Mark, Refusal, Status, UserId,
    game::{InviteSetup, Player},
};
use morpion_store::{GameRow, GameStatus};
use rand::RngCore;
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{
    Meta, Play, Reply,
    record::Checkpoint,
    runtime::GameRuntime,
    wire::{self, Notification, Recipient},
};
use crate::{
    caller::{Caller, Identity},
    connections::handle::encode,
    error::ApiError,
    people::{People, PublicProfile, Width},
};

/// What an invitation needs.
#[derive(Debug, Clone)]
pub struct Invite {
    /// Chosen by the client, or made here.
    pub id: Option<GameId>,
    /// Without one the seat is open for whoever has the link.
    pub opponent: Option<UserId>,
    pub size: BoardSize,
    pub starter: Mark,
    pub notify: bool,
}

/// Whether the caller may see a game: players their own, everybody signed in those of events,
/// admins all.
pub(super) fn may_see(caller: &Caller, game: &Game) -> bool {
    match caller {
        Caller::Visitor => false,
        caller if caller.is_admin() => true,
        caller => !game.is_invite() || caller.user_id().is_some_and(|user| game.mark_of(user).is_some()),
    }
}

/// A secret of 128 bits for a link.
fn link_secret() -> String {
    let mut bytes = [0; 16];
    rand::rng().fill_bytes(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// How often somebody looks whether a game that is being opened is on disk, and how many times.
const OPENING_EVERY: Duration = Duration::from_millis(10);
const OPENING_POLLS: u32 = 200;

/// The id of an offer to play a game again, counted from 0: the same for both players, so that all who press Play Again
/// at once get one game.
fn rematch_id(previous: GameId, offer: u32) -> GameId {
    let mut hash = Sha256::new();
    hash.update(b"play again");
    hash.update(previous.0.as_bytes());
    if offer > 0 {
        hash.update(offer.to_be_bytes());
    }
    let digest = hash.finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    GameId(uuid::Builder::from_random_bytes(bytes).into_uuid())
}

impl Play {
    /// Waits until what was asked is on disk.
    pub(super) async fn wait_until_stored(
        &self,
        ask: impl FnOnce(Reply) -> Result<(), ApiError>,
    ) -> Result<Arc<Game>, ApiError> {
        let (sender, receiver) = oneshot::channel();
        ask(Reply::Call(sender))?;
        receiver.await.map_err(|_| ApiError::unavailable("The server is stopping. Please try again in a moment."))
    }

    /// Makes an invite game and, if wanted, tells the invited player.
    ///
    /// # Errors
    /// 404 for an unknown opponent, 409 for a used id and for too many games, 503 when full.
    pub async fn invite(&self, inviter: &Identity, invite: Invite) -> Result<wire_game::Game, ApiError> {
        let opponent = match invite.opponent {
            Some(user) => Some(self.player(user).await?),
            None => None,
        };
        let id = invite.id.unwrap_or_else(|| GameId(Uuid::new_v4()));
        if invite.id.is_some() && self.store.game(id.0).await?.is_some() {
            return Err(ApiError::conflict("id-taken", "There is a game with this id already."));
        }
        let setup = InviteSetup {
            id,
            inviter: Player { user: inviter.user_id, username: inviter.username.clone() },
            opponent,
            size: invite.size,
            starter: invite.starter,
        };
        self.open(inviter, setup, invite.notify).await
    }

    /// Opens a game whose players are known to be there and whose id is known to be new.
    async fn open(&self, inviter: &Identity, setup: InviteSetup, notify: bool) -> Result<wire_game::Game, ApiError> {
        let now = self.now();
        let game = Game::invite(setup, now)?;
        let meta = self.meta(game.has_open_seat().then(link_secret), notify);
        self.people.load(game.players().map(|(_, player)| player.user)).await?;
        let notifications = self.invitation(&game, &meta, inviter);
        let runtime = GameRuntime::new(game.clone(), meta, &self.people);
        self.register(inviter.user_id, &runtime, &game)?;
        let opened = self.wait_until_stored(|reply| runtime.open(&self.journal, now, notifications, reply)).await;
        let game = match opened {
            Ok(game) => game,
            Err(error) => {
                self.shared.games.write().remove(&runtime);
                return Err(error);
            }
        };
        self.arm(&runtime);
        Ok(wire::summary(&self.people, &game, &runtime.meta, Some(inviter.user_id)))
    }

    fn invitation(&self, game: &Game, meta: &Meta, inviter: &Identity) -> Vec<Notification> {
        let Some(opponent) = game.opponent_of(inviter.user_id).filter(|_| meta.notify) else { return vec![] };
        let PublicProfile { username, display_name, profile_url } =
            self.people.shown(inviter.user_id, &inviter.username, Width::Row);
        let frame = ServerFrame::GameInvitation(GameInvitation {
            game: wire::summary(&self.people, game, meta, Some(opponent.user)),
            from: GameInviter { user_id: inviter.user_id.0, username, display_name, profile_url },
        });
        vec![Notification { recipient: Recipient::Player(opponent.user), frame: encode(&frame.to_text()) }]
    }

    /// The games in these rows, their players known.
    pub(super) async fn checkpoints(&self, rows: impl Iterator<Item = GameRow>) -> Result<Vec<Checkpoint>, ApiError> {
        let found: Result<Vec<_>, _> = rows.map(|row| Checkpoint::decode(&row.state)).collect();
        let found = found.map_err(ApiError::internal)?;
        self.people.load(found.iter().flat_map(|found| found.game.players()).map(|(_, player)| player.user)).await?;
        Ok(found)
    }

    /// Gives a new runtime its place, if the bounds allow it.
    fn register(&self, owner: UserId, runtime: &Arc<GameRuntime>, game: &Game) -> Result<(), ApiError> {
        let mut games = self.shared.games.write();
        if games.runtimes.contains_key(&runtime.id) {
            return Err(ApiError::conflict("id-taken", "There is a game with this id already."));
        }
        if games.runtimes.len() >= self.options.max_live_games {
            return Err(ApiError::unavailable("The server has no room for another game right now."));
        }
        // Neither ended games, which stay in memory for a while, nor those that others ask the owner to.
        let is_own = |id: &&GameId| {
            games.runtimes.get(*id).and_then(|runtime| runtime.committed()).is_none_or(|game| match game.status() {
                Status::Waiting => game.player(Mark::X).is_some_and(|inviter| inviter.user == owner),
                Status::Active => true,
                Status::Completed | Status::Cancelled => false,
            })
        };
        let own = games.by_user.get(&owner).map_or(0, |own| own.iter().filter(is_own).count());
        if own >= self.options.max_games_per_account {
            return Err(ApiError::conflict(
                "too-many-games",
                "You have too many games open. Finish or cancel one of them first.",
            ));
        }
        games.insert(runtime, game);
        Ok(())
    }

    pub(super) async fn player(&self, user: UserId) -> Result<Player, ApiError> {
        let account = self.store.user(user.0).await?.filter(|account| account.deleted_at.is_none());
        let account = account.ok_or_else(|| ApiError::not_found("user"))?;
        Ok(Player { user, username: account.username })
    }

    /// A game that is over and no longer in memory, for reading.
    async fn ended_runtime(&self, id: GameId) -> Result<Arc<GameRuntime>, ApiError> {
        let row = self.store.game(id.0).await?.ok_or_else(|| ApiError::not_found("game"))?;
        let Checkpoint { game, meta } = Checkpoint::decode(&row.state).map_err(ApiError::internal)?;
        self.people.load(game.players().map(|(_, player)| player.user)).await?;
        Ok(GameRuntime::recovered(game, meta, None, &self.people))
    }

    /// The game wherever it is: in memory, or over and stored.
    pub(super) async fn any_runtime(&self, id: GameId) -> Result<Arc<GameRuntime>, ApiError> {
        match self.runtime(id) {
            Ok(runtime) => Ok(runtime),
            Err(_) => self.ended_runtime(id).await,
        }
    }

    /// A game's state.
    ///
    /// # Errors
    /// 404 for an unknown game and for one that the caller may not see.
    pub async fn game(&self, caller: &Caller, id: GameId) -> Result<wire_game::GameState, ApiError> {
        let runtime = self.any_runtime(id).await?;
        let game =
            runtime.committed().filter(|game| may_see(caller, game)).ok_or_else(|| ApiError::not_found("game"))?;
        let mut state = runtime.state_for(&game, caller.user_id(), self.now());
        let goes_on = game.is_invite() && game.status() == Status::Completed;
        if goes_on && let Some((_, offer)) = self.last_rematch(id).await? {
            let offered = offer.committed().filter(|next| next.status() != Status::Cancelled);
            state.next_game_id = offered.as_ref().map(|next| next.id().0);
            let waiting = offered.filter(|next| next.status() == Status::Waiting);
            state.next_game_by = waiting.and_then(|next| next.player(Mark::X).map(|player| player.user.0));
        }
        Ok(state)
    }

    /// Who plays a game, in words; `None` for an unknown one.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn players_of(&self, id: GameId) -> Result<Option<String>, ApiError> {
        let runtime = match self.any_runtime(id).await {
            Ok(runtime) => runtime,
            Err(error) if error.code == "not-found" => return Ok(None),
            Err(error) => return Err(error),
        };
        let name = |player: &Player| self.people.shown(player.user, &player.username, Width::Row).username;
        let names = |game: &Game| game.players().map(|(_, player)| name(player)).collect::<Vec<_>>();
        Ok(runtime.committed().map(|game| names(&game).join(" – ")))
    }

    /// A finished game with every move.
    ///
    /// # Errors
    /// As [`Play::game`], and 409 while it is played.
    pub async fn replay(&self, caller: &Caller, id: GameId) -> Result<wire_game::Replay, ApiError> {
        let runtime = self.any_runtime(id).await?;
        let game =
            runtime.committed().filter(|game| may_see(caller, game)).ok_or_else(|| ApiError::not_found("game"))?;
        finished_replay(&self.people, &game, &runtime.meta)
    }

    /// The game that was shared under this token, for anybody.
    ///
    /// # Errors
    /// 404 for an unknown token.
    pub async fn shared_replay(&self, token: &str) -> Result<wire_game::Replay, ApiError> {
        let row = self.store.game_by_share_token(token).await?.ok_or_else(|| ApiError::not_found("game"))?;
        let checkpoint = Checkpoint::decode(&row.state).map_err(ApiError::internal)?;
        self.people.load(checkpoint.game.players().map(|(_, player)| player.user)).await?;
        finished_replay(&self.people, &checkpoint.game, &checkpoint.meta)
    }

    /// A player lets others see a finished game by link.
    ///
    /// # Errors
    /// 404, 403 for others, 409 while it is played.
    pub async fn share(&self, user: UserId, id: GameId) -> Result<String, ApiError> {
        let runtime = self.any_runtime(id).await?;
        let game = runtime.committed().ok_or_else(|| ApiError::not_found("game"))?;
        game.mark_of(user).ok_or(Refusal::NotAPlayer)?;
        if !game.status().is_over() {
            return Err(ApiError::conflict("game-not-over", "Only a finished game can be shared."));
        }
        // It may have ended a moment ago, and the row not say so yet.
        self.store_games(&[runtime]).await?;
        let row = self.store.game(id.0).await?.ok_or_else(|| ApiError::not_found("game"))?;
        if let Some(token) = row.share_token {
            return Ok(token);
        }
        let token = link_secret();
        self.store.set_share_token(id.0, Some(&token)).await?;
        Ok(token)
    }

    /// A person's games that have one of these states, the newest first: what is in memory, then
    /// what is stored.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn games_of(
        &self,
        user: UserId,
        statuses: &[wire_game::GameStatus],
        page: PageRequest,
    ) -> Result<Page<wire_game::Game>, ApiError> {
        let mut own: Vec<wire_game::Game> = {
            let games = self.shared.games.read();
            let ids = games.by_user.get(&user).into_iter().flatten();
            ids.filter_map(|id| games.runtimes.get(id))
                .filter(|runtime| !runtime.is_stored())
                .filter_map(|runtime| {
                    Some(wire::summary(&self.people, &*runtime.committed()?, &runtime.meta, Some(user)))
                })
                .filter(|game| statuses.contains(&game.status))
                .collect()
        };
        own.sort_by_key(|game| (std::cmp::Reverse(game.created_at), game.game_id));
        let stored: Vec<GameStatus> = statuses
            .iter()
            .filter_map(|status| match status {
                wire_game::GameStatus::Completed => Some(GameStatus::Completed),
                wire_game::GameStatus::Cancelled => Some(GameStatus::Cancelled),
                wire_game::GameStatus::Waiting | wire_game::GameStatus::Active => None,
            })
            .collect();
        let in_memory = own.len();
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let mut rows: Vec<_> = own.iter().skip(offset).take(page.limit as usize).cloned().collect();
        let mut total_count = in_memory as u64;
        if !stored.is_empty() {
            let room = page.limit as usize - rows.len();
            let skip = offset.saturating_sub(in_memory);
            let found = self.store.games_by_user(user.0, &stored, skip, room.max(1)).await?;
            total_count += found.total;
            for Checkpoint { game, meta } in self.checkpoints(found.games.into_iter().take(room)).await? {
                // Stored since the ones in memory were listed.
                if !own.iter().any(|known| known.game_id == game.id().0) {
                    rows.push(wire::summary(&self.people, &game, &meta, Some(user)));
                }
            }
        }
        Ok(Page { rows, total_count })
    }

    /// All games that wait or are played, the newest first.
    pub fn live_games(&self) -> Vec<wire_game::Game> {
        let mut live: Vec<_> = {
            let games = self.shared.games.read();
            games
                .runtimes
                .values()
                .filter_map(|runtime| Some((runtime.committed()?, &runtime.meta)))
                .filter(|(game, _)| !game.status().is_over())
                .map(|(game, meta)| wire::summary(&self.people, &game, meta, None))
                .collect()
        };
        live.sort_by_key(|game| (std::cmp::Reverse(game.created_at), game.game_id));
        live
    }

    /// How many games are played and how many wait.
    pub fn counts(&self) -> (u64, u64) {
        let games = self.shared.games.read();
        let mut counts = (0, 0);
        for game in games.runtimes.values().filter_map(|runtime| runtime.committed()) {
            match game.status() {
                Status::Active => counts.0 += 1,
                Status::Waiting => counts.1 += 1,
                Status::Completed | Status::Cancelled => {}
            }
        }
        counts
    }

    /// Games in memory: those that wait or are played, and ended ones that are not stored yet or looked at.
    pub fn in_memory(&self) -> usize {
        self.shared.games.read().runtimes.len()
    }

    async fn run_command(
        &self,
        caller: &Caller,
        id: GameId,
        command: Command,
    ) -> Result<wire_game::GameState, ApiError> {
        // Of a game that is over the rules say so; they also refuse whoever does not play in it.
        let runtime = self.any_runtime(id).await?;
        let now = self.now();
        let game = self.wait_until_stored(|reply| runtime.command(&self.journal, command, now, reply)).await?;
        self.arm(&runtime);
        Ok(runtime.state_for(&game, caller.user_id(), now))
    }

    /// As the realtime `makeMove`, over HTTP.
    ///
    /// # Errors
    /// As [`Play::make_move`].
    pub async fn move_by_call(
        &self,
        caller: &Caller,
        user: UserId,
        action: &wire_game::MakeMoveAction,
    ) -> Result<wire_game::GameState, ApiError> {
        let cell = morpion_rules::Cell::new(action.row, action.col).ok_or(Refusal::OffBoard)?;
        let command = Command::Move { user, cell, at_version: action.version };
        let state = self.run_command(caller, action.game_id.into(), command).await?;
        self.shared.moves.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(state)
    }

    /// # Errors
    /// What the rules refuse.
    pub async fn forfeit_by_call(
        &self,
        caller: &Caller,
        user: UserId,
        id: GameId,
    ) -> Result<wire_game::GameState, ApiError> {
        self.run_command(caller, id, Command::Forfeit { user }).await
    }

    /// # Errors
    /// What the rules refuse.
    pub async fn cancel_by_call(
        &self,
        caller: &Caller,
        user: UserId,
        id: GameId,
    ) -> Result<wire_game::GameState, ApiError> {
        let command = self.any_runtime(id).await?.withdrawal(user);
        self.run_command(caller, id, command).await
    }

    /// # Errors
    /// What the rules refuse.
    pub async fn claim_win(&self, caller: &Caller, user: UserId, id: GameId) -> Result<wire_game::GameState, ApiError> {
        self.run_command(caller, id, Command::ClaimWin { user }).await
    }

    /// An admin decides a live game.
    ///
    /// # Errors
    /// 404 for a game that is not live, 422 for a winner who does not play in it.
    pub async fn adjudicate(
        &self,
        caller: &Caller,
        id: GameId,
        winner: Option<UserId>,
        reason: String,
    ) -> Result<wire_game::GameState, ApiError> {
        self.run_command(caller, id, Command::Adjudicate { winner, reason }).await
    }

    /// Takes the open seat of an invite game.
    ///
    /// # Errors
    /// 404 for an unknown game and for a wrong token alike, 409 when somebody was quicker.
    pub async fn claim_seat(
        &self,
        caller: &Caller,
        identity: &Identity,
        id: GameId,
        token: &str,
    ) -> Result<wire_game::GameState, ApiError> {
        let runtime = self.runtime(id)?;
        let is_right = runtime.meta.invite_token.as_deref().is_some_and(|known| {
            use subtle::ConstantTimeEq;
            known.as_bytes().ct_eq(token.as_bytes()).into()
        });
        if !is_right {
            return Err(ApiError::not_found("game"));
        }
        self.people.load([identity.user_id]).await?;
        let command = Command::ClaimSeat { user: identity.user_id, username: identity.username.clone() };
        let state = self.run_command(caller, id, command).await?;
        if let Some(game) = runtime.committed() {
            self.shared.games.write().index_players(&game);
        }
        Ok(state)
    }

    /// The latest offer to play a game again, and its number.
    async fn last_rematch(&self, id: GameId) -> Result<Option<(u32, Arc<GameRuntime>)>, ApiError> {
        // One is made only when the one before it was called off, so there are all of them up to the last: it is found
        // by ever longer strides, and then by ever shorter ones.
        let (mut last, mut count, mut stride, mut grows) = (None, 0, 1, true);
        while stride > 0 {
            let offer = count + stride - 1;
            match self.any_runtime(rematch_id(id, offer)).await {
                Ok(runtime) => {
                    last = Some((offer, runtime));
                    count += stride;
                }
                Err(error) if error.code == "not-found" => grows = false,
                Err(error) => return Err(error),
            }
            stride = if grows { stride * 2 } else { stride / 2 };
        }
        Ok(last)
    }

    /// The game of a runtime that may have been opened a moment ago, once that is on disk.
    async fn wait_until_open(&self, runtime: &GameRuntime) -> Result<Arc<Game>, ApiError> {
        for _ in 0..OPENING_POLLS {
            if let Some(game) = runtime.committed() {
                return Ok(game);
            }
            tokio::time::sleep(OPENING_EVERY).await;
        }
        Err(ApiError::unavailable("The next game is being made. Please try again."))
    }

    /// Another game against the same player, who is told; the starter changes. `admit` is asked before a game is made,
    /// and not by whoever goes on to the one that the other has made.
    ///
    /// # Errors
    /// 403 for others, 409 while the game is played, for one that was called off and for games of events; what `admit`
    /// refuses.
    pub async fn play_again(
        &self,
        identity: &Identity,
        id: GameId,
        admit: impl Fn() -> Result<(), ApiError>,
    ) -> Result<wire_game::Game, ApiError> {
        let runtime = self.any_runtime(id).await?;
        let game = runtime.committed().ok_or_else(|| ApiError::not_found("game"))?;
        let mark = game.mark_of(identity.user_id).ok_or(Refusal::NotAPlayer)?;
        if !game.is_invite() {
            return Err(Refusal::NotAnInviteGame.into());
        }
        match game.status() {
            Status::Completed => {}
            Status::Cancelled => {
                return Err(ApiError::conflict("game-not-played", "This game was called off, so it has no next one."));
            }
            Status::Waiting | Status::Active => {
                return Err(ApiError::conflict("game-not-over", "The game is still being played."));
            }
        }
        let opponent = game
            .opponent_of(identity.user_id)
            .ok_or_else(|| ApiError::conflict("no-opponent", "Nobody played this game with you."))?;
        loop {
            // Of a game that nobody went on with yet, the store would say nothing new.
            let last = if runtime.claim_first_rematch() { None } else { self.last_rematch(id).await? };
            let number = match last {
                None => 0,
                Some((number, offer)) => {
                    let offered = self.wait_until_open(&offer).await?;
                    if offered.status() != Status::Cancelled {
                        return Ok(wire::summary(&self.people, &offered, &offer.meta, Some(identity.user_id)));
                    }
                    number + 1
                }
            };
            admit()?;
            // Whoever is connected has an account.
            let opponent = match self.shared.hub.is_connected(opponent.user) {
                true => opponent.clone(),
                false => self.player(opponent.user).await?,
            };
            // Whoever offers is X in the new game, whatever they were in this one.
            let next_starter = game.starter().other();
            let setup = InviteSetup {
                id: rematch_id(id, number),
                inviter: Player { user: identity.user_id, username: identity.username.clone() },
                opponent: Some(opponent),
                size: game.board().size(),
                starter: if mark == Mark::X { next_starter } else { next_starter.other() },
            };
            match self.open(identity, setup, true).await {
                // The other player was quicker.
                Err(error) if error.code == "id-taken" => {}
                made => return made,
            }
        }
    }
}

fn finished_replay(people: &People, game: &Game, meta: &Meta) -> Result<wire_game::Replay, ApiError> {
    if !game.status().is_over() {
        return Err(ApiError::conflict("game-not-over", "The game is still being played."));
    }
    Ok(wire::replay(people, game, meta))
}
