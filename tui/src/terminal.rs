//! The terminal: taken at the start, restored at every end, also after a panic.

use std::{
    io::{self, Stdout, Write, stdout},
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
};

use base64::{Engine, engine::general_purpose::STANDARD};
use crossterm::{
    cursor::{Hide, Show},
    event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture},
    execute,
    terminal::{Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
};
use ratatui::backend::CrosstermBackend;

/// Whether the terminal is ours. Given back twice, it would put the cursor where it was at the
/// start, above what a panic has written.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether the mouse is ours too.
static HAS_MOUSE: AtomicBool = AtomicBool::new(false);

/// The taken terminal. Dropping it gives it back.
#[derive(Debug)]
pub struct Terminal(ratatui::Terminal<CrosstermBackend<Stdout>>);

impl Terminal {
    /// Takes the terminal: raw mode, a screen of our own, no cursor, pasted text told from keys.
    ///
    /// # Errors
    /// Standard output is no terminal.
    pub fn enter() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                // First the terminal, so that the message can be read.
                give_back().ok();
                before(panic);
            }));
        });
        take()?;
        let terminal = ratatui::Terminal::new(CrosstermBackend::new(stdout()));
        if terminal.is_err() {
            give_back().ok();
        }
        terminal.map(Self)
    }

    /// Columns and rows.
    ///
    /// # Errors
    /// The terminal does not say.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.0.size()?;
        Ok((size.width, size.height))
    }

    /// # Errors
    /// The terminal cannot be written to.
    pub fn draw(&mut self, render: impl FnOnce(&mut ratatui::Frame)) -> io::Result<()> {
        self.0.draw(render).map(|_| ())
    }

    /// Takes the mouse, or leaves it to the terminal.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn set_mouse(&mut self, is_on: bool) -> io::Result<()> {
        HAS_MOUSE.store(is_on, Ordering::SeqCst);
        if is_on { execute!(stdout(), EnableMouseCapture) } else { execute!(stdout(), DisableMouseCapture) }
    }

    /// Puts a text into the clipboard of the terminal that the operator sits at, also through ssh
    /// and tmux (OSC 52). A terminal that does not know that ignores it.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        let mut out = stdout();
        write!(out, "\x1b]52;c;{}\x07", STANDARD.encode(text))?;
        out.flush()
    }

    /// Restores the terminal and stops the process until the shell continues it; then takes it
    /// again, to be redrawn completely.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn suspend(&mut self) -> io::Result<()> {
        let lent = Self::lend()?;
        stop()?;
        self.take_back(lent)
    }

    /// Restores the terminal for another program, until [`Terminal::take_back`].
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn lend() -> io::Result<Lent> {
        let has_mouse = HAS_MOUSE.load(Ordering::SeqCst);
        give_back()?;
        Ok(Lent { has_mouse })
    }

    /// Takes the terminal again, to be redrawn completely.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn take_back(&mut self, lent: Lent) -> io::Result<()> {
        take()?;
        self.set_mouse(lent.has_mouse)?;
        // A new instance has no previous frame, so it draws everything.
        self.0 = ratatui::Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }
}

/// A terminal that another program has.
#[derive(Debug)]
pub struct Lent {
    has_mouse: bool,
}

/// Whether another program has the terminal: what is typed there is not for us.
pub fn is_lent() -> bool {
    !IS_TAKEN.load(Ordering::SeqCst)
}

/// Stops the process until the shell continues it, as Ctrl-Z does.
///
/// # Errors
/// The system does not let it.
pub fn stop() -> io::Result<()> {
    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back().ok();
    }
}

fn take() -> io::Result<()> {
    IS_TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, Clear(ClearType::All), Hide, EnableBracketedPaste)
}

fn give_back() -> io::Result<()> {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return Ok(());
    }
    if HAS_MOUSE.swap(false, Ordering::SeqCst) {
        execute!(stdout(), DisableMouseCapture).ok();
    }
    let screen = execute!(stdout(), DisableBracketedPaste, LeaveAlternateScreen, Show);
    disable_raw_mode()?;
    screen
}
