//! The commands for events.

use std::path::PathBuf;

use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::{
    event::{ByLevel, EventBoard, EventFormat, EventState, EventType},
    game::ExportFormat,
    quick_match::QuickMatchClock,
};

use super::commands::{Page, TheEvent, one_of};
use crate::{complete, dialog::event_form::names};

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Events {
    /// List events
    List {
        /// drafted, published, started, ended or cancelled; may be given more than once
        #[arg(long, value_parser = event_state)]
        state: Vec<EventState>,
        /// A text in title or description
        #[arg(long)]
        text: Option<String>,
        #[command(flatten)]
        page: Page,
    },
    /// Show one event
    Show(TheEvent),
    /// Create a draft
    Create(CreateEvent),
    /// Edit a draft or a published event; omitted fields stay
    Edit(EditEvent),
    /// Publish a draft: players see it and can register
    Publish(TheEvent),
    /// Start a published event
    Start(TheEvent),
    /// End a live event and determine its winners
    End(TheEvent),
    /// Cancel a published or live event; it cannot be undone
    Cancel(TheEvent),
    /// Delete a draft
    Delete(TheEvent),
    /// Recompute the standings from the games and compare
    Verify(TheEvent),
    /// List sign-ups
    Signups {
        #[command(flatten)]
        event: TheEvent,
        #[command(flatten)]
        page: Page,
    },
    /// Sign somebody up, also for an event that has started
    AddPlayer {
        #[command(flatten)]
        event: TheEvent,
        /// A username
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        player: String,
    },
    /// Check a list of players; with --yes, sign all of them up, or nobody
    ImportPlayers {
        #[command(flatten)]
        event: TheEvent,
        /// CSV with a username on each line; - reads the standard input
        file: PathBuf,
        /// Sign them up
        #[arg(long)]
        yes: bool,
    },
    /// Print a table: standings or results as CSV, or a Swiss as TRF16
    Export {
        #[command(flatten)]
        event: TheEvent,
        /// standings, results or swiss
        #[arg(value_parser = event_table)]
        table: EventTable,
    },
    /// Check a player in, or undo it; after the start, this lets them play from the next round
    CheckIn {
        #[command(flatten)]
        event: TheEvent,
        /// Their username, their id, or a prefix of it
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        player: String,
        /// Undo the check-in
        #[arg(long)]
        undo: bool,
    },
    /// The leaderboard of an arena
    Leaderboard {
        #[command(flatten)]
        event: TheEvent,
        #[command(flatten)]
        page: Page,
    },
    /// Its games
    Games {
        #[command(flatten)]
        event: TheEvent,
        #[command(flatten)]
        page: Page,
    },
    /// Print its finished games, newest first: as JSON lines, or as text with tags
    ExportGames {
        #[command(flatten)]
        event: TheEvent,
        /// ndjson or notation
        #[arg(long, default_value = "ndjson", value_parser = export_format)]
        format: ExportFormat,
        /// Only games created from then on; UTC: 15m, 20:00, 2026-11-21 20:00
        #[arg(long)]
        since: Option<String>,
        /// Only games created before then; UTC
        #[arg(long)]
        until: Option<String>,
    },
    /// The rounds of a knockout, Swiss or round robin, with their matches
    Rounds(TheEvent),
    /// The standings of a knockout, Swiss or round robin, with the tie-breaks
    Standings {
        #[command(flatten)]
        event: TheEvent,
        /// How the tie-breaks of this player add up: a username, an id, or a prefix of it
        #[arg(long, add = ArgValueCompleter::new(complete::accounts))]
        player: Option<String>,
    },
    /// Set the result of a match, also against its games; without a winner both lose it
    SetResult {
        #[command(flatten)]
        event: TheEvent,
        /// Counted from 1
        round: u32,
        /// Counted from 1
        board: u32,
        /// One of its players: a username or an id
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        winner: Option<String>,
        /// For the audit trail
        #[arg(long)]
        reason: String,
    },
    /// Have a match of the last round played again: its result and its games do not count
    ReplayMatch {
        #[command(flatten)]
        event: TheEvent,
        /// Counted from 1
        round: u32,
        /// Counted from 1
        board: u32,
        /// For the audit trail
        #[arg(long)]
        reason: String,
    },
    /// Start a round that waits at once
    StartRound {
        #[command(flatten)]
        event: TheEvent,
        /// Counted from 1
        round: u32,
    },
    /// Withdraw a player: the opponent wins a match of theirs that is not decided
    Withdraw(ThePlayer),
    /// Disqualify a player: as a withdrawal, and they are no winner and are told the reason
    Disqualify(ThePlayer),
    /// Let a player who is out play from the next round on
    Reinstate(ThePlayer),
    /// Pause an event: no further round begins
    Pause(TheEvent),
    /// Let the next round of a paused event begin
    Resume(TheEvent),
    /// Move the end of a published or live event
    Extend {
        #[command(flatten)]
        event: TheEvent,
        /// UTC: 2026-11-21 22:00, 22:00, +30m
        end: String,
    },
}

/// A player of an event, and why something is done.
#[derive(Debug, Clone, clap::Args)]
pub struct ThePlayer {
    #[command(flatten)]
    pub event: TheEvent,
    /// Its username, its id, or a prefix of it
    #[arg(add = ArgValueCompleter::new(complete::accounts))]
    pub player: String,
    /// For the audit trail
    #[arg(long)]
    pub reason: String,
}

/// How an event is played. What a format does not have is left out.
#[derive(Debug, Clone, clap::Args)]
pub struct TheFormat {
    /// arena, knockout, swiss or roundRobin [default: arena]
    #[arg(long, value_parser = event_format)]
    pub format: Option<EventFormat>,
    /// Rounds of a Swiss; 0: by the number of players
    #[arg(long)]
    pub rounds: Option<u32>,
    /// The board on which the matches of rounds begin: 3 to 6 [default: 3]; byLevel in an arena, which has no other
    #[arg(long, value_name = "SIZE", value_parser = board)]
    pub board: Option<EventBoard>,
    /// Games of a match: 1 or 2 [default: 2]
    #[arg(long, value_name = "GAMES")]
    pub match_games: Option<u32>,
    /// In a knockout, have those who lost the semi-finals play for the third place
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "YES")]
    pub third_place: Option<bool>,
    /// In a round robin, have everybody meet everybody twice
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "YES")]
    pub double: Option<bool>,
    /// The time control of all games: turn15 (15 s a turn) or 1+2 (1 min, and 2 s a move) [default: turn15]
    #[arg(long, value_parser = clock)]
    pub clock: Option<QuickMatchClock>,
}

/// Who may enter an event.
#[derive(Debug, Clone, clap::Args)]
pub struct TheEntry {
    /// Who enters has at least this rating; 0 for any
    #[arg(long, value_name = "RATING")]
    pub min_rating: Option<u32>,
    /// Who enters has at most this rating; 0 for any
    #[arg(long, value_name = "RATING")]
    pub max_rating: Option<u32>,
    /// Who enters has finished at least so many games; 0 for any
    #[arg(long, value_name = "GAMES")]
    pub min_games: Option<u32>,
    /// Who enters has an account that is at least so many days old; 0 for any
    #[arg(long, value_name = "DAYS")]
    pub account_age_days: Option<u32>,
    /// Nobody but these enters: usernames or ids with commas between them; '' for everybody
    #[arg(long, value_name = "NAMES")]
    pub allow_list: Option<String>,
    /// Bots, which are accounts played by programs, may enter too
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "YES")]
    pub bots_allowed: Option<bool>,
}

impl TheEntry {
    /// The names on the list, if it was given.
    pub fn names(&self) -> Option<Vec<String>> {
        self.allow_list.as_deref().map(names)
    }
}

fn board(word: &str) -> Result<EventBoard, String> {
    match word.parse() {
        Ok(size) => Ok(EventBoard::Size(size)),
        Err(_) if word == ByLevel::ByLevel.as_str() => Ok(EventBoard::Level(ByLevel::ByLevel)),
        Err(_) => Err(format!("a number from 3 to 6 is wanted, or {}", ByLevel::ByLevel)),
    }
}

fn clock(word: &str) -> Result<QuickMatchClock, String> {
    one_of(QuickMatchClock::ALL, word)
}

fn event_state(word: &str) -> Result<EventState, String> {
    one_of(EventState::ALL, word)
}

pub(super) fn event_type(word: &str) -> Result<EventType, String> {
    one_of(EventType::ALL, word)
}

/// A table of an event as a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventTable {
    Standings,
    Results,
    Swiss,
}

impl EventTable {
    /// The last part of its address.
    pub fn file(self) -> &'static str {
        match self {
            Self::Standings => "standings.csv",
            Self::Results => "results.csv",
            Self::Swiss => "swiss.trf",
        }
    }
}

fn event_table(word: &str) -> Result<EventTable, String> {
    match word {
        "standings" => Ok(EventTable::Standings),
        "results" => Ok(EventTable::Results),
        "swiss" => Ok(EventTable::Swiss),
        _ => Err("one of standings, results, swiss is wanted".to_owned()),
    }
}

fn export_format(word: &str) -> Result<ExportFormat, String> {
    one_of(ExportFormat::ALL, word)
}

fn event_format(word: &str) -> Result<EventFormat, String> {
    one_of(EventFormat::ALL, word)
}

#[derive(Debug, Clone, clap::Args)]
pub struct CreateEvent {
    #[arg(long)]
    pub title: String,
    #[arg(long)]
    pub description: Option<String>,
    #[arg(long)]
    pub prize: Option<String>,
    /// open or closed [default: open]
    #[arg(long, value_name = "TYPE", value_parser = event_type)]
    pub r#type: Option<EventType>,
    /// UTC: 2026-11-21 20:00, 20:00, +2h
    #[arg(long, allow_hyphen_values = true)]
    pub start: Option<String>,
    /// UTC: 2026-11-21 22:00, 22:00, +4h
    #[arg(long, allow_hyphen_values = true)]
    pub end: Option<String>,
    /// Losses that eliminate a player of an arena; 0 for never [default: 3]
    #[arg(long)]
    pub max_losses: Option<u32>,
    /// Rate games between players on one network: you say that they are different people
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "YES")]
    pub rated_on_one_network: Option<bool>,
    /// At most so many players; 0 for as many as the server allows
    #[arg(long)]
    pub max_players: Option<u32>,
    /// Open check-in this many minutes before the start; players who do not check in are not paired; 0: none
    #[arg(long, value_name = "MINUTES")]
    pub check_in: Option<u32>,
    /// Before which the second round and those after it do not begin, UTC: 20:30,21:00 or +1d; '' for none
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "TIMES")]
    pub round_times: Option<Vec<String>>,
    #[command(flatten)]
    pub entry: TheEntry,
    #[command(flatten)]
    pub format: TheFormat,
}

#[derive(Debug, Clone, clap::Args)]
pub struct EditEvent {
    #[command(flatten)]
    pub event: TheEvent,
    #[arg(long)]
    pub title: Option<String>,
    #[arg(long)]
    pub description: Option<String>,
    #[arg(long)]
    pub prize: Option<String>,
    /// open or closed
    #[arg(long, value_name = "TYPE", value_parser = event_type)]
    pub r#type: Option<EventType>,
    /// UTC: 2026-11-21 20:00, 20:00, +2h
    #[arg(long, allow_hyphen_values = true)]
    pub start: Option<String>,
    /// UTC: 2026-11-21 22:00, 22:00, +4h
    #[arg(long, allow_hyphen_values = true)]
    pub end: Option<String>,
    /// Losses that eliminate a player of an arena; 0 for never
    #[arg(long)]
    pub max_losses: Option<u32>,
    /// Rate games between players on one network: you say that they are different people
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "YES")]
    pub rated_on_one_network: Option<bool>,
    /// At most so many players; 0 for as many as the server allows
    #[arg(long)]
    pub max_players: Option<u32>,
    /// Open check-in this many minutes before the start; players who do not check in are not paired; 0: none
    #[arg(long, value_name = "MINUTES")]
    pub check_in: Option<u32>,
    /// Before which the second round and those after it do not begin, UTC: 20:30,21:00 or +1d; '' for none
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "TIMES")]
    pub round_times: Option<Vec<String>>,
    #[command(flatten)]
    pub entry: TheEntry,
    #[command(flatten)]
    pub format: TheFormat,
}
