//! What the parts return, as wire types.

pub mod account;
pub mod events;
pub mod play;
