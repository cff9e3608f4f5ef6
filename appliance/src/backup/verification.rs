//! Checks a backup in a process of its own: what is wrong with a backup does not harm play.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, atomic::Ordering},
    thread,
    time::Duration,
};

use chrono::{DateTime, Utc};
use morpion_backup::{BackupError, BackupId, Repository, remove_folder};
use serde::Deserialize;
use tokio::{runtime::Handle, sync::oneshot};

use super::{
    LATEST, Shared, choose, repository,
    source::{about, make_folder},
    target,
};
use crate::{
    background,
    disk::{free_at, in_units},
};

/// Between two looks whether the check is done.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Problems that are told; a damaged event can have thousands.
const MAX_PROBLEMS: usize = 50;

/// Of the process, which is killed first if memory ends.
const OOM_SCORE: &str = "1000";

/// The check of a backup.
#[derive(Debug, Clone)]
pub struct Verification {
    /// None until it is known which backup is the latest.
    pub id: Option<BackupId>,
    pub started_at: DateTime<Utc>,
    /// None while it is under way.
    pub finished_at: Option<DateTime<Utc>>,
    /// What is wrong with the backup. May contain paths.
    pub problems: Vec<String>,
    /// Why it could not be checked. May contain paths.
    pub failure: Option<String>,
}

impl Verification {
    pub(super) fn is_under_way(&self) -> bool {
        self.finished_at.is_none()
    }

    /// The id as it was asked for or found.
    pub fn id_or_latest(&self) -> &str {
        self.id.as_ref().map_or(LATEST, BackupId::as_str)
    }
}

/// Begins the check of a backup, of the latest if none is given, with the arguments that this program was started with.
/// The end of it closes the channel. Inside a runtime.
pub(super) fn start(
    shared: Arc<Shared>,
    arguments: Vec<OsString>,
    id: Option<BackupId>,
) -> io::Result<oneshot::Receiver<()>> {
    let (ended, end) = oneshot::channel();
    let runtime = Handle::current();
    thread::Builder::new().name("verification".to_owned()).spawn(move || {
        let _ended = ended;
        let _inside = runtime.enter();
        // The process inherits it.
        background::lower_priority();
        let panicked = "The work on it ended; the log of the program says why.".to_owned();
        let mut ending = Ending { shared: &shared, checked: Err(panicked) };
        ending.checked = Check { shared: &shared, arguments: &arguments }.run(id.as_ref());
    })?;
    Ok(end)
}

/// Ends a check when it is dropped, also if its thread panics.
struct Ending<'a> {
    shared: &'a Shared,
    checked: Result<Vec<String>, String>,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let is_stopping = self.shared.is_stopping.load(Ordering::Relaxed);
        let checked = std::mem::replace(&mut self.checked, Ok(vec![]));
        let mut state = self.shared.state.lock();
        let Some(verification) = &mut state.verification else { return };
        verification.finished_at = Some(self.shared.clock.wall());
        match checked {
            Ok(problems) => verification.problems = problems,
            Err(failure) => verification.failure = Some(failure),
        }
        let Verification { problems, failure, .. } = verification.clone();
        let id = verification.id_or_latest().to_owned();
        drop(state);
        match (problems.first(), failure) {
            (None, None) => tracing::info!(id, "backup verified"),
            (None, Some(cause)) if is_stopping => tracing::info!(id, cause, "a backup was not verified"),
            (None, Some(cause)) => tracing::warn!(id, cause, "a backup could not be verified"),
            (Some(first), _) => tracing::error!(id, problems = problems.len(), first, "a backup is damaged"),
        }
    }
}

struct Check<'a> {
    shared: &'a Shared,
    arguments: &'a [OsString],
}

impl Check<'_> {
    /// The problems of a backup.
    ///
    /// # Errors
    /// Why it could not be checked.
    fn run(&self, id: Option<&BackupId>) -> Result<Vec<String>, String> {
        let shared = self.shared;
        let (name, id, bytes) = self.find(id).map_err(|error| error.to_string())?;
        if let Some(verification) = &mut shared.state.lock().verification {
            verification.id = Some(id.clone());
        }
        let folder = shared.folder.verification();
        let made = remove_folder(&folder).and_then(|()| make_folder(&folder));
        made.map_err(|error| error.to_string())?;
        let checked = match free_at(&folder) {
            Ok(free) if shared.disk.is_low(free.saturating_sub(bytes)) => Err(too_little(free)),
            _ => self.check(&id, &name, &folder).unwrap_or_else(|cause| Err(about(&folder)(cause).to_string())),
        };
        if let Err(error) = remove_folder(&folder) {
            tracing::warn!(%error, "what a check of a backup left is removed by the next one");
        }
        checked
    }

    /// The server's name, the backup's id, and its bytes. Nothing is made at the target.
    fn find(&self, id: Option<&BackupId>) -> Result<(String, BackupId, u64), BackupError> {
        let settings = &self.shared.settings;
        let none = || BackupError::None(settings.to.clone());
        let name = self.shared.folder.known_server_name().ok_or_else(none)?;
        if Repository::list_of(&target(settings, &settings.to)?, &name)?.ids().next().is_none() {
            return Err(none());
        }
        let manifest = choose(&repository(settings, &settings.to, &name)?, id, None)?;
        let bytes = manifest.bytes();
        Ok((name, manifest.id, bytes))
    }

    /// Runs `morpion backup verify`, and waits for it.
    fn check(&self, id: &BackupId, server: &str, folder: &Path) -> io::Result<Result<Vec<String>, String>> {
        let (printed, told) = (folder.join("printed"), folder.join("told"));
        // Also after an upgrade has replaced the file that it was started from.
        let mut command = Command::new("/proc/self/exe");
        command.arg0("morpion").args(self.arguments);
        command.args(["backup", "verify", id.as_str(), "--server", server, "--json", "--attached"]);
        command.arg("--from").arg(&self.shared.settings.to).env("TMPDIR", folder);
        command.stdin(Stdio::piped()).stdout(File::create(&printed)?).stderr(File::create(&told)?);
        let mut child = command.spawn()?;
        let _ = fs::write(format!("/proc/{}/oom_score_adj", child.id()), OOM_SCORE);
        let status = match self.wait(&mut child, folder)? {
            Ok(status) => status,
            Err(failure) => {
                child.kill()?;
                child.wait()?;
                return Ok(Err(failure));
            }
        };
        if let Ok(Verified { mut problems }) = serde_json::from_str(&fs::read_to_string(printed)?) {
            let all = problems.len();
            problems.truncate(MAX_PROBLEMS);
            if all > MAX_PROBLEMS {
                problems.push(format!("and {} more", all - MAX_PROBLEMS));
            }
            return Ok(Ok(problems));
        }
        let told = fs::read_to_string(told)?;
        let cause = told.lines().rev().find(|line| !line.is_empty() && !line.starts_with("note: "));
        let cause = cause.map(|line| line.trim_start_matches("morpion: ").to_owned());
        Ok(Err(cause.unwrap_or_else(|| format!("The process that checked it was ended ({status})."))))
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// Why it has to be killed.
    fn wait(&self, child: &mut Child, folder: &Path) -> io::Result<Result<ExitStatus, String>> {
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Ok(status));
            }
            if self.shared.is_stopping.load(Ordering::Relaxed) {
                return Ok(Err("The server was stopped meanwhile.".to_owned()));
            }
            if let Ok(free) = free_at(folder)
                && self.shared.disk.is_low(free)
            {
                return Ok(Err(too_little(free)));
            }
            thread::sleep(LOOK_EVERY);
        }
    }
}

fn too_little(free: u64) -> String {
    let free = in_units(free);
    format!("There is too little disk space for it ({free} are free); use `morpion backup verify` on another machine.")
}

/// What `morpion backup verify --json` prints.
#[derive(Debug, Deserialize)]
struct Verified {
    problems: Vec<String>,
}
