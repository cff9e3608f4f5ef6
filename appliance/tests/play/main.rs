//! Live play from outside: the real server, real sockets, and a real kill.

mod backups;
mod crash;
mod ended_credentials;
mod exports;
mod fair_time;
#[path = "../servers/free_address.rs"]
mod free_address;
#[cfg(target_os = "linux")]
mod full_disk;
mod games;
mod guests;
mod hurried;
mod invitations;
#[path = "../cluster/machine_clock.rs"]
mod machine_clock;
mod monitoring;
mod process;
mod programs;
mod refusals;
mod rematches;
mod set_clock;
#[cfg(target_os = "linux")]
#[path = "../../store/tests/support/small_disk.rs"]
mod small_disk;
#[allow(dead_code, reason = "shared with the tests of events, which need more of it")]
mod socket;
#[path = "../accounts/support.rs"]
#[allow(dead_code, reason = "shared with the tests of accounts, which need more of it")]
mod support;
mod traces;
