//! The command palette: the commands of all tabs, and those of the console itself.

use clap::ValueEnum;
use morpion_shell::reference::Candidate;

use super::{App, Effect, TabId};
use crate::{
    dialog::{
        Dialog,
        palette::{Argument, Completion, Palette, PaletteCommand, command, completions},
    },
    tabs::CommandLine,
    theme::Palette as Colours,
};

#[rustfmt::skip] // One row a line.
const COMMANDS: &[PaletteCommand] = &[
    command("server", Argument::Server, "go on with another server"),
    command("theme", Argument::Theme, "the colours"),
    command("ascii", Argument::Switch, "ASCII characters only"),
    command("mouse", Argument::Switch, "the mouse"),
    command("output", Argument::None, "what your last command in the background printed"),
    command("reconnect", Argument::None, "connect again now"),
    command("help", Argument::None, "the keys"),
    command("quit", Argument::None, "quit"),
];

impl App {
    pub(super) fn open_palette(&mut self) {
        let completions = self.completions("");
        self.dialog = Some(Dialog::Palette(Palette { completions, ..Palette::default() }));
    }

    /// Every command with the tab it belongs to, in the order they are offered.
    fn commands(&self) -> impl Iterator<Item = (Option<TabId>, PaletteCommand)> {
        let of_tabs = self.tabs.iter().flat_map(|(id, tab)| tab.commands().iter().map(move |row| (Some(id), *row)));
        of_tabs.chain(COMMANDS.iter().map(|row| (None, *row)))
    }

    /// What a line can be completed to.
    pub(super) fn completions(&self, line: &str) -> Vec<Completion> {
        completions(self.commands().map(|(_, row)| row), line, |argument| self.values(argument))
    }

    /// What may follow a command's name.
    fn values(&self, argument: Argument) -> Vec<String> {
        match argument {
            Argument::None | Argument::Text => vec![],
            Argument::Theme => Colours::value_variants()
                .iter()
                .filter_map(|colours| colours.to_possible_value())
                .map(|value| value.get_name().to_owned())
                .collect(),
            Argument::Switch => vec!["on".to_owned(), "off".to_owned()],
            Argument::Server => self.context.options.profiles.clone(),
            of_tabs => {
                let mut values: Vec<_> = self.tabs.iter().flat_map(|(_, tab)| tab.suggestions(of_tabs)).collect();
                if of_tabs == Argument::User {
                    values.sort();
                    values.dedup();
                }
                values
            }
        }
    }

    /// Runs a line.
    ///
    /// # Errors
    /// What is wrong with it, for the operator.
    pub(super) fn run_line(&mut self, line: &str) -> Result<Vec<Effect>, String> {
        let line = line.trim();
        let (name, argument) = line.split_once(' ').map_or((line, ""), |(name, rest)| (name, rest.trim()));
        let whole = self.commands().find(|(_, row)| row.name == name);
        let found = whole.or_else(|| {
            // An unambiguous prefix of a command is that command.
            let mut fitting = self.commands().filter(|(_, row)| !name.is_empty() && row.name.starts_with(name));
            fitting.next().filter(|_| fitting.next().is_none())
        });
        let Some((tab, row)) = found else {
            return if name.is_empty() { Ok(vec![]) } else { Err(format!("There is no command '{name}'.")) };
        };
        if row.argument == Argument::None && !argument.is_empty() {
            return Err(format!("'{}' takes nothing.", row.name));
        }
        let listed = self.tabs.iter().flat_map(|(_, tab)| tab.listed_games());
        let listed_games: Vec<_> =
            listed.map(|game| Candidate { id: game.game_id.to_string(), name: String::new() }).collect();
        let line = CommandLine { name: row.name, argument, listed_games: &listed_games };
        match tab {
            Some(tab) => {
                let requests = self.tabs.get_mut(tab).run(line, &self.context)?;
                Ok(self.resolve(requests))
            }
            None => self.run_own(line),
        }
    }

    fn run_own(&mut self, line: CommandLine<'_>) -> Result<Vec<Effect>, String> {
        Ok(match line.name {
            "server" => {
                let name = line.required("a name from the configuration")?;
                if !self.context.options.profiles.iter().any(|known| known == name) {
                    return Err(format!("No server is called '{name}' in the configuration."));
                }
                vec![Effect::SwitchServer(name.to_owned())]
            }
            "theme" => {
                let colours = Colours::from_str(line.argument, true)
                    .map_err(|_| "A theme is auto, chalk, ink or ansi.".to_owned())?;
                vec![Effect::SetPalette(colours)]
            }
            "ascii" => {
                let options = &mut self.context.options;
                options.is_ascii = line.switch(options.is_ascii)?;
                vec![Effect::SetAscii(options.is_ascii)]
            }
            "mouse" => {
                let is_on = line.switch(self.context.options.has_mouse)?;
                self.set_mouse(is_on)
            }
            "output" => {
                self.show_output()?;
                vec![]
            }
            "reconnect" => vec![Effect::Reconnect],
            "help" => {
                self.is_help_open = true;
                self.help_from = 0;
                vec![]
            }
            _ => vec![Effect::Quit],
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crossterm::event::{KeyCode, KeyEvent};

    use super::*;
    use crate::{context::Options, dialog::palette::common_start};

    fn all() -> Vec<PaletteCommand> {
        App::new(Options::default(), (80, 24), 0).commands().map(|(_, row)| row).collect()
    }

    fn complete(line: &str) -> Vec<Completion> {
        completions(all(), line, |argument| match argument {
            Argument::Level => vec!["error".to_owned(), "warning".to_owned()],
            Argument::Event => {
                ["Friday night blitz", "Winterpokal für alle", "Autumn open"].map(str::to_owned).to_vec()
            }
            Argument::User => ["max", "mia-axel"].map(str::to_owned).to_vec(),
            Argument::Game => vec!["11aa22bb".to_owned()],
            _ => vec![],
        })
    }

    fn lines(palette: &Palette) -> Vec<&str> {
        palette.completions.iter().map(|completion| completion.line.as_str()).collect()
    }

    fn typed(text: &str) -> Palette {
        let mut palette = Palette::default();
        for char in text.chars() {
            palette.key(KeyEvent::from(KeyCode::Char(char)), complete);
        }
        palette
    }

    #[test]
    fn names_and_arguments_are_completed() {
        let mut palette = typed("lev");
        palette.key(KeyEvent::from(KeyCode::Tab), complete);
        assert_eq!(palette.input.text(), "level ");
        assert_eq!(lines(&palette), ["level error", "level warning"]);
        palette.key(KeyEvent::from(KeyCode::Char('W')), complete);
        palette.key(KeyEvent::from(KeyCode::Tab), complete);
        assert_eq!(palette.key(KeyEvent::from(KeyCode::Enter), |_| vec![]), Some("level warning".to_owned()));
    }

    #[test]
    fn completion_extends_to_the_common_prefix() {
        let mut palette = typed("re");
        assert_eq!(lines(&palette)[..5], ["replay-match", "reinstate", "resume", "replay", "request"]);
        palette.key(KeyEvent::from(KeyCode::Down), |_| vec![]);
        assert_eq!(palette.key(KeyEvent::from(KeyCode::Enter), |_| vec![]), Some("replay-match".to_owned()));
        let mut palette = typed("ev");
        palette.key(KeyEvent::from(KeyCode::Tab), complete);
        assert_eq!(palette.input.text(), "event ");
    }

    #[test]
    fn events_and_people_are_found_by_a_part_of_their_name() {
        for (text, found) in [
            ("blitz", "event Friday night blitz"),
            ("BLZ", "event Friday night blitz"),
            ("friday bl", "event Friday night blitz"),
            ("blitz friday", "event Friday night blitz"),
            ("fur alle", "event Winterpokal für alle"),
            ("axel", "user mia-axel"),
            ("clrlogs", "clear-logs"),
        ] {
            let mut palette = typed(text);
            assert_eq!(lines(&palette).first(), Some(&found), "{text}");
            assert_eq!(palette.key(KeyEvent::from(KeyCode::Enter), complete), Some(found.to_owned()), "{text}");
        }
        let found = typed("bl fri").completions.swap_remove(0);
        let letters: String = found.matched.iter().map(|at| found.line.chars().nth(*at).unwrap()).collect();
        assert_eq!(letters, "Fribl", "the letters that were typed are known, whatever their order");
        assert_eq!(
            typed("fur alle").completions[0].matched.last(),
            Some(&("event Winterpokal für alle".chars().count() - 1))
        );
    }

    #[test]
    fn what_can_be_meant_as_it_is_typed_is_not_replaced() {
        // An account that is not listed, an event's id, a command's beginning.
        for text in
            ["user max", "user ma", "user mx", "event 12ab", "event blitz", "re", "replay 12", "level rr", "end"]
        {
            let mut palette = typed(text);
            assert_eq!(palette.chosen, None, "{text}");
            assert_eq!(palette.key(KeyEvent::from(KeyCode::Enter), complete), Some(text.to_owned()), "{text}");
        }
        assert_eq!(lines(&typed("user mx")), ["user max", "user mia-axel"], "offered, but not chosen");
        assert!(typed("game 12").completions.is_empty(), "an id is found by its beginning only");
        assert_eq!(lines(&typed("game 11")), ["game 11aa22bb"]);
        let mut palette = typed("event blitz");
        palette.key(KeyEvent::from(KeyCode::Tab), complete);
        assert_eq!(palette.input.text(), "event Friday night blitz");
    }

    #[test]
    fn what_begins_with_the_text_comes_first() {
        let palette = typed("ev");
        assert_eq!(lines(&palette)[..2], ["events", "event"]);
        assert!(typed("").completions.iter().all(|completion| !completion.line.contains(' ')), "commands only");
    }

    #[test]
    fn completion_without_candidates_does_no_harm() {
        let mut palette = typed("zzz");
        for code in [KeyCode::Tab, KeyCode::Up, KeyCode::Down] {
            palette.key(KeyEvent::from(code), complete);
        }
        assert_eq!((palette.input.text(), palette.chosen), ("zzz", None));
        assert_eq!(common_start("größe", "große"), "gr");
    }

    #[test]
    fn every_tab_is_found_by_its_title_and_equals_keep_their_order() {
        for (_, tab) in App::new(Options::default(), (80, 24), 0).tabs.iter() {
            let title = tab.title().to_lowercase();
            assert_eq!(lines(&typed(&title)).first(), Some(&title.as_str()));
        }
        let commands = ["bxa", "bya", "bza"].map(|name| command(name, Argument::None, ""));
        let found = completions(commands, "ba", |_| vec![]);
        assert_eq!(found.iter().map(|found| found.line.as_str()).collect::<Vec<_>>(), ["bxa", "bya", "bza"]);
    }

    #[test]
    fn no_candidate_is_listed_twice() {
        let names: HashSet<_> = all().iter().map(|command| command.name).collect();
        assert_eq!(names.len(), all().len());
    }
}
