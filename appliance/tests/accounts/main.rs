//! Accounts from outside: the real server on a port of its own, and browsers that keep cookies.

mod admins;
mod avatars;
mod forged;
mod guests;
mod hostile;
mod leaving;
mod limited;
mod logs;
mod people;
mod sessions;
mod signing_in;
#[allow(dead_code, reason = "shared with the tests of play and events, which need more of it")]
mod support;
