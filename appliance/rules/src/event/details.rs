//! The details of an event that an admin fills in, and their validation.

use super::{EventRefusal, entry::Conditions};
use crate::{
    board::BoardSize,
    clock::{Millis, TimeControl},
    text::{composed, is_visible},
    tournament::{Format, MAX_SWISS_ROUNDS},
};
use serde::{Deserialize, Serialize};

/// Characters a title may have: one line on a card.
pub const TITLE_MAX: usize = 120;
/// Characters a description may have: a page.
pub const DESCRIPTION_MAX: usize = 4_000;
/// Characters a prize may have: a sentence.
pub const PRIZE_MAX: usize = 200;
/// Losses that eliminate a player, unless the event says otherwise.
pub const DEFAULT_MAX_LOSSES: u32 = 3;

/// Minutes before the start from which one can check in, at most: an evening in a hall.
pub const CHECK_IN_MAX: u32 = 120;

/// The year 10000, which neither RFC 3339 nor iCalendar can write.
const TOO_FAR: Millis = Millis(253_402_300_800_000);

/// Append-only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum EventType {
    /// Anybody may join, also after the start.
    #[default]
    Open,
    /// Only who registered before the start.
    Closed,
}

impl EventType {
    /// As the wire names it.
    pub const fn as_str(self) -> &'static str {
        match self {
            EventType::Open => "open",
            EventType::Closed => "closed",
        }
    }

    pub fn parse(name: &str) -> Option<EventType> {
        [EventType::Open, EventType::Closed].into_iter().find(|kind| kind.as_str() == name)
    }
}

/// What an event is played in where it is no arena: `docs/behaviour/formats.md`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stages {
    /// A Swiss of 0 rounds has as many as follow from its players at the start.
    pub format: Format,
    /// Games of a match: 1, or 2 with the seats swapped.
    pub match_games: u8,
    pub board: BoardSize,
}

/// What an admin fills in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Details {
    pub title: String,
    pub description: String,
    pub prize: Option<String>,
    pub event_type: EventType,
    pub start_time: Option<Millis>,
    pub end_time: Option<Millis>,
    /// Losses that eliminate: 1 is a knockout, 0 never eliminates.
    pub max_losses: u32,
    /// Players on one network are different people, the organiser says: their games are rated as all others.
    pub rated_on_one_network: bool,
    /// Of all its games.
    pub clock: TimeControl,
    /// Stage rounds; `None` for an arena.
    pub stages: Option<Stages>,
    /// Sign-ups; `None`: as many as fit.
    pub max_players: Option<u32>,
    /// Who may enter.
    pub conditions: Conditions,
    /// So many minutes before the start those who signed up begin to say that they are there; `None`: nobody asks them.
    pub check_in_minutes: Option<u32>,
    /// Before which the second stage round and those after it do not begin, one time each; a round without one begins when the
    /// last one ended. Empty in an arena.
    pub round_times: Vec<Millis>,
}

impl Stages {
    fn check(self) -> Result<(), EventRefusal> {
        if !(1..=2).contains(&self.match_games) {
            return Err(EventRefusal::MatchGames);
        }
        match self.format {
            Format::Swiss { rounds } if rounds > MAX_SWISS_ROUNDS => Err(EventRefusal::Rounds),
            _ => Ok(()),
        }
    }
}

impl Details {
    /// Trims texts, drops an empty prize, ends lines with `\n` alone, and checks the title, the lengths and the times.
    pub(super) fn checked(self) -> Result<Details, EventRefusal> {
        let details = Details {
            title: composed(&self.title),
            description: self.description.trim().replace("\r\n", "\n").replace('\r', "\n"),
            prize: self.prize.map(|prize| composed(&prize)).filter(|p| !p.is_empty()),
            // Only an arena counts losses.
            max_losses: if self.stages.is_some() { 0 } else { self.max_losses },
            round_times: if self.stages.is_some() { self.round_times } else { vec![] },
            ..self
        };
        let longer = |text: &str, max| text.chars().nth(max).is_some();
        if details.title.is_empty() {
            return Err(EventRefusal::TitleRequired);
        }
        if longer(&details.title, TITLE_MAX) {
            return Err(EventRefusal::TitleTooLong);
        }
        if !is_visible(&details.title) {
            return Err(EventRefusal::TitleInvisible);
        }
        if longer(&details.description, DESCRIPTION_MAX) {
            return Err(EventRefusal::DescriptionTooLong);
        }
        if details.prize.as_deref().is_some_and(|prize| longer(prize, PRIZE_MAX)) {
            return Err(EventRefusal::PrizeTooLong);
        }
        if !details.prize.as_deref().is_none_or(is_visible) {
            return Err(EventRefusal::PrizeInvisible);
        }
        details.check_times()?;
        if details.clock == TimeControl::Untimed {
            return Err(EventRefusal::Clock);
        }
        if details.max_players.is_some_and(|most| most < 2) {
            return Err(EventRefusal::MaxPlayers);
        }
        if details.check_in_minutes.is_some_and(|minutes| !(1..=CHECK_IN_MAX).contains(&minutes)) {
            return Err(EventRefusal::CheckInMinutes);
        }
        details.stages.map_or(Ok(()), Stages::check)?;
        details.check_round_times()?;
        Ok(Details { conditions: details.conditions.checked()?, ..details })
    }

    /// When those who signed up can begin to check in; `None` of an event without a check-in or a start.
    pub fn check_in_opens(&self) -> Option<Millis> {
        Some(self.start_time? + -i64::from(self.check_in_minutes?) * 60_000)
    }

    /// The time before which a stage round, counted from 1, does not begin; `None` where it begins when the last one ended.
    pub fn round_begins(&self, round: u32) -> Option<Millis> {
        let after_the_first = (round as usize).checked_sub(2)?;
        self.round_times.get(after_the_first).copied()
    }

    /// Checks the times of the stage rounds, as far as what they depend on is known.
    fn check_round_times(&self) -> Result<(), EventRefusal> {
        let (Some(stages), Some(first), Some(last)) = (self.stages, self.round_times.first(), self.round_times.last())
        else {
            return Ok(());
        };
        if self.round_times.len() >= stages.format.max_rounds() as usize {
            return Err(EventRefusal::RoundTimesCount);
        }
        if self.round_times.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(EventRefusal::RoundTimesOrder);
        }
        if self.start_time.is_some_and(|start| *first <= start) {
            return Err(EventRefusal::RoundTimesStart);
        }
        if *last >= self.end_time.unwrap_or(TOO_FAR) {
            return Err(EventRefusal::RoundTimesEnd);
        }
        Ok(())
    }

    fn check_times(&self) -> Result<(), EventRefusal> {
        let is_too_far = |time: Option<Millis>| time.is_some_and(|time| time >= TOO_FAR);
        if is_too_far(self.start_time) {
            return Err(EventRefusal::StartTooFar);
        }
        if is_too_far(self.end_time) {
            return Err(EventRefusal::EndTooFar);
        }
        Ok(())
    }

    /// Checks what publishing requires, in the order of the form.
    pub(super) fn check_publishable(&self, now: Millis) -> Result<(), EventRefusal> {
        if self.title.trim().is_empty() {
            return Err(EventRefusal::TitleRequiredToPublish);
        }
        let start = self.start_time.ok_or(EventRefusal::StartRequiredToPublish)?;
        let end = self.end_time.ok_or(EventRefusal::EndRequiredToPublish)?;
        self.check_times()?;
        if end <= start {
            return Err(EventRefusal::EndNotAfterStart);
        }
        // It would start and end at once, with nobody in it.
        if end <= now {
            return Err(EventRefusal::EndInThePast);
        }
        Ok(())
    }
}
