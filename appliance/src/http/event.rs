//! The resource `event`. Who may call what: `docs/behaviour/api.md#who-may-call-what`.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement, PageRequest,
    event::{
        Announce, CancelEvent, CheckInPlayer, ConcludeEvent, CreateEvent, DeleteEvent, DisqualifyPlayer,
        DuplicateEvent, EndEvent, Event, EventAnswer, EventFilter, EventRead, EventState, EventWrite, EventsAnswer,
        ExtendEvent, GetEventById, GetHosting, GetRounds, GetStandings, InvitationsAnswer, InvitePlayer, JoinEvent,
        JoinEventAnswer, ListEvents, ListInvitations, PauseEvent, PlayerAnswer, ReinstatePlayer, RemoveParticipant,
        RenewJoinCode, ReopenEvent, ReplayMatch, ResumeEvent, SetResult, StartEvent, StartRound, UpdateEvent,
        VerifyEvent, VerifyEventAnswer, WithdrawInvitation, WithdrawPlayer,
    },
};
use morpion_rules::{EventId, Millis, UserId, event::EventCommand};
use morpion_store::{AuditEntry, EventRow};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    ApiError,
    convert::{events as convert, stages},
    resource::{Reply, Resource, reply},
};
use crate::{
    account::limits::RateLimit,
    app::App,
    caller::{Call, Caller},
    events::{corrections::Receipt, hosting, stage::Act, views::EventView},
    fields,
};

/// Default number of events of a page.
const DEFAULT_PAGE: u32 = 20;

/// Validates a required reason.
pub(super) fn reason(text: &str) -> Result<String, ApiError> {
    fields::reason(text).map_err(|why| ApiError::invalid("reason", why))
}

pub struct EventResource(pub Arc<App>);

impl Resource for EventResource {
    type Reads = EventRead;
    type Writes = EventWrite;
    const IDS: (&'static str, &'static str) = ("readEvent", "writeEvent");

    async fn read(&self, call: Call, action: EventRead) -> Result<Reply, ApiError> {
        match action {
            EventRead::GetEventById(payload) => reply::<GetEventById>(self.get(&call, payload).await),
            EventRead::ListEvents(payload) => reply::<ListEvents>(self.list(&call, payload).await),
            EventRead::VerifyEvent(payload) => reply::<VerifyEvent>(self.verify(&call, payload).await),
            EventRead::GetRounds(GetRounds { event_id, user_id }) => {
                let rounds = self.0.events.rounds(&call.caller, event_id.into(), user_id.map(Into::into)).await;
                reply::<GetRounds>(rounds.map(stages::rounds).map_err(Into::into))
            }
            EventRead::GetStandings(GetStandings { event_id, user_id }) => {
                let table = self.0.events.table(&call.caller, event_id.into(), user_id.map(Into::into)).await;
                let answer = table.map(|table| stages::table(table, user_id.is_some()));
                reply::<GetStandings>(answer.map_err(Into::into))
            }
            EventRead::GetHosting(_) => {
                let hosting = self.0.events.hosting(&call.caller).await;
                reply::<GetHosting>(hosting.map(convert::hosting).map_err(Into::into))
            }
            EventRead::ListInvitations(payload) => reply::<ListInvitations>(self.invitations(&call, payload).await),
        }
    }

    async fn write(&self, call: Call, action: EventWrite) -> Result<Reply, ApiError> {
        match action {
            EventWrite::CreateEvent(payload) => reply::<CreateEvent>(self.create(&call, payload).await),
            EventWrite::UpdateEvent(payload) => reply::<UpdateEvent>(self.update(&call, payload).await),
            EventWrite::DeleteEvent(payload) => reply::<DeleteEvent>(self.delete(&call, payload).await),
            EventWrite::JoinEvent(payload) => reply::<JoinEvent>(self.join(&call, payload).await),
            EventWrite::StartEvent(StartEvent { event_id }) => {
                reply::<StartEvent>(self.command(&call, "start_event", event_id, EventCommand::Start).await)
            }
            EventWrite::EndEvent(EndEvent { event_id }) => {
                reply::<EndEvent>(self.command(&call, "end_event", event_id, EventCommand::End).await)
            }
            EventWrite::CancelEvent(CancelEvent { event_id }) => {
                reply::<CancelEvent>(self.command(&call, "cancel_event", event_id, EventCommand::Cancel).await)
            }
            EventWrite::ReopenEvent(payload) => reply::<ReopenEvent>(self.reopen(&call, payload).await),
            EventWrite::ConcludeEvent(ConcludeEvent { event_id }) => {
                reply::<ConcludeEvent>(self.command(&call, "conclude_event", event_id, EventCommand::Conclude).await)
            }
            EventWrite::DuplicateEvent(payload) => reply::<DuplicateEvent>(self.duplicate(&call, payload).await),
            EventWrite::Announce(payload) => reply::<Announce>(self.announce(&call, payload).await),
            EventWrite::RemoveParticipant(payload) => {
                reply::<RemoveParticipant>(self.remove_participant(&call, payload).await)
            }
            EventWrite::SetResult(payload) => reply::<SetResult>(self.set_result(&call, payload).await),
            EventWrite::ReplayMatch(payload) => reply::<ReplayMatch>(self.replay_match(&call, payload).await),
            EventWrite::StartRound(payload) => reply::<StartRound>(self.start_round(&call, payload).await),
            EventWrite::WithdrawPlayer(WithdrawPlayer { event_id, user_id, reason }) => {
                let act = ("withdraw_player", Act::WithdrawPlayer);
                reply::<WithdrawPlayer>(self.set_out(&call, act, (event_id, user_id), &reason).await)
            }
            EventWrite::DisqualifyPlayer(DisqualifyPlayer { event_id, user_id, reason }) => {
                let act = ("disqualify_player", Act::DisqualifyPlayer);
                reply::<DisqualifyPlayer>(self.set_out(&call, act, (event_id, user_id), &reason).await)
            }
            EventWrite::ReinstatePlayer(ReinstatePlayer { event_id, user_id, reason }) => {
                let act = ("reinstate_player", Act::ReinstatePlayer);
                reply::<ReinstatePlayer>(self.set_out(&call, act, (event_id, user_id), &reason).await)
            }
            EventWrite::CheckInPlayer(payload) => reply::<CheckInPlayer>(self.check_in_player(&call, payload).await),
            EventWrite::ExtendEvent(ExtendEvent { event_id, end_time }) => {
                let command = EventCommand::Extend(Millis(end_time.as_millis()));
                reply::<ExtendEvent>(self.command(&call, "extend_event", event_id, command).await)
            }
            EventWrite::PauseEvent(PauseEvent { event_id }) => {
                reply::<PauseEvent>(self.set_paused(&call, "pause_event", event_id).await)
            }
            EventWrite::ResumeEvent(ResumeEvent { event_id }) => {
                reply::<ResumeEvent>(self.set_paused(&call, "resume_event", event_id).await)
            }
            EventWrite::RenewJoinCode(RenewJoinCode { event_id }) => {
                reply::<RenewJoinCode>(self.renew_join_code(&call, event_id).await)
            }
            EventWrite::InvitePlayer(payload) => reply::<InvitePlayer>(self.invite(&call, payload).await),
            EventWrite::WithdrawInvitation(payload) => {
                reply::<WithdrawInvitation>(self.withdraw_invitation(&call, payload).await)
            }
        }
    }

    fn write_by_get(action: &str) -> bool {
        action == "delete_event"
    }
}

impl EventResource {
    async fn get(&self, call: &Call, payload: GetEventById) -> Result<EventAnswer, ApiError> {
        self.told(call, self.0.events.event(&call.caller, payload.event_id.into()).await?).await
    }

    async fn list(&self, call: &Call, payload: ListEvents) -> Result<EventsAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, DEFAULT_PAGE);
        let asks = |of: fn(&EventFilter) -> Option<bool>| payload.filter.as_ref().and_then(of) == Some(true);
        let (is_hosted, is_own) = (asks(|filter| filter.hosted), asks(|filter| filter.signed_up));
        let (asked, filter) = payload.filter.map(convert::filter).unwrap_or_default();
        let found = match is_own {
            _ if is_hosted => self.0.events.hosted(call.caller.user_id(), page).await?,
            true => self.0.events.own(call.caller.user_id(), asked.as_deref(), &filter, page).await?,
            false => self.0.events.list(&call.caller, asked.as_deref(), &filter, page).await?,
        };
        let events = found.rows.into_iter().map(|view| convert::event(view, &call.caller)).collect();
        Ok(EventsAnswer { events, pagination: page.pagination(found.total_count) })
    }

    async fn verify(&self, call: &Call, payload: VerifyEvent) -> Result<VerifyEventAnswer, ApiError> {
        self.direct(call, payload.event_id).await?;
        Ok(convert::verification(self.0.events.verify(payload.event_id.into()).await?))
    }

    async fn create(&self, call: &Call, payload: CreateEvent) -> Result<EventAnswer, ApiError> {
        call.caller.signed_in()?;
        let is_admin = call.caller.admin().is_ok();
        let is_private = payload.is_private.unwrap_or(!is_admin);
        if !is_private || matches!(call.caller, Caller::Operator(_)) {
            call.caller.admin()?;
        }
        if payload.event_state.is_some_and(|state| state != EventState::Drafted) {
            return Err(ApiError::invalid("eventState", "A new event is a draft; publish it afterwards."));
        }
        let entry = self.0.accounts.audit_entry(call, "create_event", "", Value::Null);
        let listed = self.listed(call, payload.allow_list.as_deref()).await?;
        let details = convert::draft(payload, listed)?;
        let row = match (is_private, &call.caller) {
            (false, _) => self.0.events.create(details, entry).await?,
            (true, Caller::Operator(_)) => {
                return Err(ApiError::invalid(
                    "isPrivate",
                    "A private event needs a host; an operator token is nobody.",
                ));
            }
            (true, caller) => {
                let identity = caller.user()?;
                if !identity.is_admin {
                    self.0.accounts.limits().check(RateLimit::HostedEvent, identity.user_id)?;
                }
                self.0.events.host(identity, details, entry).await?
            }
        };
        self.answer(call, row).await
    }

    async fn update(&self, call: &Call, payload: UpdateEvent) -> Result<EventAnswer, ApiError> {
        let is_host = self.direct(call, payload.event_id).await?;
        // The requested changes, without the id that the trail has anyway.
        let mut detail = serde_json::to_value(&payload).map_err(ApiError::internal)?;
        if let Some(fields) = detail.as_object_mut() {
            fields.remove("eventId");
            // A list may be long.
            if let Some(names) = &payload.allow_list {
                fields.insert("allowList".to_owned(), names.len().into());
            }
        }
        let id = payload.event_id;
        let entry = self.0.accounts.audit_entry(call, "update_event", &id.to_string(), detail);
        let listed = self.listed(call, payload.allow_list.as_deref()).await?;
        let change = convert::change(payload, listed)?;
        self.answer(call, self.0.events.update(id.into(), change, is_host, entry).await?).await
    }

    async fn delete(&self, call: &Call, payload: DeleteEvent) -> Result<Acknowledgement, ApiError> {
        self.direct(call, payload.event_id).await?;
        let entry = self.entry(call, "delete_event", payload.event_id).await?;
        self.0.events.delete(payload.event_id.into(), entry).await?;
        Ok(Acknowledgement {})
    }

    async fn join(&self, call: &Call, payload: JoinEvent) -> Result<JoinEventAnswer, ApiError> {
        let identity = call.caller.acting(payload.user_id)?;
        let player = self.0.events.join(identity, payload.event_id.into()).await?;
        Ok(JoinEventAnswer { requires_upgrade: false, player: Some(convert::player(player)) })
    }

    async fn command(
        &self,
        call: &Call,
        action: &'static str,
        id: Uuid,
        command: EventCommand,
    ) -> Result<EventAnswer, ApiError> {
        // The winners are final by themselves; to open them again is for admins.
        let by_host = match command {
            EventCommand::Conclude | EventCommand::Reopen => call.caller.admin().map(|()| false)?,
            _ => self.direct(call, id).await?,
        };
        let entry = self.entry(call, action, id).await?;
        self.answer(call, self.0.events.command(id.into(), command, by_host, entry).await?).await
    }

    async fn reopen(&self, call: &Call, payload: ReopenEvent) -> Result<EventAnswer, ApiError> {
        call.caller.admin()?;
        let reason = reason(&payload.reason)?;
        let mut entry = self.entry(call, "reopen_event", payload.event_id).await?;
        entry.detail["reason"] = reason.into();
        self.answer(call, self.0.events.command(payload.event_id.into(), EventCommand::Reopen, false, entry).await?)
            .await
    }

    async fn duplicate(&self, call: &Call, payload: DuplicateEvent) -> Result<EventAnswer, ApiError> {
        call.caller.admin()?;
        let of = payload.event_id;
        let entry = self.0.accounts.audit_entry(call, "duplicate_event", "", json!({ "of": of }));
        self.answer(call, self.0.events.duplicate(of.into(), entry).await?).await
    }

    async fn announce(&self, call: &Call, payload: Announce) -> Result<EventAnswer, ApiError> {
        if self.direct(call, payload.event_id).await? {
            hosting::check_text("message", &payload.message)?;
        }
        let (id, detail) = (payload.event_id, json!({ "message": payload.message.trim() }));
        let entry = self.0.accounts.audit_entry(call, "announce", &id.to_string(), detail);
        self.answer(call, self.0.events.announce(id.into(), &payload.message, entry).await?).await
    }

    async fn remove_participant(&self, call: &Call, payload: RemoveParticipant) -> Result<PlayerAnswer, ApiError> {
        let RemoveParticipant { event_id, user_id, reason: why } = payload;
        self.direct(call, event_id).await?;
        let why = reason(&why)?;
        let receipt = Receipt { actor: call.caller.audit_name(), reason: Some(why.clone()) };
        let detail = json!({ "reason": why });
        let entry = self.0.accounts.audit_entry(call, "remove_participant", &user_id.to_string(), detail);
        let player = self.0.events.remove_participant(user_id.into(), event_id.into(), receipt, entry).await?;
        Ok(PlayerAnswer { player: convert::player(player) })
    }

    async fn set_result(&self, call: &Call, payload: SetResult) -> Result<EventAnswer, ApiError> {
        self.direct(call, payload.event_id).await?;
        let SetResult { event_id, round, board, winner_user_id, reason: why } = payload;
        let why = reason(&why)?;
        let mut entry = self.entry(call, "set_result", event_id).await?;
        entry.detail["round"] = round.into();
        entry.detail["board"] = board.into();
        entry.detail["winnerUserId"] = winner_user_id.map(|user| user.to_string()).into();
        entry.detail["reason"] = why.clone().into();
        let receipt = Receipt { actor: call.caller.audit_name(), reason: Some(why) };
        let winner = winner_user_id.map(Into::into);
        let row = self.0.events.set_result(event_id.into(), (round, board), winner, receipt, entry).await?;
        self.answer(call, row).await
    }

    async fn replay_match(&self, call: &Call, payload: ReplayMatch) -> Result<EventAnswer, ApiError> {
        self.direct(call, payload.event_id).await?;
        let ReplayMatch { event_id, round, board, game_id, reason: why } = payload;
        let why = reason(&why)?;
        let mut entry = self.entry(call, "replay_match", event_id).await?;
        entry.detail["round"] = round.into();
        entry.detail["board"] = board.into();
        entry.detail["reason"] = why.clone().into();
        let receipt = Receipt { actor: call.caller.audit_name(), reason: Some(why) };
        let (place, game) = ((round, board), game_id.map(Into::into));
        let row = self.0.events.replay_match(event_id.into(), place, game, receipt, entry).await?;
        self.answer(call, row).await
    }

    async fn start_round(&self, call: &Call, payload: StartRound) -> Result<EventAnswer, ApiError> {
        let StartRound { event_id, round } = payload;
        self.direct(call, event_id).await?;
        let mut entry = self.entry(call, "start_round", event_id).await?;
        entry.detail["round"] = round.into();
        self.answer(call, self.0.events.start_round(event_id.into(), round, entry).await?).await
    }

    async fn set_out(
        &self,
        call: &Call,
        (action, act): (&'static str, Act),
        (event, user): (Uuid, Uuid),
        why: &str,
    ) -> Result<EventAnswer, ApiError> {
        let is_host = self.direct(call, event).await?;
        let why = reason(why)?;
        if is_host {
            // The player reads it.
            hosting::check_text("reason", &why)?;
        }
        let mut entry = self.entry(call, action, event).await?;
        entry.detail["userId"] = user.to_string().into();
        entry.detail["reason"] = why.clone().into();
        let receipt = Receipt { actor: call.caller.audit_name(), reason: Some(why) };
        self.answer(call, self.0.events.set_out(event.into(), user.into(), act, receipt, entry).await?).await
    }

    async fn check_in_player(&self, call: &Call, payload: CheckInPlayer) -> Result<EventAnswer, ApiError> {
        let CheckInPlayer { event_id, user_id, checked_in } = payload;
        self.direct(call, event_id).await?;
        let is_there = checked_in.unwrap_or(true);
        let detail = json!({ "checkedIn": is_there });
        let entry = self.0.accounts.audit_entry(call, "check_in_player", &user_id.to_string(), detail);
        let receipt = Receipt { actor: call.caller.audit_name(), reason: None };
        let row = self.0.events.check_in_player(event_id.into(), user_id.into(), is_there, receipt, entry).await?;
        self.answer(call, row).await
    }

    async fn set_paused(&self, call: &Call, action: &'static str, event: Uuid) -> Result<EventAnswer, ApiError> {
        self.direct(call, event).await?;
        let entry = self.entry(call, action, event).await?;
        self.answer(call, self.0.events.set_paused(event.into(), action == "pause_event", entry).await?).await
    }

    async fn renew_join_code(&self, call: &Call, event: Uuid) -> Result<EventAnswer, ApiError> {
        self.direct(call, event).await?;
        let entry = self.entry(call, "renew_join_code", event).await?;
        self.answer(call, self.0.events.renew_join_code(event.into(), entry).await?).await
    }

    /// The answer never reveals whether somebody can be reached, or who blocks whom.
    async fn invite(&self, call: &Call, payload: InvitePlayer) -> Result<Acknowledgement, ApiError> {
        let InvitePlayer { event_id, user_id, username } = payload;
        let is_host = self.direct(call, event_id).await?;
        let limits = self.0.accounts.limits();
        if let (true, Some(host)) = (is_host, call.caller.user_id()) {
            limits.check(RateLimit::EventInvitation, host)?;
        }
        let user = UserId(named(&self.0, call, user_id, username.as_deref()).await?);
        let entry = self.0.accounts.audit_entry(call, "invite_player", &user.to_string(), Value::Null);
        let app = Arc::clone(&self.0);
        let may_tell = move || app.accounts.limits().check(RateLimit::Invited, user).is_ok();
        self.0.events.invite(event_id.into(), user, may_tell, entry).await?;
        Ok(Acknowledgement {})
    }

    async fn withdraw_invitation(&self, call: &Call, payload: WithdrawInvitation) -> Result<Acknowledgement, ApiError> {
        let WithdrawInvitation { event_id, user_id } = payload;
        self.direct(call, event_id).await?;
        let entry = self.0.accounts.audit_entry(call, "withdraw_invitation", &user_id.to_string(), Value::Null);
        self.0.events.withdraw_invitation(event_id.into(), user_id.into(), entry).await?;
        Ok(Acknowledgement {})
    }

    async fn invitations(&self, call: &Call, payload: ListInvitations) -> Result<InvitationsAnswer, ApiError> {
        self.0.events.check_director(&call.caller, payload.event_id.into()).await?;
        let invitations = self.0.events.invitations(payload.event_id.into()).await?;
        Ok(InvitationsAnswer { invitations: invitations.into_iter().map(convert::invitation).collect() })
    }

    /// Refuses whoever may not direct the event, and a host who does so too often; returns whether its host does.
    async fn direct(&self, call: &Call, event: Uuid) -> Result<bool, ApiError> {
        let is_host = self.0.events.check_director(&call.caller, event.into()).await?;
        if let (true, Some(host)) = (is_host, call.caller.user_id()) {
            self.0.accounts.limits().check(RateLimit::HostAct, host)?;
        }
        Ok(is_host)
    }

    /// The entry of the audit trail for what is done to an event, with its title.
    async fn entry(&self, call: &Call, action: &str, event: Uuid) -> Result<AuditEntry, ApiError> {
        let detail = json!({ "title": self.0.events.title(event.into()).await? });
        Ok(self.0.accounts.audit_entry(call, action, &event.to_string(), detail))
    }

    async fn answer(&self, call: &Call, row: EventRow) -> Result<EventAnswer, ApiError> {
        self.told(call, self.0.events.shown(vec![row]).await?.remove(0)).await
    }

    /// One event, with its list of names for those who may change it.
    async fn told(&self, call: &Call, view: EventView) -> Result<EventAnswer, ApiError> {
        let allow_list = self.0.events.allow_list(&view, &call.caller).await?;
        let calendar_token = self.calendar_token(call, &view);
        Ok(EventAnswer { event: Event { allow_list, calendar_token, ..convert::event(view, &call.caller) } })
    }

    /// For those who are in a private event.
    fn calendar_token(&self, call: &Call, view: &EventView) -> Option<String> {
        let (user, code) = (call.caller.user_id()?, view.row.join_code.as_deref()?);
        let is_in = self.0.events.is_in_private(EventId(view.row.id), user);
        is_in.then(|| self.0.accounts.calendar_token(view.row.id, code))
    }

    async fn listed(&self, call: &Call, names: Option<&[String]>) -> Result<Option<Vec<UserId>>, ApiError> {
        listed(&self.0, call, names).await
    }
}

/// The account that a call names, by its id or else by its username.
pub(super) async fn named(
    app: &App,
    call: &Call,
    user_id: Option<Uuid>,
    username: Option<&str>,
) -> Result<Uuid, ApiError> {
    match (user_id, username.map(str::trim)) {
        (Some(user), _) => Ok(user),
        (None, Some(name)) if !name.is_empty() => Ok(app.accounts.find_by_username(call, name).await?.id),
        (None, _) => Err(ApiError::invalid("username", "Name a player.")),
    }
}

/// The accounts on a list of names. For members it counts as a search.
pub(super) async fn listed(app: &App, call: &Call, names: Option<&[String]>) -> Result<Option<Vec<UserId>>, ApiError> {
    let Some(names) = names else { return Ok(None) };
    if let (false, Some(user)) = (call.caller.is_admin(), call.caller.user_id()) {
        app.accounts.limits().check(RateLimit::Search, user)?;
    }
    Ok(Some(app.events.listed(names).await?))
}
