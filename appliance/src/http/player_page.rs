//! The part of the action resource `player` that shows players to others: `docs/behaviour/player-pages.md`.

use morpion_openapi::{
    Page, PageRequest,
    player_page::{
        GetHeadToHead, GetHistory, GetProfile, HeadToHeadAnswer, ListOpponents, OpponentsAnswer, PlayedGamesAnswer,
        PlayerProfile, ProfileAnswer,
    },
};
use morpion_rules::UserId;
use morpion_store::{Counts, MOST_PAGED, PlayedFilter, PlayedKind, User};
use uuid::Uuid;

use super::{
    ApiError,
    convert::{player_page as convert, ratings},
    player::PlayerResource,
};
use crate::{
    account::player_page::{Whose, refusal, sees_page},
    caller::{Call, Caller},
    clock::millis,
};

/// Default number of games of a page.
const DEFAULT_PAGE: u32 = 20;

/// Games of a head to head.
const LAST_BETWEEN: u32 = 5;

/// Points of a rating curve.
const CURVE: usize = 100;

/// Default and largest number of opponents.
const OPPONENTS: u32 = 6;
const MAX_OPPONENTS: u32 = 20;

impl PlayerResource {
    pub(super) async fn profile(&self, call: &Call, payload: GetProfile) -> Result<ProfileAnswer, ApiError> {
        let whose = match (payload.username.as_deref(), payload.user_id) {
            (Some(name), None) => Whose::Username(name),
            (None, Some(id)) => Whose::Id(id.into()),
            _ => return Err(ApiError::invalid("username", "One of username and userId is needed.")),
        };
        let user = self.0.accounts.player(call, whose).await?;
        let own = call.caller.user_id();
        let is_own = own == Some(user.id.into());
        let blocked_by_me = match own.filter(|_| !is_own) {
            Some(own) => Some(self.0.store.is_blocked(own.0, user.id).await?),
            None => None,
        };
        let shown = PlayerProfile { blocked_by_me, ..convert::named(&user) };
        if !sees_page(&call.caller, &user) {
            if matches!(call.caller, Caller::Visitor) {
                return Err(refusal(&call.caller).into());
            }
            let visibility = Some(convert::visibility(&user));
            return Ok(ProfileAnswer { profile: PlayerProfile { hidden: Some(true), visibility, ..shown } });
        }
        let record = self.0.ratings.of(user.id.into()).await?;
        let curve = self.0.store.rating_curve(user.id, CURVE).await?;
        let knows_visibility = is_own || call.caller.is_admin();
        Ok(ProfileAnswer {
            profile: PlayerProfile {
                visibility: knows_visibility.then(|| convert::visibility(&user)),
                member_since: Some(user.created_at.into()),
                rating: Some(ratings::rating(&record, millis(self.0.clock.wall()))),
                rating_curve: convert::curve(&curve, user.id),
                results: convert::results_by_board(&self.0.store.tallies(user.id).await?),
                events: self.0.events.places_of(user.id.into()).await?.into_iter().map(convert::place).collect(),
                ..shown
            },
        })
    }

    pub(super) async fn history(&self, call: &Call, payload: GetHistory) -> Result<PlayedGamesAnswer, ApiError> {
        let GetHistory { user_id, page, limit, filter } = payload;
        if filter.as_ref().and_then(|filter| filter.board_size).is_some_and(|size| !(3..=6).contains(&size)) {
            return Err(ApiError::invalid("filter.boardSize", "A board has 3 to 6 cells a side."));
        }
        let user = self.0.accounts.player(call, Whose::Id(user_id.into())).await?;
        let opponent = filter.as_ref().and_then(|filter| filter.opponent_id);
        let kinds = listed_kinds(&call.caller, &user, opponent)?;
        let filter = convert::filter(filter, kinds);
        let page = PageRequest::new(page, limit, DEFAULT_PAGE);
        let Page { rows, total_count } = self.0.play.played_games(user.id.into(), &filter, page).await?;
        let people = &self.0.accounts.people;
        let mut pagination = page.pagination(total_count);
        pagination.has_next_page &= page.offset() + 2 * u64::from(page.limit) <= MOST_PAGED as u64;
        Ok(PlayedGamesAnswer { games: rows.iter().map(|row| convert::played(people, row)).collect(), pagination })
    }

    pub(super) async fn head_to_head(&self, call: &Call, payload: GetHeadToHead) -> Result<HeadToHeadAnswer, ApiError> {
        let own = call.caller.user()?.user_id;
        let other = self.0.accounts.player(call, Whose::Id(payload.user_id.into())).await?;
        let between = PlayedFilter { opponent: Some(other.id), ..PlayedFilter::of(&PlayedKind::ALL) };
        let page = PageRequest { page: 1, limit: LAST_BETWEEN };
        let games = self.0.play.played_games(own, &between, page).await?.rows;
        let counts = self.0.store.versus(own.0, other.id).await?.map_or(Counts::default(), |versus| versus.counts);
        let people = &self.0.accounts.people;
        let games = games.iter().map(|row| convert::played(people, row)).collect();
        Ok(HeadToHeadAnswer { results: convert::results(counts), games })
    }

    /// Deleted accounts are left out; whom the caller blocks, too.
    pub(super) async fn opponents(&self, call: &Call, payload: ListOpponents) -> Result<OpponentsAnswer, ApiError> {
        let own = call.caller.user()?.user_id;
        self.0.accounts.count_player_page(call)?;
        let limit = payload.limit.unwrap_or(OPPONENTS).clamp(1, MAX_OPPONENTS) as usize;
        let blocked = self.0.store.blocked_by(own.0).await?;
        // Some more, in case there are such among them.
        let latest = self.0.play.latest_opponents(own, 2 * limit).await?;
        let ids: Vec<Uuid> = latest.iter().map(|versus| versus.opponent).filter(|id| !blocked.contains(id)).collect();
        let users = self.0.store.users(&ids).await?;
        let people = &self.0.accounts.people;
        people.load(ids.iter().copied().map(UserId)).await?;
        let found = latest.iter().filter_map(|versus| {
            let user = users.iter().find(|user| user.id == versus.opponent && user.deleted_at.is_none())?;
            Some(convert::opponent(people, user, versus))
        });
        Ok(OpponentsAnswer { opponents: found.take(limit).collect() })
    }
}

/// The kinds of games in somebody's history for this caller: those that the caller may replay.
fn listed_kinds(caller: &Caller, user: &User, opponent: Option<Uuid>) -> Result<Vec<PlayedKind>, ApiError> {
    let own = caller.user_id();
    let with_the_caller = own.is_some() && own == opponent.map(UserId);
    if with_the_caller || caller.is_admin() || own == Some(user.id.into()) {
        return Ok(PlayedKind::ALL.to_vec());
    }
    if sees_page(caller, user) { Ok(PlayedKind::PUBLIC.to_vec()) } else { Err(refusal(caller).into()) }
}
