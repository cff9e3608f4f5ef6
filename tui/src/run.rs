//! The loop: one queue of events in, effects carried out, one frame drawn after each batch.

use std::{
    fs::OpenOptions,
    io::{self, IsTerminal, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use crossterm::event::{Event as TerminalEvent, EventStream, MouseButton, MouseEvent, MouseEventKind};
use futures_util::StreamExt;
use morpion_shell::output::print_error;
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    task::JoinHandle,
    time::{MissedTickBehavior, interval, sleep, timeout},
};

use crate::{
    app::{App, keys::places, own_commands},
    config::{Flags, Settings},
    context::Options,
    event::{Effect, Event, QUEUE},
    hit_testing::ClickTargets,
    kept::{self, Kept},
    keyboard::{BURST, Burst},
    net::{Net, SocketCommand},
    own_commands::Launch,
    processes, screen,
    terminal::{self, Terminal},
    theme::{Palette, Theme},
    time::now,
    widgets::text::count,
};

/// Countdowns show whole seconds; this is often enough for them.
const TICK: Duration = Duration::from_millis(250);

/// Events taken in before a frame is drawn, so that a flood of them costs no frame each.
const BATCH: usize = 256;

/// The signal of Ctrl-Z sent from elsewhere.
const SIGTSTP: i32 = signal_hook::consts::SIGTSTP;

/// Rows that one turn of the wheel goes past.
const WHEEL: isize = 3;

/// How the loop ended.
enum End {
    Quit,
    /// To go on with another server of the configuration.
    Switch(String),
}

/// Runs the console until it ends.
///
/// # Errors
/// There is no terminal, or it is lost.
pub async fn run(flags: &Flags) -> anyhow::Result<()> {
    let mut settings = read(flags)?;
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        bail!("the console needs a terminal; `morpion-tui help` lists the commands that need none");
    }
    let (events, mut queue) = mpsc::channel(QUEUE);
    let (mouse, mut clicks) = mpsc::channel(QUEUE);
    let signals = feed_signals(events.clone())?;
    let mut terminal = Terminal::enter().context("the terminal cannot be set up")?;
    let ticks = tokio::spawn(feed_ticks(events.clone()));
    let mut keyboard = Keyboard::start(events.clone(), mouse);
    let mut unkept: Option<String> = None;
    let outcome = loop {
        terminal.set_mouse(settings.mouse).context("the terminal is gone")?;
        let mut net = Net::start(&settings, events.clone())?;
        let mut app = App::new(options(&settings), terminal.size()?, now());
        restore(&mut app, &settings);
        app.tell("The configuration", settings.told_problems());
        if let Some(why) = unkept.take() {
            app.warn(why);
        }
        let mut look = Appearance { palette: settings.palette, is_ascii: settings.ascii };
        let end = serve(&mut terminal, &mut app, &mut look, &mut net, &mut keyboard, (&mut queue, &mut clicks)).await;
        unkept = settings.kept.as_ref().and_then(|path| kept::save(path, &settings.server_key(), app.opened()).err());
        match end {
            Ok(End::Quit) => break Ok(()),
            Err(error) => break Err(error),
            Ok(End::Switch(name)) => {
                // What was given for one server is not sent to another.
                let flags = Flags {
                    profile: Some(name),
                    server: None,
                    host_header: None,
                    token: None,
                    token_file: None,
                    ..flags.clone()
                };
                settings = read(&flags)?;
                drop(net);
                drain(&mut queue);
            }
        }
    };
    [&keyboard.task, &ticks, &signals].into_iter().for_each(JoinHandle::abort);
    drop(terminal);
    if let Some(why) = unkept {
        print_error(&format!("morpion-tui: {why}"));
    }
    outcome
}

/// Opens what was open on the server last time.
fn restore(app: &mut App, settings: &Settings) {
    let Some(path) = &settings.kept else { return };
    match Kept::read(path) {
        Ok(kept) => {
            if let Some(opened) = kept.of(&settings.server_key()) {
                app.restore(opened);
            }
        }
        Err(why) => app.warn(why),
    }
}

fn read(flags: &Flags) -> anyhow::Result<Settings> {
    let mut settings = Settings::resolve(flags)?;
    let refused = settings.keys.settle(&places());
    settings.problems.extend(refused);
    let (commands, refused) = own_commands::settle(settings.commands, &settings.keys);
    settings.commands = commands;
    settings.problems.extend(refused);
    Ok(settings)
}

/// Events of the previous server are not for the next one.
fn drain(queue: &mut mpsc::Receiver<Event>) {
    while queue.try_recv().is_ok() {}
}

fn options(settings: &Settings) -> Options {
    Options {
        server_name: settings.server_name(),
        profiles: settings.profiles.clone(),
        is_read_only: settings.is_read_only,
        has_mouse: settings.mouse,
        is_ascii: settings.ascii,
        keys: settings.keys.clone(),
        commands: settings.commands.clone(),
        server_address: settings.server.to_string(),
        folder: String::new(),
    }
}

/// How everything looks, as it can be changed while the console runs.
struct Appearance {
    palette: Palette,
    is_ascii: bool,
}

impl Appearance {
    fn theme(&self) -> Theme {
        Theme::new(self.palette, self.is_ascii)
    }
}

async fn serve(
    terminal: &mut Terminal,
    app: &mut App,
    look: &mut Appearance,
    net: &mut Net,
    keyboard: &mut Keyboard,
    (queue, clicks): (&mut mpsc::Receiver<Event>, &mut mpsc::Receiver<MouseEvent>),
) -> anyhow::Result<End> {
    let mut batch = Vec::with_capacity(BATCH);
    let mut theme = look.theme();
    loop {
        let mut targets = ClickTargets::default();
        terminal.draw(|frame| targets = screen::draw(frame, app, &theme)).context("the terminal is gone")?;
        tokio::select! {
            _ = queue.recv_many(&mut batch, BATCH) => {}
            // The last drawing recorded what is where.
            Some(mouse) = clicks.recv() => batch.extend(mouse_event(mouse, &targets)),
        }
        for event in batch.drain(..) {
            if let Event::Broken(why) = event {
                bail!(why);
            }
            for action in app.update(event, now()) {
                match action {
                    Effect::Quit => return Ok(End::Quit),
                    Effect::SwitchServer(name) => return Ok(End::Switch(name)),
                    Effect::Suspend => terminal.suspend().context("the terminal is gone")?,
                    Effect::Reconnect => net.request(SocketCommand::Reconnect),
                    Effect::Send { frame, id } => net.request(SocketCommand::Send { frame: Box::new(frame), id }),
                    Effect::Call(call) => net.call(call),
                    Effect::Copy(text) => terminal.copy(&text).context("the terminal is gone")?,
                    Effect::Save { path, text } => save(path, text, keyboard.events.clone()),
                    Effect::Launch(launch) if launch.is_background => {
                        tell(&keyboard.events, async move { vec![Event::Ran(processes::in_background(launch).await)] });
                    }
                    Effect::Launch(launch) => {
                        let ended = in_terminal(terminal, keyboard, launch).await.context("the terminal is gone")?;
                        tell(&keyboard.events, async move { ended });
                    }
                    Effect::SetMouse(is_on) => terminal.set_mouse(is_on).context("the terminal is gone")?,
                    Effect::SetPalette(palette) => look.palette = palette.settle(&|name| std::env::var(name).ok()),
                    Effect::SetAscii(is_ascii) => look.is_ascii = is_ascii,
                }
            }
            theme = look.theme();
        }
    }
}

/// Runs a command with the terminal; returns what happened.
async fn in_terminal(terminal: &mut Terminal, keyboard: &mut Keyboard, launch: Launch) -> io::Result<Vec<Event>> {
    // It would take the keys of the other program.
    keyboard.stop().await;
    let lent = Terminal::lend()?;
    let ran = processes::in_terminal(launch).await;
    // What was pressed to end it, such as Ctrl-c, is not for us.
    sleep(BURST * 4).await;
    terminal.take_back(lent)?;
    keyboard.go_on();
    let (columns, rows) = terminal.size()?;
    Ok(vec![Event::Resize(columns, rows), Event::Ran(ran)])
}

/// Puts events into the queue once they have happened.
fn tell(events: &mpsc::Sender<Event>, happened: impl Future<Output = Vec<Event>> + Send + 'static) {
    let events = events.clone();
    tokio::spawn(async move {
        for event in happened.await {
            events.send(event).await.ok();
        }
    });
}

/// The task that reads keys, as long as the terminal is ours.
struct Keyboard {
    events: mpsc::Sender<Event>,
    mouse: mpsc::Sender<MouseEvent>,
    task: JoinHandle<()>,
}

impl Keyboard {
    fn start(events: mpsc::Sender<Event>, mouse: mpsc::Sender<MouseEvent>) -> Self {
        let task = tokio::spawn(feed_keys(events.clone(), mouse.clone()));
        Self { events, mouse, task }
    }

    /// Reads no key any more.
    async fn stop(&mut self) {
        self.task.abort();
        (&mut self.task).await.ok();
    }

    fn go_on(&mut self) {
        self.task = tokio::spawn(feed_keys(self.events.clone(), self.mouse.clone()));
    }
}

/// The event of a mouse action, by what is under the pointer.
fn mouse_event(mouse: MouseEvent, targets: &ClickTargets) -> Option<Event> {
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => targets.at(mouse.column, mouse.row).map(Event::Click),
        MouseEventKind::ScrollDown => Some(Event::Scroll(WHEEL)),
        MouseEventKind::ScrollUp => Some(Event::Scroll(-WHEEL)),
        _ => None,
    }
}

/// Writes a new file that only its owner can read: logs are confidential.
fn save(path: String, text: String, events: mpsc::Sender<Event>) {
    tokio::task::spawn_blocking(move || {
        let written =
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(Path::new(&path)).and_then(|mut file| {
                // A full disk may be reported only by the sync.
                let kept = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
                // A partial log would look complete.
                kept.inspect_err(|_| drop(std::fs::remove_file(&path)))
            });
        let outcome = match written {
            Ok(()) => Ok(format!("Saved {} to {path}.", count(text.lines().count() as u64, "line"))),
            Err(error) => Err(format!("{path}: {error}.")),
        };
        events.blocking_send(Event::Saved(outcome)).ok();
    });
}

async fn feed_keys(events: mpsc::Sender<Event>, mouse: mpsc::Sender<MouseEvent>) {
    let (mut terminal, mut burst) = (EventStream::new(), Burst::default());
    loop {
        let next = if burst.is_empty() { Ok(terminal.next().await) } else { timeout(BURST, terminal.next()).await };
        let event = match next {
            Ok(Some(Ok(TerminalEvent::Key(key)))) => {
                burst.add(key);
                continue;
            }
            // Nothing has followed.
            Err(_) => None,
            Ok(Some(Ok(TerminalEvent::Mouse(event)))) => {
                // Mouse events that come faster than the console draws are dropped.
                mouse.try_send(event).ok();
                None
            }
            Ok(Some(Ok(TerminalEvent::Paste(text)))) => Some(Event::Paste(text)),
            Ok(Some(Ok(TerminalEvent::Resize(columns, rows)))) => Some(Event::Resize(columns, rows)),
            Ok(Some(Ok(_))) => None,
            Ok(Some(Err(error))) => Some(Event::Broken(format!("the keyboard is gone: {error}"))),
            Ok(None) => Some(Event::Broken("the keyboard is gone".to_owned())),
        };
        for event in burst.end(Instant::now()).into_iter().chain(event) {
            let is_end = matches!(event, Event::Broken(_));
            if events.send(event).await.is_err() || is_end {
                return;
            }
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
                // Ctrl-c and Ctrl-z reach us too while another program has the terminal.
                _ = interrupt.recv() => if terminal::is_lent() { continue } else { Event::Terminate },
                _ = hangup.recv() => Event::Terminate,
                _ = stop.recv() => {
                    if terminal::is_lent() {
                        terminal::stop().ok();
                        continue;
                    }
                    Event::Suspend
                }
            };
            if events.send(event).await.is_err() {
                return;
            }
        }
    }))
}
