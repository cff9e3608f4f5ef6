//! What a running server takes from a changed configuration on SIGHUP: see `docs/behaviour/storage.md#reloading`.

use std::{ffi::OsString, sync::Arc};

use morpion_shell::escape;
use tokio::signal::unix::Signal;

use super::Settings;
use crate::{
    app::App,
    config::{LoadedConfig, Setting},
    logging::Logging,
};

/// The keys that need no restart, besides what the files of `[tls]` contain.
const RELOADABLE: [&str; 2] = ["identity.reserved_names_file", "log.level"];

/// Where the configuration is read again from, and what of it is in effect.
pub struct Reloader {
    settings: Settings,
    effective: Vec<Setting>,
}

impl Reloader {
    pub(super) fn new(settings: Settings, loaded: &LoadedConfig) -> Self {
        Self { settings, effective: loaded.settings.clone() }
    }

    /// Arguments of another process that is to have the same configuration.
    pub fn arguments(&self) -> Vec<OsString> {
        self.settings.arguments()
    }

    /// Reloads at every signal, until it is dropped.
    pub async fn run(mut self, mut signals: Signal, app: Arc<App>, logging: Arc<Logging>) {
        while signals.recv().await.is_some() {
            if let Some(tls) = &app.tls {
                tls.reload();
            }
            match self.reload(&app, &logging) {
                Ok(later) if later.is_empty() => tracing::info!("the configuration was reloaded"),
                Ok(later) => {
                    tracing::warn!(keys = later.join(", "), "the configuration was reloaded, but these need a restart");
                }
                Err(error) => {
                    let error = format!("{error:#}");
                    let error = escape::line(&error);
                    tracing::error!(%error, "the configuration cannot be used; the one before stays in effect");
                }
            }
        }
    }

    /// All or nothing. Returns the changed keys that need a restart; a changed secret is not noticed.
    fn reload(&mut self, app: &App, logging: &Logging) -> anyhow::Result<Vec<String>> {
        let loaded = self.settings.load()?;
        app.accounts.reload_name_rules(&loaded.config)?;
        logging.set_level(&loaded.config.log.level);
        let mut later = vec![];
        for (new, old) in loaded.settings.into_iter().zip(&mut self.effective) {
            if new.value == old.value {
                continue;
            }
            if RELOADABLE.contains(&new.key.as_str()) {
                *old = new;
            } else {
                later.push(new.key);
            }
        }
        Ok(later)
    }
}
