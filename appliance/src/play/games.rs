//! Games as the action API asks for them: found, listed, shared, decided.

use std::sync::Arc;

use morpion_openapi::{Page, PageRequest};
use morpion_rules::{Cell, Command, Game, GameId, Mark, Refusal, Status, UserId, game::Player};
use morpion_store::{GamePage, GameRow, GameStatus, StoreError};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{
    Play, Reply,
    error::PlayError,
    invitations::link_secret,
    rating,
    record::Checkpoint,
    runtime::GameRuntime,
    view::{GameView, sort_newest_first},
};
use crate::{caller::Caller, error::CommonError, people::Width};

impl Play {
    /// Whether the caller may see a game: players their own, everybody those of public events, everybody signed in rated ones too,
    /// those who entered a private event its games, admins all.
    ///
    /// # Errors
    /// The store is unavailable.
    pub(super) async fn may_see(&self, caller: &Caller, game: &Game) -> Result<bool, PlayError> {
        if caller.is_admin() || caller.user_id().is_some_and(|user| game.mark_of(user).is_some()) {
            return Ok(true);
        }
        match game.event_id().filter(|event| self.shared.events.is_private(*event)) {
            Some(event) => Ok(self.shared.events.admits(event, caller).await?),
            None => Ok(game.is_event() || (game.is_rated() && !matches!(caller, Caller::Visitor))),
        }
    }

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
    pub(super) async fn stored_views(&self, rows: impl Iterator<Item = GameRow>) -> Result<Vec<GameView>, PlayError> {
        let now = self.now();
        let found = rows.map(|row| Ok(GameView::stored(Checkpoint::decode(&row.state)?, now)));
        let found = found.collect::<Result<Vec<_>, postcard::Error>>().map_err(CommonError::internal)?;
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
        let receipt = if game.is_rated() { self.store.rated_game(id.0).await? } else { None };
        let runtime = GameRuntime::recovered(game, meta, None, &self.people);
        if let Some(receipt) = receipt {
            runtime.was_rated(rating::changes(&receipt));
        }
        Ok(runtime)
    }

    /// The game: in memory, or over and stored.
    pub(super) async fn any_runtime(&self, id: GameId) -> Result<Arc<GameRuntime>, PlayError> {
        match self.runtime(id) {
            Ok(runtime) => Ok(runtime),
            Err(_) => self.ended_runtime(id).await,
        }
    }

    /// A game, and the game that Play Again made of it, unless that was cancelled.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], also for a game that the caller may not see.
    pub async fn game(&self, caller: &Caller, id: GameId) -> Result<(GameView, Option<Arc<Game>>), PlayError> {
        let view = self.visible(caller, id).await?;
        let goes_on = !view.game.is_event() && view.game.status() == Status::Completed;
        let offer = if goes_on { self.offer_after(&view.game).await? } else { None };
        let offered = offer.and_then(|(_, offer)| offer.committed());
        // Whoever watched one game may not see the next.
        let shown = match offered.filter(|next| next.status() != Status::Cancelled) {
            Some(next) if self.may_see(caller, &next).await? => Some(next),
            _ => None,
        };
        Ok((view, shown))
    }

    /// The game that Play Again made of this one.
    async fn offer_after(&self, game: &Game) -> Result<Option<(u32, Arc<GameRuntime>)>, PlayError> {
        match self.last_rematch(game).await {
            Err(PlayError::NoOpponent) => Ok(None),
            offer => offer,
        }
    }

    async fn visible(&self, caller: &Caller, id: GameId) -> Result<GameView, PlayError> {
        let runtime = self.any_runtime(id).await?;
        match GameView::of(&runtime, self.now()) {
            Some(view) if self.may_see(caller, &view.game).await? => Ok(view),
            _ => Err(CommonError::NotFound("game").into()),
        }
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
    pub async fn replay(&self, caller: &Caller, id: GameId) -> Result<GameView, PlayError> {
        finished(self.visible(caller, id).await?)
    }

    /// The game that was shared under this token, for anybody.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for an unknown token.
    pub async fn shared_replay(&self, token: &str) -> Result<GameView, PlayError> {
        let row = self.store.game_by_share_token(token).await?;
        let view = self.stored_views(row.into_iter()).await?.pop();
        finished(view.ok_or(CommonError::NotFound("game"))?)
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
        Ok(self.store.share_game(id.0, &link_secret()).await?)
    }

    /// A user's games in one of these states, newest first: those in memory, then the stored ones.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn games_of(
        &self,
        user: UserId,
        statuses: &[Status],
        page: PageRequest,
    ) -> Result<Page<GameView>, PlayError> {
        let stored: Vec<GameStatus> = statuses
            .iter()
            .filter_map(|status| match status {
                Status::Completed => Some(GameStatus::Completed),
                Status::Cancelled => Some(GameStatus::Cancelled),
                Status::Waiting | Status::Active => None,
            })
            .collect();
        let query = |skip, limit| self.store.games_by_user(user.0, &stored, skip, limit);
        let mut unstored = self.unstored_games_of(user, statuses);
        self.hide_blocked_invitations(user, &mut unstored).await?;
        self.page_of(unstored, page, query).await
    }

    /// A page of the games `in_memory` and, after them, of the stored ones that `query` finds; it gets how many to leave
    /// out and a limit.
    ///
    /// # Errors
    /// The store is unavailable.
    pub(super) async fn page_of<F: Future<Output = Result<GamePage, StoreError>>>(
        &self,
        in_memory: Vec<GameView>,
        page: PageRequest,
        query: impl Fn(usize, usize) -> F,
    ) -> Result<Page<GameView>, PlayError> {
        let ended = in_memory.iter().filter(|view| view.game.status().is_over());
        let ended: Vec<_> = ended.map(|view| view.game.id().0).collect();
        let listed: Vec<_> = in_memory.iter().map(|view| view.game.id()).collect();
        let (offset, limit) = (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.limit as usize);
        let mut rows: Vec<_> = in_memory.into_iter().skip(offset).take(limit).collect();
        let (skip, room) = (offset.saturating_sub(listed.len()), limit - rows.len());
        let (stored, in_both) = self.stored_page(&ended, || query(skip, room.max(1))).await?;
        for view in self.stored_views(stored.games.into_iter().take(room)).await? {
            // Stored since the ones in memory were listed.
            if !listed.contains(&view.game.id()) {
                rows.push(view);
            }
        }
        Ok(Page { rows, total_count: listed.len() as u64 + stored.total.saturating_sub(in_both) })
    }

    /// Queries the store for games, and counts those of `ended`, which are in memory, that are stored by then.
    async fn stored_page<F: Future<Output = Result<GamePage, StoreError>>>(
        &self,
        ended: &[Uuid],
        query: impl Fn() -> F,
    ) -> Result<(GamePage, u64), StoreError> {
        let mut before = self.count_stored(ended).await?;
        loop {
            let page = query().await?;
            // Games are stored at any moment, also between two queries. If as many are stored after the page was read as
            // before, they were stored then too.
            let after = self.count_stored(ended).await?;
            if after == before {
                return Ok((page, after));
            }
            before = after;
        }
    }

    async fn count_stored(&self, games: &[Uuid]) -> Result<u64, StoreError> {
        if games.is_empty() {
            return Ok(0);
        }
        self.store.finished_games(games).await.map(|stored| stored.len() as u64)
    }

    /// Invitations by people whom this user blocks do not reach them.
    async fn hide_blocked_invitations(&self, user: UserId, games: &mut Vec<GameView>) -> Result<(), PlayError> {
        let inviter = |view: &GameView| {
            let inviter = view.game.player(Mark::X).filter(|_| view.game.status() == Status::Waiting);
            inviter.map(|inviter| inviter.user).filter(|inviter| *inviter != user)
        };
        if games.iter().any(|view| inviter(view).is_some()) {
            let blocked = self.store.blocked_by(user.0).await?;
            games.retain(|view| inviter(view).is_none_or(|inviter| !blocked.contains(&inviter.0)));
        }
        Ok(())
    }

    fn unstored_games_of(&self, user: UserId, statuses: &[Status]) -> Vec<GameView> {
        let now = self.now();
        let mut own: Vec<_> = {
            let games = self.shared.games.read();
            let ids = games.by_user.get(&user).into_iter().flatten();
            ids.filter_map(|id| games.runtimes.get(id))
                .filter(|runtime| !runtime.is_stored())
                .filter_map(|runtime| GameView::of(runtime, now))
                .filter(|view| statuses.contains(&view.game.status()))
                .collect()
        };
        sort_newest_first(&mut own);
        own
    }

    /// All waiting and active games, newest first.
    pub fn live_games(&self) -> Vec<GameView> {
        let now = self.now();
        let mut live: Vec<_> = {
            let games = self.shared.games.read();
            let all = games.runtimes.values().filter_map(|runtime| GameView::watched(runtime, now));
            all.filter(|view| !view.game.status().is_over()).collect()
        };
        sort_newest_first(&mut live);
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

    /// Ended games that are not stored yet.
    pub fn unstored(&self) -> usize {
        self.shared.ended.lock().len()
    }

    /// Games in memory: waiting and active ones, and ended ones that are not stored yet or still shown.
    pub fn in_memory(&self) -> usize {
        self.shared.games.read().runtimes.len()
    }

    pub(super) async fn run_command(&self, id: GameId, command: Command) -> Result<GameView, PlayError> {
        // For a game that is over the rules refuse; they also refuse users who do not play in it.
        let runtime = self.any_runtime(id).await?;
        let at = self.now();
        let game = self.wait_until_stored(|reply| runtime.command(&self.journal, command, at, reply)).await?;
        self.arm(&runtime);
        Ok(GameView { game, meta: runtime.meta.clone(), at, rating_changes: None, watchers: None })
    }

    /// As the realtime `makeMove`, over HTTP.
    ///
    /// # Errors
    /// As [`Play::make_move`].
    pub async fn move_by_call(
        &self,
        user: UserId,
        id: GameId,
        cell: Cell,
        at_version: Option<u64>,
    ) -> Result<GameView, PlayError> {
        let view = self.run_command(id, Command::Move { user, cell, at_version }).await?;
        self.shared.metrics.moves.inc();
        Ok(view)
    }

    /// # Errors
    /// What the rules refuse.
    pub async fn forfeit_by_call(&self, user: UserId, id: GameId) -> Result<GameView, PlayError> {
        self.run_command(id, Command::Forfeit { user }).await
    }

    /// # Errors
    /// What the rules refuse.
    pub async fn cancel_by_call(&self, user: UserId, id: GameId) -> Result<GameView, PlayError> {
        let command = self.any_runtime(id).await?.withdrawal(user);
        self.run_command(id, command).await
    }

    /// # Errors
    /// What the rules refuse.
    pub async fn claim_win(&self, user: UserId, id: GameId) -> Result<GameView, PlayError> {
        self.run_command(id, Command::ClaimWin { user }).await
    }

    /// A game that an admin is about to decide, as it is before.
    ///
    /// # Errors
    /// As [`Play::adjudicate`].
    pub async fn before_adjudication(
        &self,
        id: GameId,
        winner: Option<UserId>,
        reason: String,
    ) -> Result<GameView, PlayError> {
        let runtime = self.any_runtime(id).await?;
        let at = self.now();
        let view = GameView::of(&runtime, at).ok_or(CommonError::NotFound("game"))?;
        Game::clone(&view.game).apply(&Command::Adjudicate { winner, reason }, at)?;
        Ok(view)
    }

    /// An admin decides a live game.
    ///
    /// # Errors
    /// What the rules refuse, as a winner who does not play in it.
    pub async fn adjudicate(&self, id: GameId, winner: Option<UserId>, reason: String) -> Result<GameView, PlayError> {
        self.run_command(id, Command::Adjudicate { winner, reason }).await
    }
}

fn finished(view: GameView) -> Result<GameView, PlayError> {
    if view.game.status().is_over() { Ok(view) } else { Err(PlayError::NotOver) }
}
