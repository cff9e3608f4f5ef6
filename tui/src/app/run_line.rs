//! What the lines of the command palette do, and what can follow their names.

use clap::ValueEnum;
use morpion_openapi::{
    event::EventState,
    logger::{LogFilter, LogLevel},
};

use morpion_shell::reference::{self, Candidate};
use uuid::Uuid;

use super::{
    App, Tab,
    dialog::{Deed, Dialog},
    events::{Detail, Transition},
    logs::NO_FILTER,
    palette::{self, Argument, COMMANDS, Palette},
    table::Listing,
};
use crate::{event::Action, theme::Palette as Colours, widgets::name::Named};

impl App {
    pub(super) fn open_palette(&mut self) {
        let offers = self.offers("");
        self.dialog = Some(Dialog::Palette(Palette { offers, ..Palette::default() }));
    }

    /// What a line can go on to.
    pub(super) fn offers(&self, line: &str) -> Vec<String> {
        palette::offers(line, |argument| self.values(argument))
    }

    fn values(&self, argument: Argument) -> Vec<String> {
        match argument {
            Argument::None | Argument::Text => vec![],
            Argument::Level => LogLevel::ALL.iter().map(ToString::to_string).collect(),
            Argument::Service => {
                let told = self.logs.stats.iter().flat_map(|stats| stats.services.iter().cloned());
                let mut names = self.logs.services.clone();
                names.extend(told);
                std::iter::once("all".to_owned()).chain(names).collect()
            }
            Argument::Theme => Colours::value_variants()
                .iter()
                .filter_map(|colours| colours.to_possible_value())
                .map(|value| value.get_name().to_owned())
                .collect(),
            Argument::Switch => vec!["on".to_owned(), "off".to_owned()],
            Argument::Server => self.options.profiles.clone(),
            Argument::Event => self.events.table.rows().iter().map(|event| event.title.clone()).collect(),
            Argument::User => {
                let mut names: Vec<_> = self.users.table.rows().iter().map(|user| user.username.clone()).collect();
                names.extend(
                    self.live_games.shown().flat_map(|game| game.players.iter().map(|player| player.username.clone())),
                );
                names.sort();
                names.dedup();
                names
            }
            Argument::Game => self.live_games.shown().map(|game| game.game_id.to_string()).collect(),
            Argument::State => EventState::ALL.iter().map(ToString::to_string).collect(),
        }
    }

    /// Runs a line.
    ///
    /// # Errors
    /// What is wrong with it, for the operator.
    pub(super) fn run_line(&mut self, line: &str) -> Result<Vec<Action>, String> {
        let line = line.trim();
        let (name, argument) = line.split_once(' ').map_or((line, ""), |(name, rest)| (name, rest.trim()));
        let entry = COMMANDS.iter().find(|entry| entry.name == name).or_else(|| {
            // A beginning that fits one command only is that command.
            let mut fitting = COMMANDS.iter().filter(|entry| !name.is_empty() && entry.name.starts_with(name));
            fitting.next().filter(|_| fitting.next().is_none())
        });
        let Some(entry) = entry else {
            return if name.is_empty() { Ok(vec![]) } else { Err(format!("There is no command '{name}'.")) };
        };
        if entry.argument == Argument::None && !argument.is_empty() {
            return Err(format!("'{}' takes nothing.", entry.name));
        }
        let actions = match entry.name {
            "overview" => self.go(Tab::Overview),
            "events" => {
                let state = match argument {
                    "" => None,
                    word => Some(one_of(EventState::ALL, word)?),
                };
                self.events.detail = None;
                if state != self.events.state {
                    self.events.show_state(state);
                }
                self.go(Tab::Events)
            }
            "event" => {
                let wanted = needed(argument, "a title or an id")?;
                let events = self.events.table.rows().iter();
                let all = events.map(|event| Candidate { id: event.event_id.to_string(), name: event.title.clone() });
                let chosen = reference::choose("event", wanted, all).map_err(|refusal| refusal.text)?;
                let mut events = self.events.table.rows().iter();
                let event = events.find(|event| event.event_id.to_string() == chosen.id).cloned();
                let event = event.ok_or("That event is gone.")?;
                self.events.detail = Some(Detail::new(event));
                self.go(Tab::Events)
            }
            "new" => self.perform(Deed::NewEvent),
            "edit" => self.perform(Deed::EditEvent),
            "publish" => self.transition(Transition::Publish),
            "start" => self.transition(Transition::Start),
            "end" => self.transition(Transition::End),
            "cancel" => self.transition(Transition::Cancel),
            "delete" => self.transition(Transition::Delete),
            "verify" => {
                let target = self.events.targets().first().map(|event| (**event).clone());
                let event = target.ok_or("No event is chosen.")?;
                self.perform(Deed::Verify(event.event_id))
            }
            "games" => self.go(Tab::Games),
            "game" => self.perform(Deed::Watch(self.game(argument)?)),
            "replay" => self.perform(Deed::Replay(self.game(argument)?)),
            "logs" => {
                self.logs.scope = None;
                self.logs.detail = None;
                self.go(Tab::Logs)
            }
            "level" => {
                self.set_level(one_of(LogLevel::ALL, argument)?);
                self.go(Tab::Logs)
            }
            "service" => {
                let service = Some(argument.to_owned()).filter(|name| !name.is_empty() && name != "all");
                self.perform(Deed::Service(service));
                self.go(Tab::Logs)
            }
            "search" => {
                super::logs::filter::Search::parse(argument)?;
                self.logs.set_filter(argument.to_owned());
                self.go(Tab::Logs)
            }
            "since" => {
                self.set_window(self.read_window(argument)?);
                self.go(Tab::Logs)
            }
            "request" => {
                let request = needed(argument, "a request's id")?.to_owned();
                let title = format!("Request {request}");
                let filter = Box::new(LogFilter { request_id: Some(request), ..NO_FILTER });
                self.perform(Deed::Scope { title, filter })
            }
            "follow" => {
                self.logs.view_mut().set_following(true);
                self.go(Tab::Logs)
            }
            "wrap" => {
                self.logs.wraps = switch(argument, self.logs.wraps)?;
                vec![]
            }
            "save" if argument.is_empty() => self.perform(Deed::Save),
            "save" => self.save_logs(argument)?,
            "clear-logs" => self.perform(Deed::ClearLogs),
            "users" => {
                self.users.detail = None;
                self.users.table.set_filter(argument.to_owned());
                self.users.typed(self.now);
                self.go(Tab::Users)
            }
            "user" => self.perform(Deed::OpenUser(needed(argument, "a username or an id")?.to_owned())),
            "grant" => {
                let wanted = needed(argument, "a username")?;
                let user = self.users.table.rows().iter().find(|user| user.username.eq_ignore_ascii_case(wanted));
                match user.map(|user| (user.user_id, user.name().whole())) {
                    Some((user, name)) => self.perform(Deed::GrantPro { user, name }),
                    None => self.perform(Deed::OpenUser(wanted.to_owned())),
                }
            }
            "audit" => self.go(Tab::Audit),
            "pro" => self.go(Tab::Subscriptions),
            "server" => {
                let name = needed(argument, "a name from the configuration")?;
                if !self.options.profiles.iter().any(|known| known == name) {
                    return Err(format!("No server is called '{name}' in the configuration."));
                }
                vec![Action::SwitchServer(name.to_owned())]
            }
            "theme" => {
                let colours =
                    Colours::from_str(argument, true).map_err(|_| "A theme is auto, chalk, ink or ansi.".to_owned())?;
                vec![Action::SetPalette(colours)]
            }
            "ascii" => {
                self.options.is_ascii = switch(argument, self.options.is_ascii)?;
                vec![Action::SetAscii(self.options.is_ascii)]
            }
            "mouse" => {
                let is_on = switch(argument, self.options.has_mouse)?;
                self.set_mouse(is_on)
            }
            "reconnect" => vec![Action::Reconnect],
            "help" => {
                self.is_help_open = true;
                self.help_from = 0;
                vec![]
            }
            _ => vec![Action::Quit],
        };
        Ok(actions)
    }

    /// A game by its id, or by the beginning of one that stands in a list.
    fn game(&self, argument: &str) -> Result<Uuid, String> {
        let wanted = needed(argument, "a game's id")?;
        if let Ok(id) = wanted.parse() {
            return Ok(id);
        }
        let of_event = self.events.detail.iter().flat_map(|detail| detail.games.rows());
        let of_user = self.users.detail.iter().flat_map(|detail| detail.games.rows());
        let all = self.live_games.shown().chain(of_event).chain(of_user);
        let all = all.map(|game| Candidate { id: game.game_id.to_string(), name: String::new() });
        let chosen = reference::choose("game", wanted, all).map_err(|refusal| refusal.text)?;
        chosen.id.parse().map_err(|_| "That is no id.".to_owned())
    }

    fn transition(&mut self, transition: Transition) -> Vec<Action> {
        self.perform(Deed::Transition(transition))
    }
}

fn needed<'a>(argument: &'a str, what: &str) -> Result<&'a str, String> {
    if argument.is_empty() { Err(format!("Name {what}.")) } else { Ok(argument) }
}

fn one_of<T: Copy + ToString>(all: &[T], word: &str) -> Result<T, String> {
    let found = all.iter().find(|one| one.to_string() == word).copied();
    found.ok_or_else(|| {
        let words: Vec<_> = all.iter().map(ToString::to_string).collect();
        format!("One of these is wanted: {}.", words.join(", "))
    })
}

fn switch(argument: &str, is_on: bool) -> Result<bool, String> {
    match argument {
        "on" => Ok(true),
        "off" => Ok(false),
        "" => Ok(!is_on),
        _ => Err("It is on or off.".to_owned()),
    }
}
