//! The console's modules are in layers; each imports only from layers below.

#[path = "../../appliance/tests/layers/imports.rs"]
mod imports;

use std::path::{Path, PathBuf};

/// The lowest first; modules of one layer do not import each other.
const LAYERS: [&[&str]; 9] = [
    &["calls", "connection", "fetch", "hit_testing", "kept", "keymap", "terminal", "theme", "time", "toast", "token"],
    &["own_commands"],
    &["config", "context", "event", "log", "widgets"],
    &["actions", "help", "keyboard", "list", "net", "processes"],
    &["dialog", "script"],
    &["complete", "pages", "tabs"],
    &["app", "args"],
    &["commands", "screen"],
    &["run"],
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
