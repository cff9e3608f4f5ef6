//! `serve --drill`: a restored server is looked at, and nothing leaves the machine.

use std::path::PathBuf;

use super::{Config, ConfigError, Secret};

/// What operators are told while one runs.
pub const DRILL: &str = "This is a drill: no letters, pushes, webhooks, payments, calendar entries, traces, backups or copies of the audit trail \
                         leave this machine. Letters are in the folder outbox.";

impl Config {
    /// The same server as a drill. It is served to this machine without TLS, and writes nowhere but into its data folder.
    ///
    /// # Errors
    /// Others could reach it, or its data are elsewhere.
    pub fn for_drill(mut self) -> Result<Self, ConfigError> {
        let refuse = |key, reason: String| Err(ConfigError::Together { key, reason });
        let listen = self.server.listen;
        if !listen.ip().is_loopback() {
            let reason = format!("{listen} is reached from other machines; give a drill --listen 127.0.0.1:8099");
            return refuse("server.listen", reason);
        }
        if !self.database_url().folder().is_some_and(|folder| folder.starts_with(&self.data_dir)) {
            let reason = "a drill serves what was restored into data_dir; use the file that the restore wrote";
            return refuse("database.url", reason.to_owned());
        }
        self = self.without_tls();
        self.is_drill = true;
        self.server.public_url = None;
        self.cluster = None;
        self.mail.host.clear();
        self.push.enabled = false;
        self.webhooks.enabled = false;
        self.identity.oidc.client_id.clear();
        self.identity.more_oidc.clear();
        self.billing.secret_key = Secret::from(String::new());
        self.backup.to.clear();
        self.audit.export.clear();
        self.telemetry.otlp = None;
        self.metrics.listen = None;
        if !self.log_dir().is_none_or(|folder| folder.starts_with(&self.data_dir)) {
            self.log.dir = PathBuf::from("{data_dir}").join("logs").to_string_lossy().into_owned();
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_leads_elsewhere() {
        let mut live = Config::default();
        live.server.public_url = Some("https://play.example.org".parse().unwrap());
        live.server.http_listen = Some("0.0.0.0:80".parse().unwrap());
        live.tls.acme.domains = vec!["play.example.org".to_owned()];
        live.mail.host = "smtp.example.org".to_owned();
        live.identity.oidc.client_id = "client".to_owned();
        live.identity.more_oidc.insert("club".to_owned(), live.identity.oidc.clone());
        live.billing.secret_key = "sk_live_1".to_owned().into();
        live.backup.to = "/mnt/backups".to_owned();
        live.audit.export = vec!["/var/log/audit.jsonl".to_owned()];
        live.telemetry.otlp = Some("http://127.0.0.1:4318".parse().unwrap());
        live.metrics.listen = Some("127.0.0.1:9464".parse().unwrap());
        live.log.dir = "/var/log/morpion".to_owned();
        let drill = live.clone().for_drill().unwrap();
        assert!(
            drill.is_drill
                && !drill.tls.is_on()
                && !drill.billing.is_on()
                && !drill.push.enabled
                && !drill.webhooks.enabled
        );
        assert_eq!(drill.public_origin().to_string(), "http://127.0.0.1:8080");
        assert_eq!((drill.server.http_listen, drill.metrics.listen, &drill.telemetry.otlp), (None, None, &None));
        assert_eq!(drill.identity.providers().count(), 0);
        assert_eq!((drill.mail.host, drill.backup.to), <_>::default());
        assert_eq!(drill.audit.export, Vec::<String>::new());
        assert_eq!(drill.log.dir, "{data_dir}/logs");

        let elsewhere =
            Config { database: super::super::Database { url: "surrealkv:///srv/db".to_owned() }, ..live.clone() };
        assert!(elsewhere.for_drill().unwrap_err().to_string().contains("what was restored into data_dir"));
        let open = live.bound_to("0.0.0.0:8080".parse().unwrap());
        assert!(open.for_drill().unwrap_err().to_string().contains("--listen 127.0.0.1:8099"));
    }
}
