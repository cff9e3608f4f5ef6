//! The console from outside: its state, its screens, its connection, the program in a terminal, and
//! its commands.

mod appliance;
mod backups;
mod cluster;
mod fixtures;
#[path = "../../../appliance/tests/servers/free_address.rs"]
mod free_address;
mod hostile;
mod kept;
mod logs;
mod moderation;
mod net;
mod operations;
mod own_commands;
mod players;
mod screens;
mod script;
mod series;
mod server;
mod stage_commands;
mod stages;
mod tmux;
mod update;
mod waiting;
mod webhooks;
