//! What the parts return, as wire types.

pub mod account;
pub mod billing;
pub mod cluster;
pub mod engine_use;
pub mod events;
pub mod moderation;
pub mod monitoring;
pub mod notifications;
pub mod play;
pub mod player_page;
pub mod ratings;
pub mod second_factor;
pub mod series;
pub mod stages;
pub mod webhook;
