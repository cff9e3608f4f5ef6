//! The server's modules are in layers; each imports only from layers below.

mod imports;
mod threads;

use std::path::{Path, PathBuf};

/// The lowest first; modules of one layer do not import each other.
const LAYERS: [&[&str]; 15] = [
    &[
        "background",
        "clock",
        "config",
        "error",
        "fields",
        "metrics",
        "private_file",
        "process",
        "reach",
        "scope",
        "seal",
        "storage",
        "subject",
        "telemetry",
    ],
    &["caller", "disk", "mail", "shares", "tls", "webhooks"],
    &["backup"],
    &["audit", "connections", "dump", "health", "history", "people"],
    &["push"],
    &["account", "logbook", "play"],
    &["billing", "cluster", "engine_use", "logging", "events", "ratings"],
    &["quick_match", "reminders"],
    &["app"],
    &["api_error"],
    &["account_deletion", "bots", "housekeeping", "monitoring", "realtime"],
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

/// What makes frames may use all wire types.
const MAKES_FRAMES: [&str; 2] = ["wire.rs", "notifications.rs"];

#[test]
fn parts_use_wire_types_for_frames_and_pages_only() {
    let parts =
        ["account", "billing", "connections", "events", "logbook", "mail", "people", "play", "push", "quick_match"];
    let mut others = vec![];
    for (file, module) in imports::files(&source()) {
        let makes_frames = MAKES_FRAMES.iter().any(|name| file.ends_with(name));
        if makes_frames || !parts.contains(&module.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        for used in text.split("morpion_openapi::").skip(1) {
            let allowed = ["realtime::", "PageRequest", "{Page, PageRequest}"];
            if !allowed.iter().any(|start| used.starts_with(start)) {
                others.push(format!("{}: {}", file.display(), used.lines().next().unwrap_or_default()));
            }
        }
    }
    assert!(others.is_empty(), "`http` converts what parts return:\n{}", others.join("\n"));
}

pub fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}
