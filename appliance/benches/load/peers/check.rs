//! Checks that a server plays the same game as the others, before it is measured.

use anyhow::{Context, ensure};

use super::{
    seat::{Place, Seat},
    wire::{Heard, Wire, next_game},
};

/// What a server has to refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Moves out of turn.
    Turns,
    /// Also moves on a taken cell and after a win; and no game begins before the last one is over.
    All,
}

/// A table of players and the number of the state that moves are made on.
struct Table {
    wire: Wire,
    game: String,
    seats: [Seat; 2],
    state: u64,
}

/// Plays one game that is won and asks for another.
///
/// # Errors
/// What the server does that the others do not, or that it refuses what they do not.
pub fn check(place: &Place, rules: Rules) -> anyhow::Result<()> {
    let seated = place.seat(0)?;
    let mut table = Table { wire: place.wire, game: seated.game, seats: seated.seats, state: 0 };
    let all = rules == Rules::All;
    table.refuses(1, (0, 0)).context("a move out of turn")?;
    table.accepts(0, (0, 0))?;
    if all {
        table.refuses(1, (0, 0)).context("a move on a taken cell")?;
    }
    if all {
        table.ask(0)?;
        table.are_left_alone().context("the request for a game while one was played")?;
    }
    for (seat, cell) in [(1, (1, 1)), (0, (0, 1)), (1, (1, 0)), (0, (0, 2))] {
        table.accepts(seat, cell).with_context(|| format!("the move of {seat} to {cell:?}"))?;
    }
    if all {
        table.refuses(1, (2, 2)).context("a move after the win")?;
    }
    table.ask(1)?;
    if place.wire == Wire::Morpion {
        let offer = table.seats[0].wait_to(Heard::Rematch)?;
        table.ask(0)?;
        table.game = next_game(&offer).context("an offer without a game")?.to_owned();
    }
    table.both_hear(|wire| if wire.starts_by_change() { Heard::Change } else { Heard::Started })?;
    table.refuses(0, (0, 0)).context("the first move of the player who began the last game")?;
    table.accepts(1, (0, 0)).context("the first move of the next game")
}

impl Table {
    fn send(&mut self, seat: usize, cell: (u8, u8)) -> anyhow::Result<()> {
        let mut frame = vec![];
        self.wire.put_move(&mut frame, &self.game, self.state, seat, cell);
        self.seats[seat].send_frames(&frame)
    }

    fn ask(&mut self, seat: usize) -> anyhow::Result<()> {
        let mut frame = vec![];
        self.wire.put_play_again(&mut frame, &self.game, self.state, seat);
        self.seats[seat].send_frames(&frame)
    }

    fn both_hear(&mut self, what: impl Fn(Wire) -> Heard) -> anyhow::Result<()> {
        let wanted = what(self.wire);
        for seat in &mut self.seats {
            let message = seat.wait_to(wanted)?;
            self.state = self.wire.state_of(&message).unwrap_or(self.state);
        }
        Ok(())
    }

    fn accepts(&mut self, seat: usize, cell: (u8, u8)) -> anyhow::Result<()> {
        self.send(seat, cell)?;
        self.both_hear(|_| Heard::Change)
    }

    fn refuses(&mut self, seat: usize, cell: (u8, u8)) -> anyhow::Result<()> {
        self.send(seat, cell)?;
        self.are_left_alone()
    }

    /// The answer to a player, if there is one, is read here as well.
    fn are_left_alone(&mut self) -> anyhow::Result<()> {
        for seat in &mut self.seats {
            ensure!(seat.is_left_alone(self.state)?, "was not refused");
        }
        Ok(())
    }
}
