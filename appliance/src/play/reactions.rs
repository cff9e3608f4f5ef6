//! Reactions: one of a few drawings from a player to the other, and to those who watch. Nothing of them is stored. See
//! `docs/behaviour/play.md#reactions`.

use std::{collections::HashSet, time::Duration};

use morpion_openapi::realtime::{PlayerReaction, Reaction, ServerFrame};
use morpion_rules::{Game, GameId, Mark, Millis, Refusal, Status, UserId};
use uuid::Uuid;

use super::{Play, error::PlayError};
use crate::{connections::frame::encode, error::CommonError};

/// A player of a game reacts once in so many milliseconds.
pub(super) const REACTION_EVERY: i64 = 3_000;

/// How long after the end of a game its players may react to it, in milliseconds.
const AFTER_END: i64 = 60_000;

/// When each player of a game reacted last.
#[derive(Debug, Default)]
pub(super) struct Reacted([Option<Millis>; 2]);

impl Reacted {
    /// Counts a reaction.
    ///
    /// # Errors
    /// [`PlayError::TooManyReactions`]: the last one was less than 3 s ago.
    pub(super) fn admit(&mut self, mark: Mark, now: Millis) -> Result<(), PlayError> {
        let last = &mut self.0[mark.index()];
        let wait = last.map_or(0, |last| REACTION_EVERY - (now - last));
        if wait > 0 {
            return Err(PlayError::TooManyReactions { retry_after: Duration::from_millis(wait.unsigned_abs()) });
        }
        *last = Some(now);
        Ok(())
    }
}

impl Play {
    /// Shows a player's reaction to all who have the game open, but to nobody who blocks the player. Of two players of whom
    /// one blocks the other, neither sees the other's. They are not told.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for a game that is not in memory; [`Refusal::NotAPlayer`];
    /// [`Refusal::GameNotStarted`]; [`Refusal::GameOver`] a minute after the end; [`PlayError::TooManyReactions`].
    pub async fn react(&self, user: UserId, id: GameId, reaction: Reaction) -> Result<(), PlayError> {
        let runtime = self.runtime(id)?;
        let game = runtime.committed().ok_or(CommonError::NotFound("game"))?;
        let mark = game.mark_of(user).ok_or(Refusal::NotAPlayer)?;
        let now = self.now();
        may_react(&game, now)?;
        runtime.admit_reaction(mark, now)?;
        let others: Vec<Uuid> = runtime.audience().into_iter().filter(|other| *other != user).map(|it| it.0).collect();
        let blockers = self.store.blockers_among(&others, user.0).await?;
        let mut hidden_from: HashSet<UserId> = blockers.into_iter().map(UserId).collect();
        if let Some(opponent) = game.opponent_of(user)
            && self.store.is_blocked(user.0, opponent.user.0).await?
        {
            hidden_from.insert(opponent.user);
        }
        let frame = ServerFrame::Reaction(PlayerReaction { game_id: id.0, user_id: user.0, reaction });
        runtime.send_to_room(&self.shared.hub, &encode(&frame.to_text()), &hidden_from);
        Ok(())
    }
}

fn may_react(game: &Game, now: Millis) -> Result<(), Refusal> {
    match game.status() {
        Status::Waiting => Err(Refusal::GameNotStarted),
        Status::Active => Ok(()),
        Status::Completed if game.outcome().is_some_and(|outcome| now - outcome.at <= AFTER_END) => Ok(()),
        Status::Completed | Status::Cancelled => Err(Refusal::GameOver),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_player_reacts_once_in_three_seconds() {
        let mut reacted = Reacted::default();
        assert_eq!(reacted.admit(Mark::X, Millis(10_000)), Ok(()));
        assert_eq!(reacted.admit(Mark::O, Millis(10_001)), Ok(()), "the other's own");
        let wait = Duration::from_millis(1);
        assert_eq!(reacted.admit(Mark::X, Millis(12_999)), Err(PlayError::TooManyReactions { retry_after: wait }));
        assert_eq!(reacted.admit(Mark::X, Millis(13_000)), Ok(()), "a refused one does not count");
    }
}
