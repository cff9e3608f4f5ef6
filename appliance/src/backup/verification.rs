//! Checks a backup in a process of its own: what is wrong with a backup, or the memory that it needs, does not harm play.

use std::{
    ffi::OsString,
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::DirBuilderExt,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, atomic::Ordering},
    thread::{self, JoinHandle},
    time::Duration,
};

use chrono::{DateTime, Utc};
use morpion_backup::{BackupError, BackupId};
use serde::Deserialize;

use super::{LATEST, Shared, choose, repository, source::about};
use crate::{
    background,
    disk::{free_at, in_units},
};

type Result<T, E = BackupError> = std::result::Result<T, E>;

/// Between two looks whether the check is done.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Lines of what is wrong; a damaged event can have thousands.
const MAX_PROBLEMS: usize = 50;

/// Of the check, which is killed first if memory ends.
const OOM_SCORE: &str = "1000";

/// The check of a backup.
#[derive(Debug, Clone)]
pub struct Verification {
    /// None until it is known which backup is the latest.
    pub id: Option<BackupId>,
    pub started_at: DateTime<Utc>,
    /// None while it is under way.
    pub finished_at: Option<DateTime<Utc>>,
    /// What is wrong with the backup, or why it could not be checked. May contain paths.
    pub problems: Vec<String>,
}

/// Begins the check of a backup, of the latest if none is given, with the arguments that this program was started with.
pub(super) fn start(shared: Arc<Shared>, arguments: Vec<OsString>, id: Option<BackupId>) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name("verification".to_owned()).spawn(move || {
        // The process inherits it.
        background::lower_priority();
        let problems = verify(&shared, &arguments, id.as_ref()).unwrap_or_else(|error| vec![error.to_string()]);
        let mut state = shared.state.lock();
        let Some(verification) = &mut state.verification else { return };
        let id = verification.id.as_ref().map_or(LATEST, BackupId::as_str);
        if problems.is_empty() {
            tracing::info!(id, "backup verified");
        } else {
            tracing::error!(id, problems = problems.len(), first = problems[0], "a backup did not verify");
        }
        verification.problems = problems;
        verification.finished_at = Some(shared.clock.wall());
    })
}

/// Removes what a check left that was killed.
pub(super) fn clean(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(about(folder)(error)),
        _ => Ok(()),
    }
}

/// What is wrong with a backup.
///
/// # Errors
/// Why it could not be checked.
fn verify(shared: &Shared, arguments: &[OsString], id: Option<&BackupId>) -> Result<Vec<String>> {
    let name = shared.folder.server_name()?;
    let repository = repository(&shared.settings, &shared.settings.to, &name)?;
    let manifest = choose(&repository, id, None)?;
    if let Some(verification) = &mut shared.state.lock().verification {
        verification.id = Some(manifest.id.clone());
    }
    let folder = shared.folder.verification();
    clean(&folder)?;
    DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(about(&folder))?;
    let (free, needed) = (free_at(&folder).map_err(about(&folder))?, manifest.bytes());
    let problems = if shared.disk.is_low(free.saturating_sub(needed)) {
        Ok(vec![format!(
            "It needs {} of free disk space beside what the server needs, and {} are free; use `morpion backup verify` on \
             another machine.",
            in_units(needed),
            in_units(free)
        )])
    } else {
        check(shared, arguments, (&manifest.id, &name), &folder).map_err(about(&folder))
    };
    clean(&folder)?;
    problems
}

/// Runs `morpion backup verify`, and waits for it.
fn check(
    shared: &Shared,
    arguments: &[OsString],
    (id, server): (&BackupId, &str),
    folder: &Path,
) -> io::Result<Vec<String>> {
    let (printed, told) = (folder.join("printed"), folder.join("told"));
    // Also after an upgrade has replaced the file that it was started from.
    let mut command = Command::new("/proc/self/exe");
    command.args(arguments).args(["backup", "verify", id.as_str(), "--server", server, "--json"]);
    command.env("TMPDIR", folder).stdin(Stdio::null()).stdout(File::create(&printed)?).stderr(File::create(&told)?);
    let mut child = command.spawn()?;
    let _ = fs::write(format!("/proc/{}/oom_score_adj", child.id()), OOM_SCORE);
    let Some(status) = wait(shared, &mut child)? else {
        return Ok(vec!["The server was stopped meanwhile.".to_owned()]);
    };
    if let Ok(Verified { problems }) = serde_json::from_str::<Verified>(&fs::read_to_string(printed)?) {
        return Ok(problems.into_iter().take(MAX_PROBLEMS).collect());
    }
    let told = fs::read_to_string(told)?;
    let cause = told.lines().last().map_or_else(|| status.to_string(), str::to_owned);
    Ok(vec![cause])
}

/// None if the server is stopped meanwhile.
fn wait(shared: &Shared, child: &mut Child) -> io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if shared.is_stopping.load(Ordering::Relaxed) {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// What `morpion backup verify --json` prints.
#[derive(Debug, Deserialize)]
struct Verified {
    problems: Vec<String>,
}
