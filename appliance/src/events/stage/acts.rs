//! What a director does in a tournament: `docs/behaviour/formats.md#the-directors-desk`. Each act leaves a receipt.

use std::mem;

use morpion_rules::{
    GameId, Millis, UserId,
    tournament::{Outcome, Player, Reason, Verdict},
};
use serde::{Deserialize, Serialize};

use super::{GameOver, MatchGames, Round, Stage};
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
        let waits = |round: &Round| now < round.starts_at || round.waits_for().is_some() || self.paused && !under_way;
        match self.rounds.last_mut().filter(|round| number == last && !under_way && waits(round)) {
            None => Err(StageRefusal::Begun),
            Some(_) if self.paused => Err(StageRefusal::Paused),
            Some(round) => {
                round.starts_at = now;
                round.fixed_for = None;
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

#[cfg(test)]
mod tests {
    use morpion_rules::{
        BoardSize,
        event::Stages,
        tournament::{Format, MATCH_NO_SHOW, Side},
    };
    use uuid::Uuid;

    use super::*;
    use crate::events::stage::{PlayedGame, RoundTime};

    const PAUSE: i64 = 20_000;

    fn user(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    fn receipt() -> Receipt {
        Receipt { actor: "admin".to_owned(), reason: Some("Seen on the board".to_owned()) }
    }

    /// A round robin of so many players in its first round, which was paired at 0 and waits.
    fn stage(players: u32) -> Stage {
        let stages = Stages { format: Format::RoundRobin { double: false }, match_games: 2, board: BoardSize::MIN };
        let entrants = (1..=players).map(|number| (user(number.into()), 2_000 - number)).collect();
        let time = RoundTime { now: Millis(0), pause: PAUSE, fixed_for: None };
        Stage::begin(stages, entrants, Side::First).with_next_round(time).unwrap().unwrap()
    }

    fn due(stage: &Stage, now: Millis) -> Vec<GameId> {
        stage.due_games(now, |_, _| false).iter().map(|due| due.id).collect()
    }

    /// The first match has its next game won by this side.
    fn won(stage: &mut Stage, id: GameId, side: Side) {
        stage.opened(0);
        let result = PlayedGame { winner: Some(side), boards: vec![BoardSize::MIN], used: [1, 2] };
        assert!(stage.note(GameOver { id, result: Some(result), no_show: false }));
    }

    #[test]
    fn a_round_begins_once_and_only_where_it_waits() {
        let mut stage = stage(2);
        let now = Millis(5_000);
        assert_eq!(due(&stage, now), []);
        assert_eq!(stage.start_round(2, now), Err(StageRefusal::NotPaired));
        stage.pause(true, now);
        assert_eq!(stage.start_round(1, Millis(PAUSE)), Err(StageRefusal::Paused), "its time has come, and it is held");
        stage.pause(false, Millis(PAUSE));
        assert_eq!(stage.start_round(1, now), Ok(()));
        assert_eq!(due(&stage, now).len(), 1);
        assert_eq!(stage.start_round(1, now), Err(StageRefusal::Begun));
        stage.opened(0);
        stage.pause(true, now);
        assert_eq!(stage.start_round(1, now), Err(StageRefusal::Begun), "its games go on while rounds are paused");
    }

    #[test]
    fn a_round_that_waits_for_its_fixed_time_begins_when_the_director_says() {
        let mut stage = stage(2);
        stage.rounds[0].fixed_for = Some(Millis(10 * PAUSE));
        let now = Millis(2 * PAUSE);
        assert_eq!(due(&stage, now), []);
        assert_eq!(stage.start_round(1, now), Ok(()));
        assert_eq!(due(&stage, now).len(), 1);
        assert_eq!(stage.start_round(1, now), Err(StageRefusal::Begun));
        assert_eq!(stage.differences(&[]), [""; 0], "it was not too early");
    }

    #[test]
    fn a_match_that_is_played_again_has_other_games_and_another_minute() {
        let mut stage = stage(2);
        let late = Millis(PAUSE + 2 * MATCH_NO_SHOW);
        let place = (1, 1);
        assert_eq!(stage.replay(place, None, &receipt(), late), Err(StageRefusal::NothingToReplay));
        let first = due(&stage, late)[0];
        won(&mut stage, first, Side::First);
        let second = due(&stage, late)[0];
        won(&mut stage, second, Side::First);
        assert!(stage.is_decided());
        stage.replay(place, Some(second), &receipt(), late).unwrap();
        assert!(!stage.is_decided());
        assert!(stage.is_superseded(first) && stage.is_superseded(second));
        let other = Some(second);
        assert_eq!(stage.replay(place, other, &receipt(), late), Err(StageRefusal::ReplayedAlready));
        assert_eq!(stage.replay(place, None, &receipt(), late), Err(StageRefusal::NothingToReplay));
        let due_again = stage.due_games(late, |_, _| false)[0];
        assert!(![first, second].contains(&due_again.id));
        assert_eq!(due_again.players, [user(1), user(2)], "seats as in a new match");
        let absence = |stage: &Stage, now| stage.outcome_of_absence(&due_again, |_| false, now);
        assert_eq!(absence(&stage, late + (MATCH_NO_SHOW - 1)), None);
        assert!(absence(&stage, late + MATCH_NO_SHOW).is_some());
        // A late end of an old game says nothing.
        let result = PlayedGame { winner: Some(Side::Second), boards: vec![BoardSize::MIN], used: [1, 2] };
        assert!(!stage.note(GameOver { id: second, result: Some(result), no_show: false }));
        let [act] = stage.receipts().try_into().unwrap();
        let before = Outcome::won(Side::First, Reason::Played);
        assert_eq!((act.act, act.place, act.before), (Act::ReplayMatch, Some(place), Some((before, Some(0)))));
    }

    #[test]
    fn a_result_that_was_set_is_taken_back_and_those_who_are_out_play_no_match_again() {
        let mut stage = stage(3);
        let now = Millis(PAUSE);
        let bye = stage.tournament.rounds[0].matches.iter().find(|it| it.is_bye() || it.players.contains(&None));
        let bye = bye.unwrap().board;
        assert_eq!(stage.replay((1, bye), None, &receipt(), now), Err(StageRefusal::NothingToReplay));
        let it = stage.tournament.rounds[0].matches.iter().find(|it| !it.players.contains(&None)).unwrap();
        let (place, players) = ((1, it.board), stage.players(it).unwrap());
        stage.rule(place, None, &receipt(), now).unwrap();
        stage.replay(place, None, &receipt(), now).unwrap();
        assert_eq!(due(&stage, now).len(), 1);
        stage.rule(place, Some(players[1]), &receipt(), now).unwrap();
        stage.withdraw(players[0], &receipt(), now).unwrap();
        assert_eq!(stage.replay(place, None, &receipt(), now), Err(StageRefusal::PlayerOut));
        stage.reinstate(players[0], &receipt(), now).unwrap();
        stage.replay(place, None, &receipt(), now).unwrap();
    }

    #[test]
    fn what_a_director_did_is_stored_and_verified() {
        let mut stage = stage(2);
        let now = Millis(PAUSE);
        let first = due(&stage, now)[0];
        won(&mut stage, first, Side::Second);
        stage.replay((1, 1), Some(first), &receipt(), now).unwrap();
        stage.disqualify(user(1), &receipt(), now).unwrap();
        assert_eq!(stage.disqualify(user(1), &receipt(), now), Err(StageRefusal::DisqualifiedAlready));
        assert!(stage.is_decided());
        let (state, rounds) = stage.encode(1).unwrap();
        let rounds = rounds.into_iter().map(|(_, round)| round).collect();
        let mut stored = Stage::decode(&morpion_store::TournamentText { state, rounds }).unwrap();
        assert_eq!(stored.receipts(), stage.receipts());
        assert_eq!(stored.disqualification(0), Some("Seen on the board"));
        assert_eq!(stored.differences(&[]), ["Round 1, board 1: a game says another winner."], "it is not stored");
        stored.reinstate(user(1), &receipt(), now).unwrap();
        assert_eq!(stored.disqualification(0), None);
    }
}
