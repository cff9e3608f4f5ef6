//! Whether a tournament is what its games and its director say: every round is paired again, from what was known then.

use std::collections::HashMap;

use morpion_rules::{
    Game, GameId, Millis,
    tournament::{
        Player, Reason, StageRound, Tournament,
        encounter::{self, Next},
    },
};

use super::{GameOver, Round, Stage, played, winner_of};

impl Stage {
    /// What the completed games and the director's decisions say otherwise, in words.
    pub fn differences(&self, games: &[Game]) -> Vec<String> {
        let stored: HashMap<GameId, &Game> = games.iter().map(|game| (game.id(), game)).collect();
        let mut differences = vec![];
        for (number, (pairings, round)) in (1..).zip(self.tournament.rounds.iter().zip(&self.rounds)) {
            if !self.agrees(number, pairings, round) {
                differences.push(format!("Round {number}: the results before say other pairings."));
            }
            if round.is_early(&stored) {
                differences.push(format!("Round {number}: it began before its time."));
            }
            for (it, games) in pairings.matches.iter().zip(&round.games) {
                let is_game = |over: &&GameOver| over.result.is_some();
                let replaced = games.rulings.iter().filter_map(|ruling| ruling.replaced.as_ref()).flatten();
                for over in games.over.iter().chain(replaced).filter(is_game) {
                    let game = stored.get(&over.id).zip(self.players(it));
                    let winner = game.and_then(|(game, players)| winner_of(game, players[0]));
                    if winner != over.result.as_ref().and_then(|result| result.winner) {
                        differences.push(format!("Round {number}, board {}: a game says another winner.", it.board));
                    }
                }
                let said = match encounter::next(self.tournament.match_games, self.board, &played(games)) {
                    Next::Decided(outcome) => Some(outcome),
                    Next::Game { .. } => None,
                };
                let is_of_games = it.outcome.is_some_and(|outcome| outcome.reason == Reason::Played);
                let is_set = games.rulings.last().is_some_and(|ruling| ruling.replaced.is_none());
                if is_of_games && !is_set && said.is_some() && it.outcome != said {
                    differences.push(format!("Round {number}, board {}: the games say another winner.", it.board));
                }
            }
        }
        differences
    }

    /// Whether the rules pair this round, counted from 1, as it is stored: from the results as they were when it was paired, or
    /// as they are now where a correction reseated it.
    fn agrees(&self, number: usize, pairings: &StageRound, round: &Round) -> bool {
        let paired_from = |results: Vec<StageRound>| {
            let mut entrants = self.tournament.entrants[..round.entrants].to_vec();
            for (player, entrant) in (0..).zip(&mut entrants) {
                entrant.withdrawn = round.withdrawn.contains(&player);
            }
            let before = Tournament { rounds: results, entrants, ..self.tournament.clone() };
            matches!(before.pair_next(), Ok(Some(paired)) if seats(&paired) == seats(pairings))
        };
        let now = || self.tournament.rounds[..number - 1].to_vec();
        match round.paired_at {
            Some(at) => paired_from(self.results_at(number - 1, at)) || paired_from(now()),
            None => paired_from(now()) || self.rounds[..number - 1].iter().any(has_ruling),
        }
    }

    /// The first rounds with the outcomes that they had at this time.
    fn results_at(&self, rounds: usize, at: Millis) -> Vec<StageRound> {
        let mut results = self.tournament.rounds[..rounds].to_vec();
        for (pairings, round) in results.iter_mut().zip(&self.rounds) {
            for (it, games) in pairings.matches.iter_mut().zip(&round.games) {
                if let Some(later) = games.rulings.iter().find(|ruling| ruling.at > at) {
                    it.outcome = later.before;
                }
            }
        }
        results
    }
}

impl Round {
    /// Whether a game of it began before the time that the round was fixed for.
    fn is_early(&self, games: &HashMap<GameId, &Game>) -> bool {
        let Some(at) = self.fixed_for else { return false };
        let over = self.games.iter().flat_map(|it| {
            let replaced = it.rulings.iter().filter_map(|ruling| ruling.replaced.as_ref()).flatten();
            it.over.iter().chain(replaced)
        });
        let began = over.filter_map(|over| games.get(&over.id)?.started_at()).min();
        match (began, self.fixed_begin) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(began), Some(begin)) => began < begin.steady || begin.calendar < at,
        }
    }
}

fn has_ruling(round: &Round) -> bool {
    round.games.iter().any(|games| !games.rulings.is_empty())
}

fn seats(round: &StageRound) -> Vec<[Option<Player>; 2]> {
    round.matches.iter().map(|it| it.players).collect()
}

#[cfg(test)]
mod tests {
    use morpion_rules::{
        BoardSize, Command, EventId, Mark, Times, UserId,
        event::Stages,
        game::{Entrant as Seat, EventSetup, Player as Seated, Tiebreak},
        tournament::{Format, MATCH_NO_SHOW, Side},
    };
    use uuid::Uuid;

    use super::*;
    use crate::events::{corrections::Receipt, stage::RoundTime};

    fn user(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    fn rule(stage: &mut Stage, round: u32, board: u32, winner: u128, at: i64) {
        let receipt = Receipt { actor: "admin".to_owned(), reason: Some("Seen on the board".to_owned()) };
        stage.rule((round, board), Some(user(winner)), &receipt, Millis(at)).unwrap();
    }

    /// The second round of a Swiss of four, whose first the director decided at the times 1 and 2.
    fn second_round() -> Stage {
        let stages = Stages { format: Format::Swiss { rounds: 3 }, match_games: 1, board: BoardSize::MIN };
        let entrants = (1..=4).map(|number| (user(number), 2_000 - number as u32)).collect();
        let time = |now| RoundTime { now: Millis(now), pause: 0, fixed_for: None };
        let mut stage = Stage::begin(stages, entrants, Side::First).with_next_round(time(0)).unwrap().unwrap();
        for board in [1, 2] {
            let it = &stage.tournament.rounds[0].matches[board as usize - 1];
            let winner = it.players[0].unwrap();
            rule(&mut stage, 1, board, u128::from(winner) + 1, board.into());
        }
        stage.with_next_round(time(10)).unwrap().unwrap()
    }

    #[test]
    fn a_ruling_excuses_no_pairing_that_was_made_after_it() {
        let mut stage = second_round();
        assert_eq!(stage.differences(&[]), [""; 0]);
        let matches = &mut stage.tournament.rounds[1].matches;
        let moved = matches[0].players[1];
        matches[0].players[1] = matches[1].players[1];
        matches[1].players[1] = moved;
        assert_eq!(stage.differences(&[]), ["Round 2: the results before say other pairings."]);
    }

    #[test]
    fn a_result_that_was_corrected_later_leaves_its_pairings_right() {
        let mut stage = second_round();
        let loser = stage.tournament.rounds[0].matches[0].players[1].unwrap();
        rule(&mut stage, 1, 1, u128::from(loser) + 1, 11);
        assert_eq!(stage.differences(&[]), [""; 0]);
        let pairings = stage.tournament.rounds[1].clone();
        let round = stage.rounds[1].clone();
        let by_today = Round { paired_at: Some(Millis(12)), ..round };
        assert!(!stage.agrees(2, &pairings, &by_today), "of today's results there are other pairings");
    }

    #[test]
    fn a_game_that_began_before_the_time_of_its_round_is_found() {
        let stages = Stages { format: Format::RoundRobin { double: false }, match_games: 1, board: BoardSize::MIN };
        let stage = Stage::begin(stages, vec![(user(1), 1_600), (user(2), 1_500)], Side::First);
        let time = RoundTime { now: Millis(0), pause: 0, fixed_for: Some(Millis(50_000)) };
        let mut stage = stage.with_next_round(time).unwrap().unwrap();
        stage.begin_round(Times { calendar: Millis(50_000), steady: Millis(20_000) });
        let due = stage.due_games(Millis(20_000), |_, _| false)[0];
        let played_at = |at: i64| {
            let entrants = due.players.map(|user| Seat {
                player: Seated { user, username: user.to_string() },
                tiebreak: Tiebreak { losses: 0, joined_event_at: Millis(0) },
            });
            let setup = EventSetup {
                id: due.id,
                event: EventId(Uuid::from_u128(9)),
                entrants,
                level: 1,
                size: due.board,
                starter: Mark::X,
                seed: 1,
                control: morpion_rules::clock::TimeControl::PerTurn,
                no_show: MATCH_NO_SHOW,
                rated: false,
            };
            let mut game = Game::event(setup, Millis(at)).unwrap();
            for user in due.players {
                game.apply(&Command::Join { user }, Millis(at)).unwrap();
            }
            game.apply(&Command::Forfeit { user: due.players[0] }, Millis(at)).unwrap();
            game
        };
        let (in_time, early) = (played_at(20_000), played_at(19_999));
        assert!(stage.game_over(&in_time));
        assert_eq!(stage.differences(&[in_time]), [""; 0]);
        assert_eq!(stage.differences(&[early]), ["Round 1: it began before its time."]);
    }
}
