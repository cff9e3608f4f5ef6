//! The fields of the form for events.

use morpion_openapi::{
    event::{EventFormat, EventType},
    quick_match::QuickMatchClock,
};

use crate::widgets::stage::{clock_text, format_name};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Title,
    Description,
    Prize,
    Type,
    Start,
    End,
    Format,
    /// Of an arena.
    MaxLosses,
    /// Of all formats but the arena, as `MatchGames`.
    Board,
    MatchGames,
    /// Of a Swiss; empty: by the number of players.
    Rounds,
    /// Of a knockout.
    ThirdPlace,
    /// Of a round robin.
    Twice,
    Clock,
    /// Of all formats but the arena; empty: a round begins when the last one ended.
    RoundTimes,
    Bots,
    OneNetwork,
    /// Empty: as many as the server allows.
    MaxPlayers,
    /// Empty: nobody is asked.
    CheckIn,
    /// Conditions of entry; empty asks for nothing.
    MinRating,
    MaxRating,
    MinGames,
    AccountAge,
    AllowList,
}

pub const YES: &str = "yes";
pub const NO: &str = "no";
const TYPES: &[&str] = &[EventType::Open.as_str(), EventType::Closed.as_str()];
const CLOCKS: &[&str] = &[clock_text(QuickMatchClock::Turn15), clock_text(QuickMatchClock::Increment)];
const FORMATS: &[&str] = &[
    format_name(EventFormat::Arena),
    format_name(EventFormat::Knockout),
    format_name(EventFormat::Swiss),
    format_name(EventFormat::RoundRobin),
];

impl Field {
    pub const ALL: [Self; 24] = [
        Self::Title,
        Self::Description,
        Self::Prize,
        Self::Type,
        Self::Start,
        Self::End,
        Self::Format,
        Self::MaxLosses,
        Self::Board,
        Self::MatchGames,
        Self::Rounds,
        Self::ThirdPlace,
        Self::Twice,
        Self::Clock,
        Self::RoundTimes,
        Self::Bots,
        Self::OneNetwork,
        Self::MaxPlayers,
        Self::CheckIn,
        Self::MinRating,
        Self::MaxRating,
        Self::MinGames,
        Self::AccountAge,
        Self::AllowList,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Self::Title => "Title",
            Self::Description => "Description",
            Self::Prize => "Prize",
            Self::Type => "Type",
            Self::Start => "Starts (UTC)",
            Self::End => "Ends (UTC)",
            Self::Format => "Format",
            Self::MaxLosses => "Losses until out",
            Self::Board => "Board",
            Self::MatchGames => "Games of a match",
            Self::Rounds => "Rounds",
            Self::ThirdPlace => "Third place",
            Self::Twice => "Twice",
            Self::Clock => "Clock",
            Self::RoundTimes => "Later rounds",
            Self::Bots => "Bots",
            Self::OneNetwork => "Rate one network",
            Self::MaxPlayers => "Players at most",
            Self::CheckIn => "Check-in (min)",
            Self::MinRating => "Rating from",
            Self::MaxRating => "Rating to",
            Self::MinGames => "Games played",
            Self::AccountAge => "Account (days)",
            Self::AllowList => "Only these",
        }
    }

    /// As the server calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Description => "description",
            Self::Prize => "prize",
            Self::Type => "eventType",
            Self::Start => "startTime",
            Self::End => "endTime",
            Self::Format => "format",
            Self::MaxLosses => "maxLosses",
            Self::Board => "boardSize",
            Self::MatchGames => "matchGames",
            Self::Rounds => "rounds",
            Self::ThirdPlace => "thirdPlace",
            Self::Twice => "doubleRounds",
            Self::Clock => "clock",
            Self::RoundTimes => "roundTimes",
            Self::Bots => "botsAllowed",
            Self::OneNetwork => "ratedOnOneNetwork",
            Self::MaxPlayers => "maxPlayers",
            Self::CheckIn => "checkInMinutes",
            Self::MinRating => "minRating",
            Self::MaxRating => "maxRating",
            Self::MinGames => "minGames",
            Self::AccountAge => "accountAgeDays",
            Self::AllowList => "allowList",
        }
    }

    /// What can be chosen, where nothing is typed.
    pub fn choices(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Type => Some(TYPES),
            Self::Format => Some(FORMATS),
            Self::Clock => Some(CLOCKS),
            Self::Board => Some(&["3x3", "4x4", "5x5", "6x6"]),
            Self::MatchGames => Some(&["1", "2"]),
            Self::ThirdPlace | Self::Twice | Self::Bots | Self::OneNetwork => Some(&[NO, YES]),
            _ => None,
        }
    }

    pub fn hint(self) -> &'static str {
        match self {
            Self::Type => "Space changes it: open lets anybody join while it is live",
            Self::Start | Self::End => "2026-11-21 20:00, 20:00, +2h, +1d",
            Self::MaxLosses => "0 never eliminates",
            Self::Board => "Each match begins on it",
            Self::MatchGames => "2: with the seats swapped, and a third game at one all",
            Self::Rounds => "Empty: by the number of players; 8 need 4, 16 need 5, 32 need 6",
            Self::ThirdPlace => "yes: those who lost the semi-finals meet",
            Self::Twice => "yes: everybody meets everybody twice",
            Self::Clock => "Space changes it: the time that players have in each game",
            Self::RoundTimes => "Not before, in UTC: 20:30, 21:00; empty: when the last one ended",
            Self::Bots => "yes: bots may enter; games between a person and a bot are not rated",
            Self::OneNetwork => {
                "Space changes it: yes if you know that players who share a network are different people"
            }
            Self::MaxPlayers => "Empty: as many as the server allows",
            Self::CheckIn => "When it opens, in minutes before the start; empty: no check-in",
            Self::MinRating | Self::MaxRating => "Of everybody who enters, from 100 to 4000; empty: any",
            Self::MinGames => "Finished games of everybody who enters; empty: any",
            Self::AccountAge => "Of everybody who enters; empty: any",
            Self::AllowList => "Usernames separated by commas; empty: everybody",
            Self::Title | Self::Description | Self::Prize | Self::Format => "",
        }
    }

    /// Whether events of this format have it.
    pub fn suits(self, format: EventFormat) -> bool {
        match self {
            Self::MaxLosses => format == EventFormat::Arena,
            Self::Board | Self::MatchGames | Self::RoundTimes => format != EventFormat::Arena,
            Self::Rounds => format == EventFormat::Swiss,
            Self::ThirdPlace => format == EventFormat::Knockout,
            Self::Twice => format == EventFormat::RoundRobin,
            _ => true,
        }
    }

    /// Whether it is a number that may be left out.
    pub fn is_figure(self) -> bool {
        matches!(
            self,
            Self::MaxPlayers | Self::CheckIn | Self::MinRating | Self::MaxRating | Self::MinGames | Self::AccountAge
        )
    }

    /// Whether all events have it.
    pub fn is_common(self) -> bool {
        EventFormat::ALL.iter().all(|format| self.suits(*format))
    }
}

/// What is separated by commas: names, or times.
pub fn names(list: &str) -> Vec<String> {
    list.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}
