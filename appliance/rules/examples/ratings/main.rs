//! Ratings and quick match, simulated with the real rules: three tables, reproducible by the seed.
//!
//! `cargo run --example ratings -- [PLAYERS [DAYS [SEED]]]`, 10,000 players and 365 days if absent
//!
//! The first compares how well Glicko-2, Elo and no rating predict the games, whose truth the simulation knows. The second
//! has waits and pairing quality by the hour of the day, the third by how many are there at once. The model of the people
//! is `players.rs`.

mod players;
mod systems;
mod world;

use systems::{NAMES, NOTED};
use world::{Searches, World};

/// Players who are there at once, in the third table.
const CROWDS: [usize; 8] = [2, 3, 5, 10, 30, 100, 300, 1_000];
/// Smaller crowds are so many.
const SMALL: usize = 30;
/// Hours that a crowd stays.
const STAYS: i64 = 12;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a number"));
    let players = arguments.next().unwrap_or(10_000) as usize;
    let days = arguments.next().unwrap_or(365) as i64;
    let seed = arguments.next().unwrap_or(1);
    let world = World::year(players, days, seed);
    println!("{players} players, {days} days, seed {seed}: {} rated games\n", world.errors.games);
    errors(&world);
    println!("\nWaits and pairs by the hour of the day");
    searches("hour", (0..24).step_by(2).map(|hour| (format!("{hour:02}–{:02}", hour + 2), two_hours(&world, hour))));
    println!("\nWaits and pairs by the number of players who are there at once, for {STAYS} hours");
    searches("crowd", CROWDS.into_iter().map(|crowd| (crowd.to_string(), crowds(crowd, seed))));
}

/// A small crowd says little alone: it depends on who is in it.
fn crowds(players: usize, seed: u64) -> Searches {
    let many = if players < SMALL { SMALL } else { 1 };
    (0..many as u64)
        .map(|number| World::crowd(players, STAYS, seed.wrapping_add(number << 32)))
        .fold(Searches::default(), |all, one| all.with(&one))
}

fn two_hours(world: &World, hour: usize) -> Searches {
    world.by_hour[hour].clone().with(&world.by_hour[hour + 1])
}

fn errors(world: &World) {
    let (expectation, brier) = (world.errors.expectation(), world.errors.brier());
    println!("Error of the predictions; of ratings, after so many games");
    print!("{:<10} {:>11} {:>7}", "system", "expectation", "Brier");
    NOTED.iter().for_each(|games| print!(" {games:>6}"));
    println!();
    for (system, name) in NAMES.into_iter().enumerate() {
        print!("{name:<10} {:>11.4} {:>7.4}", expectation[system], brier[system]);
        NOTED.iter().for_each(|games| print!(" {:>6.0}", world.errors.strength_after(*games)[system]));
        println!();
    }
}

fn searches(what: &str, rows: impl Iterator<Item = (String, Searches)>) {
    println!(
        "{what:<6} {:>8} {:>9} {:>9} {:>9} {:>9} {:>15} {:>17}",
        "present", "searches", "wait 50%", "wait 90%", "given up", "rating gap 50%, 90%", "strength gap 50%, 90%"
    );
    for (name, row) in rows {
        println!(
            "{name:<6} {:>8.0} {:>9} {:>8.1}s {:>8.1}s {:>8.1}% {:>10} {:>8} {:>12} {:>8}",
            row.crowd(),
            row.searches(),
            row.wait(0.5),
            row.wait(0.9),
            row.given_up_share() * 100.0,
            row.rating_gap(0.5),
            row.rating_gap(0.9),
            row.strength_gap(0.5),
            row.strength_gap(0.9)
        );
    }
}
