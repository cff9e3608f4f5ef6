//! The resource `game`: `docs/behaviour/play.md`.

use std::sync::Arc;

use morpion_openapi::{
    PageRequest,
    game::{
        self, CancelGameAction, ClaimSeat, ClaimWin, CreateGame, CreateGameAnswer, EndGame, Game, GameAnswer, GameRead,
        GameState, GameType, GameWrite, GamesAnswer, GetGame, GetGamesByEvent, GetGamesByUser, GetReplay, LiveGames,
        LiveNowAnswer, MakeMoveAction, MakeMoveAnswer, PlayAgain, ReplayAnswer, ShareGame, ShareGameAnswer,
        SpectatableGames,
    },
};
use morpion_rules::{
    BoardSize, Cell, GameId, Mark, Refusal, Status, UserId, clock::TimeControl, game::LEVEL_OUTSIDE_EVENTS,
};
use uuid::Uuid;

use super::{
    ApiError,
    convert::play as convert,
    game_export::Texts,
    resource::{Reply, Resource, reply},
};
use crate::{
    account::limits::RateLimit,
    app::App,
    caller::{Call, Caller},
    play::{
        NetworkShare,
        invitations::{Invite, is_reserved},
        view::GameView,
    },
};

/// Default number of games of a page.
const DEFAULT_PAGE: u32 = 20;

pub struct GameResource(pub Arc<App>);

impl Resource for GameResource {
    type Reads = GameRead;
    type Writes = GameWrite;
    const IDS: (&'static str, &'static str) = ("readGame", "writeGame");

    async fn read(&self, call: Call, action: GameRead) -> Result<Reply, ApiError> {
        match action {
            GameRead::GetGame(payload) => reply::<GetGame>(self.get_game(&call, payload).await),
            GameRead::GetGamesByUser(payload) => reply::<GetGamesByUser>(self.games_by_user(&call, payload).await),
            GameRead::GetReplay(payload) => reply::<GetReplay>(self.replay(&call, payload).await),
            GameRead::GetGamesByEvent(payload) => reply::<GetGamesByEvent>(self.games_by_event(&call, payload).await),
            GameRead::SpectatableGames(payload) => reply::<SpectatableGames>(self.spectatable(&call, payload).await),
            GameRead::LiveGames(payload) => reply::<LiveGames>(self.live(&call, payload)),
        }
    }

    async fn write(&self, call: Call, action: GameWrite) -> Result<Reply, ApiError> {
        match action {
            GameWrite::CreateGame(payload) => reply::<CreateGame>(self.create(&call, payload).await),
            GameWrite::MakeMoveAction(payload) => reply::<MakeMoveAction>(self.make_move(&call, payload).await),
            GameWrite::EndGame(payload) => reply::<EndGame>(self.forfeit(&call, payload).await),
            GameWrite::CancelGameAction(payload) => reply::<CancelGameAction>(self.cancel(&call, payload).await),
            GameWrite::ClaimSeat(payload) => reply::<ClaimSeat>(self.claim_seat(&call, payload).await),
            GameWrite::PlayAgain(payload) => reply::<PlayAgain>(self.play_again(&call, payload).await),
            GameWrite::ClaimWin(payload) => reply::<ClaimWin>(self.claim_win(&call, payload).await),
            GameWrite::ShareGame(payload) => reply::<ShareGame>(self.share(&call, payload).await),
        }
    }
}

impl GameResource {
    async fn get_game(&self, call: &Call, payload: GetGame) -> Result<GameAnswer, ApiError> {
        let found = self.0.play.game(&call.caller, payload.game_id.into()).await;
        // It may be theirs.
        let hidden = |error| if matches!(call.caller, Caller::Visitor) { ApiError::not_signed_in() } else { error };
        let (view, next) = found.map_err(ApiError::from).map_err(hidden)?;
        let mut game = self.state(call, &view);
        game.next_game_id = next.as_ref().map(|next| next.id().0);
        let waiting = next.filter(|next| next.status() == Status::Waiting);
        game.next_game_by = waiting.and_then(|next| next.player(Mark::X).map(|player| player.user.0));
        Ok(GameAnswer { game })
    }

    async fn games_by_user(&self, call: &Call, payload: GetGamesByUser) -> Result<GamesAnswer, ApiError> {
        signed_in(call)?;
        if !call.caller.is_admin() {
            call.caller.acting(Some(payload.user_id))?;
        }
        let statuses = match payload.status {
            Some(statuses) => statuses.into_iter().map(convert::status).collect(),
            None => Status::ALL.to_vec(),
        };
        let user = UserId(payload.user_id);
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        let found = self.0.play.games_of(user, &statuses, page).await?;
        Ok(GamesAnswer { games: self.list(&found.rows, Some(user)), pagination: page.pagination(found.total_count) })
    }

    async fn games_by_event(&self, call: &Call, payload: GetGamesByEvent) -> Result<GamesAnswer, ApiError> {
        // An invite game's `remote-` id is not an event's.
        let id: Uuid = payload.event_id.parse().map_err(|_| ApiError::not_found("event"))?;
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        let player = payload.user_id.map(UserId);
        let found = self.0.events.games(&call.caller, id.into(), player, page).await?;
        let games = self.list(&found.rows, call.caller.user_id());
        Ok(GamesAnswer { games, pagination: page.pagination(found.total_count) })
    }

    async fn spectatable(&self, call: &Call, payload: SpectatableGames) -> Result<GamesAnswer, ApiError> {
        let mut games = self.0.events.spectatable(&call.caller, payload.event_id.into()).await?;
        let page = PageRequest::new(None, Some(PageRequest::MAX_LIMIT), DEFAULT_PAGE);
        let pagination = page.pagination(games.len() as u64);
        games.truncate(page.limit as usize);
        Ok(GamesAnswer { games: self.list(&games, call.caller.user_id()), pagination })
    }

    fn live(&self, call: &Call, payload: LiveGames) -> Result<LiveNowAnswer, ApiError> {
        signed_in(call)?;
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        let (games, listed, total) = self.0.play.games_to_watch(page);
        let viewer = call.caller.user_id();
        Ok(LiveNowAnswer {
            games: games.iter().map(|view| convert::live_game(&self.0.accounts.people, view, viewer)).collect(),
            total: total as u32,
            pagination: page.pagination(listed as u64),
        })
    }

    async fn replay(&self, call: &Call, payload: GetReplay) -> Result<ReplayAnswer, ApiError> {
        let mut replay = match (payload.share_token, payload.game_id) {
            (Some(token), None) => self.0.play.shared_replay(&token).await?,
            (None, Some(id)) => {
                signed_in(call)?;
                self.0.play.replay(&call.caller, id.into()).await?
            }
            _ => return Err(ApiError::invalid("shareToken", "One of shareToken and gameId is needed.")),
        };
        let mut texts = Texts::new(&self.0, call.caller.clone());
        let notation = texts.of(std::slice::from_mut(&mut replay)).await?.concat();
        Ok(ReplayAnswer { replay: convert::replay(&self.0.accounts.people, &replay), notation })
    }

    async fn create(&self, call: &Call, payload: CreateGame) -> Result<CreateGameAnswer, ApiError> {
        let identity = call.caller.acting(payload.initiator_user_id)?;
        let mut invite = invite(identity.user_id, &payload, call.address.networks())?;
        let limits = self.0.accounts.limits();
        limits.check(RateLimit::Invite, identity.user_id)?;
        // Many may invite one person; the game is in their list in any case.
        invite.notify &= invite.opponent.is_none_or(|invited| limits.check(RateLimit::Invited, invited).is_ok());
        let game = self.0.play.invite(identity, invite).await?;
        Ok(CreateGameAnswer { game: self.summary(&game, call.caller.user_id()) })
    }

    async fn make_move(&self, call: &Call, payload: MakeMoveAction) -> Result<MakeMoveAnswer, ApiError> {
        let user = call.caller.acting(payload.user_id)?.user_id;
        let cell = Cell::new(payload.row, payload.col).ok_or(Refusal::OffBoard)?;
        let game = self.0.play.move_by_call(user, payload.game_id.into(), cell, payload.version).await?;
        Ok(MakeMoveAnswer { game: self.state(call, &game) })
    }

    async fn forfeit(&self, call: &Call, payload: EndGame) -> Result<GameAnswer, ApiError> {
        let user = call.caller.acting(payload.user_id)?.user_id;
        Ok(GameAnswer { game: self.state(call, &self.0.play.forfeit_by_call(user, payload.game_id.into()).await?) })
    }

    async fn cancel(&self, call: &Call, payload: CancelGameAction) -> Result<GameAnswer, ApiError> {
        let user = call.caller.acting(payload.user_id)?.user_id;
        Ok(GameAnswer { game: self.state(call, &self.0.play.cancel_by_call(user, payload.game_id.into()).await?) })
    }

    async fn claim_seat(&self, call: &Call, payload: ClaimSeat) -> Result<GameAnswer, ApiError> {
        let identity = call.caller.user()?;
        let game = self.0.play.claim_seat(identity, payload.game_id.into(), &payload.invite_token).await?;
        Ok(GameAnswer { game: self.state(call, &game) })
    }

    async fn play_again(&self, call: &Call, payload: PlayAgain) -> Result<CreateGameAnswer, ApiError> {
        let identity = call.caller.user()?;
        let admit = || self.0.accounts.limits().check(RateLimit::Invite, identity.user_id);
        let game = self.0.play.play_again(identity, payload.game_id.into(), &call.address.networks(), admit).await?;
        Ok(CreateGameAnswer { game: self.summary(&game, call.caller.user_id()) })
    }

    async fn claim_win(&self, call: &Call, payload: ClaimWin) -> Result<GameAnswer, ApiError> {
        let user = call.caller.user()?.user_id;
        Ok(GameAnswer { game: self.state(call, &self.0.play.claim_win(user, payload.game_id.into()).await?) })
    }

    async fn share(&self, call: &Call, payload: ShareGame) -> Result<ShareGameAnswer, ApiError> {
        let user = call.caller.user()?.user_id;
        Ok(ShareGameAnswer { share_token: self.0.play.share(user, payload.game_id.into()).await? })
    }

    fn state(&self, call: &Call, view: &GameView) -> GameState {
        convert::state(&self.0.accounts.people, view, call.caller.user_id())
    }

    fn summary(&self, view: &GameView, viewer: Option<UserId>) -> Game {
        convert::summary(&self.0.accounts.people, view, viewer)
    }

    fn list(&self, views: &[GameView], viewer: Option<UserId>) -> Vec<Game> {
        views.iter().map(|view| self.summary(view, viewer)).collect()
    }
}

fn signed_in(call: &Call) -> Result<(), ApiError> {
    match call.caller {
        Caller::Visitor => Err(ApiError::not_signed_in()),
        _ => Ok(()),
    }
}

/// The invitation that a `create_game` requests. Fields that can have only one value are checked against it, see
/// `docs/behaviour/play.md#invite-games`.
fn invite(inviter: UserId, payload: &CreateGame, from: Vec<NetworkShare>) -> Result<Invite, ApiError> {
    if payload.game_type != GameType::Invite {
        return Err(ApiError::invalid("gameType", "Event games are made by the matchmaker."));
    }
    let id = payload.game_id.filter(|id| !id.is_nil() && !is_reserved(*id));
    if payload.game_id.is_some() && id.is_none() {
        return Err(ApiError::invalid("gameId", "A random UUID is needed."));
    }
    if let (Some(event_id), Some(id)) = (&payload.event_id, id)
        && *event_id != format!("remote-{id}")
    {
        return Err(ApiError::invalid("eventId", "An invite game's eventId is 'remote-' and the gameId."));
    }
    if payload.level.is_some_and(|level| level != LEVEL_OUTSIDE_EVENTS) {
        return Err(ApiError::invalid("level", "An invite game has level 1."));
    }
    let size = payload.board_size.unwrap_or(3);
    let size =
        BoardSize::new(size).ok_or_else(|| ApiError::invalid("boardSize", "A board has 3 to 6 cells a side."))?;
    let players: Vec<Uuid> = payload.players.iter().map(|player| player.user_id).collect();
    let opponent = match players.as_slice() {
        [only] if *only == inviter.0 => None,
        [first, second] if *first == inviter.0 && *second != inviter.0 => Some(UserId(*second)),
        [first, second] if *second == inviter.0 && *first != inviter.0 => Some(UserId(*first)),
        _ => {
            return Err(ApiError::invalid("players", "You and at most one other player."));
        }
    };
    let control = match payload.clock.unwrap_or(game::TimeControl::Untimed) {
        game::TimeControl::Untimed => TimeControl::Untimed,
        game::TimeControl::Turn15 => TimeControl::PerTurn,
        game::TimeControl::Increment => TimeControl::Increment,
    };
    let notify = payload.notify.unwrap_or(true);
    Ok(Invite { id: id.map(GameId), opponent, size, starter: Mark::X, control, notify, from })
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_openapi::game::PlayerRef;

    fn request(players: &[u128]) -> CreateGame {
        CreateGame {
            game_id: Some(Uuid::from_u128(9)),
            players: players.iter().map(|id| PlayerRef { user_id: Uuid::from_u128(*id), username: None }).collect(),
            event_id: Some(format!("remote-{}", Uuid::from_u128(9))),
            level: Some(1),
            initiator_user_id: None,
            game_type: GameType::Invite,
            notify: None,
            board_size: None,
            clock: None,
        }
    }

    #[test]
    fn an_invite_is_checked_field_by_field() {
        let me = UserId(Uuid::from_u128(1));
        let good = invite(me, &request(&[1, 2]), vec![]).expect("two players");
        assert_eq!((good.opponent, good.size.get(), good.notify), (Some(UserId(Uuid::from_u128(2))), 3, true));
        assert_eq!(invite(me, &request(&[1]), vec![]).expect("an open seat").opponent, None);
        type Change = fn(&mut CreateGame);
        let cases: [(&str, Change); 6] = [
            ("players", |r| r.players.clear()),
            ("players", |r| r.players.remove(0).user_id = Uuid::nil()),
            ("boardSize", |r| r.board_size = Some(7)),
            ("level", |r| r.level = Some(2)),
            ("eventId", |r| r.event_id = Some("remote-x".into())),
            ("gameType", |r| r.game_type = GameType::Event),
        ];
        for (field, change) in cases {
            let mut bad = request(&[1, 2]);
            change(&mut bad);
            let error = invite(me, &bad, vec![]).expect_err(field);
            assert!(error.field_errors.contains_key(field), "{field}: {error:?}");
        }
        assert!(invite(me, &request(&[1, 1]), vec![]).is_err());
        assert!(invite(me, &request(&[2, 3]), vec![]).is_err());
    }
}
