//! The state of the storage engine in sentences for operators: on the terminal, in doctor, in the console and in the
//! detail of `/readyz`.

use std::{
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use morpion_shell::environment;
use morpion_store::Health;
use nix::unistd::{AccessFlags, User, eaccess, geteuid};

/// Whether other users of the machine may access this file or folder.
pub fn is_open_to_others(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

/// Whether this user may write to a file, or make files in a folder. Nothing is changed.
pub fn is_writable(path: &Path) -> bool {
    let wanted = if path.is_dir() { AccessFlags::W_OK | AccessFlags::X_OK } else { AccessFlags::W_OK };
    eaccess(path, wanted).is_ok()
}

/// The line that runs this command as the owner of a folder, if that is somebody else.
pub fn as_owner(folder: &Path) -> Option<String> {
    let owner = folder.metadata().ok()?.uid();
    if owner == geteuid().as_raw() {
        return None;
    }
    let name = User::from_uid(owner.into()).ok().flatten().map_or_else(|| format!("'#{owner}'"), |user| user.name);
    let words = environment::arguments().map(|word| shell_word(&word));
    Some(format!("sudo -u {name} {}", words.collect::<Vec<_>>().join(" ")))
}

/// Refuses to work on a folder of another user: what would be written could not be used by its owner.
///
/// # Errors
/// The line that runs this command as the owner.
pub fn check_owner(folder: &Path) -> anyhow::Result<()> {
    match as_owner(folder) {
        Some(line) => anyhow::bail!("{} belongs to another user; run `{line}`", folder.display()),
        None => Ok(()),
    }
}

/// An argument as it is typed in a shell.
fn shell_word(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,@%+".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// One sentence for each problem; none when all is well. They contain no paths, since `/readyz` is public.
pub fn notices(health: &Health) -> Vec<String> {
    let mut notices = vec![];
    if let Some(failure) = &health.failure {
        let since = DateTime::<Utc>::from(failure.since).format("%F %T UTC");
        notices.push(format!(
            "The disk refused a write at {since} ({}). Nothing is acknowledged until the log could be opened again: free \
             some space or look at the disk.",
            failure.cause
        ));
    }
    match health.reopened {
        0 => {}
        1 => notices.push("The disk refused a write since the start; the log was checked and opened again.".to_owned()),
        times => notices.push(format!(
            "The disk refused writes {times} times since the start; the log was checked and opened again each time."
        )),
    }
    let discarded = health.discarded;
    if discarded.accepted {
        notices.push(format!(
            "This start left out {} complete records of a damaged log, as --accept-data-loss allows.",
            discarded.records
        ));
    } else if !discarded.is_nothing() {
        notices.push(format!(
            "Opening the log cut off {} bytes at its end, of a write that never completed; nothing that was acknowledged \
             was in them.",
            discarded.bytes
        ));
    }
    notices
}

/// Where copies of logs are from before a part was cut off, by this start or an earlier one.
pub fn kept(quarantined_logs: &[PathBuf]) -> Option<String> {
    let paths: Vec<_> = quarantined_logs.iter().map(|path| path.display().to_string()).collect();
    (!paths.is_empty()).then(|| {
        format!(
            "Logs are kept as they were before a part of them was left out: {}. Delete them when nobody needs them.",
            paths.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use morpion_store::{DiscardedData, Failure};

    use super::*;

    #[test]
    fn a_healthy_store_has_no_notices() {
        assert_eq!(notices(&Health::default()), Vec::<String>::new());
        assert_eq!(kept(&[]), None);
    }

    #[test]
    fn a_command_is_shown_as_it_is_typed() {
        for (word, typed) in [("--data-dir", "--data-dir"), ("/a b", "'/a b'"), ("it's", r"'it'\''s'"), ("", "''")] {
            assert_eq!(shell_word(word), typed);
        }
        assert_eq!(as_owner(tempfile::TempDir::new().unwrap().path()), None, "one's own folder");
    }

    #[test]
    fn what_can_be_written_is_told_without_writing() {
        let folder = tempfile::TempDir::new().unwrap();
        assert!(is_writable(folder.path()));
        assert!(!is_writable(&folder.path().join("missing")));
    }

    #[test]
    fn each_problem_has_its_sentence() {
        let since = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let health = Health {
            failure: Some(Failure { since, cause: "No space left on device".to_owned() }),
            reopened: 2,
            discarded: DiscardedData { bytes: 700, records: 0, accepted: false },
            quarantined_logs: vec![],
        };
        let notices = notices(&health);
        for (notice, words) in notices.iter().zip(["2027-01-15 08:00:00 UTC (No space left", "2 times", "700 bytes"]) {
            assert!(notice.contains(words) && !notice.contains('\n'), "{notice}");
        }
        assert_eq!(notices.len(), 3);
        let accepted =
            Health { discarded: DiscardedData { bytes: 9, records: 5, accepted: true }, ..Health::default() };
        assert!(super::notices(&accepted)[0].contains("5 complete records"));
        assert!(kept(&["/data/db/wal/1.wal.corrupt".into()]).unwrap().contains("/data/db/wal/1.wal.corrupt."));
    }
}
