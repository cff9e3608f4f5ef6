//! Ratings: Glickman's example, and what holds for all ratings.

mod support;

use morpion_rules::{
    Command, Mark, Status,
    clock::TimeControl,
    game::Game,
    rating::{
        DEVIATIONS, PAUSE_PERIOD, RANKED_BELOW, RatedResult, Rating, Score, VALUES, VOLATILITIES, after_game, expected,
    },
};
use proptest::prelude::*;

const YEAR: i64 = 365 * 86_400_000;

fn rating(value: f64, deviation: f64) -> Rating {
    Rating { value, deviation, volatility: 0.06 }
}

fn near(actual: f64, wanted: f64, error: f64) {
    assert!((actual - wanted).abs() <= error, "{actual} is not {wanted}");
}

/// <https://www.glicko.net/glicko/glicko2.pdf>, 'Example of the calculations'.
#[test]
fn glickmans_example_is_reproduced() {
    let games = [
        (rating(1_400.0, 30.0), Score::Win),
        (rating(1_550.0, 100.0), Score::Loss),
        (rating(1_700.0, 300.0), Score::Loss),
    ];
    let after = rating(1_500.0, 200.0).after_period(&games);
    near(after.value, 1_464.06, 0.01);
    near(after.deviation, 151.52, 0.01);
    near(after.volatility, 0.059_99, 0.000_01);
}

#[test]
fn a_game_is_a_rating_period_for_both() {
    let players = [rating(1_500.0, 200.0), rating(1_400.0, 30.0)];
    let [first, second] = after_game(players, Score::Win);
    assert_eq!(first, players[0].after_period(&[(players[1], Score::Win)]));
    assert_eq!(second, players[1].after_period(&[(players[0], Score::Loss)]));
    let [first, second] = after_game([Rating::START; 2], Score::Draw);
    assert_eq!((first.value, first), (1_500.0, second));
}

#[test]
fn a_pause_makes_a_rating_less_certain() {
    let steady = rating(1_700.0, 60.0);
    assert_eq!(steady.after_pause(0), steady);
    assert_eq!(steady.after_pause(-YEAR), steady);
    let later = steady.after_pause(YEAR);
    near(later.deviation, RANKED_BELOW, 0.5);
    assert_eq!((later.value, later.volatility), (steady.value, steady.volatility));
    // In two steps as in one.
    near(steady.after_pause(YEAR / 3).after_pause(YEAR - YEAR / 3).deviation, later.deviation, 1e-9);
    assert_eq!(steady.after_pause(1_000 * YEAR).deviation, DEVIATIONS.1);
    let ranked_for = steady.ranked_for().unwrap();
    assert!(!steady.after_pause(ranked_for - 1_000).is_provisional());
    assert!(steady.after_pause(ranked_for + 1_000).is_provisional());
    assert_eq!(Rating::START.ranked_for(), None);
}

#[test]
fn some_games_make_a_rating_certain_enough_for_the_list() {
    let mut pair = [Rating::START; 2];
    let mut games = 0;
    while pair[0].is_provisional() {
        pair = after_game(pair, if games % 2 == 0 { Score::Win } else { Score::Loss });
        games += 1;
    }
    assert!((8..=14).contains(&games), "{games} games: {pair:?}");
}

#[test]
fn the_final_result_of_a_rated_game_counts() {
    let quick = |rated| {
        let setup = support::quick_setup(3, Mark::X, TimeControl::PerTurn);
        Game::quick(morpion_rules::game::QuickSetup { rated, ..setup }, support::START).unwrap()
    };
    let forfeit = Command::Forfeit { user: support::user(Mark::X) };
    let [mut rated, mut casual] = [true, false].map(|rated| support::started(quick(rated)));
    assert_eq!(RatedResult::of(&rated), None, "it is played");
    rated.apply(&forfeit, support::START).unwrap();
    casual.apply(&forfeit, support::START).unwrap();
    let players = Mark::BOTH.map(support::user);
    assert_eq!(RatedResult::of(&rated), Some(RatedResult { players, score: Score::Loss }));
    assert_eq!(RatedResult::of(&casual), None);

    let mut drawn = support::quick(3, TimeControl::PerTurn);
    support::draw_round(&mut drawn, support::START, [10, 10]);
    assert_eq!(RatedResult::of(&drawn), Some(RatedResult { players, score: Score::Draw }));

    let mut void = quick(true);
    void.apply(&Command::Tick, support::START + 60_000).unwrap();
    assert_eq!((void.status(), RatedResult::of(&void)), (Status::Cancelled, None), "nobody came");

    let mut event = support::event(3, Mark::X);
    event.apply(&forfeit, support::START).unwrap();
    assert_eq!(RatedResult::of(&event), Some(RatedResult { players, score: Score::Loss }));
    let mut invite = support::invite(3, Mark::X);
    invite.apply(&forfeit, support::START).unwrap();
    assert_eq!(RatedResult::of(&invite), None);
}

fn any_rating() -> impl Strategy<Value = Rating> {
    let parts = (VALUES.0..=VALUES.1, DEVIATIONS.0..=DEVIATIONS.1, VOLATILITIES.0..=VOLATILITIES.1);
    parts.prop_map(|(value, deviation, volatility)| Rating { value, deviation, volatility })
}

fn any_score() -> impl Strategy<Value = Score> {
    prop_oneof![Just(Score::Win), Just(Score::Draw), Just(Score::Loss)]
}

proptest! {
    #[test]
    fn ratings_stay_within_their_bounds(pair in [any_rating(), any_rating()], score in any_score(), pause in 0..100 * YEAR) {
        for rating in after_game(pair.map(|rating| rating.after_pause(pause)), score) {
            prop_assert!((VALUES.0..=VALUES.1).contains(&rating.value));
            prop_assert!((DEVIATIONS.0..=DEVIATIONS.1).contains(&rating.deviation));
            prop_assert!((VOLATILITIES.0..=VOLATILITIES.1).contains(&rating.volatility));
        }
    }

    #[test]
    fn who_wins_never_loses_points(pair in [any_rating(), any_rating()]) {
        let [winner, loser] = after_game(pair, Score::Win);
        prop_assert!(winner.value >= pair[0].value && loser.value <= pair[1].value);
    }

    #[test]
    fn a_game_is_the_same_seen_from_either_side(pair in [any_rating(), any_rating()], score in any_score()) {
        let [first, second] = after_game(pair, score);
        let [second_again, first_again] = after_game([pair[1], pair[0]], score.reversed());
        prop_assert_eq!([first, second], [first_again, second_again]);
        prop_assert!((expected(pair) + expected([pair[1], pair[0]]) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_pause_only_grows_the_deviation(rating in any_rating(), a in 0..YEAR, b in 0..YEAR) {
        let (short, long) = (a.min(b), a.max(b));
        prop_assert!(rating.after_pause(short).deviation <= rating.after_pause(long).deviation);
        prop_assert!(rating.after_pause(PAUSE_PERIOD).deviation >= rating.deviation);
    }
}
