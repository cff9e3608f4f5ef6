//! Strangers who want the server to fall: the real server, raw connections, and limits low enough to be met at once.

mod connections;
mod contract;
mod frames;
mod held;
mod http2;
#[path = "../../benches/attack/http2_frames.rs"]
#[allow(dead_code, reason = "shared with the attacks, which need more of it")]
mod http2_frames;
mod logs;
#[path = "../play/process.rs"]
#[allow(dead_code, reason = "shared with the tests of play, which need more of it")]
mod process;
mod processes;
#[path = "../play/socket.rs"]
#[allow(dead_code, reason = "shared with the tests of play, which need more of it")]
mod socket;
#[path = "../accounts/support.rs"]
#[allow(dead_code, reason = "shared with the tests of accounts, which need more of it")]
mod support;
mod texts;
mod unread;
mod uploads;
