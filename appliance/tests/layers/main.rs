//! The server's modules are in layers; each imports only from layers below.

mod imports;

use std::path::{Path, PathBuf};

/// The lowest first; modules of one layer do not import each other.
const LAYERS: [&[&str]; 12] = [
    &["clock", "config", "error"],
    &["caller", "mail", "storage"],
    &["connections", "health", "people"],
    &["account", "logbook", "play"],
    &["billing", "logging", "events"],
    &["app"],
    &["api_error"],
    &["account_deletion", "housekeeping", "realtime"],
    &["http"],
    &["server"],
    &["demo"],
    &["cli"],
];

#[test]
fn modules_import_only_from_lower_layers() {
    imports::assert_imports_go_down(&source(), &LAYERS);
}

#[test]
fn every_module_has_a_layer() {
    imports::assert_every_module_has_a_layer(&source(), &LAYERS);
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}
