//! What a backup is made of: the tables of the database at one moment, and the keys beside them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, DirBuilder},
    io::{self, Write},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use morpion_backup::{
    BackupError, BackupId, Manifest, remove_folder,
    repository::{Source, is_server_name},
    tail,
};
use morpion_store::{DatabaseUrl, Store};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use uuid::Uuid;

use super::{DATABASE, Shared, repository};
use crate::config::{Config, LOCAL_TOKEN_FILE, RestoredSettings};

/// Larger files in the data folder are no keys.
pub const MAX_KEY: u64 = 1 << 20;

/// The name of this server among the backups at a target, in the folder of its backups.
const NAME_FILE: &str = "server-name";

/// The ids of the backups that were made of this data folder, one a line, in the folder of its backups.
const MADE_FILE: &str = "made";

/// As many as are kept at a place, and more.
const MAX_MADE: usize = 10_000;

/// One thread at a time changes these files.
static CHANGING: Mutex<()> = Mutex::new(());

/// The folders that backups are made of.
#[derive(Debug, Clone)]
pub(super) struct DataFolder {
    root: PathBuf,
    database: Option<PathBuf>,
}

/// The tables at one moment: links in a folder that is removed when it is dropped.
#[derive(Debug)]
pub(super) struct Checkpoint {
    folder: PathBuf,
    files: BTreeMap<String, PathBuf>,
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!(%error, "a checkpoint could not be removed; the next one replaces it");
        }
    }
}

impl DataFolder {
    pub(super) fn of(config: &Config) -> Self {
        let database = match config.database_url() {
            DatabaseUrl::Folder(folder) => Some(folder),
            DatabaseUrl::Memory => None,
        };
        Self { root: config.data_dir.clone(), database }
    }

    pub(super) fn database(&self) -> Option<&Path> {
        self.database.as_deref()
    }

    /// The folder for what backups need while they are made, on the disk of the database.
    pub(super) fn work(&self) -> PathBuf {
        let database = self.database.as_deref().unwrap_or(&self.root);
        database.with_file_name("backup")
    }

    pub(super) fn log(&self) -> PathBuf {
        self.database.as_deref().unwrap_or(&self.root).join("wal")
    }

    /// The links to the log.
    pub(super) fn links(&self) -> PathBuf {
        self.work().join("log")
    }

    /// What the links of the process before led to.
    pub(super) fn tail(&self) -> PathBuf {
        self.work().join("tail")
    }

    /// Where a backup is checked.
    pub(super) fn verification(&self) -> PathBuf {
        self.work().join("verification")
    }

    /// The name of this server at targets; made at the first use.
    ///
    /// # Errors
    /// [`BackupError::Local`].
    pub(super) fn server_name(&self) -> Result<String, BackupError> {
        let _changing = CHANGING.lock();
        self.known_server_name().map_or_else(|| self.make_name(), Ok)
    }

    /// As [`DataFolder::server_name`], if there is one already.
    pub(super) fn known_server_name(&self) -> Option<String> {
        read_name(&self.work().join(NAME_FILE))
    }

    /// Another name than before, for a folder that was copied with its name.
    ///
    /// # Errors
    /// [`BackupError::Local`].
    pub(super) fn take_new_name(&self) -> Result<String, BackupError> {
        let _changing = CHANGING.lock();
        self.make_name()
    }

    fn make_name(&self) -> Result<String, BackupError> {
        let host: String =
            host().chars().filter(|char| char.is_ascii_alphanumeric() || *char == '-').take(40).collect();
        let name = format!("{host}-{}", &Uuid::new_v4().simple().to_string()[..8]);
        let name = name.trim_start_matches('-').to_owned();
        self.write(NAME_FILE, &name)?;
        Ok(name)
    }

    /// The backups that were made of this data folder, those that failed included; none if an earlier version made some.
    ///
    /// # Errors
    /// [`BackupError::Local`].
    pub(super) fn made(&self) -> Result<Option<BTreeSet<BackupId>>, BackupError> {
        let path = self.work().join(MADE_FILE);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text.lines().filter_map(BackupId::parse).collect())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(about(&path)(error)),
        }
    }

    /// Adds backups to those that were made, before they are.
    ///
    /// # Errors
    /// [`BackupError::Local`].
    pub(super) fn add_made<'a>(&self, ids: impl IntoIterator<Item = &'a BackupId>) -> Result<(), BackupError> {
        let _changing = CHANGING.lock();
        let mut made = self.made()?.unwrap_or_default();
        made.extend(ids.into_iter().cloned());
        // Ids begin with their time.
        let text: String = made.iter().skip(made.len().saturating_sub(MAX_MADE)).map(|id| format!("{id}\n")).collect();
        self.write(MADE_FILE, &text)
    }

    /// Writes a file of the folder of backups as a whole.
    fn write(&self, name: &str, text: &str) -> Result<(), BackupError> {
        let (folder, path) = (self.work(), self.work().join(name));
        make_folder(&folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&folder).map_err(about(&path))?;
        file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(about(&path))?;
        file.persist(&path).map_err(|error| about(&path)(error.error))?;
        Ok(())
    }

    /// Makes a checkpoint of an open store, in a folder of this name.
    pub(super) fn checkpoint(&self, store: &Store, name: &str, runtime: &Handle) -> Result<Checkpoint, BackupError> {
        let folder = self.work().join(name);
        make_folder(&self.work())?;
        remove_folder(&folder)?;
        runtime
            .block_on(store.checkpoint(folder.clone()))
            .map_err(|error| about(&folder)(io::Error::other(error.to_string())))?;
        let mut checkpoint = Checkpoint { folder, files: keys(&self.root)? };
        collect(&checkpoint.folder, DATABASE, &mut checkpoint.files)?;
        Ok(checkpoint)
    }
}

impl Checkpoint {
    /// The source of a backup with this id; `own` are those that this server made before.
    pub(super) fn source<'a>(
        &self,
        settings: Option<&'a [u8]>,
        first_segment: u64,
        id: BackupId,
        own: Option<&'a BTreeSet<BackupId>>,
    ) -> Source<'a> {
        let files = self.files.clone();
        let version = env!("CARGO_PKG_VERSION");
        Source { files, settings, database: DATABASE, first_segment, version, host: host(), id, own }
    }
}

/// The keys of a server: small files directly in its data folder, except the token that each start replaces, and the settings
/// that a restore wrote there.
///
/// # Errors
/// [`BackupError::Local`].
pub fn keys(root: &Path) -> Result<BTreeMap<String, PathBuf>, BackupError> {
    let mut keys = BTreeMap::new();
    for entry in fs::read_dir(root).map_err(about(root))? {
        let entry = entry.map_err(about(root))?;
        let metadata = entry.metadata().map_err(about(&entry.path()))?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if metadata.is_file() && metadata.len() <= MAX_KEY && is_key(&name) {
            keys.insert(name, entry.path());
        }
    }
    Ok(keys)
}

/// Whether a file of this name can be a key.
pub fn is_key(name: &str) -> bool {
    let is_other = name == LOCAL_TOKEN_FILE || name.starts_with('.') || RestoredSettings::is_file(name);
    !is_other && name != DATABASE && !name.is_empty() && !name.contains(['/', '\0'])
}

/// A backup without what follows, to any target.
pub(super) fn create_once(shared: &Shared, to: &str, runtime: &Handle) -> Result<Manifest, BackupError> {
    let repository = repository(&shared.settings, to, &shared.folder.server_name()?)?;
    let checkpoint = shared.folder.checkpoint(&shared.store, "checkpoint-once", runtime)?;
    let settings = shared.stored_settings(&repository);
    let at = shared.clock.wall();
    let id = BackupId::new(at);
    shared.folder.add_made([&id])?;
    repository.create(&checkpoint.source(settings.as_deref(), Manifest::NO_LOG, id, None), at, || true)
}

/// Keeps what a process that was killed had not stored, until it can be added to its backup. To be called before the
/// database is opened; without it only that is lost.
pub fn keep_tail(config: &Config) {
    let folder = DataFolder::of(config);
    if folder.database().is_none_or(morpion_store::is_in_use) {
        return;
    }
    // A process that does not follow the log leaves nothing that could be added.
    let kept = match &*config.backup.to {
        "" => remove_folder(&folder.links()),
        _ => tail::keep(&folder.links(), &folder.log(), &folder.tail()),
    };
    if let Err(error) = kept {
        tracing::warn!(%error, "what was committed before the last stop may be missing in its backup");
    }
}

/// The name of this server at targets, if backups were ever made.
pub fn server_name(config: &Config) -> Option<String> {
    read_name(&DataFolder::of(config).work().join(NAME_FILE))
}

fn read_name(path: &Path) -> Option<String> {
    let name = fs::read_to_string(path).ok()?.trim().to_owned();
    is_server_name(&name).then_some(name)
}

/// The name of this machine.
fn host() -> &'static str {
    static HOST: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
        let name = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
        name.unwrap_or_else(|| "unknown".to_owned())
    });
    &HOST
}

pub(super) fn make_folder(folder: &Path) -> Result<(), BackupError> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(about(folder))
}

/// All files below a folder, under this name.
fn collect(folder: &Path, name: &str, into: &mut BTreeMap<String, PathBuf>) -> Result<(), BackupError> {
    for entry in fs::read_dir(folder).map_err(about(folder))? {
        let entry = entry.map_err(about(folder))?;
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(about(folder))?.is_dir() {
            collect(&entry.path(), &name, into)?;
        } else {
            into.insert(name, entry.path());
        }
    }
    Ok(())
}

pub(super) fn about(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let what = path.display().to_string();
    |cause| BackupError::Local { what, cause }
}
