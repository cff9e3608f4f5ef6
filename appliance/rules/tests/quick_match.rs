//! The queues of quick match: `docs/behaviour/quick-match.md#pairing`.

use std::collections::BTreeSet;

use morpion_rules::{
    BoardSize, Mark, Millis, UserId,
    clock::TimeControl,
    quick_match::{Candidate, Lobby, Match, Wish},
};
use uuid::Uuid;

const START: Millis = Millis(1_000_000);

fn user(n: u128) -> UserId {
    UserId(Uuid::from_u128(n))
}

fn candidate(n: u128, rating: u32) -> Candidate {
    Candidate { user: user(n), rating, last_opponent: None, blocked: BTreeSet::new(), is_bot: false }
}

fn wish(size: Option<u8>) -> Wish {
    Wish { size: size.map(|side| BoardSize::new(side).unwrap()), control: TimeControl::PerTurn, rated: true }
}

fn names(matches: &[Match]) -> Vec<[u128; 2]> {
    let name = |one: &Match| {
        let mut two = one.pairing.players.map(|user| user.0.as_u128());
        two.sort_unstable();
        two
    };
    matches.iter().map(name).collect()
}

#[test]
fn the_nearest_rating_is_paired_and_the_window_grows_by_50_every_3_s() {
    let mut lobby = Lobby::default();
    for (n, rating) in [(0, 1_500), (1, 1_541), (2, 1_530)] {
        lobby.enter(candidate(n, rating), wish(Some(3)), START).unwrap();
    }
    assert_eq!(names(&lobby.pair(START, 7)), [[1, 2]]);
    assert_eq!(lobby.waiting(user(0), START), Some((START, 50)));
    assert_eq!(lobby.waiting(user(0), START + 3_000), Some((START, 100)));
    lobby.enter(candidate(3, 1_640), wish(Some(3)), START).unwrap();
    assert_eq!(lobby.pair(START + 5_999, 7), []);
    assert_eq!(lobby.next_wakeup(), Some(START + 6_000));
    assert_eq!(names(&lobby.pair(START + 6_000, 7)), [[0, 3]]);
    assert!(lobby.is_empty() && lobby.next_wakeup().is_none());
}

#[test]
fn players_of_another_board_clock_or_kind_do_not_meet() {
    let mut lobby = Lobby::default();
    let unlike = [
        wish(Some(3)),
        wish(Some(4)),
        Wish { control: TimeControl::Increment, ..wish(Some(3)) },
        Wish { rated: false, ..wish(Some(3)) },
    ];
    for (n, wish) in (0..).zip(unlike) {
        lobby.enter(candidate(n, 1_500), wish, START).unwrap();
    }
    assert_eq!(lobby.pair(START + 3_600_000, 0), []);
    lobby.enter(candidate(9, 1_500), wish(None), START + 1).unwrap();
    let matches = lobby.pair(START + 3_600_000, 0);
    assert_eq!(names(&matches), [[0, 9]], "any board, and the longest waiting first");
    assert_eq!((matches[0].size.get(), matches[0].control, matches[0].rated), (3, TimeControl::PerTurn, true));
}

#[test]
fn two_who_want_any_board_get_one_by_the_seed() {
    let game = |seed| {
        let mut lobby = Lobby::default();
        lobby.enter(candidate(0, 1_500), wish(None), START).unwrap();
        lobby.enter(candidate(1, 1_500), wish(None), START).unwrap();
        lobby.pair(START, seed).pop().unwrap()
    };
    let games: Vec<_> = (0..200).map(game).collect();
    for size in BoardSize::ALL {
        assert!(games.iter().any(|one| one.size == size), "{size:?} never comes");
    }
    assert!(Mark::BOTH.into_iter().all(|mark| games.iter().any(|one| one.starter == mark)));
    assert_eq!(game(5), game(5));
}

#[test]
fn a_blocked_pair_never_meets_not_even_as_the_only_two() {
    for blocker in [0, 1] {
        let mut lobby = Lobby::default();
        for n in [0, 1] {
            let blocked = if n == blocker { BTreeSet::from([user(1 - n)]) } else { BTreeSet::new() };
            lobby.enter(Candidate { blocked, ..candidate(n, 1_500) }, wish(None), START).unwrap();
        }
        assert_eq!(lobby.pair(START + 3_600_000, 0), []);
        lobby.enter(candidate(2, 1_500), wish(None), START + 5).unwrap();
        assert_eq!(lobby.pair(START + 3_600_000, 0).len(), 1);
    }
}

#[test]
fn a_changed_wish_moves_a_player_and_another_board_keeps_the_place() {
    let mut lobby = Lobby::default();
    lobby.enter(candidate(0, 1_500), wish(Some(3)), START).unwrap();
    lobby.enter(candidate(0, 1_500), wish(Some(5)), START + 1_000).unwrap();
    assert_eq!(lobby.waiting(user(0), START + 1_000), Some((START, 50)));
    let casual = Wish { rated: false, ..wish(Some(5)) };
    lobby.enter(candidate(0, 1_500), casual, START + 2_000).unwrap();
    assert_eq!(lobby.waiting(user(0), START + 2_000), Some((START + 2_000, 50)));
    assert_eq!((lobby.len(), lobby.wish(user(0))), (1, Some(casual)));
    lobby.enter(candidate(1, 1_500), wish(Some(5)), START + 2_000).unwrap();
    assert_eq!(lobby.pair(START + 9_000, 0), [], "the earlier wish is gone");
    assert!(lobby.leave(user(0)) && !lobby.leave(user(0)));
}

#[test]
fn who_is_away_keeps_the_place_and_is_not_paired() {
    let mut lobby = Lobby::default();
    lobby.enter(candidate(0, 1_500), wish(None), START).unwrap();
    lobby.away(user(0));
    lobby.enter(candidate(1, 1_500), wish(None), START).unwrap();
    assert_eq!(lobby.pair(START + 60_000, 0), []);
    lobby.enter(candidate(0, 1_500), wish(None), START + 60_000).unwrap();
    assert_eq!(lobby.waiting(user(0), START + 60_000).map(|(since, _)| since), Some(START));
    assert_eq!(names(&lobby.pair(START + 60_000, 0)), [[0, 1]]);
}
