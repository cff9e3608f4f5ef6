//! What was open is there at the next start.

use morpion_openapi::{
    admin::ListUsers,
    event::{EventsAnswer, ListEvents},
};
use morpion_tui::{
    calls::{Call, Reply},
    event::Effect,
    kept::{KeptColumn, KeptList, Opened},
    list::List,
    tabs::TabId,
};

use crate::{
    fixtures::*,
    operations::{with_events, with_users},
    screens::screen,
    server::{Server, TOKEN},
    tmux::{on, on_open},
};

const SIZE: (u16, u16) = (120, 30);

/// The next start of a console: connected, with what was open.
fn next(opened: &Opened) -> (Console, Vec<Effect>) {
    let mut console = Console::new(SIZE);
    console.app.restore(opened);
    let effects = console.connect(games());
    (console, effects)
}

#[test]
fn the_tab_the_row_the_filter_and_the_order_are_restored() {
    let mut before = with_events(SIZE, events());
    before.press("s S j j");
    let chosen = before.app.tabs.events.table.chosen().map(|event| event.event_id);
    before.press("/");
    before.type_text("n");
    before.press("Enter");
    let shown: Vec<_> = before.app.tabs.events.table.shown().map(|event| event.event_id).collect();
    let chosen_now = before.app.tabs.events.table.chosen().map(|event| event.event_id);
    assert!(chosen.is_some() && shown.len() > 1, "{shown:?}");
    // What is open in front of the list is not the list.
    before.press("Enter");
    assert!(before.app.tabs.events.detail.is_some());

    let (mut console, effects) = next(&before.app.opened());
    assert_eq!(console.app.tab, TabId::Events);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Call(Call::ListEvents(_)))), "{effects:?}");
    assert_eq!(console.app.opened().lists["Events"], before.app.opened().lists["Events"], "also before it comes");
    let call = ListEvents { filter: None, page: Some(1), limit: Some(100) };
    console.reply(call, Reply::ListEvents(EventsAnswer { events: events(), pagination: page_of(5) }));
    let table = &console.app.tabs.events.table;
    assert_eq!(table.shown().map(|event| event.event_id).collect::<Vec<_>>(), shown);
    assert_eq!(table.chosen().map(|event| event.event_id), chosen_now);
    assert!(screen(&console).contains("/n "), "the filter is seen");
}

#[test]
fn a_restored_search_for_accounts_asks_the_server() {
    let mut before = with_users(SIZE, vec![user(1, "ada")]);
    before.press("/");
    before.type_text("ada");
    let (mut console, _) = next(&before.app.opened());
    let calls = console.pass(400);
    let search = ListUsers { text: Some("ada".to_owned()), page: Some(1), limit: Some(100) };
    assert!(calls.contains(&Effect::Call(Call::ListUsers(search))), "{calls:?}");
    assert!(!console.app.is_typing());
}

#[test]
fn columns_are_chosen_and_kept() {
    let head = |console: &Console| {
        let shown = screen(console);
        shown.lines().find(|line| line.contains("State")).map(str::to_owned).unwrap_or_default()
    };
    let mut before = with_events(SIZE, events());
    assert!(head(&before).contains("Format") && head(&before).contains("Players"));
    before.press("C");
    let shown = screen(&before);
    assert!(shown.contains("[x] Title") && shown.contains("[x] Time left"), "{shown}");
    // The title comes second, and the format is hidden.
    before.press("J j Space");
    assert!(before.press("Enter").is_empty() && before.app.dialog.is_none());
    assert!(!head(&before).contains("Format"));
    assert!(head(&before).find("State") < head(&before).find("Title"), "{}", head(&before));
    before.press("C u Escape");
    assert!(!head(&before).contains("Format"), "nothing was chosen");

    let (mut console, _) = next(&before.app.opened());
    let call = ListEvents { filter: None, page: Some(1), limit: Some(100) };
    console.reply(call, Reply::ListEvents(EventsAnswer { events: events(), pagination: page_of(5) }));
    assert_eq!(head(&console), head(&before));
    console.press("C u Enter");
    assert!(head(&console).contains("Format"));
    assert!(console.app.tabs.events.table.chosen_columns().is_empty());
    // What has no choice says so.
    console.press("Enter C");
    assert!(console.app.dialog.is_none());
}

#[test]
fn every_table_with_a_choice_hides_the_column_that_is_named() {
    let mut console = Console::with((200, 40), games());
    assert!(screen(&console).contains("Seen by"));
    let chosen = console.app.tabs.games.columns().iter();
    let chosen = chosen.map(|column| KeptColumn { name: column.name.to_owned(), is_shown: column.name == "Seen by" });
    let chosen = chosen.collect();
    console.app.tabs.games.choose_columns(chosen);
    let shown = screen(&console);
    assert!(shown.contains("Seen by") && !shown.contains("Anna Petit"), "{shown}");
    for (_, tab) in console.app.tabs.iter() {
        let columns = tab.kept_list().map(List::columns).unwrap_or_default();
        let mut names: Vec<_> = columns.iter().map(|column| column.name).collect();
        names.sort_unstable();
        names.dedup();
        assert!(names.len() == columns.len() && !names.contains(&""), "{}: {names:?}", tab.title());
    }
}

#[test]
fn live_games_are_restored() {
    let mut before = Console::with(SIZE, games());
    before.press("s j");
    let chosen = before.app.tabs.games.selected_id();
    let (console, _) = next(&before.app.opened());
    let games = &console.app.tabs.games;
    assert_eq!((console.app.tab, games.selected_id(), games.sort), (TabId::Games, chosen, before.app.tabs.games.sort));
}

#[test]
fn what_is_unknown_or_gone_does_no_harm() {
    let list = KeptList {
        row: Some("no id".to_owned()),
        filter: "(".to_owned(),
        sort: Some("Colour".to_owned()),
        is_reversed: true,
        columns: vec![KeptColumn { name: "Weather".to_owned(), is_shown: false }],
    };
    let titles = ["Overview", "Events", "Games", "Logs", "Users", "Audit", "Pro", "Reports", "Cluster", "Weather"];
    let lists = titles.map(|title| (title.to_owned(), list.clone())).into();
    let (mut console, _) = next(&Opened { at: 0, tab: "Weather".to_owned(), lists });
    assert_eq!(console.app.tab, TabId::Overview);
    for number in 1..titles.len() {
        console.press(&number.to_string());
        console.press("j k");
        screen(&console);
    }
}

#[tokio::test]
async fn a_console_opens_what_was_open_at_its_end() {
    let server = Server::start_with_events().await;
    let folder = tempfile::tempdir().expect("a folder");
    let console = format!("{} --server {} --token {TOKEN}", env!("CARGO_BIN_EXE_morpion-tui"), server.url());
    let line = format!("XDG_STATE_HOME={} {console}", folder.path().display());
    let terminal = std::sync::Arc::new(on_open(80, 24).await);
    let path = folder.path().join("morpion/console.json");
    on(&terminal, move |terminal| {
        terminal.run(&line);
        terminal.wait_for("Connections");
        terminal.press(&["2"]);
        terminal.wait_for("Lunch break knockout");
        terminal.step(&["/"]);
        terminal.write("lunch");
        terminal.step(&["Enter"]);
        terminal.press(&["q"]);
        terminal.expect_restored();
        terminal.run(&line);
        terminal.wait_for("/lunch ");
        terminal.wait_for("▸ Lunch break knockout");
        terminal.press(&["q"]);
        terminal.expect_restored();
        std::fs::write(&path, "{").expect("a file");
        terminal.run(&line);
        terminal.wait_for("What was open last time is not known");
        terminal.press(&["q"]);
        terminal.expect_restored();
    })
    .await;
}
