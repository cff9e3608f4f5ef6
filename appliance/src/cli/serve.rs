//! `morpion serve`.

use std::{fs::DirBuilder, io, os::unix::fs::DirBuilderExt, path::Path, sync::Arc, time::Duration};

use anyhow::{Context, bail};
use morpion_shell::output::complain;
use morpion_store::OpenOptions;
use sd_notify::NotifyState;
use tokio::{
    net::TcpListener,
    signal::unix::{Signal, SignalKind, signal},
};

use crate::{app::App, config::Config, demo, logging, storage};

/// What a server is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Use,
    /// To be looked at: see [`demo`].
    Demo,
}

/// Serves until SIGTERM or SIGINT, then drains; a second signal ends it at once.
///
/// # Errors
/// What stands in the way, in one line that says what to do.
pub async fn run(config: Config, purpose: Purpose, accept_data_loss: bool) -> anyhow::Result<()> {
    let listener = bind(&config).await?;
    let config = config.bound_to(listener.local_addr()?);
    prepare(&config.data_dir)?;
    let _logging = logging::start(&config.log, config.log_dir().as_deref())?;

    // Before anybody can know that it serves: a signal from then on is a wish to drain.
    let mut signals = StopSignals::listen().context("signals cannot be received")?;
    let options = OpenOptions { accept_data_loss, ..OpenOptions::default() };
    let app = App::open(config, options, |play| play).await?;
    app.accounts.ensure_local_token().await?;
    let token = match purpose {
        Purpose::Demo => Some(demo::prepare(&app).await?),
        Purpose::Use => None,
    };
    greet(&app).await?;
    let _ = sd_notify::notify(false, &[NotifyState::Ready]);
    tokio::spawn(keep_watchdog_quiet());
    let life = token.map(|token| tokio::spawn(demo::live(Arc::clone(&app), token)));

    let leaving = {
        let app = Arc::clone(&app);
        async move {
            signals.next().await;
            let _ = sd_notify::notify(false, &[NotifyState::Stopping]);
            app.health.drain();
            if let Some(life) = life {
                life.abort();
            }
            tokio::spawn(async move {
                signals.next().await;
                complain("morpion: stopped before everything was drained; what was acknowledged is stored");
                std::process::exit(1);
            });
        }
    };
    app.serve(listener, leaving).await
}

async fn bind(config: &Config) -> anyhow::Result<TcpListener> {
    let address = config.server.listen;
    match TcpListener::bind(address).await {
        Ok(listener) => Ok(listener),
        Err(error) => match error.kind() {
            io::ErrorKind::AddrInUse => {
                bail!("{address} is taken by another program; stop that one or choose another address with --listen")
            }
            io::ErrorKind::PermissionDenied => {
                bail!("{address} may not be listened on by this user; choose a port above 1023 with --listen")
            }
            io::ErrorKind::AddrNotAvailable => {
                bail!("{address} is not an address of this machine; choose another with --listen")
            }
            _ => bail!("{address} cannot be listened on: {error}; choose another address with --listen"),
        },
    }
}

/// A data folder that only this user can look into; one that is there keeps its rights.
fn prepare(data_dir: &Path) -> anyhow::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(data_dir).with_context(|| {
        format!("the data folder {} cannot be made; choose another with --data-dir", data_dir.display())
    })
}

/// The address and, while there is no admin, the link that makes one: for whoever reads standard output, so not for
/// the journal.
async fn greet(app: &App) -> anyhow::Result<()> {
    logging::tell(&format!("Morpion {} serves {}", env!("CARGO_PKG_VERSION"), app.config.public_origin()));
    let health = app.store.health();
    for notice in storage::notices(&health).into_iter().chain(storage::kept(&health.kept_aside)) {
        logging::tell(&notice);
        tracing::warn!("{notice}");
    }
    if logging::is_under_systemd() {
        if app.store.count_admins().await? == 0 {
            logging::tell("There is no admin yet; `morpion admin create` makes one.");
        }
    } else if let Some(link) = app.accounts.new_setup_link().await? {
        logging::tell(&format!(
            "There is no admin yet. Whoever opens this link within 30 minutes becomes it:\n  {link}"
        ));
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), listen = %app.config.server.listen, "serving");
    Ok(())
}

/// SIGTERM and SIGINT, heard from the moment this is made.
struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    fn listen() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Tells systemd, twice in its time limit, that the program's tasks still run; it restarts one whose do not.
async fn keep_watchdog_quiet() {
    let mut limit = 0;
    if !sd_notify::watchdog_enabled(false, &mut limit) {
        return;
    }
    let mut ticks = tokio::time::interval(Duration::from_micros(limit / 2).max(Duration::from_millis(1)));
    loop {
        ticks.tick().await;
        let _ = sd_notify::notify(false, &[NotifyState::Watchdog]);
    }
}
