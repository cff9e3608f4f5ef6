//! The modules of the server stand in layers, and each imports only from those below it.

mod imports;

use std::path::{Path, PathBuf};

/// The lowest first; modules of one layer do not import each other.
const LAYERS: [&[&str]; 11] = [
    &["clock", "config", "error"],
    &["caller", "mail", "storage"],
    &["connections", "health", "people"],
    &["account", "logbook", "play"],
    &["billing", "logging", "events"],
    &["app"],
    &["account_deletion", "housekeeping", "realtime"],
    &["http"],
    &["server"],
    &["demo"],
    &["cli"],
];

#[test]
fn imports_go_down() {
    imports::assert_imports_go_down(&source(), &LAYERS);
}

#[test]
fn every_module_has_a_layer() {
    imports::assert_every_module_has_a_layer(&source(), &LAYERS);
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}
