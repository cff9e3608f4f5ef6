//! A game's rules, one test each: `docs/behaviour/play.md`.

mod drawing;
mod fairness;
mod leaving;
mod moving;
mod restarting;
mod rulings;
mod starting;
#[path = "../support/mod.rs"]
mod support;
mod time;

use morpion_rules::clock::{EVENT_DISCONNECT, INVITE_DISCONNECT, INVITE_LIFETIME, NO_SHOW, TimeControl};
use morpion_rules::game::{Entrant, InviteSetup, Player, Tiebreak};
use morpion_rules::{Command, Effect, EndReason, Game, Mark, Millis, Refusal, Status, UserId};
use support::*;

fn ended(reason: EndReason, winner: Mark) -> Effect {
    let loser = Some(user(winner.other()));
    Effect::Ended {
        reason,
        winner: Some(user(winner)),
        loser,
        forfeiter: if reason.is_forfeit() { loser } else { None },
    }
}

const VOID: Effect = Effect::Ended { reason: EndReason::Void, winner: None, loser: None, forfeiter: None };

fn tick(game: &mut Game, now: Millis) -> Vec<Effect> {
    game.apply(&Command::Tick, now).unwrap().into_iter().collect()
}

fn effects(game: &mut Game, command: Command, now: Millis) -> Vec<Effect> {
    game.apply(&command, now).unwrap().into_iter().collect()
}

fn refusal(game: &mut Game, command: Command, now: Millis) -> Refusal {
    let before = game.clone();
    let refusal = game.apply(&command, now).unwrap_err();
    assert_eq!(*game, before, "a refusal leaves the game as it was");
    refusal
}

#[test]
fn refusals_have_unique_kebab_case_codes_and_a_sentence() {
    let mut codes: Vec<&str> = Refusal::ALL.iter().map(|refusal| refusal.code()).collect();
    for refusal in Refusal::ALL {
        assert!(refusal.code().bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
        assert!(refusal.text().ends_with('.'), "{refusal}");
    }
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), Refusal::ALL.len());
}

#[test]
fn end_reasons_match_the_wire_type() {
    let names = EndReason::ALL.map(EndReason::as_str);
    let wire =
        ["line", "forfeit", "timeout", "noShow", "disconnect", "time", "adjudicated", "void", "declined", "removed"];
    assert_eq!(names, wire);
}
