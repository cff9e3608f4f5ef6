//! `morpion config show|check|migrate`.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow};
use chrono::Utc;
use clap::Subcommand;
use morpion_shell::{escape, output::Format};
use serde::Serialize;
use serde_json::json;

use crate::{
    account,
    config::{
        ClusterConfig, Config, ConfigSources, LoadedConfig, MailSecurity, Origin,
        renamed::{self, Change, RENAMED, Renamed, new_name},
        variable_of,
    },
    tls,
};

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print every effective value with its source; secrets are hidden
    Show,
    /// Check the configuration; exits with 2 if it is invalid
    Check,
    /// Say which keys of the file have new names, and change them with --write
    Migrate {
        /// The file [default: the one that the server reads]
        file: Option<PathBuf>,
        /// Change the file; a copy of it is kept beside it
        #[arg(long)]
        write: bool,
    },
}

/// What `migrate` found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Migrated {
    file: Option<PathBuf>,
    changes: Vec<Change>,
    /// Variables to set under other names: the old one and the new one.
    environment: Vec<(String, String)>,
    /// The file as it was, if it was changed.
    copy: Option<PathBuf>,
}

/// # Errors
/// A file that the configuration names cannot be used; the output could not be written.
pub fn run(command: ConfigCommand, sources: &ConfigSources, format: Format) -> anyhow::Result<()> {
    match command {
        ConfigCommand::Show => {
            let loaded = sources.load()?;
            format.print_rows(&loaded.settings, |_| show(&loaded))?;
        }
        ConfigCommand::Check => check(&sources.load()?, format)?,
        // The file may be one that this version refuses.
        ConfigCommand::Migrate { file, write } => {
            let sources = ConfigSources { file: file.or_else(|| sources.file.clone()), ..sources.clone() };
            format.print(&migrate(&sources, RENAMED, write)?, describe)?;
        }
    }
    Ok(())
}

fn check(loaded: &LoadedConfig, format: Format) -> anyhow::Result<()> {
    account::check_files(&loaded.config)?;
    tls::check(&loaded.config)?;
    let notes = warnings(&loaded.config);
    let origin = loaded.config.public_origin().to_string();
    let checked = json!({ "file": loaded.file, "serves": origin, "notes": notes });
    Ok(format.print(&checked, |_| {
        let file = loaded.file.as_ref().map_or("no file".to_owned(), |file| file.display().to_string());
        let notes = notes.iter().map(|note| format!("Note: {note}\n")).collect::<String>();
        format!("The configuration is fine ({file}); it serves {origin}.\n{notes}")
    })?)
}

fn migrate(sources: &ConfigSources, renamed: &[Renamed], write: bool) -> anyhow::Result<Migrated> {
    let found = sources.file_text()?;
    let (mut changes, mut copy) = (vec![], None);
    if let Some((path, text)) = &found {
        let (changed, made) =
            renamed::migrate(text, renamed).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        if write && !made.is_empty() {
            copy = Some(replace(path, &changed).with_context(|| format!("{} cannot be written", path.display()))?);
        }
        changes = made;
    }
    let old_variable = |(key, name): (String, &str)| Some((name.to_owned(), variable_of(&new_name(renamed, &key)?.0)));
    let environment = sources.environment_keys().filter_map(old_variable).collect();
    Ok(Migrated { file: found.map(|(path, _)| path), changes, environment, copy })
}

/// Writes a file that keeps its owner and mode, and returns the copy of what it was.
fn replace(path: &Path, text: &str) -> std::io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let copy = path.with_file_name(format!("{name}.before-{}", Utc::now().format("%Y%m%dT%H%M%SZ")));
    fs::copy(path, &copy)?;
    fs::File::open(&copy)?.sync_all()?;
    let mut file = fs::File::options().write(true).truncate(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(copy)
}

fn describe(migrated: &Migrated) -> String {
    let Migrated { file, changes, environment, copy } = migrated;
    let file = file.as_ref().map_or("no file".to_owned(), |file| file.display().to_string());
    let mut lines: Vec<String> =
        changes.iter().map(|Change { old, new, since }| format!("  {old} is {new} since {since}")).collect();
    match (changes.is_empty(), copy) {
        (true, _) => lines.push(format!("Every key has its current name ({file}).")),
        (false, None) => lines.insert(0, format!("{file} has keys with old names; change them with --write:")),
        (false, Some(copy)) => {
            lines.insert(0, format!("{file} was changed; as it was, it is at {}:", copy.display()));
        }
    }
    lines.extend(environment.iter().map(|(old, new)| format!("Set {new} instead of {old}.")));
    lines.iter().map(|line| format!("{}\n", escape::line(line))).collect()
}

/// Sources are aligned in a column, except after values longer than this.
const WIDEST: usize = 80;

fn show(loaded: &LoadedConfig) -> String {
    let width = loaded.settings.iter().map(|setting| setting.key.len() + setting.value.len() + 3).max().unwrap_or(0);
    let width = width.min(WIDEST);
    let lines = loaded.settings.iter().map(|setting| {
        let assignment = format!("{} = {}", setting.key, setting.value);
        format!("{assignment:width$}  # {}\n", setting.source)
    });
    lines.collect()
}

/// Settings that work, but perhaps not as intended.
pub(super) fn warnings(config: &Config) -> Vec<String> {
    let mut warnings = Vec::new();
    let server = &config.server;
    let is_open = !server.listen.ip().is_loopback();
    if is_open && server.public_url.is_none() {
        let text = "others can reach this server only by an IP address; set server.public_url to the address they type";
        warnings.push(text.to_owned());
    }
    let is_plain = |url: &Origin| !url.is_secure() && !is_loopback(url.host().trim_matches(['[', ']']));
    if !config.is_secure() && (is_open || server.public_url.as_ref().is_some_and(is_plain)) {
        warnings.push(
            "passwords travel unencrypted; set [tls], or put a proxy with HTTPS in front and its address into \
             server.public_url"
                .to_owned(),
        );
    }
    if config.is_secure() && !config.tls.is_on() && server.trusted_proxies.is_empty() {
        let text = "behind a proxy everybody shares its address and its limits; name it in server.trusted_proxies";
        warnings.push(text.to_owned());
    }
    if config.metrics.listen.is_some_and(|listen| !listen.ip().is_loopback()) {
        warnings.push("whoever reaches metrics.listen can read the metrics; keep it in a private network".to_owned());
    }
    if config.cluster.as_ref().is_some_and(ClusterConfig::is_exposed) {
        warnings
            .push("all data travel unencrypted to NATS; begin the addresses of cluster.nats with tls://".to_owned());
    }
    if config.cluster.as_ref().is_some_and(|cluster| cluster.closed_network) {
        let text = "a NATS that asks for no credentials gives all data to whoever reaches it; give it a user, and remove \
                    cluster.closed_network";
        warnings.push(text.to_owned());
    }
    if config.storage.warn_free < config.storage.stop_free {
        warnings
            .push("storage.warn_free is below storage.stop_free, so a disk that fills up is not announced".to_owned());
    }
    let mail = &config.mail;
    if !mail.host.is_empty() && mail.security == MailSecurity::None && !is_loopback(&mail.host) {
        warnings.push("mails and their codes travel unencrypted; set mail.security to starttls or tls".to_owned());
    }
    warnings
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigSources;

    #[test]
    fn every_value_is_shown_with_its_source() {
        let sources = ConfigSources {
            flags: vec![("server.listen", "--listen", "127.0.0.1:9".to_owned())],
            ..ConfigSources::default()
        };
        let text = show(&sources.load().unwrap());
        let line = text.lines().find(|line| line.starts_with("server.listen")).unwrap();
        assert!(line.starts_with("server.listen = \"127.0.0.1:9\" ") && line.ends_with("# --listen"), "{line}");
        assert!(text.lines().any(|line| line.starts_with("log.keep_files = 14") && line.ends_with("# default")));
    }

    #[test]
    fn old_keys_are_told_and_changed_with_a_copy() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("morpion.toml");
        let text = "# Ours.\n[server]\naddress = \"127.0.0.1:9\"\n";
        fs::write(&file, text).unwrap();
        let sources = ConfigSources {
            file: Some(file.clone()),
            environment: vec![("MORPION_SERVER__ADDRESS".to_owned(), "127.0.0.1:8".to_owned())],
            ..ConfigSources::default()
        };
        let moved = &[Renamed { old: "server.address", new: "server.listen", since: "0.2.0" }];

        let told = describe(&migrate(&sources, moved, false).unwrap());
        assert!(told.contains("has keys with old names; change them with --write:\n"), "{told}");
        assert!(told.contains("  server.address is server.listen since 0.2.0\n"), "{told}");
        assert!(told.contains("Set MORPION_SERVER__LISTEN instead of MORPION_SERVER__ADDRESS.\n"), "{told}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "nothing is written unasked");

        let migrated = migrate(&sources, moved, true).unwrap();
        assert_eq!(fs::read_to_string(migrated.copy.unwrap()).unwrap(), text);
        assert_eq!(fs::read_to_string(&file).unwrap(), "# Ours.\n[server]\nlisten = \"127.0.0.1:9\"\n");
        let again = migrate(&sources, moved, true).unwrap();
        assert_eq!((again.changes.len(), again.copy.is_none()), (0, true));

        fs::write(&file, "[server\n").unwrap();
        let refused = migrate(&sources, moved, true).unwrap_err().to_string();
        assert!(refused.contains("morpion.toml: "), "{refused}");
    }

    #[test]
    fn settings_that_expose_the_server_are_noted() {
        assert_eq!(warnings(&Config::default()), Vec::<String>::new());
        let open = Config::default().bound_to("0.0.0.0:80".parse().unwrap());
        assert_eq!(warnings(&open).len(), 2);
        let mut proxied = Config::default();
        proxied.server.public_url = Some("https://play.example.org".parse().unwrap());
        assert!(warnings(&proxied)[0].contains("server.trusted_proxies"));
        let mut watched = Config::default();
        watched.metrics.listen = Some("127.0.0.1:9464".parse().unwrap());
        assert_eq!(warnings(&watched), Vec::<String>::new());
        watched.metrics.listen = Some("0.0.0.0:9464".parse().unwrap());
        assert!(warnings(&watched)[0].contains("metrics.listen"));
    }
}
