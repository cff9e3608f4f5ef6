//! The audit trail outside of the store: its entries as lines, and their export to files and syslog.

mod export;
mod target;

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

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use morpion_store::AuditEntry;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_line_is_ascii_and_reads_as_what_was_recorded() {
        let hostile = "a\n\r\0\u{1b}]52;c;x\u{7}\u{7f}\u{9b}\u{202e}\u{2028}é🎲\"\\";
        let record = AuditRecord {
            id: Uuid::nil(),
            seq: 7,
            previous_hash: "00".to_owned(),
            hash: "ff".to_owned(),
            entry: AuditEntry {
                actor: hostile.to_owned(),
                action: "announce".to_owned(),
                target: "x".to_owned(),
                address: "::1".to_owned(),
                at: DateTime::<Utc>::UNIX_EPOCH,
                detail: json!({ "message": hostile }),
            },
        };
        let line = json_line(&record);
        assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line}");
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&read["actor"], &read["detail"]["message"]), (&json!(hostile), &json!(hostile)));
        assert_eq!((&read["sequence"], &read["at"]), (&json!(7), &json!("1970-01-01T00:00:00.000000000Z")));
    }
}
