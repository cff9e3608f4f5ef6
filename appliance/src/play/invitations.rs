//! Invite games: created, announced to the invited player, their open seat claimed, played again.

use std::{collections::HashSet, sync::Arc, time::Duration};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use morpion_openapi::realtime::{GameInvitation, GameInviter, RematchState, ServerFrame};
use morpion_rules::{
    BoardSize, Command, Game, GameId, Mark, Millis, Refusal, Status, UserId,
    clock::TimeControl,
    game::{InviteSetup, Player},
};
use rand::RngCore;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    Meta, Play, Reply,
    error::PlayError,
    news::News,
    notifications::{self, Notification, Recipient},
    registration::{NetworkShare, Registration},
    runtime::GameRuntime,
    view::GameView,
    wire,
};
use crate::{
    caller::Identity,
    connections::{frame::encode, handle::ConnectionHandle},
    error::CommonError,
    people::{PublicProfile, Width},
};

/// What an invitation needs.
#[derive(Debug, Clone)]
pub struct Invite {
    /// Chosen by the client, or made here.
    pub id: Option<GameId>,
    /// Without one the seat is open to the first who opens the link.
    pub opponent: Option<UserId>,
    pub size: BoardSize,
    pub starter: Mark,
    pub control: TimeControl,
    pub notify: bool,
    /// Of the inviter's address.
    pub from: Vec<NetworkShare>,
}

/// A registered game, which nobody can join before it is opened. That has to follow at once; the game is forgotten when
/// this is dropped before.
struct NewGame<'a> {
    registration: Registration<'a>,
    runtime: Arc<GameRuntime>,
    at: Millis,
    notifications: Vec<Notification>,
    news: Option<News>,
}

/// The game that follows a finished one.
enum NextGame<'a> {
    /// Made before, by either player.
    Made(Arc<GameRuntime>, Arc<Game>),
    New(NewGame<'a>),
}

/// A secret of 128 bits for a link.
pub(super) fn link_secret() -> String {
    let mut bytes = [0; 16];
    rand::rng().fill_bytes(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// How often and how many times to check whether a game that is being opened is on disk.
const OPENING_EVERY: Duration = Duration::from_millis(10);
const OPENING_POLLS: u32 = 200;

/// How many games may follow one: the last of them, and called-off offers of the last day.
const MOST_OFFERS: u32 = 16;

/// The id of a rematch, counted from 0: the same for both players, so that all who press Play Again at once get one
/// game. Everybody can compute it, so it is one of those that only the server gives: [`is_reserved`].
fn rematch_id(previous: GameId, offer: u32) -> GameId {
    let mut hash = Sha256::new();
    hash.update(b"play again");
    hash.update(previous.0.as_bytes());
    hash.update(offer.to_be_bytes());
    let digest = hash.finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    GameId(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

/// Whether only the server gives a game this id: UUIDs of version 8 are computed here, all others are random.
pub fn is_reserved(id: Uuid) -> bool {
    id.get_version_num() == 8
}

/// Whether a game was made by Play Again for the two players of another one.
fn follows(next: &GameRuntime, previous: &Game) -> bool {
    let same_players = |game: &Game| previous.players().all(|(_, player)| game.mark_of(player.user).is_some());
    next.meta.rematch_of == Some(previous.id()) && next.committed().is_none_or(|game| same_players(&game))
}

impl Play {
    /// Creates an invite game and, if requested, notifies the invited player.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for an unknown opponent; [`PlayError::IdTaken`]; [`PlayError::TooManyGames`],
    /// [`PlayError::TooManyInvitations`], [`PlayError::NoRoom`].
    pub async fn invite(&self, inviter: &Identity, invite: Invite) -> Result<GameView, PlayError> {
        let opponent = match invite.opponent {
            Some(user) => Some(self.player(user).await?),
            None => None,
        };
        let id = invite.id.unwrap_or_else(|| GameId(Uuid::new_v4()));
        if invite.id.is_some() {
            // Also before it is registered, which would hide a stored game with this id for a moment.
            self.check_unused(id).await?;
        }
        let setup = InviteSetup {
            id,
            inviter: Player { user: inviter.user_id, username: inviter.username.clone() },
            opponent,
            size: invite.size,
            starter: invite.starter,
            control: invite.control,
        };
        let notify = invite.notify && !self.is_blocked(setup.opponent.as_ref(), inviter.user_id).await?;
        let new = self.prepare(inviter, setup, notify, None, false, &invite.from).await?;
        self.open(new).await
    }

    /// Whether this player blocks `other`.
    async fn is_blocked(&self, player: Option<&Player>, other: UserId) -> Result<bool, PlayError> {
        match player {
            Some(player) => Ok(self.store.is_blocked(player.user.0, other.0).await?),
            None => Ok(false),
        }
    }

    /// Refuses the id of a game that is over and stored.
    async fn check_unused(&self, id: GameId) -> Result<(), PlayError> {
        // In the caller's task, since it is one key, and players wait for it.
        let stored = self.store.urgent().finished_games(&[id.0]).await?;
        if stored.is_empty() { Ok(()) } else { Err(PlayError::IdTaken) }
    }

    /// Registers a game whose players exist. If the inviter `is_there`, they have joined it.
    async fn prepare(
        &self,
        inviter: &Identity,
        setup: InviteSetup,
        notify: bool,
        rematch_of: Option<GameId>,
        is_there: bool,
        from: &[NetworkShare],
    ) -> Result<NewGame<'_>, PlayError> {
        let at = self.now();
        let mut game = Game::invite(setup, at)?;
        if is_there {
            game.apply(&Command::Join { user: inviter.user_id }, at)?;
        }
        let meta = Meta { rematch_of, ..self.meta(game.has_open_seat().then(link_secret), notify) };
        self.people.load(game.players().map(|(_, player)| player.user)).await?;
        let mut notifications = self.invitation(&game, &meta, inviter);
        let news = (!notifications.is_empty()).then_some(News::Invited);
        if let Some(previous) = rematch_of {
            notifications.extend(notifications::of_offer(previous, &game, &meta, RematchState::Offered));
        }
        let runtime = GameRuntime::new(game.clone(), meta, &self.people);
        let registration = self.register(&runtime, &game, Some(inviter.user_id), from)?;
        // Before it was registered, a game with this id may have been played, stored and forgotten.
        self.check_unused(runtime.id).await?;
        Ok(NewGame { registration, runtime, at, notifications, news })
    }

    /// Opens a new game, and waits until it is on disk.
    async fn open(&self, new: NewGame<'_>) -> Result<GameView, PlayError> {
        let (meta, at) = (new.runtime.meta.clone(), new.at);
        let game = self.wait_until_stored(|reply| self.append(new, None, reply)).await?;
        Ok(GameView { game, meta, at, rating_changes: None, watchers: None })
    }

    /// Opens a new game; `joined` is a connection of an inviter who is there, and has it open once it is on disk.
    fn append(&self, new: NewGame<'_>, joined: Option<&Arc<ConnectionHandle>>, reply: Reply) -> Result<(), PlayError> {
        let NewGame { registration: _registration, runtime, at, notifications, news } = new;
        let entered = joined.map_or(Ok(()), |connection| self.enter(connection, runtime.id));
        let opened =
            entered.and_then(|()| runtime.open(&self.journal, at, notifications, news, joined.cloned(), reply));
        if let Err(error) = opened {
            if let Some(connection) = joined {
                connection.leave(runtime.id);
            }
            return Err(error);
        }
        self.arm(&runtime);
        Ok(())
    }

    fn invitation(&self, game: &Game, meta: &Meta, inviter: &Identity) -> Vec<Notification> {
        let Some(opponent) = game.opponent_of(inviter.user_id).filter(|_| meta.notify) else { return vec![] };
        let PublicProfile { username, display_name, profile_url, is_bot } =
            self.people.shown(inviter.user_id, &inviter.username, Width::Row);
        let frame = ServerFrame::GameInvitation(GameInvitation {
            game: wire::summary(&self.people, game, meta, Some(opponent.user)),
            from: GameInviter { user_id: inviter.user_id.0, username, display_name, profile_url, is_bot },
        });
        vec![Notification { recipient: Recipient::Player(opponent.user), frame: encode(&frame.to_text()) }]
    }

    /// Takes the open seat of an invite game.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for an unknown game and a wrong token alike; [`Refusal::SeatTaken`].
    pub async fn claim_seat(&self, identity: &Identity, id: GameId, token: &str) -> Result<GameView, PlayError> {
        let runtime = self.runtime(id)?;
        let is_right = runtime.meta.invite_token.as_deref().is_some_and(|known| {
            use subtle::ConstantTimeEq;
            known.as_bytes().ct_eq(token.as_bytes()).into()
        });
        if !is_right {
            return Err(CommonError::NotFound("game").into());
        }
        let game = runtime.committed().ok_or(CommonError::NotFound("game"))?;
        // They are not told that they are blocked.
        if self.is_blocked(game.player(Mark::X), identity.user_id).await? {
            return Err(Refusal::SeatTaken.into());
        }
        self.people.load([identity.user_id]).await?;
        let command = Command::ClaimSeat { user: identity.user_id, username: identity.username.clone() };
        let view = self.run_command(id, command).await?;
        if let Some(game) = runtime.committed() {
            self.shared.games.write().index_players(&game);
        }
        Ok(view)
    }

    /// The latest rematch of a game, and its number. Earlier ones were called off, and may be forgotten.
    ///
    /// # Errors
    /// [`PlayError::NoOpponent`] while a guest's games move to an account and only one of the two games has moved.
    pub(super) async fn last_rematch(&self, previous: &Game) -> Result<Option<(u32, Arc<GameRuntime>)>, PlayError> {
        let ids: Vec<GameId> = (0..MOST_OFFERS).map(|offer| rematch_id(previous.id(), offer)).collect();
        // Before the stored ones, since a game is forgotten here once it is stored.
        let mut known: HashSet<GameId> = {
            let games = self.shared.games.read();
            ids.iter().copied().filter(|id| games.runtimes.contains_key(id)).collect()
        };
        let all: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        known.extend(self.store.finished_games(&all).await?.into_iter().map(GameId));
        let Some((offer, id)) = (0..MOST_OFFERS).zip(ids).rfind(|(_, id)| known.contains(id)) else { return Ok(None) };
        let runtime = match self.any_runtime(id).await {
            // It was not opened.
            Err(error) if error.is_not_found() => return Ok(None),
            runtime => runtime?,
        };
        if follows(&runtime, previous) { Ok(Some((offer, runtime))) } else { Err(PlayError::NoOpponent) }
    }

    /// The game of a runtime that may have just been opened, once it is on disk.
    async fn wait_until_open(&self, runtime: &GameRuntime) -> Result<Arc<Game>, PlayError> {
        for _ in 0..OPENING_POLLS {
            if let Some(game) = runtime.committed() {
                return Ok(game);
            }
            tokio::time::sleep(OPENING_EVERY).await;
        }
        Err(CommonError::unavailable("The next game is being made. Please try again.").into())
    }

    /// Another game against the same player, who is notified; the starter changes, and after a game of quick match it
    /// is an invite game. `from` are the networks of the player's address. `admit` is called before a game is created, but
    /// not for a player who joins the other's rematch.
    ///
    /// # Errors
    /// What the rules refuse others, and for event games; [`PlayError::NotOver`], [`PlayError::NotPlayed`],
    /// [`PlayError::NoOpponent`], [`PlayError::TooManyOffers`]; as [`Play::invite`]; what `admit` refuses.
    pub async fn play_again(
        &self,
        identity: &Identity,
        id: GameId,
        from: &[NetworkShare],
        admit: impl Fn() -> Result<(), CommonError>,
    ) -> Result<GameView, PlayError> {
        match self.next_game(identity, id, from, admit, false).await? {
            NextGame::New(new) => self.open(new).await,
            NextGame::Made(runtime, game) => {
                let (meta, at) = (runtime.meta.clone(), self.now());
                Ok(GameView { game, meta, at, rating_changes: None, watchers: None })
            }
        }
    }

    /// As [`Play::play_again`], by a connection that leaves the finished game and joins the next one with that: an
    /// offer is one entry of the journal, and so is its acceptance.
    ///
    /// # Errors
    /// As there, and [`PlayError::TooManyRooms`]; the connection is where it was then.
    pub async fn play_again_on(
        &self,
        connection: &Arc<ConnectionHandle>,
        identity: &Identity,
        id: GameId,
        from: &[NetworkShare],
        admit: impl Fn() -> Result<(), CommonError>,
        reply: Reply,
    ) -> Result<(), PlayError> {
        match self.next_game(identity, id, from, admit, true).await? {
            NextGame::New(new) => self.append(new, Some(connection), reply)?,
            NextGame::Made(runtime, _) => self.join(identity.user_id, runtime.id, connection, reply).await?,
        }
        self.leave_room(id, connection);
        Ok(())
    }

    /// The game that follows a finished one: the last that was offered, unless it was called off, or a new one. If the
    /// player `is_there`, they have joined the new one.
    async fn next_game(
        &self,
        identity: &Identity,
        id: GameId,
        from: &[NetworkShare],
        admit: impl Fn() -> Result<(), CommonError>,
        is_there: bool,
    ) -> Result<NextGame<'_>, PlayError> {
        let runtime = self.any_runtime(id).await?;
        let game = runtime.committed().ok_or(CommonError::NotFound("game"))?;
        let mark = game.mark_of(identity.user_id).ok_or(Refusal::NotAPlayer)?;
        if game.is_event() {
            return Err(Refusal::NotAnInviteGame.into());
        }
        match game.status() {
            Status::Completed => {}
            Status::Cancelled => {
                return Err(PlayError::NotPlayed);
            }
            Status::Waiting | Status::Active => {
                return Err(PlayError::NotOver);
            }
        }
        let opponent = game.opponent_of(identity.user_id).ok_or(PlayError::NoOpponent)?;
        loop {
            // Without a rematch so far the store has nothing to say.
            let last = if runtime.claim_first_rematch() { None } else { self.last_rematch(&game).await? };
            let number = match last {
                None => 0,
                Some((number, offer)) => {
                    let offered = self.wait_until_open(&offer).await?;
                    if offered.status() != Status::Cancelled {
                        return Ok(NextGame::Made(offer, offered));
                    }
                    number + 1
                }
            };
            if number >= MOST_OFFERS {
                return Err(PlayError::TooManyOffers);
            }
            admit()?;
            // A connected user has an account.
            let opponent = match self.shared.hub.is_connected(opponent.user) {
                true => opponent.clone(),
                false => self.player(opponent.user).await?,
            };
            // The player who offers is X in the new game, whatever they were in this one.
            let next_starter = game.starter().other();
            let setup = InviteSetup {
                id: rematch_id(id, number),
                inviter: Player { user: identity.user_id, username: identity.username.clone() },
                opponent: Some(opponent),
                size: game.board().size(),
                starter: if mark == Mark::X { next_starter } else { next_starter.other() },
                control: game.time_control(),
            };
            let notify = !self.is_blocked(setup.opponent.as_ref(), identity.user_id).await?;
            match self.prepare(identity, setup, notify, Some(id), is_there, from).await {
                // The other player was quicker; that game may even be over and stored.
                Err(PlayError::IdTaken) => {}
                made => return made.map(NextGame::New),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use morpion_store::EndedGames;

    use super::*;
    use crate::{
        caller::Caller,
        connections::handle::MAX_ROOMS,
        play::{
            fixture::{ADA, ada, meta, playing, setup},
            record::Checkpoint,
        },
    };

    #[tokio::test(flavor = "multi_thread")]
    async fn the_id_of_a_game_that_was_stored_and_forgotten_since_it_was_checked_is_taken() {
        let (play, tasks) = playing().await;
        let mut over = Game::invite(setup(7), Millis(5)).unwrap();
        over.apply(&Command::Cancel { user: ADA }, Millis(6)).unwrap();
        let row = Checkpoint { game: over, meta: meta() }.row(0);
        play.store.upsert_games(&[row], EndedGames::default()).await.unwrap();

        // Of a rematch over the realtime channel, too, whose inviter is there.
        for is_there in [false, true] {
            let refused = play.prepare(&ada(), setup(7), false, None, is_there, &[]).await;
            assert_eq!(refused.map(|new| new.runtime.id), Err(PlayError::IdTaken));
            assert_eq!(play.in_memory(), 0);
        }
        let new = play.prepare(&ada(), setup(8), false, None, false, &[]).await.unwrap();
        let opened = play.open(new).await;
        assert_eq!(opened.map(|view| view.game.id()), Ok(setup(8).id));
        assert_eq!(play.in_memory(), 1);
        tasks.stop().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_game_that_is_not_opened_takes_no_command_and_leaves_nothing() {
        let (play, tasks) = playing().await;
        let game = Game::invite(setup(7), Millis(5)).unwrap();
        let runtime = GameRuntime::new(game.clone(), meta(), &play.people);
        let registration = play.register(&runtime, &game, Some(ADA), &[]).unwrap();
        let again = play.register(&runtime, &game, Some(ADA), &[]);
        assert_eq!(again.map(drop), Err(PlayError::IdTaken));
        let refused = play.run_command(game.id(), Command::Cancel { user: ADA }).await;
        assert_eq!(refused.map(|view| view.at), Err(PlayError::from(CommonError::NotFound("game"))));
        drop(registration);
        drop(runtime);
        assert_eq!((play.in_memory(), play.shared.live.quick()), (0, 0));
        tasks.stop().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_game_whose_inviter_is_there_is_open_once_it_is_in_the_journal_and_forgotten_otherwise() {
        let (play, tasks) = playing().await;
        let connection = Arc::new(ConnectionHandle::new(Caller::User(Arc::new(ada())), None));
        // The call is cancelled.
        drop(play.prepare(&ada(), setup(7), false, None, true, &[]).await.unwrap());
        assert_eq!(play.in_memory(), 0);
        for number in 0..MAX_ROOMS as u128 {
            assert!(connection.enter(GameId(Uuid::from_u128(100 + number))));
        }
        let new = play.prepare(&ada(), setup(7), false, None, true, &[]).await.unwrap();
        assert_eq!(play.append(new, Some(&connection), Reply::Nobody), Err(PlayError::TooManyRooms));
        assert_eq!(play.in_memory(), 0);

        connection.leave_all();
        let new = play.prepare(&ada(), setup(7), false, None, true, &[]).await.unwrap();
        let runtime = Arc::clone(&new.runtime);
        let cancel = || runtime.command(&play.journal, Command::Cancel { user: ADA }, play.now(), Reply::Nobody);
        assert_eq!(cancel(), Err(PlayError::from(CommonError::NotFound("game"))));
        assert_eq!(play.append(new, Some(&connection), Reply::Nobody), Ok(()));
        assert_eq!(play.in_memory(), 1);
        // Perhaps before its beginning is on disk.
        assert_eq!(cancel(), Ok(()));
        tasks.stop().await;
        assert_eq!(runtime.committed().map(|game| game.status()), Some(Status::Cancelled));
        assert_eq!(connection.leave_all(), [setup(7).id]);
    }
}
