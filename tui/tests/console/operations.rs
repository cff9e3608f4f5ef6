//! What an operator does: events from draft to winners, accounts, Pro, games, the palette.
//!
//! One long file: the tests share their data and read as one session of an operator.

use morpion_openapi::{
    Acknowledgement,
    account::Session,
    admin::{AdminUserAnswer, ListSessions, ListUsers, UserSessionsAnswer, UsersListAnswer},
    event::{EventAnswer, EventState, EventsAnswer, ListEvents, VerifyEventAnswer},
    game::{Replay, ReplayAnswer, ReplayPlayer, ReplayRound, Symbol},
};
use morpion_tui::{
    calls::{Call, Reply},
    dialog::{Dialog, event_form::Field},
    event::{Effect, Event},
    hit_testing::ClickTarget,
    keymap::{ChosenKeys, KeyAction, KeyList},
    list::List,
    net::command_error::{CommandError, FailureKind},
    tabs::TabId,
};

use crate::{fixtures::*, screens::buffer};

const SIZE: (u16, u16) = (120, 30);

/// On the tab of the events, with these.
pub fn with_events(size: (u16, u16), events: Vec<morpion_openapi::event::Event>) -> Console {
    let mut console = Console::on_tab(size, 2);
    let call = ListEvents { filter: None, page: Some(1), limit: Some(100) };
    let pagination = page_of(events.len() as u64);
    console.reply(call, Reply::ListEvents(EventsAnswer { events, pagination }));
    console
}

/// On the tab of the accounts, with these.
pub fn with_users(size: (u16, u16), users: Vec<morpion_openapi::account::User>) -> Console {
    let mut console = Console::on_tab(size, 5);
    let call = ListUsers { text: None, page: Some(1), limit: Some(100) };
    let pagination = page_of(users.len() as u64);
    console.reply(call, Reply::ListUsers(UsersListAnswer { users, pagination }));
    console
}

fn only_call(actions: &[Effect]) -> Call {
    let calls = calls(actions);
    let [call] = calls[..] else { panic!("one call, not {calls:?}") };
    call.clone()
}

fn said(console: &Console) -> String {
    console.app.toasts.iter().last().map(|toast| toast.text.clone()).unwrap_or_default()
}

#[test]
fn starting_an_event_needs_a_confirmation() {
    let mut console = with_events(SIZE, vec![event(1, EventState::Published)]);
    assert!(calls(&console.press("a s")).is_empty(), "not before the confirmation");
    assert!(calls(&console.press("n")).is_empty() && console.app.dialog.is_none(), "n is no");
    let call = only_call(&console.press("a s y"));
    assert_eq!(call, Call::StartEvent(morpion_openapi::event::StartEvent { event_id: event_id(1) }));
    console.reply(call, Reply::StartEvent(EventAnswer { event: event(1, EventState::Started) }));
    assert!(console.app.dialog.is_none());
    assert_eq!(said(&console), "'Cup 1' is live.");
    assert_eq!(console.app.tabs.events.table.chosen().map(|event| event.event_state), Some(EventState::Started));
}

#[test]
fn a_refusal_is_shown_until_it_is_dismissed() {
    let mut console = with_events(SIZE, vec![event(1, EventState::Drafted)]);
    let call = only_call(&console.press("a p y"));
    console.refuse(call, CommandError::new(FailureKind::Conflict, "End time must be after start time."));
    let Some(Dialog::Confirm(confirm)) = &console.app.dialog else { panic!("it is shown") };
    assert!(confirm.is_over() && !confirm.went_well());
    console.press("Escape");
    assert!(console.app.dialog.is_none());
}

#[test]
fn bulk_actions_report_each_outcome() {
    let mut console = with_events(SIZE, (1..=3).map(|number| event(number, EventState::Published)).collect());
    console.press("Space Space a c");
    let actions = console.press("y");
    let calls: Vec<_> = calls(&actions).into_iter().cloned().collect();
    assert_eq!(calls.len(), 2, "the marked ones");
    let Call::CancelEvent(first) = &calls[0] else { panic!("{:?}", calls[0]) };
    let cancelled = event(if first.event_id == event_id(1) { 1 } else { 2 }, EventState::Cancelled);
    console.reply(calls[0].clone(), Reply::CancelEvent(EventAnswer { event: cancelled }));
    console.refuse(calls[1].clone(), CommandError::new(FailureKind::Conflict, "The event has ended."));
    let Some(Dialog::Confirm(confirm)) = &console.app.dialog else { panic!("the refusal is shown") };
    assert_eq!(confirm.steps.iter().filter(|step| step.outcome == Some(Ok(()))).count(), 1);
    assert_eq!(console.app.tabs.events.table.marked().count(), 2, "the marks stay for a retry");
}

#[test]
fn a_read_only_console_changes_nothing() {
    let mut console = with_events(SIZE, vec![event(1, EventState::Published)]);
    console.app.context.options.is_read_only = true;
    console.press("a");
    let Some(Dialog::Menu(menu)) = &console.app.dialog else { panic!("a menu") };
    assert!(menu.items.iter().all(|item| !item.action.is_write()));
    console.press("Escape");
    for keys in ["n", "e"] {
        assert!(console.press(keys).is_empty());
        assert_eq!(said(&console), "This console is read-only.");
    }
    console.press(":");
    console.type_text("start");
    assert!(console.press("Enter").is_empty() && console.app.dialog.is_none());
}

#[test]
fn an_event_is_created_with_the_form() {
    let mut console = with_events(SIZE, vec![]);
    console.press("n");
    console.type_text("Friday cup");
    console.press("Down Down Down Space Down");
    console.type_text("+2h");
    console.press("Down");
    console.type_text("soon");
    assert!(console.press("C-s").is_empty(), "that is no time");
    let Some(Dialog::EventForm(form)) = &console.app.dialog else { panic!("the form stays") };
    assert_eq!(form.errors.len(), 1);
    console.press("C-u");
    console.type_text("2026-11-21 16:00");
    let call = only_call(&console.press("C-s"));
    let Call::CreateEvent(create) = &call else { panic!("{call:?}") };
    assert_eq!((create.title.as_str(), create.max_losses), ("Friday cup", Some(3)));
    assert_eq!(create.event_type.map(|kind| kind.as_str()), Some("closed"));
    let times = [create.start_time, create.end_time].map(|time| time.map(|time| time.to_string()));
    assert_eq!(times, [Some("2026-11-21T12:00:00Z".to_owned()), Some("2026-11-21T16:00:00Z".to_owned())]);
    // The server's field errors are shown at the fields.
    let mut refusal = CommandError::new(FailureKind::Invalid, "Please check the fields.");
    refusal.fields.insert("title".to_owned(), "There is one of this title.".to_owned());
    console.refuse(call, refusal);
    let Some(Dialog::EventForm(form)) = &console.app.dialog else { panic!("the form stays") };
    assert_eq!((form.focus, form.refusal.as_deref()), (0, Some("Please check the fields.")));
    let call = only_call(&console.press("C-s"));
    console.reply(call, Reply::CreateEvent(EventAnswer { event: event(9, EventState::Drafted) }));
    assert!(console.app.dialog.is_none());
    assert_eq!(console.app.tabs.events.detail.as_ref().map(|detail| detail.event.event_id), Some(event_id(9)));
}

#[test]
fn the_form_sends_only_changes_and_asks_before_discarding_input() {
    let mut console = with_events(SIZE, vec![event(1, EventState::Published)]);
    console.press("e");
    console.type_text(" II");
    console.press("Escape");
    assert!(console.app.dialog.is_some(), "asked first");
    let call = only_call(&console.press("C-s"));
    let Call::UpdateEvent(update) = call else { panic!("{call:?}") };
    assert_eq!(update.title.as_deref(), Some("Cup 1 II"));
    assert_eq!((update.description, update.start_time, update.max_losses), (None, None, None));
}

#[test]
fn the_form_has_who_may_enter_and_the_check_in() {
    let typed = |console: &mut Console, field: Field, text: &str| {
        while let Some(Dialog::EventForm(form)) = &console.app.dialog
            && form.field() != field
        {
            console.press("Down");
        }
        console.press("C-u");
        console.type_text(text);
    };
    let mut console = with_events(SIZE, vec![]);
    console.press("n");
    console.type_text("Friday cup");
    typed(&mut console, Field::MaxPlayers, "many");
    assert!(console.press("C-s").is_empty(), "that is no number");
    for (field, text) in [
        (Field::MaxPlayers, "40"),
        (Field::CheckIn, "30"),
        (Field::MaxRating, "1400"),
        (Field::AllowList, " anna, ,ben"),
    ] {
        typed(&mut console, field, text);
    }
    let call = only_call(&console.press("C-s"));
    let Call::CreateEvent(create) = &call else { panic!("{call:?}") };
    assert_eq!((create.max_players, create.check_in_minutes), (Some(40), Some(30)));
    assert_eq!((create.max_rating, create.min_rating, create.min_games), (Some(1_400), None, None));
    assert_eq!(create.allow_list, Some(vec!["anna".to_owned(), "ben".to_owned()]));

    // What is emptied is taken away, and a list that was not told is not shown.
    let before = morpion_openapi::event::Event {
        max_players: Some(40),
        check_in_minutes: Some(30),
        min_games: Some(5),
        is_listed_only: Some(true),
        ..event(1, EventState::Published)
    };
    let mut console = with_events(SIZE, vec![before]);
    console.press("e");
    let Some(Dialog::EventForm(form)) = &console.app.dialog else { panic!("the form") };
    assert!(!form.fields().contains(&Field::AllowList));
    typed(&mut console, Field::MaxPlayers, "");
    typed(&mut console, Field::CheckIn, "");
    let call = only_call(&console.press("C-s"));
    let Call::UpdateEvent(update) = &call else { panic!("{call:?}") };
    assert_eq!((update.max_players, update.check_in_minutes), (Some(0), Some(0)));
    assert_eq!((update.min_games, &update.allow_list, &update.title), (None, &None, &None));
}

#[test]
fn late_answers_for_another_state_filter_are_ignored() {
    let mut console = with_events(SIZE, events());
    let before = ListEvents { filter: None, page: Some(1), limit: Some(100) };
    let call = only_call(&console.press("f"));
    let Call::ListEvents(list) = &call else { panic!("{call:?}") };
    assert!(list.filter.is_some());
    let answer = |events| Reply::ListEvents(EventsAnswer { events, pagination: page_of(5) });
    console.reply(before, answer(events()));
    assert_eq!(console.app.tabs.events.table.shown().len(), 0, "asked for before");
    console.reply(call, answer(vec![event(3, EventState::Drafted)]));
    assert_eq!(console.app.tabs.events.table.shown().len(), 1);
}

#[test]
fn revoking_sessions_and_changing_roles_need_a_confirmation() {
    let mut console = with_users(SIZE, users());
    console.press("Enter");
    let user = console.app.tabs.users.detail.as_ref().map(|detail| detail.user.clone()).expect("an account");
    let at = morpion_openapi::Timestamp::from_millis(START);
    let session = Session {
        session_id: "s-1".to_owned(),
        device: "Firefox on Linux".to_owned(),
        address: "192.0.2.7".to_owned(),
        created_at: at,
        last_used_at: at,
        expires_at: at,
        is_current: false,
    };
    let answer = UserSessionsAnswer { sessions: vec![session] };
    console.reply(ListSessions { user_id: user.user_id }, Reply::ListSessions(answer));
    let call = only_call(&console.press("a r y"));
    console.reply(call, Reply::RevokeSessionAction(Acknowledgement {}));
    assert_eq!(console.app.tabs.users.detail.as_ref().map(|detail| detail.sessions.shown().len()), Some(0));
    let call = only_call(&console.press("a d y"));
    let Call::SetAdmin(set) = &call else { panic!("{call:?}") };
    assert_eq!(set.is_admin, !user.is_admin);
    console.refuse(
        call,
        CommandError::new(FailureKind::Conflict, "This is the last admin. Make somebody else an admin first."),
    );
    assert!(matches!(&console.app.dialog, Some(Dialog::Confirm(confirm)) if confirm.is_over()));
}

#[test]
fn pro_is_granted_with_a_reason_and_days() {
    let mut console = with_users(SIZE, vec![user(3, "clea")]);
    console.press("a p");
    assert!(console.press("Enter Enter").is_empty(), "a reason is needed");
    let Some(Dialog::Confirm(confirm)) = &console.app.dialog else { panic!("it stays") };
    assert!(confirm.error.is_some());
    console.type_text("Won the autumn open");
    console.press("Enter");
    console.type_text("30");
    let call = only_call(&console.press("Enter"));
    let Call::GrantPro(grant) = &call else { panic!("{call:?}") };
    assert_eq!(grant.reason, "Won the autumn open");
    assert_eq!(grant.until.map(|until| until.to_string()).as_deref(), Some("2026-12-21T10:00:00Z"));
    let user = morpion_openapi::account::User { is_pro_user: true, ..user(3, "clea") };
    console.reply(call, Reply::GrantPro(AdminUserAnswer { user }));
    assert_eq!(said(&console), "clea the player @clea has Pro.");
    assert_eq!(console.app.tabs.subscriptions.accounts.shown().len(), 1);
}

#[test]
fn a_game_is_decided_with_a_reason() {
    let mut console = Console::with(SIZE, vec![game(1)]);
    console.press("a o");
    console.type_text("Anna asked for it");
    let call = only_call(&console.press("Enter"));
    let Call::AdjudicateGame(decide) = &call else { panic!("{call:?}") };
    assert_eq!((decide.winner_user_id, decide.reason.as_str()), (Some(O), "Anna asked for it"));
    console.refuse(call, CommandError::new(FailureKind::NotFound, "Game not found"));
    assert!(console.app.dialog.is_some(), "the refusal is shown");
}

pub fn replay() -> Replay {
    let at = |number: i64, row, col, symbol| morpion_openapi::game::GameMove { row, col, symbol, at: START + number };
    let player = |user_id, name: &str, symbol| ReplayPlayer {
        user_id,
        username: name.to_owned(),
        display_name: display_name(name),
        profile_url: None,
        is_bot: None,
        symbol,
        rating: None,
    };
    let (x, o) = (Symbol::X, Symbol::O);
    let drawn = [(0, 0, x), (1, 1, o), (0, 1, x), (0, 2, o), (2, 0, x), (1, 0, o), (1, 2, x), (2, 1, o), (2, 2, x)];
    let won = [(0, 0, o), (1, 0, x), (0, 1, o), (1, 1, x), (0, 2, o)];
    let round = |starter, moves: &[(u8, u8, Symbol)]| ReplayRound {
        board_size: 3,
        starter,
        moves: moves
            .iter()
            .enumerate()
            .map(|(number, (row, col, symbol))| at(number as i64, *row, *col, *symbol))
            .collect(),
    };
    Replay {
        decision: None,
        game_id: game_id(7),
        players: vec![player(X, "anna", x), player(O, "ben", o)],
        rounds: vec![round(x, &drawn), round(o, &won)],
        winner: Some(o),
        is_draw: false,
        reason: Some(morpion_openapi::game::EndReason::Line),
        game_type: morpion_openapi::game::GameType::Event,
        clock: morpion_openapi::game::TimeControl::Turn15,
        rated: Some(true),
        event_id: event_id(1).to_string(),
        created_at: morpion_openapi::Timestamp::from_millis(START),
        ended_at: Some(morpion_openapi::Timestamp::from_millis(START + 60_000)),
    }
}

pub fn replay_answer() -> ReplayAnswer {
    ReplayAnswer { replay: replay(), notation: "[X \"anna\"]\n".to_owned() }
}

/// A replay on the screen.
pub fn with_replay(size: (u16, u16)) -> Console {
    let mut console = Console::on_tab(size, 3);
    console.press(":");
    console.type_text(&format!("replay {}", game_id(7)));
    let call = only_call(&console.press("Enter"));
    console.reply(call, Reply::GetReplay(replay_answer()));
    console
}

#[test]
fn a_finished_game_is_replayed_move_by_move() {
    let mut console = with_replay(SIZE);
    let at =
        |console: &Console| console.app.replay.as_ref().map(|replay| (replay.round, replay.moves)).expect("a replay");
    assert_eq!(at(&console), (1, 5), "it begins with how it ended");
    let line = console.app.replay.as_ref().and_then(|replay| replay.winning_line());
    assert_eq!(line, Some(vec![[0, 0], [0, 1], [0, 2]]));
    console.press("Left Left Left Left Left Left");
    assert_eq!(at(&console), (0, 9), "back into the round before");
    console.press("g");
    assert_eq!(at(&console), (0, 0));
    console.press("Space");
    for _ in 0..4 {
        console.pass(1_000);
    }
    assert_eq!(at(&console), (0, 4), "it runs by itself");
    console.press("Space");
    console.pass(5_000);
    assert_eq!(at(&console), (0, 4), "and stands");
    console.press("G");
    assert_eq!(at(&console), (1, 5));
    console.press("Escape");
    assert!(console.app.replay.is_none());
}

#[test]
fn the_palette_completes_and_runs() {
    let mut console = with_events(SIZE, events());
    console.press(":");
    console.type_text("event lun");
    console.press("Tab Enter");
    assert_eq!(
        console.app.tabs.events.detail.as_ref().map(|detail| detail.event.title.clone()).as_deref(),
        Some("Lunch break knockout")
    );
    console.press(":");
    console.type_text("level error");
    console.press("Enter");
    assert_eq!(console.app.tab, TabId::Logs);
    for (line, action) in [
        ("server staging", Effect::SwitchServer("staging".to_owned())),
        ("theme ink", Effect::SetPalette(morpion_tui::theme::Palette::Ink)),
        ("ascii on", Effect::SetAscii(true)),
        ("mouse off", Effect::SetMouse(false)),
        ("quit", Effect::Quit),
    ] {
        console.press(":");
        console.type_text(line);
        assert_eq!(console.press("Enter"), [action], "{line}");
    }
    for wrong in ["nonsense", "server nowhere", "level loud", "game 12", "quit now"] {
        console.press(":");
        console.type_text(wrong);
        assert!(console.press("Enter").is_empty());
        let Some(Dialog::Palette(palette)) = &console.app.dialog else { panic!("{wrong} is wrong") };
        assert!(palette.error.is_some(), "{wrong}");
        console.press("Escape");
    }
}

#[test]
fn the_palette_finds_events_by_a_part_of_their_title() {
    let mut console = with_events(SIZE, events());
    console.press(":");
    console.type_text("blitz");
    let shown = buffer(&console, morpion_tui::theme::Palette::None, false);
    let underlined: String = shown
        .content()
        .iter()
        .filter(|cell| cell.modifier.contains(ratatui::style::Modifier::UNDERLINED))
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert_eq!(underlined, "blitz", "without colours, too");
    console.press("Enter");
    let opened = console.app.tabs.events.detail.as_ref().map(|detail| detail.event.title.as_str());
    assert_eq!(opened, Some("Friday night blitz"));
    assert!(console.app.dialog.is_none());
}

#[test]
fn chosen_keys_work_and_are_shown() {
    let mut console = with_events((120, 40), events());
    let keys = [(KeyAction::Palette, "Ctrl-p", 1), (KeyAction::Quit, "Q", 2), (KeyAction::State, "F5 x", 3)];
    console.app.context.options.keys =
        ChosenKeys::new(keys.map(|(action, keys, line)| (action, keys.parse::<KeyList>().expect("keys"), line)));
    let shown = crate::screens::screen(&console);
    assert!(shown.contains("F5 state") && shown.contains("Ctrl-p command") && shown.contains("Q quit"), "{shown}");
    console.press(":");
    assert!(console.app.dialog.is_none() && console.press("q").is_empty(), "the usual keys have no effect");
    console.press("C-p");
    assert!(matches!(console.app.dialog, Some(Dialog::Palette(_))));
    console.press("Escape");
    console.press("x");
    assert!(console.app.tabs.events.state.is_some());
    console.press("?");
    let help = crate::screens::screen(&console);
    assert!(help.contains("F5 x ") && help.contains("Ctrl-p "), "{help}");
    console.press("?");
    assert_eq!(console.press("Q"), [Effect::Quit]);
    assert_eq!(console.press("C-c"), [Effect::Quit], "whatever is chosen");
}

#[test]
fn the_mouse_chooses_opens_and_scrolls() {
    let mut console = with_events(SIZE, events());
    console.update(Event::Click(ClickTarget::Row(2)));
    assert_eq!(console.app.tabs.events.table.chosen_index(), Some(2));
    assert!(console.app.tabs.events.detail.is_none());
    console.update(Event::Scroll(-1));
    assert_eq!(console.app.tabs.events.table.chosen_index(), Some(1));
    console.update(Event::Click(ClickTarget::Row(1)));
    assert!(console.app.tabs.events.detail.is_some(), "the second click opens");
    console.update(Event::Click(ClickTarget::Tab(TabId::Users.index())));
    assert_eq!(console.app.tab, TabId::Users);
    console.press("2 a");
    console.update(Event::Click(ClickTarget::MenuItem(0)));
    assert!(matches!(console.app.dialog, Some(Dialog::Confirm(_))), "the entry was chosen");
    assert_eq!(console.press("Escape m"), [Effect::SetMouse(false)]);
}

#[test]
fn click_targets_match_the_screen() {
    let console = with_events((80, 24), events());
    let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(80, 24)).expect("a test backend");
    let theme = morpion_tui::theme::Theme::new(morpion_tui::theme::Palette::None, false);
    let mut targets = None;
    terminal.draw(|frame| targets = Some(morpion_tui::screen::draw(frame, &console.app, &theme))).expect("it draws");
    let targets = targets.expect("it drew");
    assert_eq!(targets.at(3, 1), Some(ClickTarget::Tab(TabId::Overview.index())));
    assert_eq!(targets.at(10, 4), Some(ClickTarget::Row(0)));
    assert_eq!(targets.at(10, 20), None);
}

#[test]
fn number_keys_open_the_tabs_also_from_the_log() {
    let mut console = Console::on_tab(SIZE, 1);
    for from in TabId::ALL {
        for tab in TabId::ALL {
            console.press(&from.digit().to_string());
            console.press(&tab.digit().to_string());
            assert_eq!(console.app.tab, *tab);
        }
    }
    console.press("Tab");
    assert_eq!(console.app.tab, TabId::Overview, "after the last comes the first");
    for _ in 2..TabId::ALL.len() {
        console.press("Tab");
        assert_ne!(console.app.tab, TabId::Cluster, "a server that runs alone has none");
        assert_ne!(console.app.tab, TabId::Webhooks, "there is none");
    }
    assert_eq!(console.app.tab, TabId::Overview);
}

fn menu_labels(console: &mut Console) -> Vec<String> {
    console.press("a");
    let Some(Dialog::Menu(menu)) = &console.app.dialog else { panic!("a menu") };
    let labels = menu.items.iter().map(|item| item.label.clone()).collect();
    console.press("Escape");
    labels
}

#[test]
fn menus_offer_only_what_is_possible() {
    for (state, possible) in [
        (EventState::Drafted, vec!["publish", "delete", "modify: title, times, prize"]),
        (EventState::Published, vec!["start", "cancel", "modify: title, times, prize"]),
        (EventState::Started, vec!["end", "cancel", "extend: move its end", "verify the standings from the games"]),
        (EventState::Ended, vec!["verify the standings from the games"]),
        (EventState::Cancelled, vec![]),
    ] {
        let mut labels = menu_labels(&mut with_events(SIZE, vec![event(1, state)]));
        assert_eq!(labels.pop().as_deref(), Some("copy its id"));
        assert_eq!(labels, possible, "{state}");
    }
    let mut ended = with_events(SIZE, vec![event(1, EventState::Ended)]);
    assert!(ended.press("e").is_empty() && ended.app.dialog.is_none());
    assert_eq!(said(&ended), "Only a draft or a published event can be edited.");
    ended.press(":");
    ended.type_text("start");
    assert!(ended.press("Enter").is_empty());
    assert_eq!(said(&ended), "'Cup 1' is ended; you cannot start it.");

    let guest = morpion_openapi::account::User { is_temp_user: true, ..user(3, "guest_1") };
    let labels = menu_labels(&mut with_users(SIZE, vec![guest]));
    assert!(!labels.iter().any(|label| label.contains("Pro") || label.contains("admin")), "{labels:?}");

    let waiting = morpion_openapi::game::Game { players: vec![game(1).players[0].clone()], ..game(1) };
    let labels = menu_labels(&mut Console::with(SIZE, vec![waiting]));
    assert!(!labels.iter().any(|label| label.starts_with("decide")), "an open seat cannot lose: {labels:?}");
    assert!(labels.contains(&"make it void".to_owned()), "{labels:?}");
}

#[test]
fn bulk_actions_apply_to_the_rows_that_allow_them() {
    let events = [(1, EventState::Published), (2, EventState::Drafted), (3, EventState::Published)];
    let mut console = with_events(SIZE, events.map(|(number, state)| event(number, state)).to_vec());
    console.press("* a s");
    let Some(Dialog::Confirm(confirm)) = &console.app.dialog else { panic!("asked first") };
    assert_eq!((confirm.title.as_str(), confirm.steps.len()), ("Start 2 events?", 2));
    assert!(confirm.lines.iter().any(|line| line.contains("1 of those marked is in another state")));
}

#[test]
fn verifying_from_the_list_shows_the_differences() {
    let mut console = with_events(SIZE, vec![event(1, EventState::Ended)]);
    let actions = console.press("a v");
    let call = calls(&actions).into_iter().find(|call| matches!(call, Call::VerifyEvent(_))).expect("asked").clone();
    let answer = VerifyEventAnswer {
        agrees: true,
        games: 1,
        players: 2,
        differences: vec![],
        corrections: vec![],
        acts: vec![],
        vouched: None,
    };
    console.reply(call, Reply::VerifyEvent(answer));
    let detail = console.app.tabs.events.detail.as_ref().expect("the event is open");
    assert!(matches!(&detail.verified, Some(Ok(answer)) if answer.agrees));
}

#[test]
fn counts_are_right_after_a_delete() {
    let mut console = with_events(SIZE, vec![event(1, EventState::Drafted), event(2, EventState::Published)]);
    console.press("f f");
    let actions = console.press("f f f f");
    let call = calls(&actions).last().map(|call| (*call).clone()).expect("all are asked for again");
    let events = vec![event(1, EventState::Drafted), event(2, EventState::Published)];
    console.reply(call, Reply::ListEvents(EventsAnswer { events, pagination: page_of(2) }));
    console.press("G");
    let delete = only_call(&console.press("a d y"));
    console.reply(delete, Reply::DeleteEvent(Acknowledgement {}));
    assert_eq!((console.app.tabs.events.total, console.app.tabs.events.table.rows().len()), (1, 1));
    assert!(!calls(&console.pass(250)).is_empty(), "and the server is asked");
}

#[test]
fn actions_do_not_apply_to_hidden_rows() {
    let mut console = with_events(SIZE, vec![event(1, EventState::Drafted)]);
    console.update(Event::Resize(40, 10));
    for keys in ["a d y", "Enter", "n", "2 3 4", ": q u i t Enter", "/ x", "Escape", "Tab", "G", "m", "r"] {
        assert!(console.press(keys).iter().all(|action| matches!(action, Effect::Quit)), "{keys}");
    }
    assert!(console.update(Event::Scroll(3)).is_empty() && console.app.dialog.is_none());
    assert_eq!((console.app.tab, console.app.tabs.events.table.filter()), (TabId::Events, ""));
    assert!(console.app.tabs.events.detail.is_none() && console.app.context.options.has_mouse);
    console.press("?");
    assert!(console.app.is_help_open);
    console.press("?");
    assert_eq!(console.press("q"), [Effect::Quit]);
    // When rows are visible again they keep their marks.
    console.update(Event::Resize(40, 12));
    assert!(calls(&console.press("a d")).is_empty());
    assert!(matches!(&console.app.dialog, Some(Dialog::Confirm(_))));

    let mut typing = with_events(SIZE, vec![]);
    typing.press("n");
    typing.type_text("Friday");
    typing.update(Event::Resize(39, 12));
    assert!(typing.press("q").is_empty(), "typed text is not lost by one key");
    assert_eq!(typing.press("C-c"), [Effect::Quit]);
    typing.update(Event::Resize(40, 12));
    typing.type_text(" cup");
    let Some(Dialog::EventForm(form)) = &typing.app.dialog else { panic!("the form") };
    assert_eq!(form.input(morpion_tui::dialog::event_form::Field::Title).text(), "Friday cup");
}

#[test]
fn the_palette_accepts_short_ids() {
    let mut console = Console::with(SIZE, games());
    console.press(":");
    console.type_text("game 77c0");
    let actions = console.press("Enter");
    assert_eq!(sent(&actions).len(), 1, "{actions:?}");
    assert_eq!(console.app.watch.as_ref().map(|watch| watch.game_id), Some(game_id(0x77c0_ffee)));
}

#[test]
fn warnings_are_listed_by_urgency() {
    let mut console = Console::on_tab(SIZE, 1);
    let mut answer = overview();
    answer.store.ready = false;
    answer.warnings = vec!["The store has not answered a write for 5 seconds.".to_owned()];
    answer.store.pending = 40_000;
    console.reply(morpion_openapi::admin::Overview {}, Reply::Overview(answer));
    let mut stats = log_stats();
    stats.dropped = 7;
    let attention = console.app.tabs.overview.attention(Some(&stats));
    let texts: Vec<_> = attention.iter().map(|attention| attention.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "The store has not answered a write for 5 seconds.",
            "40 000 moves wait for the store.",
            "7 log records found no room and were dropped."
        ]
    );
}

#[test]
fn moves_per_second_need_two_answers_and_survive_a_restart() {
    let mut console = Console::on_tab(SIZE, 1);
    let answer = |moves, seconds: i64, started: i64| {
        let mut answer = overview();
        answer.moves = moves;
        answer.server_time = morpion_openapi::Timestamp::from_millis(START + seconds * 1_000);
        answer.started_at = morpion_openapi::Timestamp::from_millis(started);
        Reply::Overview(answer)
    };
    let call = morpion_openapi::admin::Overview {};
    console.reply(call.clone(), answer(1_000, 0, 1));
    console.reply(call.clone(), answer(1_500, 2, 1));
    console.reply(call, answer(90, 4, 2));
    let rates: Vec<_> = console.app.tabs.overview.samples.iter().map(|sample| sample.moves_per_second).collect();
    assert_eq!(rates, [0.0, 250.0, 0.0]);
}
