//! Events, participants and games as rows of a table.

use std::cmp::Ordering;

use morpion_openapi::{
    event::{Event, EventState, Player, Signup, SignupStatus},
    game::{Game, GameStatus},
};
use uuid::Uuid;

use super::view::COLUMNS;
use crate::{
    list::{Row, view::Column},
    widgets::{
        name::{Name, Named},
        stage::format_name,
    },
};

impl Row for Event {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["Starts", "Title", "State", "Players"];
    const COLUMNS: &'static [Column] = &COLUMNS;

    fn key(&self) -> Uuid {
        self.event_id
    }

    fn words(&self) -> String {
        let Self { event_id, title, description, event_state, .. } = self;
        let (access, format) = (self.access(), format_name(self.format));
        format!("{event_id} {title} {description} {event_state} {access} {format}").to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        let by_start = || match self.event_state {
            // What begins soon, else what began last.
            EventState::Published => self.start_time.cmp(&other.start_time),
            _ => other.start_time.cmp(&self.start_time).then_with(|| other.created_at.cmp(&self.created_at)),
        };
        match sort {
            0 => rank(self.event_state).min(3).cmp(&rank(other.event_state).min(3)).then_with(by_start),
            1 => self.title.to_lowercase().cmp(&other.title.to_lowercase()),
            2 => rank(self.event_state).cmp(&rank(other.event_state)).then_with(by_start),
            _ => other.signup_count.cmp(&self.signup_count),
        }
        .then_with(|| self.event_id.cmp(&other.event_id))
    }
}

/// What an operator has to do with comes first.
fn rank(state: EventState) -> u8 {
    match state {
        EventState::Started => 0,
        EventState::Published => 1,
        EventState::Drafted => 2,
        EventState::Ended => 3,
        EventState::Cancelled => 4,
    }
}

/// As people call them.
pub fn state_name(state: EventState) -> &'static str {
    match state {
        EventState::Drafted => "Draft",
        EventState::Published => "Published",
        EventState::Started => "Live",
        EventState::Ended => "Ended",
        EventState::Cancelled => "Cancelled",
    }
}

/// Somebody who takes part, from the sign-ups before the start and from the leaderboard after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Participant {
    pub user_id: Uuid,
    pub username: String,
    pub display_name: String,
    pub is_bot: bool,
    pub email: Option<String>,
    pub status: SignupStatus,
    /// Of an event with a check-in, before its start.
    pub checked_in: Option<bool>,
    pub level: u32,
    pub wins: u32,
    pub losses: u32,
    pub rank: Option<u32>,
}

impl From<Signup> for Participant {
    fn from(signup: Signup) -> Self {
        Self {
            user_id: signup.user_id,
            username: signup.username,
            display_name: signup.display_name,
            is_bot: signup.is_bot == Some(true),
            email: signup.email,
            status: signup.status,
            checked_in: signup.checked_in,
            level: signup.level,
            wins: signup.wins,
            losses: signup.losses,
            rank: None,
        }
    }
}

impl From<Player> for Participant {
    fn from(player: Player) -> Self {
        let status = match player.is_eliminated {
            true if player.is_removed == Some(true) => SignupStatus::Removed,
            true => SignupStatus::Eliminated,
            false => SignupStatus::Active,
        };
        Self {
            user_id: player.user_id,
            username: player.username,
            display_name: player.display_name,
            is_bot: player.is_bot == Some(true),
            email: player.email,
            status,
            checked_in: None,
            level: player.level,
            wins: player.wins,
            losses: player.losses,
            rank: player.rank,
        }
    }
}

impl Named for Participant {
    fn name(&self) -> Name<'_> {
        Name::new(&self.display_name, &self.username).of_bot(self.is_bot)
    }
}

impl Row for Participant {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["#", "Player", "Status"];

    fn key(&self) -> Uuid {
        self.user_id
    }

    fn words(&self) -> String {
        let email = self.email.as_deref().unwrap_or_default();
        format!("{} {} {} {email}", self.user_id, self.name().whole(), self.status).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        let by_name = || self.name().order().cmp(&other.name().order());
        match sort {
            0 => (self.rank.is_none(), self.rank).cmp(&(other.rank.is_none(), other.rank)).then_with(by_name),
            1 => by_name(),
            _ => self.status.as_str().cmp(other.status.as_str()).then_with(by_name),
        }
    }
}

impl Row for Game {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["Began", "Players", "Status"];

    fn key(&self) -> Uuid {
        self.game_id
    }

    fn words(&self) -> String {
        let names: Vec<_> = self.players.iter().map(|player| player.name().whole()).collect();
        format!("{} {} {}", self.game_id, self.status, names.join(" ")).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        let is_over = |game: &Self| !matches!(game.status, GameStatus::Active | GameStatus::Waiting);
        let names = |game: &Self| game.players.first().map(|player| player.name().order());
        match sort {
            // Live ones first, then the newest.
            0 => is_over(self).cmp(&is_over(other)),
            1 => names(self).cmp(&names(other)),
            _ => self.status.as_str().cmp(other.status.as_str()),
        }
        .then_with(|| other.created_at.cmp(&self.created_at))
        .then_with(|| self.game_id.cmp(&other.game_id))
    }
}
