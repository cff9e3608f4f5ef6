//! The simulation of `examples/ratings`, small: Glicko-2 predicts games better than Elo, and Elo better than nothing; and
//! quick match pairs who is near.

#[path = "../examples/ratings/players.rs"]
#[allow(dead_code, reason = "the example needs more of it")]
mod players;
#[path = "../examples/ratings/systems.rs"]
#[allow(dead_code, reason = "the example needs more of it")]
mod systems;
#[path = "../examples/ratings/world.rs"]
#[allow(dead_code, reason = "the example needs more of it")]
mod world;

use world::World;

#[test]
fn glicko_predicts_better_than_elo_and_elo_better_than_no_rating() {
    let world = World::year(1_000, 120, 7);
    let [glicko, elo, none] = world.errors.expectation();
    assert!(world.errors.games > 2_000, "{} games", world.errors.games);
    assert!(glicko < elo && elo < none, "{glicko} {elo} {none}");
    let [glicko, elo, none] = world.errors.brier();
    assert!(glicko < elo && elo < none, "{glicko} {elo} {none}");
    let [glicko, elo, none] = world.errors.strength_after(20);
    assert!(glicko < elo && elo < none, "{glicko} {elo} {none}");
    let again = World::year(1_000, 120, 7);
    assert_eq!(again.errors.expectation(), world.errors.expectation(), "the seed decides");
}

#[test]
fn a_larger_crowd_finds_nearer_opponents_sooner() {
    let [two, many] = [2, 100].map(|players| World::crowd(players, 4, 7));
    assert!(many.wait(0.5) < two.wait(0.5), "{} {}", many.wait(0.5), two.wait(0.5));
    assert!(many.rating_gap(0.9) < 400, "{}", many.rating_gap(0.9));
    assert!(two.given_up_share() < 0.9, "two find each other, too");
}
