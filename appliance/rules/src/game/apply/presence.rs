//! Presence of players, and deadlines that survive a stop of the server.

use super::{Effect, Game, Presence, Refusal, Status};
use crate::{
    UserId,
    board::Mark,
    clock::{self, EVENT_DISCONNECT, INVITE_DISCONNECT, Millis, Outage},
};

impl Game {
    pub(super) fn arrive(
        &mut self,
        user: UserId,
        joining: bool,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let mark = self.mark_of(user).ok_or(Refusal::NotAPlayer)?;
        if self.status.is_over() || self.settle(now, effects) {
            return Ok(());
        }
        match self.presence[mark.index()] {
            Presence::Present => return Ok(()),
            Presence::Absent { left: true, .. } if !joining => return Ok(()),
            Presence::Absent { .. } => self.presence[mark.index()] = Presence::Present,
        }
        if self.status == Status::Active {
            self.emit(Effect::OpponentReconnected { user }, effects);
            return Ok(());
        }
        self.emit(Effect::Joined { user }, effects);
        if let (true, Some(starter)) = (self.is_present(mark.other()), self.user(self.starter)) {
            self.status = Status::Active;
            self.started_at = Some(now);
            self.start_turn(self.starter, now);
            self.emit(Effect::GameStarted { starter, turn_deadline: self.turn_deadline() }, effects);
            self.position_version = self.version;
        }
        Ok(())
    }

    pub(super) fn depart(
        &mut self,
        user: UserId,
        left: bool,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let mark = self.mark_of(user).ok_or(Refusal::NotAPlayer)?;
        if self.status.is_over() || self.settle(now, effects) || !self.is_present(mark) {
            return Ok(());
        }
        let countdown_ms = self.countdown();
        let active = self.status == Status::Active;
        let until = active.then_some(now + countdown_ms);
        self.presence[mark.index()] = Presence::Absent { left, until };
        let effect = match active {
            true => Effect::OpponentDisconnected { user, countdown_ms, until: self.countdown_until(mark) },
            false => Effect::Left { user },
        };
        self.emit(effect, effects);
        Ok(())
    }

    /// Milliseconds that an absent player of an active game has, from the start of their turn on.
    pub(in crate::game) fn countdown(&self) -> i64 {
        if self.is_invite() { INVITE_DISCONNECT } else { EVENT_DISCONNECT }
    }

    /// Every pending deadline keeps the time it had left and gets [`clock::RESTART_GRACE`] more. Nobody is connected to
    /// a server that has just started: for players who do not return within the grace the countdown starts.
    pub(super) fn resume(&mut self, stopped_at: Millis, now: Millis, effects: &mut Vec<Effect>) {
        if self.status.is_over() {
            return;
        }
        let stopped_at = stopped_at.clamp(self.last, now);
        let outage = Outage { stopped_at, resumed_at: now };
        let fresh = match self.status {
            Status::Active => Some(now + clock::RESTART_GRACE + self.countdown()),
            _ => None,
        };
        self.opens_until = outage.postpone(self.opens_until);
        self.clock.resume(outage);
        for presence in &mut self.presence {
            *presence = match *presence {
                Presence::Present => Presence::Absent { left: false, until: fresh },
                Presence::Absent { left, until } => {
                    Presence::Absent { left, until: until.map(|at| outage.postpone(at)) }
                }
            };
        }
        self.emit(Effect::Resumed { turn_deadline: self.turn_deadline() }, effects);
    }

    /// Every pending deadline gets [`clock::RESTART_GRACE`] more.
    pub(super) fn resume_after_pause(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        if self.next_deadline().is_none() && Mark::BOTH.into_iter().all(|mark| self.absence_ends(mark).is_none()) {
            return;
        }
        let pause = Outage { stopped_at: now, resumed_at: now };
        self.opens_until = pause.postpone(self.opens_until);
        self.clock.resume(pause);
        for presence in &mut self.presence {
            if let Presence::Absent { until: Some(until), .. } = presence {
                *until = pause.postpone(*until);
            }
        }
        self.emit(Effect::Resumed { turn_deadline: self.turn_deadline() }, effects);
    }
}
