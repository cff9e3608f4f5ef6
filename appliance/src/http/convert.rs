//! What the parts return, as wire types.

pub mod events;
pub mod play;
