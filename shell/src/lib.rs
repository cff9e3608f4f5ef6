//! What both programs do alike in a shell: exit codes, output that has to arrive, texts that are safe on a terminal,
//! and things that are named by a short id, a title or a username.

pub mod complete;
pub mod confirm;
pub mod escape;
pub mod output;
pub mod reference;
pub mod refusal;
pub mod token;
