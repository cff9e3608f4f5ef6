//! What the players of a game hear of by push who have no page open: `docs/behaviour/notifications.md#what-is-pushed`.

use morpion_rules::{Effect, Effects, Game, Mark, Status, UserId, clock::TimeControl, game::Player};

use crate::{
    people::{People, Width},
    push::{Notice, Push},
};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// The inviter asked the other player.
    Invited,
    /// The invited player is in the game, which waits for the inviter.
    Came,
    Declined,
    /// It is this player's turn.
    Turn(UserId),
    /// Both were paired.
    Paired,
}

impl News {
    /// What a command's effects mean for players who are away: only in invite games, since others do not wait for them.
    pub fn of_effects(game: &Game, effects: &Effects) -> Option<Self> {
        if !game.is_invite() {
            return None;
        }
        let invited = game.player(Mark::O).map(|player| player.user);
        let is_untimed = game.time_control() == TimeControl::Untimed;
        effects.iter().rev().find_map(|effect| match effect {
            Effect::Joined { user } if Some(*user) == invited && game.status() == Status::Waiting => Some(Self::Came),
            Effect::Cancelled { by } if by.is_some() && *by == invited => Some(Self::Declined),
            Effect::MoveMade { next_turn: Some(user), .. } if is_untimed => Some(Self::Turn(*user)),
            _ => None,
        })
    }

    /// Tells those of the players who are away.
    pub fn tell(self, push: &Push, people: &People, game: &Game) {
        if !push.is_on() {
            return;
        }
        let inform = |user: UserId, notice: fn(&Game, UserId, String) -> Notice| {
            let Some(Player { user: other, username }) = game.opponent_of(user).filter(|_| !push.is_here(user)) else {
                return;
            };
            let name = people.shown(*other, username, Width::Row).display_name;
            push.tell(user, notice(game, *other, name));
        };
        let at = |mark| game.player(mark).map(|player| player.user);
        match self {
            Self::Invited => at(Mark::O).into_iter().for_each(|user| {
                inform(user, |game, from, name| {
                    let size = game.board().size().get();
                    Notice::Invitation { game: game.id(), from, name, size }
                });
            }),
            Self::Came => at(Mark::X).into_iter().for_each(|user| {
                inform(user, |game, from, name| Notice::Answer { game: game.id(), from, name, accepted: true });
            }),
            Self::Declined => at(Mark::X).into_iter().for_each(|user| {
                inform(user, |game, from, name| Notice::Answer { game: game.id(), from, name, accepted: false });
            }),
            Self::Turn(user) => inform(user, |game, from, name| Notice::Turn { game: game.id(), from, name }),
            Self::Paired => game.players().for_each(|(_, player)| {
                inform(player.user, |game, from, name| Notice::Paired { game: game.id(), from, name });
            }),
        }
    }
}
