//! A minute of ten thousand log records a second, a frame drawn after every batch: how long a frame
//! takes with the buffer full, and how much memory that is. Ends with an error where half of the
//! frames take longer than a sixtieth of a second; the slowest ones are those during which a busy
//! machine did something else.
//!
//! `make bench ARGS=console`

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use crossterm::event::{KeyCode, KeyEvent};
use morpion_openapi::{
    Timestamp,
    logger::{LogEntry, LogLevel},
    realtime::{Ack, ServerFrame},
};
use morpion_tui::{
    app::App,
    context::Options,
    event::{Event, NetEvent},
    log::buffer::MAX_RECORDS,
    screen,
    theme::{Palette, Theme},
};
use ratatui::{Terminal, backend::TestBackend};

/// 60 frames a second.
const LONGEST_FRAME: Duration = Duration::from_millis(16);
const RECORDS_PER_SECOND: u32 = 10_000;
const SECONDS: u32 = 60;
/// Records taken in before a frame is drawn, as the console does.
const BATCH: u32 = 256;
const SIZE: (u16, u16) = (200, 60);

fn entry(number: u32) -> LogEntry {
    let level = LogLevel::ALL[(number % 4) as usize];
    let is_error = level == LogLevel::Error;
    LogEntry {
        id: format!("0190f1e2-7a3b-7c4d-8e5f-{number:012}"),
        log_id: format!("0190f1e2-7a3b-7c4d-8e5f-{number:012}"),
        level,
        platform: "server".to_owned(),
        service: ["play", "store", "account", "realtime"][(number / 4 % 4) as usize].to_owned(),
        message: format!("game {number:08x} ended after {} moves: line, committed in {} ms", number % 9, number % 17),
        timestamp: Timestamp::from_millis(i64::from(number) / 10),
        user_id: None,
        session_id: None,
        request_id: Some(format!("req-{number}")),
        file_name: None,
        context: is_error.then(|| r#"{"gameId":"0f5e7a4c-3d0b-4b7e-9a51-6c1d2e3f4a5b"}"#.to_owned()),
        stack: is_error.then(|| "play::commit\n  at play/journal.rs:214\nplay::flush".to_owned()),
        claimed: None,
    }
}

struct Bench {
    app: App,
    terminal: Terminal<TestBackend>,
    theme: Theme,
}

impl Bench {
    fn update(&mut self, event: Event) {
        self.app.update(event, 0);
    }

    fn press(&mut self, char: char) {
        self.update(Event::Key(KeyEvent::from(KeyCode::Char(char))));
    }

    fn frame(&mut self) -> Duration {
        let Self { app, terminal, theme } = self;
        let began = Instant::now();
        if let Err(error) = terminal.draw(|frame| drop(screen::draw(frame, app, theme))) {
            match error {}
        }
        began.elapsed()
    }

    /// Adds records and draws; returns the frame times.
    fn flood(&mut self, numbers: std::ops::Range<u32>) -> Vec<Duration> {
        let mut frames = vec![];
        for number in numbers {
            self.update(Event::Net(NetEvent::Frame(Box::new(ServerFrame::LogAppended(entry(number))))));
            if number % BATCH == 0 {
                frames.push(self.frame());
            }
        }
        frames
    }
}

fn told(name: &str, mut times: Vec<Duration>) -> Duration {
    times.sort();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    println!(
        "{name:<44} {:>6} frames   p50 {:>9.2?}   p99 {:>9.2?}   longest {:>9.2?}",
        times.len(),
        at(50),
        at(99),
        at(100)
    );
    at(50)
}

fn main() -> ExitCode {
    let app = App::new(Options { server_name: "bench".to_owned(), ..Options::default() }, SIZE, 0);
    let terminal = match Terminal::new(TestBackend::new(SIZE.0, SIZE.1)) {
        Ok(terminal) => terminal,
        Err(error) => match error {},
    };
    let mut bench = Bench { app, terminal, theme: Theme::new(Palette::Chalk, false) };
    bench.update(Event::Net(NetEvent::Connected));
    bench.press('4');
    let ack = Ack { succeeded: false, error_message: None, error_code: None };
    bench.update(Event::Net(NetEvent::Ack { id: "logs".to_owned(), ack }));
    // The store is empty: all records arrive live.
    bench.app.tabs.logs.lost();

    let total = RECORDS_PER_SECOND * SECONDS;
    let began = Instant::now();
    bench.flood(0..MAX_RECORDS as u32);
    let full = bench.flood(MAX_RECORDS as u32..total);
    let all = began.elapsed();
    let buffer = &bench.app.tabs.logs.view().buffer;
    println!(
        "{total} records taken in, {} kept, {:.1} MiB, {} discarded; {:.0} records a second with all frames drawn",
        buffer.len(),
        buffer.bytes() as f64 / 1_048_576.0,
        buffer.evicted,
        f64::from(total) / all.as_secs_f64()
    );
    let mut worst = told("following, buffer full", full);

    bench.press('w');
    worst = worst.max(told("following, wrapped", bench.flood(total..total + 20_000)));
    bench.press('w');
    bench.press(' ');
    let mut held = vec![];
    for _ in 0..500 {
        bench.press('k');
        held.push(bench.frame());
    }
    worst = worst.max(told("held still, scrolling back", held));

    // A search typed letter by letter: each letter searches the whole buffer.
    bench.press('G');
    bench.press('/');
    let (mut typed, mut typed_frames) = (vec![], vec![]);
    for letter in "committed in 1[0-6]".chars() {
        let began = Instant::now();
        bench.press(letter);
        typed.push(began.elapsed());
        typed_frames.push(bench.frame());
    }
    told("a letter of a search, the buffer looked through", typed);
    worst = worst.max(told("the frame after it", typed_frames));

    if worst > LONGEST_FRAME {
        eprintln!("a frame took {worst:.2?}: more than {LONGEST_FRAME:.0?}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
