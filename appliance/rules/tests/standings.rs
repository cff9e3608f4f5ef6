//! Standings of an event: `docs/behaviour/events.md#standings`.

mod support;

use morpion_rules::standings::{
    Correction, GameResult, Recorded, Standing, Standings, StandingsRefusal, board_size, starter,
};
use morpion_rules::{Command, Game, GameId, Mark, Millis, UserId};
use proptest::prelude::*;
use std::collections::HashSet;
use support::{START, event, event_setup, id, invite, join, started, user};
use uuid::Uuid;

fn result(game: u128, winner: u128, loser: u128) -> GameResult {
    GameResult {
        game: GameId(Uuid::from_u128(game)),
        winner: id(winner),
        loser: id(loser),
        starter: Some(id(winner)),
        at: START + game as i64,
    }
}

/// Players 1 to `count`, having joined in that order.
fn standings(max_losses: u32, count: u128) -> Standings {
    let signups = (1..=count).map(|n| (id(n), START + n as i64));
    Standings::recompute(max_losses, signups, [], []).unwrap()
}

fn order(standings: &Standings) -> Vec<u128> {
    standings.leaderboard().map(|standing| standing.user.0.as_u128()).collect()
}

#[test]
fn the_lower_level_decides_the_board_size() {
    let sides: Vec<u8> = (1..=9).map(|level| board_size(level).get()).collect();
    assert_eq!(sides, [3, 3, 4, 4, 5, 5, 6, 6, 6]);
}

#[test]
fn the_player_with_fewer_starts_starts_else_the_seed_decides() {
    assert_eq!(starter([1, 2], 2), Mark::X);
    assert_eq!(starter([5, 3], 0), Mark::O);
    let drawn: HashSet<Mark> = (0..8).map(|seed| starter([4, 4], seed)).collect();
    assert_eq!(drawn.len(), 2);
    assert_eq!(starter([4, 4], 12), starter([4, 4], 12));
}

#[test]
fn a_win_adds_a_level_and_a_win_and_a_loss_adds_a_loss() {
    let mut standings = standings(3, 2);
    let Recorded::Now { winner, loser, loser_eliminated } = standings.record(&result(1, 1, 2)).unwrap() else {
        panic!("counted before")
    };
    assert_eq!((winner.level, winner.wins, winner.losses, winner.starts), (2, 1, 0, 1));
    assert_eq!((loser.level, loser.wins, loser.losses, loser.starts), (1, 0, 1, 0));
    assert!(!loser_eliminated);
    assert_eq!(standings.get(id(1)), Some(&winner));
}

#[test]
fn a_result_counts_once_per_game_id() {
    let mut standings = standings(3, 2);
    standings.record(&result(1, 1, 2)).unwrap();
    let before = standings.clone();
    assert_eq!(standings.record(&result(1, 1, 2)), Ok(Recorded::Already));
    assert_eq!(standings.record(&result(1, 2, 1)), Ok(Recorded::Already));
    assert_eq!(standings, before);
}

#[test]
fn max_losses_eliminate_and_0_means_never() {
    for (max_losses, eliminated_after) in [(1, Some(1)), (3, Some(3)), (0, None)] {
        let mut standings = standings(max_losses, 2);
        for game in 1..=5 {
            standings.record(&result(game, 1, 2)).unwrap();
            let expected = eliminated_after.is_some_and(|losses| game >= losses);
            assert_eq!(standings.is_eliminated(id(2)), expected, "{max_losses} {game}");
        }
        assert!(!standings.is_eliminated(id(1)));
    }
}

#[test]
fn results_of_non_participants_are_refused_and_change_nothing() {
    let mut standings = standings(3, 2);
    let before = standings.clone();
    let refused = standings.record(&result(1, 1, 9));
    assert_eq!(refused, Err(StandingsRefusal::NotSignedUp(id(9))));
    let refused = standings.record(&result(1, 1, 1));
    assert_eq!(refused, Err(StandingsRefusal::SamePlayer(id(1))));
    assert_eq!(standings, before);
}

#[test]
fn the_leaderboard_orders_by_level_wins_losses_and_time() {
    let row = |n: u128, level, wins, losses, reached: i64| Standing {
        user: id(n),
        level,
        wins,
        losses,
        starts: 0,
        joined_at: START,
        reached_at: START + reached,
        removed: false,
    };
    let rows = [
        row(1, 1, 0, 0, 0),
        row(2, 1, 0, 2, 8),
        row(3, 2, 1, 1, 9),
        row(4, 2, 1, 1, 5),
        row(5, 2, 1, 0, 9),
        row(6, 2, 3, 2, 9),
        row(7, 4, 2, 2, 9),
    ];
    let standings = Standings::restore(3, rows, []);
    // Players without games rank after players with two losses.
    assert_eq!(order(&standings), [7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(standings.rank_of(id(7)), Some(1));
    assert_eq!(standings.rank_of(id(1)), Some(7));
    assert_eq!(standings.rank_of(id(8)), None);
}

#[test]
fn winners_are_the_first_three_with_at_least_one_win() {
    let winners =
        |standings: &Standings| -> Vec<UserId> { standings.winners().iter().map(|standing| standing.user).collect() };
    let mut standings = standings(0, 6);
    assert_eq!(winners(&standings), []);
    standings.record(&result(1, 2, 1)).unwrap();
    standings.record(&result(2, 2, 3)).unwrap();
    standings.record(&result(3, 3, 1)).unwrap();
    assert_eq!(winners(&standings), [id(2), id(3)]);
    standings.record(&result(4, 4, 1)).unwrap();
    standings.record(&result(5, 5, 1)).unwrap();
    assert_eq!(winners(&standings), [id(2), id(4), id(5)]);
}

#[test]
fn players_without_games_can_be_removed() {
    let mut standings = standings(3, 3);
    standings.record(&result(1, 1, 2)).unwrap();
    assert_eq!(standings.withdraw(id(3)), Ok(()));
    assert_eq!(standings.withdraw(id(3)), Ok(()));
    assert_eq!(standings.withdraw(id(2)), Err(StandingsRefusal::HasPlayed(id(2))));
    assert_eq!(order(&standings), [1, 2]);
}

#[test]
fn a_correction_changes_the_standing_and_is_recorded_as_a_difference() {
    let mut corrected = standings(3, 2);
    corrected.record(&result(1, 1, 2)).unwrap();
    let recomputed = corrected.clone();
    corrected.correct(&correction(2, [8, 0, -1])).unwrap();
    assert_eq!(corrected.get(id(2)).unwrap().level, 9);
    let differences = recomputed.differences(&corrected);
    assert_eq!(differences.len(), 1);
    assert_eq!(differences[0].ours.map(|s| s.level), Some(1));
    assert_eq!(differences[0].theirs.map(|s| s.level), Some(9));
    assert!(corrected.correct(&correction(7, [1, 0, 0])).is_err());
}

fn correction(user: u128, added: [i64; 3]) -> Correction {
    Correction { user: id(user), added, removes: false, at: START + 50 }
}

#[test]
fn removed_players_rank_last_and_cannot_win() {
    let mut standings = standings(0, 3);
    standings.record(&result(1, 1, 2)).unwrap();
    standings.record(&result(2, 2, 3)).unwrap();
    standings.correct(&Correction { removes: true, ..correction(1, [0; 3]) }).unwrap();
    assert_eq!(order(&standings), [2, 3, 1]);
    assert_eq!(standings.winners().iter().map(|winner| winner.user).collect::<Vec<_>>(), [id(2)]);
    assert!(standings.is_eliminated(id(1)) && !standings.is_eliminated(id(3)));
    assert_eq!(
        (standings.get(id(1)).unwrap().wins, standings.get(id(2)).unwrap().losses),
        (1, 1),
        "games stay counted"
    );
}

#[test]
fn standings_never_fall_below_zero_in_any_receipt_order() {
    let signups = [(id(1), START), (id(2), START)];
    // The correction comes before the game that it corrects.
    let corrections = [correction(1, [-1, -1, 0]), correction(2, [0, 0, -5])];
    let standings = Standings::recompute(3, signups, [result(1, 1, 2)], corrections).unwrap();
    let [winner, loser] = [1, 2].map(|user| *standings.get(id(user)).unwrap());
    assert_eq!((winner.level, winner.wins, loser.losses), (1, 0, 0));
}

#[test]
fn a_finished_event_game_gives_its_result() {
    let mut game = event(3, Mark::O);
    assert_eq!(GameResult::of(&game), None);
    game.apply(&Command::Forfeit { user: user(Mark::X) }, START + 5).unwrap();
    let result = GameResult::of(&game).unwrap();
    assert_eq!((result.winner, result.loser), (user(Mark::O), user(Mark::X)));
    assert_eq!((result.starter, result.at), (Some(user(Mark::O)), START + 5));
}

#[test]
fn void_games_invite_games_and_absences_count_correctly() {
    let mut friendly = invite(3, Mark::X);
    friendly.apply(&Command::Forfeit { user: user(Mark::X) }, START).unwrap();
    assert_eq!(GameResult::of(&friendly), None);

    let mut void = started(Game::event(event_setup(3, Mark::X), START).unwrap());
    void.apply(&Command::Void, START).unwrap();
    assert_eq!(GameResult::of(&void), None);

    let mut absence = Game::event(event_setup(3, Mark::X), START).unwrap();
    absence.apply(&join(Mark::X), START).unwrap();
    absence.apply(&Command::Tick, START + 20_000).unwrap();
    let result = GameResult::of(&absence).unwrap();
    assert_eq!((result.winner, result.starter), (user(Mark::X), None));
}

fn results() -> impl Strategy<Value = Vec<GameResult>> {
    let one = (0..40u128, 1..9u128, 1..8u128, any::<bool>(), 0..1_000i64);
    let one = one.prop_map(|(game, winner, offset, winner_started, at)| {
        let loser = (winner + offset - 1) % 8 + 1;
        let loser = if loser == winner { winner % 8 + 1 } else { loser };
        GameResult {
            starter: Some(id(if winner_started { winner } else { loser })),
            at: START + at,
            ..result(game, winner, loser)
        }
    });
    prop::collection::vec(one, 0..60).prop_map(|mut results| {
        let mut seen = HashSet::new();
        results.retain(|result| seen.insert(result.game));
        results
    })
}

proptest! {
    /// Neither the order of results nor their repetition changes the standings, and what they add
    /// up to is what was played.
    #[test]
    fn standings_depend_only_on_the_games(
        results in results(),
        shuffled in any::<prop::sample::Index>(),
        corrections in prop::collection::vec((1..9u128, -3..4i64, -3..4i64, -3..4i64, any::<bool>(), 0..1_000i64), 0..6),
        max_losses in 0..4u32,
    ) {
        let signups = || (1..=8).map(|n| (id(n), Millis(n as i64)));
        let once = Standings::recompute(max_losses, signups(), results.clone(), []).unwrap();
        let mut turned = results.clone();
        if !turned.is_empty() {
            let by = shuffled.index(turned.len());
            turned.rotate_left(by);
            turned.reverse();
        }
        turned.extend(results.iter().copied());
        let receipts: Vec<Correction> = corrections
            .into_iter()
            .map(|(user, level, wins, losses, removes, at)| Correction {
                user: id(user),
                added: [level, wins, losses],
                removes,
                at: START + at,
            })
            .collect();
        let backwards = receipts.iter().rev().copied();
        prop_assert_eq!(
            Standings::recompute(max_losses, signups(), turned.clone(), backwards).unwrap(),
            Standings::recompute(max_losses, signups(), results.clone(), receipts).unwrap()
        );
        let again = Standings::recompute(max_losses, signups(), turned, []).unwrap();
        prop_assert_eq!(&once, &again);
        prop_assert_eq!(once.differences(&again), []);

        let games = results.len() as u32;
        let sum = |of: fn(&Standing) -> u32| once.leaderboard().map(of).sum::<u32>();
        prop_assert_eq!(sum(|s| s.wins), games);
        prop_assert_eq!(sum(|s| s.losses), games);
        prop_assert_eq!(sum(|s| s.starts), games);
        prop_assert!(once.leaderboard().all(|s| s.level == 1 + s.wins));
        prop_assert_eq!(once.leaderboard().count(), 8);

        let rows: Vec<Standing> = once.leaderboard().copied().collect();
        for (place, pair) in (1..).zip(rows.windows(2)) {
            let [better, worse] = pair else { unreachable!("windows of two") };
            prop_assert!(better.level >= worse.level || worse.wins + worse.losses == 0);
            prop_assert_eq!(once.rank_of(better.user), Some(place));
        }
        let counted = results.iter().map(|result| result.game);
        prop_assert_eq!(&Standings::restore(max_losses, rows, counted), &once);
    }
}
