//! The resource `player`: `docs/behaviour/events.md#standings`.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement, Page, PageRequest,
    event::{
        CheckPlayerAnswer, CheckPlayerForEvent, ClearEvent, CreatePlayer, GetLeaderboard, GetPlayer, GetPlayersByEvent,
        ImportPlayers, JoinEventRoomAction, JoinEventRoomAnswer, LeaveEventRoomAction, PlayerAnswer, PlayerRead,
        PlayerWrite, PlayersAnswer, RecordResult, SetEvent, UpdatePlayer,
    },
    player_page::{GetHeadToHead, GetHistory, GetProfile, ListOpponents},
    rating::{BotsAnswer, GetRatingList, ListBots, OwnRating, RatingListAnswer},
};
use morpion_rules::{EventId, UserId};
use morpion_store::AuditEntry;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    ApiError,
    convert::{events as convert, ratings},
    event::{named, reason},
    resource::{Reply, Resource, reply},
};
use crate::{
    app::App,
    caller::{Call, Caller},
    clock::millis,
    events::corrections::Receipt,
    people::PublicProfile,
    ratings::ListedBot,
};

/// Default number of players of a page.
const DEFAULT_PAGE: u32 = 50;

pub struct PlayerResource(pub Arc<App>);

impl Resource for PlayerResource {
    type Reads = PlayerRead;
    type Writes = PlayerWrite;
    const IDS: (&'static str, &'static str) = ("readPlayer", "writePlayer");

    async fn read(&self, call: Call, action: PlayerRead) -> Result<Reply, ApiError> {
        // A player may show the page to visitors, and everybody sees who is ahead in an event.
        if !matches!(action, PlayerRead::GetProfile(_) | PlayerRead::GetHistory(_) | PlayerRead::GetLeaderboard(_)) {
            call.caller.signed_in()?;
        }
        match action {
            PlayerRead::GetPlayer(payload) => reply::<GetPlayer>(self.get(&call, payload).await),
            PlayerRead::GetPlayersByEvent(GetPlayersByEvent { event_id, page, limit }) => {
                reply::<GetPlayersByEvent>(self.ranked(&call, event_id, page, limit).await)
            }
            PlayerRead::GetLeaderboard(GetLeaderboard { event_id, page, limit }) => {
                reply::<GetLeaderboard>(self.ranked(&call, event_id, page, limit).await)
            }
            PlayerRead::ListBots(payload) => reply::<ListBots>(self.bots(&payload).await),
            PlayerRead::GetRatingList(payload) => reply::<GetRatingList>(self.rating_list(&call, payload).await),
            PlayerRead::GetProfile(payload) => reply::<GetProfile>(self.profile(&call, payload).await),
            PlayerRead::GetHistory(payload) => reply::<GetHistory>(self.history(&call, payload).await),
            PlayerRead::GetHeadToHead(payload) => reply::<GetHeadToHead>(self.head_to_head(&call, payload).await),
            PlayerRead::ListOpponents(payload) => reply::<ListOpponents>(self.opponents(&call, payload).await),
            PlayerRead::CheckPlayerForEvent(payload) => reply::<CheckPlayerForEvent>(self.check(&call, payload).await),
        }
    }

    async fn write(&self, call: Call, action: PlayerWrite) -> Result<Reply, ApiError> {
        match action {
            PlayerWrite::JoinEventRoomAction(payload) => {
                reply::<JoinEventRoomAction>(self.join_room(&call, payload).await)
            }
            PlayerWrite::LeaveEventRoomAction(payload) => {
                reply::<LeaveEventRoomAction>(self.leave_room(&call, &payload))
            }
            PlayerWrite::CreatePlayer(payload) => reply::<CreatePlayer>(self.create(&call, payload).await),
            PlayerWrite::ImportPlayers(payload) => reply::<ImportPlayers>(self.0.import_players(&call, payload).await),
            PlayerWrite::UpdatePlayer(payload) => reply::<UpdatePlayer>(self.update(&call, payload).await),
            PlayerWrite::SetEvent(payload) => reply::<SetEvent>(self.set_event(&call, payload).await),
            PlayerWrite::ClearEvent(payload) => reply::<ClearEvent>(self.clear_event(&call, payload).await),
            PlayerWrite::RecordResult(payload) => reply::<RecordResult>(self.record(&call, payload).await),
        }
    }
}

impl PlayerResource {
    async fn get(&self, call: &Call, payload: GetPlayer) -> Result<PlayerAnswer, ApiError> {
        let event = payload.event_id.map(EventId);
        let player = self.0.events.player(&call.caller, payload.user_id.into(), event).await?;
        Ok(PlayerAnswer { player: convert::player(player) })
    }

    async fn ranked(
        &self,
        call: &Call,
        event: Uuid,
        page: Option<u32>,
        limit: Option<u32>,
    ) -> Result<PlayersAnswer, ApiError> {
        let page = PageRequest::new(page, limit, DEFAULT_PAGE);
        let Page { rows, total_count } = self.0.events.leaderboard(&call.caller, event.into(), page).await?;
        Ok(PlayersAnswer {
            players: rows.into_iter().map(convert::player).collect(),
            pagination: page.pagination(total_count),
        })
    }

    async fn rating_list(&self, call: &Call, payload: GetRatingList) -> Result<RatingListAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        let now = millis(self.0.clock.wall());
        let Page { rows, total_count } = self.0.ratings.list(page).await?;
        let own = match &call.caller {
            Caller::User(identity) if !identity.is_temp => Some(self.0.ratings.rank_of(identity.user_id).await?),
            Caller::User(_) | Caller::Operator(_) | Caller::Visitor => None,
        };
        Ok(RatingListAnswer {
            players: rows.into_iter().map(|player| ratings::ranked(player, now)).collect(),
            own: own.map(|(rank, record)| OwnRating {
                rank: rank.map(ratings::rank),
                rating: ratings::rating(&record, now),
            }),
            pagination: page.pagination(total_count),
        })
    }

    async fn bots(&self, payload: &ListBots) -> Result<BotsAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        let now = millis(self.0.clock.wall());
        let Page { rows, total_count } = self.0.ratings.bots(page).await?;
        let bot = |(bot, shown): (ListedBot, PublicProfile)| {
            let online = self.0.hub.is_connected(bot.user);
            ratings::bot(&bot, shown, online, now)
        };
        Ok(BotsAnswer { bots: rows.into_iter().map(bot).collect(), pagination: page.pagination(total_count) })
    }

    async fn check(&self, call: &Call, payload: CheckPlayerForEvent) -> Result<CheckPlayerAnswer, ApiError> {
        let user = call.caller.acting(Some(payload.user_id))?.user_id;
        Ok(convert::player_check(self.0.events.check_player(&call.caller, payload.event_id.into(), user).await?))
    }

    async fn join_room(&self, call: &Call, payload: JoinEventRoomAction) -> Result<JoinEventRoomAnswer, ApiError> {
        let identity = call.caller.acting(payload.user_id)?;
        let event = payload.event_id.into();
        let socket = payload.socket_id.as_deref();
        Ok(convert::room(self.0.events.enter_room_by_call(identity, event, socket).await?))
    }

    fn leave_room(&self, call: &Call, payload: &LeaveEventRoomAction) -> Result<Acknowledgement, ApiError> {
        let user = call.caller.acting(payload.user_id)?.user_id;
        self.0.events.leave_room_by_call(user, payload.event_id.into());
        Ok(Acknowledgement {})
    }

    async fn create(&self, call: &Call, payload: CreatePlayer) -> Result<PlayerAnswer, ApiError> {
        call.caller.admin()?;
        let user = named(&self.0, call, payload.user_id, payload.username.as_deref()).await?;
        let entry = self.entry(call, "create_player", user, Value::Null);
        let player = self.0.events.create_player(payload.event_id.into(), user.into(), entry).await?;
        Ok(PlayerAnswer { player: convert::player(player) })
    }

    async fn update(&self, call: &Call, payload: UpdatePlayer) -> Result<PlayerAnswer, ApiError> {
        call.caller.admin()?;
        let (user, event) = (UserId(payload.user_id), payload.event_id.map(EventId));
        let receipt = receipt(call, payload.reason.as_deref())?;
        let detail = json!({ "updates": payload.updates, "reason": receipt.reason });
        let entry = self.entry(call, "update_player", payload.user_id, detail);
        let change = convert::standing_change(&payload.updates);
        let player = self.0.events.correct_player(user, event, change, receipt, entry).await?;
        Ok(PlayerAnswer { player: convert::player(player) })
    }

    async fn set_event(&self, call: &Call, payload: SetEvent) -> Result<PlayerAnswer, ApiError> {
        call.caller.admin()?;
        let entry = self.entry(call, "set_event", payload.user_id, Value::Null);
        let player = self.0.events.set_event(payload.user_id.into(), payload.event_id.into(), entry).await?;
        Ok(PlayerAnswer { player: convert::player(player) })
    }

    async fn clear_event(&self, call: &Call, payload: ClearEvent) -> Result<Acknowledgement, ApiError> {
        call.caller.admin()?;
        let entry = self.entry(call, "clear_event", payload.user_id, Value::Null);
        self.0.events.clear_event(payload.user_id.into(), entry).await?;
        Ok(Acknowledgement {})
    }

    async fn record(&self, call: &Call, payload: RecordResult) -> Result<PlayerAnswer, ApiError> {
        call.caller.admin()?;
        let (user, event) = (UserId(payload.user_id), payload.event_id.map(EventId));
        let receipt = receipt(call, payload.reason.as_deref())?;
        let detail = json!({ "didWin": payload.did_win, "reason": receipt.reason });
        let entry = self.entry(call, "record_result", payload.user_id, detail);
        let player = self.0.events.record_result(user, event, payload.did_win, receipt, entry).await?;
        Ok(PlayerAnswer { player: convert::player(player) })
    }

    /// The entry of the audit trail for what is done to a player.
    fn entry(&self, call: &Call, action: &str, user: Uuid, detail: Value) -> AuditEntry {
        self.0.accounts.audit_entry(call, action, &user.to_string(), detail)
    }
}

fn receipt(call: &Call, why: Option<&str>) -> Result<Receipt, ApiError> {
    Ok(Receipt { actor: call.caller.audit_name(), reason: why.map(reason).transpose()? })
}
