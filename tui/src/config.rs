//! Settings: flags beat environment, environment beats file, file beats defaults.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use morpion_shell::{
    environment,
    terminal::{has_colours, has_unicode},
};
use reqwest::{Url, header::HeaderValue};
use serde::Deserialize;
use toml::Spanned;

use crate::{
    kept,
    keymap::{ChosenKeys, KeyAction, KeyList},
    own_commands::OwnCommand,
    theme::Palette,
    token::TokenSource,
};

// What is given on the command line or by the environment. (Not a doc comment: it would be the program's description.)
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Flags {
    /// The server's address [default: http://127.0.0.1:8080]
    #[arg(long, global = true, value_name = "URL", env = "MORPION_TUI_SERVER")]
    pub server: Option<String>,

    /// The operator token. Other users of this machine can see it; --token-file hides it
    #[arg(long, global = true, value_name = "TOKEN", env = "MORPION_TUI_TOKEN", hide_env_values = true)]
    pub token: Option<String>,

    /// A file with the operator token
    #[arg(long, global = true, value_name = "FILE", env = "MORPION_TUI_TOKEN_FILE")]
    pub token_file: Option<PathBuf>,

    /// The name of a server in the configuration
    #[arg(long, global = true, value_name = "NAME", env = "MORPION_TUI_PROFILE")]
    pub profile: Option<String>,

    /// The Host header, if the server is reached by another address than its own: through a
    /// tunnel, the address it listens on or its public name
    #[arg(long, global = true, value_name = "HOST[:PORT]", env = "MORPION_TUI_HOST_HEADER")]
    pub host_header: Option<String>,

    /// Read-only: change nothing on the server
    #[arg(long, global = true)]
    pub readonly: bool,

    /// Leave the mouse to the terminal
    #[arg(long)]
    pub no_mouse: bool,

    /// Draw without colours; a non-empty NO_COLOR and TERM=dumb do the same
    #[arg(long)]
    pub no_color: bool,

    /// The colours; auto detects them from the terminal
    #[arg(long, value_enum, value_name = "THEME")]
    pub theme: Option<Palette>,

    /// Draw with ASCII characters only; a locale that is not UTF-8 (LC_ALL=C) and TERM=dumb do the same
    #[arg(long)]
    pub ascii: bool,

    /// The configuration file [default: ./config/morpion-tui.toml, else
    /// ~/.config/morpion/morpion-tui.toml, else /etc/morpion/morpion-tui.toml, else none]
    #[arg(long, global = true, value_name = "FILE", env = "MORPION_TUI_CONFIG")]
    pub config: Option<PathBuf>,
}

/// The configuration file with every key and its default.
pub const SAMPLE: &str = include_str!("../../config/morpion-tui.toml");

/// The configuration file's content.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct File {
    pub server: String,
    /// Empty: searched in the default places.
    pub token_file: PathBuf,
    /// Empty: that of `server`.
    pub host_header: String,
    /// The name of one of `servers`; empty: `server`.
    pub profile: String,
    pub readonly: bool,
    pub theme: Palette,
    pub no_color: bool,
    pub ascii: bool,
    pub mouse: bool,
    pub remember: bool,
    pub keys: BTreeMap<String, Spanned<toml::Value>>,
    /// Those of [`File::keys`] that can be used.
    #[serde(skip)]
    pub chosen_keys: ChosenKeys,
    pub commands: Vec<Spanned<toml::Value>>,
    /// Those of [`File::commands`] that can be read.
    #[serde(skip)]
    pub own_commands: Vec<OwnCommand>,
    /// What cannot be used, with its line, counted from 1.
    #[serde(skip)]
    pub problems: Vec<(usize, String)>,
    /// By name.
    pub servers: BTreeMap<String, Profile>,
}

/// A named server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub server: String,
    /// Empty: searched in the default places, for a server on this machine only.
    #[serde(default)]
    pub token_file: PathBuf,
    /// Empty: that of `server`.
    #[serde(default)]
    pub host_header: String,
    #[serde(default)]
    pub readonly: bool,
}

impl Default for File {
    fn default() -> Self {
        Self {
            server: "http://127.0.0.1:8080".to_owned(),
            token_file: PathBuf::new(),
            host_header: String::new(),
            profile: String::new(),
            readonly: false,
            theme: Palette::Auto,
            no_color: false,
            ascii: false,
            mouse: true,
            remember: true,
            keys: BTreeMap::new(),
            chosen_keys: ChosenKeys::default(),
            commands: vec![],
            own_commands: vec![],
            problems: vec![],
            servers: BTreeMap::new(),
        }
    }
}

/// What the console runs with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `http` or `https`, with a host, without a path.
    pub server: Url,
    /// The Host header, if it differs from the host of `server`.
    pub host_header: Option<HeaderValue>,
    pub token: TokenSource,
    /// Never [`Palette::Auto`].
    pub palette: Palette,
    pub ascii: bool,
    pub mouse: bool,
    /// Refuses everything that would change the server.
    pub is_read_only: bool,
    /// The name of the server in the configuration, if it has one.
    pub profile: Option<String>,
    /// The names of all servers in the configuration.
    pub profiles: Vec<String>,
    pub keys: ChosenKeys,
    /// The operator's own.
    pub commands: Vec<OwnCommand>,
    /// Where it is kept what was open.
    pub kept: Option<PathBuf>,
    /// The configuration file.
    pub file: Option<PathBuf>,
    /// What in it cannot be used, with its line, counted from 1. The defaults hold there.
    pub problems: Vec<(usize, String)>,
}

/// The settings cannot be used.
#[derive(Debug)]
pub struct Misconfigured(pub String);

impl std::fmt::Display for Misconfigured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misconfigured {}

impl Settings {
    /// # Errors
    /// An unreadable or invalid file; an invalid address.
    pub fn resolve(flags: &Flags) -> anyhow::Result<Self> {
        let read = || {
            if let Err(variable) = environment::variables(std::env::vars_os()) {
                bail!(
                    "the environment: {variable} is not UTF-8, so that it cannot be read; write it anew, or unset it"
                );
            }
            let path = find_file(flags.config.as_deref());
            let file = path.as_deref().map_or_else(|| Ok(File::default()), read_file)?;
            let settings = Self::merge(flags, file, &|name| std::env::var(name).ok())?;
            Ok(Self { file: path, ..settings })
        };
        read().map_err(|error: anyhow::Error| Misconfigured(format!("{error:#}")).into())
    }

    fn merge(flags: &Flags, file: File, env: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Self> {
        // An address on the command line is that address, whatever the file's profile is.
        let wanted = match (&flags.profile, &flags.server) {
            (Some(name), _) => Some(name.clone()),
            (None, Some(_)) => None,
            (None, None) => Some(file.profile.clone()).filter(|name| !name.is_empty()),
        };
        let profiles: Vec<_> = file.servers.keys().cloned().collect();
        let profile = match &wanted {
            Some(name) => Some(file.servers.get(name).with_context(|| {
                let known = if profiles.is_empty() { "none".to_owned() } else { profiles.join(", ") };
                format!("no server is called '{name}' in the configuration; there are: {known}")
            })?),
            None => None,
        };
        let (address, token_file, named) = match (profile, &flags.server) {
            (Some(profile), _) => (&profile.server, &profile.token_file, profile.host_header.as_str()),
            // The file's name is that of the file's server.
            (None, Some(server)) => (server, &file.token_file, ""),
            (None, None) => (&file.server, &file.token_file, file.host_header.as_str()),
        };
        let server = parse_server(address)?;
        let named = flags.host_header.as_deref().unwrap_or(named);
        let host_header = if named.is_empty() { None } else { Some(parse_host(named)?) };
        let token = if let Some(token) = &flags.token {
            TokenSource::Given(token.clone())
        } else if let Some(path) = &flags.token_file {
            TokenSource::File(path.clone())
        } else if !token_file.as_os_str().is_empty() {
            TokenSource::File(token_file.clone())
        } else if is_this_machine(&server) {
            TokenSource::local(env("MORPION_DATA_DIR").map(PathBuf::from))
        } else {
            TokenSource::Remote
        };
        let no_color = flags.no_color || file.no_color || !has_colours(env);
        let palette = if no_color { Palette::None } else { flags.theme.unwrap_or(file.theme).settle(env) };
        Ok(Self {
            server,
            host_header,
            token,
            palette,
            ascii: flags.ascii || file.ascii || !has_unicode(env),
            mouse: file.mouse && !flags.no_mouse,
            is_read_only: flags.readonly || file.readonly || profile.is_some_and(|profile| profile.readonly),
            profile: wanted,
            profiles,
            keys: file.chosen_keys,
            commands: file.own_commands,
            kept: file.remember.then(|| kept::path(env)).flatten(),
            file: None,
            problems: file.problems,
        })
    }

    /// What in the configuration file cannot be used, for the operator: the file, and a sentence for each line. Empty if
    /// all can be used.
    pub fn told_problems(&self) -> Vec<String> {
        let Some(file) = self.file.as_ref().filter(|_| !self.problems.is_empty()) else { return vec![] };
        let mut problems = self.problems.clone();
        problems.sort();
        let told = problems.into_iter().map(|(line, text)| format!("line {line}: {text}."));
        std::iter::once(format!("{}:", file.display())).chain(told).collect()
    }

    /// The server in the file of what was open: two that are reached by one address differ in the host.
    pub fn server_key(&self) -> String {
        match &self.host_header {
            Some(host) => format!("{} {}", self.server, host.to_str().unwrap_or_default()),
            None => self.server.to_string(),
        }
    }

    /// The server's name for the header: its name in the configuration, or host and port.
    pub fn server_name(&self) -> String {
        if let Some(profile) = &self.profile {
            return profile.clone();
        }
        let host = self.server.host_str().unwrap_or_default();
        match self.server.port_or_known_default() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }
}

fn parse_server(text: &str) -> anyhow::Result<Url> {
    let text = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let mut url = Url::parse(&text).with_context(|| format!("'{text}' is no address such as http://127.0.0.1:8080"))?;
    ensure!(
        matches!(url.scheme(), "http" | "https"),
        "the server's address begins with http:// or https://, not {}://",
        url.scheme()
    );
    ensure!(
        url.username().is_empty() && url.password().is_none(),
        "the server's address has no name or password in it"
    );
    if url.host_str().is_none() {
        bail!("'{text}' names no host");
    }
    url.set_path("/");
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

/// `HOST` or `HOST:PORT`, as in a URL.
fn parse_host(text: &str) -> anyhow::Result<HeaderValue> {
    let is_host = Url::parse(&format!("http://{text}")).is_ok_and(|url| {
        url.has_host()
            && url.path() == "/"
            && url.query().is_none()
            && url.username().is_empty()
            && !text.ends_with('/')
    });
    ensure!(is_host, "'{text}' is no name such as play.example.org or 127.0.0.1:8080");
    HeaderValue::from_str(text).with_context(|| format!("'{text}' cannot stand in a request"))
}

fn is_this_machine(server: &Url) -> bool {
    let host = server.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn find_file(named: Option<&Path>) -> Option<PathBuf> {
    if let Some(path) = named {
        return Some(path.to_owned());
    }
    let home = std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".config")));
    [Some("config".into()), home.map(|home| home.join("morpion")), Some("/etc/morpion".into())]
        .into_iter()
        .flatten()
        .map(|folder: PathBuf| folder.join("morpion-tui.toml"))
        .find(|path| path.is_file())
}

fn read_file(path: &Path) -> anyhow::Result<File> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("the configuration {} cannot be read", path.display()))?;
    parse(&text).with_context(|| format!("the configuration {} cannot be used", path.display()))
}

fn parse(text: &str) -> Result<File, toml::de::Error> {
    let mut file: File = toml::from_str(text)?;
    let line = |at: usize| text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
    let mut chosen = vec![];
    for (name, keys) in &file.keys {
        let line = line(keys.span().start);
        match read_keys(name, keys.get_ref()) {
            Ok((action, keys)) => chosen.push((action, keys, line)),
            Err(why) => file.problems.push((line, why)),
        }
    }
    file.chosen_keys = ChosenKeys::new(chosen);
    for command in std::mem::take(&mut file.commands) {
        let line = line(command.span().start);
        match OwnCommand::read(command.into_inner(), line) {
            Ok(command) => file.own_commands.push(command),
            Err(why) => file.problems.push((line, why)),
        }
    }
    Ok(file)
}

/// A line of `[keys]`.
fn read_keys(name: &str, keys: &toml::Value) -> Result<(KeyAction, KeyList), String> {
    let Some(action) = KeyAction::named(name) else {
        return Err(format!("there is no action '{name}'; `morpion-tui default-config` names them all"));
    };
    let keys = keys.as_str().ok_or_else(|| format!("the keys of '{name}' are a text such as \"F5 r\""))?;
    Ok((action, keys.parse()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(flags: &Flags, file: &str, env: &[(&str, &str)]) -> anyhow::Result<Settings> {
        let env = |name: &str| env.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Settings::merge(flags, parse(file)?, &env)
    }

    #[test]
    fn the_sample_configuration_equals_the_defaults() {
        assert_eq!(toml::from_str::<File>(SAMPLE).unwrap(), File::default());
        let table: toml::Table = SAMPLE.parse().unwrap();
        assert_eq!(table.len(), 12, "every key stands in the sample");
    }

    #[test]
    fn flags_beat_the_file_and_the_file_beats_the_defaults() {
        let none = merged(&Flags::default(), "", &[]).unwrap();
        assert_eq!(none.server_name(), "127.0.0.1:8080");
        let file = merged(&Flags::default(), "server = 'https://play.example.org/x?y'\nascii = true", &[]).unwrap();
        assert_eq!((file.server_name().as_str(), file.ascii), ("play.example.org:443", true));
        let flags = Flags { server: Some("localhost:9000".to_owned()), ..Flags::default() };
        assert_eq!(merged(&flags, "server = 'https://play.example.org'", &[]).unwrap().server_name(), "localhost:9000");
    }

    #[test]
    fn servers_can_be_chosen_by_name() {
        let file = "profile = 'here'\n[servers.here]\nserver = 'http://127.0.0.1:9000'\n[servers.production]\n\
                    server = 'https://play.example.org'\ntoken_file = '/run/token'\nreadonly = true";
        let here = merged(&Flags::default(), file, &[]).unwrap();
        assert_eq!((here.server_name().as_str(), here.is_read_only), ("here", false));
        assert_eq!(here.profiles, ["here", "production"]);
        let flags = Flags { profile: Some("production".to_owned()), ..Flags::default() };
        let there = merged(&flags, file, &[]).unwrap();
        assert_eq!((there.server.as_str(), there.is_read_only), ("https://play.example.org/", true));
        assert_eq!(there.token, TokenSource::File("/run/token".into()));
        let flags = Flags { server: Some("localhost:1".to_owned()), ..Flags::default() };
        assert_eq!(merged(&flags, file, &[]).unwrap().server_name(), "localhost:1", "an address is an address");
        let flags = Flags { profile: Some("staging".to_owned()), ..Flags::default() };
        let error = merged(&flags, file, &[]).unwrap_err().to_string();
        assert!(error.contains("'staging'") && error.contains("here, production"), "{error}");
    }

    #[test]
    fn a_local_token_is_never_sent_to_another_machine() {
        let here =
            merged(&Flags::default(), "server = 'http://[::1]:8080'", &[("MORPION_DATA_DIR", "/srv/m")]).unwrap();
        let TokenSource::Search(paths) = here.token else { panic!("{:?}", here.token) };
        assert_eq!(
            paths,
            ["/srv/m/operator.token", "./data/operator.token", "/var/lib/morpion/operator.token"].map(PathBuf::from)
        );
        let there = merged(&Flags::default(), "server = 'https://play.example.org'", &[("MORPION_DATA_DIR", "/srv/m")])
            .unwrap();
        assert_eq!(there.token, TokenSource::Remote);
    }

    #[test]
    fn the_host_header_can_be_set() {
        let file = "[servers.tunnel]\nserver = 'http://127.0.0.1:9000'\nhost_header = 'play.example.org'";
        let flags = |host: Option<&str>| Flags {
            profile: Some("tunnel".to_owned()),
            host_header: host.map(str::to_owned),
            ..Flags::default()
        };
        let header = |flags: &Flags| merged(flags, file, &[]).map(|settings| settings.host_header);
        assert_eq!(header(&flags(None)).unwrap().unwrap(), "play.example.org");
        assert_eq!(header(&flags(Some("127.0.0.1:8080"))).unwrap().unwrap(), "127.0.0.1:8080", "the flag wins");
        assert_eq!(merged(&Flags::default(), "", &[]).unwrap().host_header, None);
        for wrong in ["http://x", "a/b", "a b", "x\r\ny: z"] {
            assert!(header(&flags(Some(wrong))).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn what_was_open_is_kept_for_each_server_unless_it_is_switched_off() {
        let home: &[(&str, &str)] = &[("HOME", "/home/ada")];
        let settings = merged(&Flags::default(), "server = 'https://play.example.org'", home).unwrap();
        assert_eq!(settings.kept, Some("/home/ada/.local/state/morpion/console.json".into()));
        assert_eq!(settings.server_key(), "https://play.example.org/");
        let tunnel = merged(&Flags::default(), "host_header = 'play.example.org'", home).unwrap();
        assert_eq!(tunnel.server_key(), "http://127.0.0.1:8080/ play.example.org");
        assert_eq!(merged(&Flags::default(), "remember = false", home).unwrap().kept, None);
    }

    #[test]
    fn the_environment_says_what_the_terminal_shows() {
        let flags = Flags { theme: Some(Palette::Chalk), ..Flags::default() };
        assert_eq!(merged(&flags, "", &[("NO_COLOR", "1")]).unwrap().palette, Palette::None);
        assert_eq!(merged(&flags, "", &[("NO_COLOR", "")]).unwrap().palette, Palette::Chalk);
        assert_eq!(merged(&Flags::default(), "no_color = true", &[]).unwrap().palette, Palette::None);
        let dumb = merged(&flags, "", &[("TERM", "dumb")]).unwrap();
        assert_eq!((dumb.palette, dumb.ascii), (Palette::None, true));
        let plain = merged(&flags, "", &[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]).unwrap();
        assert_eq!((plain.palette, plain.ascii), (Palette::Chalk, true));
    }

    #[test]
    fn keys_that_cannot_be_used_are_told_with_their_line_and_the_others_hold() {
        for (keys, wanted) in [
            ("refres = 'R'", "there is no action 'refres'"),
            ("refresh = 'Hyper-r'", "'Hyper-r' is no key"),
            ("refresh = ' '", "an action needs a key"),
            ("refresh = 'Ctrl-c'", "always quits"),
            ("refresh = 'Ctrl-j'", "cannot tell"),
            ("refresh = 'F13'", "no key"),
            ("refresh = '\u{200b}'", "no key"),
            ("refresh = 5", "the keys of 'refresh' are a text"),
            ("refresh = ['F5']", "the keys of 'refresh' are a text"),
            ("back = 'b'", "there is no action 'back'"),
        ] {
            let file = format!("server = 'localhost:1'\n[keys]\npalette = 'Ctrl-p :'\n{keys}");
            let settings = merged(&Flags::default(), &file, &[]).unwrap();
            let settings = Settings { file: Some("/etc/morpion/morpion-tui.toml".into()), ..settings };
            let told = settings.told_problems();
            let [file, problem] = &told[..] else { panic!("{keys}: {told:?}") };
            assert_eq!(file, "/etc/morpion/morpion-tui.toml:");
            assert!(problem.starts_with("line 4: ") && problem.contains(wanted), "{keys}: {problem}");
            assert_eq!(settings.keys.name(KeyAction::Palette, true), "Ctrl-p");
            assert_eq!(settings.keys.name(KeyAction::Refresh, true), "r");
            assert_eq!(settings.server_name(), "localhost:1");
        }
        let all = "[keys]\nrefresh = 'F5 Alt-r R Space PgDn Shift-Tab Ctrl-R é'";
        assert_eq!(merged(&Flags::default(), all, &[]).unwrap().told_problems(), [""; 0]);
        assert!(merged(&Flags::default(), "readonly = true\n[keys\nrefresh = 'F5'", &[]).is_err(), "it says readonly");
    }

    #[test]
    fn own_commands_are_read_and_those_that_cannot_be_used_are_told_with_their_line() {
        let file = "[[commands]]\ntab = 'users'\nkey = 'Ctrl-t'\ntitle = 'tool'\nrun = ['tool', '{id}']\n\n\
                    [[commands]]\ntab = 'users'\nkey = 'Ctrl-t'\ntitle = 'tool'\nrun = 'tool {id}'\n";
        let settings = merged(&Flags::default(), file, &[]).unwrap();
        assert_eq!(settings.commands.iter().map(|command| command.line).collect::<Vec<_>>(), [1]);
        let [(7, why)] = &settings.problems[..] else { panic!("{:?}", settings.problems) };
        assert!(why.contains("expected a sequence"), "{why}");
        let example: String = SAMPLE
            .lines()
            .skip_while(|line| !line.starts_with("#   [[commands]]"))
            .take_while(|line| line.starts_with("#   "))
            .map(|line| format!("{}\n", &line[4..]))
            .collect();
        let settings = merged(&Flags::default(), &example, &[]).unwrap();
        assert_eq!((settings.commands.len(), settings.problems), (2, vec![]), "the examples can be used");
    }

    #[test]
    fn the_sample_names_every_action() {
        use serde::de::{IntoDeserializer, value::StrDeserializer};
        let name: StrDeserializer<'_, serde::de::value::Error> = "x".into_deserializer();
        let error = KeyAction::deserialize(name).unwrap_err().to_string();
        let names: Vec<_> = error.split("expected one of").nth(1).unwrap().split('`').skip(1).step_by(2).collect();
        assert!(names.len() > 30, "{error}");
        for name in names {
            assert!(SAMPLE.split([' ', ',', '\n', '.']).any(|word| word == name), "{name}");
        }
    }

    #[test]
    fn configuration_errors_are_readable() {
        let unknown = merged(&Flags::default(), "sever = 'x'", &[]).unwrap_err();
        assert!(format!("{unknown:#}").contains("unknown field `sever`"), "{unknown:#}");
        for wrong in ["ftp://x", "http://", "http://me:secret@host"] {
            let flags = Flags { server: Some(wrong.to_owned()), ..Flags::default() };
            assert!(merged(&flags, "", &[]).is_err(), "{wrong}");
        }
    }
}
