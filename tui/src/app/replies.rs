//! What replies and refusals change.

use morpion_openapi::game::{GameState, GameStatus};
use morpion_shell::command_error::CommandError;

use super::{Action, App, Effect, Level, Watch};
use crate::calls::{Call, Reply};

impl App {
    pub(super) fn answered(&mut self, call: Call, outcome: Result<Box<Reply>, CommandError>) -> Vec<Effect> {
        let told = outcome.as_ref().map(|_| ()).map_err(Clone::clone);
        let was_confirmed = self.tell_dialog(&call, told);
        match outcome {
            Ok(reply) => self.replied(&call, *reply),
            Err(refusal) => self.refused(&call, refusal, was_confirmed),
        }
    }

    fn replied(&mut self, call: &Call, reply: Reply) -> Vec<Effect> {
        let now = self.context.now;
        if let Reply::Overview(answer) = &reply {
            self.context.clock_offset = answer.server_time.as_millis() - now;
        }
        let context = &self.context;
        let requests = self.tabs.iter_mut().flat_map(|(_, tab)| tab.replied(call, &reply, context)).collect();
        let mut effects = self.resolve(requests);
        match (call, reply) {
            (_, Reply::GetGame(answer)) => effects.extend(self.game_found(&answer.game)),
            (Call::GetReplay(call), Reply::GetReplay(answer)) => {
                if let Some(replay) = self.replay.as_mut().filter(|replay| Some(replay.game_id) == call.game_id) {
                    replay.take(answer.replay, now);
                }
            }
            _ => {}
        }
        effects
    }

    fn refused(&mut self, call: &Call, refusal: CommandError, was_confirmed: bool) -> Vec<Effect> {
        let context = &self.context;
        let taken = self.tabs.iter_mut().find_map(|(_, tab)| tab.refused(call, &refusal, context));
        if let Some(requests) = taken {
            return self.resolve(requests);
        }
        let now = self.context.now;
        match call {
            Call::GetReplay(call) => {
                if let Some(replay) = self.replay.as_mut().filter(|replay| Some(replay.game_id) == call.game_id) {
                    replay.fetch.failed(refusal, now);
                }
            }
            // The dialog that asked shows it; without one it is shown for a moment.
            _ if was_confirmed => {}
            _ => self.toasts.add(Level::Error, refusal.text, now),
        }
        vec![]
    }

    /// A game that was looked for by its id.
    fn game_found(&mut self, game: &GameState) -> Vec<Effect> {
        match game.status {
            GameStatus::Active | GameStatus::Waiting => self.watch_game(Watch::unlisted(game)),
            GameStatus::Completed | GameStatus::Cancelled => self.perform(Action::Replay(game.game_id)),
        }
    }
}
