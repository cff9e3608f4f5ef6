//! What is drawn in more than one place, or takes more than a line of text.

pub mod board;
pub mod name;
mod pen;
pub mod spark;
pub mod text;
