//! Commands of the operator's own: which apply here, their start, and how they ended.

use crossterm::event::KeyEvent;

use super::{App, Effect, Level, keys::places_of};
use crate::{
    dialog::{Dialog, TextDialog, confirm::ConfirmDialog},
    keymap::{ChosenKeys, Keys},
    own_commands::{Launch, OwnCommand, Ran},
    tabs::Tabs,
};

/// Commands that may run in the background at once.
const MOST_RUNNING: usize = 4;

impl App {
    /// Those that apply here.
    pub fn own_commands(&self) -> Vec<&OwnCommand> {
        if self.has_page() {
            return vec![];
        }
        let title = self.tabs.get(self.tab).title();
        self.context.options.commands.iter().filter(|command| command.is_of(title)).collect()
    }

    /// Runs the command of a key, or asks first.
    pub(super) fn own_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some(command) = self.own_commands().into_iter().find(|command| command.key.matches(key)).cloned() else {
            return vec![];
        };
        if self.context.options.is_read_only && !command.readonly {
            self.warn("This console is read-only.");
            return vec![];
        }
        let target = self.tabs.get(self.tab).target();
        match command.launch(target.as_ref(), &self.context.options.server_address) {
            Err(why) => {
                self.warn(why);
                vec![]
            }
            Ok(launch) if command.confirm => {
                self.dialog = Some(Dialog::Confirm(ConfirmDialog::before(launch)));
                vec![]
            }
            Ok(launch) => self.launch(launch),
        }
    }

    pub(super) fn launch(&mut self, launch: Launch) -> Vec<Effect> {
        if launch.is_background {
            if self.running >= MOST_RUNNING {
                self.warn(format!("{MOST_RUNNING} commands are running already."));
                return vec![];
            }
            self.running += 1;
            self.toasts.add(Level::Done, format!("{} is running.", launch.title), self.context.now);
        }
        vec![Effect::Launch(launch)]
    }

    /// A command has ended. What it printed is shown unless the operator is doing something else.
    pub(super) fn ran(&mut self, ran: Ran) {
        let (level, text) = match &ran.outcome {
            Ok(()) => (Level::Done, format!("{}: done.", ran.title)),
            Err(why) => (Level::Error, format!("{}: {why}.", ran.title)),
        };
        self.toasts.add(level, text, self.context.now);
        if !ran.is_background {
            return;
        }
        self.running = self.running.saturating_sub(1);
        let is_free = self.dialog.is_none() && !self.is_typing() && !self.is_help_open;
        let has_output = !ran.output.trim().is_empty();
        self.ended = Some(ran);
        if is_free && has_output {
            self.show_output().ok();
        }
    }

    /// Shows what the last command in the background has printed.
    ///
    /// # Errors
    /// There was none, or it printed nothing.
    pub(super) fn show_output(&mut self) -> Result<(), String> {
        let ended = self.ended.as_ref().ok_or("No command in the background has ended.")?;
        if ended.output.trim().is_empty() {
            return Err(format!("{} printed nothing.", ended.title));
        }
        let ending = ended.outcome.as_ref().err().map_or("done", String::as_str);
        let title = format!("{}: {ending}", ended.title);
        self.dialog = Some(Dialog::Text(TextDialog::printed(title, &ended.output)));
        Ok(())
    }
}

/// The commands that can be used, and what is wrong with the others, with their lines in the configuration: a key means
/// one thing in each place.
pub fn settle(commands: Vec<OwnCommand>, chosen: &ChosenKeys) -> (Vec<OwnCommand>, Vec<(usize, String)>) {
    let tabs = Tabs::default();
    let (mut usable, mut refused) = (vec![], vec![]);
    for command in commands {
        let why = match tabs.iter().find(|(_, tab)| command.is_of(tab.title())) {
            None => Some(format!("there is no tab '{}'", command.tab)),
            Some((_, tab)) => meaning(&command, &places_of(tab.modes()), chosen, &usable)
                .map(|does| format!("{} means '{does}' there", command.key.name(false))),
        };
        match why {
            Some(why) => refused.push((command.line, why)),
            None => usable.push(command),
        }
    }
    (usable, refused)
}

/// What the key of a command means already in the places of its tab.
fn meaning(
    command: &OwnCommand,
    places: &[Vec<&'static Keys>],
    chosen: &ChosenKeys,
    others: &[OwnCommand],
) -> Option<String> {
    let mut bindings = places.iter().flatten().flat_map(|keys| keys.bindings);
    let bound =
        bindings.find(|binding| chosen.of(binding).contains(&command.key)).map(|binding| binding.does.to_owned());
    let other = || others.iter().find(|other| other.key == command.key && other.is_of(&command.tab));
    bound.or_else(|| other().map(|other| other.title.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(tab: &str, key: &str, line: usize) -> OwnCommand {
        let written = format!("tab = '{tab}'\nkey = '{key}'\ntitle = 'tool'\nrun = ['tool']");
        OwnCommand::read(toml::Value::Table(written.parse().expect("TOML")), line).expect("a command")
    }

    #[test]
    fn a_key_of_a_command_means_nothing_else_in_its_tab() {
        let all = vec![
            command("users", "Ctrl-t", 1),
            command("Events", "Ctrl-t", 2),
            command("users", "Ctrl-t", 3),
            command("users", "a", 4),
            command("users", "q", 5),
            command("users", "1", 6),
            command("weather", "x", 7),
        ];
        let (usable, refused) = settle(all, &ChosenKeys::default());
        assert_eq!(usable.iter().map(|command| command.line).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(refused.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 4, 5, 6, 7]);
        assert_eq!(refused[0].1, "Ctrl-t means 'tool' there");
        assert_eq!(refused[2].1, "q means 'quit' there");
        assert_eq!(refused[4].1, "there is no tab 'weather'");
        // A key that was given to an action is taken, and its usual one is free.
        let keys = [(crate::keymap::KeyAction::Quit, "Ctrl-t".parse().expect("keys"), 1)];
        let (usable, _) = settle(vec![command("users", "Ctrl-t", 1), command("users", "q", 2)], &ChosenKeys::new(keys));
        assert_eq!(usable.iter().map(|command| command.line).collect::<Vec<_>>(), [2]);
    }
}
