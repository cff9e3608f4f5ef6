//! `morpion backup create|status|list|verify|prune`.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, bail};
use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};
use morpion_backup::{
    BackupError, BackupId, Manifest, Repository,
    repository::{Keep, Listing, Unreadable},
    restore::{self, Restored},
};
use morpion_openapi::{
    Acknowledgement,
    admin::{BackupStatus, BackupVerification, CreateBackup, Overview, OverviewAnswer, VerifyAudit, VerifyAuditAnswer},
    event::{VerifyEvent, VerifyEventAnswer},
};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape,
    output::{Format, print_error},
};
use morpion_store::DataKey;
use serde::Serialize;

use super::{api::Api, event, ratings};
use crate::{
    backup,
    config::{self, Config, StoredSettings},
    disk::in_units,
    storage,
};

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum BackupCommand {
    /// Make a backup now, of a running server too
    Create {
        /// Where to: a folder, or s3://BUCKET/PREFIX [default: backup.to]
        #[arg(long, value_name = "TARGET")]
        to: Option<String>,
    },
    /// Show whether backups are made, and why not
    Status,
    /// List the backups at a target, the newest last
    List {
        #[command(flatten)]
        source: BackupSource,
    },
    /// Restore a backup into a temporary folder, open it, and check standings and the audit trail
    Verify {
        /// Its id, or "latest"
        #[arg(default_value = backup::LATEST)]
        id: String,
        #[command(flatten)]
        source: BackupSource,
        /// End with the process that holds standard input
        #[arg(long, hide = true)]
        attached: bool,
    },
    /// Remove the backups that backup.keep does not keep
    Prune {
        /// Instead of backup.keep, such as "7d, 4w, 6m"
        #[arg(long, value_name = "RULE", value_parser = keep)]
        keep: Option<Keep>,
        #[command(flatten)]
        source: BackupSource,
    },
}

const EXAMPLES: &str = "\
Examples:
  morpion backup create --to /mnt/usb
  morpion backup list
  morpion backup verify latest
  morpion restore latest --into /var/lib/morpion-restored

The server makes backups by itself if backup.to is set.";

/// Where backups are.
#[derive(Debug, Clone, Default, Args)]
pub struct BackupSource {
    /// Where the backups are: a folder, or s3://BUCKET/PREFIX [default: backup.to]
    #[arg(long, value_name = "TARGET")]
    pub from: Option<String>,
    /// Whose backups, if several servers have some there
    #[arg(long, value_name = "NAME")]
    pub server: Option<String>,
}

/// Between two questions whether a backup is done.
const ASK_EVERY: Duration = Duration::from_millis(300);

/// # Errors
/// Why it cannot be done, with what to do.
pub async fn run(command: BackupCommand, config: Config, format: Format) -> anyhow::Result<()> {
    match command {
        BackupCommand::Create { to } => create(config, to, format).await,
        BackupCommand::Status => {
            let status = Api::with(config, status).await?;
            Ok(format.print(&status, describe)?)
        }
        BackupCommand::List { source } => {
            let listed = blocking(move || list(&config, &source)).await?;
            Ok(format.print_rows(&listed, table)?)
        }
        BackupCommand::Verify { id, source, attached } => {
            if attached {
                std::thread::spawn(|| {
                    let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
                    std::process::exit(1);
                });
            }
            verify(&config, &id, source, format).await
        }
        BackupCommand::Prune { keep, source } => {
            let keep = keep.unwrap_or(config.backup.keep);
            let pruned = blocking(move || {
                let repository = source.open(&config)?;
                // The server could not use what another user makes there.
                storage::check_owner(Path::new(&repository.place()))?;
                Ok(repository.prune(keep, Utc::now())?)
            })
            .await?;
            for id in &pruned.unreadable {
                print_error(&format!("morpion: backup {id} cannot be read, so that files are kept that it may need"));
            }
            Ok(format.print(&pruned, |pruned| {
                let removed: String = pruned.backups.iter().map(|id| format!("removed {id}\n")).collect();
                format!("{removed}{} backups and {} files removed\n", pruned.backups.len(), pruned.objects)
            })?)
        }
    }
}

/// Work that waits for a disk or a bucket.
///
/// # Errors
/// Those of the work.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> anyhow::Result<T> {
    tokio::task::spawn_blocking(work).await?
}

impl BackupSource {
    /// The backups of one server.
    ///
    /// # Errors
    /// There are none, or those of several servers, or they cannot be read.
    pub(super) fn open(&self, config: &Config) -> anyhow::Result<Repository> {
        let from = self.location(&config.backup)?;
        let servers = Repository::all(&backup::target(&config.backup, from)?)?;
        let own = backup::server_name(config);
        let wanted =
            self.server.as_deref().or(own.as_deref().filter(|own| servers.iter().any(|(name, _)| name == own)));
        let server = match (wanted, servers.as_slice()) {
            (Some(name), _) => name,
            (None, [(name, _)]) => name,
            (None, []) => return Err(BackupError::None(from.to_owned()).into()),
            // Servers whose backups cannot be listed now count, too: another server's are never taken instead.
            (None, several) => {
                let names: Vec<_> = several.iter().map(|(name, _)| name.as_str()).collect();
                bail!("{from} has backups of {}; choose one with --server", names.join(", "))
            }
        };
        Ok(backup::repository(&config.backup, from, server)?)
    }

    fn location<'a>(&'a self, settings: &'a config::Backup) -> anyhow::Result<&'a str> {
        let from = self.from.as_deref().unwrap_or(&settings.to);
        if from.is_empty() {
            bail!("no place for backups is set; set backup.to, or give one with --from");
        }
        Ok(from)
    }
}

async fn status(api: &Api) -> anyhow::Result<BackupStatus> {
    Ok(api.read::<OverviewAnswer>("overview", Overview {}).await?.backup)
}

async fn create(config: Config, to: Option<String>, format: Format) -> anyhow::Result<()> {
    // The server has a working folder of its own.
    let to = to.map(absolute).transpose()?;
    let is_encrypted = config.database_url().folder().is_some_and(morpion_store::is_encrypted);
    let made = Api::with(config, async |api| {
        let Acknowledgement {} = api.write("create_backup", CreateBackup { to: to.clone() }).await?;
        loop {
            let status = status(api).await?;
            match (status.running_since, status.failure, status.last) {
                (Some(_), None, _) => tokio::time::sleep(ASK_EVERY).await,
                (_, Some(failure), _) => bail!(failure),
                (None, None, Some(last)) => return Ok(last),
                (None, None, None) => bail!("the server was stopped while it made the backup"),
            }
        }
    })
    .await?;
    format.print(&made, |made| {
        format!("{}: {}, {} of it new\n", made.backup_id, in_units(made.bytes), in_units(made.new_bytes))
    })?;
    if is_encrypted {
        print_error("morpion: the key of the database is not in the backup; keep a copy of it elsewhere");
    }
    Ok(())
}

fn absolute(to: String) -> anyhow::Result<String> {
    if to.contains("://") {
        return Ok(to);
    }
    let path = std::path::absolute(&to).with_context(|| format!("'{to}' is not a place for backups"))?;
    Ok(path.to_string_lossy().into_owned())
}

fn describe(status: &BackupStatus) -> String {
    let mut lines = vec![match &status.place {
        Some(place) => format!("Backups are made to {place}."),
        None => "Automatic backups are off; set backup.to.".to_owned(),
    }];
    if let Some(since) = status.running_since {
        lines.push(format!("One is being made since {since}."));
    }
    lines.push(match &status.last {
        Some(last) => format!("The latest is {} of {}, {}.", last.backup_id, last.at, in_units(last.bytes)),
        None => "There is none yet.".to_owned(),
    });
    lines.extend(status.log_until.map(|until| format!("Commits until {until} are backed up.")));
    if let (Some(failure), Some(since)) = (&status.failure, status.failing_since) {
        lines.push(format!("They have failed since {since}: {failure}"));
    }
    if let Some(verification) = &status.verification {
        let BackupVerification { backup_id, started_at, finished_at, problems, failure } = verification;
        lines.push(match (finished_at, failure, problems.len()) {
            (None, ..) => format!("Backup {backup_id} has been under verification since {started_at}."),
            (Some(at), Some(cause), _) => format!("Backup {backup_id} could not be verified at {at}: {cause}"),
            (Some(at), None, 0) => format!("Backup {backup_id} was verified at {at}; it is good."),
            (Some(at), None, _) => format!("Backup {backup_id} was verified at {at}; it is damaged:"),
        });
        lines.extend(problems.iter().map(|problem| format!("  {problem}")));
    }
    lines.iter().map(|line| format!("{}\n", escape::line(line))).collect()
}

/// A backup in a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    server: String,
    id: String,
    at: String,
    version: String,
    bytes: u64,
    new_bytes: u64,
}

fn list(config: &Config, source: &BackupSource) -> anyhow::Result<Vec<Listed>> {
    let from = source.location(&config.backup)?;
    let servers = Repository::all(&backup::target(&config.backup, from)?)?;
    let chosen = servers.into_iter().filter(|(name, _)| source.server.as_ref().is_none_or(|server| server == name));
    let (mut listed, mut wrong) = (vec![], vec![]);
    for (server, listing) in chosen {
        let Listing { manifests, unreadable } = match listing {
            Ok(listing) => listing,
            Err(error) => {
                wrong.push(format!("the backups of {server} cannot be listed: {error}"));
                continue;
            }
        };
        let cannot = |Unreadable { id, cause, .. }| format!("backup {id} of {server} cannot be read: {cause}");
        wrong.extend(unreadable.into_iter().map(cannot));
        listed.extend(manifests.into_iter().map(|manifest| Listed {
            server: server.clone(),
            id: manifest.id.to_string(),
            at: manifest.at.format("%F %T").to_string(),
            bytes: manifest.bytes(),
            new_bytes: manifest.stored_bytes,
            version: manifest.version,
        }));
    }
    match (listed.is_empty(), wrong.is_empty()) {
        (true, true) => return Err(BackupError::None(from.to_owned()).into()),
        (true, false) => bail!(wrong.join("; ")),
        (false, _) => wrong.iter().for_each(|text| print_error(&format!("morpion: {text}"))),
    }
    Ok(listed)
}

fn table(rows: &[Listed]) -> String {
    let row = |row: &Listed| {
        let line = format!(
            "{:<22} {} UTC  {:>10} {:>10} new  {:<8} {}",
            row.id,
            row.at,
            in_units(row.bytes),
            in_units(row.new_bytes),
            row.version,
            row.server
        );
        format!("{}\n", escape::line(&line))
    };
    rows.iter().map(row).collect()
}

/// What a check found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Verified {
    id: String,
    until: String,
    bytes: u64,
    events: usize,
    audit_entries: u64,
    rated_games: u64,
    problems: Vec<String>,
}

/// Restores a backup into a new or empty folder, as of a moment if one is given. Returns what was restored and the key of
/// its database.
pub(super) async fn restored(
    id: &str,
    until: Option<DateTime<Utc>>,
    source: BackupSource,
    config: &Config,
    into: PathBuf,
) -> anyhow::Result<(Restored, Option<DataKey>)> {
    let (repository, manifest) = choose(id, until, source, config).await?;
    let config = config.clone();
    blocking(move || open(&repository, &manifest, until, &config, &into)).await
}

/// A backup whose manifest can be read.
pub(super) async fn choose(
    id: &str,
    until: Option<DateTime<Utc>>,
    source: BackupSource,
    config: &Config,
) -> anyhow::Result<(Repository, Manifest)> {
    let (id, config) = (parse_id(id)?, config.clone());
    blocking(move || {
        let repository = source.open(&config)?;
        let manifest = backup::choose(&repository, id.as_ref(), until)?;
        Ok((repository, manifest))
    })
    .await
}

fn open(
    repository: &Repository,
    manifest: &Manifest,
    until: Option<DateTime<Utc>>,
    config: &Config,
    into: &Path,
) -> anyhow::Result<(Restored, Option<DataKey>)> {
    let key = backup::key_of(repository, manifest, &config.storage)?;
    Ok((restore::restore(repository, manifest, until, into)?, key))
}

async fn verify(config: &Config, id: &str, source: BackupSource, format: Format) -> anyhow::Result<()> {
    let scratch = tempfile::tempdir().context("there is no folder for temporary files; set TMPDIR")?;
    let into = scratch.path().join("data");
    let (repository, manifest) = choose(id, None, source, config).await?;
    let mut verified = Verified {
        id: manifest.id.to_string(),
        until: manifest.at.to_rfc3339(),
        bytes: manifest.bytes(),
        events: 0,
        audit_entries: 0,
        rated_games: 0,
        problems: vec![],
    };
    let opened = {
        let (config, into) = (config.clone(), into.clone());
        blocking(move || open(&repository, &manifest, None, &config, &into)).await
    };
    match opened {
        Ok((restored, key)) => {
            verified.until = restored.until.to_rfc3339();
            verified.bytes = restored.bytes;
            verified.problems.extend(restored.missing);
            verified.problems.extend(restored.unreadable_settings);
            verified
                .problems
                .extend(StoredSettings::in_folder(&into).err().map(|error| format!("the settings: {error}")));
            if let Err(error) = check(&into, key, &mut verified).await {
                verified.problems.push(format!("the restored data cannot be read: {error:#}"));
            }
        }
        Err(error) => match error.downcast_ref() {
            Some(damage @ (BackupError::Missing { .. } | BackupError::Damaged { .. })) => {
                verified.problems.push(damage.to_string());
            }
            _ => return Err(error),
        },
    }
    format.print(&verified, |verified| {
        let problems = verified.problems.iter().map(|problem| format!("{}\n", escape::line(problem)));
        let counted = format!(
            "{}: as of {}, {}; {} events, {} rated games and {} audit entries checked\n",
            verified.id,
            verified.until,
            in_units(verified.bytes),
            verified.events,
            verified.rated_games,
            verified.audit_entries
        );
        problems.chain([counted]).collect()
    })?;
    match verified.problems.len() {
        0 => Ok(()),
        1 => Err(CommandError::new(FailureKind::Disagreement, "1 problem found".to_owned()).into()),
        number => Err(CommandError::new(FailureKind::Disagreement, format!("{number} problems found")).into()),
    }
}

/// Opens a restored folder with a server that sends nothing to anybody.
async fn check(folder: &Path, key: Option<DataKey>, verified: &mut Verified) -> anyhow::Result<()> {
    let mut config = Config { data_dir: folder.to_owned(), ..Config::default() };
    config.storage.encryption_key = key;
    config.log.dir.clear();
    // No server is there, so that the command starts its own.
    config.server.listen.set_port(0);
    Api::with(config, async |api| {
        let audit: VerifyAuditAnswer = api.read("verify_audit", VerifyAudit {}).await?;
        verified.audit_entries = audit.entries;
        if let Some(number) = audit.broken_at {
            let problem = audit.problem.unwrap_or_default();
            verified.problems.push(format!("the audit trail is broken at entry {number}: {problem}"));
        }
        let ratings = ratings::verify(api).await?;
        verified.rated_games = ratings.games;
        verified.problems.extend(ratings.differences);
        for found in event::events(api, None).await? {
            let event_id = found.id.parse()?;
            let answer: VerifyEventAnswer = api.read_from("event", "verify_event", VerifyEvent { event_id }).await?;
            verified.events += 1;
            verified.problems.extend(answer.differences.iter().map(|text| format!("{}: {text}", found.name)));
        }
        Ok(())
    })
    .await
}

/// None for the latest.
///
/// # Errors
/// It cannot be an id.
pub(super) fn parse_id(text: &str) -> anyhow::Result<Option<BackupId>> {
    if text == backup::LATEST {
        return Ok(None);
    }
    let id = BackupId::parse(text).with_context(|| format!("'{text}' is not the id of a backup"))?;
    Ok(Some(id))
}

fn keep(text: &str) -> Result<Keep, String> {
    Keep::parse(text).ok_or_else(|| "write such as \"7d, 4w, 6m\"".to_owned())
}

/// Tells what was left out, on standard error.
pub(super) fn print_missing(missing: Option<&str>) {
    if let Some(missing) = missing {
        print_error(&format!("morpion: what followed is missing: {missing}"));
    }
}
