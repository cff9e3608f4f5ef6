//! The commands for series of events.

use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::event::EventType;

use super::{
    commands::Page,
    events::{TheEntry, TheFormat, event_type},
};
use crate::complete;

#[derive(Debug, Clone, clap::Subcommand)]
pub enum SeriesCommand {
    /// List the series that make events
    List {
        /// Those that have ended instead
        #[arg(long)]
        ended: bool,
        #[command(flatten)]
        page: Page,
    },
    /// Show one series, with its next dates and events
    Show(TheSeries),
    /// The points of its concluded events
    Table {
        #[command(flatten)]
        series: TheSeries,
        #[command(flatten)]
        page: Page,
    },
    /// Show the next dates of a rule, before a series is made of it
    Preview(TheSchedule),
    /// Create a series; its first events are made and published at once
    Create(Box<CreateSeries>),
    /// Change a series, for events that are still to be made; omitted fields stay
    Edit(Box<EditSeries>),
    /// End a series: it makes no more events; it cannot be undone
    End(TheSeries),
    /// Delete a series that has made no event
    Delete(TheSeries),
}

#[derive(Debug, Clone, clap::Args)]
pub struct TheSeries {
    /// Its id, a prefix of it, or its name
    #[arg(add = ArgValueCompleter::new(complete::series))]
    pub series: String,
}

/// When the events of a series start.
#[derive(Debug, Clone, clap::Args)]
pub struct TheSchedule {
    /// The earliest start, in the time zone: 2027-03-05T19:00
    #[arg(long, value_name = "TIME")]
    pub first_start: String,
    /// Such as Europe/Berlin
    #[arg(long, value_name = "ZONE")]
    pub time_zone: String,
    /// An RRULE of iCalendar, such as FREQ=WEEKLY;BYDAY=FR
    #[arg(long)]
    pub rule: String,
}

#[derive(Debug, Clone, clap::Args)]
pub struct CreateSeries {
    #[arg(long)]
    pub name: String,
    #[arg(long)]
    pub description: Option<String>,
    #[command(flatten)]
    pub schedule: TheSchedule,
    /// How long an event lasts
    #[arg(long, value_name = "MINUTES")]
    pub duration: u32,
    /// What the places of an event are worth [default: 10,7,5,3,2,1]
    #[arg(long, value_delimiter = ',', value_name = "POINTS")]
    pub points: Option<Vec<u32>>,
    /// Days before the start in which an event is made [default: 28]
    #[arg(long, value_name = "DAYS")]
    pub days_ahead: Option<u32>,
    /// The title of its events
    #[arg(long)]
    pub title: String,
    /// The description of its events
    #[arg(long, value_name = "TEXT")]
    pub event_description: Option<String>,
    #[arg(long)]
    pub prize: Option<String>,
    /// open or closed [default: open]
    #[arg(long, value_name = "TYPE", value_parser = event_type)]
    pub r#type: Option<EventType>,
    /// Losses that eliminate a player of an arena; 0 for never [default: 3]
    #[arg(long)]
    pub max_losses: Option<u32>,
    /// Players at most
    #[arg(long, value_name = "PLAYERS")]
    pub max_players: Option<u32>,
    /// Open check-in this many minutes before each start; players who do not check in are not paired; 0: none
    #[arg(long, value_name = "MINUTES")]
    pub check_in: Option<u32>,
    #[command(flatten)]
    pub format: TheFormat,
    #[command(flatten)]
    pub entry: TheEntry,
}

#[derive(Debug, Clone, clap::Args)]
pub struct EditSeries {
    #[command(flatten)]
    pub series: TheSeries,
    #[arg(long)]
    pub name: Option<String>,
    #[arg(long)]
    pub description: Option<String>,
    /// The earliest start, in the time zone: 2027-03-05T19:00
    #[arg(long, value_name = "TIME")]
    pub first_start: Option<String>,
    /// Such as Europe/Berlin
    #[arg(long, value_name = "ZONE")]
    pub time_zone: Option<String>,
    /// An RRULE of iCalendar, such as FREQ=WEEKLY;BYDAY=FR
    #[arg(long)]
    pub rule: Option<String>,
    /// How long an event lasts
    #[arg(long, value_name = "MINUTES")]
    pub duration: Option<u32>,
    /// What the places of an event are worth
    #[arg(long, value_delimiter = ',', value_name = "POINTS")]
    pub points: Option<Vec<u32>>,
    /// Days before the start in which an event is made
    #[arg(long, value_name = "DAYS")]
    pub days_ahead: Option<u32>,
}
