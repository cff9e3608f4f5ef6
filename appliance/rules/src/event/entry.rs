//! Who may enter an event: `docs/behaviour/events.md#conditions-of-entry`.

use serde::{Deserialize, Serialize};

use super::EventRefusal;
use crate::{UserId, rating::VALUES};

/// Names on a list: a large school.
pub const ALLOWED_MAX: usize = 1_000;
/// Games that may be asked for, and days of an account's age: nobody has more.
pub const GAMES_MAX: u32 = 100_000;
pub const AGE_MAX: u32 = 3_650;

/// What somebody has to meet who enters; `None` asks for nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Conditions {
    pub min_rating: Option<u32>,
    pub max_rating: Option<u32>,
    /// Finished games.
    pub min_games: Option<u32>,
    pub account_age_days: Option<u32>,
    /// Nobody else enters. In the order of the ids.
    pub allow_list: Option<Vec<UserId>>,
    /// Bots may enter, too, if they meet the others.
    pub bots_allowed: bool,
}

/// One of an event's conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    MinRating(u32),
    MaxRating(u32),
    MinGames(u32),
    AccountAge(u32),
    AllowList,
    /// Of every event where bots are not allowed; only a bot is told.
    People,
}

/// What is known of somebody who wants to enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entrant {
    pub user: UserId,
    /// As it stands, also a provisional one.
    pub rating: u32,
    /// Finished games.
    pub games: u32,
    /// Whole days.
    pub account_age_days: u32,
    pub is_bot: bool,
}

/// A condition, and how somebody stands to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged {
    pub condition: Condition,
    /// Their figure; `None` where there is none.
    pub own: Option<u32>,
    pub is_met: bool,
}

impl Conditions {
    /// Those that the event has for everybody, in the order in which they are told.
    pub fn all(&self) -> Vec<Condition> {
        let list = self.allow_list.as_ref().map(|_| Condition::AllowList);
        [
            self.min_rating.map(Condition::MinRating),
            self.max_rating.map(Condition::MaxRating),
            self.min_games.map(Condition::MinGames),
            self.account_age_days.map(Condition::AccountAge),
            list,
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// How somebody stands to each condition.
    pub fn judge(&self, entrant: &Entrant) -> Vec<Judged> {
        let judged = |condition| {
            let (own, is_met) = match condition {
                Condition::MinRating(least) => (Some(entrant.rating), entrant.rating >= least),
                Condition::MaxRating(most) => (Some(entrant.rating), entrant.rating <= most),
                Condition::MinGames(least) => (Some(entrant.games), entrant.games >= least),
                Condition::AccountAge(least) => (Some(entrant.account_age_days), entrant.account_age_days >= least),
                Condition::AllowList => {
                    let is_listed = |list: &Vec<UserId>| list.binary_search(&entrant.user).is_ok();
                    (None, self.allow_list.as_ref().is_none_or(is_listed))
                }
                Condition::People => (None, !entrant.is_bot),
            };
            Judged { condition, own, is_met }
        };
        let people = (entrant.is_bot && !self.bots_allowed).then_some(Condition::People);
        people.into_iter().chain(self.all()).map(judged).collect()
    }

    /// The conditions in order; a list without names is none.
    pub(super) fn checked(mut self) -> Result<Self, EventRefusal> {
        let is_rating =
            |rating: &Option<u32>| rating.is_none_or(|rating| (VALUES.0..=VALUES.1).contains(&f64::from(rating)));
        if !is_rating(&self.min_rating) {
            return Err(EventRefusal::MinRating);
        }
        if !is_rating(&self.max_rating) {
            return Err(EventRefusal::MaxRating);
        }
        if self.min_rating.zip(self.max_rating).is_some_and(|(least, most)| least > most) {
            return Err(EventRefusal::RatingRange);
        }
        if self.min_games.is_some_and(|games| games > GAMES_MAX) {
            return Err(EventRefusal::MinGames);
        }
        if self.account_age_days.is_some_and(|days| days > AGE_MAX) {
            return Err(EventRefusal::AccountAge);
        }
        if let Some(list) = &mut self.allow_list {
            list.sort_unstable();
            list.dedup();
        }
        self.allow_list = self.allow_list.filter(|list| !list.is_empty());
        if self.allow_list.as_ref().is_some_and(|list| list.len() > ALLOWED_MAX) {
            return Err(EventRefusal::AllowList);
        }
        Ok(self)
    }
}

impl Judged {
    /// Stable, kebab-case, for programs.
    pub const fn code(self) -> &'static str {
        match self.condition {
            Condition::MinRating(_) => "entry-min-rating",
            Condition::MaxRating(_) => "entry-max-rating",
            Condition::MinGames(_) => "entry-min-games",
            Condition::AccountAge(_) => "entry-account-age",
            Condition::AllowList => "entry-allow-list",
            Condition::People => "entry-people",
        }
    }

    /// Why it keeps somebody out, for people; screens show it as it is.
    pub fn text(self) -> String {
        let own = self.own.unwrap_or_default();
        match self.condition {
            Condition::MinRating(least) => format!("This event is for ratings of {least} or more. Yours is {own}."),
            Condition::MaxRating(most) => format!("This event is for ratings up to {most}. Yours is {own}."),
            Condition::MinGames(least) => {
                format!("This event is for players with {} or more. You have {own}.", counted(least, "finished game"))
            }
            Condition::AccountAge(least) => format!(
                "This event is for accounts that are {} old or older. Yours is {} old.",
                counted(least, "day"),
                counted(own, "day")
            ),
            Condition::AllowList => "This event is for players on its organiser's list. You are not on it.".to_owned(),
            Condition::People => "This event is for people. Bots cannot enter it.".to_owned(),
        }
    }
}

/// `1 day`, `42 days`.
pub fn counted(number: u32, unit: &str) -> String {
    if number == 1 { format!("1 {unit}") } else { format!("{number} {unit}s") }
}
