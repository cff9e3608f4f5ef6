//! The console from outside: its state, its screens, its connection, and the program in a terminal.

mod fixtures;
mod net;
mod screens;
mod server;
mod tmux;
mod update;
