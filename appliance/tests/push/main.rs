//! Notifications for people whose page is closed: the real server, and a stand-in for a push service that decrypts what it
//! gets and checks every signature.

mod delivering;
mod hostile;
mod killed;
mod letters;
mod news;
#[path = "../play/process.rs"]
#[allow(dead_code, reason = "shared with the tests of play, which need more of it")]
mod process;
mod reminders;
mod restarts;
mod rounds;
mod settings;
#[path = "../play/socket.rs"]
#[allow(dead_code, reason = "shared with the tests of play, which need more of it")]
mod socket;
mod stand_in;
#[path = "../accounts/support.rs"]
#[allow(dead_code, reason = "shared with the tests of accounts, which need more of it")]
mod support;
mod world;
