//! What players of each server send, and what they make of what they hear.

use std::fmt::Write;

use super::frames;

/// The namespace of boardgame.io's game, and what begins a message there.
pub const BOARDGAME: &str = "42/table,";

/// Messages of Colyseus: a name and content of a room, its whole state, a change of it.
pub mod colyseus {
    pub const JOIN_ROOM: u8 = 10;
    pub const ROOM_DATA: u8 = 13;
    pub const ROOM_STATE: u8 = 14;
    pub const ROOM_STATE_PATCH: u8 = 15;
}

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// JSON as Morpion has it, for one game after another on the same sockets.
    Plain,
    /// Engine.IO 4 and Socket.IO 5 over a websocket alone.
    SocketIo,
    Colyseus,
    Boardgame,
    Morpion,
}

/// What a message means for who plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// The state changed: by a move, or by a game that began, where the server tells of both alike.
    Change,
    Started,
    Joined,
    /// Somebody asked for the next game, or that was accepted, where it takes both.
    Rematch,
    Refused,
    /// The server wants to know whether we are there.
    Ping,
    Nothing,
}

impl Wire {
    pub const fn opcode(self) -> u8 {
        match self {
            Self::Colyseus => frames::BINARY,
            _ => frames::TEXT,
        }
    }

    /// Whether a game that began is told as any other change.
    pub const fn starts_by_change(self) -> bool {
        matches!(self, Self::Colyseus | Self::Boardgame)
    }

    pub fn put_move(self, out: &mut Vec<u8>, game: &str, state: u64, seat: usize, (row, col): (u8, u8)) {
        let text = match self {
            Self::Plain => format!(r#"{{"event":"makeMove","data":{{"row":{row},"col":{col}}}}}"#),
            Self::SocketIo => format!(r#"42["makeMove",{{"row":{row},"col":{col}}}]"#),
            Self::Boardgame => boardgame("makeMove", &format!("{row},{col}"), game, state, seat),
            Self::Morpion => {
                format!(r#"{{"event":"makeMove","data":{{"gameId":"{game}","row":{row},"col":{col}}}}}"#)
            }
            Self::Colyseus => {
                let mut message = room_data(b"makeMove");
                // MessagePack: a map of two, each with a name of three letters.
                message.push(0x82);
                message.extend([0xa3, b'r', b'o', b'w', row, 0xa3, b'c', b'o', b'l', col]);
                return frames::put_of_client(out, self.opcode(), &message);
            }
        };
        frames::put_of_client(out, self.opcode(), text.as_bytes());
    }

    /// Asks for the next game; on Morpion the other player has to ask for it, too.
    pub fn put_play_again(self, out: &mut Vec<u8>, game: &str, state: u64, seat: usize) {
        let text = match self {
            Self::Plain => r#"{"event":"playAgain","data":{}}"#.to_owned(),
            Self::Morpion => format!(r#"{{"event":"playAgain","data":{{"gameId":"{game}"}}}}"#),
            Self::SocketIo => r#"42["playAgain",{}]"#.to_owned(),
            Self::Boardgame => boardgame("playAgain", "", game, state, seat),
            Self::Colyseus => return frames::put_of_client(out, self.opcode(), &room_data(b"playAgain")),
        };
        frames::put_of_client(out, self.opcode(), text.as_bytes());
    }

    pub fn hear(self, message: &[u8]) -> Heard {
        match self {
            Self::Plain | Self::Morpion => named(message, br#"{"event":""#),
            Self::SocketIo if message == b"2" => Heard::Ping,
            Self::SocketIo => named(message, br#"42[""#),
            Self::Boardgame => match message {
                b"2" => Heard::Ping,
                _ if message.starts_with(br#"42/table,["update""#) => Heard::Change,
                _ => Heard::Nothing,
            },
            Self::Colyseus => match message {
                [colyseus::ROOM_STATE_PATCH, ..] => Heard::Change,
                [colyseus::ROOM_DATA, ..] => Heard::Refused,
                _ => Heard::Nothing,
            },
        }
    }

    /// The number of the state that a message tells, where moves have to say which they are made on.
    pub fn state_of(self, message: &[u8]) -> Option<u64> {
        if self != Self::Boardgame {
            return None;
        }
        // What is logged of earlier states has their numbers.
        let text = std::str::from_utf8(message).ok()?;
        let numbers = text.split(r#""_stateID":"#).skip(1).filter_map(|rest| {
            let end = rest.find(|letter: char| !letter.is_ascii_digit())?;
            rest[..end].parse().ok()
        });
        numbers.max()
    }
}

/// The game that follows, of a message that means [`Heard::Rematch`].
pub fn next_game(message: &[u8]) -> Option<&str> {
    let (_, rest) = std::str::from_utf8(message).ok()?.split_once(r#""nextGameId":""#)?;
    Some(rest.split_once('"')?.0)
}

fn named(message: &[u8], before: &[u8]) -> Heard {
    let Some(rest) = message.strip_prefix(before) else { return Heard::Nothing };
    let name = rest.split(|byte| *byte == b'"').next().unwrap_or_default();
    match name {
        b"moveUpdate" => Heard::Change,
        b"gameStarted" => Heard::Started,
        b"gameJoined" => Heard::Joined,
        b"rematchOffer" => Heard::Rematch,
        b"moveRejected" | b"error" => Heard::Refused,
        _ => Heard::Nothing,
    }
}

fn boardgame(name: &str, arguments: &str, game: &str, state: u64, seat: usize) -> String {
    let mut text = String::with_capacity(192);
    write!(
        text,
        r#"{BOARDGAME}["update",{{"type":"MAKE_MOVE","payload":{{"type":"{name}","args":[{arguments}],"playerID":"{seat}","credentials":null}}}},{state},"{game}","{seat}"]"#
    )
    .expect("memory is there");
    text
}

/// A message of this name to a room of Colyseus; what it says follows.
fn room_data(name: &[u8]) -> Vec<u8> {
    let mut message = vec![colyseus::ROOM_DATA, 0xa0 | name.len() as u8];
    message.extend(name);
    message
}
