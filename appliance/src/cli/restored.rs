//! What `morpion restore` and `morpion import` say of the settings that they found.

use std::path::Path;

use morpion_shell::output::print_error;

use crate::config::RestoredConfig;

/// How to start the server in this folder.
pub fn describe(found: &RestoredConfig, folder: &Path) -> String {
    let folder = quoted(folder);
    match found {
        RestoredConfig::Written { file, .. } => format!(
            "Its settings are in {}. Start it with them; --drill shows it to this machine alone, and nothing leaves it:\n  \
             morpion serve --config {} --data-dir {folder}\n",
            file.display(),
            quoted(file),
        ),
        _ => format!("Start it with the configuration of the server:\n  morpion serve --data-dir {folder}\n"),
    }
}

/// What there is to know or to do before, on standard error. `source` is a backup or an export.
pub fn print_notes(found: &RestoredConfig, source: &str) {
    match found {
        RestoredConfig::Absent => print_error(&format!(
            "morpion: the {source} has no settings, as it is of an earlier version; bring the configuration of the server"
        )),
        RestoredConfig::Unreadable { unreadable } => print_error(&format!(
            "morpion: the settings in the {source} cannot be read: {unreadable}; bring the configuration of the server"
        )),
        RestoredConfig::Written { settings, .. } => {
            settings.notes().iter().for_each(|note| print_error(&format!("morpion: {note}")));
        }
    }
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "/._-+:@%".contains(char);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
