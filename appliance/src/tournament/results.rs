//! What play tells of an event's games: who plays, and what came of it.

use morpion_openapi::realtime::{TournamentLoser, TournamentResult, TournamentWinner};
use morpion_rules::{
    Game,
    standings::{GameResult, Recorded},
};

use super::Events;
use crate::play::EventGames;

impl EventGames for Events {
    fn game_resumed(&self, game: &Game) {
        let Some(event) = game.event_id() else { return };
        for (_, player) in game.players() {
            self.engagements.stop_seeking(player.user, event);
            self.engagements.play(player.user, event, game.id());
        }
        if let Some(contest) = self.loaded(event) {
            let mut state = contest.state.lock();
            for (_, player) in game.players() {
                state.stop_waiting(player.user);
                state.playing.insert(player.user, game.id());
            }
        }
    }

    fn game_over(&self, game: &Game) -> Option<TournamentResult> {
        let event = game.event_id()?;
        for (_, player) in game.players() {
            self.engagements.stop_playing(player.user, game.id());
        }
        let contest = self.loaded(event)?;
        let mut state = contest.state.lock();
        for (_, player) in game.players() {
            if state.playing.get(&player.user) == Some(&game.id()) {
                state.playing.remove(&player.user);
            }
            let opponent = game.opponent_of(player.user).map(|opponent| opponent.user);
            if let Some(entry) = state.entries.get_mut(&player.user) {
                entry.last_opponent = opponent;
            }
        }
        let result = GameResult::of(game);
        let recorded = result.map(|result| state.standings.record(&result));
        if let Some(Ok(Recorded::Now { loser, loser_eliminated: true, .. })) = recorded {
            // After a restart they may be back in the queue as it was saved before this game ended.
            state.stop_waiting(loser.user);
            self.engagements.stop_seeking(loser.user, event);
        }
        state.pending.leaderboard = true;
        drop(state);
        contest.news.notify_one();
        match recorded? {
            Ok(Recorded::Now { winner, loser, loser_eliminated }) => Some(TournamentResult {
                winner: TournamentWinner { user_id: winner.user.0 },
                loser: TournamentLoser { user_id: loser.user.0, is_eliminated: loser_eliminated },
            }),
            Ok(Recorded::Already) => None,
            Err(refusal) => {
                tracing::error!(game = %game.id(), %refusal, "a result does not fit the standings");
                None
            }
        }
    }
}
