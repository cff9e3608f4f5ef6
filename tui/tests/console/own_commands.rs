//! Commands of the operator's own.

use morpion_openapi::event::EventState;
use morpion_tui::{
    dialog::Dialog,
    event::{Effect, Event},
    own_commands::{Launch, OwnCommand, Ran},
};

use crate::{
    fixtures::*,
    operations::{with_events, with_users},
    screens::screen,
    server::{Server, TOKEN},
    tmux::{on, on_open},
};

const SIZE: (u16, u16) = (120, 30);

fn command(written: &str) -> OwnCommand {
    let written = format!("key = 'Ctrl-p'\ntitle = 'tool'\n{written}");
    OwnCommand::read(toml::Value::Table(written.parse().expect("TOML")), 1).expect("a command")
}

/// The console with these commands.
fn having(mut console: Console, commands: &[&str]) -> Console {
    console.app.context.options.commands = commands.iter().map(|written| command(written)).collect();
    console.app.context.options.server_address = "http://127.0.0.1:8080/".to_owned();
    console
}

fn launch(arguments: &[&str], is_background: bool) -> Effect {
    let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
    Effect::Launch(Launch { title: "tool".to_owned(), program: "tool".to_owned(), arguments, is_background })
}

fn said(console: &Console) -> String {
    console.app.toasts.iter().last().map(|toast| toast.text.clone()).unwrap_or_default()
}

fn ran(outcome: Result<(), String>, output: &str) -> Event {
    Event::Ran(Ran { title: "tool".to_owned(), is_background: true, outcome, output: output.to_owned() })
}

#[test]
fn a_command_gets_what_is_chosen_or_open_in_its_tab_only() {
    let mut hostile = event(1, EventState::Started);
    hostile.title = "$(reboot); --now".to_owned();
    let id = hostile.event_id.to_string();
    let events = "tab = 'events'\nrun = ['tool', '{id}', 'of {name}', '{server}']";
    let mut console = having(with_events(SIZE, vec![hostile]), &[events]);
    let wanted = launch(&[&id, "of $(reboot); --now", "http://127.0.0.1:8080/"], false);
    assert_eq!(console.press("C-p"), std::slice::from_ref(&wanted));
    console.press("Enter");
    assert!(console.app.tabs.events.detail.is_some());
    assert!(console.press("C-p").contains(&wanted), "it is the event that is open");
    console.press("3");
    assert!(console.press("C-p").is_empty(), "not in another tab");

    let mut console = having(with_users(SIZE, vec![]), &["tab = 'users'\nrun = ['tool', '{name}']"]);
    assert!(console.press("C-p").is_empty());
    assert_eq!(said(&console), "Nothing is chosen that this could be run on.");
    let mut user = user(1, "ada");
    user.username = "-rf".to_owned();
    let mut console = having(with_users(SIZE, vec![user]), &["tab = 'users'\nrun = ['tool', '{name}']"]);
    assert!(console.press("C-p").is_empty() && said(&console).contains("begins with a hyphen"), "{}", said(&console));
}

#[test]
fn a_command_is_confirmed_where_it_says_so() {
    let confirmed = "tab = 'Events'\nrun = ['tool', '{name}']\nconfirm = true";
    let mut console = having(with_events(SIZE, events()), &[confirmed]);
    assert!(console.press("C-p").is_empty());
    let shown = screen(&console);
    assert!(shown.contains("Run 'tool'?") && shown.contains("tool 'Friday night blitz'"), "{shown}");
    assert!(console.press("n").is_empty() && console.app.dialog.is_none());
    console.press("C-p");
    assert_eq!(console.press("y"), [launch(&["Friday night blitz"], false)]);
    assert!(console.app.dialog.is_none());
}

#[test]
fn keys_of_commands_are_in_the_footer_and_the_help() {
    let mut console = having(with_events((160, 60), events()), &["tab = 'events'\nrun = ['tool']"]);
    assert!(screen(&console).contains("Ctrl-p tool"));
    console.press("?");
    let shown = screen(&console);
    assert!(shown.contains("Your own commands") && shown.contains("Ctrl-p         tool"), "{shown}");
    console.press("? 3");
    assert!(!screen(&console).contains("Ctrl-p tool"), "only where they apply");
}

#[test]
fn a_read_only_console_runs_only_what_changes_nothing() {
    let writing = "tab = 'events'\nrun = ['tool']";
    let mut console = having(with_events(SIZE, events()), &[writing]);
    console.app.context.options.is_read_only = true;
    assert!(console.press("C-p").is_empty() && !screen(&console).contains("Ctrl-p tool"));
    assert_eq!(said(&console), "This console is read-only.");
    let mut console = having(console, &["tab = 'events'\nrun = ['tool']\nreadonly = true"]);
    assert_eq!(console.press("C-p"), [launch(&[], false)]);
}

#[test]
fn what_a_command_in_the_background_prints_is_shown_when_nothing_else_is() {
    let background = "tab = 'events'\nrun = ['tool']\nbackground = true";
    let mut console = having(with_events(SIZE, events()), &[background]);
    for _ in 0..4 {
        assert_eq!(console.press("C-p"), [launch(&[], true)]);
    }
    assert!(console.press("C-p").is_empty(), "four at once");
    assert_eq!(said(&console), "4 commands are running already.");

    let lines: Vec<_> = (1..=100).map(|number| format!("line  {number}")).collect();
    console.update(ran(Ok(()), &lines.join("\n")));
    let shown = screen(&console);
    assert!(shown.contains("tool: done") && shown.contains("line  1 ") && !shown.contains("line  90"), "{shown}");
    console.press("j j");
    assert!(!screen(&console).contains("line  2 "));
    console.press("k k Escape");
    assert!(console.app.dialog.is_none());
    assert_eq!(console.press("C-p").len(), 1, "another one may run");

    // Somebody who types is left alone.
    console.press(":");
    console.update(ran(Err("ended with status 3".to_owned()), "\u{1b}]0;evil\u{7} went wrong"));
    assert!(matches!(console.app.dialog, Some(Dialog::Palette(_))));
    assert_eq!(said(&console), "tool: ended with status 3.");
    console.type_text("output");
    console.press("Enter");
    let shown = screen(&console);
    assert!(
        shown.contains("tool: ended with status 3") && shown.contains("\\u{1b}]0;evil\\u{7} went wrong"),
        "{shown}"
    );
    console.press("Escape");
    console.update(ran(Ok(()), ""));
    assert!(console.app.dialog.is_none(), "it printed nothing");
}

#[tokio::test]
async fn a_command_has_the_terminal_and_gives_it_back() {
    let server = Server::start_with_events().await;
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("morpion-tui.toml");
    let run = r#"["sh", "-c", '''printf 'got %s\n' "$1"; read answer; exit 3''', "sh", "{name}"]"#;
    let commands = format!(
        "[[commands]]\ntab = 'events'\nkey = 'Ctrl-t'\ntitle = 'tool'\nrun = {run}\n\n\
         [[commands]]\ntab = 'events'\nkey = 'a'\ntitle = 'more'\nrun = ['tool']\n"
    );
    std::fs::write(&config, commands).expect("it is written");
    let line = format!(
        "{} --server {} --token {TOKEN} --config {}",
        env!("CARGO_BIN_EXE_morpion-tui"),
        server.url(),
        config.display()
    );
    let terminal = std::sync::Arc::new(on_open(80, 24).await);
    on(&terminal, move |terminal| {
        terminal.run(&line);
        terminal.wait_for("line 7: a means ");
        terminal.press(&["Escape"]);
        terminal.wait_until("the dialog closes", |shown| !shown.contains("line 7"));
        terminal.press(&["2"]);
        terminal.wait_for("Friday night blitz");
        terminal.press(&["C-t"]);
        terminal.wait_for("got Friday night blitz");
        terminal.run("q");
        terminal.wait_for("ended with status 3. Enter leads back.");
        terminal.press(&["Enter"]);
        terminal.wait_for("tool: ended with status 3.");
        // Keys are the console's again, and what ends the other program does not end the console.
        terminal.step(&["j", "C-t"]);
        terminal.wait_for("got Lunch break knockout");
        terminal.press(&["C-c"]);
        terminal.wait_for("was ended by signal 2. Enter leads back.");
        terminal.press(&["Enter"]);
        terminal.wait_for("tool: was ended by signal 2.");
        terminal.press(&["q"]);
        terminal.expect_restored();
    })
    .await;
}
