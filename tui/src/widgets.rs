//! What is drawn in more than one place, or takes more than a line of text.

pub mod block;
pub mod board;
pub mod facts;
pub mod name;
pub mod notice;
mod pen;
pub mod result;
pub mod spark;
pub mod stage;
pub mod text;
