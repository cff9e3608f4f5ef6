//! The terminal: taken at the start, given back at every end, also after a panic.

use std::{
    io::{self, Stdout, stdout},
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
};

use crossterm::{
    cursor::{Hide, Show},
    execute,
    terminal::{Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
};
use ratatui::backend::CrosstermBackend;

/// Whether the terminal is ours. Given back twice, it would put the cursor where it was at the
/// start, above what a panic has written.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// The taken terminal. Dropping it gives it back.
#[derive(Debug)]
pub struct Terminal(ratatui::Terminal<CrosstermBackend<Stdout>>);

impl Terminal {
    /// Takes the terminal: raw mode, a screen of our own, no cursor.
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

    /// Gives the terminal back and stops the process until the shell continues it; then takes it
    /// again, to be drawn anew as a whole.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn suspend(&mut self) -> io::Result<()> {
        give_back()?;
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        take()?;
        // A new one knows of nothing on the screen, so it draws everything.
        self.0 = ratatui::Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back().ok();
    }
}

fn take() -> io::Result<()> {
    IS_TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, Clear(ClearType::All), Hide)
}

fn give_back() -> io::Result<()> {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return Ok(());
    }
    let screen = execute!(stdout(), LeaveAlternateScreen, Show);
    disable_raw_mode()?;
    screen
}
