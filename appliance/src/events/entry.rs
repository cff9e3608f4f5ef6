//! Conditions of entry: `docs/behaviour/events.md#conditions-of-entry`.

use std::collections::HashMap;

use morpion_rules::{
    EventId, UserId,
    event::EventRefusal,
    event::entry::{ALLOWED_MAX, Condition, Conditions, Entrant, Judged},
    rating::Rating,
};
use morpion_store::User;
use uuid::Uuid;

use super::{Events, error::EventError, runtime::EventRuntime, views::EventView};
use crate::{
    account::names::Username,
    caller::{Caller, Identity},
    error::CommonError,
    people::Width,
};

/// Accounts looked up in one query.
const PAGE: usize = 200;

/// Unknown names that a refusal tells.
const NAMES_TOLD: usize = 5;

impl Events {
    /// How a user stands to an event's conditions.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`EventError::Guest`].
    pub async fn entry(&self, identity: &Identity, caller: &Caller, id: EventId) -> Result<Vec<Judged>, EventError> {
        let runtime = self.visible_to(caller, id).await?;
        if identity.is_temp {
            return Err(EventError::Guest);
        }
        let account = self.account(identity.user_id).await?;
        self.judged(&runtime, &account).await
    }

    /// Whether this account meets the conditions. For the event's owner, so that they are those of the present.
    ///
    /// # Errors
    /// [`EventError::Entry`].
    pub(super) async fn check_entry(&self, runtime: &EventRuntime, account: &User) -> Result<(), EventError> {
        let missed = self.judged(runtime, account).await?.into_iter().find(|judged| !judged.is_met);
        missed.map_or(Ok(()), |judged| Err(EventError::Entry(judged)))
    }

    /// That a bot enters only where bots are allowed, by whomever it is entered. For the event's owner.
    ///
    /// # Errors
    /// [`EventError::Entry`].
    pub(super) async fn check_bot(&self, runtime: &EventRuntime, account: &User) -> Result<(), EventError> {
        let refused = self.judged(runtime, account).await?.into_iter();
        let refused = refused.filter(|judged| judged.condition == Condition::People).find(|judged| !judged.is_met);
        refused.map_or(Ok(()), |judged| Err(EventError::Entry(judged)))
    }

    async fn judged(&self, runtime: &EventRuntime, account: &User) -> Result<Vec<Judged>, EventError> {
        let conditions = runtime.state.lock().event.details().conditions.clone();
        let user = UserId(account.id);
        let is_bot = account.bot_since.is_some() || self.people().is_bot(user);
        if conditions == Conditions::default() && !is_bot {
            return Ok(vec![]);
        }
        let games: u64 = match conditions.min_games {
            Some(_) => self.store().tallies(account.id).await?.iter().map(|row| row.counts.total()).sum(),
            None => 0,
        };
        let age = (self.today() - account.created_at).num_days();
        Ok(conditions.judge(&Entrant {
            user,
            rating: self.people().rating(user).map_or(Rating::START.shown(), |rating| rating.value),
            games: u32::try_from(games).unwrap_or(u32::MAX),
            account_age_days: u32::try_from(age.max(0)).unwrap_or(u32::MAX),
            is_bot,
        }))
    }

    /// The accounts on a list of usernames and ids.
    ///
    /// # Errors
    /// [`EventError::Refused`] for a list that is too long; [`CommonError::Invalid`] for names that nobody has.
    pub async fn listed(&self, names: &[String]) -> Result<Vec<UserId>, EventError> {
        if names.len() > ALLOWED_MAX {
            return Err(EventRefusal::AllowList.into());
        }
        let names: Vec<&str> = names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()).collect();
        let mut known: HashMap<String, UserId> = HashMap::new();
        let is_member = |user: &User| !user.is_temp && user.deleted_at.is_none();
        for names in names.chunks(PAGE) {
            let (mut ids, mut usernames): (Vec<Uuid>, Vec<String>) = (vec![], vec![]);
            for name in names {
                match (name.parse(), Username::parse(name)) {
                    (Ok(id), _) => ids.push(id),
                    (_, Ok(username)) => usernames.push(username.as_str().to_owned()),
                    // What cannot be a username is nobody's.
                    _ => {}
                }
            }
            let by_id = self.store().users(&ids).await?.into_iter().filter(is_member);
            known.extend(by_id.map(|user| (user.id.to_string(), UserId(user.id))));
            let by_name = self.store().users_by_usernames(&usernames).await?.into_iter().filter(is_member);
            known.extend(by_name.map(|user| (user.username.to_lowercase(), UserId(user.id))));
        }
        let of = |name: &str| known.get(&name.to_lowercase()).copied();
        let unknown: Vec<&str> = names.iter().copied().filter(|name| of(name).is_none()).collect();
        if unknown.is_empty() {
            return Ok(names.into_iter().filter_map(of).collect());
        }
        Err(CommonError::invalid("allowList", unknown_text(&unknown)).into())
    }

    /// The usernames on an event's list, in their order, for those who may change it; `None` where there is no list, and for
    /// everybody else. Who deleted their account is left out.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn allow_list(&self, view: &EventView, caller: &Caller) -> Result<Option<Vec<String>>, EventError> {
        let may_edit =
            caller.is_admin() || (view.row.host.is_some() && view.row.host == caller.user_id().map(|user| user.0));
        let Some(list) = view.event.details().conditions.allow_list.as_ref().filter(|_| may_edit) else {
            return Ok(None);
        };
        self.people().load(list.iter().copied()).await?;
        let names = list.iter().map(|user| self.people().shown(*user, "", Width::Row).username);
        let mut names: Vec<String> = names.filter(|name| Username::parse(name).is_ok()).collect();
        names.sort_unstable_by_key(|name| name.to_lowercase());
        Ok(Some(names))
    }
}

/// Names that nobody has, for people.
fn unknown_text(names: &[&str]) -> String {
    let told: Vec<String> = names.iter().take(NAMES_TOLD).map(|name| shortened(name)).collect();
    let more = match names.len().saturating_sub(NAMES_TOLD) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("Nobody here is called {}{more}.", told.join(", "))
}

/// A name as far as one could be.
fn shortened(name: &str) -> String {
    const MOST: usize = 40;
    match name.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}
