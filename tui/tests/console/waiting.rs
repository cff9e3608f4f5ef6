//! Who waits in quick match, in the Games tab.

use insta::assert_snapshot;
use morpion_openapi::{
    Pagination,
    quick_match::{BoardWish, QueuedPlayer, QuickMatchClock, QuickMatchQueue, QuickMatchQueueAnswer},
};
use morpion_tui::{
    calls::{Call, Reply},
    event::Effect,
    net::command_error::{CommandError, FailureKind},
};
use uuid::Uuid;

use crate::{
    fixtures::{Console, display_name, games},
    screens::screen,
};

fn call() -> QuickMatchQueue {
    QuickMatchQueue { page: Some(1), limit: Some(100) }
}

fn player(number: u128, username: &str) -> QueuedPlayer {
    QueuedPlayer {
        user_id: Uuid::from_u128(number),
        username: username.to_owned(),
        display_name: display_name(username),
        profile_url: None,
        is_bot: None,
        board_size: BoardWish::Size(5),
        clock: QuickMatchClock::Turn15,
        rated: true,
        rating: 1_612,
        window: 100,
        waited_ms: 4_000,
        away: false,
    }
}

fn waiting() -> Vec<QueuedPlayer> {
    vec![
        QueuedPlayer { waited_ms: 95_000, window: 1_600, ..player(1, "anna") },
        QueuedPlayer { board_size: BoardWish::Any, rating: 1_488, away: true, waited_ms: 21_000, ..player(2, "ben") },
        QueuedPlayer {
            rated: false,
            clock: QuickMatchClock::Increment,
            rating: 1_500,
            ..player(3, "a_very_long_username")
        },
    ]
}

fn with_waiting(size: (u16, u16), players: Vec<QueuedPlayer>, total: u64) -> Console {
    let mut console = Console::with(size, games());
    console.press("Right");
    let pagination =
        Pagination { current_page: 1, limit: 100, total_count: total, has_prev_page: false, has_next_page: false };
    let answer = QuickMatchQueueAnswer { players, playing: 8, pagination };
    console.reply(call(), Reply::QuickMatchQueue(answer));
    console
}

#[test]
fn who_waits_is_asked_for_while_it_is_shown() {
    let mut console = Console::with((80, 24), games());
    let asked =
        |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Call(Call::QuickMatchQueue(_))));
    assert!(!asked(&console.pass(5_000)));
    assert!(asked(&console.press("Right")));
    let mut console = with_waiting((80, 24), waiting(), 3);
    assert!(!asked(&console.pass(1_000)));
    assert!(asked(&console.pass(2_000)));
    console.press("Left");
    assert!(!asked(&console.pass(5_000)));
}

#[test]
fn those_who_wait_longest_come_first_and_lead_to_their_account() {
    let mut console = with_waiting((80, 24), waiting(), 3);
    assert_snapshot!("waiting", screen(&console));
    let effects = console.press("Enter");
    assert!(matches!(effects[..], [Effect::Call(Call::ListUsers(_))]), "the account is looked up: {effects:?}");
    let mut console = with_waiting((80, 24), waiting(), 3);
    console.press("/ c a s u a l Enter");
    let shown = screen(&console);
    assert!(shown.contains("Alexandra") && !shown.contains("anna"), "{shown}");
}

#[test]
fn nobody_many_and_a_server_without_the_action() {
    assert_snapshot!("waiting_nobody", screen(&with_waiting((80, 24), vec![], 0)));
    assert_snapshot!("waiting_many", screen(&with_waiting((120, 40), waiting(), 412)));
    assert_snapshot!("waiting_least", screen(&with_waiting((40, 12), waiting(), 3)));
    let mut console = Console::with((80, 24), games());
    console.press("Right");
    console.refuse(call(), CommandError::new(FailureKind::Absent, "Unknown action 'quick_match_queue'."));
    assert_snapshot!("waiting_absent", screen(&console));
}
