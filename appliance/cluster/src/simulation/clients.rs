//! Players: each wants one thing at a time, and asks again until it has an answer.

use super::history::Record;
use super::world::{Command, GAMES, Happening, NODES, World};

#[derive(Clone, Copy, Debug)]
pub enum Wish {
    Command(Command),
    Look { game: usize },
}

#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub client: usize,
    pub attempt: u64,
    pub wish: Wish,
}

impl Call {
    pub fn game(&self) -> usize {
        match self.wish {
            Wish::Command(command) => command.game,
            Wish::Look { game } => game,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Answer {
    /// The command was made.
    Done,
    /// So many commands there are in the game; a command for an earlier version cannot be made any more.
    Seen { length: usize },
    /// Another node has to be asked, or this one later.
    Elsewhere { leader: Option<usize> },
}

#[derive(Default)]
pub struct Client {
    wish: Option<Wish>,
    attempt: u64,
    node: usize,
    /// How many commands it knows of in each game.
    known: [usize; GAMES],
}

impl Client {
    pub fn is_busy(&self) -> bool {
        self.wish.is_some()
    }
}

impl World {
    /// The client begins something, or asks again since no answer came.
    pub fn client_goes_on(&mut self, client: usize, attempt: u64) {
        if self.clients[client].attempt != attempt {
            return;
        }
        if self.clients[client].wish.is_none() {
            if self.is_healed() {
                return;
            }
            let wish = self.wish(client);
            self.clients[client].wish = Some(wish);
        } else {
            self.clients[client].node = self.random.index(NODES);
        }
        let own = &mut self.clients[client];
        own.attempt += 1;
        let (attempt, node) = (own.attempt, own.node);
        if let Some(wish) = own.wish {
            for delay in self.delays() {
                self.after(delay, Happening::Call { node, call: Call { client, attempt, wish } });
            }
        }
        self.after(1_500, Happening::Client { client, attempt });
    }

    fn wish(&mut self, client: usize) -> Wish {
        let game = self.random.index(GAMES);
        if self.random.percent(25) {
            return Wish::Look { game };
        }
        self.commands += 1;
        let command = Command { game, version: self.clients[client].known[game], id: self.commands };
        self.records.push(Record::Invoked { game, version: command.version, command: command.id });
        Wish::Command(command)
    }

    pub fn answered(&mut self, client: usize, attempt: u64, answer: Answer) {
        let own = &mut self.clients[client];
        if own.attempt != attempt {
            return;
        }
        own.attempt += 1;
        let Some(wish) = own.wish else { return };
        let pause = match (answer, wish) {
            (Answer::Elsewhere { leader }, _) => {
                own.node = leader.unwrap_or(own.node);
                self.random.range(20, 300)
            }
            (Answer::Done, Wish::Command(command)) => {
                own.known[command.game] = command.version + 1;
                own.wish = None;
                self.random.range(1, 400)
            }
            (Answer::Seen { length }, Wish::Command(Command { game, .. }) | Wish::Look { game }) => {
                own.known[game] = length;
                own.wish = None;
                self.random.range(1, 400)
            }
            (Answer::Done, Wish::Look { .. }) => unreachable!("a look is answered by what it saw"),
        };
        let attempt = self.clients[client].attempt;
        self.after(pause, Happening::Client { client, attempt });
    }
}
