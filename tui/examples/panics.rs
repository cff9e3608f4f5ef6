//! Takes the terminal, draws, and panics: the tests check that the terminal is restored.

use morpion_tui::terminal::Terminal;
use ratatui::text::Line;

fn main() -> std::io::Result<()> {
    let mut terminal = Terminal::enter()?;
    terminal.draw(|frame| frame.render_widget(Line::raw("drawn before the panic"), frame.area()))?;
    std::thread::sleep(std::time::Duration::from_millis(500));
    panic!("the message that must be readable");
}
