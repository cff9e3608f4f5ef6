//! Fuzzers of everything that reads what strangers send, and of what is read back from the disk. `CONTRIBUTING.md` says
//! how to run them for longer and how to add one.

mod actions;
mod addresses;
mod config;
mod cookies;
mod images;
mod journal;
mod messages;
mod notation;
mod runner;
mod samples;
#[path = "../accounts/support.rs"]
#[allow(dead_code, reason = "shared with the tests of accounts, which need more of it")]
mod support;
mod websocket;
mod world;
