//! Accounts from outside: the real server on a port of its own, and browsers that keep cookies.

mod admins;
mod avatars;
mod calendars;
mod changes;
mod emails;
mod forged;
mod guests;
mod hostile;
mod leaving;
mod limited;
mod logs;
mod mailing;
mod outside;
mod people;
mod providers;
mod recovery;
mod sessions;
mod signing_in;
#[allow(dead_code, reason = "shared with the tests of play and events, which need more of it")]
mod support;
