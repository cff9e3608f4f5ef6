//! The audit trail outside of the store: its entries as lines, and their export to files and syslog.

mod export;
mod target;
#[cfg(test)]
mod tests;

pub use export::run_export;

use chrono::SecondsFormat;
use morpion_store::AuditRecord;
use serde_json::json;

/// An entry as one line of JSON in ASCII, so that nothing in it can end the line or reach a terminal.
pub fn json_line(record: &AuditRecord) -> String {
    let entry = &record.entry;
    let line = json!({
        "sequence": record.seq,
        "id": record.id,
        "at": entry.at.to_rfc3339_opts(SecondsFormat::Nanos, true),
        "actor": entry.actor,
        "action": entry.action,
        "target": entry.target,
        "address": entry.address,
        "detail": entry.detail,
        "previousHash": record.previous_hash,
        "hash": record.hash,
    });
    let mut ascii = String::new();
    for character in line.to_string().chars() {
        match character {
            ' '..='~' => ascii.push(character),
            _ => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| ascii.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    ascii
}
