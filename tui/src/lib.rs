//! Morpion's operator console.
//!
//! Everything that happens (a key, a tick, a frame from the server) is an [`event::Event`] in one bounded queue.
//! [`app::App::update`] is the only function that changes state; it returns [`event::Effect`]s, which [`run`] carries
//! out. [`screen::draw`] draws from the state alone.
//!
//! ```text
//! keys, signals, ticks ─┐
//!                       ├─▶ queue ─▶ App::update ─▶ effects ─▶ net, terminal
//! net: socket, calls ───┘                │
//!                                        └─▶ screen::draw
//! ```
//!
//! A tab is one module under [`tabs`] with its state, keys, update and view behind [`tabs::Tab`]; the header, the
//! footer, the help and the palette are made from the list of tabs.
//!
//! Beside the console there are [`commands`] for scripts, which make the same calls.
//!
//! The console has no powers of its own: all it does goes through the server's API.

pub mod actions;
pub mod app;
pub mod args;
pub mod calls;
pub mod commands;
pub mod complete;
pub mod config;
pub mod connection;
pub mod context;
pub mod dialog;
pub mod event;
pub mod fetch;
pub mod help;
pub mod hit_testing;
pub mod kept;
pub mod keyboard;
pub mod keymap;
pub mod list;
pub mod log;
pub mod net;
pub mod own_commands;
pub mod pages;
pub mod processes;
pub mod run;
pub mod screen;
pub mod script;
pub mod tabs;
pub mod terminal;
pub mod theme;
pub mod time;
pub mod toast;
pub mod token;
pub mod widgets;
