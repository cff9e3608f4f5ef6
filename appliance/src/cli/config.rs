//! `morpion config show|check`.

use clap::Subcommand;
use morpion_shell::output::Format;
use serde_json::json;

use crate::{
    account,
    config::{ClusterConfig, Config, ConfigSources, LoadedConfig, MailSecurity, Origin},
    tls,
};

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print every effective value with its source; secrets are hidden
    Show,
    /// Check the configuration; exits with 2 if it is invalid
    Check,
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
