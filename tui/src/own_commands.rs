//! Commands of the operator's own: programs that the configuration names, run on what is chosen. They are started without a
//! shell, each argument as it is written, so that nobody's name can be a command.

use morpion_shell::escape;
use serde::Deserialize;

use crate::keymap::Key;

/// Characters of a title, at most: it stands in the footer.
const LONGEST_TITLE: usize = 30;

/// A command of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCommand {
    /// The title of its tab, in any case.
    pub tab: String,
    pub key: Key,
    pub title: String,
    /// The program and its arguments, with placeholders.
    run: Vec<String>,
    /// Whether it is confirmed first.
    pub confirm: bool,
    /// It does not get the terminal; what it prints is shown when it has ended.
    background: bool,
    /// It changes nothing, so that it can be run in a read-only console.
    pub readonly: bool,
    /// Its line in the configuration, counted from 1.
    pub line: usize,
}

/// As it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    tab: String,
    key: String,
    title: String,
    run: Vec<String>,
    #[serde(default)]
    confirm: bool,
    #[serde(default)]
    background: bool,
    #[serde(default)]
    readonly: bool,
}

/// What a command is run on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub id: String,
    pub name: String,
}

impl Target {
    pub fn new(id: impl ToString, name: impl Into<String>) -> Self {
        Self { id: id.to_string(), name: name.into() }
    }
}

/// A program to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    pub title: String,
    pub program: String,
    pub arguments: Vec<String>,
    pub is_background: bool,
}

/// A program that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    pub title: String,
    pub is_background: bool,
    /// How it ended, if not well.
    pub outcome: Result<(), String>,
    /// What it printed; empty for one that had the terminal.
    pub output: String,
}

impl OwnCommand {
    /// Reads a command of the configuration.
    ///
    /// # Errors
    /// What is wrong with it, for the operator.
    pub fn read(written: toml::Value, line: usize) -> Result<Self, String> {
        let written: Written = written.try_into().map_err(|error: toml::de::Error| error.message().to_owned())?;
        let Written { tab, key, title, run, confirm, background, readonly } = written;
        if title.is_empty() || title.chars().count() > LONGEST_TITLE || title.chars().any(escape::is_unsafe) {
            return Err(format!("a title has 1 to {LONGEST_TITLE} characters"));
        }
        let key = key.parse()?;
        match run.first() {
            None => return Err("'run' has no program".to_owned()),
            Some(program) if program.is_empty() || PLACEHOLDERS.iter().any(|name| program.contains(*name)) => {
                return Err("the program in 'run' is a name without placeholders".to_owned());
            }
            Some(_) => {}
        }
        Ok(Self { tab, key, title, run, confirm, background, readonly, line })
    }

    /// Whether it is of the tab with this title.
    pub fn is_of(&self, tab: &str) -> bool {
        self.tab.eq_ignore_ascii_case(tab)
    }

    /// What is started. `server` is the server's address.
    ///
    /// # Errors
    /// Nothing is chosen that it could be run on, or a name would be read as an option.
    pub fn launch(&self, target: Option<&Target>, server: &str) -> Result<Launch, String> {
        let mut words = self.run.iter();
        let program = words.next().cloned().unwrap_or_default();
        let mut arguments = vec![];
        let mut has_options = true;
        for word in words {
            let needs_target = word.contains(ID) || word.contains(NAME);
            let argument = match target {
                None if needs_target => return Err("Nothing is chosen that this could be run on.".to_owned()),
                _ => filled(word, target, server),
            };
            if has_options && argument.starts_with('-') && !word.starts_with('-') {
                return Err(format!(
                    "{} begins with a hyphen and would be an option of {program}. Put \"--\" before it in 'run'.",
                    escape::line(&argument)
                ));
            }
            has_options &= argument != "--";
            arguments.push(argument);
        }
        Ok(Launch { title: self.title.clone(), program, arguments, is_background: self.background })
    }
}

const ID: &str = "{id}";
const NAME: &str = "{name}";
const SERVER: &str = "{server}";
const PLACEHOLDERS: [&str; 3] = [ID, NAME, SERVER];

/// An argument with its placeholders filled. What is filled in is not read again; what a terminal would interpret is
/// escaped.
fn filled(word: &str, target: Option<&Target>, server: &str) -> String {
    let (mut filled, mut rest) = (String::new(), word);
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        filled.push_str(before);
        let placeholder = PLACEHOLDERS.into_iter().find(|name| from.starts_with(*name));
        let value = match (placeholder, target) {
            (Some(ID), Some(target)) => target.id.as_str(),
            (Some(NAME), Some(target)) => target.name.as_str(),
            (Some(SERVER), _) => server,
            _ => "{",
        };
        filled.push_str(&escape::line(value));
        rest = &from[placeholder.map_or(1, str::len)..];
    }
    filled + rest
}

impl Launch {
    /// The whole line, for people: what has spaces in it is quoted.
    pub fn line(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let quoted = |word: &String| {
            let is_plain = !word.is_empty() && !word.contains([' ', '\'', '"']);
            if is_plain { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) }
        };
        words.map(quoted).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(run: &[&str]) -> OwnCommand {
        let run = run.iter().map(|word| format!("'''{word}'''")).collect::<Vec<_>>().join(", ");
        let written = format!("tab = 'users'\nkey = 'Ctrl-t'\ntitle = 'tool'\nrun = [{run}]");
        OwnCommand::read(toml::Value::Table(written.parse().unwrap()), 3).unwrap()
    }

    fn arguments(run: &[&str], name: &str) -> Result<Vec<String>, String> {
        let target = Target::new(7, name);
        command(run).launch(Some(&target), "https://play.example.org/").map(|launch| launch.arguments)
    }

    #[test]
    fn each_argument_stays_one_whatever_a_name_is() {
        let run = ["tool", "--id={id}", "{name}", "at {server}", "{print}{", "{id}{name}"];
        for name in ["Friday night blitz", "$(reboot)", "a; rm -rf /", "{id}", "'\"", "`id`", "x\ny", "*"] {
            let safe = name.replace('\n', "\\n");
            let last = format!("7{safe}");
            let wanted = ["--id=7", safe.as_str(), "at https://play.example.org/", "{print}{", last.as_str()];
            assert_eq!(arguments(&run, name).unwrap(), wanted, "{name}");
        }
        assert_eq!(arguments(&["tool", "{name}"], "\u{1b}]0;evil\u{7}").unwrap(), ["\\u{1b}]0;evil\\u{7}"]);
    }

    #[test]
    fn a_name_is_no_option() {
        for name in ["-rf", "--config=/tmp/x", "-"] {
            assert!(arguments(&["tool", "{name}"], name).unwrap_err().contains("begins with a hyphen"), "{name}");
            assert_eq!(arguments(&["tool", "--", "{name}"], name).unwrap(), ["--", name]);
            assert_eq!(arguments(&["tool", "--of={name}"], name).unwrap(), [format!("--of={name}")]);
        }
        assert!(arguments(&["tool", "{name}", "{name}"], "--").is_err(), "it does not end the options itself");
    }

    #[test]
    fn without_something_chosen_only_what_needs_nothing_runs() {
        let launch = |run: &[&str]| command(run).launch(None, "http://here/").map(|launch| launch.line());
        assert_eq!(launch(&["tool", "a b", "{server}", ""]), Ok("tool 'a b' http://here/ ''".to_owned()));
        for word in ["{id}", "x{name}"] {
            assert!(launch(&["tool", word]).unwrap_err().contains("Nothing is chosen"));
        }
    }

    #[test]
    fn what_cannot_be_used_is_told() {
        let read = |written: &str| OwnCommand::read(toml::Value::Table(written.parse().unwrap()), 1);
        let of = |rest: &str| read(&format!("tab = 'users'\n{rest}")).unwrap_err();
        for (written, told) in [
            ("key = 'x'\ntitle = 'a'", "missing field `run`"),
            ("key = 'x'\ntitle = 'a'\nrun = []", "'run' has no program"),
            ("key = 'x'\ntitle = 'a'\nrun = ['']", "without placeholders"),
            ("key = 'x'\ntitle = 'a'\nrun = ['{name}']", "without placeholders"),
            ("key = 'x'\ntitle = ''\nrun = ['a']", "1 to 30 characters"),
            ("key = 'x'\ntitle = \"\\u001b\"\nrun = ['a']", "1 to 30 characters"),
            ("key = 'Hyper-x'\ntitle = 'a'\nrun = ['a']", "'Hyper-x' is no key"),
            ("key = 'x'\ntitle = 'a'\nrun = 'rm -rf'", "expected a sequence"),
            ("key = 'x'\ntitle = 'a'\nrun = ['a']\nshell = true", "unknown field `shell`"),
        ] {
            assert!(of(written).contains(told), "{written}: {}", of(written));
        }
        assert!(OwnCommand::read(toml::Value::Integer(7), 1).is_err());
        let read = read("tab = 'Users'\nkey = 'x'\ntitle = 'a'\nrun = ['a']\nconfirm = true").unwrap();
        assert!(read.confirm && !read.readonly && read.is_of("Users") && !read.is_of("User"));
    }
}
