//! The loop: one queue of events in, actions carried out, one frame drawn after each batch.

use std::{
    io::IsTerminal,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, bail};
use crossterm::event::{Event as TerminalEvent, EventStream};
use futures_util::StreamExt;
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    time::{MissedTickBehavior, interval},
};

use crate::{
    app::App,
    config::Settings,
    event::{Action, Event, QUEUE},
    net::{Net, Wish},
    screens,
    terminal::Terminal,
    theme::Theme,
};

/// Countdowns show whole seconds; at this pace none is late by more than a blink.
const TICK: Duration = Duration::from_millis(250);

/// Events taken in before a frame is drawn, so that a flood of them costs no frame each.
const BATCH: usize = 256;

/// The signal of Ctrl-Z sent from elsewhere.
const SIGTSTP: i32 = signal_hook::consts::SIGTSTP;

/// Runs the console until it is told to end.
///
/// # Errors
/// There is no terminal, or it is lost.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        bail!("the console needs a terminal");
    }
    let theme = Theme::new(settings.palette, settings.ascii);
    let (events, mut queue) = mpsc::channel(QUEUE);
    let signals = feed_signals(events.clone())?;
    let mut terminal = Terminal::enter().context("the terminal cannot be set up")?;
    let net = Net::start(&settings, events.clone())?;
    let feeders = [tokio::spawn(feed_keys(events.clone())), tokio::spawn(feed_ticks(events)), signals];
    let mut app = App::new(settings.server_name(), terminal.size()?, now());
    let outcome = serve(&mut terminal, &mut app, &theme, &net, &mut queue).await;
    feeders.iter().for_each(tokio::task::JoinHandle::abort);
    outcome
}

async fn serve(
    terminal: &mut Terminal,
    app: &mut App,
    theme: &Theme,
    net: &Net,
    queue: &mut mpsc::Receiver<Event>,
) -> anyhow::Result<()> {
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        terminal.draw(|frame| screens::draw(frame, app, theme)).context("the terminal is gone")?;
        queue.recv_many(&mut batch, BATCH).await;
        for event in batch.drain(..) {
            if let Event::Broken(why) = event {
                bail!(why);
            }
            for action in app.update(event, now()) {
                match action {
                    Action::Quit => return Ok(()),
                    Action::Suspend => terminal.suspend().context("the terminal is gone")?,
                    Action::Reconnect => net.wish(Wish::Reconnect),
                    Action::Send { frame, id } => net.wish(Wish::Send { frame, id }),
                    Action::FetchLiveGames { page } => net.fetch_live_games(page),
                }
            }
        }
    }
}

/// Unix milliseconds.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

async fn feed_keys(events: mpsc::Sender<Event>) {
    let mut keys = EventStream::new();
    loop {
        let event = match keys.next().await {
            Some(Ok(TerminalEvent::Key(key))) => Event::Key(key),
            Some(Ok(TerminalEvent::Resize(columns, rows))) => Event::Resize(columns, rows),
            Some(Ok(_)) => continue,
            Some(Err(error)) => Event::Broken(format!("the keyboard is gone: {error}")),
            None => Event::Broken("the keyboard is gone".to_owned()),
        };
        let is_end = matches!(event, Event::Broken(_));
        if events.send(event).await.is_err() || is_end {
            return;
        }
    }
}

async fn feed_ticks(events: mpsc::Sender<Event>) {
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if events.send(Event::Tick).await.is_err() {
            return;
        }
    }
}

fn feed_signals(events: mpsc::Sender<Event>) -> anyhow::Result<tokio::task::JoinHandle<()>> {
    let mut end = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut stop = signal(SignalKind::from_raw(SIGTSTP))?;
    Ok(tokio::spawn(async move {
        loop {
            let event = tokio::select! {
                _ = end.recv() => Event::Terminate,
                _ = interrupt.recv() => Event::Terminate,
                _ = hangup.recv() => Event::Terminate,
                _ = stop.recv() => Event::Suspend,
            };
            if events.send(event).await.is_err() {
                return;
            }
        }
    }))
}
