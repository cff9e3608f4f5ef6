//! The command line: what the program is asked to do, and how it ends: with one of [`EXIT_CODES`].

mod account;
mod api;
mod audit;
mod backup;
mod billing;
mod cluster;
mod complete;
mod config;
mod doctor;
mod dump;
mod event;
mod mail;
mod moderation;
mod password;
mod passwords;
mod pro;
mod ratings;
mod ready;
mod reload;
mod report;
mod restore;
mod restored;
mod serve;
mod token;
mod upgrade;
mod webhook;

use std::{ffi::OsString, num::NonZeroUsize, path::PathBuf, process::ExitCode};

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::{CompleteEnv, Shell};
use morpion_openapi::document;
use morpion_shell::{
    command_error::{CommandError, EXIT_CODES},
    escape, manual,
    output::{self, Format, print, print_error},
    private_files,
};

use reload::Reloader;
use serve::ServeMode;

use crate::{
    app::App,
    background::QUERY_STACK,
    config::{Config, ConfigError, ConfigSources, DEFAULT_CONFIG, LoadedConfig},
    demo, http,
};

/// Tic-tac-toe on boards of 3 to 6 cells a side: accounts, live games, events. One program, one port.
#[derive(Debug, Parser)]
#[command(name = "morpion", version, after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
struct CommandLine {
    #[command(flatten)]
    settings: Settings,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  morpion serve                 serve http://127.0.0.1:8080, data in ./data
  morpion serve --listen 0.0.0.0:8080 --public-url https://play.example.org
  morpion admin create --email you@example.org --username you
  morpion default-config > morpion.toml         then edit it
  morpion serve --config morpion.toml
  morpion config show           effective values and their sources
  morpion mail test you@example.org
  morpion doctor                check everything the server needs

Every key of the configuration can be given in the file, as
MORPION_SECTION__KEY in the environment, and the most common as flags.
Flags win, then the environment, then the file.";

/// Flags of every command.
#[derive(Debug, Clone, Default, Args)]
struct Settings {
    /// The configuration file [default: ./config/morpion.toml, else /etc/morpion/morpion.toml; $MORPION_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of database, logs and keys [default: ./data; $MORPION_DATA_DIR]
    #[arg(long, global = true, value_name = "FOLDER")]
    data_dir: Option<String>,
    /// The address to listen on, and where commands find the server [default: 127.0.0.1:8080; $MORPION_SERVER__LISTEN]
    #[arg(long, global = true, value_name = "IP:PORT")]
    listen: Option<String>,
    /// The public address, if there is a proxy or a name [$MORPION_SERVER__PUBLIC_URL]
    #[arg(long, global = true, value_name = "URL")]
    public_url: Option<String>,
    /// error, warn, info, debug or trace [default: info; $MORPION_LOG__LEVEL]
    #[arg(long, global = true, value_name = "LEVEL")]
    log_level: Option<String>,
    /// Print JSON, one object per line
    #[arg(long, global = true)]
    json: bool,
    /// Allow pages of this origin to call the server, for developing the web app [$MORPION_SERVER__DEV_ORIGIN]
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    dev_origin: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the web app, the API and live games until SIGTERM or Ctrl-C
    Serve {
        /// Serve a demo on this machine only: accounts, events and simulated players; nothing is kept
        #[arg(long)]
        demo: bool,
        /// Serve restored data to this machine alone: nothing leaves it, neither letters nor payments nor backups
        #[arg(long, conflicts_with = "demo")]
        drill: bool,
        /// Start even if complete records of a damaged log have to be discarded; the log is copied first
        #[arg(long, conflicts_with = "demo")]
        accept_data_loss: bool,
    },
    /// Print every configuration key with its default and a comment
    DefaultConfig,
    /// Show and check the effective configuration
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Create, promote and demote admins, and reset passwords
    #[command(subcommand)]
    Admin(account::AccountCommand),
    /// Send a test email
    #[command(subcommand)]
    Mail(mail::MailCommand),
    /// Check configuration, data, store, mail, provider, payments and clock
    Doctor {
        /// As a drill: see `morpion serve --drill`
        #[arg(long)]
        drill: bool,
    },
    /// Say what this version would change in the data of an earlier one, and try it on a copy
    UpgradeCheck(upgrade::UpgradeCheck),
    /// Import breached passwords
    #[command(subcommand)]
    Passwords(passwords::PasswordsCommand),
    /// Verify events
    #[command(subcommand)]
    Event(event::EventCommand),
    /// Grant, revoke and list Pro
    #[command(subcommand)]
    Pro(pro::ProCommand),
    /// Suspend, rename and delete accounts, lift suspensions, remove pictures
    #[command(subcommand)]
    User(moderation::UserCommand),
    /// List and close what players report about each other
    #[command(subcommand)]
    Report(report::ReportCommand),
    /// Compare plans with Stripe's prices and create missing ones
    #[command(subcommand)]
    Billing(billing::BillingCommand),
    /// Create, list, verify and prune backups
    #[command(subcommand)]
    Backup(backup::BackupCommand),
    /// Of several servers that are one: who leads, who is a member
    #[command(subcommand)]
    Cluster(cluster::ClusterCommand),
    /// Restore a backup into a new folder
    Restore(restore::Restore),
    /// Write all data into one file of JSON lines
    Export(dump::Export),
    /// Make a data folder of the file of an export
    Import(dump::Import),
    /// Verify and export the audit trail
    #[command(subcommand)]
    Audit(audit::AuditCommand),
    /// Verify the ratings
    #[command(subcommand)]
    Ratings(ratings::RatingsCommand),
    /// Tokens for the operator console and for scripts
    #[command(subcommand)]
    Token(token::TokenCommand),
    /// Webhooks: servers that are notified of what happens here
    #[command(subcommand)]
    Webhook(webhook::WebhookCommand),
    /// Print the OpenAPI document
    Openapi {
        /// The AsyncAPI document of the realtime channel instead
        #[arg(long)]
        realtime: bool,
    },
    /// Print a shell's completion script
    Completions { shell: Shell },
    /// Print the manual page, or write one for each command into a folder
    Man {
        /// The folder
        folder: Option<PathBuf>,
    },
    /// Ask the running server whether it is ready; for health checks
    Ready,
}

impl Settings {
    fn load(&self) -> Result<LoadedConfig, ConfigError> {
        self.sources().load()
    }

    fn load_for(&self, drill: bool) -> Result<LoadedConfig, ConfigError> {
        let loaded = self.load()?;
        if !drill {
            return Ok(loaded);
        }
        Ok(LoadedConfig { config: loaded.config.for_drill()?, ..loaded })
    }

    fn sources(&self) -> ConfigSources {
        let mut sources = ConfigSources::from_process();
        sources.file.clone_from(&self.config);
        sources.flags = self.flags().map(|(key, flag, value)| (key, flag, value.to_owned())).collect();
        sources
    }

    /// The given flags for keys of the configuration.
    fn flags(&self) -> impl Iterator<Item = (&'static str, &'static str, &str)> {
        let flags = [
            ("data_dir", "--data-dir", &self.data_dir),
            ("server.listen", "--listen", &self.listen),
            ("server.public_url", "--public-url", &self.public_url),
            ("log.level", "--log-level", &self.log_level),
            ("server.dev_origin", "--dev-origin", &self.dev_origin),
        ];
        flags.into_iter().filter_map(|(key, flag, value)| Some((key, flag, value.as_deref()?)))
    }

    /// Arguments of another process that is to have the same configuration.
    fn arguments(&self) -> Vec<OsString> {
        let file = self.config.iter().flat_map(|file| ["--config".into(), file.clone().into_os_string()]);
        file.chain(self.flags().flat_map(|(_, flag, value)| [flag.into(), value.into()])).collect()
    }
}

/// Everything between the arguments and the exit code.
pub fn main() -> ExitCode {
    private_files::from_now_on();
    // Exits if the shell asks for completions.
    CompleteEnv::with_factory(CommandLine::command).complete();
    let CommandLine { settings, command } = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => return output::end_of_parsing(&error, "morpion"),
    };
    match run(&settings, command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let text = format!("{error:#}");
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            print_error(&format!("morpion: {}", escape::line(&line)));
            match error.downcast_ref::<CommandError>() {
                Some(refusal) => refusal.kind.exit_code(),
                None => ExitCode::from(if error.is::<ConfigError>() { 2 } else { 1 }),
            }
        }
    }
}

fn run(settings: &Settings, command: Command) -> anyhow::Result<()> {
    let format = Format::new(settings.json);
    match command {
        Command::DefaultConfig => Ok(print(DEFAULT_CONFIG)?),
        Command::Openapi { realtime } => {
            let mut document = runtime()?.block_on(openapi())?;
            if realtime {
                document = document::realtime(&document);
            }
            Ok(print(&format!("{document:#}\n"))?)
        }
        Command::Completions { shell } => Ok(print(&manual::completions(shell, "morpion")?)?),
        Command::Man { folder: Some(folder) } => Ok(manual::write_pages(CommandLine::command(), &folder)?),
        Command::Man { folder: None } => Ok(print(&manual::page(CommandLine::command())?)?),
        Command::Ready => runtime()?.block_on(ready::run(&settings.load()?.config, format)),
        Command::Config(command) => config::run(command, &settings.sources(), format),
        Command::Serve { demo: true, .. } => {
            let config = demo::config(settings.load()?.config)?;
            let folder = config.data_dir.clone();
            let served = runtime()?.block_on(serve::run(config, ServeMode::Demo, false, None));
            // Removes uploads.
            let _ = std::fs::remove_dir_all(folder);
            served
        }
        Command::Serve { demo: false, drill, accept_data_loss } => {
            let loaded = settings.load_for(drill)?;
            let reloader = Reloader::new(settings.clone(), &loaded);
            runtime()?.block_on(serve::run(loaded.config, ServeMode::Normal, accept_data_loss, Some(reloader)))
        }
        Command::Admin(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(account::run(command, config, format))
        }
        Command::Mail(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(mail::run(command, config, format))
        }
        Command::Doctor { drill } => {
            let loaded = settings.load_for(drill)?;
            runtime()?.block_on(doctor::run(&loaded, format))
        }
        Command::UpgradeCheck(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(upgrade::run(command, config, format))
        }
        Command::Passwords(command) => passwords::run(command, &settings.load()?.config, format),
        Command::Event(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(event::run(command, config, format))
        }
        Command::Pro(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(pro::run(command, config, format))
        }
        Command::User(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(moderation::run(command, config, format))
        }
        Command::Report(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(report::run(command, config, format))
        }
        Command::Billing(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(billing::run(command, config, format))
        }
        Command::Backup(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(backup::run(command, config, format))
        }
        Command::Cluster(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(cluster::run(command, config, format))
        }
        Command::Restore(restore) => {
            let config = settings.load()?.config;
            runtime()?.block_on(restore::run(restore, config, format))
        }
        Command::Export(export) => {
            let config = settings.load()?.config;
            runtime()?.block_on(dump::export(export, config, format))
        }
        Command::Import(import) => {
            let config = settings.load()?.config;
            runtime()?.block_on(dump::import(import, config, format))
        }
        Command::Audit(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(audit::run(command, config, format))
        }
        Command::Ratings(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(ratings::run(command, config, format))
        }
        Command::Token(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(token::run(command, config, format))
        }
        Command::Webhook(command) => {
            let config = settings.load()?.config;
            runtime()?.block_on(webhook::run(command, config, format))
        }
    }
}

/// Worker threads in addition to one per core, so that moves do not wait for a task that occupies its thread for
/// milliseconds. No more: the thread that merges tables of the store gets no larger share of a busy core than each of these.
const SPARE_THREADS: usize = 1;

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("play")
        .worker_threads(cores + SPARE_THREADS)
        // Urgent queries run here too.
        .thread_stack_size(QUERY_STACK)
        .build()?;
    Ok(runtime)
}

/// The document is generated from the routes, so it needs a server; one in memory is enough.
async fn openapi() -> anyhow::Result<serde_json::Value> {
    let mut config = Config::default();
    config.database.url = "mem://".to_owned();
    let app = App::build(config).await?;
    Ok(http::openapi_document(&app))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn no_password_can_be_given_as_an_argument() {
        for command in [&["admin", "create"][..], &["admin", "reset-password", "ann"]] {
            let arguments = ["morpion"].iter().chain(command).chain(&["--password", "secret"]);
            let error = CommandLine::try_parse_from(arguments).unwrap_err();
            assert_eq!(error.kind(), clap::error::ErrorKind::UnknownArgument);
        }
    }

    #[test]
    fn help_shows_examples_and_every_command() {
        let help = CommandLine::command().render_help().to_string();
        for word in [
            "serve",
            "event",
            "default-config",
            "config",
            "admin",
            "passwords",
            "token",
            "mail",
            "doctor",
            "openapi",
            "completions",
            "man",
            "ready",
            "pro",
            "billing",
            "audit",
            "upgrade-check",
            "backup",
            "cluster",
            "restore",
            "Examples:",
            "Exit codes:",
        ] {
            assert!(help.contains(word), "{word}");
        }
    }

    #[test]
    fn flags_reach_the_configuration() {
        let line = ["morpion", "serve", "--listen", "127.0.0.1:9", "--data-dir", "/d", "--log-level", "debug"];
        let settings = CommandLine::parse_from(line).settings;
        let config = settings.load().unwrap().config;
        assert_eq!(config.server.listen.port(), 9);
        assert_eq!(config.data_dir, PathBuf::from("/d"));
        assert_eq!(config.log.level, "debug");
    }
}
