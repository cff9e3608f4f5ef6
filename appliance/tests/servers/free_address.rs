//! Addresses at which nobody listens.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU16, Ordering},
};

/// An address of this machine that is this process's alone, so that no other test listens there before its program does or
/// while it is down: all of 127.0.0.0/8 leads back to the machine, and the port is below those that the system gives away.
pub fn free_address() -> SocketAddr {
    static NEXT_PORT: AtomicU16 = AtomicU16::new(20_000);
    let [_, high, middle, low] = std::process::id().to_be_bytes();
    SocketAddr::from(([127, high, middle, low], NEXT_PORT.fetch_add(1, Ordering::Relaxed)))
}
