//! One game, from the invitation or the pairing to its end.
//!
//! [`Game::apply`] is the whole interface: a command and the time go in, effects come out, or a refusal that leaves the
//! game unchanged. It is deterministic, so a game is its first state plus the `(command, now)` pairs it accepted.
//!
//! ```text
//!             both are in                line, forfeit, timeout, disconnection, time, ruling
//! Waiting ───────────────────▶ Active ──────────────────────────────────────────────▶ Completed
//!    │   one did not come (event): Completed                   full board (not event) ▶ Completed
//!    └── called off, nobody came, void ──▶ Cancelled ◀── void ── Active
//! ```
//!
//! The three kinds differ in this: an event game has the time control of its event and a deadline for absence, and a full
//! board means a new round, so it always has a winner; a quick game has a time control, the same deadlines, and one round; an
//! invite game has a time control or none, one round, and an absent opponent's countdown merely lets the other claim the win.

mod apply;
mod command;
mod refusal;
mod setup;

use crate::board::{Board, BoardSize, Cell, Line, Mark};
use crate::clock::{INVITE_LIFETIME, Millis, NO_SHOW, TimeControl, TurnClock};
use crate::{EventId, GameId, UserId};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

pub use command::{Command, Effect, Effects, EndReason, NetworkDelay};
pub use refusal::Refusal;
pub use setup::{Entrant, EventSetup, InviteSetup, Player, QuickSetup, Tiebreak};

/// After this many drawn rounds an event game is decided by time.
pub const MAX_DRAWN_ROUNDS: u8 = 5;
/// The board of an event game grows by one after every so many drawn rounds.
pub const DRAWN_ROUNDS_TO_GROW: u8 = 2;
/// The level of every game outside events.
pub const LEVEL_OUTSIDE_EVENTS: u32 = 1;

/// The board of a new round, by how many rounds were drawn before it and by the board of the last of them.
pub(crate) const fn size_after(drawn: u8, last: BoardSize) -> BoardSize {
    if drawn.is_multiple_of(DRAWN_ROUNDS_TO_GROW) { last.grown() } else { last }
}

/// Clients read versions as JavaScript numbers, which are exact up to this one.
const MAX_VERSION: u64 = (1 << 53) - 1;

/// Append-only: stored by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Status {
    Waiting,
    Active,
    /// Played to a result: a winner, or a drawn game outside events.
    Completed,
    /// Cancelled or void: no result.
    Cancelled,
}

impl Status {
    pub const ALL: [Status; 4] = [Status::Waiting, Status::Active, Status::Completed, Status::Cancelled];

    /// As the wire names it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Waiting => "waiting",
            Status::Active => "active",
            Status::Completed => "completed",
            Status::Cancelled => "cancelled",
        }
    }

    pub const fn is_over(self) -> bool {
        matches!(self, Status::Completed | Status::Cancelled)
    }
}

/// A move as it was played. A game has at most five rounds of at most 36 cells, so 180 of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ply {
    /// From 1.
    pub round: u8,
    pub mark: Mark,
    pub cell: Cell,
    pub at: Millis,
}

/// How a finished game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// `None` for a drawn game and for one cancelled before its start.
    pub reason: Option<EndReason>,
    pub winner: Option<Mark>,
    pub at: Millis,
    /// The reason of an admin's decision; empty otherwise.
    pub note: String,
}

/// Append-only: stored by number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Kind {
    Invite,
    Event {
        event: EventId,
        level: u32,
        seed: u64,
        tiebreaks: [Tiebreak; 2],
    },
    TimedInvite {
        control: TimeControl,
    },
    Quick {
        control: TimeControl,
        rated: bool,
    },
    RatedEvent {
        event: EventId,
        level: u32,
        seed: u64,
        tiebreaks: [Tiebreak; 2],
    },
    /// Of an event whose clock is none of 15 s a turn.
    TimedEvent {
        event: EventId,
        level: u32,
        seed: u64,
        tiebreaks: [Tiebreak; 2],
        control: TimeControl,
        rated: bool,
    },
}

/// Whether a player is in the game. Append-only: stored by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Presence {
    Present,
    Absent {
        /// Left the page rather than lost the connection: only joining again brings them back.
        left: bool,
        /// The end of the countdown, not before that of one from the start of their turn on; `None` before the start, when
        /// none runs.
        until: Option<Millis>,
    },
}

/// A game. See the module's description.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Game {
    id: GameId,
    kind: Kind,
    created_at: Millis,
    started_at: Option<Millis>,
    /// When a game that still waits ends.
    opens_until: Millis,
    /// X, then O. Only an invite game's O may be open.
    seats: [Option<Player>; 2],
    presence: [Presence; 2],
    status: Status,
    board: Board,
    /// Drawn rounds so far; the round under way is this plus one.
    #[serde(deserialize_with = "draw_count")]
    draw_count: u8,
    /// Who starts the round under way.
    starter: Mark,
    to_move: Mark,
    clock: TurnClock,
    #[serde(deserialize_with = "version")]
    version: u64,
    /// The version of the last change of the board or of the turn: a move made on an earlier one is stale. Changes of
    /// presence make no move stale.
    position_version: u64,
    history: Vec<Ply>,
    outcome: Option<Outcome>,
    /// Time of the last accepted command: time never runs backwards within a game.
    last: Millis,
}

/// Drawn rounds as they are stored: damaged data must not stop their counting.
fn draw_count<'de, D: Deserializer<'de>>(source: D) -> Result<u8, D::Error> {
    match u8::deserialize(source)? {
        count if count > MAX_DRAWN_ROUNDS => Err(D::Error::custom("more drawn rounds than a game has")),
        count => Ok(count),
    }
}

/// A version as it is stored: damaged data must not stop the counting of versions.
fn version<'de, D: Deserializer<'de>>(source: D) -> Result<u64, D::Error> {
    match u64::deserialize(source)? {
        version if version > MAX_VERSION => Err(D::Error::custom("a version that no game reaches")),
        version => Ok(version),
    }
}

impl Game {
    /// A game between friends: one round. Refused if the inviter invites themselves.
    pub fn invite(setup: InviteSetup, now: Millis) -> Result<Game, Refusal> {
        if setup.opponent.as_ref().is_some_and(|o| o.user == setup.inviter.user) {
            return Err(Refusal::OwnGame);
        }
        let kind = match setup.control {
            TimeControl::Untimed => Kind::Invite,
            control => Kind::TimedInvite { control },
        };
        let seats = [Some(setup.inviter), setup.opponent];
        let game = Game::waiting(setup.id, kind, seats, setup.size, setup.starter, now);
        Ok(Game { opens_until: now + INVITE_LIFETIME, ..game })
    }

    /// A game between two players whom quick match paired. Refused if they are the same.
    pub fn quick(setup: QuickSetup, now: Millis) -> Result<Game, Refusal> {
        let [x, o] = setup.players;
        if x.user == o.user {
            return Err(Refusal::OwnGame);
        }
        let kind = Kind::Quick { control: setup.control, rated: setup.rated };
        Ok(Game::waiting(setup.id, kind, [Some(x), Some(o)], setup.size, setup.starter, now))
    }

    /// A game between two paired players. Refused if they are the same.
    pub fn event(setup: EventSetup, now: Millis) -> Result<Game, Refusal> {
        let [x, o] = setup.entrants;
        if x.player.user == o.player.user {
            return Err(Refusal::OwnGame);
        }
        let EventSetup { event, level, seed, no_show, control, rated, .. } = setup;
        let tiebreaks = [x.tiebreak, o.tiebreak];
        let kind = match (control, rated) {
            (TimeControl::PerTurn, true) => Kind::RatedEvent { event, level, seed, tiebreaks },
            (TimeControl::PerTurn, false) => Kind::Event { event, level, seed, tiebreaks },
            _ => Kind::TimedEvent { event, level, seed, tiebreaks, control, rated },
        };
        let seats = [Some(x.player), Some(o.player)];
        let game = Game::waiting(setup.id, kind, seats, setup.size, setup.starter, now);
        Ok(Game { opens_until: now + no_show, ..game })
    }

    fn waiting(
        id: GameId,
        kind: Kind,
        seats: [Option<Player>; 2],
        size: BoardSize,
        starter: Mark,
        now: Millis,
    ) -> Game {
        Game {
            id,
            kind,
            created_at: now,
            started_at: None,
            opens_until: now + NO_SHOW,
            seats,
            presence: [Presence::Absent { left: true, until: None }; 2],
            status: Status::Waiting,
            board: Board::empty(size),
            draw_count: 0,
            starter,
            to_move: starter,
            clock: TurnClock::default(),
            version: 1,
            position_version: 1,
            history: Vec::new(),
            outcome: None,
            last: now,
        }
    }

    pub fn id(&self) -> GameId {
        self.id
    }

    /// The event the game belongs to; `None` for other games.
    pub fn event_id(&self) -> Option<EventId> {
        match self.kind {
            Kind::Invite | Kind::TimedInvite { .. } | Kind::Quick { .. } => None,
            Kind::Event { event, .. } | Kind::RatedEvent { event, .. } | Kind::TimedEvent { event, .. } => Some(event),
        }
    }

    pub fn is_invite(&self) -> bool {
        matches!(self.kind, Kind::Invite | Kind::TimedInvite { .. })
    }

    pub fn is_event(&self) -> bool {
        matches!(self.kind, Kind::Event { .. } | Kind::RatedEvent { .. } | Kind::TimedEvent { .. })
    }

    pub fn is_quick(&self) -> bool {
        matches!(self.kind, Kind::Quick { .. })
    }

    /// Whether the result counts for the players' ratings.
    pub fn is_rated(&self) -> bool {
        matches!(
            self.kind,
            Kind::Quick { rated: true, .. } | Kind::RatedEvent { .. } | Kind::TimedEvent { rated: true, .. }
        )
    }

    pub fn time_control(&self) -> TimeControl {
        match self.kind {
            Kind::Invite => TimeControl::Untimed,
            Kind::Event { .. } | Kind::RatedEvent { .. } => TimeControl::PerTurn,
            Kind::TimedInvite { control } | Kind::Quick { control, .. } | Kind::TimedEvent { control, .. } => control,
        }
    }

    /// 1 outside events, else the lower level of the two.
    pub fn level(&self) -> u32 {
        match self.kind {
            Kind::Invite | Kind::TimedInvite { .. } | Kind::Quick { .. } => LEVEL_OUTSIDE_EVENTS,
            Kind::Event { level, .. } | Kind::RatedEvent { level, .. } | Kind::TimedEvent { level, .. } => level,
        }
    }

    pub fn created_at(&self) -> Millis {
        self.created_at
    }

    /// When both players were in; `None` for a game that never started.
    pub fn started_at(&self) -> Option<Millis> {
        self.started_at
    }

    pub fn status(&self) -> Status {
        self.status
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Drawn rounds of an event game so far. Other games have one round: [`Game::is_draw`].
    pub fn draw_count(&self) -> u8 {
        self.draw_count
    }

    /// The round under way or played last, from 1.
    pub fn round(&self) -> u8 {
        // The fifth drawn round is decided by time instead of a sixth.
        (self.draw_count + 1).min(MAX_DRAWN_ROUNDS)
    }

    /// Who started the round under way or played last.
    pub fn starter(&self) -> Mark {
        self.starter
    }

    /// Who started the first round; `None` for a game that never started.
    pub fn first_starter(&self) -> Option<Mark> {
        self.started_at?;
        Some(if self.round() % 2 == 1 { self.starter } else { self.starter.other() })
    }

    /// Grows by one with each effect; 1 at the beginning.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The player of a mark; `None` for the open seat of an invite game.
    pub fn player(&self, mark: Mark) -> Option<&Player> {
        self.seats[mark.index()].as_ref()
    }

    /// X, then O where the seat is taken.
    pub fn players(&self) -> impl Iterator<Item = (Mark, &Player)> {
        Mark::BOTH.into_iter().filter_map(|mark| Some((mark, self.player(mark)?)))
    }

    /// Renames a player, as when the account was deleted. It produces no effect.
    pub fn rename(&mut self, user: UserId, username: &str) {
        for player in self.seats.iter_mut().flatten().filter(|player| player.user == user) {
            username.clone_into(&mut player.username);
        }
    }

    /// Moves the seat of a guest to the account that they signed in to. It produces no effect: see [`Command::Adopt`]
    /// for a game that is still played.
    ///
    /// # Errors
    /// [`Refusal::NotAPlayer`], [`Refusal::NotAnInviteGame`] in an event, and [`Refusal::OwnGame`] where the account has the other
    /// seat.
    pub fn replace_player(&mut self, guest: UserId, player: Player) -> Result<(), Refusal> {
        let mark = self.mark_of(guest).ok_or(Refusal::NotAPlayer)?;
        if self.is_event() {
            return Err(Refusal::NotAnInviteGame);
        }
        if self.mark_of(player.user).is_some() {
            return Err(Refusal::OwnGame);
        }
        self.seats[mark.index()] = Some(player);
        Ok(())
    }

    /// The mark of a player; `None` for anybody else.
    pub fn mark_of(&self, user: UserId) -> Option<Mark> {
        Mark::BOTH.into_iter().find(|&mark| self.user(mark) == Some(user))
    }

    /// The other player, for a player.
    pub fn opponent_of(&self, user: UserId) -> Option<&Player> {
        self.player(self.mark_of(user)?.other())
    }

    fn user(&self, mark: Mark) -> Option<UserId> {
        self.player(mark).map(|player| player.user)
    }

    pub fn has_open_seat(&self) -> bool {
        self.status == Status::Waiting && self.seats.contains(&None)
    }

    /// Whose turn it is; `None` unless the game is active.
    pub fn to_move(&self) -> Option<Mark> {
        (self.status == Status::Active).then_some(self.to_move)
    }

    /// As [`Game::to_move`], the player's id.
    pub fn current_turn(&self) -> Option<UserId> {
        self.user(self.to_move()?)
    }

    /// When the time shown to the player to move reaches 0. `None` without a limit.
    pub fn turn_deadline(&self) -> Option<Millis> {
        self.clock.deadline()
    }

    /// The start of the current turn, as charged to its player.
    pub fn turn_started(&self) -> Option<Millis> {
        self.clock.started()
    }

    /// The version of the last change of the board or of the turn.
    pub fn position_version(&self) -> u64 {
        self.position_version
    }

    /// Milliseconds a player has used in all rounds, including the current turn.
    pub fn time_used(&self, mark: Mark, now: Millis) -> i64 {
        self.clock.used(mark, now)
    }

    /// Milliseconds that a player has left for all further turns; `None` unless the time control has such a total.
    pub fn time_left(&self, mark: Mark, now: Millis) -> Option<i64> {
        match self.time_control() {
            TimeControl::Untimed | TimeControl::PerTurn => None,
            control => control.allowance(self.time_used(mark, now), self.moves_of(mark)),
        }
    }

    fn moves_of(&self, mark: Mark) -> usize {
        self.history.iter().filter(|ply| ply.mark == mark).count()
    }

    fn start_turn(&mut self, mark: Mark, now: Millis) {
        self.clock.stop(now);
        let limit = self.time_control().allowance(self.time_used(mark, now), self.moves_of(mark));
        self.to_move = mark;
        self.clock.start_turn(mark, limit, now);
        let countdown = self.countdown();
        if let Presence::Absent { until: Some(until), .. } = &mut self.presence[mark.index()] {
            *until = (*until).max(now + countdown);
        }
    }

    /// Whether the player has the game open.
    pub fn is_present(&self, mark: Mark) -> bool {
        self.presence[mark.index()] == Presence::Present
    }

    /// When an absent player whose turn it is has to be back: then a game between paired players is lost, and in an invite
    /// game the opponent may claim the win, unless the turn's time is up before. `None` while it is not their turn, whose
    /// time alone counts.
    pub fn countdown_until(&self, mark: Mark) -> Option<Millis> {
        let until = self.absence_ends(mark).filter(|_| mark == self.to_move)?;
        Some(self.turn_deadline().map_or(until, |deadline| until.min(deadline)))
    }

    /// When an absent player of an active game has been away for the whole countdown, as if it were always their turn.
    fn absence_ends(&self, mark: Mark) -> Option<Millis> {
        match self.presence[mark.index()] {
            Presence::Absent { until, .. } if self.status == Status::Active => until,
            _ => None,
        }
    }

    /// Every move of every round, in order.
    pub fn history(&self) -> &[Ply] {
        &self.history
    }

    /// The rounds in which a move was made, each with its board's size and at least one move.
    pub fn rounds(&self) -> impl Iterator<Item = (BoardSize, &[Ply])> {
        self.history.chunk_by(|one, next| one.round == next.round).map(|plies| {
            // A round that another one follows filled its board, which may have been a smaller one.
            let is_present = plies[0].round == self.round();
            let full = u8::try_from(plies.len().isqrt()).ok().and_then(BoardSize::new);
            let size = full.filter(|_| !is_present).unwrap_or(self.board.size());
            (size, plies)
        })
    }

    /// Set once the game is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    pub fn winner(&self) -> Option<Mark> {
        self.outcome.as_ref()?.winner
    }

    /// A game outside events that ended with a full board.
    pub fn is_draw(&self) -> bool {
        self.status == Status::Completed && self.winner().is_none()
    }

    /// The line the game was won with.
    pub fn winning_line(&self) -> Option<Line> {
        let winner = self.winner()?;
        self.board.line_of(winner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn an_event_game_of_15_s_a_turn_is_stored_as_before() {
        let setup = |control, rated| EventSetup {
            id: GameId(Uuid::from_u128(7)),
            event: EventId(Uuid::from_u128(9)),
            entrants: [1, 2].map(|number| Entrant {
                player: Player { user: UserId(Uuid::from_u128(number)), username: "ada".into() },
                tiebreak: Tiebreak { losses: 0, joined_event_at: Millis(1) },
            }),
            level: 1,
            size: BoardSize::MIN,
            starter: Mark::X,
            seed: 1,
            control,
            no_show: NO_SHOW,
            rated,
        };
        let game = |control, rated| Game::event(setup(control, rated), Millis(5)).expect("two players");
        assert!(matches!(game(TimeControl::PerTurn, true).kind, Kind::RatedEvent { .. }));
        assert!(matches!(game(TimeControl::PerTurn, false).kind, Kind::Event { .. }));
        for rated in [true, false] {
            let timed = game(TimeControl::Increment, rated);
            assert_eq!((timed.time_control(), timed.is_rated()), (TimeControl::Increment, rated));
            let stored = postcard::to_stdvec(&timed).expect("plain data");
            assert_eq!(postcard::from_bytes(&stored), Ok(timed));
        }
    }

    #[test]
    fn a_stored_game_whose_counts_no_game_reaches_is_refused() {
        let players = [1, 2].map(|number| Player { user: UserId(Uuid::from_u128(number)), username: "ada".into() });
        let setup = QuickSetup {
            id: GameId(Uuid::from_u128(7)),
            players,
            size: BoardSize::new(3).expect("3 is a size"),
            starter: Mark::X,
            control: TimeControl::Increment,
            rated: false,
        };
        let game = Game::quick(setup, Millis(5)).expect("two players");
        let stored = |game: &Game| postcard::from_bytes::<Game>(&postcard::to_stdvec(game).expect("plain data"));
        let longest = Game { version: MAX_VERSION, draw_count: MAX_DRAWN_ROUNDS, ..game.clone() };
        assert_eq!(stored(&longest).as_ref(), Ok(&longest));
        assert!(stored(&Game { version: MAX_VERSION + 1, ..game.clone() }).is_err());
        assert!(stored(&Game { draw_count: MAX_DRAWN_ROUNDS + 1, ..game }).is_err());
    }
}
