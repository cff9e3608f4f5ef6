//! Every screen as text, in small and large terminals, with and without colours and Unicode.

use insta::assert_snapshot;
use morpion_openapi::{
    game::{EndReason, Game, GameStatus, GameType, Symbol},
    realtime::{ErrorMessage, OpponentDisconnected, ServerFrame},
};
use morpion_tui::{
    event::NetEvent,
    screens,
    theme::{Palette, Theme},
};
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer, style::Color};

use crate::fixtures::*;

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (200, 60);

fn buffer(console: &Console, palette: Palette, ascii: bool) -> Buffer {
    let (columns, rows) = console.app.size;
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a test backend cannot fail");
    let theme = Theme::new(palette, ascii);
    terminal.draw(|frame| screens::draw(frame, &console.app, &theme)).expect("a test backend cannot fail");
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let line = |y| {
        let mut line = String::new();
        let mut x = 0;
        while x < area.width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += unicode_width::UnicodeWidthStr::width(symbol).max(1) as u16;
        }
        line.trim_end().to_owned()
    };
    (0..area.height).map(line).collect::<Vec<_>>().join("\n")
}

fn screen(console: &Console) -> String {
    text(&buffer(console, Palette::Chalk, false))
}

/// An event game in its third round, somebody to move with nine seconds left.
fn event_game() -> (Game, morpion_openapi::game::GameState) {
    let listed = Game { game_type: GameType::Event, level: 3, draw_count: 2, board_size: 4, ..game(0x77c0_ffee) };
    let mut state = state(&listed);
    state.turn_deadline = Some(START + 9_000);
    let state = played(state, &[(1, 1), (0, 0), (2, 2), (3, 3), (1, 2)]);
    (listed, state)
}

#[test]
fn connecting() {
    let mut console = Console::new(SMALL);
    console.net(NetEvent::Connecting);
    assert_snapshot!(screen(&console));
}

#[test]
fn no_server() {
    let mut console = Console::new(SMALL);
    for _ in 0..3 {
        console.net(NetEvent::Disconnected { why: "Nothing answers there.".to_owned(), retry_in_ms: 4_000 });
    }
    console.pass(1_500);
    assert_snapshot!(screen(&console));
}

#[test]
fn unauthorized() {
    let mut console = Console::new(SMALL);
    let why =
        "Looked for one in ./data/operator.token (no such file), /var/lib/morpion/operator.token (may not be read).";
    console.net(NetEvent::Unauthorized { why: why.to_owned(), retry_in_ms: 5_000 });
    assert_snapshot!(screen(&console));
}

#[test]
fn games_empty() {
    assert_snapshot!(screen(&Console::with(SMALL, vec![])));
}

#[test]
fn games_some() {
    let mut console = Console::with(SMALL, games());
    console.press("j");
    assert_snapshot!(screen(&console));
}

#[test]
fn games_full() {
    let many = (1..=40).map(|number| Game { move_count: Some(number % 9), ..game(number << 12) });
    let mut console = Console::with(SMALL, many.collect());
    console.press("j j j j j j j j j j j j j j j j j j j j");
    assert_snapshot!(screen(&console));
}

#[test]
fn games_large() {
    assert_snapshot!(screen(&Console::with(LARGE, games())));
}

#[test]
fn games_filtered() {
    let mut console = Console::with(SMALL, games());
    console.press("/ a n n a");
    assert_snapshot!("games_filter_typed", screen(&console));
    console.press("x Enter");
    assert_snapshot!("games_filter_fits_none", screen(&console));
}

#[test]
fn games_disconnected() {
    let mut console = Console::with(SMALL, games());
    console.net(NetEvent::Disconnected { why: "The connection broke off.".to_owned(), retry_in_ms: 1_000 });
    let error =
        ErrorMessage { message: "Something failed.".to_owned(), error_code: "internal".to_owned(), event: None };
    console.frame(ServerFrame::Error(error));
    assert_snapshot!(screen(&console));
}

#[test]
fn games_ascii() {
    let console = Console::with(SMALL, games().into_iter().filter(|game| game.board_size != 6).collect());
    let text = text(&buffer(&console, Palette::None, true));
    assert!(text.is_ascii(), "{text}");
    assert_snapshot!(text);
}

#[test]
fn board_of_a_running_game() {
    let mut console = Console::with(SMALL, vec![game(0x3fa9_c1d2)]);
    console.watch(&played(state(&game(0x3fa9_c1d2)), &[(1, 1), (0, 0), (2, 0)]));
    console.pass(7_000);
    assert_snapshot!(screen(&console));
}

#[test]
fn board_of_an_event_game() {
    let (listed, state) = event_game();
    let mut console = Console::with(SMALL, vec![listed]);
    console.watch(&state);
    console.pass(7_000);
    assert_snapshot!("board_event", screen(&console));
    console.frame(ServerFrame::OpponentDisconnected(OpponentDisconnected {
        game_id: state.game_id,
        user_id: O,
        countdown: 30,
    }));
    console.pass(3_000);
    assert_snapshot!("board_event_away", screen(&console));
}

#[test]
fn board_won() {
    let mut console = Console::with(SMALL, vec![game(1)]);
    console.watch(&won(state(&game(1))));
    assert_snapshot!(screen(&console));
}

#[test]
fn board_large() {
    let mut console = Console::with(LARGE, vec![game(1)]);
    console.watch(&won(state(&game(1))));
    assert_snapshot!(screen(&console));
}

#[test]
fn board_six_by_six() {
    let listed = Game { board_size: 6, ..game(1) };
    let cells: Vec<_> = (0..36).step_by(2).chain((1..36).step_by(2)).take(20).map(|at| (at / 6, at % 6)).collect();
    let mut console = Console::with(SMALL, vec![listed.clone()]);
    console.watch(&played(state(&listed), &cells));
    assert_snapshot!(screen(&console));
}

#[test]
fn board_waiting() {
    let open = games().remove(3);
    let mut console = Console::with(SMALL, vec![open.clone()]);
    console.watch(&state(&open));
    assert_snapshot!(screen(&console));
}

#[test]
fn board_ascii() {
    let mut console = Console::with(SMALL, vec![game(1)]);
    console.watch(&won(state(&game(1))));
    let text = text(&buffer(&console, Palette::None, true));
    assert!(text.is_ascii(), "{text}");
    assert_snapshot!(text);
}

#[test]
fn help() {
    let mut console = Console::with(SMALL, games());
    console.press("?");
    assert_snapshot!("help_games", screen(&console));
    let mut console = Console::with((120, 40), games());
    console.press("?");
    assert_snapshot!("help_all", screen(&console));
}

#[test]
fn too_small() {
    assert_snapshot!(screen(&Console::with((40, 9), games())));
    for size in [(1, 1), (3, 2), (0, 0), (64, 19), (64, 20)] {
        screen(&Console::with(size, games()));
    }
}

/// Every screen there is, for what must hold on all of them.
fn all_screens() -> Vec<Console> {
    let mut consoles = Vec::new();
    for size in [SMALL, LARGE, screens::SMALLEST] {
        let mut disconnected = Console::with(size, games());
        disconnected.net(NetEvent::Disconnected { why: "The connection broke off.".to_owned(), retry_in_ms: 1_000 });
        let mut unauthorized = Console::new(size);
        unauthorized.net(NetEvent::Unauthorized { why: "No.".to_owned(), retry_in_ms: 1 });
        let mut help = Console::with(size, games());
        help.press("?");
        let mut board = Console::with(size, vec![game(1)]);
        board.watch(&won(state(&game(1))));
        let (listed, state) = event_game();
        let mut event = Console::with(size, vec![listed]);
        event.watch(&state);
        consoles.extend([
            Console::with(size, games()),
            Console::new(size),
            disconnected,
            unauthorized,
            help,
            board,
            event,
        ]);
    }
    consoles
}

#[test]
fn without_colours_there_are_none_on_any_screen() {
    for console in all_screens() {
        for cell in buffer(&console, Palette::None, false).content() {
            assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
        }
    }
}

#[test]
fn sixteen_colours_are_sixteen_colours() {
    for console in all_screens() {
        for cell in buffer(&console, Palette::Ansi, false).content() {
            assert!(!matches!(cell.fg, Color::Rgb(..) | Color::Indexed(_)), "{:?}", cell.fg);
            assert_eq!(cell.bg, Color::Reset, "the background is the terminal's own");
        }
    }
}

#[test]
fn the_footer_fits_and_says_how_to_leave() {
    for console in all_screens() {
        let screen = screen(&console);
        let footer = screen.lines().last().expect("a footer");
        assert!(footer.contains("q quit") && footer.contains("? help"), "{footer}");
    }
}

#[test]
fn the_marks_have_their_colours() {
    let mut console = Console::with(SMALL, vec![game(1)]);
    console.watch(&played(state(&game(1)), &[(0, 0), (0, 2)]));
    let buffer = buffer(&console, Palette::Chalk, false);
    let theme = Theme::new(Palette::Chalk, false);
    let drawn = |symbol| {
        let ink = theme.ink(theme.mark(symbol));
        buffer
            .content()
            .iter()
            .filter(|cell| {
                cell.fg == ink && ('\u{2801}'..='\u{28FF}').contains(&cell.symbol().chars().next().unwrap_or(' '))
            })
            .count()
    };
    assert!(drawn(Symbol::X) > 10 && drawn(Symbol::O) > 10, "{} {}", drawn(Symbol::X), drawn(Symbol::O));
}

#[test]
fn results_are_told_in_words() {
    for (reason, sentence) in [
        (EndReason::Forfeit, "ben won: anna forfeited."),
        (EndReason::Timeout, "ben won: anna ran out of time."),
        (EndReason::NoShow, "ben won: anna did not come."),
        (EndReason::Disconnect, "ben won: anna stayed away."),
        (EndReason::Time, "ben won by using less time."),
        (EndReason::Adjudicated, "ben won by an admin's decision."),
    ] {
        let before = state(&game(1));
        let mut console = Console::with(SMALL, vec![game(1)]);
        console.watch(&before);
        console.frame(ServerFrame::GameEnd(game_end(&before, reason)));
        assert!(screen(&console).contains(sentence), "{sentence}\n{}", screen(&console));
    }
    let mut drawn = state(&game(1));
    (drawn.status, drawn.is_draw, drawn.current_turn) = (GameStatus::Completed, true, None);
    let mut console = Console::with(SMALL, vec![game(1)]);
    console.watch(&drawn);
    assert!(screen(&console).contains("It's a Draw!"));
}
