//! What the parts return, as wire types.

pub mod billing;
