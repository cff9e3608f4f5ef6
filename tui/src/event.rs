//! Events that come in and effects that go out of the state.

use crossterm::event::KeyEvent;
use morpion_openapi::realtime::{Ack, ClientFrame, ServerFrame};
use morpion_shell::command_error::CommandError;

use crate::{
    calls::{Call, Reply},
    hit_testing::ClickTarget,
    own_commands::{Launch, Ran},
    theme::Palette,
};

/// Events that may wait to be handled. They are handled within a frame's time; if that falls
/// behind, the feeders wait, and a server that cannot get rid of its frames closes the connection
/// with the word to ask for the state again.
pub const QUEUE: usize = 1_024;

/// What happened.
#[derive(Debug)]
pub enum Event {
    Key(KeyEvent),
    /// A text was pasted.
    Paste(String),
    /// The mouse was pressed on something.
    Click(ClickTarget),
    /// The wheel was turned, in rows; downwards is positive.
    Scroll(isize),
    /// Columns and rows.
    Resize(u16, u16),
    /// Time passes: countdowns, ages, toasts.
    Tick,
    Net(NetEvent),
    /// A file was written: what to say of it, or why it could not be.
    Saved(Result<String, String>),
    /// A command of the operator's own has ended.
    Ran(Ran),
    /// SIGTERM, SIGINT, SIGHUP: the end.
    Terminate,
    /// SIGTSTP: back to the shell for a while.
    Suspend,
    /// The keyboard or the connection's task failed; the console cannot go on.
    Broken(String),
}

/// An event of the network.
#[derive(Debug)]
pub enum NetEvent {
    Connecting,
    Connected,
    /// There was none, or it ended. The next attempt follows after `retry_in_ms`.
    Disconnected {
        why: String,
        retry_in_ms: i64,
    },
    /// The server does not let us in (401, 403), or there is no token to show it.
    Unauthorized {
        why: String,
        retry_in_ms: i64,
    },
    Frame(Box<ServerFrame>),
    /// The acknowledgement of the frame that was sent under this id.
    Ack {
        id: String,
        ack: Ack,
    },
    /// A frame that this version does not know.
    Unknown,
    /// The reply to a call.
    Answered {
        call: Box<Call>,
        outcome: Result<Box<Reply>, CommandError>,
    },
}

/// What the loop carries out.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Quit,
    /// Give the terminal back and stop until the shell continues us.
    Suspend,
    /// Try to connect now instead of waiting.
    Reconnect,
    Send {
        frame: ClientFrame,
        id: Option<&'static str>,
    },
    /// A call of the action API.
    Call(Call),
    /// Puts a text into the clipboard of the operator's own terminal.
    Copy(String),
    /// Writes a new file; one that is there already is left alone.
    Save {
        path: String,
        text: String,
    },
    /// Runs a command of the operator's own.
    Launch(Launch),
    SetPalette(Palette),
    SetAscii(bool),
    SetMouse(bool),
    /// Goes on with another server of the configuration.
    SwitchServer(String),
}

impl From<Call> for Effect {
    fn from(call: Call) -> Self {
        Self::Call(call)
    }
}
