//! Events from outside: the real server, browsers, websockets.

mod bots;
mod check_in;
mod corrections;
mod directing;
mod embeds;
mod ending;
mod entry;
mod event_clock;
mod event_files;
mod fixture;
mod game_exports;
mod hosting;
mod lifecycle;
mod person;
mod player_pages;
mod players;
mod playing;
mod presence;
#[path = "../play/process.rs"]
#[allow(dead_code, reason = "shared with the tests of play, which need more of it")]
mod process;
mod quick_match;
mod ratings;
mod ratings_killed;
mod reactions;
mod receiver;
mod rematches;
mod restart;
mod roles;
mod round_times;
mod schedule;
mod school;
mod seen;
mod series;
mod simulation;
#[cfg(target_os = "linux")]
#[path = "../../store/tests/support/small_disk.rs"]
mod small_disk;
#[path = "../play/socket.rs"]
#[allow(dead_code, reason = "shared with the tests of play, which need more of it")]
mod socket;
mod stage_simulation;
mod stages;
#[path = "../accounts/support.rs"]
#[allow(dead_code, reason = "shared with the tests of accounts, which need more of it")]
mod support;
mod suspended;
mod visiting;
mod watching;
mod webhooks;
