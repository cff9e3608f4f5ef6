use morpion_rules::BoardSize;
use morpion_rules::tournament::encounter::{Next, PlayedGame, decide, next};
use morpion_rules::tournament::{Outcome, Reason, Side};

fn size(side: u8) -> BoardSize {
    BoardSize::new(side).unwrap()
}

fn game(winner: Side, boards: &[u8], used: [i64; 2]) -> PlayedGame {
    PlayedGame { winner: Some(winner), boards: boards.iter().map(|side| size(*side)).collect(), used }
}

fn won(side: Side) -> Next {
    Next::Decided(Outcome::won(side, Reason::Played))
}

#[test]
fn one_game_decides_a_match_of_one() {
    assert_eq!(next(1, size(4), &[]), Next::Game { board: size(4), x: Side::First });
    assert_eq!(next(1, size(4), &[game(Side::Second, &[4], [1, 1])]), won(Side::Second));
}

#[test]
fn in_the_second_game_seats_are_swapped_and_two_wins_decide() {
    let first = game(Side::First, &[3], [1, 1]);
    assert_eq!(next(2, size(3), std::slice::from_ref(&first)), Next::Game { board: size(3), x: Side::Second });
    assert_eq!(next(2, size(3), &[first.clone(), first]), won(Side::First));
}

#[test]
fn at_one_all_a_third_is_played_on_the_smallest_new_board() {
    let drawn_first = game(Side::First, &[3, 3, 4], [5, 5]);
    let second = game(Side::Second, &[3], [5, 5]);
    assert_eq!(next(2, size(3), &[drawn_first.clone(), second.clone()]), Next::Game { board: size(5), x: Side::First });
    let third = game(Side::Second, &[5], [1, 9]);
    assert_eq!(next(2, size(3), &[drawn_first, second, third]), won(Side::Second));
}

#[test]
fn where_every_board_was_played_or_the_third_is_drawn_time_decides() {
    let first = game(Side::First, &[3, 4, 5, 6], [9, 5]);
    let second = game(Side::Second, &[3], [1, 2]);
    assert_eq!(next(2, size(3), &[first, second.clone()]), won(Side::Second));
    let first = game(Side::First, &[3], [2, 1]);
    let drawn = PlayedGame { winner: None, boards: vec![size(4)], used: [4, 4] };
    assert_eq!(next(2, size(3), &[first, second, drawn]), won(Side::First), "of equals the first");
}

#[test]
fn a_match_whose_time_is_over_goes_to_more_games_then_to_less_time() {
    assert_eq!(decide(&[game(Side::Second, &[3], [1, 9])]).winner(), Some(Side::Second));
    let one_all = [game(Side::First, &[3], [9, 1]), game(Side::Second, &[3], [1, 1])];
    assert_eq!(decide(&one_all).winner(), Some(Side::Second));
    assert_eq!(decide(&[]).winner(), None);
}
