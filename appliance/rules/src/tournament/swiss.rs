//! Swiss.
use super::standings::{Standing, with_tie_breaks};
use super::{Rules, StageRound, Tournament};

pub(super) struct Swiss {
    pub rounds: u32,
}

impl Rules for Swiss {
    fn expected_rounds(&self, _: &Tournament) -> u32 {
        self.rounds
    }

    fn next(&self, tournament: &Tournament) -> Option<StageRound> {
        let _ = tournament;
        None
    }

    /// Before the last round is paired.
    fn admits(&self, tournament: &Tournament) -> bool {
        (tournament.rounds.len() as u32) < self.rounds
    }

    fn standings(&self, tournament: &Tournament) -> Vec<Standing> {
        with_tie_breaks(tournament)
    }
}
