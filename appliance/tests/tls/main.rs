//! TLS: handshakes, limits, replaced certificates, ACME, the redirect, reloading; against the real server.

mod acme;
mod acme_server;
mod certificates;
#[path = "../servers/free_address.rs"]
mod free_address;
mod handshakes;
mod program;
mod proven;
mod replaced;
mod server;
