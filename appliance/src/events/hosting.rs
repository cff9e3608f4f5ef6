//! Private events, which any member may host: `docs/behaviour/events.md#private-events`.

use std::sync::Arc;

use morpion_openapi::{Page, PageRequest};
use morpion_rules::{
    EventId, Millis, UserId,
    event::{Details, Event, EventCommand, EventState, entry::counted},
};
use morpion_store::{AuditEntry, EventRow};
use serde_json::json;
use tokio::sync::MutexGuard;
use uuid::Uuid;

use super::{
    EventOptions, Events,
    error::EventError,
    registration::Way,
    runtime::EventRuntime,
    views::{EventView, Hosting, HostingRefusal, SignupView},
};
use crate::{
    account::{
        moderation::suspension,
        name_rules::is_offensive,
        readable_code::{new_code, typed_code},
    },
    caller::{Caller, Identity},
    clock::millis,
    error::CommonError,
    play::EventGameListener,
};

/// Events of a member that are open at once.
pub const MOST_HOSTED: usize = 2;

/// Players of a member's event.
pub const HOSTED_PLAYERS: u32 = 64;

/// Events of one host that are listed: nobody hosts more.
pub const HOSTED_LISTED: usize = 1_000;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

const OFFENSIVE: &str = "This contains a word that is not allowed here.";

const LINK: &str = "Links are not allowed in a private event. Leave a space after each full stop.";

impl Events {
    /// Whether somebody may host private events.
    ///
    /// # Errors
    /// 401 for visitors and 403 for operator tokens; the store is unavailable.
    pub async fn hosting(&self, caller: &Caller) -> Result<Hosting, EventError> {
        let identity = caller.user()?;
        let refusal = match self.check_host(identity).await {
            Ok(()) => None,
            Err(EventError::HostingOff) => Some(HostingRefusal::Off),
            Err(EventError::EmailNotVerifiedToHost) => Some(HostingRefusal::EmailNotVerified),
            Err(EventError::Guest) => Some(HostingRefusal::Guest),
            Err(error) => return Err(error),
        };
        let open = self.open_hosted(identity.user_id).await?;
        Ok(Hosting {
            refusal,
            open,
            limit: MOST_HOSTED,
            max_players: HOSTED_PLAYERS,
            ahead_days: self.options().private_ahead_days,
            length: self.options().private_length,
        })
    }

    async fn check_host(&self, identity: &Identity) -> Result<(), EventError> {
        if identity.is_temp {
            return Err(EventError::Guest);
        }
        let account = self.account(identity.user_id).await?;
        if suspension(&account, self.today()).is_some() {
            return Err(CommonError::NotSignedIn.into());
        }
        if identity.is_admin {
            return Ok(());
        }
        if !self.options().members_may_host {
            return Err(EventError::HostingOff);
        }
        if account.email_verified || account.may_host == Some(true) {
            Ok(())
        } else {
            Err(EventError::EmailNotVerifiedToHost)
        }
    }

    /// Makes a draft of a private event. Its host is the caller; limits are for members.
    ///
    /// # Errors
    /// [`EventError::HostingOff`], [`EventError::EmailNotVerifiedToHost`], [`EventError::TooManyHosted`];
    /// [`EventError::Refused`]; [`CommonError::Invalid`] for what members may not set.
    pub async fn host(&self, identity: &Identity, details: Details, audit: AuditEntry) -> Result<EventRow, EventError> {
        // One at a time, so that what was checked and counted is so when the event is stored.
        let _alone = self.registry.hosting.lock().await;
        self.check_host(identity).await?;
        let is_member = !identity.is_admin;
        let details = match is_member {
            true => Details { max_players: details.max_players.or(Some(HOSTED_PLAYERS)), ..details },
            false => details,
        };
        if is_member {
            check_details(&details)?;
            self.check_times(details.start_time, details.end_time)?;
        }
        let event = Event::draft(details)?;
        if is_member && self.open_hosted(identity.user_id).await? >= MOST_HOSTED {
            return Err(EventError::TooManyHosted);
        }
        self.store_new(&event, Some(identity.user_id), audit).await
    }

    /// Whether a member may change an event of their own in this way.
    ///
    /// # Errors
    /// [`CommonError::Invalid`].
    pub(super) fn check_hosted(&self, event: &Event, commands: &[EventCommand]) -> Result<(), CommonError> {
        let plan = event.details();
        // One that is moved while it is played is as long as it will have been.
        let (mut start, mut end) = (event.started_at().or(plan.start_time), plan.end_time);
        let mut is_planned_anew = false;
        for command in commands {
            match command {
                EventCommand::Edit(details) => {
                    check_details(details)?;
                    // What was planned before there were limits stays as it is.
                    is_planned_anew |= (details.start_time, details.end_time) != (start, end);
                    (start, end) = (details.start_time, details.end_time);
                }
                EventCommand::Extend(later) => (end, is_planned_anew) = (Some(*later), true),
                EventCommand::Publish => is_planned_anew = true,
                _ => {}
            }
        }
        if is_planned_anew { self.check_times(start, end) } else { Ok(()) }
    }

    /// Whether a member's event may take place then: each is kept in memory from its publication to its end.
    fn check_times(&self, start: Option<Millis>, end: Option<Millis>) -> Result<(), CommonError> {
        let EventOptions { private_ahead_days: days, private_length: length, .. } = *self.options();
        let Some(start) = start else { return Ok(()) };
        if start - millis(self.today()) > i64::from(days) * DAY {
            let text = format!("A private event starts at most {} ahead.", counted(days, "day"));
            return Err(CommonError::invalid("startTime", text));
        }
        if end.is_some_and(|end| end - start > length) {
            let text = format!("A private event lasts at most {}.", length_text(length));
            return Err(CommonError::invalid("endTime", text));
        }
        Ok(())
    }

    /// Whether one more private event may be open. As long as what it returns is held, no other one is opened.
    ///
    /// # Errors
    /// [`EventError::PrivateEventsFull`].
    pub(super) async fn check_open_private(&self) -> Result<MutexGuard<'_, ()>, EventError> {
        let alone = self.registry.hosting.lock().await;
        match self.registry.join_codes.read().len() < self.options().open_private {
            true => Ok(alone),
            false => Err(EventError::PrivateEventsFull),
        }
    }

    /// Events of a host that are not over.
    async fn open_hosted(&self, host: UserId) -> Result<usize, EventError> {
        Ok(self.store().open_hosted_events(host.0).await?.len())
    }

    /// The events that somebody hosts, the newest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn hosted(&self, host: Option<UserId>, page: PageRequest) -> Result<Page<EventView>, EventError> {
        let Some(host) = host else { return Ok(Page { rows: vec![], total_count: 0 }) };
        let mut rows = self.store().hosted_events(host.0, HOSTED_LISTED).await?;
        rows.sort_by_key(|row| std::cmp::Reverse(row.created_at));
        let total_count = rows.len() as u64;
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let of_memory = |row: EventRow| match self.registry.loaded(EventId(row.id)) {
            Some(runtime) => runtime.state.lock().row(runtime.id),
            None => row,
        };
        let rows = rows.into_iter().skip(offset).take(page.limit as usize).map(of_memory).collect();
        Ok(Page { rows: self.shown(rows).await?, total_count })
    }

    /// Whether an event is private, also one that is over.
    pub fn is_private(&self, id: EventId) -> bool {
        self.registry.is_private(id)
    }

    /// Who may direct an event: admins, and its host. Returns whether it is a member who does.
    ///
    /// # Errors
    /// 401, 403 for everybody else, whether there is such an event or not.
    pub async fn check_director(&self, caller: &Caller, id: EventId) -> Result<bool, EventError> {
        let Err(refusal) = caller.admin() else { return Ok(false) };
        let is_host = self.is_private(id) && self.runtime(id).await?.state.lock().is_hosted_by(caller);
        if is_host { Ok(true) } else { Err(refusal.into()) }
    }

    /// Gives a private event another join code.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], also for a public one.
    pub async fn renew_join_code(&self, id: EventId, audit: AuditEntry) -> Result<EventRow, EventError> {
        let runtime = self.runtime(id).await?;
        if !runtime.is_private() {
            return Err(CommonError::NotFound("join code").into());
        }
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        let renew = |_: &Event, row: &mut EventRow| {
            row.join_code = Some(new_code());
            Ok(())
        };
        runtime.run_in_order(async move { events.change_row(&owned, audit, renew).await }).await
    }

    /// Signs up for the private event with this join code; joins one that has started.
    ///
    /// # Errors
    /// [`EventError::JoinCode`] whatever is wrong with the code; otherwise as [`Events::sign_up`] and [`Events::join`].
    pub async fn sign_up_by_code(&self, identity: &Identity, typed: &str) -> Result<SignupView, EventError> {
        if identity.is_temp {
            return Err(EventError::Guest);
        }
        let found = typed_code(typed).and_then(|code| self.with_join_code(&code));
        let host = found.as_ref().and_then(|runtime| runtime.state.lock().host);
        // Also asked where there is no event, so that time does not tell who is blocked.
        let is_blocked = self.store().is_blocked(host.map_or(Uuid::nil(), |host| host.0), identity.user_id.0).await?;
        let runtime = found.filter(|_| !is_blocked).ok_or(EventError::JoinCode)?;
        self.enter_private(&runtime, identity, Way::Own).await
    }

    /// Signs up for a private event that is published, or joins it if it has started.
    ///
    /// # Errors
    /// As [`Events::sign_up`] and [`Events::join`].
    pub(super) async fn enter_private(
        &self,
        runtime: &Arc<EventRuntime>,
        identity: &Identity,
        way: Way,
    ) -> Result<SignupView, EventError> {
        let state = runtime.state.lock().event.state();
        if state == EventState::Published {
            return self.sign_up_to(runtime, identity, way).await;
        }
        self.join_in(runtime, identity, way).await?;
        let signup = SignupView::of(&runtime.state.lock(), runtime.id, identity.user_id);
        Ok(signup.ok_or_else(|| CommonError::internal("a sign-up was lost"))?)
    }

    /// The open event that is entered with this code; all of them are in memory.
    fn with_join_code(&self, code: &str) -> Option<Arc<EventRuntime>> {
        let id = self.registry.join_codes.read().get(code).copied()?;
        self.registry.loaded(id)
    }

    /// Somebody was suspended or deleted: the private events that they host do not take place. Idempotent.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn cancel_hosted(&self, host: UserId) -> Result<(), EventError> {
        // What is being stored now is among them, and later ones are refused.
        let open = {
            let _alone = self.registry.hosting.lock().await;
            self.store().open_hosted_events(host.0).await?
        };
        for row in open {
            let detail = json!({ "title": row.title, "reason": "its host cannot direct it" });
            let entry = |action: &str| self.server_entry(action, row.id, detail.clone());
            let id = EventId(row.id);
            let cancel = || self.command(id, EventCommand::Cancel, false, entry("cancel_event"));
            let mut outcome = cancel().await.map(drop);
            // A draft, which may be published at this moment.
            if matches!(outcome, Err(EventError::Refused(_))) {
                outcome = self.delete(id, entry("delete_event")).await;
            }
            if matches!(outcome, Err(EventError::Refused(_))) {
                outcome = cancel().await.map(drop);
            }
            match outcome {
                // It is over, or gone meanwhile.
                Err(EventError::Refused(_) | EventError::Common(CommonError::NotFound(_))) => {}
                outcome => outcome?,
            }
        }
        Ok(())
    }
}

/// A length in its largest whole unit.
fn length_text(millis: i64) -> String {
    let (unit, name) = match millis {
        millis if millis % DAY == 0 => (DAY, "day"),
        millis if millis % HOUR == 0 => (HOUR, "hour"),
        _ => (MINUTE, "minute"),
    };
    counted(u32::try_from(millis / unit).unwrap_or(u32::MAX), name)
}

/// Checks what a member may set of an event, beside its times.
///
/// # Errors
/// [`CommonError::Invalid`].
fn check_details(details: &Details) -> Result<(), CommonError> {
    for (field, text) in [("title", &details.title), ("description", &details.description)] {
        check_text(field, text)?;
    }
    if details.prize.as_ref().is_some_and(|prize| !prize.trim().is_empty()) {
        return Err(CommonError::invalid("prize", "A private event has no prize."));
    }
    if details.rated_on_one_network {
        return Err(CommonError::invalid("ratedOnOneNetwork", "Games of private events are not rated."));
    }
    if details.max_players.is_none_or(|most| most > HOSTED_PLAYERS) {
        let text = format!("A private event has at most {HOSTED_PLAYERS} players.");
        return Err(CommonError::invalid("maxPlayers", text));
    }
    Ok(())
}

/// A text that a member writes to those who entered: without offensive words and links.
///
/// # Errors
/// What is wrong with it, for people.
pub fn check_text(field: &'static str, text: &str) -> Result<(), CommonError> {
    if text.lines().any(is_offensive) {
        return Err(CommonError::invalid(field, OFFENSIVE));
    }
    if text.split_whitespace().any(is_link) {
        return Err(CommonError::invalid(field, LINK));
    }
    Ok(())
}

/// Whether a word leads somewhere: an address with its scheme, or a name with a domain.
fn is_link(word: &str) -> bool {
    let lower = word.to_lowercase();
    if lower.contains("://") || lower.contains("www.") || lower.starts_with("mailto:") {
        return true;
    }
    let name = lower.trim_matches(|letter: char| !letter.is_alphanumeric());
    let name = name.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let Some((before, domain)) = name.rsplit_once('.') else { return false };
    let is_domain = domain.chars().count() >= 2 && domain.chars().all(char::is_alphabetic);
    is_domain && before.chars().next_back().is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_told_from_sentences() {
        for link in [
            "https://a.example",
            "see www.example",
            "join t.me/club",
            "(example.com)",
            "mail me@club.org!",
            "пример.рф",
        ] {
            assert!(check_text("title", link).is_err(), "{link}");
        }
        for text in
            ["Friday Night, 8 p.m.", "3.5 points", "e.g. on Monday", "At 20.15.", "Bring snacks... and friends", "v1.2"]
        {
            assert_eq!(check_text("title", text), Ok(()), "{text}");
        }
    }

    #[test]
    fn offensive_words_are_refused_in_texts() {
        assert!(check_text("description", "A nice evening\nfor all you fuckers").is_err());
        assert_eq!(check_text("description", "A nice evening\nfor the town of Scunthorpe"), Ok(()));
    }
}
