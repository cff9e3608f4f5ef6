//! The transitions of a game. Every check comes before the first change, so that a refusal
//! leaves the game as it was.

mod presence;

use super::command::{Command, Effect, Effects, EndReason, NetworkDelay};
use super::{Game, Kind, MAX_DRAWN_ROUNDS, Outcome, Player, Ply, Presence, Refusal, Status, size_after};
use crate::board::{Board, Cell, Mark};
use crate::clock::{INVITE_LIFETIME, Millis};
use crate::{UserId, clock};

/// What a deadline does when it has passed. Every one of them ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Due {
    /// A game that waited did not start in time.
    NotStarted,
    /// A player took too long at the board, or to come back to an opponent with whom they were paired.
    Lost { loser: Mark, reason: EndReason },
    /// Both players of an invite game have been absent for long.
    Abandoned,
}

impl Game {
    /// Applies `command`, or refuses and stays unchanged.
    ///
    /// A deadline that has passed is settled first, whether or not a [`Command::Tick`] came in time. Any player's
    /// command then only ends the game by that deadline, except that a late move or claim of a seat is refused, since
    /// its sender must learn that it did not count. Presence commands to a finished game change nothing and are not
    /// refused.
    ///
    /// An earlier `now` than the last accepted one counts as that one.
    pub fn apply(&mut self, command: &Command, now: Millis) -> Result<Effects, Refusal> {
        let now = now.max(self.last);
        let version_before = self.version;
        let mut effects = Vec::new();
        match *command {
            Command::Join { user } => self.arrive(user, true, now, &mut effects)?,
            Command::Connect { user } => self.arrive(user, false, now, &mut effects)?,
            Command::Leave { user } => self.depart(user, true, now, &mut effects)?,
            Command::Disconnect { user } => self.depart(user, false, now, &mut effects)?,
            Command::ClaimSeat { user, ref username } => {
                self.claim_seat(user, username, now, &mut effects)?;
            }
            Command::Move { user, cell, at_version } => {
                self.make_move(user, cell, at_version, NetworkDelay::default(), now, &mut effects)?;
            }
            Command::TimedMove { user, cell, at_version, delay } => {
                self.make_move(user, cell, at_version, delay, now, &mut effects)?;
            }
            Command::Forfeit { user } => self.forfeit(user, now, &mut effects)?,
            Command::ClaimWin { user } => self.claim_win(user, now, &mut effects)?,
            Command::Cancel { user } => self.cancel(user, now, &mut effects)?,
            Command::Decline { user } => self.decline(user, now, &mut effects)?,
            Command::Remove { user } => self.remove(user, now, &mut effects)?,
            Command::Tick => _ = self.settle(now, &mut effects),
            Command::Void => {
                self.check_running_event_game()?;
                self.end(EndReason::Void, None, now, &mut effects);
            }
            Command::DecideByTime => self.decide(NetworkDelay::default(), now, &mut effects)?,
            Command::DecideByFairTime { delay } => self.decide(delay, now, &mut effects)?,
            Command::Adjudicate { winner, ref reason } => {
                self.adjudicate(winner, reason, now, &mut effects)?;
            }
            Command::ResumeAfterRestart { stopped_at } => {
                self.resume(stopped_at, now, &mut effects);
            }
            Command::ResumeAfterPause => self.resume_after_pause(now, &mut effects),
            Command::Adopt { guest, account, ref username } => {
                self.check_not_over()?;
                let player = Player { user: account, username: username.clone() };
                self.replace_player(guest, player.clone())?;
                self.emit(Effect::PlayerReplaced { before: guest, player }, &mut effects);
            }
        }
        if !effects.is_empty() {
            self.last = now;
        }
        Ok(Effects::new(version_before, effects))
    }

    /// When the next [`Command::Tick`] will change something; `None` without a deadline.
    pub fn next_deadline(&self) -> Option<Millis> {
        Some(self.first_deadline()?.0)
    }

    /// The earliest deadline; the turn's before the player's countdown where they are equal.
    fn first_deadline(&self) -> Option<(Millis, Due)> {
        match self.status {
            Status::Waiting => Some((self.opens_until, Due::NotStarted)),
            Status::Active => {
                let turn = Due::Lost { loser: self.to_move, reason: EndReason::Timeout };
                let turn = self.clock.expires_at().map(|at| (at, turn));
                let absence = match self.is_invite() {
                    true => self.abandoned_at().map(|at| (at, Due::Abandoned)),
                    false => {
                        let lost = Due::Lost { loser: self.to_move, reason: EndReason::Disconnect };
                        self.absence_ends(self.to_move).map(|at| (at, lost))
                    }
                };
                turn.into_iter().chain(absence).min_by_key(|&(at, _)| at)
            }
            Status::Completed | Status::Cancelled => None,
        }
    }

    /// When an invite game ends that both players have left.
    fn abandoned_at(&self) -> Option<Millis> {
        Some(self.absence_ends(Mark::X)?.max(self.absence_ends(Mark::O)?) + INVITE_LIFETIME)
    }

    fn due(&self, now: Millis) -> Option<Due> {
        self.first_deadline().and_then(|(at, due)| (at <= now).then_some(due))
    }

    /// Ends the game if a deadline has passed; returns whether one had.
    fn settle(&mut self, now: Millis, effects: &mut Vec<Effect>) -> bool {
        match self.due(now) {
            None => return false,
            Some(Due::Lost { loser, reason }) => self.end(reason, Some(loser.other()), now, effects),
            Some(Due::Abandoned) => self.end(EndReason::Void, None, now, effects),
            Some(Due::NotStarted) if self.is_invite() => self.call_off(None, now, effects),
            // Nobody has played, so nobody has lost: both may look for another opponent.
            Some(Due::NotStarted) if self.is_quick() => self.end(EndReason::Void, None, now, effects),
            Some(Due::NotStarted) => match Mark::BOTH.into_iter().find(|&mark| self.is_present(mark)) {
                Some(present) => self.end(EndReason::NoShow, Some(present), now, effects),
                None => self.end(EndReason::Void, None, now, effects),
            },
        }
        true
    }

    fn claim_seat(
        &mut self,
        user: UserId,
        username: &str,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.check_not_over()?;
        if !self.is_invite() {
            return Err(Refusal::NotAnInviteGame);
        }
        match self.mark_of(user) {
            Some(Mark::X) => return Err(Refusal::OwnGame),
            Some(Mark::O) => return Ok(()),
            None if self.player(Mark::O).is_some() => return Err(Refusal::SeatTaken),
            None if self.due(now).is_some() => return Err(Refusal::OutOfTime),
            None => {}
        }
        let player = Player { user, username: username.to_owned() };
        self.seats[Mark::O.index()] = Some(player.clone());
        self.emit(Effect::SeatClaimed { player }, effects);
        Ok(())
    }

    fn make_move(
        &mut self,
        user: UserId,
        cell: Cell,
        at_version: Option<u64>,
        delay: NetworkDelay,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let mark = self.check_player_of_active(user)?;
        // A version from the future belongs to another game, or to data that was lost.
        if at_version.is_some_and(|seen| seen < self.position_version || seen > self.version) {
            return Err(Refusal::StaleVersion);
        }
        if mark != self.to_move {
            return Err(Refusal::NotYourTurn);
        }
        if self.due(now).is_some() {
            return Err(Refusal::OutOfTime);
        }
        let board = self.board.place(cell, mark)?;

        self.credit(delay, now);
        self.board = board;
        self.history.push(Ply { round: self.round(), mark, cell, at: now });
        let winning_line = board.line_of(mark);
        let round_over = winning_line.is_some() || board.is_full();
        if round_over {
            self.clock.stop(now);
        } else {
            self.start_turn(mark.other(), now);
        }
        let next_turn = if round_over { None } else { self.user(self.to_move) };
        let turn_deadline = self.turn_deadline();
        let absent_until = next_turn.and_then(|_| self.countdown_until(self.to_move));
        let made =
            Effect::MoveMade { by: user, mark, cell, board, winning_line, next_turn, turn_deadline, absent_until };
        self.emit(made, effects);
        self.position_version = self.version;
        if winning_line.is_some() {
            self.end(EndReason::Line, Some(mark), now, effects);
        } else if round_over {
            self.draw(now, effects);
        }
        Ok(())
    }

    /// The board is full and nobody has a line.
    fn draw(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        if !self.is_event() {
            self.close(Status::Completed, None, None, now);
            self.emit(Effect::Drawn, effects);
            return;
        }
        self.draw_count += 1;
        if self.draw_count == MAX_DRAWN_ROUNDS {
            self.decide_by_time(now, effects);
            return;
        }
        let size = size_after(self.draw_count, self.board.size());
        self.board = Board::empty(size);
        self.starter = self.starter.other();
        self.start_turn(self.starter, now);
        if let Some(starter) = self.user(self.starter) {
            let (round, draw_count) = (self.round(), self.draw_count);
            let turn_deadline = self.turn_deadline();
            let drawn = Effect::RoundDrawn { round, draw_count, starter, size, turn_deadline };
            self.emit(drawn, effects);
        }
        self.position_version = self.version;
    }

    fn credit(&mut self, delay: NetworkDelay, now: Millis) {
        self.clock.credit(i64::from(delay.sent_after) + i64::from(delay.round_trip).min(clock::MAX_ROUND_TRIP), now);
    }

    fn decide(&mut self, delay: NetworkDelay, now: Millis, effects: &mut Vec<Effect>) -> Result<(), Refusal> {
        self.check_running_event_game()?;
        if !self.settle(now, effects) {
            self.credit(delay, now);
            self.decide_by_time(now, effects);
        }
        Ok(())
    }

    /// Less total time wins, then fewer losses, then the earlier joining of the event, then the
    /// seed. A game that never started has nothing to decide and is void.
    fn decide_by_time(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let (Kind::Event { seed, tiebreaks, .. }
        | Kind::RatedEvent { seed, tiebreaks, .. }
        | Kind::TimedEvent { seed, tiebreaks, .. }) = self.kind
        else {
            return;
        };
        if self.status == Status::Waiting {
            self.end(EndReason::Void, None, now, effects);
            return;
        }
        let by_seed = if seed & 1 == 0 { Mark::X } else { Mark::O };
        let winner = Mark::BOTH
            .into_iter()
            .min_by_key(|&mark| (self.time_used(mark, now), tiebreaks[mark.index()], mark != by_seed));
        self.end(EndReason::Time, winner, now, effects);
    }

    fn forfeit(&mut self, user: UserId, now: Millis, effects: &mut Vec<Effect>) -> Result<(), Refusal> {
        let mark = self.check_player_of_active(user)?;
        if !self.settle(now, effects) {
            self.end(EndReason::Forfeit, Some(mark.other()), now, effects);
        }
        Ok(())
    }

    fn claim_win(&mut self, user: UserId, now: Millis, effects: &mut Vec<Effect>) -> Result<(), Refusal> {
        let mark = self.check_player_of_active(user)?;
        if !self.is_invite() {
            return Err(Refusal::NotAnInviteGame);
        }
        if self.settle(now, effects) {
            return Ok(());
        }
        let until = self.absence_ends(mark.other()).ok_or(Refusal::OpponentPresent)?;
        if mark == self.to_move {
            return Err(Refusal::YourTurn);
        }
        if now < until {
            return Err(Refusal::ClaimTooEarly);
        }
        self.end(EndReason::Disconnect, Some(mark), now, effects);
        Ok(())
    }

    fn cancel(&mut self, user: UserId, now: Millis, effects: &mut Vec<Effect>) -> Result<(), Refusal> {
        self.mark_of(user).ok_or(Refusal::NotAPlayer)?;
        self.check_not_over()?;
        if self.status == Status::Active {
            return Err(Refusal::GameAlreadyStarted);
        }
        if !self.settle(now, effects) {
            self.call_off(Some(user), now, effects);
        }
        Ok(())
    }

    fn decline(&mut self, user: UserId, now: Millis, effects: &mut Vec<Effect>) -> Result<(), Refusal> {
        let mark = self.mark_of(user).ok_or(Refusal::NotAPlayer)?;
        self.check_running_event_game()?;
        if self.status == Status::Active {
            return Err(Refusal::GameAlreadyStarted);
        }
        if !self.settle(now, effects) {
            self.end(EndReason::Declined, Some(mark.other()), now, effects);
        }
        Ok(())
    }

    fn remove(&mut self, user: UserId, now: Millis, effects: &mut Vec<Effect>) -> Result<(), Refusal> {
        let mark = self.mark_of(user).ok_or(Refusal::NotAPlayer)?;
        self.check_not_over()?;
        if self.settle(now, effects) {
            return Ok(());
        }
        if self.is_event() || self.status == Status::Active {
            self.end(EndReason::Removed, Some(mark.other()), now, effects);
        } else {
            self.call_off(Some(user), now, effects);
        }
        Ok(())
    }

    fn adjudicate(
        &mut self,
        winner: Option<UserId>,
        reason: &str,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.check_not_over()?;
        let winner = match winner {
            Some(user) => Some(self.mark_of(user).ok_or(Refusal::NotAPlayer)?),
            None => None,
        };
        if winner.is_some() && self.has_open_seat() {
            return Err(Refusal::GameNotStarted);
        }
        self.end(EndReason::Adjudicated, winner, now, effects);
        if let Some(outcome) = &mut self.outcome {
            outcome.note = reason.to_owned();
        }
        Ok(())
    }

    fn call_off(&mut self, by: Option<UserId>, now: Millis, effects: &mut Vec<Effect>) {
        self.close(Status::Cancelled, None, None, now);
        self.emit(Effect::Cancelled { by }, effects);
    }

    fn end(&mut self, reason: EndReason, winner: Option<Mark>, now: Millis, effects: &mut Vec<Effect>) {
        let status = if winner.is_some() { Status::Completed } else { Status::Cancelled };
        self.close(status, Some(reason), winner, now);
        let loser = winner.and_then(|mark| self.user(mark.other()));
        let winner = winner.and_then(|mark| self.user(mark));
        let forfeiter = if reason.is_forfeit() { loser } else { None };
        self.emit(Effect::Ended { reason, winner, loser, forfeiter }, effects);
    }

    fn close(&mut self, status: Status, reason: Option<EndReason>, winner: Option<Mark>, now: Millis) {
        self.clock.stop(now);
        self.status = status;
        self.outcome = Some(Outcome { reason, winner, at: now, note: String::new() });
    }

    fn emit(&mut self, effect: Effect, effects: &mut Vec<Effect>) {
        self.version += 1;
        effects.push(effect);
    }

    fn check_not_over(&self) -> Result<(), Refusal> {
        if self.status.is_over() { Err(Refusal::GameOver) } else { Ok(()) }
    }

    fn check_running_event_game(&self) -> Result<(), Refusal> {
        if !self.is_event() {
            return Err(Refusal::NotAnEventGame);
        }
        self.check_not_over()
    }

    fn check_player_of_active(&self, user: UserId) -> Result<Mark, Refusal> {
        let mark = self.mark_of(user).ok_or(Refusal::NotAPlayer)?;
        match self.status {
            Status::Waiting => Err(Refusal::GameNotStarted),
            Status::Active => Ok(mark),
            Status::Completed | Status::Cancelled => Err(Refusal::GameOver),
        }
    }
}
