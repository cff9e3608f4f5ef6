//! What the machine's cores cost the players: a process that takes as much of the server's core as an attack had the server
//! take, and does not touch the server. What is slower than beside it is the server's fault.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use crate::process::{self, Process};

/// Makes this program spin; the part of a core, in percent, follows.
pub const SPIN: &str = "spin";

/// How often it rests.
const SLICE: Duration = Duration::from_millis(10);

/// Spins for this part of the time, for ever.
pub fn spin(percent: u32) -> ! {
    loop {
        let begun = Instant::now();
        while begun.elapsed() < SLICE * percent / 100 {
            std::hint::spin_loop();
        }
        std::thread::sleep(SLICE.saturating_sub(begun.elapsed()));
    }
}

/// As queries and calls have it, which are most of what attacks cost: `appliance/src/background.rs`.
const NICENESS: &str = "5";

/// Spins on the server's core until it is dropped.
pub fn start(percent: u32) -> anyhow::Result<Process> {
    let mut command = process::on_server_core(Path::new("nice"));
    command.args(["-n", NICENESS]).arg(std::env::current_exe()?);
    Ok(Process::start(command.args([SPIN, &percent.to_string()]))?)
}
