//! What both programs share on the command line: exit codes, reliable output, texts that are safe on a terminal,
//! references by a short id, a title or a username, manual pages and completion scripts, what the terminal can show.

pub mod command_error;
pub mod complete;
pub mod confirm;
pub mod environment;
pub mod escape;
pub mod manual;
pub mod output;
pub mod private_files;
pub mod reference;
pub mod terminal;
pub mod token;
pub mod webhook;
mod words;
