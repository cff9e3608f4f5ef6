//! What a director does in a tournament: `docs/behaviour/formats.md#the-directors-desk`. Each act leaves a receipt.

use std::mem;

use morpion_rules::{
    GameId, Millis, UserId,
    tournament::{Outcome, Player, Reason, Verdict},
};
use serde::{Deserialize, Serialize};

use super::{GameOver, MatchGames, Stage};
use crate::events::corrections::Receipt;

/// What a director decided of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Ruling {
    actor: String,
    reason: String,
    /// In play time.
    pub(super) at: Millis,
    /// What it replaced.
    #[serde(default)]
    pub(super) before: Option<Outcome>,
    /// Of a match that is played again: its games that were over, which do not count. `None`: the result was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) replaced: Option<Vec<GameOver>>,
}

/// What a director did with a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PlayerAct {
    player: Player,
    act: Act,
    actor: String,
    reason: String,
    /// In play time.
    at: Millis,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Act {
    SetResult,
    ReplayMatch,
    WithdrawPlayer,
    DisqualifyPlayer,
    ReinstatePlayer,
}

/// An act with its receipt.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectorAct {
    pub act: Act,
    pub actor: String,
    pub reason: String,
    /// In play time.
    pub at: Millis,
    /// Of an act about a match: its round and its board, from 1.
    pub place: Option<(u32, u32)>,
    /// Those of the match, or the player whom it is about.
    pub players: Vec<Player>,
    /// Of an act about a match: what it replaced, with the winner.
    pub before: Option<(Outcome, Option<Player>)>,
}

/// Why a director's act is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StageRefusal {
    #[error("There is no such match.")]
    UnknownMatch,
    #[error("That player is not in this match.")]
    NotInTheMatch,
    #[error("That player is not in this event.")]
    UnknownPlayer,
    #[error("This round has begun already.")]
    Begun,
    #[error("This round is not paired yet: the one before it is being played.")]
    NotPaired,
    #[error("Rounds are paused. Resume them first.")]
    Paused,
    #[error("A later round is paired. Correct the result of this match instead.")]
    LaterRoundPaired,
    #[error("No game of this match has begun, so there is nothing to play again.")]
    NothingToReplay,
    #[error("This match is being played again already.")]
    ReplayedAlready,
    #[error("A player of this match is out. Reinstate them first.")]
    PlayerOut,
    #[error("This player is disqualified already.")]
    DisqualifiedAlready,
}

impl StageRefusal {
    /// Stable, kebab-case, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::UnknownMatch | Self::UnknownPlayer => "not-found",
            Self::NotInTheMatch => "invalid",
            Self::Begun => "round-begun",
            Self::NotPaired => "round-not-paired",
            Self::Paused => "rounds-paused",
            Self::LaterRoundPaired => "later-round-paired",
            Self::NothingToReplay => "nothing-to-replay",
            Self::ReplayedAlready => "replayed-already",
            Self::PlayerOut => "player-out",
            Self::DisqualifiedAlready => "disqualified-already",
        }
    }
}

impl MatchGames {
    /// When the match was begun anew, in play time.
    pub(super) fn replayed_at(&self) -> Option<Millis> {
        self.rulings.last().filter(|ruling| ruling.replaced.is_some()).map(|ruling| ruling.at)
    }
}

impl Stage {
    /// The indexes of a match, of which round and board are from 1.
    fn position(&self, (round, board): (u32, u32)) -> Result<(usize, usize), StageRefusal> {
        let number = (round as usize).checked_sub(1).ok_or(StageRefusal::UnknownMatch)?;
        let matches = &self.tournament.rounds.get(number).ok_or(StageRefusal::UnknownMatch)?.matches;
        let index = matches.iter().position(|it| it.board == board).ok_or(StageRefusal::UnknownMatch)?;
        Ok((number, index))
    }

    /// A director decides a match, from 1 as the round and the board.
    ///
    /// # Errors
    /// [`StageRefusal`].
    pub fn rule(
        &mut self,
        place: (u32, u32),
        winner: Option<UserId>,
        receipt: &Receipt,
        at: Millis,
    ) -> Result<(), StageRefusal> {
        let (number, index) = self.position(place)?;
        let it = &mut self.tournament.rounds[number].matches[index];
        let outcome = match winner {
            None => Outcome { verdict: Verdict::Neither, reason: Reason::Ruling },
            Some(user) => {
                let entrants = &self.tournament.entrants;
                let is_winner = |player: &Player| entrants[*player as usize].user == user;
                let player = it.players.into_iter().flatten().find(is_winner).ok_or(StageRefusal::NotInTheMatch)?;
                Outcome::won(it.side_of(player).ok_or(StageRefusal::NotInTheMatch)?, Reason::Ruling)
            }
        };
        let before = it.outcome.replace(outcome);
        self.rounds[number].games[index].rulings.push(Ruling::of(receipt, at, before, None));
        for it in self.tournament.reseat() {
            let games = self.new_games(&it);
            if let Some((pairings, round)) = self.tournament.rounds.last_mut().zip(self.rounds.last_mut())
                && let Some(index) = pairings.matches.iter().position(|other| other.board == it.board)
            {
                pairings.matches[index] = it;
                round.games[index] = games;
            }
        }
        self.index();
        Ok(())
    }

    /// A match of the last round is played again: neither its games nor its result count, and its next game opens as the first
    /// one of a match does. A game of it that goes on is superseded. `game` is one that the director saw: it refuses the second
    /// of two who ask for the same.
    ///
    /// # Errors
    /// [`StageRefusal`].
    pub fn replay(
        &mut self,
        place: (u32, u32),
        game: Option<GameId>,
        receipt: &Receipt,
        at: Millis,
    ) -> Result<(), StageRefusal> {
        let (number, index) = self.position(place)?;
        let is_last = number + 1 == self.rounds.len();
        let it = &self.tournament.rounds[number].matches[index];
        let known = &self.rounds[number].games[index].ids;
        let mut players = it.players.iter().flatten();
        if !is_last {
            return Err(StageRefusal::LaterRoundPaired);
        }
        if game.is_some_and(|game| !known.contains(&game)) {
            return Err(StageRefusal::ReplayedAlready);
        }
        if !it.begun && it.outcome.is_none_or(|outcome| outcome.reason != Reason::Ruling) || it.players.contains(&None)
        {
            return Err(StageRefusal::NothingToReplay);
        }
        if players.any(|player| self.tournament.entrant(*player).withdrawn) {
            return Err(StageRefusal::PlayerOut);
        }
        let it = &mut self.tournament.rounds[number].matches[index];
        let before = it.outcome.take();
        it.begun = false;
        let fresh = self.new_games(&self.tournament.rounds[number].matches[index]);
        let games = &mut self.rounds[number].games[index];
        games.ids = fresh.ids;
        let replaced = mem::take(&mut games.over);
        games.rulings.push(Ruling::of(receipt, at, before, Some(replaced)));
        self.index();
        Ok(())
    }

    /// The games of a round that waits open now.
    ///
    /// # Errors
    /// [`StageRefusal`].
    pub fn start_round(&mut self, number: u32, now: Millis) -> Result<(), StageRefusal> {
        let (last, under_way) = (self.number(), self.is_under_way());
        if number > last {
            return Err(StageRefusal::NotPaired);
        }
        let waits = |starts_at| now < starts_at || self.paused && !under_way;
        match self.rounds.last_mut().filter(|round| number == last && !under_way && waits(round.starts_at)) {
            None => Err(StageRefusal::Begun),
            Some(_) if self.paused => Err(StageRefusal::Paused),
            Some(round) => {
                round.starts_at = now;
                Ok(())
            }
        }
    }

    /// Withdraws a player; a match of theirs that is not decided is the opponent's.
    ///
    /// # Errors
    /// [`StageRefusal`].
    pub fn withdraw(&mut self, user: UserId, receipt: &Receipt, at: Millis) -> Result<(), StageRefusal> {
        self.take_out(user, Act::WithdrawPlayer, receipt, at)
    }

    /// As a withdrawal, and no place of theirs is a winner's.
    ///
    /// # Errors
    /// [`StageRefusal`].
    pub fn disqualify(&mut self, user: UserId, receipt: &Receipt, at: Millis) -> Result<(), StageRefusal> {
        self.take_out(user, Act::DisqualifyPlayer, receipt, at)
    }

    fn take_out(&mut self, user: UserId, act: Act, receipt: &Receipt, at: Millis) -> Result<(), StageRefusal> {
        let player = self.tournament.player(user).ok_or(StageRefusal::UnknownPlayer)?;
        if self.disqualification(player).is_some() {
            return Err(StageRefusal::DisqualifiedAlready);
        }
        self.acts.push(PlayerAct::of(player, act, receipt, at));
        self.leave(player);
        Ok(())
    }

    /// Withdraws a player who was removed from the event.
    pub fn remove(&mut self, user: UserId) {
        if let Some(player) = self.tournament.player(user) {
            self.leave(player);
        }
    }

    fn leave(&mut self, player: Player) {
        self.tournament.entrants[player as usize].withdrawn = true;
        let last = self.tournament.rounds.last();
        let Some((index, it)) = last.and_then(|round| {
            round.matches.iter().enumerate().find(|(_, it)| it.outcome.is_none() && it.side_of(player).is_some())
        }) else {
            return;
        };
        let present = it.players.map(|other| other.is_some_and(|other| !self.tournament.entrant(other).withdrawn));
        if let Some(outcome) = Outcome::of_absence(present, Reason::Withdrawn) {
            self.decide(index, outcome);
        }
    }

    /// Lets a withdrawn or disqualified player play from the next round on.
    ///
    /// # Errors
    /// [`StageRefusal::UnknownPlayer`].
    pub fn reinstate(&mut self, user: UserId, receipt: &Receipt, at: Millis) -> Result<(), StageRefusal> {
        let player = self.tournament.player(user).ok_or(StageRefusal::UnknownPlayer)?;
        self.acts.push(PlayerAct::of(player, Act::ReinstatePlayer, receipt, at));
        self.tournament.entrants[player as usize].withdrawn = false;
        Ok(())
    }

    /// Why a player is disqualified; `None` for one who is not.
    pub fn disqualification(&self, player: Player) -> Option<&str> {
        let last = self.acts.iter().rev().find(|act| act.player == player)?;
        (last.act == Act::DisqualifyPlayer).then_some(last.reason.as_str())
    }

    /// No further round begins, or one begins at this time at the earliest.
    pub fn pause(&mut self, paused: bool, not_before: Millis) {
        let under_way = self.is_under_way();
        if let Some(round) = self.rounds.last_mut().filter(|_| self.paused && !paused && !under_way) {
            round.starts_at = round.starts_at.max(not_before);
        }
        self.paused = paused;
    }

    /// What directors did, the first first.
    pub fn receipts(&self) -> Vec<DirectorAct> {
        let mut receipts: Vec<DirectorAct> = self.acts.iter().map(PlayerAct::receipt).collect();
        for (round, (pairings, stored)) in (1..).zip(self.tournament.rounds.iter().zip(&self.rounds)) {
            for (it, games) in pairings.matches.iter().zip(&stored.games) {
                let winner = |outcome: Outcome| outcome.winner().and_then(|side| it.players[side.index()]);
                receipts.extend(games.rulings.iter().map(|ruling| DirectorAct {
                    act: if ruling.replaced.is_some() { Act::ReplayMatch } else { Act::SetResult },
                    actor: ruling.actor.clone(),
                    reason: ruling.reason.clone(),
                    at: ruling.at,
                    place: Some((round, it.board)),
                    players: it.players.into_iter().flatten().collect(),
                    before: ruling.before.map(|outcome| (outcome, winner(outcome))),
                }));
            }
        }
        receipts.sort_by_key(|receipt| receipt.at);
        receipts
    }
}

impl Ruling {
    fn of(receipt: &Receipt, at: Millis, before: Option<Outcome>, replaced: Option<Vec<GameOver>>) -> Self {
        let reason = receipt.reason.clone().unwrap_or_default();
        Self { actor: receipt.actor.clone(), reason, at, before, replaced }
    }
}

impl PlayerAct {
    fn of(player: Player, act: Act, receipt: &Receipt, at: Millis) -> Self {
        let reason = receipt.reason.clone().unwrap_or_default();
        Self { player, act, actor: receipt.actor.clone(), reason, at }
    }

    fn receipt(&self) -> DirectorAct {
        DirectorAct {
            act: self.act,
            actor: self.actor.clone(),
            reason: self.reason.clone(),
            at: self.at,
            place: None,
            players: vec![self.player],
            before: None,
        }
    }
}
