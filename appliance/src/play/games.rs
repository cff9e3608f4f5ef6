//! Games as the action API asks for them: found, listed, shared, decided.

use std::sync::Arc;

use morpion_openapi::{Page, PageRequest, game as wire_game};
use morpion_rules::{Command, Game, GameId, Mark, Refusal, Status, UserId, game::Player};
use morpion_store::{GameRow, GameStatus};
use tokio::sync::oneshot;

use super::{
    Meta, Play, Reply, error::PlayError, invitations::link_secret, record::Checkpoint, runtime::GameRuntime, wire,
};
use crate::{
    caller::Caller,
    error::CommonError,
    people::{People, Width},
};

/// Whether the caller may see a game: players their own, everybody signed in event games, admins all.
pub(super) fn may_see(caller: &Caller, game: &Game) -> bool {
    match caller {
        Caller::Visitor => false,
        caller if caller.is_admin() => true,
        caller => !game.is_invite() || caller.user_id().is_some_and(|user| game.mark_of(user).is_some()),
    }
}

impl Play {
    /// Waits until a command is on disk.
    pub(super) async fn wait_until_stored(
        &self,
        ask: impl FnOnce(Reply) -> Result<(), PlayError>,
    ) -> Result<Arc<Game>, PlayError> {
        let (sender, receiver) = oneshot::channel();
        ask(Reply::Call(sender))?;
        let stopping = |_| CommonError::unavailable("The server is stopping. Please try again in a moment.");
        Ok(receiver.await.map_err(stopping)?)
    }

    /// Decodes the games in these rows and loads their players.
    pub(super) async fn checkpoints(&self, rows: impl Iterator<Item = GameRow>) -> Result<Vec<Checkpoint>, PlayError> {
        let found: Result<Vec<_>, _> = rows.map(|row| Checkpoint::decode(&row.state)).collect();
        let found = found.map_err(CommonError::internal)?;
        self.people.load(found.iter().flat_map(|found| found.game.players()).map(|(_, player)| player.user)).await?;
        Ok(found)
    }

    pub(super) async fn player(&self, user: UserId) -> Result<Player, PlayError> {
        let account = self.store.user(user.0).await?.filter(|account| account.deleted_at.is_none());
        let account = account.ok_or(CommonError::NotFound("user"))?;
        Ok(Player { user, username: account.username })
    }

    /// A game that is over and no longer in memory, read-only.
    async fn ended_runtime(&self, id: GameId) -> Result<Arc<GameRuntime>, PlayError> {
        let row = self.store.game(id.0).await?.ok_or(CommonError::NotFound("game"))?;
        let Checkpoint { game, meta } = Checkpoint::decode(&row.state).map_err(CommonError::internal)?;
        self.people.load(game.players().map(|(_, player)| player.user)).await?;
        Ok(GameRuntime::recovered(game, meta, None, &self.people))
    }

    /// The game: in memory, or over and stored.
    pub(super) async fn any_runtime(&self, id: GameId) -> Result<Arc<GameRuntime>, PlayError> {
        match self.runtime(id) {
            Ok(runtime) => Ok(runtime),
            Err(_) => self.ended_runtime(id).await,
        }
    }

    /// A game's state.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], also for a game that the caller may not see.
    pub async fn game(&self, caller: &Caller, id: GameId) -> Result<wire_game::GameState, PlayError> {
        let runtime = self.any_runtime(id).await?;
        let game = runtime.committed().filter(|game| may_see(caller, game)).ok_or(CommonError::NotFound("game"))?;
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

    /// The players of a game as a text; `None` for an unknown game.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn players_of(&self, id: GameId) -> Result<Option<String>, PlayError> {
        let runtime = match self.any_runtime(id).await {
            Ok(runtime) => runtime,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(error) => return Err(error),
        };
        let name = |player: &Player| self.people.shown(player.user, &player.username, Width::Row).username;
        let names = |game: &Game| game.players().map(|(_, player)| name(player)).collect::<Vec<_>>();
        Ok(runtime.committed().map(|game| names(&game).join(" – ")))
    }

    /// A finished game with every move.
    ///
    /// # Errors
    /// As [`Play::game`], and [`PlayError::NotOver`].
    pub async fn replay(&self, caller: &Caller, id: GameId) -> Result<wire_game::Replay, PlayError> {
        let runtime = self.any_runtime(id).await?;
        let game = runtime.committed().filter(|game| may_see(caller, game)).ok_or(CommonError::NotFound("game"))?;
        finished_replay(&self.people, &game, &runtime.meta)
    }

    /// The game that was shared under this token, for anybody.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for an unknown token.
    pub async fn shared_replay(&self, token: &str) -> Result<wire_game::Replay, PlayError> {
        let row = self.store.game_by_share_token(token).await?.ok_or(CommonError::NotFound("game"))?;
        let checkpoint = Checkpoint::decode(&row.state).map_err(CommonError::internal)?;
        self.people.load(checkpoint.game.players().map(|(_, player)| player.user)).await?;
        finished_replay(&self.people, &checkpoint.game, &checkpoint.meta)
    }

    /// Makes a finished game visible to anybody with the link.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`Refusal::NotAPlayer`] for others; [`PlayError::NotOverToShare`].
    pub async fn share(&self, user: UserId, id: GameId) -> Result<String, PlayError> {
        let runtime = self.any_runtime(id).await?;
        let game = runtime.committed().ok_or(CommonError::NotFound("game"))?;
        game.mark_of(user).ok_or(Refusal::NotAPlayer)?;
        if !game.status().is_over() {
            return Err(PlayError::NotOverToShare);
        }
        // It may have just ended, and the row not be written yet.
        self.store_games(&[runtime]).await?;
        let row = self.store.game(id.0).await?.ok_or(CommonError::NotFound("game"))?;
        if let Some(token) = row.share_token {
            return Ok(token);
        }
        let token = link_secret();
        self.store.set_share_token(id.0, Some(&token)).await?;
        Ok(token)
    }

    /// A user's games in one of these states, newest first: those in memory, then the stored ones.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn games_of(
        &self,
        user: UserId,
        statuses: &[wire_game::GameStatus],
        page: PageRequest,
    ) -> Result<Page<wire_game::Game>, PlayError> {
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

    /// All waiting and active games, newest first.
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

    /// The numbers of active and of waiting games.
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

    /// Games in memory: waiting and active ones, and ended ones that are not stored yet or still shown.
    pub fn in_memory(&self) -> usize {
        self.shared.games.read().runtimes.len()
    }

    pub(super) async fn run_command(
        &self,
        caller: &Caller,
        id: GameId,
        command: Command,
    ) -> Result<wire_game::GameState, PlayError> {
        // For a game that is over the rules refuse; they also refuse users who do not play in it.
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
    ) -> Result<wire_game::GameState, PlayError> {
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
    ) -> Result<wire_game::GameState, PlayError> {
        self.run_command(caller, id, Command::Forfeit { user }).await
    }

    /// # Errors
    /// What the rules refuse.
    pub async fn cancel_by_call(
        &self,
        caller: &Caller,
        user: UserId,
        id: GameId,
    ) -> Result<wire_game::GameState, PlayError> {
        let command = self.any_runtime(id).await?.withdrawal(user);
        self.run_command(caller, id, command).await
    }

    /// # Errors
    /// What the rules refuse.
    pub async fn claim_win(
        &self,
        caller: &Caller,
        user: UserId,
        id: GameId,
    ) -> Result<wire_game::GameState, PlayError> {
        self.run_command(caller, id, Command::ClaimWin { user }).await
    }

    /// An admin decides a live game.
    ///
    /// # Errors
    /// What the rules refuse, as a winner who does not play in it.
    pub async fn adjudicate(
        &self,
        caller: &Caller,
        id: GameId,
        winner: Option<UserId>,
        reason: String,
    ) -> Result<wire_game::GameState, PlayError> {
        self.run_command(caller, id, Command::Adjudicate { winner, reason }).await
    }
}

fn finished_replay(people: &People, game: &Game, meta: &Meta) -> Result<wire_game::Replay, PlayError> {
    if !game.status().is_over() {
        return Err(PlayError::NotOver);
    }
    Ok(wire::replay(people, game, meta))
}
