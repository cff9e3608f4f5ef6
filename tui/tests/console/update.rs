//! Updates of the state, and the effects they request.

use morpion_openapi::{
    Pagination,
    admin::{ListLiveGames, LiveGamesAnswer},
    game::{CancelReason, EndReason, Game, GameStatus},
    realtime::{
        Ack, ClientFrame, GameCancelled, GameDraw, GameError, LeaveGameRoom, OpponentDisconnected, OpponentReconnected,
        ServerFrame, SpectateGame, SubscribeLiveGames,
    },
};
use morpion_tui::{
    calls::{Call, Reply},
    connection::Connection,
    dialog::{
        Dialog,
        confirm::{ConfirmDialog, ConfirmField},
        event_form::{EventForm, Field},
    },
    event::{Effect, Event, NetEvent},
    list::List,
    net::command_error::{CommandError, FailureKind},
    tabs::games::live_games::MAX_ROWS,
};

use crate::fixtures::*;

const SIZE: (u16, u16) = (80, 24);

fn games_page(page: u32) -> Call {
    ListLiveGames { page: Some(page), limit: Some(100) }.into()
}

fn spectates(number: u32) -> ClientFrame {
    ClientFrame::SpectateGame(SpectateGame { game_id: game_id(number) })
}

#[test]
fn a_connection_subscribes_and_shows_the_list() {
    let mut console = Console::new(SIZE);
    let actions = console.connect(games());
    assert_eq!(sent(&actions), [&ClientFrame::SubscribeLiveGames(SubscribeLiveGames {})]);
    assert_eq!(console.shown(), ["anna", "a_very_long_username", "Clément", "anna"], "the newest first");
    console.frame(changed(vec![Game { move_count: Some(5), ..games()[0].clone() }], vec![game_id(0x9b01_77e4)]));
    assert_eq!(console.app.tabs.games.total(), 3);
    assert_eq!(console.app.tabs.games.selected().and_then(|game| game.move_count), Some(5));
}

#[test]
fn the_selection_stays_with_its_game() {
    let mut console = Console::with(SIZE, games());
    console.press("j");
    let chosen = console.app.tabs.games.selected_id();
    assert_eq!(chosen, Some(game_id(0x77c0_ffee)));
    console.frame(changed(vec![game(1), game(2)], vec![]));
    assert_eq!(console.app.tabs.games.selected_id(), chosen, "new games come above it");
    let place = console.app.tabs.games.chosen_index();
    console.frame(changed(vec![], vec![game_id(0x77c0_ffee)]));
    assert_eq!(console.app.tabs.games.chosen_index(), place, "when it ends, another may start");
    console.press("G j j");
    assert_eq!(console.app.tabs.games.chosen_index(), Some(4));
    console.press("g k");
    assert_eq!(console.app.tabs.games.chosen_index(), Some(0));
}

#[test]
fn the_filter_matches_all_its_words() {
    let mut console = Console::with(SIZE, games());
    console.press("/ A N N A");
    assert_eq!(console.shown(), ["anna", "anna"]);
    console.press("BSpace BSpace BSpace BSpace 6 x 6");
    assert_eq!(console.shown(), ["Clément"]);
    console.press("Enter j");
    assert!(!console.app.tabs.games.is_typing, "after Enter keys are commands again");
    assert_eq!(console.app.tabs.games.filter, "6x6");
    console.press("Escape");
    assert_eq!(console.shown().len(), 4);
    for (filter, found) in [("waiting anna", 1), ("77c0ff", 1), ("event", 1), ("invite active", 2), ("nobody", 0)] {
        console.app.tabs.games.set_filter(filter.to_owned());
        assert_eq!(console.shown().len(), found, "{filter}");
    }
    console.app.tabs.games.set_filter("anna".to_owned());
    console.frame(changed(vec![game(9)], vec![]));
    assert_eq!(console.shown().len(), 3, "the filter applies to new games");
}

#[test]
fn while_typing_a_filter_keys_are_text() {
    let mut console = Console::with(SIZE, games());
    assert_eq!(console.press("/ q s ? C-c"), [Effect::Quit]);
    assert_eq!(console.app.tabs.games.filter, "qs?");
    assert!(!console.app.is_help_open);
}

#[test]
fn the_sort_order_can_be_chosen_and_reversed() {
    let mut console = Console::with(SIZE, games());
    console.press("s");
    assert_eq!(console.shown(), ["a_very_long_username", "anna", "anna", "Clément"], "by players");
    console.press("s");
    assert_eq!(console.shown()[0], "Clément", "by size, the largest first");
    console.press("S");
    assert_eq!(console.shown()[3], "Clément");
    console.press("s s");
    assert_eq!(console.shown()[0], "a_very_long_username", "by moves, drawn rounds first");
    console.press("s");
    assert_eq!(console.shown()[0], "anna", "by age again");
}

#[test]
fn the_list_is_kept_until_a_reconnect_replaces_it() {
    let mut console = Console::with(SIZE, games());
    console.net(NetEvent::Disconnected { why: "The connection was lost.".to_owned(), retry_in_ms: 1_000 });
    assert_eq!(console.shown().len(), 4);
    console.net(NetEvent::Connecting);
    assert!(matches!(console.app.context.connection, Connection::Lost { is_trying: true, attempts: 1, .. }));
    console.net(NetEvent::Disconnected { why: "Nothing answers there.".to_owned(), retry_in_ms: 2_000 });
    assert!(matches!(console.app.context.connection, Connection::Lost { is_trying: false, attempts: 2, .. }));
    console.net(NetEvent::Connected);
    assert_eq!(console.shown().len(), 4);
    console.frame(changed(vec![games()[1].clone(), game(5)], vec![]));
    assert_eq!(console.shown().len(), 5);
    console.net(NetEvent::Ack { id: "live-games".to_owned(), ack: succeeded() });
    assert_eq!(console.shown(), ["anna", "Clément"]);
}

#[test]
fn a_reconnect_fetches_the_watched_game_again() {
    let mut console = Console::with(SIZE, vec![game(1)]);
    console.watch(&state(&game(1)));
    console.net(NetEvent::Disconnected { why: String::new(), retry_in_ms: 1_000 });
    assert!(console.pass(60_000).is_empty(), "nothing is fetched without a connection");
    let actions = console.connect(vec![game(1)]);
    assert_eq!(sent(&actions), [&ClientFrame::SubscribeLiveGames(SubscribeLiveGames {}), &spectates(1)]);
}

#[test]
fn a_long_list_is_fetched_page_by_page() {
    let mut console = Console::new(SIZE);
    console.net(NetEvent::Connected);
    console.frame(changed((1..=500).map(game).collect(), vec![]));
    let actions = console.net(NetEvent::Ack { id: "live-games".to_owned(), ack: succeeded() });
    assert_eq!(calls(&actions), [&games_page(1)]);
    assert!(!console.app.tabs.games.is_loaded);
    let answer = |games: Vec<Game>, has_next_page| {
        let pagination =
            Pagination { current_page: 1, limit: 100, total_count: 700, has_prev_page: false, has_next_page };
        LiveGamesAnswer { games, pagination }
    };
    // A game that ended and one that changed since the page was fetched.
    console.frame(changed(vec![Game { move_count: Some(3), ..game(501) }], vec![game_id(502)]));
    let page = answer((500..=600).map(game).collect(), true);
    let actions = console.reply(games_page(1), Reply::ListLiveGames(page));
    assert_eq!(calls(&actions), [&games_page(2)]);
    let page = answer((601..=700).map(game).collect(), false);
    assert!(console.reply(games_page(2), Reply::ListLiveGames(page)).is_empty());
    assert_eq!(console.app.tabs.games.total(), 699);
    assert!(!console.app.tabs.games.contains(game_id(502)));
    let moved =
        console.app.tabs.games.shown().find(|game| game.game_id == game_id(501)).and_then(|game| game.move_count);
    assert_eq!(moved, Some(3));
}

#[test]
fn a_failed_page_keeps_known_games_and_is_reported() {
    let mut console = Console::new(SIZE);
    console.net(NetEvent::Connected);
    console.frame(changed((1..=500).map(game).collect(), vec![]));
    console.net(NetEvent::Ack { id: "live-games".to_owned(), ack: succeeded() });
    console.refuse(games_page(1), CommandError::new(FailureKind::Unreachable, "No answer."));
    assert_eq!(console.shown().len(), 500);
    assert_eq!(
        console.app.toasts.iter().next().map(|toast| toast.text.as_str()),
        Some("Not all live games are listed. No answer.")
    );
}

#[test]
fn the_list_is_bounded() {
    let mut console = Console::with(SIZE, vec![]);
    console.frame(changed((1..=MAX_ROWS as u32 + 3).map(game).collect(), vec![]));
    assert_eq!((console.app.tabs.games.total(), console.app.tabs.games.beyond), (MAX_ROWS, 3));
    console.frame(changed(vec![], vec![game_id(1)]));
    console.frame(changed(vec![game(9_999)], vec![]));
    assert!(console.app.tabs.games.contains(game_id(9_999)), "an ended game makes room");
}

#[test]
fn moves_are_applied_one_by_one() {
    let mut console = Console::with(SIZE, vec![game(1)]);
    assert_eq!(sent(&console.press("Enter")), [&spectates(1)]);
    let before = state(&game(1));
    console.frame(joined(&before));
    let update = next_move(&before, (1, 1), 4);
    console.frame(ServerFrame::MoveUpdate(update.clone()));
    let expected = played(before.clone(), &[(1, 1)]);
    assert_eq!((&console.state().board, console.state().version), (&expected.board, 4));
    assert_eq!(console.state().players[0].time_used_ms, 4_000);
    assert_eq!(console.state().current_turn, Some(O));

    assert!(console.frame(ServerFrame::MoveUpdate(update)).is_empty());
    assert_eq!(console.state().moves.len(), 1, "a move told twice is played once");
    console.frame(ServerFrame::MoveUpdate(next_move(&state(&game(2)), (0, 0), 1)));
    assert_eq!(console.state().moves.len(), 1, "another game's move is not ours");
}

#[test]
fn a_version_gap_is_closed_by_a_full_state() {
    let mut console = Console::with(SIZE, vec![game(1)]);
    let before = state(&game(1));
    console.watch(&before);
    let missed = played(before, &[(0, 0), (1, 1)]);
    let late = ServerFrame::MoveUpdate(next_move(&missed, (2, 2), 1));
    assert_eq!(sent(&console.frame(late.clone())), [&spectates(1)]);
    assert!(console.state().moves.is_empty(), "a frame after a gap is not applied");
    assert!(console.frame(late.clone()).is_empty(), "it is asked for once");
    assert_eq!(sent(&console.pass(3_000)), [&spectates(1)], "and again if no answer comes");
    let whole = played(missed, &[(2, 2)]);
    console.frame(joined(&whole));
    assert_eq!(console.state(), &whole);
    assert!(console.frame(late).is_empty());
    assert!(console.pass(10_000).is_empty());
}

#[test]
fn a_game_ends_in_every_way() {
    let ended = |frame: ServerFrame| {
        let mut console = Console::with(SIZE, vec![game(1)]);
        console.watch(&state(&game(1)));
        assert!(console.frame(frame).is_empty());
        console.state().clone()
    };
    let before = state(&game(1));
    let forfeited = ended(ServerFrame::GameEnd(game_end(&before, EndReason::Forfeit)));
    assert_eq!(
        (forfeited.status, forfeited.winner_user_id, forfeited.forfeiter),
        (GameStatus::Completed, Some(O), Some(X))
    );
    assert_eq!((forfeited.current_turn, forfeited.version), (None, 4));
    let void = ended(ServerFrame::GameEnd(morpion_openapi::realtime::GameEnd {
        winner: None,
        winner_user_id: None,
        ..game_end(&before, EndReason::Void)
    }));
    assert_eq!(void.status, GameStatus::Cancelled);
    let draw = GameDraw { game_id: game_id(1), new_game_state: None, message: "It's a Draw!".to_owned(), version: 4 };
    let drawn = ended(ServerFrame::GameDraw(draw));
    assert_eq!((drawn.status, drawn.is_draw), (GameStatus::Completed, true));
    let cancelled = GameCancelled {
        game_id: game_id(1),
        success: true,
        message: "anna cancelled the invitation.".to_owned(),
        reason: CancelReason::Withdrawn,
        user_id: None,
    };
    assert_eq!(ended(ServerFrame::GameCancelled(cancelled)).status, GameStatus::Cancelled);
}

#[test]
fn a_drawn_round_is_followed_by_the_full_next_state() {
    let mut console = Console::with(SIZE, vec![game(1)]);
    console.watch(&played(state(&game(1)), &[(0, 0)]));
    let mut next = state(&Game { draw_count: 1, board_size: 4, ..game(1) });
    next.version = 20;
    let message = "Round 1 ended in a draw. Starting new round...".to_owned();
    let draw =
        GameDraw { game_id: game_id(1), new_game_state: Some(next.clone()), message: message.clone(), version: 20 };
    assert!(console.frame(ServerFrame::GameDraw(draw)).is_empty());
    assert_eq!(console.state(), &next);
    assert_eq!(console.app.watch.as_ref().and_then(|watch| watch.message.clone()), Some(message));
    console.frame(ServerFrame::MoveUpdate(next_move(&next, (3, 3), 1)));
    assert_eq!(console.app.watch.as_ref().and_then(|watch| watch.message.clone()), None, "it goes with the next move");
}

#[test]
fn absent_players_are_shown_until_they_return() {
    let mut console = Console::with(SIZE, vec![game(1)]);
    console.watch(&state(&game(1)));
    console.frame(ServerFrame::OpponentDisconnected(OpponentDisconnected {
        game_id: game_id(1),
        user_id: O,
        countdown: 60,
        absent_until: None,
    }));
    assert_eq!(console.state().players[1].absent_until, None, "it is not their turn");
    assert!(!console.state().players[1].connected);
    console.frame(ServerFrame::OpponentReconnected(OpponentReconnected { game_id: game_id(1), user_id: O }));
    assert!(console.state().players[1].connected);
}

#[test]
fn leaving_the_board_unsubscribes_from_the_game() {
    let mut console = Console::with(SIZE, vec![game(1), game(2)]);
    console.watch(&state(&game(1)));
    let actions = console.press("n");
    let leave = |number| ClientFrame::LeaveGameRoom(LeaveGameRoom { game_id: game_id(number), user_id: None });
    assert_eq!(sent(&actions), [&leave(1), &spectates(2)]);
    assert!(console.press("n").is_empty(), "there is no game after the last");
    assert_eq!(sent(&console.press("p")), [&leave(2), &spectates(1)]);
    assert_eq!(sent(&console.press("Escape")), [&leave(1)]);
    assert!(console.app.watch.is_none());
    assert!(console.press("Escape").is_empty());
}

#[test]
fn a_game_that_cannot_be_watched_says_why() {
    let mut console = Console::with(SIZE, vec![game(1)]);
    console.press("Enter");
    let error = GameError { game_id: Some(game_id(1)), error: "There is no such game.".to_owned() };
    console.frame(ServerFrame::GameError(error));
    assert_eq!(console.app.watch.as_ref().and_then(|watch| watch.failure.as_deref()), Some("There is no such game."));
    assert!(console.pass(5_000).is_empty(), "it is not fetched again");
}

#[test]
fn a_refused_subscription_is_reported() {
    let mut console = Console::new(SIZE);
    console.net(NetEvent::Connected);
    let ack = Ack { succeeded: false, error_message: Some("Admins only.".to_owned()), error_code: None };
    console.net(NetEvent::Ack { id: "live-games".to_owned(), ack });
    assert_eq!(console.app.toasts.iter().next().map(|toast| toast.text.as_str()), Some("Admins only."));
    console.pass(6_000);
    assert_eq!(console.app.toasts.iter().count(), 0);
}

#[test]
fn global_keys() {
    let mut console = Console::with(SIZE, games());
    assert_eq!(console.press("q"), [Effect::Quit]);
    assert_eq!(console.press("C-c"), [Effect::Quit]);
    assert_eq!(console.press("C-z"), [Effect::Suspend]);
    assert!(!console.press("r").contains(&Effect::Reconnect), "connected already");
    console.press("?");
    assert!(console.app.is_help_open);
    assert!(console.press("j Enter").is_empty(), "keys do not reach what is under the help");
    assert_eq!(console.app.tabs.games.chosen_index(), Some(0));
    console.press("Escape");
    assert!(!console.app.is_help_open);
    console.net(NetEvent::Disconnected { why: String::new(), retry_in_ms: 5_000 });
    assert_eq!(console.press("r"), [Effect::Reconnect]);
    assert_eq!(console.update(Event::Terminate), [Effect::Quit]);
    assert_eq!(console.update(Event::Suspend), [Effect::Suspend]);
    console.update(Event::Resize(100, 30));
    assert_eq!(console.app.context.size, (100, 30));
}

#[test]
fn frames_from_a_newer_server_are_counted_and_harmless() {
    let mut console = Console::with(SIZE, games());
    assert!(console.net(NetEvent::Unknown).is_empty());
    assert_eq!((console.app.unknown_frames, console.shown().len()), (1, 4));
}

#[test]
fn a_pasted_text_goes_into_a_field_or_nowhere() {
    let mut console = Console::with(SIZE, games());
    let paste = |console: &mut Console, text: &str| {
        assert!(console.update(Event::Paste(text.to_owned())).is_empty(), "{text}");
        let told = console.app.toasts.iter().any(|toast| toast.text == "Pasted text goes into fields only.");
        console.pass(6_000);
        told
    };
    let before = console.app.tab;
    assert!(paste(&mut console, "q"));
    assert!(paste(&mut console, "2\nagenda\nyes\n"));
    assert!(!paste(&mut console, " \n"), "nothing");
    assert!(console.app.dialog.is_none() && console.app.tab == before);

    console.press("/");
    assert!(!paste(&mut console, "an\nna"));
    assert_eq!(console.app.tabs.games.filter, "an na");
    console.press("C-u Escape ?");
    assert!(paste(&mut console, "q"), "under the help");
    console.press("Escape a");
    assert!(paste(&mut console, "x"), "a menu has no field");
    console.press("Escape :");
    assert!(!paste(&mut console, "events\n"));
    let Some(Dialog::Palette(palette)) = &console.app.dialog else { panic!("{:?}", console.app.dialog) };
    assert_eq!((palette.input.text(), palette.completions.len()), ("events", 1), "completed as if it were typed");
    console.update(Event::Resize(10, 5));
    assert!(paste(&mut console, "more"), "what is not seen is not changed");
}

#[test]
fn a_confirmation_is_not_pasted() {
    let mut console = Console::with(SIZE, games());
    let steps = |title: &str| ConfirmDialog::new(title, vec![], "done").step("a game", games_page(1));
    console.app.dialog = Some(Dialog::Confirm(steps("Sure?")));
    console.update(Event::Paste("y\n".to_owned()));
    let Some(Dialog::Confirm(confirm)) = &console.app.dialog else { panic!("it is closed") };
    assert!(!confirm.is_sent);
    console.app.dialog = Some(Dialog::Confirm(steps("Why?").field(ConfirmField::Length).field(ConfirmField::Reason)));
    console.update(Event::Paste("for ever".to_owned()));
    console.press("Tab");
    console.update(Event::Paste("Insults\nin chat".to_owned()));
    let Some(Dialog::Confirm(confirm)) = &console.app.dialog else { panic!("it is closed") };
    assert!(!confirm.is_sent);
    let typed = [ConfirmField::Length, ConfirmField::Reason].map(|field| confirm.typed(field).unwrap());
    assert_eq!(typed, ["7 days", "Insults in chat"]);
    console.app.dialog = Some(Dialog::EventForm(Box::new(EventForm::new(None))));
    console.update(Event::Paste("Friday\ncup".to_owned()));
    console.press("Down Down Down");
    console.update(Event::Paste("closed".to_owned()));
    let Some(Dialog::EventForm(form)) = &console.app.dialog else { panic!("it is closed") };
    assert_eq!([Field::Title, Field::Type].map(|field| form.input(field).text()), ["Friday cup", "open"]);
}
