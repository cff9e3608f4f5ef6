//! Morpion's operator console.
//!
//! Everything that happens (a key, a tick, a frame from the server) is an [`event::Event`] in one
//! bounded queue. [`app::App::update`] is the only thing that changes state; it answers with
//! [`event::Action`]s, which [`run`] carries out. [`screens::draw`] draws from state alone.
//!
//! ```text
//! keys, signals, ticks ─┐
//!                       ├─▶ queue ─▶ App::update ─▶ actions ─▶ net, terminal
//! net: socket, calls ───┘                │
//!                                        └─▶ screens::draw
//! ```
//!
//! Beside the console there are [`commands`] for scripts, which make the same calls.
//!
//! The console has no powers of its own: all it does goes through the server's API.

pub mod app;
pub mod args;
pub mod commands;
pub mod config;
pub mod event;
pub mod keymap;
pub mod net;
pub mod run;
pub mod screens;
pub mod terminal;
pub mod theme;
pub mod token;
pub mod widgets;
