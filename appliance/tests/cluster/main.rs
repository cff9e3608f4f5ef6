//! Several servers that are one: real nodes and real NATS servers on this machine, faults between them, clients of all nodes,
//! and a check of what they saw. `scripts/nats/install` installs the NATS server.
#![cfg(target_os = "linux")]
// The objects of Stripe are long.
#![recursion_limit = "256"]

mod bots;
mod checker;
mod client;
mod cluster;
mod directing;
mod embeds;
mod faults;
mod files;
mod following;
#[path = "../servers/free_address.rs"]
mod free_address;
mod history;
mod hosting;
#[path = "../../benches/attack/http2_frames.rs"]
#[allow(dead_code, reason = "shared with the attacks, which need more of it")]
mod http2_frames;
mod link;
mod machine_clock;
mod nats;
mod node;
mod payments;
mod player;
mod program;
mod quorum;
#[path = "../events/receiver.rs"]
#[allow(dead_code, reason = "shared with the tests of events, which need more of it")]
mod receiver;
mod runs;
#[path = "../billing/shop.rs"]
#[allow(dead_code, reason = "shared with the tests of billing, which need more of it")]
mod shop;
mod site;
#[path = "../../store/tests/support/small_disk.rs"]
mod small_disk;
mod socket;
mod strangers;
#[path = "../stripe/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of billing, which need more of it")]
mod stripe;
#[path = "../accounts/support.rs"]
#[allow(dead_code, reason = "shared with the tests of accounts, which need more of it")]
mod support;
mod tables;
mod takeovers;
mod together;
#[path = "../attacks/unread.rs"]
#[allow(dead_code, reason = "shared with the attacks, which need more of it")]
mod unread;
